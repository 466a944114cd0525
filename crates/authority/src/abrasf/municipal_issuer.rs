//! The issuer of a municipal NFS-e: document, municipal registration and credentials besides the certificate.

use super::row::CredentialKind;
use fiscal::abrasf::Prestador;
use fiscal::value::CnpjCpf;
use std::fmt;
use zeroize::Zeroizing;

/// An issuer as its município registers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MunicipalIssuer {
    /// CNPJ or CPF.
    pub document: CnpjCpf,
    /// Municipal registration.
    pub inscricao_municipal: Option<String>,
    pub credentials: ProviderCredentials,
}

/// User, password and token of a municipal provider. `Debug` hides them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ProviderCredentials {
    pub login: Zeroizing<String>,
    pub senha: Zeroizing<String>,
    pub token: Zeroizing<String>,
}

impl MunicipalIssuer {
    /// The `Prestador` of a query.
    pub fn prestador(&self) -> Prestador<'_> {
        Prestador { document: self.document, inscricao_municipal: self.inscricao_municipal.as_deref() }
    }
}

impl ProviderCredentials {
    /// All credentials that are not empty.
    pub fn non_empty(&self) -> Vec<Zeroizing<String>> {
        let given = [&self.login, &self.senha, &self.token].into_iter().filter(|secret| !secret.is_empty());
        given.cloned().collect()
    }

    /// A credential; empty when it was not given.
    pub fn get(&self, which: CredentialKind) -> &str {
        match which {
            CredentialKind::Login => &self.login,
            CredentialKind::Senha => &self.senha,
            CredentialKind::Token => &self.token,
        }
    }
}

/// Shows which credentials are present, never their values.
impl fmt::Debug for ProviderCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = CredentialKind::ALL.into_iter().filter(|which| !self.get(*which).is_empty());
        f.write_str("Credentials ")?;
        f.debug_set().entries(given.map(CredentialKind::word)).finish()
    }
}
