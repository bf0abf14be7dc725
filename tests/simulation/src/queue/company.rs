//! Those who ask others for games: by links, of whoever likes it, and at a time. They accept what others ask for, take back and
//! call off, and hear of their games by [following](super::follower).

use std::{sync::Arc, time::Duration};

use api::{
    client::{RetryPolicy, with_retry},
    error::reason,
    matchmaking::v1::{
        AcceptChallengeRequest, CallOffArrangedGameRequest, ChallengeKind, CreateChallengeRequest,
        WithdrawChallengeRequest, challenge_service_client::ChallengeServiceClient,
    },
    transport::Transport,
};
use chassis::testing::as_account;
use tokio::time::Instant;
use tonic::{Response, Status};

use super::{
    Queue,
    asked::{Accepted, Asked, CalledOff},
    follower::Followed,
    seeker::{Habits, LONGEST, PLAYED, Seeker},
};
use crate::{
    history::Answer,
    network::Face,
    topology::{End, Service},
};

/// The longest rest between two things that somebody does.
const REST: Duration = Duration::from_secs(4);
/// How far ahead games are arranged: no less than may be.
const AHEAD: (Duration, Duration) = (Duration::from_secs(61), Duration::from_secs(90));
/// How likely a game is arranged for a time.
const ARRANGED: f64 = 0.3;
/// How likely a link may be used more than once, and how often at most.
const REUSED: (f64, usize) = (0.4, 3);
/// Beyond any difference of ratings.
const WINDOW: u32 = 3_000;

/// One of them.
#[derive(Debug)]
pub(super) struct Guest {
    seeker: Seeker,
    client: ChallengeServiceClient<Transport>,
    followed: Arc<Followed>,
}

impl Guest {
    /// One of a queue, who hears of his games by this.
    pub(super) fn new(queue: &Arc<Queue>, number: usize, followed: Arc<Followed>) -> Self {
        let seeker = Seeker::new(queue, number, Habits::OF_TROUBLE);
        let transport = queue.world.network.transport(End::Outside, Service::Matchmaking, Face::Public);
        let client = ChallengeServiceClient::new(as_account(transport, seeker.caller.clone()));
        Guest { seeker, client, followed }
    }

    /// Asks, accepts and plays until then.
    pub(super) async fn mingle(self, until: Instant) {
        loop {
            tokio::time::sleep(self.seeker.rng.mostly_short(REST)).await;
            if Instant::now() >= until {
                return;
            }
            match self.seeker.rng.below(12) {
                0..=3 => self.ask().await,
                4..=7 => self.accept().await,
                8 => self.withdraw().await,
                9 => self.call_off().await,
                _ => self.play(until).await,
            }
        }
    }

    fn account(&self) -> String {
        self.seeker.caller.id.to_string()
    }

    /// Asks for a game.
    async fn ask(&self) {
        let Seeker { queue, rng, .. } = &self.seeker;
        let ahead = rng.chance(ARRANGED).then(|| rng.between(AHEAD.0, AHEAD.1));
        let is_link = rng.chance(0.5);
        let secret = if is_link { queue.world.env.uuid().simple().to_string() } else { String::new() };
        let is_reused = is_link && ahead.is_none() && rng.chance(REUSED.0);
        let uses = if is_reused { 2 + rng.below(REUSED.1 - 1) } else { 1 };
        let uses = u32::try_from(uses).unwrap_or(1);
        let asked = Asked {
            id: queue.world.env.uuid().to_string(),
            by: self.account(),
            secret: secret.clone(),
            uses,
            starts: ahead.map(|ahead| Instant::now() + ahead),
            made: false,
            withdrawn: None,
        };
        let request = CreateChallengeRequest {
            challenge_id: asked.id.clone(),
            settings: Some(rng.pick(&queue.games).clone()),
            kind: if is_link { ChallengeKind::Link } else { ChallengeKind::Open }.into(),
            secret,
            uses,
            max_rating_difference: WINDOW,
            start_time: ahead.map(|ahead| api::time::timestamp(queue.world.env.now() + ahead)),
            ..CreateChallengeRequest::default()
        };
        let id = asked.id.clone();
        queue.board.note(|known| known.asked.push(asked));
        match self.call(|| async { self.client.clone().create_challenge(request.clone()).await }).await {
            Answer::Event(_) => queue.board.of(&id, |asked| asked.made = true),
            Answer::Unknown => {}
            // The time has come too near meanwhile; and there are only so many that one may have.
            Answer::Refused(reason) if ["BAD_START_TIME", "CHALLENGES_OPEN"].contains(&&*reason) => {}
            Answer::Refused(reason) => self.seeker.fault(&format!("challenge {id} is refused for {reason}")),
        }
    }

    /// Accepts what somebody else asks for, whether it is still open or not.
    async fn accept(&self) {
        let Seeker { queue, rng, .. } = &self.seeker;
        let by = self.account();
        let known = queue.board.known();
        let others: Vec<&Asked> = known.asked.iter().filter(|asked| asked.by != by).collect();
        // Mostly the latest, which are mostly open.
        let latest = &others[others.len().saturating_sub(4)..];
        let Some(asked) = (!latest.is_empty()).then(|| *rng.pick(latest)) else { return };
        let ticket = queue.world.env.uuid().to_string();
        let request = AcceptChallengeRequest {
            challenge_id: asked.id.clone(),
            secret: asked.secret.clone(),
            ticket_id: ticket.clone(),
        };
        let since = Instant::now();
        let answer =
            self.call(|| async { self.client.clone().accept_challenge(request.clone()).await }).await;
        let answer = match answer {
            Answer::Event(answer) => Answer::Event((answer.game_id.clone(), answer.side())),
            Answer::Refused(reason) => Answer::Refused(reason),
            Answer::Unknown => Answer::Unknown,
        };
        match &answer {
            Answer::Refused(reason) if reason == "CHALLENGE_OVER" => {}
            Answer::Refused(reason) if reason == "UNKNOWN_CHALLENGE" && !asked.made => {}
            Answer::Refused(reason) => {
                self.seeker.fault(&format!("challenge {} is not accepted for {reason}", asked.id));
            }
            Answer::Event((game, side)) => {
                let (name, id) = (&self.seeker.caller.name, &asked.id);
                queue.world.trace.note(format!("{name} accepts {id}: game {game}, side {side:?}"));
            }
            Answer::Unknown => {}
        }
        let challenge = asked.id.clone();
        queue.board.note(|known| known.accepted.push(Accepted { challenge, by, ticket, since, answer }));
    }

    /// Takes a challenge of his back.
    async fn withdraw(&self) {
        let Seeker { queue, rng, .. } = &self.seeker;
        let known = queue.board.known();
        let own: Vec<&Asked> = known.asked.iter().filter(|asked| asked.by == self.account()).collect();
        let Some(asked) = (!own.is_empty()).then(|| *rng.pick(&own)) else { return };
        let request = WithdrawChallengeRequest { challenge_id: asked.id.clone() };
        match self.call(|| async { self.client.clone().withdraw_challenge(request.clone()).await }).await {
            Answer::Event(_) => queue.board.of(&asked.id, |asked| {
                asked.withdrawn.get_or_insert_with(Instant::now);
            }),
            Answer::Unknown => {}
            Answer::Refused(reason) if reason == "CHALLENGE_OVER" => {}
            Answer::Refused(reason) if reason == "UNKNOWN_CHALLENGE" && !asked.made => {}
            Answer::Refused(reason) => {
                self.seeker.fault(&format!("challenge {} is not taken back for {reason}", asked.id));
            }
        }
    }

    /// Calls a game off that he has arranged by accepting.
    async fn call_off(&self) {
        let Seeker { queue, rng, .. } = &self.seeker;
        let games = self.followed.arranged();
        let Some(game) = (!games.is_empty()).then(|| rng.pick(&games).clone()) else { return };
        let request = CallOffArrangedGameRequest { game_id: game.clone() };
        let called =
            self.call(|| async { self.client.clone().call_off_arranged_game(request.clone()).await });
        match called.await {
            Answer::Event(_) => {
                let by = self.account();
                queue.board.note(|known| known.called_off.push(CalledOff { game, by }));
            }
            Answer::Unknown => {}
            Answer::Refused(reason) if reason == "ARRANGEMENT_OVER" => {}
            Answer::Refused(reason) => {
                self.seeker.fault(&format!("arranged game {game} is not called off for {reason}"));
            }
        }
    }

    /// Plays a game that he has heard of, if there is one.
    async fn play(&self, until: Instant) {
        let Seeker { rng, habits, .. } = &self.seeker;
        let games = self.followed.under_way();
        if games.is_empty() || rng.chance(habits.no_show) {
            return;
        }
        let until = until.min(Instant::now() + rng.between(PLAYED.0, PLAYED.1));
        self.seeker.play(rng.pick(&games).clone(), until).await;
    }

    /// Makes a call: again and again until it is answered, or once, by who does not wait for the answer.
    async fn call<T, F: Future<Output = Result<Response<T>, Status>>>(
        &self,
        call: impl FnMut() -> F,
    ) -> Answer<T> {
        let once = self.seeker.rng.chance(self.seeker.habits.wordless);
        let policy = RetryPolicy(if once { Duration::ZERO } else { LONGEST });
        let answer = with_retry(policy, call).await;
        if let Err(status) = &answer {
            self.seeker.queue.world.trace.note(format!(
                "{} hears {}",
                self.seeker.caller.name,
                reason(status)
            ));
        }
        Answer::of(answer.map(Some))
    }
}
