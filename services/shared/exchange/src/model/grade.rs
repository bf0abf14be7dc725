//! Grades of players.

use core::fmt;

/// A grade: kyu, dan, or that of a professional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// 30 kyu is the lowest, 1 kyu the highest.
    Kyu(u8),
    /// 1 to 9.
    Dan(u8),
    /// 1 to 9, above them.
    Pro(u8),
}

impl Grade {
    /// The lowest kyu.
    pub const KYU_MAX: u8 = 30;
    /// The highest dan.
    pub const DAN_MAX: u8 = 9;

    /// `3d`, `3D`, `3 dan`, `12k`, `1p` and the like.
    ///
    /// ```
    /// use exchange::Grade;
    /// let read = ["3d", "12 KYU", "9p", "0k", "d", "31k"].map(Grade::parse);
    /// assert_eq!(read, [Some(Grade::Dan(3)), Some(Grade::Kyu(12)), Some(Grade::Pro(9)), None, None, None]);
    /// assert_eq!(Grade::Kyu(12).to_string(), "12k");
    /// ```
    pub fn parse(text: &str) -> Option<Grade> {
        let end = text.find(|it: char| !it.is_ascii_digit())?;
        let (digits, word) = text.split_at(end);
        let number: u8 = digits.parse().ok().filter(|it| *it > 0)?;
        match word.trim().to_ascii_lowercase().as_str() {
            "k" | "kyu" if number <= Grade::KYU_MAX => Some(Grade::Kyu(number)),
            "d" | "dan" if number <= Grade::DAN_MAX => Some(Grade::Dan(number)),
            "p" | "pro" if number <= Grade::DAN_MAX => Some(Grade::Pro(number)),
            _ => None,
        }
    }

    /// As [`pairing::macmahon`] counts: 3 dan is 3, 1 kyu is 0. Professionals are above 9 dan.
    pub fn strength(self) -> i32 {
        match self {
            Grade::Kyu(it) => 1 - i32::from(it),
            Grade::Dan(it) => i32::from(it),
            Grade::Pro(it) => i32::from(Grade::DAN_MAX) + i32::from(it),
        }
    }

    /// Whether it is one that there is.
    pub(crate) fn is_sound(self) -> bool {
        match self {
            Grade::Kyu(it) => (1..=Grade::KYU_MAX).contains(&it),
            Grade::Dan(it) | Grade::Pro(it) => (1..=Grade::DAN_MAX).contains(&it),
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grade::Kyu(it) => write!(f, "{it}k"),
            Grade::Dan(it) => write!(f, "{it}d"),
            Grade::Pro(it) => write!(f, "{it}p"),
        }
    }
}
