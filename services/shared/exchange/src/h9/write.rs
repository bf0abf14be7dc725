//! From an event, as far as a table of results has it, to the table.

use std::{collections::BTreeMap, fmt::Write as _};

use pairing::{Number, ResultCode};

use super::word;
use crate::{Game, TimeClass, Tournament, day, limits::HANDICAP_MAX};

/// The table of what the format carries of an event; its class follows from the whole time control, of which the format has
/// no more than the adjusted time.
pub(crate) fn write(event: &Tournament, class: Option<TimeClass>) -> Vec<u8> {
    let mut text = String::new();
    for line in head(event, class) {
        let _ = writeln!(text, "; {line}");
    }
    text.push_str(";\n");
    let entries = entries(event);
    for player in &event.players {
        let grade = player.grade.map_or_else(|| word(""), |it| it.to_string());
        let first = word(&player.name.first);
        let (club, country) = (word(&player.club), word(&player.country));
        let _ = write!(text, "{:4} {} {first} ", player.number.0, word(&player.name.last));
        let _ = write!(text, "{grade} {country} {club}");
        for round in 0..event.rounds.len() {
            let entry = entries.get(&(player.number, round)).map_or("0-", String::as_str);
            let _ = write!(text, " {entry:>8}");
        }
        if !player.ids.egf.is_empty() {
            let _ = write!(text, " |{}", player.ids.egf);
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// What each player has of each round, but for those of whom nothing is told.
fn entries(event: &Tournament) -> BTreeMap<(Number, usize), String> {
    let mut entries = BTreeMap::new();
    for (at, round) in event.rounds.iter().enumerate() {
        for game in &round.games {
            let [white, black] = game.outcome.codes();
            entries.insert((game.white, at), entry(game, game.black, white, 'w'));
            entries.insert((game.black, at), entry(game, game.white, black, 'b'));
        }
        for bye in &round.byes {
            let sign = if bye.code == ResultCode::ByeFull { '+' } else { '=' };
            entries.insert((bye.player, at), format!("0{sign}"));
        }
    }
    entries
}

fn entry(game: &Game, opponent: Number, code: ResultCode, colour: char) -> String {
    let sign = match code {
        ResultCode::Win => '+',
        ResultCode::Draw => '=',
        _ => '-',
    };
    if game.coloured {
        format!("{opponent}{sign}/{colour}{}", game.handicap)
    } else {
        format!("{opponent}{sign}")
    }
}

fn head(event: &Tournament, class: Option<TimeClass>) -> Vec<String> {
    let header = &event.header;
    let mut lines = Vec::new();
    lines.extend(class.map(|it| format!("CL[{}]", it.name())));
    lines.push(format!("EV[{}]", header.name.latin));
    lines.push(format!("PC[{}, {}]", header.country, header.place));
    if let (Some(start), Some(end)) = (header.start, header.end) {
        lines.push(format!("DT[{},{}]", day::text(start, '-'), day::text(end, '-')));
    }
    let reduction = header.handicaps.map(|it| if it.most == 0 { HANDICAP_MAX } else { it.reduction });
    lines.extend(reduction.map(|it| format!("HA[h{it}]")));
    lines.extend(header.komi.map(|it| format!("KM[{it}]")));
    lines.extend(header.time.map(|it| format!("TM[{}]", it.adjusted_seconds() / 60)));
    lines
}
