//! The games of a round, an event or a season as one archive: their records, and a table that says what each of them is.
//!
//! `games.csv` has a line for each game, also for those of which there is no record: `event`, `event_id`, `round`, `table`,
//! `game` (1, and more where a board was played again), `first`, `second` (who moves first stands first, where colours are
//! given), `first_result`, `second_result`, `reason`, `game_id`, `file`. Results and reasons are called as [`pairing`] calls them; they are
//! empty of a game that is not decided.

use pairing::{Reason, ResultCode};

use crate::{
    WriteError,
    archive::archive,
    csv::{Mark, Table},
};

/// Bytes of a name in the name of a file: four of them and some numbers are less than file systems take.
const NAME_BYTES_MAX: usize = 56;

/// The columns of the table.
const COLUMNS: [&str; 12] = [
    "event",
    "event_id",
    "round",
    "table",
    "game",
    "first",
    "second",
    "first_result",
    "second_result",
    "reason",
    "game_id",
    "file",
];

/// A game of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGame {
    /// The number of its event in the archive, from 1; 0 where there is one event alone, which has no folder then.
    pub part: u32,
    /// What the event is called.
    pub event: String,
    /// The event's id.
    pub event_id: String,
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// Which game of the board it is, from 1.
    pub attempt: u32,
    /// Who played; who moves first stands first, where colours are given.
    pub players: [String; 2],
    /// What came of it for each, and why; none while nothing has.
    pub result: Option<([ResultCode; 2], Reason)>,
    /// Its id; empty where it was played elsewhere.
    pub id: String,
    /// The text of the record, and the ending of its file; none where there is none.
    pub record: Option<(String, String)>,
}

/// The archive of games. The same games make the same bytes.
///
/// ```
/// use exchange::games::{PlayedGame, games};
/// let game = PlayedGame {
///     round: 1,
///     table: 2,
///     attempt: 1,
///     players: ["卓玛".to_owned(), "Ed/../Win".to_owned()],
///     record: Some(("(;GM[1])".to_owned(), "sgf".to_owned())),
///     ..PlayedGame::default()
/// };
/// assert_eq!(game.file().as_deref(), Some("round 01/002 卓玛 – Ed-..-Win.sgf"));
/// assert!(games(&[game])?.starts_with(b"PK"));
/// # Ok::<(), exchange::WriteError>(())
/// ```
///
/// # Errors
/// When it would be larger than an archive may be.
pub fn games(games: &[PlayedGame]) -> Result<Vec<u8>, WriteError> {
    let mut table = Table::new(Mark::None);
    table.row(COLUMNS)?;
    let mut files = Vec::with_capacity(games.len() + 1);
    for game in games {
        let file = game.file();
        table.row(game.cells(file.as_deref()))?;
        let record = game.record.as_ref().map(|(text, _)| text.as_bytes());
        files.extend(file.zip(record));
    }
    let table = table.finish()?;
    files.push(("games.csv".to_owned(), table.as_slice()));
    archive(files)
}

impl PlayedGame {
    /// What its file is called in the archive; none where it has no record.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        let (_, ending) = self.record.as_ref()?;
        let folder =
            if self.part == 0 { String::new() } else { format!("{} {}/", self.part, plain(&self.event)) };
        let again = if self.attempt > 1 { format!(" ({})", self.attempt) } else { String::new() };
        let [first, second] = [0, 1].map(|at| plain(&self.players[at]));
        let (round, table, ending) = (self.round, self.table, plain(ending));
        Some(format!("{folder}round {round:02}/{table:03}{again} {first} – {second}.{ending}"))
    }

    fn cells(&self, file: Option<&str>) -> [String; 12] {
        let result =
            |at: usize| self.result.map(|(codes, _)| codes[at].name().to_owned()).unwrap_or_default();
        [
            self.event.clone(),
            self.event_id.clone(),
            self.round.to_string(),
            self.table.to_string(),
            self.attempt.to_string(),
            self.players[0].clone(),
            self.players[1].clone(),
            result(0),
            result(1),
            self.result.map(|(_, reason)| reason.name().to_owned()).unwrap_or_default(),
            self.id.clone(),
            file.unwrap_or_default().to_owned(),
        ]
    }
}

/// A name as a part of a file's name: nothing in it that a file system takes for something else, or that hides what it is.
fn plain(name: &str) -> String {
    let is_hidden = |it: char| matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let is_sign = |it: char| matches!(it, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let shown = name.chars().filter(|it| !is_hidden(*it));
    let shown: String = shown.map(|it| if it.is_control() || is_sign(it) { '-' } else { it }).collect();
    let end = shown.floor_char_boundary(NAME_BYTES_MAX);
    let short = shown[..end].trim().trim_end_matches(['.', ' ']);
    if short.is_empty() { "—".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use proptest::prelude::*;

    use super::*;

    fn game(table: u32, players: [&str; 2]) -> PlayedGame {
        PlayedGame {
            event: "Öffentliche Meisterschaft".to_owned(),
            round: 1,
            table,
            attempt: 1,
            players: players.map(str::to_owned),
            result: Some(([ResultCode::Win, ResultCode::Loss], Reason::Normal)),
            id: format!("g{table}"),
            record: Some((format!("(;GM[1]GN[{table}])"), "sgf".to_owned())),
            ..PlayedGame::default()
        }
    }

    fn unpacked(bytes: Vec<u8>) -> Vec<(String, String)> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("it opens");
        (0..archive.len())
            .map(|at| {
                let mut file = archive.by_index(at).expect("a file");
                let name = file.name().expect("a name").into_owned();
                assert!(file.enclosed_name().is_some(), "{name} leads out");
                let mut text = String::new();
                file.read_to_string(&mut text).expect("a text");
                (name, text)
            })
            .collect()
    }

    #[test]
    fn an_archive_has_every_record_and_a_line_for_every_game() {
        let elsewhere = PlayedGame { record: None, id: String::new(), ..game(2, ["=SUM(A1)", "丹增"]) };
        let again = PlayedGame { attempt: 2, result: None, ..game(1, ["a", "b"]) };
        let all = [game(1, ["a", "b"]), again, elsewhere];
        let files = unpacked(games(&all).expect("an archive"));
        let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["games.csv", "round 01/001 (2) a – b.sgf", "round 01/001 a – b.sgf"]);
        let lines: Vec<&str> = files[0].1.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(
            lines[1],
            "Öffentliche Meisterschaft,,1,1,1,a,b,win,loss,normal,g1,round 01/001 a – b.sgf"
        );
        assert_eq!(lines[3], "Öffentliche Meisterschaft,,1,2,1,'=SUM(A1),丹增,win,loss,normal,,");
        let mut turned = all.to_vec();
        turned.reverse();
        let records = |files: Vec<(String, String)>| files[1..].to_vec();
        assert_eq!(records(unpacked(games(&turned).expect("an archive"))), files[1..]);
    }

    proptest! {
        #[test]
        fn no_name_leads_out_of_the_folder_and_the_same_games_are_the_same_bytes(
            names in prop::collection::vec("\\PC{0,80}|[./\\\\:]{1,8}|\\.\\.", 4), ending in "[a-z./]{0,6}",
        ) {
            let all: Vec<PlayedGame> = (1..=2)
                .map(|part| PlayedGame {
                    part,
                    event: names[2].clone(),
                    record: Some((String::new(), ending.clone())),
                    ..game(part, [&names[0], &names[1]])
                })
                .collect();
            let bytes = games(&all).expect("an archive");
            prop_assert_eq!(&bytes, &games(&all).expect("an archive"));
            prop_assert_eq!(unpacked(bytes).len(), 3);
        }
    }
}
