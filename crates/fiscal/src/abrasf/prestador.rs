//! The company that sends a request, and its elements.

use super::AbrasfDialect;
use crate::value::{CnpjCpf, RpsId};
use crate::xml::CanonicalWriter;

/// The company that sends a request.
#[derive(Debug, Clone, Copy)]
pub struct Prestador<'a> {
    pub document: CnpjCpf,
    /// Municipal registration.
    pub inscricao_municipal: Option<&'a str>,
}

impl RpsId {
    /// The issuer.
    pub fn issuer(&self) -> Prestador<'_> {
        Prestador { document: self.prestador, inscricao_municipal: self.inscricao_municipal.as_deref() }
    }
}

pub(super) fn prestador(xml: &mut CanonicalWriter, dialect: &AbrasfDialect, who: Prestador<'_>) {
    xml.open("Prestador");
    person(xml, dialect, who);
    xml.close("Prestador");
}

/// The members of an identification. 1.00 has the CNPJ bare and takes no CPF.
pub(super) fn person(xml: &mut CanonicalWriter, dialect: &AbrasfDialect, who: Prestador<'_>) {
    let document = |xml: &mut CanonicalWriter| xml.leaf(document_tag(who.document), who.document.as_str());
    if dialect.version.is_first() {
        document(xml);
    } else {
        xml.open("CpfCnpj");
        document(xml);
        xml.close("CpfCnpj");
    }
    if let Some(registration) = who.inscricao_municipal {
        xml.leaf("InscricaoMunicipal", registration);
    }
}

const fn document_tag(document: CnpjCpf) -> &'static str {
    match document {
        CnpjCpf::Cpf(_) => "Cpf",
        CnpjCpf::Cnpj(_) => "Cnpj",
    }
}
