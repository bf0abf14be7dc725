use super::{Failure, status::colours_drawn};
use crate::{Author, Game, RuleSet, Side, StoneColour, prelude::*};

/// A command of the protocol.
///
/// ```
/// use rules::engine::{Command, Engine};
///
/// let engine = Engine::new(&rules::go::VARIANT)?;
/// assert_eq!(Command::read(engine.game(), "undo 2"), Ok(Command::Undo(2)));
/// assert_eq!(Command::read(engine.game(), "perft 3"), Ok(Command::Perft { depth: 3, divide: false }));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Lists the commands.
    Help,
    /// Starts a game under a rule set.
    New(RuleSet),
    /// Starts a game from a position, under the rule set of the game before.
    Position(String),
    /// Plays an act.
    Play {
        /// Who plays it; `None` is whoever may act.
        author: Option<Author>,
        /// The act in the variant's notation.
        act: String,
    },
    /// Lists what may be played.
    Moves(Listing),
    /// Counts sequences of steps.
    Perft {
        /// How many steps.
        depth: u32,
        /// Whether to count by the first step.
        divide: bool,
    },
    /// Shows the position, as `position` reads it.
    Show,
    /// Tells whose turn it is, the phase, the outcome and what else is known.
    Status,
    /// Counts the position as it stands.
    Score,
    /// Suggests the act by which the game may be settled.
    Suggest,
    /// Takes back so many acts.
    Undo(u32),
    /// Tells the hash of the position.
    Hash,
    /// Writes the record of the game.
    Record,
    /// Checks the records in a file; the game is not touched.
    Check(String),
    /// Ends the session.
    Quit,
}

/// What `moves` lists.
///
/// ```
/// use rules::engine::{Command, Engine, Listing, NoHost};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let listed = engine.run(&Command::Moves(Listing::Steps), &mut NoHost).unwrap();
/// assert_eq!(listed.to_string(), "G7\nH8");
/// let read = Command::read(engine.game(), "moves C7→B7");
/// assert_eq!(read, Ok(Command::Moves(Listing::After("C7→B7".into()))));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The first step of every act, and how many stones of choice it owes.
    Steps,
    /// The steps that may follow these.
    After(String),
    /// Every complete act.
    Complete,
}

/// A command for a person.
///
/// ```
/// use rules::engine::{COMMANDS, CommandInfo};
///
/// let undo = CommandInfo { name: "undo", arguments: "[COUNT]", description: "takes back acts" };
/// assert!(COMMANDS.contains(&undo));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// What follows the name.
    pub arguments: &'static str,
    /// What it does.
    pub description: &'static str,
}

const fn info(name: &'static str, arguments: &'static str, description: &'static str) -> CommandInfo {
    CommandInfo { name, arguments, description }
}

/// Every command, in the order in which a person would want them.
///
/// ```
/// use rules::engine::{COMMANDS, Command, Engine};
///
/// let engine = Engine::new(&rules::go::VARIANT)?;
/// for info in COMMANDS {
///     let read = Command::read(engine.game(), info.name);
///     assert!(read.is_ok() || read.is_err_and(|failure| failure.reason == "BAD_ARGUMENTS"));
/// }
/// # Ok::<(), rules::OptionError>(())
/// ```
pub const COMMANDS: &[CommandInfo] = &[
    info("new", "[rules=SET] [OPTION=VALUE ...]", "starts a game"),
    info("position", "KEY: VALUE; ...; board: ROW/ROW/...", "starts a game from a position"),
    info("play", "[SIDE | house] ACT", "plays an act and answers it in canonical notation"),
    info("moves", "[all | STEPS]", "lists first steps, complete acts, or the steps after these"),
    info("perft", "DEPTH [divide]", "counts sequences of steps"),
    info("show", "", "shows the position, as `position` and `check` read it"),
    info("status", "", "tells the rules, the phase, who may act, the outcome and more"),
    info("score", "", "counts the position as it stands"),
    info("suggest", "", "suggests the act by which the game may be settled, as the stones that seem dead"),
    info("undo", "[COUNT]", "takes back acts"),
    info("hash", "", "tells the hash of the position"),
    info("record", "", "writes the record of the game"),
    info("check", "FILE", "checks the records in a file by the rules"),
    info("help", "", "lists the commands"),
    info("quit", "", "ends the session"),
];

impl Command {
    /// Reads a command and its arguments; the game tells which side a colour names.
    ///
    /// ```
    /// use rules::{Side, engine::{Command, Engine}};
    ///
    /// let engine = Engine::new(&rules::jiu::VARIANT)?;
    /// let white = Command::Play { author: Some(Side::First.into()), act: "h8".into() };
    /// assert_eq!(Command::read(engine.game(), "play w h8"), Ok(white));
    /// assert_eq!(Command::read(engine.game(), "castle").unwrap_err().reason, "UNKNOWN_COMMAND");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// There is no such command, or its arguments are not what it takes.
    pub fn read(game: &dyn Game, words: &str) -> Result<Command, Failure> {
        let (name, rest) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
        let rest = rest.trim();
        let bare = |command: Command| match rest {
            "" => Ok(command),
            _ => Err(Failure::arguments(format!("{name} takes no arguments"))),
        };
        match name {
            "help" => bare(Command::Help),
            "new" => Ok(Command::New(rule_set(rest)?)),
            "position" => Ok(Command::Position(rest.to_owned())),
            "play" => play(game, rest),
            "moves" => Ok(Command::Moves(match rest {
                "" => Listing::Steps,
                "all" => Listing::Complete,
                steps => Listing::After(steps.to_owned()),
            })),
            "perft" => perft(rest),
            "show" => bare(Command::Show),
            "status" => bare(Command::Status),
            "score" => bare(Command::Score),
            "suggest" => bare(Command::Suggest),
            "undo" if rest.is_empty() => Ok(Command::Undo(1)),
            "undo" => Ok(Command::Undo(number(rest)?)),
            "hash" => bare(Command::Hash),
            "record" => bare(Command::Record),
            "check" if rest.is_empty() => Err(Failure::arguments("the name of a file is wanted")),
            "check" => Ok(Command::Check(rest.to_owned())),
            "quit" => bare(Command::Quit),
            _ => Err(Failure::new("UNKNOWN_COMMAND", "there is no such command; help lists them")),
        }
    }
}

/// The side that a word names, the sides having these colours: `first` or `second`, or the colour of its stones as `B`, `black` or `dark`, small or
/// large.
///
/// ```
/// use rules::{Side, engine::side_named, go, jiu};
///
/// assert_eq!(side_named(go::VARIANT.colours, "black"), Some(Side::First));
/// assert_eq!(side_named(jiu::VARIANT.colours, "black"), Some(Side::Second));
/// assert_eq!(side_named(jiu::VARIANT.colours, "house"), None);
/// ```
pub fn side_named(colours: [StoneColour; 2], word: &str) -> Option<Side> {
    let of = |colour| Side::BOTH.into_iter().find(|side| colours[side.index()] == colour);
    match word.to_ascii_lowercase().as_str() {
        "first" => Some(Side::First),
        "second" => Some(Side::Second),
        "b" | "black" | "dark" => of(StoneColour::Black),
        "w" | "white" | "light" => of(StoneColour::White),
        _ => None,
    }
}

/// Who acts, by a word: a side as [`side_named`] knows it, or `house`.
///
/// ```
/// use rules::{Author, Side, engine::author_named, jiu};
///
/// assert_eq!(author_named(jiu::VARIANT.colours, "house"), Some(Author::System));
/// assert_eq!(author_named(jiu::VARIANT.colours, "W"), Some(Author::Side(Side::First)));
/// ```
pub fn author_named(colours: [StoneColour; 2], word: &str) -> Option<Author> {
    if word.eq_ignore_ascii_case(Author::System.name()) {
        return Some(Author::System);
    }
    side_named(colours, word).map(Author::Side)
}

fn play(game: &dyn Game, text: &str) -> Result<Command, Failure> {
    if text.is_empty() {
        return Err(Failure::arguments("an act is wanted"));
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let author = author_named(colours_drawn(game), word).filter(|_| !rest.is_empty());
    let act = if author.is_some() { rest.trim() } else { text };
    Ok(Command::Play { author, act: act.to_owned() })
}

fn rule_set(text: &str) -> Result<RuleSet, Failure> {
    let mut rule_set = RuleSet::named("");
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some(("rules", name)) => name.clone_into(&mut rule_set.id),
            Some((name, value)) => rule_set = rule_set.with(name, value),
            None => return Err(Failure::arguments("an option is written as name=value")),
        }
    }
    Ok(rule_set)
}

fn perft(text: &str) -> Result<Command, Failure> {
    let (depth, divide) = match text.split_once(char::is_whitespace) {
        None => (text, false),
        Some((depth, "divide")) => (depth, true),
        Some(_) => return Err(Failure::arguments("a depth is wanted, and divide at most")),
    };
    Ok(Command::Perft { depth: number(depth)?, divide })
}

fn number(text: &str) -> Result<u32, Failure> {
    text.parse().map_err(|_| Failure::arguments("a number is wanted"))
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;
    use crate::{Variant, go, jiu};

    fn game(variant: &'static Variant) -> Box<dyn Game> {
        (variant.start)(&RuleSet::named("")).expect("a default rule set")
    }

    #[test]
    fn every_command_listed_is_known() {
        let go = game(&go::VARIANT);
        for info in COMMANDS {
            let read = Command::read(&*go, info.name);
            assert!(read.is_ok() || read.is_err_and(|it| it.reason == "BAD_ARGUMENTS"), "{}", info.name);
        }
        let unknown = Command::read(&*go, "genmove b").expect_err("no command");
        assert_eq!(unknown.reason, "UNKNOWN_COMMAND");
    }

    #[test]
    fn sides_have_the_colours_of_the_game() {
        let jiu = game(&jiu::VARIANT);
        let author = |words| match Command::read(&*jiu, words) {
            Ok(Command::Play { author, act }) => (author, act),
            other => panic!("{other:?}"),
        };
        let (first, second) = (Some(Author::Side(Side::First)), Some(Author::Side(Side::Second)));
        assert_eq!(author("play w H8"), (first, "H8".to_owned()));
        assert_eq!(author("play Second  G7→G8 FC-A1"), (second, "G7→G8 FC-A1".to_owned()));
        assert_eq!(author("play house expire"), (Some(Author::System), "expire".to_owned()));
        assert_eq!(author("play B"), (None, "B".to_owned()));
    }

    #[test]
    fn arguments_are_taken_apart_or_refused() {
        let go = game(&go::VARIANT);
        let read = |words| Command::read(&*go, words);
        let rules = RuleSet::named("psk").with("size", "9");
        assert_eq!(read("new size=9 rules=psk"), Ok(Command::New(rules)));
        assert_eq!(read("perft 3 divide"), Ok(Command::Perft { depth: 3, divide: true }));
        assert_eq!(read("undo 4"), Ok(Command::Undo(4)));
        for bad in ["new 9", "perft", "perft -1", "perft 2 x", "undo x", "check", "play", "hash 1"] {
            assert_eq!(read(bad).expect_err(bad).reason, "BAD_ARGUMENTS");
        }
    }
}
