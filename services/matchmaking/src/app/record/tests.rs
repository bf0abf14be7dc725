use std::collections::BTreeMap;

use chassis::{
    id::AccountId,
    testing::{self, TestDatabase},
};
use futures::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::{RuleSet, Side};
use uuid::Uuid;

use super::*;
use crate::{
    core::{History, Settings},
    store::Migrator,
};

const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

fn settings() -> Settings {
    let control = "5m+3s".parse().expect("a time control");
    Settings::new(rules::VARIANTS[0].id, &RuleSet::named(""), control, true).expect("valid settings")
}

/// A pair of two of twenty players, each with one of his three tickets.
fn pair(rng: &mut StdRng, game: u128) -> (Pair, bool) {
    let one = rng.random_range(0..20_u128);
    let other = (one + rng.random_range(1..20_u128)) % 20;
    let mut player = |account: u128| Player {
        account: Uuid::from_u128(1000 + account).into(),
        name: format!("p{account}"),
        rating: 1500,
        ticket: Uuid::from_u128(10_000 + account * 3 + rng.random_range(0..3_u128)).into(),
    };
    let players = [player(one), player(other)];
    (Pair { game: Uuid::from_u128(1 + game).into(), settings: settings(), players }, rng.random())
}

async fn each_database() -> Vec<TestDatabase> {
    let each = testing::databases().await;
    for test in &each {
        test.database.migrate::<Migrator>().await.expect("migrations run");
    }
    each
}

/// Writers that know nothing of each other, with few tickets and each pair written by two of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_belongs_to_one_match_whoever_writes() {
    for TestDatabase { kind, url, database, .. } in &each_database().await {
        let mut rng = StdRng::seed_from_u64(3);
        let batches: Vec<Vec<(Pair, bool)>> =
            (0..24).map(|batch| (0..5).map(|n| pair(&mut rng, batch * 5 + n)).collect()).collect();
        let mut writers = Vec::new();
        for batch in batches.iter().chain(&batches) {
            let (batch, url) = (batch.clone(), url.clone());
            writers.push(tokio::spawn(async move {
                let own = Database::open(&url).await.expect("the database opens");
                record(&own, &batch, NOW)
                    .await
                    .map(|recorded| batch.into_iter().zip(recorded).collect::<Vec<_>>())
            }));
        }
        let mut owner_of: BTreeMap<TicketId, Match> = BTreeMap::new();
        let mut known: BTreeMap<Uuid, Match> = BTreeMap::new();
        let mut taken = Vec::new();
        for writer in join_all(writers).await {
            for ((pair, _), recorded) in writer.expect("nobody panics").expect("written") {
                match recorded {
                    Recorded::Match(matched, state) => {
                        assert_eq!((matched.game, state), (pair.game, MatchState::Pending));
                        let first = known.entry(pair.game.uuid()).or_insert_with(|| (*matched).clone());
                        assert_eq!(*first, *matched, "{kind}: a match keeps its sides");
                        for player in &pair.players {
                            let owner = owner_of.entry(player.ticket).or_insert_with(|| (*matched).clone());
                            assert_eq!(owner.game, pair.game, "{kind}: a ticket in two matches");
                        }
                    }
                    Recorded::TicketTaken(tickets) => taken.push(tickets),
                    Recorded::Apart => panic!("{kind}: nobody has blocked anybody"),
                }
            }
        }
        assert!(known.len() > 10 && taken.len() > 10, "{kind}: both happen");
        assert!(taken.iter().flatten().all(|ticket| owner_of.contains_key(ticket)), "{kind}");
        for (ticket, matched) in &owner_of {
            let stored = match_of(database, *ticket).await.expect("reads");
            assert_eq!(stored, Some((matched.clone(), MatchState::Pending)), "{kind}");
        }
        check_histories(database, known.values()).await;
        let pending = store::matches::pending(database.read(), NOW, 1000).await.expect("reads");
        assert_eq!(pending.len(), known.len(), "{kind}");
    }
}

/// What the table of sides says is the sum over the matches.
async fn check_histories(database: &Database, made: impl Iterator<Item = &Match>) {
    let mut expected: BTreeMap<AccountId, (u32, u32)> = BTreeMap::new();
    for matched in made {
        expected.entry(matched.first.account).or_default().0 += 1;
        expected.entry(matched.second.account).or_default().1 += 1;
    }
    let accounts = (0..20).map(|account| Uuid::from_u128(1000 + account).into());
    let histories = store::history::read(database.read(), accounts).await.expect("reads");
    let found: BTreeMap<AccountId, (u32, u32)> = histories
        .into_iter()
        .map(|((account, _), History { firsts, seconds, .. })| (account, (firsts, seconds)))
        .collect();
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_leaves_pending_once() {
    for TestDatabase { kind, database, .. } in &each_database().await {
        let mut rng = StdRng::seed_from_u64(1);
        let (first, coin) = pair(&mut rng, 0);
        let later = NOW + std::time::Duration::from_secs(5);
        let recorded = record(database, &[(first.clone(), coin)], later).await.expect("written");
        let [Recorded::Match(matched, MatchState::Pending)] = &recorded[..] else { panic!("{recorded:?}") };
        let pending =
            async |before| store::matches::pending(database.read(), before, 10).await.expect("reads");
        assert_eq!(pending(NOW).await, [], "{kind}: too young");
        assert_eq!(pending(later).await, [(**matched).clone()], "{kind}");
        for state in [MatchState::Created, MatchState::Failed] {
            store::matches::settle(database.write(), &[first.game], state, later).await.expect("written");
        }
        assert_eq!(pending(later).await, []);
        let ticket = first.players[0].ticket;
        let stored = match_of(database, ticket).await.expect("reads").expect("known");
        assert_eq!(stored, ((**matched).clone(), MatchState::Created), "{kind}");
        let again = record(database, &[(first, !coin)], later).await.expect("written");
        assert_eq!(again, [Recorded::Match(matched.clone(), MatchState::Created)], "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_game_knows_the_sides_of_the_last() {
    for TestDatabase { kind, database, .. } in &each_database().await {
        let mut rng = StdRng::seed_from_u64(1);
        let (template, _) = pair(&mut rng, 0);
        let mut sides = Vec::new();
        // Two in each transaction, so that the second of a batch must know the first.
        for batch in 0..5_u128 {
            let two = [0, 1].map(|n| {
                let number = batch * 2 + n;
                let mut pair = template.clone();
                pair.game = Uuid::from_u128(500 + number).into();
                for (player, id) in pair.players.iter_mut().zip([number * 2, number * 2 + 1]) {
                    player.ticket = Uuid::from_u128(50_000 + id).into();
                }
                (pair, true)
            });
            for recorded in record(database, &two, NOW).await.expect("written") {
                let Recorded::Match(matched, _) = recorded else { panic!("{recorded:?}") };
                let first = matched.first.account == template.players[0].account;
                sides.push(if first { Side::First } else { Side::Second });
            }
        }
        assert_eq!(sides[0], Side::First, "the coin decides");
        assert!(sides.windows(2).all(|two| two[0] != two[1]), "{kind}: {sides:?}");
    }
}
