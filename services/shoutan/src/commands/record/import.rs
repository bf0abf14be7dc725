//! `shoutan record import`: gives a record to a server.

use anyhow::Context as _;
use api::{
    client::{Credentials, Player, RetryPolicy, with_retry},
    game::v1::{Game, ImportRecordRequest, PublishImportRequest},
};

use super::file::RecordFile;
use crate::commands::{
    password::{PasswordArg, VARIABLE},
    render::outcome_line,
    server::ServerArg,
    terminal::say,
};

/// Gives a record to a server, which keeps it as a finished, unrated game.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: RecordFile,
    #[command(flatten)]
    server: ServerArg,
    /// Have lists of games show it; otherwise who knows its id can read it.
    #[arg(long)]
    publish: bool,
    /// The name of the account that imports it.
    #[arg(long)]
    name: String,
    #[command(flatten)]
    password: PasswordArg,
}

/// Carries the command out.
pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let loaded = args.file.load()?;
    if let Some(placement) = &loaded.placement {
        say(format_args!("the placement is that of {}", placement.display()))?;
    }
    let password = args
        .password
        .get()?
        .with_context(|| format!("no password: name a --password-file or set {VARIABLE}"))?;
    let server = args.server.reach().await?;
    let player = server
        .sign_in(Credentials::Existing { name: args.name.clone(), password })
        .await
        .with_context(|| format!("signing in as {}", args.name))?;
    let request = ImportRecordRequest {
        variant: loaded.variant.id.to_owned(),
        text: loaded.text,
        request_id: server.new_id(),
    };
    let games = player.games();
    let call = || async { games.clone().import_record(request.clone()).await };
    let imported = with_retry(RetryPolicy::default(), call).await.context("importing the record");
    let imported = match imported.map(|answer| answer.game) {
        Ok(Some(game)) if args.publish => publish(&player, &game).await.map(|()| Some(game)),
        imported => imported,
    };
    // The session was opened for this one call. One that stays open expires by itself.
    let _signed_out = player.sign_out().await;
    let game = imported?.context("the server's answer lacks the game")?;
    let id = game.info.as_ref().map_or("", |info| info.id.as_str());
    let outcome = game.state.as_ref().and_then(|state| state.outcome.as_ref());
    let result = outcome.map_or("no result".to_owned(), outcome_line);
    say(format_args!("imported {} as game {id}: {} acts, {result}", args.file.name(), game.acts.len()))
}

async fn publish(player: &Player, game: &Game) -> anyhow::Result<()> {
    let game_id = game.info.as_ref().map_or_else(String::new, |info| info.id.clone());
    let request = PublishImportRequest { game_id, published: true };
    let games = player.games();
    let call = || async { games.clone().publish_import(request.clone()).await };
    with_retry(RetryPolicy::default(), call).await.map(drop).context("publishing it")
}
