//! Lists as CSV for spreadsheets.

use csv::{Terminator, WriterBuilder};
use exchange::csv::neutral;
use strength::Points;

/// The columns.
pub const COLUMNS: [&str; 11] = [
    "place",
    "member_id",
    "name",
    "latin",
    "club",
    "rating",
    "deviation",
    "change",
    "games",
    "new_games",
    "provisional",
];

/// What tells some spreadsheets that the file is in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The place; none of who is not listed.
    pub place: Option<u32>,
    /// The member's id.
    pub member: String,
    /// His name; empty of a person who was forgotten.
    pub name: String,
    /// The same in Latin letters.
    pub latin: String,
    /// The name of his club.
    pub club: String,
    /// The rating.
    pub rating: Points,
    /// Its deviation; none in a system that has none.
    pub deviation: Option<Points>,
    /// By how much it has changed.
    pub change: Points,
    /// Games in all.
    pub games: u32,
    /// Games since the list before.
    pub new_games: u32,
    /// Whether the rating is provisional.
    pub provisional: bool,
}

/// Lines as CSV (RFC 4180), after the heading if it is the beginning.
///
/// # Errors
/// Never: it is written to memory.
pub fn csv(lines: &[Line], is_beginning: bool) -> Result<Vec<u8>, csv::Error> {
    let mut out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    if is_beginning {
        out.write_record(COLUMNS)?;
    }
    for line in lines {
        out.write_record([
            line.place.map(|place| place.to_string()).unwrap_or_default(),
            line.member.clone(),
            neutral(&line.name).into_owned(),
            neutral(&line.latin).into_owned(),
            neutral(&line.club).into_owned(),
            line.rating.to_string(),
            line.deviation.map(|deviation| deviation.to_string()).unwrap_or_default(),
            line.change.to_string(),
            line.games.to_string(),
            line.new_games.to_string(),
            u8::from(line.provisional).to_string(),
        ])?;
    }
    out.into_inner().map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_none_is_a_formula() {
        let line = Line {
            place: Some(1),
            member: "id".to_owned(),
            name: "=cmd|' /C calc'!A0".to_owned(),
            latin: "A \"B\", C".to_owned(),
            club: "阿坝".to_owned(),
            rating: Points(-5025),
            change: Points(-10),
            games: 3,
            provisional: true,
            ..Line::default()
        };
        let text = String::from_utf8(csv(std::slice::from_ref(&line), true).expect("written")).expect("text");
        let expected = "1,id,'=cmd|' /C calc'!A0,\"A \"\"B\"\", C\",阿坝,-50.25,,-0.10,3,0,1\r\n";
        assert_eq!(text, format!("{}\r\n{expected}", COLUMNS.join(",")));
        let wide = Line { name: "＝1".to_owned(), latin: "@x".to_owned(), club: "A-B=C".to_owned(), ..line };
        let text = String::from_utf8(csv(&[wide], false).expect("written")).expect("text");
        assert!(text.starts_with("1,id,'＝1,'@x,A-B=C,"), "{text}");
    }
}
