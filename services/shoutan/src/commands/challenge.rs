//! `shoutan challenge`: asking others for a game.

use std::time::Duration;

use anyhow::{Context as _, bail};
use api::{
    board::v1::Side,
    client::RetryPolicy,
    federation::v1::EventTime,
    matchmaking::v1::{
        AcceptChallengeRequest, ArrangedGame, CallOffArrangedGameRequest, Challenge, ChallengeKind,
        CreateChallengeRequest, DeclineChallengeRequest, DeclineReason, GameSettings, GetChallengeRequest,
        ListArrangedGamesRequest, ListChallengesRequest, ListOpenChallengesRequest,
        WatchOpenChallengesRequest, WatchOpenChallengesResponse, WithdrawChallengeRequest,
        challenge_service_client::ChallengeServiceClient,
    },
    time_control::TimeControl,
    transport::Transport,
};
use clap::{Subcommand, ValueEnum};
use prost_types::Timestamp;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{
    event::{moment, words},
    play::menu::parse_option,
    print::{self, Record},
    render::planned_maintenance,
    session::{Session, Who, all, ask},
    terminal::say,
    variants,
};

/// Asks others for a game: an account, whoever has a link, or anybody.
///
/// A game that was accepted is played by `shoutan play --game`; both have five minutes to come to it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Asks an account for a game.
    Send {
        /// Its name or its id.
        account: String,
        #[command(flatten)]
        game: Game,
    },
    /// Makes a link with which a game is accepted. It is shown this once.
    Link {
        /// How often it may be used.
        #[arg(long, default_value_t = 1)]
        uses: u32,
        #[command(flatten)]
        game: Game,
    },
    /// Asks anybody whose rating is near yours.
    Open {
        /// How far his rating may be from yours, in points; 400 when absent.
        #[arg(long, value_name = "POINTS", value_parser = clap::value_parser!(u32).range(25..=3000))]
        within: Option<u32>,
        #[command(flatten)]
        game: Game,
    },
    /// Lists your games that are arranged for a time, those that begin last first.
    Arranged {
        /// Also those that have begun or were called off.
        #[arg(long)]
        all: bool,
    },
    /// Calls a game off that is arranged for a time, before it begins.
    CallOff {
        /// Its id.
        game: String,
    },
    /// Lists your challenges and those to you, the latest first.
    List {
        /// Also those that are over.
        #[arg(long)]
        all: bool,
    },
    /// Lists the challenges that anybody may accept, the latest first. Needs no account.
    Seeks {
        #[arg(long, help = variants::help("The variant"))]
        variant: Option<String>,
        /// Shows them as they come and go, until interrupted.
        #[arg(long)]
        follow: bool,
        /// Ends after so many changes.
        #[arg(long, value_name = "COUNT", requires = "follow")]
        count: Option<usize>,
    },
    /// Shows a challenge.
    Show {
        /// Its id, or its link.
        challenge: String,
    },
    /// Accepts a challenge, and says which game it is.
    Accept {
        /// Its id, or its link.
        challenge: String,
    },
    /// Declines a challenge to you.
    Decline {
        /// Its id.
        challenge: String,
        /// Why.
        #[arg(long, value_enum)]
        because: Option<Because>,
    },
    /// Takes a challenge of yours back.
    Withdraw {
        /// Its id.
        challenge: String,
    },
}

/// What to play.
#[derive(Debug, clap::Args)]
struct Game {
    #[arg(long, help = variants::help("The variant"))]
    variant: String,
    /// The rule set; the variant's default when absent.
    #[arg(long, default_value = "")]
    rule_set: String,
    /// An option of the rules, such as size=9; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// The time control: 10m, 5m+3s, 20m+3x30s.
    #[arg(long)]
    control: TimeControl,
    /// Plays for the ratings; the sides are then given by the games that both have played.
    #[arg(long, conflicts_with = "side")]
    rated: bool,
    /// Your side.
    #[arg(long, value_enum)]
    side: Option<OwnSide>,
    /// What you say to it.
    #[arg(long, default_value = "")]
    message: String,
    /// Lets a bot accept it, too.
    #[arg(long)]
    allow_bots: bool,
    /// For how many minutes it can be accepted: 1 to 43200; 60 when absent, or until the game begins.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=43_200))]
    minutes: Option<u64>,
    /// When the game begins by itself, as 2026-11-21T20:00:00+08:00; at once when absent.
    #[arg(long = "at", value_name = "TIME", value_parser = moment)]
    starts_at: Option<OffsetDateTime>,
}

/// The side of who asks.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OwnSide {
    /// Who begins.
    First,
    /// The other.
    Second,
}

/// Why a challenge is declined.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Because {
    /// Not now.
    Later,
    /// Another time control.
    Time,
    /// Another variant, or other rules.
    Settings,
    /// Rated, or casual.
    Rated,
    /// The other side.
    Side,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = carry_out(&session, args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Send { account, game } => {
            let to_account_id = session.account(&account).await?;
            let kind = ChallengeKind::Direct.into();
            send(session, CreateChallengeRequest { kind, to_account_id, ..game.into() }).await
        }
        Command::Link { uses, game } => {
            let (kind, secret) = (ChallengeKind::Link.into(), secret(session));
            send(session, CreateChallengeRequest { kind, secret, uses, ..game.into() }).await
        }
        Command::Open { within, game } => {
            let max_rating_difference = within.unwrap_or_default();
            let kind = ChallengeKind::Open.into();
            send(session, CreateChallengeRequest { kind, max_rating_difference, ..game.into() }).await
        }
        Command::Arranged { all } => {
            let games = arranged_games(session, !all).await?;
            let records: Vec<Record> =
                games.iter().map(|it| arranged(it, |time| session.time(time))).collect();
            print::list(session.json, &records)
        }
        Command::CallOff { game } => {
            let request = CallOffArrangedGameRequest { game_id: game.clone() };
            ask!(client(session), call_off_arranged_game, request)?;
            print::one(session.json, &vec![("called_off", json!(game))])
        }
        Command::List { all } => print_all(session, &list(session, !all).await?),
        Command::Seeks { variant, follow: true, count } => {
            follow(session, variant, count.unwrap_or(usize::MAX)).await
        }
        Command::Seeks { variant, .. } => {
            let variant = variant.unwrap_or_default();
            let request = ListOpenChallengesRequest { variant, page_size: 200, ..Default::default() };
            let seeks = all!(client(session), list_open_challenges, request, challenges);
            print_all(session, &seeks)
        }
        Command::Show { challenge } => {
            let (challenge_id, secret) = parts(&challenge);
            let shown = ask!(client(session), get_challenge, GetChallengeRequest { challenge_id, secret })?;
            let shown = shown.challenge.context("the server's answer lacks the challenge")?;
            print::one(session.json, &record(&shown, |time| session.time(time)))
        }
        Command::Accept { challenge } => {
            let (challenge_id, secret) = parts(&challenge);
            let request = AcceptChallengeRequest { challenge_id, secret, ticket_id: session.new_id() };
            let game = ask!(client(session), accept_challenge, request)?;
            let mut record: Record =
                vec![("game", json!(game.game_id)), ("side", json!(words::side(game.side)))];
            if game.start_time.is_some() {
                record.push(("begins", session.time(game.start_time.as_ref())));
            }
            record.extend(beside(&game.conflicts, &game.event_conflicts));
            print::one(session.json, &record)
        }
        Command::Decline { challenge, because } => {
            let reason = because.map_or(DeclineReason::Unspecified, DeclineReason::from).into();
            let request = DeclineChallengeRequest { challenge_id: challenge.clone(), reason };
            ask!(client(session), decline_challenge, request)?;
            print::one(session.json, &vec![("declined", json!(challenge))])
        }
        Command::Withdraw { challenge } => {
            let request = WithdrawChallengeRequest { challenge_id: challenge.clone() };
            ask!(client(session), withdraw_challenge, request)?;
            print::one(session.json, &vec![("withdrawn", json!(challenge))])
        }
    }
}

/// How long to wait before a stream that broke is taken up again.
const PAUSE: Duration = Duration::from_secs(1);

/// Shows open challenges as they come and go, until so many changes were shown.
async fn follow(session: &Session, variant: Option<String>, mut left: usize) -> anyhow::Result<()> {
    let variants: Vec<String> = variant.into_iter().collect();
    let mut after_number = 0;
    while left > 0 {
        let request =
            WatchOpenChallengesRequest { variants: variants.clone(), after_number, ..Default::default() };
        let call = || async { client(session).clone().watch_open_challenges(request.clone()).await };
        let mut stream = api::client::with_retry(RetryPolicy::default(), call).await?;
        // What broke is asked for again; what is refused for good is refused by that call.
        while let Ok(Some(news)) = stream.message().await {
            after_number = news.number;
            if let (Some(planned), false) = (&news.maintenance_notice, session.json) {
                say(planned_maintenance(planned))?;
            }
            for line in changes(session, &news) {
                say(line)?;
                left -= 1;
                if left == 0 {
                    return Ok(());
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// The lines of what has changed: `+` before what was opened, `-` before what is over.
fn changes(session: &Session, news: &WatchOpenChallengesResponse) -> Vec<String> {
    let of = |change: &'static str, mut record: Record| {
        if session.json {
            record.insert(0, ("change", json!(change)));
            return print::object(&record).to_string();
        }
        format!("{} {}", if change == "opened" { '+' } else { '-' }, print::line(&record))
    };
    let opened = news.challenges.iter().map(|it| of("opened", record(it, |time| session.time(time))));
    let closed = news.closed_ids.iter().map(|id| of("closed", vec![("challenge", json!(id))]));
    opened.chain(closed).collect()
}

/// Makes a challenge, and shows it with its link, if it has one.
async fn send(session: &Session, request: CreateChallengeRequest) -> anyhow::Result<()> {
    if session.account_id().is_none() {
        bail!("name the account that asks with --as");
    }
    let request = CreateChallengeRequest { challenge_id: session.new_id(), ..request };
    let made = ask!(client(session), create_challenge, request.clone())?;
    let beside = beside(&made.conflicts, &made.event_conflicts);
    let made = made.challenge.context("the server's answer lacks the challenge")?;
    let mut record = record(&made, |time| session.time(time));
    if !request.secret.is_empty() {
        record.push(("link", json!(format!("{}.{}", made.id, request.secret))));
    }
    record.extend(beside);
    print::one(session.json, &record)
}

/// The challenges of the account that acts, and those to it, the latest first.
///
/// # Errors
/// What the server says.
pub(super) async fn list(session: &Session, open: bool) -> anyhow::Result<Vec<Challenge>> {
    let request = ListChallengesRequest { open, page_size: 200, ..Default::default() };
    Ok(all!(client(session), list_challenges, request, challenges))
}

/// The arranged games of the account that acts, those that begin last first.
///
/// # Errors
/// What the server says.
pub(super) async fn arranged_games(session: &Session, coming: bool) -> anyhow::Result<Vec<ArrangedGame>> {
    let request = ListArrangedGamesRequest { coming, page_size: 200, ..Default::default() };
    Ok(all!(client(session), list_arranged_games, request, games))
}

/// Says what other arranged games, and rounds of which events, begin within an hour of one.
fn beside(conflicts: &[ArrangedGame], of_events: &[EventTime]) -> Option<(&'static str, Value)> {
    let games = conflicts.iter().map(|it| it.game_id.clone());
    let rounds = of_events.iter().map(|it| format!("{}#{}", it.event_id, it.round));
    let all: Vec<String> = games.chain(rounds).collect();
    (!all.is_empty()).then(|| ("within_an_hour_of", json!(all.join(" "))))
}

/// An arranged game as it is printed, with its time as times are told.
pub(super) fn arranged(it: &ArrangedGame, time: impl Fn(Option<&Timestamp>) -> Value) -> Record {
    let settings = it.settings.clone().unwrap_or_default();
    vec![
        ("game", json!(it.game_id)),
        ("begins", time(it.start_time.as_ref())),
        ("from", json!(it.name)),
        ("to", json!(it.opponent_name)),
        ("variant", json!(settings.variant)),
        ("control", json!(control(&settings))),
        ("rated", json!(settings.rated)),
        ("side", json!(words::side(it.side))),
        ("state", json!(words::arranged_game_state(it.state))),
        ("challenge", json!(it.challenge_id)),
    ]
}

/// The time control of settings, as it is written.
fn control(settings: &GameSettings) -> String {
    let control = settings.time_control.as_ref().and_then(|control| TimeControl::try_from(control).ok());
    control.map(|control| control.to_string()).unwrap_or_default()
}

fn print_all(session: &Session, challenges: &[Challenge]) -> anyhow::Result<()> {
    let records: Vec<Record> = challenges.iter().map(|it| record(it, |time| session.time(time))).collect();
    print::list(session.json, &records)
}

fn client(session: &Session) -> ChallengeServiceClient<Transport> {
    ChallengeServiceClient::new(session.transport())
}

/// A secret for a link: two ids, of which 148 bits are random.
fn secret(session: &Session) -> String {
    [session.new_id(), session.new_id()].concat().replace('-', "")
}

/// The id and the secret of what is given: a link, or an id alone.
fn parts(challenge: &str) -> (String, String) {
    let (id, secret) = challenge.split_once('.').unwrap_or((challenge, ""));
    (id.to_owned(), secret.to_owned())
}

/// A challenge as it is printed, with its times as they are told.
pub(super) fn record(it: &Challenge, time: impl Fn(Option<&Timestamp>) -> Value) -> Record {
    let settings = it.settings.clone().unwrap_or_default();
    vec![
        ("challenge", json!(it.id)),
        ("from", json!(it.name)),
        ("rating", json!(it.rating)),
        ("bot", json!(it.bot)),
        ("to", json!(it.to_name)),
        ("kind", json!(words::challenge_kind(it.kind))),
        ("variant", json!(settings.variant)),
        ("control", json!(control(&settings))),
        ("rated", json!(settings.rated)),
        ("side", json!(words::side(it.side))),
        ("message", json!(it.message)),
        ("until", time(it.expire_time.as_ref())),
        ("begins", time(it.start_time.as_ref())),
        ("state", json!(words::challenge_state(it.state))),
        ("because", json!(words::decline_reason(it.decline_reason))),
        ("game", json!(it.game_id)),
    ]
}

impl From<Game> for CreateChallengeRequest {
    fn from(game: Game) -> Self {
        let side = match game.side {
            None => Side::Unspecified,
            Some(OwnSide::First) => Side::First,
            Some(OwnSide::Second) => Side::Second,
        };
        let life = |minutes| api::time::duration(Duration::from_secs(60 * minutes));
        CreateChallengeRequest {
            settings: Some(GameSettings {
                variant: game.variant,
                rule_set: game.rule_set,
                options: game.options.into_iter().collect(),
                time_control: Some(game.control.into()),
                rated: game.rated,
            }),
            side: side.into(),
            message: game.message,
            allow_bots: game.allow_bots,
            expire_duration: game.minutes.map(life),
            start_time: game.starts_at.map(api::time::timestamp),
            ..CreateChallengeRequest::default()
        }
    }
}

impl From<Because> for DeclineReason {
    fn from(because: Because) -> Self {
        match because {
            Because::Later => DeclineReason::Later,
            Because::Time => DeclineReason::TimeControl,
            Because::Settings => DeclineReason::Settings,
            Because::Rated => DeclineReason::Rated,
            Because::Side => DeclineReason::Side,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_an_id_and_a_secret() {
        assert_eq!(parts("7.abc"), ("7".to_owned(), "abc".to_owned()));
        assert_eq!(parts("7"), ("7".to_owned(), String::new()));
    }

    #[test]
    fn a_challenge_says_what_is_to_be_played() {
        let control: TimeControl = "5m+3s".parse().expect("a time control");
        let (variant, time_control) = ("jiu".to_owned(), Some(control.into()));
        let challenge = Challenge {
            id: "7".to_owned(),
            name: "one".to_owned(),
            kind: ChallengeKind::Open.into(),
            settings: Some(GameSettings { variant, time_control, ..GameSettings::default() }),
            ..Challenge::default()
        };
        let printed = print::object(&record(&challenge, |_| json!("then")));
        let field = |name: &str| printed[name].clone();
        assert_eq!(
            [field("kind"), field("control"), field("until")],
            [json!("open"), json!("5m+3s"), json!("then")]
        );
        assert_eq!(field("side"), json!(""), "{printed}");
    }
}
