//! Two players find each other.

use std::{collections::BTreeSet, time::Duration};

use api::{
    board::v1::Side,
    error,
    matchmaking::v1::{EnqueueRequest, GameSettings, ListPoolsRequest},
};
use rules::RuleSet;

use crate::fixture::{Replica, blitz, fixtures, lasting, soon};

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
async fn a_replica_takes_over_the_pools_of_those_that_are_gone() {
    for fixture in fixtures().await.into_iter().filter(|fixture| fixture.kind.contains("redis")) {
        // Every variant is one replica's; of three that go, some have variants that the heir has not, and that it sees only
        // when they have not been there for three seconds.
        let gone = [fixture.replica().await, fixture.replica().await, fixture.replica().await];
        let heir = fixture.replica().await;
        let variants: Vec<GameSettings> = rules::VARIANTS
            .iter()
            .map(|variant| GameSettings { variant: variant.id.to_owned(), ..lasting("30m") })
            .collect();
        let two = async |replica: &Replica, settings: &GameSettings| {
            let enter = async |name: &str| {
                let (player, ticket) = (replica.player(&fixture.caller(name)), fixture.ticket());
                let line = player.enqueue(ticket, settings.clone()).await.expect("waits");
                player.plays(ticket, line).await.game_id
            };
            futures::future::join(enter("one"), enter("other")).await
        };
        // Whichever replica they come to, one pairs them.
        for settings in &variants {
            let (one, other) = two(&gone[0], settings).await;
            assert_eq!(one, other, "{}", fixture.kind);
        }
        for replica in gone {
            replica.crash().await;
        }
        fixture.time.advance(Duration::from_secs(3));
        for settings in &variants {
            let (one, other) = two(&heir, settings).await;
            assert_eq!(one, other, "{}", fixture.kind);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_would_play_several_games_plays_one_of_them() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = |name: &str| replica.player(&fixture.caller(name));
        let (quick, slow, casual) = (lasting("3m"), lasting("20m"), blitz(false));
        let ticket = fixture.ticket();
        let asked = vec![quick.clone(), slow.clone(), casual.clone()];
        let one = player("one");
        let mut line = one.enqueue_any(ticket, asked.clone()).await.expect("waits");
        line.waiting().await;
        let reversed = asked.iter().rev().cloned().collect();
        let differs =
            one.enqueue_any(ticket, reversed).await.map(drop).expect_err("another order is another ticket");
        assert_eq!(error::reason(&differs), "TICKET_DIFFERS", "{}", fixture.kind);
        let counts = async || {
            let pools = soon(replica.anonymous().list_pools(ListPoolsRequest {})).await.expect("no token");
            pools.into_inner().pools.iter().map(|pool| pool.waiting).collect::<Vec<_>>()
        };
        assert_eq!(counts().await, [1, 1, 1], "he is seen in each of his pools");
        let other = player("other").enqueue(fixture.ticket(), slow.clone()).await.expect("waits");
        // What stands second costs him fifteen points: three seconds of one of them at five points each.
        fixture.time.advance(Duration::from_secs(2));
        let (matched, of_other) = (line.matched().await, other.matched().await);
        assert_eq!(matched.game_id, of_other.game_id, "{}", fixture.kind);
        let control = fixture.games.ledger().games[&matched.game_id].time_control.clone();
        assert_eq!(control, slow.time_control, "what both would play");
        assert!(counts().await.is_empty(), "and he waits nowhere any more");
        let again = one.enqueue_any(ticket, asked).await.expect("known").matched().await;
        assert_eq!(again, matched, "his ticket is known by what he asked");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_would_play_the_same_games_play_what_both_would_rather() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let (rather, also) = (lasting("3m"), lasting("2m"));
        let enter = async |name: &str| {
            let player = replica.player(&fixture.caller(name));
            player.enqueue_any(fixture.ticket(), vec![rather.clone(), also.clone()]).await.expect("waits")
        };
        let (one, other) = (enter("one").await, enter("other").await);
        let matched = one.matched().await;
        assert_eq!(matched.game_id, other.matched().await.game_id, "{}", fixture.kind);
        assert_eq!(fixture.games.ledger().games[&matched.game_id].time_control, rather.time_control);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_long_is_told_where_others_do() {
    for fixture in fixtures().await {
        let replica = fixture.replica().await;
        let player = |name: &str, rating| {
            let player = replica.player(&fixture.caller(name));
            fixture.ratings.set(player.caller.id, rating);
            player
        };
        // Nobody of these may meet another.
        let mut lines = Vec::new();
        for number in 0..3_u8 {
            let player = player(&format!("elsewhere {number}"), 2_500.0 + 500.0 * f64::from(number));
            lines.push(player.enqueue(fixture.ticket(), blitz(true)).await.expect("waits"));
        }
        let mut lonely =
            player("lonely", 1500.0).enqueue(fixture.ticket(), lasting("20m")).await.expect("waits");
        assert_eq!(lonely.waiting().await.other_pools, [], "{}: he has only just come", fixture.kind);
        fixture.time.advance(Duration::from_secs(10));
        lonely.waiting_until(|waiting| !waiting.other_pools.is_empty()).await;
        let told = lonely.waiting().await.other_pools;
        let [pool] = &told[..] else { panic!("one other pool, not {told:?}") };
        assert_eq!((pool.waiting, pool.settings.as_ref().map(|settings| settings.rated)), (3, Some(true)));
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
            ..EnqueueRequest::default()
        };
        let mut picky = picky.ask(request).await.expect("waits");
        let mut far = far.enqueue(fixture.ticket(), blitz(false)).await.expect("waits");
        picky.waiting().await;
        far.waiting().await;
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
