//! Roles of a company in a received document: the parties of a transport or a service, read from the facts or queried
//! in the database.

use super::{DocumentFacts, TypeFacts};
use fiscal::value::CnpjCpf;
use serde::{Deserialize, Serialize};

/// Role of a company in a transport; it may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Papel {
    /// Sender.
    Remetente,
    /// Dispatcher.
    Expedidor,
    /// Receiver of the cargo.
    Recebedor,
    /// Addressee.
    Destinatario,
    /// Payer of the service.
    Tomador,
    /// None of these: may only see the document (`autXML`).
    Autorizado,
}

impl Papel {
    /// In the order of the layout.
    pub const ALL: [Papel; 6] =
        [Papel::Remetente, Papel::Expedidor, Papel::Recebedor, Papel::Destinatario, Papel::Tomador, Papel::Autorizado];

    /// Returns the word of the interface.
    pub const fn word(self) -> &'static str {
        match self {
            Papel::Remetente => "remetente",
            Papel::Expedidor => "expedidor",
            Papel::Recebedor => "recebedor",
            Papel::Destinatario => "destinatario",
            Papel::Tomador => "tomador",
            Papel::Autorizado => "autorizado",
        }
    }

    /// Returns a company's roles by the facts of the document.
    pub fn of(cpf_cnpj: &CnpjCpf, facts: &DocumentFacts) -> Vec<Papel> {
        let TypeFacts::Transport(transport) = &facts.type_facts else { return Vec::new() };
        let parties = [
            (Papel::Remetente, &transport.remetente),
            (Papel::Expedidor, &transport.expedidor),
            (Papel::Recebedor, &transport.recebedor),
            (Papel::Destinatario, &facts.destinatario),
            (Papel::Tomador, &transport.tomador),
        ];
        let own = parties.into_iter().filter(|(_, number)| number.as_deref() == Some(cpf_cnpj.as_str()));
        let found: Vec<Papel> = own.map(|(papel, _)| papel).collect();
        if found.is_empty() { vec![Papel::Autorizado] } else { found }
    }

    /// Condition on the database row for the role.
    pub(super) const fn term(self) -> &'static str {
        match self {
            Papel::Remetente => "n.remetente = n.cpf_cnpj",
            Papel::Expedidor => "n.expedidor = n.cpf_cnpj",
            Papel::Recebedor => "n.recebedor = n.cpf_cnpj",
            Papel::Destinatario => "n.destinatario = n.cpf_cnpj",
            Papel::Tomador => "n.tomador = n.cpf_cnpj",
            Papel::Autorizado => {
                "COALESCE(n.remetente, '') <> n.cpf_cnpj AND COALESCE(n.expedidor, '') <> n.cpf_cnpj
                 AND COALESCE(n.recebedor, '') <> n.cpf_cnpj AND COALESCE(n.destinatario, '') <> n.cpf_cnpj
                 AND COALESCE(n.tomador, '') <> n.cpf_cnpj"
            }
        }
    }
}

/// Part of a company in a service. It may have several, and none when the note is distributed to it for another reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parte {
    /// Provider of the service.
    Prestador,
    /// Client of the service.
    Tomador,
    /// Intermediary of the service.
    Intermediario,
}

impl Parte {
    /// In the order of the layout.
    pub const ALL: [Parte; 3] = [Parte::Prestador, Parte::Tomador, Parte::Intermediario];

    /// Returns the word of the interface.
    pub const fn word(self) -> &'static str {
        match self {
            Parte::Prestador => "prestador",
            Parte::Tomador => "tomador",
            Parte::Intermediario => "intermediario",
        }
    }

    /// Returns a company's parts by the facts of the note.
    pub fn of(cpf_cnpj: &CnpjCpf, facts: &DocumentFacts) -> Vec<Parte> {
        let TypeFacts::Services(services) = &facts.type_facts else { return Vec::new() };
        let number = |parte: Parte| match parte {
            Parte::Prestador => services.prestador.as_deref(),
            Parte::Tomador => services.tomador.as_deref(),
            Parte::Intermediario => services.intermediario.as_deref(),
        };
        Parte::ALL.into_iter().filter(|parte| number(*parte) == Some(cpf_cnpj.as_str())).collect()
    }

    /// Condition on the database row for the part.
    pub(super) const fn term(self) -> &'static str {
        match self {
            Parte::Prestador => "n.prestador = n.cpf_cnpj",
            Parte::Tomador => "n.tomador = n.cpf_cnpj",
            Parte::Intermediario => "n.intermediario = n.cpf_cnpj",
        }
    }
}
