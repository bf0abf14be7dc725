//! How a notice comes to its account: who it is, under which number, and who is woken for it.

use std::collections::{BTreeMap, BTreeSet};

use api::federation::v1 as pb;
use bytes::Bytes;
use chassis::{
    Throttle,
    database::{StoreError, Transaction},
    id::{AccountId, MemberId},
};
use futures::{StreamExt as _, TryStreamExt as _};
use live::LiveError;
use prost::Message as _;

use super::Notices;
use crate::{
    core::notice::{Notice, OFFICIALS_TOLD_MAX, Telling, To},
    store::{
        member, names,
        notice::{self, New},
        notice_box, official, proxy,
    },
};

/// Notices of one account that are told with its wake-up; more have to be read.
const TOLD_AT_ONCE: usize = 16;
/// Accounts that are woken at once.
const WOKEN_AT_ONCE: usize = 64;

/// What a transaction has written, to be told once it is committed.
#[derive(Debug, Default)]
#[must_use = "whoever follows is told of it when it is committed"]
pub(crate) struct Written(BTreeMap<AccountId, Vec<Notice>>);

impl Written {
    /// How many notices.
    pub(super) fn count(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }
}

impl Notices {
    /// Writes notices, as the last thing that a transaction does: whoever else tells the same accounts something waits for
    /// its end.
    pub(crate) async fn write(
        &self,
        on: &Transaction,
        tellings: Vec<Telling>,
    ) -> Result<Written, StoreError> {
        if tellings.is_empty() {
            return Ok(Written::default());
        }
        let addressed = address(on, tellings).await?;
        let mut counts: BTreeMap<AccountId, u32> = BTreeMap::new();
        for (account, _) in &addressed {
            *counts.entry(*account).or_default() += 1;
        }
        let counts: Vec<(AccountId, u32)> = counts.into_iter().collect();
        let taken = notice_box::take(on, &counts).await?;
        let mut boxes: BTreeMap<AccountId, notice_box::Taken> =
            taken.into_iter().map(|taken| (taken.account, taken)).collect();
        let at = self.env.now();
        let mut new = Vec::with_capacity(addressed.len());
        for (account, Telling { kind, about, source, .. }) in addressed {
            let Some(taken) = boxes.get_mut(&account).filter(|taken| !taken.muted.contains(&kind)) else {
                continue;
            };
            taken.before += 1;
            let notice = Notice { number: taken.before, kind, at, about, is_read: false };
            new.push(New { account, source, notice });
        }
        let added: BTreeSet<(AccountId, u64)> = notice::insert(on, &new).await?.into_iter().collect();
        let mut written = Written::default();
        for New { account, notice, .. } in new {
            if added.contains(&(account, notice.number)) {
                written.0.entry(account).or_default().push(notice);
            }
        }
        Ok(written)
    }

    /// Wakes whoever follows the accounts for which something was written and committed. Where that fails the others are
    /// left to find it by themselves: each failure is waited for, and so many would be.
    pub(crate) async fn tell(&self, Written(written): Written) {
        static COMPLAINTS: Throttle = Throttle::new();
        let wake = async |(account, notices): (AccountId, Vec<Notice>)| -> Result<(), LiveError> {
            let told = if notices.len() > TOLD_AT_ONCE { Vec::new() } else { notices };
            let message = pb::ToldNotices { notices: told.iter().map(Into::into).collect() };
            self.live.publish(&names::notices(account), Bytes::from(message.encode_to_vec())).await
        };
        let woken = futures::stream::iter(written).map(wake).buffer_unordered(WOKEN_AT_ONCE);
        let woken: Result<(), LiveError> = woken.try_collect().await;
        if let Err(error) = woken
            && let Some(held_back) = COMPLAINTS.admit()
        {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, held_back, "who follows notices was not told of new ones");
        }
    }
}

/// Whose accounts they are, in the order of accounts. Who has brought something about is not told of it.
async fn address(on: &Transaction, tellings: Vec<Telling>) -> Result<Vec<(AccountId, Telling)>, StoreError> {
    let meant: BTreeSet<To> = tellings.iter().map(|telling| telling.to).collect();
    let mut accounts = of_members(on, &meant).await?;
    for to in meant {
        if let To::Officials(federation, roles) = to {
            let mut holders = official::holders(on, federation, roles).await?;
            holders.truncate(OFFICIALS_TOLD_MAX);
            accounts.insert(to, holders.into_iter().collect());
        }
    }
    let mut addressed = Vec::with_capacity(tellings.len());
    for telling in tellings {
        let found = match telling.to {
            To::Account(account) => BTreeSet::from([account]),
            to => accounts.get(&to).cloned().unwrap_or_default(),
        };
        let others = found.into_iter().filter(|account| Some(*account) != telling.by);
        addressed.extend(others.map(|account| (account, telling)));
    }
    addressed.sort_by_key(|(account, _)| *account);
    Ok(addressed)
}

/// The accounts of members, and of those who act for members without one.
async fn of_members(
    on: &Transaction,
    meant: &BTreeSet<To>,
) -> Result<BTreeMap<To, BTreeSet<AccountId>>, StoreError> {
    let members: Vec<MemberId> = meant
        .iter()
        .filter_map(|to| if let To::Member(member) = to { Some(*member) } else { None })
        .collect();
    if members.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut own: BTreeMap<MemberId, BTreeSet<AccountId>> = BTreeMap::new();
    for (member, account) in member::accounts(on, &members).await? {
        own.entry(member).or_default().insert(account);
    }
    let without: Vec<MemberId> = members.into_iter().filter(|member| !own.contains_key(member)).collect();
    for (member, account) in proxy::of_members(on, &without).await? {
        own.entry(member).or_default().insert(account);
    }
    Ok(own.into_iter().map(|(member, accounts)| (To::Member(member), accounts)).collect())
}
