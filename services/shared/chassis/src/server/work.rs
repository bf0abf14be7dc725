//! What each method costs, and who goes first when there is too much to do: a table by method.
//!
//! Costs are in units of about half a millisecond of work, the price of an ordinary call. Acts in games cost one,
//! whatever they take: they are what the platform is for.

use std::collections::{HashMap, HashSet};

use super::{
    secret::{CALENDAR_PATH, shown},
    stopping::streams,
};
use crate::{auth::JWKS_PATH, health::READY_PATH};

/// What a method is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play, to queue, to decide: with an account it goes before everything else.
    Play,
    /// To come in: without an account yet, but not to be kept out by those who only look.
    Enter,
    /// To look, and whatever can wait: before others with an account, after them without.
    Look,
    /// To ask how the server does, and by what keys it signs: whoever spreads load among servers is never kept out.
    Stand,
}

use Purpose::{Enter, Look, Play, Stand};

/// Which way a call takes from a gateway to a service, so that none stands in the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    /// To act in a game, and to come in.
    Act,
    /// Whatever else is answered at once.
    Look,
    /// What is answered for as long as somebody listens.
    Stream,
}

/// The way of each method.
#[derive(Clone, Debug)]
pub struct Roads(Table);

impl Roads {
    /// The ways of all methods.
    #[expect(clippy::new_without_default, reason = "it is a table that is read, not an empty one")]
    pub fn new() -> Self {
        Roads(Table::new())
    }

    /// The way of a call, by its path.
    pub fn of(&self, path: &str) -> Road {
        self.0.road(path)
    }
}

/// A method that the table does not know is taken for a look of this cost.
const UNKNOWN: (Purpose, u32) = (Look, 4);

/// What a call of a method is for, and what it costs.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: HashMap<String, (Purpose, u32)>,
    streams: HashSet<String>,
}

impl Table {
    /// The table of all public methods.
    pub(super) fn new() -> Self {
        let rows = SERVICES.iter().flat_map(|(service, methods)| {
            methods
                .iter()
                .map(move |(method, purpose, cost)| (format!("/{service}/{method}"), (*purpose, *cost)))
        });
        let plain = [READY_PATH, JWKS_PATH].map(|path| (path.to_owned(), (Stand, 1)));
        // A calendar is made of some dozens of events, each as far as its log was read.
        let calendars = [(CALENDAR_PATH.to_owned(), (Look, 16))];
        Table { rows: rows.chain(plain).chain(calendars).collect(), streams: streams().collect() }
    }

    /// The row of a path.
    pub(super) fn of(&self, path: &str) -> (Purpose, u32) {
        self.rows.get(shown(path)).copied().unwrap_or(UNKNOWN)
    }

    /// The way of a path.
    pub(super) fn road(&self, path: &str) -> Road {
        match self.of(path).0 {
            _ if self.streams.contains(path) => Road::Stream,
            Play | Enter => Road::Act,
            Look | Stand => Road::Look,
        }
    }
}

/// The methods of a service: what they are for, and what they cost.
type Methods = &'static [(&'static str, Purpose, u32)];

const SERVICES: &[(&str, Methods)] = &[
    ("shoutan.game.v1.GameService", GAME),
    (
        "shoutan.game.v1.ArbiterService",
        &[("Rule", Play, 1), ("Petition", Play, 1), ("ListIncidents", Look, 4)],
    ),
    (
        "shoutan.game.v1.ChatService",
        &[
            ("SendMessage", Look, 2),
            ("ListMessages", Look, 4),
            ("WatchMessages", Look, 4),
            ("ReportMessage", Look, 2),
            ("ListReports", Look, 4),
        ],
    ),
    (
        "shoutan.clock.v1.ClockService",
        &[
            ("GetTime", Look, 1),
            ("ListTimeControls", Look, 1),
            ("DescribeTimeControl", Look, 1),
            ("GetRemainingTime", Look, 2),
            ("WatchAnnouncements", Look, 4),
        ],
    ),
    (
        "shoutan.matchmaking.v1.MatchmakingService",
        &[
            ("Enqueue", Play, 1),
            ("AnswerOffer", Play, 1),
            ("CancelTicket", Play, 1),
            ("ListPools", Look, 2),
            ("ListPauses", Look, 2),
            ("BlockAccount", Play, 1),
            ("UnblockAccount", Play, 1),
            ("ListBlocked", Look, 2),
        ],
    ),
    (
        "shoutan.matchmaking.v1.PauseService",
        &[
            ("PauseAccount", Look, 4),
            ("EndPauses", Look, 4),
            ("ListPausesOf", Look, 4),
            ("ListPauseActs", Look, 4),
        ],
    ),
    (
        "shoutan.matchmaking.v1.ChallengeService",
        &[
            ("CreateChallenge", Play, 1),
            ("AcceptChallenge", Play, 1),
            ("DeclineChallenge", Play, 1),
            ("WithdrawChallenge", Play, 1),
            ("GetChallenge", Look, 1),
            ("ListChallenges", Look, 4),
            ("ListOpenChallenges", Look, 4),
            ("WatchOpenChallenges", Look, 8),
            ("ListArrangedGames", Look, 4),
            ("CallOffArrangedGame", Play, 1),
        ],
    ),
    ("shoutan.matchmaking.v1.FollowService", &[("Follow", Look, 16)]),
    (
        "shoutan.rating.v1.RatingService",
        &[
            ("GetRating", Look, 2),
            ("ListRatings", Look, 4),
            ("ListHistory", Look, 4),
            ("ListLeaders", Look, 4),
            ("ListPeriods", Look, 2),
            ("GetGraph", Look, 8),
            ("GetHeadToHead", Look, 4),
            ("ListGameChanges", Look, 4),
            ("GetPolicy", Look, 1),
        ],
    ),
    // What is annulled has all that follows rated anew.
    (
        "shoutan.rating.v1.ModerationService",
        &[
            ("ListReports", Look, 4),
            ("GetReport", Look, 8),
            ("SettleReport", Look, 4),
            ("AnnulGames", Look, 32),
            ("ReinstateGames", Look, 32),
            ("ListActs", Look, 4),
        ],
    ),
    ("shoutan.identity.v1.IdentityService", IDENTITY),
    ("shoutan.federation.v1.FederationService", FEDERATION),
    ("shoutan.federation.v1.MembershipService", MEMBERSHIP),
    ("shoutan.federation.v1.RatingListService", RATING_LISTS),
    ("shoutan.federation.v1.EventService", EVENTS),
    ("shoutan.federation.v1.NoticeService", NOTICES),
    // A paper of a thousand players takes some 20 ms, one at a time.
    (
        "shoutan.federation.v1.DocumentService",
        &[
            ("RenderDocument", Look, 32),
            ("CreateDocument", Look, 32),
            ("GetDocument", Look, 8),
            ("ListDocuments", Look, 4),
            ("DeleteDocument", Look, 4),
        ],
    ),
    (
        "shoutan.federation.v1.CalendarService",
        &[("CreateCalendarFeed", Look, 4), ("ListCalendarFeeds", Look, 2), ("DeleteCalendarFeed", Look, 4)],
    ),
    (
        "shoutan.federation.v1.LanguageService",
        &[("ListLanguages", Look, 2), ("ListWords", Look, 8), ("UpdateWords", Look, 16)],
    ),
    ("shoutan.federation.v1.LeagueService", LEAGUES),
    ("shoutan.federation.v1.TitleService", TITLES),
    // Two megabytes are judged in some 60 ms, one report at a time.
    ("shoutan.federation.v1.PairingService", &[("CheckReport", Look, 32)]),
    // A file of ten thousand members takes a second or two, one at a time.
    (
        "shoutan.federation.v1.ExchangeService",
        &[
            ("PutFilePart", Look, 8),
            ("ImportRoster", Look, 32),
            ("ExportRoster", Look, 32),
            ("ImportEvent", Look, 32),
            ("ExportEvent", Look, 32),
            ("ExportGames", Look, 32),
            ("ExportPerson", Look, 32),
        ],
    ),
    ("grpc.health.v1.Health", &[("Check", Stand, 1), ("Watch", Stand, 1)]),
];

const GAME: Methods = &[
    ("Play", Play, 1),
    ("Resign", Play, 1),
    ("OfferDraw", Play, 1),
    ("AcceptDraw", Play, 1),
    ("DeclineDraw", Play, 1),
    ("Abort", Play, 1),
    ("Propose", Play, 1),
    ("DropProposal", Play, 1),
    ("GiveTime", Play, 1),
    ("CheckIn", Play, 1),
    ("SealMove", Play, 1),
    ("GetSealingKey", Play, 1),
    ("ClaimAbandonment", Play, 1),
    ("AnswerProbe", Play, 1),
    ("GetGame", Look, 4),
    ("ListGames", Look, 16),
    ("Watch", Look, 8),
    ("WatchOwnGames", Look, 8),
    ("ListHints", Look, 4),
    ("ListCounts", Look, 4),
    // It thinks about the whole board, or plays a whole record.
    ("SuggestAct", Look, 16),
    ("ExportRecord", Look, 16),
    ("ImportRecord", Look, 32),
    ("ListImports", Look, 4),
    ("PublishImport", Look, 2),
    ("DeleteImport", Look, 4),
    ("ListVariants", Look, 1),
];

const EVENTS: Methods = &[
    ("CreateEvent", Look, 8),
    ("UpdateEvent", Look, 4),
    ("AdoptEvent", Look, 4),
    ("AdvanceEvent", Look, 4),
    ("CancelEvent", Look, 4),
    ("CheckOff", Look, 4),
    ("AppointOfficial", Look, 4),
    ("DismissOfficial", Look, 4),
    ("CommitSeed", Look, 4),
    ("EnterEvent", Look, 4),
    ("AcceptSupplement", Look, 4),
    ("ChangeEntry", Look, 4),
    ("UpdateEntry", Look, 4),
    ("ProhibitPairing", Look, 4),
    ("EditPairings", Look, 4),
    ("RetractRound", Look, 4),
    ("StartRound", Look, 4),
    ("EnterResult", Look, 4),
    ("ConfirmResult", Look, 4),
    ("ReplayBoard", Look, 4),
    ("FileReport", Look, 4),
    ("AssessArbiter", Look, 4),
    // They pair a round.
    ("PublishRound", Look, 16),
    ("PairRound", Look, 32),
    ("GetEvent", Look, 4),
    ("ListEvents", Look, 16),
    ("GetSupplement", Look, 4),
    ("ListReadings", Look, 1),
    ("GetRound", Look, 8),
    ("ListEntrants", Look, 4),
    // It works a table out.
    ("GetStandings", Look, 16),
    ("ListLog", Look, 8),
    ("WatchEvent", Look, 8),
    ("WatchBoards", Look, 8),
    ("EnterTeam", Look, 4),
    ("ChangeTeamEntry", Look, 4),
    ("DeclareLineUp", Look, 4),
    ("RevealLineUp", Look, 4),
    ("ListEventTeams", Look, 4),
    ("GetTeamMatch", Look, 4),
    ("ListTeamMatches", Look, 8),
    ("Challenge", Look, 4),
    ("AnswerChallenge", Look, 4),
    ("CheckIn", Look, 4),
    ("PostponeBoard", Look, 4),
    ("ProposeGame", Look, 4),
    ("AcceptProposal", Look, 4),
    ("DeclineProposal", Look, 4),
    ("TakeLeave", Look, 4),
    ("EndLeave", Look, 4),
    ("ListLeaves", Look, 4),
    ("ReportIncident", Look, 4),
    ("RuleOnIncident", Look, 4),
    ("AppealRuling", Look, 4),
    ("RuleOnAppeal", Look, 4),
    ("ListEventIncidents", Look, 8),
    ("ListNotes", Look, 8),
    ("AmendEvent", Look, 4),
    ("FileStatement", Look, 4),
    ("SeatArbiters", Look, 4),
    ("SettleTies", Look, 4),
    ("ChangeCaptain", Look, 4),
    ("ChangeRoster", Look, 8),
];

const NOTICES: Methods = &[
    ("ListNotices", Look, 4),
    ("WatchNotices", Look, 8),
    ("MarkNoticesRead", Look, 4),
    ("GetNoticeSettings", Look, 2),
    ("UpdateNoticeSettings", Look, 4),
];

const LEAGUES: Methods = &[
    ("CreateLeague", Look, 4),
    ("GetLeague", Look, 2),
    ("ListLeagues", Look, 4),
    ("UpdateLeague", Look, 4),
    ("CreateSeason", Look, 8),
    ("GetSeason", Look, 4),
    ("ListSeasons", Look, 8),
    ("UpdateSeason", Look, 4),
    // It makes the events of all divisions.
    ("AdvanceSeason", Look, 32),
    ("PlaceEntrant", Look, 4),
    ("RegisterSquad", Look, 8),
    ("WithdrawSquad", Look, 4),
    ("StayDown", Look, 4),
    ("ListSquads", Look, 8),
    // It works a table out.
    ("GetLeagueTable", Look, 16),
    ("ListSeasonLog", Look, 8),
    // They read how many seasons ended.
    ("ListHonours", Look, 32),
    ("ListAllTime", Look, 32),
];

const TITLES: Methods = &[
    ("CreateTitle", Look, 4),
    ("RetireTitle", Look, 4),
    ("ListTitles", Look, 4),
    ("ProposeTitle", Look, 4),
    ("AwardTitle", Look, 4),
    ("RefuseTitle", Look, 4),
    ("RevokeTitle", Look, 4),
    ("GetAward", Look, 2),
    ("ListAwards", Look, 4),
];

const IDENTITY: Methods = &[
    // These hash a password; how many do at once is limited where they do.
    ("Register", Enter, 4),
    ("UpgradeGuest", Enter, 4),
    ("SignIn", Enter, 4),
    ("ChangePassword", Enter, 4),
    ("RegisterGuest", Enter, 2),
    ("Refresh", Enter, 1),
    ("SignOut", Enter, 1),
    ("SignOutEverywhere", Enter, 1),
    ("GetMyAccount", Look, 1),
    ("LookUpAccounts", Look, 2),
    ("CreateAccessToken", Enter, 1),
    ("ListAccessTokens", Look, 1),
    ("RevokeAccessToken", Enter, 1),
    ("ExchangeAccessToken", Enter, 1),
    // Services verify everybody's tokens with it.
    ("ListKeys", Enter, 1),
];

const RATING_LISTS: Methods = &[
    ("CreateRatingPolicy", Look, 4),
    ("UpdateRatingPolicy", Look, 4),
    ("GetRatingPolicy", Look, 2),
    ("ListRatingPolicies", Look, 4),
    // It reads events and works a list out; one at a time.
    ("PublishRatingList", Look, 32),
    ("GetRatingList", Look, 2),
    ("ListRatingLists", Look, 4),
    ("ListRatingEntries", Look, 8),
    ("ExportRatingList", Look, 32),
    ("VerifyRatingList", Look, 32),
    ("ReadRatingListBytes", Look, 32),
    ("ImportRatings", Look, 32),
    ("ListImportedRatings", Look, 4),
];

const FEDERATION: Methods = &[
    ("CreateFederation", Look, 4),
    ("GetFederation", Look, 2),
    ("ListFederations", Look, 4),
    ("UpdateFederation", Look, 4),
    ("DeleteFederation", Look, 4),
    ("CreateClub", Look, 4),
    ("GetClub", Look, 2),
    ("ListClubs", Look, 4),
    ("UpdateClub", Look, 4),
    ("DeleteClub", Look, 4),
    ("CreateMember", Look, 4),
    ("GetMember", Look, 2),
    ("ListMembers", Look, 8),
    ("UpdateMember", Look, 4),
    ("DeleteMember", Look, 4),
    ("TransferMember", Look, 4),
    ("ReadmitMember", Look, 4),
    ("MergeMembers", Look, 8),
    ("EraseMember", Look, 4),
    ("BindAccount", Look, 4),
    // Thousands of members in one transaction.
    ("ImportMembers", Look, 32),
    ("CreateTeam", Look, 4),
    ("GetTeam", Look, 2),
    ("ListTeams", Look, 4),
    ("UpdateTeam", Look, 4),
    ("DeleteTeam", Look, 4),
];

const MEMBERSHIP: Methods = &[
    ("Apply", Look, 4),
    ("ListApplications", Look, 4),
    ("AcceptApplication", Look, 4),
    ("RefuseApplication", Look, 4),
    ("WithdrawApplication", Look, 4),
    ("Invite", Look, 4),
    ("ListInvitations", Look, 4),
    ("AcceptInvitation", Look, 4),
    ("RefuseInvitation", Look, 4),
    ("WithdrawInvitation", Look, 4),
    ("Join", Look, 4),
    ("ListMyMembers", Look, 4),
    ("GrantOfficial", Look, 4),
    ("RevokeOfficial", Look, 4),
    ("ListOfficials", Look, 4),
    ("GiveProxy", Look, 4),
    ("WithdrawProxy", Look, 4),
    ("ListProxies", Look, 4),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message as _;

    use super::*;

    #[test]
    fn every_public_method_of_the_api_is_in_the_table_and_no_other() {
        let files = prost_types::FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("our own");
        let mut methods = BTreeSet::new();
        for file in &files.file {
            for service in file.service.iter().filter(|service| !service.name().contains("Internal")) {
                let path = |method: &str| format!("/{}.{}/{method}", file.package(), service.name());
                methods.extend(service.method.iter().map(|method| path(method.name())));
            }
        }
        let ours = Table::new().rows.into_keys().filter(|path| path.starts_with("/shoutan."));
        assert_eq!(ours.collect::<BTreeSet<_>>(), methods);
    }

    #[test]
    fn moves_looks_and_streams_take_ways_of_their_own() {
        let roads = Roads::new();
        let game = |method: &str| roads.of(&format!("/shoutan.game.v1.GameService/{method}"));
        assert_eq!([game("Play"), game("GetGame"), game("Watch")], [Road::Act, Road::Look, Road::Stream]);
        assert_eq!(roads.of("/shoutan.identity.v1.IdentityService/SignIn"), Road::Act);
        assert_eq!(roads.of("/grpc.health.v1.Health/Watch"), Road::Stream);
    }

    #[test]
    fn an_act_is_never_dearer_than_a_look() {
        for (_, methods) in SERVICES {
            for (method, purpose, cost) in *methods {
                assert!(*cost >= 1 && (*purpose != Play || *cost == 1), "{method}");
            }
        }
    }
}
