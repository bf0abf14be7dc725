//! Every variant of the registry, from what is said of it to the record of a game: one that was forgotten somewhere
//! is found here.

use rules::VARIANTS;
use tests::{Platform, Shape, Store, variants};

use crate::notation::examples;

async fn platform() -> Platform {
    Platform::start(Shape::One, Store::Embedded).await.expect("the platform starts")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_variant_is_named_where_somebody_looks_for_it() {
    let platform = platform().await;
    for variant in VARIANTS {
        variants::find(&platform, variant).await.unwrap_or_else(|error| panic!("{}: {error:#}", variant.id));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_variant_is_played_and_its_record_comes_back_as_it_was() {
    let platform = platform().await;
    for (settings, acts) in examples() {
        let played = variants::play(&platform, &settings, &acts).await;
        played.unwrap_or_else(|error| panic!("{}: {error:#}", settings.variant));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_variant_is_played_at_two_terminals() {
    let platform = platform().await;
    for variant in VARIANTS {
        variants::sit_down(&platform, variant)
            .await
            .unwrap_or_else(|error| panic!("{}: {error:#}", variant.id));
    }
}
