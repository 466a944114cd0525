//! Signatures of a delivery.
//!
//! Law: `docs/contract.md`, "Webhooks" (`X-Service-Signature`, HMAC-SHA256 of the raw body, hexadecimal; its key is the
//! whole text of the secret, `whsec_` included); Standard Webhooks 1.0.0 (`webhook-signature`, over
//! `id.timestamp.body`; its key is the decoded base64 after `whsec_`; several signatures are separated by spaces).

use super::secret::PREFIX;
use openssl::base64;
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use store::webhooks::OpenedSecret;

/// Values of the headers that prove the sender of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Signatures {
    /// `sha256=<hex>`, by the oldest valid secret: after a rotation the one before it, until its grace ends, so that no
    /// receiver refuses what it accepted a minute ago.
    pub(super) contract: String,
    /// `v1,<base64>` by every valid secret.
    pub(super) standard: String,
}

/// Signs with the valid secrets, the one in use first.
pub(super) fn sign(secrets: &[OpenedSecret], id: &str, timestamp: i64, body: &[u8]) -> Result<Signatures, ErrorStack> {
    let message = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    let mut standard = Vec::new();
    let mut contract = String::new();
    for secret in secrets {
        let text = secret.text.expose();
        let key = base64::decode_block(text.strip_prefix(PREFIX).unwrap_or(text))?;
        standard.push(format!("v1,{}", base64::encode_block(&hmac(&key, &message)?)));
        let hex: String = hmac(text.as_bytes(), body)?.iter().map(|byte| format!("{byte:02x}")).collect();
        contract = format!("sha256={hex}");
    }
    Ok(Signatures { contract, standard: standard.join(" ") })
}

fn hmac(key: &[u8], message: &[u8]) -> Result<Vec<u8>, ErrorStack> {
    let key = PKey::hmac(key)?;
    let mut signer = Signer::new(MessageDigest::sha256(), &key)?;
    signer.update(message)?;
    signer.sign_to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::webhooks::SecretText;

    fn secret(text: &str) -> OpenedSecret {
        OpenedSecret { text: SecretText::new(text.to_owned()), criado_em: 0, vale_ate: None }
    }

    /// The example of the Standard Webhooks specification's own test suite.
    #[test]
    fn signs_the_published_example() {
        let body = br#"{"test": 2432232314}"#;
        let signed = sign(
            &[secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            body,
        );
        assert_eq!(signed.unwrap().standard, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    /// RFC 4231, test case 2: the key is the text itself.
    #[test]
    fn the_contracts_signature_is_hexadecimal_with_the_text_as_key() {
        let signed = sign(&[secret("Jefe")], "id", 0, b"what do ya want for nothing?").unwrap();
        let hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signed.contract, format!("sha256={hex}"));
    }

    #[test]
    fn in_a_rotation_both_sign_and_the_contract_stays_with_the_older() {
        let (new, old) = (secret("whsec_bm92bw=="), secret("whsec_dmVsaG8="));
        let both = sign(&[new.clone(), old.clone()], "id", 1, b"{}").unwrap();
        let (alone_new, alone_old) = (sign(&[new], "id", 1, b"{}").unwrap(), sign(&[old], "id", 1, b"{}").unwrap());
        assert_eq!(both.standard, format!("{} {}", alone_new.standard, alone_old.standard));
        assert_eq!(both.contract, alone_old.contract);
    }
}
