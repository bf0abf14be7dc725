//! Records of Tianyi Go as SGF.
//!
//! The reader is that of Go ([`crate::go::sgf`]), with its limits and its headings, and takes any bytes. Stones
//! and moves are written in the colours they have on the board, so that every program can show the game:
//!
//! | SGF | record |
//! | --- | --- |
//! | `SZ` | option `size`, where `SHR` does not give it |
//! | `AB`, `AW`, `PL[W]` | the stones of the placement that stand; White moves first |
//! | `KM` | what is settled by the bids, in points and in the direction of Go: White's bid with its sign changed |
//! | `PB`, `BR`, … | headings `first…` or `second…`, whoever has Black; the first side while that is open |
//! | `B`, `W` | plays and passes |
//! | `RE` | the outcome in points; a draw that White wins is `W+` with `SHO[score]` |
//! | `RU` | heading `rules`, unless it is `Tianyi 2014` |
//!
//! and in private properties, which other programs pass over:
//!
//! * `SHR[id][name=value]…`: the rule set;
//! * `SHA[H seed …][1 commit …]…`: acts that are no moves, of the system (`H`), the first (`1`) and the second
//!   side (`2`): in the root those before the first move, in a node of its own each later one, and beside an
//!   empty `B` or `W` a void move;
//! * `SHD[placement][house HASH SALT SEED][first HASH SALT SEED][second HASH][W D4,B Q16,…]`: a finished lottery:
//!   its purpose, for each party what it committed to and opened (nothing for who was left out), and what
//!   was drawn, the colours as `white first`. How numbers come from seeds is told in [`crate::Lot`];
//! * `SHB[first 3.5][second -]`: the bids in zi, once they are open;
//! * `SHO`, `SHH`: as in Go. The heading `white` (`first` or `second`) says who has which colour where the acts do not:
//!   in a game from a position that was set up.
//!
//! The acts say everything; `AB`, `AW`, `PL`, `KM`, `SHD` and `SHB` say what follows from them. If one of these
//! says anything else, the file is refused: somebody has changed it. [`super::verify`] checks the rest.
//!
//! Writing a record that was read, or that a game of the platform made, and reading it again gives the same
//! record. The record of a running game is made without what is sealed by [`crate::Record::without_sealed`].

pub use super::{sgf_read::read as parse, sgf_write::write as print};
