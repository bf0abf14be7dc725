//! Federations between protos and `core`.

use api::{federation::v1 as pb, time::timestamp};
use chassis::{id::FederationId, page::Page};
use uuid::Uuid;

use super::fields::{Mask, name, required, revision, told_name, told_revision, words};
use crate::core::{
    federation::{Dissolve, Edit, Federation, Found},
    limits::{ABOUT_CHARS_MAX, NAME_CHARS_MAX},
};

/// The federations that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// How the name begins.
    pub prefix: String,
    /// Also dissolved ones.
    pub ended: bool,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::CreateFederationRequest> for Found {
    type Error = api::Error;

    fn try_from(request: pb::CreateFederationRequest) -> Result<Self, api::Error> {
        let asked = request.federation.unwrap_or_default();
        Ok(Found {
            name: name(asked.name.as_ref(), "federation.name")?,
            about: words(&asked.about, ABOUT_CHARS_MAX, "federation.about")?,
            open: asked.open,
        })
    }
}

impl TryFrom<pb::UpdateFederationRequest> for Edit {
    type Error = api::Error;

    fn try_from(request: pb::UpdateFederationRequest) -> Result<Self, api::Error> {
        let asked = required(request.federation, "federation")?;
        let fields =
            [("name", asked.name.is_some()), ("about", !asked.about.is_empty()), ("open", asked.open)];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(Edit {
            id: FederationId::parse(&asked.federation_id, "federation.federation_id")?,
            revision: revision(asked.revision),
            name: mask.get("name", || name(asked.name.as_ref(), "federation.name"))?,
            about: mask.get("about", || words(&asked.about, ABOUT_CHARS_MAX, "federation.about"))?,
            open: mask.get("open", || Ok(asked.open))?,
        })
    }
}

impl TryFrom<pb::DeleteFederationRequest> for Dissolve {
    type Error = api::Error;

    fn try_from(request: pb::DeleteFederationRequest) -> Result<Self, api::Error> {
        let id = FederationId::parse(&request.federation_id, "federation_id")?;
        Ok(Dissolve { id, revision: revision(request.revision) })
    }
}

impl TryFrom<pb::ListFederationsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListFederationsRequest) -> Result<Self, api::Error> {
        let pb::ListFederationsRequest { name_prefix, show_dissolved, page_size, page_token } = request;
        let prefix = words(&name_prefix, NAME_CHARS_MAX, "name_prefix")?;
        let list = format!("federations/{show_dissolved}/{prefix}");
        Ok(List { prefix, ended: show_dissolved, page: Page::of(list, page_size, &page_token)? })
    }
}

impl From<&Federation> for pb::Federation {
    fn from(federation: &Federation) -> Self {
        pb::Federation {
            federation_id: federation.id.to_string(),
            name: told_name(&federation.name),
            about: federation.about.clone(),
            open: federation.open,
            create_time: Some(timestamp(federation.founded)),
            dissolve_time: federation.dissolved.map(timestamp),
            revision: told_revision(federation.revision),
        }
    }
}
