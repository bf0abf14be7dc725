//! How the events of a season are played: side by side, each round of all of them over the same two weeks.

use std::{collections::BTreeMap, time::Duration};

use api::{
    client::with_retry,
    federation::v1::{self as pb, CheckItem, EventStage, round},
    time::timestamp,
};
use chassis::auth::Caller;
use time::OffsetDateTime;
use tonic::Status;

use super::{
    league::{BOARDS, League, PATIENCE, Side, WINDOW, ask, change},
    plan::Course,
    script::Script,
};
use crate::event::drafted;

/// How long after its window a round may still take: what was agreed on for its last hour is played.
const LATE: Duration = Duration::from_hours(2);
/// What the report says.
const REPORT: &str = "Everything went by the rules.";

/// An event that is played, with the teams that play in it by their numbers.
pub(super) struct Held<'a> {
    pub league: &'a League,
    pub event: String,
    pub script: Script,
    pub sides: BTreeMap<u32, &'a Side>,
    pub players: BTreeMap<u32, Caller>,
}

/// What is arranged at one time: a match, or a board of one.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub round: u32,
    /// Who proposes and who answers.
    pub speakers: [Caller; 2],
    pub boards: Vec<Seats>,
    pub course: Course,
    /// When the round has begun.
    pub begun: OffsetDateTime,
}

/// A board, with the numbers of its players: of the side that proposes, and of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seats {
    pub table: u32,
    pub one: u32,
    pub other: u32,
}

/// What was arranged of an event.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub event: String,
    pub talk: Talk,
}

/// Something that is done about one, and when.
#[derive(Clone, Copy, Debug)]
enum Step {
    Propose,
    Answer,
    Play,
}

/// Plays events to their end as their scripts have it; a team may leave the first of them with its first round.
pub(super) async fn play(
    league: &League,
    events: Vec<(String, Script)>,
    rounds: u32,
    leaves: Option<&str>,
) -> Result<Vec<Done>, Status> {
    let mut done = Vec::new();
    let mut all = Vec::new();
    for (event, script) in events {
        all.push(Held::new(league, event, script).await?);
    }
    for held in &all {
        held.run().await?;
    }
    for round in 1..=rounds {
        let mut steps = Vec::new();
        for held in &all {
            for talk in held.begin(round).await? {
                done.push(Done { event: held.event.clone(), talk: talk.clone() });
                steps.extend(talk.steps().into_iter().map(|(at, step)| (at, held, talk.clone(), step)));
            }
        }
        steps.sort_by_key(|(at, ..)| *at);
        for (at, held, talk, step) in steps {
            league.calendar.until(at).await;
            held.take(&talk, step).await?;
        }
        for held in &all {
            held.complete(round).await?;
        }
        league.calendar.calm().await;
        if let (Some(named), 1) = (leaves, round) {
            all[0].leave(named).await?;
        }
    }
    for held in &all {
        held.end().await?;
    }
    Ok(done)
}

impl Talk {
    fn steps(&self) -> Vec<(OffsetDateTime, Step)> {
        let proposed = self.course.proposed().map(|after| (self.begun + after, Step::Propose));
        let answered = self.course.answered().map(|after| (self.begun + after, Step::Answer));
        let played = self.course.played().map(|after| (self.begun + after, Step::Play));
        [proposed, answered, played].into_iter().flatten().collect()
    }

    fn start_time(&self) -> prost_types::Timestamp {
        timestamp(self.begun + self.course.played().unwrap_or(super::plan::VAIN))
    }
}

impl<'a> Held<'a> {
    async fn new(league: &'a League, event: String, script: Script) -> Result<Held<'a>, Status> {
        let request = pb::ListEventTeamsRequest { event_id: event.clone(), ..Default::default() };
        let teams = ask!(league.events(&league.chief), list_event_teams, request)?.teams;
        let (mut sides, mut players) = (BTreeMap::new(), BTreeMap::new());
        for team in teams {
            let side = league.side(&team.team_id);
            sides.insert(team.number, side);
            players
                .extend(team.players.iter().chain(&team.reserves).copied().zip(side.players.iter().cloned()));
        }
        Ok(Held { league, event, script, sides, players })
    }

    /// Begins the event.
    pub(super) async fn run(&self) -> Result<(), Status> {
        let chief = &self.league.chief;
        self.check(&[CheckItem::ArbitersBriefed, CheckItem::EntriesChecked, CheckItem::VenueChecked]).await?;
        change!(self.league, &self.event, chief, commit_seed(CommitSeedRequest {}))?;
        self.advance(EventStage::Running).await
    }

    /// Ends it.
    pub(super) async fn end(&self) -> Result<(), Status> {
        let League { chief, arbiter, .. } = self.league;
        self.advance(EventStage::Closing).await?;
        self.check(&[CheckItem::ResultsChecked, CheckItem::PlacesAnnounced]).await?;
        let text = REPORT.to_owned();
        change!(self.league, &self.event, chief, file_report(FileReportRequest { text: text.clone() }))?;
        let account_id = arbiter.id.to_string();
        change!(self.league, &self.event, chief, assess_arbiter(AssessArbiterRequest { account_id, text }))?;
        self.advance(EventStage::Final).await
    }

    /// Begins a round, for which every captain declares his line-up and hands it in; what is arranged of it.
    async fn begin(&self, round: u32) -> Result<Vec<Talk>, Status> {
        let chief = &self.league.chief;
        self.pair(round).await?;
        change!(self.league, &self.event, chief, publish_round(PublishRoundRequest { round }))?;
        for it in self.matches(round).await? {
            self.line_up(round, it.first).await?;
            self.line_up(round, it.second).await?;
        }
        change!(self.league, &self.event, chief, start_round(StartRoundRequest { round }))?;
        let begun = self.league.calendar.now();
        let mut talks = Vec::new();
        for it in self.matches(round).await? {
            talks.extend(self.talks(&it, begun));
        }
        Ok(talks)
    }

    /// What is arranged of a match.
    fn talks(&self, it: &pb::TeamMatch, begun: OffsetDateTime) -> Vec<Talk> {
        let named = [it.first, it.second].map(|team| self.sides[&team].named);
        let (courses, straight) = self.script.courses(&self.league.rng, named);
        let teams = if straight { [it.first, it.second] } else { [it.second, it.first] };
        let seats: Vec<Seats> = it
            .boards
            .iter()
            .map(|board| {
                let (one, other) =
                    if straight { (board.first, board.second) } else { (board.second, board.first) };
                Seats { table: board.table, one, other }
            })
            .collect();
        let each = if courses.len() == 1 { seats.len() } else { 1 };
        let of = |(boards, course): (&[Seats], Course)| {
            let speakers = if each > 1 {
                teams.map(|team| self.sides[&team].players[0].clone())
            } else {
                [boards[0].one, boards[0].other].map(|number| self.players[&number].clone())
            };
            Talk { round: it.round, speakers, boards: boards.to_vec(), course, begun }
        };
        seats.chunks(each).zip(courses).map(of).collect()
    }

    /// Does what a script says about a match or a board.
    async fn take(&self, talk: &Talk, step: Step) -> Result<(), Status> {
        let (round, table, start_time) = (talk.round, talk.boards[0].table, talk.start_time());
        let [one, other] = &talk.speakers;
        match (step, &talk.course) {
            (Step::Propose, _) => {
                let start_times = vec![start_time];
                change!(
                    self.league,
                    &self.event,
                    one,
                    propose_game(ProposeGameRequest { round, table, start_times })
                )?;
            }
            (Step::Answer, Course::Declined { .. }) => {
                change!(
                    self.league,
                    &self.event,
                    other,
                    decline_proposal(DeclineProposalRequest { round, table })
                )?;
            }
            (Step::Answer, _) => {
                let start_time = Some(start_time);
                change!(
                    self.league,
                    &self.event,
                    other,
                    accept_proposal(AcceptProposalRequest { round, table, start_time })
                )?;
            }
            (Step::Play, Course::Agreed { points, .. }) => {
                for (seats, points) in talk.boards.iter().zip(points) {
                    self.play_board(round, *seats, *points).await?;
                }
            }
            (Step::Play, _) => {}
        }
        Ok(())
    }

    /// Waits until a round is complete: until its deadline, where nobody has arranged something.
    pub(super) async fn complete(&self, number: u32) -> Result<(), Status> {
        let last = self.league.calendar.now() + WINDOW + LATE;
        loop {
            let round = self.round(number).await?;
            if round.state() == round::State::Complete {
                return Ok(());
            }
            if self.league.calendar.now() > last {
                return Err(Status::deadline_exceeded(format!(
                    "round {number} is never complete: {round:?}"
                )));
            }
            self.league.calendar.step(last + LATE).await;
        }
    }

    /// A team leaves the event.
    async fn leave(&self, named: &str) -> Result<(), Status> {
        let Some((team, _)) = self.sides.iter().find(|(_, side)| side.named == named) else { return Ok(()) };
        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
        let (team, reason) = (*team, "it has nobody left".to_owned());
        let chief = &self.league.chief;
        change!(
            self.league,
            &self.event,
            chief,
            change_team_entry(ChangeTeamEntryRequest { team, status, reason })
        )
        .map(drop)
    }

    /// Has a captain declare a line-up and hand it in: in even rounds the reserve plays at the second board.
    async fn line_up(&self, round: u32, team: u32) -> Result<(), Status> {
        let side = self.sides[&team];
        let own = |caller: &Caller| side.players.iter().any(|player| player.id == caller.id);
        let mut players: Vec<u32> =
            self.players.iter().filter(|(_, caller)| own(caller)).map(|(number, _)| *number).collect();
        players.remove(if round.is_multiple_of(2) { 1 } else { BOARDS });
        let salt = self.league.world.env.bytes();
        let numbers: Vec<pairing::Number> = players.iter().copied().map(pairing::Number).collect();
        let commitment = pairing::lineup::commitment(&salt, &numbers).to_vec();
        let captain = &side.players[0];
        change!(
            self.league,
            &self.event,
            captain,
            declare_line_up(DeclareLineUpRequest { round, team, commitment })
        )?;
        let salt = salt.to_vec();
        change!(
            self.league,
            &self.event,
            captain,
            reveal_line_up(RevealLineUpRequest { round, team, salt, players })
        )
        .map(drop)
    }

    /// The matches of a round whose two teams play.
    async fn matches(&self, round: u32) -> Result<Vec<pb::TeamMatch>, Status> {
        let request =
            pb::ListTeamMatchesRequest { event_id: self.event.clone(), round, ..Default::default() };
        let matches = ask!(self.league.events(&self.league.chief), list_team_matches, request)?.matches;
        Ok(matches.into_iter().filter(|it| it.first != 0 && it.second != 0).collect())
    }

    /// A round as everybody sees it.
    pub(super) async fn round(&self, round: u32) -> Result<pb::Round, Status> {
        let request = pb::GetRoundRequest { event_id: self.event.clone(), round, as_of_sequence: 0 };
        Ok(ask!(self.league.events(&self.league.chief), get_round, request)?.round.unwrap_or_default())
    }

    pub(super) async fn check(&self, items: &[CheckItem]) -> Result<(), Status> {
        for item in items {
            let (item, chief) = ((*item).into(), &self.league.chief);
            change!(self.league, &self.event, chief, check_off(CheckOffRequest { item }))?;
        }
        Ok(())
    }

    pub(super) async fn advance(&self, stage: EventStage) -> Result<(), Status> {
        let (stage, chief) = (stage.into(), &self.league.chief);
        change!(self.league, &self.event, chief, advance_event(AdvanceEventRequest { stage })).map(drop)
    }

    pub(super) async fn pair(&self, round: u32) -> Result<pb::Round, Status> {
        let (event_id, request_id) = (self.event.clone(), self.league.new_id());
        let request = pb::PairRoundRequest { event_id, request_id, round, ..Default::default() };
        let client = self.league.events(&self.league.chief);
        let call = || drafted(client.clone(), request.clone());
        with_retry(PATIENCE, call).await
    }
}
