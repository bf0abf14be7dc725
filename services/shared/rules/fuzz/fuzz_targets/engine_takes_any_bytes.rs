#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules_fuzz::laws::engine_takes_any_bytes(bytes));
