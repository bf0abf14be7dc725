//! Random games with random acts of officials: whatever happens, the log says nothing but what follows from it.

use std::time::Duration;

use api::{
    board::v1::Side,
    clock::v1::PauseReason,
    game::v1::{
        ClaimKind, Confirmation, Decision, DeclaredResult, Game, IllegalInput, Incident, IncidentKind,
        ListHintsRequest, Remedy, ResignRequest, Sanction, Stage,
        game_event::Event,
        petition::{CallArbiter, FileClaim, Petition as Asked},
        ruling::{self, Act},
    },
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use super::{
    fixture::{Fixture, Replica},
    officials::{GO, Officials, Terms, appeal, confirm, decide, declare, filing, incident},
};

/// Games of each world.
const GAMES: u64 = 20;
/// Steps of a game.
const STEPS: u32 = 60;

struct Table<'a> {
    fixture: &'a Fixture,
    replica: &'a Replica,
    officials: &'a Officials,
    id: String,
    rng: StdRng,
}

#[tokio::test]
async fn random_games_with_random_acts_of_officials_replay_to_the_same() {
    let mut refereed = 0;
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        for seed in 0..GAMES {
            let mut rng = StdRng::seed_from_u64(seed);
            let terms = terms(&mut rng);
            let id = officials.game(&fixture, &replica, &terms).await;
            let mut table = Table { fixture: &fixture, replica: &replica, officials: &officials, id, rng };
            for _ in 0..STEPS {
                // What is due is done before anything else is decided.
                replica.touch(&fixture, &table.id).await;
                let before = replica.look(&table.id).await;
                if !table.step(&before).await {
                    assert_eq!(
                        replica.look(&table.id).await,
                        before,
                        "seed {seed}: a refusal changes nothing"
                    );
                }
                fixture.time.advance(Duration::from_millis(300));
            }
            let log = replica.log(&table.id).await;
            refereed += log.iter().filter(|event| matches!(event.event, Some(Event::Ruled(_)))).count();
            let told = game::history::audit(&log).expect("it follows");
            assert_eq!(told.sequence, log.len() as u64);
            let fresh = fixture.replica().await.look(&table.id).await;
            assert_eq!(fresh, replica.look(&table.id).await, "seed {seed}");
            recounted(&log.last().and_then(|event| event.state.clone()).expect("a state"), &log, seed);
        }
    }
    assert!(refereed > 100, "{refereed} acts of officials");
}

/// The warnings and violations of a log, counted anew from its incidents and the claims that were upheld.
fn recounted(state: &api::game::v1::GameState, log: &[api::game::v1::GameEvent], seed: u64) {
    let arbitration =
        state.progress.as_ref().and_then(|progress| progress.arbitration.clone()).unwrap_or_default();
    let incidents = log.iter().filter_map(|event| match event.event.as_ref()? {
        Event::Ruled(ruling) => match ruling.act.as_ref()? {
            Act::RecordIncident(incident) => Some(incident.clone()),
            _ => None,
        },
        Event::ForbiddenPlayed(played) => played.forbidden.as_ref()?.incident.clone(),
        _ => None,
    });
    let mut counts = [[0; 2]; 2];
    for incident in incidents {
        let upheld = arbitration.claims.iter().any(|claim| claim.upheld && claim.incident == incident.number);
        let side = incident.accused;
        match incident.decision.as_ref().map(Decision::sanction) {
            Some(Sanction::Warning) if !upheld => counts[usize::from(side == Side::Second as i32)][0] += 1,
            Some(Sanction::Violation) if !upheld => counts[usize::from(side == Side::Second as i32)][1] += 1,
            _ => {}
        }
    }
    let told = [arbitration.first, arbitration.second]
        .map(|side| side.map_or([0; 2], |it| [it.warnings, it.violations]));
    assert_eq!(told, counts, "seed {seed}");
}

fn terms(rng: &mut StdRng) -> Terms {
    let variants: [(&str, &[(&str, &str)]); 3] = [("go", &[("size", "5")]), ("jiu", &[]), ("jirige", &[])];
    let (variant, options) = *variants.choose(rng).expect("some");
    let confirmations = [Confirmation::Nobody, Confirmation::Players, Confirmation::PlayersAndArbiter];
    let inputs = [IllegalInput::Reject, IllegalInput::Source];
    Terms {
        variant,
        options,
        confirmation: *confirmations.choose(rng).expect("some"),
        illegal_input: *inputs.choose(rng).expect("some"),
        warnings_max: *[0, 3, 9].choose(rng).expect("some"),
        ..GO
    }
}

impl Table<'_> {
    /// Does something; whether it has happened.
    async fn step(&mut self, game: &Game) -> bool {
        match self.rng.random_range(0..100) {
            0..45 => self.play(game).await,
            45..48 => self.play_badly(game).await,
            48..49 => {
                let request = ResignRequest { game_id: self.id.clone(), request_id: self.fixture.id() };
                let who = self.rng.random_range(0..2);
                self.replica.caller(&self.fixture.players[who]).resign(request).await.is_ok()
            }
            49..65 => {
                let petition = self.petition();
                let who = self.rng.random_range(0..2);
                self.replica.petition(self.fixture, &self.id, who, petition).await.is_ok()
            }
            _ => {
                let act = self.act(game);
                let Officials { chief, deputy, arbiter, committee, scorer, .. } = self.officials;
                let mostly = [chief, chief, chief, deputy, deputy, arbiter, arbiter, committee, scorer];
                let official = *mostly.choose(&mut self.rng).expect("some");
                self.replica.rule(self.fixture, official, &self.id, act).await.is_ok()
            }
        }
    }

    async fn play(&mut self, game: &Game) -> bool {
        let state = game.state.as_ref().expect("a state");
        let Some(side) = state.actors.choose(&mut self.rng).copied() else { return self.paused(state).await };
        let request = ListHintsRequest { game_id: self.id.clone(), side };
        let hints = self.replica.anybody().list_hints(request).await.expect("hints").into_inner().hints;
        let plain: Vec<_> = hints.into_iter().filter(|hint| hint.choices_left == 0).collect();
        let Some(hint) = plain.choose(&mut self.rng) else { return false };
        let swapped = state
            .progress
            .as_ref()
            .and_then(|progress| progress.arbitration.as_ref())
            .is_some_and(|it| it.seats_swapped);
        let who = usize::from((side == Side::Second as i32) != swapped);
        self.replica
            .play(self.fixture, &self.id, who, &hint.text, state.ply, &self.fixture.id())
            .await
            .is_ok()
    }

    /// A paused game goes on, now and then.
    async fn paused(&mut self, state: &api::game::v1::GameState) -> bool {
        let pauses = state.progress.as_ref().map(|progress| progress.pauses.clone()).unwrap_or_default();
        let Some(reason) = pauses.first().copied() else { return false };
        let act = Act::Resume(ruling::Resume { reason });
        self.replica.rule(self.fixture, &self.officials.chief, &self.id, act).await.is_ok()
    }

    async fn play_badly(&mut self, game: &Game) -> bool {
        let ply = game.state.as_ref().expect("a state").ply;
        let text = *["A1", "C3", "E5", "A1-A2"].choose(&mut self.rng).expect("some");
        let who = self.rng.random_range(0..2);
        self.replica.play(self.fixture, &self.id, who, text, ply, &self.fixture.id()).await.is_ok()
    }

    fn petition(&mut self) -> Asked {
        let claim = self.rng.random_range(1..4);
        match self.rng.random_range(0..4) {
            0 => Asked::CallArbiter(CallArbiter { text: "come".to_owned() }),
            1 => {
                let kinds = [
                    (ClaimKind::Other, 0),
                    (ClaimKind::Decision, 1),
                    (ClaimKind::Decision, 2),
                    (ClaimKind::Count, 0),
                    (ClaimKind::NoWinningForce, 0),
                ];
                let (kind, incident) = *kinds.choose(&mut self.rng).expect("some");
                Asked::FileClaim(FileClaim { incident, ..filing(kind) })
            }
            2 => appeal(claim),
            _ => confirm(),
        }
    }

    fn act(&mut self, game: &Game) -> Act {
        let side = self.rng.random_range(1..3);
        let number = self.rng.random_range(1..4);
        let upheld = self.rng.random();
        let ply = game.state.as_ref().map_or(0, |state| state.ply);
        let reason =
            *[PauseReason::Arbiter, PauseReason::EventBreak].choose(&mut self.rng).expect("some") as i32;
        let time = Some(prost_types::Duration { seconds: self.rng.random_range(1..60), nanos: 0 });
        let over = game
            .state
            .as_ref()
            .and_then(|state| state.progress.as_ref())
            .is_some_and(|it| it.stage() >= Stage::Ended);
        match self.rng.random_range(0..13) {
            0 => Act::AnswerCall(ruling::AnswerCall { call: number }),
            1 | 2 => Act::RecordIncident(self.incident(side, ply)),
            3 => Act::AddTime(ruling::AddTime { side, added_duration: time }),
            4 => Act::DeductTime(ruling::DeductTime { side, deducted_duration: time }),
            5 => Act::Pause(ruling::Pause { reason }),
            6 => Act::Resume(ruling::Resume { reason }),
            7 => Act::VoidMoves(ruling::VoidMoves { ply: ply.saturating_sub(number) }),
            8 => Act::CorrectColours(ruling::CorrectColours {}),
            9 => Act::Confirm(ruling::Confirm {}),
            10 => Act::DecideClaim(decide(number, upheld, DeclaredResult::Unspecified)),
            11 => Act::DecideAppeal(decide(number, upheld, DeclaredResult::Unspecified)),
            _ if over && self.rng.random_ratio(1, 4) => Act::Annul(ruling::Annul {}),
            _ if over => declare(DeclaredResult::Draw),
            _ => Act::NoteColours(ruling::NoteColours {}),
        }
    }

    fn incident(&mut self, side: i32, ply: u32) -> Incident {
        let kinds =
            [IncidentKind::ClockPress, IncidentKind::Talking, IncidentKind::Leaving, IncidentKind::Other];
        let kind = *kinds.choose(&mut self.rng).expect("some");
        let sanctions = [Sanction::Admonition, Sanction::Warning, Sanction::Violation];
        let decision = self.rng.random_ratio(1, 2).then(|| Decision {
            remedy: Remedy::Nothing as i32,
            sanction: *sanctions.choose(&mut self.rng).expect("some") as i32,
        });
        Incident { ply, decision, ..incident(kind, Side::try_from(side).expect("a side")) }
    }
}
