//! Reports by chance: every record, with texts in several scripts.

use pairing::{
    Number,
    trf::{
        Acceleration, Against, AskedByes, BoardMark, BoardOrder, BoardsOfRound, ByeKind, ByeMark,
        ForfeitKind, ForfeitedMatch, GameMark, Header, National, OddKind, OddPoints, OldTeam, Period,
        PlayerAcceleration, PlayerRecord, PointCode, PointSystem, Prohibition, Report, Side, Slot, Team,
        TeamBoards, TeamByes, TeamPoints, TeamResults, TeamRound, Tenths, TimeControl,
    },
};

use crate::events::Chance;

const NAMES: [&str; 7] =
    ["", "Wang, Wei", "王伟", "བཀྲ་ཤིས་རྡོ་རྗེ།", "ᠪᠠᠲᠤ ᠡᠷᠳᠡᠨᠢ", "O'Neill-Müller, J. (II)", "Батбаяр, Эрдэнэ"];

/// A report that has something of every record; in ASCII where it is asked for.
pub(crate) struct Maker {
    pub(crate) chance: Chance,
    pub(crate) ascii: bool,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.chance.below(u32::try_from(n).expect("it is small")) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance.percent(60).then(|| make(self))
    }

    fn some<T>(&mut self, most: usize, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    fn text(&mut self) -> String {
        let name = self.one_of(&NAMES);
        if self.ascii && !name.is_ascii() { String::new() } else { name.to_owned() }
    }

    fn short(&mut self) -> String {
        self.one_of(&["", "g", "GM", "CHN"]).to_owned()
    }

    fn number(&mut self) -> Number {
        Number(1 + self.chance.below(9_999))
    }

    fn team(&mut self) -> u32 {
        1 + self.chance.below(999)
    }

    fn round(&mut self) -> u16 {
        u16::try_from(1 + self.chance.below(250)).expect("it is small")
    }

    /// Up to 99.9, below nothing where that is allowed.
    fn points(&mut self, signed: bool) -> Tenths {
        let sign = if signed && self.chance.percent(30) { -1 } else { 1 };
        Tenths(sign * i32::try_from(self.chance.below(1_000)).expect("it is small"))
    }

    fn list(&mut self, at_least: usize) -> Vec<Number> {
        (0..at_least + self.below(4)).map(|_| self.number()).collect()
    }

    fn slot(&mut self, own: Number) -> Slot {
        let opponent = Number(own.0 % 9_999 + 1);
        let colour = self.one_of(Side::ALL);
        match self.below(6) {
            0 => Slot::Blank,
            1 => Slot::Bye(self.one_of(ByeMark::ALL)),
            2 => Slot::Walkover { won: self.chance.percent(50) },
            3 => Slot::Game {
                opponent,
                colour: None,
                result: self.one_of(&[None, Some(GameMark::ForfeitWin)]),
            },
            4 => Slot::Game { opponent, colour: Some(colour), result: None },
            _ => Slot::Game { opponent, colour: Some(colour), result: Some(self.one_of(GameMark::ALL)) },
        }
    }

    fn player(&mut self, number: Number) -> PlayerRecord {
        let mut rounds = self.some(12, |it| it.slot(number));
        while rounds.last() == Some(&Slot::Blank) {
            rounds.pop();
        }
        PlayerRecord {
            number,
            sex: self.maybe(|it| it.one_of(&['m', 'w'])),
            title: self.short(),
            name: self.text(),
            rating: self.maybe(|it| it.chance.below(10_000)),
            federation: self.short(),
            id: number.0.to_string(),
            birth: self.one_of(&["", "1987", "1987/04/30", "30.04.87"]).to_owned(),
            points: self.maybe(|it| it.points(false)),
            rank: self.maybe(|it| it.chance.below(10_000)),
            rounds,
        }
    }

    fn national(&mut self, number: Number) -> National {
        National {
            federation: self.one_of(&["CHN", "MGL", "NOR"]).to_owned(),
            number,
            sex: self.maybe(|it| it.one_of(&['m', 'w'])),
            class: self.short(),
            name: self.text(),
            rating: self.maybe(|it| it.chance.below(10_000)),
            origin: self.short(),
            id: self.one_of(&["", "12345678901"]).to_owned(),
            birth: String::new(),
        }
    }

    fn header(&mut self) -> Header {
        let mut dates = self.some(5, |it| it.one_of(&["", "26/11/23", "2026/11/24"]).to_owned());
        while dates.last().is_some_and(String::is_empty) {
            dates.pop();
        }
        Header {
            name: self.text(),
            city: self.text(),
            players: self.maybe(|it| it.chance.below(1_000)),
            teams: self.maybe(|it| it.chance.below(10)),
            kind: self.short(),
            chief_arbiter: self.text(),
            deputies: self.some(3, |_| "Arbiter, Second".to_owned()),
            allotted: self.one_of(&["", "90 min + 30 s"]).to_owned(),
            dates,
            type_code: self.one_of(&["", "FIDE_DUTCH_2025"]).to_owned(),
            tie_breaks: self.one_of(&["", "BH:GP/C1, SB"]).to_owned(),
            ..Header::default()
        }
    }

    fn period(&mut self) -> Period {
        Period {
            moves: self.maybe(|it| it.chance.below(60)),
            seconds: self.chance.below(10_000),
            increment: self.maybe(|it| it.chance.below(60)),
        }
    }

    fn rounds(&mut self) -> (u16, u16) {
        let (a, b) = (self.round(), self.round());
        (a.min(b), a.max(b))
    }

    pub(crate) fn point_system(&mut self) -> PointSystem {
        PointSystem {
            win: self.maybe(|it| it.points(false)),
            draw: self.maybe(|it| it.points(false)),
            loss: self.maybe(|it| it.points(false)),
            absence: self.maybe(|it| it.points(false)),
            pab: self.maybe(|it| it.points(false)),
            unknown: self.maybe(|it| it.points(false)),
        }
    }

    fn teams(&mut self, report: &mut Report) {
        report.old_teams = self.some(2, |it| OldTeam { name: it.text(), players: it.list(1) });
        let first = self.team().min(990);
        report.teams = (0..self.chance.below(3))
            .map(|more| Team {
                number: first + more,
                name: self.text(),
                nickname: self.one_of(&["", "KHAM", "ABCDE"]).to_owned(),
                strength: self.maybe(|it| it.chance.below(999_999)),
                match_points: self.maybe(|it| it.points(false)),
                game_points: self.maybe(|it| it.points(false)),
                rank: self.maybe(Self::team),
                players: self.list(0),
            })
            .collect();
        report.team_byes = self.maybe(|it| TeamByes {
            match_points: it.maybe(|it| it.points(false)),
            game_points: it.maybe(|it| it.points(false)),
            teams: it.some(5, |it| it.maybe(Self::team)),
        });
        report.forfeited_matches = self.some(2, |it| ForfeitedMatch {
            kind: it.one_of(ForfeitKind::ALL),
            round: it.round(),
            white: it.team(),
            black: it.team(),
        });
        report.board_orders = self.some(2, |it| BoardOrder {
            round: it.round(),
            team: it.team(),
            opponent: it.team(),
            players: it.some(5, |it| it.maybe(Self::number)),
        });
        report.team_boards = self.some(2, Self::team_boards);
        report.team_results = self.some(2, Self::team_results);
        report.board_colours = self.some(6, |it| it.one_of(Side::ALL));
        report.team_points = TeamPoints {
            win: self.maybe(|it| it.points(false)),
            draw: self.maybe(|it| it.points(false)),
            loss: self.maybe(|it| it.points(false)),
        };
    }

    fn team_boards(&mut self) -> TeamBoards {
        let boards = 1 + self.below(5);
        TeamBoards {
            number: self.team(),
            nickname: self.one_of(&["", "KHAM", "ABCDE"]).to_owned(),
            match_points: self.maybe(|it| Tenths(5 * i32::try_from(it.below(40)).expect("it is small"))),
            game_points: self.maybe(|it| it.points(false)),
            rounds: self.some(4, |it| BoardsOfRound {
                against: it.maybe(|it| (it.team(), it.maybe(|it| it.one_of(Side::ALL)))),
                marks: (0..boards).map(|_| it.one_of(BoardMark::ALL)).collect(),
                seats: it
                    .maybe(|it| {
                        let seat = |it: &mut Self| u32::try_from(1 + it.below(9)).expect("it is small");
                        (0..boards).map(|_| it.maybe(seat)).collect()
                    })
                    .unwrap_or_default(),
            }),
        }
    }

    fn team_results(&mut self) -> TeamResults {
        let mut rounds = self.some(5, |it| {
            let against = match it.below(3) {
                0 => Against::Nobody,
                1 => Against::Bye(it.one_of(ByeMark::ALL)),
                _ => Against::Team { opponent: it.team(), colour: it.maybe(|it| it.one_of(Side::ALL)) },
            };
            TeamRound { against, points: it.maybe(|it| it.points(false)), forfeited: it.chance.percent(20) }
        });
        while rounds.last() == Some(&TeamRound::default()) {
            rounds.pop();
        }
        TeamResults {
            number: self.team(),
            nickname: self.one_of(&["", "KHAM", "ABCDE"]).to_owned(),
            match_points: self.maybe(|it| it.points(false)),
            game_points: self.maybe(|it| it.points(false)),
            rounds,
        }
    }

    pub(crate) fn report(&mut self) -> Report {
        let first = self.chance.below(9_000) + 1;
        let players = 1 + self.chance.below(12);
        let mut report = Report {
            header: self.header(),
            rounds: self.maybe(Self::round),
            initial_colour: self.maybe(|it| it.one_of(Side::ALL)),
            by_rank: self.chance.percent(50),
            points: self.point_system(),
            point_codes: self.some(4, |it| (it.one_of(PointCode::ALL), it.points(false))),
            time_control: self.maybe(|it| {
                let periods = vec![it.period(), it.period()];
                TimeControl { periods, black: it.maybe(|it| vec![it.period()]) }
            }),
            players: (first..first + players).map(|it| self.player(Number(it))).collect(),
            byes: self.some(3, |it| AskedByes {
                kind: it.one_of(ByeKind::ALL),
                round: it.round(),
                who: it.list(1),
            }),
            absent: self.list(0),
            accelerations: self.some(2, |it| {
                let points = Some(it.points(false));
                let (match_points, points) =
                    it.one_of(&[(points, None), (None, points), (points, Some(Tenths(20)))]);
                let (rounds, a, b) = (it.rounds(), it.number(), it.number());
                Acceleration { match_points, points, rounds, who: (a.min(b), a.max(b)) }
            }),
            player_accelerations: self.some(2, |it| PlayerAcceleration {
                number: it.number(),
                points: it.some(4, |it| it.points(false)),
            }),
            prohibitions: self.some(3, |it| Prohibition { rounds: it.maybe(Self::rounds), who: it.list(2) }),
            odd_points: self.some(2, |it| OddPoints {
                kind: it.maybe(|it| it.one_of(OddKind::ALL)),
                match_points: it.maybe(|it| it.points(true)),
                points: it.maybe(|it| it.points(true)),
                round: it.maybe(Self::round),
                who: it.list(1),
            }),
            other: self.some(2, |it| {
                it.one_of(&["801   1 words of any kind", "802   3 GEO     19.0 words", "XXM 1", "999"])
                    .to_owned()
            }),
            ..Report::default()
        };
        report.national = (0..players).step_by(2).map(|it| self.national(Number(first + it))).collect();
        self.teams(&mut report);
        report
    }
}
