//! What is said of the variants.

use api::game::v1 as pb;
use rules::Variant;

use super::Numbered as _;
use super::optional_number;

/// A variant as a client is told of it.
pub(crate) fn variant_to_pb(variant: &Variant) -> pb::Variant {
    pb::Variant {
        id: variant.id.to_owned(),
        first_colour: variant.colours[0].name().to_owned(),
        second_colour: variant.colours[1].name().to_owned(),
        rule_sets: variant.rule_sets.iter().map(rule_set_to_pb).collect(),
        options: variant.options.iter().map(option_to_pb).collect(),
        names: variant.names.iter().map(name_to_pb).collect(),
        lines_min: u32::from(*variant.lines.start()),
        lines_max: u32::from(*variant.lines.end()),
        axes: variant.axes.number(),
        marks: variant.marks.iter().map(mark_to_pb).collect(),
        places_first: optional_number(variant.places_first),
        moves_first: optional_number(variant.moves_first),
        pass: variant.pass.unwrap_or_default().to_owned(),
        draw_offers: variant.offers.number(),
        main_time_min: variant.main_time_min.and_then(|time| time.try_into().ok()),
        record_extensions: variant.record_extensions.iter().map(|&ending| ending.to_owned()).collect(),
    }
}

fn rule_set_to_pb(rule_set: &rules::RuleSetInfo) -> pb::RuleSet {
    pb::RuleSet {
        id: rule_set.id.to_owned(),
        description: rule_set.description.to_owned(),
        options: rule_set
            .overrides
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
    }
}

fn option_to_pb(option: &rules::OptionInfo) -> pb::VariantOption {
    pb::VariantOption {
        name: option.name.to_owned(),
        default_value: option.default.to_owned(),
        values: option.values.to_owned(),
        description: option.description.to_owned(),
    }
}

fn name_to_pb(name: &rules::LocalName) -> pb::LocalName {
    pb::LocalName { language: name.language.to_owned(), name: name.name.to_owned() }
}

fn mark_to_pb(mark: &rules::MarkInfo) -> pb::MarkKind {
    pb::MarkKind { kind: mark.kind.to_owned(), description: mark.description.to_owned() }
}
