use alloc::borrow::Cow;

use crate::{Actors, Game, OptionError, StoneColour, prelude::*};

/// The longest text of a position, in bytes: the largest board takes 650 signs, twice that with blanks, and
/// the rest is room for remarks.
///
/// ```
/// use rules::{SETUP_BYTES_MAX, SetupText};
/// assert!(SetupText::read(&" ".repeat(SETUP_BYTES_MAX)).is_ok());
/// assert!(SetupText::read(&" ".repeat(SETUP_BYTES_MAX + 1)).is_err());
/// ```
pub const SETUP_BYTES_MAX: usize = 1 << 14;

/// The most rows, and signs in a row: no board of any variant is larger.
const SIDE_MAX: usize = 32;

/// A position as text, taken apart but not yet understood: keys with their values, then the board.
///
/// ```text
/// # a remark
/// to-move: B
/// phase: move
/// board:
/// .x.o.
/// .x.o.
/// ```
///
/// The rows of the board go from the top, `.` or `+` is an empty point, `B` or `x` a black stone, `W` or `o` a
/// white one, small or large; blanks between them are free, and what follows a `#` is a remark. Which keys there
/// are besides `to-move` is the variant's affair. In one line `;` ends a key and `/` a row:
/// `to-move: B; board: .x.o./.x.o.`.
///
/// ```
/// use rules::{SetupText, StoneColour};
///
/// let text = SetupText::read("to-move: w; phase: move; board: . x/o .")?;
/// assert_eq!(text.to_move()?, StoneColour::White);
/// assert_eq!(text.key("phase"), Some("move"));
/// assert_eq!(text.grid()?[1], [Some(StoneColour::White), None]);
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupText<'a> {
    keys: Vec<(&'a str, &'a str)>,
    rows: Vec<&'a str>,
}

/// Why a text is not a position of a variant.
///
/// ```
/// let error = rules::SetupText::read("board: .?").and_then(|text| text.grid()).unwrap_err();
/// assert_eq!(error.to_string(), "a point is drawn as '.', B or x, W or o");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct SetupError {
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

/// What stands before a position that is to be taken as it is stated, although no game can have come to it: a record
/// is checked from there as far as that can be. Variants that can do that have the key `as`.
///
/// ```
/// use rules::{AS_STATED, RuleSet, jiu};
/// let crowded = format!("to-move: W; phase: move; board: {}", ["x".repeat(14).as_str(); 13].join("/") + "/..............");
/// assert!((jiu::VARIANT.position)(&RuleSet::named(""), &crowded).is_err());
/// assert!((jiu::VARIANT.position)(&RuleSet::named(""), &format!("{AS_STATED}{crowded}")).is_ok());
/// ```
pub const AS_STATED: &str = "as: stated\n";

/// The key that says whose turn it is.
const TO_MOVE: &str = "to-move";
/// The key before the rows.
const BOARD: &str = "board";

impl<'a> SetupText<'a> {
    /// Takes a text apart.
    ///
    /// ```
    /// use rules::SetupText;
    /// let lines = SetupText::read("to-move: B\nboard:\n.x\no.")?;
    /// assert_eq!(lines, SetupText::read("to-move: B; board: .x/o.")?);
    /// assert!(SetupText::read("phase: move; phase: end").is_err());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// It is longer than [`SETUP_BYTES_MAX`], a key stands twice, something is neither a key nor a row, or there
    /// are too many rows.
    pub fn read(text: &'a str) -> Result<SetupText<'a>, SetupError> {
        if text.len() > SETUP_BYTES_MAX {
            return Err(SetupError::new("the position is too long"));
        }
        let mut setup = SetupText { keys: Vec::new(), rows: Vec::new() };
        let mut on_board = false;
        for line in text.lines().map(without_remark).flat_map(|line| line.split(';')).map(str::trim) {
            match line.split_once(':') {
                None if line.is_empty() => {}
                None if on_board => setup.push_rows(line)?,
                None => return Err(SetupError::new("a key with a colon is wanted before the board")),
                Some((BOARD, rows)) if !on_board => {
                    on_board = true;
                    setup.push_rows(rows.trim())?;
                }
                Some((name, value)) if setup.key(name).is_none() && is_key(name) && name != BOARD => {
                    setup.keys.push((name, value.trim()));
                }
                Some(_) => return Err(SetupError::new("a key stands twice, or is none")),
            }
        }
        Ok(setup)
    }

    /// The value of a key.
    ///
    /// ```
    /// let text = rules::SetupText::read("to-move: B; ko: C3")?;
    /// assert_eq!((text.key("ko"), text.key("phase")), (Some("C3"), None));
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    pub fn key(&self, name: &str) -> Option<&'a str> {
        self.keys.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Whose turn it is.
    ///
    /// ```
    /// use rules::{SetupText, StoneColour};
    /// assert_eq!(SetupText::read("to-move: B")?.to_move(), Ok(StoneColour::Black));
    /// assert!(SetupText::read("board: .")?.to_move().is_err());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// It is not said, or neither `B` nor `W`.
    pub fn to_move(&self) -> Result<StoneColour, SetupError> {
        match self.key(TO_MOVE).map(str::as_bytes) {
            Some(b"B" | b"b") => Ok(StoneColour::Black),
            Some(b"W" | b"w") => Ok(StoneColour::White),
            _ => Err(SetupError::new("to-move: B or to-move: W is wanted")),
        }
    }

    /// Whether the position is to be taken as it is stated, see [`AS_STATED`].
    ///
    /// ```
    /// use rules::SetupText;
    /// assert!(SetupText::read("as: stated; to-move: B")?.as_stated());
    /// assert!(!SetupText::read("to-move: B")?.as_stated());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    pub fn as_stated(&self) -> bool {
        self.key("as") == Some("stated")
    }

    /// That there is no key but `to-move` and these.
    ///
    /// ```
    /// let text = rules::SetupText::read("to-move: B; ko: C3")?;
    /// assert!(text.only(&["ko", "phase"]).is_ok());
    /// assert!(text.only(&["phase"]).is_err());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// The first other one.
    pub fn only(&self, known: &[&str]) -> Result<(), SetupError> {
        match self.keys.iter().find(|(name, _)| *name != TO_MOVE && !known.contains(name)) {
            Some((name, _)) => Err(SetupError::new(format!("there is no key {name:?} here"))),
            None => Ok(()),
        }
    }

    /// The stones, row by row from the top; nothing when the text has no board.
    ///
    /// ```
    /// use rules::{SetupText, StoneColour};
    /// let (black, white) = (Some(StoneColour::Black), Some(StoneColour::White));
    /// assert_eq!(SetupText::read("board: .x/o.")?.grid()?, [[None, black], [white, None]]);
    /// assert!(SetupText::read("board: .x/o")?.grid().is_err());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// A sign is none, or the rows differ in length.
    pub fn grid(&self) -> Result<Vec<Vec<Option<StoneColour>>>, SetupError> {
        let mut grid: Vec<Vec<_>> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let signs = row.chars().filter(|sign| !sign.is_whitespace()).take(SIDE_MAX + 1);
            let row: Vec<_> = signs.map(stone).collect::<Result<_, _>>()?;
            if row.len() > SIDE_MAX || grid.first().is_some_and(|first| first.len() != row.len()) {
                return Err(SetupError::new("the rows of a board are of one length"));
            }
            grid.push(row);
        }
        Ok(grid)
    }

    fn push_rows(&mut self, text: &'a str) -> Result<(), SetupError> {
        for row in text.split('/').map(str::trim).filter(|row| !row.is_empty()) {
            if self.rows.len() == SIDE_MAX {
                return Err(SetupError::new("the board has too many rows"));
            }
            self.rows.push(row);
        }
        Ok(())
    }
}

impl SetupError {
    /// An error with this sentence.
    ///
    /// ```
    /// assert_eq!(rules::SetupError::new("the board is empty").to_string(), "the board is empty");
    /// ```
    pub fn new(detail: impl Into<Cow<'static, str>>) -> SetupError {
        SetupError { detail: detail.into() }
    }
}

impl From<OptionError> for SetupError {
    fn from(error: OptionError) -> SetupError {
        SetupError::new(error.to_string())
    }
}

/// Whether a line begins a position or goes on with its keys: a word of small letters and hyphens, and a colon.
pub(crate) fn is_setup_line(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| is_key(name.trim()))
}

/// The text of a position that shows all its stones to everybody: `to-move`, `phase` and the board, black and
/// white stones by these signs. `None` unless it is one side's turn.
pub(crate) fn write_setup(game: &(impl Game + ?Sized), signs: [char; 2]) -> Option<String> {
    let Actors::One(side) = game.actors() else { return None };
    let mut text = format!("to-move: {}\nphase: {}\nboard:", game.colour_drawn(side).letter(), game.phase());
    for row in rows(game, |colour| signs[usize::from(colour == StoneColour::White)]) {
        text.push('\n');
        text.push_str(&row);
    }
    Some(text)
}

/// The board in rows from the top: each stone by the sign of its colour, and `.` on empty points.
pub(crate) fn rows(game: &(impl Game + ?Sized), sign: impl Fn(StoneColour) -> char) -> Vec<String> {
    let (columns, rows) = game.size();
    let mut board = vec![vec!['.'; usize::from(columns)]; usize::from(rows)];
    for stone in game.stones() {
        let sign = sign(game.colour_drawn(stone.owner));
        board[usize::from(stone.at.row)][usize::from(stone.at.column)] = sign;
    }
    board.into_iter().map(String::from_iter).collect()
}

fn is_key(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

fn stone(sign: char) -> Result<Option<StoneColour>, SetupError> {
    match sign {
        '.' | '+' => Ok(None),
        'B' | 'b' | 'X' | 'x' => Ok(Some(StoneColour::Black)),
        'W' | 'w' | 'O' | 'o' => Ok(Some(StoneColour::White)),
        _ => Err(SetupError::new("a point is drawn as '.', B or x, W or o")),
    }
}

fn without_remark(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_lines_and_one_are_read_alike() {
        let lines = "# a problem\n\nto-move: B\nphase: move # so it is\nboard:\n . B  # 1\n w .\n";
        let line = "to-move: B; phase: move; board: .x/o.";
        let [lines, line] = [lines, line].map(|text| SetupText::read(text).expect("a setup"));
        assert_eq!(lines.grid(), line.grid());
        assert_eq!((lines.to_move(), lines.key("phase")), (line.to_move(), line.key("phase")));
        assert!(lines.only(&["phase"]).is_ok() && lines.only(&[]).is_err());
    }

    #[test]
    fn what_is_no_setup_is_refused() {
        for bad in ["x", "To-move: B", "a: 1; a: 2", "board: x; board: x", &"board:\n.\n".repeat(40)] {
            assert!(SetupText::read(bad).is_err(), "{bad:?}");
        }
        assert!(SetupText::read(&" ".repeat(SETUP_BYTES_MAX + 1)).is_err());
        for bad in ["board: x/xx", "board: ?", "board: 1", &alloc::format!("board: {}", ".".repeat(33))] {
            assert!(SetupText::read(bad).expect("keys").grid().is_err(), "{bad:?}");
        }
        assert!(SetupText::read("board: x").expect("keys").to_move().is_err());
    }
}
