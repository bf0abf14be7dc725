#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules_fuzz::laws::position_round_trip(bytes));
