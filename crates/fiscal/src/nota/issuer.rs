//! The issuer: the company of the request. Its record fills the fields that `nota.emitente` leaves out.

use crate::finding::Violation;
use crate::map::GroupScope;
use crate::value::{CivilOffset, CnpjCpf, Uf};
use serde_json::{Map, Value};

/// Names of a CNPJ or CPF in a group of the contract.
pub(crate) const DOCUMENT: [&str; 4] = ["CNPJCPF", "CNPJ", "CPF", "cpf_cnpj"];

/// Returns the issuer's CNPJ or CPF: the company's. Refuses each number of another company in the payload, under any
/// name.
pub(crate) fn document(
    emit: &GroupScope<'_>,
    company: &Map<String, Value>,
    violations: &mut Vec<Violation>,
) -> Option<CnpjCpf> {
    let own = DOCUMENT.iter().find_map(|name| company.get(*name).and_then(Value::as_str));
    let given = DOCUMENT.iter().find_map(|name| emit.text(name));
    let read = |text: &str| CnpjCpf::parse(text).ok();
    let Some(document) = own.and_then(read).or_else(|| given.and_then(read)) else {
        let mensagem = "Informe o CNPJ ou CPF do emitente, com dígitos verificadores corretos.";
        violations.push(Violation::of("nota.emitente.CNPJCPF", "digito_invalido", mensagem));
        return None;
    };
    let all = DOCUMENT.iter().flat_map(|name| emit.caller_texts(name));
    for (campo, _) in all.filter(|(_, given)| read(given).is_some_and(|given| given != document)) {
        let mensagem = format!("O emitente da nota não é a empresa {document}, informada em cpf_cnpj.");
        violations.push(Violation::of(&campo, "emitente_divergente", &mensagem));
    }
    Some(document)
}

/// Returns the issuer's state, by its address or by the code in the company's record.
pub(crate) fn state(emit: &GroupScope<'_>, address: &GroupScope<'_>, violations: &mut Vec<Violation>) -> Option<Uf> {
    let by_code = || emit.text("cUF").and_then(|code| Uf::from_code(code.trim().parse().ok()?));
    let by_name = address.text("UF").and_then(|sigla| Uf::from_sigla(&sigla.trim().to_uppercase()));
    let state = by_name.or_else(by_code);
    if state.is_none() {
        violations.push(Violation::of("nota.emitente.UF", "campo_obrigatorio", "Informe a UF do emitente."));
    }
    state
}

/// Returns the issuer's UTC offset, by the município of its address.
pub(crate) fn civil_offset(uf: Uf, address: &GroupScope<'_>) -> CivilOffset {
    CivilOffset::of(uf, address.text("cMun").and_then(|code| code.trim().parse().ok()))
}
