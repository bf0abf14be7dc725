//! Events of teams as files, and from files.

use exchange::{Format as FileFormat, PersonName, Tournament};

use super::{super::imported::log_of, *};
use crate::core::{
    event::team::Match,
    held::{held, order, played_by_teams, tournament},
    member::Person,
};

/// An event as a file has it: its people are called by their numbers.
fn written(event: &Event) -> Tournament {
    let people = event.participants.iter().map(|it| {
        let name = Name::parse(&format!("Player{}", it.number().0), "").expect("a name");
        (it.entrant.member, (Person { name, ..Person::default() }, String::new()))
    });
    let teams = event.teams.iter().map(|it| (it.entrant.team, format!("Team{}", it.number().0)));
    tournament(event, event.next_round() - 1, &people.collect(), &teams.collect())
}

/// The event of a file, whose people are those of another event by what they are called.
fn taken(file: &Tournament, of: &Event) -> Result<Event, Refusal> {
    let played = played_by_teams(file, None)?.expect("it has teams");
    let member = |name: &PersonName| {
        let called = name.shown();
        let found = of.participants.iter().find(|it| called == format!("Player{}", it.number().0));
        found.unwrap_or_else(|| panic!("nobody is called {called}")).entrant.member
    };
    let members: Vec<_> = file.players.iter().map(|it| member(&it.name)).collect();
    let teams: Vec<_> = of.teams.iter().map(|it| it.entrant.team).collect();
    let variant = of.settings.game.variant;
    let held = held(file, &members, (&teams, Some(&played)), variant)?;
    assert_eq!(order(file).len(), members.len());
    let own = of.settings.teams.expect("an event of teams");
    let settings = Settings {
        teams: Some(TeamSettings { line_up: played.law, boards: played.boards, ..own }),
        ..Settings::clone(&of.settings)
    };
    let log = log_of(held, settings)?;
    let id = Uuid::from_u128(9).into();
    let Verified { event, findings, .. } = verify(id, &log).expect("it makes sense");
    assert_eq!(findings, vec![]);
    Ok(Event::clone(&event))
}

/// The players of a board, and what came of it for each.
type Came = ([MemberId; 2], Option<[ResultCode; 2]>);

/// What came of the boards of every match, which is all that tables follow from.
fn matches(event: &Event) -> Vec<(u16, [Number; 2], Vec<Came>)> {
    let member = |number: Number| event.participant(number).expect("he entered").entrant.member;
    let boards = |it: &Match| {
        it.boards.iter().map(|board| (board.players.map(member), board.codes)).collect::<Vec<Came>>()
    };
    let rounds = event.rounds.iter().flat_map(|round| event.matches(round));
    let mut all: Vec<_> = rounds.map(|it| (it.round, it.teams, boards(&it))).collect();
    all.sort_by_key(|it| (it.0, it.1));
    all
}

/// Who wins is in no order of anything; some do not come.
fn outcome(table: u32, [one, other]: [Number; 2]) -> [ResultCode; 2] {
    match (table * 7 + one.0 * 5 + other.0 * 3) % 6 {
        0 => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
        1 => [ResultCode::DoubleForfeit; 2],
        2 => [ResultCode::Draw; 2],
        3 => [ResultCode::Loss, ResultCode::Win],
        _ => [ResultCode::Win, ResultCode::Loss],
    }
}

/// A Swiss and a round robin of teams, whose captains send others each time.
fn books() -> Vec<Book> {
    let mut books = Vec::new();
    for (format, teams) in [(Format::Swiss { rounds: 3 }, 5), (robin(Cycles::Single), 4)] {
        for law in [LineupLaw::FixedBoards, LineupLaw::DeclaredBoards] {
            let mut book = running(of_teams(format, 3, law), teams);
            while let Ok(round) = publish(&mut book) {
                let held =
                    if law == LineupLaw::DeclaredBoards { handed_in(&mut book, round) } else { Vec::new() };
                start(&mut book, round, &held);
                book.play(outcome);
            }
            assert_eq!(book.verified().findings, vec![]);
            books.push(book);
        }
    }
    books
}

/// Every team sends its members from another one on than in the round before.
fn handed_in(book: &mut Book, round: u16) -> Vec<(Number, Opening)> {
    let teams: Vec<(Number, Vec<Number>)> =
        book.event.teams.iter().map(|it| (it.number(), it.entrant.members().collect())).collect();
    let paired = book.event.round(round).expect("public").published.matches.clone();
    let mut held = Vec::new();
    for (team, members) in teams {
        if !paired.iter().any(|it| it.players.contains(&team)) {
            continue;
        }
        let from = usize::from(round) % members.len();
        let players: Vec<Number> = members.iter().cycle().skip(from).take(3).copied().collect();
        let (opening, hash) = sealed(1, &players);
        book.write(book.event.declare_line_up((round, team), hash, book.now).expect("declared"));
        book.write(book.event.hand_in((round, team), &opening, &held).expect("handed in"));
        held.push((team, opening));
    }
    held
}

#[test]
fn an_event_of_teams_is_written_and_taken_over_with_every_match() {
    for book in books() {
        let event = &book.event;
        for format in [FileFormat::Trf26, FileFormat::OpenGotha] {
            let file = written(event);
            let (bytes, _) = format.write(&file).expect("it is written");
            let (read, _) = format.read(&bytes).unwrap_or_else(|error| panic!("{format:?}: {error}"));
            let again = taken(&read, event).expect("it is taken over");
            assert_eq!(matches(&again), matches(event), "{format:?}");
            // OpenGotha has nothing of byes of teams, by which tables differ.
            let has_byes =
                format == FileFormat::OpenGotha && file.rounds.iter().any(|it| !it.team_byes.is_empty());
            for round in (1..event.next_round()).filter(|_| !has_byes) {
                assert_eq!(again.table(round).lines, event.table(round).lines, "{format:?} {round}");
                // OpenGotha has the members of a team in the order in which they first sat at a board.
                if format == FileFormat::Trf26 {
                    assert_eq!(again.table(round).players, event.table(round).players, "{round}");
                }
            }
        }
    }
}

#[test]
fn teams_that_are_the_sum_of_their_members_are_taken_over_as_such() {
    let mut book = running(of_teams(Format::Swiss { rounds: 3 }, 3, LineupLaw::SumOfMembers), 5);
    for _ in 1..=3 {
        book.begin_round().expect("paired");
        book.play(outcome);
    }
    let file = written(&book.event);
    let sum = Some(LineupLaw::SumOfMembers);
    let played = |said| played_by_teams(&file, said).map(|it| it.expect("it has teams"));
    let told = played(None).expect("it makes sense");
    assert_eq!((told.law, told.boards), (LineupLaw::SumOfMembers, 3));
    assert_eq!(played(sum), Ok(told));
    let meet = played(Some(LineupLaw::FixedBoards)).expect_err("they did not meet");
    assert!(matches!(&meet, Refusal::Held(why) if why.contains(": team ")), "{meet}");
    let again = taken(&file, &book.event).expect("it is taken over");
    for round in 1..=3 {
        assert_eq!(again.table(round).lines, book.event.table(round).lines);
    }
}

#[test]
fn a_board_without_a_game_is_given_to_who_would_have_sat_there() {
    let book = books().remove(0);
    let whole = written(&book.event);
    // The first board of the first match was not played: one side came, and the file says no more than that.
    let mut file = whole.clone();
    let game = file.rounds[0].games.remove(0);
    let code = ResultCode::ForfeitWin;
    file.rounds[0].byes.push(exchange::Bye { player: game.white, code });
    let again = taken(&file, &book.event).expect("it is taken over");
    let member = |number: Number| book.event.participant(number).expect("he entered").entrant.member;
    let of_it = |event: &Event| {
        let found = matches(event).into_iter().flat_map(|it| it.2);
        found.into_iter().find(|it| it.0.contains(&member(game.white))).expect("he has a board")
    };
    let (players, codes) = of_it(&again);
    assert!(players.contains(&member(game.black)), "nobody else of the team was free");
    let won = players.iter().position(|it| *it == member(game.white)).expect("he is there");
    assert_eq!(codes.expect("decided")[won], ResultCode::ForfeitWin);
    assert_eq!(codes.expect("decided")[1 - won], ResultCode::ForfeitLoss);
    // A match that was not played at all.
    let mut file = whole;
    let teams = file.team_of_players();
    let of = |player: &Number| teams.get(player).copied().unwrap_or_default();
    let first = file.rounds[0].games[0];
    let pair = [of(&first.white), of(&first.black)];
    file.rounds[0].games.retain(|it| !pair.contains(&of(&it.white)));
    let won = exchange::MatchForfeit::White;
    file.rounds[0].forfeited.push(exchange::ForfeitedMatch { white: pair[0], black: pair[1], won });
    let again = taken(&file, &book.event).expect("it is taken over");
    let found = again.rounds.iter().flat_map(|round| again.matches(round));
    let found = found.into_iter().find(|it| it.round == 1 && it.teams.contains(&Number(pair[0])));
    let found = found.expect("they met");
    let won = found.teams.iter().position(|it| it.0 == pair[0]).expect("it is there");
    assert_eq!(found.result().expect("decided")[won], ResultCode::ForfeitWin);
    assert!(found.boards.iter().all(|it| it.codes.expect("decided")[won] == ResultCode::ForfeitWin));
}

#[test]
fn what_is_no_event_of_teams_is_refused_by_name() {
    let book = books().remove(0);
    let whole = written(&book.event);
    let refused = |change: &dyn Fn(&mut Tournament)| {
        let mut file = whole.clone();
        change(&mut file);
        match taken(&file, &book.event) {
            Err(Refusal::Held(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let alone = refused(&|file| {
        file.teams[1].players.pop();
    });
    assert!(alone.starts_with("number 6 is in no team"), "{alone}");
    // One game with a third team, where the file says otherwise that teams met.
    let crossed = refused(&|file| {
        let [one, .., other] = &mut file.rounds[0].games[..] else { panic!("games") };
        std::mem::swap(&mut one.white, &mut other.white);
    });
    assert!(crossed.starts_with("round 1: team "), "{crossed}");
    let few = refused(&|file| file.header.white_boards.truncate(2));
    assert!(few.contains("have 3 games, and a match has 2 boards"), "{few}");
    let nobody = refused(&|file| file.header.white_boards.extend([true, false]));
    assert!(nobody.contains("is left for board 4"), "{nobody}");
}
