//! Names in their own script, and how they are found again.

use std::collections::{BTreeMap, BTreeSet};

use super::{National, Report};
use crate::Number;

/// Columns of a player's name.
pub(super) const NAME_COLUMNS: usize = 33;

/// As much of a name as its field has columns for.
///
/// ```
/// assert_eq!(pairing::trf::fit_name("བཀྲ་ཤིས་རྡོ་རྗེ།"), "བཀྲ་ཤིས་རྡོ་རྗེ།");
/// assert_eq!(pairing::trf::fit_name(&"name ".repeat(9)), "name name name name name name nam");
/// ```
pub fn fit_name(name: &str) -> &str {
    let name = name.trim();
    let end = name.char_indices().nth(NAME_COLUMNS).map_or(name.len(), |(at, _)| at);
    name[..end].trim_end()
}

impl Report {
    /// The name of a player in his own script: that of a federation's record, else that of his own.
    pub fn native_name(&self, number: Number) -> Option<&str> {
        let national = self.national.iter().find(|it| it.number == number && !it.name.is_empty());
        national.map(|it| it.name.as_str()).or_else(|| self.player(number).map(|it| it.name.as_str()))
    }

    /// Gives the players of a report that came without them the records of federations of another one, by the ids of the
    /// players: names and numbers may have changed meanwhile. Whoever has no id, or has such a record, keeps what he has.
    ///
    /// ```
    /// use pairing::{Number, trf::{Form, National, PlayerRecord, Report}};
    /// let mut ours = Report::default();
    /// let (number, id, federation) = (Number(1), "77".to_owned(), "CHN".to_owned());
    /// ours.players.push(PlayerRecord { number, name: "Wang, Wei".to_owned(), id, ..PlayerRecord::default() });
    /// ours.national.push(National { federation, number, name: "王伟".to_owned(), ..National::default() });
    /// let mut theirs = Report::read(ours.write(Form::Trf16)?.as_bytes())?;
    /// assert_eq!(theirs.native_name(number), Some("Wang, Wei"));
    /// theirs.recall_names(&ours);
    /// assert_eq!(theirs.native_name(number), Some("王伟"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recall_names(&mut self, known: &Report) {
        let numbers: BTreeMap<Number, &str> = known
            .players
            .iter()
            .filter(|it| !it.id.is_empty())
            .map(|it| (it.number, it.id.as_str()))
            .collect();
        let mut of_person: BTreeMap<&str, Vec<&National>> = BTreeMap::new();
        for record in &known.national {
            if let Some(id) = numbers.get(&record.number) {
                of_person.entry(id).or_default().push(record);
            }
        }
        let has: BTreeSet<Number> = self.national.iter().map(|it| it.number).collect();
        for player in self.players.iter().filter(|it| !has.contains(&it.number)) {
            for record in of_person.get(player.id.as_str()).into_iter().flatten() {
                self.national.push(National { number: player.number, ..(*record).clone() });
            }
        }
    }
}
