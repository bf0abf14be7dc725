//! Replicas that work on the same pools.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use api::matchmaking::v1::GameSettings;
use futures::future::join_all;

use crate::fixture::{fixtures, lasting};

#[tokio::test(flavor = "multi_thread")]
async fn two_replicas_never_put_a_ticket_into_two_games() {
    for fixture in fixtures().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        // Longer games would be offered, and the time that passes here is too short to accept them.
        let is_short = |variant: &&&rules::Variant| variant.main_time_min < Some(Duration::from_mins(29));
        let of_variant =
            |variant: &&rules::Variant| GameSettings { variant: variant.id.to_owned(), ..lasting("29m") };
        let settings: Vec<GameSettings> = rules::VARIANTS.iter().filter(is_short).map(of_variant).collect();
        let players = (0..200).map(|number| {
            let player = replicas[number % 2].player(&fixture.caller(&format!("p{number}")));
            let rating = 1500.0 + f64::from(u8::try_from(number % 100).expect("under 100"));
            fixture.ratings.set(player.caller.id, rating);
            let ticket = fixture.ticket();
            // Each would play several games, of variants that are different replicas', and all would play one of them.
            let mut asked: Vec<GameSettings> = (0..number % 4)
                .map(|place| settings[1 + (number / 4 + place) % (settings.len() - 1)].clone())
                .collect();
            asked.push(settings[0].clone());
            tokio::spawn(async move {
                let line = player.enqueue_any(ticket, asked).await.expect("waits");
                (player.caller.id.to_string(), player.plays(ticket, line).await)
            })
        });
        let time = fixture.time.clone();
        let passing = tokio::spawn(async move {
            loop {
                time.advance(Duration::from_millis(200));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let mut of_game: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for matched in join_all(players.collect::<Vec<_>>()).await {
            let (account, matched) = matched.expect("nobody panics");
            of_game.entry(matched.game_id).or_default().push((account, matched.opponent_id));
        }
        passing.abort();
        let ledger = fixture.games.ledger();
        assert_eq!(of_game.len(), 100, "{}", fixture.kind);
        assert!(of_game.keys().eq(ledger.games.keys()), "{}: just the games that were told of", fixture.kind);
        for two in of_game.values() {
            let [(one, of_one), (other, of_other)] = &two[..] else { panic!("two a game, not {two:?}") };
            assert!(one == of_other && other == of_one, "{}", fixture.kind);
        }
        let seats = ledger.games.values().flat_map(|game| [&game.first, &game.second]);
        let accounts: BTreeSet<&str> =
            seats.map(|seat| seat.as_ref().expect("a seat").account_id.as_str()).collect();
        assert_eq!(accounts.len(), 200, "{}", fixture.kind);
        for replica in replicas {
            replica.crash().await;
        }
    }
}
