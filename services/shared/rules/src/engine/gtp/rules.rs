//! Board, komi, rule sets and time.

use super::{Answered, Failure, Gtp, syntax};
use crate::{RuleSet, prelude::*};

pub(super) fn boardsize(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let [size] = words else { return Err(syntax("a size")) };
    let size: u8 = size.parse().map_err(|_| syntax("a size"))?;
    clear(gtp, size).map_err(|_| "unacceptable size".into())
}

pub(super) fn clear_board(gtp: &mut Gtp) -> Answered {
    clear(gtp, gtp.size()).map_err(|failure| failure.to_string())
}

pub(super) fn komi(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let [komi] = words else { return Err(syntax("a komi")) };
    let number = komi.strip_prefix('-').unwrap_or(komi);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(syntax("a komi"));
    }
    let values = (gtp.info.komi)(komi);
    let changed = values.iter().find(|value| {
        let rule_set = gtp.engine.rule_set().clone().with("komi", value);
        gtp.engine.change_rules(rule_set).is_ok()
    });
    changed.map(|_| String::new()).ok_or_else(|| "unacceptable komi".into())
}

/// The komi in points. Where it is kept in quarters of a zi, one is half a point.
pub(super) fn komi_points(gtp: &Gtp) -> String {
    (gtp.info.points)(&gtp.engine.game().rule_set().options["komi"])
}

pub(super) fn kgs_rules(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let [name] = words else { return Err(syntax("a rule set")) };
    let name = name.to_ascii_lowercase();
    let theirs = gtp.info.rule_sets.iter().find(|(theirs, _)| *theirs == name);
    let known = theirs.map_or(&*name, |(_, ours)| ours);
    choose(gtp, known, |rule_set| rule_set)
}

/// A rule set of the variant with options: `shoutan-rules psk komi=3.75`.
pub(super) fn shoutan_rules(gtp: &mut Gtp, words: &[&str]) -> Answered {
    let Some((name, options)) = words.split_first() else { return Err(syntax("a rule set")) };
    let mut chosen = RuleSet::named("");
    for option in options {
        let (name, value) = option.split_once('=').ok_or_else(|| syntax("an option like komi=3.75"))?;
        chosen = chosen.with(name, value);
    }
    choose(gtp, name, |mut rule_set| {
        rule_set.options.extend(chosen.options);
        rule_set
    })
}

pub(super) fn time_settings(words: &[&str]) -> Answered {
    match words {
        [_, _, _] if words.iter().all(|word| word.parse::<u32>().is_ok()) => Ok(String::new()),
        _ => Err(syntax("main time, byo-yomi time and byo-yomi stones")),
    }
}

pub(super) fn time_left(gtp: &Gtp, words: &[&str]) -> Answered {
    match words {
        [colour, time, stones] if time.parse::<i32>().is_ok() && stones.parse::<u32>().is_ok() => {
            gtp.side(colour).map(|_| String::new())
        }
        _ => Err(syntax("a colour, a time and a number of stones")),
    }
}

/// `none`, `absolute T`, `byoyomi T T N` or `canadian T T N`.
pub(super) fn kgs_time_settings(words: &[&str]) -> Answered {
    let numbers = |words: &[&str]| words.iter().all(|word| word.parse::<u32>().is_ok());
    match words {
        ["none"] => Ok(String::new()),
        ["absolute", rest @ ..] if rest.len() == 1 && numbers(rest) => Ok(String::new()),
        ["byoyomi" | "canadian", rest @ ..] if rest.len() == 3 && numbers(rest) => Ok(String::new()),
        _ => Err(syntax("none, absolute, byoyomi or canadian and its times")),
    }
}

/// Plays on under another rule set; the size of the board, and a komi that was given, stay.
fn choose(gtp: &mut Gtp, name: &str, with: impl FnOnce(RuleSet) -> RuleSet) -> Answered {
    if !gtp.engine.variant().rule_sets.iter().any(|known| known.id == name) {
        return Err("unsupported rules".into());
    }
    let rule_set = RuleSet { id: name.into(), ..gtp.engine.rule_set().clone() };
    gtp.engine.change_rules(with(rule_set)).map_err(|failure| failure.to_string())?;
    Ok(String::new())
}

/// A board of this size without stones, under the same rules.
fn clear(gtp: &mut Gtp, size: u8) -> Result<String, Failure> {
    let mut rule_set = gtp.engine.rule_set().clone().with("size", &size.to_string());
    rule_set.options.retain(|name, _| !["handicap", "setup"].contains(&&**name));
    gtp.engine.start(rule_set, None).map(|()| String::new())
}
