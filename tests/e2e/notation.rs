//! The notation as the API documents it: what stands there is what a server takes.

use api::{
    board::v1::Side,
    client::RetryPolicy,
    error::reason,
    game::v1::{Game, Hint, ListHintsRequest},
    matchmaking::v1::GameSettings,
};
use tests::{Pairing, Platform, ask, bots, game_settings, pair_up, shapes};

const RETRY: RetryPolicy = RetryPolicy(std::time::Duration::from_secs(20));
/// Where a client writer looks.
const DOCUMENT: &str = include_str!("../../proto/shoutan/game/v1/game_service.proto");
/// A placement of Jiu has 196 plies and its lift two; what follows soon owes something.
const PLIES_MAX: u32 = 400;
/// Ways of naming what is owed that are tried: the rules protect some stones.
const TRIES_MAX: usize = 200;

/// An example of the documentation: the settings, and the acts with their sides.
pub(crate) fn examples() -> Vec<(GameSettings, Vec<(usize, &'static str)>)> {
    let lines = DOCUMENT.lines().filter_map(|line| line.trim().strip_prefix("// Example ("));
    let example = |line: &'static str| {
        let (words, acts) = line.split_once("): ").expect("settings, then acts");
        let mut words = words.split(' ');
        let mut settings = game_settings(words.next().expect("a variant"), &[], "1h", false);
        for word in words {
            let (name, value) = word.split_once('=').expect("an option");
            if name == "rule_set" {
                value.clone_into(&mut settings.rule_set);
            } else {
                settings.options.insert(name.to_owned(), value.to_owned());
            }
        }
        let act = |text: &'static str| match text.split_once(' ') {
            Some(("1", act)) => (0, act),
            Some(("2", act)) => (1, act),
            _ => panic!("{text} does not begin with a side"),
        };
        (settings, acts.split("; ").map(act).collect())
    };
    lines.map(example).collect()
}

async fn pair(platform: &Platform, settings: &GameSettings) -> Pairing {
    let players = bots(&platform.transport(), 2).await.expect("both sign in");
    pair_up(players, settings).await.expect("both are matched").remove(0)
}

async fn whole(platform: &Platform, pairing: &Pairing) -> Game {
    ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_notation_is_taken_by_a_server() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let examples = examples();
    for variant in rules::VARIANTS {
        let documented = examples.iter().any(|(settings, _)| settings.variant == variant.id);
        assert!(documented, "{} has no example", variant.name());
    }
    for (settings, acts) in examples {
        let pairing = pair(&platform, &settings).await;
        for (ply, (side, act)) in (0..).zip(acts) {
            let played = pairing.players[side].play(&pairing.game_id, act, ply, RETRY).await;
            played.unwrap_or_else(|status| panic!("{}: {act}: {status}", settings.variant));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hint_owes_is_named_as_the_notation_says() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    for (variant, separator) in [("jiu", " FC-"), ("jirige", "*")] {
        let pairing = pair(&platform, &game_settings(variant, &[], "1h", false)).await;
        let owing = loop {
            let game = whole(&platform, &pairing).await;
            let ply = game.state.as_ref().expect("a state").ply;
            assert!(ply < PLIES_MAX, "{variant}: nothing is owed in {ply} plies");
            let (side, hints) = hints(&platform, &pairing, &game).await;
            if let Some(owing) = hints.iter().find(|hint| hint.choices_left > 0) {
                break (game, side, owing.clone());
            }
            // Somewhere else each time, so that lines and squares come about.
            let act = &hints[(ply as usize * 7) % hints.len()].text;
            pairing.players[side].play(&pairing.game_id, act, ply, RETRY).await.expect("a hint is legal");
        };
        let (game, side, hint) = owing;
        let ply = game.state.as_ref().expect("a state").ply;
        let mut tried = Vec::new();
        // Without what it owes it is refused, unless it names the first itself.
        if separator != "*" {
            let bare = pairing.players[side].play(&pairing.game_id, &hint.text, ply, RETRY).await;
            assert!(bare.is_err(), "{variant}: {hint:?} owes nothing");
        }
        let taken = 'found: {
            for act in completions(&game, side, &hint, separator) {
                match pairing.players[side].play(&pairing.game_id, &act, ply, RETRY).await {
                    Ok(event) => break 'found Some((act, event)),
                    Err(status) => tried.push((act, reason(&status))),
                }
            }
            None
        };
        assert!(taken.is_some(), "{variant}: {hint:?} is completed by none of {tried:?}");
    }
}

async fn hints(platform: &Platform, pairing: &Pairing, game: &Game) -> (usize, Vec<Hint>) {
    let actor = game.state.as_ref().expect("a state").actors().next().expect("somebody may act");
    let side = usize::from(actor == Side::Second);
    let request = ListHintsRequest { game_id: pairing.game_id.clone(), side: actor.into() };
    let mut games = api::game::v1::game_service_client::GameServiceClient::new(platform.transport());
    (side, games.list_hints(request).await.expect("there are hints").into_inner().hints)
}

/// A hint with so many enemy stones behind it as it owes: those next to each other in the order of the board, from
/// each stone on.
fn completions(game: &Game, side: usize, hint: &Hint, separator: &str) -> Vec<String> {
    let enemy = if side == 0 { Side::Second } else { Side::First };
    let board = game.board.as_ref().expect("a board");
    let stones = board.stones.iter().filter(|stone| stone.owner() == enemy);
    let names: Vec<String> = stones.map(|stone| stone.at.clone().expect("a point").name).collect();
    let jumped = |name: &String| hint.text.contains(name.as_str());
    let names: Vec<String> = names.into_iter().filter(|name| !jumped(name)).collect();
    let owed = hint.choices_left as usize;
    let from_each = (0..names.len()).take(TRIES_MAX).map(|from| {
        let chosen: Vec<&str> = (0..owed).map(|n| names[(from + n) % names.len()].as_str()).collect();
        if separator == "*" {
            chosen.iter().fold(hint.text.clone(), |text, name| format!("{text}*{name}"))
        } else {
            format!("{}{separator}{}", hint.text, chosen.join(","))
        }
    });
    from_each.collect()
}
