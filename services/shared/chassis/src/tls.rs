//! TLS: certificates that are read again when their files change, and how connections are made with them.
//!
//! TLS 1.2 at least, with ring alone.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use parking_lot::{Mutex, RwLock};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig, SupportedProtocolVersion,
    client::ResolvesClientCert,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier},
    sign::CertifiedKey,
};
use tokio_util::sync::CancellationToken;

/// How often the files are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(3);
/// No certificate chain or key is longer.
const FILE_BYTES_MAX: u64 = 1 << 20;
const VERSIONS: &[&SupportedProtocolVersion] = &[&rustls::version::TLS13, &rustls::version::TLS12];

/// Why TLS cannot be spoken.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("reading {}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{} holds no {what} in PEM", path.display())]
    Empty {
        /// Which.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// The certificate and the key cannot be used.
    #[error("the certificate {} and its key cannot be used", path.display())]
    Unusable {
        /// The certificate's.
        path: PathBuf,
        /// Why.
        source: rustls::Error,
    },
    /// The authority by which services know each other cannot be used.
    #[error("the certificates of the authority in {} cannot be used", path.display())]
    Authority {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// A certificate with its key, as it stands in two files now. Every clone is the same.
#[derive(Clone)]
pub struct Certificate(Arc<Files>);

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
    /// What was read last, also if it could not be used.
    seen: Mutex<[Vec<u8>; 2]>,
}

impl Certificate {
    /// Reads a certificate (with its chain) and its key from PEM files.
    ///
    /// # Errors
    /// When they cannot be read or used.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let read = [read(certificate)?, read(key)?];
        let current = RwLock::new(Arc::new(certified(certificate, key, &read)?));
        let (certificate, key) = (certificate.to_owned(), key.to_owned());
        Ok(Certificate(Arc::new(Files { certificate, key, current, seen: Mutex::new(read) })))
    }

    /// Looks at the files until `stop`, and takes what has changed. What cannot be used is said once, and what was
    /// there before is kept.
    pub async fn watch(self, stop: CancellationToken) {
        let mut unreadable = false;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_INTERVAL) => {}
            }
            let looked = self.look();
            let path = self.0.certificate.display();
            match &looked {
                Ok(true) => tracing::info!("the certificate {path} has changed; it is used from now on"),
                Err(error) if !unreadable => {
                    let error: &dyn std::error::Error = error;
                    tracing::error!(
                        error,
                        "the certificate {path} has changed and cannot be used; the old one is"
                    );
                }
                Ok(false) | Err(_) => {}
            }
            unreadable = looked.is_err();
        }
    }

    /// Takes what has changed; answers whether anything has.
    fn look(&self) -> Result<bool, TlsError> {
        let Files { certificate, key, current, seen } = &*self.0;
        let now = [read(certificate)?, read(key)?];
        let mut seen = seen.lock();
        if *seen == now {
            return Ok(false);
        }
        let fresh = certified(certificate, key, &now);
        // The two files are seldom written in one moment: while they do not fit they are looked at again.
        let fresh = fresh?;
        *seen = now;
        *current.write() = Arc::new(fresh);
        Ok(true)
    }

    fn current(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.0.current.read())
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Certificate").field(&self.0.certificate).finish()
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

impl ResolvesClientCert for Certificate {
    fn resolve(&self, _issuers: &[&[u8]], _schemes: &[rustls::SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// The authority whose certificates services show each other. It signs nothing else.
#[derive(Clone, Debug)]
pub struct Authority {
    path: PathBuf,
    roots: Arc<RootCertStore>,
}

impl Authority {
    /// Reads its certificates from a PEM file.
    ///
    /// # Errors
    /// When there are none.
    pub fn open(path: &Path) -> Result<Self, TlsError> {
        let path = path.to_owned();
        let bytes = read(&path)?;
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&bytes) {
            let added = certificate.map_err(Into::into).and_then(|certificate| {
                roots.add(certificate).map_err(Box::<dyn std::error::Error + Send + Sync>::from)
            });
            added.map_err(|source| TlsError::Authority { path: path.clone(), source })?;
        }
        if roots.is_empty() {
            return Err(TlsError::Empty { path, what: "certificate" });
        }
        Ok(Authority { path, roots: Arc::new(roots) })
    }
}

/// How a server speaks TLS: HTTP/2 or HTTP/1.1. If there is an authority, whoever shows a certificate of it is a
/// service; nobody has to show one.
///
/// # Errors
/// When the authority cannot be used.
pub fn server(
    certificate: &Certificate,
    authority: Option<&Authority>,
) -> Result<Arc<ServerConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(VERSIONS)
        .expect("ring speaks both versions");
    let builder = match authority {
        None => builder.with_no_client_auth(),
        Some(Authority { path, roots }) => {
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::clone(roots), provider);
            let verifier = verifier.allow_unauthenticated().build();
            let verifier = verifier
                .map_err(|source| TlsError::Authority { path: path.clone(), source: source.into() })?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_cert_resolver(Arc::new(certificate.clone()));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// How a service connects to another: it shows its certificate, and takes one of the same authority alone.
pub fn client(certificate: &Certificate, authority: &Authority) -> Arc<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(VERSIONS)
        .expect("ring speaks both versions")
        .with_root_certificates(Arc::clone(&authority.roots))
        .with_client_cert_resolver(Arc::new(certificate.clone()));
    config.alpn_protocols = vec![b"h2".to_vec()];
    Arc::new(config)
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let read = || -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(file, FILE_BYTES_MAX), &mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|source| TlsError::Read { path: path.to_owned(), source })
}

fn certified(certificate: &Path, key: &Path, read: &[Vec<u8>; 2]) -> Result<CertifiedKey, TlsError> {
    let empty = |path: &Path, what| TlsError::Empty { path: path.to_owned(), what };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read[0])
        .collect::<Result<_, _>>()
        .map_err(|_| empty(certificate, "certificate"))?;
    if chain.is_empty() {
        return Err(empty(certificate, "certificate"));
    }
    let key = PrivateKeyDer::from_pem_slice(&read[1]).map_err(|_| empty(key, "private key"))?;
    CertifiedKey::from_der(chain, key, &rustls::crypto::ring::default_provider())
        .map_err(|source| TlsError::Unusable { path: certificate.to_owned(), source })
}
