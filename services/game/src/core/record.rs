//! Records in and out.

use std::collections::BTreeMap;

use chassis::id::GameId;
use rules::{Act, Actors, Record, RecordError, RuleSet, Side, Variant};
use time::OffsetDateTime;

use super::{After, By, Event, Game, Info, Kind, Origin, Played, Regulations, Seat, Stage, past::standing};

/// Headings that a record of the platform carries.
const FIRST: &str = "first";
const SECOND: &str = "second";
const DATE: &str = "date";

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
        refusal: rules::Refusal,
    },
}

/// The log of a game that a record tells of: its creation, its acts, its end.
///
/// # Errors
/// When the record cannot be read or breaks the rules.
pub fn import(
    variant: &'static Variant,
    text: &str,
    id: GameId,
    now: OffsetDateTime,
) -> Result<Vec<Event>, ImportError> {
    let record = (variant.parse_record)(text)?;
    let mut position = (variant.start)(&record.rule_set)?;
    let rule_set = position.rule_set().clone();
    let seat = |heading, side| Seat {
        account: None,
        name: record
            .heading(heading)
            .map_or_else(|| variant.colours[side as usize].name().to_owned(), str::to_owned),
        rating: 0,
    };
    let info = Info {
        id,
        variant: variant.id,
        rule_set: rule_set.id,
        options: rule_set.options,
        time_control: None,
        rated: false,
        seats: [seat(FIRST, Side::First), seat(SECOND, Side::Second)],
        origin: Origin::Import,
        created: now,
        regulations: Regulations::default(),
    };
    let mut log = vec![event(1, now, None, Kind::Created(Box::new(info)), position.as_ref())];
    for (index, act) in record.acts.iter().enumerate() {
        // In the sense in which it was printed: who writes a game down says more than who plays it.
        let printed = act.side().map(|side| position.as_printed(side, &act.text).0.into_owned());
        let played = position
            .act(act.author, printed.as_ref().unwrap_or(&act.text))
            .map_err(|refusal| ImportError::Illegal { number: index + 1, text: act.text.clone(), refusal })?;
        let kind = Kind::Played(Played::new(act.author, played));
        log.push(event(index as u64 + 2, now, act.side(), kind, position.as_ref()));
    }
    if let (None, Some(outcome)) = (position.outcome(), &record.outcome) {
        let kind = Kind::Ended(outcome.clone());
        let mut last = event(log.len() as u64 + 1, now, None, kind, position.as_ref());
        last.after.actors = Actors::Nobody;
        last.after.outcome = Some(outcome.clone());
        log.push(last);
    }
    Ok(log)
}

/// The record of a game, from its log.
pub fn export(game: &Game, log: &[Event]) -> String {
    let acts = standing(log).into_iter().map(|played| Act::by(played.author, played.whole())).collect();
    let (date, seats) = (game.info.created.date(), game.info.seats_in(game.course()));
    let headings = vec![
        (FIRST.to_owned(), seats[0].name.clone()),
        (SECOND.to_owned(), seats[1].name.clone()),
        (DATE.to_owned(), date.to_string()),
    ];
    let rule_set =
        RuleSet { id: game.info.rule_set.clone(), options: changed_options(game.variant(), &game.info) };
    let record =
        Record { variant: game.info.variant, rule_set, headings, acts, outcome: game.after.outcome.clone() };
    // Whatever is sealed now has its public text instead.
    (game.variant().print_record)(&record.without_sealed(&game.position.sealed()))
}

/// A name for the file of a record.
pub fn file_name(game: &Game) -> String {
    format!("{}-{}.{}", game.info.variant, game.info.id, game.variant().record_extension)
}

/// The options that differ from those of the named rule set.
fn changed_options(variant: &Variant, info: &Info) -> BTreeMap<String, String> {
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
    kind: Kind,
    position: &dyn rules::Game,
) -> Event {
    let by = author.map_or(By::Platform, By::Side);
    let after = After::of(position, Stage::Final, None);
    Event { sequence, time, by, kind, clock_entries: Vec::new(), after }
}
