//! Play-offs for places that are shared after the last round (1.6, D; Art. 28.3): rounds of their own, whose results put
//! those who share a place in order, and count for nothing else.

use std::collections::BTreeMap;

use api::time_control::TimeControl;
use pairing::{
    Colour, Number, Relaxed, StandingsSettings, Ties,
    lots::{self, Seed},
    play_off::{self, PLAYERS_MAX, PlayOff, Played},
    standings::{Line, Settled, Sheet, settle},
};

use super::{
    Event, Format, Official, Refusal,
    fact::{Board, BoardId, Fact, PublishedRound},
    plan::{Unpaired, coloured, of_format, order_hash},
    round::Round,
    settings::{BadSettings, GAMES_MAX, GameSettings, ROUNDS_MAX, Settings, ensure},
};

/// The last place that is played for if nobody says otherwise.
pub const PLACES: u32 = 1;

/// What an event says beforehand of a play-off: without it there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayOffSettings {
    /// Places from the first to this one are played for where they are shared.
    pub places: u32,
    /// The best of how many games two play; more of them play one game each against each other.
    pub games: u32,
    /// The time of both sides.
    pub time_control: TimeControl,
    /// The rule set.
    pub rule_set: String,
    /// Every option with its value, of which the size of the board may be one.
    pub options: BTreeMap<String, String>,
}

impl PlayOffSettings {
    pub(super) fn check(&self, of: &Settings) -> Result<(), BadSettings> {
        let individual = matches!(of.format, Format::Swiss { .. } | Format::RoundRobin { .. });
        ensure(individual && of.teams.is_none(), "play_off", || {
            "only a Swiss and a round robin of players have a play-off".to_owned()
        })?;
        ensure((1..=of.entries.max).contains(&self.places), "play_off.places", || {
            "from the first place to one that there is".to_owned()
        })?;
        let games = (1..=GAMES_MAX).contains(&self.games);
        ensure(games, "play_off.games", || format!("1 to {GAMES_MAX} games"))?;
        // Every round opens a link of the chain of seeds.
        let rounds = of.format.rounds_at_most(of.entries.max) + play_off::rounds_at_most(self.games);
        ensure(rounds <= u32::from(ROUNDS_MAX), "play_off.games", || {
            format!("the event has up to {rounds} rounds with it, at most {ROUNDS_MAX}")
        })?;
        let game = GameSettings {
            rule_set: self.rule_set.clone(),
            options: self.options.clone(),
            time_control: self.time_control,
            ..of.game.clone()
        };
        game.check().map_err(|bad| BadSettings { field: "play_off", detail: bad.detail })
    }
}

/// A place that is shared, with what comes of it.
struct SharedPlace {
    play_off: PlayOff,
    due: Vec<[Number; 2]>,
}

impl Event {
    /// What is played at a board by the regulations of the play-off; none at any other board.
    pub fn play_off_at(&self, board: BoardId) -> Option<&PlayOffSettings> {
        let round = self.round(board.round)?;
        self.settings.play_off.as_ref().filter(|_| round.published.play_off)
    }

    /// The last round that is not of the play-off, of those that are public.
    pub fn last_round_of_all(&self) -> u16 {
        self.rounds.iter().rev().find(|it| !it.published.play_off).map_or(0, |it| it.published.round)
    }

    /// Whether a place is to be played for before the event is over.
    pub(super) fn is_play_off_due(&self) -> bool {
        self.shared_places([0; 32]).iter().any(|it| !it.due.is_empty())
    }

    /// Leaves the places that are still to be played for to the lot, or has them shared: the committee may, where no
    /// play-off can be held.
    ///
    /// # Errors
    /// When there are none, or who settles them has a part in one of them himself.
    pub fn settle_ties(&self, ties: Ties, reason: String, by: &Official) -> Result<Vec<Fact>, Refusal> {
        if !self.rounds.iter().all(Round::is_complete) {
            return Err(Refusal::Round("the last round is not complete"));
        }
        let open: Vec<SharedPlace> =
            self.shared_places([0; 32]).into_iter().filter(|it| !it.due.is_empty()).collect();
        if open.is_empty() {
            return Err(Refusal::Round("no place is left to be played for"));
        }
        if self.has_part(by, open.iter().flat_map(|it| it.play_off.players.iter().copied())) {
            return Err(Refusal::OwnGame);
        }
        Ok(vec![Fact::TiesSettled { ties, reason }])
    }

    /// A table with the places that the play-offs of the rounds up to one have decided.
    pub(super) fn with_play_offs(&self, sheet: &Sheet<'_>, round: u16) -> Vec<Line> {
        if self.settings.play_off.is_none() || round < self.last_round_of_all() || !self.all_have_played() {
            return self.ranked(sheet);
        }
        let settings = shared(sheet.settings);
        let lines = self.ranked(&Sheet { settings: &settings, ..*sheet });
        let games = self.games_of_play_off(round);
        let settled = |group: Vec<Number>| {
            let settled = match self.ties_settled {
                _ if group.len() > PLAYERS_MAX as usize => Settled::Lot,
                open => self.shared_place(&group, &games, sheet.seed).settled(&games, open),
            };
            (group, settled)
        };
        let groups: Vec<_> = self.groups(&lines).into_iter().map(settled).collect();
        settle(sheet, lines, &groups)
    }

    fn groups(&self, lines: &[Line]) -> Vec<Vec<Number>> {
        let places = self.settings.play_off.as_ref().map_or(0, |it| it.places);
        play_off::groups(lines, places)
    }

    /// The places that are shared under the readings of the event, and how far each is played for; none before the rounds of
    /// all are played, nor after the committee has settled the rest. `seed` is what is drawn from where no round of them is
    /// public yet.
    fn shared_places(&self, seed: Seed) -> Vec<SharedPlace> {
        if self.settings.play_off.is_none() || self.ties_settled.is_some() || !self.all_have_played() {
            return Vec::new();
        }
        let settings = shared(&self.settings.readings.standings());
        let rounds = self.last_round_of_all();
        let players = self.players(rounds.saturating_add(1));
        // Nothing is drawn where equals share their places.
        let lines = self.ranked(&Sheet { players: &players, rounds, settings: &settings, seed });
        let games = self.games_of_play_off(self.next_round());
        let groups = self.groups(&lines).into_iter().filter(|it| it.len() <= PLAYERS_MAX as usize);
        groups.map(|group| self.shared_place(&group, &games, seed)).collect()
    }

    fn shared_place(&self, group: &[Number], games: &[Played], seed: Seed) -> SharedPlace {
        // The first of their rounds opens the link that their order is drawn from.
        let opened = self.rounds.iter().find(|it| it.published.play_off).map(|it| it.published.seed);
        let mut players = group.to_vec();
        players.sort_unstable();
        lots::shuffle(&opened.unwrap_or(seed), &mut players);
        let play_off = PlayOff {
            players,
            games: self.settings.play_off.as_ref().map_or(0, |it| it.games),
            // With who comes first it is drawn who has the first colour.
            opening_colour: Colour::First,
        };
        let due = play_off.due(games);
        SharedPlace { play_off, due }
    }

    /// The games of play-offs that are over, in the rounds up to one.
    fn games_of_play_off(&self, upto: u16) -> Vec<Played> {
        let rounds = self.rounds.iter().filter(|it| it.published.play_off && it.published.round <= upto);
        let settled = rounds.flat_map(Round::laid).filter_map(|(_, board, state)| {
            let result = state.result.as_ref().filter(|it| it.is_settled())?;
            Some(Played { players: board.players, codes: result.codes })
        });
        settled.collect()
    }

    /// Whether the format has no more rounds once those that are public are played.
    pub(super) fn has_no_more_rounds(&self) -> bool {
        if let Some(rounds) = self.settings.format.rounds() {
            return self.next_round() > rounds;
        }
        // Those of a play-off come after all of the format.
        if self.rounds.last().is_some_and(|last| last.published.play_off) {
            return true;
        }
        // The format itself says when nothing is left to be played.
        let mut watch = |_| core::ops::ControlFlow::Continue(());
        let next = of_format(self, [0; 32], Relaxed::Nothing, &mut watch);
        matches!(next, Err(Unpaired::NoMoreRounds | Unpaired::TooFew))
    }

    /// Whether the rounds of all are played, whatever follows them.
    fn all_have_played(&self) -> bool {
        let mut of_all = self.rounds.iter().filter(|it| !it.published.play_off);
        of_all.all(Round::is_complete) && self.has_no_more_rounds()
    }
}

impl SharedPlace {
    /// What came of it: a play-off decides once it is over.
    fn settled(&self, games: &[Played], by_committee: Option<Ties>) -> Settled {
        match by_committee {
            _ if self.due.is_empty() => {
                let score = |number: &Number| (*number, self.play_off.score(*number, games));
                Settled::PlayOff(self.play_off.players.iter().map(score).collect())
            }
            Some(Ties::Lot) => Settled::Lot,
            Some(Ties::Shared) | None => Settled::Shared,
        }
    }
}

/// The same readings, but that equals share their places.
fn shared(settings: &StandingsSettings) -> StandingsSettings {
    StandingsSettings { ties: Ties::Shared, ..settings.clone() }
}

/// The next round of the play-offs: the next games for every place that is still shared, the first place first.
pub(super) fn plan(event: &Event, mut round: PublishedRound) -> Result<PublishedRound, Unpaired> {
    let mut boards = event.all_boards();
    if let Some((board, ..)) = boards.find(|(.., state)| !state.is_settled()) {
        return Err(Unpaired::Incomplete(board.table));
    }
    let places = event.shared_places(round.seed);
    let due: Vec<[Number; 2]> = places.iter().flat_map(|it| it.due.iter().copied()).collect();
    if due.is_empty() {
        return Err(Unpaired::NoMoreRounds);
    }
    let players: Vec<Number> = places.iter().flat_map(|it| it.play_off.players.iter().copied()).collect();
    round.input = order_hash(&players);
    round.play_off = true;
    let board = |(table, players)| Board {
        table,
        players,
        coloured: coloured(event),
        place: None,
        reasons: Vec::new(),
        handicap: 0,
    };
    round.boards = (1..).zip(due).map(board).collect();
    Ok(round)
}
