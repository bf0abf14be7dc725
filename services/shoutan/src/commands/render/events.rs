//! What happened, in words.

use api::{
    board::v1::Side,
    clock::v1::{Maintenance, MaintenanceNotice},
    game::v1::{
        GameEvent, Proposal, adjournment_step::Step, game_event::Event, proposal::Proposal as Wish,
        seal_ruling::Ruling,
    },
    time::moment,
};
use prost_types::Timestamp;
use time::OffsetDateTime;

use super::{Sides, outcome_line, rulings, sanitize};

/// One sentence about an event; nothing about the beginning.
pub(crate) fn tell(event: &GameEvent, sides: &Sides) -> Option<String> {
    let author = sides.name(event.author());
    let outcome = event.state.as_ref().and_then(|state| state.outcome.as_ref());
    let ending = || outcome.map_or(String::new(), |outcome| format!(": {}", outcome_line(outcome)));
    match event.event.as_ref()? {
        Event::Created(_) => None,
        Event::Played(played) => {
            let act = played.act.as_ref()?;
            let number = event.state.as_ref().map_or(0, |state| state.ply);
            let side = sides.name(Side::try_from(act.side).unwrap_or_default());
            let ended = outcome.map_or(String::new(), |_| format!(", which ends the game{}", ending()));
            Some(format!("{number}. {side} {}{ended}", sanitize(&act.text)))
        }
        Event::DrawOffered(_) => Some(format!("{author} offers a draw")),
        Event::DrawDeclined(_) => Some(format!("{author} declines the draw")),
        Event::OutageCredited(_) => Some("the platform was down; that time is given back".to_owned()),
        Event::Ended(_) => Some(format!("the game is over{}", ending())),
        Event::Proposed(proposed) => Some(format!("{author} proposes {}", wish(proposed.proposal?)?)),
        Event::ProposalDropped(dropped) => {
            Some(format!("{author} does not wish {}", wish(dropped.proposal?)?))
        }
        Event::Agreed(agreed) => Some(format!("it is agreed {}", wish(agreed.proposal?)?)),
        Event::TimeGiven(given) => {
            let seconds = given.given_duration.as_ref().map_or(0, |span| span.seconds);
            Some(format!("{author} gives the opponent {seconds} s"))
        }
        Event::Petitioned(petition) => rulings::petition(petition, author),
        Event::Ruled(ruling) => {
            let official = event.official.as_ref().map_or("an official", |official| official.name.as_str());
            let told = rulings::ruling(ruling, official, sides)?;
            Some(format!("{told}{}", ending()))
        }
        Event::ForbiddenPlayed(played) => {
            let forbidden = played.forbidden.as_ref()?;
            let consequence = rulings::consequence(forbidden.incident.as_ref()?);
            Some(format!(
                "{author} {}, which is forbidden{consequence}{}",
                sanitize(&forbidden.text),
                ending()
            ))
        }
        Event::Expired(expiry) => rulings::expiry(*expiry),
        Event::Left(_) => Some(format!("{author} is gone")),
        Event::Returned(_) => Some(format!("{author} is back")),
        Event::CheckedIn(_) => Some(format!("{author} has come")),
        Event::Started(_) => Some(format!("play begins{}", ending())),
        Event::LeaveChanged(it) if it.on_leave => Some("a player is on leave, and the game rests".to_owned()),
        Event::LeaveChanged(_) => Some("nobody is on leave any more".to_owned()),
        Event::MaintenanceBegun(it) => Some(begun(it.maintenance.as_ref()?)),
        Event::MaintenanceEnded(_) => {
            Some("the platform is worked on no longer, and the game goes on".to_owned())
        }
        Event::Adjournment(step) => adjournment(step.step.as_ref()?, author),
    }
}

/// One sentence about a maintenance that has begun.
fn begun(maintenance: &Maintenance) -> String {
    let (until, why) = (at(" until", maintenance.end_time.as_ref()), why(maintenance));
    format!("the platform is worked on{until}, and the game rests{why}")
}

/// One sentence about the maintenance that is planned, if one is.
pub(crate) fn planned_maintenance(notice: &MaintenanceNotice) -> String {
    let Some(maintenance) = &notice.maintenance else {
        return "no maintenance of the platform is planned any more".to_owned();
    };
    let begin = at(" from", maintenance.begin_time.as_ref());
    let (until, why) = (at(" until", maintenance.end_time.as_ref()), why(maintenance));
    format!("the platform is worked on{begin}{until}, and all games rest{why}")
}

/// A moment behind a word; nothing where it is not said.
fn at(word: &str, time: Option<&Timestamp>) -> String {
    time.and_then(moment).map_or(String::new(), |time| format!("{word} {}", point_in_time(time)))
}

fn why(maintenance: &Maintenance) -> String {
    match sanitize(&maintenance.reason) {
        why if why.is_empty() => String::new(),
        why => format!(": {why}"),
    }
}

/// One sentence about a step of an adjournment.
fn adjournment(step: &Step, author: &str) -> Option<String> {
    Some(match step {
        Step::SealingBegun(_) => "the game is to be adjourned; a move is to be sealed".to_owned(),
        Step::MoveSealed(_) => format!("{author} has sealed a move; the game is adjourned"),
        Step::ResumptionSet(set) => {
            format!("the game goes on at {}", point_in_time(moment(&set.resumption_time?)?))
        }
        Step::ResumptionAnnounced(announced) => {
            format!("the game goes on soon, at {}", point_in_time(moment(&announced.resumption_time?)?))
        }
        Step::MoveOpened(opened) => format!("the sealed move is opened: {}", sanitize(&opened.act)),
        Step::MoveHeld(held) => {
            format!("the sealed move cannot be played ({}); an arbiter has to decide", sanitize(&held.reason))
        }
        Step::MoveRuled(ruled) => {
            let ruling = match ruled.ruling.as_ref()?.ruling.as_ref()? {
                Ruling::Act(act) => format!("{} is played in its place", sanitize(act)),
                Ruling::TurnBack(_) => "the turn goes back".to_owned(),
            };
            format!("an arbiter has decided about the sealed move: {ruling} ({})", sanitize(&ruled.reason))
        }
    })
}

/// A time as people read it, in UTC.
pub(crate) fn point_in_time(time: OffsetDateTime) -> String {
    format!("{} {:02}:{:02} UTC", time.date(), time.hour(), time.minute())
}

/// What a proposal is about, in words that follow "proposes" and "is agreed".
fn wish(proposal: Proposal) -> Option<String> {
    Some(match proposal.proposal? {
        Wish::Undo(undo) => format!("to go back to move {}", undo.ply),
        Wish::Pause(_) => "to pause".to_owned(),
        Wish::Resume(_) => "to go on".to_owned(),
        Wish::Rematch(_) => "to play once more".to_owned(),
        Wish::Adjourn(_) => "to adjourn".to_owned(),
        Wish::ResumeAt(resume) => format!("to go on at {}", point_in_time(moment(&resume.resumption_time?)?)),
    })
}

#[cfg(test)]
mod tests {
    use api::{
        board::v1::{Outcome, Reason, Verdict},
        game::v1::{
            GameState, PlayedAct,
            game_event::{DrawOffered, Ended, Played},
        },
    };

    use super::*;

    fn event(kind: Event, outcome: Option<Outcome>) -> GameEvent {
        let state = GameState { ply: 7, outcome, ..GameState::default() };
        let author = Side::First as i32;
        GameEvent { author, event: Some(kind), state: Some(state), ..GameEvent::default() }
    }

    #[test]
    fn events_become_sentences() {
        let sides = Sides::new("White", "Black", None);
        let resigned = Outcome {
            verdict: Verdict::SecondWins as i32,
            reason: Reason::Resignation as i32,
            short: "B+R".to_owned(),
            ..Outcome::default()
        };
        let act = PlayedAct { side: Side::First as i32, text: "H8".to_owned() };
        let played = Event::Played(Played { act: Some(act), ..Played::default() });
        let told = |kind, outcome| tell(&event(kind, outcome), &sides);
        assert_eq!(told(played.clone(), None).as_deref(), Some("7. White H8"));
        assert_eq!(
            told(played, Some(resigned.clone())).as_deref(),
            Some("7. White H8, which ends the game: B+R (resignation)")
        );
        assert_eq!(told(Event::DrawOffered(DrawOffered {}), None).as_deref(), Some("White offers a draw"));
        assert_eq!(
            told(Event::Ended(Ended {}), Some(resigned)).as_deref(),
            Some("the game is over: B+R (resignation)")
        );
    }
}
