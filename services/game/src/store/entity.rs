//! The tables as sea-orm sees them.

/// One row a game: what lists and restarts need to find it.
pub(crate) mod games {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "games")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub variant: String,
        pub first_account: Option<Uuid>,
        pub second_account: Option<Uuid>,
        pub finished: bool,
        pub created_us: i64,
        /// When something happens in it by itself, if anything does.
        pub due_us: Option<i64>,
        /// How much later spectators see it.
        pub delay_us: i64,
        /// When it ended, if they do.
        pub ended_us: Option<i64>,
        pub event_id: Option<Uuid>,
        pub federation_id: Option<Uuid>,
        /// Whether its log is packed.
        pub packed: bool,
    }

    chassis::standalone!();
}

/// One row an event. The key is what makes two replicas unable to write the same event twice.
pub(crate) mod events {
    use chassis::id::{GameId, RequestId};
    use sea_orm::entity::prelude::*;

    use crate::core::Event;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "events")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub game_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        pub request_id: Option<Uuid>,
        pub payload: Vec<u8>,
        /// The whole of a sealed act; the payload has what everybody may read.
        pub sealed: Option<String>,
    }

    chassis::standalone!();

    impl Model {
        /// The row of an event, of which everybody may read the payload.
        pub(crate) fn of(game: GameId, event: &Event, request: Option<RequestId>, payload: Vec<u8>) -> Self {
            Model {
                game_id: game.uuid(),
                sequence: i64::try_from(event.sequence).unwrap_or(i64::MAX),
                request_id: request.map(RequestId::uuid),
                payload,
                sealed: event.kind.sealed().map(|sealed| sealed.0.clone()),
            }
        }
    }
}

/// A single row: until when the platform is known to have been up.
pub(crate) mod availability {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "availability")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub up_until_us: i64,
    }

    chassis::standalone!();
}

/// One row an outage; outages do not overlap.
pub(crate) mod outages {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "outages")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub until_us: i64,
        pub from_us: i64,
    }

    chassis::standalone!();
}
