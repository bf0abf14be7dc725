//! What the laws of the core begin with.

use std::time::Duration;

use api::time_control::{Control, TimeControl};
use chassis::id::GameId;
use game::core::{ClockUpdate, Event, Game, GameInfo, Origin, Regulations, Seat, creation};
use rules::RuleSet;
use time::OffsetDateTime;
use uuid::Uuid;

/// A game of Go on 9x9 that is made now, three minutes for each side.
pub(crate) fn begin(rated: bool, regulations: Regulations) -> (Game, Event) {
    let created = OffsetDateTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 50);
    let seat = Seat { account: None, name: String::new(), rating: 0 };
    let go = rules::variant("go").expect("a variant");
    let rule_set = RuleSet { id: String::new(), options: [("size".to_owned(), "9".to_owned())].into() };
    let position = (go.start)(&rule_set).expect("a rule set");
    let info = GameInfo {
        id: GameId::from(Uuid::from_u128(7)),
        variant: go,
        rule_set: position.rule_set().id.clone(),
        options: position.rule_set().options.clone(),
        time_control: Some(TimeControl::same(Control::Absolute { main: Duration::from_mins(3) })),
        rated,
        seats: [seat.clone(), seat],
        origin: Origin::Match,
        created,
        regulations,
    };
    let event = creation(&info, position.as_ref(), ClockUpdate::default());
    (Game::begin(&event).expect("a beginning"), event)
}
