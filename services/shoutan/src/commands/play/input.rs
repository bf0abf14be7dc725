//! What the person types.

use std::{
    io::{BufRead as _, IsTerminal as _, Read as _, Write as _},
    sync::mpsc as sync,
};

use anyhow::{Context as _, bail};
use crossterm::{
    event::{Event, KeyCode, KeyEventKind, KeyModifiers, read},
    terminal::{disable_raw_mode, enable_raw_mode},
};
use tokio::sync::mpsc;

/// No act, name or command is longer.
const LINE_BYTES_MAX: u64 = 8192;
/// No password is longer.
const PASSWORD_CHARS_MAX: usize = 1024;

/// Standard input, line by line.
///
/// It is read by a thread of its own, and only when a line is wanted. A thread can be left behind in the middle
/// of a read when the program ends; a task of the runtime would keep it from ending until somebody presses Enter.
#[derive(Debug)]
pub(in crate::commands) struct Input {
    wants: sync::Sender<Want>,
    lines: mpsc::Receiver<Option<String>>,
    /// Whether a line is wanted and has not come yet.
    pending: bool,
}

#[derive(Clone, Copy, Debug)]
enum Want {
    Line,
    Secret,
}

impl Input {
    /// The terminal, or what stands in for it.
    pub(super) fn of_terminal() -> Self {
        let (wants, wanted) = sync::channel();
        let (found, lines) = mpsc::channel(1);
        std::thread::spawn(move || {
            for want in wanted {
                let line = match want {
                    Want::Line => read_line(),
                    Want::Secret => read_secret(),
                };
                if found.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Input { wants, lines, pending: false }
    }

    /// The next line, without its end; nothing when there are no more. A call that is given up loses no line.
    pub(super) async fn line(&mut self) -> Option<String> {
        self.next(Want::Line).await
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// When there are no more lines.
    pub(super) async fn ask(&mut self, question: &str) -> anyhow::Result<String> {
        prompt(question)?;
        let answer = self.line().await.with_context(|| format!("nobody answers: {question}"))?;
        Ok(answer.trim().to_owned())
    }

    /// The answer to a question, which is not shown while it is typed.
    ///
    /// # Errors
    /// When the person gives up.
    pub(super) async fn ask_secret(&mut self, question: &str) -> anyhow::Result<String> {
        prompt(question)?;
        let Some(secret) = self.next(Want::Secret).await else { bail!("no password was given") };
        Ok(secret)
    }

    async fn next(&mut self, want: Want) -> Option<String> {
        if !self.pending {
            self.wants.send(want).ok()?;
            self.pending = true;
        }
        let line = self.lines.recv().await;
        self.pending = false;
        line.flatten()
    }
}

fn prompt(question: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question} ")?;
    Ok(out.flush()?)
}

fn read_line() -> Option<String> {
    let mut line = String::new();
    let read = std::io::stdin().lock().take(LINE_BYTES_MAX).read_line(&mut line);
    match read {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line.trim_end_matches(['\r', '\n']).to_owned()),
    }
}

/// A line typed blind, or a plain one when nobody types.
fn read_secret() -> Option<String> {
    if !std::io::stdin().is_terminal() {
        return read_line();
    }
    let raw = Raw::enter()?;
    let secret = read_keys();
    drop(raw);
    // Enter was not shown either.
    let _line_end = writeln!(std::io::stdout().lock());
    secret
}

fn read_keys() -> Option<String> {
    let mut secret = String::new();
    loop {
        let Event::Key(key) = read().ok()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Some(secret),
            KeyCode::Char('c' | 'd') if control => return None,
            KeyCode::Esc => return None,
            KeyCode::Char('u') if control => secret.clear(),
            KeyCode::Backspace => {
                secret.pop();
            }
            KeyCode::Char(c) if !control && secret.chars().count() < PASSWORD_CHARS_MAX => secret.push(c),
            _ => {}
        }
    }
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Raw;

impl Raw {
    fn enter() -> Option<Self> {
        enable_raw_mode().ok().map(|()| Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _restored = disable_raw_mode();
    }
}
