//! Calendars between protos and `core`.

use api::{federation::v1 as pb, reason, time::timestamp};
use catalogue::Language;
use chassis::id::EventId;
use uuid::Uuid;

use super::fields::{id, optional};
use crate::core::calendar::{Create, Feed, LANGUAGE};

/// The calendar that is to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delete {
    /// Its id.
    pub id: Uuid,
}

impl TryFrom<pb::CreateCalendarFeedRequest> for Create {
    type Error = api::Error;

    fn try_from(it: pb::CreateCalendarFeedRequest) -> Result<Self, api::Error> {
        let tag = if it.language.is_empty() { LANGUAGE } else { &it.language };
        let bad =
            |_| api::Error::invalid(reason::BAD_CALENDAR, "language", "a tag, such as zh, bo or mn-Mong");
        Ok(Create {
            event: optional(&it.event_id, "event_id", EventId::parse)?,
            language: tag.parse::<Language>().map_err(bad)?,
            replaces: optional(&it.replaces_feed_id, "replaces_feed_id", id)?,
        })
    }
}

impl TryFrom<pb::DeleteCalendarFeedRequest> for Delete {
    type Error = api::Error;

    fn try_from(it: pb::DeleteCalendarFeedRequest) -> Result<Self, api::Error> {
        Ok(Delete { id: id(&it.feed_id, "feed_id")? })
    }
}

impl From<&Feed> for pb::CalendarFeed {
    fn from(it: &Feed) -> pb::CalendarFeed {
        pb::CalendarFeed {
            feed_id: it.id.to_string(),
            event_id: it.event.map(|event| event.to_string()).unwrap_or_default(),
            language: it.language.tag().to_owned(),
            create_time: Some(timestamp(it.made)),
        }
    }
}
