//! Records in and out.

use std::collections::BTreeMap;

use chassis::id::GameId;
use rules::{Actors, Record, RecordError, RuleSet, Side, Variant};
use time::OffsetDateTime;

use super::{
    By, Event, EventKind, Game, GameInfo, GameState, Origin, Played, Regulations, Seat, Sheet, Stage,
};

/// Headings that a record of the platform carries.
const FIRST: &str = "first";
const SECOND: &str = "second";
const DATE: &str = "date";
/// Characters of a name that a record brings.
const NAME_CHARACTERS_MAX: usize = 64;

/// Acts that are played between two breaths.
pub const ACTS_A_BREATH: usize = 16;

/// Why a record is not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RecordError),
    /// Its rules are not ours.
    #[error("its rules cannot be used: {0}")]
    Rules(#[from] rules::OptionError),
    /// An act breaks a rule.
    #[error("act {number}, {text}, is illegal: {refusal}")]
    Illegal {
        /// The number of the act, from 1.
        number: usize,
        /// The act as written.
        text: String,
        /// The rule.
        refusal: rules::ActError,
    },
}

/// The log of a game that a record tells of: its creation, its acts, its end. Every few acts it lets others `breathe`.
///
/// # Errors
/// When the record cannot be read or breaks the rules.
pub fn import(
    variant: &'static Variant,
    text: &str,
    id: GameId,
    now: OffsetDateTime,
    breathe: impl Fn(),
) -> Result<Vec<Event>, ImportError> {
    let record = (variant.parse_record)(text)?;
    let mut position = (variant.start)(&record.rule_set)?;
    let rule_set = position.rule_set().clone();
    let seat = |heading, side| Seat {
        account: None,
        name: record
            .heading(heading)
            .and_then(recorded_name)
            .unwrap_or_else(|| variant.colours[side as usize].name().to_owned()),
        rating: 0,
    };
    let info = GameInfo {
        id,
        variant,
        rule_set: rule_set.id,
        options: rule_set.options,
        time_control: None,
        rated: false,
        seats: [seat(FIRST, Side::First), seat(SECOND, Side::Second)],
        origin: Origin::Import,
        created: now,
        regulations: Regulations::default(),
    };
    let mut log = vec![event(1, now, None, EventKind::Created(Box::new(info)), position.as_ref())];
    for (index, act) in record.acts.iter().enumerate() {
        if index % ACTS_A_BREATH == 0 {
            breathe();
        }
        // In the sense in which it was printed: who writes a game down says more than who plays it.
        let printed = act.side().map(|side| position.as_printed(side, &act.text).0.into_owned());
        let played = position
            .act(act.author, printed.as_ref().unwrap_or(&act.text))
            .map_err(|refusal| ImportError::Illegal { number: index + 1, text: act.text.clone(), refusal })?;
        let kind = EventKind::Played(Played::new(act.author, played));
        log.push(event(index as u64 + 2, now, act.side(), kind, position.as_ref()));
    }
    if let (None, Some(outcome)) = (position.outcome(), &record.outcome) {
        let kind = EventKind::Ended(outcome.clone());
        let mut last = event(log.len() as u64 + 1, now, None, kind, position.as_ref());
        last.state.actors = Actors::Nobody;
        last.state.outcome = Some(outcome.clone());
        log.push(last);
    }
    Ok(log)
}

/// The record of a game, from its acts.
pub fn export(game: &Game, sheet: &Sheet) -> String {
    let acts = sheet.whole().collect();
    let (date, seats) = (game.info.created.date(), game.info.seats_in(game.progress()));
    let headings = vec![
        (FIRST.to_owned(), unquoted(&seats[0].name).to_owned()),
        (SECOND.to_owned(), unquoted(&seats[1].name).to_owned()),
        (DATE.to_owned(), date.to_string()),
    ];
    let rule_set =
        RuleSet { id: game.info.rule_set.clone(), options: changed_options(game.variant(), &game.info) };
    let record = Record {
        variant: game.info.variant.id,
        rule_set,
        headings,
        acts,
        outcome: game.state.outcome.clone(),
    };
    // Whatever is sealed now has its public text instead.
    (game.variant().print_record)(&record.without_sealed(&game.position.sealed()))
}

/// A name as a record may bring it: one line of what can be seen, no longer than any name has to be, and in quotation
/// marks. No account's name has those, so nobody can be taken for a player of the platform.
fn recorded_name(text: &str) -> Option<String> {
    let seen = |c: char| !c.is_control() && !is_invisible(c) && !"“”".contains(c);
    let words = text.split_whitespace().map(|word| word.chars().filter(|c| seen(*c)).collect::<String>());
    let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let name: String = name.chars().take(NAME_CHARACTERS_MAX).collect();
    (!name.is_empty()).then(|| format!("“{}”", name.trim_end()))
}

/// A name without the quotation marks that it got when it was imported.
fn unquoted(name: &str) -> &str {
    name.strip_prefix('“').and_then(|name| name.strip_suffix('”')).unwrap_or(name)
}

/// Whether a character changes how others are shown without being seen: formats, directions, fillers, private ones.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// A name for the file of a record.
pub fn file_name(game: &Game) -> String {
    format!("{}-{}.{}", game.info.variant.id, game.info.id, game.variant().record_extension())
}

/// The options that differ from those of the named rule set.
fn changed_options(variant: &Variant, info: &GameInfo) -> BTreeMap<String, String> {
    let named = variant.resolve(&RuleSet::named(&info.rule_set)).unwrap_or_default();
    info.options
        .iter()
        .filter(|(name, value)| named.get(name.as_str()) != Some(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn event(
    sequence: u64,
    time: OffsetDateTime,
    author: Option<Side>,
    kind: EventKind,
    position: &dyn rules::Game,
) -> Event {
    let by = author.map_or(By::Platform, By::Side);
    let state = GameState::of(position, Stage::Final, None);
    Event { sequence, time, by, kind, clock_entries: Vec::new(), state }
}
