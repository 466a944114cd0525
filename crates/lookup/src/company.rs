//! A company's registration in one form for every source: the members of the table below.

use serde_json::{Map, Number, Value};

/// Form in which a member is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberForm {
    /// Text without blanks around, absent when empty.
    Text,
    /// Whole number.
    Whole,
    /// Digits, padded with zeros in front to this length.
    Digits(usize),
    /// Date as `AAAA-MM-DD`.
    Day,
    /// Exact decimal.
    Money,
    /// Boolean.
    Flag,
    /// Array as built by the reader of the source.
    List,
}

/// The members, in the order of answers. Their names are those of BrasilAPI, which integrations know.
#[rustfmt::skip]
const MEMBERS: &[(&str, MemberForm)] = &[
    ("cnpj", MemberForm::Text),
    ("identificador_matriz_filial", MemberForm::Whole),
    ("descricao_identificador_matriz_filial", MemberForm::Text),
    ("razao_social", MemberForm::Text),
    ("nome_fantasia", MemberForm::Text),
    ("situacao_cadastral", MemberForm::Whole),
    ("descricao_situacao_cadastral", MemberForm::Text),
    ("data_situacao_cadastral", MemberForm::Day),
    ("motivo_situacao_cadastral", MemberForm::Whole),
    ("descricao_motivo_situacao_cadastral", MemberForm::Text),
    ("situacao_especial", MemberForm::Text),
    ("data_situacao_especial", MemberForm::Day),
    ("natureza_juridica", MemberForm::Text),
    ("codigo_natureza_juridica", MemberForm::Whole),
    ("data_inicio_atividade", MemberForm::Day),
    ("cnae_fiscal", MemberForm::Digits(7)),
    ("cnae_fiscal_descricao", MemberForm::Text),
    ("cnaes_secundarios", MemberForm::List),
    ("descricao_tipo_de_logradouro", MemberForm::Text),
    ("logradouro", MemberForm::Text),
    ("numero", MemberForm::Text),
    ("complemento", MemberForm::Text),
    ("bairro", MemberForm::Text),
    ("cep", MemberForm::Digits(8)),
    ("municipio", MemberForm::Text),
    ("codigo_municipio", MemberForm::Digits(4)),
    ("codigo_municipio_ibge", MemberForm::Digits(7)),
    ("uf", MemberForm::Text),
    ("pais", MemberForm::Text),
    ("codigo_pais", MemberForm::Text),
    ("nome_cidade_no_exterior", MemberForm::Text),
    ("ddd_telefone_1", MemberForm::Text),
    ("ddd_telefone_2", MemberForm::Text),
    ("ddd_fax", MemberForm::Text),
    ("email", MemberForm::Text),
    ("capital_social", MemberForm::Money),
    ("porte", MemberForm::Text),
    ("codigo_porte", MemberForm::Whole),
    ("ente_federativo_responsavel", MemberForm::Text),
    ("qualificacao_do_responsavel", MemberForm::Whole),
    ("opcao_pelo_simples", MemberForm::Flag),
    ("data_opcao_pelo_simples", MemberForm::Day),
    ("data_exclusao_do_simples", MemberForm::Day),
    ("opcao_pelo_mei", MemberForm::Flag),
    ("data_opcao_pelo_mei", MemberForm::Day),
    ("data_exclusao_do_mei", MemberForm::Day),
    ("qsa", MemberForm::List),
];

/// A company's registration: every member of the table, absent ones null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cadastro(Map<String, Value>);

impl Cadastro {
    /// A registration of which only the CNPJ is known.
    pub(crate) fn new(cnpj: &str) -> Cadastro {
        let empty = |(name, form): &(&str, MemberForm)| {
            ((*name).to_owned(), if *form == MemberForm::List { Value::Array(Vec::new()) } else { Value::Null })
        };
        let mut members: Map<String, Value> = MEMBERS.iter().map(empty).collect();
        members.insert("cnpj".to_owned(), Value::from(cnpj));
        Cadastro(members)
    }

    /// Sets a member in its own form; an unreadable value stays absent. `name` must be in the table.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        let form = MEMBERS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form);
        let formed = form.and_then(|form| formed(form, &value.into()));
        if let (Some(place), Some(value)) = (self.0.get_mut(name), formed) {
            *place = value;
        }
    }

    /// Sets all members that another object has under the same names, except the CNPJ.
    pub(crate) fn set_all(&mut self, source: &Value) {
        for (name, form) in MEMBERS {
            if *name != "cnpj" && *form != MemberForm::List && !source[*name].is_null() {
                self.set(name, source[*name].clone());
            }
        }
    }

    pub fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    pub fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

fn formed(form: MemberForm, value: &Value) -> Option<Value> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) if form == MemberForm::Flag => return Some(Value::Bool(*flag)),
        Value::Array(_) if form == MemberForm::List => return Some(value.clone()),
        _ => return None,
    };
    if text.is_empty() {
        return None;
    }
    match form {
        MemberForm::Text => Some(Value::String(text)),
        MemberForm::Whole => text.parse::<u64>().ok().map(Value::from),
        MemberForm::Digits(width) => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            (!digits.is_empty() && digits.len() <= width).then(|| Value::String(format!("{digits:0>width$}")))
        }
        MemberForm::Day => day(&text).map(Value::String),
        MemberForm::Money => money(&text).map(Value::Number),
        MemberForm::Flag => match fiscal::fold::fold(&text).as_str() {
            "s" | "sim" | "true" => Some(Value::Bool(true)),
            "n" | "nao" | "false" => Some(Value::Bool(false)),
            _ => None,
        },
        MemberForm::List => None,
    }
}

/// Reads `AAAA-MM-DD`, `DD/MM/AAAA` or `AAAAMMDD`, with or without a time behind; zeros are no date.
fn day(text: &str) -> Option<String> {
    let whole: String = text.chars().take(10).collect();
    let (year, month, day) = if let Some((day, rest)) = whole.split_once('/') {
        let (month, year) = rest.split_once('/')?;
        (year.to_owned(), month.to_owned(), day.to_owned())
    } else if whole.contains('-') {
        let mut parts = whole.splitn(3, '-').map(str::to_owned);
        (parts.next()?, parts.next()?, parts.next()?)
    } else {
        (whole.get(..4)?.to_owned(), whole.get(4..6)?.to_owned(), whole.get(6..8)?.to_owned())
    };
    let date = jiff::civil::Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    Some(date.to_string())
}

/// Reads `1000`, `1000.00` or `1.000,00`, exactly.
fn money(text: &str) -> Option<Number> {
    let plain = if text.contains(',') { text.replace('.', "").replace(',', ".") } else { text.to_owned() };
    let (whole, cents) = plain.split_once('.').unwrap_or((&plain, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if !digits(whole) || !digits(cents) {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    format!("{whole}.{cents:0<2}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_source_s_writing_becomes_one_form() {
        let mut cadastro = Cadastro::new("11222333000181");
        cadastro.set("cnae_fiscal", 111_301);
        cadastro.set("capital_social", "0001.000,50");
        cadastro.set("data_inicio_atividade", "19980331");
        cadastro.set("data_situacao_cadastral", "03/11/2005");
        cadastro.set("data_opcao_pelo_simples", "00000000");
        cadastro.set("opcao_pelo_simples", "S");
        cadastro.set("nome_fantasia", "  ");
        cadastro.set("situacao_cadastral", "02");
        cadastro.set("cep", "01.001-000");
        let json = cadastro.into_json();
        assert_eq!(json["cnae_fiscal"], "0111301");
        assert_eq!(json["capital_social"].to_string(), "1000.50");
        assert_eq!(
            (&json["data_inicio_atividade"], &json["data_situacao_cadastral"]),
            (&json!("1998-03-31"), &json!("2005-11-03"))
        );
        assert_eq!((&json["data_opcao_pelo_simples"], &json["nome_fantasia"]), (&Value::Null, &Value::Null));
        assert_eq!((&json["opcao_pelo_simples"], &json["situacao_cadastral"]), (&json!(true), &json!(2)));
        assert_eq!((&json["cep"], &json["qsa"]), (&json!("01001000"), &json!([])));
    }

    #[test]
    fn the_number_asked_for_is_not_the_source_s_to_change() {
        let mut cadastro = Cadastro::new("11222333000181");
        cadastro.set_all(&json!({ "cnpj": "00000000000191", "razao_social": "LOJA", "capital_social": 1_000 }));
        assert_eq!(cadastro.get("cnpj"), "11222333000181");
        assert_eq!(
            (cadastro.get("razao_social"), cadastro.get("capital_social").to_string()),
            (&json!("LOJA"), "1000.00".to_owned())
        );
    }
}
