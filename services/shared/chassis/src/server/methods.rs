//! Every method that a server may answer, by the descriptors of the API.

use std::sync::LazyLock;

use prost::Message as _;
use prost_types::FileDescriptorSet;

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Method {
    /// Its service with the package: `shoutan.game.v1.GameService`.
    pub service: String,
    /// Its own name: `Play`.
    pub name: String,
    /// Whether it answers with a stream.
    pub is_stream: bool,
}

impl Method {
    /// Where it is called.
    pub(super) fn path(&self) -> String {
        format!("/{}/{}", self.service, self.name)
    }
}

/// Methods of services that are not ours, and whether they answer with a stream.
const STANDARD: [(&str, &str, bool); 5] = [
    ("grpc.health.v1.Health", "Check", false),
    ("grpc.health.v1.Health", "List", false),
    ("grpc.health.v1.Health", "Watch", true),
    ("grpc.reflection.v1.ServerReflection", "ServerReflectionInfo", true),
    ("grpc.reflection.v1alpha.ServerReflection", "ServerReflectionInfo", true),
];

/// All of them, those of services that are not ours behind ours. They are read once: several layers ask.
pub(super) fn methods() -> &'static [Method] {
    static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| read().collect());
    &METHODS
}

fn read() -> impl Iterator<Item = Method> {
    let files = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("it was made by our own build");
    let ours = files.file.into_iter().flat_map(|file| {
        let package = file.package().to_owned();
        file.service.into_iter().flat_map(move |service| {
            let path = format!("{package}.{}", service.name());
            let method = move |method: prost_types::MethodDescriptorProto| Method {
                service: path.clone(),
                name: method.name().to_owned(),
                is_stream: method.server_streaming(),
            };
            service.method.into_iter().map(method)
        })
    });
    let standard = |(service, name, is_stream): (&str, &str, bool)| Method {
        service: service.to_owned(),
        name: name.to_owned(),
        is_stream,
    };
    ours.chain(STANDARD.map(standard))
}

/// Whether it is a stream of a service that is not ours: of health, or reflection.
pub(super) fn is_standard(path: &str) -> bool {
    let called = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    STANDARD.iter().any(|(service, name, is_stream)| *is_stream && called == Some((service, name)))
}
