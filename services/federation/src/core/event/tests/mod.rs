//! Events from their creation to their last table, without anything around them.

mod arranging;
mod brackets;
mod broadcast;
mod departures;
mod drafts;
mod entries;
mod formats;
mod imported;
mod incidents;
mod ladder;
mod leave;
mod parties;
mod play_offs;
mod readings;
mod refusals;
mod schedule;
mod supplement;
mod swiss;
mod teams;
mod tellings;

use crate::core::name::Name;
use core::ops::ControlFlow;

use api::time_control::TimeControl;
use chassis::id::{AccountId, EventId, FederationId, MemberId};
use pairing::{Number, Reason, Relaxed, ResultCode, standings::Cycles};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    verify::{Verified, verify},
    *,
};

/// An event with its log, as the service keeps it.
#[derive(Clone)]
pub(crate) struct Book {
    pub(crate) id: EventId,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) event: Event,
    secret: [u8; 32],
    now: OffsetDateTime,
}

pub(crate) fn account(number: u32) -> AccountId {
    Uuid::from_u128(0xacc0 << 64 | u128::from(number)).into()
}

/// An official who is nobody's proxy.
pub(crate) fn official(number: u32) -> Official {
    Official { account: account(number), represents: std::collections::BTreeSet::new() }
}

pub(crate) fn member(number: u32) -> MemberId {
    Uuid::from_u128(0x3e3b << 64 | u128::from(number)).into()
}

pub(crate) fn settings(variant: &str, format: Format) -> Settings {
    let variant = rules::variant(variant).expect("a variant");
    let rules = (variant.start)(&rules::RuleSet {
        id: variant.rule_sets[0].id.to_owned(),
        options: std::collections::BTreeMap::new(),
    });
    let rule_set = rules.expect("the default rules").rule_set().clone();
    Settings {
        game: GameSettings {
            variant,
            rule_set: rule_set.id,
            options: rule_set.options.into_iter().collect(),
            time_control: "1h".parse::<TimeControl>().expect("an hour"),
            rated: true,
            lateness: std::time::Duration::from_mins(15),
            arbiter_confirms: false,
            warnings_max: None,
            adjournable: false,
            illegal_as_on_board: false,
            player_chat: true,
        },
        format,
        readings: Readings::default(),
        entries: EntrySettings {
            max: match format {
                Format::Match { .. } => 2,
                Format::RoundRobin { cycles: Cycles::Double } => 50,
                _ => 100,
            },
            until: None,
            late_until_round: 3,
        },
        schedule: Schedule {
            zone: "Asia/Shanghai".to_owned(),
            starts: Starts::ByHand,
            rounds: Vec::new(),
            rest: std::time::Duration::ZERO,
            check_in: false,
        },
        broadcast_delay: std::time::Duration::ZERO,
        watch_while_playing: false,
        appeal_within: settings::APPEAL,
        text: String::new(),
        teams: None,
        play_off: None,
        arranging: None,
        leave: None,
        languages: Vec::new(),
    }
}

impl Book {
    /// A draft.
    pub(crate) fn open(settings: Settings) -> Book {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let id = EventId::from(Uuid::from_u128(77));
        let federation = FederationId::from(Uuid::from_u128(7));
        let name = Name { native: "藏棋公开赛".to_owned(), latin: "Jiu Open".to_owned() };
        let facts = create(federation, name, settings, now).expect("sound settings");
        let log = entries(0, now, facts);
        let event = Event::replay(id, &log).expect("a log");
        Book { id, log, event, secret: [42; 32], now }
    }

    /// A running event with so many players.
    pub(crate) fn running(settings: Settings, players: u32) -> Book {
        let mut book = Book::open(settings);
        book.open_registration();
        for number in 1..=players {
            book.enter(number).expect("he can enter");
        }
        book.begin_play();
        book
    }

    pub(crate) fn open_registration(&mut self) {
        self.tick(Stage::Adopted);
        self.act(Event::adopt).expect("adopted");
        self.write(self.event.appoint(account(1000), Role::ChiefArbiter).expect("appointed"));
        self.write(self.event.advance(self.now).expect("registration"));
    }

    pub(crate) fn begin_play(&mut self) {
        self.tick(Stage::Running);
        let head = seeds::head(&self.secret);
        self.write(self.event.commit_seed(head).expect("committed"));
        self.write(self.event.advance(self.now).expect("running"));
    }

    pub(crate) fn tick(&mut self, before: Stage) {
        for item in CheckItem::ALL.into_iter().filter(|item| item.before() == before) {
            self.write(vec![Fact::Checked { item, done: true }]);
        }
    }

    fn act(
        &mut self,
        decide: impl Fn(&Event, OffsetDateTime) -> Result<Vec<Fact>, Refusal>,
    ) -> Result<(), Refusal> {
        let facts = decide(&self.event, self.now)?;
        self.write(facts);
        Ok(())
    }

    pub(crate) fn enter(&mut self, number: u32) -> Result<(), Refusal> {
        let entrant = Entrant {
            number: Number(0),
            member: member(number),
            account: Some(account(number)),
            affiliations: vec![number % 3],
            rating: Some(2000 - i32::try_from(number).unwrap_or(0)),
            grade: Some(0),
            accepts: self.event.version,
            from_round: 0,
        };
        let facts = self.event.enter(entrant, self.now)?;
        self.write(facts);
        Ok(())
    }

    pub(crate) fn change(&mut self, number: u32, status: pairing::Status) -> Result<(), Refusal> {
        let change = StatusChange { number: Number(number), status, reason: None };
        let facts = self.event.change_status(change)?;
        self.write(facts);
        Ok(())
    }

    /// Writes facts, and makes sure that the fold of the whole log is what the event has become step by step.
    pub(crate) fn write(&mut self, facts: Vec<Fact>) {
        self.write_by(account(1000), facts);
    }

    pub(crate) fn write_by(&mut self, account: AccountId, facts: Vec<Fact>) {
        self.write_as(account, Role::ChiefArbiter, facts);
    }

    pub(crate) fn write_as(&mut self, account: AccountId, role: Role, facts: Vec<Fact>) {
        self.now += Duration::minutes(1);
        for mut entry in entries(self.event.sequence, self.now, facts) {
            entry.actor = Actor::Person { account, role, on_behalf_of: None };
            self.event.apply(&entry).expect("it follows");
            self.log.push(entry);
        }
    }

    /// Lets the time go on to a moment, and has the server do what is due then, look by look.
    pub(crate) fn pass_to(&mut self, moment: OffsetDateTime) {
        self.now = self.now.max(moment);
        while self.event.due().is_some_and(|due| due <= self.now) {
            let facts = self.event.act_due(self.now, &[]);
            assert!(!facts.is_empty(), "what is due is done");
            for mut entry in entries(self.event.sequence, self.now, facts) {
                entry.actor = Actor::Server;
                self.event.apply(&entry).expect("it follows");
                self.log.push(entry);
            }
        }
    }

    pub(crate) fn plan(&self) -> Result<PublishedRound, Unpaired> {
        let seed = seeds::link(&self.secret, self.event.next_round());
        plan(&self.event, seed, Relaxed::Nothing, &mut |_| ControlFlow::Continue(()))
    }

    /// Pairs, publishes and starts the next round.
    pub(crate) fn begin_round(&mut self) -> Result<(), Unpaired> {
        let draft = self.plan()?;
        let round = draft.round;
        let facts = self.event.publish_round(draft.clone(), &draft).expect("it was just paired");
        self.write(facts);
        self.write(self.event.start_round(round).expect("it starts"));
        Ok(())
    }

    /// Ends the boards of the last round that have no result, as somebody says who is told table and players.
    pub(crate) fn play(&mut self, outcome: impl Fn(u32, [Number; 2]) -> [ResultCode; 2]) {
        let round = self.event.rounds.last().expect("a round").clone();
        for (board, state) in round.published.boards.iter().zip(&round.boards) {
            if state.is_settled() {
                continue;
            }
            let id = BoardId { round: round.published.round, table: board.table };
            let codes = outcome(board.table, board.players);
            self.report(id, codes, 10);
        }
    }

    /// A report of the board's game.
    pub(crate) fn report(&mut self, board: BoardId, codes: [ResultCode; 2], sequence: u64) {
        let game = self.event.game(board).expect("a game");
        let (board, is_last) = self.event.board_of_game(game).expect("its board");
        let result = BoardResult {
            source: ResultSource::Game { game, sequence },
            ..BoardResult::decided(codes, Reason::Normal)
        };
        let facts = self.event.game_ended(board, is_last, result).expect("a report");
        self.write(facts);
    }

    pub(crate) fn places(&self) -> Vec<(u32, u32)> {
        let table = self.event.table(self.event.next_round() - 1);
        table.lines.iter().map(|line| (line.place.unwrap_or(0), line.number.0)).collect()
    }

    pub(crate) fn verified(&self) -> Verified {
        let replayed = Event::replay(self.id, &self.log).expect("a log");
        assert_eq!(replayed, self.event, "the fold step by step is the fold of the whole");
        verify(self.id, &self.log).expect("a log that makes sense")
    }
}

/// The lower number wins.
pub(crate) fn by_number(_: u32, [one, other]: [Number; 2]) -> [ResultCode; 2] {
    if one < other { [ResultCode::Win, ResultCode::Loss] } else { [ResultCode::Loss, ResultCode::Win] }
}

fn entries(after: u64, at: OffsetDateTime, facts: Vec<Fact>) -> Vec<LogEntry> {
    let actor = Actor::Person { account: account(1000), role: Role::ChiefArbiter, on_behalf_of: None };
    let entry = |(sequence, fact)| LogEntry { sequence, at, actor, request: None, fact };
    (after + 1..).zip(facts).map(entry).collect()
}
