//! Values of the enums of events as words: `RESULT_CODE_FORFEIT_WIN` is `forfeit-win`.

use api::{board::v1 as board, federation::v1 as pb, game::v1 as game, matchmaking::v1 as queue};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A word for each enum, by the number that messages have; nothing for a number that stands for nothing.
macro_rules! words {
    ($($(#[$doc:meta])+ $word:ident($enum:ty, $prefix:literal);)+) => {$(
        $(#[$doc])+
        pub(in crate::commands) fn $word(number: i32) -> String {
            let value = <$enum>::try_from(number).ok().filter(|_| number != 0);
            value.map(|value| of(value.as_str_name(), $prefix)).unwrap_or_default()
        }
    )+};
}

words! {
    /// A stage of an event.
    stage(pb::EventStage, "event-stage");
    /// What somebody is to an event.
    role(pb::EventRole, "event-role");
    /// An item of the checklist.
    item(pb::CheckItem, "check-item");
    /// What came of a board for a player.
    code(pb::ResultCode, "result-code");
    /// Why a board ended as it did.
    reason(pb::ResultReason, "result-reason");
    /// What happened.
    incident(game::IncidentKind, "incident-kind");
    /// How far an incident is.
    incident_state(pb::EventIncidentState, "event-incident-state");
    /// What becomes of the accused.
    sanction(pb::EventSanction, "event-sanction");
    /// What a game tells its event.
    matter(pb::GameMatter, "game-matter");
    /// What an entrant is in some rounds.
    state(pb::EntrantState, "entrant-state");
    /// How far a round is.
    round(pb::round::State, "state");
    /// How far a game is.
    game_stage(game::Stage, "stage");
    /// How far a line-up is.
    line_up(pb::line_up::State, "state");
    /// What rules were lifted.
    relaxed(pb::Relaxed, "relaxed");
    /// A part of a bracket.
    part(pb::bracket_place::Part, "part");
    /// What was answered to a challenge.
    challenge_answer(pb::ChallengeAnswer, "challenge-answer");
    /// What was answered to an application.
    answer(pb::Answer, "answer");
    /// An office of a federation.
    office(pb::OfficialRole, "official-role");
    /// What a notice tells.
    notice_kind(pb::NoticeKind, "notice-kind");
    /// What a title is.
    title_kind(pb::TitleKind, "title-kind");
    /// How far an award is.
    award_state(pb::AwardState, "award-state");
    /// Who begins, or the other.
    side(board::Side, "side");
    /// To whom a game is proposed.
    challenge_kind(queue::ChallengeKind, "challenge-kind");
    /// What has become of that.
    challenge_state(queue::ChallengeState, "challenge-state");
    /// What has become of a game that is arranged for a time.
    arranged_game_state(queue::ArrangedGameState, "arranged-game-state");
    /// Why it was declined.
    decline_reason(queue::DeclineReason, "decline-reason");
}

fn of(name: &str, prefix: &str) -> String {
    let whole = plain(name);
    let word = whole.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    word.unwrap_or(&whole).to_owned()
}

/// A name with underscores as a word.
pub(super) fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// The name in a proto of a word.
fn full(prefix: &str, word: &str) -> String {
    format!("{prefix}-{word}").to_uppercase().replace('-', "_")
}

/// The stages that a list can be of.
pub(super) fn stages() -> impl TypedValueParser<Value = i32> {
    let words = ["draft", "adopted", "registration", "running", "closing", "final", "cancelled"];
    PossibleValuesParser::new(words)
        .map(|word| number(pb::EventStage::from_str_name(&full("event-stage", &word))))
}

/// The offices of an event.
pub(super) fn offices() -> impl TypedValueParser<Value = i32> {
    let words = ["chief-arbiter", "deputy", "arbiter", "scorer", "committee"];
    PossibleValuesParser::new(words)
        .map(|word| number(pb::EventRole::from_str_name(&full("event-role", &word))))
}

/// The items of the checklist, each also as the metadata of an answer names what is missing.
pub(super) fn items() -> impl TypedValueParser<Value = i32> {
    let words = [
        ("supplement-presented", "supplement_presented"),
        ("arbiters-briefed", "arbiters_briefed"),
        ("entries-checked", "entries_checked"),
        ("venue-checked", "venue_checked"),
        ("results-checked", "results_checked"),
        ("places-announced", "places_announced"),
    ];
    PossibleValuesParser::new(words.map(|(word, alias)| PossibleValue::new(word).alias(alias)))
        .map(|word| item_named(&word))
}

/// The number of an item of the checklist.
pub(super) fn item_named(word: &str) -> i32 {
    number(pb::CheckItem::from_str_name(&full("check-item", word)))
}

/// The rules that can be lifted, in their order.
pub(super) fn rules() -> impl TypedValueParser<Value = i32> {
    let words = ["absolute-colours", "prohibitions", "second-byes", "rematches"];
    PossibleValuesParser::new(words).map(|word| number(pb::Relaxed::from_str_name(&full("relaxed", &word))))
}

/// What can happen.
pub(super) fn incidents() -> impl TypedValueParser<Value = i32> {
    let words = [
        "two-moves",
        "take-back",
        "forbidden-move",
        "wrong-capture",
        "clock-press",
        "talking",
        "disturbing",
        "repeated-offer",
        "questions",
        "refusing-to-sign",
        "leaving",
        "moved-stone",
        "scattered-board",
        "walking-about",
        "watching-others",
        "manners",
        "other",
    ];
    PossibleValuesParser::new(words)
        .map(|word| number(game::IncidentKind::from_str_name(&full("incident-kind", &word))))
}

/// What can become of the accused, from mild to hard.
pub(super) fn sanctions() -> impl TypedValueParser<Value = i32> {
    let words = ["nothing", "admonition", "warning", "violation", "loss", "expulsion"];
    PossibleValuesParser::new(words)
        .map(|word| number(pb::EventSanction::from_str_name(&full("event-sanction", &word))))
}

/// Why a board ended as it did.
pub(super) fn reasons() -> impl TypedValueParser<Value = i32> {
    let words = [
        "normal",
        "resign",
        "time",
        "late",
        "warnings",
        "violations",
        "arbiter",
        "agreed-draw",
        "no-winning-force",
        "disturbed-board",
        "not-played",
    ];
    PossibleValuesParser::new(words)
        .map(|word| number(pb::ResultReason::from_str_name(&full("result-reason", &word))))
}

/// What people answer to a challenge.
pub(super) fn answers() -> impl TypedValueParser<Value = i32> {
    let words = ["accepted", "refused", "withdrawn"];
    PossibleValuesParser::new(words)
        .map(|word| number(pb::ChallengeAnswer::from_str_name(&full("challenge-answer", &word))))
}

/// The number of a value; 0 where there is none.
fn number<T: Into<i32>>(value: Option<T>) -> i32 {
    value.map_or(0, Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_known_as_it_is_missing() {
        let mut command = clap::Command::new("it").arg(clap::Arg::new("item").value_parser(items()));
        for item in ["arbiters-briefed", "arbiters_briefed"] {
            let matches = command.try_get_matches_from_mut(["it", item]).expect(item);
            assert_eq!(matches.get_one("item"), Some(&i32::from(pb::CheckItem::ArbitersBriefed)));
        }
    }

    #[test]
    fn every_word_that_is_offered_stands_for_something() {
        fn all(parser: &impl TypedValueParser<Value = i32>, word: fn(i32) -> String) {
            let mut command =
                clap::Command::new("it").arg(clap::Arg::new("word").value_parser(parser.clone()));
            let offered: Vec<String> = parser
                .possible_values()
                .expect("they are listed")
                .map(|value| value.get_name().to_owned())
                .collect();
            for name in offered {
                let matches = command.try_get_matches_from_mut(["it", &name]).expect("it is offered");
                let number = *matches.get_one::<i32>("word").expect("it is given");
                assert_eq!(word(number), name);
            }
        }
        all(&stages(), stage);
        all(&offices(), role);
        all(&items(), item);
        all(&rules(), relaxed);
        all(&reasons(), reason);
        all(&incidents(), incident);
        all(&sanctions(), sanction);
        all(&answers(), |answer| {
            let answer = pb::ChallengeAnswer::try_from(answer).expect("one of them");
            of(answer.as_str_name(), "challenge-answer")
        });
    }
}
