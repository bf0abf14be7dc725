//! Imports and variants as protos.

use api::game::v1 as pb;

use crate::{app::Import, store::imports::Usage};

/// An import as its owner sees it.
pub(super) fn import(import: &Import) -> pb::Import {
    let Import { game, kept } = import;
    pb::Import {
        game_id: kept.game_id.to_string(),
        game: game.as_ref().map(|game| game.shown()),
        bytes: u64::try_from(kept.bytes).unwrap_or_default(),
        published: kept.published,
    }
}

/// How much an account has imported, or may.
pub(super) fn usage(usage: Usage) -> pb::ImportUsage {
    pb::ImportUsage { records: usage.records, bytes: usage.bytes }
}

/// A variant with its rule sets and options.
pub(super) fn variant(variant: &rules::Variant) -> pb::Variant {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pb::Variant {
        id: variant.id.to_owned(),
        name: variant.name.to_owned(),
        native_name: variant.native_name.to_owned(),
        first_colour: variant.colours[0].name().to_owned(),
        second_colour: variant.colours[1].name().to_owned(),
        rule_sets: variant
            .rule_sets
            .iter()
            .map(|rule_set| pb::RuleSet {
                id: rule_set.id.to_owned(),
                description: rule_set.describes.to_owned(),
                options: rule_set.sets.iter().map(owned).collect(),
            })
            .collect(),
        options: variant
            .options
            .iter()
            .map(|option| pb::VariantOption {
                name: option.name.to_owned(),
                default_value: option.default.to_owned(),
                values: option.values.to_owned(),
                description: option.describes.to_owned(),
            })
            .collect(),
    }
}
