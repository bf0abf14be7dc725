//! Names that are blacked out on pages that were made before: of somebody who is forgotten.
//!
//! A name that stands in its place on a page has the mark of whose it is, so that his alone is found, whatever it was when
//! the page was made and whoever else is called so. In what an official has written names have no marks, and are found by
//! their letters.

/// What stands where a name was.
const BLACK: &str = "███";
/// How every name begins that has a mark.
const NAME: &str = "<span class=\"name\"";

/// The page with every name of this mark blacked out; none where it has no such name.
///
/// ```
/// let page = r#"<td><span class="name" data-of="7"><bdi class="native">Anna</bdi></span></td>"#;
/// let black = papers::blacked_out(page, "7").expect("she is there");
/// assert_eq!(black, r#"<td><span class="name"><bdi class="native">███</bdi></span></td>"#);
/// assert_eq!(papers::blacked_out(&black, "7"), None);
/// ```
#[must_use]
pub fn blacked_out(page: &str, mark: &str) -> Option<String> {
    let begin = format!("{NAME} data-of=\"{mark}\">");
    let (mut black, mut rest) = (String::new(), page);
    while let Some((before, name)) = rest.split_once(&*begin) {
        black.push_str(before);
        black.extend([NAME, "><bdi class=\"native\">", BLACK, "</bdi></span>"]);
        rest = &name[end_of_span(name)..];
    }
    if black.is_empty() { None } else { Some(black + rest) }
}

/// Where the span ends in which a text begins.
fn end_of_span(text: &str) -> usize {
    const END: &str = "</span>";
    let (mut depth, mut at) = (1, 0);
    while depth > 0 {
        let Some(tag) = text[at..].find('<') else { return text.len() };
        at += tag;
        if text[at..].starts_with(END) {
            depth -= 1;
            at += END.len();
        } else {
            depth += usize::from(text[at..].starts_with("<span"));
            at += 1;
        }
    }
    at
}

/// The page with these names blacked out wherever somebody has written them; none where nobody has.
///
/// ```
/// let page = "<body><p>Anna and Annabel</p></body>";
/// assert_eq!(papers::without(page, &["Anna"]).as_deref(), Some("<body><p>███ and Annabel</p></body>"));
/// assert_eq!(papers::without("<body><p class=\"Anna\">Annabel</p></body>", &["Anna"]), None);
/// ```
#[must_use]
pub fn without(page: &str, names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().filter(|it| !it.is_empty()).map(|it| escaped(it)).collect();
    // What stands before the body is ours.
    let body = page.find("<body").unwrap_or_default();
    let mut black = page[..body].to_owned();
    let mut found = false;
    for part in page[body..].split_inclusive('>') {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        let mut text = text.to_owned();
        for name in &names {
            found |= black_in(&mut text, name);
        }
        black.push_str(&text);
        black.push_str(tag);
    }
    found.then_some(black)
}

/// A text with these names blacked out; none where they are not in it.
#[must_use]
pub fn text_without(text: &str, names: &[&str]) -> Option<String> {
    let mut black = text.to_owned();
    let mut found = false;
    for name in names.iter().filter(|it| !it.is_empty()) {
        found |= black_in(&mut black, name);
    }
    found.then_some(black)
}

/// Blacks a name out in a text, and says whether it was there.
fn black_in(text: &mut String, name: &str) -> bool {
    let (mut from, mut found) = (0, false);
    while let Some(at) = text[from..].find(name) {
        let (at, end) = (from + at, from + at + name.len());
        if is_word(&text[..at], name, &text[end..]) {
            text.replace_range(at..end, BLACK);
            (from, found) = (at + BLACK.len(), true);
        } else {
            from = at + name.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Whether a name stands for itself between what is before and after it. Where a script has no capitals it is not asked:
/// most of those put no blanks between words, or join endings to them.
fn is_word(before: &str, name: &str, after: &str) -> bool {
    let cased = |sign: Option<char>| sign.is_some_and(|it| it.is_lowercase() || it.is_uppercase());
    let joined = |one, other| cased(one) && cased(other);
    !joined(before.chars().next_back(), name.chars().next())
        && !joined(name.chars().next_back(), after.chars().next())
}

/// A text as it stands on a page.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '"' | '&' | '\'' | '<' | '>' => escaped.extend(["&#", &u32::from(sign).to_string(), ";"]),
            sign => escaped.push(sign),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Head, Name, Notice, Paper, Person, Roster, Sheet, html};

    fn page(sheet: Sheet) -> String {
        let paper = Paper { languages: vec!["zh".to_owned(), "en".to_owned()], head: Head::default(), sheet };
        html(&paper, catalogue::Catalogue::shipped()).expect("a page")
    }

    fn roster(names: &[Name]) -> String {
        let entrant = |name: &Name| crate::Entrant {
            who: Person { name: name.clone(), ..Person::default() },
            ..crate::Entrant::default()
        };
        page(Sheet::Roster(Roster { players: names.iter().map(entrant).collect(), ..Roster::default() }))
    }

    #[test]
    fn a_marked_name_is_blacked_out_and_no_namesake_is() {
        let name = |native: &str, latin: &str, mark: &str| Name::new(native, latin).marked(mark.to_owned());
        let [tashi, namesake, dolma] =
            [name("བཀྲ་ཤིས", "Tashi", "a-1"), name("བཀྲ་ཤིས", "Tashi", "a-11"), name("卓玛", "", "b")];
        let before = roster(&[tashi, namesake.clone(), dolma.clone()]);
        let black = blacked_out(&before, "a-1").expect("he is there");
        let nameless = roster(&[Name::new("███", ""), namesake, dolma]);
        assert_eq!(black.matches("Tashi").count(), 1);
        assert_eq!(black.matches("███").count(), nameless.matches("███").count());
        assert_eq!(black.matches("<span").count(), black.matches("</span>").count());
        assert_eq!(blacked_out(&before, "c"), None);
    }

    #[test]
    fn what_an_official_has_written_loses_the_name_and_nothing_else() {
        let text = "O'Brien <b> & 卓玛才让. Brien, 卓玛的\n\nབཀྲ་ཤིསའི།";
        let of = |text: &str| page(Sheet::Notice(Notice { text: text.to_owned(), ..Notice::default() }));
        let black = without(&of(text), &["O'Brien", "卓玛", "བཀྲ་ཤིས", ""]).expect("they are there");
        assert_eq!(black, of("███ <b> & ███才让. Brien, ███的\n\n███འི།"));
        assert_eq!(without(&of("Briens and section"), &["Brien", "section2", "p", "body"]), None);
    }
}
