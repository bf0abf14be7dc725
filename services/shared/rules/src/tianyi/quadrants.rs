use crate::prelude::*;
use core::{fmt, str::FromStr};

/// Where each of the four numbers of a quadrant lies (T6): the picture that numbers them is lost, and the text
/// says of one stone only that it is to the lower right.
///
/// The default counts as mathematics does, against the clock from the upper right: `ne nw sw se`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quadrants([Corner; 4]);

named! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Corner {
        Ne => "ne",
        Nw => "nw",
        Sw => "sw",
        Se => "se",
    }
}

impl Quadrants {
    /// The signs of x (to the right) and y (upwards) in the quadrant that a count of stones gives: its
    /// remainder by four, a remainder of nothing being quadrant 4 (article 一.3.a).
    pub const fn directions(&self, count: u32) -> (i8, i8) {
        match self.0[((count + 3) % 4) as usize] {
            Corner::Ne => (1, 1),
            Corner::Nw => (-1, 1),
            Corner::Sw => (-1, -1),
            Corner::Se => (1, -1),
        }
    }
}

impl Default for Quadrants {
    fn default() -> Quadrants {
        Quadrants([Corner::Ne, Corner::Nw, Corner::Sw, Corner::Se])
    }
}

impl FromStr for Quadrants {
    type Err = ();

    fn from_str(text: &str) -> Result<Quadrants, ()> {
        let corners: Option<Vec<_>> = text.split(' ').map(Corner::named).collect();
        let corners: [Corner; 4] = corners.and_then(|all| all.try_into().ok()).ok_or(())?;
        let distinct = (0..4).all(|nth| !corners[..nth].contains(&corners[nth]));
        if distinct { Ok(Quadrants(corners)) } else { Err(()) }
    }
}

impl fmt::Display for Quadrants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.map(Corner::name).join(" "))
    }
}
