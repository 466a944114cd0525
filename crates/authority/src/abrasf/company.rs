//! The issuer of a municipal NFS-e: document, municipal registration and credentials besides the certificate.

use super::row::Credential;
use fiscal::abrasf::message::Prestador;
use fiscal::value::CnpjCpf;
use std::fmt;
use zeroize::Zeroizing;

/// An issuer as its município registers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Company {
    /// CNPJ or CPF.
    pub document: CnpjCpf,
    /// Municipal registration.
    pub inscricao_municipal: Option<String>,
    pub credentials: Credentials,
}

/// User, password and token of a municipal provider. `Debug` hides them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Credentials {
    pub login: Zeroizing<String>,
    pub senha: Zeroizing<String>,
    pub token: Zeroizing<String>,
}

impl Company {
    /// The `Prestador` of a query.
    pub fn prestador(&self) -> Prestador<'_> {
        Prestador { document: self.document, inscricao_municipal: self.inscricao_municipal.as_deref() }
    }
}

impl Credentials {
    /// All credentials that are not empty.
    pub fn given(&self) -> Vec<Zeroizing<String>> {
        let given = [&self.login, &self.senha, &self.token].into_iter().filter(|secret| !secret.is_empty());
        given.cloned().collect()
    }

    /// A credential; empty when it was not given.
    pub fn get(&self, which: Credential) -> &str {
        match which {
            Credential::Login => &self.login,
            Credential::Senha => &self.senha,
            Credential::Token => &self.token,
        }
    }
}

/// Shows which credentials are present, never their values.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = Credential::ALL.into_iter().filter(|which| !self.get(*which).is_empty());
        f.write_str("Credentials ")?;
        f.debug_set().entries(given.map(Credential::word)).finish()
    }
}
