//! Rating lists of federations.

use super::reasons;

reasons! {
    /// What rating lists refuse.
    RATING_LISTS:
    UNKNOWN_RATING_POLICY "There is no such policy of rating lists, or it has no such version."
        => "Take one that ListRatingPolicies names.";
    UNKNOWN_RATING_LIST "The policy has no such rating list, or none yet."
        => "Take one that ListRatingLists names.";
    BAD_RATING_POLICY "A policy of rating lists contradicts itself, or is out of its limits."
        => "Send the field that is named within the limits that the protos name.";
    RATING_LIST_EXISTS "The last rating list of the policy has this day, or a later one."
        => "Read that list, which the metadata `number` names; a list never changes, and the next one is of a later day.";
    RATING_LIST_MOVED "What the rating list follows from has changed while it was worked out."
        => "Have it shown again (validate_only), and publish it again.";
    RATING_LIST_TOO_LARGE "The rating list would have more events, games or members than one can have."
        => "Publish lists more often, or count from a later day on.";
    RATING_KNOWN "A rating list rates the member already, or knows another imported rating of him."
        => "Take the line out: what a list knows is not imported again.";
}
