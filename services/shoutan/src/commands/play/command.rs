//! What a typed line means.

use std::path::PathBuf;

/// What the person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Nothing,
    /// To play an act.
    Act(String),
    /// To know what can be typed.
    Help,
    /// To resign.
    Resign,
    /// To offer a draw.
    Draw,
    /// To accept the draw that is offered.
    Accept,
    /// To decline it.
    Decline,
    /// To abort the game.
    Abort,
    /// To know which acts are possible.
    Hints,
    /// To see the board as the server has it.
    Board,
    /// To have the record in a file.
    Record(PathBuf),
    /// To leave.
    Quit,
    /// Nobody knows.
    Unknown(String),
}

/// What can be typed, a line each.
pub(super) const HELP: [&str; 4] = [
    "an act as the game writes it is played: Q16, pass, H7→H8 FC-F7 (-> will do for →)",
    ":hints possible acts   :board the board anew   :record FILE the record",
    ":draw offers a draw   :accept and :decline answer one   :resign   :abort",
    ":quit leaves; the game and its clocks go on",
];

/// Reads a line: a command after a colon, or an act.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let Some(command) = line.strip_prefix(':') else {
        return if line.is_empty() { Command::Nothing } else { Command::Act(line.to_owned()) };
    };
    let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("help" | "h" | "?", "") => Command::Help,
        ("resign", "") => Command::Resign,
        ("draw", "") => Command::Draw,
        ("accept", "") => Command::Accept,
        ("decline", "") => Command::Decline,
        ("abort", "") => Command::Abort,
        ("hints", "") => Command::Hints,
        ("board", "") => Command::Board,
        ("quit" | "q", "") => Command::Quit,
        ("record", file) if !file.is_empty() => Command::Record(PathBuf::from(file)),
        _ => Command::Unknown(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_acts_or_commands() {
        assert_eq!(parse("  "), Command::Nothing);
        assert_eq!(parse(" H7→H8 FC-F7 "), Command::Act("H7→H8 FC-F7".to_owned()));
        assert_eq!(parse("accept"), Command::Act("accept".to_owned()), "an act of Go");
        assert_eq!(parse(":accept"), Command::Accept, "the answer to a draw offer");
        assert_eq!(parse(":RESIGN"), Command::Resign);
        assert_eq!(parse(":record my game.sgf "), Command::Record(PathBuf::from("my game.sgf")));
        for unknown in [":", ":record", ":resign now", ":halma", ": quit"] {
            assert_eq!(parse(unknown), Command::Unknown(unknown.to_owned()));
        }
    }
}
