//! Calls every public method there is, and keeps whatever comes back.
//!
//! The methods are read from the compiled protos, so that none can be forgotten. Requests are put together
//! from the names of their fields: a call only has to be well enough made to be answered.

use std::{collections::BTreeMap, time::Duration};

use api::transport::Transport;
use bytes::{BufMut as _, Bytes, BytesMut};
use http::{Request, header};
use http_body_util::BodyExt as _;
use prost::{
    Message as _,
    encoding::{WireType, encode_key, encode_varint},
};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet, field_descriptor_proto::Type};
use tonic::body::Body;
use tower::ServiceExt as _;

/// How long a stream may be silent before it is taken to have said all it has to say.
pub(crate) const SILENCE: Duration = Duration::from_millis(300);

/// A public method.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// `/package.Service/Method`.
    pub path: String,
    request: Vec<FieldDescriptorProto>,
}

/// Every method of every public service.
pub(crate) fn public_methods() -> Vec<Method> {
    let files = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("the descriptors are sound").file;
    let messages: BTreeMap<String, DescriptorProto> = files
        .iter()
        .flat_map(|file| {
            let package = file.package();
            file.message_type.iter().map(move |it| (format!(".{package}.{}", it.name()), it.clone()))
        })
        .collect();
    let services = files.iter().flat_map(|file| file.service.iter().map(move |it| (file.package(), it)));
    services
        .filter(|(package, service)| package.starts_with("shoutan.") && !service.name().contains("Internal"))
        .flat_map(|(package, service)| {
            let messages = &messages;
            service.method.iter().map(move |method| Method {
                path: format!("/{package}.{}/{}", service.name(), method.name()),
                request: messages[method.input_type()].field.clone(),
            })
        })
        .collect()
}

/// A call of a method with these values for the fields of these names.
pub(crate) fn request(method: &Method, values: &[(&str, &str)]) -> Request<Body> {
    let mut message = BytesMut::new();
    for field in &method.request {
        let Some((_, value)) = values.iter().find(|(name, _)| *name == field.name()) else { continue };
        let number = u32::try_from(field.number()).expect("a field has a number");
        match field.r#type() {
            Type::String => {
                encode_key(number, WireType::LengthDelimited, &mut message);
                encode_varint(value.len() as u64, &mut message);
                message.put_slice(value.as_bytes());
            }
            Type::Enum | Type::Uint32 | Type::Uint64 | Type::Int32 => {
                encode_key(number, WireType::Varint, &mut message);
                encode_varint(value.parse().expect("a number"), &mut message);
            }
            kind => panic!("{}: no value of {kind:?} for {}", method.path, field.name()),
        }
    }
    post(&method.path, &message)
}

/// A call of a method with this message.
pub(crate) fn post(path: &str, message: &[u8]) -> Request<Body> {
    let mut framed = BytesMut::with_capacity(message.len() + 5);
    framed.put_u8(0);
    framed.put_u32(u32::try_from(message.len()).expect("a short message"));
    framed.put(message);
    Request::post(path)
        .header(header::CONTENT_TYPE, "application/grpc")
        .header(header::TE, "trailers")
        .body(Body::new(http_body_util::Full::new(Bytes::from(framed))))
        .expect("a request")
}

/// Calls a method with these values for the fields of these names, and answers with all bytes that come back.
pub(crate) async fn call(transport: &Transport, method: &Method, values: &[(&str, &str)]) -> Vec<u8> {
    let response = transport.clone().oneshot(request(method, values)).await.expect("the platform answers");
    let mut back = format!("{:?}\n", response.headers()).into_bytes();
    let mut body = response.into_body();
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE, body.frame()).await {
        match frame.into_data() {
            Ok(data) => back.extend_from_slice(&data),
            Err(trailers) => back.extend_from_slice(format!("{trailers:?}").as_bytes()),
        }
    }
    back
}
