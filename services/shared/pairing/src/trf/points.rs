//! Points as reports have them: with one decimal, by a system that the report states.

use core::fmt;

use super::{GameMark, Side, Slot, player::ByeMark};

/// Points in tenths, which is as fine as the format has them: 25 is written `2.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenths(pub i32);

/// More than any field holds.
const TENTHS_MAX: i32 = 99_999;

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let all = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{}", all / 10, all % 10))
    }
}

impl Tenths {
    /// `11.5`, `-1.0`, `.5` or `3`.
    ///
    /// ```
    /// use pairing::trf::Tenths;
    /// assert_eq!(Tenths::parse("-2.5"), Some(Tenths(-25)));
    /// assert_eq!([".5", "3", "1.25", "x", ""].map(Tenths::parse), [Some(Tenths(5)), Some(Tenths(30)), None, None, None]);
    /// ```
    pub fn parse(text: &str) -> Option<Tenths> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        if part.len() != 1 || !is_number(part) || !(whole.is_empty() && digits.len() > 1 || is_number(whole))
        {
            return None;
        }
        let whole: i32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let tenths = whole.checked_mul(10)?.checked_add(part.parse().ok()?)?;
        (tenths <= TENTHS_MAX).then_some(Tenths(sign * tenths))
    }
}

impl Tenths {
    /// With its decimal, or without one that is nought where that takes too many columns.
    pub(super) fn within(self, columns: usize) -> String {
        let text = self.to_string();
        match text.strip_suffix(".0") {
            Some(whole) if text.len() > columns => whole.to_owned(),
            _ => text,
        }
    }
}

/// The points of results as record 162 states them; none where it is silent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointSystem {
    /// `W`: a win at the board or by forfeit, and a full-point bye; 1.0 where nothing is stated.
    pub win: Option<Tenths>,
    /// `D`: a draw and a half-point bye; 0.5.
    pub draw: Option<Tenths>,
    /// `L`: a loss at the board; 0.0.
    pub loss: Option<Tenths>,
    /// `A`, which some engines read and write as `Z`: a zero-point bye and a loss by forfeit; 0.0.
    pub absence: Option<Tenths>,
    /// `P`: the pairing-allocated bye; that of a win.
    pub pab: Option<Tenths>,
    /// `X`: an unknown result, such as an adjourned game; that of a draw.
    pub unknown: Option<Tenths>,
}

/// The letters of record 162 in the order in which they are written.
pub(super) const LETTERS: [char; 6] = ['W', 'D', 'L', 'P', 'A', 'X'];

impl PointSystem {
    /// The points 2, 1 and 0, with those of the pairing bye. Absences have nothing where the record does not name them, which
    /// it then does not: some engines know only one of the two letters for them.
    pub fn two_one_nought(pab: u32) -> PointSystem {
        let points = |points: i32| Some(Tenths(10 * points));
        PointSystem {
            win: points(2),
            draw: points(1),
            loss: points(0),
            absence: None,
            pab: points(i32::try_from(pab).unwrap_or(i32::MAX / 10)),
            unknown: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == PointSystem::default()
    }

    pub(super) fn at(&self, letter: char) -> Option<Tenths> {
        match letter {
            'W' => self.win,
            'D' => self.draw,
            'L' => self.loss,
            'P' => self.pab,
            'A' => self.absence,
            _ => self.unknown,
        }
    }

    pub(super) fn at_mut(&mut self, letter: char) -> Option<&mut Option<Tenths>> {
        Some(match letter {
            'W' => &mut self.win,
            'D' => &mut self.draw,
            'L' => &mut self.loss,
            'P' => &mut self.pab,
            'A' | 'Z' => &mut self.absence,
            'X' => &mut self.unknown,
            _ => return None,
        })
    }
}

named! {
    /// The codes of record `XXS` of JaVaFo, and the records `BBW` to `BBU` of bbpPairings.
    pub enum PointCode {
        /// A win with white.
        WhiteWin = "WW",
        /// A win with black.
        BlackWin = "BW",
        /// A draw with white.
        WhiteDraw = "WD",
        /// A draw with black.
        BlackDraw = "BD",
        /// A loss with white.
        WhiteLoss = "WL",
        /// A loss with black.
        BlackLoss = "BL",
        /// A zero-point bye.
        ZeroBye = "ZPB",
        /// A half-point bye.
        HalfBye = "HPB",
        /// A full-point bye.
        FullBye = "FPB",
        /// The pairing-allocated bye.
        Pab = "PAB",
        /// A win by forfeit.
        ForfeitWin = "FW",
        /// A loss by forfeit.
        ForfeitLoss = "FL",
        /// All wins, and the full-point bye.
        Win = "W",
        /// All draws, and the half-point bye.
        Draw = "D",
        /// bbpPairings: all wins, and the pairing-allocated bye unless that is stated itself.
        BbWin = "BBW",
        /// bbpPairings: all draws.
        BbDraw = "BBD",
        /// bbpPairings: losses at the board.
        BbLoss = "BBL",
        /// bbpPairings: the zero-point bye.
        BbZeroBye = "BBZ",
        /// bbpPairings: a loss by forfeit.
        BbForfeitLoss = "BBF",
        /// bbpPairings: the pairing-allocated bye.
        BbPab = "BBU",
    }
}

impl PointCode {
    /// Whether it is a record of its own.
    pub(super) fn is_record(self) -> bool {
        self.name().starts_with("BB")
    }
}

/// Points of a team's match, as record 362 states them; none where it is silent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamPoints {
    /// `TW`: 2.0 where nothing is stated.
    pub win: Option<Tenths>,
    /// `TD`: 1.0.
    pub draw: Option<Tenths>,
    /// `TL`: 0.0.
    pub loss: Option<Tenths>,
}

/// What every result of a report is worth, by everything that it states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    win: [Tenths; 2],
    draw: [Tenths; 2],
    loss: [Tenths; 2],
    zero_bye: Tenths,
    half_bye: Tenths,
    full_bye: Tenths,
    pab: Tenths,
    forfeit_win: Tenths,
    forfeit_loss: Tenths,
    unknown: Tenths,
}

impl Default for Scoring {
    fn default() -> Scoring {
        let (one, half, nought) = (Tenths(10), Tenths(5), Tenths(0));
        Scoring {
            win: [one; 2],
            draw: [half; 2],
            loss: [nought; 2],
            zero_bye: nought,
            half_bye: half,
            full_bye: one,
            pab: one,
            forfeit_win: one,
            forfeit_loss: nought,
            unknown: half,
        }
    }
}

impl Scoring {
    /// The last that is said of a result counts; record 162 comes before the extensions.
    pub(super) fn of(system: &PointSystem, codes: &[(PointCode, Tenths)]) -> Scoring {
        let mut scoring = Scoring::default();
        let mut pab_is_stated = system.pab.is_some();
        if let Some(points) = system.win {
            scoring.state(PointCode::Win, points);
            scoring.pab = points;
        }
        if let Some(points) = system.draw {
            scoring.state(PointCode::Draw, points);
            scoring.unknown = points;
        }
        if let Some(points) = system.loss {
            scoring.loss = [points; 2];
        }
        if let Some(points) = system.absence {
            (scoring.zero_bye, scoring.forfeit_loss) = (points, points);
        }
        scoring.pab = system.pab.unwrap_or(scoring.pab);
        scoring.unknown = system.unknown.unwrap_or(scoring.unknown);
        for (code, points) in codes {
            scoring.state(*code, *points);
            if *code == PointCode::BbWin && !pab_is_stated {
                scoring.pab = *points;
            }
            pab_is_stated |= matches!(code, PointCode::BbPab | PointCode::Pab);
        }
        scoring
    }

    fn state(&mut self, code: PointCode, points: Tenths) {
        use PointCode::{
            BbDraw, BbForfeitLoss, BbLoss, BbPab, BbWin, BbZeroBye, BlackDraw, BlackLoss, BlackWin, Draw,
            ForfeitLoss, ForfeitWin, FullBye, HalfBye, Pab, WhiteDraw, WhiteLoss, WhiteWin, Win, ZeroBye,
        };
        match code {
            WhiteWin => self.win[0] = points,
            BlackWin => self.win[1] = points,
            WhiteDraw => self.draw[0] = points,
            BlackDraw => self.draw[1] = points,
            WhiteLoss => self.loss[0] = points,
            BlackLoss => self.loss[1] = points,
            ZeroBye | BbZeroBye => self.zero_bye = points,
            HalfBye => self.half_bye = points,
            FullBye => self.full_bye = points,
            Pab | BbPab => self.pab = points,
            ForfeitWin => self.forfeit_win = points,
            ForfeitLoss | BbForfeitLoss => self.forfeit_loss = points,
            BbLoss => self.loss = [points; 2],
            Win | BbWin => {
                (self.win, self.forfeit_win, self.full_bye) = ([points; 2], points, points);
            }
            Draw | BbDraw => (self.draw, self.half_bye) = ([points; 2], points),
        }
    }

    /// The points of the pairing bye, in the scale of 2 for a win and 1 for a draw; none where they are neither those of
    /// a win, nor of a draw, nor of a loss.
    pub(super) fn pab_as_result(&self) -> Option<u32> {
        let of = [self.win[0], self.draw[0], self.loss[0]];
        [crate::WIN_POINTS, crate::DRAW_POINTS, 0]
            .into_iter()
            .zip(of)
            .find(|(_, it)| *it == self.pab)
            .map(|(it, _)| it)
    }

    /// What a round is worth; nothing where it is blank.
    pub fn points(&self, slot: Slot) -> Tenths {
        match slot {
            Slot::Bye(ByeMark::Full) => self.full_bye,
            Slot::Bye(ByeMark::Half) => self.half_bye,
            Slot::Blank | Slot::Bye(ByeMark::Zero) => self.zero_bye,
            Slot::Bye(ByeMark::Pab) => self.pab,
            Slot::Walkover { won } => {
                if won {
                    self.forfeit_win
                } else {
                    self.forfeit_loss
                }
            }
            Slot::Game { colour, result, .. } => {
                let side = usize::from(colour == Some(Side::Black));
                match result {
                    Some(GameMark::Win | GameMark::UnratedWin) => self.win[side],
                    Some(GameMark::Draw | GameMark::UnratedDraw) => self.draw[side],
                    Some(GameMark::Loss | GameMark::UnratedLoss) => self.loss[side],
                    Some(GameMark::ForfeitWin) => self.forfeit_win,
                    Some(GameMark::ForfeitLoss) => self.forfeit_loss,
                    None => self.unknown,
                }
            }
        }
    }
}
