//! Members of a company record in a request, read into their stored form.
//!
//! Law: `docs/contract.md`, "Companies" (members and aliases).

use fiscal::finding::Notice;
use fiscal::value::{Uf, ie, municipio};
use serde_json::{Map, Value};

use super::record_problems::RecordProblems;
use super::regimes;
use crate::api::body;
use crate::api::unknown_members::unknown_members;

/// Merges a request into the stored record: absent members stay, null clears.
pub(super) fn merge(body: &Map<String, Value>, stored: &Value) -> (Map<String, Value>, RecordProblems) {
    let mut dados = stored.as_object().cloned().unwrap_or_default();
    let mut problems = RecordProblems::default();
    for member in MEMBERS {
        if let Some(value) = body.iter().find_map(|(name, value)| member.named(name).then_some(value)) {
            store_member(&mut dados, "", member, value, &mut problems);
        }
    }
    if let Some(value) = body.get("crt") {
        match regimes::crt(value) {
            Ok(crt) => drop(dados.insert("crt".to_owned(), crt)),
            Err(mensagem) => problems.refuse("crt", mensagem),
        }
    }
    regimes::merge(body, &mut dados, &mut problems);
    merge_address(body, &mut dados, &mut problems);
    check_state(&dados, &mut problems);
    (dados, problems)
}

/// Notices of unknown members, also in `endereco`.
pub(super) fn remarks(body: &Map<String, Value>) -> Vec<Notice> {
    let mut known: Vec<&str> = MEMBERS.iter().flat_map(RecordMember::names).collect();
    known.extend(["cpf_cnpj", "cnpj", "cpf", "crt", "regimes", "endereco"]);
    // an answer may be sent back unchanged
    known.extend(["configuracoes", "certificado", "criado_em", "atualizado_em", "avisos"]);
    let mut remarks = unknown_members(body, &known);
    remarks.extend(regimes::remarks(body));
    if let Some(Value::Object(address)) = body.get("endereco") {
        let known: Vec<&str> = ADDRESS.iter().flat_map(RecordMember::names).collect();
        remarks.extend(unknown_members(address, &known).into_iter().map(|mut remark| {
            remark.campo = format!("endereco.{}", remark.campo);
            remark
        }));
    }
    remarks
}

/// Reads a member into the record, or reports its problem.
fn store_member(
    into: &mut Map<String, Value>,
    group: &str,
    member: &RecordMember,
    value: &Value,
    problems: &mut RecordProblems,
) {
    match member.read(value) {
        Ok(value) => drop(into.insert(member.name.to_owned(), value)),
        Err(mensagem) => problems.refuse(format!("{group}{}", member.name), mensagem),
    }
}

fn merge_address(body: &Map<String, Value>, dados: &mut Map<String, Value>, problems: &mut RecordProblems) {
    let given = match body.get("endereco") {
        Some(Value::Object(given)) => given.clone(),
        None | Some(Value::Null) => Map::new(),
        Some(_) => return problems.refuse("endereco", "endereco deve ser um objeto: { … }."),
    };
    let mut address = dados.get("endereco").and_then(Value::as_object).cloned().unwrap_or_default();
    for member in ADDRESS {
        if let Some(value) = given.iter().find_map(|(name, value)| member.named(name).then_some(value)) {
            store_member(&mut address, "endereco.", member, value, problems);
        }
    }
    if !address.is_empty() {
        dados.insert("endereco".to_owned(), Value::Object(address));
    }
}

/// Checks members against each other: state, município, state registration.
fn check_state(dados: &Map<String, Value>, problems: &mut RecordProblems) {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let address = dados.get("endereco");
    let uf = text(address.and_then(|address| address.get("uf")));
    let uf = match uf.as_deref().map(Uf::from_sigla) {
        Some(None) => return problems.refuse("endereco.uf", "endereco.uf deve ser a sigla de um estado, como SP."),
        Some(Some(uf)) => Some(uf),
        None => None,
    };
    if let Some(codigo) = text(address.and_then(|address| address.get("codigo_municipio"))) {
        check_municipio(&codigo, uf, problems);
    }
    let registration = text(dados.get("inscricao_estadual")).filter(|registration| registration != "ISENTO");
    if let (Some(uf), Some(registration)) = (uf, registration)
        && let Err(wrong) = ie::check(uf, &registration)
    {
        problems.refuse("inscricao_estadual", format!("inscricao_estadual inválida para {}: {wrong}.", uf.sigla()));
    }
}

fn check_municipio(codigo: &str, uf: Option<Uf>, problems: &mut RecordProblems) {
    let campo = "endereco.codigo_municipio";
    let known = codigo.parse().ok().and_then(municipio::find);
    if known.is_none() {
        problems.refuse(campo, format!("{campo} {codigo} não existe na tabela do IBGE."));
    } else if uf.is_some_and(|uf| !codigo.starts_with(&uf.code().to_string())) {
        problems.refuse(campo, format!("{campo} {codigo} não é do estado informado em endereco.uf."));
    }
}

struct RecordMember {
    name: &'static str,
    aliases: &'static [&'static str],
    /// Longest text of the official layout.
    longest: usize,
    /// Exact count of digits, for codes of digits only.
    digits: Option<usize>,
    /// True when `.`, `-`, `/`, parentheses and spaces are a mask to remove.
    masked: bool,
}

impl RecordMember {
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    fn named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    fn read(&self, value: &Value) -> Result<Value, String> {
        let text = match value {
            Value::Null => return Ok(Value::Null),
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => body::digits_of(number),
            _ => return Err(format!("{} deve ser um texto.", self.name)),
        };
        let text = if self.masked { text.chars().filter(|c| c.is_alphanumeric()).collect() } else { text };
        if text.is_empty() {
            return Ok(Value::Null);
        }
        if text.chars().any(char::is_control) {
            return Err(format!("{} não aceita caracteres de controle.", self.name));
        }
        if text.chars().count() > self.longest {
            return Err(format!("{} aceita até {} caracteres.", self.name, self.longest));
        }
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match self.digits {
            Some(count) if text.len() != count || !is_digits => Err(format!("{} deve ter {count} dígitos.", self.name)),
            _ => Ok(Value::String(text)),
        }
    }
}

const fn text(name: &'static str, aliases: &'static [&'static str], longest: usize) -> RecordMember {
    RecordMember { name, aliases, longest, digits: None, masked: false }
}

const fn masked(name: &'static str, aliases: &'static [&'static str], longest: usize) -> RecordMember {
    RecordMember { name, aliases, longest, digits: None, masked: true }
}

const fn digits(name: &'static str, aliases: &'static [&'static str], count: usize) -> RecordMember {
    RecordMember { name, aliases, longest: count, digits: Some(count), masked: true }
}

const MEMBERS: &[RecordMember] = &[
    text("nome_razao_social", &["razao_social", "nome"], 60),
    text("nome_fantasia", &[], 60),
    masked("inscricao_estadual", &["ie"], 14),
    masked("inscricao_municipal", &["im"], 15),
    text("email", &[], 60),
    masked("fone", &["telefone"], 14),
];

const ADDRESS: &[RecordMember] = &[
    text("logradouro", &[], 60),
    text("numero", &[], 60),
    text("complemento", &[], 60),
    text("bairro", &[], 60),
    digits("codigo_municipio", &["codigo_municipio_ibge"], 7),
    text("cidade", &["municipio"], 60),
    text("uf", &[], 2),
    digits("cep", &[], 8),
    text("codigo_pais", &[], 4),
    text("pais", &[], 60),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn aliases_and_masks_end_in_the_one_stored_form() {
        let body = json!({ "razao_social": " Padaria ", "ie": "110.042.490.114", "endereco": { "cep": "01001-000", "uf": "SP" } });
        let (dados, problems) = merge(body.as_object().unwrap(), &Value::Null);
        assert!(problems.0.is_empty(), "{:?}", problems.0);
        assert_eq!(dados["nome_razao_social"], "Padaria");
        assert_eq!(dados["inscricao_estadual"], "110042490114");
        assert_eq!(dados["endereco"]["cep"], "01001000");
    }

    #[test]
    fn absent_members_stay_and_null_clears() {
        let stored = json!({ "nome_razao_social": "A", "email": "a@b.c", "endereco": { "uf": "SP", "bairro": "Sé" } });
        let body = json!({ "email": null, "endereco": { "bairro": "Luz" } });
        let (dados, _) = merge(body.as_object().unwrap(), &stored);
        assert_eq!(
            Value::Object(dados),
            json!({
                "nome_razao_social": "A", "email": null, "endereco": { "uf": "SP", "bairro": "Luz" }
            })
        );
    }

    #[test]
    fn every_wrong_value_is_named() {
        let body = json!({ "crt": 9, "endereco": { "cep": "123", "uf": "XX" }, "nome": "x".repeat(61) });
        let (_, problems) = merge(body.as_object().unwrap(), &Value::Null);
        let fields: Vec<&str> = problems.0.iter().map(|(campo, _)| campo.as_str()).collect();
        assert_eq!(fields, ["nome_razao_social", "crt", "endereco.cep", "endereco.uf"]);
        let (_, problems) = merge(json!({ "nome_razao_social": "A\u{84}" }).as_object().unwrap(), &Value::Null);
        assert!(problems.0[0].1.contains("caracteres de controle"), "{}", problems.0[0].1);
    }
}
