//! What is said of the variants.

use rules::{LocalName, MarkInfo, OptionInfo, RuleSetInfo, Variant};

use crate::{ProtoEnum as _, game::v1 as pb};

/// A variant as a client is told of it.
impl From<&Variant> for pb::Variant {
    fn from(variant: &Variant) -> Self {
        pb::Variant {
            id: variant.id.to_owned(),
            first_colour: variant.colours[0].name().to_owned(),
            second_colour: variant.colours[1].name().to_owned(),
            rule_sets: variant.rule_sets.iter().map(Into::into).collect(),
            options: variant.options.iter().map(Into::into).collect(),
            names: variant.names.iter().map(Into::into).collect(),
            lines_min: u32::from(*variant.lines.start()),
            lines_max: u32::from(*variant.lines.end()),
            axes: variant.axes.number(),
            marks: variant.marks.iter().map(Into::into).collect(),
            places_first: variant.places_first.number(),
            moves_first: variant.moves_first.number(),
            pass: variant.pass.unwrap_or_default().to_owned(),
            draw_offers: variant.offers.number(),
            main_time_min: variant.main_time_min.and_then(|time| time.try_into().ok()),
            record_extensions: variant.record_extensions.iter().map(|&ending| ending.to_owned()).collect(),
        }
    }
}

impl From<&RuleSetInfo> for pb::RuleSet {
    fn from(rule_set: &RuleSetInfo) -> Self {
        let overrides = rule_set.overrides.iter();
        pb::RuleSet {
            id: rule_set.id.to_owned(),
            description: rule_set.description.to_owned(),
            options: overrides.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        }
    }
}

impl From<&OptionInfo> for pb::VariantOption {
    fn from(option: &OptionInfo) -> Self {
        pb::VariantOption {
            name: option.name.to_owned(),
            default_value: option.default.to_owned(),
            values: option.values.to_owned(),
            description: option.description.to_owned(),
        }
    }
}

impl From<&LocalName> for pb::LocalName {
    fn from(name: &LocalName) -> Self {
        pb::LocalName { language: name.language.to_owned(), name: name.name.to_owned() }
    }
}

impl From<&MarkInfo> for pb::MarkKind {
    fn from(mark: &MarkInfo) -> Self {
        pb::MarkKind { kind: mark.kind.to_owned(), description: mark.description.to_owned() }
    }
}
