//! What federation decides. Everything here is a function of its arguments; time and chance are passed in.
