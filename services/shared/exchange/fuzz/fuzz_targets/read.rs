#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exchange_fuzz::laws::read(bytes));
