//! Who may do what in a federation: one table, which is the decision, its documentation and its test.

use std::fmt::Write as _;

use super::official::Role;

/// What is done in a federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// Changes or dissolves the federation itself.
    Govern,
    /// Grants roles in the whole federation, and revokes them.
    Appoint,
    /// Makes, changes and closes clubs.
    KeepClubs,
    /// Makes and changes members, transfers them, has them leave, and takes files of them in.
    KeepMembers,
    /// Merges doubles, erases persons, binds accounts, and notes who consented to a proxy.
    KeepPersons,
    /// Makes, changes and disbands teams.
    KeepTeams,
    /// Says who plays in a team.
    LineUp,
    /// Makes leagues, changes their rules, and runs their seasons.
    KeepLeagues,
    /// Registers a squad, withdraws it, and says whether it wants to go up.
    RegisterSquad,
    /// Says how rating lists are made, publishes them, and takes ratings in.
    KeepRatings,
    /// Answers applications.
    Answer,
    /// Invites.
    Invite,
    /// Keeps the catalogue of titles.
    KeepTitles,
    /// Proposes titles, awards, refuses and revokes them.
    AwardTitles,
    /// Reads birth dates and notes of others.
    ReadPrivate,
    /// Reads which account a member has, applications and proxies.
    ReadAccounts,
    /// Posts on its notice board, withdraws what hangs there, and writes its own words.
    Post,
    /// Gives and withdraws a proxy of one's own; leaves; has oneself erased.
    ActForOneself,
    /// Reads what is public.
    Read,
}

/// What somebody is when he does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// An official of the federation.
    Official(Role),
    /// The captain of the team that it is about.
    Captain,
    /// One who may act for the member that it is about.
    Proxy,
    /// The member that it is about.
    Oneself,
    /// Anybody.
    Public,
}

use Role::{Administrator, Arbiter, ChiefArbiter, Committee, Deputy, Scorer};
use Standing::{Captain, Official, Oneself, Proxy, Public};

/// Every standing, in the order of the printed table.
pub const STANDINGS: [Standing; 10] = [
    Official(Administrator),
    Official(Committee),
    Official(ChiefArbiter),
    Official(Deputy),
    Official(Arbiter),
    Official(Scorer),
    Captain,
    Proxy,
    Oneself,
    Public,
];

/// Who may do what. Whoever stands nowhere in a row may not.
pub const TABLE: &[(Act, &[Standing])] = &[
    (Act::Govern, &[Official(Administrator)]),
    (Act::Appoint, &[Official(Administrator)]),
    (Act::KeepClubs, &[Official(Administrator), Official(Committee)]),
    (Act::KeepMembers, &[Official(Administrator), Official(Committee)]),
    (Act::KeepPersons, &[Official(Administrator)]),
    (Act::KeepTeams, &[Official(Administrator), Official(Committee)]),
    (Act::LineUp, &[Official(Administrator), Official(Committee), Captain]),
    (Act::KeepLeagues, &[Official(Administrator), Official(Committee)]),
    (Act::RegisterSquad, &[Official(Administrator), Official(Committee), Captain, Oneself]),
    (Act::KeepRatings, &[Official(Administrator), Official(Committee)]),
    (Act::Answer, &[Official(Administrator), Official(Committee)]),
    (Act::Invite, &[Official(Administrator)]),
    (Act::KeepTitles, &[Official(Administrator)]),
    (Act::AwardTitles, &[Official(Administrator), Official(Committee)]),
    (Act::ReadPrivate, &[Official(Administrator), Oneself]),
    (
        Act::ReadAccounts,
        &[
            Official(Administrator),
            Official(Committee),
            Official(ChiefArbiter),
            Official(Deputy),
            Official(Arbiter),
            Official(Scorer),
            Oneself,
        ],
    ),
    (Act::Post, &[Official(Administrator), Official(Committee)]),
    (Act::ActForOneself, &[Oneself]),
    (Act::Read, &STANDINGS),
];

impl Act {
    /// What it is, in a few words.
    pub const fn said(self) -> &'static str {
        match self {
            Act::Govern => "change or dissolve the federation",
            Act::Appoint => "appoint and dismiss its officials",
            Act::KeepClubs => "make, change and close clubs",
            Act::KeepMembers => "make and change members, transfer them, take files of them in",
            Act::KeepPersons => "merge doubles, erase persons, bind accounts, note a consent",
            Act::KeepTeams => "make, change and disband teams",
            Act::LineUp => "say who plays in a team",
            Act::KeepLeagues => "make leagues, change their rules, run their seasons",
            Act::RegisterSquad => "register a squad, withdraw it, say whether it wants to go up",
            Act::KeepRatings => "say how rating lists are made, publish them, take ratings in",
            Act::Answer => "answer applications",
            Act::Invite => "invite",
            Act::KeepTitles => "keep the catalogue of titles",
            Act::AwardTitles => "propose titles; award what another proposed, refuse and revoke",
            Act::ReadPrivate => "read birth dates and notes",
            Act::ReadAccounts => "read accounts of members, applications and proxies",
            Act::Post => "post on its notice board, write its own words",
            Act::ActForOneself => "give a proxy, withdraw it, leave, be erased",
            Act::Read => "read what is public",
        }
    }
}

/// The table, in Markdown.
pub fn printed() -> String {
    let named = STANDINGS.iter().map(|standing| match standing {
        Official(ChiefArbiter) => "chief arbiter".to_owned(),
        Official(role) => format!("{role:?}").to_lowercase(),
        other => format!("{other:?}").to_lowercase(),
    });
    let heading: Vec<String> = named.collect();
    let mut text = format!(
        "# Who may do what in a federation\nPrinted from the table by which it is decided; a test holds this page to it.\n\n\
         | | {} |\n|{} --- |\n",
        heading.join(" | "),
        " --- |".repeat(heading.len())
    );
    for (act, allowed) in TABLE {
        let cells = STANDINGS.iter().map(|standing| if allowed.contains(standing) { "yes" } else { "" });
        let cells: Vec<&str> = cells.collect();
        let _infallible = writeln!(text, "| {} | {} |", act.said(), cells.join(" | "));
    }
    text
}

/// Whether somebody who is all this may do it.
pub fn may(standings: impl IntoIterator<Item = Standing>, act: Act) -> bool {
    let allowed = TABLE.iter().find(|(row, _)| *row == act).map_or(&[][..], |(_, allowed)| allowed);
    standings.into_iter().any(|standing| allowed.contains(&standing))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// `SHOUTAN_BLESS=1` writes the page anew.
    #[test]
    fn the_documentation_has_the_table_as_it_is_decided_by() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/ROLES.md");
        if std::env::var_os("SHOUTAN_BLESS").is_some() {
            std::fs::write(page, printed()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(page).expect("ROLES.md is there");
        assert_eq!(written, printed(), "SHOUTAN_BLESS=1 writes services/federation/ROLES.md anew");
    }

    #[test]
    fn every_act_has_one_row_and_administrators_may_do_all_but_act_for_others() {
        let acts: HashSet<Act> = TABLE.iter().map(|(act, _)| *act).collect();
        assert_eq!(acts.len(), TABLE.len());
        for (act, _) in TABLE {
            assert_eq!(may([Official(Administrator)], *act), *act != Act::ActForOneself, "{act:?}");
            assert_eq!(may([Public], *act), *act == Act::Read, "{act:?}");
            assert!(!may([], *act), "{act:?}");
        }
    }

    #[test]
    fn arbiters_and_scorers_decide_nothing_of_the_federation() {
        for role in [ChiefArbiter, Deputy, Arbiter, Scorer] {
            let acts: Vec<Act> =
                TABLE.iter().map(|(act, _)| *act).filter(|act| may([Official(role)], *act)).collect();
            assert_eq!(acts, [Act::ReadAccounts, Act::Read], "{role:?}");
        }
        assert!(may([Captain], Act::LineUp) && !may([Captain], Act::KeepTeams));
    }
}
