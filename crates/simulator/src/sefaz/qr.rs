//! Rules of a QR code that only the authority can check: its CSC is registered and made this hash, the signer's key
//! made this signature. The rules of the document alone are in the table.
//!
//! Law: MOC 7.0 anexo I, ZX02-304 to ZX02-320 (462, 463, 464); NT 2025.001, ZX02-338 (583); 796 for a closed registry.

use crate::credential::CertificateFacts;
use crate::settings::{Csc, SimulatorSettings};
use base64::Engine as _;
use fiscal::nfe::qr::{self, QrParameters, QrSeal};
use fiscal::xml::Element;
use jiff::Timestamp;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Verifier;

/// The parameters in a document's `qrCode`.
pub(crate) fn parameters(nfe: &Element) -> Option<&str> {
    nfe.text_at("infNFeSupl/qrCode")?.split_once("?p=").map(|(_, p)| p)
}

/// Code of an error in the seal of a document's QR code.
pub(super) fn faults(
    settings: &SimulatorSettings,
    nfe: &Element,
    emitente: &str,
    issued_at: Option<Timestamp>,
    signer: Option<&CertificateFacts>,
) -> Option<u16> {
    let read = qr::read(parameters(nfe)?).ok()?;
    match read.seal {
        QrSeal::Csc { .. } => by_csc(settings, &read, emitente, issued_at),
        QrSeal::Signature(signature) => {
            let holds = signer.is_some_and(|signer| is_signed(&read, signature, &signer.public_key));
            (!holds).then_some(583)
        }
        QrSeal::None => None,
    }
}

/// 796, 462, 463, 464. In an open registry an issuer without a registered CSC is not checked.
pub(crate) fn by_csc(
    settings: &SimulatorSettings,
    read: &QrParameters<'_>,
    emitente: &str,
    at: Option<Timestamp>,
) -> Option<u16> {
    let QrSeal::Csc { id, .. } = read.seal else { return None };
    let registered: Vec<(&String, &Csc)> = settings.csc_of(emitente).collect();
    if registered.is_empty() {
        return (!settings.cadastro_aberto).then_some(796);
    }
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let found = registered.into_iter().find(|(known, _)| number(known).is_some() && number(known) == number(id));
    let Some((_, csc)) = found else { return Some(462) };
    let revoked = csc.revogado_em.zip(at).is_some_and(|(revoked, at)| revoked < at);
    match (revoked, read.is_sealed_by(&csc.csc)) {
        (true, _) => Some(463),
        (false, false) => Some(464),
        (false, true) => None,
    }
}

fn is_signed(read: &QrParameters<'_>, signature: &str, public_key: &[u8]) -> bool {
    let verified = || -> Option<bool> {
        let signature = base64::engine::general_purpose::STANDARD.decode(signature).ok()?;
        let key = PKey::public_key_from_der(public_key).ok()?;
        let mut verifier = Verifier::new(MessageDigest::sha1(), &key).ok()?;
        verifier.update(read.sealed.as_bytes()).ok()?;
        verifier.verify(&signature).ok()
    };
    verified().unwrap_or(false)
}
