//! Events: what they are, what may happen in them, and what follows from what happened.
//!
//! The log of an event is the event. [`Event`] is the fold of its entries, [`LogEntry`]; a call becomes entries by one of
//! the methods that answer with a list of [`Fact`]s, or is refused with a [`Refusal`]; who may make which call when is the
//! table [`role::ROWS`]. A round that was paired is an entry like any other, and is not worked out again when the log is
//! read; [`verify`] does that, to see that all of it was right.

mod accounts;
pub mod arranging;
mod broadcast;
pub mod calendar;
mod challenge;
mod coming;
mod decide;
mod departure;
mod edit;
mod entry;
pub mod fact;
pub mod fair_play;
mod fold;
mod game_id;
mod gone_on;
mod handicap;
mod imported;
pub mod incident;
mod ladder;
mod laws;
pub mod leave;
pub mod limits;
mod lives;
pub mod overview;
pub mod paper;
mod party;
pub mod person;
mod plan;
pub mod play_off;
mod players;
pub mod readings;
mod refusal;
mod result;
pub mod role;
pub mod role_page;
mod round;
pub mod schedule;
pub mod seeds;
pub mod settings;
mod stage;
mod stakes;
pub mod supplement;
mod table;
pub mod team;
mod telling;
pub mod times;
pub mod verify;
pub mod zone;

#[cfg(test)]
mod tests;

pub use arranging::{
    Arranging, ArrangingFact, Engagement, Engagements, Otherwise, Proposal, ProposalAnswer, Unarrangeable,
};
pub use challenge::{Answerer, Challenge, ChallengeAnswer, LadderFact};
pub use coming::Coming;
pub use decide::{StatusChange, create};
pub use edit::{PairingEdit, edit};
pub use entry::EntryUpdate;
pub use fact::{
    Actor, Board, BoardId, BoardResult, Entrant, Fact, LogEntry, PublishedRound, ResultSource, Sealed,
};
pub use fold::{CorruptLog, Event, Participant};
pub use game_id::game_id;
pub use imported::{Held, HeldMeeting, HeldRound, HeldTeam, Origin, imported};
pub use incident::{Incident, IncidentState, Judge, Matter, Notice, Report, Ruling, Sanction};
pub use laws::lifted;
pub use leave::{Leave, LeaveFact, LeaveLeft, LeaveSettings, LeaveState, Leaveless, NewLeave, Whose};
pub use party::Official;
pub use plan::{Unpaired, plan};
pub use play_off::PlayOffSettings;
pub use readings::Readings;
pub use refusal::Refusal;
pub use role::{Act, NotAllowed, Role};
pub use round::{BoardState, Round};
pub use settings::{BadSettings, EntrySettings, Format, GameSettings, Schedule, Settings, Starts};
pub use stage::{CheckItem, Missing, Stage};
pub use table::Table;
pub use team::{
    BadRoster, EnteredTeam, Match, MatchBoard, NewRoster, NewTeam, Opening, TeamEntrant, TeamFact,
    TeamSettings, TeamStatusChange,
};
pub use telling::told;
