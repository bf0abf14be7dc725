//! What is played in the Swiss of the script, round by round.

/// The rounds, table by table: the first of a pair moves first.
///
/// `>` is a win of the first and `<` of the second, by resignation if nothing else is said; `=` a draw by agreement.
/// `!` is a loss by two warnings; `'` a warning for the second that decides nothing; `?` a game that is adjourned and goes
/// on during the next round; `-` a game that the second leaves together with the event.
pub(super) const ROUNDS: [&str; 7] = [
    "13<1 2>14 15=3 4>16 17<5 6>18 19<7 8>20 21<9 10>22 23<11 12>24",
    "1>2 5<4 7>6! 9<8 11=10 3>12 15<13 16<14 18<17 20<19 22<21 24<23",
    "4>1 7=8 10<3 11<2 6<5 9>12 14<13 17>19 23<21 25>15 18<16 20>22",
    "3<4? 1>7 8<2 5>9 13>17 25>21 10<6 12<11 14>19 16>20 24<15 22<18",
    "2>4 1>3 13<5 25<7 11<8 6>9 17<14 21<16 15<10 12>18 19>22 20>24-",
    "5<1 7<2 4>8 13=6 14<25 3>16 9>10 17<11 19<12' 21<20 18<15",
    "25<1 2>5 6<4 3>7 8>13 11<9 14<12' 16<10 15>20 21<17 18>19",
];

/// Who comes late: after round 1, with the number 25.
pub(super) const LATE: u32 = 25;
/// Who leaves after round 3.
pub(super) const LEAVES: u32 = 23;
/// Who leaves in the middle of round 5.
pub(super) const LEAVES_HIS_GAME: u32 = 24;
/// Who asks for half a bye in round 6.
pub(super) const RESTS: u32 = 22;

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The other resigns.
    Won,
    /// They agree on a draw.
    Drawn,
    /// The other has two warnings.
    Warned,
    /// It is adjourned, and won by resignation afterwards.
    Adjourned,
    /// The other leaves.
    Left,
}

/// A game of the script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Play {
    pub first: u32,
    pub second: u32,
    /// Who does not win; the second of a draw.
    pub loser: u32,
    pub end: End,
    /// Whether the second is warned once without losing by it.
    pub warning: bool,
}

/// The games of a round.
pub(super) fn plays(round: u32) -> Vec<Play> {
    ROUNDS[round as usize - 1].split(' ').map(play).collect()
}

/// A game as it is written.
pub(super) fn play(text: &str) -> Play {
    let sign = text.find(['<', '>', '=']).expect("a game has a result");
    let mark = text.trim_start_matches(|c: char| c.is_ascii_digit() || "<>=".contains(c));
    let number = |text: &str| text.parse().expect("a number");
    let (first, second) = (number(&text[..sign]), number(&text[sign + 1..text.len() - mark.len()]));
    let end = match (&text[sign..=sign], mark) {
        ("=", _) => End::Drawn,
        (_, "!") => End::Warned,
        (_, "?") => End::Adjourned,
        (_, "-") => End::Left,
        _ => End::Won,
    };
    let loser = if &text[sign..=sign] == "<" { first } else { second };
    Play { first, second, loser, end, warning: mark == "'" }
}
