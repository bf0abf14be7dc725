//! What the game service decides, in plain types: no network, no database, no clock of its own.

mod adjournment;
mod arbitration;
pub mod chat;
mod check_in;
mod claims;
mod command_error;
mod conduct;
mod decide;
mod derived;
mod due;
mod event;
mod flag;
mod game;
mod game_filter;
mod game_spec;
mod header;
mod import_usage;
mod incident;
mod maintenance;
mod notices;
mod obligations;
mod petition;
pub mod presence;
mod progress;
mod proposal_counts;
mod record;
mod regulations;
mod replay;
mod rewind;
mod ruling;
mod ruling_error;

pub use adjournment::{
    Adjournment, AdjournmentStep, Opening, RESUMPTION_MAX, RESUMPTION_NOTICE, SealRuling, SealedMove,
};
pub use arbitration::{Arbitration, Call, Penalty};
pub use check_in::CheckIn;
pub use claims::{Claim, ClaimKind, ClaimState, ClaimStep};
pub use command_error::CommandError;
pub use conduct::{Conduct, FinishedGame};
pub use decide::{
    ACT_BYTES_MAX, AbandonmentClaim, ActingOfficial, ClockUpdate, Command, PendingEvent, TimeStep,
    begin_sealing, decide, decide_house, decide_leave, decide_left, decide_maintenance, decide_returned,
    decide_ruling, decide_task, flag_event, outage_event, rule_on_sealed, set_resumption,
};
pub use derived::{import_of, rematch_of};
pub use due::due;
pub use event::{
    By, ClockEntry, Event, EventKind, Forbidden, GameInfo, GameState, Official, Origin, Played, Reading,
    Role, Sealed, Seat, SideTime, TimeControl, creation,
};
pub use flag::FlagFall;
pub use game::{Corrupt, Game};
pub use game_filter::GameFilter;
pub use game_spec::{GameSpec, InvalidGameSpec};
pub use header::Header;
pub use import_usage::ImportUsage;
pub use incident::{Incident, Report};
pub use maintenance::{
    MAINTENANCE_AHEAD_MAX, MAINTENANCE_MAX, MAINTENANCE_MIN, MAINTENANCE_REASON_MAX, Maintenance,
    MaintenanceChange, MaintenanceError,
};
pub use notices::{EventNotice, NoticeMatter};
pub use obligations::{EventReport, Obligation, RatedResult, final_result, obligations};
pub use petition::{Expiry, NewClaim, Petition};
pub use presence::{Absence, Presence};
pub use progress::{Due, PauseReason, Progress, Proposal, Stage, Task};
pub use proposal_counts::{LIMITS as PROPOSALS, Matter, ProposalCounts};
pub use record::{ACTS_A_BREATH, ImportError, export, file_name, import};
pub use regulations::{
    BROADCAST_DELAY_MAX, CONTEST, CONTEST_MAX, Confirmation, IllegalInput, InvalidRegulations, LATENESS,
    LATENESS_MAX, Regulations, WARNINGS_MAX,
};
pub use replay::{Replay, Sheet};
pub use rewind::effective_acts;
pub use ruling::{ClaimDecision, DeclaredResult, OfficialAct, Permission, Ruling};
pub use ruling_error::RulingError;

use rules::{Outcome, Reason, Side, StoneColour, Verdict};

/// The result in the short form of records: `B+0.5`, `W+R`, `Draw`.
pub fn short_result(colours: [Option<StoneColour>; 2], outcome: &Outcome) -> String {
    if let Some(score) = &outcome.score {
        return score.points.clone();
    }
    let winner = match outcome.verdict {
        Verdict::Win(side) => match colours[side.index()] {
            Some(colour) => colour.letter(),
            // Colours were not decided yet: the sides have numbers.
            None => char::from(b'1' + u8::from(side == Side::Second)),
        },
        Verdict::Draw => return "Draw".to_owned(),
        Verdict::BothLose | Verdict::Void => return "Void".to_owned(),
    };
    match outcome.reason {
        Reason::Resignation => format!("{winner}+R"),
        Reason::Time => format!("{winner}+T"),
        reason if reason.is_forfeit() => format!("{winner}+F"),
        _ => format!("{winner}+"),
    }
}
