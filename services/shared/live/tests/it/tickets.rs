//! Tickets by example.

use anyhow::Result;
use live::limits::RETENTION;
use live::{Cancelled, NewTicket, Opened, TicketState};

use crate::examples::{at, id, matched, owner, pair, ticket, waiting};
use crate::world::World;

pub(crate) async fn a_ticket_waits_until_cancelled(world: &World) -> Result<()> {
    let live = world.live();
    assert_eq!(live.ticket(id(1)).await?, None);
    assert_eq!(live.cancel_ticket(id(1), owner(1), at(0)).await?, Cancelled::Unknown);
    assert_eq!(live.open_ticket(ticket(1, "go"), at(5)).await?, Opened::Created);
    assert_eq!(live.ticket(id(1)).await?, Some(TicketState::Waiting(waiting(ticket(1, "go"), at(5)))));
    assert_eq!(live.pools().await?, [("go".to_owned(), 1)]);
    assert_eq!(live.cancel_ticket(id(1), owner(2), at(6)).await?, Cancelled::Unknown);
    assert_eq!(live.cancel_ticket(id(1), owner(1), at(6)).await?, Cancelled::Done);
    assert_eq!(live.cancel_ticket(id(1), owner(1), at(7)).await?, Cancelled::Already);
    assert_eq!(live.ticket(id(1)).await?, Some(TicketState::Cancelled));
    assert_eq!(live.pools().await?, []);
    assert_eq!(live.waiting(None, 9).await?, []);
    Ok(())
}

pub(crate) async fn opening_again_changes_nothing(world: &World) -> Result<()> {
    let live = world.live();
    let first = waiting(ticket(1, "go"), at(5));
    live.open_ticket(ticket(1, "go"), at(5)).await?;
    let mut again = ticket(1, "go");
    (again.standing, again.expires_at) = ("another".into(), at(9_999));
    assert_eq!(live.open_ticket(again, at(6)).await?, Opened::AlreadyExists(TicketState::Waiting(first)));

    let mut by_other = ticket(1, "go");
    by_other.owner = owner(2);
    let mut about_other = ticket(1, "go");
    about_other.payload = "something else".into();
    for other in [ticket(1, "jiu"), by_other, about_other] {
        assert_eq!(live.open_ticket(other, at(6)).await?, Opened::Conflict);
    }

    live.cancel_ticket(id(1), owner(1), at(7)).await?;
    assert_eq!(
        live.open_ticket(ticket(1, "go"), at(8)).await?,
        Opened::AlreadyExists(TicketState::Cancelled)
    );
    assert_eq!(live.open_ticket(ticket(1, "jiu"), at(8)).await?, Opened::Conflict);
    Ok(())
}

pub(crate) async fn an_owner_waits_once(world: &World) -> Result<()> {
    let live = world.live();
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    let mut second = ticket(2, "jiu");
    second.owner = owner(1);
    assert_eq!(live.open_ticket(second.clone(), at(1)).await?, Opened::OwnerBusy(id(1)));
    live.cancel_ticket(id(1), owner(1), at(2)).await?;
    assert_eq!(live.open_ticket(second, at(3)).await?, Opened::Created);
    Ok(())
}

pub(crate) async fn a_full_pool_takes_no_more(world: &World) -> Result<()> {
    let live = world.live();
    for number in 0..4 {
        assert_eq!(live.open_ticket(ticket(number, "go"), at(0)).await?, Opened::Created);
    }
    assert_eq!(live.open_ticket(ticket(4, "go"), at(0)).await?, Opened::PoolFull);
    assert_eq!(live.ticket(id(4)).await?, None);
    assert_eq!(live.open_ticket(ticket(5, "jiu"), at(0)).await?, Opened::Created);
    let both = NewTicket { pools: vec!["jiu".to_owned(), "go".to_owned()], ..ticket(6, "go") };
    assert_eq!(live.open_ticket(both, at(0)).await?, Opened::PoolFull, "one of two is full");
    live.cancel_ticket(id(0), owner(0), at(1)).await?;
    assert_eq!(live.open_ticket(ticket(4, "go"), at(2)).await?, Opened::Created);
    assert_eq!(live.pools().await?, [("go".to_owned(), 4), ("jiu".to_owned(), 1)]);
    Ok(())
}

pub(crate) async fn holding_only_extends(world: &World) -> Result<()> {
    let live = world.live();
    assert_eq!(live.renew_ticket(id(1), at(9)).await?, None);
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    for (until, expires_at) in [(2_000, 2_000), (1_500, 2_000), (2_000, 2_000), (3_000, 3_000)] {
        let mut expected = waiting(ticket(1, "go"), at(0));
        expected.expires_at = at(expires_at);
        let state = live.renew_ticket(id(1), at(until)).await?;
        assert_eq!(state, Some(TicketState::Waiting(expected.clone())));
        assert_eq!(live.waiting(None, 9).await?, [expected]);
    }
    assert!(live.expire_tickets(at(2_999), 9).await?.is_empty());
    assert_eq!(live.expire_tickets(at(3_000), 9).await?, [id(1)]);
    assert_eq!(live.renew_ticket(id(1), at(4_000)).await?, Some(TicketState::Expired));
    Ok(())
}

pub(crate) async fn many_are_held_in_one_call(world: &World) -> Result<()> {
    let live = world.live();
    for number in 1..=3 {
        live.open_ticket(ticket(number, "go"), at(0)).await?;
    }
    live.cancel_ticket(id(2), owner(2), at(1)).await?;
    let ids = [id(3), id(2), id(9), id(1)];
    assert_eq!(live.renew_tickets(&ids, at(5_000)).await?, [id(2), id(9)], "those that do not wait");
    assert!(live.expire_tickets(at(4_999), 9).await?.is_empty());
    assert_eq!(live.renew_tickets(&ids, at(4_000)).await?, [id(2), id(9)]);
    assert_eq!(live.expire_tickets(at(5_000), 9).await?, [id(1), id(3)], "held until then, and no longer");
    assert!(live.renew_tickets(&[], at(9_000)).await?.is_empty());
    Ok(())
}

pub(crate) async fn what_nobody_holds_expires(world: &World) -> Result<()> {
    let live = world.live();
    for (number, expires_at) in [(1, 30), (2, 10), (3, 20), (4, 20)] {
        let mut ticket = ticket(number, "go");
        ticket.expires_at = at(expires_at);
        live.open_ticket(ticket, at(0)).await?;
    }
    assert!(live.expire_tickets(at(9), 9).await?.is_empty());
    assert_eq!(live.expire_tickets(at(25), 2).await?, [id(2), id(3)]);
    assert_eq!(live.expire_tickets(at(25), 2).await?, [id(4)]);
    assert_eq!(
        live.renew_ticket(id(1), at(100)).await?.map(|state| state == TicketState::Expired),
        Some(false)
    );
    assert!(live.expire_tickets(at(99), 2).await?.is_empty(), "a ticket that is held late is saved");
    assert_eq!(live.ticket(id(2)).await?, Some(TicketState::Expired));
    assert_eq!(live.pools().await?, [("go".to_owned(), 1)]);
    Ok(())
}

pub(crate) async fn ended_tickets_are_kept_for_an_hour(world: &World) -> Result<()> {
    let live = world.live();
    for number in 1..=4 {
        live.open_ticket(ticket(number, "go"), at(0)).await?;
    }
    live.take_pairs(&[pair(1, 2, 1)], at(1)).await?;
    live.cancel_ticket(id(3), owner(3), at(2)).await?;
    live.renew_ticket(id(4), at(1).plus(2 * RETENTION)).await?;
    live.expire_tickets(at(0).plus(RETENTION), 9).await?;
    assert_eq!(live.ticket(id(1)).await?, Some(matched(1)));
    live.expire_tickets(at(1).plus(RETENTION), 1).await?;
    assert_eq!(live.ticket(id(1)).await?, None);
    assert_eq!(live.ticket(id(2)).await?, Some(matched(1)), "no more than asked for");
    live.expire_tickets(at(1).plus(RETENTION), 9).await?;
    assert_eq!(live.ticket(id(2)).await?, None);
    assert_eq!(live.ticket(id(3)).await?, Some(TicketState::Cancelled));
    live.expire_tickets(at(2).plus(RETENTION), 9).await?;
    assert_eq!(live.ticket(id(3)).await?, None);
    assert_eq!(live.waiting(None, 9).await?.len(), 1, "who waits is not forgotten");
    assert_eq!(live.open_ticket(ticket(3, "jiu"), at(9)).await?, Opened::Created, "nobody remembers the id");
    Ok(())
}

pub(crate) async fn the_waiting_are_listed_oldest_first(world: &World) -> Result<()> {
    let live = world.live();
    for (number, since) in [(3, 5), (1, 7), (2, 5), (4, 1)] {
        live.open_ticket(ticket(number, "go"), at(since)).await?;
    }
    let ids = |tickets: Vec<live::Ticket>| tickets.iter().map(|ticket| ticket.id).collect::<Vec<_>>();
    assert_eq!(ids(live.waiting(None, 9).await?), [id(4), id(2), id(3), id(1)]);
    assert_eq!(ids(live.waiting(None, 2).await?), [id(4), id(2)]);
    assert!(ids(live.waiting(None, 0).await?).is_empty());
    let after = async |since, number| {
        Ok::<_, live::LiveError>(ids(live.waiting(Some((at(since), id(number))), 2).await?))
    };
    assert_eq!(after(1, 4).await?, [id(2), id(3)]);
    assert_eq!(after(5, 2).await?, [id(3), id(1)], "who waits equally long stands by id");
    assert!(after(7, 1).await?.is_empty());
    live.cancel_ticket(id(2), owner(2), at(8)).await?;
    assert_eq!(after(5, 2).await?, [id(3), id(1)], "the place is there though the ticket is not");
    assert_eq!(after(0, 9).await?, [id(4), id(3)]);
    live.open_ticket(ticket(5, "jiu"), at(0)).await?;
    assert_eq!(ids(live.waiting(None, 1).await?), [id(5)], "whatever its pools");
    Ok(())
}
