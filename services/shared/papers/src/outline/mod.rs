//! From a paper to what stands on it, in its order and in words: for whoever sets it otherwise than as HTML.

mod lists;
mod rounds;
mod tables;
mod text;

use catalogue::Catalogue;
use serde::Serialize;

use crate::{
    model::{Head, Notice, Paper, Sheet},
    page::InvalidPaper,
    words::Words,
};

pub use text::{Run, Style, Text};

/// What stands on a paper, in its order and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The language of the page, as a tag.
    pub language: String,
    /// Whether that is written from the right.
    pub from_the_right: bool,
    /// Whether it takes a page that is wider than it is high.
    pub landscape: bool,
    /// What it is called in a list: the title in the language of the page, and what it is of.
    pub window: String,
    /// The moment that it is of, as it is written; empty where that is not said.
    pub moment: String,
    /// Who holds the event.
    pub organiser: Text,
    /// The event.
    pub event: Text,
    /// The title.
    pub title: Text,
    /// Which round, or whatever else it is of.
    pub of: Text,
    /// What stands between its head and its foot.
    pub blocks: Vec<Block>,
    /// Lines at its foot.
    pub foot: Vec<Text>,
}

/// What stands below each other on a paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A heading of what follows.
    Heading(Text),
    /// A line that belongs to what follows.
    Line(Text),
    /// A paragraph of a notice, with its lines.
    Paragraph(Text),
    /// Who has signed, and when.
    Signed(Text),
    /// An explanation in small print.
    Legend(Text),
    /// A table.
    Table(Table),
    /// A slip that is cut off.
    Slip(Box<Slip>),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Whether it begins a page: it is a part of a table that is wider than one.
    pub new_page: bool,
    /// For each column whether it has short signs and numbers, or texts.
    pub narrow: Vec<bool>,
    /// The heads of the columns, which stand on every page; none for a table without heads.
    pub head: Vec<Text>,
    /// Its lines.
    pub rows: Vec<Row>,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Row {
    /// What stands in each column; none where nothing can ever stand.
    Cells(Vec<Option<Text>>),
    /// A heading over all columns.
    Heading(Text),
}

/// A slip for a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slip {
    /// The event.
    pub event: Text,
    /// The round.
    pub round: Text,
    /// The table.
    pub board: Text,
    /// Who plays, each with his seat.
    pub players: [Text; 2],
    /// Where each of them signs.
    pub signatures: [Text; 2],
    /// Where the end of the game is written down.
    pub ended: Text,
    /// Where the arbiter signs.
    pub arbiter: Text,
    /// What is to be done with it.
    pub hint: Text,
}

/// Says what stands on a paper, with the words of a catalogue.
///
/// # Errors
/// See [`InvalidPaper`].
pub fn outline(paper: &Paper, catalogue: &Catalogue) -> Result<Outline, InvalidPaper> {
    let words = &Words::new(catalogue, &paper.languages)?;
    let head = &paper.head;
    let mut outline = Outline {
        language: words.main().to_string(),
        from_the_right: words.main().is_from_the_right(),
        landscape: false,
        window: String::new(),
        moment: head.as_of.clone(),
        organiser: Text::name(&head.organiser),
        event: Text::name(&head.event),
        title: Text::default(),
        of: Text::default(),
        blocks: Vec::new(),
        foot: foot(words, head),
    };
    match &paper.sheet {
        Sheet::Pairings(sheet) => outline.pairings(words, sheet),
        Sheet::Slips(sheet) => outline.slips(words, head, sheet),
        Sheet::Standings(sheet) => outline.standings(words, sheet),
        Sheet::Crosstable(sheet) => outline.crosstable(words, sheet),
        Sheet::Matches(sheet) => outline.matches(words, sheet),
        Sheet::Schedule(sheet) => outline.schedule(words, sheet),
        Sheet::Roster(sheet) => outline.roster(words, sheet),
        Sheet::RatingList(sheet) => outline.rating_list(words, sheet),
        Sheet::League(sheet) => outline.league(words, sheet),
        Sheet::Notice(sheet) => outline.notice(words, sheet),
    }
    outline.window = words.window(title_key(&paper.sheet), head);
    Ok(outline)
}

impl Outline {
    /// Every text, in its order. The head and the foot of slips are no part of them.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        let is_cut_apart = self.blocks.iter().any(|block| matches!(block, Block::Slip(_)));
        let head = [&self.organiser, &self.event, &self.title, &self.of];
        let head = head.into_iter().filter(move |_| !is_cut_apart);
        head.chain(self.blocks.iter().flat_map(Block::texts)).chain(&self.foot)
    }

    /// Gives the paper its title, and says what it is of.
    fn titled(&mut self, words: &Words<'_>, sheet_title: &str, of: Text) {
        self.title = Text::words(words.say(sheet_title));
        self.of = of;
    }

    fn notice(&mut self, words: &Words<'_>, sheet: &Notice) {
        self.title = Text::plain(&sheet.title);
        self.of = Text::words(words.say("papers.title.notice"));
        self.blocks.extend(sheet.paragraphs().map(|paragraph| Block::Paragraph(Text::plain(paragraph))));
        if !sheet.signed.is_empty() {
            let signed = Text::words(words.say("papers.signed")).then(": ").and(Text::name(&sheet.signed));
            self.blocks.push(Block::Signed(signed));
        }
        if !sheet.posted.is_empty() {
            self.moment.clone_from(&sheet.posted);
            self.blocks.push(Block::Signed(Text::words(words.of("papers.posted", "time", &sheet.posted))));
        }
    }
}

impl Block {
    fn texts(&self) -> Vec<&Text> {
        match self {
            Block::Heading(text)
            | Block::Line(text)
            | Block::Paragraph(text)
            | Block::Signed(text)
            | Block::Legend(text) => vec![text],
            Block::Table(table) => table.head.iter().chain(table.rows.iter().flat_map(Row::texts)).collect(),
            Block::Slip(slip) => {
                let head = [&slip.event, &slip.round, &slip.board];
                let foot = [&slip.ended, &slip.arbiter, &slip.hint];
                head.into_iter().chain(&slip.players).chain(&slip.signatures).chain(foot).collect()
            }
        }
    }
}

impl Row {
    fn texts(&self) -> Vec<&Text> {
        match self {
            Row::Heading(text) => vec![text],
            Row::Cells(cells) => cells.iter().flatten().collect(),
        }
    }
}

/// The key of the title of a sheet.
pub(crate) fn title_key(sheet: &Sheet) -> &'static str {
    match sheet {
        Sheet::Pairings(_) => "papers.title.pairings",
        Sheet::Slips(_) => "papers.title.slip",
        Sheet::Standings(sheet) if sheet.teams => "papers.title.team_standings",
        Sheet::Standings(_) => "papers.title.standings",
        Sheet::Crosstable(_) => "papers.title.crosstable",
        Sheet::Matches(_) => "papers.title.matches",
        Sheet::Schedule(_) => "papers.title.schedule",
        Sheet::Roster(_) => "papers.title.roster",
        Sheet::RatingList(_) => "papers.title.rating_list",
        Sheet::League(_) => "papers.title.league",
        Sheet::Notice(_) => "papers.title.notice",
    }
}

fn foot(words: &Words<'_>, head: &Head) -> Vec<Text> {
    let mut foot = Vec::new();
    if !head.venue.is_empty() {
        foot.push(Text::plain(&head.venue));
    }
    if !head.as_of.is_empty() {
        foot.push(Text::words(words.as_of(head)));
    }
    foot
}
