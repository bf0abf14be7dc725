//! Authorities and certificates that are made for a test.

use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};

/// An authority that was made for a test.
pub(crate) struct Maker(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub(crate) struct Made {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

impl Maker {
    pub(crate) fn new() -> Self {
        chassis::install_crypto();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Maker(CertifiedIssuer::self_signed(params, key).expect("an authority"))
    }

    /// A certificate for this machine.
    pub(crate) fn make(&self) -> Made {
        self.make_for(&["localhost", "127.0.0.1"])
    }

    /// A certificate for these hosts, by name or address.
    pub(crate) fn make_for(&self, hosts: &[&str]) -> Made {
        let hosts: Vec<_> = hosts.iter().map(|&host| host.to_owned()).collect();
        let params = CertificateParams::new(hosts).expect("names");
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Made { certificate: certificate.pem(), key: key.serialize_pem() }
    }

    /// The authority itself, in PEM.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// What believes this authority alone.
    pub(crate) fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.pem().as_bytes()).expect("PEM")).expect("an authority");
        roots
    }

    /// What a client believes and offers.
    pub(crate) fn client(
        &self,
        protocols: &[&str],
        versions: &[&'static rustls::SupportedProtocolVersion],
    ) -> ClientConfig {
        let builder =
            ClientConfig::builder_with_protocol_versions(versions).with_root_certificates(self.roots());
        let mut config = builder.with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        config
    }
}

impl Made {
    /// Writes both into a folder, and answers where.
    pub(crate) fn write(&self, folder: &Path) -> [String; 2] {
        let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        std::fs::write(&certificate, &self.certificate).expect("it is written");
        std::fs::write(&key, &self.key).expect("it is written");
        [certificate, key].map(|path| path.display().to_string())
    }

    /// The certificate as it is shown.
    pub(crate) fn der(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("PEM")
    }
}
