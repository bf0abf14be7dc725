//! Languages as they are written: a tag, the script and its direction, and what is read instead.

use std::{fmt, str::FromStr};

/// A language, and its script where there are several: a tag of BCP 47, such as `zh`, `bo` or `mn-Mong`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(String);

/// Why a text is no tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a language is written as zh, bo, mn-Mong or zh-Hant-HK")]
pub struct InvalidLanguage;

/// Languages whose readers in China read Chinese, too: it is nearer to them than English.
const BESIDE_CHINESE: [&str; 9] = ["bo", "mn-Mong", "mvf", "ug", "ii", "za", "kk-Arab", "adx", "khg"];

/// Languages that are written from the right where the tag names no script.
const FROM_THE_RIGHT: [&str; 9] = ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

/// Scripts that are written from the right.
const SCRIPTS_FROM_THE_RIGHT: [&str; 6] = ["Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/// Languages that have one form for every number.
const WITHOUT_PLURAL: [&str; 12] = ["zh", "bo", "dz", "ja", "ko", "vi", "th", "lo", "my", "ii", "id", "adx"];

impl Language {
    /// English, which every word is in.
    #[must_use]
    pub fn english() -> Language {
        Language("en".to_owned())
    }

    /// Chinese.
    #[must_use]
    pub fn chinese() -> Language {
        Language("zh".to_owned())
    }

    /// The tag: what stands in `lang` of a page.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.0
    }

    /// The languages to look for a word in, from this one to English. A region is left out before the language is; so is
    /// the script of Chinese, but no other: Mongolian in its own script is not read by who asked for it in Cyrillic.
    #[must_use]
    pub fn fallbacks(&self) -> Vec<Language> {
        let mut chain = vec![self.clone()];
        let without_region = self.without_region();
        chain.push(Language(without_region.to_owned()));
        if self.primary() == "zh" || BESIDE_CHINESE.contains(&without_region) {
            chain.push(Language::chinese());
        }
        chain.push(Language::english());
        chain.dedup();
        chain
    }

    /// Whether its lines are columns from left to right: Mongolian in its own script.
    #[must_use]
    pub fn is_vertical(&self) -> bool {
        self.script() == Some("Mong") || (self.primary() == "mvf" && self.script().is_none())
    }

    /// Whether it is written from the right.
    #[must_use]
    pub fn is_from_the_right(&self) -> bool {
        match self.script() {
            Some(script) => SCRIPTS_FROM_THE_RIGHT.contains(&script),
            None => FROM_THE_RIGHT.contains(&self.primary()),
        }
    }

    /// Whether one of something is said otherwise than several.
    pub(crate) fn has_plural(&self) -> bool {
        !WITHOUT_PLURAL.contains(&self.primary())
    }

    fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    fn script(&self) -> Option<&str> {
        self.0.split('-').nth(1).filter(|part| part.len() == 4)
    }

    fn without_region(&self) -> &str {
        match self.0.rsplit_once('-') {
            Some((rest, region)) if region.len() == 2 => rest,
            _ => &self.0,
        }
    }
}

impl FromStr for Language {
    type Err = InvalidLanguage;

    fn from_str(tag: &str) -> Result<Language, InvalidLanguage> {
        let mut parts = tag.split('-').peekable();
        let primary = parts.next().unwrap_or_default();
        let lower = primary.bytes().all(|b| b.is_ascii_lowercase());
        if !lower || !(2..=3).contains(&primary.len()) {
            return Err(InvalidLanguage);
        }
        parts.next_if(|part| is_script(part));
        parts.next_if(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_uppercase()));
        if parts.next().is_some() { Err(InvalidLanguage) } else { Ok(Language(tag.to_owned())) }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Four letters, of which the first is a capital.
fn is_script(part: &str) -> bool {
    let bytes = part.as_bytes();
    bytes.len() == 4 && bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(tag: &str) -> Vec<String> {
        let language: Language = tag.parse().expect("a language");
        language.fallbacks().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_language_falls_back_to_what_its_readers_read() {
        assert_eq!(chain("bo"), ["bo", "zh", "en"]);
        assert_eq!(chain("bo-IN"), ["bo-IN", "bo", "zh", "en"]);
        assert_eq!(chain("mn-Mong"), ["mn-Mong", "zh", "en"]);
        assert_eq!(chain("mn"), ["mn", "en"]);
        assert_eq!(chain("zh-Hant-HK"), ["zh-Hant-HK", "zh-Hant", "zh", "en"]);
        assert_eq!(chain("zh"), ["zh", "en"]);
        assert_eq!(chain("de"), ["de", "en"]);
        assert_eq!(chain("en"), ["en"]);
    }

    #[test]
    fn each_script_has_its_direction() {
        let of = |tag: &str| {
            let language: Language = tag.parse().expect("a language");
            (language.is_vertical(), language.is_from_the_right())
        };
        assert_eq!(of("mn-Mong"), (true, false));
        assert_eq!(of("mn"), (false, false));
        assert_eq!(of("mn-Cyrl"), (false, false));
        assert_eq!(of("ug"), (false, true));
        assert_eq!(of("ug-Latn"), (false, false));
        assert_eq!(of("bo"), (false, false));
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for bad in
            ["", "z", "ZH", "zh_CN", "zh-cn", "zh-", "zh-CN-Hans", "zh\"", "chinese", "mn-mong", "zh-CN-CN"]
        {
            assert_eq!(bad.parse::<Language>(), Err(InvalidLanguage), "{bad:?}");
        }
    }
}
