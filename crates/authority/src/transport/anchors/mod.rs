//! Trust anchors: the platform's roots, the roots of ICP-Brasil, and the operator's.

use openssl::error::ErrorStack;
use openssl::x509::X509;
use openssl::x509::store::{X509Store, X509StoreBuilder};

/// Store for all connections.
pub(super) fn store(builtin: bool, extra_pem: Option<&[u8]>) -> Result<X509Store, ErrorStack> {
    let mut store = X509StoreBuilder::new()?;
    if builtin {
        outbound::trust::add_platform_roots(&mut store)?;
        for anchor in X509::stack_from_pem(ICP_BRASIL)? {
            store.add_cert(anchor)?;
        }
    }
    for anchor in X509::stack_from_pem(extra_pem.unwrap_or_default())? {
        store.add_cert(anchor)?;
    }
    Ok(store.build())
}

const ICP_BRASIL: &[u8] = include_bytes!("../anchors/icp_brasil.pem");

#[cfg(test)]
mod tests {
    use super::*;
    use openssl::hash::MessageDigest;

    #[test]
    fn the_icp_brasil_roots_are_the_three_whose_fingerprints_were_recorded() {
        let roots = X509::stack_from_pem(ICP_BRASIL).unwrap();
        let found: Vec<String> = roots
            .iter()
            .map(|root| {
                root.digest(MessageDigest::sha256()).unwrap().iter().map(|byte| format!("{byte:02X}")).collect()
            })
            .collect();
        assert_eq!(
            found,
            [
                "CAA53FC6091C6951887C976E378F6EF89AA6377C55D97B6475422B71ED7E9B17",
                "6E0BFF069A26994C15DE2C4888CC54AF84882E5495B7FBF66BE9CCFFEC7489F6",
                "1406710058180FA4081AAB3F246F1702429C552A11FA3143B84C88CB3AB8E5E7",
            ]
        );
        for root in &roots {
            assert!(root.verify(&root.public_key().unwrap()).unwrap(), "a root signs itself");
        }
    }

    #[test]
    fn a_bundle_that_is_no_pem_is_refused() {
        let broken = b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
        assert!(store(false, Some(broken)).is_err());
        assert!(store(true, None).is_ok());
    }
}
