use super::{
    Answer, Command, Failure, Host, PerftAnswer, Status, check, moves, outcome_text, render,
    status::{colours_drawn, whose_act},
};
use crate::{
    Act, ActError, Actors, Author, Game, OptionError, Played, Record, RuleSet, Side, StoneColour, Variant,
    divide, headings::WHITE, prelude::*,
};

/// The most acts of one game: more than the longest game of any variant under its usual options.
///
/// ```
/// use rules::{engine::ACTS_MAX, jiu::PLACEMENT_PLIES};
///
/// // The longest Jiu: up to 194 captures, with up to a thousand quiet turns before each.
/// assert!(ACTS_MAX > PLACEMENT_PLIES as usize + 2 + 194 * 1000);
/// ```
pub const ACTS_MAX: usize = 1 << 18;

/// A game with its past, that carries out commands.
///
/// ```
/// use rules::engine::{Command, Engine, NoHost};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let command = Command::read(engine.game(), "play h8").unwrap();
/// let answer = engine.run(&command, &mut NoHost).unwrap();
/// assert_eq!(answer.to_string(), "H8");
/// assert_eq!(engine.run(&Command::Undo(2), &mut NoHost).unwrap_err().reason, "NOTHING_TO_UNDO");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    variant: &'static Variant,
    rule_set: RuleSet,
    setup: Option<String>,
    game: Box<dyn Game>,
    acts: Vec<Act>,
}

impl Engine {
    /// A game under the variant's default rule set.
    ///
    /// ```
    /// use rules::engine::Engine;
    ///
    /// let engine = Engine::new(&rules::jiu::VARIANT)?;
    /// assert_eq!((engine.game().phase(), engine.game().ply()), ("place", 0));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The variant needs options that have no default.
    pub fn new(variant: &'static Variant) -> Result<Engine, OptionError> {
        let rule_set = RuleSet::named("");
        let game = (variant.start)(&rule_set)?;
        Ok(Engine { variant, rule_set, setup: None, game, acts: Vec::new() })
    }

    /// Which game this is.
    ///
    /// ```
    /// use rules::engine::Engine;
    ///
    /// assert_eq!(Engine::new(&rules::jiu::VARIANT)?.variant().native_name(), "久棋");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The game as it stands.
    ///
    /// ```
    /// use rules::{Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
    /// engine.play_any(Side::First, "H8").unwrap();
    /// assert_eq!(engine.game().on_clock(), Some(Side::Second));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// What was played, in canonical notation.
    ///
    /// ```
    /// use rules::{Act, Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
    /// engine.play_any(Side::First, "h8").unwrap();
    /// assert_eq!(engine.acts(), [Act::by(Side::First, "H8")]);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The rule set as it was asked for, not completed.
    ///
    /// ```
    /// use rules::{RuleSet, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::go::VARIANT)?;
    /// engine.start(RuleSet::named("").with("size", "9"), None).unwrap();
    /// assert_eq!(engine.rule_set().options.len(), 1);
    /// assert!(engine.game().rule_set().options.len() > 1);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub const fn rule_set(&self) -> &RuleSet {
        &self.rule_set
    }

    /// Carries out a command.
    ///
    /// ```
    /// use rules::engine::{Command, Engine, NoHost};
    ///
    /// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
    /// let play = |act: &str| Command::Play { author: None, act: act.into() };
    /// assert_eq!(engine.run(&play("h8"), &mut NoHost).unwrap().to_string(), "H8");
    /// assert_eq!(engine.run(&play("h8"), &mut NoHost).unwrap_err().reason, "OCCUPIED");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// Why it came to nothing; the game is then unchanged.
    pub fn run(&mut self, command: &Command, host: &mut dyn Host) -> Result<Answer, Failure> {
        match command {
            Command::Help => Ok(Answer::Help),
            Command::New(rule_set) => self.start(rule_set.clone(), None).map(|()| Answer::Done),
            Command::Position(setup) => {
                self.start(self.rule_set.clone(), Some(setup.clone())).map(|()| Answer::Done)
            }
            Command::Play { author, act } => self.play(*author, act),
            Command::Moves(listing) => Ok(Answer::Moves {
                letters: self.letters(),
                both: self.game.actors() == Actors::Both,
                moves: moves::list(self.game(), listing)?,
            }),
            Command::Perft { depth, divide } => self.perft(*depth, *divide, host),
            Command::Show => Ok(Answer::Show { drawing: render(self.game()), setup: self.game.setup_text() }),
            Command::Status => Ok(Answer::Status(Status::of(self.game()))),
            Command::Score => self.score(),
            Command::Suggest => self.game.suggestion().map(Answer::Suggestion).ok_or_else(|| {
                Failure::new("NO_SUGGESTION", "there is nothing to be settled now, or no way to suggest it")
            }),
            Command::Undo(count) => self.undo(*count).map(|()| Answer::Done),
            Command::Hash => Ok(Answer::Hash(self.game.hash())),
            Command::Record => Ok(Answer::Record(self.record())),
            Command::Check(name) => {
                let bytes = host.read(name).map_err(|error| Failure::new("NO_FILE", error))?;
                Ok(Answer::Check(check(self.variant, &RuleSet::named(""), &bytes)))
            }
            Command::Quit => Ok(Answer::Quit),
        }
    }

    /// Starts a game, from a position if one is given.
    ///
    /// ```
    /// use rules::{RuleSet, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::go::VARIANT)?;
    /// let rows = "x..../...../...../...../.....";
    /// engine.start(RuleSet::named("cn1988"), Some(format!("to-move: W; board: {rows}"))).unwrap();
    /// assert_eq!(engine.game().rule_set().options["size"], "5");
    /// assert_eq!(engine.start(RuleSet::named("chess"), None).unwrap_err().reason, "BAD_OPTION");
    /// assert_eq!(engine.rule_set().id, "cn1988");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The rule set or the position cannot be used; the game before goes on.
    pub fn start(&mut self, rule_set: RuleSet, setup: Option<String>) -> Result<(), Failure> {
        self.game = begin(self.variant, &rule_set, setup.as_deref())?;
        (self.rule_set, self.setup, self.acts) = (rule_set, setup, Vec::new());
        Ok(())
    }

    /// Plays the same acts under another rule set.
    ///
    /// ```
    /// use rules::{RuleSet, Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::go::VARIANT)?;
    /// engine.play_any(Side::First, "E5").unwrap();
    /// engine.change_rules(RuleSet::named("").with("size", "9")).unwrap();
    /// assert_eq!((engine.acts().len(), engine.game().view(rules::Viewer::Spectator).rows), (1, 9));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The rule set cannot be used, or forbids one of the acts; nothing has then changed.
    pub fn change_rules(&mut self, rule_set: RuleSet) -> Result<(), Failure> {
        let mut game = begin(self.variant, &rule_set, self.setup.as_deref())?;
        for act in &self.acts {
            play_even_out_of_turn(&mut game, act.author, &act.text)?;
        }
        (self.rule_set, self.game) = (rule_set, game);
        Ok(())
    }

    /// Plays an act, and if it is not its side's turn gives it the turn.
    ///
    /// ```
    /// use rules::{Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::go::VARIANT)?;
    /// engine.play_any(Side::Second, "E5").unwrap();
    /// engine.play_any(Side::Second, "C3").unwrap();
    /// assert_eq!(engine.play_any(Side::Second, "E5").unwrap_err().reason, "OCCUPIED");
    /// assert_eq!(engine.acts().len(), 2);
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The rule that forbids it; nothing has then changed.
    pub fn play_any(&mut self, author: impl Into<Author>, act: &str) -> Result<Played, Failure> {
        self.has_room()?;
        let author = author.into();
        let played = play_even_out_of_turn(&mut self.game, author, act)?;
        self.acts.push(Act::by(author, played.text.clone()));
        Ok(played)
    }

    /// Takes back so many acts, by playing the others again: a game keeps no copies of its past.
    ///
    /// ```
    /// use rules::{Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
    /// let before = engine.game().hash();
    /// engine.play_any(Side::First, "H8").unwrap();
    /// engine.undo(1).unwrap();
    /// assert_eq!(engine.game().hash(), before);
    /// assert_eq!(engine.undo(1).unwrap_err().reason, "NOTHING_TO_UNDO");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// There are not as many.
    pub fn undo(&mut self, count: u32) -> Result<(), Failure> {
        let left = usize::try_from(count).ok().and_then(|count| self.acts.len().checked_sub(count));
        let left = left.ok_or_else(|| {
            Failure::new("NOTHING_TO_UNDO", format!("{} acts have been played", self.acts.len()))
        })?;
        let mut game = begin(self.variant, &self.rule_set, self.setup.as_deref())?;
        for act in &self.acts[..left] {
            play_even_out_of_turn(&mut game, act.author, &act.text)?;
        }
        self.game = game;
        self.acts.truncate(left);
        Ok(())
    }

    /// The record of the game, after the position it began with if one was set up. What is sealed in a running game
    /// has its public text, as in every record that is shown before its time.
    ///
    /// ```
    /// use rules::{Side, engine::Engine};
    ///
    /// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
    /// engine.play_any(Side::First, "H8").unwrap();
    /// assert!(engine.record().ends_with("\nW1: H8\n"));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn record(&self) -> String {
        let beside = self.position_beside();
        let mut headings = Vec::new();
        if let Some(colour) = self.game.colour(Side::First)
            && beside.is_some()
            && colour != self.variant.colours[0]
        {
            // The acts do not say so: the position does.
            let white = if colour == StoneColour::White { Side::First } else { Side::Second };
            headings.push((WHITE.into(), white.name().into()));
        }
        // A position that was set up may have plies of its own.
        let before = self.game.ply().saturating_sub(u32::try_from(self.acts.len()).unwrap_or(u32::MAX));
        let sealed = self.game.sealed().into_iter();
        let sealed: Vec<_> = sealed.map(|(ply, text)| (ply.saturating_sub(before), text)).collect();
        let record = Record {
            variant: self.variant.id,
            rule_set: self.game.rule_set().clone(),
            headings,
            acts: self.acts.clone(),
            outcome: self.game.outcome().cloned(),
        };
        let text = (self.variant.print_record)(&record.without_sealed(&sealed));
        match beside {
            Some(setup) => format!("{setup}\n{text}"),
            None => text,
        }
    }

    /// The position the game began with, unless its rule set says it already.
    fn position_beside(&self) -> Option<String> {
        let setup = self.setup.as_deref()?;
        let first = begin(self.variant, &self.rule_set, Some(setup)).ok()?;
        let again = begin(self.variant, first.rule_set(), None).ok();
        if again.is_some_and(|again| again.hash() == first.hash()) {
            return None;
        }
        // A position that is decided already has no text of its own, and is told as it was given.
        first.setup_text().or_else(|| Some(lines_of(setup)))
    }

    fn play(&mut self, author: Option<Author>, act: &str) -> Result<Answer, Failure> {
        self.has_room()?;
        let author = match author.or_else(|| whose_act(self.game())) {
            Some(author) => author,
            None if self.game.actors() == Actors::Both => {
                return Err(Failure::new("NO_SIDE", "both sides may act; name one before the act"));
            }
            None => return Err(ActError::game_over().into()),
        };
        let played = self.game.act(author, act)?;
        self.acts.push(Act::by(author, played.text.clone()));
        Ok(Answer::Played { author, played })
    }

    fn letters(&self) -> [char; 2] {
        colours_drawn(self.game()).map(StoneColour::letter)
    }

    fn has_room(&self) -> Result<(), Failure> {
        if self.acts.len() < ACTS_MAX {
            return Ok(());
        }
        Err(Failure::new("TOO_LONG", format!("a game has at most {ACTS_MAX} acts here")))
    }

    fn perft(&self, depth: u32, divided: bool, host: &mut dyn Host) -> Result<Answer, Failure> {
        let mut found = divide(self.game(), depth, &mut |counted| host.counting(counted))?;
        let nodes = if depth == 0 { 1 } else { found.iter().map(|(.., nodes)| nodes).sum() };
        if !divided {
            found.clear();
        }
        Ok(Answer::Perft(PerftAnswer { letters: self.letters(), depth, nodes, divided: found }))
    }

    fn score(&self) -> Result<Answer, Failure> {
        let outcome = self.game.outcome().map(|outcome| outcome_text(outcome, self.game()));
        let counts = self.game.counts();
        let steps = counts.iter().flat_map(|count| {
            let step = |text: &str| format!("{}: {text}", count.method);
            let steps: Vec<String> = count.steps.iter().map(|it| step(&it.text)).collect();
            steps.into_iter().chain([step(&count.result.printed)])
        });
        let lines: Vec<String> = outcome.into_iter().chain(self.game.score_text()).chain(steps).collect();
        if lines.is_empty() {
            return Err(Failure::new("NO_COUNT", "this game is not counted, and it has not ended"));
        }
        Ok(Answer::Score { text: lines.join("\n"), score: self.game.score() })
    }
}

/// The text of a position in lines, without remarks.
fn lines_of(setup: &str) -> String {
    let bare = setup.lines().map(|line| line.split_once('#').map_or(line, |(before, _)| before));
    let parts = bare.flat_map(|line| line.split(';')).map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| [part, "\n"]).collect()
}

fn begin(
    variant: &'static Variant,
    rule_set: &RuleSet,
    setup: Option<&str>,
) -> Result<Box<dyn Game>, Failure> {
    match setup {
        Some(setup) => Ok((variant.position)(rule_set, setup)?),
        None => Ok((variant.start)(rule_set)?),
    }
}

/// Plays an act; where the rules refuse it, once more after giving its side the turn. What then stands in its way
/// is the refusal.
fn play_even_out_of_turn(game: &mut Box<dyn Game>, author: Author, act: &str) -> Result<Played, ActError> {
    let refusal = match game.act(author, act) {
        Ok(played) => return Ok(played),
        Err(refusal) => refusal,
    };
    let mut trial = game.boxed_clone();
    let Some(side) = author.side().filter(|side| trial.give_turn(*side)) else { return Err(refusal) };
    let played = trial.play(side, act)?;
    *game = trial;
    Ok(played)
}
