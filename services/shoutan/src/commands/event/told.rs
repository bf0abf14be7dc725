//! Entries of a log in words.

use api::federation::v1::{
    ChallengeAnswer, EventLogBody, ResultCode, RosterChanged, Round, StatementFiled, event_log_body::Fact,
};

use super::{
    arranging, leave, people::People, roles::separated, rounds::result_text, shown, states::status_text,
    words,
};
use crate::commands::{render::sanitize, zone::Zone};

/// What happened, in one sentence.
pub(super) fn fact(body: &EventLogBody, people: &People, zone: &Zone) -> String {
    let Some(fact) = &body.fact else { return "something that this version does not know".to_owned() };
    match fact {
        Fact::Created(it) => format!("{} is made", shown::both(it.name.as_ref())),
        Fact::SettingsChanged(it) => format!("the settings are changed{}", because(&it.reason)),
        Fact::Adopted(it) => format!("version {} of the supplement is adopted", it.version),
        Fact::Advanced(it) => format!("the event goes on: {}", words::stage(it.stage)),
        Fact::Cancelled(it) => format!("the event is called off{}", because(&it.reason)),
        Fact::Checked(it) => {
            format!("{} is {}", words::item(it.item), if it.done { "ticked off" } else { "open again" })
        }
        Fact::Appointed(it) => {
            format!("{} is {} from now on", people.account(&it.account_id), words::role(it.role))
        }
        Fact::Dismissed(it) => {
            format!("{} is {} no more", people.account(&it.account_id), words::role(it.role))
        }
        Fact::ReportFiled(_) => "the report is filed".to_owned(),
        Fact::ArbiterAssessed(it) => format!("{} is assessed", people.account(&it.account_id)),
        Fact::Imported(it) => {
            format!("it was held elsewhere, and comes from a file of {}: {}", it.format, it.statement)
        }
        Fact::Amended(it) => format!("the event is amended{}", because(&it.reason)),
        entry_or_round => of_play(entry_or_round, people, zone),
    }
}

/// What happened among the players.
fn of_play(fact: &Fact, people: &People, zone: &Zone) -> String {
    match fact {
        Fact::Entered(it) => {
            let number = it.entrant.as_ref().map_or(0, |it| it.number);
            let late =
                if it.from_round > 1 { format!(", from round {}", it.from_round) } else { String::new() };
            format!("{} enters{late}", people.player(number))
        }
        Fact::EntryUpdated(it) => {
            let what = |name: &str, value: Option<i32>| value.map(|value| format!("{name} {value}"));
            let words = [what("rated", it.rating), what("grade", it.grade)].into_iter().flatten();
            let words: Vec<String> = std::iter::once("is corrected".to_owned()).chain(words).collect();
            format!("the entry of {} {}", people.player(it.number), words.join(", "))
        }
        Fact::Accepted(it) => {
            format!("{} accepts version {} of the supplement", people.player(it.number), it.version)
        }
        Fact::StatusAdded(it) => {
            let status = it.status.map(status_text).unwrap_or_default();
            format!("{} is {status}", people.player(it.number))
        }
        Fact::Prohibited(it) => {
            let [one, other] = [it.one, it.other].map(|number| people.player(number));
            let to = if it.to_round < u32::from(u16::MAX) {
                format!("to {}", it.to_round)
            } else {
                "on".to_owned()
            };
            format!("{one} and {other} do not meet from round {} {to}", it.from_round)
        }
        Fact::SeedCommitted(it) => format!("the draws are held to {}", shown::hex(&it.head)),
        Fact::RoundPublished(it) => it.round.as_ref().map(published).unwrap_or_default(),
        Fact::RoundRetracted(it) => format!("round {} is taken back{}", it.round, because(&it.reason)),
        Fact::RoundStarted(it) => format!("round {} begins", it.round),
        Fact::ResultEntered(it) => {
            let result = it.result.as_ref();
            let winner = match result.map(|it| (it.first(), it.second())) {
                Some((ResultCode::Win | ResultCode::ForfeitWin, _)) => "the first wins, ",
                Some((_, ResultCode::Win | ResultCode::ForfeitWin)) => "the second wins, ",
                _ => "",
            };
            let text = result.map(result_text).unwrap_or_default();
            format!("round {}, table {}: {winner}{text}", it.round, it.table)
        }
        Fact::ReplayStarted(it) => format!("round {}, table {} is played again", it.round, it.table),
        Fact::CheckedIn(it) => format!("{} is there for round {}", people.player(it.number), it.round),
        Fact::PostponementAsked(it) => {
            let to = moment(it.start_time.as_ref(), zone);
            format!("{} wants round {}, table {} to be at {to}", people.player(it.number), it.round, it.table)
        }
        Fact::BoardPostponed(it) => {
            format!(
                "round {}, table {} is to be at {}",
                it.round,
                it.table,
                moment(it.start_time.as_ref(), zone)
            )
        }
        Fact::BoardStarted(it) => format!("round {}, table {} begins", it.round, it.table),
        of_others => arranging::told(of_others, people, zone)
            .or_else(|| leave::told(of_others, people, zone))
            .unwrap_or_else(|| of_teams(of_others, people)),
    }
}

/// Who plays for a team from now on.
fn roster(it: &RosterChanged, people: &People) -> String {
    let named = |numbers: &[u32]| numbers.iter().map(|it| people.player(*it)).collect::<Vec<_>>();
    let entered: Vec<u32> = it.entrants.iter().map(|it| it.number).collect();
    let part = |word: &str, who: Vec<String>| {
        if who.is_empty() { String::new() } else { format!("; {word}: {}", who.join(", ")) }
    };
    let came = part("new", [named(&entered), named(&it.returned)].concat());
    let left = part("gone", named(&it.left));
    let order = [named(&it.players), named(&it.reserves)].concat().join(", ");
    format!("team {} is from round {} on {order}{came}{left}", people.team(it.team), it.from_round)
}

/// What happened among teams, and on ladders.
fn of_teams(fact: &Fact, people: &People) -> String {
    match fact {
        Fact::TeamEntered(it) => {
            let team = it.team.as_ref().map_or(0, |it| it.number);
            let players: Vec<String> = it.entrants.iter().map(|it| people.player(it.number)).collect();
            format!("team {} enters with {}", people.team(team), players.join(", "))
        }
        Fact::TeamStatusAdded(it) => {
            let status = it.status.map(status_text).unwrap_or_default();
            format!("team {} is {status}", people.team(it.team))
        }
        Fact::TeamAccepted(it) => {
            format!("team {} accepts version {} of the supplement", people.team(it.team), it.version)
        }
        Fact::LineUpDeclared(it) => {
            format!("team {} declares a line-up for round {}, sealed", people.team(it.team), it.round)
        }
        Fact::LineUpHandedIn(it) => {
            format!("team {} hands its line-up for round {} in", people.team(it.team), it.round)
        }
        Fact::LineUpRevealed(it) => {
            let players: Vec<String> = it.players.iter().map(|it| people.player(*it)).collect();
            let team = people.team(it.team);
            format!("the line-up of team {team} for round {} is public: {}", it.round, players.join(", "))
        }
        Fact::CaptainChanged(it) => {
            let captain = people.account(&it.captain_account_id);
            format!("{captain} is captain of team {} from now on", people.team(it.team))
        }
        Fact::RosterChanged(it) => roster(it, people),
        Fact::TiesSettled(it) => {
            let how = if it.by_lot { "drawn by lot" } else { "shared" };
            format!("places that no play-off has decided are {how}{}", because(&it.reason))
        }
        Fact::BoardsLaid(it) => format!("round {}: {} boards are laid", it.round, it.boards.len()),
        Fact::ChallengeMade(it) => {
            format!("{} challenges {}", people.player(it.challenger), people.player(it.holder))
        }
        Fact::ChallengeAnswered(it) => {
            answered(it.answer(), &people.player(it.challenger), &people.player(it.holder))
        }
        of_arbiters => of_incidents(of_arbiters, people),
    }
}

/// What was answered to a challenge, and what follows from it.
fn answered(answer: ChallengeAnswer, challenger: &str, holder: &str) -> String {
    match answer {
        ChallengeAnswer::Accepted => format!("{holder} accepts the challenge of {challenger}"),
        ChallengeAnswer::Refused => {
            format!("{holder} refuses the challenge of {challenger}, who takes the place by forfeit")
        }
        ChallengeAnswer::Lapsed => {
            format!("{holder} has not answered {challenger} in time, who takes the place by forfeit")
        }
        ChallengeAnswer::Withdrawn => format!("{challenger} withdraws the challenge of {holder}"),
        ChallengeAnswer::Unspecified => String::new(),
    }
}

/// What arbiters have to do with.
fn of_incidents(fact: &Fact, people: &People) -> String {
    match fact {
        Fact::IncidentReported(it) => {
            let accused = if it.accused > 0 { people.player(it.accused) } else { "nobody".to_owned() };
            format!("incident {} is reported: {}, accused is {accused}", it.number, words::incident(it.kind))
        }
        Fact::IncidentRuled(it) => {
            let sanction = words::sanction(it.ruling.unwrap_or_default().sanction);
            let granted = if it.granted { ", on an appeal that is granted" } else { "" };
            format!("incident {} is ruled on: {sanction}{granted}", it.number)
        }
        Fact::RulingAppealed(it) => {
            format!("{} appeals in incident {}", people.player(it.appellant), it.number)
        }
        Fact::GameNoticed(it) => {
            let notice = it.notice.unwrap_or_default();
            let player = if notice.player > 0 { people.player(notice.player) } else { String::new() };
            let of = [words::incident(notice.kind), words::sanction(notice.sanction), player];
            let of: Vec<String> = of.into_iter().filter(|word| !word.is_empty()).collect();
            let what = words::matter(notice.matter);
            format!("round {}, table {}: {what} {}", it.round, it.table, of.join(", ")).trim_end().to_owned()
        }
        Fact::StatementFiled(it) if it.number > 0 => {
            format!("{} makes a statement{}, for officials", people.player(it.number), about(it))
        }
        Fact::StatementFiled(it) => format!("a private note{} is filed", about(it)),
        Fact::ArbitersSeated(it) if it.account_ids.is_empty() => {
            format!("round {}, table {}: no arbiter sits there", it.round, it.table)
        }
        Fact::ArbitersSeated(it) => {
            let names: Vec<String> = it.account_ids.iter().map(|id| people.account(id)).collect();
            format!("round {}, table {}: {} sit there", it.round, it.table, names.join(", "))
        }
        other => kind(other).replace('-', " "),
    }
}

/// The board and the incident that a statement is about.
fn about(it: &StatementFiled) -> String {
    let board =
        if it.round > 0 { format!(" on round {}, table {}", it.round, it.table) } else { String::new() };
    let incident = if it.incident > 0 { format!(" on incident {}", it.incident) } else { String::new() };
    board + &incident
}

pub(super) fn moment(it: Option<&prost_types::Timestamp>, zone: &Zone) -> String {
    it.and_then(api::time::moment).map(|moment| zone.told(moment)).unwrap_or_default()
}

fn published(round: &Round) -> String {
    let out = match round.out.len() {
        0 => String::new(),
        out => format!(", {out} without a game"),
    };
    let what = if round.matches.is_empty() { "boards" } else { "matches" };
    let play_off = if round.play_off { " of the play-off" } else { "" };
    let count = round.pairings.len().max(round.matches.len());
    let by_hand = if round.edits.is_empty() { "" } else { ", changed by hand" };
    format!("round {}{play_off} is public: {count} {what}{out}{by_hand}", round.number)
}

fn because(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": {}", sanitize(reason)) }
}

/// The name of what happened, for scripts: `round-published`.
pub(super) fn name(body: &EventLogBody) -> String {
    body.fact.as_ref().map(kind).unwrap_or_default()
}

/// Its variant's name says what it is.
fn kind(fact: &Fact) -> String {
    let debug = format!("{fact:?}");
    separated(debug.split('(').next().unwrap_or_default())
}

/// The accounts that an entry names.
pub(super) fn accounts(body: &EventLogBody) -> Vec<String> {
    let named = match &body.fact {
        Some(Fact::Appointed(it)) => vec![it.account_id.clone()],
        Some(Fact::Dismissed(it)) => vec![it.account_id.clone()],
        Some(Fact::ArbiterAssessed(it)) => vec![it.account_id.clone()],
        Some(Fact::CaptainChanged(it)) => vec![it.captain_account_id.clone()],
        Some(Fact::ArbitersSeated(it)) => it.account_ids.clone(),
        _ => Vec::new(),
    };
    named.into_iter().chain([body.account_id.clone()]).collect()
}

#[cfg(test)]
mod tests {
    use api::federation::v1::{BoardResult, ResultReason, event_log_body as facts};

    use super::*;

    fn told(fact: Fact) -> (String, String) {
        let body = EventLogBody { fact: Some(fact), ..EventLogBody::default() };
        (name(&body), super::fact(&body, &People::default(), &Zone::here()))
    }

    #[test]
    fn entries_are_told_in_words_and_by_name() {
        let result = BoardResult {
            first: ResultCode::ForfeitLoss.into(),
            second: ResultCode::ForfeitWin.into(),
            reason: ResultReason::Withdrawal.into(),
            ..BoardResult::default()
        };
        let result = facts::ResultEntered { round: 5, table: 12, result: Some(result) };
        let retracted = facts::RoundRetracted { round: 2, reason: "a\u{1b}[2J storm".to_owned() };
        let apart = facts::Prohibited {
            one: 1,
            other: 2,
            from_round: 9,
            to_round: u16::MAX.into(),
            ..facts::Prohibited::default()
        };
        for (fact, name, words) in [
            (Fact::RoundStarted(facts::RoundStarted { round: 3 }), "round-started", "round 3 begins"),
            (
                Fact::ResultEntered(result),
                "result-entered",
                "round 5, table 12: the second wins, 0–2 by forfeit, withdrawal",
            ),
            (Fact::Prohibited(apart), "prohibited", "1 and 2 do not meet from round 9 on"),
            (Fact::RoundRetracted(retracted), "round-retracted", "round 2 is taken back: a\u{fffd}[2J storm"),
        ] {
            assert_eq!(told(fact), (name.to_owned(), words.to_owned()));
        }
        let newer = EventLogBody::default();
        assert_eq!(name(&newer), "");
        assert!(super::fact(&newer, &People::default(), &Zone::here()).contains("does not know"));
    }
}
