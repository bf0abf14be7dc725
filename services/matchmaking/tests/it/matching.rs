//! Two players find each other.

use std::{collections::BTreeSet, time::Duration};

use api::{board::v1::Side, matchmaking::v1::EnqueueRequest, matchmaking::v1::ListPoolsRequest};
use rules::RuleSet;

use crate::fixture::{blitz, fixtures, soon};

#[tokio::test(flavor = "multi_thread")]
async fn two_players_get_the_game_they_asked_for() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (one, other) = (replica.player(&fixture.caller("one")), replica.player(&fixture.caller("other")));
        fixture.ratings.set(one.caller.id, 1511.6);
        fixture.ratings.set(other.caller.id, 1590.2);
        let mut first_line = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let waiting = first_line.waiting().await;
        assert_eq!((waiting.rating_difference, waiting.pool_size), (400, 1), "{}", fixture.kind);
        let second_line = other.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        // Their 78 points are worth less than 16 seconds of one of them.
        fixture.time.advance(Duration::from_secs(8));
        let (matched_one, matched_other) = (first_line.matched().await, second_line.matched().await);
        assert_eq!(matched_one.game_id, matched_other.game_id);
        assert_eq!(
            (matched_one.opponent_name.as_str(), matched_other.opponent_name.as_str()),
            ("other", "one")
        );
        assert_eq!(matched_one.opponent_id, other.caller.id.to_string());
        assert_eq!(matched_other.opponent_id, one.caller.id.to_string());

        // The game exists by now, with the settings of both and everybody in his seat.
        let ledger = fixture.games.ledger();
        assert_eq!((ledger.calls, ledger.games.len()), (1, 1), "{}", fixture.kind);
        let game = &ledger.games[&matched_one.game_id];
        let variant = rules::VARIANTS[0];
        assert_eq!((game.variant.as_str(), game.rule_set.as_str()), (variant.id, variant.rule_sets[0].id));
        assert_eq!(game.options.len(), variant.options.len(), "every option is said");
        assert_eq!(game.time_control, blitz(true).time_control);
        assert!(game.rated);
        let (first, second) = (game.first.as_ref().expect("a seat"), game.second.as_ref().expect("a seat"));
        let (seat_one, seat_other) = match matched_one.side() {
            Side::First => (first, second),
            _ => (second, first),
        };
        assert_eq!((seat_one.account_id.as_str(), seat_one.rating), (&*one.caller.id.to_string(), 1512));
        assert_eq!(
            (seat_other.account_id.as_str(), seat_other.rating),
            (&*other.caller.id.to_string(), 1590)
        );
        assert_eq!((seat_one.name.as_str(), seat_other.name.as_str()), ("one", "other"));
        assert_ne!(matched_one.side(), matched_other.side());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_game_in_other_words_is_the_same_pool_and_another_game_is_not() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let enter = async |name: &str, settings| {
            let player = replica.player(&fixture.caller(name));
            player.enqueue(fixture.ticket(), settings).await.expect("waits")
        };
        let variant = rules::VARIANTS[0];
        let mut spelled = blitz(true);
        spelled.rule_set = variant.rule_sets[0].id.to_owned();
        let options = variant.resolve(&RuleSet::named("")).expect("the default rule set");
        spelled.options = options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut slower = blitz(true);
        slower.time_control =
            Some("10m".parse::<api::time_control::TimeControl>().expect("a control").into());
        let mut others = [enter("casual", blitz(false)).await, enter("slower", slower).await];
        let (plain, spelled) = (enter("plain", blitz(true)).await, enter("spelled", spelled).await);
        assert_eq!(plain.matched().await.game_id, spelled.matched().await.game_id, "{}", fixture.kind);
        for other in &mut others {
            other.waiting().await;
        }
        let pools = soon(replica.anonymous().list_pools(ListPoolsRequest {})).await.expect("needs no token");
        let pools = pools.into_inner().pools;
        assert_eq!(pools.iter().map(|pool| pool.waiting).collect::<Vec<_>>(), [1, 1], "{}", fixture.kind);
        let rated: BTreeSet<bool> =
            pools.iter().map(|pool| pool.settings.as_ref().expect("settings").rated).collect();
        assert_eq!(rated, BTreeSet::from([false, true]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_play_when_waiting_has_cost_them_what_lies_between_them() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (weak, strong) =
            (replica.player(&fixture.caller("weak")), replica.player(&fixture.caller("strong")));
        fixture.ratings.set(strong.caller.id, 1700.0);
        let mut weak = weak.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let mut strong = strong.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        strong.waiting_until(|waiting| waiting.pool_size == 2).await;
        fixture.time.advance(Duration::from_secs(19));
        // Several beats, and with them several looks, change nothing: 200 points are 20 seconds of both, at five points each.
        for _ in 0..4 {
            assert_eq!(weak.waiting().await.rating_difference, 400, "{}", fixture.kind);
            strong.waiting().await;
        }
        fixture.time.advance(Duration::from_secs(1));
        assert_eq!(weak.matched().await.game_id, strong.matched().await.game_id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nearer_opponent_is_waited_for_and_preferred() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = |name: &str, rating| {
            let player = replica.player(&fixture.caller(name));
            fixture.ratings.set(player.caller.id, rating);
            player
        };
        let (one, far, near) = (player("one", 1500.0), player("far", 1650.0), player("near", 1501.0));
        let mut one = one.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let mut far = far.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        fixture.time.advance(Duration::from_secs(5));
        one.waiting().await;
        far.waiting().await;
        let near = near.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(one.matched().await.game_id, near.matched().await.game_id, "{}", fixture.kind);
        far.waiting().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_known_waits_for_somebody_known_rather_than_a_newcomer() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = |name: &str, deviation| {
            let player = replica.player(&fixture.caller(name));
            fixture.ratings.deviates(player.caller.id, deviation);
            player
        };
        let (known, newcomer) = (player("known", 60.0), player("newcomer", 350.0));
        let mut known = known.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let mut newcomer = newcomer.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        fixture.time.advance(Duration::from_secs(3));
        for _ in 0..3 {
            known.waiting().await;
            newcomer.waiting().await;
        }
        // Two newcomers give nothing away, and neither do two who are known.
        let another = player("another", 350.0);
        let another = another.enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(newcomer.matched().await.game_id, another.matched().await.game_id, "{}", fixture.kind);
        let equal = player("equal", 60.0).enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        assert_eq!(known.matched().await.game_id, equal.matched().await.game_id, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_takes_over_the_pool_of_one_that_is_gone() {
    for fixture in fixtures().await.into_iter().filter(|fixture| fixture.kind.contains("redis")) {
        let gone = fixture.replica().await;
        let player = |name: &str| gone.player(&fixture.caller(name));
        let one = player("one").enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        player("other").enqueue(fixture.ticket(), blitz(true)).await.expect("waits").matched().await;
        one.matched().await;
        gone.crash().await;
        let heir = fixture.replica().await;
        let player = |name: &str| heir.player(&fixture.caller(name));
        let mut one = player("one").enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        let mut other = player("other").enqueue(fixture.ticket(), blitz(true)).await.expect("waits");
        for _ in 0..3 {
            one.waiting().await;
            other.waiting().await;
        }
        fixture.time.advance(Duration::from_secs(3));
        assert_eq!(one.matched().await.game_id, other.matched().await.game_id, "{}", fixture.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_players_own_limit_holds_however_long_it_takes() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (picky, far, near) = (
            replica.player(&fixture.caller("picky")),
            replica.player(&fixture.caller("far")),
            replica.player(&fixture.caller("near")),
        );
        fixture.ratings.set(far.caller.id, 1551.0);
        fixture.ratings.set(near.caller.id, 1450.0);
        let request = EnqueueRequest {
            ticket_id: fixture.ticket().to_string(),
            settings: Some(blitz(false)),
            max_rating_difference: 50,
        };
        let mut picky = picky.ask(request).await.expect("waits");
        let mut far = far.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        for _ in 0..4 {
            fixture.time.advance(Duration::from_secs(15));
            assert_eq!(picky.waiting().await.rating_difference, 50, "{}", fixture.kind);
            far.waiting().await;
        }
        let near = near.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        fixture.time.advance(Duration::from_secs(10));
        assert_eq!(picky.matched().await.game_id, near.matched().await.game_id, "{}", fixture.kind);
        far.waiting().await;
    }
}
