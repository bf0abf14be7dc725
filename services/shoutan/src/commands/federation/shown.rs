//! Organisations as they are printed.

use api::federation::v1::{
    Answer, Application, Club, Conveyance, Federation, Invitation, LineProblem, Member, MemberState, Name,
    Official, OfficialRole, Proxy, Sex, Team, TeamPart,
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use crate::commands::print::Record;

/// What can be printed.
pub(in crate::commands) trait Shown {
    /// Its fields, in order.
    fn record(&self) -> Record;
}

impl Shown for Federation {
    fn record(&self) -> Record {
        let (native, latin) = names(self.name.as_ref());
        vec![
            ("federation", json!(self.federation_id)),
            ("name", native),
            ("latin", latin),
            ("open", json!(self.open)),
            ("about", json!(self.about)),
            ("founded", second(self.create_time.as_ref())),
            ("dissolved", second(self.dissolve_time.as_ref())),
            ("revision", json!(self.revision)),
        ]
    }
}

impl Shown for Club {
    fn record(&self) -> Record {
        let (native, latin) = names(self.name.as_ref());
        vec![
            ("club", json!(self.club_id)),
            ("name", native),
            ("latin", latin),
            ("place", json!(self.place)),
            ("closed", second(self.close_time.as_ref())),
            ("federation", json!(self.federation_id)),
            ("revision", json!(self.revision)),
        ]
    }
}

impl Shown for Member {
    fn record(&self) -> Record {
        let (native, latin) = names(self.name.as_ref());
        let sex = match self.sex() {
            Sex::Unspecified => "",
            Sex::Female => "f",
            Sex::Male => "m",
        };
        let state = match self.state() {
            MemberState::Unspecified => "",
            MemberState::Active => "active",
            MemberState::Left => "left",
            MemberState::Merged => "merged",
            MemberState::Erased => "erased",
        };
        let stays = self
            .stays
            .iter()
            .map(|stay| json!({ "club": stay.club_id, "from": stay.from_date, "to": stay.to_date }));
        vec![
            ("member", json!(self.member_id)),
            ("name", native),
            ("latin", latin),
            ("sex", json!(sex)),
            ("born", json!(self.birth_date)),
            ("grade", json!(self.grade)),
            ("numbers", json!(self.numbers)),
            ("state", json!(state)),
            ("joined", json!(self.join_date)),
            ("left", json!(self.leave_date)),
            ("merged_into", json!(self.merged_into_id)),
            ("clubs", Value::Array(stays.collect())),
            ("account", json!(self.account_id)),
            ("note", json!(self.note)),
            ("federation", json!(self.federation_id)),
            ("revision", json!(self.revision)),
        ]
    }
}

impl Shown for Team {
    fn record(&self) -> Record {
        let (native, latin) = names(self.name.as_ref());
        let members = self.members.iter().map(|member| {
            let part = if member.part() == TeamPart::Substitute { "substitute" } else { "player" };
            json!({ "member": member.member_id, "part": part })
        });
        vec![
            ("team", json!(self.team_id)),
            ("name", native),
            ("latin", latin),
            ("club", json!(self.club_id)),
            ("captain", json!(self.captain_id)),
            ("members", Value::Array(members.collect())),
            ("disbanded", second(self.disband_time.as_ref())),
            ("federation", json!(self.federation_id)),
            ("revision", json!(self.revision)),
        ]
    }
}

impl Shown for Application {
    fn record(&self) -> Record {
        let (native, latin) = names(self.name.as_ref());
        vec![
            ("application", json!(self.application_id)),
            ("name", native),
            ("latin", latin),
            ("account", json!(self.account_id)),
            ("club", json!(self.club_id)),
            ("note", json!(self.note)),
            ("answer", json!(answer(self.answer()))),
            ("reply", json!(self.reply)),
            ("member", json!(self.member_id)),
            ("made", second(self.create_time.as_ref())),
            ("federation", json!(self.federation_id)),
        ]
    }
}

impl Shown for Invitation {
    fn record(&self) -> Record {
        vec![
            ("invitation", json!(self.invitation_id)),
            ("account", json!(self.account_id)),
            ("member", json!(self.member_id)),
            ("answer", json!(answer(self.answer()))),
            ("expires", second(self.expire_time.as_ref())),
            ("made_by", json!(self.made_by)),
            ("federation", json!(self.federation_id)),
        ]
    }
}

impl Shown for Official {
    fn record(&self) -> Record {
        let conveyance = match self.conveyance() {
            Conveyance::Unspecified => "",
            Conveyance::Pending => "pending",
            Conveyance::Done => "done",
            Conveyance::Refused => "refused",
        };
        vec![
            ("account", json!(self.account_id)),
            ("role", json!(role(self.role()))),
            ("in_tokens", json!(conveyance)),
            ("refusal", json!(self.refusal_reason)),
            ("granted", second(self.grant_time.as_ref())),
            ("granted_by", json!(self.granted_by)),
            ("revoked", second(self.revoke_time.as_ref())),
            ("revoked_by", json!(self.revoked_by)),
        ]
    }
}

impl Shown for Proxy {
    fn record(&self) -> Record {
        vec![
            ("proxy", json!(self.proxy_id)),
            ("member", json!(self.member_id)),
            ("account", json!(self.account_id)),
            ("himself", json!(self.consented_himself)),
            ("reason", json!(self.reason)),
            ("given", second(self.give_time.as_ref())),
            ("given_by", json!(self.given_by)),
            ("withdrawn", second(self.withdraw_time.as_ref())),
        ]
    }
}

impl Shown for LineProblem {
    fn record(&self) -> Record {
        vec![
            ("line", json!(self.line)),
            ("column", json!(self.column)),
            ("reason", json!(self.reason)),
            ("message", json!(self.message)),
        ]
    }
}

/// The roles of officials, as they are written here.
pub(in crate::commands) const ROLES: [(&str, OfficialRole); 6] = [
    ("administrator", OfficialRole::Administrator),
    ("committee", OfficialRole::Committee),
    ("chief-arbiter", OfficialRole::ChiefArbiter),
    ("deputy", OfficialRole::Deputy),
    ("arbiter", OfficialRole::Arbiter),
    ("scorer", OfficialRole::Scorer),
];

fn role(role: OfficialRole) -> &'static str {
    ROLES.iter().find(|(_, known)| *known == role).map_or("", |(name, _)| name)
}

fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Unspecified => "",
        Answer::Pending => "pending",
        Answer::Accepted => "accepted",
        Answer::Refused => "refused",
        Answer::Withdrawn => "withdrawn",
    }
}

/// The native name, and the Latin one where it is another.
pub(in crate::commands) fn names(name: Option<&Name>) -> (Value, Value) {
    let Some(Name { native, latin }) = name else { return (json!(""), json!("")) };
    (json!(native), json!(if latin == native { "" } else { latin }))
}

/// The second of a moment as text; nothing where there is none. More of it says nothing of organisations.
fn second(time: Option<&Timestamp>) -> Value {
    let whole = time.map(|time| Timestamp { nanos: 0, ..*time });
    self::time(whole.as_ref())
}

/// A moment as text; nothing where there is none.
pub(in crate::commands) fn time(time: Option<&Timestamp>) -> Value {
    let moment = time.and_then(api::time::moment);
    let written =
        moment.and_then(|moment| moment.format(&time::format_description::well_known::Rfc3339).ok());
    json!(written.unwrap_or_default())
}
