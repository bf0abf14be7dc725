//! What comes next for a player of an event: his round and his game, whether to check in, and where he stands.

use api::{
    board::v1::Side,
    federation::v1::{
        EntrantState, Event, EventLogBody, EventSchedule, EventSettings, EventStage, GetStandingsRequest,
        GetStandingsResponse, LadderChallenge, Pairing, ResultCode, Round, RoundStart, event_format::Format,
        event_log_body::Fact, round,
    },
};
use prost::Message as _;
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::{
    Zone, arranging,
    change::event,
    log,
    people::People,
    print,
    rounds::{self, result_text},
    session::{Session, ask},
    shown,
    states::{out_text, status_text},
    words,
};
use crate::commands::render::Sides;

/// Whose next game.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event's id.
    event: String,
    /// The number of the player; the account's own entry when it is not said.
    #[arg(long)]
    number: Option<u32>,
}

/// What somebody is to a round.
#[derive(Clone, Debug, PartialEq)]
enum Own {
    /// He is to play, or plays, or has played at a board, as the first of the two or the second.
    Board(Pairing, bool),
    /// His team meets another one; who sits where is open until the round begins.
    Meeting(Pairing, bool),
    /// He has no game in it.
    Out(ResultCode),
    /// It is not paired.
    Open,
}

/// Whether somebody is to say that he is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckIn {
    /// Nobody is asked.
    NotAsked,
    /// He can, and has not.
    Open,
    /// He has.
    Done,
}

/// What is ahead of a player.
pub(super) struct Outlook<'a> {
    event: &'a Event,
    people: &'a People,
    number: u32,
    /// The round that he plays, or the one that he waits for; none when no more is to come.
    round: Option<u32>,
    public: Option<Round>,
    own: Own,
    check_in: CheckIn,
    /// What waits for him at boards that are to be arranged.
    to_arrange: Vec<Value>,
    table: Option<GetStandingsResponse>,
    sides: Sides,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    let event = event(session, &args.event).await?;
    let people = People::of(session, &event).await?;
    let number = match args.number {
        Some(number) => number,
        None => own_number(session, &people)?,
    };
    let outlook = Outlook::of(session, &event, &people, number).await?;
    print::one(session.json, &outlook.record(session))
}

/// The number of the account's own entry.
fn own_number(session: &Session, people: &People) -> anyhow::Result<u32> {
    let own = people.entrants.values().find(|it| session.account_id() == Some(&*it.account_id));
    own.map(|it| it.number)
        .ok_or_else(|| anyhow::anyhow!("the account has no entry in this event: name a --number"))
}

/// Where somebody's next game is.
pub(in crate::commands) enum Awaited {
    /// It has begun, or begins now; the game's id.
    Begun(String),
    /// It is to come: what is known of it, and the last entry of the log that this reflects.
    ToCome(String, u64),
    /// There is none any more.
    Over,
}

/// Where the account's next game of an event is.
pub(in crate::commands) async fn awaited(session: &Session, event_id: &str) -> anyhow::Result<Awaited> {
    let event = event(session, event_id).await?;
    let people = People::of(session, &event).await?;
    let number = own_number(session, &people)?;
    let outlook = Outlook::of(session, &event, &people, number).await?;
    Ok(match (&outlook.own, outlook.round) {
        (_, None) => Awaited::Over,
        (Own::Board(board, _), _) if outlook.is_begun(board) => Awaited::Begun(board.game_id.clone()),
        (_, Some(round)) => {
            let against = outlook.opponent();
            let against = if against.is_empty() { against } else { format!(", against {against}") };
            let told = format!("round {round}: {}{against}", outlook.begins(session));
            Awaited::ToCome(told, event.sequence)
        }
    })
}

impl<'a> Outlook<'a> {
    /// Finds out what is ahead of a player.
    pub(super) async fn of(
        session: &Session,
        event: &'a Event,
        people: &'a People,
        number: u32,
    ) -> anyhow::Result<Outlook<'a>> {
        anyhow::ensure!(
            people.entrants.contains_key(&number),
            "nobody has the number {number} in this event"
        );
        let public =
            if event.round == 0 { None } else { Some(rounds::round(session, &event.id, event.round).await?) };
        let team = people.entrants.get(&number).map_or(0, |it| it.team);
        let own = public.as_ref().map_or(Own::Open, |round| own(round, number, team));
        let (round, own) = if is_over(&own, public.as_ref()) {
            (next_round(event), Own::Open)
        } else {
            (Some(event.round), own)
        };
        let settings = event.settings.clone().unwrap_or_default();
        let table = if event.round == 0 {
            None
        } else {
            let request = GetStandingsRequest { event_id: event.id.clone(), ..Default::default() };
            Some(ask!(session.events(), get_standings, request)?)
        };
        let check_in = check_in(session, event, number).await?;
        let to_arrange = arranging::awaited(session, event, people, number).await?;
        let variant = settings.game.map(|game| game.variant).unwrap_or_default();
        let sides = session.server().sides(&variant).await?;
        let round = round.filter(|_| goes_on(event) && !has_left(people, number));
        Ok(Outlook { event, people, number, round, public, own, check_in, to_arrange, table, sides })
    }

    /// Its fields, in order.
    pub(super) fn record(&self, session: &Session) -> print::Record {
        let (board, result) = match &self.own {
            Own::Board(it, _) => (Some(it), it.result.as_ref().map(result_text)),
            Own::Meeting(..) | Own::Out(_) | Own::Open => (None, None),
        };
        let out = if let Own::Out(code) = self.own { out_text(code) } else { "" };
        let standing = self.standing();
        let entrant = self.people.entrants.get(&self.number);
        let statuses = entrant.into_iter().flat_map(|it| &it.statuses).map(|it| json!(status_text(*it)));
        vec![
            ("event", json!(self.event.id)),
            ("name", json!(shown::name(self.event))),
            ("stage", json!(words::stage(self.event.stage))),
            ("number", json!(self.number)),
            ("player", json!(self.people.name(self.number))),
            ("status", Value::Array(statuses.collect())),
            ("round", json!(self.round.map_or_else(|| "none to come".to_owned(), |it| it.to_string()))),
            ("state", json!(self.state())),
            ("begins", self.begins_value(session)),
            ("event_time", json!(self.event_time(session))),
            ("opponent", json!(self.opponent())),
            ("colour", json!(self.colour())),
            ("table", json!(board.map(|it| it.table))),
            ("game", json!(board.map(|it| self.people.game([it.first, it.second], &it.game_id)))),
            ("result", json!(result)),
            ("no_game", json!(out)),
            ("check_in", json!(self.check_in_text())),
            ("challenges", self.challenges(session)),
            ("to_arrange", json!(self.to_arrange)),
            ("later", self.later(session)),
            ("place", json!(standing)),
        ]
    }

    /// The fields of a list of events.
    pub(super) fn row(&self, session: &Session) -> print::Record {
        let wanted =
            ["event", "name", "stage", "round", "begins", "opponent", "colour", "check_in", "place", "game"];
        self.record(session).into_iter().filter(|(field, _)| wanted.contains(field)).collect()
    }

    /// How far his round is.
    fn state(&self) -> String {
        match (&self.public, self.round) {
            (Some(public), Some(round)) if public.number == round => words::round(public.state),
            (_, Some(_)) => "not paired yet".to_owned(),
            (_, None) => String::new(),
        }
    }

    fn is_begun(&self, board: &Pairing) -> bool {
        let running = self.public.as_ref().is_some_and(|it| it.begin_time.is_some());
        let has_time = board.postponed_time.is_none() && board.arrangement.is_none();
        running && has_time && !board.game_id.is_empty()
    }

    /// When his round begins, or has begun; of a board that is postponed, when that does.
    fn moment(&self) -> Option<Timestamp> {
        let round = self.round?;
        if let Own::Board(Pairing { postponed_time: Some(time), .. }, _) = &self.own {
            return Some(*time);
        }
        let public = self.public.as_ref().filter(|it| it.number == round);
        let of_public = public.and_then(|it| it.begin_time.or(it.start_time));
        of_public.or_else(|| self.schedule().round_times.get(round as usize - 1).copied())
    }

    /// Whether his board has no time yet, on which he is to agree.
    fn is_to_be_agreed(&self) -> bool {
        matches!(&self.own, Own::Board(board, _) if arranging::waits(board))
    }

    fn begins_value(&self, session: &Session) -> Value {
        match self.moment().filter(|_| !self.is_to_be_agreed()) {
            Some(moment) if session.json => session.time(Some(&moment)),
            _ => json!(self.begins(session)),
        }
    }

    /// When his round begins, in his own zone; or what begins it.
    fn begins(&self, session: &Session) -> String {
        let Some(round) = self.round else { return String::new() };
        if self.is_to_be_agreed() {
            return "when the two sides have agreed on a time".to_owned();
        }
        if let Some(moment) = self.moment() {
            return session.told(Some(&moment));
        }
        match self.schedule().start() {
            RoundStart::WhenComplete if round > 1 => format!("when round {} is over", round - 1),
            _ => "when the chief arbiter starts it".to_owned(),
        }
    }

    /// The same moment as the event's own people write it, where that is another time of day.
    fn event_time(&self, session: &Session) -> Option<String> {
        let (name, moment) = (self.schedule().zone, api::time::moment(&self.moment()?)?);
        let there = Zone::find(&name)?;
        let differs = there.offset(moment) != session.zone.offset(moment);
        differs.then(|| format!("{} in {name}", there.told(moment)))
    }

    /// The rounds after his next one that have a time.
    fn later(&self, session: &Session) -> Value {
        let after = self.round.unwrap_or(u32::MAX);
        let schedule = self.schedule();
        let times = (1u32..).zip(&schedule.round_times).filter(|(round, _)| *round > after);
        let told = times.map(|(round, time)| match session.time(Some(time)) {
            at if session.json => json!({ "round": round, "at": at }),
            at => json!(format!("round {round} {}", at.as_str().unwrap_or_default())),
        });
        Value::Array(told.collect())
    }

    /// On a ladder, the challenges that wait and that he has made, or is to answer.
    fn challenges(&self, session: &Session) -> Value {
        let own = |it: &&LadderChallenge| [it.challenger, it.holder].contains(&self.number);
        let told = self.event.challenges.iter().filter(own).map(|it| match &it.answer_until_time {
            _ if session.json => shown::challenge(session, it),
            until => {
                let made = format!(
                    "{} challenges {}",
                    self.people.player(it.challenger),
                    self.people.player(it.holder)
                );
                json!(match until {
                    Some(_) => format!("{made}: to be answered until {}", session.told(until.as_ref())),
                    None => format!("{made}: accepted"),
                })
            }
        });
        Value::Array(told.collect())
    }

    fn schedule(&self) -> EventSchedule {
        self.event.settings.as_ref().and_then(|it| it.schedule.clone()).unwrap_or_default()
    }

    fn opponent(&self) -> String {
        let other = |it: &Pairing, first: bool| if first { it.second } else { it.first };
        match &self.own {
            Own::Board(it, first) => self.people.player(other(it, *first)),
            Own::Meeting(it, first) => format!("team {}", self.people.team(other(it, *first))),
            Own::Out(_) | Own::Open => String::new(),
        }
    }

    /// The colour that he has; the game decides where none is given.
    fn colour(&self) -> String {
        let Own::Board(it, first) = &self.own else { return String::new() };
        if !it.coloured {
            return "the game decides".to_owned();
        }
        let variant =
            self.event.settings.as_ref().and_then(|it| it.game.as_ref()).map(|it| it.variant.as_str());
        let moves_first = variant.and_then(rules::variant).and_then(|it| it.moves_first);
        let side = match (moves_first, *first) {
            (Some(rules::Side::Second), true) | (Some(rules::Side::First) | None, false) => Side::Second,
            (Some(rules::Side::Second), false) | (Some(rules::Side::First) | None, true) => Side::First,
        };
        self.sides.name(side).to_owned()
    }

    fn check_in_text(&self) -> &'static str {
        match self.check_in {
            CheckIn::NotAsked => "",
            CheckIn::Open => "open: say that you are there",
            CheckIn::Done => "done",
        }
    }

    /// `3 of 24, 8 points after round 5`; of a player of a team, his team's.
    fn standing(&self) -> String {
        let Some(table) = &self.table else { return String::new() };
        let team = self.people.entrants.get(&self.number).map_or(0, |it| it.team);
        let ranked = if team > 0 { team } else { self.number };
        let Some(line) = table.lines.iter().find(|it| it.number == ranked) else { return String::new() };
        let who = if team > 0 { format!("team {}: ", self.people.team(team)) } else { String::new() };
        let place = if line.place == 0 {
            "not placed".to_owned()
        } else {
            format!("{} of {}", line.place, table.lines.len())
        };
        format!("{who}{place}, {} points after round {}", line.points, table.round)
    }
}

/// What somebody is to a public round.
fn own(round: &Round, number: u32, team: u32) -> Own {
    let seated = |it: &&Pairing, who: u32| it.first == who || it.second == who;
    if let Some(board) = round.pairings.iter().find(|it| seated(it, number)) {
        return Own::Board(board.clone(), board.first == number);
    }
    if let Some(of) = round.matches.iter().find(|it| team > 0 && seated(it, team)) {
        // A reserve of a team that plays sits nowhere once the boards are laid.
        let is_laid = !round.pairings.is_empty();
        return if is_laid {
            Own::Out(ResultCode::ByeZero)
        } else {
            Own::Meeting(of.clone(), of.first == team)
        };
    }
    let who = if round.matches.is_empty() { number } else { team };
    round.out.iter().find(|it| it.number == who).map_or(Own::Open, |it| Own::Out(it.code()))
}

/// Whether nothing more is to come of a round for somebody.
fn is_over(own: &Own, round: Option<&Round>) -> bool {
    let complete = round.is_none_or(|it| it.state() == round::State::Complete);
    match own {
        Own::Board(board, _) => {
            let open = [ResultCode::Adjourned, ResultCode::ReplayOrdered];
            complete || board.result.as_ref().is_some_and(|it| !open.contains(&it.first()))
        }
        Own::Meeting(..) | Own::Out(_) => complete,
        // On a ladder, and for who comes late, nothing of it is his.
        Own::Open => true,
    }
}

/// The round after the last public one, of the play-off where one is due; none when the settings have no more.
fn next_round(event: &Event) -> Option<u32> {
    let settings = event.settings.as_ref();
    let last = settings.and_then(rounds_of);
    let plays_off = event.missing.iter().any(|it| it == "play_off");
    Some(event.round + 1).filter(|next| plays_off || last.is_none_or(|last| *next <= last))
}

/// How many rounds there are, where the settings say it.
fn rounds_of(settings: &EventSettings) -> Option<u32> {
    match settings.format.as_ref()?.format.as_ref()? {
        Format::Swiss(it) => Some(it.rounds),
        Format::MacMahon(it) => Some(it.rounds),
        Format::Grading(it) => Some(it.rounds),
        Format::Ladder(it) => Some(it.rounds),
        Format::RoundRobin(_) | Format::KnockOut(_) | Format::Match(_) | Format::Arena(_) => None,
    }
}

/// Whether rounds are still to be played.
fn goes_on(event: &Event) -> bool {
    matches!(event.stage(), EventStage::Adopted | EventStage::Registration | EventStage::Running)
}

fn has_left(people: &People, number: u32) -> bool {
    use EntrantState::{Annulled, Expelled, Withdrawn};
    let last = people.entrants.get(&number).and_then(|it| it.statuses.last());
    last.is_some_and(|it| matches!(it.state(), Withdrawn | Expelled | Annulled))
}

/// Whether somebody can say that he is there for the next round, or has.
async fn check_in(session: &Session, event: &Event, number: u32) -> anyhow::Result<CheckIn> {
    let settings = event.settings.as_ref();
    let asked = settings.and_then(|it| it.schedule.as_ref()).is_some_and(|it| it.check_in);
    let meets_in_teams = settings.is_some_and(|it| it.teams.is_some());
    let is_next = next_round(event).is_some() && event.stage() == EventStage::Running;
    if !asked || meets_in_teams || !is_next {
        return Ok(CheckIn::NotAsked);
    }
    let next = event.round + 1;
    for entry in log::entries(session, &event.id, 0).await? {
        if let Some(Fact::CheckedIn(it)) = EventLogBody::decode(&*entry.body)?.fact
            && (it.number, it.round) == (number, next)
        {
            return Ok(CheckIn::Done);
        }
    }
    Ok(CheckIn::Open)
}

#[cfg(test)]
mod tests {
    use api::federation::v1::{BoardResult, Out};

    use super::*;

    fn board(first: u32, second: u32, code: Option<ResultCode>) -> Pairing {
        let result = code.map(|code| BoardResult { first: code.into(), ..BoardResult::default() });
        Pairing { table: 1, first, second, result, ..Pairing::default() }
    }

    fn round(state: round::State) -> Round {
        Round {
            state: state.into(),
            pairings: vec![
                board(4, 1, None),
                board(2, 5, Some(ResultCode::Win)),
                board(6, 7, Some(ResultCode::Adjourned)),
            ],
            out: vec![Out { number: 3, code: ResultCode::Pab.into() }],
            ..Round::default()
        }
    }

    #[test]
    fn a_round_is_over_for_who_has_played_and_not_for_who_is_to_play() {
        let running = round(round::State::Running);
        let over = |number| is_over(&own(&running, number, 0), Some(&running));
        assert_eq!(own(&running, 1, 0), Own::Board(board(4, 1, None), false));
        assert_eq!(own(&running, 3, 0), Own::Out(ResultCode::Pab));
        assert_eq!(own(&running, 8, 0), Own::Open);
        for (number, expected) in
            [(1, false), (4, false), (2, true), (5, true), (3, false), (6, false), (8, true)]
        {
            assert_eq!(over(number), expected, "{number}");
        }
        let complete = round(round::State::Complete);
        assert!(is_over(&own(&complete, 3, 0), Some(&complete)));
        assert!(is_over(&Own::Open, None));
    }

    #[test]
    fn a_player_of_a_team_is_told_of_its_match_until_the_boards_are_laid() {
        let of_teams = |pairings: Vec<Pairing>| Round {
            matches: vec![board(2, 1, None)],
            pairings,
            out: vec![Out { number: 3, code: ResultCode::Pab.into() }],
            ..Round::default()
        };
        let public = of_teams(Vec::new());
        assert_eq!(own(&public, 5, 1), Own::Meeting(board(2, 1, None), false));
        assert_eq!(own(&public, 9, 3), Own::Out(ResultCode::Pab), "the number is the team's");
        let laid = of_teams(vec![board(5, 7, None)]);
        assert_eq!(own(&laid, 5, 1), Own::Board(board(5, 7, None), true));
        assert_eq!(own(&laid, 6, 1), Own::Out(ResultCode::ByeZero), "a reserve");
    }

    #[test]
    fn no_round_comes_after_the_last() {
        use api::federation::v1::{EventFormat, event_format};
        let format = |format| {
            Some(EventSettings {
                format: Some(EventFormat { format: Some(format) }),
                ..EventSettings::default()
            })
        };
        let swiss = format(Format::Swiss(event_format::Swiss { rounds: 3 }));
        let event = |round| Event { round, settings: swiss.clone(), ..Event::default() };
        assert_eq!([0, 2, 3].map(|round| next_round(&event(round))), [Some(1), Some(3), None]);
    }
}
