//! What a typed line means.

use std::path::PathBuf;

use api::game::v1::{AbandonmentClaim, ClaimKind};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// What the person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Nothing,
    /// To play an act.
    Act(String),
    /// To know what can be typed; in games of an event.
    Help(bool),
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
    /// To adjourn the game.
    Adjourn,
    /// To go on with an adjourned game then.
    ResumeAt(OffsetDateTime),
    /// To seal this act.
    Seal(String),
    /// To be there when a game is about to begin.
    Here,
    /// To have the game, or a draw, because the other side is gone.
    Gone(AbandonmentClaim),
    /// To say something.
    Say(String),
    /// To ask something of the officials.
    Ask(Ask),
    /// To know what the server thinks is dead.
    Suggest,
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

/// What is asked of the officials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// To come, and why.
    Call(String),
    /// To decide: about what, about which incident (0 for none), and why.
    Claim(ClaimKind, u32, String),
    /// To look again at the decision of a claim, and why.
    Appeal(u32, String),
    /// Nothing: the result is right.
    Confirm,
}

/// The kinds of claims by their words.
const CLAIMS: [(&str, ClaimKind); 4] = [
    ("conduct", ClaimKind::Conduct),
    ("count", ClaimKind::Count),
    ("no-winning-force", ClaimKind::NoWinningForce),
    ("other", ClaimKind::Other),
];

/// What can be typed, a line each.
pub(super) const HELP: [&str; 6] = [
    "an act as the game writes it is played: Q16, pass, H7→H8 FC-F7 (-> will do for →)",
    ":hints possible acts   :board the board anew   :record FILE the record   :suggest what is dead",
    ":draw offers a draw   :accept and :decline answer one   :resign   :abort",
    ":undo [N] :pause :continue propose, :agree and :refuse answer; :give SECONDS to the opponent",
    ":say TEXT to the opponent, or among those who watch   :gone win|draw if the opponent stays away",
    ":quit leaves; the game and its clocks go on   :help event in games of an event",
];

/// The same for games of an event.
pub(super) const EVENT_HELP: [&str; 5] = [
    ":here says that you have come   :confirm the result",
    ":adjourn and :resume-at 2026-12-01T10:00Z propose   :seal ACT for an adjourned game",
    ":call WHY calls an arbiter",
    ":claim conduct|count|no-winning-force|other WHY   :claim decision N WHY about incident N",
    ":appeal N WHY against the decision of claim N",
];

/// Reads a line: a command after a colon, or an act.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let Some(command) = line.strip_prefix(':') else {
        return if line.is_empty() { Command::Nothing } else { Command::Act(line.to_owned()) };
    };
    let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
    let unknown = || Command::Unknown(line.to_owned());
    match (word.as_str(), rest) {
        ("help" | "h" | "?", "") => Command::Help(false),
        ("help" | "h" | "?", "event") => Command::Help(true),
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
        ("adjourn", "") => Command::Adjourn,
        ("seal", act) if !act.is_empty() => Command::Seal(act.to_owned()),
        ("here", "") => Command::Here,
        ("gone", "win") => Command::Gone(AbandonmentClaim::Win),
        ("gone", "draw") => Command::Gone(AbandonmentClaim::Draw),
        ("say", text) if !text.is_empty() => Command::Say(text.to_owned()),
        ("suggest", "") => Command::Suggest,
        ("hints", "") => Command::Hints,
        ("board", "") => Command::Board,
        ("quit" | "q", "") => Command::Quit,
        ("record", file) if !file.is_empty() => Command::Record(PathBuf::from(file)),
        ("resume-at", time) => moment(time).map_or_else(unknown, Command::ResumeAt),
        _ => ask(&word, rest).map_or_else(unknown, Command::Ask),
    }
}

/// `2026-12-01T10:00Z`: the seconds may be left out.
fn moment(text: &str) -> Option<OffsetDateTime> {
    let with_seconds =
        text.find(['Z', 'z', '+']).map(|zone| format!("{}:00{}", &text[..zone], &text[zone..]));
    let read = |text: &str| OffsetDateTime::parse(text, &Rfc3339).ok();
    read(text).or_else(|| read(&with_seconds?))
}

/// What is asked of the officials, if it is anything.
fn ask(word: &str, rest: &str) -> Option<Ask> {
    let (first, why) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let why = why.trim();
    let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Some(match word {
        "call" => Ask::Call(said(rest)?),
        "claim" if first == "decision" => {
            let (incident, why) = why.split_once(char::is_whitespace)?;
            Ask::Claim(ClaimKind::Decision, incident.parse().ok()?, said(why.trim())?)
        }
        "claim" => Ask::Claim(CLAIMS.iter().find(|(name, _)| *name == first)?.1, 0, said(why)?),
        "appeal" => Ask::Appeal(first.parse().ok()?, said(why)?),
        "confirm" if rest.is_empty() => Ask::Confirm,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::view::NOTICES, *};

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
        let at = OffsetDateTime::from_unix_timestamp(1_796_119_200).expect("a time");
        for time in ["2026-12-01T10:00Z", "2026-12-01T10:00:00Z", "2026-12-01T18:00+08:00"] {
            assert_eq!(parse(&format!(":resume-at {time}")), Command::ResumeAt(at), "{time}");
        }
        assert_eq!(parse(":seal C3"), Command::Seal("C3".to_owned()));
        assert_eq!(parse(":gone draw"), Command::Gone(AbandonmentClaim::Draw));
        assert_eq!(parse(":say 你好 :)"), Command::Say("你好 :)".to_owned()));
        for unknown in [
            ":",
            ":record",
            ":resume-at noon",
            ":gone",
            ":seal",
            ":say",
            ":suggest C3",
            ":resign now",
            ":undo two",
            ":give",
            ":halma",
            ": quit",
        ] {
            assert_eq!(parse(unknown), Command::Unknown(unknown.to_owned()));
        }
    }

    #[test]
    fn help_is_seen_at_once() {
        assert!(HELP.len() <= NOTICES && EVENT_HELP.len() <= NOTICES);
        assert_eq!((parse(":?"), parse(":help event")), (Command::Help(false), Command::Help(true)));
    }

    #[test]
    fn officials_are_asked_with_a_reason() {
        let asked = |line: &str| match parse(line) {
            Command::Ask(ask) => Some(ask),
            _ => None,
        };
        let why = || "he talks".to_owned();
        assert_eq!(asked(":call he talks"), Some(Ask::Call(why())));
        assert_eq!(asked(":claim conduct he talks"), Some(Ask::Claim(ClaimKind::Conduct, 0, why())));
        assert_eq!(asked(":claim decision 2  he talks"), Some(Ask::Claim(ClaimKind::Decision, 2, why())));
        assert_eq!(asked(":appeal 1 he talks"), Some(Ask::Appeal(1, why())));
        assert_eq!(asked(":confirm"), Some(Ask::Confirm));
        for unknown in
            [":call", ":claim", ":claim conduct", ":claim decision x y", ":appeal 1", ":confirm it"]
        {
            assert_eq!(parse(unknown), Command::Unknown(unknown.to_owned()));
        }
    }
}
