//! A test authority chain ("ICP-Brasil simulada"): root, server certificate, client certificates with the ICP-Brasil
//! fields.
//!
//! The keys are kept in one directory, so that a restarted simulator is still trusted.
//! Law: DOC-ICP-04 (fields of the certificates).
//! Must not know: TLS sessions, documents.

mod issue;
mod keys;
mod name;

pub use issue::{CertificateSubject, Validity};

use anyhow::Context;
use openssl::ec::{EcGroup, EcKey};
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::x509::X509;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The chain. Cheap to clone.
#[derive(Clone)]
pub struct Pki {
    root: Arc<KeyedCertificate>,
    server: Arc<KeyedCertificate>,
    /// A commercial root, known and none of ICP-Brasil.
    commercial: Arc<KeyedCertificate>,
    ca_pem: Arc<Vec<u8>>,
    stranger: Arc<OnceLock<KeyedCertificate>>,
    /// Signer of NFS-e and events.
    sefin: Arc<OnceLock<KeyedCertificate>>,
    keys: Arc<keys::KeySource>,
}

/// A certificate with its key, which signs others or serves.
pub(crate) struct KeyedCertificate {
    pub(crate) certificate: X509,
    pub(crate) key: PKey<Private>,
}

impl Pki {
    /// Loads the chain from a directory, or makes it there.
    pub fn load_or_create(dir: &Path) -> anyhow::Result<Pki> {
        fs::create_dir_all(dir).with_context(|| format!("não foi possível criar {}", dir.display()))?;
        let root = match read_pair(dir, "ca")? {
            Some(root) => root,
            None => {
                let root = issue::root("ICP-Brasil simulada - AC Raiz de teste", keys::make()?)?;
                write_pair(dir, "ca", &root)?;
                root
            }
        };
        let server = match read_pair(dir, "servidor")? {
            Some(server) if server.certificate.verify(&*root.certificate.public_key()?)? => server,
            _ => {
                let server = issue::server(&root, elliptic()?)?;
                write_pair(dir, "servidor", &server)?;
                server
            }
        };
        let commercial = match read_pair(dir, "comercial")? {
            Some(commercial) => commercial,
            None => {
                let commercial = issue::root("AC comercial de teste", elliptic()?)?;
                write_pair(dir, "comercial", &commercial)?;
                commercial
            }
        };
        let ca_pem = root.certificate.to_pem()?;
        Ok(Pki {
            root: Arc::new(root),
            server: Arc::new(server),
            commercial: Arc::new(commercial),
            ca_pem: Arc::new(ca_pem),
            stranger: Arc::new(OnceLock::new()),
            sefin: Arc::new(OnceLock::new()),
            keys: Arc::default(),
        })
    }

    /// Returns the chain with a folder of keys for its certificates, which other processes share.
    pub fn with_keys_kept_in(self, folder: PathBuf) -> anyhow::Result<Pki> {
        Ok(Pki { keys: Arc::new(keys::KeySource::kept_in(folder)?), ..self })
    }

    /// The root, PEM.
    pub fn ca_pem(&self) -> &[u8] {
        &self.ca_pem
    }

    /// Issues an A1 test certificate as PFX (AES-256): CNPJ or CPF in the otherName fields, `CN=<nome>:<cnpj>`; valid
    /// from a day ago for `days` (negative: expired).
    pub fn issue_pfx(&self, nome: &str, cpf_cnpj: &str, senha: &str, days: i64) -> anyhow::Result<Vec<u8>> {
        self.issue(&CertificateSubject::new(nome, cpf_cnpj).valid_for_days(days), senha)
    }

    /// Issues a PFX under an untrusted root, which an authority answers with 283 and 293.
    pub fn issue_untrusted_pfx(&self, nome: &str, cpf_cnpj: &str, senha: &str, days: i64) -> anyhow::Result<Vec<u8>> {
        self.issue(&CertificateSubject::new(nome, cpf_cnpj).valid_for_days(days).untrusted(), senha)
    }

    /// Issues a certificate with every property given by the caller, as PFX (AES-256).
    pub fn issue(&self, subject: &CertificateSubject, senha: &str) -> anyhow::Result<Vec<u8>> {
        let issuer: &KeyedCertificate = match subject.root() {
            issue::RootKind::IcpBrasil => &self.root,
            issue::RootKind::Commercial => &self.commercial,
            issue::RootKind::Unknown => self.untrusted_root()?,
        };
        issue::client_pfx(issuer, subject, self.keys.next()?, senha)
    }

    /// The root certificate.
    pub(crate) fn root(&self) -> &X509 {
        &self.root.certificate
    }

    /// The root of certificates that are none of ICP-Brasil.
    pub(crate) fn commercial(&self) -> &X509 {
        &self.commercial.certificate
    }

    /// Certificate of the HTTPS listener.
    pub(crate) fn server(&self) -> &KeyedCertificate {
        &self.server
    }

    /// Certificate by which the Sefin signs; made at the first signature, under the stored root.
    pub(crate) fn sefin(&self) -> anyhow::Result<&KeyedCertificate> {
        if let Some(sefin) = self.sefin.get() {
            return Ok(sefin);
        }
        let made =
            issue::holder(&self.root, &CertificateSubject::new("SEFIN NACIONAL NFS-E", SEFIN), self.keys.next()?)?;
        Ok(self.sefin.get_or_init(|| made))
    }

    fn untrusted_root(&self) -> anyhow::Result<&KeyedCertificate> {
        if let Some(issuer) = self.stranger.get() {
            return Ok(issuer);
        }
        let made = issue::root("AC desconhecida", self.keys.next()?)?;
        Ok(self.stranger.get_or_init(|| made))
    }
}

/// CNPJ of the ministry.
const SEFIN: &str = "00394460000141";

impl std::fmt::Debug for Pki {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pki").field("root", &self.root.certificate.subject_name()).finish_non_exhaustive()
    }
}

fn elliptic() -> anyhow::Result<PKey<Private>> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1)?;
    Ok(PKey::from_ec_key(EcKey::generate(&group)?)?)
}

fn read_pair(dir: &Path, name: &str) -> anyhow::Result<Option<KeyedCertificate>> {
    let (certificate, key) = (dir.join(format!("{name}.pem")), dir.join(format!("{name}.key")));
    if !certificate.exists() || !key.exists() {
        return Ok(None);
    }
    let read = |path: &Path| fs::read(path).with_context(|| format!("não foi possível ler {}", path.display()));
    let pair = KeyedCertificate {
        certificate: X509::from_pem(&read(&certificate)?)
            .map_err(|_| anyhow::anyhow!("{} não é um certificado PEM", certificate.display()))?,
        key: PKey::private_key_from_pem(&read(&key)?)
            .map_err(|_| anyhow::anyhow!("{} não é uma chave privada PEM", key.display()))?,
    };
    Ok(Some(pair))
}

/// Writes the key first and the certificate last: an incomplete pair is made again.
fn write_pair(dir: &Path, name: &str, pair: &KeyedCertificate) -> anyhow::Result<()> {
    write_whole(dir, &format!("{name}.key"), &pair.key.private_key_to_pem_pkcs8()?, 0o600)?;
    write_whole(dir, &format!("{name}.pem"), &pair.certificate.to_pem()?, 0o644)
}

fn write_whole(dir: &Path, name: &str, content: &[u8], mode: u32) -> anyhow::Result<()> {
    let part = dir.join(format!(".{name}.{}.{:?}", std::process::id(), std::thread::current().id()));
    let path = dir.join(name);
    let _ = fs::remove_file(&part);
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&part)
        .with_context(|| format!("não foi possível escrever {}", part.display()))?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&part, &path).with_context(|| format!("não foi possível escrever {}", path.display()))
}

#[cfg(test)]
mod tests;
