//! The files under `deploy/` speak of settings, ports and services that there are, and of all of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::tracked;

/// What a setting begins with.
const PREFIX: &str = "SHOUTAN_";
/// Settings that are no flags: the file of settings, which is read before the flags are, and a password.
const BESIDE: [&str; 2] = ["SHOUTAN_CONFIG", "SHOUTAN_PASSWORD"];
/// The gateway, and its port: it is no service.
const GATEWAY: (&str, u16) = ("gateway", 7400);

fn deployed() -> Vec<(String, String)> {
    tracked(&[""]).into_iter().filter(|(name, _)| name.starts_with("deploy/")).collect()
}

fn file<'a>(files: &'a [(String, String)], name: &str) -> &'a str {
    files
        .iter()
        .find(|(known, _)| known == name)
        .map_or_else(|| panic!("{name} is missing"), |(_, text)| text)
}

/// The settings of the command, by its source.
fn settings() -> BTreeSet<String> {
    let of_command =
        tracked(&[".rs"]).into_iter().filter(|(name, _)| name.starts_with("services/shoutan/src/"));
    let mut settings: BTreeSet<String> = BESIDE.map(str::to_owned).into();
    for (_, text) in of_command {
        let named = text.split("env = \"").skip(1).filter_map(|rest| rest.split_once('"'));
        settings.extend(named.map(|(name, _)| name.to_owned()));
    }
    settings
}

/// The names in a text that begin as those of settings do.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    words.filter(|word| word.starts_with(PREFIX) && word.len() > PREFIX.len())
}

/// The ports of the services, by their sources, and of the gateway.
fn ports() -> BTreeMap<String, u16> {
    let libraries = tracked(&["src/lib.rs"]).into_iter();
    let service = |(name, text): (String, String)| {
        let service = name.strip_prefix("services/")?.strip_suffix("/src/lib.rs")?.to_owned();
        let port = text.split_once("port: ")?.1.split(',').next()?.replace('_', "").parse().ok()?;
        Some((service, port))
    };
    libraries.filter_map(service).chain([(GATEWAY.0.to_owned(), GATEWAY.1)]).collect()
}

#[test]
fn every_setting_of_a_deployment_is_one_of_the_command() {
    let settings = settings();
    assert!(settings.contains("SHOUTAN_LISTEN") && settings.len() > 20, "{settings:?}");
    let is_known = |name: &str| {
        let of_file = name.strip_suffix("_FILE");
        settings.contains(name) || of_file.is_some_and(|name| settings.contains(name))
    };
    for (file, text) in deployed() {
        let unknown: Vec<&str> = named(&text).filter(|name| !is_known(name)).collect();
        assert!(unknown.is_empty(), "{file} speaks of {unknown:?}");
    }
}

#[test]
fn every_service_is_deployed_where_the_others_look_for_it() {
    let (files, ports) = (deployed(), ports());
    assert_eq!(ports.len(), 7, "{ports:?}");
    let (compose, shared) =
        (file(&files, "deploy/compose.yaml"), file(&files, "deploy/kubernetes/shoutan.yaml"));
    let watched = file(&files, "deploy/prometheus/compose.yml");
    for (service, port) in &ports {
        let manifest = file(&files, &format!("deploy/kubernetes/{service}.yaml")).to_owned();
        assert!(manifest.contains(&format!("args: [serve, {service}]")), "{service}");
        let listens = format!("SHOUTAN_LISTEN, value: \"0.0.0.0:{port}\"");
        assert!(manifest.contains(&listens), "{service} does not listen at {port} in Kubernetes");
        let in_compose = format!("command: [serve, {service}]");
        let after = compose.split_once(&in_compose).map(|(_, after)| after).unwrap_or_default();
        let own: String = after.lines().take(2).collect();
        assert!(own.contains(&format!("0.0.0.0:{port}")), "{service} does not listen at {port} in compose");
        assert!(watched.split(&['[', ']', ',', ' ']).any(|name| name == service), "{service} is not watched");
        if service != GATEWAY.0 {
            // Who calls the games asks the proxy before them.
            let host = if service == "game" { "envoy" } else { service };
            let url = format!("SHOUTAN_{}_URL: http://{host}:{port}\n", service.to_uppercase());
            assert!(compose.contains(&url) && shared.contains(&url), "{url}");
        }
    }
}

#[test]
fn envoy_chooses_by_what_calls_say_of_their_game() {
    let files = deployed();
    let envoy = file(&files, "deploy/envoy/games.yaml");
    assert!(envoy.contains(&format!("header_name: {}", chassis::affinity::GAME_HEADER)));
    assert!(envoy.contains(&format!("port_value: {} }}", ports()["game"])));
    let of = |name: &str| {
        let images =
            file(&files, name).lines().filter_map(|line| line.trim().strip_prefix("image: envoyproxy"));
        images.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(of("deploy/compose.yaml"), of("deploy/kubernetes/envoy.yaml"), "one version of Envoy");
}
