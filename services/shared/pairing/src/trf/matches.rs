//! The matches of an event of teams: they stand in no record of their own, but follow from the games of players, the line-ups
//! of teams (300, 310), the colours of boards (352), the byes (240, 320) and the matches that were forfeited (330).

use std::collections::BTreeMap;

use super::{
    Against, ByeMark, ForfeitKind, ForfeitedMatch, PlayerRecord, Report, Scoring, Side, Slot, Team,
    TeamResults, TeamRound, Tenths,
};
use crate::Number;

/// What matches are worked out from.
pub(super) struct Matches<'a> {
    report: &'a Report,
    scoring: Scoring,
    players: BTreeMap<Number, &'a PlayerRecord>,
    /// The team of each player.
    teams: BTreeMap<Number, u32>,
    /// The records of the members of each team, in the order of boards.
    members: BTreeMap<u32, Vec<&'a PlayerRecord>>,
    line_ups: BTreeMap<(u16, u32), &'a [Option<Number>]>,
    forfeited: BTreeMap<(u16, u32), &'a ForfeitedMatch>,
    asked: BTreeMap<(u16, u32), ByeMark>,
    boards: usize,
}

impl<'a> Matches<'a> {
    pub(super) fn of(report: &'a Report) -> Matches<'a> {
        let players: BTreeMap<Number, &PlayerRecord> =
            report.players.iter().map(|it| (it.number, it)).collect();
        let teams = report.teams.iter().flat_map(|team| team.players.iter().map(|it| (*it, team.number)));
        let members = report.teams.iter().map(|team| {
            (team.number, team.players.iter().filter_map(|it| players.get(it).copied()).collect())
        });
        let line_ups = report.board_orders.iter().map(|it| ((it.round, it.team), it.players.as_slice()));
        let forfeited = report.forfeited_matches.iter();
        let forfeited = forfeited.flat_map(|it| [((it.round, it.white), it), ((it.round, it.black), it)]);
        let asked = report.byes.iter();
        let asked = asked.flat_map(|it| it.who.iter().map(move |who| ((it.round, who.0), it.kind.mark())));
        let most = report.teams.iter().map(|it| it.players.len()).max().unwrap_or(0);
        let stated = report.board_colours.len();
        Matches {
            report,
            scoring: report.scoring(),
            teams: teams.collect(),
            members: members.collect(),
            line_ups: line_ups.collect(),
            forfeited: forfeited.collect(),
            asked: asked.collect(),
            boards: if stated > 0 { stated } else { most },
            players,
        }
    }

    /// Whether every player who was paired is in a team.
    pub(super) fn have_all(&self) -> bool {
        let is_paired = |it: &&&PlayerRecord| it.rounds.iter().any(|it| matches!(it, Slot::Game { .. }));
        self.players.values().filter(is_paired).all(|it| self.teams.contains_key(&it.number))
    }

    /// The last round in which a team met another, or had the pairing bye.
    pub(super) fn rounds(&self) -> u16 {
        let byes = self.report.team_byes.iter().filter_map(|it| it.teams.iter().rposition(Option::is_some));
        let byes = byes.map(|at| u16::try_from(at + 1).unwrap_or(u16::MAX));
        let forfeited = self.report.forfeited_matches.iter().map(|it| it.round);
        byes.chain(forfeited).chain([self.report.paired_rounds()]).max().unwrap_or(0)
    }

    /// What a team had in a round.
    pub(super) fn round(&self, team: &Team, round: u16) -> TeamRound {
        self.forfeited(team.number, round)
            .or_else(|| self.played(team, round))
            .or_else(|| self.pairing_bye(team.number, round))
            .or_else(|| {
                let mark = self.asked.get(&(round, team.number))?;
                Some(bye(*mark, self.on_all_boards(Slot::Bye(*mark))))
            })
            .unwrap_or_default()
    }

    /// Whether a game of the team's match in a round has no result yet.
    pub(super) fn is_open(&self, team: &Team, round: u16) -> bool {
        self.slots(team, round).any(|slot| matches!(slot, Slot::Game { result: None, .. }))
    }

    /// The byes that teams have asked for, with their rounds.
    pub(super) fn asked(&self) -> impl Iterator<Item = (u16, u32, ByeMark)> {
        self.asked.iter().map(|((round, team), mark)| (*round, *team, *mark))
    }

    fn forfeited(&self, team: u32, round: u16) -> Option<TeamRound> {
        let it = self.forfeited.get(&(round, team))?;
        let is_white = it.white == team;
        let won = match it.kind {
            ForfeitKind::WhiteWins => is_white,
            ForfeitKind::BlackWins => !is_white,
            ForfeitKind::Double => false,
        };
        let (opponent, colour) = if is_white { (it.black, Side::White) } else { (it.white, Side::Black) };
        Some(TeamRound {
            against: Against::Team { opponent, colour: Some(colour) },
            points: Some(self.on_all_boards(Slot::Walkover { won })),
            forfeited: true,
        })
    }

    fn played(&self, team: &Team, round: u16) -> Option<TeamRound> {
        let slots = || self.slots(team, round);
        let opponent = slots().find_map(|slot| match slot {
            Slot::Game { opponent, .. } => self.teams.get(&opponent).copied(),
            _ => None,
        })?;
        // Who is not in the line-up has no game, and what he has instead is no point of the match.
        let counts = |slot: &Slot| matches!(slot, Slot::Game { .. } | Slot::Walkover { won: true });
        let points = slots().filter(counts).map(|slot| self.scoring.points(slot).0).sum();
        Some(TeamRound {
            against: Against::Team { opponent, colour: self.colour(team, round) },
            points: Some(Tenths(points)),
            forfeited: false,
        })
    }

    /// The colour on the first board, from that of the first board at which one was played.
    fn colour(&self, team: &Team, round: u16) -> Option<Side> {
        let order = self.line_ups.get(&(round, team.number));
        let player = |board: usize| match order {
            Some(order) => order.get(board).copied().flatten(),
            None => team.players.get(board).copied(),
        };
        (0..self.boards.max(team.players.len())).find_map(|board| {
            let Slot::Game { colour: Some(colour), .. } = slot(self.players.get(&player(board)?)?, round)
            else {
                return None;
            };
            let in_turn = if board % 2 == 0 { Side::White } else { Side::Black };
            let of_white = self.report.board_colours.get(board).copied().unwrap_or(in_turn);
            Some(if colour == of_white { Side::White } else { Side::Black })
        })
    }

    fn pairing_bye(&self, team: u32, round: u16) -> Option<TeamRound> {
        let byes = self.report.team_byes.as_ref()?;
        let at = usize::from(round).checked_sub(1)?;
        let has = byes.teams.get(at).copied().flatten() == Some(team);
        let points = byes.game_points.unwrap_or_else(|| self.on_all_boards(Slot::Bye(ByeMark::Pab)));
        has.then(|| bye(ByeMark::Pab, points))
    }

    fn on_all_boards(&self, slot: Slot) -> Tenths {
        let boards = i32::try_from(self.boards).unwrap_or(i32::MAX);
        Tenths(self.scoring.points(slot).0.saturating_mul(boards))
    }

    fn slots(&self, team: &Team, round: u16) -> impl Iterator<Item = Slot> {
        let members = self.members.get(&team.number).into_iter().flatten();
        members.map(move |it| slot(it, round))
    }
}

fn slot(player: &PlayerRecord, round: u16) -> Slot {
    player.rounds.get(usize::from(round).saturating_sub(1)).copied().unwrap_or_default()
}

const fn bye(mark: ByeMark, points: Tenths) -> TeamRound {
    TeamRound { against: Against::Bye(mark), points: Some(points), forfeited: false }
}

impl Report {
    /// What every team of records 310 has made round by round, worked out from the other records: record 802, which repeats
    /// them for people. A round of which nothing is said is an absence.
    pub fn results_of_teams(&self) -> Vec<TeamResults> {
        let matches = Matches::of(self);
        let absence = bye(ByeMark::Zero, matches.on_all_boards(Slot::Bye(ByeMark::Zero)));
        let had = |team: &Team, round: u16| match matches.round(team, round) {
            TeamRound { against: Against::Nobody, .. } => absence,
            said => said,
        };
        let results = |team: &Team| TeamResults {
            number: team.number,
            nickname: team.nickname.clone(),
            match_points: team.match_points,
            game_points: team.game_points,
            rounds: (1..=matches.rounds()).map(|round| had(team, round)).collect(),
        };
        self.teams.iter().map(results).collect()
    }
}
