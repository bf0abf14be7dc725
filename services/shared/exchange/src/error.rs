//! Why a file was not read, or not written.

use core::fmt;

use pairing::trf::TrfFault;

use crate::Place;

sayings! {
    /// What is wrong with a file, by a name that stays. Reports of federations have [`TrfFault`]s besides.
    pub enum Fault {
        /// More bytes than [`crate::limits::FILE_BYTES_MAX`].
        FileTooLarge = "file_too_large": "the file is too large",
        /// Nothing in it.
        Empty = "empty": "the file is empty",
        /// None of the formats that are read.
        UnknownFormat = "unknown_format": "this is none of the formats that are read",
        /// An archive or a packed file.
        Packed = "packed": "this is an archive, or the file of a program; unpack it, or save it as text",
        /// Two bytes a character.
        Utf16 = "utf16": "this is UTF-16; save it as UTF-8",
        /// Bytes of another encoding.
        NotUtf8 = "not_utf8": "this is not UTF-8, but perhaps GBK or another encoding; save it as UTF-8",
        /// A control character where there is text.
        Control = "control_character": "a control character",
        /// More characters than a text or a line may have.
        TextTooLong = "text_too_long": "a text or a line is too long",
        /// XML that is none.
        Xml = "xml": "this is not well-formed XML",
        /// A document type, in which entities could be declared.
        Doctype = "doctype": "a document type is not taken, for it could declare entities",
        /// An entity that XML itself does not have.
        Entity = "entity": "an entity that XML does not have by itself",
        /// Elements too deep within each other.
        TooDeep = "too_deep": "elements are nested too deeply",
        /// Too many attributes of an element.
        TooManyAttributes = "too_many_attributes": "an element has too many attributes",
        /// Too many players.
        TooManyPlayers = "too_many_players": "there are too many players",
        /// Too many rounds.
        TooManyRounds = "too_many_rounds": "there are too many rounds",
        /// Too many teams.
        TooManyTeams = "too_many_teams": "there are too many teams",
        /// Too many prohibitions.
        TooManyProhibitions = "too_many_prohibitions": "too many pairs are prohibited",
        /// No player at all.
        NoPlayers = "no_players": "there is no player",
        /// Something that must be there is not.
        Missing = "missing": "something that must be there is missing",
        /// Not a whole number.
        Number = "number": "this is not a whole number",
        /// A number that is too small or too great.
        Range = "range": "the number is out of range",
        /// A word or sign that may not stand here.
        Code = "code": "no such code may stand here",
        /// A column of a table that is not known, or is there twice.
        Column = "column": "no such column is known, or it is there twice",
        /// A row with more or fewer cells than the first one.
        Cells = "cells": "the row has not as many cells as there are columns",
        /// A player who is not in the list.
        UnknownPlayer = "unknown_player": "this player is not in the list",
        /// A number or key that two have.
        Double = "double": "two have the same number or name here, and cannot be told apart",
        /// A player against himself.
        Himself = "himself": "nobody plays against himself",
        /// A player with two games, or a game and a bye, in a round.
        TwiceInRound = "twice_in_round": "a player is in two places in one round",
        /// Two records of one game that differ.
        Contradiction = "contradiction": "the record of the opponent says something else",
        /// Players whose records have not the same rounds.
        RoundsDiffer = "rounds_differ": "players have not the same number of rounds",
        /// What is left is no event for another reason.
        Inconsistent = "inconsistent": "what it says is no event",
    }
}

/// What is wrong with a file of any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyFault {
    /// Of every format.
    Plain(Fault),
    /// Of reports of federations.
    Trf(TrfFault),
}

impl AnyFault {
    /// Its stable name.
    pub const fn name(self) -> &'static str {
        match self {
            AnyFault::Plain(fault) => fault.name(),
            AnyFault::Trf(fault) => fault.name(),
        }
    }

    /// What it means, as a sentence begins.
    pub const fn meaning(self) -> &'static str {
        match self {
            AnyFault::Plain(fault) => fault.meaning(),
            AnyFault::Trf(fault) => fault.meaning(),
        }
    }
}

impl From<Fault> for AnyFault {
    fn from(fault: Fault) -> AnyFault {
        AnyFault::Plain(fault)
    }
}

/// How much of what is wrong is repeated in an error or a doubt, in characters.
pub(crate) const WHAT_CHARS_MAX: usize = 60;

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    /// What is wrong.
    pub fault: AnyFault,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1: of characters, and in tables of CSV of cells.
    pub column: u32,
    /// What stands there, or is missed; empty where nothing is to be added.
    pub what: String,
}

impl ReadError {
    /// An error at a place.
    pub fn new(fault: Fault, (line, column): (u32, u32), what: &str) -> ReadError {
        let shown = |it: char| if it.is_control() { '\u{fffd}' } else { it };
        let what = what.chars().take(WHAT_CHARS_MAX).map(shown).collect();
        ReadError { fault: fault.into(), line, column, what }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault.meaning())?;
        if self.what.is_empty() { Ok(()) } else { write!(f, ": {}", self.what) }
    }
}

sayings! {
    /// Why an event was not written, by a name that stays.
    pub enum Refusal {
        /// It has no player.
        NobodyThere = "no_players": "an event without players is not written",
        /// A name in another script, and none in Latin letters.
        NativeOnly = "native_name_only": "the format is ASCII and the name has no form in Latin letters",
        /// More rounds than the format has.
        Rounds = "too_many_rounds": "the format has not as many rounds",
        /// A number that does not fit.
        Width = "too_wide": "a number has more digits than the format has columns",
        /// What was given is no event.
        Inconsistent = "inconsistent": "this is no event",
        /// More files or bytes than an archive takes, or appointments than a calendar does.
        TooMuch = "too_much": "this is more than a file of this kind takes",
        /// A file name that an archive cannot have.
        FileName = "file_name": "a file cannot have this name",
        /// A time that no calendar has.
        Time = "time": "this time is in no calendar",
        /// The library that writes the format refused.
        Format = "format": "it could not be written",
    }
}

/// Why an event was not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}: {what}", .refusal.meaning())]
pub struct WriteError {
    /// What is wrong.
    pub refusal: Refusal,
    /// Where in the event.
    pub place: Place,
    /// What it was about.
    pub what: String,
}

impl WriteError {
    /// An error at a place.
    pub fn new(refusal: Refusal, place: Place, what: impl Into<String>) -> WriteError {
        WriteError { refusal, place, what: what.into() }
    }
}
