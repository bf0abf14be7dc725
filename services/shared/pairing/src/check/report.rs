//! Reports of events that anybody has paired: which of the rules H1 to H5 each of their rounds breaks.

use std::collections::BTreeSet;

use super::{
    Fault,
    past::{Laws, Past},
};
use crate::{
    ColourLaw, Entry, Number, Player, ResultCode, Status,
    trf::{Doubt, Event, EventError, Report},
};

/// What was found in a round of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundVerdict {
    /// From 1.
    pub round: u16,
    /// How many games were paired.
    pub games: u32,
    /// Who had the pairing bye.
    pub byes: Vec<Number>,
    /// What is broken.
    pub faults: Vec<Fault>,
}

/// What was found in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Every round that was paired.
    pub rounds: Vec<RoundVerdict>,
    /// The same of teams, in an event of teams that have numbers, which are then those of the faults.
    pub teams: Vec<RoundVerdict>,
    /// What could not be judged, or only by an assumption.
    pub doubts: Vec<Doubt>,
}

impl Verdict {
    /// Whether no rule is broken, as far as the report goes.
    pub fn is_clean(&self) -> bool {
        self.rounds.iter().chain(&self.teams).all(|it| it.faults.is_empty())
    }
}

/// Judges every round of a report by the rules that hold whatever the system of pairing is: no rematch (H1), no second
/// pairing bye (H2), no two with the same absolute need of a colour (H3, by the law that is given), no prohibited pair (H4),
/// nobody who was away (H5). In an event of teams that is asked of teams, and of their players the first alone.
///
/// ```
/// use pairing::{ColourLaw, Number, check::{self, Fault}, trf::Report};
/// let column = |text: &str| format!("{text:<80}");
/// let text = column("001    1      A") + " 2.0    1     2 w 1     2 b 1\n"
///     + &column("001    2      B") + " 0.0    2     1 b 0     1 w 0\n";
/// let verdict = check::report(&Report::read(text.as_bytes())?, ColourLaw::Balance)?;
/// assert_eq!(verdict.rounds[1].faults, [Fault::Rematch(Number(1), Number(2))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn report(report: &Report, colours: ColourLaw) -> Result<Verdict, EventError> {
    let event = Event::of(report, colours)?;
    let teams = Event::of_teams(report, colours)?;
    let mut doubts = event.doubts.clone();
    doubts.extend(teams.iter().flat_map(|it| it.doubts.iter().copied()));
    let (rounds, teams) = (judge(&event), teams.as_ref().map(judge).unwrap_or_default());
    Ok(Verdict { rounds, teams, doubts })
}

fn judge(event: &Event) -> Vec<RoundVerdict> {
    let mut ledger = Ledger::of(event);
    (1..=event.paired).map(|round| ledger.judge(round)).collect()
}

/// The event up to a round: each round is judged by what is behind it and then taken in, so that the last round of a long
/// event takes no longer than its first.
struct Ledger<'a> {
    event: &'a Event,
    laws: Laws<'a>,
    /// In the order of numbers.
    players: Vec<Account<'a>>,
    /// Who has asked for a bye, and when.
    asked: BTreeSet<(u16, Number)>,
}

/// A player with the rounds behind him and those to come.
struct Account<'a> {
    number: Number,
    past: Past,
    to_come: &'a [Entry],
}

impl<'a> Ledger<'a> {
    fn of(event: &'a Event) -> Ledger<'a> {
        let account = |player: &'a Player| {
            let past = Past::default();
            Account { number: player.number, past, to_come: &player.history }
        };
        let asked = |player: &'a Player| {
            player.states.iter().filter_map(|state| match state {
                Status::Bye { round, .. } => Some((*round, player.number)),
                _ => None,
            })
        };
        Ledger {
            event,
            laws: Laws::of(&event.settings, &event.prohibited, event.rounds),
            players: event.players.iter().map(account).collect(),
            asked: event.players.iter().flat_map(asked).collect(),
        }
    }

    /// Judges the round that follows those judged before, and takes it in.
    fn judge(&mut self, round: u16) -> RoundVerdict {
        let games = self.games(round);
        let has_bye = |it: &&Account<'_>| it.entry(round).is_some_and(|entry| entry.code == ResultCode::Pab);
        let byes: Vec<Number> = self.players.iter().filter(has_bye).map(|it| it.number).collect();
        let away = games.iter().flatten().chain(&byes).filter(|it| self.there(round, **it).is_none());
        let mut faults: Vec<Fault> = away.map(|it| Fault::NotThere(*it)).collect();
        for [a, b] in &games {
            if let (Some(one), Some(other)) = (self.there(round, *a), self.there(round, *b)) {
                let broken = self.laws.each_broken(round, (*a, &one.past), (*b, &other.past));
                faults.extend(broken.into_iter().flatten());
            }
        }
        // All members of a team without an opponent are free.
        if !self.event.is_of_teams {
            faults.extend((byes.len() > 1).then_some(Fault::Byes(byes.len())));
            let is_barred = |it: &&Number| self.there(round, **it).is_some_and(|it| it.past.bye_barred);
            faults.extend(byes.iter().filter(is_barred).map(|it| Fault::Bye(*it)));
        }
        self.take_in(round);
        RoundVerdict { round, games: crate::count(games.len()), byes, faults }
    }

    /// The games of a round, forfeited ones among them, the lower number first.
    fn games(&self, round: u16) -> Vec<[Number; 2]> {
        let game = |it: &Account<'_>| {
            let opponent = it.entry(round)?.opponent?;
            Some([it.number.min(opponent), it.number.max(opponent)])
        };
        let mut games: Vec<[Number; 2]> = self.players.iter().filter_map(game).collect();
        games.sort_unstable();
        games.dedup();
        games
    }

    /// A player who was there: paired in this round, and without a bye that he had asked for.
    fn there(&self, round: u16, number: Number) -> Option<&Account<'a>> {
        let at = self.players.binary_search_by_key(&number, |it| it.number).ok()?;
        let is_paired =
            |it: &Entry| !matches!(it.code, ResultCode::ByeFull | ResultCode::ByeHalf | ResultCode::ByeZero);
        let account = &self.players[at];
        let there = account.entry(round).is_some_and(is_paired) && !self.asked.contains(&(round, number));
        there.then_some(account)
    }

    fn take_in(&mut self, round: u16) {
        let pab = self.event.settings.pab_points;
        for account in &mut self.players {
            if let Some((entry, rest)) =
                account.to_come.split_first().filter(|(entry, _)| entry.round == round)
            {
                account.past.note(entry, pab);
                account.to_come = rest;
            }
        }
    }
}

impl Account<'_> {
    /// The round that comes next, if it is this one.
    fn entry(&self, round: u16) -> Option<&Entry> {
        self.to_come.first().filter(|entry| entry.round == round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::facts::Facts,
        generate::{Shape, event},
        trf::{AskedByes, ByeKind, Prohibition, Slot},
    };

    /// The same by the facts of each round, worked out anew from the beginning.
    fn anew(event: &Event, round: u16) -> Vec<Fault> {
        let input = event.before(round);
        let facts = Facts::of(&input);
        let (games, byes) = (event.games(round), event.pairing_byes(round));
        let away = games.iter().flatten().chain(&byes).filter(|it| !facts.known.contains_key(it));
        let mut faults: Vec<Fault> = away.map(|it| Fault::NotThere(*it)).collect();
        for [a, b] in &games {
            if let (Some(one), Some(other)) = (facts.known.get(a), facts.known.get(b)) {
                faults.extend(facts.each_broken(one, other).into_iter().flatten());
            }
        }
        faults.extend((byes.len() > 1).then_some(Fault::Byes(byes.len())));
        let barred = byes.iter().filter(|it| facts.known.get(it).is_some_and(|it| it.past.bye_barred));
        faults.extend(barred.map(|it| Fault::Bye(*it)));
        faults
    }

    /// A report of an event by chance whose rounds stand in another order, so that it breaks whatever can be broken.
    fn out_of_order(seed: u64) -> Report {
        let played = event(seed, Shape { players: 9 + u32::try_from(seed % 8).unwrap_or(0), rounds: 7 });
        let mut report = Report::of(&played.expect("an event"), |number| format!("Player {number}"));
        let turn = usize::try_from(seed % 6).unwrap_or(0);
        let rounds = report.players.iter().map(|it| it.rounds.len()).max().unwrap_or(0);
        for player in &mut report.players {
            player.rounds.resize(rounds, Slot::Blank);
            player.rounds.rotate_left(turn);
            // A round is played twice.
            player.rounds[rounds - 1] = player.rounds[0];
        }
        let who = vec![Number(1), Number(2), Number(3), Number(4)];
        report.prohibitions.push(Prohibition { rounds: Some((2, 5)), who: who.clone() });
        report.byes.push(AskedByes { kind: ByeKind::Half, round: 3, who });
        report
    }

    #[test]
    fn a_ledger_finds_what_is_found_when_each_round_is_worked_out_anew() {
        let mut rules = BTreeSet::new();
        for seed in 0..150 {
            let report = out_of_order(seed);
            for colours in ColourLaw::ALL {
                let event = Event::of(&report, *colours).expect("an event");
                let verdict = super::report(&report, *colours).expect("a verdict");
                for judged in &verdict.rounds {
                    assert_eq!(judged.faults, anew(&event, judged.round), "{seed}, round {}", judged.round);
                    assert_eq!(judged.byes, event.pairing_byes(judged.round));
                    assert_eq!(judged.games as usize, event.games(judged.round).len());
                    rules.extend(judged.faults.iter().filter_map(Fault::rule));
                }
            }
        }
        assert_eq!(rules.into_iter().collect::<Vec<_>>(), ["H1", "H2", "H3", "H4", "H5"]);
    }
}
