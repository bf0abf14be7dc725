//! How an event of a season is played.

use std::time::Duration;

use api::{federation::v1 as pb, time::timestamp};
use chassis::Env;
use tests::{
    Bot, change,
    held::{Held, until},
};

use super::{
    script::{Course, Matches},
    stage::{BOARDS, LEAVE, Side, Stage},
};
use crate::events::teams::{hash, matches_of, salt};

/// How far ahead captains propose to play.
const SOON: Duration = Duration::from_secs(3);

/// An event with the teams that play in it by their numbers.
struct Played<'a> {
    held: Held,
    sides: Vec<(u32, &'a Side)>,
    matches: Matches,
}

/// Plays an event to its end as the script has it; somebody may leave it with its first round.
pub(super) async fn play(stage: &Stage, event: &str, matches: Matches, rounds: u32, leaves: Option<&str>) {
    let (held, sides) = stage.held(event).await;
    let played = Played { held, sides, matches };
    let held = &played.held;
    held.run().await;
    for round in 1..=rounds {
        held.pair(round).await;
        held.publish(round).await;
        for it in &played.matches(round).await {
            played.line_up(it, it.first).await;
            played.line_up(it, it.second).await;
        }
        held.begin_round(round).await;
        let matches = played.matches(round).await;
        for it in &matches {
            played.arrange(it).await;
        }
        for it in &matches {
            played.play(it).await;
        }
        if let Some(named) = leaves.filter(|_| round == 1) {
            held.complete(round).await;
            played.leave(named).await;
        }
        held.complete(round).await;
    }
    held.end().await;
}

impl Played<'_> {
    /// The matches of a round whose two teams play.
    async fn matches(&self, round: u32) -> Vec<pb::TeamMatch> {
        let matches = matches_of(&self.held, &self.held.chief.player, round).await;
        matches.into_iter().filter(|it| it.first != 0 && it.second != 0).collect()
    }

    fn side(&self, team: u32) -> &Side {
        self.sides.iter().find(|side| side.0 == team).expect("a team of the event").1
    }

    /// What the script has of a match, and whether the first team is the script's first.
    fn course(&self, it: &pb::TeamMatch) -> (Course, bool) {
        let (one, other) = (self.side(it.first).named, self.side(it.second).named);
        let find = |one, other| self.matches.iter().find(|row| row.0 == one && row.1 == other);
        match find(one, other) {
            Some(row) => (row.2, true),
            None => (find(other, one).unwrap_or_else(|| panic!("{one} and {other} meet")).2, false),
        }
    }

    /// The numbers of a team's players.
    fn numbers(&self, team: u32) -> Vec<u32> {
        let own = |id: &str| self.side(team).players.iter().any(|player| player.account().id == id);
        let of_team = self.held.players.iter().filter(|(_, player)| own(&player.account().id));
        of_team.map(|(number, _)| *number).collect()
    }

    /// Has a captain declare a line-up and hand it in: in even rounds the reserve plays at the second board.
    async fn line_up(&self, it: &pb::TeamMatch, team: u32) {
        let (round, mut players) = (it.round, self.numbers(team));
        players.remove(if round.is_multiple_of(2) { 1 } else { BOARDS });
        let commitment = hash(round, team, &players).to_vec();
        let captain = &self.side(team).players[0];
        change!(self.held, captain, declare_line_up(DeclareLineUpRequest { round, team, commitment }))
            .expect("declared");
        let salt = salt(round, team).to_vec();
        change!(self.held, captain, reveal_line_up(RevealLineUpRequest { round, team, salt, players }))
            .expect("handed in");
    }

    /// Has the captains do about the time of a match what the script says.
    async fn arrange(&self, it: &pb::TeamMatch) {
        let (course, straight) = self.course(it);
        let (one, other) = if straight { (it.first, it.second) } else { (it.second, it.first) };
        let [one, other] = [one, other].map(|team| &self.side(team).players[0]);
        let (round, table) = (it.round, it.boards[0].table);
        if matches!(course, Course::Silent) {
            self.take_leave(it, one).await;
            return;
        }
        let start_time = timestamp(Env::system().now() + SOON);
        let start_times = vec![start_time];
        change!(self.held, one, propose_game(ProposeGameRequest { round, table, start_times }))
            .expect("proposed");
        if matches!(course, Course::Declined) {
            change!(self.held, other, decline_proposal(DeclineProposalRequest { round, table }))
                .expect("declined");
            return;
        }
        let start_time = Some(start_time);
        change!(self.held, other, accept_proposal(AcceptProposalRequest { round, table, start_time }))
            .expect("accepted");
    }

    /// Has a captain take all the leave of his team, which moves the deadline of its match by it, and nothing more.
    async fn take_leave(&self, it: &pb::TeamMatch, captain: &Bot) {
        let team = self.sides.iter().find(|side| side.1.players[0].account().id == captain.account().id);
        let (team, before) = (team.expect("a captain").0, self.deadline(it).await);
        let from = Env::system().now() + Duration::from_secs(1);
        let from_time = Some(timestamp(from));
        for (seconds, is_in_budget) in [(LEAVE + 1, false), (LEAVE, true)] {
            let until_time = Some(timestamp(from + Duration::from_secs(seconds)));
            let taken =
                change!(self.held, captain, take_leave(TakeLeaveRequest { team, from_time, until_time }));
            assert_eq!(taken.is_ok(), is_in_budget, "{seconds} s: {taken:?}");
        }
        assert_eq!(self.deadline(it).await, before + Duration::from_secs(LEAVE));
    }

    /// When it is settled what becomes of a match that nobody has arranged.
    async fn deadline(&self, it: &pb::TeamMatch) -> time::OffsetDateTime {
        let round = self.held.round(it.round).await;
        let board = round.pairings.into_iter().find(|of| of.table == it.boards[0].table).expect("a board");
        let deadline = board.arrangement.and_then(|it| it.deadline_time).expect("it is to be arranged");
        api::time::moment(&deadline).expect("a moment")
    }

    /// Plays the boards of a match that was arranged.
    async fn play(&self, it: &pb::TeamMatch) {
        let (Course::Played(points), straight) = self.course(it) else { return };
        for (board, points) in it.boards.iter().zip(points) {
            let pairing = until("the game of a board that was arranged", async || {
                let round = self.held.round(it.round).await;
                round.pairings.into_iter().find(|of| of.table == board.table && !of.game_id.is_empty())
            })
            .await;
            let (one, other) =
                if straight { (board.first, board.second) } else { (board.second, board.first) };
            self.held.begin(&pairing).await;
            match points {
                2 => self.held.resign(&pairing, other).await,
                1 => self.held.draw(&pairing).await,
                _ => self.held.resign(&pairing, one).await,
            }
        }
    }

    /// A team leaves the event.
    async fn leave(&self, named: &str) {
        let team = self.sides.iter().find(|side| side.1.named == named).expect("it plays").0;
        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
        let (chief, reason) = (&self.held.chief.player, "it has nobody left".to_owned());
        change!(self.held, chief, change_team_entry(ChangeTeamEntryRequest { team, status, reason }))
            .expect("it leaves");
    }
}
