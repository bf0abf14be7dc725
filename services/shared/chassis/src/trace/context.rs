//! What names a call among all that is done for the sake of the same one, as W3C has it (Trace Context, level 2).

use std::{
    fmt,
    num::{NonZeroU64, NonZeroU128},
    str::FromStr,
};

use http::HeaderValue;

/// The header in which it is carried.
pub const TRACEPARENT: &str = "traceparent";

/// Which trace a call belongs to, and which part of it made the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// What all calls have in common that are made for the sake of the first.
    pub trace: NonZeroU128,
    /// What made the call.
    pub span: NonZeroU64,
    /// Whether somebody collects the trace.
    pub is_sampled: bool,
}

/// A text is no `traceparent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a traceparent")]
pub struct BadTraceparent;

const SAMPLED: u8 = 1;

impl TraceContext {
    /// As a header has it.
    ///
    /// # Panics
    /// Never: it is hexadecimal.
    pub fn header(&self) -> HeaderValue {
        HeaderValue::try_from(self.to_string()).expect("hexadecimal digits may stand in a header")
    }

    /// What a header says; nothing where it says nothing that can be read.
    pub fn of_header(value: &HeaderValue) -> Option<Self> {
        value.to_str().ok()?.parse().ok()
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = u8::from(self.is_sampled) * SAMPLED;
        write!(f, "00-{:032x}-{:016x}-{flags:02x}", self.trace, self.span)
    }
}

impl FromStr for TraceContext {
    type Err = BadTraceparent;

    /// Versions to come may have more at the end; what stands before it means the same.
    fn from_str(text: &str) -> Result<Self, BadTraceparent> {
        let mut parts = text.splitn(5, '-');
        let mut part = |digits| hex(parts.next().unwrap_or_default(), digits).ok_or(BadTraceparent);
        let (version, trace, span, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        if version == 0xff || version == 0 && parts.next().is_some() {
            return Err(BadTraceparent);
        }
        let trace = NonZeroU128::new(trace).ok_or(BadTraceparent)?;
        let span = u64::try_from(span).ok().and_then(NonZeroU64::new).ok_or(BadTraceparent)?;
        Ok(TraceContext { trace, span, is_sampled: flags & u128::from(SAMPLED) != 0 })
    }
}

/// A number of so many small hexadecimal digits.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == digits && text.bytes().all(is_digit)).then(|| u128::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EXAMPLE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn the_example_of_the_standard_is_read_and_written() {
        let context: TraceContext = EXAMPLE.parse().expect("it is one");
        assert_eq!(context.trace.get(), 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c);
        assert_eq!(context.span.get(), 0xb7ad_6b71_6920_3331);
        assert!(context.is_sampled);
        assert_eq!(context.to_string(), EXAMPLE);
        assert_eq!(TraceContext::of_header(&context.header()), Some(context));
    }

    #[test]
    fn what_is_to_come_is_read_as_far_as_it_is_known_and_what_is_wrong_is_not() {
        let later = format!("{}-more", EXAMPLE.replacen("00", "01", 1));
        assert_eq!(later.parse::<TraceContext>().map(|it| it.to_string()), Ok(EXAMPLE.to_owned()));
        let all_zero = [
            EXAMPLE.replace(&EXAMPLE[3..35], &"0".repeat(32)),
            EXAMPLE.replace(&EXAMPLE[36..52], &"0".repeat(16)),
        ];
        let wrong = [
            "",
            "00",
            "00-1-2-01",
            &EXAMPLE.to_uppercase(),
            &format!("{EXAMPLE}-more"),
            &EXAMPLE.replacen("00", "ff", 1),
        ];
        for text in wrong.into_iter().chain(all_zero.iter().map(String::as_str)) {
            assert_eq!(text.parse::<TraceContext>(), Err(BadTraceparent), "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_again(trace in 1_u128.., span in 1_u64.., is_sampled: bool) {
            let (trace, span) = (NonZeroU128::new(trace).expect("not zero"), NonZeroU64::new(span).expect("not zero"));
            let context = TraceContext { trace, span, is_sampled };
            prop_assert_eq!(context.to_string().parse(), Ok(context));
        }

        #[test]
        fn no_text_is_too_strange(text in ".{0,80}") {
            let _anything_but_a_panic = text.parse::<TraceContext>();
        }
    }
}
