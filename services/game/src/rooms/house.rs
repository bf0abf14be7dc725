//! Acts of the house: its part in a draw, and acting in the place of whoever let the time pass that the
//! rules give.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use ::time::OffsetDateTime;
use chassis::Ambient;
use rules::HouseDue;

use super::{ATTEMPTS, Rooms};
use crate::{
    core::{Game, Origin, decide_house},
    fault::CallError,
    store::micros,
};

/// How often it is looked whether the house is to act.
const LOOK: Duration = Duration::from_secs(1);
/// Games in which the house acts at one look.
const LOOK_MAX: u64 = 500;

impl Rooms {
    /// Does what the house owes to a game by now. A game is never shown to a command before.
    pub(super) async fn act_for_the_house(&self, slot: &mut Option<Game>) -> Result<(), CallError> {
        for _ in 0..ATTEMPTS {
            let Some(game) = slot.as_ref() else { return Ok(()) };
            let now = self.ambient.now();
            let Some(text) = owed(game, now, &self.ambient) else { return Ok(()) };
            let draft = decide_house(game, &text).map_err(|refusal| {
                tracing::error!(game.id = %game.info.id, reason = refusal.reason(), "the house cannot act");
                CallError::from(refusal)
            })?;
            self.enact(slot, draft, now, None).await?;
        }
        Err(CallError::Contended)
    }

    /// Acts for the house, in every game in which it is time, until `stop`.
    pub(crate) async fn keep_house(self: Arc<Self>) {
        let stop = self.lifecycle.soft();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK) => {}
            }
            match self.reader.house_due(self.ambient.now(), LOOK_MAX).await {
                Ok(games) => {
                    for id in games {
                        if let Err(error) = self.visit(id).await {
                            tracing::warn!(game.id = %id, %error, "the house did not act; it will be tried again");
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "what the house owes could not be read"),
            }
        }
    }
}

/// When the house is to act, in microseconds since the epoch, as the table of games keeps it.
pub(super) fn house_us(
    position: &dyn rules::Game,
    expires: Option<OffsetDateTime>,
    over: bool,
) -> Option<i64> {
    match position.house_due().filter(|_| !over)? {
        HouseDue::Seed => Some(0),
        HouseDue::Expire { .. } => expires.map(micros),
    }
}

/// The act that the house owes now.
fn owed(game: &Game, now: OffsetDateTime, ambient: &Ambient) -> Option<String> {
    if game.is_over() || game.info.origin == Origin::Import {
        return None;
    }
    match game.position.house_due()? {
        HouseDue::Seed => {
            let (salt, seed) = (ambient.bytes::<32>(), ambient.bytes::<32>());
            Some(format!("seed {} {}", hex(&salt), hex(&seed)))
        }
        HouseDue::Expire { .. } => {
            game.after.expires.filter(|expires| *expires <= now).map(|_| "expire".to_owned())
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}
