//! An event of a federation in a run: a small Swiss or a round robin, which simulated officials hold through the public
//! API, while everything that can go wrong does.

mod board;
mod chief;
mod command;

use api::{
    client::{RetryPolicy, with_retry},
    federation::v1::{self as pb, federation_service_client::FederationServiceClient},
    identity::v1::{RegisterRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use chassis::{
    auth::Caller,
    id::{AccountId, EventId},
    testing::{as_account, player},
};
use std::time::Duration;
use tonic::Status;

pub(crate) use chief::{Held, hold};

use crate::{
    network::Face,
    officials::EventOfficials,
    rng::Rng,
    table::{short_control, short_games},
    topology::{End, Service},
    world::World,
};

/// How many runs have an event. One costs as much as some runs without; with one in eight a thousand seeds have over a
/// hundred, and take less than half as long again.
const SHARE: f64 = 0.125;
/// Players of an event: at least and at most. With an odd number somebody has the bye.
const PLAYERS: (usize, usize) = (3, 5);
/// Rounds of a Swiss: at least and at most.
const ROUNDS: (usize, usize) = (2, 3);
/// How long what is done before the trouble may take. Nothing is wrong then, but a request is sent where nobody listens.
const PREPARED: RetryPolicy = RetryPolicy(Duration::from_secs(10));

/// An event that is to be held, with everybody who takes part in it.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    federation: String,
    /// What it is.
    settings: pb::EventSettings,
    /// Who founded the federation and is the event's committee.
    committee: Caller,
    /// The chief arbiter.
    pub chief: Caller,
    arbiter: Caller,
    players: Vec<Caller>,
}

/// Whether the run of a seed has an event.
pub(crate) fn is_held(seed: u64) -> bool {
    Rng::new(seed, "whether there is an event").chance(SHARE)
}

impl Event {
    /// Makes the accounts, the federation and its members, before there is any trouble.
    ///
    /// # Errors
    /// When one of them is not made.
    pub(crate) async fn prepare(world: &World) -> Result<Event, Status> {
        let rng = world.rng("event");
        let committee = account(world, "anna").await?;
        let (chief, arbiter) = (account(world, "boris").await?, account(world, "chen").await?);
        let mut players = Vec::new();
        for number in 0..PLAYERS.0 + rng.below(PLAYERS.1 - PLAYERS.0 + 1) {
            players.push(account(world, &format!("entrant-{number}")).await?);
        }
        let federations =
            FederationServiceClient::new(as_account(reached(world, Service::Federation), committee.clone()));
        let request = pb::CreateFederationRequest {
            federation: Some(pb::Federation { name: name("Federation"), ..pb::Federation::default() }),
            request_id: world.env.uuid().to_string(),
            validate_only: false,
        };
        let call = || async { federations.clone().create_federation(request.clone()).await };
        let federation = with_retry(PREPARED, call).await?.federation.unwrap_or_default().federation_id;
        for player in &players {
            let member = pb::Member {
                federation_id: federation.clone(),
                account_id: player.id.to_string(),
                name: name(&player.name),
                ..pb::Member::default()
            };
            let request = pb::CreateMemberRequest {
                member: Some(member),
                request_id: world.env.uuid().to_string(),
                ..pb::CreateMemberRequest::default()
            };
            let call = || async { federations.clone().create_member(request.clone()).await };
            with_retry(PREPARED, call).await?;
        }
        let settings = settings(&rng, players.len());
        Ok(Event { id: world.env.uuid().into(), federation, settings, committee, chief, arbiter, players })
    }

    /// Who acts in its games.
    fn officials(&self) -> EventOfficials {
        EventOfficials::of(self.id, [&self.chief, &self.arbiter, &self.committee])
    }
}

/// An account that identity knows.
async fn account(world: &World, name: &str) -> Result<Caller, Status> {
    let identity = IdentityServiceClient::new(reached(world, Service::Identity));
    let request = RegisterRequest {
        name: name.to_owned(),
        password: format!("the password of {name}"),
        request_id: world.env.uuid().to_string(),
    };
    let call = || async { identity.clone().register(request.clone()).await };
    let made = with_retry(PREPARED, call).await?.account.unwrap_or_default();
    let id = AccountId::parse(&made.id, "account_id")?;
    Ok(Caller { id, ..player(&world.env, name) })
}

fn reached(world: &World, service: Service) -> Transport {
    world.network.transport(End::Outside, service, Face::Public)
}

/// A name, as messages have it.
#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn name(native: &str) -> Option<pb::Name> {
    Some(pb::Name { native: native.to_owned(), latin: String::new() })
}

/// A small event with short games.
fn settings(rng: &Rng, players: usize) -> pb::EventSettings {
    use pb::event_format::{Format, RoundRobin, Swiss};
    let (variant, options) = *rng.pick(&short_games());
    let seconds = |least, most| {
        Some(api::time::duration(rng.between(Duration::from_secs(least), Duration::from_secs(most))))
    };
    let rounds = u32::try_from(ROUNDS.0 + rng.below(ROUNDS.1 - ROUNDS.0 + 1)).unwrap_or(1);
    let format = if players > 3 && rng.chance(0.5) {
        Format::Swiss(Swiss { rounds })
    } else {
        Format::RoundRobin(RoundRobin { double: false })
    };
    pb::EventSettings {
        game: Some(pb::EventGame {
            variant: variant.id.to_owned(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            time_control: Some(short_control(variant, rng).into()),
            rated: rng.chance(0.7),
            lateness_duration: seconds(10, 40),
            arbiter_confirms: rng.chance(0.3),
            adjournable: rng.chance(0.4),
            ..pb::EventGame::default()
        }),
        format: Some(pb::EventFormat { format: Some(format) }),
        entries_max: u32::try_from(players).unwrap_or(u32::MAX),
        schedule: Some(pb::EventSchedule {
            zone: "Asia/Shanghai".to_owned(),
            start: if rng.chance(0.5) { pb::RoundStart::WhenComplete } else { pb::RoundStart::ByHand }.into(),
            ..pb::EventSchedule::default()
        }),
        appeal_duration: seconds(60, 60),
        ..pb::EventSettings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::is_held;

    #[test]
    fn about_one_run_in_eight_has_an_event() {
        for first in [1, 880_000, 302_801_842_906] {
            let events = (first..first + 1000_u64).filter(|seed| is_held(*seed)).count();
            assert!((90..=160).contains(&events), "{events} of a thousand seeds from {first} on");
        }
    }
}
