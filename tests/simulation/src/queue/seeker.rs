//! Somebody who queues.

use std::{sync::Arc, time::Duration};

use api::{
    client::{RetryPolicy, with_retry},
    error::reason,
    matchmaking::v1::{
        AnswerOfferRequest, CancelTicketRequest, EnqueueRequest, GameSettings, enqueue_response::State,
        matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Caller, testing::as_account};
use tokio::time::Instant;
use tonic::Status;

use super::{Queue, fate::Fate};
use crate::{
    history::Answer,
    network::Face,
    player::Player,
    rng::Rng,
    topology::{End, Service},
};

/// The longest rest before somebody queues again.
const REST: Duration = Duration::from_secs(5);
/// The longest pause before a ticket is asked for again whose stream broke: now and then it has lapsed meanwhile.
const AGAIN: Duration = Duration::from_secs(8);
/// The same for who has gone for a while.
const GONE: Duration = Duration::from_secs(45);
/// How long somebody waits at most who does not wait for ever.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long a game is played: at least and at most.
pub(super) const PLAYED: (Duration, Duration) = (Duration::from_secs(4), Duration::from_secs(20));
/// How long somebody asks for what must be answered at last.
pub(super) const LONGEST: Duration = Duration::from_mins(10);

/// How likely somebody does what he should not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// He loses patience with a ticket.
    impatient: f64,
    /// Then he goes without taking it back.
    pub wordless: f64,
    /// He is away for a while when his stream breaks.
    absent: f64,
    /// He declines a game that is offered.
    declines: f64,
    /// He does not come to a game.
    pub no_show: f64,
}

/// Somebody who queues.
#[derive(Debug)]
pub(super) struct Seeker {
    /// Where.
    pub queue: Arc<Queue>,
    /// Who.
    pub caller: Caller,
    client: MatchmakingServiceClient<Transport>,
    /// What he throws.
    pub rng: Rng,
    /// What he is like.
    pub habits: Habits,
}

/// What came of listening to a ticket.
#[derive(Debug)]
enum Heard {
    /// It has become a game.
    Matched(String),
    /// It is over, and nothing came of it.
    Over,
    /// The stream broke.
    Broken,
}

impl Habits {
    /// In a run with trouble.
    pub(super) const OF_TROUBLE: Habits =
        Habits { impatient: 0.35, wordless: 0.4, absent: 0.15, declines: 0.2, no_show: 0.08 };
    /// When everybody means what he does.
    pub(super) const OF_CALM: Habits =
        Habits { impatient: 0.0, wordless: 0.0, absent: 0.0, declines: 0.0, no_show: 0.0 };
    /// Of those who come once each: nobody is to wait for who has gone.
    pub(super) const OF_CROWD: Habits = Habits { impatient: 0.05, absent: 0.02, ..Habits::OF_TROUBLE };
}

impl Seeker {
    /// Somebody of a queue.
    pub(super) fn new(queue: &Arc<Queue>, number: usize, habits: Habits) -> Self {
        Seeker::of(queue, queue.seekers[number].clone(), habits)
    }

    /// Somebody who comes to a queue.
    pub(super) fn of(queue: &Arc<Queue>, caller: Caller, habits: Habits) -> Self {
        let world = &queue.world;
        let transport = world.network.transport(End::Outside, Service::Matchmaking, Face::Public);
        Seeker {
            client: MatchmakingServiceClient::new(as_account(transport, caller.clone())),
            rng: world.rng(&caller.name),
            queue: Arc::clone(queue),
            caller,
            habits,
        }
    }

    /// Queues and plays, again and again until then.
    pub(super) async fn seek(self, until: Instant) {
        loop {
            tokio::time::sleep(self.rng.mostly_short(REST)).await;
            if Instant::now() >= until {
                return;
            }
            let wanted = self.wanted(1 + self.rng.below(self.queue.games.len()));
            if let Some(game) = self.find(&wanted, Some(self.leaves(until))).await
                && !self.rng.chance(self.habits.no_show)
            {
                let until = until.min(Instant::now() + self.rng.between(PLAYED.0, PLAYED.1));
                self.play(game, until).await;
            }
        }
    }

    /// When he goes if there is no game until then: at that moment at the latest.
    pub(super) fn leaves(&self, latest: Instant) -> Instant {
        let impatient = self.rng.chance(self.habits.impatient);
        let own = impatient.then(|| Instant::now() + self.rng.mostly_short(PATIENCE));
        own.unwrap_or(latest).min(latest)
    }

    /// So many of what is played in this run, in some order.
    pub(super) fn wanted(&self, count: usize) -> Vec<GameSettings> {
        let mut all = self.queue.games.clone();
        (0..count.min(all.len())).map(|_| all.swap_remove(self.rng.below(all.len()))).collect()
    }

    /// Hands a ticket in and holds it until there is a game, it is over, or it is time to leave.
    pub(super) async fn find(&self, wanted: &[GameSettings], mut leaves: Option<Instant>) -> Option<String> {
        let ticket = self.queue.world.env.uuid().to_string();
        let request = EnqueueRequest {
            ticket_id: ticket.clone(),
            settings: wanted.first().cloned(),
            alternatives: wanted[1..].to_vec(),
            ..EnqueueRequest::default()
        };
        self.queue.fates.open(&ticket, self.caller.id.to_string());
        let longest = Instant::now() + LONGEST;
        loop {
            let until = leaves.unwrap_or(longest);
            match tokio::time::timeout_at(until, self.listen(&request)).await {
                Ok(Heard::Matched(game)) => return Some(game),
                Ok(Heard::Over) => return None,
                Ok(Heard::Broken) => {
                    let away = if self.rng.chance(self.habits.absent) { GONE } else { AGAIN };
                    tokio::time::sleep(self.rng.mostly_short(away)).await;
                }
                Err(_) if leaves.is_none() => {
                    self.fault(&format!("nobody says what became of ticket {ticket}"));
                    return None;
                }
                Err(_) if self.rng.chance(self.habits.wordless) => {
                    self.queue.fates.leave(&ticket);
                    return None;
                }
                Err(_) if self.withdraw(&ticket).await => return None,
                // It has become a game, of which he is about to be told.
                Err(_) => leaves = None,
            }
        }
    }

    /// Listens to a ticket as long as the stream lasts.
    async fn listen(&self, request: &EnqueueRequest) -> Heard {
        let calm = self.queue.world.is_calm();
        let ticket = &request.ticket_id;
        let mut stream = match self.client.clone().enqueue(request.clone()).await {
            Ok(answer) => answer.into_inner(),
            Err(status) => return self.turned_away(ticket, calm, Err(status)),
        };
        loop {
            let state = match stream.message().await {
                Ok(Some(message)) => message.state,
                ended => return self.turned_away(ticket, calm, ended.map(drop)),
            };
            match state {
                Some(State::Matched(matched)) => {
                    let (game, side) = (matched.game_id.clone(), matched.side());
                    self.tell(ticket, &Fate::Matched { game: game.clone(), side });
                    return Heard::Matched(game);
                }
                Some(State::Cancelled(_) | State::Expired(_)) => {
                    self.tell(ticket, &Fate::Over);
                    return Heard::Over;
                }
                Some(State::Offered(offered)) if !offered.accepted => self.answer(ticket).await,
                Some(State::Offered(_) | State::Waiting(_)) => {}
                None => self.fault(&format!("ticket {ticket} is in no state")),
            }
        }
    }

    /// What follows from a stream that ended without a word, or with a refusal.
    fn turned_away(&self, ticket: &str, calm: bool, ended: Result<(), Status>) -> Heard {
        // Not the whole status: the details of a refusal are in no order.
        let why = ended.as_ref().map_err(|status| (status.code(), reason(status)));
        self.queue.world.trace.note(format!("the stream of ticket {ticket} ends: {why:?}"));
        let answer: Answer<()> = Answer::of(ended.map(|()| None));
        match answer {
            // A ticket of his that he has left lives a little longer; and who has spoiled a game is told so.
            Answer::Refused(reason) if ["TICKET_OPEN", "QUEUE_PAUSED"].contains(&&*reason) => {
                self.tell(ticket, &Fate::Over);
                Heard::Over
            }
            Answer::Refused(reason) if reason != "NO_EVENT" => {
                self.fault(&format!("ticket {ticket} is refused for {reason}"));
                self.tell(ticket, &Fate::Over);
                Heard::Over
            }
            _ => {
                if calm {
                    self.fault(&format!("nothing is wrong, and the stream of ticket {ticket} breaks"));
                }
                Heard::Broken
            }
        }
    }

    /// Answers an offer, once: if that is not heard, the offer comes again.
    async fn answer(&self, ticket: &str) {
        let accept = !self.rng.chance(self.habits.declines);
        let request = AnswerOfferRequest { ticket_id: ticket.to_owned(), accept };
        let answer = self.client.clone().answer_offer(request).await;
        let answer = answer.err().map(|status| reason(&status)).unwrap_or_default();
        self.queue.world.trace.note(format!("an offer to {ticket} is answered with {accept}: {answer}"));
    }

    /// Takes a ticket back, however long that takes. Whether that is so, and it has not become a game.
    async fn withdraw(&self, ticket: &str) -> bool {
        let request = CancelTicketRequest { ticket_id: ticket.to_owned() };
        let call = || async { self.client.clone().cancel_ticket(request.clone()).await };
        match with_retry(RetryPolicy(LONGEST), call).await {
            Ok(_) => {
                self.tell(ticket, &Fate::Over);
                true
            }
            // It never came in, or was lost with the live state: whoever does not hold on to it has none.
            Err(status) if reason(&status) == "UNKNOWN_TICKET" => {
                self.queue.fates.leave(ticket);
                true
            }
            Err(status) if reason(&status) == "TICKET_MATCHED" => false,
            Err(status) => {
                self.fault(&format!("ticket {ticket} is not taken back: {} {status}", reason(&status)));
                true
            }
        }
    }

    /// Plays a game until then.
    pub(super) async fn play(&self, game: String, until: Instant) {
        let Queue { world, history, .. } = &*self.queue;
        let transport = world.network.transport(End::Outside, Service::Game, Face::Public);
        let Some(table) = self.queue.table(&game, as_account(transport, self.caller.clone())).await else {
            return self.fault(&format!("a player was told of game {game}, which cannot be seen"));
        };
        match table.players.iter().position(|player| player.id == self.caller.id) {
            Some(seat) => Player::new(world, history, &table, seat).play(until).await,
            None => self.fault(&format!("a player was told of game {game}, which is not his")),
        }
    }

    fn tell(&self, ticket: &str, fate: &Fate) {
        self.queue.world.trace.note(format!("{} is told of ticket {ticket}: {fate:?}", self.caller.name));
        if let Some(before) = self.queue.fates.tell(ticket, fate) {
            self.fault(&format!("the owner of ticket {ticket} is told {fate:?} after {before:?}"));
        }
    }

    /// Writes down what must not be.
    pub(super) fn fault(&self, what: &str) {
        self.queue.world.trace.fault(what);
    }
}
