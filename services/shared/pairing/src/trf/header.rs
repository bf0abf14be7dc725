//! The records about the tournament that are plain text or a number.

/// What a report says about its tournament. Texts are empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 012.
    pub name: String,
    /// 022.
    pub city: String,
    /// 032: the code of a federation.
    pub federation: String,
    /// 042: `YYYY/MM/DD`; other forms that are met with are kept as they stand, here and in all dates.
    pub start: String,
    /// 052.
    pub end: String,
    /// 062.
    pub players: Option<u32>,
    /// 072.
    pub rated_players: Option<u32>,
    /// 082.
    pub teams: Option<u32>,
    /// 092: the type in words.
    pub kind: String,
    /// 102.
    pub chief_arbiter: String,
    /// 112, one for each record.
    pub deputies: Vec<String>,
    /// 122: allotted times in words.
    pub allotted: String,
    /// 132: the dates of the rounds, an empty one for a round of which nothing is said; the last is not empty.
    pub dates: Vec<String>,
    /// 172: federation and method by which the starting ranks were made.
    pub ranking_method: String,
    /// 182: who or what pairs.
    pub controller: String,
    /// 192: the type as a code.
    pub type_code: String,
    /// 202: what breaks ties.
    pub tie_breaks: String,
    /// 212: what the standings are made by.
    pub standings: String,
}

/// A record of text, and where it is kept.
type Text = (&'static str, fn(&Header) -> &String, fn(&mut Header) -> &mut String);

/// The records of text, in the order of their numbers.
pub(super) const TEXTS: [Text; 13] = [
    ("012", |it| &it.name, |it| &mut it.name),
    ("022", |it| &it.city, |it| &mut it.city),
    ("032", |it| &it.federation, |it| &mut it.federation),
    ("042", |it| &it.start, |it| &mut it.start),
    ("052", |it| &it.end, |it| &mut it.end),
    ("092", |it| &it.kind, |it| &mut it.kind),
    ("102", |it| &it.chief_arbiter, |it| &mut it.chief_arbiter),
    ("122", |it| &it.allotted, |it| &mut it.allotted),
    ("172", |it| &it.ranking_method, |it| &mut it.ranking_method),
    ("182", |it| &it.controller, |it| &mut it.controller),
    ("192", |it| &it.type_code, |it| &mut it.type_code),
    ("202", |it| &it.tie_breaks, |it| &mut it.tie_breaks),
    ("212", |it| &it.standings, |it| &mut it.standings),
];

/// A record of a number, and where it is kept.
type Count = (&'static str, fn(&Header) -> Option<u32>, fn(&mut Header) -> &mut Option<u32>);

/// The records of numbers.
pub(super) const COUNTS: [Count; 3] = [
    ("062", |it| it.players, |it| &mut it.players),
    ("072", |it| it.rated_players, |it| &mut it.rated_players),
    ("082", |it| it.teams, |it| &mut it.teams),
];

/// The greatest number of a record: more digits than anybody counts.
pub(super) const COUNT_MAX: u32 = 999_999;
