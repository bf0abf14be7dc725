//! A look over the pages: letters that no font has, and texts that reach over an edge.

use std::collections::BTreeSet;

use typst::layout::{Abs, Frame, FrameItem, Point, Transform};
use typst_layout::Page;

use crate::{Fault, script::Lacking};

/// How far a text may reach over the edge before it is cut: nothing that the eye sees.
const SLACK: Abs = Abs::raw(0.5);
/// How much of a text that is cut is told.
const TOLD_CHARS: usize = 40;

/// Looks at every text of every page.
pub(crate) fn over(pages: &[Page]) -> Result<(), Fault> {
    let mut lacking = BTreeSet::new();
    for (at, page) in pages.iter().enumerate() {
        let mut look = Look { size: page.frame.size().to_point(), lacking: &mut lacking, cut: None };
        look.at(&page.frame, Transform::identity());
        if let Some(text) = look.cut {
            return Err(Fault::Cut { page: at + 1, text });
        }
    }
    if lacking.is_empty() { Ok(()) } else { Err(Fault::Lacking(Lacking::new(lacking))) }
}

/// What is seen on a page.
struct Look<'a> {
    size: Point,
    lacking: &'a mut BTreeSet<char>,
    cut: Option<String>,
}

impl Look<'_> {
    fn at(&mut self, frame: &Frame, transform: Transform) {
        for (position, item) in frame.items() {
            let here = transform.pre_concat(Transform::translate(position.x, position.y));
            match item {
                FrameItem::Group(group) => self.at(&group.frame, here.pre_concat(group.transform)),
                FrameItem::Text(text) => {
                    for glyph in text.glyphs.iter().filter(|glyph| glyph.id == 0) {
                        let letters = text.text.get(glyph.range()).unwrap_or_default();
                        self.lacking.extend(letters.chars().filter(|c| is_seen(*c)));
                    }
                    let from = Point::zero().transform(here);
                    let to = Point::new(text.width(), Abs::zero()).transform(here);
                    if !self.is_inside(from) || !self.is_inside(to) {
                        self.cut.get_or_insert_with(|| text.text.chars().take(TOLD_CHARS).collect());
                    }
                }
                _ => {}
            }
        }
    }

    fn is_inside(&self, point: Point) -> bool {
        let within = |at: Abs, end: Abs| at >= -SLACK && at <= end + SLACK;
        within(point.x, self.size.x) && within(point.y, self.size.y)
    }
}

/// Whether a letter is more than a hint of how others are joined or broken.
fn is_seen(c: char) -> bool {
    !c.is_control()
        && !c.is_whitespace()
        && !matches!(c, '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' | '\u{00AD}')
}
