//! Settings of a platform in files, in the environment and on the command line.

use tests::{Ground, Platform, Shape, Store, command_with};

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_is_set_by_a_file_the_environment_stands_over_it_and_flags_over_both() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("shoutan.toml");
    let text =
        "metrics = \"127.0.0.1:0\"\nconnections = 70\nconnections-per-address = 60\nidle-within = \"1m\"\n";
    std::fs::write(&file, text).expect("it is written");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "a secret of more than thirty-two characters\n").expect("it is written");
    let place = file.display().to_string();
    let variables = [
        ("SHOUTAN_CONFIG", place.as_str()),
        ("SHOUTAN_CONNECTIONS", "71"),
        ("SHOUTAN_CONNECTIONS_PER_ADDRESS", "61"),
        ("SHOUTAN_CLUSTER_SECRET_FILE", secret.to_str().expect("a path")),
    ];
    let line = ["config", "print", "serve", "game", "--connections-per-address", "62"];
    let output = command_with(&variables, line).await.expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for expected in [
        format!("idle-within = \"1m\"  # {place}"),
        "connections = 71  # the variable SHOUTAN_CONNECTIONS".to_owned(),
        "connections-per-address = 62  # the flag --connections-per-address".to_owned(),
        format!("cluster-secret = \"***\"  # {}", secret.display()),
        "stop-within = \"30s\"  # the default".to_owned(),
    ] {
        assert!(shown.lines().any(|line| line == expected), "{expected} is not in\n{shown}");
    }

    let settings = vec![format!("--config={place}")];
    let ground = Ground { settings, ..Ground::default() };
    let platform = Platform::start_on(Shape::One, Store::Embedded, ground).await.expect("it starts");
    assert_eq!(platform.metrics().len(), 1, "the file says where they are");

    std::fs::write(&file, "conections = 70").expect("it is written");
    let output = command_with(&variables, ["up"]).await.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("conections is no setting"), "{said}");
    let output = command_with(&[("SHOUTAN_CONFIG", "/nowhere")], ["limits"]).await.expect("it runs");
    assert!(!output.status.success(), "a file that is named must be there");
}
