//! Where events come from that were held elsewhere.

use api::{DecodeError, federation::v1 as pb};

use crate::core::{day, event::Origin};

impl From<&Origin> for pb::EventOrigin {
    fn from(origin: &Origin) -> pb::EventOrigin {
        let [first_date, last_date] = origin.days.map(|it| it.map(day::text).unwrap_or_default());
        pb::EventOrigin {
            format: origin.format.clone(),
            file_sha256: origin.file.to_vec(),
            first_date,
            last_date,
            place: origin.place.clone(),
            statement: origin.statement.clone(),
        }
    }
}

impl TryFrom<pb::EventOrigin> for Origin {
    type Error = DecodeError;

    fn try_from(it: pb::EventOrigin) -> Result<Origin, DecodeError> {
        let day = |text: &str| match text {
            "" => Ok(None),
            text => day::parse(text).map(Some).ok_or(DecodeError("a day")),
        };
        Ok(Origin {
            format: it.format,
            file: it.file_sha256.try_into().map_err(|_| DecodeError("a hash"))?,
            days: [day(&it.first_date)?, day(&it.last_date)?],
            place: it.place,
            statement: it.statement,
        })
    }
}
