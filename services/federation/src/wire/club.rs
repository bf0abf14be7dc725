//! Clubs between protos and `core`.

use api::{federation::v1 as pb, time::timestamp};
use chassis::{
    id::{ClubId, FederationId},
    page::Page,
};
use uuid::Uuid;

use super::fields::{Mask, name, required, revision, told_name, told_revision, words};
use crate::core::{
    club::{Close, Club, Edit, Open},
    limits::{NAME_CHARS_MAX, PLACE_CHARS_MAX},
};

/// The clubs that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Of which federation.
    pub federation: FederationId,
    /// How the name begins.
    pub prefix: String,
    /// Also closed ones.
    pub ended: bool,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::CreateClubRequest> for Open {
    type Error = api::Error;

    fn try_from(request: pb::CreateClubRequest) -> Result<Self, api::Error> {
        let asked = request.club.unwrap_or_default();
        Ok(Open {
            federation: FederationId::parse(&asked.federation_id, "club.federation_id")?,
            name: name(asked.name.as_ref(), "club.name")?,
            place: words(&asked.place, PLACE_CHARS_MAX, "club.place")?,
        })
    }
}

impl TryFrom<pb::UpdateClubRequest> for Edit {
    type Error = api::Error;

    fn try_from(request: pb::UpdateClubRequest) -> Result<Self, api::Error> {
        let asked = required(request.club, "club")?;
        let fields = [("name", asked.name.is_some()), ("place", !asked.place.is_empty())];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(Edit {
            id: ClubId::parse(&asked.club_id, "club.club_id")?,
            revision: revision(asked.revision),
            name: mask.get("name", || name(asked.name.as_ref(), "club.name"))?,
            place: mask.get("place", || words(&asked.place, PLACE_CHARS_MAX, "club.place"))?,
        })
    }
}

impl TryFrom<pb::DeleteClubRequest> for Close {
    type Error = api::Error;

    fn try_from(request: pb::DeleteClubRequest) -> Result<Self, api::Error> {
        Ok(Close { id: ClubId::parse(&request.club_id, "club_id")?, revision: revision(request.revision) })
    }
}

impl TryFrom<pb::ListClubsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListClubsRequest) -> Result<Self, api::Error> {
        let pb::ListClubsRequest { federation_id, name_prefix, show_closed, page_size, page_token } = request;
        let federation = FederationId::parse(&federation_id, "federation_id")?;
        let prefix = words(&name_prefix, NAME_CHARS_MAX, "name_prefix")?;
        let list = format!("clubs/{federation}/{show_closed}/{prefix}");
        Ok(List { federation, prefix, ended: show_closed, page: Page::of(list, page_size, &page_token)? })
    }
}

impl From<&Club> for pb::Club {
    fn from(club: &Club) -> Self {
        pb::Club {
            club_id: club.id.to_string(),
            federation_id: club.federation.to_string(),
            name: told_name(&club.name),
            place: club.place.clone(),
            create_time: Some(timestamp(club.made)),
            close_time: club.closed.map(timestamp),
            revision: told_revision(club.revision),
        }
    }
}
