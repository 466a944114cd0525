//! Fields of a company's record: what each means, their values, and the body of the request that they make.

use fiscal::value::Uf;
use fiscal::value::municipio::{self, Municipio};
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::line_control::{LineControl, LineKind};
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::painel::form::FormFields;

/// A field of the record.
pub(super) struct RecordField {
    /// Path of the member.
    pub(super) name: &'static str,
    label: &'static str,
    about: &'static str,
    longest: usize,
}

const fn field(name: &'static str, label: &'static str, about: &'static str, longest: usize) -> RecordField {
    RecordField { name, label, about, longest }
}

const IDENTITY: &[RecordField] = &[
    field("nome_razao_social", "Razão social", "O nome registrado, como está no cartão do CNPJ.", 60),
    field("nome_fantasia", "Nome fantasia", "O nome da loja, se houver.", 60),
    field(
        "inscricao_estadual",
        "Inscrição estadual",
        "Só números, ou ISENTO. Está no cadastro da SEFAZ do Estado (Sintegra); sem ela não se emite NF-e de mercadoria.",
        30,
    ),
    field(
        "inscricao_municipal",
        "Inscrição municipal",
        "Está no alvará ou no cadastro mobiliário da prefeitura; a NFS-e costuma pedi-la.",
        30,
    ),
    field("crt", "Regime tributário (CRT)", "Como a empresa paga imposto. Em dúvida, pergunte à contabilidade.", 1),
    field("email", "E-mail", "Para contato; sai em alguns documentos.", 60),
    field("fone", "Telefone", "Com o DDD.", 20),
];

const ADDRESS: &[RecordField] = &[
    field("endereco.cep", "CEP", "8 dígitos.", 10),
    field("endereco.logradouro", "Rua ou avenida", "", 60),
    field("endereco.numero", "Número", "Ou S/N.", 60),
    field("endereco.complemento", "Complemento", "", 60),
    field("endereco.bairro", "Bairro", "", 60),
    field("endereco.cidade", "Cidade", "", 60),
    field("endereco.uf", "Estado", "A sigla, como SP.", 2),
    field(
        "endereco.codigo_municipio",
        "Código do município (IBGE)",
        "7 dígitos. Em branco, é achado pela cidade e pelo Estado.",
        10,
    ),
];

/// `CRT` of the layouts.
pub(super) const REGIMES: &[(&str, &str)] = &[
    ("", "Escolha"),
    ("1", "1 · Simples Nacional"),
    ("2", "2 · Simples Nacional, acima do sublimite"),
    ("3", "3 · Regime normal (lucro presumido ou real)"),
    ("4", "4 · MEI"),
];

/// True for the name of a field of the form.
pub(super) fn has_field(name: &str) -> bool {
    IDENTITY.iter().chain(ADDRESS).any(|field| field.name == name)
}

/// The fields, with their values and problems.
pub(super) fn fields(value: &dyn Fn(&str) -> String, problems: &[FieldProblem]) -> Markup {
    let shown = |field: &RecordField| {
        let value = value(field.name);
        let kind = if field.name == "crt" { LineKind::Choice(REGIMES) } else { LineKind::Text(field.longest) };
        let is_required = field.name == "nome_razao_social";
        LineControl { name: field.name, label: field.label, about: &[field.about], value: &value, kind, is_required }
            .show(problems)
    };
    html! {
        fieldset {
            legend { "A empresa" }
            div class="campos-lado" { @for field in IDENTITY { (shown(field)) } }
        }
        fieldset {
            legend { "Endereço" }
            div class="campos-lado" { @for field in ADDRESS { (shown(field)) } }
        }
    }
}

/// Value of a field in a stored record.
pub(super) fn stored(dados: &Value, name: &str) -> String {
    match dados.pointer(&format!("/{}", name.replace('.', "/"))) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Members of the request; an empty field clears its member.
pub(super) fn body(typed: &FormFields) -> Map<String, Value> {
    let mut body = Map::new();
    let mut address = Map::new();
    for field in IDENTITY.iter().chain(ADDRESS) {
        let text = typed.text(field.name).trim();
        let value = if text.is_empty() { Value::Null } else { json!(text) };
        match field.name.split_once('.') {
            Some((_, name)) => address.insert(name.to_owned(), value),
            None => body.insert(field.name.to_owned(), value),
        };
    }
    if address.get("codigo_municipio").is_none_or(Value::is_null)
        && let Some(found) = named_municipio(typed)
    {
        address.insert("codigo_municipio".to_owned(), json!(found.codigo.to_string()));
    }
    body.insert("endereco".to_owned(), Value::Object(address));
    body
}

/// Município of the city and state that were typed, where the table knows the name.
fn named_municipio(typed: &FormFields) -> Option<Municipio> {
    let uf = Uf::from_sigla(&typed.text("endereco.uf").trim().to_uppercase())?;
    municipio::find_by_name(uf, typed.text("endereco.cidade").trim())
}

/// Refusal of a code that belongs to another city than the one beside it, as when only the city is changed.
pub(super) fn require_one_place(typed: &FormFields) -> Result<(), ApiError> {
    let code = typed.text(CODE).trim().parse::<u32>().ok();
    let (Some(code), Some(named)) = (code.and_then(municipio::find), named_municipio(typed)) else { return Ok(()) };
    if code.codigo == named.codigo {
        return Ok(());
    }
    let text = format!(
        "O código {} é de {}, e a cidade escrita é {}, de código {}. Corrija um dos dois, ou apague o código para que seja achado pela cidade.",
        code.codigo, code.nome, named.nome, named.codigo
    );
    Err(ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, CODE, text)]))
}

const CODE: &str = "endereco.codigo_municipio";

/// Value of a field in the registration of a CNPJ.
pub(super) fn registered(found: &Value, name: &str) -> String {
    let text = |name: &str| found[name].as_str().unwrap_or_default().trim().to_owned();
    let whole = match name {
        "nome_razao_social" => text("razao_social"),
        "endereco.logradouro" => format!("{} {}", text("descricao_tipo_de_logradouro"), text("logradouro")),
        "endereco.cidade" => text("municipio"),
        "endereco.codigo_municipio" => text("codigo_municipio_ibge"),
        "fone" => text("ddd_telefone_1"),
        "crt" if found["opcao_pelo_mei"] == true => "4".to_owned(),
        "crt" if found["opcao_pelo_simples"] == true => "1".to_owned(),
        "crt" if found["opcao_pelo_simples"] == false => "3".to_owned(),
        "nome_fantasia" | "email" => text(name),
        _ => name.strip_prefix("endereco.").map(text).unwrap_or_default(),
    };
    let longest = IDENTITY.iter().chain(ADDRESS).find(|field| field.name == name).map_or(60, |field| field.longest);
    whole.trim().chars().take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_fills_the_form() {
        let found = json!({ "razao_social": "LOJA LTDA", "descricao_tipo_de_logradouro": "RUA", "logradouro": "UM", "numero": "10",
            "cep": "01001000", "municipio": "SAO PAULO", "codigo_municipio_ibge": "3550308", "uf": "SP", "opcao_pelo_simples": true });
        let value = |name| registered(&found, name);
        assert_eq!(value("nome_razao_social"), "LOJA LTDA");
        assert_eq!(value("endereco.logradouro"), "RUA UM");
        assert_eq!((value("endereco.cep"), value("endereco.codigo_municipio")), ("01001000".into(), "3550308".into()));
        assert_eq!((value("crt"), value("inscricao_estadual")), ("1".to_owned(), String::new()));
        assert_eq!(registered(&json!({ "opcao_pelo_mei": true, "opcao_pelo_simples": true }), "crt"), "4");
    }

    #[test]
    fn a_municipio_is_found_by_its_name() {
        let typed = FormFields::parse(b"nome_razao_social=Loja&endereco.cidade=Campinas&endereco.uf=sp", 64);
        let body = body(&typed);
        assert_eq!(body["endereco"]["codigo_municipio"], "3509502");
        assert_eq!((&body["nome_razao_social"], &body["email"]), (&json!("Loja"), &Value::Null));
    }

    #[test]
    fn a_code_of_another_city_is_refused() {
        let of = |line: &str| require_one_place(&FormFields::parse(line.as_bytes(), 64));
        let refused = of("endereco.cidade=Campinas&endereco.uf=SP&endereco.codigo_municipio=3550308").unwrap_err();
        assert!(refused.problems()[0].mensagem.contains("3509502"), "{}", refused.detail());
        for right in ["3509502", "", "x", "9999999"] {
            let line = format!("endereco.cidade=Campinas&endereco.uf=SP&endereco.codigo_municipio={right}");
            assert!(of(&line).is_ok(), "{right}");
        }
        assert!(of("endereco.cidade=Cidade+Sem+Nome&endereco.uf=SP&endereco.codigo_municipio=3550308").is_ok());
    }
}
