//! A small client kit: what every client of the API would otherwise write itself.
