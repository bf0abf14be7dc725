use super::history::Recurrence;

named! {
    /// Which repetitions of the whole board are forbidden.
    ///
    /// Let `L` be the number of turns, passes included, since the board that a move would make was last there.
    /// An immediate retake (`L` = 2) is forbidden by all four; once the end has been confirmed and play was
    /// resumed, all four are as strict as [`Repetition::Psk`] (article 20.2).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Repetition {
        /// Articles 6 and 20 together. Forbidden: `L` odd (the other side to move, as in sending two returning
        /// one) and `L` even with a pass in the cycle. An even `L` of 4 or more without a pass (triple ko,
        /// eternal life) is legal and a *long cycle* (article 20.3).
        Cn1988 => "cn1988",
        /// Article 6 alone: positional superko, no board twice.
        Psk => "psk",
        /// The later text: no move may make the opponent face a board that he has faced; situational superko.
        Situational => "situational",
        /// Nothing else is forbidden; a balanced cycle is a long cycle as under [`Repetition::Cn1988`].
        Simple => "simple",
    }
}

/// What a repetition means under a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Legal,
    /// An immediate retake.
    Ko,
    /// A forbidden repetition that is no immediate retake.
    Forbidden,
    /// Legal; the board is there for the `occurrence`-th time since the last pass.
    LongCycle { occurrence: u32 },
}

impl Repetition {
    /// Judges a move that makes a board of the past.
    pub(super) fn judge(self, recurrence: &Recurrence) -> Verdict {
        let Recurrence { distance, faced, since_pass } = *recurrence;
        if distance == 2 {
            return Verdict::Ko;
        }
        // The last time has no pass behind it exactly when some time has none.
        let balanced = distance % 2 == 0 && since_pass > 0;
        match self {
            Repetition::Cn1988 | Repetition::Simple if balanced => {
                Verdict::LongCycle { occurrence: since_pass + 1 }
            }
            Repetition::Psk | Repetition::Cn1988 => Verdict::Forbidden,
            Repetition::Situational if faced => Verdict::Forbidden,
            Repetition::Situational | Repetition::Simple => Verdict::Legal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Recurrence, Repetition, Verdict};

    #[test]
    fn the_table_of_1988() {
        let check = |distance, since_pass, verdict| {
            let recurrence = Recurrence { distance, faced: distance % 2 == 0, since_pass };
            assert_eq!(Repetition::Cn1988.judge(&recurrence), verdict, "{recurrence:?}");
        };
        check(2, 1, Verdict::Ko);
        check(3, 1, Verdict::Forbidden);
        check(5, 0, Verdict::Forbidden);
        check(4, 0, Verdict::Forbidden);
        check(6, 0, Verdict::Forbidden);
        check(4, 1, Verdict::LongCycle { occurrence: 2 });
        check(6, 2, Verdict::LongCycle { occurrence: 3 });
    }
}
