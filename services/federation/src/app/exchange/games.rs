//! The games of a round, an event or a season as one archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use api::game::v1::ListRecordsRequest;
use chassis::{
    auth::Caller,
    background,
    id::{EventId, SeasonId},
};
use exchange::games::PlayedGame;
use uuid::Uuid;

use super::{Exchange, Outgoing};
use crate::{
    app::event::{AsOf, unanswered},
    core::{
        event::{Event, Stage},
        held::played,
        league::{Refusal, division_event},
    },
    error::{BadFile, Error, Result},
    store::league::season,
    wire::{
        exchange::{GamesOf, WantedGames},
        file::Rest,
    },
};

/// Records that are asked for at once.
const RECORDS_AT_ONCE: usize = 200;

/// Games that go out, and how many there are.
pub(crate) struct OutgoingGames {
    /// The archive.
    pub file: Outgoing,
    /// How many games its table has.
    pub games: usize,
    /// Of how many there is a record.
    pub records: usize,
}

impl Exchange {
    /// The games of events as the caller may see them, from where they are asked for on. Records are as everybody may see
    /// them, and only of games that are over.
    pub(crate) async fn export_games(
        &self,
        caller: Option<&Caller>,
        WantedGames { of, round }: WantedGames,
        rest: &Rest,
    ) -> Result<OutgoingGames> {
        let _turn = self.exports.turn().await?;
        let (parts, events) = match of {
            GamesOf::Event(event) => (false, vec![event]),
            GamesOf::Season(season) => (true, self.events_of_season(season).await?),
        };
        let mut games = Vec::new();
        for (part, id) in (1..).zip(events) {
            let event = match self.events.look(caller, id, AsOf::Now).await {
                // The event of a division that is not public yet.
                Err(Error::UnknownEvent) if parts => continue,
                sight => sight?.event,
            };
            if !parts && round >= event.next_round() {
                return Err(Error::UnknownRound);
            }
            games.extend(self.games_of(&event, round, if parts { part } else { 0 }).await?);
            if games.len() > exchange::limits::ARCHIVE_FILES_MAX {
                return Err(too_much().into());
            }
        }
        self.add_records(&mut games).await?;
        let records = games.iter().filter(|game| game.record.is_some()).count();
        let count = games.len();
        let write = move || exchange::games::games(&games);
        let written = background::aside(&self.desk.env, write).await.map_err(|_| Error::Stopping)?;
        let file = Outgoing::new(written.map_err(BadFile::from)?.into(), rest)?;
        Ok(OutgoingGames { file, games: count, records })
    }

    /// The events of a season: its divisions from the top, then its play-offs.
    async fn events_of_season(&self, id: SeasonId) -> Result<Vec<EventId>> {
        let found = season::find(self.desk.database.read(), id).await?.ok_or(Refusal::UnknownSeason)?;
        let divisions = (1..).zip(&found.divisions).map(|(number, _)| division_event(id, number));
        Ok(divisions.chain(found.ties.iter().map(|(_, event)| *event)).collect())
    }

    /// The games of an event's rounds without their records.
    async fn games_of(&self, event: &Arc<Event>, round: u16, part: u32) -> Result<Vec<PlayedGame>> {
        if event.stage == Stage::Draft {
            return Ok(Vec::new());
        }
        let members: Vec<Uuid> = event.participants.iter().map(|it| it.entrant.member.uuid()).collect();
        let people = self.people_by_id(event.federation, &members).await?;
        let called = people.into_iter().map(|(member, (person, _))| (member, person.name.native)).collect();
        Ok(played(event, round, part, &called))
    }

    /// Adds the records of those that are over, asking for a few at once; more than an archive takes are not even read.
    async fn add_records(&self, games: &mut [PlayedGame]) -> Result<()> {
        let places: BTreeMap<String, usize> = games
            .iter()
            .enumerate()
            .filter(|(_, it)| !it.id.is_empty())
            .map(|(at, it)| (it.id.clone(), at))
            .collect();
        let ids: Vec<&String> = places.keys().collect();
        let (mut bytes, mut known) = (0, BTreeSet::new());
        for ids in ids.chunks(RECORDS_AT_ONCE) {
            let request = ListRecordsRequest { game_ids: ids.iter().map(|id| (*id).clone()).collect() };
            let answers = self.events.games.clone().list_records(request).await;
            let mut answers = answers.map_err(|status| unanswered(&status))?.into_inner();
            while let Some(record) = answers.message().await.map_err(|status| unanswered(&status))? {
                bytes += record.text.len();
                if bytes > exchange::limits::ARCHIVE_BYTES_MAX {
                    return Err(too_much().into());
                }
                let Some(place) = places.get(&record.game_id) else { continue };
                known.insert(*place);
                let ending = record.file_name.rsplit_once('.').map_or("txt", |(_, ending)| ending);
                if record.ended {
                    games[*place].record = Some((record.text, ending.to_owned()));
                }
            }
        }
        // A board that was decided before anybody had come has no game.
        for (_, place) in places.into_iter().filter(|(_, place)| !known.contains(place)) {
            games[place].id.clear();
        }
        Ok(())
    }
}

fn too_much() -> BadFile {
    let (place, what) = (exchange::Place::Event, "ask for single rounds");
    exchange::WriteError::new(exchange::Refusal::TooMuch, place, what).into()
}
