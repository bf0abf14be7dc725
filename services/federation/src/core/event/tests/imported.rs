//! Events that were held elsewhere.

use pairing::{Number, Reason, ResultCode};

use super::{super::imported::Origin, *};

fn origin() -> Origin {
    Origin {
        format: "trf26".to_owned(),
        file: [7; 32],
        days: [crate::core::day::parse("2026-05-01"), None],
        place: "Aba".to_owned(),
        statement: "I was its chief arbiter".to_owned(),
    }
}

/// What was held, as somebody else would have it in a file.
fn held(event: &Event) -> Held {
    let entrants = event.participants.iter().map(|it| Entrant { account: None, ..it.entrant.clone() });
    let round = |round: &Round| HeldRound {
        boards: round
            .laid()
            .map(|(_, board, state)| {
                let result = state.result.as_ref().expect("it is over");
                (board.clone(), result.codes, result.reason)
            })
            .collect(),
        out: round.published.out.clone(),
        meetings: Vec::new(),
    };
    let rounds = event.rounds.iter().map(round).collect();
    Held { entrants: entrants.collect(), rounds, teams: Vec::new() }
}

pub(super) fn log_of(held: Held, settings: Settings) -> Result<Vec<LogEntry>, Refusal> {
    let id: FederationId = Uuid::from_u128(1).into();
    let name = Name::parse("Spring", "").expect("a name");
    let facts = imported((id, name), settings, (account(1), origin()), held)?;
    let actor = Actor::Person { account: account(1), role: Role::Administrator, on_behalf_of: None };
    let entry = |(sequence, fact)| LogEntry {
        sequence,
        at: OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("in range"),
        actor,
        request: None,
        fact,
    };
    Ok((1..).zip(facts).map(entry).collect())
}

fn played(players: u32, rounds: u16) -> Book {
    let mut book = Book::open(settings("go", Format::Swiss { rounds }));
    book.open_registration();
    for number in 1..=players {
        book.enter(number).expect("entered");
    }
    book.begin_play();
    for _ in 0..rounds {
        book.begin_round().expect("paired");
        book.play(by_number);
    }
    book
}

#[test]
fn an_event_from_elsewhere_has_the_tables_of_ours() {
    for players in [7, 8] {
        let book = played(players, 4);
        let log = log_of(held(&book.event), Settings::clone(&book.event.settings)).expect("it is one");
        let id: EventId = Uuid::from_u128(9).into();
        let Verified { event, findings, .. } = verify(id, &log).expect("it makes sense");
        assert_eq!(findings, vec![]);
        assert_eq!(event.stage, Stage::Final);
        assert_eq!(event.origin.as_deref(), Some(&origin()));
        for round in 1..=4 {
            assert_eq!(event.table(round).lines, book.event.table(round).lines, "{players} {round}");
        }
        assert!(event.roles_of(account(1)).contains(&Role::Committee), "he can amend it");
    }
}

#[test]
fn who_is_in_no_round_was_away() {
    let mut held = held(&played(7, 2).event);
    held.rounds[1].out.clear();
    let log = log_of(held, settings("go", Format::Swiss { rounds: 2 })).expect("it is one");
    let event = Event::replay(Uuid::from_u128(9).into(), &log).expect("it makes sense");
    let out = &event.rounds[1].published.out;
    assert_eq!(out.iter().map(|it| it.1).collect::<Vec<_>>(), [ResultCode::ByeZero]);
}

#[test]
fn what_cannot_have_been_held_is_refused() {
    let good = || held(&played(6, 2).event);
    let refused = |held: Held, settings| match log_of(held, settings) {
        Err(Refusal::Held(why)) => why,
        other => panic!("{other:?}"),
    };
    let swiss = || settings("go", Format::Swiss { rounds: 2 });
    let mut twice = good();
    twice.rounds[0].out.push((Number(1), ResultCode::Pab));
    assert!(refused(twice, swiss()).contains("in it twice"));
    let mut stranger = good();
    stranger.rounds[1].out.push((Number(7), ResultCode::Pab));
    assert!(refused(stranger, swiss()).contains("there is no number 7"));
    let mut open = good();
    open.rounds[1].boards[2].1 = [ResultCode::Adjourned; 2];
    assert_eq!(refused(open, swiss()), "round 2, table 3: it has no result yet");
    let mut odd = good();
    odd.rounds[0].boards[0].1 = [ResultCode::Win; 2];
    assert!(refused(odd, swiss()).starts_with("round 1, table 1"));
    let mut none = good();
    none.rounds[0].boards[0].2 = Reason::NotPlayed;
    assert!(log_of(none, swiss()).is_ok(), "the reason never decides");
}

#[test]
fn where_an_event_comes_from_is_said_once_and_at_first() {
    let mut log =
        log_of(held(&played(6, 2).event), settings("go", Format::Swiss { rounds: 2 })).expect("one");
    let late = LogEntry { sequence: log.len() as u64 + 1, ..log[1].clone() };
    log.push(late);
    assert!(Event::replay(Uuid::from_u128(9).into(), &log).is_err());
}
