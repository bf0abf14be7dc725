use super::{
    Command, Engine, Failure, Gtp, Host, LINE_BYTES_MAX, Line, Lines,
    line::{Request, answer},
};
use crate::{OptionError, Variant, prelude::*};

/// The protocol as text: bytes in, framed answers out.
///
/// An answer is `=` or `?`, the number that stood before the command, a blank and the text, and then an empty line; a
/// failure's text is its reason and a sentence. Empty lines and comments get no answer.
///
/// ```
/// use rules::engine::{NoHost, Session};
///
/// let mut session = Session::new(&rules::jiu::VARIANT);
/// let mut out = String::new();
/// session.feed(b"# a comment\n1 play h8\n2 play h8\nquit\n", &mut NoHost, &mut out);
/// assert_eq!(out, "=1 H8\n\n?2 OCCUPIED a stone stands on H8\n\n=\n\n");
/// ```
#[derive(Debug)]
pub struct Session {
    lines: Lines,
    speaker: Result<Speaker, OptionError>,
    ended: bool,
}

#[derive(Debug)]
enum Speaker {
    Shoutan(Engine),
    Gtp(Gtp),
}

impl Session {
    /// A session over a game of this variant, under its default rules until `new` says otherwise.
    ///
    /// ```
    /// use rules::engine::{NoHost, Session};
    ///
    /// let (mut session, mut out) = (Session::new(&rules::jiu::VARIANT), String::new());
    /// session.feed(b"moves\n", &mut NoHost, &mut out);
    /// assert_eq!(out, "= G7\nH8\n\n");
    /// ```
    pub fn new(variant: &'static Variant) -> Session {
        let speaker = Engine::new(variant).map(Speaker::Shoutan);
        Session { lines: Lines::default(), speaker, ended: false }
    }

    /// A session that speaks version 2 of the Go Text Protocol.
    ///
    /// ```
    /// use rules::engine::{Gtp, NoHost, Session};
    ///
    /// let (mut session, mut out) = (Session::gtp(Gtp::new(&rules::go::VARIANT)?), String::new());
    /// session.feed(b"protocol_version\nshow\n", &mut NoHost, &mut out);
    /// assert_eq!(out, "= 2\n\n? unknown command\n\n");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn gtp(gtp: Gtp) -> Session {
        Session { lines: Lines::default(), speaker: Ok(Speaker::Gtp(gtp)), ended: false }
    }

    /// Whether the session has ended; it answers nothing more.
    ///
    /// ```
    /// use rules::engine::{NoHost, Session};
    ///
    /// let (mut session, mut out) = (Session::new(&rules::jiu::VARIANT), String::new());
    /// session.feed(b"quit\nhash\n", &mut NoHost, &mut out);
    /// assert!(session.has_ended());
    /// assert_eq!(out, "=\n\n");
    /// ```
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes bytes, and writes an answer to every command that ends in them.
    ///
    /// ```
    /// use rules::engine::{NoHost, Session};
    ///
    /// let (mut session, mut out) = (Session::new(&rules::jiu::VARIANT), String::new());
    /// session.feed(b"play ", &mut NoHost, &mut out);
    /// assert_eq!(out, "");
    /// session.feed(b"H8\n", &mut NoHost, &mut out);
    /// assert_eq!(out, "= H8\n\n");
    /// ```
    pub fn feed(&mut self, bytes: &[u8], host: &mut dyn Host, out: &mut String) {
        if self.ended {
            return;
        }
        let mut lines = core::mem::take(&mut self.lines);
        lines.feed(bytes, |line| {
            self.line(line, host, out);
            !self.ended
        });
        self.lines = lines;
    }

    /// Answers the line that the input ends with, if it does not end with a line's end.
    ///
    /// ```
    /// use rules::engine::{NoHost, Session};
    ///
    /// let (mut session, mut out) = (Session::new(&rules::jiu::VARIANT), String::new());
    /// session.feed(b"play H8", &mut NoHost, &mut out);
    /// session.finish(&mut NoHost, &mut out);
    /// assert_eq!(out, "= H8\n\n");
    /// ```
    pub fn finish(&mut self, host: &mut dyn Host, out: &mut String) {
        let last = self.lines.finish();
        if let Some(line) = last.filter(|_| !self.ended) {
            self.line(line, host, out);
        }
    }

    fn line(&mut self, line: Line, host: &mut dyn Host, out: &mut String) {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                let detail = alloc::format!("a line has at most {LINE_BYTES_MAX} bytes");
                return answer(out, '?', "", &Failure::new("TOO_LONG", detail).to_string());
            }
        };
        let Some(request) = Request::read(&text) else { return };
        let answered = match &mut self.speaker {
            Ok(Speaker::Shoutan(engine)) => {
                let command = Command::read(engine.game(), &request.words);
                command
                    .and_then(|command| {
                        self.ended = command == Command::Quit;
                        engine.run(&command, host)
                    })
                    .map(|answer| answer.to_string())
                    .map_err(|failure| failure.to_string())
            }
            Ok(Speaker::Gtp(gtp)) => {
                let words: Vec<&str> = request.words.split(' ').collect();
                let answered = gtp.run(&words, host);
                self.ended = gtp.has_ended();
                answered
            }
            Err(error) => Err(Failure::from(error.clone()).to_string()),
        };
        match answered {
            Ok(text) => answer(out, '=', &request.id, &text),
            Err(text) => answer(out, '?', &request.id, &text),
        }
    }
}
