//! Rounds: paired, changed, published, begun, and looked at.

use anyhow::{Context as _, ensure};
use api::{
    client::RetryPolicy,
    error::reason as reason_of,
    federation::v1::{
        BoardResult, Event, GetRoundRequest, PairRoundRequest, PairingEdit, Relaxed, ResultCode, Round,
        board_result::Source,
        pair_round_response::Answer,
        pairing_edit::{Edit, Swap, Turn},
    },
};
use clap::ArgGroup;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{
    arranging,
    change::{Target, change, event, told},
    people::People,
    print,
    session::{Session, ask},
    shown,
    states::out_text,
    words,
};
use crate::commands::{federation::shown::time as shown_time, render::sanitize, terminal::say};

/// What is done with rounds.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Pairs the next round, as a draft that only officials see. How far it is is told on standard error.
    Pair {
        #[command(flatten)]
        target: Target,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
        /// Lifts rules of pairing, those before it included; only the chief arbiter can, and with a reason.
        #[arg(long, value_parser = words::rules(), default_value = None, requires = "reason")]
        relax: Option<i32>,
        /// Why rules are lifted; everybody reads it.
        #[arg(long, default_value = None)]
        reason: Option<String>,
        /// Also says why these two: whom the higher ranked did not meet, and why.
        #[arg(long)]
        why: bool,
    },
    /// Changes the draft of the next round, with a reason that everybody reads.
    #[command(group = ArgGroup::new("edits").args(["swap", "turn"]).required(true).multiple(true))]
    Edit {
        #[command(flatten)]
        target: Target,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
        /// Two numbers who change their places, as 3,7; may be repeated.
        #[arg(long, value_name = "ONE,OTHER", value_parser = swap)]
        swap: Vec<(u32, u32)>,
        /// A table whose colours are turned; may be repeated. Places change first.
        #[arg(long, value_name = "TABLE")]
        turn: Vec<u32>,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Makes the draft public.
    Publish {
        #[command(flatten)]
        target: Target,
        /// The round; the next one when it is not said.
        #[arg(long)]
        round: Option<u32>,
    },
    /// Takes the last public round back, before the first move of any of its games.
    Retract {
        #[command(flatten)]
        target: Target,
        /// The round; the last public one when it is not said.
        #[arg(long)]
        round: Option<u32>,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Starts a round: its games are made.
    Start {
        #[command(flatten)]
        target: Target,
        /// The round; the last public one when it is not said.
        #[arg(long)]
        round: Option<u32>,
    },
    /// Prints a round with its results. When no round is said, officials also read the draft of the next; in JSON it stands
    /// where no round is public yet.
    Round {
        /// The event's id.
        event: String,
        /// The round; the last public one when it is not said.
        #[arg(default_value_t = 0, hide_default_value = true)]
        round: u32,
        /// As it was after this entry of the log.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
        as_of_sequence: u64,
        /// Also says why these two.
        #[arg(long)]
        why: bool,
    },
}

fn swap(text: &str) -> Result<(u32, u32), String> {
    let numbers =
        text.split_once(',').and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
    numbers.ok_or_else(|| "write two numbers, such as 3,7".to_owned())
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Pair { target, round, relax, reason, why } => {
            let event = event(session, &target.event).await?;
            let request = PairRoundRequest {
                event_id: target.event,
                request_id: session.new_id(),
                expected_sequence: target.expect,
                validate_only: target.dry_run,
                round: round.unwrap_or(event.round + 1),
                relaxed: relax.unwrap_or(Relaxed::Nothing.into()),
                reason: reason.unwrap_or_default(),
            };
            let only_checked = request.validate_only;
            let round = paired(session, request).await?;
            let people = People::of(session, &event).await?;
            if session.json {
                let mut record = record(&round, &people);
                record.push(("only_checked", json!(only_checked)));
                return print::one(true, &record);
            }
            print_round(session, &round, &people, why)?;
            if only_checked { say("it can be paired; nothing is written") } else { Ok(()) }
        }
        Command::Round { event: event_id, round, as_of_sequence, why } => {
            let event = event(session, &event_id).await?;
            let rounds = asked(session, &event, round, as_of_sequence).await?;
            let mut people = People::of(session, &event).await?;
            let seats = rounds.iter().flat_map(|round| &round.pairings);
            people.look_up(session, seats.flat_map(|it| it.arbiter_account_ids.clone())).await?;
            rounds.iter().try_for_each(|round| print_round(session, round, &people, why))
        }
        other => changed(session, other).await,
    }
}

async fn changed(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, after) = match command {
        Command::Edit { target, round, swap, turn, reason } => {
            let round = round_or(session, &target, round, 1).await?;
            let swaps = swap.into_iter().map(|(one, other)| Edit::Swap(Swap { one, other }));
            let turns = turn.into_iter().map(|table| Edit::Turn(Turn { table }));
            let edits = swaps.chain(turns).map(|edit| PairingEdit { edit: Some(edit) }).collect();
            let after =
                change!(session, target, edit_pairings(EditPairingsRequest { round, edits, reason }))?;
            (target, after)
        }
        Command::Publish { target, round } => {
            let public = event(session, &target.event).await?.round;
            let round = round.unwrap_or(public + 1);
            let after = change!(session, target, publish_round(PublishRoundRequest { round }));
            (target, after.map_err(|refused| not_published(refused, round, public))?)
        }
        Command::Retract { target, round, reason } => {
            let round = last_public(session, &target, round).await?;
            let after = change!(session, target, retract_round(RetractRoundRequest { round, reason }))?;
            (target, after)
        }
        Command::Start { target, round } => {
            let round = last_public(session, &target, round).await?;
            let after = change!(session, target, start_round(StartRoundRequest { round }))?;
            (target, after)
        }
        Command::Pair { .. } | Command::Round { .. } => return Ok(()),
    };
    told(session, &target, &after).await
}

/// The round that is said, or the last public one.
async fn last_public(session: &Session, target: &Target, said: Option<u32>) -> anyhow::Result<u32> {
    let round = round_or(session, target, said, 0).await?;
    ensure!(round > 0, "no round is public yet: `pair` makes a draft, and `publish` makes it public");
    Ok(round)
}

/// Why a round is not published, with what there is to do where it has no draft.
fn not_published(refused: anyhow::Error, round: u32, public: u32) -> anyhow::Error {
    let status = refused.downcast_ref::<tonic::Status>();
    if status.map(reason_of).unwrap_or_default() != api::reason::NO_DRAFT {
        return refused;
    }
    if round <= public {
        return refused.context(format!("round {round} is public already"));
    }
    refused.context(format!("round {round} has no draft: `pair` makes that of round {}", public + 1))
}

/// The round that is said; without one the last that is public, and the draft of the next where the account may see it.
async fn asked(session: &Session, event: &Event, said: u32, as_of: u64) -> anyhow::Result<Vec<Round>> {
    if said > 0 || as_of > 0 {
        return Ok(vec![round_as_of(session, &event.id, said, as_of).await?]);
    }
    let mut rounds = Vec::new();
    if event.round > 0 {
        rounds.push(round(session, &event.id, event.round).await?);
        // A script is given one round.
        if session.json {
            return Ok(rounds);
        }
    }
    match round(session, &event.id, event.round + 1).await {
        Ok(draft) => rounds.push(draft),
        Err(error) if rounds.is_empty() => return Err(error.context("no round is public yet")),
        Err(_) => {}
    }
    Ok(rounds)
}

/// The round that is said, or the one so many after the last that is public.
async fn round_or(session: &Session, target: &Target, said: Option<u32>, after: u32) -> anyhow::Result<u32> {
    match said {
        Some(round) => Ok(round),
        None => Ok(event(session, &target.event).await?.round + after),
    }
}

/// A round as it stands now.
pub(super) async fn round(session: &Session, event: &str, round: u32) -> anyhow::Result<Round> {
    round_as_of(session, event, round, 0).await
}

async fn round_as_of(session: &Session, event: &str, round: u32, as_of: u64) -> anyhow::Result<Round> {
    let request = GetRoundRequest { event_id: event.to_owned(), round, as_of_sequence: as_of };
    let round = ask!(session.events(), get_round, request)?.round;
    round.context("the server's answer lacks the round")
}

/// Has a round paired and tells how far it is. A stream that breaks is asked for again by the same request.
pub(super) async fn paired(session: &Session, request: PairRoundRequest) -> anyhow::Result<Round> {
    let bar = progress();
    let events = session.events();
    let call = || async {
        let mut answers = events.clone().pair_round(request.clone()).await?.into_inner();
        while let Some(answer) = answers.message().await? {
            match answer.answer {
                Some(Answer::Progress(it)) => {
                    bar.set_length(it.players.into());
                    bar.set_position(it.placed.into());
                }
                Some(Answer::Round(round)) => return Ok(tonic::Response::new(round)),
                None => {}
            }
        }
        Err(tonic::Status::unavailable("the server ended the pairing without a round"))
    };
    let round = api::client::with_retry(RetryPolicy::default(), call).await;
    bar.finish_and_clear();
    Ok(round?)
}

/// A bar on standard error; nothing where that is no terminal.
fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} players have their place");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Prints a round: its pairs, who has no game, and what was changed by hand.
pub(super) fn print_round(
    session: &Session,
    round: &Round,
    people: &People,
    why: bool,
) -> anyhow::Result<()> {
    if session.json {
        return print::one(true, &record(round, people));
    }
    let play_off = if round.play_off { " of the play-off" } else { "" };
    let begins = begins(session, round);
    say(format_args!("round {}{play_off}, {}{begins}", round.number, words::round(round.state)))?;
    if !round.matches.is_empty() {
        let matches: Vec<print::Record> = round.matches.iter().map(|it| meeting(it, people)).collect();
        print::list(false, &matches)?;
    }
    let records: Vec<print::Record> = round.pairings.iter().map(|it| pairing(session, it, people)).collect();
    let boards_to_come = records.is_empty() && !round.matches.is_empty();
    let lines = if boards_to_come { Vec::new() } else { print::table(&records) };
    for (at, line) in lines.into_iter().enumerate() {
        say(line)?;
        let reasons = at.checked_sub(1).and_then(|at| round.pairings.get(at)).filter(|_| why);
        for reason in reasons.into_iter().flat_map(|it| &it.reasons) {
            let why = reason.text.trim_start_matches(&format!("not {}: ", reason.not));
            say(format_args!("       not {}: {}", people.player(reason.not), sanitize(why)))?;
        }
    }
    for out in &round.out {
        say(format_args!("{}: {}", people.paired(out.number), out_text(out.code())))?;
    }
    if !matches!(round.relaxed(), Relaxed::Unspecified | Relaxed::Nothing) {
        say(format_args!("rules lifted up to: {}", words::relaxed(round.relaxed)))?;
    }
    for edit in &round.edits {
        say(format_args!("by hand: {}", sanitize(edit)))?;
    }
    Ok(())
}

/// When a round begins, or has begun, where that is known.
fn begins(session: &Session, round: &Round) -> String {
    match (&round.begin_time, &round.start_time) {
        (began @ Some(_), _) => format!(", began {}", session.told(began.as_ref())),
        (None, start @ Some(_)) => format!(", begins {}", session.told(start.as_ref())),
        (None, None) => String::new(),
    }
}

/// Two teams that meet.
fn meeting(it: &api::federation::v1::Pairing, people: &People) -> print::Record {
    vec![
        ("match", json!(it.table)),
        ("first", json!(people.team(it.first))),
        ("second", json!(people.team(it.second))),
    ]
}

fn pairing(session: &Session, it: &api::federation::v1::Pairing, people: &People) -> print::Record {
    let result = it.result.as_ref().map(result_text).unwrap_or_default();
    vec![
        ("table", json!(it.table)),
        ("first", json!(people.player(it.first) + &handicap(it.handicap))),
        ("second", json!(people.player(it.second))),
        ("result", json!(result)),
        ("postponed", session.time(it.postponed_time.as_ref())),
        ("to_arrange_until", to_arrange_until(session, it)),
        ("arbiters", json!(it.arbiter_account_ids.iter().map(|id| people.account(id)).collect::<Vec<_>>())),
        ("game", json!(people.game([it.first, it.second], &it.game_id))),
    ]
}

/// Until when the players of a board can agree on a time, where they have not.
fn to_arrange_until(session: &Session, it: &api::federation::v1::Pairing) -> Value {
    let arrangement = it.arrangement.as_ref().filter(|_| arranging::waits(it));
    session.time(arrangement.and_then(|it| it.deadline_time.as_ref()))
}

/// What stands beside the name of who has it.
fn handicap(handicap: u32) -> String {
    if handicap > 0 { format!(", handicap {handicap}") } else { String::new() }
}

/// A round for scripts.
fn record(round: &Round, people: &People) -> print::Record {
    let pairings = round.pairings.iter().map(|it| {
        json!({
            "table": it.table,
            "first": it.first,
            "first_name": people.name(it.first),
            "second": it.second,
            "second_name": people.name(it.second),
            "coloured": it.coloured,
            "handicap": it.handicap,
            "arbiters": it.arbiter_account_ids,
            "game": people.game([it.first, it.second], &it.game_id),
            "attempt": it.attempt,
            "result": it.result.as_ref().map(result_json),
            "postponed": shown_time(it.postponed_time.as_ref()),
            "arrangement": it.arrangement.as_ref().map(arranging::record),
            "bracket": it.bracket.as_ref().map(|place| json!({
                "part": words::part(place.part), "round": place.round, "place": place.place,
            })),
            "reasons": it.reasons.iter().map(|reason| json!({
                "not": reason.not, "round": reason.round, "text": reason.text,
            })).collect::<Vec<_>>(),
        })
    });
    let out = round.out.iter().map(
        |it| json!({ "number": it.number, "name": people.paired_name(it.number), "code": words::code(it.code) }),
    );
    let matches = round.matches.iter().map(|it| {
        json!({
            "match": it.table,
            "first": it.first,
            "first_name": people.team_name(it.first),
            "second": it.second,
            "second_name": people.team_name(it.second),
        })
    });
    vec![
        ("round", json!(round.number)),
        ("state", json!(words::round(round.state))),
        ("play_off", json!(round.play_off)),
        ("matches", Value::Array(matches.collect())),
        ("pairings", Value::Array(pairings.collect())),
        ("out", Value::Array(out.collect())),
        ("relaxed", json!(words::relaxed(round.relaxed))),
        ("edits", json!(round.edits)),
        ("seed", json!(shown::hex(&round.seed))),
        ("input_hash", json!(shown::hex(&round.input_hash))),
        ("starts", shown_time(round.start_time.as_ref())),
        ("began", shown_time(round.begin_time.as_ref())),
    ]
}

fn result_json(it: &BoardResult) -> Value {
    json!({
        "first": words::code(it.first),
        "second": words::code(it.second),
        "reason": words::reason(it.reason),
        "first_warnings": it.first_warnings,
        "second_warnings": it.second_warnings,
        "played_turned": it.played_turned,
        "assigned_turned": it.assigned_turned,
        "source": source(it),
        "text": result_text(it),
    })
}

/// How far a result holds: one of a hall holds when an official has confirmed it. Nothing where somebody left, which is its
/// reason.
fn source(it: &BoardResult) -> &'static str {
    match &it.source {
        Some(Source::Game(_)) => "from the game",
        Some(Source::OverTheBoard(_)) if is_unconfirmed(it) => "unconfirmed",
        Some(Source::OverTheBoard(_)) => "confirmed",
        Some(Source::Decision(_)) => "decided",
        Some(Source::Unarranged(_)) => "nobody has arranged it",
        Some(Source::Departure(_)) | None => "",
    }
}

/// Whether a result still waits for an official who confirms it.
pub(super) fn is_unconfirmed(it: &BoardResult) -> bool {
    matches!(&it.source, Some(Source::OverTheBoard(hall)) if hall.confirmed_by.is_empty())
}

/// What came of a board, and how far that holds: `2–0, resign, unconfirmed`.
pub(super) fn result_text(it: &BoardResult) -> String {
    let score = match (it.first(), it.second()) {
        (ResultCode::Win, _) => "2–0",
        (_, ResultCode::Win) => "0–2",
        (ResultCode::Draw, _) => "1–1",
        (ResultCode::Loss, _) | (_, ResultCode::Loss) => "0–0",
        (ResultCode::ForfeitWin, _) => "2–0 by forfeit",
        (_, ResultCode::ForfeitWin) => "0–2 by forfeit",
        (ResultCode::DoubleForfeit, _) => "0–0 by forfeit",
        (ResultCode::Adjourned, _) => "adjourned",
        (ResultCode::ReplayOrdered, _) => "to be played again",
        (ResultCode::Annulled, _) => "annulled",
        _ => "",
    };
    let mut text = score.to_owned();
    let reason = words::reason(it.reason);
    if !matches!(reason.as_str(), "" | "normal" | "not-played") {
        text = format!("{text}, {reason}");
    }
    if it.first_warnings + it.second_warnings > 0 {
        text = format!("{text}, warnings {}:{}", it.first_warnings, it.second_warnings);
    }
    if it.assigned_turned {
        text.push_str(", colours assigned the other way round");
    } else if it.played_turned {
        text.push_str(", colours played the other way round");
    }
    if !source(it).is_empty() {
        text = format!("{text}, {}", source(it));
    }
    text
}

#[cfg(test)]
mod tests {
    use api::federation::v1::ResultReason;

    use super::*;

    #[test]
    fn results_are_told_on_the_scale_of_two_points() {
        use ResultCode::{Adjourned, DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Win};
        for (codes, reason, text) in [
            ([Win, Loss], ResultReason::Resign, "2–0, resign"),
            ([Loss, Win], ResultReason::Normal, "0–2"),
            ([Draw, Draw], ResultReason::AgreedDraw, "1–1, agreed-draw"),
            ([Loss, Loss], ResultReason::Arbiter, "0–0, arbiter"),
            ([ForfeitLoss, ForfeitWin], ResultReason::Late, "0–2 by forfeit, late"),
            ([DoubleForfeit, DoubleForfeit], ResultReason::Late, "0–0 by forfeit, late"),
            ([Adjourned, Adjourned], ResultReason::NotPlayed, "adjourned"),
        ] {
            let [first, second] = codes.map(Into::into);
            let result = BoardResult { first, second, reason: reason.into(), ..BoardResult::default() };
            assert_eq!(result_text(&result), text);
        }
        let turned = BoardResult {
            first: Win.into(),
            second: Loss.into(),
            first_warnings: 1,
            played_turned: true,
            ..BoardResult::default()
        };
        assert_eq!(result_text(&turned), "2–0, warnings 1:0, colours played the other way round");
    }

    #[test]
    fn an_unconfirmed_result_does_not_look_like_one_that_holds() {
        use api::federation::v1::board_result::{Decision, Departure, Game, OverTheBoard};
        let hall = |who: &str| Source::OverTheBoard(OverTheBoard { confirmed_by: who.to_owned() });
        for (source, text, unconfirmed) in [
            (hall(""), "2–0, unconfirmed", true),
            (hall("an official"), "2–0, confirmed", false),
            (Source::Decision(Decision {}), "2–0, decided", false),
            (Source::Game(Game::default()), "2–0, from the game", false),
            (Source::Departure(Departure {}), "2–0", false),
        ] {
            let [first, second] = [ResultCode::Win, ResultCode::Loss].map(Into::into);
            let result = BoardResult { first, second, source: Some(source), ..BoardResult::default() };
            assert_eq!((result_text(&result).as_str(), is_unconfirmed(&result)), (text, unconfirmed));
        }
    }

    #[test]
    fn who_publishes_no_draft_is_told_what_there_is_to_do() {
        let no_draft = || {
            let text = "no such round waits to be published";
            api::error::Error::new(tonic::Code::FailedPrecondition, api::reason::NO_DRAFT, text)
        };
        for (round, text) in [(2, "round 2 is public already"), (3, "round 3 has no draft: `pair`")] {
            let refused = anyhow::Error::from(tonic::Status::from(no_draft()));
            assert!(not_published(refused, round, 2).to_string().starts_with(text));
        }
        let other = anyhow::Error::from(tonic::Status::unavailable("gone"));
        assert!(!not_published(other, 2, 2).to_string().contains("public"));
    }

    #[test]
    fn two_numbers_change_places() {
        assert_eq!(swap("3,7"), Ok((3, 7)));
        for bad in ["", "3", "3,", "3,7,9", "three,7"] {
            assert!(swap(bad).is_err(), "{bad}");
        }
    }
}
