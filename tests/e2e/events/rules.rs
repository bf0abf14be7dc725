//! Events of other games and formats: a knock-out, colours by the parity of numbers, colours that were mixed up.

use std::collections::BTreeMap;

use api::{
    federation::v1::{self as pb, event_format::Format},
    game::v1::ruling::{Act, CorrectColours},
};
use rules::Side;
use tests::{
    Platform, RETRY, bots, change,
    held::{Federation, Held, until},
    shapes,
};

use super::swiss::settings;

/// An event of this game that has begun, with players numbered from 1.
async fn begun(platform: &Platform, settings: pb::EventSettings, count: usize) -> Held {
    let transport = platform.transport();
    let federation = Federation::new(&transport, "棋牌协会", "Board Games").await;
    let mut held = Held::new(&federation, settings).await;
    held.enter_new(&federation, bots(&transport, count).await.expect("all sign in")).await;
    held.run().await;
    held
}

fn of(variant: &str, format: Option<Format>) -> pb::EventSettings {
    let mut settings = settings(3, 16);
    if let Some(game) = &mut settings.game {
        variant.clone_into(&mut game.variant);
        game.options.clear();
    }
    if let Some(format) = format {
        settings.format = Some(pb::EventFormat { format: Some(format) });
        settings.late_until_round = 0;
    }
    settings
}

/// Plays all boards of a round, which the lower number of two wins.
async fn lower_wins(held: &Held, round: u32) {
    for pairing in held.round(round).await.pairings {
        held.come(&pairing).await;
        held.resign(&pairing, pairing.first.max(pairing.second)).await;
    }
    held.complete(round).await;
}

async fn places(held: &Held) -> Vec<(u32, u32)> {
    held.table(&[]).await.lines.iter().map(|line| (line.place, line.number)).collect()
}

/// 1.2: who meets whom first is drawn; then the winners meet for the first place, and the losers for the third. A draw of a semi-final decides nothing, and is played again (1.5). In Tianyi Go the players bid for the colours.
#[tokio::test(flavor = "multi_thread")]
async fn a_knock_out_of_tianyi_go_plays_a_draw_again_and_has_four_places() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let format = Format::KnockOut(pb::event_format::KnockOut { lives: 1, third_place: true });
        let held = begun(&platform, of("tianyi", Some(format)), 4).await;
        held.pair(1).await;
        let round = held.start(1).await;
        assert!(round.pairings.iter().all(|it| !it.coloured), "nobody is given a colour");
        let [drawn, other] = round.pairings.as_slice() else { panic!("{round:?}") };
        held.come(drawn).await;
        held.draw(drawn).await;
        held.come(other).await;
        held.resign(other, other.first.max(other.second)).await;
        held.told_of_all(1).await;
        let again = change!(
            held,
            held.chief.player,
            replay_board(ReplayBoardRequest { round: 1, table: drawn.table })
        );
        again.expect("a draw is played again");
        let replayed = held.round(1).await.pairings.into_iter().find(|it| it.table == drawn.table);
        let replayed = replayed.expect("it is there");
        assert!(replayed.attempt == 2 && replayed.game_id != drawn.game_id, "{replayed:?}");
        held.come(&replayed).await;
        held.resign(&replayed, replayed.first.max(replayed.second)).await;
        held.complete(1).await;
        held.pair(2).await;
        let last = held.start(2).await;
        let mut pairs: Vec<[u32; 2]> =
            last.pairings.iter().map(|it| [it.first.min(it.second), it.first.max(it.second)]).collect();
        pairs.sort_unstable();
        let best = |of: fn(u32, u32) -> u32| {
            let [one, other] = [drawn, other].map(|it| of(it.first, it.second));
            [one.min(other), one.max(other)]
        };
        let (winners, losers) = (best(u32::min), best(u32::max));
        let mut expected = [winners, losers];
        expected.sort_unstable();
        assert_eq!(pairs, expected, "the final, and the third place");
        lower_wins(&held, 2).await;
        let ranked = [(1, winners[0]), (2, winners[1]), (3, losers[0]), (4, losers[1])];
        assert_eq!(places(&held).await, ranked, "{shape:?} {store:?}");
        held.end().await;
    }
}

/// 1.4: in round 1 of a Swiss of Jirige the odd number has Black, so that White, who moves first, is even; after it each is
/// due the other colour than in the round before, and of two who are due the same the one who had it less often gets it, or
/// the lower number. The last round is drawn by lot.
#[tokio::test(flavor = "multi_thread")]
async fn colours_of_jirige_follow_the_parity_of_numbers() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let mut settings = of("jirige", None);
    if let Some(pb::EventFormat { format: Some(Format::Swiss(swiss)) }) = &mut settings.format {
        swiss.rounds = 4;
    }
    let held = begun(&platform, settings, 8).await;
    // Whether each had White, round by round.
    let mut white: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
    for round in 1..=3 {
        held.pair(round).await;
        for pairing in held.start(round).await.pairings {
            let (low, high) = (pairing.first.min(pairing.second), pairing.first.max(pairing.second));
            let expected = if round == 1 { even_of(low, high) } else { due(&white, low, high) };
            assert_eq!(pairing.first, expected, "round {round}: {low} and {high} after {white:?}");
            white.entry(pairing.first).or_default().push(true);
            white.entry(pairing.second).or_default().push(false);
        }
        lower_wins(&held, round).await;
    }
}

/// Of an odd and an even number the even one.
fn even_of(low: u32, high: u32) -> u32 {
    assert_ne!(low % 2, high % 2, "round 1 pairs odd with even: {low} {high}");
    if low.is_multiple_of(2) { low } else { high }
}

/// Who of two has White.
fn due(white: &BTreeMap<u32, Vec<bool>>, low: u32, high: u32) -> u32 {
    let due_white = |number: u32| !white[&number].last().expect("he has played");
    let count = |number: u32, is_white: bool| white[&number].iter().filter(|it| **it == is_white).count();
    match (due_white(low), due_white(high)) {
        (true, false) => low,
        (false, true) => high,
        (same, _) => {
            // Who had that colour less often gets it; else the lower number.
            let gets_it = if count(high, same) < count(low, same) { high } else { low };
            if same == (gets_it == low) { low } else { high }
        }
    }
}

/// 1.4, Jiu: colours that were mixed up are corrected up to and including move 10. Later pairings go by the colours that were
/// assigned. The two winners of round 1 are one whose colours were corrected and one who moved first: so each is due the
/// colour that the other is not, and so are the losers.
#[tokio::test(flavor = "multi_thread")]
async fn colours_of_jiu_that_were_mixed_up_are_those_of_the_next_round() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let mut settings = of("jiu", None);
    if let Some(pb::EventFormat { format: Some(Format::Swiss(swiss)) }) = &mut settings.format {
        swiss.rounds = 2;
    }
    let held = begun(&platform, settings, 4).await;
    held.pair(1).await;
    let round = held.start(1).await;
    let [mixed, plain] = round.pairings.as_slice() else { panic!("{round:?}") };
    held.come(mixed).await;
    let placer = match rules::variant("jiu").and_then(|jiu| jiu.moves_first) {
        Some(Side::Second) => mixed.second,
        _ => mixed.first,
    };
    held.players[&placer].play(&mixed.game_id, "G7", 0, RETRY).await.expect("he places first");
    held.rule(mixed, Act::CorrectColours(CorrectColours {})).await;
    // The other has the first side of the game now, and it is his turn to place no more than it was: the second places.
    held.players[&placer].play(&mixed.game_id, "H8", 1, RETRY).await.expect("he has the other side now");
    held.resign(mixed, mixed.second).await;
    held.come(plain).await;
    held.resign(plain, plain.second).await;
    held.complete(1).await;
    let result = until("the result of the board", async || {
        held.round(1).await.pairings.into_iter().find(|it| it.table == mixed.table)?.result
    })
    .await;
    assert!(result.played_turned && result.assigned_turned, "{result:?}");
    assert_eq!((result.first(), result.second()), (pb::ResultCode::Win, pb::ResultCode::Loss));
    held.pair(2).await;
    let mut pairs: Vec<(u32, u32)> =
        held.start(2).await.pairings.iter().map(|it| (it.first, it.second)).collect();
    pairs.sort_unstable();
    // Who was first on the list of the mixed board had the second colour, so that he is due the first.
    let mut expected = [(mixed.first, plain.first), (plain.second, mixed.second)];
    expected.sort_unstable();
    assert_eq!(pairs, expected);
}
