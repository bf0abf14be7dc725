//! Tables of divisions, what was done in a season, and what many seasons come to.

use std::path::PathBuf;

use api::federation::v1::{
    DocumentKind, ExportGamesRequest, GetLeagueTableRequest, ListAllTimeRequest, ListHonoursRequest,
    ListSeasonLogRequest, RenderDocumentRequest,
};

use super::{
    print,
    seasons::find,
    session::{Session, all, ask},
    shown,
};
use crate::commands::{
    games,
    paper::{Words, Writing, write_paper},
};

/// What is looked at.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Prints the tables of a season's divisions as they are now, by the broadcast of their events.
    Table {
        /// The season's id.
        season: String,
        /// Only that of this division, from 1 at the top.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        division: Option<u32>,
    },
    /// Prints the tables of a season as one paper, or keeps it in a file. Who goes up and down stands there once it is closed.
    Paper {
        /// The season's id.
        season: String,
        #[command(flatten)]
        words: Words,
        #[command(flatten)]
        writing: Writing,
    },
    /// Writes the games of a season into one archive: the records of all divisions and play-offs, and a table of them.
    Games {
        /// The season's id.
        season: String,
        /// The archive (zip), which must not be there yet.
        file: PathBuf,
        /// Only those of this round of each division.
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        round: u32,
    },
    /// Prints what was done in a season, and by whom.
    Log {
        /// The season's id.
        season: String,
    },
    /// Prints who was first in the closed seasons of a league.
    Honours {
        /// The league's id.
        league: String,
    },
    /// Prints the table of all closed seasons of a league.
    AllTime {
        /// The league's id.
        league: String,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = session.leagues();
    let records: Vec<print::Record> = match command {
        Command::Games { season: season_id, file, round } => {
            let of = ExportGamesRequest { season_id, round, ..Default::default() };
            return games::write(session, of, &file).await;
        }
        Command::Paper { season: season_id, words, writing } => {
            let (kind, languages) = (DocumentKind::LeagueTable.into(), words.languages);
            let of = RenderDocumentRequest { kind, languages, season_id, ..Default::default() };
            return write_paper(session, of, writing).await;
        }
        Command::Table { season, division } => tables(session, season, division).await?,
        Command::Log { season: season_id } => {
            let request = ListSeasonLogRequest { season_id, ..Default::default() };
            let found = all!(client.clone(), list_season_log, request, entries);
            found.iter().map(shown::entry).collect()
        }
        Command::Honours { league: league_id } => {
            let request = ListHonoursRequest { league_id, ..Default::default() };
            let found = all!(client.clone(), list_honours, request, seasons);
            let firsts = found.iter().flat_map(|it| &it.first_entrant_ids).map(String::as_str);
            let names = shown::names(session, firsts).await?;
            found.iter().map(|it| shown::honours(it, &names)).collect()
        }
        Command::AllTime { league: league_id } => {
            let request = ListAllTimeRequest { league_id, ..Default::default() };
            let found = all!(client.clone(), list_all_time, request, lines);
            let names = shown::names(session, found.iter().map(|it| &*it.entrant_id)).await?;
            found.iter().map(|it| shown::all_time(it, &names)).collect()
        }
    };
    print::list(session.json, &records)
}

async fn tables(
    session: &Session,
    season: String,
    division: Option<u32>,
) -> anyhow::Result<Vec<print::Record>> {
    let wanted = match division {
        Some(division) => vec![division],
        None => find(session, season.clone()).await?.divisions.iter().map(|it| it.division).collect(),
    };
    let mut records = Vec::new();
    for division in wanted {
        let request = GetLeagueTableRequest { season_id: season.clone(), division };
        let table = ask!(session.leagues(), get_league_table, request)?;
        let names = shown::names(session, table.lines.iter().map(|it| &*it.entrant_id)).await?;
        records.extend(table.lines.iter().map(|it| shown::table_line(division, it, &names)));
    }
    Ok(records)
}
