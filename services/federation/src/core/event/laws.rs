//! The rules of section 1.3 for rounds that were changed by hand: the pairing keeps them by itself, and only the chief
//! arbiter lifts them (FIDE C.04.1, 1.9.3).

use std::collections::BTreeSet;

use pairing::{
    Number, Relaxed, ResultCode,
    check::{self, Fault},
};
use sha2::{Digest as _, Sha256};

use super::{
    Board, Event, Format, PairingEdit, Refusal, Role, edit,
    fact::{Digest, PublishedRound},
    limits::DRAFT_EDITS_MAX,
    plan::{GRADE_MIN, by_grade, swiss_input},
    role::NotAllowed,
};

impl Event {
    /// Changes a draft by hand, and notes what was changed and why. Where that breaks a rule that held before, it has to be
    /// lifted, which is noted, too; `may_relax` says whether who asks is the one who may.
    ///
    /// # Errors
    /// When the change cannot be, or breaks a rule that he may not lift; when the draft does not hold any more, or would have
    /// been changed too often.
    pub fn edit_draft(
        &self,
        draft: &mut PublishedRound,
        (edits, reason): (&[PairingEdit], &str),
        may_relax: bool,
    ) -> Result<(), Refusal> {
        let mut changed = draft.clone();
        edit(&mut changed, edits, reason)?;
        self.correct_handicaps(&mut changed);
        // A table or a challenge says who meets whom there, and no later round would set it right.
        let is_given = self.rounds_by_scores().is_none() || draft.play_off;
        if is_given && !may_relax && self.met(&changed) != self.met(draft) {
            return Err(NotAllowed::Role(&[Role::ChiefArbiter]).into());
        }
        let known: BTreeSet<Broken> = self.broken(draft, Relaxed::Nothing).iter().map(broken).collect();
        let mut new = self.broken(&changed, Relaxed::Nothing);
        new.retain(|fault| !known.contains(&broken(fault)));
        if let Some(level) = new.iter().filter_map(Fault::lifted_by).max() {
            if !may_relax {
                return Err(Refusal::Rules(new));
            }
            self.lift(&mut changed, level, reason)?;
        }
        if changed.edits.len() > DRAFT_EDITS_MAX {
            return Err(Refusal::TooManyEdits(draft.edits.len()));
        }
        *draft = changed;
        Ok(())
    }

    /// Has a draft be one for which rules were lifted.
    fn lift(&self, draft: &mut PublishedRound, level: Relaxed, reason: &str) -> Result<(), Refusal> {
        draft.edits.push(lifted(level, reason));
        if level <= draft.relaxed {
            return Ok(());
        }
        if self.scores(draft, draft.relaxed) != Some(draft.input) {
            return Err(Refusal::Stale);
        }
        draft.relaxed = level;
        draft.input = self.scores(draft, level).unwrap_or(draft.input);
        Ok(())
    }

    /// The rules that a round breaks, seen from the event before it, where so much is lifted. Only rounds that are paired by
    /// scores have to keep them.
    pub(super) fn broken(&self, round: &PublishedRound, relaxed: Relaxed) -> Vec<Fault> {
        // Those who play off for a place have met, as it may be.
        let Some(rounds) = self.rounds_by_scores().filter(|_| !round.play_off) else { return Vec::new() };
        let input = swiss_input(self, round.round, rounds, self.contenders(round.round), round.seed, relaxed);
        let pairs: Vec<[Number; 2]> = self.laid(round).iter().map(|board| board.players).collect();
        let free = round.out.iter().filter(|(_, code)| *code == ResultCode::Pab);
        let free: Vec<Number> = free.map(|(number, _)| *number).collect();
        let alone = self.alone(round.round);
        let mut faults = check::laws(&input, &pairs, &free);
        faults.retain(|fault| !matches!(fault, Fault::Bye(number) if alone.contains(number)));
        faults
    }

    /// What is paired: teams where they meet, and players otherwise.
    fn laid<'a>(&self, round: &'a PublishedRound) -> &'a [Board] {
        if self.meetings().is_some() { &round.matches } else { &round.boards }
    }

    /// Who meets whom, in whatever order they sit.
    fn met(&self, round: &PublishedRound) -> BTreeSet<BTreeSet<Number>> {
        self.laid(round).iter().map(|board| BTreeSet::from(board.players)).collect()
    }

    /// How many rounds are paired by scores.
    fn rounds_by_scores(&self) -> Option<u16> {
        match self.settings.format {
            Format::Swiss { rounds } | Format::MacMahon { rounds, .. } | Format::Grading { rounds, .. } => {
                Some(rounds)
            }
            _ => None,
        }
    }

    /// Whoever has nobody to meet in his grade: he sits out as often as that is so.
    fn alone(&self, round: u16) -> BTreeSet<Number> {
        if !matches!(self.settings.format, Format::Grading { .. }) {
            return BTreeSet::new();
        }
        let there = by_grade(self, round).into_values().map(|players| {
            let there = players.into_iter().filter(|player| player.plays_in(round));
            there.map(|player| player.number).collect::<Vec<_>>()
        });
        there.filter(|numbers| numbers.len() < GRADE_MIN).flatten().collect()
    }

    /// The hash of what a round is paired from by scores, where so much is lifted.
    fn scores(&self, round: &PublishedRound, relaxed: Relaxed) -> Option<Digest> {
        let rounds = self.rounds_by_scores()?;
        let input = |players| swiss_input(self, round.round, rounds, players, round.seed, relaxed);
        if !matches!(self.settings.format, Format::Grading { .. }) {
            return Some(input(self.contenders(round.round)).hash());
        }
        let mut hash = Sha256::new();
        for players in by_grade(self, round.round).into_values().rev() {
            if players.iter().filter(|player| player.plays_in(round.round)).count() >= GRADE_MIN {
                hash.update(input(players).hash());
            }
        }
        Some(hash.finalize().into())
    }
}

/// What is noted with a round for which rules were lifted.
pub fn lifted(level: Relaxed, reason: &str) -> String {
    format!("rules were lifted up to {}: {reason}", level.name())
}

/// A rule that is broken, and by whom, in whatever order they sit.
type Broken = (Option<&'static str>, Vec<Number>);

fn broken(fault: &Fault) -> Broken {
    let mut players = fault.players();
    players.sort_unstable();
    (fault.rule(), players)
}
