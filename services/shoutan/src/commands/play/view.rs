//! What the screen shows of a game: text out of what is known, and nothing else.

use std::collections::{BTreeMap, VecDeque};

use anstyle::Style;
use api::{
    board::v1::Side,
    game::v1::{CheckIn, GameInfo, GameState, Progress, Seat, Stage, proposal::Proposal},
    time::moment,
    time_control::TimeControl,
};
use prost_types::Timestamp;
use time::OffsetDateTime;

use crate::commands::render::{
    ALARM, BoardView, FAINT, Remaining, STRONG, Sides, clip, outcome_line, paint, point_in_time, remaining,
    sanitize,
};

/// Lines of what happened lately.
pub(super) const NOTICES: usize = 6;
/// Clocks that have less than this are shown in alarm.
const SHORT_OF_TIME_S: u64 = 10;

/// What is known of a game.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// What does not change about it.
    pub info: GameInfo,
    /// Where it stands.
    pub state: GameState,
    /// Its board.
    pub picture: BoardView,
    /// What its sides are called.
    pub sides: Sides,
    /// The side of the person; unspecified for a spectator.
    pub seat: Side,
    /// What else the server said of the position; events do not tell it, so it goes with the next act.
    pub facts: BTreeMap<String, String>,
    /// What happened lately, the latest last.
    pub notices: VecDeque<String>,
}

impl View {
    /// The screen at a moment of the platform's time. It has as many lines whatever happens, so that it can be
    /// drawn over.
    pub(super) fn lines(&self, now: OffsetDateTime, columns: usize) -> Vec<String> {
        let line = |style, text: &str| paint(style, &clip(text, columns));
        let mut lines = vec![line(FAINT, &self.heading())];
        lines.extend(self.picture.lines());
        lines.push(String::new());
        for side in [Side::First, Side::Second] {
            let (style, text) = self.side_line(side, now);
            lines.push(line(style, &text));
        }
        lines.push(line(FAINT, &self.facts_line()));
        lines.push(line(STRONG, &self.turn_line()));
        let blank = NOTICES.saturating_sub(self.notices.len());
        lines.extend(std::iter::repeat_n(String::new(), blank));
        let shown = self.notices.iter().skip(self.notices.len().saturating_sub(NOTICES));
        lines.extend(shown.map(|notice| clip(notice, columns)));
        lines
    }

    /// Adds something that happened.
    pub(super) fn notice(&mut self, text: &str) {
        self.notices.push_back(sanitize(text));
        if self.notices.len() > NOTICES {
            self.notices.pop_front();
        }
    }

    /// What stands before what is typed.
    pub(super) fn prompt(&self) -> String {
        match self.seat {
            Side::Unspecified => "watching> ".to_owned(),
            side => format!("{}> ", self.sides.name(side)),
        }
    }

    /// Whether the person plays.
    pub(super) fn is_seated(&self) -> bool {
        self.seat != Side::Unspecified
    }

    /// Whether the person may act.
    pub(super) fn is_my_turn(&self) -> bool {
        self.seat != Side::Unspecified && self.state.actors().any(|side| side == self.seat)
    }

    fn heading(&self) -> String {
        let rated = if self.info.rated { "rated" } else { "casual" };
        let control = self.control().map_or(String::new(), |control| format!(", {control}"));
        sanitize(&format!(
            "{} {}, {rated}{control}, game {}",
            self.info.variant, self.info.rule_set, self.info.id
        ))
    }

    /// A side with its player and its clock.
    fn side_line(&self, side: Side, now: OffsetDateTime) -> (Style, String) {
        let seat = match side {
            Side::First => self.info.first.as_ref(),
            _ => self.info.second.as_ref(),
        };
        let player = seat.map_or(String::new(), player);
        let acts = self.state.actors().any(|actor| actor == side);
        let arrow = if acts { '▸' } else { ' ' };
        let clock = self.state.clock.as_ref().zip(self.control());
        let clock = clock.map(|(reading, control)| remaining(reading, control, side, now));
        let style = match clock {
            Some(clock) if is_short(clock) && self.state.outcome.is_none() => ALARM,
            _ if acts => STRONG,
            _ => Style::new(),
        };
        let flag = if clock.is_some_and(Remaining::is_over) { " (flag down)" } else { "" };
        let clock = clock.map_or(String::new(), |clock| format!("{clock}{flag}"));
        (style, format!("{arrow} {:<6} {player:<32} {clock}", self.sides.name(side)))
    }

    fn facts_line(&self) -> String {
        let facts: Vec<String> = self.facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        sanitize(&facts.join(" · "))
    }

    fn turn_line(&self) -> String {
        if let Some(outcome) = &self.state.outcome {
            return format!("the game is over: {}{}", outcome_line(outcome), self.contest());
        }
        if let Some(waiting) = self.standstill() {
            return waiting;
        }
        let paused = self.state.progress.as_ref().is_some_and(|progress| !progress.pauses.is_empty());
        let turn = if paused {
            "paused".to_owned()
        } else if self.is_my_turn() {
            "your turn".to_owned()
        } else {
            self.waiting_for()
        };
        let offer = match self.state.draw_offer() {
            Side::Unspecified => String::new(),
            side if side == self.seat => " · your draw offer stands".to_owned(),
            side if self.seat == Side::Unspecified => format!(" · {} offers a draw", self.sides.name(side)),
            side => format!(" · {} offers a draw: :accept or :decline", self.sides.name(side)),
        };
        let wishes: String =
            self.open_proposals().iter().map(|(side, wish)| self.wish(*side, *wish)).collect();
        let gone = self.gone();
        format!("{} · act {} · {turn}{offer}{wishes}{gone}", sanitize(&self.state.phase), self.state.ply + 1)
    }

    fn progress(&self) -> Option<&Progress> {
        self.state.progress.as_ref()
    }

    /// Why nobody plays now, and what is to be done about it.
    fn standstill(&self) -> Option<String> {
        let progress = self.progress()?;
        let at = |time: Option<Timestamp>| time.as_ref().and_then(moment).map(point_in_time);
        let wishes: String =
            self.open_proposals().iter().map(|(side, wish)| self.wish(*side, *wish)).collect();
        match progress.stage() {
            Stage::Waiting => {
                let check_in = progress.check_in?;
                if self.info.regulations.as_ref().is_some_and(|it| it.arrival_duration.is_some()) {
                    return Some(self.who_is_missing(&check_in));
                }
                let (mine, limit) = match self.seat {
                    Side::First => (check_in.first_since_time, at(check_in.limit_time)?),
                    _ => (check_in.second_since_time, at(check_in.limit_time)?),
                };
                let late = format!("who is not there by {limit} loses");
                let come =
                    if self.is_seated() && mine.is_none() { " · :here when you have come" } else { "" };
                Some(format!("play begins at {}; {late}{come}", at(check_in.start_time)?))
            }
            Stage::Sealing => {
                let sealer = progress.adjournment.as_ref()?.sealer();
                Some(if self.is_seated() && sealer == self.seat {
                    "the game is being adjourned: seal your move with :seal ACT".to_owned()
                } else {
                    format!("the game is being adjourned: {} seals a move", self.sides.name(sealer))
                })
            }
            Stage::Adjourned => {
                let on = at(progress.adjournment.as_ref()?.resumption_time);
                let on = on.map_or("no time is set: :resume-at TIME proposes one".to_owned(), |on| {
                    format!("it goes on at {on}")
                });
                Some(format!("adjourned · {on}{wishes}"))
            }
            _ => None,
        }
    }

    /// Who has yet to come to a game that begins as soon as both have. Whoever looks at his own game has.
    fn who_is_missing(&self, check_in: &CheckIn) -> String {
        let sides = [(Side::First, check_in.first_since_time), (Side::Second, check_in.second_since_time)];
        let missing: Vec<&str> = sides
            .iter()
            .filter(|(side, since)| *side != self.seat && since.is_none())
            .map(|(side, _)| self.sides.name(*side))
            .collect();
        let until = check_in.limit_time.as_ref().and_then(moment).map_or(String::new(), |limit| {
            format!(" until {:02}:{:02}:{:02} UTC", limit.hour(), limit.minute(), limit.second())
        });
        format!("waiting{until} for {}; no clock runs, and :abort is free", missing.join(" and "))
    }

    /// How a result that is not final can be confirmed or contested.
    fn contest(&self) -> String {
        let Some(progress) = self.progress().filter(|progress| progress.stage() == Stage::Ended) else {
            return String::new();
        };
        let until = progress.arbitration.as_ref().and_then(|it| moment(it.contest_deadline_time.as_ref()?));
        let until = until.map_or(String::new(), |until| format!(" until {}", point_in_time(until)));
        format!(" · not final{until}: :confirm, or :claim")
    }

    /// Who is gone, and what the other side may do about it.
    fn gone(&self) -> String {
        let absences = self.progress().map_or(&[][..], |progress| &progress.absences);
        let told = absences.iter().filter(|absence| absence.side() != self.seat).map(|absence| {
            let claim = absence.claim_time.as_ref().and_then(moment).filter(|_| self.is_seated());
            let claim = claim.map_or(String::new(), |from| {
                format!(
                    "; from {:02}:{:02}:{:02} UTC on :gone win|draw",
                    from.hour(),
                    from.minute(),
                    from.second()
                )
            });
            format!(" · {} is gone{claim}", self.sides.name(absence.side()))
        });
        told.collect()
    }

    /// What is proposed and not answered.
    pub(super) fn open_proposals(&self) -> Vec<(Side, Proposal)> {
        let progress = self.state.progress.as_ref();
        let open = progress.into_iter().flat_map(|progress| &progress.proposals);
        open.filter_map(|open| Some((open.side(), open.proposal.as_ref()?.proposal?))).collect()
    }

    /// The ply before the last act of the person, if the sides have taken turns.
    pub(super) fn own_last_ply(&self) -> u32 {
        self.state.ply.saturating_sub(if self.is_my_turn() { 2 } else { 1 })
    }

    fn wish(&self, side: Side, proposal: Proposal) -> String {
        let what = match proposal {
            Proposal::Undo(undo) => format!("going back to act {}", undo.ply),
            Proposal::Pause(_) => "a pause".to_owned(),
            Proposal::Resume(_) => "going on".to_owned(),
            Proposal::Rematch(_) => "another game".to_owned(),
            Proposal::Adjourn(_) => "an adjournment".to_owned(),
            Proposal::ResumeAt(resume) => {
                let at = resume.resumption_time.as_ref().and_then(api::time::moment);
                let at = at.map_or_else(String::new, |at| format!(" at {}", point_in_time(at)));
                format!("going on with the adjourned game{at}")
            }
        };
        match side {
            side if side == self.seat => format!(" · you propose {what}"),
            side if self.seat == Side::Unspecified => format!(" · {} proposes {what}", self.sides.name(side)),
            side => format!(" · {} proposes {what}: :agree or :refuse", self.sides.name(side)),
        }
    }

    fn waiting_for(&self) -> String {
        let names: Vec<&str> = self.state.actors().map(|side| self.sides.name(side)).collect();
        format!("{} to act", names.join(" or "))
    }

    fn control(&self) -> Option<TimeControl> {
        self.info.time_control.as_ref().and_then(|control| TimeControl::try_from(control).ok())
    }
}

fn player(seat: &Seat) -> String {
    match seat.rating {
        0 => sanitize(&seat.name),
        rating => format!("{} ({rating})", sanitize(&seat.name)),
    }
}

/// Whether so little is left that the next act should not wait.
const fn is_short(clock: Remaining) -> bool {
    match clock.periods {
        0 => !clock.unlimited && clock.main.as_secs() < SHORT_OF_TIME_S,
        _ => clock.main.is_zero() && clock.period.as_secs() < SHORT_OF_TIME_S,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use api::{
        board::v1::{Board, Outcome, Point, Reason, Stone, Verdict},
        clock::v1::{ClockReading, SideTime},
        game::v1::{Absence, Adjournment, Regulations},
    };

    use super::*;

    fn now() -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::from_hours(1)
    }

    fn seat(name: &str, rating: u32) -> Seat {
        Seat { account_id: String::new(), name: name.to_owned(), rating }
    }

    fn view(seat_of_person: Side) -> View {
        let time = |main_s| SideTime {
            main_duration: Some(api::time::duration(Duration::from_secs(main_s))),
            ..SideTime::default()
        };
        let clock = ClockReading {
            first: Some(time(300)),
            second: Some(time(20)),
            running: Side::Second as i32,
            running_since_time: Some(api::time::timestamp(now() - Duration::from_secs(12))),
            ..ClockReading::default()
        };
        let control: TimeControl = "5m+3s".parse().expect("a time control");
        let at = Point { column: 1, row: 1, name: "B1".to_owned() };
        let board = Board {
            columns: 2,
            rows: 2,
            stones: vec![Stone { at: Some(at), owner: Side::First as i32 }],
            ..Board::default()
        };
        let sides = Sides::new("Black", "White", Some(rules::Axes::AcrossWithoutI));
        View {
            info: GameInfo {
                id: "ID".to_owned(),
                variant: "go".to_owned(),
                rule_set: "cn1988".to_owned(),
                time_control: Some(control.into()),
                rated: true,
                first: Some(seat("Ping", 1512)),
                second: Some(seat("Lu\u{1b}", 0)),
                ..GameInfo::default()
            },
            state: GameState {
                ply: 1,
                phase: "play".to_owned(),
                actors: vec![Side::Second as i32],
                clock: Some(clock),
                ..GameState::default()
            },
            picture: BoardView::new(&board, sides.clone()).expect("a board"),
            sides,
            seat: seat_of_person,
            facts: BTreeMap::from([("ko".to_owned(), "A1".to_owned())]),
            notices: VecDeque::from(["1. Black B1".to_owned()]),
        }
    }

    fn plain(view: &View, columns: usize) -> Vec<String> {
        let lines = view.lines(now(), columns);
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn a_screen_has_board_players_clocks_and_what_happened() {
        let expected = [
            "go cn1988, rated, 5m+3s, game ID",
            "   A B",
            "2  · ·  2",
            "1  · ●  1",
            "   A B",
            "",
            "  Black  Ping (1512)                      5:00",
            "▸ White  Lu\u{fffd}                              0:08",
            "ko A1",
            "play · act 2 · your turn",
            "",
            "",
            "",
            "",
            "",
            "1. Black B1",
        ];
        assert_eq!(plain(&view(Side::Second), 80), expected);
    }

    #[test]
    fn a_screen_always_has_as_many_lines() {
        let mut view = view(Side::First);
        let count = plain(&view, 80).len();
        for number in 0..20 {
            view.notice(&format!("notice {number}"));
            view.facts.clear();
            let lines = plain(&view, 10);
            assert_eq!(
                (lines.len(), lines.last().map(String::as_str)),
                (count, Some(&*format!("notice {number}")))
            );
        }
    }

    #[test]
    fn the_turn_is_told_as_the_person_sees_it() {
        let turn = |seat, offer: Side| {
            let mut view = view(seat);
            view.state.draw_offer = offer as i32;
            view.turn_line()
        };
        assert_eq!(turn(Side::First, Side::Unspecified), "play · act 2 · White to act");
        assert_eq!(
            turn(Side::Second, Side::First),
            "play · act 2 · your turn · Black offers a draw: :accept or :decline"
        );
        assert_eq!(turn(Side::First, Side::First), "play · act 2 · White to act · your draw offer stands");
        assert_eq!(turn(Side::Unspecified, Side::First), "play · act 2 · White to act · Black offers a draw");
        let mut over = view(Side::First);
        over.state.outcome = Some(Outcome {
            verdict: Verdict::FirstWins as i32,
            reason: Reason::Time as i32,
            short: "B+T".to_owned(),
            ..Outcome::default()
        });
        assert_eq!(over.turn_line(), "the game is over: B+T (time)");
    }

    #[test]
    fn what_keeps_a_game_is_told_with_the_word_for_it() {
        let at = |hours| Some(api::time::timestamp(OffsetDateTime::UNIX_EPOCH + Duration::from_hours(hours)));
        let told = |seat, progress: Progress| {
            let mut view = view(seat);
            view.state.progress = Some(progress);
            view.turn_line()
        };
        let check_in = CheckIn { start_time: at(2), limit_time: at(3), ..CheckIn::default() };
        let waiting =
            Progress { stage: Stage::Waiting as i32, check_in: Some(check_in), ..Progress::default() };
        assert_eq!(
            told(Side::First, waiting.clone()),
            "play begins at 1970-01-01 02:00 UTC; who is not there by 1970-01-01 03:00 UTC loses · :here when \
             you have come"
        );
        assert!(told(Side::Unspecified, waiting.clone()).ends_with("loses"));
        let matched = |seat| {
            let mut view = view(seat);
            let arrival_duration = Some(api::time::duration(Duration::from_mins(1)));
            view.info.regulations = Some(Regulations { arrival_duration, ..Regulations::default() });
            view.state.progress = Some(waiting.clone());
            view.turn_line()
        };
        assert_eq!(
            matched(Side::First),
            "waiting until 03:00:00 UTC for White; no clock runs, and :abort is free"
        );
        assert!(matched(Side::Unspecified).starts_with("waiting until 03:00:00 UTC for Black and White;"));
        let adjournment = Adjournment { sealer: Side::First as i32, ..Adjournment::default() };
        let adjourned = |stage: Stage| Progress {
            stage: stage as i32,
            adjournment: Some(adjournment.clone()),
            ..Progress::default()
        };
        assert!(told(Side::First, adjourned(Stage::Sealing)).ends_with(":seal ACT"));
        assert!(told(Side::Second, adjourned(Stage::Sealing)).ends_with("Black seals a move"));
        assert!(told(Side::Second, adjourned(Stage::Adjourned)).contains(":resume-at"));
        let absence = Absence { side: Side::First as i32, since_time: at(1), claim_time: at(2) };
        let gone = Progress { stage: Stage::Playing as i32, absences: vec![absence], ..Progress::default() };
        assert!(
            told(Side::Second, gone.clone()).ends_with("Black is gone; from 02:00:00 UTC on :gone win|draw")
        );
        assert!(told(Side::Unspecified, gone.clone()).ends_with("Black is gone"));
        assert!(told(Side::First, gone).ends_with("White to act"));
    }

    #[test]
    fn little_time_is_alarming() {
        let view = view(Side::First);
        assert_eq!(view.side_line(Side::Second, now()).0, ALARM);
        assert_eq!(view.side_line(Side::First, now()).0, Style::new());
        let earlier = now() - Duration::from_secs(11);
        assert_eq!(view.side_line(Side::Second, earlier).0, STRONG);
        let later = now() + Duration::from_secs(8);
        assert!(view.side_line(Side::Second, later).1.ends_with("0:00 (flag down)"));
    }

    #[test]
    fn the_prompt_names_the_side() {
        assert_eq!(view(Side::Second).prompt(), "White> ");
        assert_eq!(view(Side::Unspecified).prompt(), "watching> ");
    }
}
