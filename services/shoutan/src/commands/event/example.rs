//! Files of settings to begin with.

/// The formats of which there is an example.
pub(super) const FORMATS: [&str; 8] =
    ["swiss", "round_robin", "knock_out", "match", "mac_mahon", "grading", "arena", "ladder"];

/// A file of settings for an event of this format, with comments.
pub(super) fn text(format: &str) -> String {
    let (what, entries) = of(format);
    format!("{HEAD}  \"format\": {what},\n{entries}{TAIL}")
}

const HEAD: &str = r#"# Settings of an event. Lines that begin with # are comments; whatever is left out has its default.
# A line that begins with #" is a setting that is left out: it holds without its #.
# `shoutan event readings` lists what may stand under "readings".
{
  "game": {
    # jiu, jirige, go, tianyi or jpd; `shoutan rules --help` says more.
    "variant": "go",
    # Empty for the variant's default, and the options that differ from it.
    "rule_set": "",
    "options": {},
    # 40m, 1h-keep5m (Art. 12: the last five minutes are kept), 10m+5s, 20m+3x30s, 30s/move, 3d/move.
    "time": "1h",
    "rated": false,
    # Whoever is later loses by default (Art. 23).
    "lateness": "15m",
    # Whether an arbiter confirms every result, besides the players.
    "arbiter_confirms": false,
    # How many warnings lose a game; 0 for as many as the rules of the game say (Art. 25.2).
    "warnings_max": 0,
    # Whether games can be adjourned with a sealed move (Art. 14).
    "adjournable": false,
    # Whether forbidden acts happen as on a board, with the sanctions of the printed rules.
    "illegal_as_on_board": false,
    "player_chat_off": false
  },
  # One of swiss, round_robin, knock_out, match, mac_mahon, grading, arena, ladder: see `shoutan event settings --example FORMAT`.
"#;

const TAIL: &str = r#"  "schedule": {
    "zone": "Asia/Shanghai",
    # What begins a round: by_hand, by_schedule or when_complete.
    "start": "by_hand",
    # With by_schedule, as "2026-11-21T09:00:00+08:00"; from the first round on.
    "round_times": [],
    # With when_complete, the rest between two rounds.
    "rest": "0s",
    # Whether players say before each round that they are there.
    "check_in": false
  },
  # Readings of the printed rules that are not the defaults, such as "m_basis": "theoretical".
  "readings": {},
  # How long after a ruling it can be appealed against.
  "appeal_within": "30m",
  # How much later than the players everybody else sees games and results; at most 1h.
  "broadcast_delay": "0s",
  # Whether a player may watch other games of the event while his own runs (Art. 15.4).
  "watch_while_playing": false,
  # The languages of its papers, one to three; the first is that of a page. Without this line Chinese and English.
  #"languages": ["bo", "zh"],
  # What else the supplement to the rules says.
  "text": ""
}
"#;

/// What an example says of its format, and of entries, teams and play-offs.
fn of(format: &str) -> (&'static str, String) {
    match format {
        "round_robin" => (
            "{ \"round_robin\": { \"double\": false } }",
            entries(32, false) + &teams("  #") + PLAY_OFF + ARRANGING,
        ),
        "knock_out" => ("{ \"knock_out\": { \"lives\": 1, \"third_place\": true } }", entries(32, false)),
        "match" => ("{ \"match\": { \"games\": 5, \"play_all\": false } }", entries(2, false)),
        "mac_mahon" => (
            "{ \"mac_mahon\": { \"rounds\": 5, \"bar\": 3, \"floor\": -19, \"reduction\": 2, \"handicap_max\": 9 } }",
            entries(64, true),
        ),
        "arena" => ("{ \"arena\": {} }", entries(2, false) + &teams("  ")),
        "ladder" => (
            "{ \"ladder\": { \"rounds\": 10, \"reach\": 3, \"answer_within\": \"168h\" } }",
            entries(64, true),
        ),
        "grading" => {
            ("{ \"grading\": { \"rounds\": 7, \"by_points\": false, \"needed\": 5 } }", entries(64, true))
        }
        _ => ("{ \"swiss\": { \"rounds\": 7 } }", entries(64, true) + &teams("  #") + PLAY_OFF + ARRANGING),
    }
}

/// Who can enter; late ones only where the list stays open.
fn entries(max: u32, late: bool) -> String {
    let late = if late {
        "    # Somebody can still come in before this round; 0 for nobody.\n    \"late_until_round\": 3,\n"
    } else {
        ""
    };
    format!(
        "  \"entries\": {{\n    # Until then people can enter; without it until the first round.\n    \
         #\"until\": \"2030-11-20T18:00:00+08:00\",\n{late}    \"max\": {max}\n  }},\n"
    )
}

/// What makes an event one of teams, after this beginning of its line.
fn teams(begin: &str) -> String {
    format!("{TEAMS}{begin}{OF_TEAMS}")
}

const TEAMS: &str = "  # With this line it is an event of teams, which enter with `enter-team`; only a swiss, a round_robin and an arena can be.
  # How players come to their boards is fixed_boards, fixed_boards_subs, declared_boards, whole_team or sum_of_members. Line-ups
  # are closed line_up_lock before a round that has a time; of a sum_of_members the best so many count, 0 for all.
";

const OF_TEAMS: &str = r#""teams": { "boards": 3, "line_up": "fixed_boards", "reserves_max": 0, "line_up_lock": "0s", "best": 0 },
"#;

const PLAY_OFF: &str = r#"  # With this line a place that is shared after the last round is played for, from the first to this one: two play the best of
  # so many games, three to eight one game each; then the lot. It cannot change once the supplement is adopted. The rules are
  # those of the event but for these options.
  #"play_off": { "places": 1, "games": 2, "time": "15m", "options": {} },
"#;

const ARRANGING: &str = r#"  # With this line a round is open for a window after it has begun, and each board is played when its two sides have agreed on
  # a time (`propose`, `accept-time`). What nobody has arranged goes to who has tried ({ "effort": { "times": 3 } }), begins at
  # a set time ({ "default": { "after": "312h" } }), or is left to an arbiter ({ "arbiter": {} }). Where windows overlap,
  # later rounds do not wait; by_match has the boards of a match of teams begin at one time.
  #"arranging": { "window": "336h", "lead": "24h", "answer_within": "48h", "times_max": 3, "reminders": ["72h", "24h"], "overlaps": false, "by_match": false, "otherwise": { "effort": { "times": 3, "void": false } } },
  # With this line players may be on leave (`leave take`) where games are arranged or played by correspondence: each for so
  # long in all, announced so far ahead. Deadlines move by it, and correspondence games rest. An event of teams may have a
  # "team_budget", too.
  #"leave": { "player_budget": "336h", "notice": "72h", "shortest": "24h", "longest": "168h", "spans_max": 4 },
"#;
