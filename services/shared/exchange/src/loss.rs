//! What a format could not carry, found by comparing what was to be written with what was.

use core::fmt;
use std::collections::BTreeMap;

use pairing::Number;

use crate::{Game, Header, Place, Player, Round, Tournament, limits::LOSS_PLACES_MAX};

sayings! {
    /// What was lost, by a name that stays.
    pub enum Lost {
        /// The event's name in its own script.
        EventNativeName = "event_native_name": "the name of the event in its own script",
        /// The event's name in Latin letters.
        EventLatinName = "event_latin_name": "the name of the event in Latin letters",
        /// Place or country of the event.
        EventPlace = "event_place": "where the event is",
        /// First and last day.
        EventDates = "event_dates": "when the event is",
        /// The time zone.
        Zone = "zone": "the time zone",
        /// The chief arbiter.
        Arbiter = "arbiter": "the chief arbiter",
        /// The game, and the size of its board.
        Variant = "variant": "the variant of the game, or the size of its board",
        /// The time control.
        Time = "time": "the time control, or a part of it",
        /// Komi.
        Komi = "komi": "komi",
        /// The rule of handicaps.
        Handicaps = "handicaps": "how handicaps are given, or a part of it",
        /// The settings of a MacMahon event.
        MacMahon = "macmahon": "the settings of the MacMahon system",
        /// What the pairing bye is worth.
        PabPoints = "pab_points": "what the pairing bye is worth",
        /// How many boards a match has, and their colours.
        Boards = "boards": "how many boards a match has, and their colours",
        /// The number of rounds.
        Rounds = "rounds": "how many rounds were declared",
        /// The number of a player.
        PlayerNumber = "player_number": "the number of a player",
        /// A name in its own script.
        PlayerNativeName = "player_native_name": "a player's name in its own script, or a part of it",
        /// A name in Latin letters.
        PlayerLatinName = "player_latin_name": "a player's name in Latin letters, or marks of it",
        /// A club.
        Club = "club": "a player's club, or marks of it",
        /// A country.
        Country = "country": "a player's country",
        /// A rating.
        Rating = "rating": "a player's rating",
        /// A grade.
        Grade = "grade": "a player's grade",
        /// A title.
        Title = "title": "a player's title",
        /// Our own id of a player.
        MemberId = "member_id": "a player's id as a member",
        /// An id in another list.
        OtherId = "other_id": "a player's id in another list",
        /// The day of a round.
        RoundDate = "round_date": "the day of a round",
        /// A whole game: neither opponent nor board is told.
        Game = "game": "a game, of which no more than its points are told, if that",
        /// The number of a board.
        Board = "board": "the number of a board",
        /// A colour.
        Colour = "colour": "who had which colour",
        /// A handicap.
        Handicap = "handicap": "a handicap",
        /// A result that the format has not, and has written as another.
        Outcome = "outcome": "a result, which is told as another one",
        /// The reason of a result.
        Reason = "reason": "the reason of a result",
        /// A bye, or of which kind it was.
        Bye = "bye": "a bye, or of which kind it was",
        /// Teams.
        Team = "team": "a team, or a part of it",
        /// Line-ups, byes and forfeits of teams.
        TeamRound = "team_round": "a line-up, bye or forfeit of a team",
        /// Prohibitions.
        Prohibition = "prohibition": "who may not meet",
    }
}

/// Something that a format could not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What.
    pub what: Lost,
    /// How often.
    pub count: u32,
    /// The first [`LOSS_PLACES_MAX`] places.
    pub places: Vec<Place>,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what.meaning())?;
        for (at, place) in self.places.iter().enumerate() {
            write!(f, "{} {place}", if at == 0 { ":" } else { "," })?;
        }
        match self.count as usize - self.places.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[derive(Default)]
struct Losses(BTreeMap<Lost, (u32, Vec<Place>)>);

impl Losses {
    /// A loss where the two are not the same.
    fn same<T: PartialEq + ?Sized>(&mut self, what: Lost, place: Place, before: &T, after: &T) {
        if before != after {
            let (count, places) = self.0.entry(what).or_default();
            *count += 1;
            if places.len() < LOSS_PLACES_MAX {
                places.push(place);
            }
        }
    }
}

/// What of an event is not in what was carried of it, in the order of [`Lost`].
pub(crate) fn between(event: &Tournament, carried: &Tournament) -> Vec<Loss> {
    let mut losses = Losses::default();
    header(&mut losses, &event.header, &carried.header);
    // Where the format numbers players itself, everything else is compared under the new numbers.
    let kept = event.players.iter().zip(&carried.players).all(|(a, b)| a.number == b.number);
    let renumbered = (!kept).then(|| event.renumbered(&[]));
    for (before, after) in event.players.iter().zip(&carried.players) {
        losses.same(Lost::PlayerNumber, Place::Player(before.number), &before.number, &after.number);
        player(&mut losses, before, after);
    }
    let event = renumbered.as_ref().unwrap_or(event);
    losses.same(Lost::Rounds, Place::Event, &event.rounds.len(), &carried.rounds.len());
    let none = Round::default();
    for (number, before) in event.numbered_rounds() {
        round(&mut losses, number, before, carried.rounds.get(usize::from(number) - 1).unwrap_or(&none));
    }
    for team in &event.teams {
        let after = carried.teams.iter().find(|it| it.number == team.number);
        losses.same(Lost::Team, Place::Team(team.number), &Some(team), &after);
    }
    losses.same(Lost::Prohibition, Place::Event, &event.prohibitions, &carried.prohibitions);
    losses.0.into_iter().map(|(what, (count, places))| Loss { what, count, places }).collect()
}

fn header(losses: &mut Losses, before: &Header, after: &Header) {
    let at = Place::Event;
    losses.same(Lost::EventNativeName, at, &before.name.native, &after.name.native);
    losses.same(Lost::EventLatinName, at, &before.name.latin, &after.name.latin);
    losses.same(Lost::EventPlace, at, &(&before.place, &before.country), &(&after.place, &after.country));
    losses.same(Lost::EventDates, at, &(before.start, before.end), &(after.start, after.end));
    losses.same(Lost::Zone, at, &before.zone, &after.zone);
    losses.same(Lost::Arbiter, at, &before.arbiter, &after.arbiter);
    let variant = |it: &Header| (it.variant.clone(), it.board_size);
    losses.same(Lost::Variant, at, &variant(before), &variant(after));
    losses.same(Lost::Time, at, &before.time, &after.time);
    losses.same(Lost::Komi, at, &before.komi, &after.komi);
    losses.same(Lost::Handicaps, at, &before.handicaps, &after.handicaps);
    losses.same(Lost::MacMahon, at, &before.macmahon, &after.macmahon);
    losses.same(Lost::PabPoints, at, &before.pab_points, &after.pab_points);
    losses.same(Lost::Boards, at, &before.white_boards, &after.white_boards);
}

fn player(losses: &mut Losses, before: &Player, after: &Player) {
    let at = Place::Player(before.number);
    losses.same(Lost::PlayerNativeName, at, &before.name.native, &after.name.native);
    losses.same(Lost::PlayerLatinName, at, &before.name.latin(), &after.name.latin());
    losses.same(Lost::Club, at, &before.club, &after.club);
    losses.same(Lost::Country, at, &before.country, &after.country);
    losses.same(Lost::Rating, at, &before.rating, &after.rating);
    losses.same(Lost::Grade, at, &before.grade, &after.grade);
    losses.same(Lost::Title, at, &before.title, &after.title);
    let (ids, kept) = (&before.ids, &after.ids);
    losses.same(Lost::MemberId, at, &ids.member, &kept.member);
    let others = (&ids.egf, &ids.aga, &ids.fide);
    losses.same(Lost::OtherId, at, &others, &(&kept.egf, &kept.aga, &kept.fide));
}

fn round(losses: &mut Losses, number: u16, before: &Round, after: &Round) {
    losses.same(Lost::RoundDate, Place::Round(number), &before.date, &after.date);
    let pair = |it: &Game| (it.white.min(it.black), it.white.max(it.black));
    let games: BTreeMap<(Number, Number), &Game> = after.games.iter().map(|it| (pair(it), it)).collect();
    for game in &before.games {
        let at = Place::Entry { round: number, player: game.white };
        let Some(kept) = games.get(&pair(game)) else {
            losses.same(Lost::Game, at, &true, &false);
            continue;
        };
        // With the same seats the results can be compared, whether or not colours were kept.
        let kept_outcome = if game.coloured == kept.coloured { kept.outcome } else { reseated(game, kept) };
        losses.same(Lost::Board, at, &game.board, &kept.board);
        losses.same(Lost::Colour, at, &game.coloured, &kept.coloured);
        losses.same(Lost::Handicap, at, &game.handicap, &kept.handicap);
        losses.same(Lost::Outcome, at, &game.outcome, &kept_outcome);
        losses.same(Lost::Reason, at, &game.reason, &kept.reason);
    }
    for bye in &before.byes {
        let at = Place::Entry { round: number, player: bye.player };
        losses.same(Lost::Bye, at, &true, &after.byes.binary_search(bye).is_ok());
    }
    let teams = |it: &Round| (it.line_ups.clone(), it.team_byes.clone(), it.forfeited.clone());
    losses.same(Lost::TeamRound, Place::Round(number), &teams(before), &teams(after));
}

/// What came of a game as it would be told with the seats that it had before.
fn reseated(before: &Game, after: &Game) -> crate::Outcome {
    let same = before.white == after.white;
    if same { after.outcome } else { after.outcome.turned() }
}
