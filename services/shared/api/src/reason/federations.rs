//! Federations: their clubs, members, teams and officials.

use super::reasons;

reasons! {
    /// What federations refuse.
    FEDERATIONS:
    UNKNOWN_FEDERATION "There is no such federation."
        => "Take one that ListFederations names.";
    UNKNOWN_CLUB "The federation has no such club."
        => "Take one that ListClubs names.";
    UNKNOWN_MEMBER "The federation has no such member."
        => "Take one that ListMembers names.";
    UNKNOWN_TEAM "The federation has no such team."
        => "Take one that ListTeams names.";
    UNKNOWN_APPLICATION "There is no such application, or it is nobody's whom the caller may ask for."
        => "Take one that ListApplications names.";
    UNKNOWN_INVITATION "There is no such invitation, or it is for somebody else."
        => "Take one that ListInvitations names.";
    NOT_A_MEMBER "The caller is no member of the federation, or his account is not known there."
        => "Join the federation, or have an administrator bind the account to the member.";
    UNKNOWN_PROXY "There is no such proxy."
        => "Take one that ListProxies names.";
    UNKNOWN_OFFICIAL "The account does not hold this role in the federation."
        => "Take one that ListOfficials names.";
    UNKNOWN_CODE "The code opens nothing: it never was one, was used, taken back, or has expired."
        => "Compare it with what was given to you, or ask for another.";
    REVISION_PASSED "Somebody has changed it since the caller saw it."
        => "Read it anew, and decide again.";
    ORGANISATION_ENDED "It is dissolved, closed or disbanded, and changes no more."
        => "Choose another, or make a new one.";
    ORGANISATION_NAME_TAKEN "Another federation, or another club or team of the federation, has the name."
        => "Choose another name.";
    BAD_ORGANISATION_NAME "Nobody and nothing in a federation can have this name."
        => "Send 1 to 80 visible characters with letters, and the same in Latin letters where it is in others.";
    BAD_DATE "A date is not one as 2026-12-31, or cannot be the day of this."
        => "Send a date of the form YYYY-MM-DD within the limits that the protos name.";
    BAD_FIELD_MASK "The field mask names what cannot be changed."
        => "Name fields that the method changes, or none.";
    BAD_MEMBER "A field of a member is none that a member can have."
        => "Send it as the protos say.";
    MEMBER_EXISTS "Somebody is a member already, or somebody of the same name and day of birth is."
        => "Take that member, whom the metadata `member_id` names, or say that it is a namesake.";
    MEMBER_NOT_ACTIVE "He has left, was merged into another, or was erased."
        => "Take him back first, or take the member into whom he was merged.";
    NUMBER_TAKEN "Another member has the number in this list."
        => "Compare the number, or merge the two; the metadata `member_id` names the other.";
    ACCOUNT_BOUND "The account is a member of the federation already, or the member has another account."
        => "Take the account away first, or merge the two members.";
    ACCOUNTS_DIFFER "Both of the members to be merged have an account."
        => "Take one of the accounts away first.";
    CLUB_NOT_EMPTY "Somebody is in the club, or will be."
        => "Transfer its members first.";
    ALREADY_IN_CLUB "The member is in this club already, or in none."
        => "Choose another club.";
    BAD_TEAM "A team cannot be like this."
        => "Name each member once, at most 50, and a captain among them.";
    CAPTAIN_ELSEWHERE "The captain is captain of another team."
        => "Choose another captain, or give the other team one first.";
    BAD_IMPORT "The file has bad lines, and nothing of it is taken."
        => "Have it checked with validate_only, which names each of them.";
    BAD_LINE "A line of a file cannot be read, or stands for what another line does."
        => "Write one person a line, with as many fields as the heading has.";
    BAD_HEADING "The heading of a file lacks a column, or has an unknown one."
        => "Name the columns as the protos do.";
    NOT_OPEN "The federation takes no applications."
        => "Ask an administrator for an invitation.";
    ALREADY_APPLIED "The account has applied, and waits for an answer."
        => "Wait, or take the application back.";
    ALREADY_ANSWERED "The application or the invitation was answered, taken back, or has expired."
        => "Make a new one.";
    BAD_INVITATION "An invitation cannot be like this."
        => "Invite an account, or whoever has the code; for 1 to 90 days; a member only who has no account.";
    LAST_ADMINISTRATOR "A federation keeps one administrator at least."
        => "Make somebody else an administrator first.";
    BAD_PROXY "Nobody can act for a member like this."
        => "Name another account than the member's own, and say how he consented where he did not do so himself.";
    ALREADY_PROXY "The account may act for the member already."
        => "Nothing needs to be done.";
    EVENTS_OPEN "The federation has events that are not over."
        => "Finish them or call them off first.";
    FEDERATION_FULL "There are as many of these as there may be."
        => "End some first; the limits stand in the table of limits.";
    IDENTITY_UNAVAILABLE "The accounts do not answer."
        => "Repeat the call with the same request id.";
}
