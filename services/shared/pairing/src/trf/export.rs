//! From histories to a report.

use std::collections::BTreeMap;

use super::{
    Acceleration, AskedByes, ByeKind, ByeMark, GameMark, PlayerRecord, PointSystem, Prohibition, Report,
    Side, Slot, Tenths,
};
use crate::{Colour, ColourLaw, Entry, FirstRound, Number, Player, ResultCode, lots, swiss, swiss::Input};

/// Players of one record 240, so that its line stays short.
const LISTED: usize = 100;

impl Report {
    /// The report of an event before the round of this input: points 2, 1 and 0 in record 162, the initial colour, histories, who is known to be
    /// away from that round on (240), prohibited pairs (260). `name` says what a player's record calls him, cut to
    /// its field.
    ///
    /// Adjourned games and those to be played again have no result yet. A game that was struck out is written as lost by
    /// both and not rated: they have met, and nobody has points for it. Who comes late or
    /// has left is away without points. Virtual points are told for the rounds and numbers that have them (250).
    ///
    /// ```
    /// use pairing::{Player, swiss::Input, trf::{Form, Report}};
    /// let input = Input::new(1, 3, vec![Player::new(1), Player::new(2)]);
    /// let report = Report::of(&input, |number| format!("Player {number}"));
    /// assert!(report.write(Form::Trf26)?.contains("162  W 2.0    D 1.0    L 0.0"));
    /// # Ok::<(), pairing::trf::WriteError>(())
    /// ```
    pub fn of(input: &Input, name: impl Fn(Number) -> String) -> Report {
        let pab = input.settings.pab_points;
        let points: Vec<u32> = input.players.iter().map(|it| it.points(pab)).collect();
        let record = |(player, made): (&Player, &u32)| PlayerRecord {
            number: player.number,
            name: super::fit_name(&name(player.number)).to_owned(),
            rating: player.rating.and_then(|it| u32::try_from(it).ok()).filter(|it| *it <= 9_999),
            points: Some(Tenths(10 * i32::try_from(*made).unwrap_or(i32::MAX / 10))),
            rank: Some(1 + crate::count(points.iter().filter(|it| *it > made).count())),
            rounds: slots(player),
            ..PlayerRecord::default()
        };
        let players: Vec<PlayerRecord> = input.players.iter().zip(&points).map(record).collect();
        let is_open = |it: &Slot| matches!(it, Slot::Game { result: None, .. });
        // Not every engine takes this letter, so that it is written only where it is needed.
        let unknown = players.iter().flat_map(|it| &it.rounds).any(is_open).then_some(Tenths(0));
        Report {
            rounds: Some(input.rounds),
            initial_colour: initial_colour(input),
            points: PointSystem { unknown, ..PointSystem::two_one_nought(pab) },
            players,
            byes: asked(input),
            accelerations: accelerations(input),
            prohibitions: input
                .prohibited
                .iter()
                .map(|it| Prohibition { rounds: Some((it.from_round, it.to_round)), who: vec![it.a, it.b] })
                .collect(),
            ..Report::default()
        }
    }
}

/// The colour of odd numbers without history; none where each table has a coin of its own, or the law is another.
fn initial_colour(input: &Input) -> Option<Side> {
    let settings = &input.settings;
    let is_one = settings.first_round != FirstRound::Draw && settings.colours == ColourLaw::Balance;
    is_one.then(|| Side::of(Colour::first_if(lots::coin(&input.seed, 0, 0))))
}

fn slots(player: &Player) -> Vec<Slot> {
    let mut slots = Vec::new();
    for entry in &player.history {
        slots.resize(usize::from(entry.round.max(1)) - 1, Slot::Blank);
        slots.push(slot(entry));
    }
    slots
}

fn slot(entry: &Entry) -> Slot {
    let colour = entry.assigned.map(Side::of);
    let game = |result| match entry.opponent {
        Some(opponent) => Slot::Game { opponent, colour, result },
        None => Slot::Bye(ByeMark::Zero),
    };
    let forfeit = |result| match entry.opponent {
        Some(opponent) => Slot::Game { opponent, colour, result: Some(result) },
        None => Slot::Walkover { won: result == GameMark::ForfeitWin },
    };
    match entry.code {
        ResultCode::Win => game(Some(GameMark::Win)),
        ResultCode::Loss => game(Some(GameMark::Loss)),
        ResultCode::Draw => game(Some(GameMark::Draw)),
        ResultCode::Annulled => game(Some(GameMark::UnratedLoss)),
        ResultCode::Adjourned | ResultCode::ReplayOrdered => game(None),
        ResultCode::ForfeitWin => forfeit(GameMark::ForfeitWin),
        ResultCode::ForfeitLoss | ResultCode::DoubleForfeit => forfeit(GameMark::ForfeitLoss),
        ResultCode::Pab => Slot::Bye(ByeMark::Pab),
        ResultCode::ByeFull => Slot::Bye(ByeMark::Full),
        ResultCode::ByeHalf => Slot::Bye(ByeMark::Half),
        ResultCode::ByeZero => Slot::Bye(ByeMark::Zero),
    }
}

/// Records 250: the virtual points of each span of rounds, for each run of numbers without one between them that has none.
fn accelerations(input: &Input) -> Vec<Acceleration> {
    let is_accelerated = swiss::is_accelerated(input);
    let runs = input.players.split(|it| !is_accelerated(it));
    let runs: Vec<(Number, Number)> =
        runs.filter_map(|run| Some((run.first()?.number, run.last()?.number))).collect();
    let spans = swiss::accelerated_rounds(input.rounds).into_iter().filter(|(from, to, _)| from <= to);
    let of_span = |(from, to, points): (u16, u16, u32)| {
        let points = Some(Tenths(10 * i32::try_from(points).unwrap_or(0)));
        runs.iter().map(move |who| Acceleration { match_points: None, points, rounds: (from, to), who: *who })
    };
    spans.flat_map(of_span).collect()
}

/// A record for each kind of bye of each round from the one to come on: those that were asked for, and one without points
/// for everybody else who is not there.
fn asked(input: &Input) -> Vec<AskedByes> {
    let mut all = Vec::new();
    for round in input.round..=input.rounds.min(super::ROUNDS_MAX) {
        let away = input.players.iter().filter(|it| !it.plays_in(round));
        let kind = |it: &Player| match it.asked_bye(round) {
            Some(ResultCode::ByeFull) => ByeKind::Full,
            Some(ResultCode::ByeHalf) => ByeKind::Half,
            _ => ByeKind::Zero,
        };
        let mut kinds: BTreeMap<ByeKind, Vec<Number>> = BTreeMap::new();
        away.for_each(|it| kinds.entry(kind(it)).or_default().push(it.number));
        for (kind, who) in kinds {
            all.extend(who.chunks(LISTED).map(|who| AskedByes { kind, round, who: who.to_vec() }));
        }
    }
    all
}
