//! The acts that went in, and those that came out.

use anyhow::{Context as _, ensure};
use rules::{Act, RuleSet, Variant};

/// The acts in canonical notation. A record, and a client, may write them otherwise.
///
/// # Errors
/// When the rules refuse one: then the server has accepted what it should not.
pub(super) fn canonical(
    variant: &'static Variant,
    rule_set: &RuleSet,
    acts: &[Act],
) -> anyhow::Result<Vec<Act>> {
    let mut game = (variant.start)(rule_set)?;
    let mut canonical = Vec::with_capacity(acts.len());
    for (index, act) in acts.iter().enumerate() {
        let played = game
            .act(act.author, &act.text)
            .with_context(|| format!("the server accepted act {}, {}", index + 1, act.text))?;
        canonical.push(Act::by(act.author, played.text));
    }
    Ok(canonical)
}

/// Says where two lists of acts differ first.
///
/// # Errors
/// When they do.
pub(super) fn same(played: &[Act], exported: &[Act]) -> anyhow::Result<()> {
    for (index, (played, exported)) in played.iter().zip(exported).enumerate() {
        let number = index + 1;
        ensure!(
            played == exported,
            "the export has {} as act {number} where {} was played",
            exported.text,
            played.text
        );
    }
    let (played, exported) = (played.len(), exported.len());
    ensure!(played == exported, "the export has {exported} acts where {played} were played");
    Ok(())
}

#[cfg(test)]
mod tests {
    use rules::{Side, go};

    use super::*;

    fn acts(texts: &[&str]) -> Vec<Act> {
        let sides = Side::BOTH.into_iter().cycle();
        texts.iter().zip(sides).map(|(text, side)| Act::by(side, *text)).collect()
    }

    #[test]
    fn spelling_does_not_matter() {
        let rule_set = RuleSet::named("").with("size", "9");
        let played = canonical(&go::VARIANT, &rule_set, &acts(&["e5", "G7", "PASS"])).expect("legal acts");
        assert_eq!(played, acts(&["E5", "G7", "pass"]));
        assert!(canonical(&go::VARIANT, &rule_set, &acts(&["E5", "E5"])).is_err());
    }

    #[test]
    fn differences_are_found() {
        let played = acts(&["E5", "G7"]);
        assert!(same(&played, &acts(&["E5", "G7"])).is_ok());
        let differs = |texts: &[&str]| same(&played, &acts(texts)).expect_err("they differ").to_string();
        assert_eq!(differs(&["E5", "G8"]), "the export has G8 as act 2 where G7 was played");
        assert_eq!(differs(&["E5"]), "the export has 1 acts where 2 were played");
        let turned: Vec<Act> = played
            .iter()
            .map(|act| Act::by(act.side().expect("a player").other(), act.text.clone()))
            .collect();
        assert!(same(&played, &turned).is_err());
    }
}
