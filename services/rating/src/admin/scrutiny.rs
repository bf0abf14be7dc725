//! Who loses on purpose, by what results say.

use std::collections::HashMap;

use chassis::{
    Database,
    database::StoreError,
    id::{AccountId, GameId},
};
use rules::{Side, Verdict};
use scrutiny::{Finding, Player, Scrutinised, scrutinise};
use sea_orm::DbErr;
use time::OffsetDateTime;
use uuid::Uuid;

use super::each_rated;
use crate::{
    core::{
        advantage::Advantages,
        book::Change,
        category::{Category, Variant},
        game::{Game, Place},
        glicko2,
    },
    store,
};

/// Looks at rated games, for an operator; it changes nothing.
#[derive(Clone, Debug)]
pub struct Scrutiny(Database);

/// What is suspicious of somebody in one category.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The category.
    pub category: Category,
    /// Whose games they are.
    pub account: AccountId,
    /// What he was called in the last of them.
    pub name: String,
    /// What is found of him, also what is not suspicious.
    pub scrutinised: Scrutinised,
    /// The games that each suspicious finding rests on, in their order.
    pub evidence: Vec<(Finding, Vec<GameId>)>,
}

/// The games of a category, as they are scrutinised.
#[derive(Default)]
struct Pool {
    games: Vec<scrutiny::Game>,
    ids: Vec<GameId>,
    /// The players, by their numbers, with what they were called last.
    players: Vec<(AccountId, String)>,
    numbers: HashMap<AccountId, Player>,
}

impl Scrutiny {
    /// The scrutiny of a database, whose tables are made if there are none.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn open(database: &Database) -> Result<Self, DbErr> {
        database.migrate::<store::Migrator>().await?;
        Ok(Scrutiny(database.clone()))
    }

    /// Who is to be reported by the games that ended since a moment, of one variant or of all, by category and then the most
    /// suspicious first. Games of which it was not told how they ended say nothing. `progress` is told now and then of how
    /// many more games were read.
    ///
    /// # Errors
    /// When the database does not answer, or holds what cannot be read.
    pub async fn reported(
        &self,
        variant: Option<&Variant>,
        since: OffsetDateTime,
        progress: impl Fn(u64) + Sync,
    ) -> Result<Vec<Reported>, StoreError> {
        let advantages = Advantages::new(store::advantage::all(self.0.read()).await?);
        let behind = Some(Place { ended: since, game: Uuid::nil().into() });
        let mut reported = Vec::new();
        for category in store::game::firsts(self.0.read()).await?.into_keys() {
            if variant.is_some_and(|variant| *variant != category.variant) {
                continue;
            }
            let mut pool = Pool::default();
            let add = |game: &Game, changes: [&Change; 2]| pool.add(game, changes, &advantages);
            each_rated(&self.0, &category, behind, &progress, add).await?;
            reported.extend(pool.reported(&category));
        }
        Ok(reported)
    }
}

impl Pool {
    fn add(&mut self, game: &Game, [first, second]: [&Change; 2], advantages: &Advantages) {
        let winner = match game.verdict {
            Verdict::Win(side) => Some(side.index()),
            Verdict::Draw => None,
            Verdict::BothLose | Verdict::Void => return,
        };
        let Some(ending) = game.ending else { return };
        let players = Side::BOTH.map(|side| self.number(game, side));
        let (before, ahead) = ((first.before.rating, second.before.rating), advantages.of(game));
        self.ids.push(game.id);
        self.games.push(scrutiny::Game {
            ended: game.ended.unix_timestamp(),
            players,
            winner,
            expected: glicko2::expected(before.0, before.1, ahead),
            acts: game.acts,
            ending,
        });
    }

    fn number(&mut self, game: &Game, side: Side) -> Player {
        let player = &game.players[side.index()];
        let next = u32::try_from(self.players.len()).unwrap_or(Player::MAX);
        let number = *self.numbers.entry(player.id).or_insert(next);
        if number == next {
            self.players.push((player.id, String::new()));
        }
        self.players[number as usize].1.clone_from(&player.name);
        number
    }

    fn reported(self, category: &Category) -> Vec<Reported> {
        let of = |(player, scrutinised): (Player, Scrutinised)| {
            let suspicious = scrutinised.findings.iter().filter(|finding| finding.is_suspicious());
            let evidence: Vec<(Finding, Vec<GameId>)> = suspicious
                .map(|finding| (finding.clone(), finding.games.iter().map(|game| self.ids[*game]).collect()))
                .collect();
            let (account, name) = self.players[player as usize].clone();
            let reported = Reported { category: category.clone(), account, name, scrutinised, evidence };
            (!reported.evidence.is_empty()).then_some(reported)
        };
        let mut reported: Vec<Reported> = scrutinise(&self.games).into_iter().filter_map(of).collect();
        // By how far beyond its limit the most suspicious is.
        let beyond = |it: &Reported| {
            let parts = it.evidence.iter().map(|(finding, _)| finding.score / finding.suspicion.limit());
            parts.fold(0.0, f64::max)
        };
        reported.sort_by(|one, other| {
            beyond(other).total_cmp(&beyond(one)).then(one.account.cmp(&other.account))
        });
        reported
    }
}
