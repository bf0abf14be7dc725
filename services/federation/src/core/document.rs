//! Papers on notice boards.

use chassis::id::{AccountId, EventId, FederationId, RatingPolicyId, SeasonId};
use time::OffsetDateTime;
use uuid::Uuid;

/// Papers on one board, those that are withdrawn among them: ten of each round of a long event.
pub const DOCUMENTS_MAX: u64 = 1_000;
/// Bytes of a page: within what a message may have.
pub const DOCUMENT_BYTES_MAX: usize = 3 << 20;
/// Cells of a table, above which its page would be larger than that: it is not even made.
pub const CELLS_MAX: usize = 100_000;
/// Lines of a rating list, above which its page would be too large, too.
pub const LINES_MAX: u32 = 10_000;
/// Characters of a notice.
pub const TEXT_CHARS_MAX: usize = 20_000;
/// The languages of a paper of which nobody says any.
pub const LANGUAGES: [&str; 2] = ["zh", "en"];
/// What languages of papers are held to.
pub const LANGUAGES_RULE: &str = "one to three different tags, such as zh, bo or mn-Mong";

/// Whether a paper can be in these languages. None at all are those of which nobody says any.
pub fn are_languages(tags: &[String]) -> bool {
    tags.len() <= papers::LANGUAGES_MAX
        && tags.iter().all(|tag| tag.parse::<catalogue::Language>().is_ok())
        && (1..tags.len()).all(|at| !tags[..at].contains(&tags[at]))
}

/// What a paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Who meets whom.
    Pairings,
    /// Slips for results.
    Slips,
    /// Who stands where.
    Standings,
    /// Everybody's results.
    Crosstable,
    /// The matches of teams.
    Matches,
    /// When rounds begin.
    Schedule,
    /// Who has entered.
    Roster,
    /// What an official has to say.
    Notice,
    /// The divisions of a season.
    LeagueTable,
    /// A rating list.
    RatingList,
}

/// As what a paper is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// As a page.
    #[default]
    Html,
    /// As data, for other programs.
    Json,
}

/// Whose a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The federation.
    pub federation: FederationId,
    /// The event; none for the board of the federation.
    pub event: Option<EventId>,
}

/// What a paper is of that is no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A season.
    Season(SeasonId),
    /// A list of a policy of ratings.
    RatingList(RatingPolicyId, u32),
}

/// A paper on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The id. Later papers have greater ones.
    pub id: Uuid,
    /// Where it hangs.
    pub board: Board,
    /// What it says.
    pub kind: Kind,
    /// The round that it is about; 0 for none.
    pub round: u16,
    /// What it is of; none where that is an event, or nothing.
    pub subject: Option<Subject>,
    /// What it is called; empty where its kind says that.
    pub title: String,
    /// Its languages, as tags.
    pub languages: Vec<String>,
    /// Who has posted it.
    pub posted_by: AccountId,
    /// When.
    pub posted: OffsetDateTime,
    /// The last entry of the event's log that it knows of; 0 for none.
    pub sequence: u64,
    /// SHA-256 of its page.
    pub digest: [u8; 32],
    /// How large the page is.
    pub size: u32,
    /// Who has withdrawn it, when and why; none while it hangs.
    pub withdrawn: Option<Withdrawal>,
    /// When somebody who is forgotten was blacked out of it, last; none where nobody was.
    pub redacted: Option<OffsetDateTime>,
}

/// Why a paper hangs no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Who has withdrawn it.
    pub by: AccountId,
    /// When.
    pub at: OffsetDateTime,
    /// Why, for everybody.
    pub reason: String,
}

/// Why there is no such paper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentFault {
    /// There is none of this id.
    #[error("there is no such paper")]
    Unknown,
    /// The event has no such paper, or a board takes none of the kind.
    #[error("{1}")]
    Bad(&'static str, String),
    /// It would be too large.
    #[error("the paper would have more than {DOCUMENT_BYTES_MAX} bytes")]
    TooLarge,
}
