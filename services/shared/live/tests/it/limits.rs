//! Limits, nonsense, and what lies between platforms.

use anyhow::Result;
use bytes::Bytes;
use live::limits::{
    BATCH_MAX, DEADLINE_PAYLOAD_MAX, HELD_MAX, MESSAGE_MAX, NAME_LEN_MAX, PAIRS_MAX, TICKET_PAYLOAD_MAX,
    TICKET_POOLS_MAX, TICKET_STANDING_MAX, WINDOW_US_MAX,
};
use live::{Limits, LiveError, NewTicket, Opened, PairProposal, Quota, Received, Throttle};

use crate::examples::{at, deadline, id, owner, pair, ticket};
use crate::fanout::{message, next};
use crate::world::{LIMITS, World};

fn zeros(len: usize) -> Bytes {
    vec![0; len].into()
}

pub(crate) async fn what_is_too_large_is_refused(world: &World) -> Result<()> {
    let live = world.live();
    let name = "x".repeat(NAME_LEN_MAX);
    let (mut fits, mut large) = (ticket(1, &name), ticket(1, &name));
    fits.payload = zeros(TICKET_PAYLOAD_MAX);
    large.payload = zeros(TICKET_PAYLOAD_MAX + 1);
    let pairs = vec![pair(1, 2, 1); PAIRS_MAX + 1];
    let (mut fitting, mut larger) = (deadline(&name, 1, 1, 1), deadline(&name, 1, 2, 1));
    fitting.payload = zeros(DEADLINE_PAYLOAD_MAX);
    larger.payload = zeros(DEADLINE_PAYLOAD_MAX + 1);

    let mut refusals = vec![
        live.open_ticket(large, at(0)).await.err(),
        live.take_pairs(&pairs, at(0)).await.err(),
        live.set_deadline(larger).await.err(),
        live.publish("game:1", zeros(MESSAGE_MAX + 1)).await.err(),
    ];
    let mut many = fits.clone();
    many.pools = (0..=TICKET_POOLS_MAX).map(|number| format!("pool {number}")).collect();
    refusals.push(live.open_ticket(many, at(0)).await.err());
    refusals.push(live.renew_tickets(&vec![id(1); HELD_MAX + 1], at(0)).await.err());
    let mut too_large = fits.clone();
    too_large.standing = zeros(TICKET_STANDING_MAX + 1);
    refusals.push(live.open_ticket(too_large, at(0)).await.err());
    for refusal in refusals {
        assert!(matches!(refusal, Some(LiveError::TooLarge { .. })), "{refusal:?}");
    }
    assert_eq!(live.open_ticket(fits, at(0)).await?, Opened::Created);
    assert!(live.set_deadline(fitting).await?);
    assert_eq!(live.waiting(None, 1).await?[0].payload, zeros(TICKET_PAYLOAD_MAX));
    Ok(())
}

pub(crate) async fn what_makes_no_sense_is_refused(world: &World) -> Result<()> {
    let live = world.live();
    let quota = Quota { limit: 1, window_us: 1 };
    for name in ["", &"x".repeat(NAME_LEN_MAX + 1)] {
        let refusals = [
            live.open_ticket(ticket(1, name), at(0)).await.err(),
            live.take_pairs(&[PairProposal { pool: name.to_owned(), ..pair(1, 2, 1) }], at(0)).await.err(),
            live.set_deadline(deadline(name, 1, 1, 1)).await.err(),
            live.deadline(name, id(1)).await.err(),
            live.take_due(name, at(0), at(1), 1).await.err(),
            live.clear_deadline(name, id(1), 1).await.err(),
            live.next_due(name).await.err(),
            live.lease(name, owner(1), at(0), at(1)).await.err(),
            live.release(name, owner(1)).await.err(),
            live.publish(name, message(0)).await.err(),
            live.subscribe(name).await.err(),
            live.count(name, quota, at(0)).await.err(),
            live.forgive(name).await.err(),
        ];
        for refusal in refusals {
            assert!(
                matches!(refusal, Some(LiveError::Invalid { .. } | LiveError::TooLarge { .. })),
                "{refusal:?}"
            );
        }
    }
    for pools in [&[][..], &["go", "go"], &["go", "two\nlines"]] {
        let pools = pools.iter().map(|pool| (*pool).to_owned()).collect();
        let refusal = live.open_ticket(NewTicket { pools, ..ticket(1, "go") }, at(0)).await.err();
        assert!(matches!(refusal, Some(LiveError::Invalid { .. })), "{refusal:?}");
    }
    for (limit, window_us) in [(0, 10), (11, 10), (1, WINDOW_US_MAX + 1), (1, 0)] {
        let answer = live.count("key", Quota { limit, window_us }, at(0)).await;
        assert!(matches!(answer, Err(LiveError::Invalid { .. })), "{answer:?}");
    }
    let longest = Quota { limit: 1, window_us: WINDOW_US_MAX };
    assert_eq!(live.count("key", longest, at(0)).await?, Throttle::Allowed { left: 0 });
    Ok(())
}

pub(crate) async fn batches_end(world: &World) -> Result<()> {
    let live = world.other_platform(Limits::default()).await?;
    for key in 0..=u128::from(BATCH_MAX) {
        live.set_deadline(deadline("flags", key, 0, 0)).await?;
    }
    assert_eq!(live.take_due("flags", at(0), at(1), u32::MAX).await?.len(), BATCH_MAX as usize);
    assert_eq!(live.take_due("flags", at(0), at(1), u32::MAX).await?.len(), 1);
    assert_eq!(live.take_due("flags", at(1), at(2), 0).await?, []);
    Ok(())
}

pub(crate) async fn platforms_do_not_meet(world: &World) -> Result<()> {
    let (one, two) = (world.live(), world.other_platform(LIMITS).await?);
    one.open_ticket(ticket(1, "go"), at(0)).await?;
    one.set_deadline(deadline("flags", 1, 0, 0)).await?;
    one.lease("job", owner(1), at(0), at(9)).await?;
    let quota = Quota { limit: 1, window_us: 10 };
    one.count("key", quota, at(0)).await?;
    assert_eq!(two.ticket(id(1)).await?, None);
    assert_eq!(two.pools().await?, []);
    assert_eq!(two.next_due("flags").await?, None);
    assert!(two.lease("job", owner(2), at(0), at(9)).await?);
    assert_eq!(two.count("key", quota, at(0)).await?, Throttle::Allowed { left: 0 });
    let mut listener = two.subscribe("game:1").await?;
    one.publish("game:1", message(1)).await?;
    two.publish("game:1", message(2)).await?;
    assert_eq!(next(&mut listener).await?, Received::Message(message(2)));
    Ok(())
}

pub(crate) async fn the_store_gives_a_sign_of_life(world: &World) -> Result<()> {
    world.live().prove().await?;
    Ok(())
}
