//! The input of a round as bytes: what is hashed and stored before it is paired (section 2, step 1).

use core::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::Input;
use crate::{Colour, Entry, Player, Status};

impl Input {
    /// Lines of ASCII text, one form for one input: the round, the settings in their order, prohibited pairs in their
    /// order, and of each player his number, affiliations, statuses and history.
    ///
    /// ```
    /// use pairing::{Player, swiss::Input};
    /// let input = Input::new(1, 5, vec![Player::new(1), Player::new(2)]);
    /// assert!(input.bytes().starts_with(b"swiss 1\nround 1 of 5\n"));
    /// ```
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text);
        text.into_bytes()
    }

    /// SHA-256 of [`Input::bytes`].
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.bytes()).into()
    }

    fn write(&self, to: &mut String) -> core::fmt::Result {
        writeln!(to, "swiss 1\nround {} of {}", self.round, self.rounds)?;
        to.push_str("seed ");
        self.seed.iter().try_for_each(|byte| write!(to, "{byte:02x}"))?;
        let it = &self.settings;
        writeln!(
            to,
            "\ncolours {} odd {} absolute_first {}",
            it.colours.name(),
            it.odd_has.name(),
            it.absolute_first
        )?;
        writeln!(to, "first_round {} apart_rounds {}", it.first_round.name(), it.apart_rounds)?;
        writeln!(to, "pab {} half_bye_is_downfloat {}", it.pab_points, it.half_bye_is_downfloat)?;
        writeln!(to, "acceleration {} relaxed {}", it.acceleration.name(), it.relaxed.name())?;
        for pair in &self.prohibited {
            writeln!(to, "prohibited {} {} rounds {} {}", pair.a, pair.b, pair.from_round, pair.to_round)?;
        }
        self.players.iter().try_for_each(|player| write_player(to, player))
    }
}

fn write_player(to: &mut String, player: &Player) -> core::fmt::Result {
    write!(to, "player {} start {} of", player.number, player.start)?;
    player.affiliations.iter().try_for_each(|it| write!(to, " {it}"))?;
    to.push('\n');
    for state in &player.states {
        match state {
            Status::Registered => writeln!(to, " registered")?,
            Status::Active { from_round } => writeln!(to, " active {from_round}")?,
            Status::Absent { round } => writeln!(to, " absent {round}")?,
            Status::Bye { round, code } => writeln!(to, " bye {round} {}", code.name())?,
            Status::Withdrawn { after_round } => writeln!(to, " withdrawn {after_round}")?,
            Status::Expelled { after_round } => writeln!(to, " expelled {after_round}")?,
            Status::Annulled => writeln!(to, " annulled")?,
        }
    }
    player.history.iter().try_for_each(|entry| write_entry(to, entry))
}

/// Warnings, ratings and the reasons of results are left out: no pairing depends on them.
fn write_entry(to: &mut String, entry: &Entry) -> core::fmt::Result {
    let colour = |colour: Option<Colour>| colour.map_or("-", Colour::name);
    write!(to, " {} {} {}", entry.round, entry.code.name(), colour(entry.assigned))?;
    match entry.opponent {
        Some(opponent) => writeln!(to, " {opponent}"),
        None => writeln!(to),
    }
}
