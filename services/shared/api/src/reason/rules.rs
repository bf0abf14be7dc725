//! What the rules of the games refuse, and what the engine protocol and the checks of records say. They are
//! written as strings where they arise; a test reads those sources and misses none here.

use super::reasons;

reasons! {
    /// The rules of the five games.
    RULES:
    BAD_NOTATION "The text is no act in the notation of the variant."
        => "Write the act as the notation of the variant says.";
    NOT_YOUR_TURN "The other side is to act."
        => "Wait for one's turn.";
    NOTHING_DUE "The game waits for no act of the house, or for another one."
        => "Read what is due.";
    OCCUPIED "A stone stands on the point."
        => "Name an empty point.";
    OFF_BOARD "The board has no such point."
        => "Name a point of the board.";
    SUICIDE "The stones would have no liberty, and nothing would be captured."
        => "Play elsewhere.";
    KO "It would take back a ko at once."
        => "Play elsewhere first.";
    REPETITION "It would bring back an earlier board in a way that is forbidden."
        => "Play elsewhere.";
    TURN_LIMIT "No more stones can be played in this game."
        => "Pass, and count.";
    HANDICAP_FIRST "The handicap stones come first."
        => "Place them.";
    NOT_VOID "The point is not forbidden, or forbidden moves are refused rather than void."
        => "Play the point as a move.";
    NO_LONG_CYCLE "There is no long cycle to claim, or the arbiter has been asked already."
        => "Play on.";
    IN_AGREEMENT "Both have confirmed the end; what is dead is to be agreed on, or disputed."
        => "Propose, accept or dispute.";
    NOT_IN_AGREEMENT "The end has not been confirmed by both."
        => "Play on, or pass.";
    NO_PROPOSAL "The other side has proposed nothing about the count."
        => "Propose what is dead or whose it is.";
    PROPOSAL_CHANGED "The other side's proposal about the count is another one now."
        => "Read it, and accept that one or propose anew.";
    TOO_MANY_PROPOSALS "As many proposals about the count have been made as may be."
        => "Accept the last one, or dispute it.";
    NO_STONE "A point without a stone was called dead."
        => "Name points with stones.";
    SHAPE_AGAIN "The other side would face this board with these virtual stones again."
        => "Play elsewhere.";
    BOARD_AGAIN "The other side would face this board again by a virtual move."
        => "Play elsewhere.";
    STONE_THERE "A stone stands on a point that is to be given to somebody."
        => "Name empty points, or call the stone dead.";
    NAMED_TWICE "One point is given to two."
        => "Name each point once.";
    NOTHING_TO_FILL "No point is shared, so there is nothing to fill."
        => "Propose, accept or reject.";
    TOO_MANY_DEMANDS "The side has demanded that neutral points be filled as often as it may."
        => "Propose, accept or reject.";
    NOT_NOW "The game waits for another kind of act."
        => "Read what is due; ListActs has it.";
    HOUSE_ONLY "Only the house does this."
        => "Wait for the house.";
    ALREADY_BID "A bid cannot be changed."
        => "Wait for the other side's bid.";
    BID_OUT_OF_RANGE "A bid is at most half the points of the board."
        => "Bid less.";
    TWO_STONES "The proposal puts two stones on one point."
        => "Propose one stone a point.";
    NO_LIBERTY "A chain of the proposal has no liberty."
        => "Propose a position that can stand.";
    NO_BLOCK "Nobody owns the point, so it is in no block."
        => "Name a point of a block.";
    NOT_FILLABLE "The point is not an empty one of a block in seki."
        => "Name an empty point of a block in seki.";
    HOUSE_FIRST "The house commits first in a draw by lot."
        => "Wait for the house's commitment.";
    ALREADY_DONE "This step of the draw by lot has been done and cannot be changed."
        => "Wait for the next step.";
    TOO_LATE "The time for this step of the draw by lot is over."
        => "Go on with the next step.";
    TOO_EARLY "Seeds are revealed when all have committed."
        => "Wait for the others' commitments.";
    NOT_COMMITTED "Who did not commit is left out of the draw by lot."
        => "Wait for its result.";
    WRONG_REVEAL "Salt and seed are not those that were committed to."
        => "Reveal what was committed to.";
    OFFER_OPEN "A draw offer is open already."
        => "Wait for the answer.";
    OFFER_REPEATED "A refused offer is not repeated until the other side has offered."
        => "Play on.";
    NO_OFFER "There is no draw offer to answer."
        => "Play on; the offer may have lapsed.";
    NOT_CLAIMABLE "There is no draw to claim yet."
        => "Play on.";
    WRONG_PHASE "This phase of the game takes another kind of turn."
        => "Play what the message names.";
    OPENING_POINT "The first two stones of jiu are placed on the two centre points."
        => "Place the stone there.";
    LIFT_POINT "The stone to be lifted is the mover's own centre stone."
        => "Name its point.";
    NOT_YOUR_STONE "The mover has no stone to move there."
        => "Name a point with one's own stone.";
    NOT_ADJACENT "The leg is neither a step nor a jump, and the mover does not fly."
        => "Move along a line to the next point, or jump.";
    NO_JUMP "The leg has the length of a jump of jiu, but jumps no enemy stone."
        => "Jump over an enemy stone.";
    BAD_JUMP "The leg of jirige does not pass exactly one point, with an enemy stone on it."
        => "Jump over one enemy stone.";
    ONE_JUMP_FORBIDDEN "In jiu a chain of one jump is not allowed while the opponent flies."
        => "Jump twice at least, or move otherwise.";
    SINGLE_JUMP_IN_FLIGHT "In jirige a chain in the flying phase takes at least two stones."
        => "Jump twice at least, or move otherwise.";
    JUMP_MISMATCH "The turn names other jumped stones than the path jumps."
        => "Name those that the message lists.";
    NOT_LAN "Two stones moved together do not make a lan."
        => "Fill two adjacent lines.";
    NOT_SONGRAN "Three stones moved together do not make a songran."
        => "Fill three adjacent lines.";
    MUST_REMOVE "The turn of jiu names more or fewer stones to remove than it has earned."
        => "Name as many as the message says.";
    NOT_ENEMY_STONE "A stone to be removed is no enemy stone, or has left the board."
        => "Name an enemy stone.";
    REMOVED_TWICE "A stone to be removed is named twice."
        => "Name each stone once.";
    CENTRE_RESERVED "The centre of jirige is kept for the last stone."
        => "Place elsewhere.";
    RING_FIRST "The first stones of jirige stand round the centre."
        => "Place next to the centre.";
    NO_DISPLACEMENT "The turn ends where it begins."
        => "Move the stone somewhere.";
    PROTECTED_SQUARE "A stone to be removed stands in a square while there are loose ones."
        => "Name a loose stone.";
    TOO_FEW_REMOVALS "More enemy stones have to be removed in this turn of jirige."
        => "Name as many more as the message says.";
    TOO_MANY_REMOVALS "More stones are named than are to be removed in this turn of jirige."
        => "Name fewer.";
    NO_REMOVAL_DUE "Nothing has earned a removal."
        => "Move without removing.";
    REMOVAL_PENDING "The removals of the turn come first."
        => "Remove the stones that are owed.";
    VOID_MOVE "The move was void by the rules, and its turn with it; an incident of the log says so, no refusal."
        => "Play on.";
    UNREADABLE "The sealed move cannot be read; the log says so when it is opened, no refusal."
        => "Wait for an official's decision.";
    LONG_CYCLE "The board has come back in a long cycle; a fact of an act says so, no refusal."
        => "Claim it, or play on.";
}

reasons! {
    /// The engine protocol (`shoutan rules`) and the checks of records, which no server answers.
    ENGINE:
    UNKNOWN_COMMAND "There is no such command."
        => "Ask for `help`, which lists them.";
    BAD_ARGUMENTS "The command takes other arguments."
        => "Write the command as `help` shows it.";
    BAD_OPTION "The option is none of this variant, or has no such value."
        => "Ask for the options of the variant.";
    BAD_POSITION "The position cannot be read, or cannot stand."
        => "Correct what the message names.";
    BAD_JSON "The line is no JSON of the engine protocol."
        => "Correct the line.";
    TOO_LONG "The line or the game is longer than the engine takes."
        => "Send less.";
    TOO_DEEP "The count of positions goes deeper than the engine takes."
        => "Count fewer plies.";
    STOPPED "The work was stopped before its end."
        => "Give it more time, or less to do.";
    TOO_MANY "There are more acts than can be listed."
        => "List the steps of one act at a time.";
    NOT_LISTED "These steps are not among those that are listed."
        => "Take steps that are listed.";
    LISTED_BUT_REFUSED "An act that is listed was refused, which is a fault of the engine."
        => "Report it with the position.";
    NO_SUGGESTION "Nothing is to be settled now, or there is no way to suggest it."
        => "Play on.";
    NO_FILE "The file cannot be read."
        => "Check its name and rights.";
    NO_SIDE "Both sides may act, and none is named."
        => "Name a side before the act.";
    NO_COUNT "The game is not counted, and it has not ended."
        => "Play it to its end.";
    NO_POSITION "The position that the record states could not be reached."
        => "Correct the record before this line.";
    EMPTY "The record has no position and no act."
        => "Check that it is the right file.";
    JUMP_UNSAID "A printed turn jumps stones and does not name them."
        => "Name them behind TC, as the message says.";
    UNCHECKED "Something in the record was not checked."
        => "Read the message, which says what and why.";
    BAD_NUMBER "Another number should stand before the move."
        => "Number the moves as the check says.";
    WRONG_RESULT "The record states another result than the one that was reached."
        => "Correct the result.";
}
