//! From a report to text.

use std::collections::BTreeSet;

use super::{
    Against, Form, LINE_CHARS_MAX, LineEnd, National, PlayerRecord, PointCode, PointSystem, Report, Side,
    Slot, TeamBoards, TeamResults, WriteError,
    header::{COUNTS, TEXTS},
    names::NAME_COLUMNS,
    points::LETTERS,
    row::Row,
    team::{BYES, RESULTS_WIDTH, boards_width},
};
use crate::Number;

/// The last column of a text that may be as long as a line.
const OPEN: usize = LINE_CHARS_MAX;

impl Report {
    /// The report with lines that end with CR.
    ///
    /// What is written is read back and compared: [`Form::Trf26`] gives the same report or none at all.
    pub fn write(&self, form: Form) -> Result<String, WriteError> {
        self.write_lines(form, LineEnd::default())
    }

    /// The report with lines that end as it is asked for.
    pub fn write_lines(&self, form: Form, end: LineEnd) -> Result<String, WriteError> {
        let mut lines = Lines { form, lines: Vec::new() };
        lines.header(self)?;
        lines.settings(self)?;
        self.players.iter().try_for_each(|it| lines.player(it))?;
        match form {
            Form::Trf26 => self.national.iter().try_for_each(|it| lines.national(it))?,
            Form::Trf16 => self.every_name_can_be_found()?,
        }
        lines.pairing(self)?;
        lines.teams(self)?;
        for line in &self.other {
            let mut row = Row::new("", form);
            row.left(1, OPEN, line)?;
            lines.add(row);
        }
        let mut text = String::new();
        for line in lines.lines {
            text.push_str(&line);
            text.push_str(end.text());
        }
        self.is_what_is_read(form, &text)?;
        Ok(text)
    }

    /// Without its records of federations a name comes back by an id only.
    fn every_name_can_be_found(&self) -> Result<(), WriteError> {
        let with_id: BTreeSet<Number> =
            self.players.iter().filter(|it| !it.id.is_empty()).map(|it| it.number).collect();
        match self.national.iter().find(|it| !it.name.is_empty() && !with_id.contains(&it.number)) {
            Some(record) => Err(WriteError::NoId(record.number)),
            None => Ok(()),
        }
    }

    fn is_what_is_read(&self, form: Form, text: &str) -> Result<(), WriteError> {
        let read = Report::read(text.as_bytes()).map_err(WriteError::Unreadable)?;
        let record = |what: &str| Err(WriteError::Ambiguous(what.to_owned()));
        match form {
            _ if read.players != self.players => record("001"),
            Form::Trf26 if read.other != self.other => record("of other lines"),
            Form::Trf26 if read != *self => record("other than 001"),
            Form::Trf26 | Form::Trf16 => Ok(()),
        }
    }
}

/// The lines written so far.
struct Lines {
    form: Form,
    lines: Vec<String>,
}

impl Lines {
    fn row(&self, record: &str) -> Row {
        Row::new(record, self.form)
    }

    fn add(&mut self, row: Row) {
        self.lines.push(row.finish());
    }

    fn text(&mut self, record: &str, text: &str) -> Result<(), WriteError> {
        if !text.is_empty() {
            let mut row = self.row(record);
            row.left(5, OPEN, text)?;
            self.add(row);
        }
        Ok(())
    }

    /// In the order of their numbers, as far as people read them.
    fn header(&mut self, report: &Report) -> Result<(), WriteError> {
        let header = &report.header;
        for (record, text, _) in &TEXTS {
            if *record == "092" {
                for (record, count, _) in &COUNTS {
                    let said = count(header).map_or_else(String::new, |it| it.to_string());
                    self.text(record, &said)?;
                }
            }
            self.text(record, text(header))?;
            if *record == "102" {
                header.deputies.iter().try_for_each(|it| self.text("112", it))?;
            }
        }
        if !header.dates.is_empty() {
            let mut row = self.row("132");
            for (at, date) in (92..).step_by(10).zip(&header.dates) {
                row.left(at, at + 9, date)?;
            }
            self.add(row);
        }
        Ok(())
    }

    fn settings(&mut self, report: &Report) -> Result<(), WriteError> {
        let is_new = self.form == Form::Trf26;
        if let Some(rounds) = report.rounds {
            self.text(if is_new { "142" } else { "XXR" }, &rounds.to_string())?;
        }
        let colour = report.initial_colour;
        if let Some(colour) = colour.filter(|_| is_new) {
            self.text("152", &colour.name().to_ascii_uppercase())?;
        }
        let rank = report.by_rank.then_some("rank");
        let word = |colour| if colour == Side::White { "white1" } else { "black1" };
        let words: Vec<&str> = rank.into_iter().chain(colour.filter(|_| !is_new).map(word)).collect();
        self.text("XXC", &words.join(" "))?;
        self.point_system(&report.points)?;
        if !is_new {
            self.point_system_in_codes(&report.points)?;
        }
        for (code, points) in &report.point_codes {
            if code.is_record() {
                self.text(code.name(), &points.to_string())?;
            } else {
                self.text("XXS", &format!("{}={points}", code.name()))?;
            }
        }
        self.text("222", &report.time_control.as_ref().map_or_else(String::new, ToString::to_string))
    }

    fn point_system(&mut self, points: &PointSystem) -> Result<(), WriteError> {
        if points.is_empty() {
            return Ok(());
        }
        let mut row = self.row("162");
        let stated = LETTERS.into_iter().filter_map(|letter| Some((letter, points.at(letter)?)));
        for (at, (letter, points)) in (6..).step_by(9).zip(stated) {
            row.right(at, at, letter)?;
            row.points(at + 1, at + 4, Some(points))?;
        }
        self.add(row);
        Ok(())
    }

    /// The same for engines that know no record 162, beside it for those that know no `XXS`. An unknown result has no code
    /// there.
    fn point_system_in_codes(&mut self, points: &PointSystem) -> Result<(), WriteError> {
        use PointCode::{BlackLoss, Draw, ForfeitLoss, Pab, WhiteLoss, Win, ZeroBye};
        let codes: [(&[PointCode], _); 5] = [
            (&[Win], points.win),
            (&[Draw], points.draw),
            (&[WhiteLoss, BlackLoss], points.loss),
            (&[ZeroBye, ForfeitLoss], points.absence),
            (&[Pab], points.pab.or(points.win)),
        ];
        for (codes, points) in codes {
            if let Some(points) = points {
                let words: Vec<String> = codes.iter().map(|it| format!("{}={points}", it.name())).collect();
                self.text("XXS", &words.join(" "))?;
            }
        }
        Ok(())
    }

    fn player(&mut self, player: &PlayerRecord) -> Result<(), WriteError> {
        let mut row = self.row("001");
        fixed(
            &mut row,
            &National {
                federation: String::new(),
                number: player.number,
                sex: player.sex,
                class: player.title.clone(),
                name: player.name.clone(),
                rating: player.rating,
                origin: player.federation.clone(),
                id: player.id.clone(),
                birth: player.birth.clone(),
            },
        )?;
        row.points(81, 84, player.points)?;
        row.maybe(86, 89, player.rank)?;
        for (at, round) in (92..).step_by(10).zip(&player.rounds) {
            slot(&mut row, at, *round)?;
        }
        self.add(row);
        Ok(())
    }

    fn national(&mut self, record: &National) -> Result<(), WriteError> {
        let mut row = self.row(&record.federation);
        fixed(&mut row, record)?;
        self.add(row);
        Ok(())
    }

    fn pairing(&mut self, report: &Report) -> Result<(), WriteError> {
        for byes in &report.byes {
            let mut row = self.row("240");
            row.left(5, 5, byes.kind.name())?;
            row.right(7, 9, format!("{:03}", byes.round))?;
            row.list(11, 4, &byes.who)?;
            self.add(row);
        }
        for number in &report.absent {
            self.text("XXZ", &number.to_string())?;
        }
        for it in &report.accelerations {
            let mut row = self.row("250");
            row.points(5, 8, it.match_points)?;
            row.points(10, 13, it.points)?;
            row.right(15, 17, format!("{:03}", it.rounds.0))?;
            row.right(19, 21, format!("{:03}", it.rounds.1))?;
            row.right(23, 26, it.who.0)?;
            row.right(28, 31, it.who.1)?;
            self.add(row);
        }
        for it in &report.player_accelerations {
            let mut row = self.row("XXA");
            row.right(5, 8, it.number)?;
            row.list(10, 4, it.points.iter().map(|it| it.within(4)))?;
            self.add(row);
        }
        for it in &report.prohibitions {
            let Some((first, last)) = it.rounds else {
                let words: Vec<String> = it.who.iter().map(ToString::to_string).collect();
                self.text("XXP", &words.join(" "))?;
                continue;
            };
            let mut row = self.row("260");
            row.right(5, 7, format!("{first:03}"))?;
            row.right(9, 11, format!("{last:03}"))?;
            row.list(13, 4, &it.who)?;
            self.add(row);
        }
        for it in &report.odd_points {
            let mut row = self.row("299");
            row.left(5, 5, it.kind.map_or("", super::OddKind::name))?;
            row.points(7, 11, it.match_points)?;
            row.points(13, 17, it.points)?;
            row.maybe(20, 22, it.round)?;
            row.list(24, 4, &it.who)?;
            self.add(row);
        }
        Ok(())
    }

    fn teams(&mut self, report: &Report) -> Result<(), WriteError> {
        if !report.board_colours.is_empty() {
            let colours: String = report.board_colours.iter().map(|it| it.name()).collect();
            self.text("352", &colours.to_ascii_uppercase())?;
        }
        let points = &report.team_points;
        let codes = [("TW", points.win), ("TD", points.draw), ("TL", points.loss)];
        let mut row = self.row("362");
        let stated = codes.into_iter().filter_map(|(code, points)| Some((code, points?)));
        for (at, (code, points)) in (5..).step_by(9).zip(stated) {
            row.left(at, at + 1, code)?;
            row.points(at + 2, at + 5, Some(points))?;
        }
        if *points != super::TeamPoints::default() {
            self.add(row);
        }
        for team in &report.old_teams {
            let mut row = self.row("013");
            row.left(5, 36, &team.name)?;
            row.list(37, 4, &team.players)?;
            self.add(row);
        }
        report.teams.iter().try_for_each(|team| self.team(team))?;
        report.board_orders.iter().try_for_each(|order| {
            let mut row = self.row("300");
            row.right(5, 7, order.round)?;
            row.right(9, 11, order.team)?;
            row.right(13, 15, order.opponent)?;
            row.list(17, 4, order.players.iter().map(|it| format!("{:04}", it.map_or(0, |it| it.0))))?;
            self.add(row);
            Ok(())
        })?;
        if let Some(byes) = &report.team_byes {
            let mut row = self.row("320");
            row.points(5, 8, byes.match_points)?;
            row.points(10, 13, byes.game_points)?;
            row.list(15, 3, byes.teams.iter().map(|it| format!("{:03}", it.unwrap_or(0))))?;
            self.add(row);
        }
        report.forfeited_matches.iter().try_for_each(|it| {
            let mut row = self.row("330");
            row.left(5, 6, it.kind.name())?;
            row.right(8, 10, format!("{:03}", it.round))?;
            row.right(12, 14, format!("{:03}", it.white))?;
            row.right(16, 18, format!("{:03}", it.black))?;
            self.add(row);
            Ok(())
        })?;
        report.team_boards.iter().try_for_each(|it| self.team_boards(it))?;
        report.team_results.iter().try_for_each(|it| self.team_results(it))
    }

    fn team_boards(&mut self, team: &TeamBoards) -> Result<(), WriteError> {
        let mut row = self.row("801");
        row.right(4, 6, team.number)?;
        row.left(8, 12, &team.nickname)?;
        row.points(14, 17, team.match_points)?;
        row.points(19, 22, team.game_points)?;
        let boards = team.rounds.first().map_or(0, |it| it.marks.len());
        for (at, round) in (24..).step_by(boards_width(boards)).zip(&team.rounds) {
            row.maybe(at, at + 2, round.against.map(|(opponent, _)| opponent))?;
            row.left(at + 4, at + 4, round.against.and_then(|(_, colour)| colour).map_or("", Side::name))?;
            let marks: String = round.marks.iter().map(|it| it.name()).collect();
            row.left(at + 6, at + 5 + boards, &marks)?;
            let seats: String =
                round.seats.iter().map(|it| it.map_or_else(|| "0".to_owned(), |it| it.to_string())).collect();
            row.left(at + 7 + boards, at + 6 + 2 * boards, &seats)?;
        }
        self.add(row);
        Ok(())
    }

    fn team_results(&mut self, team: &TeamResults) -> Result<(), WriteError> {
        let mut row = self.row("802");
        row.right(5, 7, team.number)?;
        row.left(9, 13, &team.nickname)?;
        row.points(15, 20, team.match_points)?;
        row.points(22, 27, team.game_points)?;
        for (at, round) in (29..).step_by(RESULTS_WIDTH).zip(&team.rounds) {
            match round.against {
                Against::Nobody => {}
                Against::Bye(mark) => {
                    let name = BYES.iter().find(|(_, it)| *it == mark).map_or("", |(name, _)| name);
                    row.left(at, at + 2, name)?;
                }
                Against::Team { opponent, colour } => {
                    row.right(at, at + 2, opponent)?;
                    row.left(at + 4, at + 4, colour.map_or("", Side::name))?;
                }
            }
            row.points(at + 6, at + 9, round.points)?;
            row.left(at + 10, at + 10, if round.forfeited { "f" } else { "" })?;
        }
        self.add(row);
        Ok(())
    }

    fn team(&mut self, team: &super::Team) -> Result<(), WriteError> {
        let mut row = self.row("310");
        row.right(5, 7, team.number)?;
        row.left(9, 40, &team.name)?;
        row.left(42, 46, &team.nickname)?;
        row.maybe(48, 53, team.strength)?;
        row.points(55, 60, team.match_points)?;
        row.points(62, 67, team.game_points)?;
        row.maybe(69, 71, team.rank)?;
        row.list(74, 4, &team.players)?;
        self.add(row);
        Ok(())
    }
}

/// The columns that the records of players and those of federations have in common.
fn fixed(row: &mut Row, record: &National) -> Result<(), WriteError> {
    row.right(5, 8, record.number)?;
    row.maybe(10, 10, record.sex)?;
    row.right(11, 13, &record.class)?;
    row.left(15, 14 + NAME_COLUMNS, &record.name)?;
    row.maybe(49, 52, record.rating)?;
    row.left(54, 56, &record.origin)?;
    row.right(58, 68, &record.id)?;
    row.left(70, 79, &record.birth)
}

/// A round; nothing where it is blank.
fn slot(row: &mut Row, at: usize, slot: Slot) -> Result<(), WriteError> {
    let nobody = |row: &mut Row, mark: &str| {
        row.right(at, at + 3, "0000")?;
        row.left(at + 5, at + 5, "-")?;
        row.left(at + 7, at + 7, mark)
    };
    match slot {
        Slot::Blank => Ok(()),
        Slot::Bye(mark) => nobody(row, mark.name()),
        Slot::Walkover { won } => nobody(row, if won { "+" } else { "-" }),
        Slot::Game { opponent, colour, result } => {
            row.right(at, at + 3, opponent)?;
            row.left(at + 5, at + 5, colour.map_or("-", Side::name))?;
            row.left(at + 7, at + 7, result.map_or("", super::GameMark::name))
        }
    }
}
