//! A line and its columns, counted from 1 in characters.

use super::{Tenths, TrfError, TrfFault};
use crate::Number;

/// A line of a file.
pub(super) struct Line {
    number: u32,
    chars: Vec<char>,
}

impl Line {
    /// Tabs stand for blanks in records that are lists of words.
    pub(super) fn new(number: u32, text: &str) -> Result<Line, TrfError> {
        let words_only = text.starts_with("XX");
        let blank = |it: char| if it == '\t' && words_only { ' ' } else { it };
        let line = Line { number, chars: text.trim_end_matches([' ', '\t']).chars().map(blank).collect() };
        if line.chars.len() > super::LINE_CHARS_MAX {
            return Err(line.fault(super::LINE_CHARS_MAX + 1, TrfFault::LineTooLong));
        }
        match line.chars.iter().position(|it| it.is_control()) {
            Some(at) => Err(line.fault(at + 1, TrfFault::Control)),
            None => Ok(line),
        }
    }

    pub(super) fn fault(&self, column: usize, fault: TrfFault) -> TrfError {
        TrfError { line: self.number, column: crate::count(column), fault }
    }

    /// The last column with something in it.
    pub(super) fn end(&self) -> usize {
        self.chars.len()
    }

    fn cut(&self, from: usize, to: usize) -> &[char] {
        let end = to.min(self.chars.len());
        self.chars.get(from - 1..end).unwrap_or(&[])
    }

    /// What stands in these columns, without blanks at its ends.
    pub(super) fn text(&self, from: usize, to: usize) -> String {
        let text: String = self.cut(from, to).iter().collect();
        text.trim_matches(' ').to_owned()
    }

    /// Everything behind the three characters of the record and a blank.
    pub(super) fn rest(&self) -> Result<String, TrfError> {
        self.blank(4, 4)?;
        Ok(self.text(5, usize::MAX))
    }

    /// Everything as it stands.
    pub(super) fn whole(&self) -> String {
        self.chars.iter().collect()
    }

    pub(super) fn tag(&self) -> Result<String, TrfError> {
        let tag: String = self.cut(1, 3).iter().collect();
        let is_tag = tag == "###"
            || (tag.len() == 3 && tag.chars().all(|it| it.is_ascii_digit() || it.is_ascii_uppercase()));
        if is_tag { Ok(tag) } else { Err(self.fault(1, TrfFault::Tag)) }
    }

    /// Columns that belong to no field.
    pub(super) fn blank(&self, from: usize, to: usize) -> Result<(), TrfError> {
        match self.cut(from, to).iter().position(|it| *it != ' ') {
            Some(at) => Err(self.fault(from + at, TrfFault::Between)),
            None => Ok(()),
        }
    }

    /// Nothing stands behind the last field.
    pub(super) fn ends_at(&self, last: usize) -> Result<(), TrfError> {
        self.blank(last + 1, usize::MAX)
    }

    pub(super) fn character(&self, column: usize) -> Option<char> {
        self.cut(column, column).first().copied().filter(|it| *it != ' ')
    }

    /// A number up to `most`; none where the columns are blank.
    pub(super) fn number(&self, from: usize, to: usize, most: u32) -> Result<Option<u32>, TrfError> {
        let text = self.text(from, to);
        if text.is_empty() {
            return Ok(None);
        }
        let column = self.start(from, to);
        if !text.bytes().all(|it| it.is_ascii_digit()) {
            return Err(self.fault(column, TrfFault::Number));
        }
        match text.parse().ok().filter(|it| *it <= most) {
            Some(number) => Ok(Some(number)),
            None => Err(self.fault(column, TrfFault::Range)),
        }
    }

    /// A number that must be there, from 1 on.
    pub(super) fn counted(&self, from: usize, to: usize, most: u32) -> Result<u32, TrfError> {
        match self.number(from, to, most)? {
            None => Err(self.fault(from, TrfFault::Missing)),
            Some(0) => Err(self.fault(self.start(from, to), TrfFault::Range)),
            Some(number) => Ok(number),
        }
    }

    /// A number that must be there and may be nothing.
    pub(super) fn counted_from_zero(&self, from: usize, to: usize) -> Result<u32, TrfError> {
        self.number(from, to, u32::MAX)?.ok_or_else(|| self.fault(from, TrfFault::Missing))
    }

    pub(super) fn player(&self, from: usize, to: usize) -> Result<Number, TrfError> {
        self.counted(from, to, super::PLAYERS_MAX).map(Number)
    }

    pub(super) fn round(&self, from: usize, to: usize) -> Result<u16, TrfError> {
        let round = self.counted(from, to, super::ROUNDS_MAX.into())?;
        u16::try_from(round).map_err(|_| self.fault(from, TrfFault::Range))
    }

    pub(super) fn points(&self, from: usize, to: usize) -> Result<Option<Tenths>, TrfError> {
        match self.text(from, to) {
            text if text.is_empty() => Ok(None),
            text => Tenths::parse(&text)
                .map(Some)
                .ok_or_else(|| self.fault(self.start(from, to), TrfFault::Points)),
        }
    }

    pub(super) fn needed_points(&self, from: usize, to: usize) -> Result<Tenths, TrfError> {
        self.points(from, to)?.ok_or_else(|| self.fault(from, TrfFault::Missing))
    }

    /// Numbers in fields of `width` columns with a blank between them, to the end of the line. Blank fields among them are
    /// zeros, as are the zeros that stand for nobody.
    pub(super) fn numbers(&self, from: usize, width: usize, most: u32) -> Result<Vec<u32>, TrfError> {
        let mut numbers = Vec::new();
        let mut at = from;
        while at <= self.end() {
            numbers.push(self.number(at, at + width - 1, most)?.unwrap_or(0));
            self.blank(at + width, at + width)?;
            at += width + 1;
        }
        Ok(numbers)
    }

    /// Players in fields of four columns, none of them left out; at least so many.
    pub(super) fn players(&self, from: usize, at_least: usize) -> Result<Vec<Number>, TrfError> {
        let numbers = self.numbers(from, 4, super::PLAYERS_MAX)?;
        if let Some(at) = numbers.iter().position(|it| *it == 0) {
            return Err(self.fault(from + 5 * at, TrfFault::Missing));
        }
        if numbers.len() < at_least {
            return Err(self.fault(self.end() + 1, TrfFault::Missing));
        }
        Ok(numbers.into_iter().map(Number).collect())
    }

    /// Words with their columns.
    pub(super) fn words(&self, from: usize) -> Vec<(usize, String)> {
        let mut words: Vec<(usize, String)> = Vec::new();
        let mut inside = false;
        for (at, letter) in self.chars.iter().enumerate().skip(from - 1) {
            match (*letter, inside, words.last_mut()) {
                (' ', ..) => inside = false,
                (letter, true, Some((_, word))) => word.push(letter),
                (letter, ..) => {
                    words.push((at + 1, letter.to_string()));
                    inside = true;
                }
            }
        }
        words
    }

    /// The first column with something in it among these.
    fn start(&self, from: usize, to: usize) -> usize {
        from + self.cut(from, to).iter().position(|it| *it != ' ').unwrap_or(0)
    }
}
