#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules_fuzz::laws::hash_follows_play(bytes));
