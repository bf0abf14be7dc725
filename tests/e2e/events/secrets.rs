//! The secret from which the draws of an event follow, sealed with a new key while the event runs.

use tests::{
    Platform, bots, command,
    held::{Federation, Held},
    shapes,
};

use super::swiss::settings;

#[tokio::test(flavor = "multi_thread")]
async fn draws_go_on_with_a_new_key_alone() {
    let (shape, store) = shapes().remove(0);
    let mut platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "围棋协会", "Go Association").await;
    let mut held = Held::new(&federation, settings(2, 4)).await;
    held.enter_new(&federation, bots(&transport, 4).await.expect("all sign in")).await;
    held.run().await;
    let data = platform.folder().display().to_string();
    let done = command(["keys", "renew", "--data", &data]).await.expect("it runs");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    // The signing key, identity's own secret, and the secret of the draws.
    assert!(done.status.success() && said.trim_end().ends_with(": 3"), "{said}{done:?}");

    let name = platform.names()[0];
    platform.kill(name).await.expect("it is there");
    let file = platform.folder().join("key");
    let keys = std::fs::read_to_string(&file).expect("the keys");
    let newest = keys.lines().find(|line| !line.starts_with('#')).expect("a key");
    std::fs::write(&file, newest).expect("the old key is taken out");
    platform.restart(name).await.expect("it starts with the new key alone");
    assert_eq!(held.pair(1).await.pairings.len(), 2, "the draw follows from the secret");
    held.start(1).await;
}
