//! Inputs as bytes.

use super::{
    BadBytes, policy,
    wire::{Reader, Writer},
};
use crate::{EventGames, Game, Id, Imported, ListInput, Player, Points, Score};

pub(super) fn write(out: &mut Writer, input: &ListInput) {
    out.put(&input.number);
    out.put(&input.day);
    out.put(&input.before);
    policy::write(out, &input.policy);
    out.rows(&input.players, |out, player| {
        out.put(&player.member);
        out.put(&player.grade);
    });
    out.rows(&input.merged, Writer::put);
    // Whoever is no player has no row: such an input is refused before anything is made of it.
    let row = |member: &Id| {
        let at = input.players.binary_search_by_key(member, |player| player.member);
        at.ok().and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
    };
    out.rows(&input.imported, |out, imported| {
        out.put(&row(&imported.member));
        out.put(&imported.rating.0);
        out.put(&imported.games);
        out.put(&imported.day);
    });
    out.rows(&input.events, |out, event| {
        out.put(&event.event);
        out.put(&event.sequence);
        out.rows(&event.games, |out, game| {
            out.put(&game.round);
            out.put(&game.table);
            out.put(&row(&game.players[0]));
            out.put(&row(&game.players[1]));
            out.put(&half_points(game.scores[0]));
            out.put(&half_points(game.scores[1]));
        });
    });
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<ListInput, BadBytes> {
    let (number, day, before) = (reader.take()?, reader.take()?, reader.take()?);
    let policy = policy::read(reader)?;
    let players = reader.rows(|reader| Ok(Player { member: reader.take()?, grade: reader.take()? }))?;
    let merged = reader.rows(Reader::take)?;
    let player = |row: u32| -> Result<Id, BadBytes> {
        let found = usize::try_from(row).ok().and_then(|row| players.get(row));
        found.map(|player| player.member).ok_or(BadBytes("a row names somebody who is no player"))
    };
    let imported = reader.rows(|reader| {
        Ok(Imported {
            member: player(reader.take()?)?,
            rating: Points(reader.take()?),
            games: reader.take()?,
            day: reader.take()?,
        })
    })?;
    let game = |reader: &mut Reader<'_>| {
        Ok(Game {
            round: reader.take()?,
            table: reader.take()?,
            players: [player(reader.take()?)?, player(reader.take()?)?],
            scores: [score(reader.take()?)?, score(reader.take()?)?],
        })
    };
    let events = reader.rows(|reader| {
        Ok(EventGames { event: reader.take()?, sequence: reader.take()?, games: reader.rows(game)? })
    })?;
    Ok(ListInput { number, day, policy, before, players, merged, imported, events })
}

const fn half_points(score: Score) -> u8 {
    match score {
        Score::Loss => 0,
        Score::Draw => 1,
        Score::Win => 2,
    }
}

fn score(half_points: u8) -> Result<Score, BadBytes> {
    match half_points {
        0 => Ok(Score::Loss),
        1 => Ok(Score::Draw),
        2 => Ok(Score::Win),
        _ => Err(BadBytes("a score that there is not")),
    }
}
