//! Who meets whom in the next round, by the format of the event.

use core::ops::ControlFlow;
use std::collections::BTreeMap;

use pairing::{
    Colour, Duel, DuelState, Number, Player, Relaxed, ResultCode, Status,
    arena::ArenaState,
    berger,
    knockout::{Bracket, Decision, MatchId, Part, Slot},
    lots::{self, Seed},
    standings::Cycles,
    swiss::{self, Out, PairingError, Progress},
};
use sha2::{Digest as _, Sha256};

use super::{
    Event, Format,
    fact::{Board, BoardId, Digest, PublishedRound},
    gone_on::{GoneOn, bracket},
    ladder, lives, play_off,
    round::{BoardState, Round},
    settings::BRACKET_LIVES_MAX,
};

/// Why a round is not paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpaired {
    /// The rounds before it are not complete.
    #[error("the round before is not complete: table {0} has no result")]
    Incomplete(u32),
    /// All rounds were played, or the winner is known.
    #[error("there are no more rounds")]
    NoMoreRounds,
    /// Fewer than two are left.
    #[error("fewer than two are there to be paired")]
    TooFew,
    /// A board of a knock-out or a match must have a winner first.
    #[error("table {0} of the round before was drawn: it is played again, or decided")]
    Undecided(u32),
    /// The pairing itself says why.
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// Pairs the next round: one of the format, or of the play-offs after the last of those. `seed` is the link that it opens.
/// It is a function of the event and the seed.
///
/// # Errors
/// Why it cannot be paired.
pub fn plan(
    event: &Event,
    seed: Seed,
    relaxed: Relaxed,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<PublishedRound, Unpaired> {
    let laid = lay(event, seed, relaxed, watch)?;
    Ok(PublishedRound { input: input_of(event, &laid), ..laid })
}

/// What a round was paired from, as one hash. Of a pairing by scores it has everything; elsewhere the order of who is there
/// says nothing of what was decided since or of challenges, so that what follows from them is in it, too.
pub(super) fn input_of(event: &Event, laid: &PublishedRound) -> Digest {
    use Format::{Grading, MacMahon, Swiss};
    if matches!(event.settings.format, Swiss { .. } | MacMahon { .. } | Grading { .. }) {
        return laid.input;
    }
    let mut hash = Sha256::new();
    hash.update(laid.input);
    for board in laid.boards.iter().chain(&laid.matches) {
        hash.update(board.table.to_be_bytes());
        hash.update(board.players.map(|number| number.0.to_be_bytes()).concat());
        if let Some(MatchId { part, round, place }) = board.place {
            hash.update(part.name());
            hash.update(round.to_be_bytes());
            hash.update(place.to_be_bytes());
        }
    }
    for (number, code) in &laid.out {
        hash.update(number.0.to_be_bytes());
        hash.update(code.name());
    }
    hash.finalize().into()
}

/// The next round, with the hash of the order alone where no scores pair: rounds were published with that before, too.
pub(super) fn lay(
    event: &Event,
    seed: Seed,
    relaxed: Relaxed,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<PublishedRound, Unpaired> {
    match of_format(event, seed, relaxed, watch) {
        Err(Unpaired::NoMoreRounds) => play_off::plan(event, empty(event, seed, relaxed)),
        planned => planned,
    }
}

/// The next round, before anybody is paired in it.
fn empty(event: &Event, seed: Seed, relaxed: Relaxed) -> PublishedRound {
    let round = event.next_round();
    PublishedRound {
        round,
        play_off: false,
        boards: Vec::new(),
        matches: Vec::new(),
        out: Vec::new(),
        seed,
        input: [0; 32],
        relaxed,
        tiers: Vec::new(),
        edits: Vec::new(),
        start: event.settings.schedule.rounds.get(usize::from(round) - 1).copied(),
    }
}

/// The next round of the format.
pub(super) fn of_format(
    event: &Event,
    seed: Seed,
    relaxed: Relaxed,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<PublishedRound, Unpaired> {
    if let Some(table) = event.rounds.last().and_then(super::Round::awaits) {
        return Err(Unpaired::Incomplete(table));
    }
    let round = event.next_round();
    if event.settings.format.rounds().is_some_and(|rounds| round > rounds) {
        return Err(Unpaired::NoMoreRounds);
    }
    let base = empty(event, seed, relaxed);
    let planned = match event.settings.format {
        Format::Swiss { rounds } => section_2(event, base, rounds, event.contenders(round), watch),
        Format::MacMahon { rounds, .. } => {
            let paired = section_2(event, base, rounds, event.contenders(round), watch);
            paired.map(|paired| event.give_handicaps(paired))
        }
        Format::Grading { rounds, .. } => grades(event, base, rounds, watch),
        Format::RoundRobin { cycles } => round_robin(event, base, cycles),
        Format::KnockOut { lives, .. } if lives > BRACKET_LIVES_MAX => lives::plan(event, base, lives),
        Format::KnockOut { lives, third_place } => knock_out(event, base, lives, third_place),
        Format::Match { games, play_all } => {
            duel(event, base, Duel { games, play_all, opening_colour: coin(&seed) })
        }
        Format::Arena => arena(event, base),
        Format::Ladder { .. } => ladder::plan(event, base),
    };
    planned.map(|planned| as_matches(event, planned))
}

/// Where teams meet, those who were paired are teams, and their boards are laid when the round begins.
fn as_matches(event: &Event, round: PublishedRound) -> PublishedRound {
    if event.meetings().is_none() {
        return round;
    }
    PublishedRound { matches: round.boards, boards: Vec::new(), ..round }
}

/// What a Swiss round is paired from: a function of the event, so that anybody who has its log can make it anew.
pub(super) fn swiss_input(
    event: &Event,
    round: u16,
    rounds: u16,
    players: Vec<Player>,
    seed: Seed,
    relaxed: Relaxed,
) -> swiss::Input {
    let settings = event.settings.readings.swiss(event.settings.colours_of_game());
    swiss::Input {
        round,
        rounds,
        players,
        prohibited: event.prohibited.clone(),
        settings: pairing::SwissSettings { relaxed, ..settings },
        seed,
    }
}

fn section_2(
    event: &Event,
    mut round: PublishedRound,
    rounds: u16,
    players: Vec<Player>,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<PublishedRound, Unpaired> {
    let input = swiss_input(event, round.round, rounds, players, round.seed, round.relaxed);
    let paired = swiss::pair_watched(&input, watch)?;
    round.input = paired.input_hash;
    add_pairs(&mut round, paired);
    Ok(round)
}

fn add_pairs(round: &mut PublishedRound, paired: swiss::Round) {
    let above = round.boards.len();
    round.boards.extend(paired.pairs.into_iter().map(|pair| {
        let (players, coloured) = match pair.by_colour() {
            Some((first, second)) => ([first, second], true),
            None => (pair.players, false),
        };
        let table = u32::try_from(above).unwrap_or(u32::MAX) + pair.table;
        Board { table, players, coloured, place: None, reasons: pair.reasons, handicap: 0 }
    }));
    round.out.extend(paired.out.into_iter().map(|Out { number, code }| (number, code)));
    round.tiers.extend(paired.pools.into_iter().map(|pool| pool.tiers));
}

/// The fewest of a grade who are paired with each other.
pub(super) const GRADE_MIN: usize = 2;

/// Each grade is paired by itself; the tables of a lower grade come after those of a higher one.
fn grades(
    event: &Event,
    mut round: PublishedRound,
    rounds: u16,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<PublishedRound, Unpaired> {
    let mut hash = Sha256::new();
    for players in by_grade(event, round.round).into_values().rev() {
        let there: Vec<Number> =
            players.iter().filter(|it| it.plays_in(round.round)).map(|it| it.number).collect();
        let input = swiss_input(event, round.round, rounds, players, round.seed, round.relaxed);
        if there.len() < GRADE_MIN {
            // Alone in his grade: he sits out with the pairing bye.
            round.out.extend(there.into_iter().map(|number| (number, ResultCode::Pab)));
            round.out.extend(input.without_game().map(|Out { number, code }| (number, code)));
            continue;
        }
        let paired = swiss::pair_watched(&input, watch)?;
        hash.update(paired.input_hash);
        add_pairs(&mut round, paired);
    }
    round.input = hash.finalize().into();
    if round.boards.is_empty() { Err(Unpaired::TooFew) } else { Ok(round) }
}

/// The players of each grade, lowest grade first.
pub(super) fn by_grade(event: &Event, before_round: u16) -> BTreeMap<i32, Vec<Player>> {
    let mut grades: BTreeMap<i32, Vec<Player>> = BTreeMap::new();
    for player in event.players(before_round) {
        let grade = event.participant(player.number).and_then(|it| it.entrant.grade).unwrap_or(0);
        grades.entry(grade).or_default().push(player);
    }
    grades
}

/// Who was there when the event began: the list of a round robin and of a bracket does not change after that. Who left or
/// was sent away before the first round (29.1; 1.10, 8) is on it where he came back before it, and not where he came later.
pub(super) fn starters(event: &Event) -> Vec<Number> {
    let there = event.contestants().into_iter().filter(|(_, statuses)| was_there(statuses));
    there.map(|(number, _)| number).collect()
}

/// Whether somebody was there when the event began, by his rows in their order.
fn was_there(statuses: &[Status]) -> bool {
    statuses.iter().fold(true, |there, status| match status {
        Status::Withdrawn { after_round: 0 } | Status::Expelled { after_round: 0 } => false,
        Status::Active { from_round: ..=1 } => true,
        _ => there,
    })
}

/// In the order in which the table or the bracket takes them: drawn by the link of the first round (Art. 31.4).
pub(super) fn drawn(event: &Event, seed: Seed) -> Vec<Number> {
    let seed = event.rounds.first().map_or(seed, |round| round.published.seed);
    let mut numbers = starters(event);
    lots::shuffle(&seed, &mut numbers);
    numbers
}

fn round_robin(event: &Event, mut round: PublishedRound, cycles: Cycles) -> Result<PublishedRound, Unpaired> {
    let numbers = drawn(event, round.seed);
    round.input = order_hash(&numbers);
    let length = event.meetings().map_or(1, super::TeamSettings::rounds_of_match);
    let (before, part) = (u32::from(round.round - 1) / length, u32::from(round.round - 1) % length);
    if let Some(last) = event.rounds.last().filter(|_| part > 0) {
        // A match that goes on: the same meet, in other orders.
        let (boards, out) = (last.published.matches.clone(), last.published.out.clone());
        return Ok(PublishedRound { boards, out, ..round });
    }
    let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    let (order, swap) = event.settings.readings.double_round_robin();
    let table = match cycles {
        Cycles::Single => berger::single(count),
        Cycles::Double => berger::double(count, order, swap),
    };
    let laid = table.into_iter().nth(before as usize).ok_or(Unpaired::NoMoreRounds)?;
    let named = |place: Number| numbers[place.0 as usize - 1];
    let contestants = event.contestants();
    let plays = |number: Number| {
        contestants.iter().find(|(it, _)| *it == number).is_some_and(|(_, states)| {
            let player = Player { states: states.to_vec(), ..Player::new(number.0) };
            player.left_after().is_none() && !player.is_annulled()
        })
    };
    for (first, second) in laid.games {
        let players = [named(first), named(second)];
        // Games against one who left are no boards: the table counts them by Art. 29.2.
        if players.iter().all(|number| plays(*number)) {
            let table = u32::try_from(round.boards.len()).unwrap_or(u32::MAX) + 1;
            round.boards.push(Board {
                table,
                players,
                coloured: coloured(event),
                place: None,
                reasons: Vec::new(),
                handicap: 0,
            });
        }
    }
    // The free round of an odd number gives nothing (1.11, 7).
    round
        .out
        .extend(laid.free.map(named).filter(|it| plays(*it)).map(|number| (number, ResultCode::ByeZero)));
    Ok(round)
}

/// Whether colours are given; in some games they are decided at the board.
pub(super) fn coloured(event: &Event) -> bool {
    event.settings.game.variant.moves_first.is_some()
}

pub(super) fn order_hash(numbers: &[Number]) -> Digest {
    let mut hash = Sha256::new();
    for number in numbers {
        hash.update(number.0.to_be_bytes());
    }
    hash.finalize().into()
}

/// The bracket of an event with what was decided in it.
pub(super) struct Knockout {
    pub(super) seeds: Vec<Number>,
    pub(super) bracket: Bracket,
    pub(super) decided: BTreeMap<MatchId, Decision>,
    /// Who played for the third place, if that was played, winner first.
    pub(super) third: Option<[Number; 2]>,
}

/// The place of the game for the third place, which no bracket has.
pub(super) const THIRD_PLACE: MatchId = MatchId { part: Part::Final, round: 0, place: 0 };

impl Knockout {
    /// With everything that was decided, where nothing is left open.
    ///
    /// # Errors
    /// When a board has an end that decides nothing.
    pub(super) fn of(event: &Event, lives: u8, seed: Seed) -> Result<Knockout, Unpaired> {
        let gone_on = GoneOn::of(event);
        let decides_nothing = |(id, board, state): &(BoardId, &Board, &BoardState)| {
            board.place.is_some() && gone_on.codes(*id, state).is_some_and(|it| winner(it).is_none())
        };
        match event.all_boards().find(decides_nothing) {
            Some((_, board, _)) => Err(Unpaired::Undecided(board.table)),
            None => Ok(Knockout::so_far(event, lives, seed)),
        }
    }

    /// As far as it is decided. A late decision changes tables and pairs nothing again (1.9): everybody is where the rounds
    /// were published with him, and a place that was vacant when others went on past it stays so.
    pub(super) fn so_far(event: &Event, lives: u8, seed: Seed) -> Knockout {
        let seeds = seeded(event, seed);
        let bracket = bracket(event, lives, seeds.len());
        let mut knockout = Knockout { seeds, bracket, decided: BTreeMap::new(), third: None };
        let gone_on = GoneOn::of(event);
        for round in &event.rounds {
            knockout.take(round, &gone_on);
        }
        knockout
    }

    /// Takes over what a round decided. Who is in its places is known by the rounds before it, and so is asked once.
    fn take(&mut self, round: &Round, gone_on: &GoneOn) {
        let resolved = self.bracket.resolve(&self.seeds, &self.decided);
        let slots: BTreeMap<MatchId, [Slot; 2]> = resolved.iter().map(|it| (it.id, it.slots)).collect();
        for (id, board, state) in round.laid() {
            let decided = gone_on.codes(id, state).and_then(winner);
            if let (Some(place), Some(winner)) = (board.place, decided) {
                self.note(place, slots.get(&place), board, winner);
            }
        }
    }

    fn note(&mut self, place: MatchId, slots: Option<&[Slot; 2]>, board: &Board, winner: Option<usize>) {
        if place == THIRD_PLACE {
            self.third = winner.map(|at| [board.players[at], board.players[1 - at]]);
            return;
        }
        // Colours are given by lot, so that the board may have the two the other way round.
        let turned = slots.is_some_and(|slots| slots[0] != Slot::Taken(board.players[0]));
        let decision = match winner {
            None => Decision::Neither,
            Some(at) if (at == 0) == turned => Decision::Second,
            Some(_) => Decision::First,
        };
        self.decided.insert(place, decision);
    }
}

/// Who goes on: the index of the winner, nobody where both have lost, at the board or by forfeit; `None` where it is not
/// decided.
#[expect(clippy::option_option, reason = "undecided is not the same as nobody")]
pub(super) fn winner(codes: [ResultCode; 2]) -> Option<Option<usize>> {
    match codes {
        [ResultCode::DoubleForfeit, _]
        | [ResultCode::Loss, ResultCode::Loss]
        | [ResultCode::ForfeitLoss, ResultCode::ForfeitLoss] => Some(None),
        [ResultCode::Win | ResultCode::ForfeitWin, _] => Some(Some(0)),
        [_, ResultCode::Win | ResultCode::ForfeitWin] => Some(Some(1)),
        _ => None,
    }
}

/// Seeds of a bracket: by rating, then by number; those without a rating are drawn.
pub(super) fn seeded(event: &Event, seed: Seed) -> Vec<Number> {
    let mut numbers = drawn(event, seed);
    let rating = |number: &Number| event.participant(*number).and_then(|it| it.entrant.rating);
    numbers.sort_by_key(|number| core::cmp::Reverse(rating(number)));
    numbers
}

fn knock_out(
    event: &Event,
    mut round: PublishedRound,
    lives: u8,
    third_place: bool,
) -> Result<PublishedRound, Unpaired> {
    let knockout = Knockout::of(event, lives, round.seed)?;
    round.input = order_hash(&knockout.seeds);
    let resolved = knockout.bracket.resolve(&knockout.seeds, &knockout.decided);
    let mut due: Vec<(MatchId, [Number; 2])> = Vec::new();
    for place in resolved.iter().filter(|it| it.is_due()) {
        if let [Slot::Taken(a), Slot::Taken(b)] = place.slots {
            due.push((place.id, [a, b]));
        }
    }
    if third_place && lives == 1 {
        due.extend(for_third(event, &resolved).map(|players| (THIRD_PLACE, players)));
    }
    if due.is_empty() {
        return Err(Unpaired::NoMoreRounds);
    }
    let is_coloured = coloured(event);
    for (table, (place, mut players)) in (1..).zip(due) {
        if lots::coin(&round.seed, round.round.into(), table) {
            players.reverse();
        }
        round.boards.push(Board {
            table,
            players,
            coloured: is_coloured,
            place: Some(place),
            reasons: Vec::new(),
            handicap: 0,
        });
    }
    Ok(round)
}

/// The losers of the half-finals, with the final, unless their game was laid already.
fn for_third(event: &Event, resolved: &[pairing::knockout::Resolved]) -> Option<[Number; 2]> {
    let laid = event.rounds.iter().flat_map(|round| &round.published.boards);
    if laid.into_iter().any(|board| board.place == Some(THIRD_PLACE)) {
        return None;
    }
    let last = resolved.last().filter(|last| last.is_due())?.id;
    let mut losers =
        resolved.iter().filter(|it| it.id.round + 1 == last.round).filter_map(|it| match it.loser {
            Slot::Taken(number) => Some(number),
            _ => None,
        });
    Some([losers.next()?, losers.next()?])
}

fn coin(seed: &Seed) -> Colour {
    if lots::coin(seed, 1, 1) { Colour::First } else { Colour::Second }
}

/// The next game of an arena: the two teams, of whom the one with the first colour stands first.
fn arena(event: &Event, mut round: PublishedRound) -> Result<PublishedRound, Unpaired> {
    let [one, other] = event.two_teams().ok_or(Unpaired::TooFew)?.map(super::EnteredTeam::number);
    round.input = order_hash(&[one, other]);
    let ArenaState::Game { colour, .. } = event.arena(event.opening(round.seed))? else {
        return Err(Unpaired::NoMoreRounds);
    };
    let players = if colour == Colour::First { [one, other] } else { [other, one] };
    round.boards.push(Board {
        table: 1,
        players,
        coloured: coloured(event),
        place: None,
        reasons: Vec::new(),
        handicap: 0,
    });
    Ok(round)
}

/// The next game of a match of two; the first of them is the one with the lower number.
fn duel(event: &Event, mut round: PublishedRound, duel: Duel) -> Result<PublishedRound, Unpaired> {
    let numbers = starters(event);
    let &[one, other] = numbers.as_slice() else { return Err(Unpaired::TooFew) };
    let opening = event.rounds.first().map_or(duel.opening_colour, |first| coin(&first.published.seed));
    match (Duel { opening_colour: opening, ..duel }).state(&duel_results(event, one)) {
        DuelState::Running { colour, .. } => {
            let players = if colour == Colour::First { [one, other] } else { [other, one] };
            let board = Board {
                table: 1,
                players,
                coloured: coloured(event),
                place: None,
                reasons: Vec::new(),
                handicap: 0,
            };
            round.input = order_hash(&numbers);
            round.boards.push(board);
            Ok(round)
        }
        DuelState::Won { .. } | DuelState::Level => Err(Unpaired::NoMoreRounds),
    }
}

/// The results of a match so far, with those of one of the two first.
fn duel_results(event: &Event, one: Number) -> Vec<[ResultCode; 2]> {
    let own = event.all_boards().filter_map(|(_, board, state)| {
        let side = board.players.iter().position(|it| *it == one)?;
        let codes = state.result.as_ref()?.codes;
        Some([codes[side], codes[1 - side]])
    });
    own.collect()
}
