//! Tables of players (Art. 28.1).

use std::collections::BTreeMap;

use super::{
    Criterion, Cycles, Line, Sheet, Term, Unplaced, Working, has_results, is_provisional, place, robin,
    tie_break::TieBreaks, withdrawal, working,
};
use crate::{
    Entry, ForfeitOpponent, Fraction, MBasis, Number, Player, PoBye, RBasis, Ranking, ResultCode, TeamLeaves,
    WIN_POINTS, whole,
};

/// The table of a Swiss (Art. 28.1.2): by the total T, then those who stayed before those who left, then fewer warnings;
/// or by what else the event has chosen.
pub fn swiss(sheet: &Sheet<'_>) -> Vec<Line> {
    let scores = Scores::of(sheet, TeamLeaves::AsPlayer);
    let tie_breaks = TieBreaks::of(sheet);
    let lines = sheet.players.iter().map(|player| {
        let criteria = swiss_criteria(&scores, &tie_breaks, player);
        unplaced(sheet, player, scores.points(player), criteria)
    });
    place(sheet, lines.collect())
}

fn swiss_criteria(scores: &Scores<'_>, tie_breaks: &TieBreaks<'_>, player: &Player) -> Vec<Criterion> {
    let settings = scores.sheet.settings;
    let points = Criterion::plain("points", scores.points(player));
    if !settings.tie_breaks.is_empty() {
        let after = settings.tie_breaks.iter().map(|it| tie_breaks.criterion(*it, player));
        return core::iter::once(points).chain(after).collect();
    }
    let warnings = Criterion::plain("warnings", -i128::from(player.warnings));
    match settings.ranking {
        Ranking::Total => vec![scores.total(player), scores.stayed(player), warnings],
        Ranking::PointsOpponents => vec![points, scores.opponents(player), scores.stayed(player), warnings],
    }
}

/// The total T of everybody in a Swiss (Art. 28.1.2), whatever the event is ranked by.
pub fn totals(sheet: &Sheet<'_>) -> BTreeMap<Number, Fraction> {
    let scores = Scores::of(sheet, TeamLeaves::AsPlayer);
    sheet.players.iter().map(|player| (player.number, scores.total(player).value)).collect()
}

/// The table of a round robin (Art. 28.1.1): points, then A, then fewer warnings; void results are left out (29.2).
pub fn round_robin(sheet: &Sheet<'_>, cycles: Cycles) -> Vec<Line> {
    let robin = robin::Robin::of(sheet, cycles, TeamLeaves::AsPlayer);
    let tie_breaks = TieBreaks::of(sheet);
    let lines = sheet.players.iter().map(|player| {
        let points = robin.points(player.number);
        let mut criteria = vec![Criterion::plain("points", points)];
        if sheet.settings.tie_breaks.is_empty() {
            criteria.push(robin.a(player.number));
            criteria.push(Criterion::plain("warnings", -i128::from(player.warnings)));
        } else {
            criteria.extend(sheet.settings.tie_breaks.iter().map(|it| tie_breaks.criterion(*it, player)));
        }
        let mut unplaced = unplaced(sheet, player, points, criteria);
        unplaced.counts &= !robin.is_void(player.number);
        unplaced
    });
    place(sheet, lines.collect())
}

fn unplaced(sheet: &Sheet<'_>, player: &Player, points: u32, criteria: Vec<Criterion>) -> Unplaced {
    let provisional = is_provisional(player, sheet.rounds);
    let counts = !player.is_annulled() && has_results(player, sheet.rounds);
    Unplaced { line: Line { number: player.number, place: None, points, criteria, provisional }, counts }
}

/// The numbers of a Swiss from which everything else is worked out.
pub(crate) struct Scores<'a> {
    sheet: &'a Sheet<'a>,
    points: BTreeMap<Number, u32>,
    as_opponent: BTreeMap<Number, Fraction>,
    highest: u32,
}

impl<'a> Scores<'a> {
    /// `leaves` is how those who leave are taken, be they players or teams.
    pub(crate) fn of(sheet: &'a Sheet<'a>, leaves: TeamLeaves) -> Scores<'a> {
        let annulled: Vec<Number> =
            sheet.players.iter().filter(|it| it.is_annulled()).map(|it| it.number).collect();
        let counts = |entry: &Entry| {
            entry.round <= sheet.rounds && entry.opponent.is_none_or(|it| !annulled.contains(&it))
        };
        let real = |player: &Player| {
            let counted = player.history.iter().filter(|entry| counts(entry));
            let points = counted.map(|entry| entry.code.points(sheet.settings.pab_points)).sum();
            if player.is_annulled() { 0 } else { points }
        };
        let points: BTreeMap<Number, u32> = sheet.players.iter().map(|it| (it.number, real(it))).collect();
        let still_in = sheet.players.iter().filter(|it| !it.is_annulled());
        let counts_as = |it: &Player| match leaves {
            TeamLeaves::AsPlayer => withdrawal::opponent_points(sheet, it, points[&it.number], &counts),
            TeamLeaves::AsMatch => whole(points[&it.number]),
        };
        let as_opponent = still_in.map(|it| (it.number, counts_as(it))).collect();
        let highest = match sheet.settings.m_basis {
            MBasis::Actual => points.values().copied().max().unwrap_or(0),
            MBasis::Theoretical => WIN_POINTS * u32::from(sheet.rounds),
        };
        Scores { sheet, points, as_opponent, highest }
    }

    pub(crate) fn points(&self, player: &Player) -> u32 {
        self.points.get(&player.number).copied().unwrap_or(0)
    }

    /// Rounds with an opponent who counts, and his points.
    fn opponents_of(&self, player: &Player) -> Vec<Term> {
        let so_far = player.history.iter().filter(|entry| entry.round <= self.sheet.rounds);
        let counted = so_far.filter(|entry| entry.code.is_decided_game() && !self.is_ignored(entry));
        counted
            .filter_map(|entry| {
                let opponent = entry.opponent?;
                let points = *self.as_opponent.get(&opponent)?;
                Some(Term { opponent: Some(opponent), points, halved: false })
            })
            .collect()
    }

    fn is_ignored(&self, entry: &Entry) -> bool {
        self.sheet.settings.forfeit_opponent == ForfeitOpponent::Ignored
            && matches!(entry.code, ResultCode::ForfeitWin | ResultCode::DoubleForfeit)
    }

    /// T = P + ΣO ÷ (M/2) − R; the bonus is nothing while nobody has a point.
    pub(crate) fn total(&self, player: &Player) -> Criterion {
        let terms = self.opponents_of(player);
        let rounds = match self.sheet.settings.r_basis {
            RBasis::OwnOpponents => crate::count(terms.len()),
            RBasis::Literal => self.sheet.rounds.into(),
        };
        let (opponents, _) = working::sum(terms);
        let (points, highest) = (self.points(player), self.highest);
        let bonus =
            if highest == 0 { whole(0) } else { opponents * whole(2) / whole(highest) - whole(rounds) };
        let working = Working::Total { points, opponents, highest, rounds };
        Criterion { name: "total", value: whole(points) + bonus, working }
    }

    /// The points of the opponents alone (1.10, 24), rounds without one as the event has chosen (1.11, 5).
    fn opponents(&self, player: &Player) -> Criterion {
        let mut terms = self.opponents_of(player);
        if self.sheet.settings.po_bye == PoBye::Neutral {
            let points = Fraction::new(self.highest.into(), 2);
            let missing = usize::from(self.sheet.rounds).saturating_sub(terms.len());
            terms.extend((0..missing).map(|_| Term { opponent: None, points, halved: false }));
        }
        let (value, working) = working::sum(terms);
        Criterion { name: "opponents", value, working }
    }

    /// Of equals, who left comes after those who stayed (1.11, 6).
    pub(crate) fn stayed(&self, player: &Player) -> Criterion {
        let left = player.left_after().is_some_and(|after| after < self.sheet.rounds);
        Criterion::plain("stayed", i128::from(!left))
    }
}
