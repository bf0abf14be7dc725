//! What each call asks for: read, decide, write.
