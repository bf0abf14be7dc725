//! The input of a round from its bytes: so that a stored round can be paired again, and held to what was published.

use core::str::{FromStr, SplitWhitespace};

use super::{Input, PLAYERS_MAX, Prohibited};
use crate::{Colour, Entry, Number, Player, Reason, ResultCode, Status, SwissSettings};

/// The most bytes that are read: the most players with a hundred rounds each fit into them.
pub const INPUT_BYTES_MAX: usize = 64 << 20;

named! {
    /// What is wrong with stored bytes.
    pub enum InputFault {
        /// More than [`INPUT_BYTES_MAX`], or more players than [`PLAYERS_MAX`].
        TooLarge = "too_large",
        /// Not the line that must stand here.
        Line = "line",
        /// A number, a name or a seed that is none.
        Value = "value",
        /// It can be read, and would be written in another way.
        NotCanonical = "not_canonical",
    }
}

/// Why bytes are no input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}", .fault.name())]
pub struct InputError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub fault: InputFault,
}

impl Input {
    /// The input that [`Input::bytes`] has written. What no pairing depends on is not in the bytes: warnings, ratings, the
    /// colours that were played and the reasons of results.
    ///
    /// Only what would be written is read: other bytes, from wherever they come, are an error.
    ///
    /// ```
    /// use pairing::{Player, swiss::{self, Input}};
    /// let input = Input::new(1, 5, (1..=8).map(Player::new).collect());
    /// let again = Input::read(&input.bytes())?;
    /// assert_eq!(swiss::pair(&again), swiss::pair(&input));
    /// assert_eq!(Input::read(b"swiss 1\nround 1 of x\n").unwrap_err().to_string(), "line 2: value");
    /// # Ok::<(), swiss::InputError>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Input, InputError> {
        let fault = |line, fault| Err(InputError { line, fault });
        if bytes.len() > INPUT_BYTES_MAX {
            return fault(1, InputFault::TooLarge);
        }
        let Ok(text) = core::str::from_utf8(bytes) else {
            return fault(1, InputFault::Value);
        };
        let input = read(&mut Lines { rest: text.lines().peekable(), number: 0 })?;
        // The first line that would be written otherwise.
        let written = input.bytes();
        if written == bytes {
            return Ok(input);
        }
        let same = written.iter().zip(bytes).take_while(|(a, b)| a == b).map(|(a, _)| *a);
        fault(1 + crate::count(same.filter(|it| *it == b'\n').count()), InputFault::NotCanonical)
    }
}

/// The lines that are left.
struct Lines<'a> {
    rest: core::iter::Peekable<core::str::Lines<'a>>,
    number: u32,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<Words<'a>, InputError> {
        self.number += 1;
        let words = self.rest.next().map(|line| Words { words: line.split_whitespace(), line: self.number });
        words.ok_or(InputError { line: self.number, fault: InputFault::Line })
    }

    /// The next line, if it begins so.
    fn next_if(&mut self, start: &str) -> Option<Result<Words<'a>, InputError>> {
        let is_there = self.rest.peek().is_some_and(|line| line.starts_with(start));
        is_there.then(|| self.next())
    }
}

/// The words that are left of a line.
struct Words<'a> {
    words: SplitWhitespace<'a>,
    line: u32,
}

impl<'a> Words<'a> {
    fn error(&self, fault: InputFault) -> InputError {
        InputError { line: self.line, fault }
    }

    fn word(&mut self) -> Result<&'a str, InputError> {
        self.words.next().ok_or(self.error(InputFault::Line))
    }

    fn expect(&mut self, words: &[&str]) -> Result<(), InputError> {
        words.iter().try_for_each(|word| match self.word()? {
            found if found == *word => Ok(()),
            _ => Err(self.error(InputFault::Line)),
        })
    }

    fn value<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Result<T, InputError> {
        let word = self.word()?;
        read(word).ok_or(self.error(InputFault::Value))
    }

    fn number<T: FromStr>(&mut self) -> Result<T, InputError> {
        self.value(|word| word.parse().ok())
    }

    fn player(&mut self) -> Result<Number, InputError> {
        self.number().map(Number)
    }
}

fn read(lines: &mut Lines<'_>) -> Result<Input, InputError> {
    lines.next()?.expect(&["swiss", "1"])?;
    let mut words = lines.next()?;
    words.expect(&["round"])?;
    let round = words.number()?;
    words.expect(&["of"])?;
    let rounds = words.number()?;
    let mut words = lines.next()?;
    words.expect(&["seed"])?;
    let seed = words.value(seed)?;
    let settings = settings(lines)?;
    let mut input = Input { settings, seed, ..Input::new(round, rounds, Vec::new()) };
    while let Some(words) = lines.next_if("prohibited ") {
        let mut words = words?;
        words.expect(&["prohibited"])?;
        let (a, b) = (words.player()?, words.player()?);
        words.expect(&["rounds"])?;
        let (from_round, to_round) = (words.number()?, words.number()?);
        input.prohibited.push(Prohibited { a, b, from_round, to_round });
    }
    while lines.rest.peek().is_some() {
        let player = player(lines)?;
        if input.players.len() >= PLAYERS_MAX {
            return Err(InputError { line: lines.number, fault: InputFault::TooLarge });
        }
        input.players.push(player);
    }
    Ok(input)
}

/// 64 hexadecimal digits.
fn seed(word: &str) -> Option<[u8; 32]> {
    let mut seed = [0; 32];
    for (at, byte) in seed.iter_mut().enumerate() {
        *byte = u8::from_str_radix(word.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(seed)
}

fn settings(lines: &mut Lines<'_>) -> Result<SwissSettings, InputError> {
    use crate::{Acceleration, ColourLaw, FirstRound, Relaxed};
    let mut first = lines.next()?;
    first.expect(&["colours"])?;
    let colours = first.value(ColourLaw::named)?;
    first.expect(&["odd"])?;
    let odd_has = first.value(Colour::named)?;
    first.expect(&["absolute_first"])?;
    let absolute_first = first.number()?;
    let mut second = lines.next()?;
    second.expect(&["first_round"])?;
    let first_round = second.value(FirstRound::named)?;
    second.expect(&["apart_rounds"])?;
    let apart_rounds = second.number()?;
    let mut third = lines.next()?;
    third.expect(&["pab"])?;
    let pab_points = third.number()?;
    third.expect(&["half_bye_is_downfloat"])?;
    let half_bye_is_downfloat = third.number()?;
    let mut fourth = lines.next()?;
    fourth.expect(&["acceleration"])?;
    let acceleration = fourth.value(Acceleration::named)?;
    fourth.expect(&["relaxed"])?;
    let relaxed = fourth.value(Relaxed::named)?;
    Ok(SwissSettings {
        colours,
        odd_has,
        absolute_first,
        first_round,
        apart_rounds,
        pab_points,
        half_bye_is_downfloat,
        acceleration,
        relaxed,
    })
}

fn player(lines: &mut Lines<'_>) -> Result<Player, InputError> {
    let mut words = lines.next()?;
    words.expect(&["player"])?;
    let mut player = Player::new(words.number()?);
    player.states.clear();
    words.expect(&["start"])?;
    player.start = words.number()?;
    words.expect(&["of"])?;
    while words.words.clone().next().is_some() {
        player.affiliations.push(words.number()?);
    }
    while let Some(words) = lines.next_if(" ") {
        let mut words = words?;
        let first = words.word()?;
        match first.parse() {
            Ok(round) => player.history.push(entry(&mut words, round)?),
            Err(_) => player.states.push(state(&mut words, first)?),
        }
    }
    Ok(player)
}

fn state(words: &mut Words<'_>, name: &str) -> Result<Status, InputError> {
    Ok(match name {
        "registered" => Status::Registered,
        "annulled" => Status::Annulled,
        "active" => Status::Active { from_round: words.number()? },
        "absent" => Status::Absent { round: words.number()? },
        "withdrawn" => Status::Withdrawn { after_round: words.number()? },
        "expelled" => Status::Expelled { after_round: words.number()? },
        "bye" => Status::Bye { round: words.number()?, code: words.value(ResultCode::named)? },
        _ => return Err(words.error(InputFault::Line)),
    })
}

fn entry(words: &mut Words<'_>, round: u16) -> Result<Entry, InputError> {
    let code = words.value(ResultCode::named)?;
    let assigned =
        words.value(|word| if word == "-" { Some(None) } else { Colour::named(word).map(Some) })?;
    let opponent = if words.words.clone().next().is_some() { Some(words.player()?) } else { None };
    let reason = if opponent.is_some() { Reason::Normal } else { Reason::NotPlayed };
    Ok(Entry { round, opponent, code, reason, assigned, played: assigned })
}
