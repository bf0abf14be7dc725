//! A round robin of teams whose captains declare their line-ups, by script.

use std::collections::BTreeMap;

use api::{error::reason, federation::v1 as pb};
use sha2::{Digest as _, Sha256};
use tests::{
    Bot, Platform, bots, call, change,
    held::{Federation, Held, events, federations, name},
    opposite_shapes,
};
use tonic::Status;

use super::{
    swiss::{settings, verified_alone},
    team_script::{Declared, MATCHES, Match, PLAYERS, TABLE},
};

/// The names of the teams.
pub(super) const NAMES: [(&str, &str); 4] =
    [("雪狮", "Snow Lions"), ("སྟག", "Tigers"), ("ᠪᠦᠷᠭᠦᠳ", "Eagles"), ("仙鹤", "Cranes")];

/// Boards of a match, and with them players of a team besides its reserve.
const BOARDS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn teams_with_declared_boards_are_held_and_their_table_is_what_the_rules_say() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let federation = Federation::new(&transport, "棋牌协会", "Board Games").await;
        let mut held = Held::new(&federation, of_teams(3)).await;
        let mut players = bots(&transport, NAMES.len() * (BOARDS + 1)).await.expect("all sign in");
        for named in NAMES {
            let own = players.drain(..=BOARDS).collect();
            enter_team(&mut held, &federation, named, own, BOARDS).await;
        }
        held.run().await;
        let mut met = Vec::new();
        for round in 1..=3 {
            held.pair(round).await;
            held.publish(round).await;
            let matches = matches_of(&held, &held.chief.player, round).await;
            for it in &matches {
                let script = script_of(it);
                met.push(script.teams);
                line_ups(&held, it, script).await;
            }
            held.begin_round(round).await;
            for it in &matches_of(&held, &held.chief.player, round).await {
                play_match(&held, it, script_of(it)).await;
            }
            held.complete(round).await;
        }
        met.sort_unstable();
        assert_eq!(met, MATCHES.map(|it| it.teams), "all meet all once");
        assert_table(&held).await;
        held.end().await;
        verified_alone(&platform, &held).await;
    }
}

/// A round robin of teams with so many boards and a reserve, whose line-ups are declared.
pub(super) fn of_teams(boards: u32) -> pb::EventSettings {
    let robin = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: false });
    let teams = pb::TeamSettings {
        boards,
        line_up: pb::LineUpLaw::DeclaredBoards.into(),
        reserves_max: 1,
        ..Default::default()
    };
    pb::EventSettings {
        format: Some(pb::EventFormat { format: Some(robin) }),
        teams: Some(teams),
        late_until_round: 0,
        ..settings(3, 4)
    }
}

/// What is played in a match.
fn script_of(it: &pb::TeamMatch) -> &'static Match {
    let teams = [it.first.min(it.second), it.first.max(it.second)];
    MATCHES.iter().find(|script| script.teams == teams).expect("the two meet")
}

/// Forms a team of members, whose captain is the first; who is more than so many is a substitute.
pub(super) async fn form(
    of: &Federation,
    (native, latin): (&str, &str),
    members: &[pb::Member],
    boards: usize,
) -> pb::Team {
    let part = |at| if at < boards { pb::TeamPart::Player } else { pb::TeamPart::Substitute };
    let part_of = |(at, it): (usize, &pb::Member)| pb::TeamMember {
        member_id: it.member_id.clone(),
        part: part(at).into(),
    };
    let team = pb::Team {
        federation_id: of.id.clone(),
        name: Some(name(native, latin)),
        captain_id: members[0].member_id.clone(),
        members: members.iter().enumerate().map(part_of).collect(),
        ..Default::default()
    };
    let request_id = of.founder.player.new_id();
    let request = pb::CreateTeamRequest { team: Some(team), request_id, validate_only: false };
    call!(federations(&of.founder.player), create_team, request).expect("a team").team.expect("it is told")
}

/// Enters a team by its captain, who is its first player; who is more than so many is a reserve.
pub(super) async fn enter_team(
    held: &mut Held,
    federation: &Federation,
    named: (&str, &str),
    players: Vec<Bot>,
    boards: usize,
) {
    let mut members = Vec::new();
    for (at, player) in players.iter().enumerate() {
        let latin = format!("{} {}", named.1, at + 1);
        members.push(federation.enrol(player, &format!("{}{}", named.0, at + 1), &latin).await);
    }
    let team_id = form(federation, named, &members, boards).await.team_id;
    let entered = change!(held, players[0], enter_team(EnterTeamRequest { team_id, supplement_version: 1 }));
    entered.expect("the team enters");
    let first = u32::try_from(held.players.len()).expect("few") + 1;
    held.players.extend((first..).zip(players));
}

/// The captain of a team: its first player.
fn captain(held: &Held, team: u32) -> &Bot {
    &held.players[&((team - 1) * 4 + 1)]
}

/// The matches of a round as somebody sees them.
pub(super) async fn matches_of(held: &Held, who: &Bot, round: u32) -> Vec<pb::TeamMatch> {
    let request = pb::ListTeamMatchesRequest { event_id: held.id.clone(), round, ..Default::default() };
    call!(events(who), list_team_matches, request).expect("matches").matches
}

async fn declare(held: &Held, team: u32, round: u32, players: [u32; BOARDS]) -> Result<pb::Event, Status> {
    let commitment = hash(round, team, &players).to_vec();
    change!(held, captain(held, team), declare_line_up(DeclareLineUpRequest { round, team, commitment }))
}

async fn hand_in(held: &Held, team: u32, round: u32, players: [u32; BOARDS]) -> Result<pb::Event, Status> {
    let (salt, players) = (salt(round, team).to_vec(), players.to_vec());
    change!(held, captain(held, team), reveal_line_up(RevealLineUpRequest { round, team, salt, players }))
}

/// Plays the boards of a match, whose seats are those of the script.
async fn play_match(held: &Held, it: &pb::TeamMatch, script: &Match) {
    let straight = it.first == script.teams[0];
    let pairings = held.round(it.round).await.pairings;
    assert_eq!(it.boards.len(), BOARDS);
    for (at, board) in it.boards.iter().enumerate() {
        let (one, other) = script.seats[at];
        let seats = if straight { (one, other) } else { (other, one) };
        assert_eq!((board.first, board.second), seats, "{script:?}: board {}", board.board);
        // The first team has the first colour on boards of odd numbers.
        assert_eq!(board.first_moves_first, board.board % 2 == 1, "{script:?}: board {}", board.board);
        let pairing = pairings.iter().find(|it| it.table == board.table).expect("it is a table of the round");
        held.begin(pairing).await;
        match script.first_gets[at] {
            2 => held.resign(pairing, other).await,
            1 => held.draw(pairing).await,
            _ => held.resign(pairing, one).await,
        }
    }
}

/// What a captain keeps to himself.
pub(super) fn salt(round: u32, team: u32) -> [u8; 32] {
    [u8::try_from(0x40 + 4 * round + team).expect("few of both"); 32]
}

/// What a line-up is declared by, as the protocol describes it.
pub(super) fn hash(round: u32, team: u32, players: &[u32]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(salt(round, team));
    for number in players {
        hash.update(number.to_le_bytes());
    }
    hash.finalize().into()
}

/// Both captains do what the script says, and nobody sees what is not public.
async fn line_ups(held: &Held, it: &pb::TeamMatch, script: &Match) {
    let [(one, first), (other, second)] = [0, 1].map(|at| (script.teams[at], script.declared[at]));
    for (team, declared) in [(one, first), (other, second)] {
        if let Declared::HandedIn(players) | Declared::Kept(players) = declared {
            declare(held, team, it.round, players).await.expect("declared");
        }
    }
    for (team, declared) in [(one, first), (other, second)] {
        let Declared::HandedIn(players) = declared else { continue };
        let mut turned = players;
        turned.reverse();
        let changed = hand_in(held, team, it.round, turned).await.expect_err("it is not what was declared");
        assert_eq!(reason(&changed), "BAD_LINE_UP");
        hand_in(held, team, it.round, players).await.expect("handed in");
        let own = team == one;
        let both_in = !own && matches!(first, Declared::HandedIn(_));
        nobody_else_sees(held, it, (team, players), both_in).await;
    }
    let kept = [(one, first), (other, second)].into_iter().filter(|it| matches!(it.1, Declared::Kept(_)));
    for (team, _) in kept {
        let seen = line_up_of(held, captain(held, team), it, team).await;
        assert_eq!((seen.state(), seen.players.len()), (pb::line_up::State::Declared, 0));
    }
}

async fn line_up_of(held: &Held, who: &Bot, it: &pb::TeamMatch, team: u32) -> pb::LineUp {
    let request = pb::GetTeamMatchRequest { event_id: held.id.clone(), round: it.round, r#match: it.r#match };
    let seen = call!(events(who), get_team_match, request).expect("a match").r#match.expect("it is told");
    let line_up = if seen.first == team { seen.first_line_up } else { seen.second_line_up };
    line_up.expect("it is told")
}

/// A line-up that was handed in is seen by its own captain alone until the other one is in, too; then by all. What the log
/// and the list of matches say of it meanwhile is that it was handed in.
async fn nobody_else_sees(
    held: &Held,
    it: &pb::TeamMatch,
    (team, players): (u32, [u32; BOARDS]),
    both_in: bool,
) {
    let other = if it.first == team { it.second } else { it.first };
    let own = line_up_of(held, captain(held, team), it, team).await;
    assert_eq!(own.players, players, "his own");
    for who in [captain(held, other), &held.chief.player, &held.committee, &held.arbiter.player] {
        let seen = line_up_of(held, who, it, team).await;
        let (state, told): (_, &[u32]) = if both_in {
            (pb::line_up::State::Public, &players)
        } else {
            (pb::line_up::State::HandedIn, &[])
        };
        assert_eq!((seen.state(), seen.players.as_slice()), (state, told), "round {}", it.round);
        let listed = matches_of(held, who, it.round).await;
        let listed = listed.iter().find(|of| of.r#match == it.r#match).expect("it is listed");
        let line_up = if listed.first == team { &listed.first_line_up } else { &listed.second_line_up };
        assert_eq!(line_up.as_ref().map(|it| it.players.as_slice()), Some(told));
        assert_eq!(revealed(held, who, it.round, team).await, both_in);
    }
}

/// Whether the log of the event, as somebody reads it, has what opens the line-up of a team for a round.
async fn revealed(held: &Held, who: &Bot, round: u32, team: u32) -> bool {
    let salt = salt(round, team);
    held.log(who).await.iter().any(|it| it.body.windows(salt.len()).any(|window| window == salt))
}

async fn assert_table(held: &Held) {
    let table = held.table(&[]).await;
    assert_eq!((table.round, table.delayed, table.lines.len()), (3, false, TABLE.len()));
    for (line, row) in table.lines.iter().zip(&TABLE) {
        assert_eq!(
            (line.place, line.number, line.points),
            (row.place, row.team, row.match_points),
            "{line:?}"
        );
        let by_name: BTreeMap<&str, (i64, i64)> =
            line.criteria.iter().map(|it| (it.name.as_str(), (it.numerator, it.denominator))).collect();
        assert_eq!(by_name.get("game_points"), Some(&(row.game_points, 1)), "{line:?}");
        let order: Vec<i64> = line.criteria.iter().map(|it| it.numerator).collect();
        assert!(order.ends_with(&row.boards), "boards decide last, board 1 first: {line:?}");
        assert!(!line.provisional);
    }
    let players: Vec<(u32, u32, i64)> = table
        .players
        .iter()
        .map(|line| {
            let games = line.criteria.iter().find(|it| it.name == "games").expect("they are counted");
            (line.number, line.points, games.numerator)
        })
        .collect();
    assert_eq!(players, PLAYERS);
}
