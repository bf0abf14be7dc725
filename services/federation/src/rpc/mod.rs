//! The service on the wire: protos in, protos out, nothing decided.
