//! Whether what is said of an event can be.

use core::fmt;
use std::collections::BTreeSet;

use pairing::{Number, ResultCode};

use super::{Player, Round, Tournament};
use crate::{Fault, PersonName, Place, Refusal, WriteError, limits as max};

/// Why something is no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inconsistency {
    /// What is wrong.
    pub fault: Fault,
    /// Where.
    pub place: Place,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault.meaning())
    }
}

impl From<Inconsistency> for WriteError {
    fn from(it: Inconsistency) -> WriteError {
        let refusal = match it.fault {
            Fault::NoPlayers => Refusal::NobodyThere,
            Fault::TooManyRounds => Refusal::Rounds,
            _ => Refusal::Inconsistent,
        };
        WriteError::new(refusal, it.place, it.fault.meaning())
    }
}

type Checked = Result<(), Inconsistency>;

/// An error where something does not hold.
fn hold(holds: bool, fault: Fault, place: Place) -> Checked {
    if holds { Ok(()) } else { Err(Inconsistency { fault, place }) }
}

/// Whether a text is one that every format takes: short enough, without blanks at its ends and control characters.
fn is_text(text: &str) -> bool {
    text.trim() == text && !text.contains(char::is_control) && text.chars().count() <= max::TEXT_CHARS_MAX
}

/// Whether a day has a year of four digits.
fn is_day(day: Option<super::Date>) -> bool {
    day.is_none_or(|it| it.year() >= 1_000)
}

impl Tournament {
    /// Whether it is an event in its one form, within every limit: numbers are there once, everybody is in one place in a
    /// round, and everything that is referred to is there. What a reader has read is; nothing else is written.
    pub fn check(&self) -> Result<(), Inconsistency> {
        let at = Place::Event;
        hold(!self.players.is_empty(), Fault::NoPlayers, at)?;
        hold(self.players.len() <= max::PLAYERS_MAX, Fault::TooManyPlayers, at)?;
        hold(self.rounds.len() <= max::ROUNDS_MAX, Fault::TooManyRounds, at)?;
        hold(self.teams.len() <= max::TEAMS_MAX, Fault::TooManyTeams, at)?;
        hold(self.prohibitions.len() <= max::PROHIBITIONS_MAX, Fault::TooManyProhibitions, at)?;
        let of_two = |it: &super::Prohibition| {
            let rounds = it.rounds.is_none_or(|(from, to)| from >= 1 && usize::from(to) <= max::ROUNDS_MAX);
            rounds && it.who.len() >= 2 && it.who.iter().all(|it| (1..=max::NUMBER_MAX).contains(&it.0))
        };
        hold(self.prohibitions.iter().all(of_two), Fault::Range, at)?;
        self.check_header()?;
        self.players.iter().try_for_each(check_player)?;
        let ascends = |pair: &[Player]| pair[0].number < pair[1].number;
        hold(self.players.windows(2).all(ascends), Fault::Double, at)?;
        self.check_teams()?;
        self.numbered_rounds().try_for_each(|(number, round)| self.check_round(number, round))
    }

    fn check_header(&self) -> Checked {
        let it = &self.header;
        let texts =
            [&it.name.native, &it.name.latin, &it.place, &it.country, &it.zone, &it.arbiter, &it.variant];
        hold(texts.into_iter().all(|it| !it.contains(char::is_control)), Fault::Control, Place::Event)?;
        hold(texts.into_iter().all(|it| is_text(it)), Fault::TextTooLong, Place::Event)?;
        let sound = it.time.is_none_or(super::TimeControl::is_sound)
            && it.komi.is_none_or(super::Halves::is_sound)
            && it.pab_points <= pairing::WIN_POINTS
            && it.white_boards.len() <= max::BOARDS_MAX
            && [it.start, it.end].into_iter().all(is_day);
        let rule = it.handicaps.is_none_or(|it| {
            it.reduction <= max::HANDICAP_MAX
                && it.most <= max::HANDICAP_MAX
                && it.none_from.is_none_or(super::Grade::is_sound)
        });
        let begin =
            it.macmahon.is_none_or(|it| [it.floor, it.bar, it.zero].into_iter().all(super::Grade::is_sound));
        hold(sound && rule && begin, Fault::Range, Place::Event)
    }

    fn check_teams(&self) -> Checked {
        let ascends = |pair: &[super::Team]| pair[0].number < pair[1].number;
        hold(self.teams.windows(2).all(ascends), Fault::Double, Place::Event)?;
        let mut seen = BTreeSet::new();
        for team in &self.teams {
            let at = Place::Team(team.number);
            let numbered = (1..=u32::try_from(max::TEAMS_MAX).unwrap_or(u32::MAX)).contains(&team.number);
            hold(numbered, Fault::Range, at)?;
            hold(is_text(&team.name), Fault::Control, at)?;
            hold(team.players.iter().all(|it| self.player(*it).is_some()), Fault::UnknownPlayer, at)?;
            hold(team.players.iter().all(|it| seen.insert(*it)), Fault::TwiceInRound, at)?;
        }
        Ok(())
    }

    fn check_round(&self, number: u16, round: &Round) -> Checked {
        let at = Place::Round(number);
        hold(is_day(round.date), Fault::Range, at)?;
        let mut seen: BTreeSet<Number> = BTreeSet::new();
        for game in &round.games {
            let at = Place::Entry { round: number, player: game.white };
            hold(game.white != game.black, Fault::Himself, at)?;
            hold(game.handicap <= max::HANDICAP_MAX, Fault::Range, at)?;
            hold((1..=max::BOARD_MAX).contains(&game.board), Fault::Range, at)?;
            hold(game.coloured || game.white < game.black, Fault::Inconsistent, at)?;
        }
        for bye in &round.byes {
            hold(bye.is_sound(), Fault::Code, Place::Entry { round: number, player: bye.player })?;
        }
        for (player, _) in round.codes() {
            let at = Place::Entry { round: number, player };
            hold(self.player(player).is_some(), Fault::UnknownPlayer, at)?;
            hold(seen.insert(player), Fault::TwiceInRound, at)?;
        }
        let boards = |pair: &[super::Game]| (pair[0].board, pair[0].white) < (pair[1].board, pair[1].white);
        let ordered = round.games.windows(2).all(boards) && round.byes.is_sorted();
        hold(ordered, Fault::Inconsistent, at)?;
        self.check_teams_of(number, round)
    }

    fn check_teams_of(&self, number: u16, round: &Round) -> Checked {
        let at = Place::Round(number);
        let known = |team: u32| self.teams.binary_search_by_key(&team, |it| it.number).is_ok();
        let once = |teams: Vec<u32>| teams.is_sorted_by(|a, b| a < b);
        for line_up in &round.line_ups {
            hold(known(line_up.team), Fault::UnknownPlayer, at)?;
            let players = line_up.players.iter().flatten();
            hold(players.clone().all(|it| self.player(*it).is_some()), Fault::UnknownPlayer, at)?;
            hold(line_up.players.len() <= max::PLAYERS_MAX, Fault::TooManyPlayers, at)?;
        }
        for bye in &round.team_byes {
            let sound = !matches!(bye.code, ResultCode::ForfeitWin | ResultCode::ForfeitLoss)
                && super::Bye { player: Number(1), code: bye.code }.is_sound();
            hold(sound && known(bye.team), Fault::Code, at)?;
        }
        for it in &round.forfeited {
            hold(it.white != it.black && known(it.white) && known(it.black), Fault::Himself, at)?;
        }
        hold(once(round.line_ups.iter().map(|it| it.team).collect()), Fault::Double, at)?;
        hold(once(round.team_byes.iter().map(|it| it.team).collect()), Fault::Double, at)?;
        hold(once(round.forfeited.iter().map(|it| it.white).collect()), Fault::Double, at)
    }
}

fn check_player(player: &Player) -> Checked {
    let at = Place::Player(player.number);
    hold((1..=max::NUMBER_MAX).contains(&player.number.0), Fault::Range, at)?;
    let (name, ids) = (&player.name, &player.ids);
    let texts = [&name.native, &name.last, &name.first, &player.club, &player.country, &player.title];
    let ids = [&ids.member, &ids.egf, &ids.aga, &ids.fide];
    let all = texts.into_iter().chain(ids);
    hold(all.clone().all(|it| !it.contains(char::is_control)), Fault::Control, at)?;
    hold(all.clone().all(|it| is_text(it)), Fault::TextTooLong, at)?;
    hold(*name == PersonName::new(&name.native, &name.last, &name.first), Fault::Inconsistent, at)?;
    hold(player.rating.is_none_or(|it| it.abs() <= Player::RATING_MAX), Fault::Range, at)?;
    hold(player.grade.is_none_or(super::Grade::is_sound), Fault::Range, at)
}
