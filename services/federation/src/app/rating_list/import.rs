//! Takes ratings in that somebody vouches for, all or none.

use std::collections::BTreeMap;

use chassis::id::MemberId;
use uuid::Uuid;

use super::super::{Change, desk::Made, turn::Turn};
use crate::{
    core::{
        limits::PROBLEMS_MAX,
        member::State,
        permit::Act,
        rating_list::{
            Policy, Refusal as ListRefusal,
            import::{self, Known, Line, Plan, Whose},
        },
        refusal::Refusal,
    },
    error::Result,
    store::{
        self,
        rating_list::{entry, list, policy, vouched},
    },
    wire::{import::Counts, rating_list::Import},
};

impl Change for Import {
    type Told = Counts;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let policy = policy::find(turn.on, self.policy, None).await?.ok_or(ListRefusal::UnknownPolicy)?;
        turn.federation(policy.federation).await?;
        turn.require(policy.federation, Act::KeepRatings).await?;
        let (lines, mut problems) = import::read(&self.csv, turn.today());
        let (plan, more) = known(turn, &policy, &lines).await?.plan(&lines, &self.by);
        problems.extend(more);
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.line);
            let count = problems.len();
            problems.truncate(PROBLEMS_MAX);
            return Err(Refusal::BadImport(problems, count).into());
        }
        let Plan { new, changed, unchanged } = plan;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let counts = Counts { created: number(new.len()), changed: number(changed.len()), unchanged };
        let by = (turn.caller.id, turn.now());
        vouched::write(turn.on, self.policy, by, &new).await?;
        vouched::write(turn.on, self.policy, by, &changed).await?;
        tracing::info!(
            policy.id = %self.policy,
            account.id = %turn.caller.id,
            created = counts.created,
            changed = counts.changed,
            "ratings were taken in"
        );
        Ok(Made { id: self.policy.uuid(), counts: counts.written() })
    }

    async fn tell(&self, _turn: &Turn<'_>, made: &Made) -> Result<Counts> {
        Ok(Counts::read(&made.counts))
    }
}

/// What is known of everybody of whom a file speaks.
async fn known(turn: &Turn<'_>, policy: &Policy, lines: &[Line]) -> Result<Known> {
    let (on, federation) = (turn.on, policy.federation);
    let (mut ids, mut wanted) = (Vec::new(), Vec::new());
    for line in lines {
        match &line.whose {
            Whose::Id(id) => ids.push(id.uuid()),
            Whose::Number(list, number) => wanted.push((list.clone(), number.clone())),
        }
    }
    // A file has numbers in one list, so a number is one member's.
    let holders = store::member_number::holders(on, federation, &wanted).await?;
    let holders: BTreeMap<String, MemberId> = holders.into_iter().collect();
    let numbers = wanted.into_iter().filter_map(|key| {
        let member = *holders.get(&key.1)?;
        Some((key, member))
    });
    let found = store::member::find_all(on, &ids).await?;
    let of_federation = found.into_iter().filter(|member| member.federation == federation);
    let people = of_federation.filter_map(|member| match member.state {
        State::Active | State::Left(_) => Some((member.id, member.id)),
        State::Merged(into) => Some((member.id, into)),
        State::Erased => None,
    });
    let mut known = Known { ids: people.collect(), numbers: numbers.collect(), ..Known::default() };
    let mut members: Vec<Uuid> =
        known.ids.values().chain(known.numbers.values()).map(|id| id.uuid()).collect();
    members.sort_unstable();
    members.dedup();
    if let Some(last) = list::find(on, policy.id, None).await? {
        known.rated.extend(entry::among(on, (policy.id, last.number), &members).await?);
    }
    let vouched = vouched::of(on, policy.id, &members).await?;
    known.vouched = vouched.into_iter().map(|it| (it.member, it)).collect();
    Ok(known)
}
