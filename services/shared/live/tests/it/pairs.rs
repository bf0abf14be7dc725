//! Pairs and pending matches by example.

use anyhow::Result;
use live::limits::{PAIRS_MAX, RETENTION};
use live::{Cancelled, Limits, Live, NewTicket, Opened, PairProposal, PendingMatch, TicketState};

use crate::examples::{at, game, id, matched, owner, pair, ticket, waiting};
use crate::world::World;

async fn open(live: &dyn Live, numbers: std::ops::RangeInclusive<u128>) -> Result<()> {
    for number in numbers {
        assert_eq!(live.open_ticket(ticket(number, "go"), at(0)).await?, Opened::Created);
    }
    Ok(())
}

fn pending(first: u128, second: u128, number: u128, leased_until: i64) -> PendingMatch {
    let pool = "go".to_owned();
    let tickets = [first, second].map(|number| waiting(ticket(number, "go"), at(0)));
    PendingMatch { match_id: game(number), pool, tickets, leased_until: at(leased_until) }
}

pub(crate) async fn a_pair_becomes_a_match(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=3).await?;
    assert_eq!(live.take_pairs(&[pair(2, 1, 7)], at(5)).await?, [true]);
    assert_eq!(live.ticket(id(1)).await?, Some(matched(7)));
    assert_eq!(live.ticket(id(2)).await?, Some(matched(7)));
    assert_eq!(live.pools().await?, [("go".to_owned(), 1)]);
    let cancelled = live.cancel_ticket(id(1), owner(1), at(6)).await?;
    assert_eq!(cancelled, Cancelled::Matched { match_id: game(7) });
    assert_eq!(live.pending_matches(at(6), at(10), 9).await?, [pending(2, 1, 7, 10)]);
    Ok(())
}

pub(crate) async fn pairs_that_cannot_be_are_refused(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=4).await?;
    live.open_ticket(ticket(5, "jiu"), at(0)).await?;
    live.cancel_ticket(id(4), owner(4), at(1)).await?;
    let proposals =
        [pair(1, 1, 1), pair(1, 5, 2), pair(4, 1, 3), pair(1, 9, 4), pair(1, 2, 5), pair(2, 3, 6)];
    let taken = live.take_pairs(&proposals, at(2)).await?;
    assert_eq!(taken, [false, false, false, false, true, false]);
    assert_eq!(live.pending_matches(at(2), at(3), 9).await?, [pending(1, 2, 5, 3)]);

    live.open_ticket(ticket(6, "go"), at(0)).await?;
    assert_eq!(live.take_pairs(&[pair(3, 6, 5)], at(2)).await?, [false], "that match is pending");
    assert_eq!(live.waiting(None, 9).await?.len(), 3);
    assert_eq!(live.take_pairs(&[], at(2)).await?, []);

    live.renew_ticket(id(3), at(2_000)).await?;
    assert_eq!(live.take_pairs(&[pair(3, 6, 9)], at(1_000)).await?, [false], "nobody holds one of them");
    live.renew_ticket(id(6), at(1_001)).await?;
    assert_eq!(live.take_pairs(&[pair(3, 6, 9)], at(1_000)).await?, [true]);
    Ok(())
}

pub(crate) async fn a_pair_leaves_all_its_pools(world: &World) -> Result<()> {
    let live = world.live();
    let pools = |pools: &[&str]| pools.iter().map(|pool| (*pool).to_owned()).collect::<Vec<_>>();
    let both = |number| NewTicket { pools: pools(&["go", "jiu"]), ..ticket(number, "go") };
    live.open_ticket(both(1), at(0)).await?;
    live.open_ticket(both(2), at(0)).await?;
    live.open_ticket(ticket(3, "jiu"), at(0)).await?;
    assert_eq!(live.pools().await?, [("go".to_owned(), 2), ("jiu".to_owned(), 3)]);
    let in_pool = |pool: &str, pair| PairProposal { pool: pool.to_owned(), ..pair };
    let proposals = [
        in_pool("go", pair(1, 3, 1)),
        in_pool("g", pair(1, 2, 2)),
        in_pool("jiu", pair(1, 3, 3)),
        in_pool("go", pair(1, 2, 4)),
    ];
    assert_eq!(live.take_pairs(&proposals, at(1)).await?, [false, false, true, false]);
    let pending = live.pending_matches(at(1), at(2), 9).await?;
    let pending: Vec<_> =
        pending.iter().map(|it| (&*it.pool, it.tickets.each_ref().map(|it| it.id))).collect();
    assert_eq!(pending, [("jiu", [id(1), id(3)])]);
    assert_eq!(live.pools().await?, [("go".to_owned(), 1), ("jiu".to_owned(), 1)]);
    live.fail_match(game(3), &[id(3)], at(3), at(0)).await?;
    assert_eq!(live.pools().await?, [("go".to_owned(), 2), ("jiu".to_owned(), 2)], "one is back in both");
    Ok(())
}

pub(crate) async fn a_vanished_holder_loses_the_match(world: &World) -> Result<()> {
    let (holder, heir) = (world.client().await?, world.client().await?);
    open(world.live(), 1..=4).await?;
    world.live().take_pairs(&[pair(1, 2, 1), pair(3, 4, 2)], at(5)).await?;
    assert_eq!(holder.pending_matches(at(4), at(20), 9).await?, [], "not made yet");
    assert_eq!(holder.pending_matches(at(5), at(20), 1).await?, [pending(1, 2, 1, 20)]);
    drop(holder);
    assert_eq!(heir.pending_matches(at(6), at(30), 9).await?, [pending(3, 4, 2, 30)]);
    assert_eq!(heir.pending_matches(at(19), at(40), 9).await?, []);
    assert_eq!(heir.pending_matches(at(20), at(40), 9).await?, [pending(1, 2, 1, 40)]);
    assert_eq!(heir.pending_matches(at(40), at(50), 9).await?, [pending(3, 4, 2, 50), pending(1, 2, 1, 50)]);
    Ok(())
}

pub(crate) async fn a_settled_match_is_done(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=2).await?;
    live.take_pairs(&[pair(1, 2, 1)], at(1)).await?;
    assert!(live.complete_match(game(1)).await?);
    assert!(!live.complete_match(game(1)).await?);
    assert!(!live.fail_match(game(1), &[id(1)], at(2), at(0)).await?);
    assert_eq!(live.pending_matches(at(9), at(10), 9).await?, []);
    assert_eq!(live.ticket(id(1)).await?, Some(matched(1)));
    Ok(())
}

pub(crate) async fn a_dissolved_match_gives_tickets_back(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=2).await?;
    live.take_pairs(&[pair(1, 2, 1)], at(1)).await?;
    live.pending_matches(at(2), at(100), 9).await?;
    assert!(live.fail_match(game(1), &[id(2), id(3)], at(50), at(0)).await?);
    assert!(!live.fail_match(game(1), &[], at(50), at(0)).await?);
    assert_eq!(live.ticket(id(1)).await?, Some(TicketState::Waiting(waiting(ticket(1, "go"), at(0)))));
    assert_eq!(live.ticket(id(2)).await?, Some(TicketState::Cancelled));
    assert_eq!(live.pending_matches(at(200), at(300), 9).await?, []);
    open(live, 3..=3).await?;
    assert_eq!(live.take_pairs(&[pair(1, 3, 2)], at(60)).await?, [true]);
    assert_eq!(live.ticket(id(1)).await?, Some(matched(2)));
    Ok(())
}

pub(crate) async fn a_returning_ticket_yields_to_a_newer_one(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=2).await?;
    live.take_pairs(&[pair(1, 2, 1)], at(1)).await?;
    let mut newer = ticket(3, "jiu");
    newer.owner = owner(1);
    assert_eq!(live.open_ticket(newer, at(2)).await?, Opened::Created);
    live.fail_match(game(1), &[], at(3), at(0)).await?;
    assert_eq!(live.ticket(id(1)).await?, Some(TicketState::Cancelled));
    assert!(matches!(live.ticket(id(2)).await?, Some(TicketState::Waiting(_))));
    assert!(matches!(live.ticket(id(3)).await?, Some(TicketState::Waiting(_))));
    Ok(())
}

pub(crate) async fn a_dissolved_match_spares_tickets_that_moved_on(world: &World) -> Result<()> {
    let live = world.live();
    open(live, 1..=3).await?;
    live.take_pairs(&[pair(1, 2, 1)], at(1)).await?;
    // Nobody settles the match for so long that its tickets are forgotten, and their ids are used again.
    live.renew_ticket(id(3), at(1).plus(2 * RETENTION)).await?;
    live.expire_tickets(at(1).plus(RETENTION), 9).await?;
    open(live, 1..=1).await?;
    live.take_pairs(&[pair(1, 3, 2)], at(2)).await?;
    assert!(live.fail_match(game(1), &[], at(3), at(0)).await?);
    assert_eq!(live.ticket(id(1)).await?, Some(matched(2)), "it belongs to another match now");
    assert_eq!(live.ticket(id(2)).await?, None, "what is forgotten stays so");
    assert_eq!(live.pools().await?, []);
    Ok(())
}

pub(crate) async fn a_thousand_pairs_in_one_call(world: &World) -> Result<()> {
    let live = world.other_platform(Limits::default()).await?;
    let count = PAIRS_MAX as u128;
    open(live.as_ref(), 0..=2 * count).await?;
    let waiting = live.waiting(None, u32::MAX).await?;
    assert_eq!(waiting.len(), 2 * PAIRS_MAX + 1);
    assert!(waiting.is_sorted_by_key(|ticket| (ticket.since, ticket.id)));
    let pairs: Vec<_> = (0..count).map(|number| pair(2 * number, 2 * number + 1, number)).collect();
    assert_eq!(live.take_pairs(&pairs, at(1)).await?, vec![true; PAIRS_MAX]);
    assert_eq!(live.pools().await?, [("go".to_owned(), 1)]);
    assert_eq!(live.pending_matches(at(1), at(2), u32::MAX).await?.len(), PAIRS_MAX);
    Ok(())
}
