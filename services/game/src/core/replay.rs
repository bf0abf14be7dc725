//! A log taken event by event, so that of a long one no more is held than what follows from it.

use rules::{Act, Author};

use super::{Corrupt, Event, Game, Sealed, rewind};

/// An act that stands, without what it did to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    author: Author,
    text: String,
    sealed: Option<Sealed>,
    revealed: Vec<(u32, String)>,
}

/// The acts of a game that stand: those that were not taken back or made void.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    sequence: u64,
    lines: Vec<Line>,
}

impl Sheet {
    /// The number of the last event that it has taken; 0 before the first.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        self.sequence = event.sequence;
        if let Some(played) = event.kind.played() {
            self.lines.push(Line {
                author: played.author,
                text: played.text.clone(),
                sealed: played.sealed.clone(),
                revealed: played.revealed.clone(),
            });
        } else if let Some(ply) = event.kind.goes_back_to() {
            self.lines.truncate(usize::try_from(ply).unwrap_or(usize::MAX));
        }
    }

    /// Every act as everybody may read it now: with its full text, if that has been revealed.
    pub fn open(&self) -> Vec<(Author, String)> {
        let mut acts: Vec<(Author, String)> = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            acts.push((line.author, line.text.clone()));
            for (ply, text) in &line.revealed {
                let index = usize::try_from(*ply).ok().and_then(|ply| ply.checked_sub(1));
                if let Some((_, open)) = index.and_then(|index| acts.get_mut(index)) {
                    open.clone_from(text);
                }
            }
        }
        acts
    }

    /// Every act in full, as the rules take it.
    pub fn whole(&self) -> impl Iterator<Item = Act> {
        self.lines.iter().map(|line| Act::by(line.author, line.whole()))
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> u64 {
        let line = |line: &Line| size_of::<Line>() + line.text.len();
        self.lines.iter().map(line).sum::<usize>() as u64
    }
}

impl Line {
    fn whole(&self) -> &str {
        self.sealed.as_ref().map_or(&self.text, |sealed| &sealed.0)
    }
}

/// A log on its way to the game that it tells of.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    game: Option<Game>,
    sheet: Sheet,
}

impl Replay {
    /// Takes the next event.
    ///
    /// # Errors
    /// When it is not the next one, or breaks the rules.
    pub fn take(&mut self, event: &Event) -> Result<(), Corrupt> {
        match &mut self.game {
            None => self.game = Some(Game::begin(event)?),
            Some(game) => {
                let lines = &self.sheet.lines;
                let acts = || lines.iter().map(|line| (line.author, line.whole()));
                game.take(event, |info, ply| rewind::position_of(info, acts(), ply))?;
            }
        }
        self.sheet.take(event);
        Ok(())
    }

    /// The number of the last event that it has taken; 0 before the first.
    pub const fn sequence(&self) -> u64 {
        self.sheet.sequence()
    }

    /// The game as far as it has come; none before the first event.
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The acts as far as it has come.
    pub const fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The game that the log has come to; none when it was empty.
    pub fn into_game(self) -> Option<Game> {
        self.game
    }
}
