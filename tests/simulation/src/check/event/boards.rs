//! Every board has its games, and its result is that of the last of them or what was decided about it.

use std::collections::{BTreeMap, BTreeSet};

use api::{
    board::v1::{Reason, Verdict},
    federation::v1::{board_result::Source, event_log_body::Fact},
};
use federation::core::event::{BoardId, BoardState, Event as Fold, Matter, ResultSource, game_id};
use pairing::{Number, ResultCode};

use super::{Log, Row};

/// Every board of a round that was begun has its games, as many as were to be played; no game is of no board; and what came
/// of the last of them is what came of the board. Nobody takes a round back that was begun here, so that of one that was
/// taken back there is no game. A board that somebody has decided, or that is in a hall, may have no game, and what came of
/// it does not follow from one.
pub(super) fn check(event: &Fold, rows: &[Row], games: &[&Log]) -> Vec<String> {
    let mut faults = Vec::new();
    let taken_back = |round: u16| {
        let is_back = |row: &&Row| matches!(&row.body.fact, Some(Fact::RoundRetracted(it)) if it.round == u32::from(round));
        let times = u32::try_from(rows.iter().filter(is_back).count()).unwrap_or(u32::MAX);
        // The boards of teams are laid when their round begins, after it was taken back for the last time.
        if event.meetings().is_some() { 0 } else { times }
    };
    let mut known: BTreeMap<String, &Log> = games.iter().map(|log| (log.table.id.clone(), *log)).collect();
    let decided = decided(rows);
    let begun = event.rounds.iter().filter(|round| round.started.is_some());
    for (board, seat, state) in begun.flat_map(federation::core::event::Round::laid) {
        let is_decided = decided.contains(&board);
        for attempt in taken_back(board.round) + 1..=state.attempt {
            let id = game_id(event.id, board, attempt).to_string();
            match known.remove(&id) {
                None if !is_decided => faults.push(format!("{board:?} has no game {attempt}, which is {id}")),
                Some(log) if attempt == state.attempt && !is_decided => {
                    faults.extend(lost(event, (board, seat.players, state), log));
                }
                Some(_) | None => {}
            }
        }
    }
    faults.extend(known.into_keys().map(|id| format!("game {id} is of no table of its event")));
    faults
}

/// Boards whose result somebody has decided or entered, or that were lost because somebody left, if only for a time.
fn decided(rows: &[Row]) -> BTreeSet<BoardId> {
    let mut decided = BTreeSet::new();
    for fact in rows.iter().filter_map(|row| row.body.fact.as_ref()) {
        match fact {
            Fact::ResultEntered(it) => {
                let source = it.result.as_ref().and_then(|result| result.source.as_ref());
                if !matches!(source, Some(Source::Game(_))) {
                    decided.extend(u16::try_from(it.round).map(|round| BoardId { round, table: it.table }));
                }
            }
            Fact::RoundRetracted(it) => decided.retain(|board: &BoardId| u32::from(board.round) != it.round),
            _ => {}
        }
    }
    decided
}

/// What is wrong with the result of a board, given the log of its last game.
fn lost(
    event: &Fold,
    (board, players, state): (BoardId, [Number; 2], &BoardState),
    log: &Log,
) -> Option<String> {
    let expected = players.map(|number| code(event, number, log));
    let told = state.result.as_ref().filter(
        |result| matches!(result.source, ResultSource::Game { game, .. } if game.to_string() == log.table.id),
    );
    let is_told = told.is_some_and(|result| result.codes.map(Some) == expected);
    // What a game says after the places stand is noted, and decides nothing.
    let ended = log.rows.last().map_or(0, |row| row.event.sequence);
    let late = |it: &federation::core::event::Notice| {
        it.matter == Matter::LateResult && it.game_sequence <= ended && event.stage.is_over()
    };
    let is_right = is_told || state.notices.iter().any(late);
    (!is_right).then(|| format!("{board:?} has lost its result {expected:?}: {:?}", state.result))
}

/// What a game was to one of its players, by its own log.
fn code(event: &Fold, number: Number, log: &Log) -> Option<ResultCode> {
    let account = event.participant(number)?.entrant.account?.to_string();
    let info = log.info()?;
    let seat = [&info.first, &info.second]
        .into_iter()
        .position(|seat| seat.as_ref().is_some_and(|seat| seat.account_id == account))?;
    let state = log.end()?;
    let arbitration = state.progress.as_ref().and_then(|progress| progress.arbitration.as_ref());
    let swapped = arbitration.is_some_and(|arbitration| arbitration.seats_swapped);
    let outcome = state.outcome.as_ref()?;
    let absent = matches!(outcome.reason(), Reason::Late | Reason::NotAppeared);
    let is_first = (seat == 0) != swapped;
    Some(match (outcome.verdict(), absent) {
        (Verdict::FirstWins, false) if is_first => ResultCode::Win,
        (Verdict::SecondWins, false) if !is_first => ResultCode::Win,
        (Verdict::FirstWins, true) if is_first => ResultCode::ForfeitWin,
        (Verdict::SecondWins, true) if !is_first => ResultCode::ForfeitWin,
        (Verdict::FirstWins | Verdict::SecondWins, true) => ResultCode::ForfeitLoss,
        (Verdict::FirstWins | Verdict::SecondWins | Verdict::BothLose, false) => ResultCode::Loss,
        (Verdict::Draw, _) => ResultCode::Draw,
        (Verdict::BothLose | Verdict::Void, true) => ResultCode::DoubleForfeit,
        (Verdict::Void, false) if outcome.reason() == Reason::Replay => ResultCode::ReplayOrdered,
        (Verdict::Void, false) => ResultCode::Annulled,
        (Verdict::Unspecified, _) => return None,
    })
}
