//! Boards that are played when their players have agreed on a time.

mod properties;
mod teams;

use pairing::{Number, ResultCode, Status};

use super::*;
use crate::core::event::{
    arranging::{Arrangement, TIMES_MAX, WINDOW_MAX},
    fact::TimingFact,
    schedule::ASKS_MAX,
};

pub(super) const BOARD: BoardId = BoardId { round: 1, table: 1 };
pub(super) const DAY: Duration = Duration::DAY;

const fn days(days: u64) -> std::time::Duration {
    std::time::Duration::from_hours(days * 24)
}

/// Two weeks for each round, a day ahead, two days for an answer.
pub(super) fn arranging(otherwise: Otherwise) -> Arranging {
    Arranging {
        window: days(14),
        lead: days(1),
        answer_within: days(2),
        times_max: 3,
        reminders: vec![days(5), days(1)],
        overlaps: false,
        by_match: false,
        otherwise,
    }
}

pub(super) const EFFORT: Otherwise = Otherwise::Effort { times: 2, void: false };

pub(super) fn arranged(format: Format, otherwise: Otherwise) -> Settings {
    Settings { arranging: Some(arranging(otherwise)), ..settings("go", format) }
}

/// An event of four whose first round has begun, and the two of its first board.
fn begun(settings: Settings) -> (Book, [Number; 2]) {
    let mut book = Book::running(settings, 4);
    book.begin_round().expect("paired");
    let players = book.event.rounds[0].published.boards[0].players;
    (book, players)
}

fn swiss(otherwise: Otherwise) -> (Book, [Number; 2]) {
    begun(arranged(Format::Swiss { rounds: 3 }, otherwise))
}

pub(super) fn state(book: &Book, board: BoardId) -> &BoardState {
    book.event.find_board(board).expect("a board").2
}

fn arrangement(book: &Book) -> &Arrangement {
    state(book, BOARD).arrangement.as_deref().expect("it is arranged")
}

fn propose(book: &Book, side: Number, times: &[OffsetDateTime]) -> Result<Vec<Fact>, Refusal> {
    book.event.propose_game(BOARD, side, times.to_vec(), book.now)
}

fn codes(book: &Book, board: BoardId) -> Option<[ResultCode; 2]> {
    state(book, board).result.as_ref().map(|result| result.codes)
}

/// What one side proposes again and again, and nobody answers.
fn proposes_in_vain(book: &mut Book, side: Number, times: usize) {
    for _ in 0..times {
        let at = book.now + DAY * 4;
        book.write(propose(book, side, &[at]).expect("proposed"));
        book.pass_to(book.now + DAY * 2);
    }
}

#[test]
fn a_board_has_its_game_when_the_time_comes_on_which_both_agree() {
    let (mut book, [one, other]) = swiss(EFFORT);
    assert!(state(&book, BOARD).is_to_be_arranged() && !book.event.plays_now(account(one.0)));
    let times = [2, 3, 4].map(|day| book.now + DAY * day);
    book.write(propose(&book, one, &[times[2], times[0], times[1]]).expect("three times"));
    assert_eq!(arrangement(&book).proposals[&one].times, times, "in their order");
    assert_eq!(propose(&book, one, &times), Ok(vec![]), "the same again changes nothing");
    let accept = |book: &Book, side, at| book.event.accept_proposal(BOARD, side, at, book.now);
    let none = Err(Unarrangeable::NoProposal.into());
    assert_eq!(accept(&book, one, times[1]), none, "nobody accepts what he has proposed himself");
    assert_eq!(accept(&book, other, book.now + DAY * 9), none, "nobody proposes that");
    book.write(accept(&book, other, times[1]).expect("accepted"));
    assert_eq!(state(&book, BOARD).postponed, Some(times[1]));
    assert!(arrangement(&book).proposals.is_empty() && codes(&book, BOARD).is_some());

    // Both move it once more, and it stays where it is until both have.
    book.write(propose(&book, other, &[times[2]]).expect("another time"));
    assert_eq!(state(&book, BOARD).postponed, Some(times[1]));
    book.write(accept(&book, one, times[2]).expect("accepted"));
    book.pass_to(times[1]);
    assert_eq!(state(&book, BOARD).started, None);
    book.pass_to(times[2]);
    assert_eq!(state(&book, BOARD).started, Some(times[2]));
    assert!(book.event.plays_now(account(one.0)) && !state(&book, BOARD).is_to_be_arranged());
    book.report(BOARD, [ResultCode::Win, ResultCode::Loss], 9);
    assert_eq!(book.verified().findings, vec![]);
}

/// A change that nobody has answered when the board begins is not answered any more.
#[test]
fn what_is_proposed_besides_ends_with_the_beginning() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let at = book.now + DAY * 2;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    book.write(book.event.accept_proposal(BOARD, other, at, book.now).expect("accepted"));
    book.write(propose(&book, one, &[at + DAY]).expect("a day later"));
    book.pass_to(at + DAY * 3);
    assert!(state(&book, BOARD).started.is_some());
    let lapsed = |entry: &LogEntry| {
        matches!(entry.fact, Fact::Arranging(ArrangingFact::Answered { answer: ProposalAnswer::Lapsed, .. }))
    };
    assert!(!book.log.iter().any(lapsed));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn what_cannot_be_agreed_on_is_refused_with_its_reason() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let now = book.now;
    let closes = arrangement(&book).closes;
    let refused = |book: &Book, side: Number, times: &[OffsetDateTime]| match propose(book, side, times) {
        Err(Refusal::Arranging(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&book, one, &[now]), Unarrangeable::Past);
    let soon = now + DAY - Duration::SECOND;
    assert_eq!(refused(&book, one, &[soon, now + DAY * 2]), Unarrangeable::TooSoon(days(1)));
    assert_eq!(refused(&book, one, &[closes + Duration::SECOND]), Unarrangeable::Outside(closes));
    let four = [2, 3, 4, 5].map(|day| now + DAY * day);
    assert_eq!(refused(&book, one, &four), Unarrangeable::TooMany(3));
    assert_eq!(refused(&book, Number(99), &four[..1]), Unarrangeable::NotAtBoard);
    assert_eq!(refused(&book, one, &[]), Unarrangeable::NoProposal, "there is none to take back");
    assert!(propose(&book, one, &[now + DAY, closes]).is_ok(), "from the first moment to the last");
    let decline = book.event.decline_proposal(BOARD, other, now);
    assert_eq!(decline, Err(Unarrangeable::NoProposal.into()));
    let strangers = [(Some(Number(99)), None), (None, None), (None, Some(Number(1)))];
    for (player, leads) in strangers {
        let side = book.event.side_of(BOARD, player, leads);
        assert_eq!(side, Err(Unarrangeable::NotAtBoard.into()), "{player:?} {leads:?}");
    }
    let nowhere = BoardId { round: 1, table: 9 };
    assert_eq!(book.event.propose_game(nowhere, one, vec![closes], now), Err(Refusal::UnknownBoard));

    let mut often = book.clone();
    for hour in 0..ASKS_MAX {
        often.write(propose(&often, one, &[closes - Duration::hours(hour.into())]).expect("he may"));
    }
    assert_eq!(propose(&often, one, &[closes - DAY]), Err(Refusal::AskedTooOften(ASKS_MAX)));
    book.report(BOARD, [ResultCode::Win, ResultCode::Loss], 9);
    assert_eq!(refused(&book, one, &[closes]), Unarrangeable::NotOpen, "it has a result");
    let (plain, [one, _]) = begun(settings("go", Format::Swiss { rounds: 3 }));
    assert_eq!(refused(&plain, one, &[plain.now + DAY]), Unarrangeable::NotArranged);
}

#[test]
fn a_proposal_is_taken_back_declined_or_lapses() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let at = book.now + DAY * 6;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    let until = arrangement(&book).proposals[&one].until;
    assert_eq!(until, book.now - Duration::MINUTE + DAY * 2);
    book.write(propose(&book, one, &[]).expect("taken back"));
    assert!(arrangement(&book).proposals.is_empty());
    book.write(propose(&book, one, &[at]).expect("once more"));
    book.write(book.event.decline_proposal(BOARD, other, book.now).expect("declined"));
    assert!(arrangement(&book).proposals.is_empty());
    book.write(propose(&book, one, &[at]).expect("once more"));
    let until = arrangement(&book).proposals[&one].until;
    let late = book.event.accept_proposal(BOARD, other, at, until);
    assert_eq!(
        late,
        Err(Unarrangeable::NoProposal.into()),
        "its time is over, whether the server has looked or not"
    );
    assert_eq!(book.event.due(), Some(until));
    book.pass_to(until);
    assert!(arrangement(&book).proposals.is_empty());
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn the_side_that_has_tried_wins_what_nobody_has_arranged() {
    use ResultCode::{DoubleForfeit, ForfeitLoss, ForfeitWin};
    // What each side has proposed in vain, and what comes of it.
    for (tries, void, expected) in [
        ([2, 0], false, [ForfeitWin, ForfeitLoss]),
        ([1, 2], false, [ForfeitLoss, ForfeitWin]),
        ([1, 1], false, [DoubleForfeit; 2]),
        ([2, 2], false, [DoubleForfeit; 2]),
        ([0, 0], true, [ResultCode::Annulled; 2]),
    ] {
        let (mut book, players) = swiss(Otherwise::Effort { times: 2, void });
        for (side, times) in players.into_iter().zip(tries) {
            proposes_in_vain(&mut book, side, times);
        }
        let deadline = arrangement(&book).deadline;
        book.pass_to(deadline - Duration::SECOND);
        assert_eq!(codes(&book, BOARD), None);
        book.pass_to(deadline);
        assert_eq!(codes(&book, BOARD), Some(expected), "{tries:?}");
        assert_eq!(state(&book, BOARD).result.as_ref().map(|it| it.source), Some(ResultSource::Unarranged));
        assert!(book.event.rounds[0].is_complete() && book.plan().is_ok(), "{tries:?}");
        assert_eq!(book.verified().findings, vec![]);
    }
}

/// Whoever begins to try when the other has no time left to answer has not tried.
#[test]
fn what_cannot_be_answered_in_its_whole_time_is_no_effort() {
    let (mut book, [one, _]) = swiss(EFFORT);
    let deadline = arrangement(&book).deadline;
    book.pass_to(deadline - DAY - Duration::HOUR);
    let late = [deadline - Duration::MINUTE, deadline];
    book.write(propose(&book, one, &late).expect("the lead is kept"));
    book.pass_to(deadline);
    assert_eq!(codes(&book, BOARD), Some([ResultCode::DoubleForfeit; 2]));
    // The same time again and again is one time.
    let (mut book, [one, other]) = swiss(EFFORT);
    let at = book.now + DAY * 10;
    for _ in 0..3 {
        book.write(propose(&book, one, &[at]).expect("proposed"));
        book.write(book.event.decline_proposal(BOARD, other, book.now).expect("declined"));
    }
    book.pass_to(arrangement(&book).deadline);
    assert_eq!(codes(&book, BOARD), Some([ResultCode::DoubleForfeit; 2]));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn what_nobody_has_arranged_begins_at_its_default_time() {
    let (mut book, [one, other]) = swiss(Otherwise::Default { after: days(10) });
    let second = BoardId { round: 1, table: 2 };
    let (default, late) = (arrangement(&book).deadline, arrangement(&book).closes);
    book.write(propose(&book, one, &[late]).expect("after the default time, within the window"));
    let accepted = book.event.accept_proposal(BOARD, other, late, book.now).expect("accepted");
    book.write(accepted);
    book.pass_to(default);
    assert_eq!(state(&book, second).started, Some(default));
    assert_eq!(state(&book, BOARD).started, None, "this one is agreed on");
    book.pass_to(late);
    assert_eq!(state(&book, BOARD).started, Some(late));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn what_nobody_has_arranged_is_left_to_an_arbiter_who_sees_it() {
    let (mut book, players) = swiss(Otherwise::Arbiter);
    let deadline = arrangement(&book).deadline;
    book.pass_to(deadline);
    assert!(book.event.has_unarranged());
    assert!(book.event.missing(Stage::Closing, book.now).contains(&Missing::Unarranged));
    assert_eq!(book.event.due(), None, "nothing more happens by itself");
    assert!(book.plan().is_err(), "the next round waits");
    let later = book.now + DAY * 3;
    assert!(matches!(
        propose(&book, players[0], &[later]),
        Err(Refusal::Arranging(Unarrangeable::Outside(_)))
    ));
    for who in players {
        book.write(book.event.ask_to_postpone(BOARD, who, later, book.now).expect("he may ask"));
    }
    book.write(book.event.postpone_board(BOARD, later, book.now).expect("an arbiter consents"));
    let decided = BoardResult::decided([ResultCode::DoubleForfeit; 2], Reason::NotPlayed);
    let second = BoardId { round: 1, table: 2 };
    book.write(book.event.enter_result(second, decided, &official(2001), false).expect("decided"));
    assert!(!book.event.has_unarranged());
    book.pass_to(later);
    book.report(BOARD, [ResultCode::Draw; 2], 9);
    assert!(book.event.rounds[0].is_complete());
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn players_are_reminded_once_for_each_time_that_is_set() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let at = book.now + DAY * 10;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    book.write(book.event.accept_proposal(BOARD, other, at, book.now).expect("accepted"));
    let deadline = arrangement(&book).deadline;
    let reminded = |book: &Book| {
        let of = |fact: &Fact| match fact {
            Fact::Arranging(ArrangingFact::Reminded { board, .. }) => Some(board.table),
            _ => None,
        };
        book.log.iter().filter_map(|entry| of(&entry.fact)).collect::<Vec<_>>()
    };
    book.pass_to(deadline - DAY * 5 - Duration::SECOND);
    assert!(reminded(&book).is_empty());
    book.pass_to(deadline - DAY * 5);
    assert_eq!(reminded(&book), vec![2], "who has agreed is not");
    book.pass_to(deadline - DAY);
    assert_eq!(reminded(&book), vec![2, 2]);
    // A server that slept through both says it once.
    let (mut slept, _) = swiss(EFFORT);
    let deadline = arrangement(&slept).deadline;
    slept.pass_to(deadline - Duration::HOUR);
    assert_eq!(reminded(&slept), vec![1, 2]);
    for book in [book, slept] {
        assert_eq!(book.verified().findings, vec![]);
    }
}

#[test]
fn later_rounds_wait_only_where_windows_do_not_overlap() {
    let (waits, _) = swiss(EFFORT);
    assert!(matches!(waits.plan(), Err(Unpaired::Incomplete(1))));
    let mut settings = arranged(Format::RoundRobin { cycles: Cycles::Single }, EFFORT);
    settings.arranging.as_mut().expect("arranged").overlaps = true;
    let (mut book, [one, other]) = begun(settings);
    let at = book.now + DAY * 3;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    book.write(book.event.accept_proposal(BOARD, other, at, book.now).expect("accepted"));
    book.begin_round().expect("its window overlaps");
    book.pass_to(at);
    book.begin_round().expect("also while a game of an earlier one is played");
    assert_eq!(book.event.rounds.len(), 3);
    book.report(BOARD, [ResultCode::Win, ResultCode::Loss], 9);
    assert!(book.event.missing(Stage::Closing, book.now).contains(&Missing::Rounds));
    book.pass_to(book.now + DAY * 15);
    assert!(book.event.rounds.iter().all(Round::is_complete));
    assert!(book.event.missing(Stage::Closing, book.now).is_empty());
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn who_leaves_has_nothing_to_arrange_and_a_hall_result_is_one() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let at = book.now + DAY * 3;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    let mut left = book.clone();
    left.change(one.0, Status::Withdrawn { after_round: 1 }).expect("he leaves");
    assert_eq!(codes(&left, BOARD), Some([ResultCode::ForfeitLoss, ResultCode::ForfeitWin]));
    let accepted = left.event.accept_proposal(BOARD, other, at, left.now);
    assert_eq!(accepted, Err(Unarrangeable::NotOpen.into()));
    left.pass_to(at + DAY);
    assert_eq!(state(&left, BOARD).started, None);

    // They have played over the board, also when they had agreed on another time.
    for agreed in [false, true] {
        let mut hall = book.clone();
        if agreed {
            hall.write(hall.event.accept_proposal(BOARD, other, at, hall.now).expect("accepted"));
        }
        let source = ResultSource::OverTheBoard { confirmed_by: None };
        let drawn = BoardResult { source, ..BoardResult::decided([ResultCode::Draw; 2], Reason::AgreedDraw) };
        hall.write(hall.event.enter_result(BOARD, drawn, &official(2001), false).expect("entered"));
        assert_eq!(propose(&hall, other, &[at]), Err(Unarrangeable::NotOpen.into()));
        hall.pass_to(at + DAY * 20);
        assert_eq!(codes(&hall, BOARD), Some([ResultCode::Draw; 2]), "it stands, and no game begins");
        assert_eq!(state(&hall, BOARD).started, None);
        assert_eq!(hall.verified().findings, vec![]);
    }
    assert_eq!(left.verified().findings, vec![]);
}

#[test]
fn a_board_that_is_played_again_is_arranged_again() {
    let (mut book, [one, other]) = swiss(EFFORT);
    let ordered = BoardResult::decided([ResultCode::ReplayOrdered; 2], Reason::Arbiter);
    book.pass_to(arrangement(&book).deadline);
    book.write(book.event.enter_result(BOARD, ordered, &official(2001), false).expect("ordered"));
    book.write(book.event.play_again(BOARD, &official(2001)).expect("again"));
    assert!(state(&book, BOARD).is_to_be_arranged());
    assert_eq!(arrangement(&book).closes, book.now + DAY * 14);
    let at = book.now + DAY * 2;
    book.write(propose(&book, one, &[at]).expect("proposed"));
    book.write(book.event.accept_proposal(BOARD, other, at, book.now).expect("accepted"));
    book.pass_to(at);
    assert_eq!((state(&book, BOARD).started, state(&book, BOARD).attempt), (Some(at), 2));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn what_the_server_has_not_done_by_the_settings_is_found() {
    let (mut book, [one, _]) = swiss(EFFORT);
    book.write(propose(&book, one, &[book.now + DAY * 6]).expect("proposed"));
    let won = [ResultCode::ForfeitWin, ResultCode::ForfeitLoss];
    let decided = BoardResult::decided(won, Reason::NotPlayed);
    let early = [
        Fact::Arranging(ArrangingFact::Answered {
            board: BOARD,
            number: one,
            answer: ProposalAnswer::Lapsed,
        }),
        Fact::Arranging(ArrangingFact::Reminded { board: BOARD, deadline: book.now }),
        Fact::Arranging(ArrangingFact::LeftToArbiter { board: BOARD }),
        Fact::Result { board: BOARD, result: BoardResult { source: ResultSource::Unarranged, ..decided } },
    ];
    for fact in early {
        for actor in [Actor::Server, book.log[0].actor] {
            let mut forged = book.clone();
            let at = forged.now + Duration::MINUTE;
            let mut entry = entries(forged.event.sequence, at, vec![fact.clone()]).remove(0);
            entry.actor = actor;
            forged.event.apply(&entry).expect("it follows");
            forged.log.push(entry);
            assert_eq!(forged.verified().findings.len(), 1, "{fact:?} by {actor:?}");
        }
    }
}

/// Makes settings wrong.
type Spoil = fn(&mut Arranging);

#[test]
fn how_games_are_arranged_keeps_its_limits_and_is_told() {
    let sound = arranged(Format::Swiss { rounds: 3 }, EFFORT);
    let now = OffsetDateTime::UNIX_EPOCH;
    assert_eq!(sound.check(now), Ok(()));
    let wrong: [(&str, Spoil); 11] = [
        ("arranging.window_duration", |it| it.window = std::time::Duration::from_millis(999)),
        ("arranging.window_duration", |it| it.window = WINDOW_MAX + days(1)),
        ("arranging.lead_duration", |it| it.lead = days(15)),
        ("arranging.lead_duration", |it| (it.window, it.lead) = (days(1), days(1))),
        ("arranging.answer_duration", |it| it.answer_within = days(31)),
        ("arranging.times_max", |it| it.times_max = 0),
        ("arranging.times_max", |it| it.times_max = TIMES_MAX + 1),
        ("arranging.reminder_durations", |it| it.reminders.reverse()),
        ("arranging.reminder_durations", |it| it.reminders = vec![it.window]),
        ("arranging.by_match", |it| it.by_match = true),
        ("arranging.by_default.after_duration", |it| {
            it.otherwise = Otherwise::Default { after: it.window + days(1) };
        }),
    ];
    for (field, change) in wrong {
        let mut settings = sound.clone();
        change(settings.arranging.as_mut().expect("arranged"));
        assert_eq!(settings.check(now).err().map(|bad| bad.field), Some(field));
    }
    let mut bracket = arranged(Format::KnockOut { lives: 1, third_place: false }, EFFORT);
    assert_eq!(bracket.check(now), Ok(()));
    bracket.arranging.as_mut().expect("arranged").overlaps = true;
    assert_eq!(bracket.check(now).err().map(|bad| bad.field), Some("arranging.overlaps"));

    let (book, _) = swiss(EFFORT);
    let text = book.event.supplement();
    for told in [
        "within 336 h after its round",
        "at most 3 times at once",
        "2 different times",
        "both lose by forfeit",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let without = Settings { arranging: None, ..Settings::clone(&book.event.settings) };
    let changed = book.event.change_settings(without, "no more".to_owned(), book.now);
    assert!(matches!(changed, Err(Refusal::Settled(..))), "what is begun is gone on with");
}
