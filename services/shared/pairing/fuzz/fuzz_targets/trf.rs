#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pairing_fuzz::laws::trf(bytes));
