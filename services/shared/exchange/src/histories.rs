//! From and to the histories from which rounds are paired and standings are made.

use std::collections::BTreeMap;

use pairing::{Colour, Entry, Number, Reason, ResultCode, Status};

use crate::{Bye, Game, Outcome, Player, Prohibition, Round, Tournament, limits::BOARD_MAX};

impl Tournament {
    /// What [`pairing`] has of the players: their histories, the byes they have asked for in rounds to come, their ratings, and
    /// their clubs as affiliations. `white` is the colour of white by who moves first, which the rules of the game say.
    ///
    /// ```
    /// use exchange::{Game, Outcome, Player, Round, Tournament};
    /// use pairing::{Colour, Number, StandingsSettings, standings::{Sheet, individual}};
    /// let mut event = Tournament::default();
    /// event.players = vec![Player::new(1), Player::new(2)];
    /// event.rounds = vec![Round::default()];
    /// event.rounds[0].games.push(Game::new(1, Number(1), Number(2), Outcome::BlackWins));
    /// let players = event.histories(Colour::Second);
    /// assert_eq!(players[1].history[0].assigned, Some(Colour::First));
    /// let settings = StandingsSettings::default();
    /// let table = individual::swiss(&Sheet { players: &players, rounds: 1, settings: &settings, seed: [0; 32] });
    /// assert_eq!((table[1].number, table[1].points), (Number(2), 2));
    /// ```
    pub fn histories(&self, white: Colour) -> Vec<pairing::Player> {
        let paired = self.paired_rounds();
        let mut clubs: BTreeMap<&str, u32> = BTreeMap::new();
        for player in self.players.iter().filter(|it| !it.club.is_empty()) {
            let next = u32::try_from(clubs.len() + 1).unwrap_or(u32::MAX);
            clubs.entry(&player.club).or_insert(next);
        }
        let player = |it: &Player| {
            let mut player = pairing::Player::new(it.number.0);
            player.rating = it.rating;
            player.affiliations.extend(clubs.get(it.club.as_str()));
            player
        };
        let mut players: Vec<pairing::Player> = self.players.iter().map(player).collect();
        let mut add = |number: Number, entry: Entry| {
            if let Ok(at) = players.binary_search_by_key(&number, |it| it.number) {
                let asked = Bye { player: number, code: entry.code }.is_asked();
                if entry.round > paired && asked {
                    players[at].states.push(Status::Bye { round: entry.round, code: entry.code });
                } else {
                    players[at].history.push(entry);
                }
            }
        };
        for (number, round) in self.numbered_rounds() {
            for game in &round.games {
                let [own, other] = entries(number, game, white);
                add(game.white, own);
                add(game.black, other);
            }
            for bye in &round.byes {
                let forfeit = matches!(bye.code, ResultCode::ForfeitWin | ResultCode::ForfeitLoss);
                let reason = if forfeit { Reason::Late } else { Reason::NotPlayed };
                add(bye.player, Entry { reason, ..Entry::bye(number, bye.code) });
            }
        }
        players
    }

    /// Takes the rounds, ratings and prohibitions from what a round is paired from: everything that has come of it, and the
    /// byes and absences that are known of rounds to come. Who is not in the list of players yet is added to it, by his number.
    /// Boards are numbered from 1 in the order of the lower number at each.
    pub fn take(&mut self, input: &pairing::swiss::Input, white: Colour) {
        self.rounds.resize(usize::from(input.rounds), Round::default());
        self.header.pab_points = input.settings.pab_points;
        for player in &input.players {
            let known = self.players.binary_search_by_key(&player.number, |it| it.number);
            let at = known.unwrap_or_else(|at| {
                self.players.insert(at, Player::new(player.number.0));
                at
            });
            self.players[at].rating = player.rating;
        }
        let mut games = Seats::default();
        for player in &input.players {
            for entry in &player.history {
                if let Some(round) = self.rounds.get_mut(usize::from(entry.round).wrapping_sub(1)) {
                    games.sit(round, player.number, entry, white);
                }
            }
        }
        for (number, round) in (1..).zip(&mut self.rounds) {
            round.number_boards();
            if number >= input.round {
                round.byes.extend(input.players.iter().filter_map(|it| to_come(it, number)));
            }
        }
        let prohibited = input.prohibited.iter();
        let prohibited = prohibited
            .map(|it| Prohibition { rounds: Some((it.from_round, it.to_round)), who: vec![it.a, it.b] });
        self.prohibitions = prohibited.collect();
        self.tidy();
    }
}

/// What the two have of a game.
fn entries(round: u16, game: &Game, white: Colour) -> [Entry; 2] {
    let colour = |it: Colour| game.coloured.then_some(it);
    let [own, other] = game.outcome.codes();
    let entry = |opponent, code: ResultCode, colour: Option<Colour>| Entry {
        round,
        opponent: Some(opponent),
        code,
        reason: game.reason,
        assigned: colour,
        played: colour.filter(|_| code.is_met()),
    };
    [entry(game.black, own, colour(white)), entry(game.white, other, colour(white.opposite()))]
}

/// What a player is known to have in a round to come.
fn to_come(player: &pairing::Player, round: u16) -> Option<Bye> {
    if player.plays_in(round) || player.entry(round).is_some() {
        return None;
    }
    let code = player.asked_bye(round).unwrap_or(ResultCode::ByeZero);
    Some(Bye { player: player.number, code })
}

/// The first side of each game that has been met, until the other comes.
#[derive(Default)]
struct Seats(BTreeMap<(u16, Number), ResultCode>);

impl Seats {
    /// Puts down what a player has of a round; his game when the second of the two comes.
    fn sit(&mut self, round: &mut Round, number: Number, entry: &Entry, white: Colour) {
        let Some(opponent) = entry.opponent else {
            round.byes.push(Bye { player: number, code: entry.code });
            return;
        };
        let Some(theirs) = self.0.remove(&(entry.round, opponent)) else {
            self.0.insert((entry.round, number), entry.code);
            return;
        };
        let is_white = entry.assigned.is_none_or(|it| it == white);
        let codes = if is_white { [entry.code, theirs] } else { [theirs, entry.code] };
        let (first, second) = if is_white { (number, opponent) } else { (opponent, number) };
        let Some(outcome) = Outcome::of(codes) else { return };
        let game = Game { reason: entry.reason, ..Game::new(BOARD_MAX, first, second, outcome) };
        round.games.push(if entry.assigned.is_some() { game } else { game.uncoloured() });
    }
}
