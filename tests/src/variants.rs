//! What a variant must stand: being looked for, played, recorded and sat down to.

use std::{process::Stdio, time::Duration};

use anyhow::{Context as _, ensure};
use api::{
    client::RetryPolicy,
    clock::v1::{ListTimeControlsRequest, clock_service_client::ClockServiceClient},
    game::v1::{
        ExportRecordRequest, Game, ImportRecordRequest, ListIncidentsRequest, ListVariantsRequest,
        arbiter_service_client::ArbiterServiceClient, game_service_client::GameServiceClient,
    },
    matchmaking::v1::GameSettings,
};
use rules::Variant;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::{Pairing, Platform, ask, binary, bots, command, pair_up};

const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(20));
/// How long two people at terminals need who know what they want.
const AT_TERMINALS: Duration = Duration::from_mins(1);

/// Looks for a variant where a person or a client would: in the list and in help, and its time controls and rules of
/// conduct.
///
/// # Errors
/// Where it is missing.
pub async fn find(platform: &Platform, variant: &Variant) -> anyhow::Result<()> {
    let mut games = GameServiceClient::new(platform.transport());
    let listed = games.list_variants(ListVariantsRequest::default()).await?.into_inner().variants;
    let listed = listed.into_iter().find(|listed| listed.id == variant.id).context("it is not listed")?;
    ensure!(listed.names.len() == variant.names.len() && listed.marks.len() == variant.marks.len());
    for arguments in [&["play", "--help"][..], &["rules", "--help"], &["record", "replay", "--help"]] {
        let help = String::from_utf8(command(arguments).await?.stdout)?;
        ensure!(help.contains(variant.id), "{arguments:?} does not name it:\n{help}");
    }
    let request = ListTimeControlsRequest { variant: variant.id.to_owned() };
    let mut clocks = ClockServiceClient::new(platform.transport());
    let offered = clocks.list_time_controls(request).await?.into_inner().time_controls;
    ensure!(!offered.is_empty(), "it has no time control");
    let request = ListIncidentsRequest { variant: variant.id.to_owned() };
    let mut arbiters = ArbiterServiceClient::new(platform.transport());
    let incidents = arbiters.list_incidents(request).await?.into_inner();
    ensure!(!incidents.decisions.is_empty(), "it has no rules of conduct");
    Ok(())
}

/// Has two players play these acts of the sides 0 and 1; then one resigns unless the game has ended. Its record is
/// exported and imported, and says the same.
///
/// # Errors
/// An act that is refused, or a record that differs.
pub async fn play(
    platform: &Platform,
    settings: &GameSettings,
    acts: &[(usize, &str)],
) -> anyhow::Result<Game> {
    let variant = rules::variant(&settings.variant).context("no such variant")?;
    let players = bots(&platform.transport(), 2).await?;
    let pairing = pair_up(players, settings).await?.remove(0);
    for (ply, (side, act)) in (0..).zip(acts) {
        let played = pairing.players[*side].play(&pairing.game_id, act, ply, RETRY).await;
        played.with_context(|| (*act).to_owned())?;
    }
    let played = ask(&platform.transport(), &pairing.game_id).await?;
    if played.state.is_some_and(|state| state.outcome.is_none()) {
        pairing.players[0].resign(&pairing.game_id, RETRY).await?;
    }
    round_trip(platform, &pairing, variant).await
}

/// Takes the record of a game that was played, and gives it back to the platform.
async fn round_trip(platform: &Platform, pairing: &Pairing, variant: &Variant) -> anyhow::Result<Game> {
    let played = ask(&platform.transport(), &pairing.game_id).await?;
    let seat = &pairing.players[0];
    let request = ExportRecordRequest { game_id: pairing.game_id.clone() };
    let exported = seat.games().export_record(request).await?.into_inner();
    let name = &exported.file_name;
    ensure!(name.ends_with(variant.record_extension()), "its record is called {name}");
    let record = (variant.parse_record)(&exported.text).map_err(|error| anyhow::anyhow!("{error}"))?;
    let again = (variant.parse_record)(&(variant.print_record)(&record))
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    ensure!(again == record, "the record changes when it is written again:\n{}", exported.text);
    let request = ImportRecordRequest {
        variant: variant.id.to_owned(),
        text: exported.text.clone(),
        request_id: seat.new_id(),
    };
    let imported = seat.games().import_record(request).await?.into_inner().game.context("a game")?;
    let texts = |game: &Game| game.acts.iter().map(|act| act.text.clone()).collect::<Vec<_>>();
    ensure!(
        texts(&played) == texts(&imported),
        "{:?} is {:?} in\n{}",
        texts(&played),
        texts(&imported),
        exported.text
    );
    Ok(played)
}

/// Two guests take the first time control on offer; one of them looks at the board and resigns.
///
/// # Errors
/// What one of them does not see.
pub async fn sit_down(platform: &Platform, variant: &Variant) -> anyhow::Result<()> {
    let mut one = Terminal::start(platform, variant)?;
    let mut other = Terminal::start(platform, variant)?;
    one.type_in("\n").await?;
    other.type_in("\n").await?;
    // So long a game is offered first.
    if variant.main_time_min >= Some(Duration::from_mins(30)) {
        for terminal in [&mut one, &mut other] {
            terminal.until("play? You have 30 s").await?;
            terminal.type_in("y\n").await?;
        }
    }
    one.until(":help says what can be typed").await?;
    one.type_in(":board\n:hints\n:resign\ny\n").await?;
    one.until("play once more").await?;
    other.until("play once more").await?;
    let [first, second, ..] = [0, 1].map(|column| variant.axes.column(column));
    let names = [first.as_str(), second.as_str()];
    let heading = one.seen.lines().any(|line| line.split_whitespace().take(2).eq(names));
    ensure!(heading, "no board with the points of its players:\n{}", one.seen);
    for mut terminal in [one, other] {
        terminal.type_in("n\n").await?;
        let ended = timeout(AT_TERMINALS, terminal.process.wait()).await.context("it goes on for ever")??;
        ensure!(ended.success(), "it failed:\n{}", terminal.seen);
    }
    Ok(())
}

/// A guest's `shoutan play`, and what has been on its screen.
struct Terminal {
    process: Child,
    keyboard: ChildStdin,
    screen: ChildStdout,
    seen: String,
}

impl Terminal {
    fn start(platform: &Platform, variant: &Variant) -> anyhow::Result<Self> {
        let mut command = Command::new(binary()?);
        command.args(["play", "--guest", "--casual", "--server", &platform.url, "--variant", variant.id]);
        for (name, value) in variant.short_games.first().copied().unwrap_or_default() {
            command.args(["--option", &format!("{name}={value}")]);
        }
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = pipes.kill_on_drop(true).spawn()?;
        let keyboard = process.stdin.take().context("a keyboard")?;
        let screen = process.stdout.take().context("a screen")?;
        Ok(Self { process, keyboard, screen, seen: String::new() })
    }

    async fn type_in(&mut self, lines: &str) -> anyhow::Result<()> {
        Ok(self.keyboard.write_all(lines.as_bytes()).await?)
    }

    /// Waits until the screen says something.
    async fn until(&mut self, words: &str) -> anyhow::Result<()> {
        let mut bytes = [0; 4096];
        while !self.seen.contains(words) {
            let read = timeout(AT_TERMINALS, self.screen.read(&mut bytes)).await;
            let read = read.with_context(|| format!("no {words:?} in\n{}", self.seen))??;
            ensure!(read > 0, "it ends without {words:?}:\n{}", self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        Ok(())
    }
}
