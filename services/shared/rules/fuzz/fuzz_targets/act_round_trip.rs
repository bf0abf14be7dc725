#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules_fuzz::laws::act_round_trip(bytes));
