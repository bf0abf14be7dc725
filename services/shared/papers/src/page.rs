//! From a paper to its page: a template for each kind, and what they ask about what they show.

use askama::Template;
use catalogue::{Arg, Catalogue, InvalidLanguage, Said};

use crate::{
    model::{
        Bye, Cell, Code, Colour, Colours, Column, CrossLine, Crosstable, EntrantState, Fate, Form, Head,
        League, MatchBoard, Matches, Name, Notice, Pairings, Paper, RatingList, Roster, Schedule, Sheet,
        Slips, Standings,
    },
    script::{self, Script},
    words::{LANGUAGES_MAX, Words},
};

/// Columns of rounds that stand beside a name on A4; those after them stand on pages of their own.
const ROUNDS_ABREAST: usize = 9;
/// Columns of opponents that do: what stands in them is one sign.
const OPPONENTS_ABREAST: usize = 15;
/// Columns of criteria that do.
const CRITERIA_ABREAST: usize = 7;

/// Why a paper has no page.
#[derive(Debug, thiserror::Error)]
pub enum InvalidPaper {
    /// It has no language, or too many.
    #[error("1 to {LANGUAGES_MAX} languages")]
    Languages,
    /// One of them is none.
    #[error(transparent)]
    Language(#[from] InvalidLanguage),
    /// The template has failed.
    #[error("the page could not be made")]
    Template(#[from] askama::Error),
}

/// Makes the page of a paper, with the words of a catalogue.
///
/// # Errors
/// See [`InvalidPaper`].
pub fn html(paper: &Paper, catalogue: &Catalogue) -> Result<String, InvalidPaper> {
    let words = &Words::new(catalogue, &paper.languages)?;
    let head = &paper.head;
    let page = match &paper.sheet {
        Sheet::Pairings(sheet) => PairingsPage { words, head, sheet }.render(),
        Sheet::Slips(sheet) => SlipsPage { words, head, sheet }.render(),
        Sheet::Standings(sheet) => StandingsPage { words, head, sheet }.render(),
        Sheet::Crosstable(sheet) => CrosstablePage { words, head, sheet }.render(),
        Sheet::Matches(sheet) => MatchesPage { words, head, sheet }.render(),
        Sheet::Schedule(sheet) => SchedulePage { words, head, sheet }.render(),
        Sheet::Roster(sheet) => RosterPage { words, head, sheet }.render(),
        Sheet::RatingList(sheet) => RatingListPage { words, head, sheet }.render(),
        Sheet::League(sheet) => LeaguePage { words, head, sheet }.render(),
        Sheet::Notice(sheet) => NoticePage { words, head, sheet }.render(),
    };
    Ok(page?)
}

/// Declares the page of one kind of paper.
macro_rules! pages {
    ($($name:ident, $sheet:ty, $path:literal;)*) => {$(
        #[derive(Template)]
        #[template(path = $path)]
        struct $name<'a> {
            words: &'a Words<'a>,
            head: &'a Head,
            sheet: &'a $sheet,
        }
    )*};
}

pages! {
    PairingsPage, Pairings, "pairings.html";
    SlipsPage, Slips, "slips.html";
    StandingsPage, Standings, "standings.html";
    CrosstablePage, Crosstable, "crosstable.html";
    MatchesPage, Matches, "matches.html";
    SchedulePage, Schedule, "schedule.html";
    RosterPage, Roster, "roster.html";
    RatingListPage, RatingList, "rating_list.html";
    LeaguePage, League, "league.html";
    NoticePage, Notice, "notice.html";
}

/// Some columns of a table that is wider than a page.
pub(crate) struct Part {
    /// The first of them, from 0.
    first: usize,
    /// How many.
    count: usize,
    /// How many there are in all.
    all: usize,
}

impl Part {
    /// The parts of a table; one, even if it has no columns.
    pub(crate) fn of(all: usize, abreast: usize) -> Vec<Part> {
        let first = (0..all.max(1)).step_by(abreast);
        first.map(|first| Part { first, count: abreast.min(all - first), all }).collect()
    }

    pub(crate) fn is_only(&self) -> bool {
        self.count == self.all
    }

    pub(crate) fn is_first(&self) -> bool {
        self.first == 0
    }

    /// Which columns they are, from 0.
    pub(crate) fn columns(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// What stands in these columns.
    pub(crate) fn slice<'a, T>(&self, cells: &'a [T]) -> &'a [T] {
        let end = cells.len().min(self.first + self.count);
        cells.get(self.first..end).unwrap_or_default()
    }

    /// How many of them a line has nothing in.
    pub(crate) fn lacking<T>(&self, cells: &[T]) -> std::ops::Range<usize> {
        self.slice(cells).len()..self.count
    }

    /// Says which columns they are.
    pub(crate) fn said(&self, words: &Words<'_>) -> Vec<Said> {
        let number = |number: usize| Arg::Number(number as u64);
        let args = [
            ("first", number(self.first + 1)),
            ("last", number(self.first + self.count)),
            ("all", number(self.all)),
        ];
        words.say_of("papers.columns", &args)
    }
}

impl Standings {
    pub(crate) fn parts(&self) -> Vec<Part> {
        Part::of(self.columns.len(), CRITERIA_ABREAST)
    }

    pub(crate) fn is_provisional(&self) -> bool {
        self.lines.iter().any(|line| line.provisional)
    }

    pub(crate) fn has(&self, fate: Fate) -> bool {
        self.lines.iter().any(|line| line.fate == fate)
    }

    /// What its columns mean, of those whose names do not say it.
    pub(crate) fn meanings(&self, words: &Words<'_>) -> Vec<Vec<Said>> {
        self.columns.iter().filter_map(|column| Some(words.say(meaning(*column)?))).collect()
    }
}

impl League {
    pub(crate) fn has(&self, fate: Fate) -> bool {
        self.divisions.iter().any(|division| division.table.has(fate))
    }
}

impl Crosstable {
    pub(crate) fn is_all_play_all(&self) -> bool {
        self.form == Form::AllPlayAll
    }

    pub(crate) fn parts(&self) -> Vec<Part> {
        match self.form {
            Form::Rounds => Part::of(self.rounds(), ROUNDS_ABREAST),
            Form::AllPlayAll => Part::of(self.lines.len(), OPPONENTS_ABREAST),
        }
    }

    /// How many rounds anybody has something in.
    pub(crate) fn rounds(&self) -> usize {
        self.lines.iter().map(|line| line.cells.len()).max().unwrap_or(0)
    }
}

impl CrossLine {
    /// What one made against another: a sign for each of their games.
    pub(crate) fn against(&self, other: u32) -> String {
        let games = self.cells.iter().filter(|cell| cell.opponent == Some(other));
        let signs: Vec<String> =
            games.map(|cell| cell.code.map_or_else(|| "·".to_owned(), Code::points)).collect();
        signs.join(" ")
    }
}

impl Cell {
    /// The opponent, the colour and what came of it, as signs that every language has.
    pub(crate) fn text(&self) -> String {
        let opponent = self.opponent.map_or_else(String::new, |number| number.to_string());
        let colour = match self.colour {
            Some(Colour::Black) => "●",
            Some(Colour::White) => "○",
            None => "",
        };
        match self.code {
            None => format!("{opponent}{colour}"),
            Some(code) if code.was_played() => format!("{opponent}{colour}{}", code.sign()),
            Some(code) => format!("({opponent}{})", code.sign()),
        }
    }
}

impl Code {
    pub(crate) fn was_played(self) -> bool {
        !matches!(self, Code::ForfeitWin | Code::ForfeitLoss | Code::DoubleForfeit | Code::Bye(_))
    }

    pub(crate) fn sign(self) -> &'static str {
        match self {
            Code::Win | Code::ForfeitWin | Code::Bye(Bye::Pab | Bye::ByeFull) => "+",
            Code::Loss | Code::ForfeitLoss | Code::DoubleForfeit | Code::Bye(Bye::ByeZero) => "−",
            Code::Draw | Code::Bye(Bye::ByeHalf) => "=",
            Code::Adjourned => "…",
            Code::ReplayOrdered => "↻",
            Code::Annulled => "×",
        }
    }

    /// Points, in brackets where nothing was played; a sign where there are none yet.
    pub(crate) fn points(self) -> String {
        let points = match self {
            Code::Win | Code::ForfeitWin | Code::Bye(Bye::Pab | Bye::ByeFull) => "2",
            Code::Draw | Code::Bye(Bye::ByeHalf) => "1",
            Code::Loss | Code::ForfeitLoss | Code::DoubleForfeit | Code::Bye(Bye::ByeZero) => "0",
            Code::Adjourned | Code::ReplayOrdered | Code::Annulled => return self.sign().to_owned(),
        };
        if self.was_played() { points.to_owned() } else { format!("({points})") }
    }
}

impl Name {
    pub(crate) fn script(&self) -> Script {
        script::of(&self.native)
    }

    /// Whether the name in Latin letters says more than the native one.
    pub(crate) fn has_latin(&self) -> bool {
        !self.latin.is_empty() && self.latin != self.native
    }
}

impl MatchBoard {
    /// The colour of the first or the second, as a sign; nothing where it is decided at the board.
    pub(crate) fn sign(&self, is_first: bool) -> &'static str {
        match (self.colour, is_first) {
            (Some(Colour::Black), true) | (Some(Colour::White), false) => "●",
            (Some(Colour::White), true) | (Some(Colour::Black), false) => "○",
            (None, _) => "",
        }
    }
}

impl Roster {
    /// How many players have entered, or, where teams have, how many teams.
    pub(crate) fn count(&self) -> u32 {
        let entries = if self.teams.is_empty() { self.players.len() } else { self.teams.len() };
        u32::try_from(entries).unwrap_or(u32::MAX)
    }
}

impl Notice {
    pub(crate) fn paragraphs(&self) -> impl Iterator<Item = &str> {
        self.text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty())
    }
}

impl Words<'_> {
    /// The title of the window: the first language, and what it is of.
    pub(crate) fn window(&self, key: &str, head: &Head) -> String {
        let title = self.say(key).into_iter().next().map(|said| said.text).unwrap_or_default();
        let of = if head.event.is_empty() { &head.organiser } else { &head.event };
        format!("{title} – {}", of.native)
    }

    pub(crate) fn as_of(&self, head: &Head) -> Vec<Said> {
        let time = ("time", Arg::from(head.as_of.as_str()));
        // What is of several logs, or of none, is as of a moment alone.
        match head.sequence {
            0 => self.say_of("papers.as_of_time", &[time]),
            sequence => self.say_of("papers.as_of", &[time, ("sequence", sequence.into())]),
        }
    }

    /// After which round a table is.
    pub(crate) fn as_of_round(&self, round: u16) -> Vec<Said> {
        if round > 0 {
            self.count("papers.after_round", "round", round)
        } else {
            self.say("papers.before_first")
        }
    }

    pub(crate) fn seat(&self, colours: Colours, is_first: bool) -> Vec<Said> {
        self.say(match (colours, is_first) {
            (Colours::BlackFirst, true) | (Colours::WhiteFirst, false) => "papers.black",
            (Colours::WhiteFirst, true) | (Colours::BlackFirst, false) => "papers.white",
            (Colours::Open, true) => "papers.first_player",
            (Colours::Open, false) => "papers.second_player",
        })
    }

    pub(crate) fn bye(&self, bye: Bye) -> Vec<Said> {
        self.say(match bye {
            Bye::Pab => "papers.bye.pab",
            Bye::ByeFull => "papers.bye.bye_full",
            Bye::ByeHalf => "papers.bye.bye_half",
            Bye::ByeZero => "papers.bye.bye_zero",
        })
    }

    pub(crate) fn state(&self, state: EntrantState) -> Vec<Said> {
        match state {
            EntrantState::Entered => Vec::new(),
            EntrantState::Waiting => self.say("papers.status.waiting"),
            EntrantState::Withdrawn => self.say("papers.status.withdrawn"),
            EntrantState::Expelled => self.say("papers.status.expelled"),
            EntrantState::Annulled => self.say("papers.status.annulled"),
        }
    }

    /// The result of a board in words, where there are no points to it.
    pub(crate) fn outcome(&self, result: [Code; 2]) -> Vec<Said> {
        match result[0] {
            Code::Adjourned => self.say("papers.outcome.adjourned"),
            Code::ReplayOrdered => self.say("papers.outcome.replay_ordered"),
            Code::Annulled => self.say("papers.outcome.annulled"),
            _ => Vec::new(),
        }
    }

    pub(crate) fn column(&self, column: Column) -> Vec<Said> {
        let plain = |key: &str| self.say(key);
        match column {
            Column::Total => plain("papers.column.total"),
            Column::Points => plain("papers.column.points"),
            Column::Opponents => plain("papers.column.opponents"),
            Column::Highest => plain("papers.column.highest"),
            Column::Rounds => plain("papers.column.rounds"),
            Column::A => plain("papers.column.a"),
            Column::Warnings => plain("papers.column.warnings"),
            Column::Stayed => plain("papers.column.stayed"),
            Column::PlayOff => plain("papers.column.play_off"),
            Column::Lot => plain("papers.column.lot"),
            Column::Mms => plain("papers.column.mms"),
            Column::Sos => plain("papers.column.sos"),
            Column::Sosos => plain("papers.column.sosos"),
            Column::Sodos => plain("papers.column.sodos"),
            Column::BuchholzCut1 => plain("papers.column.buchholz_cut_1"),
            Column::BuchholzMedian => plain("papers.column.buchholz_median"),
            Column::DummyBuchholz => plain("papers.column.dummy_buchholz"),
            Column::DirectEncounter => plain("papers.column.direct_encounter"),
            Column::Wins => plain("papers.column.wins"),
            Column::Koya => plain("papers.column.koya"),
            Column::Performance => plain("papers.column.performance"),
            Column::MatchPoints => plain("papers.column.match_points"),
            Column::GamePoints => plain("papers.column.game_points"),
            Column::Games => plain("papers.column.games"),
            Column::BoardPoints(board) => self.count("papers.column.board_points", "board", board),
            Column::MemberPoints(rank) => self.count("papers.column.member_points", "rank", rank),
            Column::Other(rank) => self.count("papers.column.other", "rank", rank),
        }
    }
}

/// What a column means, where its name is a letter.
fn meaning(column: Column) -> Option<&'static str> {
    match column {
        Column::Total => Some("papers.meaning.total"),
        Column::Points => Some("papers.meaning.points"),
        Column::Opponents => Some("papers.meaning.opponents"),
        Column::Highest => Some("papers.meaning.highest"),
        Column::Rounds => Some("papers.meaning.rounds"),
        Column::A => Some("papers.meaning.a"),
        Column::Stayed => Some("papers.meaning.stayed"),
        _ => None,
    }
}

/// How a rating has changed, with its sign.
pub(crate) fn signed(change: Option<&i32>) -> String {
    change.map_or_else(String::new, |change| format!("{change:+}"))
}
