//! Every reading of the printed rules that an event may choose (1.10 and 1.11), by name: stored with the event, shown
//! with its tables, and changed one by one.

mod examples;

use std::{collections::BTreeMap, str::FromStr};

use pairing::{
    Acceleration, AdjustPoints, Colour, ColourLaw, DoubleOrder, FirstRound, ForfeitOpponent, ForfeitPoints,
    MBasis, PoBye, RBasis, Ranking, StandingsSettings, SumOf, SwissSettings, TeamLeaves, Ties,
    WithdrawalHalf, knockout::GrandFinal, standings::TieBreak,
};

use examples::EXAMPLES;
pub use examples::Example;

/// One reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its name.
    pub name: &'static str,
    /// Where it is decided that it is a choice.
    pub article: &'static str,
    /// What it is about, in one sentence.
    pub about: &'static str,
    /// What may be chosen.
    pub values: Values,
    /// Whether it changes tables that stand, and can be tried out on them; the others change pairings alone.
    pub in_tables: bool,
}

/// What may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these; the first is the default.
    Words(&'static [&'static str]),
    /// A whole number.
    Number {
        /// If nobody says otherwise.
        default: u32,
        /// At most.
        max: u32,
    },
    /// Some of these in an order, separated by commas; none by default.
    List(&'static [&'static str]),
}

/// In which games of a knock-out a draw is won by who moved first (1.5; 1.10, 18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstMoverAdvances {
    /// In the final alone, as the rules of Tianyi Go have it to the letter.
    #[default]
    Final,
    /// In all, for all need a winner.
    KnockOut,
    /// In none: a draw is played again.
    Nowhere,
}

impl FirstMoverAdvances {
    fn named(name: &str) -> Option<FirstMoverAdvances> {
        match name {
            "final" => Some(FirstMoverAdvances::Final),
            "knock_out" => Some(FirstMoverAdvances::KnockOut),
            "nowhere" => Some(FirstMoverAdvances::Nowhere),
            _ => None,
        }
    }
}

/// A reading or a value that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReading {
    /// There is no reading of this name.
    #[error("there is no reading {0:?}")]
    Unknown(String),
    /// It has no such value.
    #[error("{name} is {expected}, and not {value:?}")]
    Value {
        /// Of which reading.
        name: &'static str,
        /// What it was to be.
        value: String,
        /// What it may be.
        expected: String,
    },
}

/// Off or on.
const SWITCH: &[&str] = &["off", "on"];

const fn words(
    name: &'static str,
    article: &'static str,
    about: &'static str,
    values: &'static [&'static str],
) -> Reading {
    Reading { name, article, about, values: Values::Words(values), in_tables: true }
}

const fn number(
    name: &'static str,
    article: &'static str,
    about: &'static str,
    default: u32,
    max: u32,
) -> Reading {
    Reading { name, article, about, values: Values::Number { default, max }, in_tables: true }
}

const fn of_pairing(reading: Reading) -> Reading {
    Reading { in_tables: false, ..reading }
}

/// All of them. That the words are those of the crate `pairing` a test holds.
pub const READINGS: &[Reading] = &[
    words(
        "ranking",
        "1.10, 24",
        "what a Swiss is ranked by: the total of Art. 28.1.2, or points and then the opponents' points",
        &["total", "points_opponents"],
    ),
    words(
        "m_basis",
        "1.10, 1",
        "the highest score M: the one reached, or the one possible",
        &["actual", "theoretical"],
    ),
    words(
        "r_basis",
        "1.10, 2",
        "the rounds R: those in which the player had an opponent, or all",
        &["own_opponents", "literal"],
    ),
    words(
        "withdrawal_half",
        "1.10, 7 and 23",
        "of what half is taken in a round robin that somebody leaves",
        &["rounds", "games"],
    ),
    words(
        "adjust_a_points",
        "1.11, 1",
        "the points in the adjusted score of one who left: all of them, or those of games",
        &["all", "games"],
    ),
    words(
        "forfeit_opponent",
        "1.11, 4",
        "whether an opponent who forfeited counts in ΣO and R",
        &["counts", "ignored"],
    ),
    words(
        "po_bye",
        "1.11, 5",
        "what a round without an opponent adds to the opponents' points",
        &["neutral", "raw"],
    ),
    words(
        "forfeit_points",
        "1.10, 29",
        "whether points won by forfeit count in A of a round robin",
        &["count", "ignore"],
    ),
    words("ties", "1.6, D", "what is done with players who are equal in everything", &["shared", "lot"]),
    number("pab_points", "1.5", "points of the pairing bye", 2, 2),
    number("team_pab_game_points", "1.11, 10", "game points a board that a team's bye is worth", 1, 2),
    words(
        "team_leaves",
        "1.10, 25",
        "whether a whole team that leaves is taken as a player who does (29.2, 29.3), or what it played stands (29.4)",
        &["as_player", "as_match"],
    ),
    words(
        "sum_of",
        "1.11, 10",
        "what is added up where a team is the sum of its members; totals there are in a Swiss alone",
        &["points", "total"],
    ),
    Reading {
        name: "tie_breaks",
        article: "1.6",
        about: "what decides after points, instead of the order of Art. 28, as Go and FIDE events have it",
        values: Values::List(&[
            "sos",
            "sosos",
            "sodos",
            "buchholz_cut_1",
            "buchholz_median",
            "dummy_buchholz",
            "direct_encounter",
            "wins",
            "koya",
            "performance",
        ]),
        in_tables: true,
    },
    of_pairing(words(
        "colours",
        "1.4",
        "how colours are given: as the game's rules have it, by balance, by the parity of numbers, or by the game itself",
        &["game", "balance", "parity", "open"],
    )),
    of_pairing(words(
        "jirige_absolute_first",
        "1.4",
        "whether absolute colour needs go before alternation where colours follow parity",
        SWITCH,
    )),
    of_pairing(words(
        "first_round",
        "1.3",
        "how round 1 is made: as the game's rules have it, by lot, the upper half against the lower, or odd against even",
        &["game", "draw", "fold", "odd_even"],
    )),
    of_pairing(number(
        "apart_rounds",
        "1.3, S3",
        "rounds in which players of one club are kept apart",
        2,
        100,
    )),
    of_pairing(words("half_bye_is_downfloat", "1.11, 13", "whether a half bye is a downfloat", SWITCH)),
    of_pairing(words(
        "acceleration",
        "FIDE C.04.5.1",
        "virtual points for the upper half of the list in early rounds",
        &["none", "baku"],
    )),
    of_pairing(words(
        "double_order",
        "1.10, 27",
        "how a double round robin runs",
        &["cycles", "back_to_back"],
    )),
    of_pairing(words(
        "swap_last_two",
        "1.2",
        "whether the last two rounds of the first cycle change places, so that nobody has one colour three times",
        SWITCH,
    )),
    of_pairing(words("grand_final", "1.2", "the grand final of a double knock-out", &["reset", "simple"])),
    of_pairing(words(
        "first_mover_advances",
        "1.10, 18",
        "in which games of a knock-out in Tianyi Go a draw is won by who moved first: in the final, in all, or in none",
        &["final", "knock_out", "nowhere"],
    )),
];

/// The readings that an event has chosen; the others are the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings(BTreeMap<&'static str, String>);

impl Readings {
    /// Checks what is chosen.
    ///
    /// # Errors
    /// The first that there is not.
    pub fn new<'a>(chosen: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Readings, BadReading> {
        let mut readings = Readings::default();
        for (name, value) in chosen {
            readings.set(name, value)?;
        }
        Ok(readings)
    }

    /// Chooses one.
    ///
    /// # Errors
    /// When there is no such reading, or no such value of it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadReading> {
        let reading = READINGS.iter().find(|reading| reading.name == name);
        let reading = reading.ok_or_else(|| BadReading::Unknown(name.to_owned()))?;
        let is_one = match reading.values {
            Values::Words(words) => words.contains(&value),
            Values::Number { max, .. } => {
                value.parse::<u32>().is_ok_and(|it| it <= max && it.to_string() == value)
            }
            Values::List(words) => {
                let mut chosen: Vec<&str> = list(value).collect();
                let all = chosen.len();
                chosen.sort_unstable();
                chosen.dedup();
                chosen.len() == all && chosen.iter().all(|it| words.contains(it))
            }
        };
        if !is_one {
            let value = value.to_owned();
            return Err(BadReading::Value { name: reading.name, value, expected: reading.expected() });
        }
        if value == reading.default_value() {
            self.0.remove(reading.name);
        } else {
            self.0.insert(reading.name, value.to_owned());
        }
        Ok(())
    }

    /// The value of one, chosen or not.
    pub fn get(&self, reading: &Reading) -> String {
        self.0.get(reading.name).cloned().unwrap_or_else(|| reading.default_value())
    }

    /// Those that are not the defaults.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// How tables are made.
    pub fn standings(&self) -> StandingsSettings {
        StandingsSettings {
            ranking: self.word("ranking", Ranking::named),
            m_basis: self.word("m_basis", MBasis::named),
            r_basis: self.word("r_basis", RBasis::named),
            withdrawal_half: self.word("withdrawal_half", WithdrawalHalf::named),
            adjust_points: self.word("adjust_a_points", AdjustPoints::named),
            forfeit_opponent: self.word("forfeit_opponent", ForfeitOpponent::named),
            po_bye: self.word("po_bye", PoBye::named),
            forfeit_points: self.word("forfeit_points", ForfeitPoints::named),
            ties: self.word("ties", Ties::named),
            pab_points: self.number("pab_points"),
            team_pab_game_points: self.number("team_pab_game_points"),
            team_leaves: self.word("team_leaves", TeamLeaves::named),
            sum_of: self.word("sum_of", SumOf::named),
            tie_breaks: list(&self.text("tie_breaks")).filter_map(TieBreak::named).collect(),
        }
    }

    /// How a Swiss is paired, where the game's own rules have these colours and this first round.
    pub fn swiss(&self, of_game: (ColourLaw, FirstRound)) -> SwissSettings {
        SwissSettings {
            colours: ColourLaw::named(&self.text("colours")).unwrap_or(of_game.0),
            odd_has: Colour::Second,
            absolute_first: self.is_on("jirige_absolute_first"),
            first_round: FirstRound::named(&self.text("first_round")).unwrap_or(of_game.1),
            apart_rounds: u16::try_from(self.number("apart_rounds")).unwrap_or(u16::MAX),
            pab_points: self.number("pab_points"),
            half_bye_is_downfloat: self.is_on("half_bye_is_downfloat"),
            acceleration: self.word("acceleration", Acceleration::named),
            relaxed: pairing::Relaxed::Nothing,
        }
    }

    /// How a double round robin runs, and whether the last two rounds of its first cycle change places.
    pub fn double_round_robin(&self) -> (DoubleOrder, bool) {
        (self.word("double_order", DoubleOrder::named), self.is_on("swap_last_two"))
    }

    /// The grand final of a double knock-out.
    pub fn grand_final(&self) -> GrandFinal {
        self.word("grand_final", GrandFinal::named)
    }

    /// In which games of a knock-out a draw is won by who moved first, where the game has such a rule.
    pub fn first_mover_advances(&self) -> FirstMoverAdvances {
        self.word("first_mover_advances", FirstMoverAdvances::named)
    }

    fn text(&self, name: &str) -> String {
        let reading = READINGS.iter().find(|reading| reading.name == name);
        reading.map(|reading| self.get(reading)).unwrap_or_default()
    }

    fn word<T: Default>(&self, name: &str, named: impl Fn(&str) -> Option<T>) -> T {
        named(&self.text(name)).unwrap_or_default()
    }

    fn number(&self, name: &str) -> u32 {
        u32::from_str(&self.text(name)).unwrap_or_default()
    }

    fn is_on(&self, name: &str) -> bool {
        self.text(name) == "on"
    }
}

impl Reading {
    /// What holds where nobody has chosen.
    pub fn default_value(&self) -> String {
        match self.values {
            Values::Words(words) => words.first().copied().unwrap_or_default().to_owned(),
            Values::Number { default, .. } => default.to_string(),
            Values::List(_) => String::new(),
        }
    }

    /// An event in which its values come to different things. That every reading has one a test holds.
    pub fn example(&self) -> Option<&'static Example> {
        EXAMPLES.iter().find(|example| example.reading == self.name)
    }

    /// What it may be, for a person.
    pub fn expected(&self) -> String {
        match self.values {
            Values::Words(words) => words.join(" or "),
            Values::Number { max, .. } => format!("0 to {max}"),
            Values::List(words) => format!("some of {}, each once, separated by commas", words.join(", ")),
        }
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value of every reading reaches the settings that it names, and the default is that of the crate.
    #[test]
    fn readings_are_the_settings_of_the_pairing() {
        let game = (ColourLaw::Parity, FirstRound::OddEven);
        assert_eq!(Readings::default().standings(), StandingsSettings::default());
        let plain = SwissSettings { colours: game.0, first_round: game.1, ..SwissSettings::default() };
        assert_eq!(Readings::default().swiss(game), plain);
        for reading in READINGS {
            let mut seen = vec![everything(&Readings::default(), game)];
            for value in reading.others() {
                let readings = Readings::new([(reading.name, value.as_str())]).expect("it may be chosen");
                assert_eq!(readings.get(reading), value);
                let all = everything(&readings, game);
                assert!(!seen.contains(&all), "{} {value} changes nothing", reading.name);
                seen.push(all);
            }
        }
    }

    impl Reading {
        fn others(&self) -> Vec<String> {
            match self.values {
                Values::Words(words) => words.iter().skip(1).map(|it| (*it).to_owned()).collect(),
                Values::Number { default, max } => {
                    (0..=max.min(3)).filter(|it| *it != default).map(|it| it.to_string()).collect()
                }
                Values::List(words) => words.iter().map(|it| (*it).to_owned()).collect(),
            }
        }
    }

    fn everything(readings: &Readings, game: (ColourLaw, FirstRound)) -> String {
        // A word that says the same as the game's own rules is another choice all the same.
        let game = if readings.text("colours") == "parity" { (ColourLaw::Balance, game.1) } else { game };
        let game = if readings.text("first_round") == "odd_even" { (game.0, FirstRound::Draw) } else { game };
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            readings.standings(),
            readings.swiss(game),
            readings.double_round_robin(),
            readings.grand_final(),
            readings.first_mover_advances(),
            readings.chosen().collect::<Vec<_>>()
        )
    }

    #[test]
    fn what_is_no_reading_is_named() {
        let unknown = Readings::new([("m", "actual")]).expect_err("there is no m");
        assert_eq!(unknown.to_string(), r#"there is no reading "m""#);
        for (name, value) in
            [("m_basis", "Actual"), ("pab_points", "3"), ("pab_points", "02"), ("tie_breaks", "sos,sos")]
        {
            let refused = Readings::new([(name, value)]);
            assert!(
                matches!(refused, Err(BadReading::Value { name: it, .. }) if it == name),
                "{name} {value}"
            );
        }
        let two = Readings::new([("tie_breaks", "wins, sos")]).expect("two in an order");
        assert_eq!(two.standings().tie_breaks, [TieBreak::Wins, TieBreak::Sos]);
    }
}
