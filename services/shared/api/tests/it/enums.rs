//! What the rules name and the protos number.

use api::board::v1 as board;
use rules::Reason;

#[test]
fn every_reason_has_a_proto_of_its_own_and_the_same_name() {
    for reason in Reason::ALL {
        let proto = board::Reason::from(reason);
        assert_eq!(Reason::try_from(proto), Ok(reason));
        let name = proto.as_str_name().trim_start_matches("REASON_");
        assert_eq!(name.to_ascii_lowercase().replace('_', "-"), reason.name());
    }
}
