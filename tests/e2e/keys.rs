//! The key that seals what is secret in the databases.

use std::{os::unix::fs::PermissionsExt as _, path::Path, time::Duration};

use tests::{Platform, bot, command, shapes};

/// A running service looks for a new signing key after five seconds.
const RELOADED: Duration = Duration::from_secs(6);

/// How many keys the file has.
fn keys(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).expect("the key is there");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_seals_everything_beside_a_running_platform_that_goes_on() {
    let (shape, store) = shapes().remove(0);
    let mut platform = Platform::start(shape, store).await.expect("the platform starts");
    let plain = platform.transport();
    bot(&plain).await.expect("signs in");
    let file = platform.folder().join("key");
    let rights = std::fs::metadata(&file).expect("a key was made").permissions().mode() & 0o777;
    assert_eq!((rights, keys(&file)), (0o600, 1));

    let data = platform.folder().display().to_string();
    let done = command(["keys", "renew", "--data", &data]).await.expect("it runs");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    // The signing key, and identity's own secret.
    assert!(said.trim_end().ends_with(": 2"), "{said}");
    assert_eq!(keys(&file), 2);
    tokio::time::sleep(RELOADED).await;
    bot(&plain).await.expect("the running platform has found the new key");

    let name = platform.names()[0];
    platform.kill(name).await.expect("it is there");
    let old = std::fs::read_to_string(&file).expect("the keys");
    let newest = old.lines().find(|line| !line.starts_with('#')).expect("a key");
    std::fs::write(&file, newest).expect("the old key is taken out");
    platform.restart(name).await.expect("it starts with the new key alone");
    bot(&plain).await.expect("signs in");
}
