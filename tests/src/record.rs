//! Long records: games of Go that nobody would play.

use anyhow::Context as _;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::{RuleSet, Side};

const SIZE: u8 = 19;

/// A record of so many random legal moves, as SGF.
///
/// # Errors
/// When there is no Go to play.
pub fn long_record(moves: usize) -> anyhow::Result<String> {
    let variant = rules::variant("go").context("Go is a variant")?;
    let rule_set = RuleSet::named("").with("size", &SIZE.to_string());
    let mut game = (variant.start)(&rule_set).map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    let mut rng = StdRng::seed_from_u64(1);
    let mut text = format!("(;GM[1]FF[4]CA[UTF-8]SZ[{SIZE}]KM[7.5]RU[Chinese]");
    for ply in 0..moves {
        let side = if ply % 2 == 0 { Side::First } else { Side::Second };
        let hints = game.hints(side);
        let points: Vec<&str> =
            hints.iter().map(|hint| hint.text.as_str()).filter(|text| *text != "pass").collect();
        let act =
            if points.is_empty() { "pass" } else { points[rng.random_range(0..points.len())] }.to_owned();
        game.play(side, &act).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        text.push_str(if side == Side::First { ";B[" } else { ";W[" });
        text.extend(point(&act));
        text.push(']');
    }
    text.push(')');
    Ok(text)
}

/// A point in the letters of SGF; nothing for a pass.
fn point(act: &str) -> Option<String> {
    const LETTERS: &str = "ABCDEFGHJKLMNOPQRST";
    let (column, row) = act.split_at_checked(1)?;
    let column = u8::try_from(LETTERS.find(column)?).ok()?;
    let row = SIZE - row.parse::<u8>().ok()?;
    Some([char::from(b'a' + column), char::from(b'a' + row)].iter().collect())
}
