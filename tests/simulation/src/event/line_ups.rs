//! Line-ups of teams: captains declare them by a hash and hand them in, and others look whether they can see them.

use std::time::Duration;

use api::{client::with_retry, federation::v1 as pb};
use chassis::auth::Caller;
use futures::future::join_all;
use pairing::Number;
use tokio::time::Instant;

use super::{
    Kind,
    command::{Commander, Refused, command},
    settings::BOARDS,
};
use crate::history::Peek;

/// How long a captain thinks before each thing that he does, at most.
const THOUGHT: Duration = Duration::from_secs(8);
/// How likely a captain declares a line-up, and how likely he hands it in then.
const DECLARED: f64 = 0.85;
const HANDED_IN: f64 = 0.8;
/// How often each who is curious looks, and how long he waits between two looks at most.
const LOOKS: usize = 4;
const LOOK: Duration = Duration::from_secs(6);

impl Commander {
    /// What captains do about a round that is public, and what others see of it meanwhile.
    pub(super) async fn line_ups(&self, round: u32) {
        if self.event.kind != Kind::Teams {
            return;
        }
        let (Ok(public), Ok(teams)) = (self.round(round).await, self.teams().await) else { return };
        let met =
            |it: &&pb::EventTeam| public.matches.iter().any(|of| [of.first, of.second].contains(&it.number));
        let captains = teams.iter().filter(met).map(|team| async {
            if let Err(reason) = self.line_up(round, team).await {
                self.world.trace.note(format!("team {} has no line-up: {reason}", team.number));
            }
        });
        let curious = public.matches.iter().map(|of| self.peek(round, of.table, &teams));
        futures::join!(join_all(captains), join_all(curious));
    }

    /// A captain declares a line-up and hands it in; or does not.
    async fn line_up(&self, round: u32, entered: &pb::EventTeam) -> Result<(), Refused> {
        let captain = self.event.player(&entered.captain_account_id).ok_or("nobody leads it")?;
        if !self.rng.chance(DECLARED) {
            return Ok(());
        }
        tokio::time::sleep(self.rng.mostly_short(THOUGHT)).await;
        let mut members = [entered.players.clone(), entered.reserves.clone()].concat();
        let first = self.rng.below(members.len());
        members.rotate_left(first);
        members.truncate(BOARDS);
        let salt = self.world.env.bytes();
        let numbers: Vec<Number> = members.iter().copied().map(Number).collect();
        let commitment = pairing::lineup::commitment(&salt, &numbers).to_vec();
        let team = entered.number;
        command!(self, captain, declare_line_up(DeclareLineUpRequest { round, team, commitment }))?;
        if !self.rng.chance(HANDED_IN) {
            return Ok(());
        }
        tokio::time::sleep(self.rng.mostly_short(THOUGHT)).await;
        let (salt, players) = (salt.to_vec(), members);
        command!(self, captain, reveal_line_up(RevealLineUpRequest { round, team, salt, players })).map(drop)
    }

    /// Both captains, the chief arbiter and the committee look at a match, again and again.
    async fn peek(&self, round: u32, of: u32, teams: &[pb::EventTeam]) {
        let captain = |it: &pb::EventTeam| self.event.player(&it.captain_account_id).cloned();
        let officials = [self.event.chief.clone(), self.event.committee.clone()];
        let curious: Vec<Caller> = teams.iter().filter_map(captain).chain(officials).collect();
        for _ in 0..LOOKS {
            tokio::time::sleep(self.rng.mostly_short(LOOK)).await;
            let who = self.rng.pick(&curious);
            let request = pb::GetTeamMatchRequest { event_id: self.event.id.to_string(), round, r#match: of };
            let client = self.client(who);
            let call = || async { client.clone().get_team_match(request.clone()).await };
            let Ok(seen) = with_retry(self.patience(), call).await else { continue };
            let Some(seen) = seen.r#match else { continue };
            for line_up in [seen.first_line_up, seen.second_line_up].into_iter().flatten() {
                let team = line_up.team;
                let own =
                    teams.iter().any(|it| it.number == team && it.captain_account_id == who.id.to_string());
                if !own && !line_up.players.is_empty() {
                    let peek = Peek { at: Instant::now(), round, team, players: line_up.players };
                    self.world.trace.note(format!("{} sees {peek:?}", who.name));
                    self.history.peek(peek);
                }
            }
        }
    }
}
