//! Fan-out by example.

use std::time::Duration;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use live::limits::{MESSAGE_MAX, TOPIC_DEPTH};
use live::{Received, Subscription};

use crate::world::World;

/// How long a test waits for what must come.
const RETRY: Duration = Duration::from_secs(20);

pub(crate) async fn next(subscription: &mut Subscription) -> Result<Received> {
    tokio::time::timeout(RETRY, subscription.recv()).await.context("nothing came")
}

pub(crate) fn message(number: usize) -> Bytes {
    Bytes::from(number.to_string())
}

pub(crate) async fn what_is_published_arrives_in_order(world: &World) -> Result<()> {
    let (speaker, hearer) = (world.client().await?, world.client().await?);
    speaker.publish("game:1", "nobody hears this".into()).await?;
    let mut near = speaker.subscribe("game:1").await?;
    let mut far = hearer.subscribe("game:1").await?;
    for number in 0..TOPIC_DEPTH {
        speaker.publish("game:1", message(number)).await?;
    }
    for number in 0..TOPIC_DEPTH {
        assert_eq!(next(&mut near).await?, Received::Message(message(number)));
        assert_eq!(next(&mut far).await?, Received::Message(message(number)));
    }
    drop(near);
    speaker.publish("game:1", message(99)).await?;
    assert_eq!(next(&mut far).await?, Received::Message(message(99)), "the other's leaving does not matter");
    Ok(())
}

pub(crate) async fn each_topic_has_its_own_listeners(world: &World) -> Result<()> {
    let live = world.live();
    let mut listeners = Vec::new();
    for topic in 0..100 {
        listeners.push(live.subscribe(&format!("game:{topic}")).await?);
    }
    for topic in 0..100 {
        live.publish(&format!("game:{topic}"), message(topic)).await?;
    }
    for (topic, listener) in listeners.iter_mut().enumerate() {
        assert_eq!(next(listener).await?, Received::Message(message(topic)));
    }
    Ok(())
}

pub(crate) async fn the_slow_learn_what_they_missed(world: &World) -> Result<()> {
    let live = world.live();
    let (mut slow, mut witness) = (live.subscribe("game:1").await?, live.subscribe("game:1").await?);
    for number in 0..TOPIC_DEPTH + 10 {
        live.publish("game:1", message(number)).await?;
        assert_eq!(next(&mut witness).await?, Received::Message(message(number)));
    }
    assert_eq!(next(&mut slow).await?, Received::Lagged(10));
    for number in 10..TOPIC_DEPTH + 10 {
        assert_eq!(next(&mut slow).await?, Received::Message(message(number)));
    }
    Ok(())
}

pub(crate) async fn listening_again_at_once_works(world: &World) -> Result<()> {
    let live = world.live();
    for number in 0..200 {
        let mut listener = live.subscribe("game:1").await?;
        live.publish("game:1", message(number)).await?;
        assert_eq!(next(&mut listener).await?, Received::Message(message(number)));
    }
    Ok(())
}

pub(crate) async fn messages_are_bytes(world: &World) -> Result<()> {
    let live = world.live();
    let mut listener = live.subscribe("game:\u{624b}\u{8c08} {}*?").await?;
    let everything: Vec<u8> = (0..=255).collect();
    for message in [Vec::new(), everything, vec![0; MESSAGE_MAX]].map(Bytes::from) {
        live.publish("game:\u{624b}\u{8c08} {}*?", message.clone()).await?;
        assert_eq!(next(&mut listener).await?, Received::Message(message));
    }
    Ok(())
}
