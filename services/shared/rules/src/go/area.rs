use alloc::vec::Vec;

use super::{Board, Colour, Point, point::CELLS};

/// Who holds each point of a board on which every stone is alive (article 9): a stone holds its own
/// point, an empty point belongs to the colour that alone borders on its region, and regions bordered by
/// both colours, or by none, are shared half and half.
///
/// ```
/// use rules::go::{Area, Colour, Setup};
/// let setup: Setup = ".x.o./.x.o./.x.o./.x.o./.x.o.".parse()?;
/// let area = Area::of(setup.board());
/// assert_eq!(area.held(Colour::Black), 10);
/// assert_eq!(area.shared(), 5);
/// # Ok::<(), rules::go::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    owners: [Option<Colour>; CELLS],
    held: [u16; 2],
    shared: u16,
}

impl Area {
    /// Counts a board from which the dead stones have been removed.
    pub fn of(board: &Board) -> Area {
        let mut area = Area { owners: [None; CELLS], held: [0; 2], shared: 0 };
        let mut seen = [false; CELLS];
        let mut region = Vec::new();
        for start in board.points() {
            if let Some(colour) = board.stone(start) {
                area.owners[start.index()] = Some(colour);
                area.held[colour.index()] += 1;
            } else if !seen[start.index()] {
                let owner = flood(board, start, &mut seen, &mut region);
                for point in region.drain(..) {
                    area.owners[point.index()] = owner;
                    match owner {
                        Some(colour) => area.held[colour.index()] += 1,
                        None => area.shared += 1,
                    }
                }
            }
        }
        area
    }

    /// Who holds a point; `None` if it is shared.
    pub fn owner(&self, at: Point) -> Option<Colour> {
        self.owners[at.index()]
    }

    /// How many points a colour holds, stones and enclosed points together.
    pub const fn held(&self, colour: Colour) -> u16 {
        self.held[colour.index()]
    }

    /// How many empty points are shared.
    pub const fn shared(&self) -> u16 {
        self.shared
    }
}

/// Collects the empty region of `start` and tells which colour alone borders on it.
fn flood(board: &Board, start: Point, seen: &mut [bool; CELLS], region: &mut Vec<Point>) -> Option<Colour> {
    let mut borders = [false; 2];
    seen[start.index()] = true;
    region.push(start);
    let mut at = 0;
    while let Some(point) = region.get(at).copied() {
        at += 1;
        for beside in board.neighbours(point) {
            match board.stone(beside) {
                Some(colour) => borders[colour.index()] = true,
                None if !seen[beside.index()] => {
                    seen[beside.index()] = true;
                    region.push(beside);
                }
                None => {}
            }
        }
    }
    match borders {
        [true, false] => Some(Colour::Black),
        [false, true] => Some(Colour::White),
        _ => None,
    }
}
