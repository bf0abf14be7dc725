//! Hidden state: what is sealed is nowhere to be found before its time.
//!
//! A game of Tianyi Go is played through its draw and its bids. Before each secret is opened, everybody but
//! its author calls every public method there is, and neither an answer nor a log line may hold it.

use api::{client::RetryPolicy, game::v1::Game};
use futures::{StreamExt as _, stream};
use rules::{Opening, Side, StoneColour};
use tests::{Bot, Pairing, Platform, ask, bots, game_settings, guest, pair_up, shapes};

use crate::walk::{call, public_methods};

/// Calls under way at once.
const CALLS_AT_ONCE: usize = 16;
const RETRY: RetryPolicy = RetryPolicy(std::time::Duration::from_secs(20));
/// What the sides bid, in zi; the digits stand nowhere else.
const BIDS: [&str; 2] = ["-68.5", "73.5"];

/// Everybody who looks: the opponent of the author, a guest, and somebody without a token.
struct Lookers {
    opponent: Bot,
    guest: Bot,
    nobody: api::transport::Transport,
}

impl Lookers {
    /// All that anybody can get out of the platform about a game.
    async fn everything(&self, pairing: &Pairing, platform: &Platform) -> Vec<u8> {
        let mut seen = platform.logs().into_bytes();
        let account = pairing.players[0].account().id.clone();
        let request_id = self.guest.new_id();
        let game = [
            ("game_id", pairing.game_id.as_str()),
            ("account_id", &account),
            ("variant", "tianyi"),
            ("side", "1"),
            ("act", "bid"),
            ("after_sequence", "0"),
        ];
        let strange = [&game[..], &[("request_id", request_id.as_str())]].concat();
        let (opponent, guest) = (self.opponent.transport(), self.guest.transport());
        // Without a request_id nothing that the opponent asks can change the game. A stream may also begin with a snapshot.
        let ways =
            [(&opponent, &game[..]), (&guest, &strange), (&self.nobody, &strange), (&opponent, &game[..4])];
        let methods = public_methods();
        let calls = methods
            .iter()
            .flat_map(|method| ways.iter().map(move |(transport, values)| call(transport, method, values)));
        // Streams are waited for until they are silent: a few at a time.
        let said: Vec<Vec<u8>> = stream::iter(calls).buffered(CALLS_AT_ONCE).collect().await;
        seen.extend(said.concat());
        seen
    }
}

fn holds(seen: &[u8], secret: &str) -> bool {
    seen.windows(secret.len()).any(|window| window == secret.as_bytes())
}

async fn act(pairing: &Pairing, side: usize, text: &str, platform: &Platform) -> Game {
    let game = ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read");
    let ply = game.state.expect("a state").ply;
    let played = pairing.players[side].play(&pairing.game_id, text, ply, RETRY).await;
    played.unwrap_or_else(|status| panic!("{text}: {status}\n{}", platform.logs()));
    ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read")
}

fn opening(byte: u8) -> Opening {
    Opening::new([byte; 32], [byte + 1; 32])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sealed_is_nowhere_to_be_found() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let plain = platform.transport();
        let players = bots(&plain, 2).await.expect("both sign in");
        let settings = game_settings("tianyi", &[], "1h", true);
        let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
        let opponent = pairing.players[1].clone();
        let guest = guest(&plain).await.expect("a guest signs in");
        let lookers = Lookers { opponent, guest, nobody: plain.clone() };

        // The house has committed. Its seed is not known here, so it is looked for when it has been opened.
        let mut before = lookers.everything(&pairing, &platform).await;
        for (side, byte) in [(0, 11), (1, 21)] {
            act(&pairing, side, &format!("commit {}", opening(byte).commitment()), &platform).await;
        }
        act(&pairing, 0, &format!("reveal {}", opening(11).text()), &platform).await;
        before.extend(lookers.everything(&pairing, &platform).await);
        let drawn = act(&pairing, 1, &format!("reveal {}", opening(21).text()), &platform).await;
        let house = drawn.acts.iter().find_map(|act| act.text.strip_prefix("seed "));
        let house = house.unwrap_or_else(|| panic!("the house's seed is open: {:?}", drawn.acts));
        for secret in house.split(' ') {
            assert!(!holds(&before, secret), "{shape:?} {store:?}: the house's seed was to be seen");
        }

        // The first side has bid, and its opponent has not.
        act(&pairing, 0, &format!("bid {}", BIDS[0]), &platform).await;
        let sealed = lookers.everything(&pairing, &platform).await;
        let digits = BIDS[0].trim_start_matches('-');
        assert!(!holds(&sealed, digits), "{shape:?} {store:?}: a sealed bid was to be seen");
        assert!(holds(&sealed, "bid"), "that there was a bid is no secret");
        let game = act(&pairing, 1, &format!("bid {}", BIDS[1]), &platform).await;
        let opened = lookers.everything(&pairing, &platform).await;
        assert!(BIDS.iter().all(|bid| holds(&opened, bid)), "both bids are open");
        let colours = game.state.expect("a state");
        assert_eq!(colours.second_colour, StoneColour::White.name(), "who bid more has White");
        assert_eq!(colours.first_colour, StoneColour::Black.name());
        let white = Side::Second.index();
        act(&pairing, white, "pass", &platform).await;
    }
}
