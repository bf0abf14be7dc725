//! What others wait for while a large round is paired.

use std::time::Duration;

use anyhow::Context as _;
use api::federation::v1::{
    self as pb, board_result,
    event_format::{Format, Swiss},
    event_service_client::EventServiceClient,
};
use tests::{
    Ground, Platform, Shape, Store, bots, change,
    held::{Federation, Held, settings},
};
use tokio::{sync::watch, time::Instant};

use crate::stats::Summary;

/// Who plays in the large event; none of them has an account.
pub(crate) const PLAYERS: u32 = 4_000;
/// Who plays in the other event.
const OTHERS: usize = 4;
/// How long others look before the round is paired.
const BEFORE: Duration = Duration::from_secs(3);
/// Looking at an event is what everybody in a hall does while the next round is paired: it may be no slower than a page that
/// opens at once.
const P99_MAX_MS: f64 = 50.0;

/// What was measured.
pub(crate) struct Beside {
    /// How long the pairing took.
    pub pairing: Duration,
    /// What others waited for an answer before, and meanwhile.
    pub before: Summary,
    pub meanwhile: Summary,
}

impl Beside {
    /// Whether it is within its limits.
    pub(crate) fn judge(&self) -> anyhow::Result<()> {
        let p99_ms = self.meanwhile.p99_ms();
        // What was not measured is no number, and not within any limit.
        anyhow::ensure!(p99_ms <= P99_MAX_MS, "others waited {p99_ms:.0} ms, at most {P99_MAX_MS:.0}");
        let longest_ms = self.meanwhile.longest_ms();
        let pairing_ms = self.pairing.as_secs_f64() * 1000.0;
        anyhow::ensure!(longest_ms < pairing_ms / 2.0, "somebody waited {longest_ms:.0} ms for the pairing");
        Ok(())
    }
}

/// A platform that has one thread for all calls, so that whatever keeps it busy keeps everybody waiting, and is seen.
pub(crate) async fn platform() -> anyhow::Result<Platform> {
    let environment = vec![("TOKIO_WORKER_THREADS".to_owned(), "1".to_owned())];
    Platform::start_on(Shape::One, Store::Embedded, Ground { environment, ..Ground::default() }).await
}

/// Looks at another event while the second round of a large one is paired.
pub(crate) async fn round(platform: &Platform, players: u32) -> anyhow::Result<Beside> {
    let transport = platform.transport();
    let federation = Federation::new(&transport, "A federation of many", "").await;
    let mut other =
        Held::new(&federation, settings(Format::Swiss(Swiss { rounds: 2 }), u32::try_from(OTHERS)?)).await;
    other.enter_new(&federation, bots(&transport, OTHERS).await?).await;
    other.run().await;
    other.pair(1).await;
    other.start(1).await;
    let large = large(&federation, players).await?;

    let (say, said) = watch::channel(false);
    let reading = tokio::spawn(read(platform.transport(), other.id.clone(), said));
    tokio::time::sleep(BEFORE).await;
    let began = Instant::now();
    let paired = large.pair(2).await;
    let ended = Instant::now();
    say.send_replace(true);
    let answers = reading.await??;
    anyhow::ensure!(paired.pairings.len() * 2 == players as usize, "everybody is paired");
    let of = |during: &dyn Fn(Instant) -> bool, within| {
        let took = answers.iter().filter(|(at, _)| during(*at)).map(|(_, took)| *took);
        Summary::new(took.collect(), within)
    };
    Ok(Beside {
        pairing: ended - began,
        before: of(&|at| at < began, BEFORE),
        meanwhile: of(&|at| (began..ended).contains(&at), ended - began),
    })
}

/// Looks at an event and its round until it is told that this is enough: when each call began, and what it took.
async fn read(
    transport: api::transport::Transport,
    event_id: String,
    enough: watch::Receiver<bool>,
) -> anyhow::Result<Vec<(Instant, Duration)>> {
    let mut events = EventServiceClient::new(transport);
    let mut answers = Vec::new();
    while !*enough.borrow() {
        let began = Instant::now();
        let request = pb::GetEventRequest { event_id: event_id.clone(), ..Default::default() };
        events.get_event(request).await?;
        answers.push((began, began.elapsed()));
        let began = Instant::now();
        let request = pb::GetRoundRequest { event_id: event_id.clone(), round: 1, as_of_sequence: 0 };
        events.get_round(request).await?.into_inner().round.context("the round is public")?;
        answers.push((began, began.elapsed()));
    }
    Ok(answers)
}

/// An event that has played its first round.
async fn large(federation: &Federation, players: u32) -> anyhow::Result<Held> {
    let format = Format::Swiss(Swiss { rounds: 3 });
    let mut held = Held::new(federation, settings(format, players)).await;
    for number in 1..=players {
        let member = federation.enrol_account("", &format!("Member {number}"), "").await;
        held.enter_member(&member, None, None).await;
    }
    held.run().await;
    held.pair(1).await;
    held.start(1).await;
    for table in 1..=players / 2 {
        let result = Some(result_at(table));
        change!(held, held.chief.player, enter_result(EnterResultRequest { round: 1, table, result }))?;
    }
    Ok(held)
}

/// Wins of either colour and draws by turns: who has the same points then needs different colours, and is not soon paired.
fn result_at(table: u32) -> pb::BoardResult {
    use pb::ResultCode::{Draw, Loss, Win};
    let [first, second] = match table % 5 {
        0 => [Draw, Draw],
        1 | 2 => [Loss, Win],
        _ => [Win, Loss],
    };
    pb::BoardResult {
        first: first.into(),
        second: second.into(),
        reason: pb::ResultReason::Arbiter.into(),
        source: Some(board_result::Source::Decision(board_result::Decision {})),
        ..Default::default()
    }
}
