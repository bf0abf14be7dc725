use alloc::{borrow::Cow, collections::BTreeMap};
use core::{ops::RangeInclusive, time::Duration};

use crate::{
    ActKind, Axes, ConductRules, Game, OfferRule, Record, RecordError, SetupError, Side, prelude::*,
};

/// The option of a game with a handicap.
const HANDICAP: &str = "handicap";

/// A game of the platform: its names, its options and how to start and write it.
///
/// ```
/// use rules::{RuleSet, Side};
/// let variant = rules::variant("jiu").unwrap();
/// assert_eq!((variant.letter(Side::First), variant.record_extension()), ('W', "jiu"));
/// let game = (variant.start)(&RuleSet::named(""))?;
/// assert_eq!(game.variant().id, "jiu");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Debug)]
pub struct Variant {
    /// Identifier, in lower case: `jiu`, `go`.
    pub id: &'static str,
    /// Its names: in English, as its players write it, and then in other languages.
    pub names: &'static [LocalName],
    /// The colour of each side's stones, first side first.
    pub colours: [StoneColour; 2],
    /// The side that puts the first stone of a game; none where that is settled in the game.
    pub places_first: Option<Side>,
    /// The side that makes the first move once the stones of the opening stand; none where that is settled in the game.
    pub moves_first: Option<Side>,
    /// The lines of its board, in both directions.
    pub lines: RangeInclusive<u8>,
    /// How its points are named.
    pub axes: Axes,
    /// What may be marked on its board.
    pub marks: &'static [MarkInfo],
    /// Why it may end besides what ends any game, see [`crate::Reason::Rule`].
    pub reasons: &'static [&'static str],
    /// The named rule sets; the first is the default.
    pub rule_sets: &'static [RuleSetInfo],
    /// Every option that a rule set may change.
    pub options: &'static [OptionInfo],
    /// The options, with their values, by which forbidden acts happen as they would on a board.
    pub source_options: &'static [(&'static str, &'static str)],
    /// The time controls that are usual for it, from fast to slow, in the text form that is also written by players:
    /// `10m`, `3m+2s`, `20m+5x30s`, `1h-keep5m`, `3d/move`.
    pub time_controls: &'static [&'static str],
    /// The least main time of a side, where its printed rules set one.
    pub main_time_min: Option<Duration>,
    /// What of it may be rated.
    pub rated: RatedRule,
    /// Options that make games short, for who tries the game out; the shortest first.
    pub short_games: &'static [&'static [(&'static str, &'static str)]],
    /// When a side may offer a draw.
    pub offers: OfferRule,
    /// How a pass is written; none in games without one.
    pub pass: Option<&'static str>,
    /// How its sides agree on what is counted; none where nothing has to be agreed on.
    pub agreement: Option<AgreementInfo>,
    /// What an act is, by its text.
    pub act_kind: fn(&str) -> ActKind,
    /// What its printed rules say about conduct.
    pub conduct: &'static ConductRules,
    /// File endings of its records, without the dot; they are written with the first.
    pub record_extensions: &'static [&'static str],
    /// Whether a record says that it is one of this game, where several games share an ending.
    pub record_names_it: fn(&str) -> bool,
    /// How a record that is printed in two halves becomes whole; none where records are printed whole.
    pub record_halves: Option<RecordHalves>,
    /// Starts a game under a rule set.
    pub start: fn(&RuleSet) -> Result<Box<dyn Game>, OptionError>,
    /// Starts a game under a rule set from a position given as text, see [`crate::SetupText`]; where the rule set
    /// and the text both say something (the size of the board), the text holds. [`Game::setup_text`] is its
    /// inverse.
    pub position: StartFrom,
    /// How controllers that speak the Go Text Protocol play it, if they do.
    pub gtp: Option<GtpInfo>,
    /// Reads a record in the variant's printed notation (SGF for Go).
    pub parse_record: fn(&str) -> Result<Record, RecordError>,
    /// Writes a record; reading it again gives the same record.
    pub print_record: fn(&Record) -> String,
}

/// How two sides agree on what is counted at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreementInfo {
    /// The phase in which they do.
    pub phase: &'static str,
    /// What an act begins with that proposes something: the word, before what is proposed.
    pub propose: &'static str,
    /// The act that accepts what is proposed.
    pub accept: &'static str,
}

/// Records whose opening is printed apart from the rest.
#[derive(Clone, Copy, Debug)]
pub struct RecordHalves {
    /// Whether the opening is missing.
    pub lacks_opening: fn(&Record) -> bool,
    /// Joins an opening and what lacks it.
    pub join: fn(&Record, &Record) -> Result<Record, RecordError>,
}

/// How a variant starts a game under a rule set from a position given as text.
///
/// ```
/// use rules::{RuleSet, StartFrom, Viewer, go};
/// let start: StartFrom = go::VARIANT.position;
/// let game = start(&RuleSet::named(""), "to-move: W; board: ...../.xo../...../...../.....")?;
/// assert_eq!(game.view(Viewer::Spectator).stones.len(), 2);
/// # Ok::<(), rules::SetupError>(())
/// ```
pub type StartFrom = fn(&RuleSet, &str) -> Result<Box<dyn Game>, SetupError>;

/// What there is to know of a game for controllers that speak the Go Text Protocol.
#[derive(Clone, Copy, Debug)]
pub struct GtpInfo {
    /// Options that its games begin with.
    pub options: &'static [(&'static str, &'static str)],
    /// Rule sets that controllers call otherwise, their names first.
    pub rule_sets: &'static [(&'static str, &'static str)],
    /// The values of the option `komi` that a komi in points may mean, the likeliest first.
    pub komi: fn(&str) -> Vec<String>,
    /// The points that a value of the option `komi` stands for.
    pub points: fn(&str) -> String,
}

/// A name in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// Its language, by BCP 47: `en`, `zh-Hans`.
    pub language: &'static str,
    /// The name.
    pub name: &'static str,
}

/// What is said by a mark on the board, see [`crate::Mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkInfo {
    /// In lower case words joined by `-`: `last`, `territory-first`.
    pub kind: &'static str,
    /// One sentence for a person, without a full stop.
    pub description: &'static str,
}

/// The colour in which a side's stones are drawn.
///
/// ```
/// use rules::{StoneColour, go, jiu};
/// assert_eq!(go::VARIANT.colours, [StoneColour::Black, StoneColour::White]);
/// assert_eq!(jiu::VARIANT.colours, [StoneColour::White, StoneColour::Black]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoneColour {
    /// Dark stones, called Black.
    Black,
    /// Light stones, called White.
    White,
}

impl StoneColour {
    /// `B` or `W`.
    ///
    /// ```
    /// use rules::StoneColour;
    /// assert_eq!([StoneColour::Black, StoneColour::White].map(StoneColour::letter), ['B', 'W']);
    /// ```
    pub const fn letter(self) -> char {
        match self {
            StoneColour::Black => 'B',
            StoneColour::White => 'W',
        }
    }

    /// `Black` or `White`.
    ///
    /// ```
    /// use rules::StoneColour;
    /// assert_eq!([StoneColour::Black, StoneColour::White].map(StoneColour::name), ["Black", "White"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            StoneColour::Black => "Black",
            StoneColour::White => "White",
        }
    }
}

/// A named rule set.
///
/// ```
/// use rules::{RuleSet, go};
/// for info in go::VARIANT.rule_sets {
///     let values = go::VARIANT.resolve(&RuleSet::named(info.id))?;
///     assert!(info.overrides.iter().all(|(name, value)| values[name] == *value));
/// }
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RuleSetInfo {
    /// Identifier: `cn1988`.
    pub id: &'static str,
    /// One sentence for a person.
    pub description: &'static str,
    /// The options whose defaults it overrides.
    pub overrides: &'static [(&'static str, &'static str)],
}

/// An option of a variant.
///
/// ```
/// use rules::go;
/// let size = go::VARIANT.options.iter().find(|option| option.name == "size").unwrap();
/// assert_eq!((size.default, size.values), ("19", "5..=25"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Name, in lower case with underscores: `komi`.
    pub name: &'static str,
    /// Value when nobody says otherwise.
    pub default: &'static str,
    /// The values it takes, for a person: `5..=25`, `psk | cn1988 | simple`.
    pub values: &'static str,
    /// One sentence for a person, with the article of the source it stands for.
    pub description: &'static str,
}

/// What of a variant may be rated: ratings compare players only where all of them play about the same game. Its rule
/// sets may, as they are; everything else is casual.
///
/// ```
/// let rated = rules::go::VARIANT.rated;
/// assert!(rated.allows("size", "13") && !rated.allows("size", "5") && !rated.allows("handicap", "2"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedRule {
    /// The options that may differ from the rule set, with the values that they may have.
    pub options: &'static [(&'static str, &'static [&'static str])],
    /// The option by whose values ratings are kept apart, and its usual value: who is strong on a small board need not be on a
    /// large one.
    pub apart: Option<(&'static str, &'static str)>,
    /// The least time that a side is expected to have for a game.
    pub time_min: Duration,
}

impl RatedRule {
    /// Who has less only races the network.
    pub const TIME_MIN: Duration = Duration::from_mins(1);

    /// Whether an option may have this value, which is not that of the rule set.
    pub fn allows(&self, option: &str, value: &str) -> bool {
        self.options.iter().any(|(name, values)| *name == option && values.contains(&value))
    }
}

/// The rules of one game: a named set and the options changed from it.
///
/// ```
/// use rules::{RuleSet, go};
/// let rule_set = RuleSet::named("psk").with("size", "9");
/// assert_eq!((&*rule_set.id, &*rule_set.options["size"]), ("psk", "9"));
/// assert_eq!((go::VARIANT.start)(&rule_set)?.rule_set().options["size"], "9");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleSet {
    /// Identifier of the named set; empty for the variant's default.
    pub id: String,
    /// Options that differ from the named set, by name.
    pub options: BTreeMap<String, String>,
}

/// Why a rule set cannot be used.
///
/// ```
/// use rules::{RuleSet, go};
/// let error = (go::VARIANT.start)(&RuleSet::named("").with("size", "1000")).unwrap_err();
/// assert_eq!(error.option, "size");
/// assert!(error.to_string().starts_with("size: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option}: {detail}")]
pub struct OptionError {
    /// The option at fault, or `rule_set`.
    pub option: String,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

impl RuleSetInfo {
    /// A rule set that says of these options otherwise than their defaults do.
    pub const fn new(id: &'static str, overrides: &'static [(&'static str, &'static str)]) -> RuleSetInfo {
        RuleSetInfo { id, description: "", overrides }
    }

    /// The same with its sentence.
    #[must_use]
    pub const fn described(self, description: &'static str) -> RuleSetInfo {
        RuleSetInfo { description, ..self }
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.id == other.id
    }
}

impl Eq for Variant {}

impl Variant {
    /// Its name in English.
    pub const fn name(&self) -> &'static str {
        match self.names {
            [english, ..] => english.name,
            [] => self.id,
        }
    }

    /// Its name as its players write it.
    pub const fn native_name(&self) -> &'static str {
        match self.names {
            [_, native, ..] => native.name,
            _ => self.name(),
        }
    }

    /// The letter of a side's colour, `B` or `W`.
    ///
    /// ```
    /// use rules::{Side, go, jiu};
    /// assert_eq!((go::VARIANT.letter(Side::First), jiu::VARIANT.letter(Side::First)), ('B', 'W'));
    /// ```
    pub const fn letter(&self, side: Side) -> char {
        self.colours[side.index()].letter()
    }

    /// The name under which its games are rated, by what each option is: its own, with the board where that is not the usual one.
    /// Games that are not rated go by the name under which the usual ones are.
    ///
    /// ```
    /// use rules::{go, jiu};
    /// assert_eq!(go::VARIANT.rated_as(|_| Some("9")), "go-9");
    /// assert_eq!((go::VARIANT.rated_as(|_| Some("19")), go::VARIANT.rated_as(|_| None)), ("go".into(), "go".into()));
    /// assert_eq!((go::VARIANT.rated_as(|_| Some("5")), jiu::VARIANT.rated_as(|_| Some("9"))), ("go".into(), "jiu".into()));
    /// ```
    pub fn rated_as<'a>(&self, value_of: impl FnOnce(&str) -> Option<&'a str>) -> Cow<'static, str> {
        let apart = self.rated.apart.and_then(|(option, usual)| {
            value_of(option).filter(|value| *value != usual && self.rated.allows(option, value))
        });
        match apart {
            Some(value) => Cow::Owned(alloc::format!("{}-{value}", self.id)),
            None => Cow::Borrowed(self.id),
        }
    }

    /// Whether a game is on the board on which most are played, by what each option is.
    ///
    /// ```
    /// use rules::{go, jiu};
    /// assert!(go::VARIANT.is_on_usual_board(|_| None) && go::VARIANT.is_on_usual_board(|_| Some("19")));
    /// assert!(!go::VARIANT.is_on_usual_board(|_| Some("9")) && jiu::VARIANT.is_on_usual_board(|_| Some("9")));
    /// ```
    pub fn is_on_usual_board<'a>(&self, value_of: impl FnOnce(&str) -> Option<&'a str>) -> bool {
        self.rated.apart.is_none_or(|(option, usual)| value_of(option).is_none_or(|value| value == usual))
    }

    /// The handicap that the first side has in a game, by what each option is: 0 for none, and 1 for the first move without stones.
    ///
    /// ```
    /// use rules::{go, jiu};
    /// assert_eq!((go::VARIANT.handicap(|_| Some("4")), go::VARIANT.handicap(|_| None)), (4, 0));
    /// assert_eq!(jiu::VARIANT.handicap(|_| Some("4")), 0, "there are none");
    /// ```
    pub fn handicap<'a>(&self, value_of: impl FnOnce(&str) -> Option<&'a str>) -> u8 {
        let has_stones = self.options.iter().any(|option| option.name == HANDICAP);
        has_stones.then(|| value_of(HANDICAP)?.parse().ok()).flatten().unwrap_or(0)
    }

    /// The file ending with which its records are written.
    pub const fn record_extension(&self) -> &'static str {
        match self.record_extensions {
            [first, ..] => first,
            [] => self.id,
        }
    }

    /// The side that has this colour.
    ///
    /// ```
    /// use rules::{Side, StoneColour, go, jiu};
    /// assert_eq!(go::VARIANT.side_of(StoneColour::Black), Side::First);
    /// assert_eq!(jiu::VARIANT.side_of(StoneColour::Black), Side::Second);
    /// ```
    pub fn side_of(&self, colour: StoneColour) -> Side {
        if self.colours[0] == colour { Side::First } else { Side::Second }
    }

    /// Every option with the value it has under `rule_set`, names and values checked for existence only;
    /// each variant parses the values itself.
    ///
    /// ```
    /// use rules::{RuleSet, go};
    /// let values = go::VARIANT.resolve(&RuleSet::named("").with("size", "9"))?;
    /// assert_eq!((values.len(), &*values["size"]), (go::VARIANT.options.len(), "9"));
    /// assert!(go::VARIANT.resolve(&RuleSet::named("").with("colour", "red")).is_err());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// An unknown rule set or an unknown option.
    pub fn resolve(&self, rule_set: &RuleSet) -> Result<BTreeMap<&'static str, String>, OptionError> {
        let named = match rule_set.id.as_str() {
            "" => self.rule_sets.first(),
            id => self.rule_sets.iter().find(|info| info.id == id),
        }
        .ok_or_else(|| OptionError {
            option: "rule_set".to_owned(),
            detail: Cow::Owned(alloc::format!("{} has no rule set of this name", self.id)),
        })?;
        let mut values: BTreeMap<&'static str, String> =
            self.options.iter().map(|option| (option.name, option.default.to_owned())).collect();
        values.extend(named.overrides.iter().map(|(name, value)| (*name, (*value).to_owned())));
        for (name, value) in &rule_set.options {
            let known =
                self.options.iter().find(|option| option.name == name).ok_or_else(|| OptionError {
                    option: name.clone(),
                    detail: Cow::Owned(alloc::format!("{} has no option of this name", self.id)),
                })?;
            values.insert(known.name, value.clone());
        }
        Ok(values)
    }
}

impl RuleSet {
    /// A named rule set, nothing changed; the empty name is the variant's default.
    ///
    /// ```
    /// use rules::{RuleSet, go};
    /// let default = RuleSet::named(go::VARIANT.rule_sets[0].id);
    /// assert_eq!(go::VARIANT.resolve(&RuleSet::named("")), go::VARIANT.resolve(&default));
    /// assert!(go::VARIANT.resolve(&RuleSet::named("nobody's")).is_err());
    /// ```
    pub fn named(id: &str) -> Self {
        RuleSet { id: id.to_owned(), options: BTreeMap::new() }
    }

    /// The same rule set with one option changed.
    ///
    /// ```
    /// let small = rules::RuleSet::named("cn1988").with("size", "9");
    /// assert_eq!(small.options["size"], "9");
    /// ```
    #[must_use]
    pub fn with(mut self, option: &str, value: &str) -> Self {
        self.options.insert(option.to_owned(), value.to_owned());
        self
    }
}
