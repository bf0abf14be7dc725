//! What the databases and the live state have of tickets, pairs and games.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use api::board::v1::Side;
use chassis::Database;
use sea_orm::{ConnectionTrait as _, Statement};
use tests::{Platform, Redis};
use uuid::Uuid;

use crate::{crowd::Told, steps::Step};

/// How the table of matches calls one whose game exists.
const CREATED: i16 = 1;

/// The tables of matchmaking and of the game service.
pub(crate) struct Ledger {
    matches: Database,
    games: Database,
}

/// What was found at the end; only zeros but for the first two.
#[derive(Debug, Default)]
pub(crate) struct Found {
    games: usize,
    tickets: usize,
    /// Tickets that were told of no match, or of another one than is written down.
    lost: usize,
    /// Tickets in two games.
    doubled: usize,
    /// Games that are not of two tickets with a side each.
    uneven: usize,
    /// Matches without a game.
    without_game: usize,
    /// Games of which nobody or only one was told.
    untold: usize,
}

impl Ledger {
    /// Opens those of a platform.
    pub(crate) async fn open(platform: &Platform) -> anyhow::Result<Self> {
        let matches = Database::open(&platform.database_of("matchmaking")).await?;
        let games = Database::open(&platform.game_database()).await?;
        Ok(Ledger { matches, games })
    }

    /// Where the pairs stand that live state has not settled.
    pub(crate) async fn steps(&self, redis: &Redis) -> anyhow::Result<Vec<Step>> {
        let keys = redis.list("KEYS *:match").await?;
        let mut pending = Vec::new();
        for key in keys {
            pending.extend(redis.list(&format!("HKEYS {key}")).await?);
        }
        let pending: Vec<Uuid> = pending.iter().map(|id| id.parse()).collect::<Result<_, _>>()?;
        let matches: HashMap<Uuid, i16> = self.matches().await?;
        let games: HashSet<Uuid> = self.games().await?;
        let step = |id: &Uuid| match matches.get(id) {
            None => Step::Taken,
            Some(&CREATED) => Step::Noted,
            Some(_) if games.contains(id) => Step::Made,
            Some(_) => Step::Recorded,
        };
        Ok(pending.iter().map(step).collect())
    }

    /// Compares what the players were told with what there is.
    pub(crate) async fn judge(&self, told: &[Told]) -> anyhow::Result<Found> {
        let (matches, games) = (self.matches().await?, self.games().await?);
        let written: HashMap<Uuid, Uuid> =
            ids(&self.matches, "SELECT ticket_id, game_id FROM match_tickets").await?.into_iter().collect();
        let mut seats: HashMap<Uuid, Vec<Side>> = HashMap::new();
        let mut tickets: HashMap<Uuid, HashSet<Uuid>> = HashMap::new();
        for Told { ticket, game, side } in told {
            seats.entry(*game).or_default().push(*side);
            tickets.entry(*ticket).or_default().insert(*game);
        }
        let both =
            |sides: &[Side]| matches!(sides, [Side::First, Side::Second] | [Side::Second, Side::First]);
        Ok(Found {
            games: games.len(),
            tickets: told.len(),
            lost: told.iter().filter(|told| written.get(&told.ticket) != Some(&told.game)).count()
                + written.keys().filter(|ticket| !tickets.contains_key(ticket)).count(),
            doubled: tickets.values().filter(|games| games.len() > 1).count(),
            uneven: seats.values().filter(|sides| !both(sides)).count(),
            without_game: matches
                .iter()
                .filter(|(id, state)| **state != CREATED || !games.contains(id))
                .count(),
            untold: games.iter().filter(|game| seats.get(game).is_none_or(|sides| sides.len() < 2)).count(),
        })
    }

    /// The matches that are written down, and their states.
    async fn matches(&self) -> anyhow::Result<HashMap<Uuid, i16>> {
        let select = Statement::from_string(
            self.matches.read().get_database_backend(),
            "SELECT game_id, state FROM matches",
        );
        let rows = self.matches.read().query_all_raw(select).await?;
        rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
    }

    async fn games(&self) -> anyhow::Result<HashSet<Uuid>> {
        let games = ids(&self.games, "SELECT id, id FROM games").await?;
        Ok(games.into_iter().map(|(id, _)| id).collect())
    }
}

/// Pairs of ids.
async fn ids(on: &Database, select: &str) -> anyhow::Result<Vec<(Uuid, Uuid)>> {
    let select = Statement::from_string(on.read().get_database_backend(), select);
    let rows = on.read().query_all_raw(select).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

impl Found {
    /// Nothing may be lost, doubled or untold.
    pub(crate) fn verdict(&self) -> anyhow::Result<()> {
        let Found { games, tickets, lost, doubled, uneven, without_game, untold } = *self;
        anyhow::ensure!(games * 2 == tickets, "{tickets} tickets are in {games} games");
        let faults = lost + doubled + uneven + without_game + untold;
        anyhow::ensure!(faults == 0, "{self}");
        Ok(())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { games, tickets, lost, doubled, uneven, without_game, untold } = self;
        writeln!(f, "{tickets} tickets were told of a game, {games} games exist")?;
        write!(f, "lost tickets {lost}, in two games {doubled}, games not of two sides {uneven}, ")?;
        writeln!(f, "matches without a game {without_game}, games not told to both {untold}")
    }
}
