//! The games of a run: what is played, on which clock, by whom.

use std::{collections::BTreeMap, time::Duration};

use api::{
    board::v1::Side,
    game::v1::{Confirmation, CreateGameRequest, Game, IllegalInput, Regulations, Seat},
    time_control::{Control, TimeControl},
};
use chassis::{auth::Caller, testing::player};
use rules::{Author, RuleSet, VARIANTS, Variant};

use crate::{officials::EventOfficials, rng::Rng, world::World};

/// Time controls, short ones: the longest turn bounds how long a run takes.
const CONTROLS: &[&str] = &[
    "20s",
    "1m",
    "10s+2s",
    "20s+1s<30s",
    "10s+3x5s",
    "5s+5x2s",
    "1m-keep1m",
    "15s+d3s",
    "15s+b3s",
    "20s+5in10s",
];
/// From here on nobody waits for a flag; whoever goes resigns. Some rules ask for so much.
const LONG: Duration = Duration::from_mins(5);
/// Players of a run. Each plays in several games at the same time.
const PLAYERS: usize = 6;
/// Games of a run: at least and at most.
const TABLES: (usize, usize) = (4, 8);

/// How many games are games of an event.
const EVENTS: f64 = 0.5;

/// A game that is to be played.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its id.
    pub id: String,
    /// Who plays it, first side first.
    pub players: [Caller; 2],
    /// Its time control.
    pub control: TimeControl,
    /// What is asked of the game service.
    pub commission: CreateGameRequest,
    /// The officials, if it is a game of an event.
    pub officials: Option<EventOfficials>,
}

impl Table {
    /// The games of a run.
    ///
    /// # Panics
    /// When a time control of the list cannot be read.
    pub(crate) fn all(world: &World, rng: &Rng) -> Vec<Table> {
        let players: Vec<Caller> =
            (0..PLAYERS).map(|number| player(&world.env, &format!("player {number}"))).collect();
        let count = TABLES.0 + rng.below(TABLES.1 - TABLES.0 + 1);
        (0..count).map(|_| Table::new(world, rng, &players)).collect()
    }

    fn new(world: &World, rng: &Rng, players: &[Caller]) -> Table {
        let first = rng.below(players.len());
        let second = (first + 1 + rng.below(players.len() - 1)) % players.len();
        let players = [players[first].clone(), players[second].clone()];
        let seat = |caller: &Caller| {
            Some(Seat { account_id: caller.id.to_string(), name: caller.name.clone(), rating: 0 })
        };
        let (variant, options) = *rng.pick(&short_games());
        let control = short_control(variant, rng);
        let id = world.env.uuid().to_string();
        let officials = rng.chance(EVENTS).then(|| EventOfficials::new(world));
        let commission = CreateGameRequest {
            game_id: id.clone(),
            variant: variant.id.to_owned(),
            rule_set: String::new(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            time_control: Some(control.into()),
            rated: rng.chance(0.7),
            first: seat(&players[0]),
            second: seat(&players[1]),
            regulations: Some(regulations(world, rng, officials.as_ref())),
        };
        Table { id, players, control, commission, officials }
    }

    /// The table of a game that the platform has had made itself, whose players are among these; with the officials of its
    /// event, if it is one's.
    pub(crate) fn seen(game: &Game, players: &[Caller], officials: Option<&EventOfficials>) -> Option<Table> {
        let info = game.info.as_ref()?;
        let seated = |seat: &Option<Seat>| {
            let account = &seat.as_ref()?.account_id;
            players.iter().find(|player| player.id.to_string() == *account).cloned()
        };
        let commission = CreateGameRequest {
            game_id: info.id.clone(),
            variant: info.variant.clone(),
            rated: info.rated,
            regulations: info.regulations.clone(),
            ..CreateGameRequest::default()
        };
        Some(Table {
            id: info.id.clone(),
            players: [seated(&info.first)?, seated(&info.second)?],
            control: TimeControl::try_from(info.time_control.as_ref()?).ok()?,
            commission,
            officials: officials.cloned(),
        })
    }

    /// Whether the flags fall too late to be waited for.
    pub(crate) fn is_long(&self) -> bool {
        self.control.first.main().is_none_or(|main| main >= LONG)
    }

    /// Who has to confirm the result.
    pub(crate) fn confirmation(&self) -> Confirmation {
        let regulations = self.commission.regulations.as_ref();
        regulations.map_or(Confirmation::Nobody, Regulations::confirmation)
    }

    /// A side by number, as the API has it.
    pub(crate) const fn side_pb(side: usize) -> Side {
        if side == 0 { Side::First } else { Side::Second }
    }

    /// An act with all the stones that it owes, found by playing the game again. `None` when there is none, or
    /// not all that was played is public.
    pub(crate) fn complete_act(game: &Game, side: usize, rng: &Rng) -> Option<String> {
        let position = replay(game)?;
        let side = rules::Side::BOTH[side];
        let hints = position.hints(side);
        let mut hint = if hints.is_empty() { return None } else { rng.pick(&hints).clone() };
        while hint.choices_left > 0 {
            let choices = position.choices(side, &hint);
            hint = if choices.is_empty() { return None } else { rng.pick(&choices).clone() };
        }
        Some(hint.text)
    }
}

/// A time control that keeps a game as short as its rules allow.
///
/// # Panics
/// When a time control of the list cannot be read.
pub(crate) fn short_control(variant: &Variant, rng: &Rng) -> TimeControl {
    match variant.main_time_min {
        Some(main) => Control::Absolute { main }.into(),
        None => rng.pick(CONTROLS).parse().expect("the list has time controls"),
    }
}

/// Every variant with options that keep its games short.
pub(crate) fn short_games() -> Vec<(&'static Variant, &'static [(&'static str, &'static str)])> {
    let of = |variant: &&'static Variant| {
        let variant = *variant;
        variant.short_games.iter().map(move |options| (variant, *options))
    };
    VARIANTS.iter().flat_map(of).collect()
}

/// What is agreed on: in a game of an event anything, in others at most that the players confirm the result, and that
/// it begins as soon as both have come. All times are short.
fn regulations(world: &World, rng: &Rng, officials: Option<&EventOfficials>) -> Regulations {
    let seconds = |least, most| rng.between(Duration::from_secs(least), Duration::from_secs(most));
    let contest_duration = Some(api::time::duration(seconds(3, 12)));
    let Some(officials) = officials else {
        let asked = if rng.chance(0.3) { Confirmation::Players } else { Confirmation::Nobody };
        let arrival = rng.chance(0.5).then(|| seconds(3, 15));
        return Regulations {
            confirmation: asked as i32,
            contest_duration,
            arrival_duration: arrival.map(api::time::duration),
            ..Regulations::default()
        };
    };
    let now = world.env.now();
    let at = |after: Duration| Some(api::time::timestamp(now + after));
    let confirmations = [Confirmation::Nobody, Confirmation::Players, Confirmation::PlayersAndArbiter];
    let source = rng.chance(0.4);
    let (adjournable, sealing) = (rng.chance(0.6), seconds(10, 40));
    let sealed = adjournable && rng.chance(0.7);
    let resumed = sealed && rng.chance(0.7);
    Regulations {
        event_id: officials.event.to_string(),
        start_time: if rng.chance(0.4) { at(seconds(5, 25)) } else { None },
        lateness_duration: Some(api::time::duration(seconds(3, 15))),
        confirmation: *rng.pick(&confirmations) as i32,
        contest_duration,
        illegal_input: if source { IllegalInput::Source } else { IllegalInput::Reject } as i32,
        warnings_max: *rng.pick(&[0, 0, 3]),
        adjournable,
        sealing_time: if sealed { at(sealing) } else { None },
        resumption_time: if resumed { at(sealing + seconds(2, 20)) } else { None },
        ..Regulations::default()
    }
}

/// The position that follows from the acts of a game by the rules alone. `None` when an act is still sealed.
pub(crate) fn replay(game: &Game) -> Option<Box<dyn rules::Game>> {
    let info = game.info.as_ref()?;
    let options: BTreeMap<String, String> =
        info.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let rule_set = RuleSet { id: info.rule_set.clone(), options };
    let mut position = (rules::variant(&info.variant)?.start)(&rule_set).ok()?;
    for act in &game.acts {
        let author = match act.side() {
            Side::First => Author::Side(rules::Side::First),
            Side::Second => Author::Side(rules::Side::Second),
            Side::Unspecified => Author::System,
        };
        position.act(author, &act.text).ok()?;
    }
    Some(position)
}
