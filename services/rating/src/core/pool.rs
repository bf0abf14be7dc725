//! The games of a category, as they are scrutinised.

use std::collections::HashMap;

use chassis::id::{AccountId, GameId};
use rules::{Side, Verdict};
use scrutiny::{Finding, Player, Scrutinised, scrutinise};

use super::{advantage::Advantages, book::Change, category::Category, game::Game, glicko2, report::Reported};

/// The games of a category.
#[derive(Debug, Default)]
pub struct Pool {
    games: Vec<scrutiny::Game>,
    ids: Vec<GameId>,
    /// The players, by their numbers, with what they were called last.
    players: Vec<(AccountId, String)>,
    numbers: HashMap<AccountId, Player>,
}

impl Pool {
    /// One more game, which did this to its first side and its second. Games of which it was not told how they ended say nothing;
    /// one that a moderator has annulled says what it did before.
    pub fn add(&mut self, game: &Game, [first, second]: [&Change; 2], advantages: &Advantages) {
        let winner = match game.told {
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

    /// Who is to be reported, the most suspicious first.
    pub fn reported(&self, category: &Category) -> Vec<Reported> {
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
        reported.sort_by(|one, other| {
            other.beyond().total_cmp(&one.beyond()).then(one.account.cmp(&other.account))
        });
        reported
    }
}
