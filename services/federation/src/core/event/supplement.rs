//! The supplement to the rules that Art. 31.1 asks for: what an event is, in words, made from its settings. What everybody
//! who enters accepts is a version of this text.

use crate::core::name::Name;
use core::fmt::Write as _;

use pairing::{lineup::LineupLaw, play_off::PLAYERS_MAX};
use sha2::{Digest as _, Sha256};
use time::format_description::well_known::Rfc3339;

use super::{
    Arranging, Format, LeaveSettings, Otherwise, PlayOffSettings, Settings, TeamSettings, fact::Digest,
    readings::READINGS, settings::Starts,
};

/// The text of a version of the supplement: UTF-8, lines that end with LF. The same settings are the same text.
pub fn text(name: &Name, version: u32, settings: &Settings) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write(&mut text, name, version, settings);
    text
}

/// What a text is held to.
pub fn hash(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

fn write(to: &mut String, name: &Name, version: u32, it: &Settings) -> core::fmt::Result {
    writeln!(to, "Supplement to the rules, version {version}")?;
    writeln!(to, "Event: {} ({})", name.native, name.latin)?;
    let game = &it.game;
    writeln!(to, "\nGame: {}, rules {}", game.variant.id, game.rule_set)?;
    for (name, value) in &game.options {
        writeln!(to, "  {name}: {value}")?;
    }
    writeln!(to, "Time: {}", game.time_control)?;
    writeln!(to, "Rated: {}", yes(game.rated))?;
    writeln!(to, "A player who is later than {} loses by default.", span(game.lateness))?;
    match game.warnings_max {
        Some(warnings) => writeln!(to, "Warnings that lose a game: {warnings}")?,
        None => writeln!(to, "Warnings that lose a game: as the rules of the game have it")?,
    }
    writeln!(to, "Adjournment with a sealed move: {}", yes(game.adjournable))?;
    writeln!(
        to,
        "Results are confirmed by both players{}.",
        if game.arbiter_confirms { " and an arbiter" } else { "" }
    )?;
    writeln!(to, "\nFormat: {}", format(&it.format))?;
    writeln!(
        to,
        "Entries: at most {}; late entries before round {}",
        it.entries.max, it.entries.late_until_round
    )?;
    if let Some(until) = it.entries.until {
        writeln!(to, "Entries close at {}", moment(until))?;
    }
    if let Some(teams) = &it.teams {
        write_teams(to, teams)?;
    }
    if let Some(play_off) = &it.play_off {
        write_play_off(to, play_off)?;
    }
    writeln!(to, "\nReadings of the rules:")?;
    for reading in READINGS {
        writeln!(
            to,
            "  {}: {} ({}: {})",
            reading.name,
            it.readings.get(reading),
            reading.article,
            reading.about
        )?;
    }
    writeln!(to, "\nRounds begin {}", starts(it.schedule.starts))?;
    if it.schedule.check_in {
        writeln!(to, "Players say before each round that they are there; who does not has no game in it.")?;
    }
    if let Some(arranging) = &it.arranging {
        write_arranging(to, arranging, it.teams.is_some())?;
    }
    if let Some(leave) = &it.leave {
        write_leave(to, leave, it)?;
    }
    writeln!(to, "Zone: {}", it.schedule.zone)?;
    for (round, time) in (1..).zip(&it.schedule.rounds) {
        writeln!(to, "  round {round}: {}", moment(*time))?;
    }
    writeln!(to, "Others see games and results {} later than the players.", span(it.broadcast_delay))?;
    let watching = if it.watch_while_playing { "may" } else { "may not" };
    writeln!(to, "A player {watching} watch other games of the event while his own runs (Art. 15.4).")?;
    writeln!(to, "A ruling can be appealed against within {} (Art. 16.4).", span(it.appeal_within))?;
    if !it.languages.is_empty() {
        writeln!(to, "Languages of its papers: {}", it.languages.join(", "))?;
    }
    if !it.text.is_empty() {
        writeln!(to, "\n{}", it.text)?;
    }
    Ok(())
}

fn write_play_off(to: &mut String, it: &PlayOffSettings) -> core::fmt::Result {
    let PlayOffSettings { places, games, .. } = it;
    writeln!(
        to,
        "\nPlay-off (Art. 28.3): places 1 to {places} are played for where they are shared after the last round."
    )?;
    writeln!(
        to,
        "Two play the best of {games} games with alternating colours, three to {PLAYERS_MAX} one game each against each \
         other; the first colour is drawn. The lot decides what is level then, and among more than {PLAYERS_MAX}."
    )?;
    writeln!(to, "Time of the play-off: {}; rules {}", it.time_control, it.rule_set)?;
    for (name, value) in &it.options {
        writeln!(to, "  {name}: {value}")?;
    }
    writeln!(
        to,
        "Its games count for the order of those who share the place, and for nothing else of the table."
    )
}

fn write_arranging(to: &mut String, it: &Arranging, is_of_teams: bool) -> core::fmt::Result {
    let who = match (it.by_match, is_of_teams) {
        (true, _) => "The boards of a match begin at one time, on which the captains of the two teams agree",
        (false, true) => {
            "Each board begins at a time on which its two players agree, or their captains for them"
        }
        (false, false) => "Each board begins at a time on which its two players agree",
    };
    writeln!(to, "{who}, within {} after its round has begun.", span(it.window))?;
    writeln!(
        to,
        "A side proposes at most {} times at once, each at least {} ahead; the other answers within {}.",
        it.times_max,
        span(it.lead),
        span(it.answer_within)
    )?;
    for reminder in &it.reminders {
        writeln!(to, "Players are reminded {} before the time to agree is over.", span(*reminder))?;
    }
    if it.overlaps {
        writeln!(to, "Later rounds do not wait for its boards.")?;
    }
    match it.otherwise {
        Otherwise::Effort { times, void } => writeln!(
            to,
            "A board for which nobody has found a time by then is won by forfeit by the side that has tried, if the other has \
             not: who has proposed {times} different times, in proposals that were declined or not answered in their whole \
             time. Where both have tried or neither has, {}.",
            if void { "the board is void" } else { "both lose by forfeit" }
        ),
        Otherwise::Default { after } => writeln!(
            to,
            "A board for which nobody has found a time by then begins {} after its round.",
            span(after)
        ),
        Otherwise::Arbiter => {
            writeln!(to, "A board for which nobody has found a time by then is for an arbiter to decide.")
        }
    }
}

fn write_leave(to: &mut String, it: &LeaveSettings, of: &Settings) -> core::fmt::Result {
    let budgets = [("player", it.player), ("team", it.team)];
    for (who, budget) in budgets.into_iter().filter(|(_, budget)| !budget.is_zero()) {
        let (budget, times) = (span(budget), it.spans_max);
        writeln!(to, "A {who} may be on leave for {budget} in all, at most {times} times.")?;
    }
    writeln!(
        to,
        "Leave is of {} at least and {} at most, and announced at least {} ahead; the chief arbiter may grant other leave.",
        span(it.shortest),
        span(it.longest),
        span(it.notice)
    )?;
    if of.arranging.is_some() {
        writeln!(
            to,
            "What is to be arranged or answered has so much more time as either side is on leave within it. No game begins by \
             agreement while one is."
        )?;
    }
    if of.has_correspondence() {
        writeln!(to, "Correspondence games rest while one of their players is on leave.")?;
    }
    writeln!(to, "Leave stops no other game, and excuses from no round with a fixed time.")
}

fn write_teams(to: &mut String, it: &TeamSettings) -> core::fmt::Result {
    writeln!(to, "\nTeams of {} players: {}", it.boards, line_up(it.line_up))?;
    writeln!(to, "Reserves: at most {}", it.reserves_max)?;
    if it.changes() {
        writeln!(to, "Line-ups are closed {} before a round that has a time.", span(it.lock))?;
    }
    if let Some(roster) = &it.roster {
        let until = match roster.until_round {
            0 => "before any round".to_owned(),
            round => format!("before round {round} at the latest"),
        };
        writeln!(
            to,
            "A captain changes the players of his team {until}, {} times at most; officials do so with a reason. Who is new is \
             a reserve, boards that are laid stay, and nobody leaves while a line-up of the team is handed in.",
            roster.changes_max
        )?;
        writeln!(
            to,
            "Who has played more than {} games for a team plays for no other.",
            roster.transfer_games_max
        )?;
    }
    if !it.meet() {
        let best = if it.best == 0 { it.boards } else { it.best };
        writeln!(to, "Members who count: the best {best}")?;
    }
    Ok(())
}

const fn line_up(law: LineupLaw) -> &'static str {
    match law {
        LineupLaw::FixedBoards => "boards that do not change (分台定人制)",
        LineupLaw::FixedBoardsSubs => "boards that do not change but for reserves (分台换人制)",
        LineupLaw::DeclaredBoards => "boards that are declared before each match (临时定台制)",
        LineupLaw::WholeTeam => "everybody meets everybody of the other team (全队轮赛制)",
        LineupLaw::SumOfMembers => "the sum of the members (队员总分制)",
    }
}

fn format(format: &Format) -> String {
    match *format {
        Format::Swiss { rounds } => format!("Swiss (积分编排), {rounds} rounds"),
        Format::RoundRobin { cycles } => match cycles {
            pairing::standings::Cycles::Single => "round robin (循环制)".to_owned(),
            pairing::standings::Cycles::Double => "double round robin (双循环)".to_owned(),
        },
        Format::KnockOut { lives, third_place } => {
            let third = if third_place { ", with a game for the third place" } else { "" };
            format!("knock-out after {lives} lost (淘汰制){third}")
        }
        Format::Match { games, play_all: false } => format!("best of {games} games (多局决胜制)"),
        Format::Match { games, play_all: true } => format!("{games} games, all of them played"),
        Format::MacMahon { rounds, bar, floor, reduction, handicap_max } => format!(
            "MacMahon, {rounds} rounds, bar {bar}, floor {floor}, handicap less {reduction}, at most {handicap_max}; where \
             they have a handicap Black gives half a point, and on a small board they are unrated"
        ),
        Format::Arena => "arena of two teams, the winner of a game stays (擂台赛)".to_owned(),
        Format::Ladder { rounds, reach, answer_within } => {
            let challenges = format!("ladder, {rounds} rounds, challenges of at most {reach} places upwards");
            match answer_within {
                None => challenges,
                Some(within) => format!(
                    "{challenges}, to be answered within {}; whoever refuses or does not answer loses his place to the \
                     challenger",
                    span(within)
                ),
            }
        }
        Format::Grading { rounds, by, needed } => {
            format!("for grades (段、级位比赛), {rounds} rounds, promoted with {needed} {}", by.name())
        }
    }
}

const fn starts(starts: Starts) -> &'static str {
    match starts {
        Starts::ByHand => "when the chief arbiter says so.",
        Starts::BySchedule => "at their times.",
        Starts::WhenComplete => "when the round before is complete.",
    }
}

const fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}

pub(super) fn span(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds % 3600 / 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A time in the offset that was logged with it, so that the same log is always the same text. Before there were offsets
/// all times were told in UTC.
fn moment(time: time::OffsetDateTime) -> String {
    time.format(&Rfc3339).unwrap_or_default()
}
