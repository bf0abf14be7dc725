//! Who takes part: players and teams enter, come late, are away, ask for byes, and leave.

use std::time::Duration;

use api::{
    client::with_retry,
    federation::v1::{self as pb, EntrantState, EntrantStatus, event_format::Format},
};
use chassis::auth::Caller;
use futures::future::join_all;

use super::{
    Event, Kind,
    command::{Commander, Refused, command},
};

/// The longest hesitation of whoever comes or goes.
const HESITATION: Duration = Duration::from_secs(8);
/// How likely somebody leaves before a round.
const LEAVES: f64 = 0.15;
/// How likely somebody who has left is let in again before a round.
const READMITTED: f64 = 0.3;
/// How likely somebody is away in a round of a Swiss, or asks for a bye.
const AWAY: f64 = 0.3;
/// How likely the late player is there before a round.
const COMES: f64 = 0.6;

impl Commander {
    /// Everybody enters who does not come late.
    pub(super) async fn enter_all(&self) -> Result<(), Refused> {
        let Event { players, teams, is_last_late, in_hall, kind, .. } = &self.event;
        if *kind == Kind::Teams {
            let entered = teams.iter().map(|team| async {
                let (team_id, supplement_version) = (team.id.clone(), 1);
                let captain = &team.captain;
                command!(self, captain, enter_team(EnterTeamRequest { team_id, supplement_version }))
                    .map(drop)
            });
            return join_all(entered).await.into_iter().collect();
        }
        let early = players.len() - usize::from(*is_last_late);
        let entered = players.iter().take(early).map(|player| self.enter(player));
        join_all(entered).await.into_iter().collect::<Result<(), Refused>>()?;
        if let Some(member_id) = in_hall.clone() {
            let (chief, supplement_version) = (&self.event.chief, 1);
            command!(self, chief, enter_event(EnterEventRequest { member_id, supplement_version }))?;
        }
        Ok(())
    }

    async fn enter(&self, player: &Caller) -> Result<(), Refused> {
        command!(self, player, enter_event(EnterEventRequest { supplement_version: 1 })).map(drop)
    }

    /// What players do before a round, while it is being paired. The platform may be faster, and refuse.
    pub(super) async fn come_and_go(&self, round: u32) -> Result<(), Refused> {
        let (came, ..) = futures::join!(self.come_late(), self.leave(round), self.stay_away(round));
        came
    }

    /// The late player comes, until the list is closed.
    async fn come_late(&self) -> Result<(), Refused> {
        let Some(late) = self.event.players.last().filter(|_| self.event.is_last_late) else { return Ok(()) };
        if !self.rng.chance(COMES) {
            return Ok(());
        }
        tokio::time::sleep(self.rng.mostly_short(HESITATION)).await;
        match self.enter(late).await {
            Err(reason) if !["ALREADY_ENTERED", "ENTRIES_CLOSED"].contains(&&*reason) => {
                Err(format!("nobody can come late: {reason}"))
            }
            _ => Ok(()),
        }
    }

    /// Somebody leaves, with his team where teams meet; now and then the chief arbiter lets one in again.
    async fn leave(&self, round: u32) {
        let (leaves, readmitted) = (self.rng.chance(LEAVES), self.rng.chance(READMITTED));
        let gone = self.who_left().await;
        if leaves && gone.is_empty() {
            tokio::time::sleep(self.rng.mostly_short(HESITATION)).await;
            let status = row(EntrantState::Withdrawn, round - 1);
            let told = if self.event.kind == Kind::Teams {
                self.leave_with_team(status).await
            } else {
                let player = self.rng.pick(&self.event.players);
                command!(self, player, change_entry(ChangeEntryRequest { status: Some(status) })).map(drop)
            };
            self.note(told, "leaves");
        } else if readmitted
            && self.rounds_of_swiss().is_some()
            && let Some(number) = gone.first().copied()
        {
            tokio::time::sleep(self.rng.mostly_short(HESITATION)).await;
            let (chief, status) = (&self.event.chief, Some(row(EntrantState::Active, round)));
            let told = command!(self, chief, change_entry(ChangeEntryRequest { number, status })).map(drop);
            self.note(told, "comes again");
        }
    }

    async fn leave_with_team(&self, status: EntrantStatus) -> Result<(), Refused> {
        let captain = &self.rng.pick(&self.event.teams).captain;
        let teams = self.teams().await?;
        let own = teams.iter().find(|it| it.captain_account_id == captain.id.to_string());
        let (team, status) = (own.map_or(0, |it| it.number), Some(status));
        command!(self, captain, change_team_entry(ChangeTeamEntryRequest { team, status })).map(drop)
    }

    /// Those whose last row says that they have left: players, or teams where those meet. Nobody leaves after another, so
    /// that enough are left to be paired.
    pub(super) async fn who_left(&self) -> Vec<u32> {
        let left = |statuses: &[EntrantStatus]| {
            let gone = [EntrantState::Withdrawn, EntrantState::Expelled];
            statuses.last().is_some_and(|last| gone.contains(&last.state()))
        };
        if self.event.kind == Kind::Teams {
            let teams = self.teams().await.unwrap_or_default();
            return teams.iter().filter(|it| left(&it.statuses)).map(|it| it.number).collect();
        }
        let entrants = self.entrants().await.unwrap_or_default();
        entrants.iter().filter(|it| left(&it.statuses)).map(|it| it.number).collect()
    }

    /// Somebody is away in a round of a Swiss, or asks for a bye.
    async fn stay_away(&self, round: u32) {
        let is_round = self.rounds_of_swiss().is_some_and(|rounds| round <= rounds);
        if !is_round || !self.rng.chance(AWAY) {
            return;
        }
        let reasons =
            [EntrantState::Absent, EntrantState::ByeFull, EntrantState::ByeHalf, EntrantState::ByeZero];
        let (player, state) = (self.rng.pick(&self.event.players), *self.rng.pick(&reasons));
        tokio::time::sleep(self.rng.mostly_short(HESITATION)).await;
        let status = Some(row(state, round));
        let told = command!(self, player, change_entry(ChangeEntryRequest { status })).map(drop);
        self.note(told, "is away");
    }

    fn rounds_of_swiss(&self) -> Option<u32> {
        match self.event.settings.format.as_ref()?.format.as_ref()? {
            Format::Swiss(swiss) => Some(swiss.rounds),
            _ => None,
        }
    }

    fn note(&self, told: Result<(), Refused>, what: &str) {
        if let Err(reason) = told {
            self.world.trace.note(format!("nobody {what}: {reason}"));
        }
    }

    /// Who has entered.
    pub(super) async fn entrants(&self) -> Result<Vec<pb::Entrant>, Refused> {
        let (client, event_id) = (self.client(&self.event.chief), self.event.id.to_string());
        let request = pb::ListEntrantsRequest { event_id, ..pb::ListEntrantsRequest::default() };
        let call = || async { client.clone().list_entrants(request.clone()).await };
        let answer = with_retry(self.patience(), call).await;
        answer.map(|list| list.entrants).map_err(|status| format!("entrants are not told: {status}"))
    }

    /// Which teams have entered.
    pub(super) async fn teams(&self) -> Result<Vec<pb::EventTeam>, Refused> {
        let (client, event_id) = (self.client(&self.event.chief), self.event.id.to_string());
        let request = pb::ListEventTeamsRequest { event_id, ..pb::ListEventTeamsRequest::default() };
        let call = || async { client.clone().list_event_teams(request.clone()).await };
        let answer = with_retry(self.patience(), call).await;
        answer.map(|list| list.teams).map_err(|status| format!("teams are not told: {status}"))
    }
}

const fn row(state: EntrantState, round: u32) -> EntrantStatus {
    EntrantStatus { state: state as i32, round }
}
