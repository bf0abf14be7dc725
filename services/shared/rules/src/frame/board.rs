use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::{Actors, Side};

/// A point of a board as it is drawn: columns from the left, rows from the top, both from 0.
///
/// Its name (`G7`, `Q16`) belongs to the variant; see [`crate::Game::point_name`].
///
/// ```
/// use rules::{Point, RuleSet, go};
/// let game = (go::VARIANT.start)(&RuleSet::named("").with("size", "19"))?;
/// assert_eq!(game.point_name(Point { column: 15, row: 3 }), "Q16");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Column from the left, from 0.
    pub column: u8,
    /// Row from the top, from 0.
    pub row: u8,
}

/// A stone on a point.
///
/// ```
/// use rules::{Point, RuleSet, Side, Stone, Viewer, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// game.play(Side::First, "C3").unwrap();
/// let stone = Stone { at: Point { column: 2, row: 2 }, owner: Side::First };
/// assert_eq!(game.view(Viewer::Spectator).stones, [stone]);
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where it stands.
    pub at: Point,
    /// Whose it is.
    pub owner: Side,
}

/// Something a client should draw on a point besides its stone.
///
/// ```
/// use rules::{Point, RuleSet, Side, Viewer, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// game.play(Side::First, "C3").unwrap();
/// let marks = game.view(Viewer::Spectator).marks;
/// assert!(marks.iter().any(|mark| mark.kind == "last" && mark.at == Point { column: 2, row: 2 }));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub at: Point,
    /// What, in lower case words joined by `-`: `last`, `dead`, `ko`, `dalian`, `gate`, `territory-first`.
    pub kind: Cow<'static, str>,
}

/// Who looks at a position. What a seat may not know is in no other seat's view.
///
/// ```
/// use rules::{RuleSet, Side, Viewer, go};
/// let game = (go::VARIANT.start)(&RuleSet::named("").with("size", "5"))?;
/// // In Go nothing is hidden: a seat sees what everybody sees.
/// assert_eq!(game.view(Viewer::Seat(Side::First)), game.view(Viewer::Spectator));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// One of the two players.
    Seat(Side),
    /// Everybody else.
    Spectator,
}

/// A position as somebody may see it, complete enough to draw it without knowing the game.
///
/// ```
/// use rules::{Actors, RuleSet, Side, Viewer, jiu};
/// let view = (jiu::VARIANT.start)(&RuleSet::named(""))?.view(Viewer::Spectator);
/// assert_eq!((view.columns, view.rows, view.ply), (14, 14, 0));
/// assert_eq!((view.stones.len(), view.actors), (0, Actors::One(Side::First)));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Width of the board in points.
    pub columns: u8,
    /// Height of the board in points.
    pub rows: u8,
    /// Every stone, in reading order.
    pub stones: Vec<Stone>,
    /// Everything to be drawn besides stones.
    pub marks: Vec<Mark>,
    /// The name of the phase, in lower case.
    pub phase: &'static str,
    /// Who may act now.
    pub actors: Actors,
    /// How many acts the rules have accepted so far.
    pub ply: u32,
    /// What else is worth showing, as name and value: captured stones, ko, quiet plies, a proposed result.
    pub facts: Vec<(&'static str, String)>,
}
