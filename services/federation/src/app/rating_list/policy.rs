//! Makes policies, and their next versions.

use chassis::id::RatingPolicyId;

use super::super::{
    Change,
    desk::Made,
    turn::{Turn, room},
};
use crate::{
    core::{
        permit::Act,
        rating_list::{
            Create, Policy, Refusal as ListRefusal, Update,
            limits::{POLICIES_MAX, VERSIONS_MAX},
        },
        refusal::Refusal,
    },
    error::Result,
    store::rating_list::policy as store,
};

impl Change for Create {
    type Told = Policy;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.federation).await?.id;
        turn.require(federation, Act::KeepRatings).await?;
        room(store::count_of(turn.on, federation).await?, POLICIES_MAX, "rating policies of a federation")?;
        let Create { name, counted, rating, .. } = self.clone();
        let id = RatingPolicyId::from(turn.desk.env.uuid());
        let (made, by) = (turn.now(), turn.caller.id);
        let policy = Policy { id, federation, version: 1, name, counted, rating, made, by };
        check(turn, &policy).await?;
        store::insert(turn.on, &policy).await?;
        tracing::info!(policy.id = %id, federation.id = %federation, account.id = %by, "a rating policy was made");
        Ok(made_of(&policy))
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Policy> {
        tell(turn, made).await
    }
}

impl Change for Update {
    type Told = Policy;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let found = store::find(turn.on, self.id, None).await?.ok_or(ListRefusal::UnknownPolicy)?;
        turn.federation(found.federation).await?;
        turn.require(found.federation, Act::KeepRatings).await?;
        // Read again: what was read before the lock may have changed.
        let before = store::find(turn.on, self.id, None).await?.ok_or(ListRefusal::UnknownPolicy)?;
        if self.version.is_some_and(|seen| seen != before.version) {
            return Err(Refusal::RevisionPassed.into());
        }
        if self.counted.variant != before.counted.variant {
            let detail = "lists of another variant have a policy of their own".to_owned();
            return Err(ListRefusal::BadPolicy("counted.variant", detail).into());
        }
        room(before.version.into(), VERSIONS_MAX.into(), "versions of a rating policy")?;
        let Update { name, counted, rating, .. } = self.clone();
        let version = before.version + 1;
        let (made, by) = (turn.now(), turn.caller.id);
        let policy = Policy { version, name, counted, rating, made, by, ..before };
        check(turn, &policy).await?;
        store::update(turn.on, &policy).await?;
        tracing::info!(policy.id = %policy.id, version, account.id = %by, "a rating policy was changed");
        Ok(made_of(&policy))
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Policy> {
        tell(turn, made).await
    }
}

async fn check(turn: &Turn<'_>, policy: &Policy) -> Result<()> {
    policy.check()?;
    if store::is_named(turn.on, policy).await? { Err(Refusal::NameTaken.into()) } else { Ok(()) }
}

fn made_of(policy: &Policy) -> Made {
    Made { id: policy.id.uuid(), counts: policy.version.to_string() }
}

/// The version that was made: it stays what it is.
async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Policy> {
    let version = made.counts.parse().ok();
    Ok(store::find(turn.on, made.id.into(), version).await?.ok_or(ListRefusal::UnknownPolicy)?)
}
