//! Papers of events as pages of HTML that print well on A4: pairing sheets, result slips, tables, lists and notices.
//!
//! A [`Paper`] is plain data that says everything that stands on it; it comes from nowhere but its caller, and is
//! written as [`json`] for other tools. [`html`] makes the page, in the languages that the paper names: the first is that of
//! the page, and the others stand beside it. The words are those of a [`Catalogue`](catalogue::Catalogue), the names
//! stand in their own script and in Latin letters, and Mongolian in its own script stands in columns. [`outline`] says the
//! same in its order for whoever sets it otherwise.
//!
//! A page is one file: it names no other, has no script and forbids its reader's browser to load anything. Every text
//! in it is escaped by the templates, and there is no other way into it.
//!
//! What it is not: it reads no event and no file, decides nothing, and sorts nothing.
#![forbid(unsafe_code)]

mod black;
mod file;
mod model;
mod outline;
mod page;
mod script;
mod words;

pub use self::{
    black::{blacked_out, text_without, without},
    file::{NoPaper, json, read, read_words},
    model::{
        Bye, Cell, Code, Colour, Colours, Column, CrossLine, Crosstable, Division, Entrant, EntrantState,
        Fate, Form, Head, League, Line, Match, MatchBoard, Matches, Name, Notice, Out, PairedBoard, Pairings,
        Paper, Person, Rated, RatingList, Roster, RosterTeam, Schedule, ScheduledRound, Sheet, Slips,
        Standings,
    },
    outline::{Block, Outline, Row, Run, Slip, Style, Table, Text, outline},
    page::{InvalidPaper, html},
    words::LANGUAGES_MAX,
};
