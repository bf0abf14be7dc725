//! Every method of leagues can be called from the terminal.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{Args as _, Command};
use prost::Message as _;
use prost_types::FileDescriptorSet;

/// The command of every method.
const COMMANDS: [(&str, &str); 18] = [
    ("CreateLeague", "create"),
    ("GetLeague", "show"),
    ("ListLeagues", "list"),
    ("UpdateLeague", "update"),
    ("CreateSeason", "season add"),
    ("GetSeason", "season show"),
    ("ListSeasons", "season list"),
    ("UpdateSeason", "season edit"),
    ("AdvanceSeason", "start"),
    ("PlaceEntrant", "place"),
    ("RegisterSquad", "register"),
    ("WithdrawSquad", "withdraw"),
    ("StayDown", "stay-down"),
    ("ListSquads", "squads"),
    ("GetLeagueTable", "table"),
    ("ListSeasonLog", "log"),
    ("ListHonours", "honours"),
    ("ListAllTime", "all-time"),
];

#[test]
fn every_method_has_a_command_that_calls_it() {
    let all = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("the protos are there");
    let services = all.file.into_iter().flat_map(|file| file.service);
    let leagues = services.filter(|service| service.name() == "LeagueService");
    let methods: BTreeSet<String> =
        leagues.flat_map(|service| service.method).map(|method| method.name().to_owned()).collect();
    let told: BTreeSet<String> = COMMANDS.iter().map(|(method, _)| (*method).to_owned()).collect();
    assert_eq!(methods, told, "a method without a command, or a command of the table without its method");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/league");
    let sources = fs::read_dir(folder).expect("the sources").map(|it| it.expect("an entry").path());
    let text: String = sources
        .filter(|it| !it.ends_with("methods.rs"))
        .map(|it| fs::read_to_string(it).expect("a source"))
        .collect();
    let league = super::Args::augment_args(Command::new("league"));
    for (method, command) in COMMANDS {
        let mut at = &league;
        for word in command.split(' ') {
            at = at.find_subcommand(word).unwrap_or_else(|| panic!("{method}: there is no `{command}`"));
        }
        assert!(at.get_about().is_some(), "{command}: no help");
        assert!(text.contains(&format!("{method}Request {{")), "{method} is called by no command");
    }
}
