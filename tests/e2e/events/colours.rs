//! Colours by the rules of their games, from the first round of an event to its table: by the parity of numbers in Jirige, and
//! mixed up and corrected in Jiu (1.4).

use api::{
    error::reason,
    federation::v1::{self as pb, event_format::Format},
    game::v1::ruling::{Act, CorrectColours},
};
use sha2::{Digest as _, Sha256};
use tests::{Platform, RETRY, held::Held, opposite_shapes};

use super::{
    rules::{begun, of},
    script::{Play, play},
    swiss::{lay, verified_alone},
};

/// A line of a table: place, number, points, and T as a fraction.
type Line = (u32, u32, u32, (i64, i64));

/// A Swiss of a variant in so many rounds.
fn swiss_of(variant: &str, rounds: u32) -> pb::EventSettings {
    of(variant, Some(Format::Swiss(pb::event_format::Swiss { rounds })))
}

/// The first three rounds of Jirige. The first of a pair has White, who moves first; `>` is his win.
///
/// Round 1: of each two neighbours the odd number has Black.
///
/// Round 2: 1, 3, 5 and 8 have won. Of the four the first and the third meet, the second and the fourth; so of 2, 4, 6 and 7.
/// 1 and 5 are both due White, which neither has had: the lower number gets it. 2 and 6 are both due Black, which neither has
/// had: the lower number gets it. 3 is due White and 8 Black, 7 White and 4 Black.
///
/// Round 3: 1 and 3 have 4 points, 2, 4, 5 and 8 have 2, 6 and 7 none. 1 and 3 are both due Black, which both have had once: 1
/// gets it. 5 and 2 are both due White, which 5 has never had: he gets it, though his number is higher. 4 and 8 are both due
/// White, which both have had once: 4 gets it. 6 and 7 are both due Black, which 6 has never had.
const JIRIGE: [&str; 3] = ["2<1 4<3 6<5 8>7", "1>5 6<2 3>8 7<4", "3<1 5>2 4<8 7<6"];

/// The last round, whose colours are drawn: who wins against whom. 1 has 6 points, 3, 5 and 8 have 4, 2, 4 and 6 have 2, 7 has
/// none. 1 has met 3 and 5; 6 has met 2 and 7, and 4 has met 7, so that 2 comes down to 7.
const JIRIGE_LAST: [[u32; 2]; 4] = [[1, 8], [5, 3], [4, 6], [7, 2]];

/// The table of Jirige, worked out by hand from Art. 28.1.2: T = P + ΣO ÷ (M/2) − R, with M = 8, the points of 1, and R = 4.
#[rustfmt::skip]
const JIRIGE_TABLE: [Line; 8] = [
    // 2, 5, 3, 8: 2 + 6 + 4 + 4 = 16; 8 + 16/4 − 4
    (1, 1, 8, (8, 1)),
    // 6, 1, 2, 3: 2 + 8 + 2 + 4 = 16; 6 + 16/4 − 4
    (2, 5, 6, (6, 1)),
    // 4, 8, 1, 5: 4 + 4 + 8 + 6 = 22; 4 + 22/4 − 4
    (3, 3, 4, (11, 2)),
    // 7, 3, 4, 1: 2 + 4 + 4 + 8 = 18; 4 + 18/4 − 4
    (4, 8, 4, (9, 2)),
    // 3, 7, 8, 6: 4 + 2 + 4 + 2 = 12; 4 + 12/4 − 4
    (5, 4, 4, (3, 1)),
    // 1, 6, 5, 7: 8 + 2 + 6 + 2 = 18; 2 + 18/4 − 4
    (6, 2, 2, (5, 2)),
    // 5, 2, 7, 4: 6 + 2 + 2 + 4 = 14; 2 + 14/4 − 4
    (7, 6, 2, (3, 2)),
    // 8, 4, 6, 2: 4 + 4 + 2 + 2 = 12; 2 + 12/4 − 4
    (8, 7, 2, (1, 1)),
];

/// 1.4: in round 1 of a Swiss of Jirige the odd number has Black; after it each is due the other colour than in the round
/// before, and of two who are due the same the one who had it less often gets it, or the lower number. Colours of the last
/// round are drawn by lot.
#[tokio::test(flavor = "multi_thread")]
async fn colours_of_jirige_follow_the_parity_of_numbers() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let held = Box::pin(begun(&platform, swiss_of("jirige", 4), 8)).await;
        let mut opened = seed_head(&held).await;
        for (round, script) in (1..).zip(JIRIGE) {
            held.pair(round).await;
            let public = held.start(round).await;
            opened = opens(&public, &opened);
            let plays: Vec<Play> = script.split(' ').map(play).collect();
            let mut wanted: Vec<(u32, u32)> = plays.iter().map(|it| (it.first, it.second)).collect();
            wanted.sort_unstable();
            assert_eq!(colours(&public), wanted, "round {round}, {shape:?} {store:?}");
            for board in &public.pairings {
                let play = plays.iter().find(|it| it.first == board.first).expect("he is in the script");
                loses(&held, board, play.loser).await;
            }
            held.complete(round).await;
        }
        held.pair(4).await;
        let last = held.start(4).await;
        opens(&last, &opened);
        assert_eq!(last.pairings.len(), JIRIGE_LAST.len());
        for board in &last.pairings {
            let [winner, loser] = *JIRIGE_LAST
                .iter()
                .find(|pair| pair.contains(&board.first) && pair.contains(&board.second))
                .unwrap_or_else(|| panic!("{} and {} meet", board.first, board.second));
            let lower_has_white = coin(&last.seed, 4, board.table);
            assert_eq!(board.first == winner.min(loser), lower_has_white, "{board:?} of {:?}", last.seed);
            loses(&held, board, loser).await;
        }
        held.complete(4).await;
        assert_table(&held, &JIRIGE_TABLE).await;
        held.end().await;
        verified_alone(&platform, &held).await;
    }
}

/// What the event is held to before its first round.
async fn seed_head(held: &Held) -> Vec<u8> {
    let request = pb::GetEventRequest { event_id: held.id.clone(), ..Default::default() };
    let event = tests::call!(tests::held::events(&held.chief.player), get_event, request);
    event.expect("an event").event.expect("it is told").seed_head
}

/// The seed that a round opens, which hashes to the one before.
fn opens(round: &pb::Round, before: &[u8]) -> Vec<u8> {
    assert_eq!(Sha256::digest(&round.seed).as_slice(), before, "round {}", round.number);
    round.seed.clone()
}

/// The coin of a table: the lowest bit of the first word of SHA-256(seed ‖ round ‖ table), numbers as 32 bits little-endian.
fn coin(seed: &[u8], round: u32, table: u32) -> bool {
    let hash = Sha256::digest([seed, &round.to_le_bytes(), &table.to_le_bytes()].concat());
    u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]) & 1 == 1
}

/// Who moves first against whom, in order.
fn colours(round: &pb::Round) -> Vec<(u32, u32)> {
    let mut colours: Vec<(u32, u32)> = round.pairings.iter().map(|it| (it.first, it.second)).collect();
    colours.sort_unstable();
    colours
}

async fn loses(held: &Held, board: &pb::Pairing, loser: u32) {
    held.come(board).await;
    held.resign(board, loser).await;
}

async fn assert_table(held: &Held, expected: &[Line]) {
    let lines = held.table(&[]).await.lines;
    let told: Vec<Line> = lines
        .iter()
        .map(|it| (it.place, it.number, it.points, (it.criteria[0].numerator, it.criteria[0].denominator)))
        .collect();
    assert_eq!(told, expected);
    assert!(lines.iter().all(|it| it.criteria[0].name == "total"), "{lines:?}");
}

/// The table of Jiu after 1 and 3 have won in round 1, against 2 and 4, and 3 and 4 in round 2, against 1 and 2; M = 4 and R = 2.
#[rustfmt::skip]
const JIU_TABLE: [Line; 4] = [
    // 4, 1: 2 + 2 = 4; 4 + 4/2 − 2
    (1, 3, 4, (4, 1)),
    // 2, 3: 0 + 4 = 4; 2 + 4/2 − 2; nobody was warned, so that 4 shares the place
    (2, 1, 2, (2, 1)),
    // 3, 2: 4 + 0 = 4; 2 + 4/2 − 2
    (2, 4, 2, (2, 1)),
    // 1, 4: 2 + 2 = 4; 0 + 4/2 − 2
    (4, 2, 0, (0, 1)),
];

/// Eleven placements: the first two on the squares in the middle.
const PLACED: [&str; 11] = ["G7", "H8", "G8", "H7", "A1", "B1", "C1", "D1", "E1", "F1", "G1"];
/// Up to and including this move colours are corrected.
const CORRECTED_UNTIL: usize = 10;

/// 1.4, Jiu: colours that were mixed up are corrected up to and including move 10, and no later. Later pairings go by the
/// colours that were assigned. The two winners of round 1 are 1, whose colours were corrected, and 3, who moved first: so each
/// is due the colour that the other is not, and so are the losers.
#[tokio::test(flavor = "multi_thread")]
async fn colours_of_jiu_that_were_mixed_up_are_those_of_the_next_round() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let held = Box::pin(begun(&platform, swiss_of("jiu", 2), 4)).await;
        let draft = held.pair(1).await;
        lay(&held, &draft, &[[1, 2], [3, 4]]).await;
        let round = held.start(1).await;
        let [mixed, plain] = round.pairings.as_slice() else { panic!("{round:?}") };
        corrected_at_move_ten(&held, mixed).await;
        held.resign(mixed, 2).await;
        too_late_for_correction(&held, plain).await;
        held.resign(plain, 4).await;
        held.complete(1).await;
        let boards = held.round(1).await.pairings;
        let results: Vec<&pb::BoardResult> = boards.iter().filter_map(|it| it.result.as_ref()).collect();
        let turned: Vec<_> = results.iter().map(|it| (it.played_turned, it.assigned_turned)).collect();
        assert_eq!(turned, [(true, true), (false, false)], "{results:?}");
        for result in results {
            assert_eq!((result.first(), result.second()), (pb::ResultCode::Win, pb::ResultCode::Loss));
        }
        held.pair(2).await;
        let public = held.start(2).await;
        // 1 and 4 had the second colour and are due the first.
        assert_eq!(colours(&public), [(1, 3), (4, 2)], "{shape:?} {store:?}");
        for board in &public.pairings {
            loses(&held, board, if board.first == 1 { 1 } else { 2 }).await;
        }
        held.complete(2).await;
        assert_table(&held, &JIU_TABLE).await;
        held.end().await;
        verified_alone(&platform, &held).await;
    }
}

/// Has two place as many of the stones in turn. In Jiu who moves first places second.
async fn place(held: &Held, board: &pb::Pairing, count: usize) {
    held.come(board).await;
    let turns = [board.second, board.first].into_iter().cycle();
    for ((ply, at), number) in (0..).zip(PLACED).zip(turns).take(count) {
        held.players[&number].play(&board.game_id, at, ply, RETRY).await.expect("the point is free");
    }
}

/// Both change sides after move 10: who has placed first now places second.
async fn corrected_at_move_ten(held: &Held, board: &pb::Pairing) {
    place(held, board, CORRECTED_UNTIL).await;
    held.rule(board, Act::CorrectColours(CorrectColours {})).await;
    let next = held.players[&board.first].play(&board.game_id, PLACED[CORRECTED_UNTIL], 10, RETRY);
    next.await.expect("he has the other side now, whose turn it is");
}

/// After move 11 the colours stand.
async fn too_late_for_correction(held: &Held, board: &pb::Pairing) {
    place(held, board, CORRECTED_UNTIL + 1).await;
    let late = held.try_rule(board, Act::CorrectColours(CorrectColours {})).await;
    assert_eq!(reason(&late.expect_err("eleven moves were played")), "TOO_LATE_FOR_COLOURS");
}
