//! How much of anything is read or written.

/// The largest file that is read, in bytes: the most players with the most rounds fit into it in every format. It is looked
/// at before anything else, and [`crate::collect`] takes no more than this from a stream.
pub const FILE_BYTES_MAX: usize = pairing::trf::FILE_BYTES_MAX;
/// The most players: ten times the largest open that anybody has held.
pub const PLAYERS_MAX: usize = 10_000;
/// The highest number of a player: four digits and one more, as the largest of the formats has them.
pub const NUMBER_MAX: u32 = 10_000;
/// The most rounds: a round robin of as many players is the longest event that anybody reports.
pub const ROUNDS_MAX: usize = pairing::trf::ROUNDS_MAX as usize;
/// The most rounds of an OpenGotha file: it has a flag for each of twenty.
pub const GOTHA_ROUNDS_MAX: u16 = 20;
/// The most teams: the reports of federations have three columns for their numbers.
pub const TEAMS_MAX: usize = pairing::trf::TEAMS_MAX as usize;
/// The most boards of a match of teams: more than any league has.
pub const BOARDS_MAX: usize = 100;
/// The highest number of a board or table: every player at one of his own.
pub const BOARD_MAX: u32 = 10_000;
/// The most stones of a handicap: the formats have one digit for them.
pub const HANDICAP_MAX: u8 = 9;
/// The longest text, in characters: several lines of print, where a name is hardly one.
pub const TEXT_CHARS_MAX: usize = 1_000;
/// The most prohibitions: as many as there are players, each of many players.
pub const PROHIBITIONS_MAX: usize = 10_000;
/// How deep elements of XML are nested: OpenGotha nests five.
pub const XML_DEPTH_MAX: usize = 16;
/// The most attributes of an element: OpenGotha's longest has some forty.
pub const XML_ATTRIBUTES_MAX: usize = 100;
/// The longest value of an attribute as it stands in the file, in bytes: [`TEXT_CHARS_MAX`] characters of four bytes.
pub const XML_VALUE_BYTES_MAX: usize = 4 * TEXT_CHARS_MAX;
/// The longest line of a table of results as text, in bytes: a player with the most rounds.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// The longest line of a table of CSV, in bytes: thirteen texts of [`TEXT_CHARS_MAX`] characters of four bytes, and the most
/// rounds.
pub const CSV_LINE_BYTES_MAX: usize = 128 << 10;
/// How many doubts about a file are told; of a file with more, nobody would read them.
pub const DOUBTS_MAX: usize = 1_000;
/// How many places are told of a loss; how many there are is counted beyond it.
pub const LOSS_PLACES_MAX: usize = 20;
/// The most appointments of a calendar: the boards of a large season.
pub const APPOINTMENTS_MAX: usize = 20_000;
/// The most files of an archive: a season of the largest league.
pub const ARCHIVE_FILES_MAX: usize = 50_000;
/// The most bytes of the files of an archive together: what a reply can carry, and a phone can open.
pub const ARCHIVE_BYTES_MAX: usize = 64 << 20;
/// The longest name of a file in an archive, in bytes: the most that file systems take.
pub const ARCHIVE_NAME_BYTES_MAX: usize = 255;
