//! Paths that are secrets: whoever knows one is let in by it, so none is ever told.

/// Below it every path is the address of a calendar, which is known to who may read it and to nobody else.
pub const CALENDAR_PATH: &str = "/calendar/";

/// A path as it may stand in a log, and by which calls are known: of a secret one the part that all of them share.
pub(super) fn shown(path: &str) -> &str {
    if path.starts_with(CALENDAR_PATH) { CALENDAR_PATH } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_secret_path_nothing_is_shown() {
        assert_eq!(shown("/calendar/0123456789abcdef.ics"), "/calendar/");
        assert_eq!(shown("/readyz"), "/readyz");
    }
}
