//! Who attacks, from where, and what they have made for it.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context as _;
use api::{
    client::{Credentials, RetryPolicy},
    game::v1::ImportRecordRequest,
    transport::{Transport, over},
};
use chassis::Env;
use tests::{Bot, Pairing, Platform, game_settings, guest, ids, long_record, pair_up, point};
use tonic::transport::Endpoint;

use crate::attack::Attack;

/// Moves in the game that is left half played.
const HALF: usize = 90;
const RETRY: RetryPolicy = RetryPolicy(std::time::Duration::from_secs(30));

/// What is attacked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// The bare echo at this address.
    Echo(&'a str),
    /// The platform at this address.
    Platform(&'a str),
}

impl Target<'_> {
    /// Where it is.
    pub(crate) const fn url(&self) -> &str {
        match self {
            Target::Echo(url) | Target::Platform(url) => url,
        }
    }
}

/// Moves of the longest record: a few fewer than a game may have.
const MOVES: usize = 9_990;

/// The attackers and their belongings.
#[derive(Clone, Debug)]
pub(crate) struct Attackers {
    /// Who imports.
    pub importer: Bot,
    /// A game of two attackers in which the dead stones are to be agreed on.
    pub agreeing: Pairing,
    /// A game of two attackers that has begun.
    pub duel: Pairing,
    /// The account whose password is guessed.
    pub victim: String,
    /// The longest record there may be.
    pub record: String,
    /// A game that was imported from it.
    pub imported: String,
}

impl Attackers {
    /// Signs them in.
    pub(crate) async fn gather(platform: &Platform) -> anyhow::Result<Self> {
        let transport = |attack: Attack| way_from(&platform.url, attack.address(1));
        let unique = Env::system().uuid().simple().to_string();
        let new = async |transport: Transport, name: &str| {
            let name = format!("{name}-{}", &unique[20..]);
            let password = format!("password of {unique}");
            anyhow::Ok(Bot::sign_in(transport, Credentials::New { name, password }, ids()).await?)
        };
        let importer = new(transport(Attack::ImportRecord)?, "importer").await?;
        let victim = new(transport(Attack::SignIn)?, "victim").await?.account().name.clone();
        let agreeing = pair(transport(Attack::SuggestAct)?).await?;
        for ply in 0..HALF {
            play(&agreeing, &point(ply), ply).await?;
        }
        play(&agreeing, "pass", HALF).await?;
        play(&agreeing, "pass", HALF + 1).await?;
        let duel = pair(transport(Attack::SendMessage)?).await?;
        for ply in 0..2 {
            play(&duel, &point(ply), ply).await?;
        }
        let record = long_record(MOVES)?;
        let request = ImportRecordRequest {
            variant: "go".to_owned(),
            text: record.clone(),
            request_id: importer.new_id(),
        };
        let answer = importer.games().import_record(request).await.context("importing the longest record")?;
        let long = answer.into_inner().game.and_then(|game| game.info).context("a game has an id")?.id;
        Ok(Attackers { importer, agreeing, duel, victim, record, imported: long })
    }

    /// Sees to it that those of them who have accounts go on being known.
    pub(crate) async fn stay_signed_in(&self) -> anyhow::Result<()> {
        let now = Env::system().now();
        let paired = [&self.agreeing, &self.duel].into_iter().flat_map(|pairing| &pairing.players);
        for attacker in paired.chain([&self.importer]) {
            attacker.stay_signed_in(now).await.context("an attacker is not known any more")?;
        }
        Ok(())
    }

    /// Whether some line of the log says that somebody who made this attack was limited.
    pub(crate) fn is_named(&self, attack: Attack, log: &str) -> bool {
        let (IpAddr::V4(first), accounts) = (attack.address(0), self.accounts(attack)) else { return false };
        let [a, b, c, _] = first.octets();
        let address = format!("{a}.{b}.{c}.");
        let names = |line: &str| {
            line.contains(&address) || accounts.iter().any(|account| line.contains(account.as_str()))
        };
        log.lines().any(|line| line.contains("limit") && names(line))
    }

    fn accounts(&self, attack: Attack) -> Vec<String> {
        let both = |pairing: &Pairing| {
            pairing
                .players
                .iter()
                .flat_map(|player| [player.account().id.clone(), player.account().name.clone()])
                .collect()
        };
        match attack {
            Attack::ImportRecord => {
                vec![self.importer.account().id.clone(), self.importer.account().name.clone()]
            }
            Attack::SuggestAct => both(&self.agreeing),
            Attack::SendMessage | Attack::Propose => both(&self.duel),
            Attack::SignIn => vec![self.victim.clone()],
            _ => Vec::new(),
        }
    }
}

/// A way from an address of one's own.
pub(crate) fn way_from(url: &str, address: IpAddr) -> anyhow::Result<Transport> {
    let endpoint = Endpoint::from_shared(url.to_owned())?.local_address(Some(address)).tcp_nodelay(true);
    Ok(over(endpoint.connect_lazy()))
}

/// The address of a caller of a network of attackers.
pub(crate) const fn address(network: u8, caller: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 2, network, caller))
}

async fn pair(transport: Transport) -> anyhow::Result<Pairing> {
    let players = vec![guest(&transport).await?, guest(&transport).await?];
    // A time control of their own, so that nobody else is paired with them.
    let settings = game_settings("go", &[], "3h", false);
    pair_up(players, &settings).await?.pop().context("two players make a game")
}

async fn play(pairing: &Pairing, act: &str, ply: usize) -> anyhow::Result<()> {
    pairing.players[ply % 2].play(&pairing.game_id, act, u32::try_from(ply)?, RETRY).await?;
    Ok(())
}
