//! Leave against a model that counts second by second, and whatever is taken, granted and ended in whatever order.

use proptest::{prelude::*, sample::Index};

use super::*;
use crate::core::event::leave::{counted, moved, united};

fn second(second: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + Duration::seconds(second)
}

fn spans() -> impl Strategy<Value = Vec<Span>> {
    let span = (0..120i64, 0..40i64);
    let span = span.prop_map(|(from, length)| Span { from: second(from), until: second(from + length) });
    prop::collection::vec(span, 0..6)
}

/// When so many units have passed in none of which anybody is away, unit by unit.
fn counted_out(from: OffsetDateTime, mut left: i64, unit: Duration, away: &[Span]) -> OffsetDateTime {
    let mut at = from;
    while left > 0 {
        left -= i64::from(!away.iter().any(|span| span.contains(at)));
        at += unit;
    }
    at
}

/// What is done about leave.
#[derive(Clone, Debug)]
enum Deed {
    /// A player takes leave, so many hours ahead and for so many.
    Take(u32, i64, i64),
    /// The chief arbiter grants it.
    Grant(u32, i64, i64),
    /// Leave is ended.
    End(Index),
    /// Time goes on by so many hours.
    Pass(i64),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let player = 1..=4u32;
    let deed = prop_oneof![
        4 => (player.clone(), 0..400i64, 1..300i64).prop_map(|(who, from, length)| Deed::Take(who, from, length)),
        2 => (player, 0..300i64, 1..200i64).prop_map(|(who, from, length)| Deed::Grant(who, from, length)),
        2 => any::<Index>().prop_map(Deed::End),
        2 => (1..60i64).prop_map(Deed::Pass),
    ];
    prop::collection::vec(deed, 1..25)
}

/// Does it; whether it was not refused.
fn does(book: &mut Book, deed: &Deed) -> bool {
    let now = book.now;
    let decided = match deed {
        Deed::Pass(hours) => {
            book.pass_to(now + Duration::hours(*hours));
            return true;
        }
        Deed::Take(number, from, length) | Deed::Grant(number, from, length) => {
            let from = now + Duration::hours(*from);
            let new = wish(Whose::Player(Number(*number)), from, from + Duration::hours(*length));
            let is_granted = matches!(deed, Deed::Grant(..));
            let new = if is_granted { granted(new) } else { new };
            book.event.take_leave(new, now).map(|facts| (is_granted, *number, facts))
        }
        Deed::End(_) if book.event.leaves.all.is_empty() => return false,
        Deed::End(which) => {
            let leave = which.get(&book.event.leaves.all).clone();
            let Whose::Player(number) = leave.whose else { return false };
            book.event.end_leave(leave.number, None, now).map(|facts| (false, number.0, facts))
        }
    };
    let Ok((is_granted, number, facts)) = decided else { return false };
    let role = if is_granted { Role::ChiefArbiter } else { Role::Player };
    book.write_as(account(number), role, facts);
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_leave_moves_is_what_counting_by_the_second_comes_to(
        mut away in spans(), from in 0..100i64, left in 0..100i64, shuffle in any::<Index>(),
    ) {
        let (from, until) = (second(from), second(from + left));
        let one = united(away.clone());
        prop_assert!(one.windows(2).all(|pair| pair[0].until < pair[1].from), "{:?}", one);
        let later = moved(from, until, &one);
        prop_assert_eq!(later, counted_out(from, left, Duration::SECOND, &away));
        prop_assert_eq!(counted(from, later, &one), (until - from).unsigned_abs(), "and back");
        if !away.is_empty() {
            let place = shuffle.index(away.len());
            away.rotate_left(place);
            prop_assert_eq!(united(away.clone()), one, "in whatever order it was taken");
            // More leave never makes anything earlier.
            away.pop();
            prop_assert!(moved(from, until, &united(away)) <= later);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn budgets_hold_and_deadlines_are_what_counting_by_the_minute_comes_to(deeds in deeds()) {
        let (mut book, _) = begun();
        let opened = book.event.rounds[0].started.expect("it has begun");
        let window = 14 * 24 * 60;
        for deed in &deeds {
            let before: Vec<Option<OffsetDateTime>> = tables(&book);
            let taken = does(&mut book, deed);
            if !taken {
                prop_assert_eq!(tables(&book), before, "what is refused changes nothing");
            }
            for number in (1..=4).map(Number) {
                let own: Vec<&Leave> = book.event.leaves.of(Whose::Player(number)).collect();
                let used: Duration = own.iter().filter(|it| !it.granted).map(|it| it.span.until - it.span.from).sum();
                prop_assert!(used <= DAY * 20, "{} of twenty days", used);
                for (place, leave) in own.iter().enumerate() {
                    prop_assert!(own[..place].iter().all(|it| !it.span.overlaps(&leave.span)));
                }
            }
            for (table, found) in (1..).zip(tables(&book)) {
                let Some(found) = found else { continue };
                let players = book.event.players_at(BoardId { round: 1, table }).expect("a board");
                let away = book.event.leaves.all.iter().filter(|it| players.map(Whose::Player).contains(&it.whose));
                let away: Vec<Span> = away.map(|it| it.span).collect();
                prop_assert_eq!(found, counted_out(opened, window, Duration::MINUTE, &away));
                prop_assert!(found > book.now, "what is taken or ended now makes nothing be over before now");
            }
        }
        let verified = book.verified();
        prop_assert_eq!(verified.findings, vec![]);
    }
}

/// The deadlines of both tables; none of what is over.
fn tables(book: &Book) -> Vec<Option<OffsetDateTime>> {
    let at = |table| Some(book.event.arrangement(BoardId { round: 1, table })?.deadline);
    [1, 2].map(at).to_vec()
}
