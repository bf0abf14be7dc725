//! Every method of events can be called from the terminal.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{Args as _, Command};
use prost::Message as _;
use prost_types::FileDescriptorSet;

/// The command of every method.
const COMMANDS: [(&str, &str); 64] = [
    ("CreateEvent", "create"),
    ("GetEvent", "show"),
    ("ListEvents", "list"),
    ("GetSupplement", "supplement"),
    ("ListReadings", "readings"),
    ("UpdateEvent", "update"),
    ("AdoptEvent", "adopt"),
    ("AdvanceEvent", "advance"),
    ("CancelEvent", "cancel"),
    ("CheckOff", "check"),
    ("AppointOfficial", "appoint"),
    ("DismissOfficial", "dismiss"),
    ("CommitSeed", "commit-seed"),
    ("EnterEvent", "enter"),
    ("AcceptSupplement", "accept"),
    ("ChangeEntry", "withdraw"),
    ("UpdateEntry", "correct"),
    ("ProhibitPairing", "prohibit"),
    ("EditPairings", "edit"),
    ("PublishRound", "publish"),
    ("RetractRound", "retract"),
    ("StartRound", "start"),
    ("EnterResult", "result"),
    ("ConfirmResult", "confirm"),
    ("ReplayBoard", "replay"),
    ("FileReport", "report"),
    ("AssessArbiter", "assess"),
    ("PairRound", "pair"),
    ("GetRound", "round"),
    ("ListEntrants", "entrants"),
    ("GetStandings", "standings"),
    ("ListLog", "log"),
    ("WatchEvent", "watch"),
    ("WatchBoards", "boards"),
    ("EnterTeam", "enter-team"),
    ("ChangeTeamEntry", "team withdraw"),
    ("DeclareLineUp", "declare"),
    ("RevealLineUp", "reveal"),
    ("ListEventTeams", "teams"),
    ("GetTeamMatch", "match"),
    ("ListTeamMatches", "matches"),
    ("Challenge", "challenge"),
    ("AnswerChallenge", "answer"),
    ("CheckIn", "check-in"),
    ("PostponeBoard", "postpone"),
    ("ProposeGame", "propose"),
    ("AcceptProposal", "accept-time"),
    ("DeclineProposal", "decline"),
    ("TakeLeave", "leave take"),
    ("EndLeave", "leave end"),
    ("ListLeaves", "leave list"),
    ("ReportIncident", "incident report"),
    ("RuleOnIncident", "incident rule"),
    ("AppealRuling", "incident appeal"),
    ("RuleOnAppeal", "incident grant"),
    ("RuleOnAppeal", "incident refuse"),
    ("ListEventIncidents", "incident list"),
    ("ListNotes", "notes"),
    ("AmendEvent", "amend"),
    ("FileStatement", "statement"),
    ("SeatArbiters", "seat"),
    ("SettleTies", "settle-ties"),
    ("ChangeCaptain", "captain"),
    ("ChangeRoster", "team players"),
];

/// The methods of the service of events, as its proto has them.
fn methods() -> BTreeSet<String> {
    let all = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("the protos are there");
    let services = all.file.into_iter().flat_map(|file| file.service);
    let events = services.filter(|service| service.name() == "EventService");
    events.flat_map(|service| service.method).map(|method| method.name().to_owned()).collect()
}

#[test]
fn every_method_has_a_command_and_every_command_of_the_table_is_there() {
    let told: BTreeSet<String> = COMMANDS.iter().map(|(method, _)| (*method).to_owned()).collect();
    assert_eq!(methods(), told, "a method without a command, or a command of the table without its method");
    let event = super::Args::augment_args(Command::new("event"));
    for (method, command) in COMMANDS {
        let mut at = &event;
        for word in command.split(' ') {
            at = at.find_subcommand(word).unwrap_or_else(|| panic!("{method}: there is no `{command}`"));
        }
        assert!(at.get_about().is_some(), "{command}: no help");
    }
}

/// That a command is named for a method does not make it call it: somewhere in the sources of the commands it is called.
#[test]
fn every_method_is_called_by_a_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/event");
    let sources = fs::read_dir(folder).expect("the sources").map(|it| it.expect("an entry").path());
    let sources = sources.filter(|it| it.extension().is_some_and(|it| it == "rs") && !it.ends_with(file!()));
    let text: String = sources.map(|it| fs::read_to_string(it).expect("a source")).collect();
    for method in methods() {
        let request = format!("{method}Request");
        assert!(text.contains(&format!("{request} {{")), "{method} is called by no command");
    }
}
