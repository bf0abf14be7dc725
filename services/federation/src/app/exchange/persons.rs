//! What is kept of a person, as a file.

use chassis::{auth::Caller, id::MemberId};

use super::{Exchange, Outgoing};
use crate::{error::Result, wire::file::Rest};

impl Exchange {
    /// Everything that is kept of a member, or of the caller's account, from where it is asked for on.
    pub(crate) async fn export_person(
        &self,
        caller: &Caller,
        member: Option<MemberId>,
        rest: &Rest,
    ) -> Result<Outgoing> {
        let _turn = self.exports.turn().await?;
        let document = match member {
            Some(member) => self.persons.of_member(caller, member).await?,
            None => self.persons.of_account(caller).await?,
        };
        Ok(Outgoing::new(document.into(), rest)?)
    }
}
