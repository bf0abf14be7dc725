use core::fmt;

use super::{COMMANDS, CommandInfo, Report, Status};
use crate::{Author, Hint, Played, Score, Side, prelude::*};

/// What a command came to. As text it is what stands behind the `=` of a session.
///
/// ```
/// use rules::{Side, engine::{Answer, Command, Engine, NoHost}};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let play = Command::Play { author: None, act: "h8".into() };
/// let Ok(Answer::Played { author, played }) = engine.run(&play, &mut NoHost) else { panic!("not played") };
/// assert_eq!((author, played.text.as_str()), (Side::First.into(), "H8"));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Answer {
    /// It was done, and there is nothing to say.
    Done,
    /// The commands.
    Help,
    /// An act was played.
    Played {
        /// By whom.
        author: Author,
        /// What.
        played: Played,
    },
    /// What may be played.
    Moves {
        /// The letters of the sides' colours.
        letters: [char; 2],
        /// Whether both sides may act, so that each act says whose it is.
        both: bool,
        /// By whom, and what.
        moves: Vec<(Side, Hint)>,
    },
    /// A count of sequences.
    Perft(PerftAnswer),
    /// The position, as [`super::render`] draws it.
    Show {
        /// The drawing.
        drawing: String,
        /// The text that sets the position up, if there is one.
        setup: Option<String>,
    },
    /// What is known of the game.
    Status(Status),
    /// The count of the position as it stands.
    Score {
        /// For a person.
        text: String,
        /// In the forms in which people write it, in games that are decided by a count.
        score: Option<Score>,
    },
    /// The act by which the game may be settled.
    Suggestion(String),
    /// The hash.
    Hash(u64),
    /// The record, after the position it begins with if it is not the start of a game.
    Record(String),
    /// What the check of a file has found.
    Check(Report),
    /// The session ends.
    Quit,
}

/// A count of sequences.
///
/// ```
/// use rules::engine::{Answer, Command, Engine, NoHost};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let count = Command::Perft { depth: 2, divide: true };
/// let Ok(Answer::Perft(perft)) = engine.run(&count, &mut NoHost) else { panic!("not counted") };
/// assert_eq!((perft.nodes, perft.divided.len()), (2, 2));
/// assert_eq!(Answer::Perft(perft).to_string(), "W G7: 1\nW H8: 1\n2");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PerftAnswer {
    /// The letters of the sides' colours.
    pub letters: [char; 2],
    /// How many steps.
    pub depth: u32,
    /// How many sequences.
    pub nodes: u64,
    /// By the first step, if that was asked for.
    pub divided: Vec<(Side, Hint, u64)>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Done | Answer::Quit => Ok(()),
            Answer::Help => {
                let line = |info: &CommandInfo| {
                    let gap = if info.arguments.is_empty() { "" } else { " " };
                    format!("{}{gap}{}: {}", info.name, info.arguments, info.description)
                };
                f.write_str(&COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
            Answer::Played { played, .. } => f.write_str(&played.text),
            Answer::Moves { letters, both, moves } => {
                let line = |(side, hint): &(Side, Hint)| {
                    let by = if *both { format!("{} ", letters[side.index()]) } else { String::new() };
                    match hint.choices_left {
                        0 => by + &hint.text,
                        owed => format!("{by}{} owes {owed}", hint.text),
                    }
                };
                f.write_str(&moves.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
            Answer::Perft(perft) => {
                for (side, hint, nodes) in &perft.divided {
                    writeln!(f, "{} {}: {nodes}", perft.letters[side.index()], hint.text)?;
                }
                write!(f, "{}", perft.nodes)
            }
            Answer::Show { drawing, .. } => f.write_str(drawing),
            Answer::Status(status) => write!(f, "{status}"),
            Answer::Score { text, .. } | Answer::Suggestion(text) => f.write_str(text),
            Answer::Hash(hash) => write!(f, "{hash:016x}"),
            Answer::Record(text) => f.write_str(text.trim_end()),
            Answer::Check(report) => write!(f, "{report}"),
        }
    }
}
