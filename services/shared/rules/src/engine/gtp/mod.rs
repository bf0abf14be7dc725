//! Version 2 of the Go Text Protocol, for controllers that referee with it.

mod commands;
mod files;
mod genmove;
mod handicap;
mod legal;
mod rules;

use commands::COMMANDS;

use super::{Engine, Failure, Host, side_named, status::colours_drawn};
use crate::{GtpInfo, OptionError, Point, RuleSet, Side, Variant, prelude::*};

/// What it calls itself.
const NAME: &str = "Shoutan";

/// A referee of Go that speaks GTP: it keeps the board, the rules and the score, and answers `genmove` with a legal
/// move by chance.
///
/// It takes moves of either colour at any time, as GTP has it; whatever else the rules forbid is an illegal move.
/// After two passes the dead stones may be agreed on with `shoutan-act COLOUR ACT`; a move then disputes the end
/// instead.
///
/// ```
/// use rules::engine::{Gtp, NoHost, Session};
///
/// let mut session = Session::gtp(Gtp::new(&rules::go::VARIANT)?);
/// let mut out = String::new();
/// session.feed(b"1 boardsize 9\n2 play b E5\n3 play w E5\nfinal_score\n", &mut NoHost, &mut out);
/// assert_eq!(out, "=1\n\n=2\n\n?3 illegal move: OCCUPIED a stone stands on this point\n\n= B+75.5\n\n");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gtp {
    engine: Engine,
    info: GtpInfo,
    ended: bool,
}

/// What a command answers: the text behind `=` or behind `?`.
type Answered = Result<String, String>;

impl Gtp {
    /// A referee on an empty board of the variant's default size.
    ///
    /// ```
    /// use rules::engine::{Gtp, NoHost};
    ///
    /// let mut gtp = Gtp::new(&rules::go::VARIANT)?;
    /// assert_eq!(gtp.run(&["query_boardsize"], &mut NoHost), Ok("19".into()));
    /// assert!(Gtp::new(&rules::jiu::VARIANT).is_err());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The variant is not played on a board whose size is an option, so it is no Go.
    pub fn new(variant: &'static Variant) -> Result<Gtp, OptionError> {
        let info = variant.gtp.ok_or_else(|| {
            let detail = format!("{} does not speak GTP", variant.name());
            OptionError { option: "variant".into(), detail: detail.into() }
        })?;
        let mut engine = Engine::new(variant)?;
        let overrides = info.options.iter();
        let rule_set = overrides.fold(RuleSet::named(""), |rules, (name, value)| rules.with(name, value));
        engine
            .start(rule_set, None)
            .map_err(|failure| OptionError { option: "rules".into(), detail: failure.detail })?;
        Ok(Gtp { engine, info, ended: false })
    }

    /// Whether `quit` has been given.
    ///
    /// ```
    /// use rules::engine::{Gtp, NoHost};
    ///
    /// let mut gtp = Gtp::new(&rules::go::VARIANT)?;
    /// assert!(!gtp.has_ended());
    /// gtp.run(&["quit"], &mut NoHost).unwrap();
    /// assert!(gtp.has_ended());
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Carries out a command, given as its words without number and comment.
    ///
    /// ```
    /// use rules::engine::{Gtp, NoHost};
    ///
    /// let mut gtp = Gtp::new(&rules::go::VARIANT)?;
    /// gtp.run(&["play", "black", "E5"], &mut NoHost).unwrap();
    /// assert_eq!(gtp.run(&["list_stones", "black"], &mut NoHost), Ok("E5".into()));
    /// assert_eq!(gtp.run(&["castle"], &mut NoHost), Err("unknown command".into()));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The text behind the `?`.
    pub fn run(&mut self, words: &[&str], host: &mut dyn Host) -> Result<String, String> {
        let (name, arguments) = words.split_first().map_or(("", words), |(name, rest)| (*name, rest));
        match COMMANDS.iter().find(|(known, _)| *known == name) {
            Some((_, command)) => command(self, arguments, host),
            None => Err("unknown command".into()),
        }
    }

    fn side(&self, word: &str) -> Result<Side, String> {
        let is_colour = ["b", "w", "black", "white"].iter().any(|name| name.eq_ignore_ascii_case(word));
        side_named(colours_drawn(self.engine.game()), word)
            .filter(|_| is_colour)
            .ok_or_else(|| syntax("a colour"))
    }

    /// The names of all points with or without a stone of a side, in reading order.
    fn points(&self, owner: Option<Side>) -> Vec<String> {
        let view = self.engine.game().view(crate::Viewer::Spectator);
        let here = |at| view.stones.iter().find(|stone| stone.at == at).map(|stone| stone.owner);
        Point::all(view.columns, view.rows)
            .filter(|at| here(*at) == owner)
            .map(|at| self.engine.game().point_name(at))
            .collect()
    }

    fn size(&self) -> u8 {
        self.engine.game().view(crate::Viewer::Spectator).rows
    }
}

fn syntax(wanted: &str) -> String {
    format!("syntax error: {wanted} is wanted")
}

fn illegal(failure: &Failure) -> String {
    format!("illegal move: {failure}")
}
