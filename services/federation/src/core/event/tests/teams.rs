//! Events of teams, from their entry to their last table.

mod arenas;
mod captains;
mod elsewhere;
mod rosters;

use std::collections::BTreeMap;

use pairing::{
    Number, ResultCode, Status,
    lineup::{LineupError, LineupLaw, commitment},
    standings::Cycles,
};
use proptest::prelude::*;

use super::*;
use crate::core::event::team::DECLARED_MAX;

pub(crate) fn of_teams(format: Format, boards: u32, line_up: LineupLaw) -> Settings {
    let changes = matches!(line_up, LineupLaw::FixedBoardsSubs | LineupLaw::DeclaredBoards);
    let teams = TeamSettings {
        boards,
        line_up,
        reserves_max: if changes && format != Format::Arena { 2 } else { 0 },
        lock: std::time::Duration::ZERO,
        best: 0,
        roster: None,
    };
    let max = if format == Format::Arena { 2 } else { 10 };
    let entries = EntrySettings { max, until: None, late_until_round: 3 };
    Settings { teams: Some(teams), entries, ..settings("go", format) }
}

/// A player who is to enter with a team.
fn player(number: u32) -> Entrant {
    Entrant {
        number: Number(0),
        member: member(number),
        account: Some(account(number)),
        affiliations: Vec::new(),
        rating: None,
        grade: None,
        accepts: 1,
        from_round: 0,
    }
}

/// A team of its number, whose players have numbers that begin with it, and whose captain is its hundredth account.
fn team(number: u32, event: &Event) -> NewTeam {
    let settings = event.settings.teams.expect("an event of teams");
    let players = |range: core::ops::Range<u32>| range.map(|it| player(number * 100 + it)).collect();
    NewTeam {
        team: Uuid::from_u128(number.into()).into(),
        captain: account(number * 100),
        players: players(0..settings.boards),
        reserves: players(settings.boards..settings.boards + settings.reserves_max),
        affiliations: Vec::new(),
        accepts: event.version,
    }
}

pub(super) fn running(settings: Settings, teams: u32) -> Book {
    let mut book = Book::open(settings);
    book.open_registration();
    for number in 1..=teams {
        let facts = book.event.enter_team(&team(number, &book.event), book.now).expect("it can enter");
        book.write(facts);
    }
    book.begin_play();
    book
}

/// Publishes the next round.
fn publish(book: &mut Book) -> Result<u16, Unpaired> {
    let draft = book.plan()?;
    let round = draft.round;
    book.write(book.event.publish_round(draft.clone(), &draft).expect("it was just paired"));
    Ok(round)
}

fn start(book: &mut Book, round: u16, held: &[(Number, Opening)]) {
    book.write(book.event.start_round_of_teams(round, held).expect("it starts"));
}

fn played_out(mut book: Book, outcome: impl Fn(u32, [Number; 2]) -> [ResultCode; 2] + Copy) -> Book {
    loop {
        match publish(&mut book) {
            Ok(round) => start(&mut book, round, &[]),
            Err(Unpaired::NoMoreRounds) => break,
            Err(error) => panic!("{error}"),
        }
        book.play(outcome);
    }
    assert_eq!(book.verified().findings, vec![]);
    book
}

fn robin(cycles: Cycles) -> Format {
    Format::RoundRobin { cycles }
}

#[test]
fn in_a_team_round_robin_all_teams_meet_board_by_board() {
    for teams in 2..=6 {
        let settings = of_teams(robin(Cycles::Single), 3, LineupLaw::FixedBoards);
        let book = played_out(running(settings, teams), by_number);
        let rounds = if teams % 2 == 0 { teams - 1 } else { teams };
        assert_eq!(book.event.rounds.len(), rounds as usize);
        let mut met = BTreeMap::new();
        for round in &book.event.rounds {
            for of in book.event.matches(round) {
                *met.entry(of.teams.iter().max().copied()).or_insert(0) += 1;
                let board = |at: usize, number: Number| {
                    let team = of.teams[at];
                    book.event.team(team).expect("a team").entrant.players.iter().position(|it| *it == number)
                };
                for (at, it) in of.boards.iter().enumerate() {
                    assert_eq!([board(0, it.players[0]), board(1, it.players[1])], [Some(at); 2]);
                    assert_eq!(it.first_moves_first, at % 2 == 0, "colours alternate by board");
                }
                assert_eq!(
                    of.result().map(|it| it[0]),
                    Some(if of.teams[0] < of.teams[1] { ResultCode::Win } else { ResultCode::Loss })
                );
            }
        }
        assert_eq!(met.values().sum::<u32>(), teams * (teams - 1) / 2);
        let places: Vec<(u32, u32)> = (1..=teams).map(|place| (place, place)).collect();
        assert_eq!(book.places(), places, "the lower number wins");
        let table = book.event.table(book.event.next_round() - 1);
        assert_eq!(table.lines[0].points, 2 * (teams - 1));
        let names: Vec<&str> = table.lines[0].criteria.iter().map(|it| it.name).collect();
        assert_eq!(names, ["points", "game_points", "board", "board", "board"], "28.2.1");
        assert_eq!(table.players.len(), 3 * teams as usize);
        assert_eq!(table.players[0].points, 2 * (teams - 1));
    }
}

#[test]
fn a_team_of_the_wrong_size_or_with_somebody_twice_is_refused() {
    let mut book = Book::open(of_teams(robin(Cycles::Single), 3, LineupLaw::FixedBoardsSubs));
    book.open_registration();
    let sound = team(1, &book.event);
    let enter = |book: &Book, new: &NewTeam| book.event.enter_team(new, book.now);
    let mut few = sound.clone();
    few.players.pop();
    assert_eq!(enter(&book, &few), Err(LineupError::Boards { boards: 3 }.into()));
    let mut many = sound.clone();
    many.reserves.push(player(999));
    assert_eq!(enter(&book, &many), Err(LineupError::Reserves.into()));
    let mut twice = sound.clone();
    twice.reserves[0] = twice.players[0].clone();
    assert_eq!(enter(&book, &twice), Err(LineupError::Twice(Number(4)).into()));
    assert_eq!(book.enter(7), Err(Refusal::OfTeams), "players come with their teams");
    book.write(enter(&book, &sound).expect("it can enter"));
    assert_eq!(enter(&book, &sound), Err(Refusal::Entered(Number(1))));
    let mut poached = team(2, &book.event);
    poached.players[1] = sound.players[1].clone();
    assert_eq!(enter(&book, &poached), Err(Refusal::Entered(Number(2))));
    let mut old = team(2, &book.event);
    old.accepts = 9;
    assert_eq!(enter(&book, &old), Err(Refusal::OldSupplement(1)));
    let alone = Book::open(settings("go", robin(Cycles::Single)));
    assert_eq!(enter(&alone, &sound), Err(Refusal::OfTeams), "an event of players has no teams");
    // What teams are is settled once one has entered, and a new supplement is accepted by captains for all of theirs.
    let mut other = Settings::clone(&book.event.settings);
    other.teams.as_mut().expect("teams").boards = 2;
    let refused = book.event.change_settings(other, String::new(), book.now);
    assert_eq!(refused, Err(Refusal::Settled("what teams are", Stage::Registration)));
    let other = Settings { watch_while_playing: true, ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(other, "asked for".to_owned(), book.now).expect("changed"));
    assert!(book.event.missing(Stage::Running, book.now).contains(&Missing::Acceptance));
    book.write(book.event.accept_of_team(Number(1), 2).expect("accepted"));
    assert!(!book.event.missing(Stage::Running, book.now).contains(&Missing::Acceptance));
    assert_eq!(book.event.roles_of(account(100)), [Role::Player, Role::Captain].into());
}

/// What opens this line-up, and its hash.
fn sealed(salt: u8, players: &[Number]) -> (Opening, [u8; 32]) {
    let opening = Opening { salt: [salt; 32], players: players.to_vec() };
    let hash = commitment(&opening.salt, &opening.players);
    (opening, hash)
}

#[test]
fn a_line_up_is_public_once_both_are_in() {
    let mut book = running(of_teams(robin(Cycles::Single), 3, LineupLaw::DeclaredBoards), 2);
    let round = publish(&mut book).expect("paired");
    let (one, two) = (Number(1), Number(2));
    let (ours, our_hash) = sealed(1, &[5, 1, 3].map(Number));
    let (theirs, their_hash) = sealed(2, &[8, 6, 7].map(Number));
    let declare = |book: &Book, team, hash| book.event.declare_line_up((round, team), hash, book.now);
    assert_eq!(book.event.hand_in((round, one), &ours, &[]), Err(LineupError::Opened.into()), "not declared");
    book.write(declare(&book, one, [9; 32]).expect("declared"));
    book.write(declare(&book, one, our_hash).expect("and anew"));
    assert_eq!(declare(&book, one, our_hash), Ok(Vec::new()), "known");
    assert_eq!(declare(&book, Number(3), our_hash), Err(Refusal::UnknownNumber(Number(3))));
    assert_eq!(book.event.hand_in((round, one), &theirs, &[]), Err(LineupError::Opened.into()));
    for (wrong, why) in
        [([5, 1, 5], LineupError::Twice(Number(5))), ([5, 1, 6], LineupError::Stranger(Number(6)))]
    {
        let (opening, hash) = sealed(3, &wrong.map(Number));
        let mut other = book.clone();
        other.write(declare(&other, one, hash).expect("nobody knows yet"));
        assert_eq!(other.event.hand_in((round, one), &opening, &[]), Err(why.into()));
    }
    book.write(book.event.hand_in((round, one), &ours, &[]).expect("handed in"));
    assert_eq!(book.event.round(round).expect("a round").line_ups[&one].revealed, None, "not yet");
    assert_eq!(declare(&book, one, [8; 32]), Err(Refusal::LineUpClosed), "handed in is handed in");
    assert_eq!(book.event.awaited_openings(round), [one]);
    book.write(declare(&book, two, their_hash).expect("declared"));
    let facts = book.event.hand_in((round, two), &theirs, &[(one, ours.clone())]).expect("both are in");
    assert_eq!(facts.len(), 3, "one is handed in, and both become public: {facts:?}");
    book.write(facts);
    assert_eq!(book.event.awaited_openings(round), []);
    start(&mut book, round, &[]);
    assert_eq!(declare(&book, two, [8; 32]), Err(Refusal::LineUpClosed), "the round has begun");
    let of = &book.event.matches(&book.event.rounds[0])[0];
    let seats: Vec<[Number; 2]> = of.boards.iter().map(|it| it.players).collect();
    let mut expected: Vec<[Number; 2]> =
        ours.players.iter().zip(&theirs.players).map(|(a, b)| [*a, *b]).collect();
    if of.teams[0] == two {
        for pair in &mut expected {
            pair.reverse();
        }
    }
    assert_eq!(seats, expected);
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
    // A line-up that is not what was declared is found, and so are boards that are not those of the line-ups.
    let mut log = book.log.clone();
    for entry in &mut log {
        if let Fact::Team(TeamFact::Revealed { team, opening, .. }) = &mut entry.fact
            && *team == one
        {
            opening.players.swap(0, 1);
        }
    }
    let found = verify::verify(book.id, &log).expect("it can be read").findings;
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn what_was_not_handed_in_when_the_round_begins_does_not_hold() {
    let mut book = running(of_teams(robin(Cycles::Single), 3, LineupLaw::DeclaredBoards), 2);
    let round = publish(&mut book).expect("paired");
    let (one, two) = (Number(1), Number(2));
    let (ours, our_hash) = sealed(1, &[5, 1, 3].map(Number));
    let (_, their_hash) = sealed(2, &[8, 6, 7].map(Number));
    book.write(book.event.declare_line_up((round, one), our_hash, book.now).expect("declared"));
    book.write(book.event.declare_line_up((round, two), their_hash, book.now).expect("declared"));
    book.write(book.event.hand_in((round, one), &ours, &[]).expect("handed in"));
    // Number 6 has left: a reserve moves in behind.
    book.change(6, Status::Withdrawn { after_round: 0 }).expect_err("the round is published");
    book.change(6, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    start(&mut book, round, &[(one, ours.clone())]);
    let public = &book.event.rounds[0].line_ups;
    assert_eq!(public[&one].revealed, Some(ours.players));
    assert_eq!(public[&two].revealed, None);
    let of = &book.event.matches(&book.event.rounds[0])[0];
    let side = usize::from(of.teams[1] == two);
    let seats: Vec<u32> = of.boards.iter().map(|it| it.players[side].0).collect();
    assert_eq!(seats, [7, 8, 9], "the order of the team without him");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn reserves_come_in_and_all_keep_their_order() {
    let mut book = running(of_teams(robin(Cycles::Double), 3, LineupLaw::FixedBoardsSubs), 2);
    let round = publish(&mut book).expect("paired");
    let hand_in = |book: &mut Book, round, players: [u32; 3]| {
        let (opening, hash) = sealed(7, &players.map(Number));
        book.write(book.event.declare_line_up((round, Number(1)), hash, book.now).expect("declared"));
        let facts = book.event.hand_in((round, Number(1)), &opening, &[])?;
        book.write(facts);
        start(book, round, &[(Number(1), opening)]);
        Ok::<(), Refusal>(())
    };
    assert_eq!(hand_in(&mut book, round, [4, 1, 2]), Err(LineupError::Order(Number(1)).into()));
    assert_eq!(hand_in(&mut book, round, [1, 3, 4]), Ok(()));
    book.play(by_number);
    // Who has left is replaced without a word, and a whole team that has left loses every board.
    book.change(8, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    let round = publish(&mut book).expect("paired");
    start(&mut book, round, &[]);
    let of = &book.event.matches(&book.event.rounds[1])[0];
    let side = usize::from(of.teams[1] == Number(2));
    assert_eq!(of.boards.iter().map(|it| it.players[side].0).collect::<Vec<_>>(), [6, 7, 9]);
    assert_eq!(book.event.matches(&book.event.rounds[0])[0].boards[1].players.iter().min(), Some(&Number(3)));
    let leave =
        TeamStatusChange { team: Number(2), status: Status::Withdrawn { after_round: 2 }, reason: None };
    book.write(book.event.change_team_status(leave).expect("it leaves"));
    let of = &book.event.matches(&book.event.rounds[1])[0];
    assert_eq!(of.result().map(|it| it[1 - side]), Some(ResultCode::ForfeitWin));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn boards_that_are_fixed_are_not_declared() {
    for law in [LineupLaw::FixedBoards, LineupLaw::WholeTeam] {
        let mut book = running(of_teams(robin(Cycles::Single), 2, law), 2);
        let round = publish(&mut book).expect("paired");
        let declared = book.event.declare_line_up((round, Number(1)), [0; 32], book.now);
        assert_eq!(declared, Err(LineupError::NotFixed { board: 1 }.into()));
        // Somebody who has left loses his boards, and the others go on (29.4).
        book.change(1, Status::Withdrawn { after_round: 1 }).expect("he leaves");
        start(&mut book, round, &[]);
        book.play(by_number);
        assert_eq!(book.verified().findings, vec![]);
    }
}

#[test]
fn a_team_declares_line_ups_only_so_often() {
    let mut book = running(of_teams(robin(Cycles::Single), 2, LineupLaw::DeclaredBoards), 2);
    let round = publish(&mut book).expect("paired");
    let hash = |time: u32| [u8::try_from(time).expect("few"); 32];
    for time in 1..=DECLARED_MAX {
        let facts = book.event.declare_line_up((round, Number(1)), hash(time), book.now);
        book.write(facts.expect("declared"));
    }
    let declare = |team, hash| book.event.declare_line_up((round, Number(team)), hash, book.now);
    assert_eq!(declare(1, hash(0)), Err(Refusal::AskedTooOften(DECLARED_MAX)));
    assert_eq!(declare(1, hash(DECLARED_MAX)), Ok(Vec::new()), "known");
    assert!(declare(2, hash(0)).is_ok(), "the other team has not declared yet");
}

#[test]
fn line_ups_are_closed_when_the_settings_say() {
    let mut settings = of_teams(robin(Cycles::Single), 2, LineupLaw::DeclaredBoards);
    settings.teams.as_mut().expect("teams").lock = std::time::Duration::from_mins(30);
    let start = Book::open(settings.clone()).now + Duration::hours(5);
    settings.schedule.rounds = vec![start];
    let mut book = running(settings, 2);
    let round = publish(&mut book).expect("paired");
    let declare = |now| book.event.declare_line_up((round, Number(1)), [1; 32], now);
    assert!(declare(start - Duration::minutes(31)).is_ok());
    assert_eq!(declare(start - Duration::minutes(30)), Err(Refusal::LineUpClosed));
}

#[test]
fn a_whole_team_meets_the_whole_other_team() {
    let settings = of_teams(robin(Cycles::Single), 3, LineupLaw::WholeTeam);
    let book = played_out(running(settings, 3), by_number);
    assert_eq!(book.event.rounds.len(), 9, "three matches of three rounds");
    let mut met = BTreeMap::new();
    for (_, board, _) in book.event.all_boards() {
        let mut pair = board.players;
        pair.sort_unstable();
        *met.entry(pair).or_insert(0) += 1;
    }
    assert_eq!(met.len(), 27, "each of nine players has met the six of the other teams");
    assert!(met.values().all(|times| *times == 1));
    let table = book.event.table(9);
    let points: Vec<(u32, i128)> =
        table.lines.iter().map(|line| (line.points, *line.criteria[1].value.numer())).collect();
    assert_eq!(points, [(4, 36), (2, 18), (0, 0)], "match points, and game points of all games");
    assert_eq!(*table.lines[0].criteria[2].value.numer(), 12, "board 1 has won six games");
    let half = book.event.table(8);
    assert!(half.lines.iter().any(|line| line.provisional), "a match that goes on");
}

#[test]
fn a_team_can_be_the_sum_of_its_members() {
    let mut settings = of_teams(Format::Swiss { rounds: 3 }, 3, LineupLaw::SumOfMembers);
    settings.teams.as_mut().expect("teams").best = 2;
    let mut book = running(settings, 3);
    for round in 0..3 {
        book.begin_round().expect("players are paired");
        book.play(by_number);
        if round == 1 {
            let status = Status::Withdrawn { after_round: 2 };
            let leave = TeamStatusChange { team: Number(3), status, reason: None };
            book.write(book.event.change_team_status(leave).expect("it leaves, and its members with it"));
        }
    }
    assert_eq!(book.event.rounds[2].published.boards.len(), 3, "the other six");
    assert!(book.event.rounds.iter().all(|round| round.published.matches.is_empty()));
    let table = book.event.table(3);
    assert_eq!((table.lines.len(), table.players.len()), (3, 9));
    let points =
        |number: &Number| table.players.iter().find(|line| line.number == *number).map_or(0, |it| it.points);
    for line in &table.lines {
        let team = book.event.team(line.number).expect("a team");
        let mut own: Vec<u32> = team.entrant.players.iter().map(points).collect();
        own.sort_unstable();
        assert_eq!(line.points, own[1] + own[2], "the best two");
    }
    assert!(table.players[0].place.is_some());
    assert_eq!(book.verified().findings, vec![]);
}

fn results(pick: u8) -> [ResultCode; 2] {
    match pick % 6 {
        0 | 1 => [ResultCode::Win, ResultCode::Loss],
        2 | 3 => [ResultCode::Loss, ResultCode::Win],
        4 => [ResultCode::Draw; 2],
        _ => [ResultCode::DoubleForfeit; 2],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever teams do: the log alone tells the same event, whoever works it out anew finds nothing wrong, and game points
    /// of the table are those of the boards.
    #[test]
    fn an_event_of_teams_is_its_log(
        teams in 2u32..9,
        boards in 1u32..4,
        law in 0usize..4,
        swiss: bool,
        leaves in prop::collection::vec((0u32..40, 0u8..8), 4),
        line_ups: [u8; 16],
        outcomes: [u8; 16],
    ) {
        let law = LineupLaw::ALL[law];
        let swiss = swiss && law != LineupLaw::WholeTeam;
        let format = if swiss { Format::Swiss { rounds: 3 } } else { robin(Cycles::Single) };
        let mut book = running(of_teams(format, boards, law), teams);
        for number in 0..3u16 {
            let round = match publish(&mut book) {
                Ok(round) => round,
                Err(Unpaired::Pairing(_) | Unpaired::NoMoreRounds | Unpaired::TooFew) => break,
                Err(error) => panic!("{error}"),
            };
            let held = declare_by_chance(&mut book, round, &line_ups);
            let (who, what) = leaves[usize::from(number)];
            leave_by_chance(&mut book, who, what);
            start(&mut book, round, &held);
            book.play(|table, _| results(outcomes[(usize::from(number) * 5 + table as usize) % 16]));
            prop_assert!(book.event.rounds.last().is_some_and(Round::is_complete));
        }
        let verified = book.verified();
        prop_assert_eq!(verified.findings, vec![]);
        let rounds = book.event.next_round() - 1;
        let table = book.event.table(rounds);
        prop_assert!(table.lines.len() <= teams as usize);
        prop_assert_eq!(table.players.len(), book.event.participants.len());
        for round in &book.event.rounds {
            for of in book.event.matches(round) {
                prop_assert_eq!(of.boards.len(), boards as usize);
                for board in &of.boards {
                    let teams = board.players.map(|it| book.event.participant(it).and_then(|it| it.team));
                    prop_assert_eq!(teams, of.teams.map(Some));
                }
            }
        }
    }
}

/// Some captains declare, and some of them hand in.
fn declare_by_chance(book: &mut Book, round: u16, picks: &[u8; 16]) -> Vec<(Number, Opening)> {
    let meetings = book.event.round(round).expect("a round").published.matches.clone();
    let mut held = Vec::new();
    for team in meetings.into_iter().flat_map(|meeting| meeting.players) {
        let pick = picks[team.0 as usize % 16];
        let entered = book.event.team(team).expect("a team").entrant.clone();
        let mut players: Vec<Number> = entered.members().collect();
        if book.event.settings.teams.expect("teams").line_up == LineupLaw::DeclaredBoards {
            let by = pick as usize % players.len();
            players.rotate_left(by);
        }
        players.truncate(entered.players.len());
        let (opening, hash) = sealed(pick, &players);
        let Ok(declared) = book.event.declare_line_up((round, team), hash, book.now) else { continue };
        if pick.is_multiple_of(4) {
            continue;
        }
        book.write(declared);
        if pick % 4 > 1 {
            book.write(book.event.hand_in((round, team), &opening, &held).expect("handed in"));
            held.push((team, opening));
        }
    }
    held
}

/// Somebody leaves, or a whole team; what cannot be is refused.
fn leave_by_chance(book: &mut Book, who: u32, what: u8) {
    let after_round = book.event.next_round() - 1;
    match what {
        0 | 1 => drop(book.change(who, Status::Withdrawn { after_round })),
        2 => {
            let status = Status::Withdrawn { after_round };
            let change = TeamStatusChange { team: Number(who % 9), status, reason: None };
            if let Ok(facts) = book.event.change_team_status(change) {
                book.write(facts);
            }
        }
        _ => {}
    }
}

/// Art. 28.2.2 on matches, with the colours of first boards given by need and nobody met twice.
#[test]
fn in_a_team_swiss_teams_are_paired_by_their_matches() {
    for teams in [4, 7, 8] {
        let settings = of_teams(Format::Swiss { rounds: 3 }, 3, LineupLaw::FixedBoards);
        let book = played_out(running(settings, teams), by_number);
        let mut met = std::collections::BTreeSet::new();
        let mut firsts: BTreeMap<Number, i32> = BTreeMap::new();
        for round in &book.event.rounds {
            assert_eq!(round.published.out.len(), (teams % 2) as usize);
            for of in book.event.matches(round) {
                let mut pair = of.teams;
                pair.sort_unstable();
                assert!(met.insert(pair), "{teams} teams: {pair:?} met twice");
                *firsts.entry(of.teams[0]).or_default() += 1;
                *firsts.entry(of.teams[1]).or_default() -= 1;
            }
        }
        assert!(firsts.values().all(|difference| difference.abs() <= 2), "{firsts:?}");
        let table = book.event.table(3);
        assert_eq!(book.places()[0], (1, 1), "{teams} teams");
        let names: Vec<&str> = table.lines[0].criteria.iter().map(|it| it.name).collect();
        assert_eq!(names, ["total", "stayed", "points", "game_points", "board", "board", "board"]);
        // A team's bye gives its boards a game point each (1.11, 10).
        let all: i128 = table.lines.iter().map(|line| *line.criteria[3].value.numer()).sum();
        let (matches, byes) = (i128::from(teams / 2) * 3, i128::from(teams % 2) * 3);
        assert_eq!(all, matches * 6 + byes * 3, "{teams} teams");
    }
}

#[test]
fn a_team_that_leaves_in_a_match_that_goes_on_loses_the_rest_of_it() {
    let settings = of_teams(robin(Cycles::Single), 2, LineupLaw::WholeTeam);
    let mut book = running(settings, 2);
    let round = publish(&mut book).expect("paired");
    start(&mut book, round, &[]);
    book.play(|_, _| [ResultCode::Draw; 2]);
    let status = Status::Withdrawn { after_round: 1 };
    let leave = TeamStatusChange { team: Number(1), status, reason: None };
    book.write(book.event.change_team_status(leave).expect("it leaves"));
    let mut draft = book.plan().expect("the match goes on");
    edit(&mut draft, &[PairingEdit::Turn(1)], "asked for").expect("turned");
    let refused = book.event.publish_round(draft, &book.plan().expect("paired"));
    assert!(matches!(refused, Err(Refusal::Pairing(_))), "{refused:?}");
    let book = played_out(book, by_number);
    let table = book.event.table(2);
    let points: Vec<(u32, Option<u32>, u32)> =
        table.lines.iter().map(|line| (line.number.0, line.place, line.points)).collect();
    assert_eq!(points, [(2, Some(1), 2), (1, Some(2), 0)], "{:?}", table.lines);
}

#[test]
fn nobody_decides_on_boards_of_his_own_team() {
    let settings = of_teams(robin(Cycles::Single), 2, LineupLaw::FixedBoards);
    let mut book = running(settings, 2);
    let round = publish(&mut book).expect("paired");
    assert!(book.event.start_round(round).is_err(), "its boards are laid first");
    start(&mut book, round, &[]);
    let board = BoardId { round, table: 2 };
    let result = BoardResult::decided([ResultCode::Win, ResultCode::Loss], Reason::Arbiter);
    let decided = |who| book.event.enter_result(board, result.clone(), &official(who), true);
    assert_eq!(decided(100), Err(Refusal::OwnGame), "the captain, who plays at another board");
    assert!(decided(1000).is_ok());
}

/// A round that begins by itself opens line-ups and lays boards as one that is started by hand.
#[test]
fn a_round_of_teams_begins_by_itself_at_its_time() {
    let mut settings = of_teams(robin(Cycles::Single), 2, LineupLaw::DeclaredBoards);
    let at = Book::open(settings.clone()).now + Duration::hours(5);
    settings.schedule = Schedule { starts: Starts::BySchedule, rounds: vec![at], ..settings.schedule };
    let mut book = running(settings, 2);
    let round = publish(&mut book).expect("paired");
    let (ours, hash) = sealed(1, &[2, 1].map(Number));
    book.write(book.event.declare_line_up((round, Number(1)), hash, book.now).expect("declared"));
    book.write(book.event.hand_in((round, Number(1)), &ours, &[]).expect("handed in"));
    let held = [(Number(1), ours)];
    assert_eq!(book.event.due(), Some(at));
    assert_eq!(book.event.act_due(at - Duration::SECOND, &held), []);
    book.now = at;
    book.write(book.event.act_due(at, &held));
    let open = book.event.round(round).expect("a round");
    assert_eq!((open.started.is_some(), open.boards.len()), (true, 2));
    assert_eq!(open.line_ups[&Number(1)].revealed.as_deref(), Some(&[2, 1].map(Number)[..]));
    assert_eq!(book.event.due(), None);
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
}
