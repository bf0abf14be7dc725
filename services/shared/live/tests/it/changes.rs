//! Changes of tickets by example.

use anyhow::Result;
use live::{Change, Changes, Cursor, Limits};

use crate::examples::{at, game, id, owner, pair, ticket, waiting};
use crate::world::{LIMITS, World};

fn waits(number: u128, pool: &str) -> Change {
    Change::Waits(waiting(ticket(number, pool), at(0)))
}

pub(crate) async fn changes_are_told_in_order_from_any_place(world: &World) -> Result<()> {
    let (live, reader) = (world.live(), world.client().await?);
    assert_eq!(reader.changes(Cursor::START, 9).await?, Changes::Known(Vec::new(), Cursor::START));
    for number in 1..=3 {
        live.open_ticket(ticket(number, if number == 3 { "jiu" } else { "go" }), at(0)).await?;
    }
    live.renew_ticket(id(1), at(2_000)).await?;
    let Changes::Known(changes, place) = reader.changes(Cursor::START, 2).await? else {
        anyhow::bail!("nothing is lost");
    };
    assert_eq!(changes, [waits(1, "go"), waits(2, "go")]);
    live.take_pairs(&[pair(2, 1, 7)], at(5)).await?;
    live.fail_match(game(7), &[id(1)], at(6), at(0)).await?;
    live.cancel_ticket(id(3), owner(3), at(7)).await?;
    live.expire_tickets(at(1_000), 9).await?;
    let Changes::Known(changes, end) = reader.changes(place, 99).await? else {
        anyhow::bail!("nothing is lost");
    };
    let left = |number, micros, is_matched| Change::Left { id: id(number), at: at(micros), is_matched };
    let expected = [
        waits(3, "jiu"),
        left(2, 5, true),
        left(1, 5, true),
        waits(2, "go"),
        left(3, 7, false),
        left(2, 1_000, false),
    ];
    assert_eq!(changes, expected);
    assert!(Cursor::START < place && place < end);
    assert_eq!(reader.changes(end, 9).await?, Changes::Known(Vec::new(), end));
    assert_eq!(reader.changes(place, 0).await?, Changes::Known(Vec::new(), place), "as many as asked for");
    Ok(())
}

pub(crate) async fn who_reads_too_late_is_told_so(world: &World) -> Result<()> {
    let live = world.other_platform(Limits { changes: 3, ..LIMITS }).await?;
    // Redis forgets in blocks.
    for number in 0..500 {
        live.open_ticket(ticket(number, "go"), at(0)).await?;
        live.cancel_ticket(id(number), owner(number), at(0)).await?;
    }
    let Changes::Lost(place) = live.changes(Cursor::START, 9).await? else {
        anyhow::bail!("most are forgotten");
    };
    live.open_ticket(ticket(500, "go"), at(0)).await?;
    let Changes::Known(changes, end) = live.changes(place, 9).await? else {
        anyhow::bail!("the last is known");
    };
    assert_eq!(changes, [waits(500, "go")]);

    // A store that has lost everything has other places.
    let empty = world.other_platform(LIMITS).await?;
    assert!(matches!(empty.changes(end, 9).await?, Changes::Lost(_)));
    empty.open_ticket(ticket(1, "go"), at(0)).await?;
    let Changes::Lost(place) = empty.changes(end, 9).await? else {
        anyhow::bail!("that place is of another life");
    };
    assert_eq!(empty.changes(place, 9).await?, Changes::Known(Vec::new(), place));
    Ok(())
}
