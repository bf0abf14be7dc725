//! From a report to the histories that rounds are paired and checked from.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use super::{ByeMark, GameMark, PlayerRecord, Report, Slot, Tenths};
use crate::{
    ColourLaw, Entry, Number, Player, Reason, ResultCode, Status, SwissSettings, WIN_POINTS,
    swiss::{Input, Prohibited},
};

/// The most pairs that may be prohibited: all pairs of a group of 400. Who prohibits more means something else.
pub const PROHIBITED_MAX: usize = 80_000;

/// Why a report that can be read makes no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// An opponent without a record.
    #[error("player {number} meets {opponent} in round {round}, who has no record")]
    UnknownOpponent {
        /// Whose record says so.
        number: Number,
        /// Who has none.
        opponent: Number,
        /// When.
        round: u16,
    },
    /// The record of the opponent has another game, none at all, or the same colour.
    #[error("the record of the opponent of player {number} contradicts his in round {round}")]
    Contradiction {
        /// Whose record it contradicts.
        number: Number,
        /// When.
        round: u16,
    },
    /// More than [`PROHIBITED_MAX`] pairs.
    #[error("more than {PROHIBITED_MAX} pairs are prohibited")]
    TooManyProhibitions,
}

impl EventError {
    /// The stable name of what is wrong.
    pub const fn reason(self) -> &'static str {
        match self {
            EventError::UnknownOpponent { .. } => "unknown_opponent",
            EventError::Contradiction { .. } => "contradiction",
            EventError::TooManyProhibitions => "too_many_prohibitions",
        }
    }
}

/// What a report leaves open, so that it cannot be judged, or is judged by an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The format does not say what the Chief Arbiter has lifted.
    Lifted,
    /// Teams without numbers, or players in none: of players no more is judged than whom they meet (H1), for byes and
    /// prohibitions are of teams, and colours go with the boards.
    Teams,
    /// Absolute needs of a colour, which FIDE's rules for teams do not know, are judged of teams as of players (H3).
    TeamColours,
    /// No colours of boards: white is taken for the first, and then in turn (H3).
    NoBoardColours,
    /// No number of rounds: the last one that was paired is taken for the last of all (H3).
    NoRounds,
    /// No initial colour.
    NoInitialColour,
    /// No prohibited pairs (H4).
    NoProhibitions,
    /// No byes that were asked for, and no absences, apart from the rounds that players did not play (H5).
    NoAbsences,
    /// Games of a round are not over. They count as draws for who is above half (H3).
    Unfinished {
        /// Which.
        round: u16,
    },
    /// The pairing bye is worth neither a win nor a draw nor a loss, and counts as a win (H3).
    PabPoints,
    /// Points that follow from no result (record 299) are not counted (H3).
    OddPoints,
    /// The points of a player are not those of his results, which are what is counted (H3).
    PointsDiffer {
        /// Whose.
        number: Number,
    },
}

impl Doubt {
    /// Its stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Doubt::Lifted => "lifted",
            Doubt::Teams => "teams",
            Doubt::TeamColours => "team_colours",
            Doubt::NoBoardColours => "no_board_colours",
            Doubt::NoRounds => "no_rounds",
            Doubt::NoInitialColour => "no_initial_colour",
            Doubt::NoProhibitions => "no_prohibitions",
            Doubt::NoAbsences => "no_absences",
            Doubt::Unfinished { .. } => "unfinished",
            Doubt::PabPoints => "pab_points",
            Doubt::OddPoints => "odd_points",
            Doubt::PointsDiffer { .. } => "points_differ",
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Lifted => f.write_str("whether the Chief Arbiter has lifted a rule is not stated"),
            Doubt::Teams => {
                f.write_str("H2 to H5: players of no numbered team; of players only rematches are judged")
            }
            Doubt::TeamColours => {
                f.write_str("H3: of teams it is judged as of players; FIDE's rules for teams do not have it")
            }
            Doubt::NoBoardColours => {
                f.write_str("H3: no colours of boards; the first is taken for white, the others in turn")
            }
            Doubt::NoRounds => {
                f.write_str("H3: no number of rounds; the last one paired is taken for the last of all")
            }
            Doubt::NoInitialColour => {
                f.write_str("no initial colour; colours without history are not judged")
            }
            Doubt::NoProhibitions => f.write_str("H4: no prohibited pairs are stated"),
            Doubt::NoAbsences => f.write_str("H5: neither absences nor byes asked for are stated"),
            Doubt::Unfinished { round } => {
                write!(f, "H3: games of round {round} have no result and count as draws")
            }
            Doubt::PabPoints => f.write_str("H3: the pairing bye is worth no result, and counts as a win"),
            Doubt::OddPoints => f.write_str("H3: points of record 299 are not counted"),
            Doubt::PointsDiffer { number } => {
                write!(f, "H3: the points of player {number} are not those of his results, which count")
            }
        }
    }
}

/// An event as its report has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// How many rounds there are: as many as were declared, or else paired.
    pub rounds: u16,
    /// How many have been paired.
    pub paired: u16,
    /// In the order of their numbers, with the histories of all rounds that have been paired; their states have the byes that
    /// were asked for.
    pub players: Vec<Player>,
    /// Pairs that must not be.
    pub prohibited: Vec<Prohibited>,
    /// Whether it is one of teams: then neither byes nor prohibitions are those of players.
    pub is_of_teams: bool,
    /// The readings of the event as far as the report has them.
    pub settings: SwissSettings,
    /// What it leaves open.
    pub doubts: Vec<Doubt>,
}

impl Event {
    /// The event of a report. The law of colours is not in it; neither is the difference between an absence and a
    /// withdrawal.
    pub fn of(report: &Report, colours: ColourLaw) -> Result<Event, EventError> {
        let paired = report.paired_rounds();
        let rounds = report.rounds.unwrap_or(paired).max(paired);
        let records: BTreeMap<Number, &PlayerRecord> =
            report.players.iter().map(|it| (it.number, it)).collect();
        let mut players =
            records.values().map(|record| player(&records, record, paired)).collect::<Result<Vec<_>, _>>()?;
        let is_of_teams = report.is_of_teams();
        let colours = if is_of_teams { ColourLaw::Open } else { colours };
        let mut prohibited = Vec::new();
        if !is_of_teams {
            ask_byes(report, &mut players, paired);
            prohibited = prohibit(report, rounds)?;
        }
        let pab = report.scoring().pab_as_result();
        let settings =
            SwissSettings { colours, pab_points: pab.unwrap_or(WIN_POINTS), ..SwissSettings::default() };
        let doubts = doubts(report, &players, paired);
        Ok(Event { rounds, paired, players, prohibited, is_of_teams, settings, doubts })
    }

    /// What a round is paired from: the histories before it, and who is there. Who was paired in a round was there unless
    /// he had asked for a bye; who was not is away.
    pub fn before(&self, round: u16) -> Input {
        let players = self.players.iter().map(|player| {
            let mut states = vec![Status::Active { from_round: 1 }];
            let is_out = player.entry(round).is_none_or(|entry| is_asked(entry.code));
            if is_out && round <= self.paired {
                states.push(Status::Absent { round });
            }
            states.extend(&player.states);
            let history = player.history.iter().filter(|entry| entry.round < round).copied().collect();
            Player { states, history, ..player.clone() }
        });
        let mut input = Input::new(round, self.rounds.max(round), players.collect());
        input.prohibited.clone_from(&self.prohibited);
        input.settings = self.settings.clone();
        input
    }

    /// The games of a round, forfeited ones among them, the lower number first.
    pub fn games(&self, round: u16) -> Vec<[Number; 2]> {
        let pairs = self.players.iter().filter_map(|player| {
            let opponent = player.entry(round)?.opponent?;
            Some([player.number.min(opponent), player.number.max(opponent)])
        });
        pairs.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Who had the pairing bye in a round.
    pub fn pairing_byes(&self, round: u16) -> Vec<Number> {
        let has = |it: &&Player| it.entry(round).is_some_and(|entry| entry.code == ResultCode::Pab);
        self.players.iter().filter(has).map(|it| it.number).collect()
    }
}

const fn is_asked(code: ResultCode) -> bool {
    matches!(code, ResultCode::ByeFull | ResultCode::ByeHalf | ResultCode::ByeZero)
}

fn player(
    records: &BTreeMap<Number, &PlayerRecord>,
    record: &PlayerRecord,
    paired: u16,
) -> Result<Player, EventError> {
    let mut player = Player::new(record.number.0);
    player.states.clear();
    player.rating = record.rating.and_then(|it| i32::try_from(it).ok());
    for (round, slot) in (1..=paired).zip(&record.rounds) {
        player.history.extend(entry(records, record, round, *slot)?);
    }
    let to_come = (paired + 1..).zip(record.rounds.iter().skip(paired.into()));
    player.states.extend(to_come.filter_map(|(round, slot)| match slot {
        Slot::Bye(mark) => Some(Status::Bye { round, code: bye(*mark) }),
        _ => None,
    }));
    Ok(player)
}

pub(super) const fn bye(mark: ByeMark) -> ResultCode {
    match mark {
        ByeMark::Zero => ResultCode::ByeZero,
        ByeMark::Half => ResultCode::ByeHalf,
        ByeMark::Full => ResultCode::ByeFull,
        ByeMark::Pab => ResultCode::Pab,
    }
}

fn entry(
    records: &BTreeMap<Number, &PlayerRecord>,
    record: &PlayerRecord,
    round: u16,
    slot: Slot,
) -> Result<Option<Entry>, EventError> {
    let (opponent, colour, result) = match slot {
        Slot::Blank => return Ok(None),
        Slot::Bye(mark) => return Ok(Some(Entry::bye(round, bye(mark)))),
        Slot::Walkover { won } => {
            let code = if won { ResultCode::ForfeitWin } else { ResultCode::ForfeitLoss };
            return Ok(Some(Entry { reason: Reason::Late, ..Entry::bye(round, code) }));
        }
        Slot::Game { opponent, colour, result } => (opponent, colour, result),
    };
    let number = record.number;
    let theirs = records.get(&opponent).ok_or(EventError::UnknownOpponent { number, opponent, round })?;
    let theirs = theirs.rounds.get(usize::from(round) - 1).copied().unwrap_or_default();
    if !agree(number, slot, theirs) {
        return Err(EventError::Contradiction { number, round });
    }
    let both_lost = matches!(theirs, Slot::Game { result: Some(GameMark::ForfeitLoss), .. });
    let (code, reason) = match result {
        Some(GameMark::Win | GameMark::UnratedWin) => (ResultCode::Win, Reason::Normal),
        Some(GameMark::Draw | GameMark::UnratedDraw) => (ResultCode::Draw, Reason::Normal),
        Some(GameMark::Loss | GameMark::UnratedLoss) => (ResultCode::Loss, Reason::Normal),
        Some(GameMark::ForfeitWin) => (ResultCode::ForfeitWin, Reason::Late),
        Some(GameMark::ForfeitLoss) if both_lost => (ResultCode::DoubleForfeit, Reason::Late),
        Some(GameMark::ForfeitLoss) => (ResultCode::ForfeitLoss, Reason::Late),
        None => (ResultCode::Adjourned, Reason::Normal),
    };
    let colour = colour.filter(|_| code.is_met()).map(super::Side::colour);
    // An opponent who was not paired at all was not there to be met.
    let opponent = matches!(theirs, Slot::Game { .. }).then_some(opponent);
    Ok(Some(Entry { round, opponent, code, reason, assigned: colour, played: colour }))
}

/// Whether the opponent's record has the same game: with the other colour, and over, forfeited or open as here. Who
/// won by forfeit may have an opponent who was not paired at all, for he had left.
fn agree(number: Number, ours: Slot, theirs: Slot) -> bool {
    let Slot::Game { colour, result, .. } = ours else { return true };
    let is_forfeit = result.is_some_and(GameMark::is_forfeit);
    let Slot::Game { opponent, colour: their_colour, result: their_result } = theirs else {
        return is_forfeit && !matches!(theirs, Slot::Bye(ByeMark::Pab));
    };
    let colours_differ = colour.is_none() || colour != their_colour;
    opponent == number
        && colours_differ
        && is_forfeit == their_result.is_some_and(GameMark::is_forfeit)
        && result.is_none() == their_result.is_none()
}

/// Record 240, and `XXZ` for the round to come. In a round that was paired a bye fills a place that the player's record
/// leaves blank; where he was paired all the same, it stays for the checker to find.
fn ask_byes(report: &Report, players: &mut [Player], paired: u16) {
    let asked =
        report.byes.iter().flat_map(|it| it.who.iter().map(|who| (it.round, *who, bye(it.kind.mark()))));
    let away = report.absent.iter().map(|who| (paired + 1, *who, ResultCode::ByeZero));
    let mut seen: BTreeSet<(u16, Number, ResultCode)> = BTreeSet::new();
    for player in players.iter() {
        seen.extend(player.states.iter().filter_map(|it| match it {
            Status::Bye { round, code } => Some((*round, player.number, *code)),
            _ => None,
        }));
    }
    for (round, who, code) in asked.chain(away).filter(|it| seen.insert(*it)) {
        let Ok(at) = players.binary_search_by_key(&who, |it| it.number) else { continue };
        let player = &mut players[at];
        player.states.push(Status::Bye { round, code });
        let place = player.history.partition_point(|entry| entry.round < round);
        if round <= paired && player.entry(round).is_none() {
            player.history.insert(place, Entry::bye(round, code));
        }
    }
}

pub(super) fn prohibit(report: &Report, rounds: u16) -> Result<Vec<Prohibited>, EventError> {
    let mut pairs = Vec::new();
    for it in &report.prohibitions {
        let (from_round, to_round) = it.rounds.unwrap_or((1, rounds.max(1)));
        // Whoever is named twice is one person all the same: else a line of one number would be compared with itself.
        let mut named = BTreeSet::new();
        let who: Vec<Number> = it.who.iter().copied().filter(|who| named.insert(*who)).collect();
        for (at, a) in who.iter().enumerate() {
            pairs.extend(who[at + 1..].iter().map(|b| Prohibited { a: *a, b: *b, from_round, to_round }));
            if pairs.len() > PROHIBITED_MAX {
                return Err(EventError::TooManyProhibitions);
            }
        }
    }
    Ok(pairs)
}

fn doubts(report: &Report, players: &[Player], paired: u16) -> Vec<Doubt> {
    let mut doubts = vec![Doubt::Lifted];
    if report.is_of_teams() {
        doubts.extend(report.teams.is_empty().then_some(Doubt::Teams));
        return doubts;
    }
    doubts.extend(report.rounds.is_none().then_some(Doubt::NoRounds));
    doubts.extend(report.initial_colour.is_none().then_some(Doubt::NoInitialColour));
    doubts.extend(report.prohibitions.is_empty().then_some(Doubt::NoProhibitions));
    let silent = report.byes.is_empty() && report.absent.is_empty();
    doubts.extend(silent.then_some(Doubt::NoAbsences));
    let entries = players.iter().flat_map(|it| &it.history);
    let open = entries.filter(|it| it.code == ResultCode::Adjourned).map(|it| it.round);
    doubts.extend(open.collect::<BTreeSet<u16>>().into_iter().map(|round| Doubt::Unfinished { round }));
    let scoring = report.scoring();
    doubts.extend(scoring.pab_as_result().is_none().then_some(Doubt::PabPoints));
    if !report.odd_points.is_empty() {
        doubts.push(Doubt::OddPoints);
        return doubts;
    }
    for record in &report.players {
        let slot = |round: u16| record.rounds.get(usize::from(round) - 1).copied().unwrap_or_default();
        let made: i32 = (1..=paired).map(|round| scoring.points(slot(round)).0).sum();
        // A bye in the round to come may be counted already.
        let soon = made + scoring.points(slot(paired + 1)).0;
        if record.points.is_some_and(|it| ![Tenths(made), Tenths(soon)].contains(&it)) {
            doubts.push(Doubt::PointsDiffer { number: record.number });
        }
    }
    doubts
}
