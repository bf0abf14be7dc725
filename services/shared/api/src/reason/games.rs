//! Games, what happens around the board, officials, and chat.

use super::reasons;

reasons! {
    /// Games and acts in them.
    GAMES:
    UNKNOWN_GAME "There is no such game, or the caller may not know of it yet."
        => "Check the id; a delayed broadcast begins later.";
    NOT_A_PLAYER "The caller has no seat in this game."
        => "Watch it instead, or call with the token of a player.";
    PLAYS_IN_EVENT "The caller plays in the event of this game, and his own game is not over (Art. 15.4)."
        => "Watch it when that is over.";
    GAME_DIFFERS "The id belongs to another game."
        => "Make a new id for a new game.";
    GAME_OVER "The game has ended."
        => "Read its result; there is nothing more to play.";
    STALE_PLY "The act was meant for another position."
        => "Read the events since, and decide anew; the metadata `ply` has the current one.";
    ACT_TOO_LONG "The text is longer than any act can be."
        => "Write the act in the notation of the variant.";
    NOT_IN_PLAY "The game is paused, adjourned or not begun."
        => "Wait until it goes on.";
    RULE_BROKEN "A rule of the game forbids it; the metadata `rule` names which."
        => "Play something else; ListActs has what is allowed.";
    BAD_RULE_SET "The options of the rules are none of this variant, or do not go together."
        => "Correct the option that the message names; ListVariants has them all.";
    BAD_REGULATIONS "The regulations of the game are incomplete or contradict each other."
        => "Correct what the message names.";
    OPPONENT_IS_SELF "Nobody plays against himself."
        => "Name two accounts.";
    BAD_SIDE "It is not said which side is meant."
        => "Send first or second.";
    BAD_CURSOR "The place from which to go on lies behind the end of the stream."
        => "Begin from the last number that was received.";
    BAD_RECORD "The record cannot be read."
        => "Correct the line or the option that is named.";
    RECORD_TOO_LONG "The record is longer than the server takes."
        => "Send at most what the table of limits says.";
    ILLEGAL_RECORD "The record has an act that the rules forbid."
        => "Correct the act whose number is named, or import up to it.";
    IMPORT_QUOTA "The account keeps as many imported records as it may."
        => "Delete some of those that ListImports names.";
    NOT_YOUR_IMPORT "The caller has not imported this game."
        => "Take one that ListImports names.";
}

reasons! {
    /// Proposals, presence, adjournments.
    TABLE:
    TOO_LATE_TO_ABORT "Too much has been played for an abort."
        => "Resign, or agree on a draw.";
    NOT_PAUSED "The game is not paused, or not for what is to end."
        => "Read how the game stands.";
    ALREADY_PAUSED "The game is paused for this already."
        => "Nothing is to be done.";
    UNDO_OFF "In a rated game or one of an event no moves are taken back."
        => "Play on.";
    NOTHING_TO_UNDO "Nothing of the player's has been played since that ply."
        => "Name an earlier ply.";
    CANNOT_UNDO "What has been drawn or opened since that ply cannot be taken back."
        => "Name a later ply.";
    PROPOSAL_OPEN "The player's own proposal of this kind is open already."
        => "Wait for the answer, or withdraw it.";
    ASKED_TOO_OFTEN "The player has proposed, offered or given that as often as one may before the next act, or in one game."
        => "Play on; the message says which of the two, and how often.";
    NOTHING_PROPOSED "Nothing of the kind is proposed."
        => "Read what is open; it may have been withdrawn.";
    BAD_PROPOSAL "It is not said what is proposed."
        => "Send one of the proposals.";
    NO_REMATCH "The result is not final, or the next game has been agreed on."
        => "Wait for the result to be final, or play the next game.";
    OFFICIALS_ONLY "In a game of an event only its officials do that."
        => "Call an arbiter.";
    BAD_GIFT "So much or so little time cannot be given."
        => "Give from one second to ten minutes.";
    NO_CLOCK "No clock has run yet."
        => "Wait until the game has begun.";
    OPPONENT_PRESENT "The opponent is not gone."
        => "Play on.";
    GRACE_RUNNING "The opponent may still come back."
        => "Claim after the time that the metadata `until` has.";
    BAD_CLAIM "It is not said what is claimed."
        => "Send a win or a draw.";
    NOT_WAITING "The game does not wait for its start."
        => "Read how the game stands.";
    CHECKED_IN "The player has checked in already."
        => "Nothing is to be done.";
    NOT_ADJOURNABLE "By its regulations this game is not adjourned."
        => "Play on.";
    NOT_ADJOURNED "The game is not adjourned with a sealed move."
        => "Read how the game stands.";
    NOT_SEALING "No move is to be sealed now."
        => "Play the move as an act.";
    BAD_RESUMPTION "The time of the resumption is not one that can be set."
        => "Name a time within the limit that the message names.";
    NOTHING_HELD "No sealed move waits for a decision."
        => "Read how the game stands.";
    UNKNOWN_KEY "The move is sealed to a key that is not the platform's."
        => "Ask for the sealing key and seal anew.";
    BAD_CIPHERTEXT "The sealed move cannot be opened: it is of another key, game or ply, or too long."
        => "Seal anew for the game and the ply as they are.";
    BAD_COMMITMENT "The commitment is not that of the sealed move."
        => "Send the SHA-256 that the sealing returned.";
    CANNOT_SEAL "The client could not seal the move."
        => "Read the message; the key of the platform may be damaged.";
}

reasons! {
    /// What officials may not do, and what is claimed of them.
    OFFICIALS:
    NOT_AN_EVENT_GAME "The game belongs to no event and no federation, so it has no officials."
        => "Settle it among the players.";
    NO_ROLE "The caller holds no office in this event or federation."
        => "Sign in anew if an office was given meanwhile.";
    ROLE_MAY_NOT "None of the caller's offices allows this."
        => "Ask an official whose office does.";
    IS_PLAYER "Nobody rules on his own game."
        => "Ask another official.";
    NOT_AN_OFFICIAL "The caller has no office where he asks as an official."
        => "Ask for the events and federations of one's own offices.";
    BAD_RULING "The act of an official is missing or incomplete."
        => "Send the act whole.";
    BAD_REASON "The act of an official lacks a reason, or has too long a one."
        => "Send 1 to 1,000 characters.";
    BAD_PETITION "The petition of a player is missing or incomplete."
        => "Say what is asked for.";
    BAD_TEXT "A text for people to read is empty to the eye, too long, or has characters that do not print."
        => "Send words, within the limit that the message names.";
    BAD_EVIDENCE "Evidence is not named by its SHA-256."
        => "Send the 32 bytes of the digest.";
    BAD_PLY "Nothing has been played since that ply."
        => "Name an earlier ply.";
    CALL_OPEN "The player's call for an arbiter is open already."
        => "Wait for the arbiter.";
    TOO_MANY_ARBITER_CALLS "The player has called an arbiter as often as he may in one game."
        => "File a claim, or wait for the end of the game.";
    NO_SUCH_CALL "No call for an arbiter of this number is open."
        => "Read which calls are open.";
    TOO_MANY_CLAIMS "The player has filed as many claims as he may in one game."
        => "Wait for those that are open.";
    NO_SUCH_CLAIM "There is no claim of this number, or not one that fits."
        => "Read which claims there are.";
    CLAIM_NOT_OPEN "The claim is decided already."
        => "Appeal, if the time for it is not over.";
    CLAIM_NOT_DECIDED "The claim is not decided, or its decision is final."
        => "Read how the claim stands.";
    CLAIM_NOT_APPEALED "No appeal is open in this claim."
        => "Read how the claim stands.";
    CLAIM_LATE "That had to be claimed earlier."
        => "Claim before one's next move, while the result can still change.";
    NOT_YOUR_TIME "A claim that is not urgent waits for the player's own thinking time."
        => "File it when it is one's turn.";
    DECISION_NOT_ALLOWED "The rules do not allow this decision here."
        => "Take one that the table of incidents allows.";
    NOT_IN_THIS_VARIANT "The rules of this variant know nothing of the kind."
        => "Take what the printed rules of the variant name.";
    TOO_LATE_FOR_COLOURS "Colours are corrected up to the tenth move only."
        => "Note the colours instead.";
    TOO_EARLY_TO_NOTE "Up to the tenth move colours are corrected, not noted."
        => "Correct the colours instead.";
    COLOURS_NOTED "The colours have been corrected or noted already."
        => "Nothing is to be done.";
    NO_SUCH_INCIDENT "There is no such incident in the table of the variant."
        => "Take one that the table of incidents names.";
    NOT_ENDED "The game has not ended."
        => "Wait for its end.";
    CONFIRMED "The caller has confirmed the result."
        => "Nothing is to be done.";
    RESULT_FINAL "The result is final."
        => "Nothing can be changed any more.";
    RESULT_NEEDED "What is decided undoes the result, and it is not said what the result is."
        => "Say the result with the decision.";
    ANNULLED "The game has been annulled."
        => "Nothing can be changed any more.";
}

reasons! {
    /// What the rooms beside a game refuse.
    CHAT:
    CHAT_OFF "By its regulations the game has no chat."
        => "Talk elsewhere.";
    BAD_ROOM "It is not said which room is meant."
        => "Send players or spectators.";
    WRONG_ROOM "The room is for others."
        => "Players talk in theirs, spectators in theirs, until the result is final.";
    GUESTS_READ_ONLY "Guests read here, and write only to their opponents."
        => "Make the guest a full account.";
    CHAT_TOO_FAST "The caller writes more than may be written at once."
        => "Wait as long as RetryInfo says.";
    CHAT_FULL "The room has as many messages as it may."
        => "Talk elsewhere.";
    UNKNOWN_MESSAGE "There is no message of this number."
        => "Read the messages of the room.";
}
