//! `shoutan play`: a person at a terminal plays and watches games.
//!
//! It is a client of the public API and nothing else: it knows the rules of no game, and draws what the server
//! tells it.

pub(super) mod account;
mod again;
mod asks;
mod command;
mod event;
mod input;
pub(super) mod menu;
mod queue;
mod screen;
mod table;
mod view;

use anyhow::Context as _;
use api::{client::Player, matchmaking::v1::EnqueueRequest, time_control::TimeControl};
use tokio::signal::unix::{SignalKind, signal};

use self::input::Input;
use super::{
    password::PasswordArg,
    server::{Server, ServerArg},
    terminal::say,
    variants,
};

/// Plays and watches games in the terminal. What is not said here is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    server: ServerArg,
    /// The account's name.
    #[arg(long, conflicts_with = "guest")]
    name: Option<String>,
    #[command(flatten)]
    password: PasswordArg,
    /// Plays as a guest, casual games only.
    #[arg(long)]
    guest: bool,
    #[arg(long, help = variants::help("The variant"))]
    variant: Option<String>,
    /// The rule set; the variant's default when absent.
    #[arg(long)]
    rule_set: Option<String>,
    /// An option of the rules, such as size=9; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = menu::parse_option)]
    options: Vec<(String, String)>,
    /// The time control: 10m, 5m+3s, 20m+3x30s. Of several an opponent is looked for at once, rather for what stands first.
    #[arg(long = "control", value_name = "CONTROL")]
    controls: Vec<TimeControl>,
    /// Plays a game that does not count for the ratings.
    #[arg(long)]
    casual: bool,
    /// How far the opponent's rating may be from the account's, in points; 400 when absent. It holds however long it
    /// takes.
    #[arg(long, value_name = "POINTS", value_parser = clap::value_parser!(u32).range(25..=3000))]
    within: Option<u32>,
    /// Plays bots, too: accounts with which programs play.
    #[arg(long)]
    allow_bots: bool,
    /// Watches this game. Needs no account.
    #[arg(long, value_name = "GAME_ID", conflicts_with_all = ["game", "name", "guest"])]
    watch: Option<String>,
    /// Comes back to this game, in which the account has a seat.
    #[arg(long, value_name = "GAME_ID")]
    game: Option<String>,
    /// Goes into the account's next game of this event, as soon as it begins.
    #[arg(long, value_name = "EVENT", conflicts_with_all = ["game", "watch", "guest", "variant", "controls"])]
    event: Option<String>,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let server = args.server.reach().await?;
    let mut input = Input::of_terminal();
    if let Some(game_id) = &args.watch {
        let mut interrupts = signal(SignalKind::interrupt()).context("listening for Ctrl-C")?;
        let url = args.server.url();
        table::sit(&server, url, None, game_id, &mut input, &mut interrupts).await?;
        return Ok(());
    }
    let player = account::sign_in(&args, &server, &mut input).await?;
    say(format_args!("signed in as {}", player.account().name))?;
    if let Some(event) = &args.event {
        return of_event(&args, &server, &player, event, &mut input).await;
    }
    let wanted = if args.game.is_none() {
        let settings = menu::settings(&args, &server, player.account().guest, &mut input).await?;
        let max_rating_difference = args.within.unwrap_or_default();
        let mut settings = settings.into_iter();
        Some(EnqueueRequest {
            ticket_id: server.new_id(),
            settings: settings.next(),
            max_rating_difference,
            allow_bots: args.allow_bots,
            alternatives: settings.collect(),
        })
    } else {
        None
    };
    // From here on Ctrl-C means to leave in good order; before, there is nothing to put in order.
    let mut interrupts = signal(SignalKind::interrupt()).context("listening for Ctrl-C")?;
    let game_id = match (&wanted, args.game) {
        (Some(wanted), _) => queue::find(&server, &player, wanted, &mut input, &mut interrupts).await?,
        (None, game_id) => game_id,
    };
    let mut next = game_id;
    while let Some(game_id) = next {
        let url = args.server.url();
        let ended = table::sit(&server, url, Some(&player), &game_id, &mut input, &mut interrupts).await?;
        next = match ended {
            Some(ended) if ended.is_unplayed => match &wanted {
                Some(wanted) => {
                    say("the game was not played and counts for nothing; back to the queue")?;
                    queue::find(&server, &player, wanted, &mut input, &mut interrupts).await?
                }
                None => None,
            },
            Some(ended) => again::ask(&player, &ended, &mut input, &mut interrupts).await?,
            None => None,
        };
    }
    Ok(())
}

/// Plays the next game of an event.
async fn of_event(
    args: &Args,
    server: &Server,
    player: &Player,
    event: &str,
    input: &mut Input,
) -> anyhow::Result<()> {
    let mut interrupts = signal(SignalKind::interrupt()).context("listening for Ctrl-C")?;
    if let Some(game) = event::next_game(server, player, event, &mut interrupts).await? {
        say(format_args!("your game is {game}"))?;
        table::sit(server, args.server.url(), Some(player), &game, input, &mut interrupts).await?;
    }
    Ok(())
}
