//! Who speaks to a city hall: its document, its registration there, and what it is let in by besides its certificate.

use super::row::Credential;
use fiscal::abrasf::message::Prestador;
use fiscal::value::CnpjCpf;
use std::fmt;
use zeroize::Zeroizing;

/// A company as its city hall knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Company {
    /// CNPJ or CPF.
    pub document: CnpjCpf,
    /// Municipal registration.
    pub inscricao_municipal: Option<String>,
    /// What it is let in by.
    pub credentials: Credentials,
}

/// User, password and token of a city hall. Shown to nobody.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Credentials {
    /// User.
    pub login: Zeroizing<String>,
    /// Password.
    pub senha: Zeroizing<String>,
    /// Token.
    pub token: Zeroizing<String>,
}

impl Company {
    /// Who asks.
    pub fn prestador(&self) -> Prestador<'_> {
        Prestador { document: self.document, inscricao_municipal: self.inscricao_municipal.as_deref() }
    }
}

impl Credentials {
    /// All that were given.
    pub fn given(&self) -> Vec<Zeroizing<String>> {
        let given = [&self.login, &self.senha, &self.token].into_iter().filter(|secret| !secret.is_empty());
        given.cloned().collect()
    }

    /// One of them; empty where it was not given.
    pub fn get(&self, which: Credential) -> &str {
        match which {
            Credential::Login => &self.login,
            Credential::Senha => &self.senha,
            Credential::Token => &self.token,
        }
    }
}

/// Which are there, never what they are.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = Credential::ALL.into_iter().filter(|which| !self.get(*which).is_empty());
        f.write_str("Credentials ")?;
        f.debug_set().entries(given.map(Credential::word)).finish()
    }
}
