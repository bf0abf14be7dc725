//! The members of federations, as the federation service tells them, and who leads among them now.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    hash::Hash,
    sync::Arc,
    time::Duration,
};

use api::{
    federation::v1::{
        ListMemberAccountsRequest, MemberAccount,
        federation_internal_service_client::FederationInternalServiceClient,
    },
    transport::Transport,
};
use chassis::{
    Database, Env,
    auth::Caller,
    id::{AccountId, FederationId},
};
use futures::{FutureExt as _, TryStreamExt as _, future::BoxFuture};
use quick_cache::sync::Cache;
use time::{Date, OffsetDateTime};
use tonic::Status;

use crate::{
    core::{category::Category, highest::Highest, period::Led},
    error::Error,
    store,
};

/// How old what is told of a federation may be: who joins or plays stands on its leaderboards as soon.
const FRESH: Duration = Duration::from_mins(1);
/// How long a caller waits for the members of a federation, who are 100,000 at most.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the monthly leaderboards wait for those of all federations.
const PATIENCE_FOR_ALL: Duration = Duration::from_mins(5);
/// Federations whose members are remembered: 1.6 MB each at most.
pub(crate) const FEDERATIONS: usize = 64;
/// Leaderboards of federations that are remembered: 1,000 players each at most.
pub(crate) const BOARDS: usize = 256;
/// Members whose ratings are read together.
const TOGETHER: usize = 1_000;

/// Members, each with his federation; and officials, if one federation was named.
type Told = (Vec<(FederationId, AccountId)>, BTreeSet<AccountId>);

/// What is known of federations; clones share it.
#[derive(Clone)]
pub(crate) struct Federations {
    env: Env,
    database: Database,
    client: FederationInternalServiceClient<Transport>,
    members: Arc<Cache<FederationId, Dated<Members>>>,
    boards: Arc<Cache<BoardKey, Dated<Board>>>,
}

/// Who belongs to a federation.
#[derive(Debug)]
struct Members {
    /// In the order of their ids.
    accounts: Vec<AccountId>,
    /// Those of its officials, who may be no members.
    officials: BTreeSet<AccountId>,
}

/// Which leaderboard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BoardKey {
    /// Of whose members.
    pub federation: FederationId,
    /// In what.
    pub category: Category,
    /// Of those who are provisional, or of those who are not.
    pub provisional: bool,
}

/// Who leads among the members of a federation.
#[derive(Debug)]
pub(crate) struct Board {
    /// How many they are.
    pub count: u32,
    /// The first of them.
    pub led: Vec<Led>,
}

/// Something, and when it was read.
#[derive(Debug)]
pub(crate) struct Dated<T> {
    /// When.
    pub at: OffsetDateTime,
    /// What.
    pub it: Arc<T>,
}

impl Federations {
    /// The federations that a service tells of, and the ratings of a database.
    pub(crate) fn new(env: Env, database: Database, federation: Transport) -> Self {
        let client = FederationInternalServiceClient::new(federation);
        let (members, boards) = (Arc::new(Cache::new(FEDERATIONS)), Arc::new(Cache::new(BOARDS)));
        Federations { env, database, client, members, boards }
    }

    /// Refuses whoever is no member of a federation, none of its officials and no moderator: whose account a member has is told to
    /// nobody else.
    ///
    /// # Errors
    /// [`Error::NotAMember`]; when the federation service does not tell.
    pub(crate) async fn ensure_may_see(
        &self,
        caller: &Caller,
        federation: FederationId,
    ) -> Result<(), Error> {
        if caller.is_moderator() {
            return Ok(());
        }
        let members = self.members(federation).await?;
        let belongs =
            members.officials.contains(&caller.id) || members.accounts.binary_search(&caller.id).is_ok();
        if belongs { Ok(()) } else { Err(Error::NotAMember) }
    }

    /// Who leads among the members of a federation now.
    ///
    /// # Errors
    /// When the database fails, or the federation service does not tell.
    pub(crate) async fn board(&self, key: &BoardKey) -> Result<Dated<Board>, Error> {
        self.fresh(&self.boards, key, self.count(key).boxed()).await
    }

    async fn count(&self, key: &BoardKey) -> Result<Board, Error> {
        let members = self.members(key.federation).await?;
        let mut highest = if key.provisional { Highest::provisional() } else { Highest::settled() };
        for members in members.accounts.chunks(TOGETHER) {
            let on = self.database.read();
            for (account, player) in store::rating::of_members(on, &key.category, members).await? {
                highest.add(account, &player.at(self.env.now()));
            }
        }
        Ok(Board { count: highest.count(), led: highest.led() })
    }

    async fn members(&self, federation: FederationId) -> Result<Arc<Members>, Error> {
        let read = async {
            let told = self.told(Some(federation), self.env.now().date());
            let told = tokio::time::timeout(PATIENCE, told).await.unwrap_or_else(|_| Err(no_answer()))?;
            let (told, officials) = told;
            let mut accounts: Vec<AccountId> = told.into_iter().map(|(_, account)| account).collect();
            accounts.sort_unstable();
            Ok(Members { accounts, officials })
        };
        let members = self.fresh(&self.members, &federation, read.boxed()).await?;
        // Nothing is kept of what is no federation: anybody may ask for it by any id.
        if members.it.accounts.is_empty() && members.it.officials.is_empty() {
            self.members.remove(&federation);
        }
        Ok(members.it)
    }

    /// The members of all federations that are not dissolved, on a day.
    ///
    /// # Errors
    /// When the federation service does not tell.
    pub(crate) async fn members_of_all(
        &self,
        day: Date,
    ) -> Result<HashMap<AccountId, Vec<FederationId>>, Error> {
        let told = tokio::time::timeout(PATIENCE_FOR_ALL, self.told(None, day)).await;
        let mut members: HashMap<AccountId, Vec<FederationId>> = HashMap::new();
        for (federation, account) in told.unwrap_or_else(|_| Err(no_answer()))?.0 {
            members.entry(account).or_default().push(federation);
        }
        Ok(members)
    }

    async fn told(&self, federation: Option<FederationId>, day: Date) -> Result<Told, Error> {
        let request = ListMemberAccountsRequest {
            federation_id: federation.map(|it| it.to_string()).unwrap_or_default(),
            date: day.to_string(),
        };
        let answer = self.client.clone().list_member_accounts(request).await.map_err(Error::Federation)?;
        let mut chunks = answer.into_inner();
        let (mut told, mut officials) = (Vec::new(), BTreeSet::new());
        while let Some(chunk) = chunks.try_next().await.map_err(Error::Federation)? {
            let bad = || Error::Federation(Status::data_loss("an id that is none"));
            for official in chunk.official_ids {
                officials.insert(AccountId::parse(&official, "official_ids").map_err(|_| bad())?);
            }
            let read = |member: MemberAccount| {
                let federation = FederationId::parse(&member.federation_id, "federation_id").ok()?;
                Some((federation, AccountId::parse(&member.account_id, "account_id").ok()?))
            };
            let members = chunk.members.into_iter().map(read).collect::<Option<Vec<_>>>();
            told.extend(members.ok_or_else(bad)?);
        }
        Ok((told, officials))
    }

    /// What is remembered if it is not old, and else what is read: once for all who ask meanwhile.
    async fn fresh<K: Clone + Eq + Hash, V>(
        &self,
        cache: &Cache<K, Dated<V>>,
        key: &K,
        read: BoxFuture<'_, Result<V, Error>>,
    ) -> Result<Dated<V>, Error> {
        let now = self.env.now();
        cache.remove_if(key, |known| !(known.at..known.at + FRESH).contains(&now));
        let read = async { Ok(Dated { at: now, it: Arc::new(read.await?) }) };
        cache.get_or_insert_async(key, read).await
    }
}

fn no_answer() -> Error {
    Error::Federation(Status::deadline_exceeded("no answer"))
}

impl<T> Clone for Dated<T> {
    fn clone(&self) -> Self {
        Dated { at: self.at, it: Arc::clone(&self.it) }
    }
}

impl fmt::Debug for Federations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Federations").field("members", &self.members.len()).finish_non_exhaustive()
    }
}
