//! What papers are made of: read first, then set as a sheet and written.

use std::{collections::BTreeMap, sync::Arc};

use catalogue::{Area, Catalogue, Word};
use chassis::{
    auth::Caller,
    id::{ClubId, FederationId, MemberId, RatingPolicyId, SeasonId},
};
use papers::{Head, Notice, Paper, Sheet, html};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{Documents, Page};
use crate::{
    app::{event::AsOf, languages::own_words},
    core::{
        document::{Board, DOCUMENT_BYTES_MAX, DocumentFault, Format, Kind, LANGUAGES, LINES_MAX, Subject},
        event::{
            Event,
            paper::{Known, Names, moment, told},
        },
        league::{self, Outcome, Refusal as LeagueRefusal, Season, division_event},
        member::Member,
        rating_list::{self, Published, Refusal as ListRefusal, paper::Listed},
    },
    error::{Error, Result},
    store::{self, document::Packed, rating_list::entry},
    wire::{
        document::{Of, Which},
        rating_list as asked,
    },
};

/// Rows of a rating list that are read at once.
const ROWS_AT_ONCE: u64 = 500;

/// What a paper is made of.
pub(super) enum Source {
    Event {
        event: Arc<Event>,
        names: Names,
        kind: Kind,
        round: u16,
    },
    Season(Box<SeasonSource>),
    RatingList {
        federation: FederationId,
        head: Head,
        policy: String,
        list: Published,
        lines: Vec<Listed>,
        named: Vec<MemberId>,
    },
    Notice {
        federation: FederationId,
        head: Head,
        notice: Notice,
        languages: Vec<String>,
        named: Vec<MemberId>,
    },
}

/// A season with the events of its divisions.
pub(super) struct SeasonSource {
    season: Season,
    head: Head,
    divisions: Vec<(Arc<Event>, Names)>,
    outcome: Option<Outcome>,
}

/// A sheet before it is written.
struct Drawn {
    head: Head,
    sheet: Sheet,
    round: u16,
    named: Vec<MemberId>,
}

impl Source {
    fn federation(&self) -> FederationId {
        match self {
            Source::Event { event, .. } => event.federation,
            Source::Season(it) => it.season.federation,
            Source::RatingList { federation, .. } | Source::Notice { federation, .. } => *federation,
        }
    }

    /// What the paper is of that is no event.
    pub(super) fn subject(&self) -> Option<Subject> {
        match self {
            Source::Event { .. } | Source::Notice { .. } => None,
            Source::Season(it) => Some(Subject::Season(it.season.id)),
            Source::RatingList { list, .. } => Some(Subject::RatingList(list.policy, list.number)),
        }
    }

    /// Makes sure that it is of a federation: what is another's hangs on no board of this one.
    pub(super) fn is_of(&self, federation: FederationId) -> Result<()> {
        match self {
            _ if self.federation() == federation => Ok(()),
            Source::Event { .. } | Source::Notice { .. } => Err(Error::UnknownEvent),
            Source::Season(_) => Err(LeagueRefusal::UnknownSeason.into()),
            Source::RatingList { .. } => Err(ListRefusal::UnknownPolicy.into()),
        }
    }

    /// The languages of its papers where nobody says any.
    fn languages(&self) -> Vec<String> {
        let own: &[String] = match self {
            Source::Event { event, .. } => &event.settings.languages,
            Source::Season(it) => it.divisions.first().map_or(&[], |(event, _)| &event.settings.languages),
            Source::Notice { languages, .. } => languages,
            Source::RatingList { .. } => &[],
        };
        if own.is_empty() { LANGUAGES.map(str::to_owned).to_vec() } else { own.to_vec() }
    }

    /// The last entry of the event's log that it knows of.
    fn sequence(&self) -> u64 {
        match self {
            Source::Event { event, .. } => event.sequence,
            _ => 0,
        }
    }

    fn draw(self) -> Result<Drawn> {
        Ok(match self {
            Source::Event { event, names, kind, round } => {
                let sheet = event.paper(kind, round, &names)?.ok_or(Error::UnknownRound)?;
                let round = match kind {
                    Kind::Schedule | Kind::Roster => 0,
                    _ if round == 0 => event.next_round() - 1,
                    _ => round,
                };
                Drawn { head: event.paper_head(&names), sheet, round, named: named(names) }
            }
            Source::Season(it) => {
                let SeasonSource { season, head, divisions, outcome } = *it;
                let sheet = Sheet::League(league::paper::sheet(&season, &divisions, outcome.as_ref()));
                let named = divisions.into_iter().flat_map(|(_, names)| named(names)).collect();
                Drawn { head, sheet, round: 0, named }
            }
            Source::RatingList { head, policy, list, lines, named, .. } => {
                let sheet = Sheet::RatingList(rating_list::paper::sheet(&policy, &list, lines));
                Drawn { head, sheet, round: 0, named }
            }
            Source::Notice { head, notice, named, .. } => {
                Drawn { head, sheet: Sheet::Notice(notice), round: 0, named }
            }
        })
    }
}

impl Documents {
    /// What a paper is made of, as somebody may see it.
    pub(super) async fn source(&self, caller: Option<&Caller>, which: &Which, as_of: AsOf) -> Result<Source> {
        match which.of {
            Of::Event(id, round) => {
                let event = self.events.look(caller, id, as_of).await?.event;
                let names = self.names(&event).await?;
                Ok(Source::Event { event, names, kind: which.kind, round })
            }
            Of::Season(id) => self.season(caller, id).await.map(Box::new).map(Source::Season),
            Of::RatingList(policy, number) => self.rating_list(policy, number).await,
            Of::Nothing => {
                Err(DocumentFault::Bad("kind", "a notice says what an official writes".to_owned()).into())
            }
        }
    }

    /// A notice of somebody on a board, in the languages that its event has.
    pub(super) async fn notice(&self, caller: &Caller, board: Board, notice: Notice) -> Result<Source> {
        let on = self.desk.database.read();
        let organiser = told(&self.desk.federation(board.federation).await?.name);
        let signed = store::member::of_account(on, board.federation, caller.id).await?;
        let now = self.desk.env.now();
        let (event, posted, languages) = match board.event {
            Some(event) => {
                let event = self.events.admit(Some(caller), event).await?.event;
                (told(&event.name), event.moment(now), event.settings.languages.clone())
            }
            None => (papers::Name::default(), moment(now, "UTC"), Vec::new()),
        };
        let named = signed.iter().map(|member| member.id).collect();
        let signed = signed.as_ref().map(named_on_paper).unwrap_or_default();
        let head = Head { organiser, event, ..Head::default() };
        let notice = Notice { signed, posted, ..notice };
        Ok(Source::Notice { federation: board.federation, head, notice, languages, named })
    }

    /// A season with the events of its divisions, as somebody may see them.
    async fn season(&self, caller: Option<&Caller>, id: SeasonId) -> Result<SeasonSource> {
        let ended = self.leagues.season(id).await?;
        let (season, outcome) = (ended.season, ended.outcome.map(|(outcome, _)| outcome));
        if season.divisions.is_empty() {
            return Err(LeagueRefusal::State(season.state).into());
        }
        let mut divisions = Vec::with_capacity(season.divisions.len());
        for (division, _) in (1..).zip(&season.divisions) {
            let event = self.events.look(caller, division_event(id, division), AsOf::Now).await?.event;
            let names = self.names(&event).await?;
            divisions.push((event, names));
        }
        let league = self.leagues.league(season.league, 0).await?.0;
        let last = divisions.iter().map(|(event, _)| event).max_by_key(|event| event.updated);
        let head = Head {
            organiser: divisions.first().map(|(_, names)| names.organiser.clone()).unwrap_or_default(),
            event: told(&league.name),
            as_of: last.map(|event| event.moment(event.updated)).unwrap_or_default(),
            ..Head::default()
        };
        Ok(SeasonSource { season, head, divisions, outcome })
    }

    /// A rating list with everybody who is listed with a place.
    async fn rating_list(&self, policy: RatingPolicyId, number: Option<u32>) -> Result<Source> {
        let list = self.lists.list(asked::Which { policy, number }).await?;
        let policy = self.lists.policy(policy, Some(list.version)).await?;
        if list.listed > LINES_MAX {
            return Err(DocumentFault::TooLarge.into());
        }
        let on = self.desk.database.read();
        let (mut lines, mut named, mut after) = (Vec::new(), Vec::new(), None);
        loop {
            let rows = entry::ranked(on, (list.policy, list.number), None, after, ROWS_AT_ONCE).await?;
            let Some(row) = rows.last() else { break };
            after = Some((row.place.map_or(i32::MAX, u32::cast_signed), row.member.uuid()));
            named.extend(rows.iter().map(|row| row.member));
            lines.extend(self.listed(rows).await?);
        }
        let head = Head {
            organiser: told(&self.desk.federation(policy.federation).await?.name),
            as_of: moment(list.at, "UTC"),
            ..Head::default()
        };
        let federation = policy.federation;
        Ok(Source::RatingList { federation, head, policy: policy.name, list, lines, named })
    }

    /// What the rows of a list say, with the names that their members have.
    async fn listed(&self, rows: Vec<entry::Row>) -> Result<Vec<Listed>> {
        let on = self.desk.database.read();
        let ids: Vec<Uuid> = rows.iter().map(|row| row.member.uuid()).collect();
        let members = store::member::find_all(on, &ids).await?;
        let members: BTreeMap<MemberId, Member> =
            members.into_iter().map(|member| (member.id, member)).collect();
        let clubs = self.clubs(rows.iter().filter_map(|row| row.club)).await?;
        let listed = |row: entry::Row| {
            let member = members.get(&row.member);
            Some(Listed {
                place: row.place?,
                who: Known {
                    name: member.map(named_on_paper).unwrap_or_default(),
                    grade: member.map(|member| member.person.grade.clone()).unwrap_or_default(),
                    club: row.club.and_then(|club| clubs.get(&club).cloned()).unwrap_or_default(),
                },
                rating: row.rating,
                change: row.change,
                games: row.games,
                new_games: row.new_games,
            })
        };
        Ok(rows.into_iter().filter_map(listed).collect())
    }

    /// What the federation calls those whom an event is about.
    async fn names(&self, event: &Event) -> Result<Names> {
        let on = self.desk.database.read();
        let members: Vec<Uuid> = event.participants.iter().map(|it| it.entrant.member.uuid()).collect();
        let members = store::member::find_all(on, &members).await?;
        let today = self.desk.env.now().date();
        let club_of =
            |member: &Member| member.stays.iter().find(|stay| stay.has(today)).map(|stay| stay.club);
        let clubs = self.clubs(members.iter().filter_map(club_of)).await?;
        let known = |member: &Member| Known {
            name: named_on_paper(member),
            grade: member.person.grade.clone(),
            club: club_of(member).and_then(|club| clubs.get(&club).cloned()).unwrap_or_default(),
        };
        let teams: Vec<_> = event.teams.iter().map(|team| team.entrant.team).collect();
        let teams = store::team::find_all(on, &teams).await?;
        Ok(Names {
            organiser: told(&self.desk.federation(event.federation).await?.name),
            members: members.iter().map(|member| (member.id, known(member))).collect(),
            teams: teams.iter().map(|team| (team.id, told(&team.name))).collect(),
        })
    }

    /// What clubs are called.
    async fn clubs(&self, ids: impl Iterator<Item = ClubId>) -> Result<BTreeMap<ClubId, papers::Name>> {
        let mut ids: Vec<ClubId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let found = store::club::find_all(self.desk.database.read(), &ids).await?;
        Ok(found.into_iter().map(|club| (club.id, told(&club.name))).collect())
    }

    /// Writes a paper in these languages, or in those that hold where nobody says any.
    pub(super) async fn written(
        &self,
        source: Source,
        languages: Vec<String>,
        format: Format,
    ) -> Result<(Page, Packed)> {
        let languages = if languages.is_empty() { source.languages() } else { languages };
        let on = self.desk.database.read();
        let (catalogue, words) = own_words(on, source.federation(), &[Area::Papers], &languages).await?;
        let work = move || {
            let sequence = source.sequence();
            let Drawn { head, sheet, round, named } = source.draw()?;
            let paper = Paper { languages, head, sheet };
            let text = text(&paper, format, &catalogue, &words)?;
            let packed = Packed::of(text.as_bytes());
            let digest = Sha256::digest(text.as_bytes()).into();
            Ok((Page { text, digest, languages: paper.languages, round, sequence, named }, packed))
        };
        self.renderings.work(work).await?
    }
}

/// Members whose names are known, and may stand on a paper.
fn named(names: Names) -> Vec<MemberId> {
    let known = names.members.into_iter().filter(|(_, known)| !known.name.is_empty());
    known.map(|(member, _)| member).collect()
}

/// A member's name as it stands on papers; whose it is stands beside it, so that it can be blacked out.
fn named_on_paper(member: &Member) -> papers::Name {
    let name = told(&member.person.name);
    if name.is_empty() { name } else { name.marked(member.id.to_string()) }
}

/// A paper as it is written.
fn text(paper: &Paper, format: Format, catalogue: &Catalogue, words: &[Word]) -> Result<String> {
    let bad = |error: papers::InvalidPaper| DocumentFault::Bad("languages", error.to_string());
    let text = match format {
        Format::Html => html(paper, catalogue).map_err(bad)?,
        Format::Json => papers::json(paper, words),
    };
    if text.len() > DOCUMENT_BYTES_MAX { Err(DocumentFault::TooLarge.into()) } else { Ok(text) }
}
