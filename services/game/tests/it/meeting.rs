//! Players who meet at a time, and the logs of their games.

use std::{sync::Arc, time::Duration};

use api::{
    clock::v1::ClockEntry,
    game::v1::{
        Adjournment, CheckIn, CheckInRequest, GameEvent, GetSealingKeyRequest, Progress, Regulations,
        SealMoveRequest, SealingKey, Stage, adjournment_step::Step, game_event::Event,
    },
    sealing::{self, SealedMove},
    time_control::{Control, TimeControl},
};
use chassis::{Lifecycle, testing::as_service};
use time::OffsetDateTime;
use tonic::Status;

use super::fixture::{Fixture, Replica};

impl Fixture {
    /// Worlds with clocks that charge the players, on each kind of database.
    pub(crate) async fn all_with_clocks() -> Vec<Fixture> {
        let fixtures = Fixture::all().await;
        for fixture in &fixtures {
            let deps = clock::Deps {
                env: fixture.env.clone(),
                live: Arc::clone(&fixture.live) as Arc<dyn live::Live>,
                lifecycle: Lifecycle::new(),
                // Flags are called by the tests.
                game: fixture.rating.transport(),
            };
            fixture.clock.ask(as_service(api::transport::over(clock::bind(deps).internal)));
        }
        fixtures
    }

    /// So much later.
    pub(crate) fn later(&self, by: Duration) -> OffsetDateTime {
        self.env.now() + by
    }

    /// Nobody can act for so long.
    pub(crate) fn go_down_for(&self, time: Duration) {
        self.clock.set_down(true);
        self.time.advance(time);
        self.clock.set_down(false);
    }
}

impl Replica {
    /// Lets time pass in which the platform is up, and a game is looked after.
    pub(crate) async fn pass(&self, fixture: &Fixture, id: &str, time: Duration) {
        // Two of them are no outage: a heartbeat may be half a second old.
        const STEP: Duration = Duration::from_millis(500);
        let mut passed = Duration::ZERO;
        while passed < time {
            let step = STEP.min(time.saturating_sub(passed));
            fixture.time.advance(step);
            passed += step;
            self.touch(fixture, id).await;
        }
    }

    /// Asks something of a game that it refuses, so that what is due is done.
    pub(crate) async fn touch(&self, fixture: &Fixture, id: &str) {
        let refused = self.play(fixture, id, 0, "A1", 9999, &fixture.id()).await;
        refused.expect_err("nobody has played so long");
    }

    pub(crate) async fn check_in(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
    ) -> Result<GameEvent, Status> {
        let request = CheckInRequest { game_id: id.to_owned(), request_id: fixture.id() };
        let answer = self.caller(&fixture.players[who]).check_in(request).await?.into_inner();
        Ok(answer.event.expect("the answer has the event"))
    }

    pub(crate) async fn sealing_key(&self) -> SealingKey {
        let answer = self.anybody().get_sealing_key(GetSealingKeyRequest {}).await.expect("a key");
        answer.into_inner().key.expect("a key")
    }

    /// A move, sealed for a game as it stands.
    pub(crate) async fn sealed(&self, fixture: &Fixture, id: &str, act: &str) -> SealedMove {
        let ply = self.look(id).await.state.expect("a state").ply;
        let key = self.sealing_key().await;
        fixture.env.with_rng(|rng| sealing::seal(&key, id, ply, act, rng)).expect("it can be sealed")
    }

    pub(crate) async fn send_sealed(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
        sealed: SealedMove,
    ) -> Result<GameEvent, Status> {
        let request = seal_request(fixture, id, sealed);
        let answer = self.caller(&fixture.players[who]).seal_move(request).await?.into_inner();
        Ok(answer.event.expect("the answer has the event"))
    }

    pub(crate) async fn seal(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
        act: &str,
    ) -> Result<GameEvent, Status> {
        self.send_sealed(fixture, id, who, self.sealed(fixture, id, act).await).await
    }

    pub(crate) async fn progress(&self, id: &str) -> Progress {
        self.look(id).await.state.and_then(|state| state.progress).expect("progress")
    }

    pub(crate) async fn stage(&self, id: &str) -> Stage {
        self.progress(id).await.stage()
    }

    pub(crate) async fn checked_in(&self, id: &str) -> CheckIn {
        self.progress(id).await.check_in.expect("the game waits")
    }

    pub(crate) async fn adjournment(&self, id: &str) -> Adjournment {
        self.progress(id).await.adjournment.expect("an adjournment")
    }

    /// The whole log of a game, which says nothing but what follows from it; nor do its clocks.
    pub(crate) async fn log(&self, id: &str) -> Vec<GameEvent> {
        let game = self.look(id).await;
        let last = game.state.expect("a state").sequence;
        let mut watched = api::client::GameStream::new(self.public_transport(), id).after(0).beyond_end();
        let mut log = Vec::new();
        for _ in 0..last {
            let Ok(Some(api::client::GameUpdate::Event(event))) = watched.next().await else {
                panic!("an event")
            };
            log.push(*event);
        }
        game::history::audit(&log).expect("the log follows from itself");
        let entries: Vec<ClockEntry> = log.iter().flat_map(whole_entries).collect();
        let control = game.info.and_then(|info| info.time_control).expect("a time control");
        let control = TimeControl::try_from(&control).expect("one of ours");
        assert_eq!(clock::history::first_difference(control, &entries).expect("readable"), None);
        log
    }
}

/// Regulations under which a game is adjourned.
pub(crate) fn adjournable(fixture: &Fixture, sealing: Duration, resumption: Option<Duration>) -> Regulations {
    Regulations {
        event_id: fixture.id(),
        adjournable: true,
        sealing_time: Some(api::time::timestamp(fixture.later(sealing))),
        resumption_time: resumption.map(|after| api::time::timestamp(fixture.later(after))),
        ..Regulations::default()
    }
}

/// A main time of so many seconds and nothing else.
pub(crate) fn absolute(seconds: u64) -> api::clock::v1::TimeControl {
    let main = Duration::from_secs(seconds);
    TimeControl::same(Control::Absolute { main }).into()
}

pub(crate) fn seal_request(fixture: &Fixture, id: &str, sealed: SealedMove) -> SealMoveRequest {
    SealMoveRequest {
        game_id: id.to_owned(),
        commitment: sealed.commitment.to_vec(),
        key_id: sealed.key_id,
        ciphertext: sealed.ciphertext,
        request_id: fixture.id(),
    }
}

/// The main times of both sides after an event.
pub(crate) fn main_times(event: &GameEvent) -> [Duration; 2] {
    let clock = event.state.as_ref().and_then(|state| state.clock.clone()).expect("a clock");
    [clock.first, clock.second].map(|side| {
        side.and_then(|side| side.main_duration).as_ref().and_then(api::time::span).expect("a time")
    })
}

/// The steps of an adjournment in a log.
pub(crate) fn steps(log: &[GameEvent]) -> Vec<Step> {
    let step = |event: &GameEvent| match event.event.as_ref()? {
        Event::Adjournment(step) => step.step.clone(),
        _ => None,
    };
    log.iter().filter_map(step).collect()
}

/// The entries of an event, the last with its reading.
fn whole_entries(event: &GameEvent) -> Vec<ClockEntry> {
    let mut entries = event.clock_entries.clone();
    if let Some(last) = entries.last_mut() {
        last.after = event.state.as_ref().and_then(|state| state.clock.clone());
    }
    entries
}
