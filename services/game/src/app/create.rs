//! New games of players who have been matched.

use std::{collections::BTreeMap, sync::Arc};

use chassis::id::AccountId;
use prost::Message as _;
use rules::{RuleSet, Side};

use super::{
    App,
    availability::Ingress,
    commit::{as_sent, due_us},
    registry::Registry,
};
use crate::{
    core::{ClockUpdate, Event, Game, GameInfo, GameSpec, IllegalInput, Origin, Regulations, creation},
    error::{Error, Result},
    store::{Append, Appended, DueTime, EventRow, NewGame},
};

impl App {
    /// Makes a game, and starts its clock if play begins at once. Made before, it is answered as it stands.
    ///
    /// # Errors
    /// When it cannot be played as asked for, or the id belongs to another game.
    pub(crate) async fn create(&self, spec: GameSpec) -> Result<Game> {
        let registry = Arc::clone(&self.registry);
        let work = async move { registry.make(spec).await };
        self.registry.to_its_end(work).await
    }
}

impl Registry {
    async fn make(&self, spec: GameSpec) -> Result<Game> {
        let asked = RuleSet { id: spec.rule_set.clone(), options: options(&spec) };
        let position = (spec.variant.start)(&asked)?;
        let rule_set = position.rule_set().clone();
        self.heartbeat.ensure_current(Ingress::Internal).await?;
        let now = self.env.now();
        let info = GameInfo {
            id: spec.id,
            variant: spec.variant,
            rule_set: rule_set.id,
            options: rule_set.options,
            time_control: Some(spec.time_control),
            rated: spec.rated,
            seats: spec.seats,
            origin: Origin::Match,
            created: now,
            regulations: spec.regulations,
        };
        let update = match position.on_clock() {
            Some(side) if info.regulations.begins_at_once() => self.clocks.start(&info, side, now).await?,
            // It begins later, or with something that is not timed.
            _ => ClockUpdate::default(),
        };
        let event = creation(&info, position.as_ref(), update);
        match self.found(&info, vec![event.clone()], position.as_ref()).await? {
            Appended::Written => self.begin(Game::begin(&event)?).await,
            Appended::Conflict => {
                let existing = self.get(info.id).await?;
                self.clocks.watch_flag(&existing, self.env.now()).await;
                if same(&existing.info, &info) { Ok(existing) } else { Err(Error::GameDiffers) }
            }
        }
    }

    /// Writes the first events of a game.
    async fn found(&self, info: &GameInfo, log: Vec<Event>, position: &dyn rules::Game) -> Result<Appended> {
        let account = |side: Side| info.seats[side.index()].account.map(AccountId::uuid);
        let over = log.last().is_some_and(|event| event.state.outcome.is_some());
        let append = Append {
            events: log
                .iter()
                .map(|event| EventRow::of(info.id, event, None, as_sent(event, position).encode_to_vec()))
                .collect(),
            new_game: Some(NewGame {
                packed: false,
                id: info.id.uuid(),
                variant: info.variant.id.to_owned(),
                first_account: account(Side::First),
                second_account: account(Side::Second),
                finished: over,
                created_us: crate::store::micros(info.created),
                delay_us: i64::try_from(info.regulations.broadcast_delay.as_micros()).unwrap_or(i64::MAX),
                ended_us: None,
                event_id: info.regulations.event.map(chassis::id::EventId::uuid),
                federation_id: info.regulations.federation.map(chassis::id::FederationId::uuid),
                due_us: log.last().and_then(|last| due_us(position, last.time, &last.state)),
            }),
            finishes: over,
            broadcast_end_us: None,
            due: DueTime::Kept,
            outbox: Vec::new(),
        };
        Ok(self.journal.append(append).await?)
    }
}

/// The options that are asked for, and those that go with acts that are taken as on a board.
fn options(spec: &GameSpec) -> BTreeMap<String, String> {
    let mut options = spec.options.clone();
    if spec.regulations.illegal_input == IllegalInput::Source {
        let as_on_a_board = spec.variant.source_options.iter();
        options.extend(as_on_a_board.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    }
    options
}

fn same(a: &GameInfo, b: &GameInfo) -> bool {
    let accounts = |info: &GameInfo| info.seats.clone().map(|seat| seat.account);
    // How long the players are waited for is a setting, which may be another by now.
    let regulations = |info: &GameInfo| Regulations { arrival: None, ..info.regulations.clone() };
    (a.variant, &a.rule_set, &a.options, a.time_control, a.rated, accounts(a))
        == (b.variant, &b.rule_set, &b.options, b.time_control, b.rated, accounts(b))
        && regulations(a) == regulations(b)
}
