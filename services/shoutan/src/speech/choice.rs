//! The choice of the language: what the command line says, or the environment.

use std::{borrow::Cow, ffi::OsString};

use catalogue::{InvalidLanguage, Language};

/// The name of the argument, as the reader of the command line knows it: no argument of a sub-command has it, for which the
/// language of all would stand in.
pub(crate) const ID: &str = "spoken-language";

/// The flag. It is looked for before the command line is read, because help is said while that happens.
const FLAG: &str = "--language";

/// The variable that says it for this command alone.
const VARIABLE: &str = "SHOUTAN_LANGUAGE";

/// The variables of the locale, of which the first that says anything decides.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language that is asked for; English where nothing, or nothing that is one, is said.
pub(super) fn language(args: &[OsString], variable: impl Fn(&str) -> Option<String>) -> Language {
    let said = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(flag) = flag(args) {
        return tag(&flag).unwrap_or_else(|_| Language::english());
    }
    if let Some(own) = said(VARIABLE) {
        return tag(&own).unwrap_or_else(|_| Language::english());
    }
    LOCALE.into_iter().find_map(said).and_then(|locale| of_locale(&locale)).unwrap_or_else(Language::english)
}

/// Reads a language as people write it: `zh-CN` or `zh_CN`.
pub(crate) fn tag(text: &str) -> Result<Language, InvalidLanguage> {
    text.replace('_', "-").parse()
}

fn flag(args: &[OsString]) -> Option<String> {
    let mut args = args.iter().skip(1).map(|arg| arg.to_string_lossy()).take_while(|arg| arg != "--");
    while let Some(arg) = args.next() {
        match arg.strip_prefix(FLAG) {
            Some("") => return args.next().map(Cow::into_owned),
            Some(rest) if rest.starts_with('=') => return Some(rest[1..].to_owned()),
            _ => {}
        }
    }
    None
}

/// The language of a locale such as `zh_CN.UTF-8` or `mn_MN@mong`; none for `C` and `POSIX`, nor for one whose signs are not
/// those that are written here.
fn of_locale(locale: &str) -> Option<Language> {
    let (locale, _) = locale.split_once('@').unwrap_or((locale, ""));
    let (language, signs) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
    let are_ours = signs.eq_ignore_ascii_case("UTF-8") || signs.eq_ignore_ascii_case("utf8");
    if are_ours { tag(language).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(args: &[&str], variables: &[(&str, &str)]) -> String {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        language(&args, variable).tag().to_owned()
    }

    #[test]
    fn the_flag_goes_before_the_variable_and_that_before_the_locale() {
        let all = [("SHOUTAN_LANGUAGE", "bo"), ("LC_ALL", "de_DE.UTF-8"), ("LANG", "fr_FR.UTF-8")];
        assert_eq!(chosen(&["shoutan", "event", "--language", "zh"], &all), "zh");
        assert_eq!(chosen(&["shoutan", "--language=zh_CN", "event"], &all), "zh-CN");
        assert_eq!(chosen(&["shoutan", "event", "--", "--language", "zh"], &all), "bo");
        assert_eq!(chosen(&["shoutan"], &all), "bo");
        assert_eq!(chosen(&["shoutan"], &all[1..]), "de-DE");
        assert_eq!(chosen(&["shoutan"], &[("LC_ALL", ""), ("LC_MESSAGES", "zh_CN"), ("LANG", "C")]), "zh-CN");
    }

    #[test]
    fn what_is_no_language_is_english() {
        for locale in ["C", "POSIX", "C.UTF-8", "", "zh_CN.GB18030", "zh_CN.GBK"] {
            assert_eq!(chosen(&["shoutan"], &[("LANG", locale)]), "en", "{locale}");
        }
        assert_eq!(chosen(&["shoutan"], &[]), "en");
        assert_eq!(chosen(&["shoutan", "--language", "Chinese"], &[("LANG", "zh_CN.UTF-8")]), "en");
        assert_eq!(chosen(&["shoutan", "--language"], &[]), "en");
        assert_eq!(chosen(&["shoutan"], &[("LANG", "mn_MN.utf8@mong")]), "mn-MN");
    }
}
