//! The golden counts once more, by the slow reference: no board but sets of points, no list but trying everything.

use rules::{
    Actors, Game, Side,
    go::{GoGame, Start, VARIANT},
    goban::{Colour, Repetition},
};

use crate::{
    perft_file,
    reference::{Ruling, Slow, SlowGame},
};

/// What the reference counts in a few seconds.
const COUNTED_MAX: u64 = 60_000;

/// A game with its phases, as the articles tell them.
#[derive(Clone, Debug)]
struct SlowPhases {
    game: SlowGame,
    phase: SlowPhase,
    repetition: Repetition,
    confirmed: bool,
    disputes_left: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlowPhase {
    Handicap(u8),
    Play,
    Resolution,
    /// Who has proposed that nothing is dead, if anybody has.
    Agreement(Option<Colour>),
    Ended,
}

impl SlowPhases {
    /// The start of a game, from its rule set.
    fn new(start: &Start) -> SlowPhases {
        let board = start.setup.board();
        let (columns, rows) = (board.columns().get(), board.rows().get());
        let mut slow = Slow::new(columns, rows);
        for at in board.points() {
            slow.set((at.column(), at.row()), board.stone(at));
        }
        let places = start.rules.handicap >= 2 && slow.cells.iter().all(Option::is_none);
        SlowPhases {
            game: SlowGame::new(slow, start.setup.to_move()),
            phase: if places { SlowPhase::Handicap(start.rules.handicap) } else { SlowPhase::Play },
            repetition: start.rules.repetition,
            confirmed: false,
            disputes_left: start.rules.disputes,
        }
    }

    /// Every position that one step leads to.
    fn next(&self) -> Vec<SlowPhases> {
        match self.phase {
            SlowPhase::Ended => Vec::new(),
            SlowPhase::Handicap(left) => self.placements(left),
            SlowPhase::Play | SlowPhase::Resolution => self.turns(),
            SlowPhase::Agreement(proposal) => {
                Colour::BOTH.into_iter().flat_map(|by| self.answers(by, proposal)).collect()
            }
        }
    }

    fn placements(&self, left: u8) -> Vec<SlowPhases> {
        let board = self.game.board();
        let empty = board.points().into_iter().filter(|at| board.get(*at).is_none());
        let placed = empty.map(|at| {
            let mut board = board.clone();
            board.set(at, Some(Colour::Black));
            let (phase, to_move) = match left {
                1 => (SlowPhase::Play, Colour::White),
                _ => (SlowPhase::Handicap(left - 1), Colour::Black),
            };
            SlowPhases { game: SlowGame::new(board, to_move), phase, ..self.clone() }
        });
        placed.collect()
    }

    fn turns(&self) -> Vec<SlowPhases> {
        let repetition = if self.phase == SlowPhase::Resolution { Repetition::Psk } else { self.repetition };
        let mut found = Vec::new();
        for at in self.game.board().points() {
            match self.game.ruling(at, repetition) {
                Ruling::Legal => {
                    let mut next = self.clone();
                    next.game.play(at);
                    next.confirmed = false;
                    found.push(next);
                }
                Ruling::LongCycle => panic!("the counts are too shallow for a long cycle"),
                Ruling::Occupied | Ruling::Suicide | Ruling::Ko | Ruling::Repetition => {}
            }
        }
        let mut passed = self.clone();
        passed.game.pass();
        passed.confirmed = !self.confirmed;
        if self.confirmed {
            passed.phase =
                if self.disputes_left == 0 { SlowPhase::Ended } else { SlowPhase::Agreement(None) };
        }
        found.push(passed);
        found
    }

    /// What a player can answer in the agreement: accept what the other proposed, propose that nothing is dead,
    /// and reject.
    fn answers(&self, by: Colour, proposal: Option<Colour>) -> Vec<SlowPhases> {
        let to = |phase| SlowPhases { phase, ..self.clone() };
        let others = proposal.is_some_and(|proposer| proposer != by);
        let accepted = others.then(|| to(SlowPhase::Ended));
        let proposed = if others { SlowPhase::Ended } else { SlowPhase::Agreement(Some(by)) };
        let disputes_left = self.disputes_left.saturating_sub(1);
        let rejected = SlowPhases { disputes_left, ..to(SlowPhase::Resolution) };
        accepted.into_iter().chain([to(proposed), rejected]).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.next().iter().map(|next| next.perft(depth - 1)).sum(),
        }
    }

    /// Follows an act of the file by finding the position it leads to.
    fn follow(&self, game: &mut dyn Game, act: &str) -> SlowPhases {
        let (side, act) = match (act.split_once(' '), game.actors()) {
            (Some(("B", act)), _) => (Side::First, act),
            (Some(("W", act)), _) => (Side::Second, act),
            (_, Actors::One(side)) => (side, act),
            (_, Actors::Both | Actors::Nobody) => panic!("{act} does not say whose it is"),
        };
        let listed = game.hints(side).iter().position(|hint| hint.text == act).expect("listed");
        let before = if game.actors() == Actors::Both && side == Side::Second {
            game.hints(Side::First).len()
        } else {
            0
        };
        game.play(side, act).expect("legal");
        self.next().swap_remove(before + listed)
    }
}

#[test]
fn go_counts_agree_with_the_reference() {
    let mut checked = 0;
    for case in perft_file::cases(&VARIANT) {
        let given = case.rule_set.clone().unwrap_or_else(|| rules::RuleSet::named(""));
        let mut game = if case.setup.is_empty() {
            GoGame::new(&given).expect("a rule set")
        } else {
            GoGame::from_text(&given, &case.setup).expect("a position")
        };
        let start = Start::read(game.rule_set()).expect("the rule set of a game");
        let mut slow = SlowPhases::new(&start);
        for act in &case.plays {
            slow = slow.follow(&mut game, act);
        }
        assert_eq!(case.game(&VARIANT).hash(), game.hash(), "{case}");
        for (depth, count) in case.counts.iter().filter(|(_, count)| *count <= COUNTED_MAX) {
            assert_eq!(slow.perft(*depth), *count, "{case}, depth {depth}");
            checked += 1;
        }
    }
    assert!(checked >= 20, "only {checked} counts are small enough");
}
