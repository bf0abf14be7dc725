//! The roles of officials, and where they hold.
//!
//! A role is no scope of its own: it travels among the scopes of an access token as one more word,
//! `arbiter@event:UUID`, and only in tokens that have the scope `arbitrate`. What an official may do is for the
//! service to decide that is asked for it; here is only who he is.

use std::fmt;

use crate::id::{EventId, FederationId};

/// What an official is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The chief arbiter (裁判长).
    ChiefArbiter,
    /// A deputy of the chief arbiter (副裁判长).
    Deputy,
    /// An arbiter (裁判员).
    Arbiter,
    /// A member of the organising committee (组委会).
    Committee,
    /// A scorer (记录员).
    Scorer,
    /// A moderator of the whole platform, who looks at reports of how people play.
    Moderator,
}

/// Where a role holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoleScope {
    /// In one event.
    Event(EventId),
    /// In a federation and every event of it.
    Federation(FederationId),
    /// Outside of events, on the whole platform.
    Platform,
}

/// A role and where it holds. Its text is `ROLE@event:UUID`, `ROLE@federation:UUID` or `ROLE@platform`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleGrant {
    /// The role.
    pub role: Role,
    /// Where it holds.
    pub scope: RoleScope,
}

api::proto_enum!(
    Role = api::identity::v1::Role { ChiefArbiter, Deputy, Arbiter, Committee, Scorer, Moderator }
);

impl Role {
    /// Every role.
    pub const ALL: [Role; 6] =
        [Role::ChiefArbiter, Role::Deputy, Role::Arbiter, Role::Committee, Role::Scorer, Role::Moderator];

    /// Its name in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::ChiefArbiter => "chief-arbiter",
            Role::Deputy => "deputy",
            Role::Arbiter => "arbiter",
            Role::Committee => "committee",
            Role::Scorer => "scorer",
            Role::Moderator => "moderator",
        }
    }

    /// Whether it can hold there: a moderator is one of the whole platform, and nobody else is anything there.
    pub const fn holds_in(self, scope: RoleScope) -> bool {
        matches!(self, Role::Moderator) == matches!(scope, RoleScope::Platform)
    }

    /// The role of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Role::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl RoleScope {
    /// Whether this reaches an event of a federation. Either may be absent: a game of no event, an event of no
    /// federation, or what concerns a federation alone.
    pub fn reaches(self, event: Option<EventId>, federation: Option<FederationId>) -> bool {
        match self {
            RoleScope::Event(own) => event == Some(own),
            RoleScope::Federation(own) => federation == Some(own),
            RoleScope::Platform => false,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some(("event", id)) => EventId::parse(id, "event").ok().map(RoleScope::Event),
            Some(("federation", id)) => FederationId::parse(id, "federation").ok().map(RoleScope::Federation),
            None if text == "platform" => Some(RoleScope::Platform),
            _ => None,
        }
    }
}

impl RoleGrant {
    /// The grant of a text; `None` when it is not exactly the text of one.
    pub fn parse(text: &str) -> Option<Self> {
        let (role, scope) = text.split_once('@')?;
        let grant = RoleGrant { role: Role::parse(role)?, scope: RoleScope::parse(scope)? };
        // A UUID can be written in several ways, of which one is ours.
        (grant.role.holds_in(grant.scope) && grant.to_string() == text).then_some(grant)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for RoleScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoleScope::Event(id) => write!(f, "event:{id}"),
            RoleScope::Federation(id) => write!(f, "federation:{id}"),
            RoleScope::Platform => f.write_str("platform"),
        }
    }
}

impl fmt::Display for RoleGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.role, self.scope)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn scopes() -> impl Strategy<Value = RoleScope> {
        (any::<bool>(), 1..=u128::MAX).prop_map(|(event, id)| {
            let id = Uuid::from_u128(id);
            if event { RoleScope::Event(id.into()) } else { RoleScope::Federation(id.into()) }
        })
    }

    fn grants() -> impl Strategy<Value = RoleGrant> {
        (prop::sample::select(&Role::ALL[..]), scopes()).prop_map(|(role, scope)| {
            let scope = if role == Role::Moderator { RoleScope::Platform } else { scope };
            RoleGrant { role, scope }
        })
    }

    proptest! {
        #[test]
        fn a_grant_is_its_text(grant in grants()) {
            let text = grant.to_string();
            prop_assert!(text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "@:-".contains(c)));
            prop_assert_eq!(RoleGrant::parse(&text), Some(grant));
        }

        /// Whatever the text, it is either the text of a grant or none at all.
        #[test]
        fn a_text_has_one_way_to_be_a_grant(
            role in prop_oneof!["[a-z-]{1,13}", prop::sample::select(&Role::ALL[..]).prop_map(|role| role.to_string())],
            kind in "event|federation|Event|club|",
            id in "[0-9a-fA-F]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f-]{0,40}",
        ) {
            let text = format!("{role}@{kind}:{id}");
            if let Some(grant) = RoleGrant::parse(&text) {
                prop_assert_eq!(grant.to_string(), text);
            }
        }

        #[test]
        fn a_scope_reaches_its_own_place_only(own in scopes(), event in 1..=u128::MAX, federation in 1..=u128::MAX) {
            let (event, federation) = (Uuid::from_u128(event).into(), Uuid::from_u128(federation).into());
            prop_assert!(!own.reaches(None, None));
            prop_assert_eq!(own.reaches(Some(event), None), own == RoleScope::Event(event));
            prop_assert_eq!(own.reaches(None, Some(federation)), own == RoleScope::Federation(federation));
            let (in_event, in_federation) = match own {
                RoleScope::Event(id) => (id, federation),
                RoleScope::Federation(id) => (event, id),
                RoleScope::Platform => unreachable!("none of these"),
            };
            prop_assert!(own.reaches(Some(in_event), Some(in_federation)));
            prop_assert!(!RoleScope::Platform.reaches(Some(in_event), Some(in_federation)));
        }
    }

    #[test]
    fn what_only_looks_like_a_grant_is_none() {
        let id = "0190a3c4-0000-7000-8000-00000000002a";
        assert!(RoleGrant::parse(&format!("arbiter@event:{id}")).is_some());
        assert!(RoleGrant::parse("moderator@platform").is_some());
        for text in [
            String::new(),
            "arbiter".to_owned(),
            format!("arbiter@{id}"),
            format!("arbiter@event:{}", id.to_uppercase()),
            format!("arbiter@event:{{{id}}}"),
            format!("arbiter@event:{}", id.replace('-', "")),
            format!("Arbiter@event:{id}"),
            format!("arbiter@club:{id}"),
            format!("arbiter@event:{id} "),
            format!("arbiter@event:{}", Uuid::nil()),
            "arbiter@platform".to_owned(),
            "moderator@platform:".to_owned(),
            format!("moderator@event:{id}"),
            format!("moderator@platform:{id}"),
        ] {
            assert_eq!(RoleGrant::parse(&text), None, "{text}");
        }
    }
}
