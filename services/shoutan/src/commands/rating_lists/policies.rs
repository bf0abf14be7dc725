//! Policies: made, changed, shown.

use anyhow::Context as _;
use api::{
    clock::v1::SpeedClass,
    federation::v1::{
        CountedGames, CreateRatingPolicyRequest, EloExpectation, EloSystem, EventFormatKind, ExcludedEvent,
        FirstRating, GamePlace, GetRatingPolicyRequest, Glicko2System, KRule, ListRatingPoliciesRequest,
        PerformanceRating, RatingPolicy, RatingSystem, StartRating, UpdateRatingPolicyRequest,
        first_rating::First, rating_system::System,
    },
};
use clap::ValueEnum;

use super::{
    client, print,
    session::{Session, all, ask},
    shown,
};
use crate::commands::speed::Speed;

/// What is done with policies.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a policy. Without anything said of the system it is Elo as FIDE reckons it.
    Create {
        /// The federation's id.
        federation: String,
        /// What it is called.
        name: String,
        /// The variant whose games count.
        variant: String,
        #[command(flatten)]
        says: Says,
    },
    /// Makes the next version of a policy: what is not said stays.
    Edit {
        /// The policy's id.
        policy: String,
        /// What it is called.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        says: Says,
    },
    /// Has an event not count; one that was counted is taken back by the next list.
    Exclude {
        /// The policy's id.
        policy: String,
        /// The event's id.
        event: String,
        /// Why; everybody reads it.
        reason: String,
    },
    /// Has an event count again that was excluded.
    Include {
        /// The policy's id.
        policy: String,
        /// The event's id.
        event: String,
    },
    /// Lists the policies of a federation.
    List {
        /// The federation's id.
        federation: String,
    },
    /// Shows a policy.
    Show {
        /// The policy's id.
        policy: String,
        /// One of its earlier versions.
        #[arg(long, default_value_t = 0)]
        of_version: u32,
    },
}

/// What a policy says.
#[derive(Debug, clap::Args)]
pub(super) struct Says {
    /// The system.
    #[arg(long)]
    system: Option<SystemArg>,
    /// Elo: points for a game, of whom no rule is true.
    #[arg(long, value_name = "POINTS")]
    k: Option<u32>,
    /// Elo: points for a game by a rule, such as games<30=40, rating<2400=20, grade<1=30 or grade>=1=15 (1 dan is 1, 1 kyu is
    /// 0). May be given several times: the first that is true holds.
    #[arg(long = "k-rule", value_name = "RULE", value_parser = k_rule)]
    k_rules: Vec<KRule>,
    /// Elo: the expected score by a formula rather than by FIDE's table.
    #[arg(long)]
    logistic: bool,
    /// Elo: the greatest difference that is reckoned with.
    #[arg(long, value_name = "POINTS")]
    difference_max: Option<u32>,
    /// Elo: the lowest rating.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    floor: Option<i32>,
    /// Where everybody begins who has no rating.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    start: Option<i32>,
    /// Elo: how many games against rated opponents a first rating takes.
    #[arg(long, value_name = "GAMES", conflicts_with = "start")]
    first_games: Option<u32>,
    /// Glicko-2: the days of a rating period.
    #[arg(long, value_name = "DAYS")]
    period_days: Option<u32>,
    /// How many games somebody must have played to be listed.
    #[arg(long, value_name = "GAMES")]
    listed_from: Option<u32>,
    /// Only events that began on this day or later, as 2026-12-31.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Only events of this format. May be given several times.
    #[arg(long = "format")]
    formats: Vec<FormatArg>,
    /// Only events of this speed. May be given several times.
    #[arg(long = "speed")]
    speeds: Vec<Speed>,
    /// Only games that were played there.
    #[arg(long)]
    place: Option<PlaceArg>,
    /// Only events with so many rounds.
    #[arg(long, value_name = "ROUNDS")]
    rounds_min: Option<u32>,
    /// Whether events count whose settings say that their games are not rated.
    #[arg(long)]
    unrated_events: Option<bool>,
    /// Whether wins and losses without a game count.
    #[arg(long)]
    forfeits: Option<bool>,
    /// Whether games with a handicap count.
    #[arg(long)]
    handicaps: Option<bool>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SystemArg {
    /// Elo.
    Elo,
    /// Glicko-2.
    Glicko2,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// A Swiss.
    Swiss,
    /// All against all.
    RoundRobin,
    /// A knock-out.
    KnockOut,
    /// A match of two.
    Match,
    /// A MacMahon event.
    MacMahon,
    /// An event for grades.
    Grading,
    /// An arena of two teams.
    Arena,
    /// A challenge ladder.
    Ladder,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PlaceArg {
    /// Anywhere.
    Anywhere,
    /// Here.
    Online,
    /// Over the board.
    OverTheBoard,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let policy = match command {
        Command::List { federation: federation_id } => {
            let request = ListRatingPoliciesRequest { federation_id, ..Default::default() };
            let found = all!(client(session), list_rating_policies, request, policies);
            return print::list(session.json, &found.iter().map(shown::policy).collect::<Vec<_>>());
        }
        Command::Show { policy, of_version } => get(session, policy, of_version).await?,
        Command::Create { federation, name, variant, says } => {
            let counted = Some(CountedGames { variant, ..Default::default() });
            let mut policy =
                RatingPolicy { federation_id: federation, name, counted, ..RatingPolicy::default() };
            says.apply(&mut policy)?;
            let request = CreateRatingPolicyRequest {
                policy: Some(policy),
                request_id: session.new_id(),
                validate_only: false,
            };
            ask!(client(session), create_rating_policy, request)?.policy.context(LACKS)?
        }
        Command::Edit { policy, name, says } => {
            let mut policy = get(session, policy, 0).await?;
            policy.name = name.unwrap_or(policy.name);
            says.apply(&mut policy)?;
            update(session, policy).await?
        }
        Command::Exclude { policy, event: event_id, reason } => {
            let mut policy = get(session, policy, 0).await?;
            let excluded = &mut policy.counted.get_or_insert_default().excluded;
            excluded.retain(|known| known.event_id != event_id);
            excluded.push(ExcludedEvent { event_id, reason });
            update(session, policy).await?
        }
        Command::Include { policy, event } => {
            let mut policy = get(session, policy, 0).await?;
            policy.counted.get_or_insert_default().excluded.retain(|known| known.event_id != event);
            update(session, policy).await?
        }
    };
    print::one(session.json, &shown::policy(&policy))
}

/// What is said of an answer without its policy.
const LACKS: &str = "the server's answer lacks the policy";

async fn get(session: &Session, policy_id: String, version: u32) -> anyhow::Result<RatingPolicy> {
    let request = GetRatingPolicyRequest { policy_id, version };
    ask!(client(session), get_rating_policy, request)?.policy.context(LACKS)
}

async fn update(session: &Session, policy: RatingPolicy) -> anyhow::Result<RatingPolicy> {
    let request = UpdateRatingPolicyRequest {
        policy: Some(policy),
        request_id: session.new_id(),
        validate_only: false,
    };
    ask!(client(session), update_rating_policy, request)?.policy.context(LACKS)
}

impl Says {
    /// Has a policy say it, too.
    fn apply(self, policy: &mut RatingPolicy) -> anyhow::Result<()> {
        policy.listed_from_games = self.listed_from.unwrap_or(policy.listed_from_games);
        self.count(policy.counted.get_or_insert_default());
        let is_elo = self.k.is_some()
            || !self.k_rules.is_empty()
            || self.logistic
            || self.difference_max.is_some()
            || self.floor.is_some()
            || self.first_games.is_some();
        let known = policy.system.take().and_then(|it| it.system);
        let wanted = match (self.system, &known) {
            (Some(system), _) => system,
            (None, Some(System::Glicko2(_))) => SystemArg::Glicko2,
            (None, None) if self.period_days.is_some() => SystemArg::Glicko2,
            (None, Some(System::Elo(_)) | None) => SystemArg::Elo,
        };
        let system = match (wanted, known) {
            (SystemArg::Elo, Some(System::Elo(elo))) => System::Elo(self.elo(elo)),
            (SystemArg::Elo, _) if is_elo || self.start.is_some() => System::Elo(self.elo(fide())),
            // What is not said at all the server fills in.
            (SystemArg::Elo, _) => return Ok(()),
            (SystemArg::Glicko2, known) => {
                anyhow::ensure!(!is_elo, "Glicko-2 has no K, no floor and no first games");
                let known = match known {
                    Some(System::Glicko2(known)) => known,
                    _ => Glicko2System::default(),
                };
                System::Glicko2(self.glicko2(known))
            }
        };
        policy.system = Some(RatingSystem { system: Some(system) });
        Ok(())
    }

    fn count(&self, counted: &mut CountedGames) {
        if let Some(from) = &self.from {
            counted.from_date.clone_from(from);
        }
        if !self.formats.is_empty() {
            counted.formats =
                self.formats.iter().map(|format| EventFormatKind::from(*format).into()).collect();
        }
        if !self.speeds.is_empty() {
            counted.speed_classes = self.speeds.iter().map(|speed| SpeedClass::from(*speed).into()).collect();
        }
        if let Some(place) = self.place {
            counted.place = GamePlace::from(place).into();
        }
        counted.rounds_min = self.rounds_min.unwrap_or(counted.rounds_min);
        counted.unrated_events = self.unrated_events.unwrap_or(counted.unrated_events);
        counted.forfeits = self.forfeits.unwrap_or(counted.forfeits);
        counted.handicaps = self.handicaps.unwrap_or(counted.handicaps);
    }

    fn elo(&self, mut elo: EloSystem) -> EloSystem {
        elo.k = self.k.unwrap_or(elo.k);
        if !self.k_rules.is_empty() {
            elo.k_rules.clone_from(&self.k_rules);
        }
        if self.logistic {
            elo.expectation = EloExpectation::Logistic.into();
        }
        elo.difference_max = self.difference_max.or(elo.difference_max);
        elo.floor = self.floor.or(elo.floor);
        let first = match (self.start, self.first_games) {
            (Some(otherwise), _) => Some(First::Start(StartRating { by_grade: Vec::new(), otherwise })),
            (None, Some(games)) => Some(First::Performance(PerformanceRating { games, ..PERFORMANCE })),
            (None, None) => None,
        };
        elo.first = first.map(|first| FirstRating { first: Some(first) }).or(elo.first);
        elo
    }

    fn glicko2(&self, mut glicko: Glicko2System) -> Glicko2System {
        glicko.period_days = self.period_days.unwrap_or(glicko.period_days);
        if let Some(otherwise) = self.start {
            glicko.start = Some(StartRating { by_grade: Vec::new(), otherwise });
        }
        glicko
    }
}

/// A first rating as FIDE has it.
const PERFORMANCE: PerformanceRating =
    PerformanceRating { games: 5, drawn_count: 2, drawn_rating: 1800, max: Some(2200) };

/// Elo as FIDE reckons it.
fn fide() -> EloSystem {
    let rule = |games_below, rating_below, k| KRule { games_below, rating_below, k, ..KRule::default() };
    EloSystem {
        expectation: EloExpectation::Table.into(),
        difference_max: Some(400),
        k_rules: vec![rule(Some(30), None, 40), rule(None, Some(2400), 20)],
        k: 10,
        k_times_games_max: Some(700),
        first: Some(FirstRating { first: Some(First::Performance(PERFORMANCE)) }),
        provisional_below_games: 30,
        ..EloSystem::default()
    }
}

/// A rule for K: what must be true, and the points.
fn k_rule(text: &str) -> Result<KRule, String> {
    let bad = || "write games<30=40, rating<2400=20, grade<1=30 or grade>=1=15".to_owned();
    let (condition, k) = text.rsplit_once('=').ok_or_else(bad)?;
    let k = k.parse().map_err(|_| bad())?;
    let number = |text: &str| text.parse::<i32>().map_err(|_| bad());
    if let Some(games) = condition.strip_prefix("games<") {
        return Ok(KRule { games_below: Some(games.parse().map_err(|_| bad())?), k, ..KRule::default() });
    }
    if let Some(rating) = condition.strip_prefix("rating<") {
        return Ok(KRule { rating_below: Some(number(rating)?), k, ..KRule::default() });
    }
    if let Some(grade) = condition.strip_prefix("grade>=") {
        return Ok(KRule { grade_from: Some(number(grade)?), k, ..KRule::default() });
    }
    let grade = condition.strip_prefix("grade<").ok_or_else(bad)?;
    Ok(KRule { grade_below: Some(number(grade)?), k, ..KRule::default() })
}

impl From<FormatArg> for EventFormatKind {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Swiss => EventFormatKind::Swiss,
            FormatArg::RoundRobin => EventFormatKind::RoundRobin,
            FormatArg::KnockOut => EventFormatKind::KnockOut,
            FormatArg::Match => EventFormatKind::Match,
            FormatArg::MacMahon => EventFormatKind::MacMahon,
            FormatArg::Grading => EventFormatKind::Grading,
            FormatArg::Arena => EventFormatKind::Arena,
            FormatArg::Ladder => EventFormatKind::Ladder,
        }
    }
}

impl From<PlaceArg> for GamePlace {
    fn from(place: PlaceArg) -> Self {
        match place {
            PlaceArg::Anywhere => GamePlace::Unspecified,
            PlaceArg::Online => GamePlace::Online,
            PlaceArg::OverTheBoard => GamePlace::OverTheBoard,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        let rule = |text| k_rule(text).expect("a rule");
        assert_eq!(rule("games<30=40"), KRule { games_below: Some(30), k: 40, ..KRule::default() });
        assert_eq!(rule("rating<-5=20"), KRule { rating_below: Some(-5), k: 20, ..KRule::default() });
        assert_eq!(rule("grade>=1=15"), KRule { grade_from: Some(1), k: 15, ..KRule::default() });
        assert_eq!(rule("grade<-4=60"), KRule { grade_below: Some(-4), k: 60, ..KRule::default() });
        for bad in ["", "games<30", "games<=30=40", "games<x=40", "age<18=40", "rating<2400=k"] {
            assert!(k_rule(bad).is_err(), "{bad}");
        }
    }
}
