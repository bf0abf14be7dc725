//! A line that is being written, column by column.

use core::fmt::Display;

use super::{Form, Tenths, WriteError};

/// A line of fixed columns.
pub(super) struct Row {
    record: String,
    form: Form,
    text: String,
    columns: usize,
}

impl Row {
    pub(super) fn new(record: &str, form: Form) -> Row {
        Row { record: record.to_owned(), form, text: record.to_owned(), columns: record.chars().count() }
    }

    /// Text from a column on, against the left end of its field.
    pub(super) fn left(&mut self, from: usize, to: usize, text: &str) -> Result<(), WriteError> {
        self.put(from, from, to, text)
    }

    /// Text against the right end of its field.
    pub(super) fn right(&mut self, from: usize, to: usize, value: impl Display) -> Result<(), WriteError> {
        let text = value.to_string();
        let start = (to + 1).saturating_sub(text.chars().count()).max(from);
        self.put(start, from, to, &text)
    }

    /// What there may be, against the right end of its field.
    pub(super) fn maybe(
        &mut self,
        from: usize,
        to: usize,
        value: Option<impl Display>,
    ) -> Result<(), WriteError> {
        value.map_or(Ok(()), |it| self.right(from, to, it))
    }

    /// Points against the right end of their field; whole ones without their decimal where there is no room for it.
    pub(super) fn points(
        &mut self,
        from: usize,
        to: usize,
        points: Option<Tenths>,
    ) -> Result<(), WriteError> {
        points.map_or(Ok(()), |it| self.right(from, to, it.within(to - from + 1)))
    }

    /// Fields of so many columns with a blank between them, each against its right end.
    pub(super) fn list<T: Display>(
        &mut self,
        from: usize,
        width: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError> {
        let mut at = from;
        for value in values {
            self.right(at, at + width - 1, value)?;
            at += width + 1;
        }
        Ok(())
    }

    fn put(&mut self, start: usize, from: usize, to: usize, text: &str) -> Result<(), WriteError> {
        let (record, said) = (|| self.record.clone(), || text.to_owned());
        if text.trim_matches(' ') != text || text.contains(char::is_control) {
            return Err(WriteError::Text { record: record(), text: said() });
        }
        if self.form == Form::Trf16 && !text.is_ascii() {
            return Err(WriteError::NotAscii { record: record(), text: said() });
        }
        let (columns, width) = (text.chars().count(), to - from + 1);
        if columns > width {
            return Err(WriteError::TooLong { record: record(), text: said(), width });
        }
        if columns > 0 {
            let blanks = (start - 1).saturating_sub(self.columns);
            self.text.extend(core::iter::repeat_n(' ', blanks));
            self.text.push_str(text);
            self.columns += blanks + columns;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
