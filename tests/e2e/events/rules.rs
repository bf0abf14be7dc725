//! Knock-outs of Tianyi Go, in which a draw decides nothing, but in the final.

use api::federation::v1::{self as pb, event_format::Format};
use tests::{
    Platform, RETRY, bots, change,
    held::{Federation, Held},
    opposite_shapes,
};

use super::swiss::{settings, verified_alone};

/// An event of this game that has begun, with players numbered from 1, of a federation of its own.
pub(super) async fn begun(platform: &Platform, settings: pb::EventSettings, count: usize) -> Held {
    begun_of("Board Games", platform, settings, count).await
}

/// The same of a federation of this name.
async fn begun_of(name: &str, platform: &Platform, settings: pb::EventSettings, count: usize) -> Held {
    let transport = platform.transport();
    let federation = Federation::new(&transport, name, "").await;
    let mut held = Held::new(&federation, settings).await;
    held.enter_new(&federation, bots(&transport, count).await.expect("all sign in")).await;
    held.run().await;
    held
}

/// An event of this game and format.
pub(super) fn of(variant: &str, format: Option<Format>) -> pb::EventSettings {
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
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let format = Format::KnockOut(pb::event_format::KnockOut { lives: 1, third_place: true });
        let held = Box::pin(begun(&platform, of("tianyi", Some(format)), 4)).await;
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

/// What is played in the final, by whose side: the position that they make, of which White has 15 points less 2 and Black 10
/// less 2; the bids; two passes, and the agreement. White pays two and a half zi, which are the five points between them.
const DRAWN: [(bool, &str); 4] = [
    (true, "propose B B1,B2,B3,B4,B5,E3 W C1,C2,C3,C4,C5"),
    (false, "accept"),
    (true, "dead E3"),
    (false, "accept E3"),
];
/// What is bid for White.
const BIDS: [&str; 2] = ["bid -3", "bid 2.5"];

/// Tianyi Go, article three: in a final a draw counts as a win for White, who moved first and has paid for it. So it is decided
/// by its count, and nobody has it played again.
#[tokio::test(flavor = "multi_thread")]
async fn a_draw_in_the_final_of_tianyi_go_is_won_by_white() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        for (name, first_has_white) in [("Second", false), ("First", true)] {
            let format = Format::KnockOut(pb::event_format::KnockOut { lives: 1, third_place: false });
            let mut settings = of("tianyi", Some(format));
            if let Some(game) = &mut settings.game {
                game.rule_set = "design".to_owned();
                game.options.insert("size".to_owned(), "5".to_owned());
            }
            let held = begun_of(name, &platform, settings, 2).await;
            held.pair(1).await;
            let last = held.start(1).await.pairings.remove(0);
            assert!(!last.coloured, "the bids decide on the colours");
            count_to_a_draw(&held, &last, first_has_white).await;
            held.confirm(&last).await;
            held.complete(1).await;
            let board = held.round(1).await.pairings.remove(0);
            let result = board.result.expect("a result");
            let [white, black] = if first_has_white {
                [(last.first, result.first()), (last.second, result.second())]
            } else {
                [(last.second, result.second()), (last.first, result.first())]
            };
            assert_eq!([white.1, black.1], [pb::ResultCode::Win, pb::ResultCode::Loss], "{result:?}");
            assert_eq!((board.attempt, board.game_id), (1, last.game_id), "it is not played again");
            assert_eq!(places(&held).await, [(1, white.0), (2, black.0)], "{shape:?} {store:?}");
            held.end().await;
            verified_alone(&platform, &held).await;
        }
    }
}

/// Plays a final up to equal counts.
async fn count_to_a_draw(held: &Held, board: &pb::Pairing, first_has_white: bool) {
    held.come(board).await;
    let [low, high] = BIDS;
    let bids = if first_has_white { [(true, high), (false, low)] } else { [(true, low), (false, high)] };
    let passes = [(first_has_white, "pass"), (!first_has_white, "pass")];
    let acts = [&DRAWN[..2], &bids, &passes, &DRAWN[2..]].concat();
    for (ply, (by_first, act)) in (0..).zip(acts) {
        let number = if by_first { board.first } else { board.second };
        let played = held.players[&number].play(&board.game_id, act, ply, RETRY).await;
        played.unwrap_or_else(|status| panic!("{act}: {status}"));
    }
}
