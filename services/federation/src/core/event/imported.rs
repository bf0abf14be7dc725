//! Events that were held elsewhere: from a file to a log like any other.
//!
//! Everything that is asked of an event (its tables, its rounds, its reports) is asked of its log, so an event from elsewhere
//! is one, too: written at once, from its creation to its end. Nobody has paired it here, so nothing of that is verified;
//! who vouches for it stands in the log.

use std::sync::Arc;

use chassis::id::{AccountId, FederationId};
use pairing::{Number, Reason, Relaxed, ResultCode};
use time::Date;

use super::{
    Event, Refusal, Role, Settings, Stage,
    fact::{Board, BoardId, BoardResult, Digest, Entrant, Fact, PublishedRound, ResultSource},
    result::check_codes,
};
use crate::core::name::Name;

/// Where an event comes from that was held elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the format of the file.
    pub format: String,
    /// SHA-256 of the file.
    pub file: Digest,
    /// The first day and the last, where they are known.
    pub days: [Option<Date>; 2],
    /// Where it was held.
    pub place: String,
    /// How whoever vouches for it comes to do so.
    pub statement: String,
}

/// What was held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Who played, in the order of their numbers, from 1.
    pub entrants: Vec<Entrant>,
    /// The rounds, in their order.
    pub rounds: Vec<HeldRound>,
}

/// A round that was held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldRound {
    /// The boards, table 1 first, with what came of each for either side, and why.
    pub boards: Vec<(Board, [ResultCode; 2], Reason)>,
    /// Who had no game, and what he got.
    pub out: Vec<(Number, ResultCode)>,
}

/// The log of an event that was held elsewhere. Whoever brings it vouches for it, and is its committee.
///
/// # Errors
/// When the settings make no sense, or somebody would be twice in a round, or a result is none.
pub fn imported(
    (federation, name): (FederationId, Name),
    settings: Settings,
    (by, origin): (AccountId, Origin),
    held: Held,
) -> Result<Vec<Fact>, Refusal> {
    if settings.teams.is_some() || settings.play_off.is_some() {
        return Err(Refusal::Held(
            "events of players without play-offs are taken over, and no others".to_owned(),
        ));
    }
    let entrants = u32::try_from(held.entrants.len()).unwrap_or(u32::MAX);
    let mut facts = vec![
        Fact::Created { federation, name, settings: Box::new(settings) },
        Fact::Imported(Box::new(origin)),
        Fact::Appointed { account: by, role: Role::Committee },
    ];
    for (number, entrant) in (1..).zip(held.entrants) {
        facts.push(Fact::Entered(Entrant { number: Number(number), ..entrant }));
    }
    for (number, round) in (1..).zip(held.rounds) {
        facts.extend(round.facts(number, entrants, by)?);
    }
    facts.push(Fact::Advanced { to: Stage::Final });
    Ok(facts)
}

impl HeldRound {
    /// The entries of a log that it becomes. Who is not in it was away.
    fn facts(self, round: u16, entrants: u32, by: AccountId) -> Result<Vec<Fact>, Refusal> {
        let mut there = vec![false; entrants as usize];
        let mut sit = |number: Number| {
            let place = there.get_mut((number.0 as usize).wrapping_sub(1));
            match place {
                Some(place) if !*place => {
                    *place = true;
                    Ok(())
                }
                Some(_) => Err(Refusal::Held(format!("round {round}: number {} is in it twice", number.0))),
                None => Err(Refusal::Held(format!("round {round}: nobody has number {}", number.0))),
            }
        };
        let (mut boards, mut results) = (Vec::new(), Vec::new());
        for (table, (board, codes, reason)) in (1..).zip(self.boards) {
            board.players.into_iter().try_for_each(&mut sit)?;
            let source = ResultSource::OverTheBoard { confirmed_by: Some(by) };
            let result = BoardResult { source, ..BoardResult::decided(codes, reason) };
            check_codes(&result)
                .map_err(|why| Refusal::Held(format!("round {round}, table {table}: {why}")))?;
            if !result.is_settled() {
                return Err(Refusal::Held(format!("round {round}, table {table}: it has no result yet")));
            }
            boards.push(Board { table, ..board });
            results.push(Fact::Result { board: BoardId { round, table }, result });
        }
        let mut out = self.out;
        out.iter().try_for_each(|(number, _)| sit(*number))?;
        let away = (1..).zip(&there).filter(|(_, there)| !**there);
        out.extend(away.map(|(number, _)| (Number(number), ResultCode::ByeZero)));
        out.sort_by_key(|(number, _)| *number);
        let published = PublishedRound {
            round,
            play_off: false,
            boards,
            matches: Vec::new(),
            out,
            seed: [0; 32],
            input: [0; 32],
            relaxed: Relaxed::Nothing,
            tiers: Vec::new(),
            edits: Vec::new(),
            start: None,
        };
        let begun = [Fact::RoundPublished(Box::new(published)), Fact::RoundStarted { round }];
        Ok(begun.into_iter().chain(results).collect())
    }
}

impl Event {
    /// Takes over where the event comes from: before anything else of it is known.
    pub(super) fn take_origin(&mut self, origin: &Origin) -> Result<(), &'static str> {
        if self.sequence != 2 {
            return Err("where an event comes from is said with its creation");
        }
        self.origin = Some(Arc::new(origin.clone()));
        Ok(())
    }
}
