//! Challenges of a ladder: answered, refused, left alone and taken back.

use pairing::{Number, ResultCode, Status};
use proptest::prelude::*;

use super::*;

const WEEK: std::time::Duration = settings::ANSWER;

fn running(players: u32) -> Book {
    Book::running(settings("go", Format::Ladder { rounds: 50, reach: 3, answer_within: Some(WEEK) }), players)
}

fn numbers(of: &[u32]) -> Vec<Number> {
    of.iter().copied().map(Number).collect()
}

impl Book {
    fn challenge(&mut self, one: u32, other: u32) -> Result<(), Refusal> {
        let facts = self.event.challenge(Number(one), Number(other), false, self.now)?;
        self.write(facts);
        Ok(())
    }

    fn answer(&mut self, by: u32, challenger: u32, answer: ChallengeAnswer) -> Result<(), Refusal> {
        let by = Answerer::Player(Number(by));
        let facts = self.event.answer_challenge(Number(challenger), answer, &by, self.now)?;
        self.write(facts);
        Ok(())
    }

    fn order(&self) -> Vec<Number> {
        self.event.ladder(self.event.next_round())
    }

    fn seated(&self) -> Vec<[Number; 2]> {
        let boards = &self.event.rounds.last().expect("a round").published.boards;
        let sorted = boards.iter().map(|it| it.players).map(|[a, b]| [a.min(b), a.max(b)]);
        sorted.collect()
    }
}

#[test]
fn only_accepted_challenges_are_boards_and_the_others_wait() {
    let mut book = running(6);
    book.challenge(4, 1).expect("three places");
    book.challenge(5, 3).expect("two places");
    assert_eq!(book.plan(), Err(Unpaired::TooFew), "nobody has answered");
    book.answer(1, 4, ChallengeAnswer::Accepted).expect("he plays");
    book.begin_round().expect("one is accepted");
    assert_eq!(book.seated(), [[Number(1), Number(4)]]);
    assert!(book.challenge(6, 2).is_err(), "the round is being played");
    // Who knows less than there is to know is told the same before and after its end.
    let unknown = book.event.challenge(Number(6), Number(2), true, book.now);
    // Who waits may answer while a round is played.
    book.answer(3, 5, ChallengeAnswer::Accepted).expect("he plays");
    book.play(|_, [one, _]| {
        if one == Number(4) {
            [ResultCode::Win, ResultCode::Loss]
        } else {
            [ResultCode::Loss, ResultCode::Win]
        }
    });
    assert_eq!(book.order(), numbers(&[4, 1, 2, 3, 5, 6]));
    assert!(matches!(unknown, Err(Refusal::Challenge(_))));
    for holder in [4, 2] {
        assert_eq!(book.event.challenge(Number(6), Number(holder), true, book.now), unknown);
    }
    book.begin_round().expect("the other is accepted now");
    assert_eq!(book.seated(), [[Number(3), Number(5)]]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_refusal_is_a_forfeit() {
    let mut book = running(6);
    book.challenge(5, 2).expect("three places");
    book.answer(2, 5, ChallengeAnswer::Refused).expect("he does not play");
    let fact = &book.log.last().expect("an entry").fact;
    let answer = ChallengeAnswer::Refused;
    let (challenger, holder) = (Number(5), Number(2));
    assert_eq!(*fact, Fact::Ladder(LadderFact::Answered { challenger, holder, answer }));
    assert_eq!(book.order(), numbers(&[1, 5, 2, 3, 4, 6]));
    assert_eq!(book.places()[1], (2, 5));
    assert_eq!(book.event.due(), None);
    book.challenge(2, 1).expect("both are free again");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn who_does_not_answer_in_time_has_refused() {
    let mut book = running(4);
    book.challenge(3, 1).expect("two places");
    let until = book.event.due().expect("a time to answer");
    assert_eq!(until, book.event.updated - Duration::minutes(1) + WEEK);
    assert_eq!(book.event.act_due(until - Duration::SECOND, &[]), vec![]);
    let late = book.event.answer_challenge(
        Number(3),
        ChallengeAnswer::Accepted,
        &Answerer::Player(Number(1)),
        until,
    );
    assert!(matches!(late, Err(Refusal::Challenge(_))), "{late:?}");
    book.write(book.event.act_due(until, &[]));
    assert_eq!(book.order(), numbers(&[3, 1, 2, 4]));
    assert_eq!(book.event.due(), None);
    book.challenge(2, 1).expect("one place");
    book.answer(1, 2, ChallengeAnswer::Accepted).expect("he plays");
    assert_eq!(book.event.due(), None, "it is answered");
    book.event.stage = Stage::Closing;
    assert_eq!(book.event.act_due(until + WEEK, &[]), vec![]);
}

#[test]
fn a_forfeit_while_a_round_is_played_comes_after_it() {
    let mut book = running(5);
    book.challenge(4, 3).expect("one place");
    book.answer(3, 4, ChallengeAnswer::Accepted).expect("he plays");
    book.challenge(5, 2).expect("three places");
    book.begin_round().expect("one is accepted");
    book.answer(2, 5, ChallengeAnswer::Refused).expect("he does not play");
    book.play(|_, [one, _]| {
        if one == Number(4) {
            [ResultCode::Win, ResultCode::Loss]
        } else {
            [ResultCode::Loss, ResultCode::Win]
        }
    });
    assert_eq!(book.event.ladder(1), numbers(&[1, 2, 3, 4, 5]), "as it was");
    assert_eq!(book.order(), numbers(&[1, 5, 2, 4, 3]));
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_round_that_is_taken_back_leaves_its_challenges_and_forfeits() {
    let mut book = running(5);
    book.challenge(4, 3).expect("one place");
    book.answer(3, 4, ChallengeAnswer::Accepted).expect("he plays");
    book.challenge(5, 2).expect("three places");
    book.begin_round().expect("one is accepted");
    book.answer(2, 5, ChallengeAnswer::Refused).expect("he does not play");
    book.write(book.event.retract_round(1, "a mistake".to_owned(), false).expect("nobody has moved"));
    assert_eq!(book.order(), numbers(&[1, 5, 2, 3, 4]));
    book.begin_round().expect("it is accepted still");
    assert_eq!(book.seated(), [[Number(3), Number(4)]]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_challenge_is_answered_by_whom_it_is_for_and_taken_back_before() {
    use ChallengeAnswer::{Accepted, Refused, Withdrawn};
    let mut book = running(6);
    assert!(book.answer(2, 5, Accepted).is_err(), "there is none");
    book.challenge(5, 2).expect("three places");
    for (by, answer) in [(5, Accepted), (1, Refused), (2, Withdrawn)] {
        assert!(matches!(book.answer(by, 5, answer), Err(Refusal::Challenge(_))), "{by} {answer:?}");
    }
    let arbiter = |book: &Book, number, answer| {
        let by = Answerer::Arbiter(official(number));
        book.event.answer_challenge(Number(5), answer, &by, book.now)
    };
    assert_eq!(arbiter(&book, 5, Refused), Err(Refusal::OwnGame));
    assert!(matches!(arbiter(&book, 1000, Withdrawn), Err(Refusal::Challenge(_))));
    assert!(arbiter(&book, 1, Accepted).is_ok());
    book.answer(5, 5, Withdrawn).expect("it is not answered");
    assert_eq!(book.order(), numbers(&[1, 2, 3, 4, 5, 6]));
    book.challenge(6, 5).expect("he is free again");
    book.answer(5, 6, Accepted).expect("he plays");
    assert_eq!(
        book.event.answer_challenge(Number(6), Accepted, &Answerer::Player(Number(5)), book.now),
        Ok(vec![])
    );
    assert!(book.answer(6, 6, Withdrawn).is_err(), "it is answered");
    // Who is away keeps his challenge, and who leaves has none.
    book.change(5, Status::Absent { round: 1 }).expect("noted");
    assert_eq!(book.plan(), Err(Unpaired::TooFew));
    book.challenge(4, 3).expect("one place");
    book.change(3, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    assert_eq!(book.event.waiting_challenges().count(), 1);
    assert_eq!(book.event.due(), None);
    book.challenge(4, 2).expect("he is free again");
}

/// Logs that were written before challenges were answered.
#[test]
fn without_a_time_to_answer_a_challenge_is_accepted_as_it_is_made() {
    const MONTH: u64 = 30 * 24 * 3600;
    let format = Format::Ladder { rounds: 2, reach: 3, answer_within: None };
    let mut book = Book::running(settings("go", format), 4);
    book.challenge(3, 1).expect("two places");
    assert_eq!(book.event.due(), None);
    assert!(book.answer(1, 3, ChallengeAnswer::Refused).is_err());
    book.begin_round().expect("it is accepted");
    book.play(by_number);
    let usual = format.with_answers(None);
    assert_eq!(usual, Format::Ladder { rounds: 2, reach: 3, answer_within: Some(WEEK) });
    assert_eq!(format.with_answers(Some(&format)), format, "it stays as it was");
    for (within, known) in [(0, false), (1, true), (MONTH, true), (MONTH + 1, false)] {
        let answer_within = Some(std::time::Duration::from_secs(within));
        let bounded = settings("go", Format::Ladder { rounds: 2, reach: 3, answer_within });
        assert_eq!(bounded.check(OffsetDateTime::UNIX_EPOCH).is_ok(), known, "{within} seconds");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The ladder is always an order of all of its players, and nobody moves but by a challenge that was won or refused.
    #[test]
    fn only_challenges_that_were_won_or_refused_move_anybody(
        acts in prop::collection::vec((0u8..8, 1u32..=6, 1u32..=6), 1..60)
    ) {
        use ChallengeAnswer::{Accepted, Refused, Withdrawn};
        let mut book = running(6);
        let mut expected = book.order();
        for (act, one, other) in acts {
            let pair = book.event.waiting_challenges().find(|it| it.challenger == Number(one)).copied();
            let takes = |expected: &mut Vec<Number>, challenger: Number, holder: Number| {
                *expected = pairing::ladder::settle(expected, challenger, holder, 6, true).expect("above");
            };
            match act {
                0..=2 => drop(book.challenge(one, other)),
                3 => drop(book.answer(other, one, Accepted)),
                4 => if book.answer(other, one, Refused).is_ok() {
                    takes(&mut expected, Number(one), pair.expect("it waited").holder);
                },
                5 => drop(book.answer(one, one, Withdrawn)),
                6 => if book.event.due().is_some() && one == 1 {
                    book.now += WEEK;
                    let lapsed = book.event.act_due(book.now, &[]);
                    for fact in &lapsed {
                        let Fact::Ladder(LadderFact::Answered { challenger, holder, .. }) = fact else {
                            panic!("{fact:?}");
                        };
                        takes(&mut expected, *challenger, *holder);
                    }
                    book.write(lapsed);
                },
                _ => {
                    let accepted = book.event.waiting_challenges().filter(|it| it.until.is_none());
                    let accepted: Vec<Challenge> = accepted.copied().collect();
                    if book.begin_round().is_ok() {
                        let lower_wins = other % 2 == 0;
                        let is_challenger = |number| accepted.iter().any(|it| it.challenger == number);
                        book.play(|_, [one, _]| if is_challenger(one) == lower_wins {
                            [ResultCode::Win, ResultCode::Loss]
                        } else {
                            [ResultCode::Loss, ResultCode::Win]
                        });
                        if lower_wins {
                            let boards = book.seated();
                            prop_assert_eq!(boards.len(), accepted.len());
                            for it in &accepted {
                                takes(&mut expected, it.challenger, it.holder);
                            }
                        }
                    }
                }
            }
            prop_assert_eq!(&book.order(), &expected);
            let mut sorted = expected.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, numbers(&[1, 2, 3, 4, 5, 6]));
        }
        prop_assert_eq!(book.verified().findings, vec![]);
    }
}

/// Who leaves has agreed to nothing any more: meanwhile the other may have challenged somebody else.
#[test]
fn an_accepted_challenge_ends_when_one_of_the_two_leaves() {
    use ChallengeAnswer::Accepted;
    let mut book = running(6);
    book.challenge(4, 1).expect("three places");
    book.answer(1, 4, Accepted).expect("he plays");
    book.change(1, Status::Withdrawn { after_round: 0 }).expect("he leaves");
    book.challenge(4, 2).expect("one place now");
    book.answer(2, 4, Accepted).expect("he plays");
    book.change(1, Status::Active { from_round: 1 }).expect("he comes back");
    book.begin_round().expect("one is accepted");
    assert_eq!(book.seated(), [[Number(2), Number(4)]]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn nobody_has_two_boards_in_a_round_that_is_paired_again() {
    use ChallengeAnswer::Accepted;
    let mut book = running(6);
    book.challenge(4, 1).expect("three places");
    book.answer(1, 4, Accepted).expect("he plays");
    book.begin_round().expect("one is accepted");
    book.change(1, Status::Withdrawn { after_round: 1 }).expect("he leaves his game");
    book.challenge(3, 4).expect("he is the first now");
    book.answer(4, 3, Accepted).expect("he plays");
    book.change(1, Status::Active { from_round: 2 }).expect("he comes back");
    book.write(book.event.retract_round(1, "a mistake".to_owned(), false).expect("nobody has moved"));
    book.begin_round().expect("both are accepted");
    assert_eq!(book.seated(), [[Number(1), Number(4)]], "the other waits");
    book.play(by_number);
    book.begin_round().expect("the other is still accepted");
    assert_eq!(book.seated(), [[Number(3), Number(4)]]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn an_arbiter_who_has_no_part_in_it_ends_a_challenge_that_was_accepted() {
    use ChallengeAnswer::{Accepted, Withdrawn};
    let mut book = running(6);
    book.challenge(5, 2).expect("three places");
    book.answer(2, 5, Accepted).expect("he plays");
    let by = |book: &Book, number, answer| {
        let by = Answerer::Arbiter(official(number));
        book.event.answer_challenge(Number(5), answer, &by, book.now)
    };
    for party in [2, 5] {
        assert_eq!(by(&book, party, Withdrawn), Err(Refusal::OwnGame));
    }
    assert!(book.answer(5, 5, Withdrawn).is_err(), "it is not his alone any more");
    assert!(matches!(by(&book, 1000, ChallengeAnswer::Refused), Err(Refusal::Challenge(_))));
    let before = book.order();
    book.write(by(&book, 1000, Withdrawn).expect("one of them is ill"));
    assert_eq!((book.event.waiting_challenges().count(), book.order()), (0, before));
    book.challenge(5, 4).expect("he is free again");
    assert_eq!(book.verified().findings, vec![]);
}

/// Nobody can answer when no round is to come, so that nobody loses his place by not having answered.
#[test]
fn what_nobody_has_answered_when_the_last_round_is_public_is_nobodys_forfeit() {
    let mut settings = Settings::clone(&running(6).event.settings);
    let ladder = |rounds| Format::Ladder { rounds, reach: 3, answer_within: Some(WEEK) };
    settings.format = ladder(1);
    let mut book = Book::running(settings, 6);
    book.challenge(4, 1).expect("three places");
    book.answer(1, 4, ChallengeAnswer::Accepted).expect("he plays");
    book.challenge(5, 3).expect("two places");
    book.begin_round().expect("one is accepted");
    book.play(by_number);
    let before = book.order();
    book.now += 2 * WEEK;
    let longer = Settings { format: ladder(2), ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(longer, "there is time".to_owned(), book.now).expect("longer"));
    assert_eq!(book.event.due(), None);
    book.write(book.event.act_due(book.now, &[]));
    assert_eq!((book.event.waiting_challenges().count(), book.order()), (0, before));
    // The same where it is the settings that have no more rounds.
    book.challenge(5, 3).expect("two places");
    let shorter = Settings { format: ladder(1), ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(shorter, "no time".to_owned(), book.now).expect("shorter"));
    let longer = Settings { format: ladder(2), ..Settings::clone(&book.event.settings) };
    book.write(book.event.change_settings(longer, "there is time".to_owned(), book.now).expect("longer"));
    assert_eq!(book.event.waiting_challenges().count(), 0);
    assert_eq!(book.verified().findings, vec![]);
}

/// 1.11, 8: places that were taken stay taken, and nobody has points of his games with who is annulled.
#[test]
fn who_is_annulled_is_off_the_ladder() {
    let mut book = running(4);
    book.challenge(4, 1).expect("three places");
    book.answer(1, 4, ChallengeAnswer::Accepted).expect("he plays");
    book.challenge(3, 2).expect("one place");
    book.answer(2, 3, ChallengeAnswer::Accepted).expect("he plays");
    book.begin_round().expect("two are accepted");
    book.play(by_number);
    book.change(1, Status::Annulled).expect("annulled");
    assert_eq!(book.places(), [(1, 2), (2, 3), (3, 4), (0, 1)]);
    let lines = book.event.table(1).lines;
    let points: Vec<(u32, u32)> = lines.iter().map(|it| (it.number.0, it.points)).collect();
    assert_eq!(points, [(2, 2), (3, 0), (4, 0), (1, 0)]);
}
