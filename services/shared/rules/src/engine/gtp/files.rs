//! Records in files.

use super::{super::Host, Answered, Gtp, illegal, syntax};
use crate::prelude::*;

/// `loadsgf FILE [MOVE]`: the position before that move, the first being 1.
pub(super) fn loadsgf(gtp: &mut Gtp, words: &[&str], host: &mut dyn Host) -> Answered {
    let (name, before) = match words {
        [name] => (name, None),
        [name, number] => (name, Some(number.parse::<usize>().map_err(|_| syntax("a number"))?)),
        _ => return Err(syntax("a file")),
    };
    let cannot = |error: &dyn core::fmt::Display| format!("cannot load file: {error}");
    let bytes = host.read(name).map_err(|error| cannot(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    let record = (gtp.engine.variant().parse_record)(&text).map_err(|error| cannot(&error))?;
    let mut engine = gtp.engine.clone();
    let disputes = gtp.engine.rule_set().options.get("disputes").cloned();
    let mut rule_set = record.rule_set;
    rule_set.options.extend(disputes.map(|value| ("disputes".into(), value)));
    engine.start(rule_set, None).map_err(|failure| cannot(&failure))?;
    let count = before.map_or(record.acts.len(), |before| before.saturating_sub(1));
    for act in record.acts.iter().take(count) {
        engine.play_any(act.author, &act.text).map_err(|failure| illegal(&failure))?;
    }
    gtp.engine = engine;
    Ok(String::new())
}
