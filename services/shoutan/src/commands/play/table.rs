//! A game that is played or watched: events in, commands out.

use std::{collections::VecDeque, io::Write as _, path::Path, pin::pin, time::Duration};

use anyhow::{Context as _, bail};
use api::{
    board::v1::{Reason, Side, Verdict},
    client::{GameStream, GameUpdate, Player, RetryPolicy, with_retry},
    error::reason,
    game::v1::{
        Game, GameEvent, GetGameRequest, ListHintsRequest,
        game_event::Event,
        game_service_client::GameServiceClient,
        proposal::{Adjourn, Pause, Proposal, Resume, ResumeAt, Undo},
    },
    transport::Transport,
};
use futures::{Stream, StreamExt as _, stream};
use tokio::signal::unix::Signal;
use tonic::Status;

use super::{
    account::is_yes,
    command::{Command, EVENT_HELP, HELP, parse},
    input::Input,
    screen::Screen,
    view::{NOTICES, View},
};
use crate::{
    commands::{
        ratings::{Rated, change_line},
        render::{BoardView, outcome_line, planned_maintenance, tell, wrap},
        server::Server,
        terminal::say,
    },
    speech,
};

/// The clocks are drawn so often.
const TICK: Duration = Duration::from_millis(500);
/// How often to look whether the tokens are about to expire.
const TOKENS_LOOKED_AT: Duration = Duration::from_mins(1);
/// A person would rather know than wait for a server that is away.
pub(super) const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(10));

/// A game, and who looks at it.
pub(super) struct Table<'a> {
    pub(super) server: &'a Server,
    pub(super) player: Option<&'a Player>,
    pub(super) view: View,
    screen: Screen,
    /// Whether the next line answers whether to resign.
    resigning: bool,
}

/// A game that the person has played to its end.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// The game.
    pub game_id: String,
    /// The number of its last event.
    pub sequence: u64,
    /// Whether it counts for nothing because not both players came to it.
    pub is_unplayed: bool,
}

/// Whether to stay at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Stay,
    Leave,
}

/// Plays or watches a game to its end, or until the person leaves.
///
/// # Errors
/// What the server says; that the player has no seat in the game; that the output is gone.
pub(super) async fn sit(
    server: &Server,
    url: &str,
    player: Option<&Player>,
    game_id: &str,
    input: &mut Input,
    interrupts: &mut Signal,
) -> anyhow::Result<Option<Ended>> {
    let transport = player.map_or_else(|| server.transport(), Player::transport);
    let mut watched = GameStream::new(transport, game_id);
    let Some(GameUpdate::Snapshot(game)) = watched.next().await.context("coming to the game")? else {
        bail!("the server does not show the game as it stands");
    };
    let mut table = Table::new(server, player, *game).await?;
    let deviation = match table.rated() {
        Some(rated) => Some(rated.now(server).await?.deviation),
        None => None,
    };
    if table.run(watched, input, interrupts).await? == Flow::Leave {
        table.say_how_to_come_back(url)?;
        return Ok(None);
    }
    tokio::select! {
        biased;
        _ = interrupts.recv() => return Ok(None),
        ended = table.tell_end(deviation) => ended?,
    }
    let seated = table.view.seat != Side::Unspecified;
    let state = &table.view.state;
    let is_unplayed = state.outcome.as_ref().is_some_and(|outcome| outcome.reason() == Reason::NotAppeared);
    let ended = Ended { game_id: game_id.to_owned(), sequence: state.sequence, is_unplayed };
    Ok(Some(ended).filter(|_| seated))
}

impl<'a> Table<'a> {
    async fn new(server: &'a Server, player: Option<&'a Player>, game: Game) -> anyhow::Result<Self> {
        let Game { info, state, board, .. } = game;
        let (info, state) = info.zip(state).context("the server's answer lacks a part of the game")?;
        let board = board.context("the server's answer lacks the board")?;
        let sides = server.sides(&info.variant).await?;
        let picture = BoardView::new(&board, sides.clone())?;
        let holds = |seat: &Option<api::game::v1::Seat>| {
            let account = player.map(|player| player.account().id.as_str()).filter(|id| !id.is_empty());
            account.is_some() && seat.as_ref().map(|seat| seat.account_id.as_str()) == account
        };
        let seat = match (holds(&info.first), holds(&info.second)) {
            (true, _) => Side::First,
            (_, true) => Side::Second,
            _ => Side::Unspecified,
        };
        if let (Some(player), Side::Unspecified) = (player, seat) {
            bail!("{} has no seat in game {}; see it with --watch", player.account().name, info.id);
        }
        let facts = board.facts.into_iter().collect();
        let notices = VecDeque::from([":help says what can be typed".to_owned()]);
        let view = View { info, state, picture, sides, seat, facts, notices };
        Ok(Table { server, player, view, screen: Screen::default(), resigning: false })
    }

    /// Goes on until the game has ended or the person leaves.
    async fn run(
        &mut self,
        watched: GameStream,
        input: &mut Input,
        interrupts: &mut Signal,
    ) -> anyhow::Result<Flow> {
        let mut events = pin!(events(watched));
        let mut talk = pin!(self.overhear());
        let mut tick = tokio::time::interval(TICK);
        let mut tokens = tokio::time::interval(TOKENS_LOOKED_AT);
        let mut more_lines = true;
        self.draw()?;
        loop {
            // The tokens before what may come without a pause.
            tokio::select! {
                biased;
                _ = interrupts.recv() => return Ok(Flow::Leave),
                _ = tokens.tick() => self.keep_signed_in().await,
                seen = events.next() => match seen {
                    Some(seen) => {
                        self.see(seen.context("watching the game")?)?;
                        self.redraw()?;
                    }
                    None => return Ok(Flow::Stay),
                },
                Some(message) = talk.next() => {
                    self.view.notice(&format!("{}: {}", message.name, message.text));
                    self.redraw()?;
                }
                line = input.line(), if more_lines => match line {
                    Some(line) => {
                        let flow = tokio::select! {
                            biased;
                            _ = interrupts.recv() => Flow::Leave,
                            flow = self.obey(&line) => flow?,
                        };
                        if flow == Flow::Leave {
                            return Ok(Flow::Leave);
                        }
                        self.draw()?;
                    }
                    // Nobody types any more; the game can still be watched.
                    None => more_lines = false,
                },
                _ = tick.tick() => self.screen.tick(&self.lines())?,
            }
        }
    }

    fn see(&mut self, seen: GameUpdate) -> anyhow::Result<()> {
        match seen {
            GameUpdate::Snapshot(game) => self.replace(*game),
            GameUpdate::Event(event) => self.see_event(*event),
            GameUpdate::Maintenance(notice) => {
                self.view.notice(&planned_maintenance(&notice));
                Ok(())
            }
        }
    }

    fn see_event(&mut self, event: GameEvent) -> anyhow::Result<()> {
        if let Some(told) = tell(&event, &self.view.sides) {
            self.view.notice(&told);
        }
        if let Some(board) = event.board {
            // Moves were taken back: no changes lead there.
            self.view.picture = BoardView::new(&board, self.view.sides.clone())?;
            self.view.facts = board.facts.into_iter().collect();
        } else if let Some(Event::Played(played)) = &event.event {
            self.view.picture.apply(&played.changes, &played.marks).context("drawing what happened")?;
            self.view.facts.clear();
        }
        if let Some(state) = event.state {
            self.view.state = state;
        }
        Ok(())
    }

    fn replace(&mut self, game: Game) -> anyhow::Result<()> {
        if let Some(board) = game.board {
            self.view.picture = BoardView::new(&board, self.view.sides.clone())?;
            self.view.facts = board.facts.into_iter().collect();
        }
        // An event may have come after the answer was made.
        if let Some(state) = game.state.filter(|state| state.sequence >= self.view.state.sequence) {
            self.view.state = state;
        }
        Ok(())
    }

    /// Does what a line asks for. What the server refuses is a notice, not an error.
    async fn obey(&mut self, line: &str) -> anyhow::Result<Flow> {
        if std::mem::take(&mut self.resigning) {
            return self.resign_if(is_yes(line)).await;
        }
        let command = parse(line);
        match &command {
            Command::Nothing => {}
            Command::Quit => return Ok(Flow::Leave),
            Command::Help(false) => HELP.into_iter().for_each(|line| self.view.notice(line)),
            Command::Help(true) => EVENT_HELP.into_iter().for_each(|line| self.view.notice(line)),
            Command::Unknown(line) => self.view.notice(&format!("{line}? :help says what can be typed")),
            Command::Hints => self.hints().await,
            Command::Board => self.board().await?,
            Command::Record(file) => self.record(file).await,
            Command::Say(text) => self.talk(text).await,
            // It holds the calls of every command.
            _ => Box::pin(self.change(&command)).await,
        }
        Ok(Flow::Stay)
    }

    /// Acts in the game. The event comes by the stream, as everybody's does.
    async fn change(&mut self, command: &Command) {
        let Some(player) = self.player else {
            return self.view.notice("you are watching; only players act");
        };
        self.keep_signed_in().await;
        let id = self.view.info.id.clone();
        let done = match command {
            Command::Act(text) => player.play(&id, text, self.view.state.ply, RETRY).await.map(drop),
            Command::Draw => player.offer_draw(&id, RETRY).await.map(drop),
            Command::Accept => player.accept_draw(&id, RETRY).await.map(drop),
            Command::Decline => player.decline_draw(&id, RETRY).await.map(drop),
            Command::Abort => player.abort(&id, RETRY).await.map(drop),
            Command::Give(seconds) => {
                player.give_time(&id, Duration::from_secs(*seconds), RETRY).await.map(drop)
            }
            Command::Undo(_)
            | Command::Pause
            | Command::Continue
            | Command::Adjourn
            | Command::ResumeAt(_)
            | Command::Agree
            | Command::Refuse => self.wish(player, command).await,
            Command::Here => player.check_in(&id, RETRY).await.map(drop),
            Command::Gone(claim) => player.claim_abandonment(&id, *claim, RETRY).await.map(drop),
            Command::Seal(act) => self.seal(player, act).await,
            Command::Ask(ask) => self.ask(player, ask).await,
            Command::Suggest => self.suggest(player).await,
            Command::Resign => {
                self.resigning = true;
                Ok(())
            }
            _ => Ok(()),
        };
        self.tell_refusal(done);
    }

    /// Proposes something, or answers what is proposed.
    async fn wish(&self, player: &Player, command: &Command) -> Result<(), Status> {
        let id = &self.view.info.id;
        let open = self.view.open_proposals();
        let wish = match command {
            Command::Undo(ply) => {
                Proposal::Undo(Undo { ply: ply.unwrap_or_else(|| self.view.own_last_ply()) })
            }
            Command::Pause => Proposal::Pause(Pause {}),
            Command::Continue => Proposal::Resume(Resume {}),
            Command::Adjourn => Proposal::Adjourn(Adjourn {}),
            Command::ResumeAt(at) => {
                Proposal::ResumeAt(ResumeAt { resumption_time: Some(api::time::timestamp(*at)) })
            }
            _ => match open.iter().find(|(side, _)| *command == Command::Refuse || *side != self.view.seat) {
                Some((_, proposal)) => *proposal,
                None => return Err(Status::failed_precondition("nothing is proposed")),
            },
        };
        match command {
            Command::Refuse => player.drop_proposal(id, wish, RETRY).await.map(drop),
            _ => player.propose(id, wish, RETRY).await.map(drop),
        }
    }

    async fn resign_if(&mut self, sure: bool) -> anyhow::Result<Flow> {
        match self.player {
            Some(player) if sure => {
                self.keep_signed_in().await;
                let done = player.resign(&self.view.info.id, RETRY).await.map(drop);
                self.tell_refusal(done);
            }
            _ => self.view.notice("you play on"),
        }
        Ok(Flow::Stay)
    }

    pub(super) fn tell_refusal(&mut self, done: Result<(), Status>) {
        if let Err(status) = done {
            self.view.notice(&refusal(&status));
        }
    }

    async fn hints(&mut self) {
        let mine = self.view.seat;
        let side = if mine == Side::Unspecified {
            self.view.state.actors().next().unwrap_or_default()
        } else {
            mine
        };
        let request = ListHintsRequest { game_id: self.view.info.id.clone(), side: side as i32 };
        let games = self.games();
        let call = || async { games.clone().list_hints(request.clone()).await };
        match with_retry(RETRY, call).await {
            Err(status) => self.view.notice(&refusal(&status)),
            Ok(answer) => {
                let count = format!("{} possible acts:", answer.hints.len());
                let hints: Vec<String> = answer.hints.iter().map(hint).collect();
                let words = std::iter::once(count.as_str()).chain(hints.iter().map(String::as_str));
                for line in wrap(words, Screen::columns().saturating_sub(2), NOTICES) {
                    self.view.notice(&line);
                }
            }
        }
    }

    async fn board(&mut self) -> anyhow::Result<()> {
        let request = GetGameRequest { game_id: self.view.info.id.clone() };
        let games = self.games();
        let call = || async { games.clone().get_game(request.clone()).await };
        match with_retry(RETRY, call).await {
            Err(status) => self.view.notice(&refusal(&status)),
            Ok(answer) => {
                let game = answer.game.context("the server's answer lacks the game")?;
                let sequence = game.state.as_ref().map_or(0, |state| state.sequence);
                // What happened since the last event that was seen is still to come by the stream.
                if sequence == self.view.state.sequence {
                    self.replace(game)?;
                }
            }
        }
        Ok(())
    }

    async fn record(&mut self, file: &Path) {
        let written = async {
            let record = self.server.record(&self.view.info.id).await?;
            let mut new = std::fs::File::create_new(file)?;
            anyhow::Ok(new.write_all(record.text.as_bytes())?)
        };
        let notice = match written.await {
            Ok(()) => format!("the record so far is in {}", file.display()),
            Err(error) => format!("{} could not be written: {error:#}", file.display()),
        };
        self.view.notice(&notice);
    }

    /// Failing to get new tokens is told by the call that needs them.
    pub(super) async fn keep_signed_in(&self) {
        if let Some(player) = self.player {
            drop(player.stay_signed_in(self.server.now()).await);
        }
    }

    fn games(&self) -> GameServiceClient<Transport> {
        self.player.map_or_else(|| self.server.games(), Player::games)
    }

    /// The person's rating that the game counts for.
    fn rated(&self) -> Option<Rated> {
        let player = self.player.filter(|_| self.view.info.rated)?;
        Some(Rated::of(&player.account().id, &self.view.info))
    }

    fn lines(&self) -> Vec<String> {
        self.view.lines(self.server.now(), Screen::columns())
    }

    fn prompt(&self) -> String {
        if self.resigning { "resign? (y/n) ".to_owned() } else { self.view.prompt() }
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (lines, prompt) = (self.lines(), self.prompt());
        self.screen.draw(&lines, &prompt)
    }

    fn redraw(&mut self) -> anyhow::Result<()> {
        let (lines, prompt) = (self.lines(), self.prompt());
        self.screen.redraw(&lines, &prompt)
    }

    fn say_how_to_come_back(&self, url: &str) -> anyhow::Result<()> {
        let id = &self.view.info.id;
        say("")?;
        match self.player {
            None => Ok(()),
            Some(player) if player.account().guest => {
                say("you have left; the game and your clock go on, and a guest cannot sign in again")?;
                say(format_args!("watch it:   shoutan play --server {url} --watch {id}"))
            }
            Some(player) => {
                let name = &player.account().name;
                say("you have left; the game and your clock go on")?;
                say(format_args!("come back:  shoutan play --server {url} --name {name} --game {id}"))
            }
        }
    }

    /// Says how the game ended and what it did to the rating.
    async fn tell_end(&self, deviation: Option<f64>) -> anyhow::Result<()> {
        let outcome = self.view.state.outcome.as_ref().context("the stream ended before the game")?;
        say("")?;
        say(format_args!("result: {}", outcome_line(outcome)))?;
        let (Some(rated), Some(deviation)) = (self.rated(), deviation) else { return Ok(()) };
        if outcome.verdict() == Verdict::Void {
            return say("the game counts for nothing; your rating stays");
        }
        let change = rated.changed_by(self.server, &self.view.info.id).await?;
        say(format_args!("rating: {}", change_line(deviation, &change)))
    }
}

/// The steps of a watched game as a stream: unlike a call that waits for one, it can be left and come back to.
fn events(watched: GameStream) -> impl Stream<Item = Result<GameUpdate, Status>> {
    stream::unfold(Some(watched), async |watched| {
        let mut watched = watched?;
        match watched.next().await {
            Ok(Some(seen)) => Some((Ok(seen), Some(watched))),
            Ok(None) => None,
            Err(status) => Some((Err(status), None)),
        }
    })
}

/// Why the server would not: in English its own words, in another language what its reason means.
fn refusal(status: &Status) -> String {
    if let Some(told) = speech::current().and_then(|speech| speech.refused(status)) {
        return told;
    }
    let reason = reason(status);
    if reason.is_empty() {
        return format!("refused: {} ({})", status.message(), status.code());
    }
    // Some sentences begin with the reason.
    let sentence = status.message().strip_prefix(&format!("{reason}: ")).unwrap_or(status.message());
    format!("refused: {sentence} ({reason})")
}

/// A possible act, with the number of stones still to be named.
fn hint(hint: &api::game::v1::Hint) -> String {
    match hint.choices_left {
        0 => hint.text.clone(),
        choices => format!("{}(+{choices})", hint.text),
    }
}

#[cfg(test)]
mod tests {
    use api::{game::v1::Hint, reason};

    use super::*;

    #[test]
    fn refusals_have_sentence_and_reason() {
        let answer = api::Error::new(
            tonic::Code::FailedPrecondition,
            reason::OCCUPIED,
            "a stone stands on this point",
        );
        assert_eq!(refusal(&answer.into()), "refused: a stone stands on this point (OCCUPIED)");
        let answer = api::Error::new(tonic::Code::FailedPrecondition, reason::KO, "KO: play elsewhere first");
        assert_eq!(refusal(&answer.into()), "refused: play elsewhere first (KO)");
        let gone = refusal(&Status::unavailable("connection refused"));
        assert!(gone.starts_with("refused: connection refused ("), "{gone}");
    }

    #[test]
    fn hints_tell_how_many_stones_are_owed() {
        let show = |text: &str, choices_left| hint(&Hint { text: text.to_owned(), choices_left });
        assert_eq!(show("Q16", 0), "Q16");
        assert_eq!(show("H7→H8", 1), "H7→H8(+1)");
    }
}
