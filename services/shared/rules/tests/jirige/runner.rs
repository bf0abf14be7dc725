//! Playing a worked example: the game, and round it the clock, the offers and the violations of a match.

use rules::{
    ActError, OfferRule, Offers, Outcome, Reason, Side, Verdict, Violations,
    jirige::{Action, Phase, Position, Turn, Way, perft},
};

use crate::example::{Example, Kind, Line, side};

/// Seconds after which an absent side has lost.
const LATE: i64 = 900;

/// An example being played.
pub(crate) struct Runner<'a> {
    example: &'a Example,
    position: Position,
    /// How the game ended, if something beside the rules of the board ended it.
    ended: Option<(&'static str, &'static str)>,
    offers: Offers,
    violations: Violations,
    clock: Clock,
}

/// Absolute time: what each side has left, and since when the clock of the side to move runs.
struct Clock {
    left: [i64; 2],
    since: Option<i64>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(example: &'a Example) -> Self {
        Runner {
            position: example.position(),
            ended: None,
            offers: Offers::new(OfferRule::Alternate),
            violations: Violations::new(Violations::JIRIGE_LIMIT),
            clock: Clock { left: [example.main; 2], since: None },
            example,
        }
    }

    /// Does what a line says; an error tells how it went otherwise than the line expects.
    pub(crate) fn line(&mut self, line: &Line) -> Result<(), String> {
        match line.kind {
            Kind::Reset => *self = Runner::new(self.example),
            Kind::After => {
                let board = self.position.board().to_string();
                let wanted: String = line.rows.chars().filter(|sign| !sign.is_whitespace()).collect();
                return if board == wanted { Ok(()) } else { Err(format!("the board is {board}")) };
            }
            Kind::Moves => return self.moves(line),
            Kind::Perft => {
                let depth = line.what.parse().map_err(|_| "no depth")?;
                let found = format!("n={}", perft(&self.position, depth));
                return compare(line, |_| Some(found.clone()));
            }
            Kind::Do => {
                let before = self.position.clone();
                let played = self.turn(&line.what);
                self.judge(line, &played, &before)?;
            }
            Kind::Match => {
                let before = self.position.clone();
                let played = self.command(&line.what);
                self.judge(line, &played, &before)?;
            }
        }
        Ok(())
    }

    /// Compares what has happened with what the line expects.
    fn judge(&self, line: &Line, played: &Result<(), ActError>, before: &Position) -> Result<(), String> {
        let mut words = line.expects.iter();
        match (line.verdict.as_str(), played) {
            ("ok", Ok(())) => {}
            ("illegal", Err(refusal)) => {
                if *before != self.position {
                    return Err(format!("{refusal}, and the position has changed"));
                }
                let code = words.next().map_or("", String::as_str);
                if code != refusal.reason {
                    return Err(format!("illegal {refusal}"));
                }
            }
            (_, Ok(())) => return Err("it is legal".to_owned()),
            (_, Err(refusal)) => return Err(format!("illegal {refusal}")),
        }
        words.try_for_each(|word| self.expect(word))
    }

    fn expect(&self, word: &str) -> Result<(), String> {
        let (key, wanted) = word.split_once('=').ok_or_else(|| format!("{word} is no key with a value"))?;
        let found = self.value(key).ok_or_else(|| format!("{key} is unknown"))?;
        let sorted = |text: &str| {
            let mut parts: Vec<String> = text.split([',', '+']).map(str::to_owned).collect();
            parts.sort_unstable();
            parts
        };
        if sorted(&found) == sorted(wanted) { Ok(()) } else { Err(format!("{key}={found}")) }
    }

    fn value(&self, key: &str) -> Option<String> {
        let position = &self.position;
        Some(match key {
            "phase" if self.result().is_some() => "over".to_owned(),
            "phase" => position.phase().name().to_owned(),
            "turn" => name(position.to_move()).to_owned(),
            "pending" => position.pending().to_string(),
            "dark" => position.board().count(Side::First).to_string(),
            "light" => position.board().count(Side::Second).to_string(),
            "quiet" => position.quiet_plies().to_string(),
            "darkspears" => position.spears(Side::First).to_string(),
            "lightspears" => position.spears(Side::Second).to_string(),
            "dv" => self.violations.count(Side::First).to_string(),
            "lv" => self.violations.count(Side::Second).to_string(),
            "dclock" => self.clock.left[0].to_string(),
            "lclock" => self.clock.left[1].to_string(),
            "result" => self.result().unwrap_or_default(),
            _ => return None,
        })
    }

    /// `light/COUNT`, once the game has ended.
    fn result(&self) -> Option<String> {
        if let Some((winner, reason)) = self.ended {
            return Some(format!("{winner}/{reason}"));
        }
        let Outcome { verdict, reason, .. } = self.position.outcome()?;
        let winner = match verdict {
            Verdict::Win(side) => name(*side),
            Verdict::Draw => "draw",
            Verdict::BothLose | Verdict::Void => "none",
        };
        let reason = match reason {
            Reason::TooFewStones => "COUNT",
            Reason::NoMoves => "BLOCKED",
            Reason::Repetition => "REPETITION",
            Reason::Quiet => "QUIET",
            Reason::Resignation => "RESIGN",
            other => panic!("{other:?} is no end of Jirige"),
        };
        Some(format!("{winner}/{reason}"))
    }

    /// A turn, with or without the side that plays it.
    fn turn(&mut self, text: &str) -> Result<(), ActError> {
        if self.result().is_some() {
            return Err(ActError::game_over());
        }
        let (by, text) = match text.split_once(' ').and_then(|(word, rest)| Some((side(word)?, rest))) {
            Some((by, rest)) => (by, rest),
            None => (self.position.to_move(), text),
        };
        if by != self.position.to_move() {
            return Err(ActError::not_your_turn());
        }
        let turn: Turn = text.parse()?;
        self.position.play(&turn)?;
        Ok(())
    }

    /// `12 light offer`: the second, the side, and what it does.
    fn command(&mut self, text: &str) -> Result<(), ActError> {
        let mut words = text.split_whitespace();
        let mut word = || words.next().expect("a second, a side and a command");
        let (now, by, command) = (word().parse().expect("a second"), side(word()).expect("a side"), word());
        let other = words.next();
        if self.result().is_some() {
            return Err(ActError::game_over());
        }
        if self.flag_falls(now) {
            return Ok(());
        }
        match command {
            "start" => self.clock.since = Some(now),
            "late" if now >= LATE => self.ended = Some((other.and_then(side).map_or("none", name), "LATE")),
            "tick" | "late" => {}
            "violate" => self.violation(other.and_then(side).unwrap_or(by)),
            "offer" => return self.offer(by),
            "accept" => {
                self.offers.accept(by)?;
                self.ended = Some(("draw", "AGREED"));
            }
            "decline" => self.offers.decline(by)?,
            _ => return self.match_turn(by, command),
        }
        Ok(())
    }

    fn offer(&mut self, by: Side) -> Result<(), ActError> {
        let offered = self.offers.offer(by, by == self.position.to_move());
        if offered == Err(rules::DrawOfferError::Repeated) {
            self.violation(by);
        }
        Ok(offered?)
    }

    fn match_turn(&mut self, by: Side, text: &str) -> Result<(), ActError> {
        let ply = self.position.ply();
        match self.turn(&format!("{} {text}", name(by))) {
            Ok(()) => {
                if self.position.ply() > ply {
                    self.offers.turn_completed(by);
                }
                Ok(())
            }
            Err(refusal) => {
                // A turn of the wrong side may be a race; it is never counted.
                if self.example.strict && refusal.reason != "NOT_YOUR_TURN" {
                    self.violation(by);
                }
                Err(refusal)
            }
        }
    }

    fn violation(&mut self, by: Side) {
        if self.violations.add(by) {
            self.ended = Some((name(by.other()), "VIOLATIONS"));
        }
    }

    /// Charges the side to move for the time since the last command; says whether it has lost by it.
    fn flag_falls(&mut self, now: i64) -> bool {
        let Some(since) = self.clock.since else { return false };
        let mover = self.position.to_move();
        self.clock.since = Some(now);
        self.clock.left[mover.index()] -= now - since;
        let fallen = self.clock.left[mover.index()] <= 0;
        if fallen {
            self.clock.left[mover.index()] = 0;
            self.ended = Some((name(mover.other()), "TIME"));
        }
        fallen
    }

    /// How many displacements there are, of all stones or of one.
    fn moves(&self, line: &Line) -> Result<(), String> {
        let mut ways: Vec<Way> = self
            .position
            .actions()
            .into_iter()
            .filter_map(|action| match action {
                // Another choice of the spear is the same displacement.
                Action::Move { way, line: None } => Some(way),
                _ => None,
            })
            .collect();
        if !line.what.is_empty() {
            let from = line.what.parse().map_err(|_| "no point")?;
            ways.retain(|way| way.from() == from);
        }
        assert_eq!(self.position.phase(), Phase::Move, "displacements are counted in the moving phase");
        let jumps = ways.iter().filter(|way| matches!(way, Way::Jump(_))).count();
        compare(line, |key| match key {
            "total" => Some(format!("total={}", ways.len())),
            "steps" => Some(format!("steps={}", ways.len() - jumps)),
            "jumps" => Some(format!("jumps={jumps}")),
            _ => None,
        })
    }
}

fn name(side: Side) -> &'static str {
    ["dark", "light"][side.index()]
}

/// Compares each expected `key=value` with the one found.
fn compare(line: &Line, found: impl Fn(&str) -> Option<String>) -> Result<(), String> {
    for word in &line.expects {
        let key = word.split('=').next().unwrap_or_default();
        let found = found(key).ok_or_else(|| format!("{key} is unknown"))?;
        if found != *word {
            return Err(found);
        }
    }
    if line.expects.is_empty() { Err("nothing is expected".to_owned()) } else { Ok(()) }
}
