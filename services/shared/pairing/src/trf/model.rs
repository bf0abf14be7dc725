//! A report as a whole, and the records about pairing.

use super::{
    BoardOrder, ByeMark, ForfeitedMatch, Header, National, OldTeam, PlayerRecord, PointCode, PointSystem,
    Scoring, Side, Team, TeamBoards, TeamByes, TeamPoints, TeamResults, Tenths, TimeControl,
};
use crate::Number;

/// Everything that a report says, record by record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What it says about the tournament.
    pub header: Header,
    /// 142 or `XXR`: how many rounds were declared.
    pub rounds: Option<u16>,
    /// 152 or `XXC white1`: the colour of the first player of the list in the first round.
    pub initial_colour: Option<Side>,
    /// `XXC rank`: players are ranked by the order of their records and not by their numbers.
    pub by_rank: bool,
    /// 162.
    pub points: PointSystem,
    /// `XXS`, and `BBW` to `BBU`, in order.
    pub point_codes: Vec<(PointCode, Tenths)>,
    /// 222.
    pub time_control: Option<TimeControl>,
    /// 352: the colours of the boards of a team from the first on.
    pub board_colours: Vec<Side>,
    /// 362.
    pub team_points: TeamPoints,
    /// 001, in order.
    pub players: Vec<PlayerRecord>,
    /// Records of federations, in order.
    pub national: Vec<National>,
    /// 240.
    pub byes: Vec<AskedByes>,
    /// `XXZ`: who is away in the round to come.
    pub absent: Vec<Number>,
    /// 250.
    pub accelerations: Vec<Acceleration>,
    /// `XXA`.
    pub player_accelerations: Vec<PlayerAcceleration>,
    /// 260 and `XXP`.
    pub prohibitions: Vec<Prohibition>,
    /// 299.
    pub odd_points: Vec<OddPoints>,
    /// 013.
    pub old_teams: Vec<OldTeam>,
    /// 310.
    pub teams: Vec<Team>,
    /// 320.
    pub team_byes: Option<TeamByes>,
    /// 330.
    pub forfeited_matches: Vec<ForfeitedMatch>,
    /// 300.
    pub board_orders: Vec<BoardOrder>,
    /// 801.
    pub team_boards: Vec<TeamBoards>,
    /// 802.
    pub team_results: Vec<TeamResults>,
    /// Records that are not known, and those of 801 and 802 that have other columns: whole lines.
    pub other: Vec<String>,
}

impl Report {
    /// The record of a player.
    pub fn player(&self, number: Number) -> Option<&PlayerRecord> {
        self.players.iter().find(|it| it.number == number)
    }

    /// Whether it is of an event of teams. Byes, virtual points and prohibitions are then those of teams, and colours go
    /// with the boards.
    pub fn is_of_teams(&self) -> bool {
        !self.teams.is_empty() || !self.old_teams.is_empty()
    }

    /// What the results of this report are worth.
    pub fn scoring(&self) -> Scoring {
        Scoring::of(&self.points, &self.point_codes)
    }

    /// The last round for which anybody was paired. A bye that was asked for in a round to come does not make it one that
    /// was played.
    ///
    /// ```
    /// use pairing::trf::Report;
    /// let line = |head: &str, rounds: &str| format!("{head:<80} 0.0    1{rounds}\n");
    /// let text = line("001    1      A", "  0000 - U") + &line("001    2      B", "            0000 - H");
    /// assert_eq!(Report::read(text.as_bytes())?.paired_rounds(), 1);
    /// # Ok::<(), pairing::trf::TrfError>(())
    /// ```
    pub fn paired_rounds(&self) -> u16 {
        let last =
            |it: &PlayerRecord| it.rounds.iter().rposition(super::Slot::is_paired).map_or(0, |at| at + 1);
        let most = self.players.iter().map(last).max().unwrap_or(0);
        u16::try_from(most).unwrap_or(u16::MAX)
    }
}

/// Byes that were asked for in a round, record 240.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedByes {
    /// Column 5.
    pub kind: ByeKind,
    /// Columns 7–9.
    pub round: u16,
    /// From column 11 on: players, or teams where the event is one of teams.
    pub who: Vec<Number>,
}

named! {
    /// The byes of record 240.
    pub enum ByeKind {
        /// A zero-point bye.
        Zero = "Z",
        /// A half-point bye.
        Half = "H",
        /// A full-point bye: [`crate::ResultCode::ByeFull`].
        Full = "F",
    }
}

impl ByeKind {
    /// The same in the record of a player.
    pub const fn mark(self) -> ByeMark {
        match self {
            ByeKind::Zero => ByeMark::Zero,
            ByeKind::Half => ByeMark::Half,
            ByeKind::Full => ByeMark::Full,
        }
    }
}

/// Virtual points for a range of numbers, record 250.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceleration {
    /// Columns 5–8: match points, in events of teams.
    pub match_points: Option<Tenths>,
    /// Columns 10–13: points of players, or game points of teams. One of the two is there.
    pub points: Option<Tenths>,
    /// Columns 15–17 and 19–21: the first and the last round.
    pub rounds: (u16, u16),
    /// Columns 23–26 and 28–31: the first and the last player or team.
    pub who: (Number, Number),
}

/// Virtual points of one player, record `XXA`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerAcceleration {
    /// Columns 5–8.
    pub number: Number,
    /// From column 10 on, a field for each round from the first.
    pub points: Vec<Tenths>,
}

/// Players of whom no two may meet, records 260 and `XXP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prohibition {
    /// The first and the last round in which it holds; none in `XXP`, which holds in all.
    pub rounds: Option<(u16, u16)>,
    /// Two or more players, or teams.
    pub who: Vec<Number>,
}

/// Points that follow from no result, or from one otherwise than usual, record 299.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddPoints {
    /// Column 5: what they are given for; none for a penalty or bonus.
    pub kind: Option<OddKind>,
    /// Columns 8–11: match points of teams.
    pub match_points: Option<Tenths>,
    /// Columns 14–17.
    pub points: Option<Tenths>,
    /// Columns 20–22; none for all rounds.
    pub round: Option<u16>,
    /// From column 24 on: players or teams.
    pub who: Vec<Number>,
}

named! {
    /// What record 299 gives its points for.
    pub enum OddKind {
        /// A win.
        Win = "W",
        /// A draw.
        Draw = "D",
        /// A loss.
        Loss = "L",
        /// A full-point bye.
        FullBye = "F",
        /// A half-point bye.
        HalfBye = "H",
        /// A zero-point bye.
        ZeroBye = "Z",
        /// A win by forfeit.
        ForfeitWin = "+",
        /// A loss by forfeit.
        ForfeitLoss = "-",
    }
}
