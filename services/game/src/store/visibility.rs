//! Which games somebody sees in a list, when some are broadcast with a delay.

use chassis::auth::{Caller, RoleScope};
use sea_orm::{ColumnTrait as _, Condition, ExprTrait as _, sea_query::Expr};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    entity::games::Column::{
        CreatedUs, DelayUs, EndedUs, EventId, FederationId, Finished, FirstAccount, SecondAccount,
    },
    micros,
};

/// Who looks, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visibility {
    account: Option<Uuid>,
    events: Vec<Uuid>,
    federations: Vec<Uuid>,
    now_us: i64,
}

impl Visibility {
    /// What a caller sees.
    pub(crate) fn of(caller: Option<&Caller>, now: OffsetDateTime) -> Self {
        let mut visibility = Visibility {
            account: caller.map(|caller| caller.id.uuid()),
            events: Vec::new(),
            federations: Vec::new(),
            now_us: micros(now),
        };
        for grant in caller.iter().flat_map(|caller| &caller.roles) {
            match grant.scope {
                RoleScope::Event(event) => visibility.events.push(event.uuid()),
                RoleScope::Federation(federation) => visibility.federations.push(federation.uuid()),
                // Who looks after the platform sees of games what everybody does.
                RoleScope::Platform => {}
            }
        }
        visibility
    }

    /// The games that are there for him; only those that have ended for them, or only those that have
    /// not, if it is said which.
    pub(super) fn filter(&self, finished: Option<bool>) -> Condition {
        let begun = self.delayed_until(CreatedUs);
        let seen = Condition::all().add(Condition::any().add(self.is_live()).add(begun));
        match finished {
            None => seen,
            Some(true) => {
                let live = Condition::all().add(self.is_live()).add(Finished.eq(true));
                seen.add(Condition::any().add(live).add(self.delayed_until(EndedUs)))
            }
            Some(false) => {
                let live = Condition::any().add(self.is_live().not()).add(Finished.eq(false));
                let ended = self.delayed_until(EndedUs);
                seen.add(live).add(Condition::any().add(EndedUs.is_null()).add(ended.not()))
            }
        }
    }

    /// What is seen as it happens. Never null, so that it can be denied.
    fn is_live(&self) -> Condition {
        let among = |column: super::entity::games::Column, ids: &[Uuid]| {
            Condition::all().add(column.is_not_null()).add(column.is_in(ids.iter().copied()))
        };
        let own: Vec<Uuid> = self.account.into_iter().collect();
        Condition::any()
            .add(DelayUs.eq(0))
            .add(among(FirstAccount, &own))
            .add(among(SecondAccount, &own))
            .add(among(EventId, &self.events))
            .add(among(FederationId, &self.federations))
    }

    /// Whether a time is so long ago that it is seen in spite of the delay.
    fn delayed_until(&self, column: super::entity::games::Column) -> sea_orm::sea_query::SimpleExpr {
        Expr::col(column).add(Expr::col(DelayUs)).lte(self.now_us)
    }
}
