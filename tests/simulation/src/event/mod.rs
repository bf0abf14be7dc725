//! An event of a federation in a run: a small Swiss, round robin or knock-out, or one of teams, which simulated officials
//! hold through the public API, while everything that can go wrong does. Players come late, leave, are away and complain;
//! captains declare line-ups, and others look whether they can see them.

mod board;
mod chief;
mod command;
mod entries;
mod hall;
mod incidents;
mod line_ups;
mod settings;

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

pub(crate) use chief::{Held, drafted, hold};
use settings::{BOARDS, Kind, Plan};

use crate::{
    network::Face,
    officials::EventOfficials,
    rng::Rng,
    topology::{End, Service},
    world::World,
};

/// How many runs have an event. One costs as much as some runs without; with one in eight a thousand seeds have over a
/// hundred, and take less than half as long again.
const SHARE: f64 = 0.125;
/// How long what is done before the trouble may take. Nothing is wrong then, but a request is sent where nobody listens.
const PREPARED: RetryPolicy = RetryPolicy(Duration::from_secs(10));

/// An event that is to be held, with everybody who takes part in it.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    federation: String,
    /// What meets in it.
    kind: Kind,
    /// What it is.
    settings: pb::EventSettings,
    /// Who founded the federation and is the event's committee.
    committee: Caller,
    /// The chief arbiter.
    pub chief: Caller,
    arbiter: Caller,
    scorer: Caller,
    /// Who plays here.
    players: Vec<Caller>,
    /// Whether the last of them comes when it has begun.
    is_last_late: bool,
    /// The member who plays in a hall.
    in_hall: Option<String>,
    teams: Vec<Team>,
}

/// A team of the federation.
#[derive(Clone, Debug)]
struct Team {
    id: String,
    captain: Caller,
}

/// The founder of a federation, who asks for its members and teams.
pub(crate) struct Founder<'a> {
    world: &'a World,
    client: FederationServiceClient<Transport>,
    /// The federation.
    pub federation: String,
}

/// Whether the run of a seed has an event.
pub(crate) fn is_held(seed: u64) -> bool {
    Rng::new(seed, "whether there is an event").chance(SHARE)
}

impl Event {
    /// Makes the accounts, the federation, its members and its teams, before there is any trouble.
    ///
    /// # Errors
    /// When one of them is not made.
    pub(crate) async fn prepare(world: &World) -> Result<Event, Status> {
        let rng = world.rng("event");
        let plan = Plan::new(&rng);
        let committee = account(world, "anna").await?;
        let (chief, arbiter) = (account(world, "boris").await?, account(world, "chen").await?);
        let scorer = account(world, "dolma").await?;
        let founder = Founder::new(world, &committee).await?;
        let (mut players, mut members) = (Vec::new(), Vec::new());
        for number in 0..plan.players {
            let player = account(world, &format!("entrant-{number}")).await?;
            members.push(founder.enrol(&player.name, &player.id.to_string()).await?);
            players.push(player);
        }
        let in_hall = if plan.hall { Some(founder.enrol("in the hall", "").await?) } else { None };
        let mut teams = Vec::new();
        for (members, players) in members.chunks(BOARDS + 1).zip(players.chunks(BOARDS + 1)).take(plan.teams)
        {
            let id = founder.form(&format!("Team {}", teams.len()), members).await?;
            teams.push(Team { id, captain: players[0].clone() });
        }
        Ok(Event {
            id: world.env.uuid().into(),
            federation: founder.federation,
            kind: plan.kind,
            settings: plan.settings(&rng),
            committee,
            chief,
            arbiter,
            scorer,
            players,
            is_last_late: plan.late,
            in_hall,
            teams,
        })
    }

    /// Who plays here with an account.
    fn player(&self, account: &str) -> Option<&Caller> {
        self.players.iter().find(|player| player.id.to_string() == account)
    }

    /// Who acts in its games.
    fn officials(&self) -> EventOfficials {
        EventOfficials::of(self.id, [&self.chief, &self.arbiter, &self.committee])
    }
}

impl<'a> Founder<'a> {
    /// Founds a federation.
    pub(crate) async fn new(world: &'a World, founder: &Caller) -> Result<Self, Status> {
        let transport = as_account(reached(world, Service::Federation), founder.clone());
        let client = FederationServiceClient::new(transport);
        let request = pb::CreateFederationRequest {
            federation: Some(pb::Federation { name: name("Federation"), ..pb::Federation::default() }),
            request_id: world.env.uuid().to_string(),
            validate_only: false,
        };
        let call = || async { client.clone().create_federation(request.clone()).await };
        let federation = with_retry(PREPARED, call).await?.federation.unwrap_or_default().federation_id;
        Ok(Founder { world, client, federation })
    }

    /// Makes somebody a member, who may have no account; the member's id.
    pub(crate) async fn enrol(&self, native: &str, account_id: &str) -> Result<String, Status> {
        let member = pb::Member {
            federation_id: self.federation.clone(),
            account_id: account_id.to_owned(),
            name: name(native),
            ..pb::Member::default()
        };
        let request = pb::CreateMemberRequest {
            member: Some(member),
            request_id: self.world.env.uuid().to_string(),
            ..pb::CreateMemberRequest::default()
        };
        let call = || async { self.client.clone().create_member(request.clone()).await };
        Ok(with_retry(PREPARED, call).await?.member.unwrap_or_default().member_id)
    }

    /// Forms a team of members, of whom the first is captain and the last is its substitute; the team's id.
    pub(crate) async fn form(&self, native: &str, members: &[String]) -> Result<String, Status> {
        let part = |at| if at < BOARDS { pb::TeamPart::Player } else { pb::TeamPart::Substitute };
        let of = |(at, id): (usize, &String)| pb::TeamMember { member_id: id.clone(), part: part(at).into() };
        let team = pb::Team {
            federation_id: self.federation.clone(),
            name: name(native),
            captain_id: members.first().cloned().unwrap_or_default(),
            members: members.iter().enumerate().map(of).collect(),
            ..pb::Team::default()
        };
        let request_id = self.world.env.uuid().to_string();
        let request = pb::CreateTeamRequest { team: Some(team), request_id, validate_only: false };
        let call = || async { self.client.clone().create_team(request.clone()).await };
        Ok(with_retry(PREPARED, call).await?.team.unwrap_or_default().team_id)
    }
}

/// An account that identity knows.
pub(crate) async fn account(world: &World, name: &str) -> Result<Caller, Status> {
    let identity = IdentityServiceClient::new(reached(world, Service::Identity));
    let request = RegisterRequest {
        name: name.to_owned(),
        password: format!("the password of {name}"),
        request_id: world.env.uuid().to_string(),
        bot: false,
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
pub(crate) fn name(native: &str) -> Option<pb::Name> {
    Some(pb::Name { native: native.to_owned(), latin: String::new() })
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
