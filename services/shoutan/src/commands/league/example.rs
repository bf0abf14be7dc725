//! A file of rules to begin with.

/// Rules of a league of teams, with comments.
pub(super) const TEXT: &str = r#"# Rules of a league. Lines that begin with # are comments; whatever is left out has its default.
# Every change of them is a new version; a season keeps the one that held when its registration was opened.
{
  # From the top. A season does not start while a division has fewer than size_min registered squads; 0 for its size.
  "divisions": [
    { "name": "一级联赛", "latin": "First Division", "size": 8, "size_min": 6 },
    { "name": "二级联赛", "latin": "Second Division", "size": 8, "size_min": 6 }
  ],
  # Between each division and the one below it: how many go down and up by their places, and how many more play for it.
  "borders": [
    { "direct": 1, "play_offs": 1 }
  ],
  # How often two meet in a play-off, 1 or 2. Drawn, it is won by who comes from the upper division.
  "play_off_matches": 1,
  "squads": {
    # Players and reserves; 0 for as many as the event takes.
    "members_max": 0,
    # Whether everybody is in the club of the team.
    "of_club": false,
    # How many games somebody must have played in the division to be in a play-off.
    "play_off_games_min": 0
  },
  # Who officiates in every event, by account; without a chief_arbiter no registration is opened.
  # The others are deputy, arbiter, scorer and committee.
  "officials": [
    { "account": "chief", "role": "chief_arbiter" }
  ],
  # What the event of every division is: as `shoutan event settings --example round_robin` explains, a round_robin or a swiss.
  # How many enter, and when rounds begin, is left to the season. Without "teams" players enter for themselves.
  "event": {
    "game": { "variant": "go", "time": "1h" },
    "format": { "round_robin": { "double": false } },
    "entries": { "max": 8 },
    "teams": { "boards": 3, "line_up": "declared_boards", "reserves_max": 2 },
    "schedule": { "zone": "Asia/Shanghai" }
  },
  "text": ""
}
"#;

#[cfg(test)]
mod tests {
    use super::super::file::{File, parse};

    #[test]
    fn the_example_is_a_file_of_rules_and_prints_as_one() {
        let file = parse(super::TEXT).expect("rules");
        let printed = serde_json::to_string(&file).expect("JSON");
        let again: File = parse(&printed).expect("the same");
        assert_eq!(serde_json::to_string(&again).expect("JSON"), printed);
    }
}
