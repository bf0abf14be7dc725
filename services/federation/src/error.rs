//! Why a call is refused or failed, and what that is on the wire.
