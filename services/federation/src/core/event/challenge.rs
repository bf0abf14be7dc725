//! Challenges on a ladder: made, answered, played in a round, or lost without a game.

use pairing::{Number, ladder};
use time::OffsetDateTime;

use super::{Event, Fact, Format, Official, Refusal, fact::PublishedRound};

/// The most challenges that wait: all of them are told with the event.
pub(super) const CHALLENGES_MAX: usize = 1000;

/// A challenge that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Who has challenged.
    pub challenger: Number,
    /// Whom.
    pub holder: Number,
    /// Until when it can be answered; none once it is accepted.
    pub until: Option<OffsetDateTime>,
}

/// What happened about a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderFact {
    /// Somebody challenges another, for the next round.
    Challenged {
        /// Who challenges.
        challenger: Number,
        /// Whom.
        holder: Number,
        /// Until when it can be answered; none where it is accepted as it is made.
        until: Option<OffsetDateTime>,
    },
    /// A challenge is answered; refused or lapsed, it is a forfeit of who was challenged.
    Answered {
        /// Who has challenged.
        challenger: Number,
        /// Whom.
        holder: Number,
        /// What was answered.
        answer: ChallengeAnswer,
    },
}

/// What was answered to a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeAnswer {
    /// They play, in the next round in which both are there.
    Accepted,
    /// The challenger takes the place as if he had won.
    Refused,
    /// Nobody has answered in time, which is as if it were refused.
    Lapsed,
    /// It is taken back, and nothing moves.
    Withdrawn,
}

/// Who answers a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answerer {
    /// A player, or his proxy.
    Player(Number),
    /// An arbiter: he answers for who is challenged, and ends a challenge that is accepted and cannot be played.
    Arbiter(Official),
}

/// The challenges of a ladder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Challenges {
    /// Those that wait, in the order in which they were made.
    waiting: Vec<Challenge>,
    /// Those that are boards of the round that was published last, should it be taken back.
    taken_up: Vec<Challenge>,
    /// Those that were refused or not answered, with the round that was the next then.
    forfeits: Vec<(u16, Challenge)>,
}

impl Challenge {
    /// The two.
    pub(super) fn pair(&self) -> [Number; 2] {
        [self.challenger, self.holder]
    }

    fn answered(&self, answer: ChallengeAnswer) -> Fact {
        Fact::Ladder(LadderFact::Answered { challenger: self.challenger, holder: self.holder, answer })
    }
}

impl Challenges {
    /// Takes over what was answered to one.
    fn answer(
        &mut self,
        pair: [Number; 2],
        answer: ChallengeAnswer,
        next_round: u16,
    ) -> Result<(), &'static str> {
        // What is accepted is answered; an arbiter alone ends it, as if it had not been.
        let is_open = |it: &Challenge| it.until.is_some() || answer == ChallengeAnswer::Withdrawn;
        let at = self.waiting.iter().position(|it| it.pair() == pair && is_open(it));
        let at = at.ok_or("no such challenge waits for an answer")?;
        match answer {
            ChallengeAnswer::Accepted => self.waiting[at].until = None,
            ChallengeAnswer::Withdrawn => drop(self.waiting.remove(at)),
            ChallengeAnswer::Refused | ChallengeAnswer::Lapsed => {
                self.forfeits.push((next_round, self.waiting.remove(at)));
            }
        }
        Ok(())
    }

    /// What was taken up by a round waits for it again. What was forfeited since is before it now.
    pub(super) fn take_back(&mut self, round: u16) {
        self.waiting.splice(..0, self.taken_up.drain(..));
        for (next, _) in &mut self.forfeits {
            *next = round.min(*next);
        }
    }

    /// Moves those who took places without a game while a round was the next.
    pub(super) fn settle_forfeits(&self, order: &mut Vec<Number>, round: u16) {
        for (_, lost) in self.forfeits.iter().filter(|(next, _)| *next == round) {
            // The reach was asked about when the challenge was made; others may have come between since.
            if let Ok(after) = ladder::settle(order, lost.challenger, lost.holder, usize::MAX, true) {
                *order = after;
            }
        }
    }
}

impl Event {
    /// The challenges that wait for their answers or for their round, in the order in which they were made: of those who
    /// are still on the ladder, and while there is a round to come.
    pub fn waiting_challenges(&self) -> impl Iterator<Item = &Challenge> {
        let is_played = self.settings.format.rounds().is_some_and(|rounds| self.next_round() <= rounds);
        let stays = move |it: &&Challenge| is_played && it.pair().into_iter().all(|it| self.stays(it));
        self.challenges.waiting.iter().filter(stays)
    }

    /// When challenges that nobody has answered are lost, and the fact that says so.
    pub(super) fn answers_due(&self) -> impl Iterator<Item = (OffsetDateTime, Fact)> {
        let lapsed = |it: &Challenge| Some((it.until?, it.answered(ChallengeAnswer::Lapsed)));
        self.waiting_challenges().filter_map(lapsed)
    }

    /// Whose it is to answer so to who has challenged; nobody's where he has not.
    pub fn who_answers(&self, challenger: Number, answer: ChallengeAnswer) -> Option<Number> {
        if answer == ChallengeAnswer::Withdrawn {
            return Some(challenger);
        }
        self.waiting_challenges().find(|it| it.challenger == challenger).map(|it| it.holder)
    }

    /// Challenges somebody above for the next round. `held_back` says whether who asks knows less than there is to know.
    ///
    /// # Errors
    /// When he is not above, or too far; when one of the two is in another challenge; while a round is played, as the
    /// ladder is not known then, nor to him before all of its results are broadcast; or when too many challenges wait.
    pub fn challenge(
        &self,
        challenger: Number,
        holder: Number,
        held_back: bool,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let refuse = |why: &str| Err(Refusal::Challenge(why.to_owned()));
        let Format::Ladder { rounds, reach, answer_within } = self.settings.format else {
            return refuse("this event is no ladder");
        };
        self.participant(holder).ok_or(Refusal::UnknownNumber(holder))?;
        // Whether the round is still played is a part of what he is not to know.
        if held_back {
            return refuse("the ladder is known once all its results are broadcast");
        }
        let next = self.next_round();
        if self.rounds.last().is_some_and(|last| !last.is_complete()) {
            return refuse("a round is being played, and the ladder is known after it");
        }
        if next > rounds {
            return refuse("there are no more rounds");
        }
        let pair = [challenger, holder];
        if self.waiting_challenges().flat_map(Challenge::pair).any(|number| pair.contains(&number)) {
            return refuse("one of the two is in another challenge");
        }
        if self.waiting_challenges().count() >= CHALLENGES_MAX {
            return Err(Refusal::TooManyChallenges);
        }
        if !pair.iter().all(|number| self.is_there(*number, next)) {
            return refuse("one of the two is away in the round");
        }
        let (ladder, reach) = (self.ladder(next), usize::try_from(reach).unwrap_or(usize::MAX));
        match ladder::challenge(&ladder, challenger, holder, reach) {
            Ok(_) => {
                let until = answer_within.map(|within| now + within);
                Ok(vec![Fact::Ladder(LadderFact::Challenged { challenger, holder, until })])
            }
            Err(error) => Err(Refusal::Challenge(error.to_string())),
        }
    }

    /// Answers a challenge, or takes it back.
    ///
    /// # Errors
    /// When there is none, it is accepted already, the time to answer is over, or the answer is not for him to give.
    pub fn answer_challenge(
        &self,
        challenger: Number,
        answer: ChallengeAnswer,
        by: &Answerer,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let refuse = |why: &str| Err(Refusal::Challenge(why.to_owned()));
        let Some(challenge) = self.waiting_challenges().find(|it| it.challenger == challenger) else {
            return refuse("he has challenged nobody, or has played since");
        };
        let withdraws = answer == ChallengeAnswer::Withdrawn;
        let ends_accepted = withdraws && challenge.until.is_none() && matches!(by, Answerer::Arbiter(_));
        match by {
            Answerer::Player(number) if Some(*number) == self.who_answers(challenger, answer) => {}
            Answerer::Player(_) => return refuse("it is not for him to answer so"),
            Answerer::Arbiter(_) if withdraws && !ends_accepted => {
                return refuse("who has challenged withdraws it himself");
            }
            // To answer for the holder is no favour to him; to end what both have agreed on may be one.
            Answerer::Arbiter(official)
                if self.has_part(official, [challenger])
                    || (ends_accepted && self.has_part(official, challenge.pair())) =>
            {
                return Err(Refusal::OwnGame);
            }
            Answerer::Arbiter(_) => {}
        }
        match challenge.until {
            None if ends_accepted => Ok(vec![challenge.answered(answer)]),
            None if answer == ChallengeAnswer::Accepted => Ok(Vec::new()),
            None => refuse("it is accepted already"),
            Some(until) if now >= until => refuse("the time to answer is over"),
            Some(_) => Ok(vec![challenge.answered(answer)]),
        }
    }

    /// Takes over what happened about a challenge.
    pub(super) fn take_of_ladder(&mut self, fact: LadderFact) -> Result<(), &'static str> {
        match fact {
            LadderFact::Challenged { challenger, holder, until } => {
                self.challenges.waiting.push(Challenge { challenger, holder, until });
                Ok(())
            }
            LadderFact::Answered { challenger, holder, answer } => {
                let next = self.next_round();
                self.challenges.answer([challenger, holder], answer, next)
            }
        }
    }

    /// Who leaves answers nothing any more, and nobody answers or meets him by what was agreed before, should he come back,
    /// too: by then the other may have challenged somebody else.
    pub(super) fn drop_challenges_of_departed(&mut self) {
        let mut waiting = std::mem::take(&mut self.challenges.waiting);
        waiting.retain(|it| it.pair().into_iter().all(|number| self.stays(number)));
        self.challenges.waiting = waiting;
    }

    /// What becomes of the challenges that nobody has answered when so many rounds are public, and the format has no more:
    /// they are taken back, and nobody's forfeit should there be more rounds later, as meanwhile nobody can answer.
    pub(super) fn taken_back_at_the_end(&self, public: u16, format: &Format) -> Vec<Fact> {
        let is_over = format.rounds().is_some_and(|rounds| public >= rounds);
        let open = self.challenges.waiting.iter().filter(|it| is_over && it.until.is_some());
        open.map(|it| it.answered(ChallengeAnswer::Withdrawn)).collect()
    }

    /// Takes over that accepted challenges are boards of the round that was just published. Those that wait for an answer,
    /// or for somebody who is away, are of a later one; where challenges are not answered, all of them were of this one.
    pub(super) fn take_up_challenges(&mut self, round: &PublishedRound) {
        let Format::Ladder { answer_within, .. } = self.settings.format else { return };
        let seated = |pair: [Number; 2]| {
            round.boards.iter().any(|board| pair.iter().all(|number| board.players.contains(number)))
        };
        let Challenges { waiting, taken_up, .. } = &mut self.challenges;
        taken_up.clear();
        if answer_within.is_none() {
            waiting.clear();
            return;
        }
        let is_taken = |it: &mut Challenge| it.until.is_none() && seated(it.pair());
        taken_up.extend(waiting.extract_if(.., is_taken));
    }
}
