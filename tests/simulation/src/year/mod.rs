//! A year of a federation: a league of two divisions over two seasons, months of virtual time, on replicas that die when
//! something is due.

mod board;
mod calendar;
mod check;
mod correspondence;
mod league;
mod plan;
mod script;
mod season;
mod trouble;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use api::{
    error::reason,
    federation::v1::{self as pb, SeasonState},
};
use tokio::time::Instant;
use tonic::Status;

use calendar::Calendar;
use check::Inboxes;
use league::{League, ask};
use script::{Line, Row, Script};
use season::{Done, play};
use trouble::Kind;

use crate::{
    rng::Rng,
    trace::digest,
    world::{Deployment, World},
};

/// What goes wrong in the year by script: everything dies when anything is due.
const DEATHS: &[(Kind, u32)] = &[(Kind::Killed, 1), (Kind::KilledAtWork, 1)];
/// What goes wrong in a year of a seed, and how likely it is when something is due.
const TROUBLES: &[(Kind, u32)] = &[(Kind::Killed, 3), (Kind::KilledAtWork, 3), (Kind::Everything, 4)];
const SHARE: f64 = 0.4;
/// Rounds of a division of four.
const ROUNDS: u32 = 3;
/// How likely a team leaves the first division of a season with its first round.
const LEAVES: f64 = 0.4;
/// How long what was written may take to reach everybody.
const TELLING: Duration = Duration::from_secs(40);

/// What came of a year.
#[derive(Clone, Debug)]
pub struct Year {
    /// Its seed.
    pub seed: u64,
    /// A number that tells whether two years were the same.
    pub digest: u64,
    /// Everything that happened, a line each.
    pub lines: Vec<String>,
    /// What was wrong; nothing, if the platform kept its promises.
    pub faults: Vec<String>,
    /// How long it was in virtual time.
    pub time: Duration,
    /// How much of that nothing happened in, so that it was passed over.
    pub leapt: Duration,
    /// Entries of the logs of its events.
    pub entries: usize,
    /// Things that the server did when they were due.
    pub deeds: usize,
    /// How late the latest of them was that no trouble had held up.
    pub latest: Duration,
    /// How often there was trouble when something was due.
    pub troubles: usize,
}

/// What was done in a year.
struct Lived {
    league: League,
    done: Vec<Done>,
    played: correspondence::Played,
    inboxes: Inboxes,
}

/// What is played in two seasons.
struct Plan {
    /// Divisions and play-off of each season.
    seasons: [([Script; 2], Script); 2],
    /// Who leaves in each.
    leaves: [Option<&'static str>; 2],
    /// Whether it is the script, whose tables were written by hand.
    by_hand: bool,
}

/// A year by script, in which everything dies whenever something is due; what comes of it was written by hand.
///
/// # Panics
/// When no runtime can be made.
pub fn year_by_script() -> Year {
    let rows = |rows: &'static [Row]| Script::Rows(rows);
    let plan = |_: &Rng| Plan {
        seasons: [
            (script::FIRST.map(rows), rows(script::FIRST_PLAY_OFF)),
            (script::SECOND.map(rows), rows(script::SECOND_PLAY_OFF)),
        ],
        leaves: [None, Some(script::LEAVES)],
        by_hand: true,
    };
    year(1, DEATHS, 1.0, plan)
}

/// A year of a seed, which says what teams do and what goes wrong.
///
/// # Panics
/// When no runtime can be made.
pub fn year_of_seed(seed: u64) -> Year {
    let plan = |rng: &Rng| {
        let season = |by_match| {
            let chance = Script::Chance { by_match };
            ([chance; 2], chance)
        };
        let first = rng.chance(0.5);
        // Who plays in the first division of the second season is not known yet: whoever it is of these two, if any.
        let leaves = [(); 2].map(|()| rng.chance(LEAVES).then(|| *rng.pick(&league::NAMES)));
        Plan { seasons: [season(first), season(!first)], leaves, by_hand: false }
    };
    year(seed, TROUBLES, SHARE, plan)
}

fn year(seed: u64, troubles: &'static [(Kind, u32)], share: f64, plan: impl Fn(&Rng) -> Plan) -> Year {
    crate::runtime().block_on(async {
        let zero = Instant::now();
        let world = World::new(seed, Deployment::EVENT).await;
        for node in world.nodes() {
            world.start(node).await;
        }
        let calendar = Arc::new(Calendar::new(&world, troubles, share));
        let plan = plan(&world.rng("the plan of the year"));
        let mut found = check::Found::default();
        match lived(&world, &calendar, &plan).await {
            Ok(Lived { league, done, played, inboxes }) => {
                found = check::logs(&league, &done);
                found.clocks(&league, &played);
                found.notices(&league, &inboxes);
            }
            Err(status) => world.trace.fault(format!("the year is stuck: {} {status}", reason(&status))),
        }
        for fault in std::mem::take(&mut found.faults) {
            world.trace.fault(fault);
        }
        for node in world.nodes() {
            world.kill(node);
        }
        let (lines, faults) = world.trace.take();
        Year {
            seed,
            digest: digest(&lines),
            lines,
            faults,
            time: zero.elapsed(),
            leapt: calendar.leapt(),
            entries: found.entries,
            deeds: found.deeds,
            latest: found.latest,
            troubles: calendar.troubles().len(),
        }
    })
}

/// Reads the inboxes once nothing is wrong, and everything that was written has reached them.
async fn read(league: &League, inboxes: &mut Inboxes) -> Result<(), Status> {
    league.calendar.calm().await;
    tokio::time::sleep(TELLING).await;
    inboxes.look(league).await
}

/// An event of correspondence, and two seasons of a new league.
async fn lived(world: &Arc<World>, calendar: &Arc<Calendar>, plan: &Plan) -> Result<Lived, Status> {
    let league = League::new(world, Arc::clone(calendar), plan.is_by_match(0)).await?;
    let played = correspondence::play(&league).await?;
    let (mut done, mut inboxes, mut before) = (Vec::new(), Inboxes::default(), String::new());
    // What is older than an inbox keeps is looked at before it is gone.
    read(&league, &mut inboxes).await?;
    for (at, (divisions, play_off)) in plan.seasons.iter().enumerate() {
        if at > 0 {
            league.agree_by_match(plan.is_by_match(at)).await?;
        }
        let season = league.season(&format!("Season {}", 2027 + at), &before).await?.season_id;
        if at == 0 {
            league.place(&season).await?;
        }
        league.advance(&season, SeasonState::Registration).await?;
        league.register(&season).await?;
        let events = league.advance(&season, SeasonState::Running).await?.divisions;
        let scripts = events.iter().map(|it| it.event_id.clone()).zip(divisions.iter().copied());
        done.extend(play(&league, scripts.collect(), ROUNDS, plan.leaves[at]).await?);
        let mut tables = Vec::new();
        for (division, event) in (1..).zip(&events) {
            tables.push(table(&league, &season, division, &event.event_id).await?);
        }
        let ties = league.advance(&season, SeasonState::PlayOffs).await?.play_offs;
        let Some(tie) = ties.first() else { return Err(Status::internal("there is no play-off")) };
        done.extend(play(&league, vec![(tie.event_id.clone(), *play_off)], 1, None).await?);
        league.advance(&season, SeasonState::Closed).await?;
        moved(&league, &season, &tables, tie).await?;
        if plan.by_hand {
            by_hand(&league, &season, at, &tables).await?;
        }
        before = season;
        read(&league, &mut inboxes).await?;
    }
    Ok(Lived { league, done, played, inboxes })
}

impl Plan {
    /// Whether captains agree for a whole match in a season.
    fn is_by_match(&self, season: usize) -> bool {
        match self.seasons[season].1 {
            Script::Chance { by_match } => by_match,
            Script::Rows(_) => season == 0,
        }
    }
}

/// A table as it is told, which has the points that what was played is worth: a team, its points, and whether it has left.
async fn table(
    league: &League,
    season: &str,
    division: u32,
    event: &str,
) -> Result<Vec<(Line, bool)>, Status> {
    let (chief, event_id) = (&league.chief, event.to_owned());
    let request = pb::ListEventTeamsRequest { event_id: event_id.clone(), ..Default::default() };
    let teams = ask!(league.events(chief), list_event_teams, request)?.teams;
    let (mut matches, mut rounds) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let request = pb::ListTeamMatchesRequest { event_id: event_id.clone(), round, ..Default::default() };
        matches.extend(ask!(league.events(chief), list_team_matches, request)?.matches);
        let request = pb::GetRoundRequest { event_id: event_id.clone(), round, as_of_sequence: 0 };
        rounds.extend(ask!(league.events(chief), get_round, request)?.round);
    }
    let has_left =
        |team: &&pb::EventTeam| team.statuses.iter().any(|it| it.state() == pb::EntrantState::Withdrawn);
    let left: Vec<u32> = teams.iter().filter(has_left).map(|team| team.number).collect();
    let recounted = check::recounted(&matches, &rounds, &left);
    let mut lines = Vec::new();
    for told in league.table(season, division).await? {
        let line = told.line.unwrap_or_default();
        let games = line.criteria.iter().find(|it| it.name == "game_points").map_or(0, |it| it.numerator);
        let number = teams.iter().find(|it| it.team_id == told.entrant_id).map_or(0, |it| it.number);
        let is_left = left.contains(&number);
        let own = if is_left { (0, 0) } else { recounted.get(&number).copied().unwrap_or_default() };
        let named = league.side(&told.entrant_id).named;
        if own != (line.points, games) {
            league.world.trace.fault(format!("{named} has {own:?}, and the table says {line:?}"));
        }
        lines.push(((named, line.points, games), is_left));
    }
    let points: Vec<(bool, std::cmp::Reverse<u32>)> =
        lines.iter().map(|((_, points, _), left)| (*left, std::cmp::Reverse(*points))).collect();
    if lines.len() != 4 || !points.is_sorted() {
        league.world.trace.fault(format!("division {division} is out of order: {lines:?}"));
    }
    Ok(lines)
}

/// Who plays where next follows from the tables and the play-off: the last goes down and the first goes up, and the third
/// of the first division has played against the second of the second.
async fn moved(
    league: &League,
    season: &str,
    tables: &[Vec<(Line, bool)>],
    tie: &pb::SeasonPlayOff,
) -> Result<(), Status> {
    let outcome = league.get(season).await?.outcome.unwrap_or_default();
    let holds = outcome.play_offs.first().is_some_and(|it| it.upper_holds);
    let names: Vec<Vec<&str>> =
        tables.iter().map(|table| table.iter().map(|((named, ..), _)| *named).collect()).collect();
    let [upper, lower] = &names[..] else { return Err(Status::internal("there are two divisions")) };
    let met = [&tie.upper_entrant_id, &tie.lower_entrant_id].map(|id| league.side(id).named);
    if met != [upper[2], lower[1]] {
        league.world.trace.fault(format!("{met:?} have played for a place of {names:?}"));
    }
    let decided = decided(league, tie).await?;
    if decided.is_some_and(|upper| upper != holds) {
        league.world.trace.fault(format!("the play-off of {met:?} is decided otherwise: {outcome:?}"));
    }
    let (stays, goes) = if holds { (upper[2], lower[1]) } else { (lower[1], upper[2]) };
    let mut expected = [vec![upper[0], upper[1], lower[0], stays], vec![upper[3], goes, lower[2], lower[3]]];
    let mut next: Vec<Vec<&str>> =
        outcome.divisions.iter().map(|it| league.names(&it.next_entrant_ids)).collect();
    for it in expected.iter_mut().chain(&mut next) {
        it.sort_unstable();
    }
    if next != expected {
        league.world.trace.fault(format!("from {names:?} follows {expected:?}, and told is {next:?}"));
    }
    Ok(())
}

/// Whether the upper team has won a play-off, by its boards; nobody says where it is drawn.
async fn decided(league: &League, tie: &pb::SeasonPlayOff) -> Result<Option<bool>, Status> {
    let (chief, event_id) = (&league.chief, tie.event_id.clone());
    let request = pb::ListEventTeamsRequest { event_id: event_id.clone(), ..Default::default() };
    let teams = ask!(league.events(chief), list_event_teams, request)?.teams;
    let request = pb::ListTeamMatchesRequest { event_id: event_id.clone(), round: 1, ..Default::default() };
    let matches = ask!(league.events(chief), list_team_matches, request)?.matches;
    let request = pb::GetRoundRequest { event_id, round: 1, as_of_sequence: 0 };
    let rounds: Vec<pb::Round> = ask!(league.events(chief), get_round, request)?.round.into_iter().collect();
    let recounted = check::recounted(&matches, &rounds, &[]);
    let of = |id: &str| {
        let number = teams.iter().find(|it| it.team_id == id).map_or(0, |it| it.number);
        recounted.get(&number).map_or(0, |it| it.1)
    };
    let (upper, lower) = (of(&tie.upper_entrant_id), of(&tie.lower_entrant_id));
    Ok((upper != lower).then_some(upper > lower))
}

/// A season is what was written by hand.
async fn by_hand(
    league: &League,
    season: &str,
    at: usize,
    tables: &[Vec<(Line, bool)>],
) -> Result<(), Status> {
    let (lines, next) =
        [(script::FIRST_TABLES, script::SECOND_DIVISIONS), (script::SECOND_TABLES, script::THIRD_DIVISIONS)]
            [at];
    let expected: BTreeMap<usize, Vec<Line>> = lines.iter().map(|it| it.to_vec()).enumerate().collect();
    let told: BTreeMap<usize, Vec<Line>> =
        tables.iter().map(|table| table.iter().map(|(line, _)| *line).collect()).enumerate().collect();
    if told != expected {
        league.world.trace.fault(format!("season {at}: {expected:?} is written, and {told:?} is told"));
    }
    let outcome = league.get(season).await?.outcome.unwrap_or_default();
    let told: Vec<Vec<&str>> =
        outcome.divisions.iter().map(|it| league.names(&it.next_entrant_ids)).collect();
    if told != next {
        league.world.trace.fault(format!("after season {at}: {next:?} is written, and {told:?} is told"));
    }
    Ok(())
}
