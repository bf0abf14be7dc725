//! From histories to a report.

use super::{
    AskedByes, ByeKind, ByeMark, GameMark, PlayerRecord, PointSystem, Prohibition, Report, Side, Slot, Tenths,
};
use crate::{Entry, Number, Player, ResultCode, Status, swiss::Input};

impl Report {
    /// The report of an event before the round of this input: points 2, 1 and 0 in record 162, histories, byes asked for
    /// and absences from that round on (240), prohibited pairs (260). `name` says what a player's record calls him, cut to
    /// its field.
    ///
    /// Adjourned games and those to be played again have no result yet. A game that was struck out is written as lost by
    /// both and not rated: they have met, and nobody has points for it. Statuses other than byes and absences, and virtual
    /// points, are not written: the format has none, or wants them told round by round.
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
            points: PointSystem { unknown, ..PointSystem::two_one_nought(pab) },
            players,
            byes: asked(input),
            prohibitions: input
                .prohibited
                .iter()
                .map(|it| Prohibition { rounds: Some((it.from_round, it.to_round)), who: vec![it.a, it.b] })
                .collect(),
            ..Report::default()
        }
    }
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

/// A record for each kind of bye of each round from the one to come on.
fn asked(input: &Input) -> Vec<AskedByes> {
    let mut all: Vec<AskedByes> = Vec::new();
    let rounds = input.round..=input.rounds;
    for player in &input.players {
        for state in &player.states {
            let (round, kind) = match *state {
                Status::Absent { round } | Status::Bye { round, code: ResultCode::ByeZero } => {
                    (round, ByeKind::Zero)
                }
                Status::Bye { round, code: ResultCode::ByeHalf } => (round, ByeKind::Half),
                Status::Bye { round, .. } => (round, ByeKind::Full),
                _ => continue,
            };
            match all.iter_mut().find(|it| (it.round, it.kind) == (round, kind)) {
                _ if !rounds.contains(&round) => {}
                Some(byes) => byes.who.push(player.number),
                None => all.push(AskedByes { kind, round, who: vec![player.number] }),
            }
        }
    }
    all.sort_by_key(|it| (it.round, it.kind));
    all
}
