//! The table of who may do what in an event, as a page.

use core::fmt::Write as _;

use super::{Act, Role, Stage, role::ROWS};

impl Act {
    /// What it is, in a few words.
    pub const fn said(self) -> &'static str {
        match self {
            Act::EditSettings => "write the settings",
            Act::Adopt => "adopt the supplement (31.1)",
            Act::Appoint => "appoint and dismiss deputies, arbiters and scorers (31.3)",
            Act::AppointLeaders => "appoint and dismiss the chief arbiter and the committee",
            Act::Check => "tick items of the checklist off",
            Act::Advance => "take the event to its next stage",
            Act::Cancel => "call it off",
            Act::Enter => "enter, accept the supplement",
            Act::EnterOthers => "enter others, say their rating, grade and clubs",
            Act::Withdraw => "leave, be away, ask for a bye",
            Act::ChangeEntry => "withdraw, expel, annul or readmit others",
            Act::Prohibit => "forbid a pairing (H4)",
            Act::CommitSeed => "commit to the seed of the draws",
            Act::Pair => "pair, edit, publish, take back and start rounds",
            Act::Relax => "lift rules of pairing (1.3)",
            Act::EnterResult => "enter the result of a board in a hall",
            Act::DecideResult => "decide a result",
            Act::ConfirmResult => "confirm a result that another official has entered",
            Act::CheckIn => "check in, ask for another time of the own board",
            Act::CheckInOthers => "check others in",
            Act::Arrange => "propose times for the own board where games are arranged, answer such proposals",
            Act::TakeLeave => "take leave, and end it",
            Act::GrantLeave => "grant anybody leave, and end it",
            Act::Postpone => "consent to another time of a board",
            Act::Report => "report an incident",
            Act::Rule => "rule on an incident",
            Act::Appeal => "appeal against a ruling (16.4)",
            Act::RuleOnAppeal => "rule on an appeal",
            Act::ReadReports => "read what was reported",
            Act::FilePapers => "file the report, assess arbiters (31.10)",
            Act::Amend => "amend what is final",
            Act::ReadDraft => "read it before it is announced",
            Act::ReadPrivate => "read private notes and reasons",
            Act::SeeUndelayed => "see results before they are broadcast",
            Act::EnterTeam => "enter a team, as a member the one whose captain he is",
            Act::ChangeTeam => "withdraw, expel, annul or readmit teams",
            Act::ChangeCaptain => "give a team another captain",
            Act::ChangeRoster => "give a team other players, as its captain by the settings alone",
            Act::LeadTeam => {
                "accept the supplement for the own team, have it away or its boards later, take leave for it, leave with it"
            }
            Act::DeclareLineUp => "declare a line-up of the own team, and hand it in",
            Act::Challenge => "challenge somebody on a ladder, withdraw that, answer a challenge",
            Act::AnswerForOthers => "answer a challenge for who is challenged, end one that was accepted",
            Act::State => "make a statement, or as an official a private note",
            Act::SeatArbiters => "have arbiters sit at a board",
            Act::SettleTies => "have places shared, or drawn by lot, that a play-off was to decide",
            Act::Post => "post on its notice board, and withdraw what hangs there",
        }
    }
}

/// The table, in Markdown: a letter for each stage in which a role may act.
pub fn printed() -> String {
    let heading: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    let mut text = format!(
        "# Who may do what in an event, and when\n\
         Printed from the table by which it is decided; a test holds this page to it. Stages: **d**raft, **a**dopted,\n\
         **r**egistration, r**u**nning, **c**losing, **f**inal, cancelled (**x**).\n\n| | {} |\n|{} --- |\n",
        heading.join(" | ").replace('_', " "),
        " --- |".repeat(heading.len())
    );
    for (act, roles, stages) in ROWS {
        let when: String = stages.iter().map(|stage| letter(*stage)).collect();
        let cells = Role::ALL.iter().map(|role| if roles.contains(role) { when.as_str() } else { "" });
        let cells: Vec<&str> = cells.collect();
        let _infallible = writeln!(text, "| {} | {} |", act.said(), cells.join(" | "));
    }
    text
}

const fn letter(stage: Stage) -> char {
    match stage {
        Stage::Draft => 'd',
        Stage::Adopted => 'a',
        Stage::Registration => 'r',
        Stage::Running => 'u',
        Stage::Closing => 'c',
        Stage::Final => 'f',
        Stage::Cancelled => 'x',
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::core::event::role::allowed;

    /// `SHOUTAN_BLESS=1` writes the page anew.
    #[test]
    fn the_documentation_has_the_table_as_it_is_decided_by() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/EVENT_ROLES.md");
        if std::env::var_os("SHOUTAN_BLESS").is_some() {
            std::fs::write(page, printed()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(page).expect("EVENT_ROLES.md is there");
        assert_eq!(written, printed(), "SHOUTAN_BLESS=1 writes services/federation/EVENT_ROLES.md anew");
    }

    #[test]
    fn every_act_has_one_row_and_the_public_may_do_nothing() {
        let acts: BTreeSet<Act> = ROWS.iter().map(|(act, ..)| *act).collect();
        assert_eq!(acts.len(), ROWS.len());
        for (act, roles, stages) in ROWS {
            assert!(!roles.is_empty() && !stages.is_empty(), "{act:?}");
            for stage in Stage::ALL {
                assert!(allowed(*act, &[Role::Public].into(), stage).is_err(), "{act:?}");
                let own = allowed(*act, &roles.iter().copied().collect(), stage).is_ok();
                assert_eq!(own, stages.contains(&stage), "{act:?} in {stage}");
            }
        }
    }

    #[test]
    fn nothing_happens_any_more_in_what_is_over_but_amendments() {
        let everybody: BTreeSet<Role> = Role::ALL.into();
        // A notice changes nothing of the event: that it was called off is one.
        let reads = [Act::ReadDraft, Act::ReadPrivate, Act::ReadReports, Act::SeeUndelayed, Act::Post];
        for (act, ..) in ROWS {
            let (final_, cancelled) =
                (allowed(*act, &everybody, Stage::Final), allowed(*act, &everybody, Stage::Cancelled));
            assert_eq!(final_.is_ok(), reads.contains(act) || *act == Act::Amend, "{act:?}");
            assert_eq!(cancelled.is_ok(), reads.contains(act), "{act:?}");
        }
    }

    #[test]
    fn a_player_acts_for_himself_alone() {
        let player: BTreeSet<Role> = [Role::Player].into();
        let may: Vec<Act> = ROWS
            .iter()
            .map(|(act, ..)| *act)
            .filter(|act| Stage::ALL.into_iter().any(|stage| allowed(*act, &player, stage).is_ok()))
            .collect();
        let own = [
            Act::Enter,
            Act::Withdraw,
            Act::CheckIn,
            Act::Arrange,
            Act::TakeLeave,
            Act::Report,
            Act::Appeal,
            Act::Challenge,
            Act::State,
        ];
        assert_eq!(may, own);
    }
}
