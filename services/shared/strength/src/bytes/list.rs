//! Lists as bytes.

use super::{
    BadBytes,
    wire::{Reader, Writer},
};
use crate::{Entry, List, Points, Rating, first::Evidence};

pub(super) fn write(out: &mut Writer, list: &List) {
    out.put(&list.number);
    out.put(&list.day);
    out.put(&list.input);
    out.rows(&list.entries, |out, entry| {
        out.put(&entry.member);
        let rating = entry.rating.map(|it| (it.points.0, (it.deviation, it.volatility)));
        out.put(&rating);
        out.put(&entry.change);
        out.put(&entry.games);
        out.put(&entry.new_games);
        out.put(&entry.provisional);
        out.put(&entry.place);
        if entry.rating.is_none() {
            out.put(&entry.evidence.games);
            out.put(&entry.evidence.halves);
            out.put(&entry.evidence.opponents);
        }
    });
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<List, BadBytes> {
    let (number, day, input) = (reader.take()?, reader.take()?, reader.take()?);
    let entries = reader.rows(|reader| {
        let member = reader.take()?;
        let rating: Option<(i32, (u32, u32))> = reader.take()?;
        let rating = rating.map(|(points, (deviation, volatility))| Rating {
            points: Points(points),
            deviation,
            volatility,
        });
        let (change, games, new_games) = (reader.take()?, reader.take()?, reader.take()?);
        let (provisional, place) = (reader.take()?, reader.take()?);
        let evidence = match rating {
            Some(_) => Evidence::default(),
            None => Evidence { games: reader.take()?, halves: reader.take()?, opponents: reader.take()? },
        };
        Ok(Entry { member, rating, change, games, new_games, provisional, place, evidence })
    })?;
    Ok(List { number, day, input, entries })
}
