//! Titles and grades of federations.

use super::reasons;

reasons! {
    /// What is refused about titles.
    TITLES:
    UNKNOWN_TITLE "The federation has no such title."
        => "Look it up in the list of titles.";
    UNKNOWN_AWARD "There is no such award, as far as the caller may know."
        => "Look it up in the list of awards.";
    BAD_TITLE "A title, a proposal or a decision cannot be like this."
        => "Give grades a rank and a short name, and decisions a reason.";
    TITLE_EXISTS "The federation has a title of this name or rank."
        => "Use that one, or retire it first.";
    TITLE_PROPOSED "The title is proposed for the member already."
        => "Award or refuse that proposal.";
    TITLE_HELD "The member has the title already."
        => "Nothing needs to be done.";
    SECOND_PERSON "Nobody awards what he has proposed, nor to himself or to whom he acts for."
        => "Have another administrator or member of the committee award it.";
}
