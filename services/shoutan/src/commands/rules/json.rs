//! The protocol as JSON lines: an object a command, an object an answer.

use std::fmt::Write as _;

use rules::{
    Change, Effects, Hint, OptionError, Point, RemovalCause, RuleSet, Score, Side, StoneColour, Variant,
    engine::{
        Answer, Command, Engine, Failure, Host, LINE_BYTES_MAX, Line, Listing, Report, Status, author_named,
        system_text,
    },
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A session of JSON lines.
#[derive(Debug)]
pub(super) struct Talk {
    engine: Engine,
    ended: bool,
}

/// A command as it comes in. What is not said has the value the text protocol gives it.
#[derive(Debug, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Help {},
    New {
        #[serde(default)]
        rules: String,
        #[serde(default)]
        options: Map<String, Value>,
    },
    Position {
        setup: String,
    },
    Play {
        side: Option<String>,
        act: String,
    },
    Moves {
        after: Option<String>,
        #[serde(default)]
        all: bool,
    },
    Perft {
        depth: u32,
        #[serde(default)]
        divide: bool,
    },
    Show {},
    Status {},
    Score {},
    Suggest {},
    Undo {
        #[serde(default = "one")]
        count: u32,
    },
    Hash {},
    Record {},
    Check {
        file: String,
    },
    Quit {},
}

impl Talk {
    /// A session over a game of this variant.
    ///
    /// # Errors
    /// The variant has no default rule set.
    pub(super) fn new(variant: &'static Variant) -> Result<Talk, OptionError> {
        Ok(Talk { engine: Engine::new(variant)?, ended: false })
    }

    /// Whether `quit` was asked for.
    pub(super) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Answers a line; blank ones get no answer.
    pub(super) fn line(&mut self, line: &Line, host: &mut dyn Host, out: &mut String) {
        let (id, answered) = match line {
            Line::Text(text) if text.trim().is_empty() => return,
            Line::Text(text) => self.text(text, host),
            Line::TooLong => {
                let detail = format!("a line has at most {LINE_BYTES_MAX} bytes");
                (Value::Null, Err(Failure::new("TOO_LONG", detail)))
            }
        };
        let answer = match answered {
            Ok(result) => json!({ "id": id, "ok": true, "result": result }),
            Err(Failure { reason, detail }) => {
                json!({ "id": id, "ok": false, "reason": reason, "detail": detail })
            }
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{answer}");
    }

    fn text(&mut self, text: &str, host: &mut dyn Host) -> (Value, Result<Value, Failure>) {
        let bad = |error: serde_json::Error| Failure::new("BAD_JSON", error.to_string());
        let mut object = match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(object) => object,
            Err(error) => return (Value::Null, Err(bad(error))),
        };
        let id = object.remove("id").unwrap_or_default();
        let request = serde_json::from_value::<Request>(Value::Object(object)).map_err(bad);
        (id, request.and_then(|request| self.carry_out(request, host)))
    }

    fn carry_out(&mut self, request: Request, host: &mut dyn Host) -> Result<Value, Failure> {
        let command = self.command(request)?;
        self.ended = command == Command::Quit;
        let answer = self.engine.run(&command, host)?;
        Ok(self.value(answer))
    }

    fn command(&self, request: Request) -> Result<Command, Failure> {
        Ok(match request {
            Request::Help {} => Command::Help,
            Request::New { rules, options } => {
                let mut rule_set = RuleSet::named(&rules);
                for (name, value) in options {
                    let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                    rule_set = rule_set.with(&name, &value);
                }
                Command::New(rule_set)
            }
            Request::Position { setup } => Command::Position(setup),
            Request::Play { side, act } => {
                let named = side.as_deref().map(|name| {
                    let author = author_named(self.colours(), name);
                    author.ok_or_else(|| Failure::arguments("a side is first, second, a colour or house"))
                });
                Command::Play { author: named.transpose()?, act }
            }
            Request::Moves { after: Some(steps), .. } => Command::Moves(Listing::After(steps)),
            Request::Moves { all: true, .. } => Command::Moves(Listing::Complete),
            Request::Moves { .. } => Command::Moves(Listing::Steps),
            Request::Perft { depth, divide } => Command::Perft { depth, divide },
            Request::Show {} => Command::Show,
            Request::Status {} => Command::Status,
            Request::Score {} => Command::Score,
            Request::Suggest {} => Command::Suggest,
            Request::Undo { count } => Command::Undo(count),
            Request::Hash {} => Command::Hash,
            Request::Record {} => Command::Record,
            Request::Check { file } => Command::Check(file),
            Request::Quit {} => Command::Quit,
        })
    }

    fn value(&self, answer: Answer) -> Value {
        let step = |(side, hint): &(Side, Hint)| json!({ "side": self.letter(*side), "act": hint.text, "owed": hint.choices_left });
        match answer {
            Answer::Done | Answer::Quit => json!({}),
            Answer::Help => json!({ "text": answer.to_string() }),
            Answer::Played { author, played } => json!({
                "side": author.side().map_or_else(|| author.name().to_owned(), |side| self.letter(side)),
                "act": played.text,
                "ply": self.engine.game().ply(),
                "changes": self.changes(&played.effects),
            }),
            Answer::Moves { moves, .. } => json!({ "moves": moves.iter().map(step).collect::<Vec<_>>() }),
            Answer::Perft(perft) => {
                let divided = perft.divided.iter().map(|(side, hint, nodes)| {
                    json!({ "side": self.letter(*side), "act": hint.text, "nodes": nodes })
                });
                json!({ "depth": perft.depth, "nodes": perft.nodes, "divided": divided.collect::<Vec<_>>() })
            }
            Answer::Show { drawing, setup } => json!({ "drawing": drawing, "setup": setup }),
            Answer::Status(status) => status_value(&status),
            Answer::Score { text, score } => {
                json!({ "text": text, "score": score.as_ref().map(score_value) })
            }
            Answer::Suggestion(act) => json!({ "act": act }),
            Answer::Hash(hash) => json!({ "hash": format!("{hash:016x}") }),
            Answer::Record(record) => json!({ "record": record }),
            Answer::Check(report) => report_value(&report),
        }
    }

    fn letter(&self, side: Side) -> String {
        self.colours()[side.index()].letter().to_string()
    }

    fn colours(&self) -> [StoneColour; 2] {
        Side::BOTH.map(|side| self.engine.game().colour_drawn(side))
    }

    fn changes(&self, effects: &Effects) -> Vec<Value> {
        let name = |point: Point| self.engine.game().point_name(point);
        let change = |change: &Change| match change {
            Change::Placed { at, owner } => json!({ "placed": name(*at), "side": self.letter(*owner) }),
            Change::Moved { path } => {
                json!({ "moved": path.iter().map(|at| name(*at)).collect::<Vec<_>>() })
            }
            Change::Removed { at, owner, cause } => {
                json!({ "removed": name(*at), "side": self.letter(*owner), "cause": cause_name(*cause) })
            }
        };
        effects.changes.iter().map(change).collect()
    }
}

const fn one() -> u32 {
    1
}

const fn cause_name(cause: RemovalCause) -> &'static str {
    match cause {
        RemovalCause::Captured => "captured",
        RemovalCause::Chosen => "chosen",
        RemovalCause::Lifted => "lifted",
        RemovalCause::Dead => "dead",
    }
}

fn status_value(status: &Status) -> Value {
    let facts: Map<String, Value> =
        status.facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect();
    json!({
        "variant": status.variant,
        "rules": status.rule_set.id,
        "options": status.rule_set.options,
        "phase": status.phase,
        "ply": status.ply,
        "to_act": status.to_act.iter().map(char::to_string).collect::<Vec<_>>(),
        "house_due": status.system_due.as_ref().map(system_text),
        "outcome": status.outcome,
        "facts": facts,
    })
}

fn score_value(score: &Score) -> Value {
    json!({ "printed": score.printed, "printed_zh": score.printed_zh, "points": score.points })
}

fn report_value(report: &Report) -> Value {
    let faults = report.faults.iter().map(|fault| {
        json!({
            "segment": fault.segment,
            "line": fault.line,
            "about": fault.about,
            "reason": fault.reason,
            "detail": fault.detail,
        })
    });
    json!({ "segments": report.segments, "acts": report.acts, "faults": faults.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use rules::engine::NoHost;

    use super::*;

    fn answers(variant: &'static Variant, lines: &[&str]) -> Vec<Value> {
        let mut talk = Talk::new(variant).expect("a default rule set");
        let mut out = String::new();
        for line in lines {
            talk.line(&Line::Text((*line).to_owned()), &mut NoHost, &mut out);
        }
        out.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
    }

    #[test]
    fn every_command_of_the_text_protocol_is_there() {
        for info in rules::engine::COMMANDS {
            let bare = json!({ "command": info.name }).to_string();
            let answer = answers(&rules::go::VARIANT, &[&bare]).remove(0);
            let missing = answer["detail"].as_str().is_some_and(|detail| detail.contains("missing field"));
            let lacks = ["NOTHING_TO_UNDO", "NO_SUGGESTION"].iter().any(|reason| answer["reason"] == *reason);
            assert!(answer["ok"] == true || missing || lacks, "{answer}");
        }
    }

    #[test]
    fn what_is_no_command_is_answered_with_its_id() {
        let bad = ["{", "[]", "7", r#"{"id":1,"command":"fly"}"#, r#"{"id":2,"command":"hash","x":1}"#];
        let found = answers(&rules::go::VARIANT, &bad);
        assert!(found.iter().all(|answer| answer["ok"] == false && answer["reason"] == "BAD_JSON"));
        assert_eq!((&found[3]["id"], &found[4]["id"]), (&json!(1), &json!(2)));
        let deep = "[".repeat(10_000);
        assert_eq!(answers(&rules::go::VARIANT, &[&deep])[0]["reason"], "BAD_JSON");
    }
}
