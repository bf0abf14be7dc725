//! Notices in words. Whoever speaks another language has these to put into his own, and nothing else.

use api::federation::v1::{Notice, NoticeAbout, NoticeKind, notice_about::Detail};

use crate::commands::event::words as of_events;

/// What a notice says, without where and when.
pub(super) fn said(notice: &Notice) -> String {
    let empty = NoticeAbout::default();
    let about = notice.about.as_ref().unwrap_or(&empty);
    if let Some(said) = at_the_board(notice.kind(), about) {
        return said;
    }
    if let Some(said) = in_the_event(notice.kind(), about) {
        return said;
    }
    in_the_federation(notice.kind(), about).to_owned()
}

/// What is due, in front of when it is.
pub(super) const fn due(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::RoundPublished | NoticeKind::GameArranged => "begins",
        NoticeKind::PostponementAsked
        | NoticeKind::PostponementWaits
        | NoticeKind::BoardPostponed
        | NoticeKind::LeaveEnded => "at",
        _ => "until",
    }
}

/// Whom it concerns, where that has to be said: who acts for several players is told of each.
fn whose(about: &NoticeAbout) -> String {
    match (about.team, about.number) {
        (0, 0) => String::new(),
        (0, number) => format!("entrant {number}: "),
        (team, _) => format!("team {team}: "),
    }
}

fn seat(about: &NoticeAbout) -> String {
    match (about.table, about.opponent) {
        (0, _) => "no game".to_owned(),
        (table, 0) => format!("table {table}"),
        (table, opponent) => format!("table {table} against {opponent}"),
    }
}

fn at_the_board(kind: NoticeKind, about: &NoticeAbout) -> Option<String> {
    let (whose, round, table) = (whose(about), about.round, about.table);
    let board = format!("round {round}, table {table}");
    Some(match kind {
        NoticeKind::RoundPublished => format!("{whose}round {round} is public: {}", seat(about)),
        NoticeKind::RoundBegun => format!("{whose}round {round} has begun: {}", seat(about)),
        NoticeKind::RoundRetracted => format!("{whose}round {round} is taken back and paired again"),
        NoticeKind::BoardReplayed => format!("{whose}{board} is played again"),
        NoticeKind::BoardBegun => format!("{whose}{board}, which was postponed, begins"),
        NoticeKind::ResultEntered => format!("{whose}the result of {board} was entered"),
        NoticeKind::ResultDecided => format!("{whose}the result of {board} was decided"),
        NoticeKind::ResultAmended => format!("{whose}the result of {board} is another one now"),
        NoticeKind::PostponementAsked => {
            format!("{whose}your opponent wants {board} to be played at another time")
        }
        NoticeKind::PostponementWaits => format!("both players want {board} to be played at another time"),
        NoticeKind::BoardPostponed => format!("{whose}{board} is played at another time"),
        NoticeKind::Challenged => format!("{whose}{} challenges you", about.opponent),
        NoticeKind::ChallengeAnswered => {
            format!("{whose}the challenge with {} is {}", about.opponent, detail(about))
        }
        NoticeKind::ProposalWaits => format!("{whose}your opponent proposes times for {board}"),
        NoticeKind::ProposalDeclined => {
            format!("{whose}none of the times that you proposed for {board} was taken")
        }
        NoticeKind::ArrangeDue => format!("{whose}arrange {board} with your opponent"),
        NoticeKind::ArrangeWaits => format!("nobody has arranged {board}, and you decide"),
        NoticeKind::LeaveTaken => on_leave(about, "leave is taken"),
        NoticeKind::LeaveEnded => on_leave(about, "leave is over"),
        NoticeKind::LineUpDue => format!("{whose}declare the line-up of round {round}"),
        NoticeKind::LineUpPublished => {
            format!("{whose}the line-up of team {} for round {round} is public", about.opponent)
        }
        NoticeKind::ArbiterCalled => format!("an arbiter is called to {board}"),
        _ => return None,
    })
}

/// That somebody is on leave, or no more: he who is told, or who sits opposite.
fn on_leave(about: &NoticeAbout, what: &str) -> String {
    let whose = whose(about);
    match about.opponent {
        0 => format!("{whose}{what}"),
        opponent => format!("{whose}{what} by {opponent}, who sits opposite"),
    }
}

fn in_the_event(kind: NoticeKind, about: &NoticeAbout) -> Option<String> {
    let (whose, incident) = (whose(about), about.incident);
    Some(match kind {
        NoticeKind::CaptainChanged => format!("{whose}there is another captain"),
        NoticeKind::RosterChanged => {
            format!("{whose}the team has other players from round {} on", about.round)
        }
        NoticeKind::Incident => format!("{whose}incident {incident} names you"),
        NoticeKind::Ruling => format!("{whose}incident {incident} was ruled on"),
        NoticeKind::AppealAnswered => format!("{whose}your appeal in incident {incident} was answered"),
        NoticeKind::AppealWaits if incident == 0 => {
            format!("an appeal from round {}, table {} waits for you", about.round, about.table)
        }
        NoticeKind::AppealWaits => format!("an appeal in incident {incident} waits for you"),
        NoticeKind::IncidentWaits => format!("incident {incident} waits for you"),
        NoticeKind::Appointed => format!("you are {} of the event", detail(about)),
        NoticeKind::Dismissed => format!("you are {} of the event no more", detail(about)),
        NoticeKind::Entered => format!("{whose}entered"),
        NoticeKind::Withdrawn => format!("{whose}withdrawn"),
        NoticeKind::Expelled => format!("{whose}expelled"),
        NoticeKind::Annulled => format!("{whose}all results are annulled"),
        NoticeKind::Readmitted => format!("{whose}plays again from round {}", about.round),
        NoticeKind::AbsenceNoted => format!("{whose}noted as away in round {}", about.round),
        NoticeKind::SupplementChanged => {
            format!("{whose}version {} of the supplement is to be accepted", about.version)
        }
        NoticeKind::EventAdvanced => format!("the event is in the stage {}", detail(about)),
        NoticeKind::EventCancelled => "the event is called off".to_owned(),
        _ => return None,
    })
}

fn in_the_federation(kind: NoticeKind, about: &NoticeAbout) -> &'static str {
    match (kind, about.detail) {
        (NoticeKind::ApplicationWaits, _) => "somebody has applied for membership and waits for an answer",
        (NoticeKind::ApplicationAnswered, Some(Detail::ApplicationAnswer(answer)))
            if answer == api::federation::v1::Answer::Accepted as i32 =>
        {
            "your application is accepted"
        }
        (NoticeKind::ApplicationAnswered, _) => "your application is refused",
        (NoticeKind::Invited, _) => "you are invited to be a member",
        (NoticeKind::OfficeGranted, _) => "you have an office of the federation",
        (NoticeKind::OfficeRevoked, _) => "you do not have an office of the federation any more",
        (NoticeKind::TeamCaptain, _) => "you are captain of a team",
        (NoticeKind::ProxyGiven, _) => "you may act for a member",
        (NoticeKind::TitleAwarded, _) => "you have a title or a grade",
        (NoticeKind::TitleRevoked, _) => "a title or a grade of yours is revoked",
        (NoticeKind::TitleWaits, _) => "titles are proposed and wait for a second person",
        (NoticeKind::TitleRefused, _) => "a title that you have proposed is refused",
        (NoticeKind::GameArranged, _) => "a game of yours is arranged",
        (NoticeKind::GameCalledOff, _) => "a game of yours is called off",
        (NoticeKind::GameBegun, _) => "a game of yours begins, and waits for you",
        // A newer server tells what this client has no words for.
        _ => "something that this version does not know",
    }
}

/// What else a notice says, as a word.
pub(super) fn detail(about: &NoticeAbout) -> String {
    match about.detail {
        Some(Detail::EventRole(role)) => of_events::role(role),
        Some(Detail::Stage(stage)) => of_events::stage(stage),
        Some(Detail::ChallengeAnswer(answer)) => of_events::challenge_answer(answer),
        Some(Detail::Office(office)) => of_events::office(office),
        Some(Detail::ApplicationAnswer(answer)) => of_events::answer(answer),
        None => String::new(),
    }
}

/// A kind as a word: `NOTICE_KIND_ROUND_BEGUN` is `round-begun`.
pub(super) fn kind(notice: &Notice) -> String {
    of_events::notice_kind(notice.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(kind: NoticeKind, about: NoticeAbout) -> Notice {
        Notice { kind: kind.into(), about: Some(about), ..Notice::default() }
    }

    #[test]
    fn every_kind_has_words_of_its_own() {
        let kinds = (1..200).filter_map(|number| NoticeKind::try_from(number).ok());
        let about = NoticeAbout { incident: 3, round: 2, table: 4, opponent: 5, ..Default::default() };
        let mut said: Vec<String> = kinds.map(|kind| super::said(&notice(kind, about.clone()))).collect();
        let count = said.len();
        assert!(said.iter().all(|words| !words.contains("does not know")), "{said:?}");
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), count, "each has words of its own");
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn who_is_told_of_a_round_reads_where_he_sits() {
        let about = NoticeAbout { round: 1, table: 2, number: 7, opponent: 9, ..Default::default() };
        let public = said(&notice(NoticeKind::RoundPublished, about));
        assert_eq!(public, "entrant 7: round 1 is public: table 2 against 9");
        let out = said(&notice(NoticeKind::RoundPublished, NoticeAbout { round: 1, ..Default::default() }));
        assert_eq!(out, "round 1 is public: no game");
        let detail = Some(Detail::Stage(api::federation::v1::EventStage::Running.into()));
        let advanced = said(&notice(NoticeKind::EventAdvanced, NoticeAbout { detail, ..Default::default() }));
        assert_eq!(advanced, "the event is in the stage running");
    }
}
