//! Reports of tournaments that were held anywhere.

use pairing::{
    ColourLaw,
    check::{self, Verdict},
    trf::Report,
};

use super::Events;
use crate::error::{BadReport, Result};

impl Events {
    /// Judges the pairings of a report aside, and keeps nothing of it.
    ///
    /// # Errors
    /// When it cannot be read, or contradicts itself; when too many wait.
    pub(crate) async fn check_report(&self, report: Vec<u8>, colours: ColourLaw) -> Result<Verdict> {
        let judge =
            move || -> Result<Verdict, BadReport> { Ok(check::report(&Report::read(&report)?, colours)?) };
        Ok(self.reports.work(judge).await??)
    }
}
