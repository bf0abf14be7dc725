//! Takes a season from one state to the next, with the events that come to be on the way.

use chassis::{auth::Caller, id::EventId};

use super::{
    Leagues,
    entries::{captain_now, fielded},
    league_of, note, rules_of, season_of, squads_of,
};
use crate::{
    app::{
        Change, Desk,
        desk::Made,
        event::{Current, write_founded},
        turn::{Turn, next},
    },
    core::{
        event::{Stage, settings::EVENTS_OPEN_MAX},
        league::{
            Outcome, PlayOffEnd, Refusal, Rules, Season, Squad, State, Tie, What, division_event,
            final_table,
            founding::{Entries, Founding},
            play_off_entry, play_off_event,
            request::Advance,
            upper_holds,
        },
        name::Name,
        permit::Act,
    },
    error::{Error, Result},
    store::{event::head, league},
};

/// A season that is to go on.
pub(crate) struct Advancing<'a> {
    /// Where it is played.
    pub leagues: &'a Leagues,
    /// Which, and to which state.
    pub asked: Advance,
}

impl Change for Advancing<'_> {
    type Told = Season;

    /// Has its events be in memory: a transaction does not wait for their logs.
    async fn prepare(&self, desk: &Desk, _caller: &Caller) -> Result<()> {
        let Some(season) = league::season::find(desk.database.read(), self.asked.id).await? else {
            return Ok(());
        };
        for event in events_of(&season) {
            self.leagues.events.current(event).await?;
        }
        Ok(())
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let Advance { id, to, revision, reason } = &self.asked;
        let mut season = season_of(turn, *id).await?;
        turn.require(season.federation, Act::KeepLeagues).await?;
        if !season.state.leads_to(*to) {
            return Err(Refusal::State(season.state).into());
        }
        season.revision = next(*revision, season.revision)?;
        let squads = squads_of(turn, *id).await?;
        let outcome = match to {
            State::Registration => {
                open(turn, &mut season, &squads).await?;
                None
            }
            State::Running => {
                start(turn, &mut season, &squads).await?;
                None
            }
            State::PlayOffs => Some(self.play_off(turn, &mut season, &squads).await?),
            State::Closed => Some(self.close(turn, &season, &squads).await?),
            State::Draft | State::Abandoned => None,
        };
        season.state = *to;
        match outcome {
            Some(outcome) => league::season::end(turn.on, &season, &outcome).await?,
            None => league::season::update(turn.on, &season).await?,
        }
        note(turn, *id, What::Advanced(*to), reason).await?;
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Season> {
        Ok(league::season::find(turn.on, made.id.into()).await?.ok_or(Refusal::UnknownSeason)?)
    }
}

impl Advancing<'_> {
    /// Makes the events of the play-offs, from the tables of the divisions as they are now and stay.
    async fn play_off(&self, turn: &Turn<'_>, season: &mut Season, squads: &[Squad]) -> Result<Outcome> {
        let rules = rules_of(turn, season).await?;
        let (outcome, divisions) = self.tables(season).await?;
        let ties = outcome.ties(&rules, squads);
        if ties.is_empty() {
            return Err(Refusal::State(season.state).into());
        }
        let open = head::open_count(turn.on, season.federation).await?;
        room_for(open, ties.len())?;
        for (number, tie) in numbered(&ties) {
            let [upper, lower] = [tie.upper_division, tie.upper_division + 1].map(|at| divisions.get(at));
            let entries = Paired { turn, rules: &rules, tie }.entries(upper, lower).await?;
            let above = u32::try_from(tie.upper_division + 1).unwrap_or(u32::MAX);
            let event = play_off_event(season.id, above, number);
            let name = season.event_name(&of_play_off(&rules, tie, number))?;
            found(turn, season, &rules, (event, name, rules.of_play_off()), entries).await?;
            season.ties.push((*tie, event));
        }
        Ok(outcome)
    }

    /// Who goes up and who goes down.
    async fn close(&self, turn: &Turn<'_>, season: &Season, squads: &[Squad]) -> Result<Outcome> {
        let rules = rules_of(turn, season).await?;
        if season.state == State::Running {
            let (outcome, _) = self.tables(season).await?;
            // What is to be played for is played for.
            if !outcome.ties(&rules, squads).is_empty() {
                return Err(Refusal::State(season.state).into());
            }
            return Ok(outcome.closed(&rules, squads));
        }
        let known = league::season::outcome(turn.on, season.id).await?;
        let (mut outcome, _) = known.ok_or(Refusal::State(season.state))?;
        for (tie, event) in &season.ties {
            let ended = self.over(*event).await?;
            outcome.play_offs.push(PlayOffEnd {
                tie: *tie,
                event: *event,
                sequence: ended.event.sequence,
                hash: ended.hash,
                // One that was called off decides nothing.
                upper_holds: ended.event.stage == Stage::Cancelled || upper_holds(&ended.event),
            });
        }
        Ok(outcome.closed(&rules, squads))
    }

    /// The tables of the divisions, and the events from which they are.
    async fn tables(&self, season: &Season) -> Result<(Outcome, Vec<Current>)> {
        let mut divisions = Vec::new();
        for event in division_events(season) {
            divisions.push(self.over(event).await?);
        }
        let tables = divisions.iter().map(|it| final_table(&it.event, it.hash)).collect();
        Ok((Outcome { tables, ..Outcome::default() }, divisions))
    }

    /// An event that is over.
    async fn over(&self, event: EventId) -> Result<Current> {
        let current = self.leagues.events.current(event).await?;
        if current.event.stage.is_over() { Ok(current) } else { Err(Refusal::Unfinished(event).into()) }
    }
}

/// Two who play for a place, and where.
struct Paired<'a> {
    turn: &'a Turn<'a>,
    rules: &'a Rules,
    tie: &'a Tie,
}

impl Paired<'_> {
    /// The two as they enter their event: who comes from the upper division first.
    async fn entries(&self, upper: Option<&Current>, lower: Option<&Current>) -> Result<Entries> {
        let Paired { turn, rules, tie } = self;
        let mut entries = Vec::new();
        for (from, entrant) in [(upper, tie.upper), (lower, tie.lower)] {
            let captain = captain_now(turn, rules, entrant).await?;
            let entry = from.and_then(|from| play_off_entry(&from.event, entrant, captain, rules));
            entries.push(entry.ok_or(Refusal::UnknownSquad)?);
        }
        let joined = entries.into_iter().reduce(Entries::and);
        Ok(joined.ok_or(Refusal::UnknownSquad)?)
    }
}

/// Opens the registration of squads, under the latest rules.
async fn open(turn: &Turn<'_>, season: &mut Season, squads: &[Squad]) -> Result<()> {
    let rules = rules_of(turn, season).await?;
    if !rules.has_chief() {
        return Err(Refusal::NoChief.into());
    }
    let mut there = vec![0; rules.divisions.len()];
    for squad in squads {
        let of = there.get_mut((squad.division as usize).wrapping_sub(1));
        *of.ok_or(Refusal::Season("somebody is in a division that the rules do not have"))? += 1;
    }
    for ((number, division), there) in (1..).zip(&rules.divisions).zip(there) {
        season.event_name(&division.name)?;
        if there > division.size {
            return Err(Refusal::DivisionFull(number).into());
        }
    }
    season.version = league_of(turn, season.league).await?.version;
    Ok(())
}

/// Makes the events of the divisions.
async fn start(turn: &Turn<'_>, season: &mut Season, squads: &[Squad]) -> Result<()> {
    let rules = rules_of(turn, season).await?;
    let divisions = season.started(&rules, squads)?;
    let open = head::open_count(turn.on, season.federation).await?;
    room_for(open, divisions.len())?;
    for ((number, division), squads) in (1..).zip(&rules.divisions).zip(divisions) {
        let mut entries: Option<Entries> = None;
        for squad in &squads {
            let own = fielded(turn, season, &rules, squad).await?;
            entries = Some(entries.map_or_else(|| own.clone(), |before| before.and(own.clone())));
        }
        let entries = entries.ok_or(Refusal::UnknownSquad)?;
        let entrants = u32::try_from(squads.len()).unwrap_or(u32::MAX);
        let settings = rules.of_division(entrants, season.schedule.as_ref());
        let event = division_event(season.id, number);
        let name = season.event_name(&division.name)?;
        found(turn, season, &rules, (event, name, settings), entries).await?;
    }
    season.divisions = rules.divisions.iter().map(|it| it.name.clone()).collect();
    Ok(())
}

/// Makes an event, in the name of whoever has the season go on.
async fn found(
    turn: &Turn<'_>,
    season: &Season,
    rules: &Rules,
    (id, name, settings): (EventId, Name, crate::core::event::Settings),
    entries: Entries,
) -> Result<()> {
    let founding = Founding {
        id,
        federation: season.federation,
        name,
        settings,
        officials: rules.officials.clone(),
        by: turn.caller.id,
        entries,
    };
    let (event, log) = founding.found(turn.now())?;
    write_founded(turn.on, &turn.desk.outbox, (&event, log)).await?;
    Ok(())
}

fn room_for(open: u64, more: usize) -> Result<()> {
    if open + more as u64 <= EVENTS_OPEN_MAX { Ok(()) } else { Err(Error::TooManyEvents) }
}

/// Play-offs with their numbers between their two divisions, from 1.
fn numbered(ties: &[Tie]) -> impl Iterator<Item = (u32, &Tie)> {
    let before = |at: usize| {
        let same = ties[..at].iter().filter(|it| it.upper_division == ties[at].upper_division);
        u32::try_from(same.count()).unwrap_or(u32::MAX)
    };
    ties.iter().enumerate().map(move |(at, tie)| (before(at) + 1, tie))
}

/// What is said of a play-off in the name of its event.
fn of_play_off(rules: &Rules, tie: &Tie, number: u32) -> Name {
    let part = |say: fn(&Name) -> &str| {
        let name = |at: usize| rules.divisions.get(at).map_or("", |it| say(&it.name));
        format!("{} / {} {number}", name(tie.upper_division), name(tie.upper_division + 1))
    };
    Name { native: part(|name| &name.native), latin: part(|name| &name.latin) }
}

/// The events of the divisions of a season that has started.
pub(super) fn division_events(season: &Season) -> impl Iterator<Item = EventId> {
    let id = season.id;
    (1..).zip(&season.divisions).map(move |(number, _)| division_event(id, number))
}

/// All its events.
fn events_of(season: &Season) -> Vec<EventId> {
    division_events(season).chain(season.ties.iter().map(|(_, event)| *event)).collect()
}
