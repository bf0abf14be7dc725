//! Rounds: pairings, slips and team matches.

use catalogue::Said;

use super::{Block, Outline, Row, Slip, Table, Text};
use crate::{
    model::{Code, Head, Match, MatchBoard, Matches, Out, PairedBoard, Pairings, Slips},
    words::Words,
};

impl Outline {
    pub(super) fn pairings(&mut self, words: &Words<'_>, sheet: &Pairings) {
        self.titled(words, "papers.title.pairings", of_round(words, sheet.round, &sheet.begins));
        let seat = |is_first| Text::words(words.seat(sheet.colours, is_first));
        let number = || Text::words(words.say("papers.number"));
        let head = vec![
            Text::words(words.say("papers.board")),
            number(),
            seat(true),
            number(),
            seat(false),
            Text::words(words.say("papers.result")),
        ];
        let row = |board: &PairedBoard| {
            let [first, second] = &board.players;
            Row::of([
                Text::sign(&board.table),
                Text::number(first.number),
                Text::person(first),
                Text::number(second.number),
                Text::person(second),
                result(words, board.result),
            ])
        };
        let narrow = vec![true, true, false, true, false, true];
        let rows = sheet.boards.iter().map(row).collect();
        self.blocks.push(Block::Table(Table { narrow, head, rows, ..Table::default() }));
        self.out(words, &sheet.out);
    }

    pub(super) fn slips(&mut self, words: &Words<'_>, head: &Head, sheet: &Slips) {
        let round = || Text::words(words.count("papers.round", "round", sheet.round));
        self.titled(words, "papers.title.slip", round());
        // Slips are cut apart: what stands below the last of them would be lost.
        self.foot.clear();
        let said = |key: &str| Text::words(words.say(key));
        let slip = |board: &PairedBoard| {
            let seat = |is_first| Text::words(words.seat(sheet.colours, is_first));
            let player = |at: usize| {
                let player = &board.players[at];
                seat(at == 0).then(": ").and(Text::number(player.number)).then(" ").and(Text::person(player))
            };
            let signature = |is_first| seat(is_first).then(", ").and(said("papers.signature")).then(":");
            let slip = Slip {
                event: Text::name(&head.event),
                round: round(),
                board: said("papers.board").then(" ").and(Text::sign(&board.table)),
                players: [player(0), player(1)],
                signatures: [signature(true), signature(false)],
                ended: said("papers.ended").then(":"),
                arbiter: said("papers.arbiter").then(":"),
                hint: said("papers.slip_hint"),
            };
            Block::Slip(Box::new(slip))
        };
        self.blocks.extend(sheet.boards.iter().map(slip));
    }

    pub(super) fn matches(&mut self, words: &Words<'_>, sheet: &Matches) {
        self.titled(words, "papers.title.matches", of_round(words, sheet.round, &sheet.begins));
        for meeting in &sheet.matches {
            self.blocks.push(Block::Heading(meeting_heading(words, meeting)));
            self.blocks.push(if meeting.boards.is_empty() {
                Block::Line(Text::words(words.say("papers.line_up_open")))
            } else {
                Block::Table(meeting_table(words, meeting))
            });
        }
        self.out(words, &sheet.out);
        let colour = |sign: &str, key: &str| Text::sign(sign).and(Text::words(words.say(key)));
        let legend = colour("● ", "papers.black").then(", ").and(colour("○ ", "papers.white"));
        self.blocks.push(Block::Legend(legend));
    }

    /// Who has no opponent.
    fn out(&mut self, words: &Words<'_>, out: &[Out]) {
        if out.is_empty() {
            return;
        }
        let row = |out: &Out| {
            Row::of([
                Text::number(out.player.number),
                Text::person(&out.player),
                Text::words(words.bye(out.bye)),
            ])
        };
        let rows = out.iter().map(row).collect();
        self.blocks.push(Block::Table(Table { narrow: vec![true, false, false], rows, ..Table::default() }));
    }
}

fn of_round(words: &Words<'_>, round: u16, begins: &str) -> Text {
    let of = Text::words(words.count("papers.round", "round", round));
    if begins.is_empty() { of } else { of.then(" · ").and(Text::plain(begins)) }
}

fn meeting_heading(words: &Words<'_>, meeting: &Match) -> Text {
    let [first, second] = meeting.names();
    let heading = Text::words(words.count("papers.match_of", "match", meeting.number))
        .then(": ")
        .and(Text::name(first))
        .then(" – ")
        .and(Text::name(second));
    match meeting.score {
        Some([first, second]) => heading.then(&format!(" · {first} : {second}")),
        None => heading,
    }
}

fn meeting_table(words: &Words<'_>, meeting: &Match) -> Table {
    let keys = ["papers.board", "papers.home", "papers.away", "papers.result"];
    let player = |board: &MatchBoard, at: usize| {
        let player = &board.players[at];
        Text::sign(&format!("{} ", board.sign(at == 0)))
            .and(Text::number(player.number))
            .then(" ")
            .and(Text::name(&player.name))
    };
    let row = |board: &MatchBoard| {
        Row::of([Text::number(board.board), player(board, 0), player(board, 1), result(words, board.result)])
    };
    Table {
        narrow: vec![true, false, false, true],
        head: keys.map(|key| Text::words(words.say(key))).to_vec(),
        rows: meeting.boards.iter().map(row).collect(),
        ..Table::default()
    }
}

/// What came of a board, in points where there are any. They stay on one line.
fn result(words: &Words<'_>, codes: Option<[Code; 2]>) -> Text {
    let Some(codes) = codes else { return Text::default() };
    let said: Vec<Said> = words.outcome(codes);
    if said.is_empty() {
        Text::sign(&format!("{}\u{00A0}–\u{00A0}{}", codes[0].points(), codes[1].points()))
    } else {
        Text::words(said)
    }
}
