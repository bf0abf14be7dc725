//! What must hold when two clients do the same thing at the same time.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::Result;
use live::{Live, Opened, Quota, Throttle, TicketState};
use tokio::task::JoinSet;

use crate::examples::{at, deadline, game, id, owner, pair, ticket};
use crate::world::World;

/// Runs `count` calls at once, by two clients in turn, and collects their answers.
async fn at_once<T, F>(world: &World, count: u128, call: impl Fn(Arc<dyn Live>, u128) -> F) -> Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
{
    let clients = [world.client().await?, world.client().await?];
    let mut calls = JoinSet::new();
    for number in 0..count {
        calls.spawn(call(clients[usize::from(number % 2 == 1)].clone(), number));
    }
    calls.join_all().await.into_iter().collect()
}

pub(crate) async fn no_ticket_gets_two_matches(world: &World) -> Result<()> {
    let live = world.live();
    for round in 0..10 {
        for number in 0..4 {
            live.open_ticket(ticket(10 * round + number, "go"), at(0)).await?;
        }
        // Eight calls, each with a different order of all pairs of four tickets.
        let taken = at_once(world, 8, |client, caller| async move {
            let all = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let mut pairs: Vec<_> = (100 * round + 10 * caller..)
                .zip(all)
                .map(|(number, (a, b))| pair(10 * round + a, 10 * round + b, number))
                .collect();
            pairs.rotate_left(usize::try_from(caller)? % all.len());
            let taken = client.take_pairs(&pairs, at(1)).await?;
            Ok(pairs
                .into_iter()
                .zip(taken)
                .filter_map(|(pair, taken)| taken.then_some(pair))
                .collect::<Vec<_>>())
        })
        .await?;
        let taken: Vec<_> = taken.concat();
        assert_eq!(taken.len(), 2, "four tickets, two matches");
        for pair in &taken {
            for id in [pair.first, pair.second] {
                let match_id = pair.match_id;
                assert_eq!(live.ticket(id).await?, Some(TicketState::Matched { match_id }));
            }
        }
        let pending = live.pending_matches(at(1), at(2), 9).await?;
        let pending: HashSet<_> = pending.into_iter().map(|pending| pending.match_id).collect();
        assert_eq!(pending, taken.iter().map(|pair| pair.match_id).collect());
        for match_id in pending {
            live.complete_match(match_id).await?;
        }
    }
    Ok(())
}

pub(crate) async fn one_contender_gets_the_lease(world: &World) -> Result<()> {
    let now = at(0);
    let taken = at_once(world, 20, |client, number| async move {
        Ok(client.lease("job", owner(number), now, at(10)).await?)
    })
    .await?;
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    Ok(())
}

pub(crate) async fn due_deadlines_go_to_one_taker(world: &World) -> Result<()> {
    let live = world.live();
    let queues = ["a", "b", "c", "d"];
    for queue in queues {
        for key in 0..3 {
            live.set_deadline(deadline(queue, key, 0, 0)).await?;
        }
        let taken =
            at_once(world, 6, |client, _| async move { Ok(client.take_due(queue, at(0), at(9), 2).await?) })
                .await?
                .concat();
        let keys: HashSet<_> = taken.iter().map(|deadline| deadline.key).collect();
        assert_eq!((taken.len(), keys.len()), (3, 3), "each once");
    }
    Ok(())
}

pub(crate) async fn pending_matches_go_to_one_holder(world: &World) -> Result<()> {
    let live = world.live();
    for number in 0..4 {
        live.open_ticket(ticket(number, "go"), at(0)).await?;
    }
    live.take_pairs(&[pair(0, 1, 0), pair(2, 3, 1)], at(0)).await?;
    let taken =
        at_once(world, 8, |client, _| async move { Ok(client.pending_matches(at(0), at(9), 1).await?) })
            .await?
            .concat();
    let mut ids: Vec<_> = taken.iter().map(|pending| pending.match_id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [game(0), game(1)]);
    Ok(())
}

pub(crate) async fn no_try_slips_through(world: &World) -> Result<()> {
    let quota = Quota { limit: 7, window_us: 1_000_000 };
    let answers =
        at_once(world, 40, |client, _| async move { Ok(client.count("login:1", quota, at(0)).await?) })
            .await?;
    let mut left: Vec<_> = answers
        .into_iter()
        .filter_map(|answer| match answer {
            Throttle::Allowed { left } => Some(left),
            Throttle::Refused { .. } => None,
        })
        .collect();
    left.sort_unstable();
    assert_eq!(left, [0, 1, 2, 3, 4, 5, 6]);
    Ok(())
}

pub(crate) async fn one_ticket_an_owner(world: &World) -> Result<()> {
    let answers = at_once(world, 20, |client, number| async move {
        let mut ticket = ticket(number, "go");
        ticket.owner = owner(0);
        Ok((ticket.id, client.open_ticket(ticket, at(0)).await?))
    })
    .await?;
    let winners: Vec<_> =
        answers.iter().filter_map(|(id, opened)| (*opened == Opened::Created).then_some(*id)).collect();
    let [winner] = winners[..] else { panic!("{answers:?}") };
    assert!(answers.iter().all(|(id, opened)| *id == winner || *opened == Opened::OwnerBusy(winner)));
    assert_eq!(world.live().waiting(None, 99).await?.len(), 1);
    assert!(matches!(world.live().ticket(winner).await?, Some(TicketState::Waiting(_))));
    Ok(())
}

pub(crate) async fn no_presence_is_lost(world: &World) -> Result<()> {
    // Five entries fit; of twenty that come at once five are taken.
    let taken = at_once(world, 20, |client, number| async move {
        Ok((
            number,
            client.renew_presence("game", id(number % 2), &[owner(number)], at(0), at(9)).await.is_ok(),
        ))
    })
    .await?;
    assert_eq!(taken.iter().filter(|(_, taken)| *taken).count(), 5);
    assert_eq!(world.live().count_present("game", at(8)).await?, 5);
    for (number, taken) in taken {
        assert_eq!(world.live().is_present("game", owner(number), at(8)).await?, taken);
    }
    Ok(())
}
