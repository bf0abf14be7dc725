//! Bringing two accounts to one table, and playing there.

use std::{pin::pin, time::Duration};

use anyhow::{Context as _, bail};
use api::{
    board::v1::Side as PbSide,
    client::{Player, RetryPolicy},
    error::reason,
    game::v1::GameEvent,
    matchmaking::v1::{GameSettings, enqueue_response::Matched},
};
use futures::future::{Either, select};
use rules::{Act, Record, Side, Variant};
use tonic::Status;

use super::ending::{Stand, Step, next};
use crate::commands::{server::Server, terminal::say};

/// So often strangers may come between.
const ATTEMPTS: usize = 5;
/// Two new accounts have the same rating: nothing keeps them apart for longer.
const MATCH_WAIT: Duration = Duration::from_mins(2);
/// A server may be restarted while a record is played.
const RETRY: RetryPolicy = RetryPolicy(Duration::from_mins(2));
/// No game needs more acts to be brought to its end: two passes and an agreement.
const CLOSING_STEPS_MAX: usize = 8;

/// A game with both its players.
#[derive(Debug)]
pub(super) struct Table {
    /// The game.
    pub game_id: String,
    /// The players, first side first.
    players: [Player; 2],
}

/// How to play a record.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    /// How long to wait after each act.
    pub delay: Duration,
    /// What to agree on as dead: `D4,Q16`, or `-` for nothing.
    pub dead: String,
}

/// What was played.
#[derive(Debug)]
pub(super) struct Played {
    /// Every act, those of the record first.
    pub acts: Vec<Act>,
    /// What was done besides, for a person.
    pub remarks: Vec<String>,
    /// Whether the end could not be brought about as the record has it, so that only the winner can be compared.
    pub loosely: bool,
}

/// Queues both players until they are matched with each other.
///
/// # Errors
/// When they are not matched within two minutes, or strangers come between them again and again.
pub(super) async fn pair(players: &[Player; 2], settings: &GameSettings) -> anyhow::Result<Table> {
    for _attempt in 0..ATTEMPTS {
        let attempt = tokio::time::timeout(MATCH_WAIT, seek(players, settings));
        let [one, other] = attempt.await.context("the two were not matched within two minutes")??;
        match (one, other) {
            (Some(one), Some(other)) if one.game_id == other.game_id => {
                for player in players {
                    player.come_to(&one.game_id).await.context("coming to the game")?;
                }
                let [first, second] = match one.side() {
                    PbSide::First => [&players[0], &players[1]],
                    _ => [&players[1], &players[0]],
                };
                return Ok(Table { game_id: one.game_id, players: [first.clone(), second.clone()] });
            }
            matches => {
                for (player, matched) in players.iter().zip([matches.0, matches.1]) {
                    if let Some(matched) = matched {
                        leave(player, &matched).await?;
                    }
                }
            }
        }
    }
    bail!("strangers were matched in between {ATTEMPTS} times; try an unusual --control");
}

/// What becomes of both players' tickets. Nothing for one that was cancelled because the other was matched with
/// a stranger.
async fn seek(players: &[Player; 2], settings: &GameSettings) -> anyhow::Result<[Option<Matched>; 2]> {
    let tickets = players.each_ref().map(|player| player.ticket(settings.clone()));
    let hold = |index: usize| players[index].hold_ticket(&tickets[index], |_| ());
    let (one, other) = (pin!(hold(0)), pin!(hold(1)));
    let (index, matched, late) = match select(one, other).await {
        Either::Left((matched, late)) => (0, matched, Either::Left(late)),
        Either::Right((matched, late)) => (1, matched, Either::Right(late)),
    };
    let matched = matched.context("looking for a game")?;
    let together = matched.opponent_id == players[1 - index].account().id;
    let cancelled =
        !together && players[1 - index].cancel_ticket(&tickets[1 - index].ticket_id).await.is_ok();
    let late = if cancelled { None } else { Some(late.await.context("looking for a game")?) };
    Ok(if index == 0 { [Some(matched), late] } else { [late, Some(matched)] })
}

/// Leaves a game with a stranger: aborted it counts for nothing, and if it is too late for that it is resigned.
async fn leave(player: &Player, matched: &Matched) -> anyhow::Result<()> {
    let id = &matched.game_id;
    let how = match player.abort(id, RETRY).await {
        Ok(_) => "aborted",
        Err(status) if reason(&status) == api::reason::GAME_OVER => "already over",
        Err(_) => {
            player.resign(id, RETRY).await.context("resigning the game with a stranger")?;
            "resigned"
        }
    };
    say(format_args!(
        "{} was matched with {}, a stranger: game {id} is {how}; trying again",
        player.account().name,
        matched.opponent_name
    ))
}

impl Table {
    /// Who plays a side.
    pub(super) const fn player(&self, side: Side) -> &Player {
        &self.players[side.index()]
    }

    /// Plays the record act by act, and what is missing of its end.
    ///
    /// # Errors
    /// The server refuses an act, or the end of the record cannot be brought about.
    pub(super) async fn play_through(
        &self,
        server: &Server,
        record: &Record,
        variant: &Variant,
        manner: &Manner,
    ) -> anyhow::Result<Played> {
        let mut played = Played { acts: Vec::new(), remarks: Vec::new(), loosely: false };
        let mut last = None;
        for (index, act) in record.acts.iter().enumerate() {
            let letter = act.side().map_or('-', |side| variant.letter(side));
            let event = self.act(server, act, index).await;
            last = Some(event.with_context(|| format!("act {}, {letter} {}", index + 1, act.text))?);
            played.acts.push(act.clone());
            tokio::time::sleep(manner.delay).await;
        }
        let Some(mut event) = last else { bail!("the record has no acts") };
        for _step in 0..CLOSING_STEPS_MAX {
            let state = event.state.as_ref().context("the server's answer lacks the state of the game")?;
            let (step, loosely) =
                next(&Stand::of(variant, state, &played.acts, &manner.dead), record.outcome.as_ref())?;
            played.loosely |= loosely;
            if let Some(remark) = step.remark(variant, record.outcome.as_ref(), loosely) {
                played.remarks.push(remark);
            }
            event = match step {
                Step::Nothing => return Ok(played),
                Step::Act(act) => {
                    let event = self.act(server, &act, played.acts.len()).await;
                    let event =
                        event.with_context(|| format!("bringing the game to its end: {}", act.text))?;
                    played.acts.push(act);
                    event
                }
                Step::Resign(side) => {
                    self.player(side).resign(&self.game_id, RETRY).await.context("resigning")?
                }
                Step::AgreeToDraw => self.agree_to_draw().await.context("agreeing to a draw")?,
            };
        }
        bail!("the game does not come to its end");
    }

    /// Ends a game whose replay failed, so that nobody finds it running; if that fails too, its clock will.
    pub(super) async fn give_up(&self) {
        let _ended = self.players[0].resign(&self.game_id, RetryPolicy(Duration::from_secs(5))).await;
    }

    async fn act(&self, server: &Server, act: &Act, index: usize) -> anyhow::Result<GameEvent> {
        let side = act.side().context("the house acts here, and no player can")?;
        let player = self.player(side);
        player.stay_signed_in(server.now()).await?;
        let ply = u32::try_from(index).unwrap_or(u32::MAX);
        Ok(player.play(&self.game_id, &act.text, ply, RETRY).await?)
    }

    async fn agree_to_draw(&self) -> Result<GameEvent, Status> {
        self.players[0].offer_draw(&self.game_id, RETRY).await?;
        self.players[1].accept_draw(&self.game_id, RETRY).await
    }
}
