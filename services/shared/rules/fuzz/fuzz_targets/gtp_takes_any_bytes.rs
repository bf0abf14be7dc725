#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules_fuzz::laws::gtp_takes_any_bytes(bytes));
