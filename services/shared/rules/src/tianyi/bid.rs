use alloc::string::String;
use core::fmt;

use crate::go::QuarterZi;

/// What White is to pay Black, in half zi: a black stone among the white ones stands for a half (article
/// 二.2). Negative, Black pays White.
///
/// A zi paid moves both counts, so that half a zi is one point of difference.
///
/// ```
/// use rules::tianyi::Bid;
/// let bid = Bid::parse("3.5").unwrap();
/// assert_eq!((bid.halves(), bid.to_string()), (7, "3.5".to_owned()));
/// assert_eq!(Bid::parse("-0.5"), Some(Bid::of_halves(-1)));
/// assert_eq!(Bid::parse("0.25"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bid(i16);

impl Bid {
    /// So many half zi, which are points.
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// assert_eq!(Bid::of_halves(-3).to_string(), "-1.5");
    /// assert!(Bid::of_halves(3) > Bid::default());
    /// ```
    pub const fn of_halves(halves: i16) -> Bid {
        Bid(halves)
    }

    /// Reads a decimal number of zi.
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// assert_eq!(Bid::parse("2"), Some(Bid::of_halves(4)));
    /// // Not in halves, in points, no number.
    /// assert!(["0.3", "4pt", "two"].iter().all(|text| Bid::parse(text).is_none()));
    /// ```
    pub fn parse(text: &str) -> Option<Bid> {
        let QuarterZi(quarters) = QuarterZi::parse(text).filter(|_| !text.ends_with("pt"))?;
        let halves = i16::try_from(quarters / 2).ok()?;
        (quarters % 2 == 0).then_some(Bid(halves))
    }

    /// In half zi, which are points.
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// assert_eq!(Bid::parse("3.5").map(Bid::halves), Some(7));
    /// ```
    pub const fn halves(self) -> i16 {
        self.0
    }

    /// In quarters of a zi.
    ///
    /// ```
    /// use rules::{go::QuarterZi, tianyi::Bid};
    /// assert_eq!(Bid::of_halves(7).quarters(), QuarterZi(14));
    /// ```
    pub fn quarters(self) -> QuarterZi {
        QuarterZi(2 * i32::from(self.0))
    }

    /// Whether it may be made on a board of so many points: from −N/2 to N/2 zi (T14).
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// // 180 1/2 zi on 19 lines, and Black may pay as much.
    /// assert!(Bid::of_halves(361).is_allowed(361) && Bid::of_halves(-361).is_allowed(361));
    /// assert!(!Bid::of_halves(362).is_allowed(361));
    /// ```
    pub fn is_allowed(self, points: u16) -> bool {
        self.0.unsigned_abs() <= points
    }

    /// Every bid that may be made on a board of so many points, the lowest first.
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// let bids: Vec<Bid> = Bid::all(25).collect();
    /// assert_eq!((bids.len(), bids[0].to_string()), (51, "-12.5".to_owned()));
    /// assert!(bids.is_sorted() && bids.iter().all(|bid| bid.is_allowed(25)));
    /// ```
    pub fn all(points: u16) -> impl Iterator<Item = Bid> {
        let most = i16::try_from(points).unwrap_or(i16::MAX);
        (-most..=most).map(Bid)
    }

    /// What SGF calls komi: points that Black gives White.
    ///
    /// ```
    /// use rules::tianyi::Bid;
    /// // White pays 3 1/2 zi, which are 7 points of difference against him.
    /// assert_eq!(Bid::of_halves(7).sgf_komi(), "-7");
    /// assert_eq!(Bid::of_halves(-7).sgf_komi(), "7");
    /// ```
    pub fn sgf_komi(self) -> String {
        QuarterZi(-2 * i32::from(self.0)).points()
    }
}

/// In zi: `3.5`, `-2`.
impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quarters().decimal())
    }
}
