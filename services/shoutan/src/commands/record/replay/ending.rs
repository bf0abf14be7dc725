//! How a replayed game is brought to the end that its record tells of.

use anyhow::bail;
use api::{board::v1::Side as PbSide, game::v1::GameState};
use rules::{Act, AgreementInfo, Outcome, Reason, Side, Variant, Verdict};

/// Where a game stands after the last act of its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand<'a> {
    variant: &'a Variant,
    over: bool,
    phase: &'a str,
    /// The side that may act; the first of them if both may.
    actor: Option<Side>,
    /// The last act.
    last: Option<&'a Act>,
    /// The stones to be agreed on as dead, as the game writes them: `D4,Q16`, or `-` for none.
    dead: &'a str,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The game has ended.
    Nothing,
    /// A side acts.
    Act(Act),
    /// A side resigns.
    Resign(Side),
    /// One side offers a draw, the other accepts.
    AgreeToDraw,
}

impl<'a> Stand<'a> {
    /// Where a game stands that is in this state after these acts.
    pub(super) fn of(variant: &'a Variant, state: &'a GameState, acts: &'a [Act], dead: &'a str) -> Self {
        let actor = state.actors().find_map(|side| match side {
            PbSide::First => Some(Side::First),
            PbSide::Second => Some(Side::Second),
            PbSide::Unspecified => None,
        });
        Stand { variant, over: state.outcome.is_some(), phase: &state.phase, actor, last: acts.last(), dead }
    }

    /// How the sides agree on what is counted, if that is what they are at.
    fn agreement(&self) -> Option<AgreementInfo> {
        self.variant.agreement.filter(|agreement| agreement.phase == self.phase)
    }
}

/// What to do next so that the game ends as the record says, and whether only the winner will be the same:
/// no act makes a flag fall or an arbiter decide, so the loser resigns instead.
///
/// A record of Go seldom tells what the players agreed to be dead, and often leaves the last passes out. Then both
/// sides pass and agree on what the caller names as dead, and the server's count stands.
///
/// # Errors
/// The record tells of an end that should be on the board and is not.
pub(super) fn next(stand: &Stand<'_>, stated: Option<&Outcome>) -> anyhow::Result<(Step, bool)> {
    let (false, Some(actor)) = (stand.over, stand.actor) else { return Ok((Step::Nothing, false)) };
    let Some(stated) = stated else {
        let step = stand.agreement().map(|agreement| agree(stand, agreement, actor));
        return Ok((step.unwrap_or(Step::Resign(actor)), false));
    };
    let step = match (stated.reason, stated.verdict) {
        (Reason::Resignation, Verdict::Win(winner)) => Step::Resign(winner.other()),
        (Reason::Agreement, Verdict::Draw) => Step::AgreeToDraw,
        (reason, Verdict::Win(winner)) if reason == Reason::Time || reason.is_forfeit() => {
            return Ok((Step::Resign(winner.other()), true));
        }
        (Reason::Score, _) => match (stand.agreement(), stand.variant.pass) {
            (Some(agreement), _) => agree(stand, agreement, actor),
            (None, Some(pass)) => Step::Act(Act::by(actor, pass)),
            (None, None) => return goes_on(stated.reason),
        },
        (reason, _) => return goes_on(reason),
    };
    Ok((step, false))
}

impl Step {
    /// What a person should know of it, given the end that the record states and whether it is brought about
    /// only loosely.
    pub(super) fn remark(
        &self,
        variant: &Variant,
        stated: Option<&Outcome>,
        loosely: bool,
    ) -> Option<String> {
        let colour = |side: &Side| variant.colours[side.index()].name();
        let who = |act: &Act| act.side().map_or("the house", |side| colour(&side));
        match self {
            Step::Nothing => None,
            Step::Act(act) => Some(format!("the record leaves the end out: {} plays {}", who(act), act.text)),
            Step::Resign(side) if stated.is_none() => Some(format!(
                "the record states no result, and the game is not over: {} resigns",
                colour(side)
            )),
            Step::Resign(side) if loosely => Some(format!(
                "{} resigns in place of the recorded end, which no player can bring about",
                colour(side)
            )),
            Step::Resign(side) => Some(format!("{} resigns", colour(side))),
            Step::AgreeToDraw => Some("both agree to a draw".to_owned()),
        }
    }
}

fn goes_on<T>(reason: Reason) -> anyhow::Result<T> {
    bail!("the record ends by {}, but after its last act the game goes on", reason.name())
}

/// A proposal of what is dead, or the acceptance of the one that stands.
fn agree(stand: &Stand<'_>, agreement: AgreementInfo, actor: Side) -> Step {
    let AgreementInfo { propose, accept, .. } = agreement;
    let proposer = stand.last.filter(|last| last.text.starts_with(propose)).and_then(Act::side);
    Step::Act(match proposer {
        Some(proposer) => Act::by(proposer.other(), accept),
        None => Act::by(actor, format!("{propose} {}", stand.dead)),
    })
}

#[cfg(test)]
mod tests {
    use rules::{RuleSet, go};

    use super::*;

    fn outcome(verdict: Verdict, reason: Reason) -> Outcome {
        Outcome { verdict, reason, score: None }
    }

    fn stand(phase: &str) -> Stand<'_> {
        Stand { variant: &go::VARIANT, over: false, phase, actor: Some(Side::Second), last: None, dead: "-" }
    }

    fn step(phase: &str, stated: Option<&Outcome>) -> (Step, bool) {
        next(&stand(phase), stated).expect("an end that can be brought about")
    }

    #[test]
    fn the_recorded_end_is_brought_about() {
        let won = Verdict::Win(Side::First);
        let by = |reason| outcome(won, reason);
        assert_eq!(step("play", Some(&by(Reason::Resignation))), (Step::Resign(Side::Second), false));
        assert_eq!(step("play", Some(&by(Reason::Time))), (Step::Resign(Side::Second), true));
        assert_eq!(step("play", Some(&by(Reason::Arbiter))), (Step::Resign(Side::Second), true));
        let draw = outcome(Verdict::Draw, Reason::Agreement);
        assert_eq!(step("move", Some(&draw)), (Step::AgreeToDraw, false));
        assert_eq!(step("play", None), (Step::Resign(Side::Second), false));
    }

    #[test]
    fn an_end_that_should_be_on_the_board_is_missed() {
        let stated = outcome(Verdict::Win(Side::First), Reason::TooFewStones);
        let error = next(&stand("move"), Some(&stated)).expect_err("the game goes on");
        assert!(error.to_string().contains("too-few-stones"));
    }

    #[test]
    fn a_game_that_has_ended_is_left_alone() {
        let over = Stand { over: true, actor: None, ..stand("ended") };
        let stated = outcome(Verdict::Win(Side::First), Reason::TooFewStones);
        assert_eq!(next(&over, Some(&stated)).expect("nothing to do"), (Step::Nothing, false));
    }

    /// By the rules themselves: whatever passes a record leaves out, the game is counted.
    #[test]
    fn a_game_of_go_is_passed_agreed_and_counted() {
        for given in
            [&["E5"][..], &["E5", "pass"], &["E5", "pass", "pass"], &["E5", "pass", "pass", "dead -"]]
        {
            let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "9")).expect("a game");
            let mut acts: Vec<Act> = Vec::new();
            let mut play = |side: Side, text: &str, acts: &mut Vec<Act>| {
                game.play(side, text).expect("a legal act");
                acts.push(Act::by(side, text));
                (game.phase(), game.actors(), game.outcome().is_some())
            };
            let mut now = ("play", rules::Actors::One(Side::First), false);
            for (text, side) in given.iter().zip(Side::BOTH.into_iter().cycle()) {
                now = play(side, text, &mut acts);
            }
            let stated = outcome(Verdict::Win(Side::First), Reason::Score);
            let steps = std::iter::from_fn(|| {
                let actor = Side::BOTH.into_iter().find(|side| now.1.include(*side));
                let last = acts.last();
                let stand = Stand { over: now.2, phase: now.0, actor, last, dead: "E5", ..stand("play") };
                match next(&stand, Some(&stated)).expect("an end that can be brought about").0 {
                    Step::Act(act) => {
                        now = play(act.side().expect("a player"), &act.text, &mut acts);
                        Some(())
                    }
                    _ => None,
                }
            });
            assert_eq!(steps.take(8).count(), 5 - given.len(), "{given:?}");
            assert!(now.2, "{given:?} {acts:?}");
            let removed = given.len() < 4;
            assert_eq!(game.view(rules::Viewer::Spectator).stones.is_empty(), removed, "{given:?}");
        }
    }
}
