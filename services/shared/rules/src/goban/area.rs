use super::{Board, Colour, Point, board::Rows};

/// Who holds each point of a board on which every stone is alive (article 9): a stone holds its own
/// point, an empty point belongs to the colour that alone borders on its region, and regions bordered by
/// both colours, or by none, are shared half and half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    owned: [Rows; 2],
    held: [u16; 2],
    shared: u16,
}

impl Area {
    /// Counts a board from which the dead stones have been removed.
    ///
    /// All regions are flooded at once, a row at a time: from the stones of each colour over the empty points.
    /// What one colour alone reaches is its own.
    pub fn of(board: &Board) -> Area {
        let (stones, empty) = board.bits();
        let height = usize::from(board.rows().get());
        let [black, white] = [0, 1].map(|colour| flood(&stones[colour], &empty, height));
        let mut area = Area { owned: stones, held: [0; 2], shared: 0 };
        for row in 0..height {
            area.owned[0][row] |= black[row] & !white[row];
            area.owned[1][row] |= white[row] & !black[row];
            area.held[0] += count(area.owned[0][row]);
            area.held[1] += count(area.owned[1][row]);
        }
        area.shared = board.point_count() - area.held[0] - area.held[1];
        area
    }

    /// Who holds a point; `None` if it is shared.
    pub fn owner(&self, at: Point) -> Option<Colour> {
        let owned =
            |colour: &Colour| self.owned[colour.index()][usize::from(at.row())] >> at.column() & 1 == 1;
        Colour::BOTH.into_iter().find(owned)
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

/// The empty points that can be reached from these stones over empty points.
fn flood(stones: &Rows, empty: &Rows, height: usize) -> Rows {
    let mut reached = Rows::default();
    for row in 0..height {
        let above = if row > 0 { stones[row - 1] } else { 0 };
        let below = if row + 1 < height { stones[row + 1] } else { 0 };
        let beside = stones[row] << 1 | stones[row] >> 1;
        reached[row] = fill((above | below | beside) & empty[row], empty[row]);
    }
    let spread = |reached: &mut Rows, from: usize, to: usize| {
        let seeds = reached[from] & empty[to] & !reached[to];
        if seeds > 0 {
            reached[to] |= fill(seeds, empty[to]);
        }
        seeds > 0
    };
    // Down and up until nothing changes; a board without winding corridors is done at once.
    loop {
        let down = (1..height).fold(false, |more, row| spread(&mut reached, row - 1, row) | more);
        let up = (1..height).rev().fold(false, |more, row| spread(&mut reached, row, row - 1) | more);
        if !down && !up {
            return reached;
        }
    }
}

/// All of the runs of empty points in a row that contain a seed.
const fn fill(seeds: u32, empty: u32) -> u32 {
    let rightwards = fill_upwards(seeds, empty);
    fill_upwards(rightwards.reverse_bits(), empty.reverse_bits()).reverse_bits()
}

/// From each seed to the upper end of its run. Adding a seed to its run carries to the run's end, and so
/// changes all bits on the way but those of further seeds.
const fn fill_upwards(seeds: u32, empty: u32) -> u32 {
    empty & (empty ^ empty.wrapping_add(seeds)) | seeds
}

fn count(row: u32) -> u16 {
    u16::try_from(row.count_ones()).expect("a word has 32 bits")
}
