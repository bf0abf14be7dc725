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
    /// To take moves back, down to so many acts; to before the person's last one if nothing is said.
    Undo(Option<u32>),
    /// To rest.
    Pause,
    /// To go on.
    Continue,
    /// To agree to what the other side proposes.
    Agree,
    /// To refuse what the other side proposes, or to take back what the person has proposed.
    Refuse,
    /// To give the other side time, in seconds.
    Give(u64),
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
pub(super) const HELP: [&str; 5] = [
    "an act as the game writes it is played: Q16, pass, H7→H8 FC-F7 (-> will do for →)",
    ":hints possible acts   :board the board anew   :record FILE the record",
    ":draw offers a draw   :accept and :decline answer one   :resign   :abort",
    ":undo [N] :pause :continue propose, :agree and :refuse answer; :give SECONDS to the opponent",
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
        ("undo", "") => Command::Undo(None),
        ("undo", ply) if ply.parse::<u32>().is_ok() => Command::Undo(ply.parse().ok()),
        ("pause", "") => Command::Pause,
        ("continue", "") => Command::Continue,
        ("agree", "") => Command::Agree,
        ("refuse", "") => Command::Refuse,
        ("give", seconds) if seconds.parse::<u64>().is_ok() => {
            Command::Give(seconds.parse().unwrap_or_default())
        }
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
        assert_eq!(parse(":undo"), Command::Undo(None));
        assert_eq!(parse(":undo 12"), Command::Undo(Some(12)));
        assert_eq!(parse(":give 15"), Command::Give(15));
        assert_eq!(parse(":record my game.sgf "), Command::Record(PathBuf::from("my game.sgf")));
        for unknown in [":", ":record", ":resign now", ":undo two", ":give", ":halma", ": quit"] {
            assert_eq!(parse(unknown), Command::Unknown(unknown.to_owned()));
        }
    }
}
