//! Takes the members of a file in, all or none.

use std::collections::BTreeSet;

use chassis::{background, id::MemberId};
use uuid::Uuid;

use super::{Change, desk::Made, turn::Turn};
use crate::{
    core::{
        import::{self, Line, Problem},
        import_plan::{Known, Plan},
        limits::{MEMBERS_MAX, PROBLEMS_MAX},
        member::{Member, State},
        name::{Name, NameKey},
        permit::Act,
        refusal::Refusal,
        stay::Stay,
    },
    error::{Error, Result},
    store::{self, name::Kind},
    wire::{
        file::Step,
        import::{Counts, Import},
    },
};

/// Members that are written before it is told how far it is: a statement's worth.
const WRITTEN_AT_ONCE: usize = 500;

impl Change for Import {
    type Told = Counts;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        turn.federation(self.federation).await?;
        turn.require(self.federation, Act::KeepMembers).await?;
        self.listener.tell(Step::Reading, 0, 0);
        let (csv, today) = (self.csv.clone(), turn.today());
        let read = background::aside(&turn.desk.env, move || import::read(&csv, today));
        let (lines, mut problems) = read.await.map_err(|_| Error::Stopping)?;
        let known = known(turn, self, &lines).await?;
        let (plan, more) = known.plan(&lines, today);
        self.listener.tell(Step::Reading, lines.len(), lines.len());
        problems.extend(more);
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.line);
            let count = problems.len();
            problems.truncate(PROBLEMS_MAX);
            return Err(Refusal::BadImport(problems, count).into());
        }
        let counts = carry_out(turn, self, plan).await?;
        Ok(Made { id: self.federation.uuid(), counts: counts.written() })
    }

    async fn tell(&self, _turn: &Turn<'_>, made: &Made) -> Result<Counts> {
        Ok(Counts::read(&made.counts))
    }
}

/// What is wrong with a file, where that is what was asked for: problems, and how many there are.
pub(crate) fn problems_of(refusal: Refusal) -> std::result::Result<(Vec<Problem>, usize), Refusal> {
    match refusal {
        Refusal::BadImport(problems, count) => Ok((problems, count)),
        other => Err(other),
    }
}

/// Everybody of whom a file may speak, and the clubs that it may name.
async fn known(turn: &Turn<'_>, asked: &Import, lines: &[Line]) -> Result<Known> {
    let (on, federation) = (turn.on, asked.federation);
    let mut ids: BTreeSet<Uuid> = lines.iter().filter_map(|line| line.id).map(MemberId::uuid).collect();
    let numbers: Vec<(String, String)> = lines.iter().flat_map(|line| line.numbers.clone()).collect();
    let holders = store::member_number::holders(on, federation, &numbers).await?;
    ids.extend(holders.into_iter().map(|(_, member)| member.uuid()));
    let names: Vec<NameKey> = lines.iter().filter_map(|line| line.name.as_ref()).map(Name::key).collect();
    ids.extend(store::name::of_natives(on, Kind::Member, federation.uuid(), &names).await?);
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let members = store::member::find_all(on, &ids).await?;
    let members = members.into_iter().filter(|member| member.federation == federation);
    let clubs = if lines.iter().any(|line| line.club.is_some()) {
        store::club::list(on, federation, "", false, None, u64::from(u32::MAX)).await?
    } else {
        Vec::new()
    };
    let clubs = clubs.into_iter().flat_map(|club| {
        let keys = club.name.keys().into_iter().chain([NameKey::of(&club.id.to_string())]);
        keys.map(move |key| (key, club.id)).collect::<Vec<_>>()
    });
    Ok(Known::new(members, clubs))
}

async fn carry_out(turn: &Turn<'_>, asked: &Import, plan: Plan) -> Result<Counts> {
    let Plan { new, mut changed, unchanged } = plan;
    let (federation, joined) = (asked.federation, turn.today());
    let count = store::member::count(turn.on, federation).await?;
    if count + new.len() as u64 > MEMBERS_MAX {
        return Err(Refusal::Full(MEMBERS_MAX, "members of a federation").into());
    }
    let enrol = |(person, club): (_, Option<_>)| Member {
        id: turn.desk.env.uuid().into(),
        federation,
        person,
        account: None,
        state: State::Active,
        joined,
        revision: 1,
        stays: club.map(|club| Stay { club, from: joined, to: None }).into_iter().collect(),
    };
    let new: Vec<Member> = new.into_iter().map(enrol).collect();
    for member in &mut changed {
        member.revision += 1;
    }
    let (mut done, total) = (0, new.len() + changed.len());
    for some in new.chunks(WRITTEN_AT_ONCE) {
        asked.listener.tell(Step::Writing, done, total);
        store::member::insert(turn.on, some).await?;
        done += some.len();
    }
    for some in changed.chunks(WRITTEN_AT_ONCE) {
        asked.listener.tell(Step::Writing, done, total);
        store::member::update(turn.on, some).await?;
        done += some.len();
    }
    asked.listener.tell(Step::Writing, done, total);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Counts { created: number(new.len()), changed: number(changed.len()), unchanged })
}
