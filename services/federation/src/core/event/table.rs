//! Who stands where, by the format of the event.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{
    Number, Player, StandingsSettings,
    grading::{Threshold, promoted},
    knockout::Slot,
    macmahon,
    standings::{Cycles, Line, Sheet, individual},
};

use super::{
    Event, Format,
    plan::{Knockout, by_grade, starters},
    settings::BRACKET_LIVES_MAX,
};

/// A table as of some round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The last round whose results are in it; 0 for none.
    pub round: u16,
    /// Everybody, best first.
    pub lines: Vec<Line>,
    /// Who is promoted, in an event for grades.
    pub promoted: Vec<Number>,
    /// In an event of teams, of which the lines are, its players.
    pub players: Vec<Line>,
}

impl Event {
    /// The table after a round, under the readings of the event.
    pub fn table(&self, round: u16) -> Table {
        self.table_under(round, &self.settings.readings.standings())
    }

    /// The same under other readings, to show what difference they make.
    pub fn table_under(&self, round: u16, settings: &StandingsSettings) -> Table {
        match &self.settings.teams {
            Some(teams) if teams.meet() => self.team_table(round, teams, settings),
            Some(teams) => self.sums(teams, self.table_of_players(round, settings), settings),
            None => self.table_of_players(round, settings),
        }
    }

    fn table_of_players(&self, round: u16, settings: &StandingsSettings) -> Table {
        let players = self.players(round.saturating_add(1));
        let seed = self.rounds.first().map_or([0; 32], |first| first.published.seed);
        let rounds = round.min(self.last_round_of_all());
        let sheet = Sheet { players: &players, rounds, settings, seed };
        let (lines, promoted) = match self.settings.format {
            Format::Swiss { .. } | Format::RoundRobin { .. } => {
                (self.with_play_offs(&sheet, round), Vec::new())
            }
            Format::MacMahon { .. } => (macmahon::table(&sheet), Vec::new()),
            Format::Match { .. } => (self.round_robin(&sheet, Cycles::Single), Vec::new()),
            Format::Grading { by, needed, .. } => self.grades(&sheet, Threshold { by, needed }),
            Format::KnockOut { lives, .. } if lives > BRACKET_LIVES_MAX => {
                (self.survivors(&sheet, lives), Vec::new())
            }
            Format::KnockOut { lives, .. } => (self.bracket(&sheet, lives), Vec::new()),
            Format::Ladder { .. } => (self.ladder_lines(&sheet), Vec::new()),
            // An arena is of teams, and has no table of its players.
            Format::Arena => (Vec::new(), Vec::new()),
        };
        Table { round, lines, promoted, players: Vec::new() }
    }

    /// The order of a Swiss or a round robin, before any play-off.
    pub(super) fn ranked(&self, sheet: &Sheet<'_>) -> Vec<Line> {
        match self.settings.format {
            Format::RoundRobin { cycles } => self.round_robin(sheet, cycles),
            _ => individual::swiss(sheet),
        }
    }

    /// Who left before the start is no part of the table: its half is reckoned by how many began (Art. 29.2).
    fn round_robin(&self, sheet: &Sheet<'_>, cycles: Cycles) -> Vec<Line> {
        let began = starters(self);
        let players: Vec<_> = sheet.players.iter().filter(|it| began.contains(&it.number)).cloned().collect();
        individual::round_robin(&Sheet { players: &players, ..*sheet }, cycles)
    }

    /// Each grade in the order of its own points: there are no places over all grades.
    fn grades(&self, sheet: &Sheet<'_>, threshold: Threshold) -> (Vec<Line>, Vec<Number>) {
        let (mut lines, mut up) = (Vec::new(), Vec::new());
        for players in by_grade(self, sheet.rounds.saturating_add(1)).into_values().rev() {
            up.extend(promoted(&players, sheet.rounds, sheet.settings.pab_points, threshold));
            lines.extend(individual::swiss(&Sheet { players: &players, ..*sheet }));
        }
        (lines, up)
    }

    /// Places by how far each came: who is still in has none; the losers of one round share theirs (1.2).
    fn bracket(&self, sheet: &Sheet<'_>, lives: u8) -> Vec<Line> {
        let then = self.before(sheet.rounds.saturating_add(1));
        let places = fallen(&Knockout::so_far(&then, lives, sheet.seed));
        how_far(sheet, &starters(self).into_iter().collect(), &places)
    }
}

/// The table of a knock-out, from how far those came who began. Who is annulled has no place and no points, and neither has
/// anybody points of his games with him (1.11, 8). Those below him move up by one, so that of two finalists the other is
/// the champion; nothing is played again, and whomever he has put out stays out, where he was.
pub(super) fn how_far(
    sheet: &Sheet<'_>,
    began: &BTreeSet<Number>,
    places: &BTreeMap<Number, u32>,
) -> Vec<Line> {
    let points = points(sheet);
    let players = || sheet.players.iter().filter(|player| began.contains(&player.number));
    let place = |player: &Player| places.get(&player.number).copied();
    let annulled: Vec<Option<u32>> = players().filter(|it| it.is_annulled()).map(place).collect();
    // One without a place is still in, above all who have one.
    let above = |own: u32| annulled.iter().filter(|it| it.is_none_or(|place| place < own)).count();
    let closed = |own: u32| own.saturating_sub(u32::try_from(above(own)).unwrap_or(u32::MAX)).max(1);
    let mut table: Vec<(bool, Line)> = players()
        .map(|player| {
            let line = Line {
                number: player.number,
                place: place(player).filter(|_| !player.is_annulled()).map(closed),
                points: points.get(&player.number).copied().unwrap_or(0),
                criteria: Vec::new(),
                provisional: false,
            };
            (player.is_annulled(), line)
        })
        .collect();
    table.sort_by_key(|(annulled, line)| (*annulled, line.place.unwrap_or(0), line.number));
    table.into_iter().map(|(_, line)| line).collect()
}

/// What everybody has made, where games with whoever is annulled count for nobody (1.11, 8).
pub(super) fn points(sheet: &Sheet<'_>) -> BTreeMap<Number, u32> {
    let annulled: BTreeSet<Number> =
        sheet.players.iter().filter(|it| it.is_annulled()).map(|it| it.number).collect();
    let own = |player: &Player| {
        let counted = player.history.iter().filter(|it| it.opponent.is_none_or(|it| !annulled.contains(&it)));
        let points = counted.map(|entry| entry.code.points(sheet.settings.pab_points)).sum();
        if annulled.contains(&player.number) { 0 } else { points }
    };
    sheet.players.iter().map(|player| (player.number, own(player))).collect()
}

/// The places that are decided: the champion first, then the losers of each round, the last round first.
fn fallen(knockout: &Knockout) -> BTreeMap<Number, u32> {
    let resolved = knockout.bracket.resolve(&knockout.seeds, &knockout.decided);
    let mut places = BTreeMap::new();
    let Some(last) = resolved.last().filter(|last| last.winner != Slot::Open) else {
        return out_so_far(knockout, &resolved);
    };
    if let Slot::Taken(champion) = last.winner {
        places.insert(champion, 1);
    }
    places.extend(out_so_far(knockout, &resolved));
    places
}

/// The place of those with whom an event ends of whom nobody has a life left: the first is vacant, and the committee
/// decides about it (1.11, 18).
pub(super) const PLACE_AFTER_VACANT: u32 = 2;

/// Who is out, with the place of the round in which he fell: it is one more than how many are still in after it.
fn out_so_far(knockout: &Knockout, resolved: &[pairing::knockout::Resolved]) -> BTreeMap<Number, u32> {
    let mut lost: BTreeMap<Number, (pairing::knockout::Part, u16)> = BTreeMap::new();
    for place in resolved.iter().filter(|it| it.winner != Slot::Open) {
        for slot in place.slots {
            // Whoever does not go on has lost, and where both lose that is both. The match of his last loss is the one that
            // put him out.
            if let Slot::Taken(number) | Slot::Fallen(number) = slot
                && place.winner != Slot::Taken(number)
            {
                lost.insert(number, (place.id.part, place.id.round));
            }
        }
    }
    let playing = |number: &Number| {
        let in_slot = |slot: Slot| slot == Slot::Taken(*number) || slot == Slot::Fallen(*number);
        resolved.iter().any(|it| it.winner == Slot::Open && it.slots.into_iter().any(in_slot))
            || resolved.last().is_some_and(|it| in_slot(it.winner))
    };
    let mut groups: BTreeMap<(pairing::knockout::Part, u16), Vec<Number>> = BTreeMap::new();
    for (number, at) in lost.into_iter().filter(|(number, _)| !playing(number)) {
        groups.entry(at).or_default().push(number);
    }
    let mut places = BTreeMap::new();
    let mut still_in = u32::try_from(knockout.seeds.len()).unwrap_or(u32::MAX);
    for (round, group) in groups {
        // The places of a round are known once all of it is played.
        if resolved.iter().any(|it| (it.id.part, it.id.round) == round && it.winner == Slot::Open) {
            break;
        }
        still_in -= u32::try_from(group.len()).unwrap_or(0);
        let place = (still_in + 1).max(PLACE_AFTER_VACANT);
        places.extend(group.into_iter().map(|number| (number, place)));
    }
    if let Some([third, fourth]) = knockout.third {
        places.insert(third, 3);
        places.insert(fourth, 4);
    }
    places
}
