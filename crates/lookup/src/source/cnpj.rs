//! Reader of answers about a CNPJ, lenient: missing members are absent, but the company's name is required.
//!
//! Law: the documentation of BrasilAPI, Minha Receita and ReceitaWS.

use super::text;
use crate::Cadastro;
use fiscal::value::{Uf, municipio};
use serde_json::{Value, json};

/// Reads BrasilAPI and Minha Receita, whose names are our own.
pub(super) fn brasil_api(body: &Value, cnpj: &str) -> Option<Value> {
    let mut cadastro = Cadastro::new(cnpj);
    cadastro.set_all(body);
    cadastro.set("cnaes_secundarios", list(&body["cnaes_secundarios"], "codigo", "descricao"));
    if let Value::Array(partners) = &body["qsa"] {
        let partner = |partner: &Value| -> Value {
            PARTNER.iter().map(|name| ((*name).to_owned(), partner[*name].clone())).collect()
        };
        cadastro.set("qsa", partners.iter().map(partner).collect::<Value>());
    }
    whole(cadastro)
}

/// Members of a partner.
const PARTNER: [&str; 9] = [
    "identificador_de_socio",
    "nome_socio",
    "cnpj_cpf_do_socio",
    "codigo_qualificacao_socio",
    "qualificacao_socio",
    "data_entrada_sociedade",
    "pais",
    "nome_representante_legal",
    "faixa_etaria",
];

/// Reads ReceitaWS, which has other names.
pub(super) fn receita_ws(body: &Value, cnpj: &str) -> Option<Value> {
    let mut cadastro = Cadastro::new(cnpj);
    for (ours, theirs) in RECEITA_WS {
        cadastro.set(ours, body[*theirs].clone());
    }
    let states = [("nula", 1), ("ativa", 2), ("suspensa", 3), ("inapta", 4), ("baixada", 8)];
    let situation = fiscal::fold::fold(body["situacao"].as_str().unwrap_or_default());
    if let Some((_, code)) = states.iter().find(|(word, _)| *word == situation) {
        cadastro.set("situacao_cadastral", *code);
    }
    if let Some(kind) = text(&body["tipo"]) {
        cadastro.set("identificador_matriz_filial", if kind == "FILIAL" { 2 } else { 1 });
    }
    cadastro.set("opcao_pelo_simples", body["simples"]["optante"].clone());
    cadastro.set("data_opcao_pelo_simples", body["simples"]["data_opcao"].clone());
    cadastro.set("data_exclusao_do_simples", body["simples"]["data_exclusao"].clone());
    cadastro.set("opcao_pelo_mei", body["simei"]["optante"].clone());
    cadastro.set("cnae_fiscal", body["atividade_principal"][0]["code"].clone());
    cadastro.set("cnae_fiscal_descricao", body["atividade_principal"][0]["text"].clone());
    cadastro.set("cnaes_secundarios", list(&body["atividades_secundarias"], "code", "text"));
    if let Value::Array(partners) = &body["qsa"] {
        let partner = |partner: &Value| {
            let mut told: serde_json::Map<String, Value> =
                PARTNER.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
            told.insert("nome_socio".to_owned(), partner["nome"].clone());
            told.insert("qualificacao_socio".to_owned(), partner["qual"].clone());
            Value::Object(told)
        };
        cadastro.set("qsa", partners.iter().map(partner).collect::<Value>());
    }
    whole(cadastro)
}

#[rustfmt::skip]
const RECEITA_WS: &[(&str, &str)] = &[
    ("descricao_identificador_matriz_filial", "tipo"), ("razao_social", "nome"), ("nome_fantasia", "fantasia"),
    ("descricao_situacao_cadastral", "situacao"), ("data_situacao_cadastral", "data_situacao"),
    ("descricao_motivo_situacao_cadastral", "motivo_situacao"), ("situacao_especial", "situacao_especial"),
    ("data_situacao_especial", "data_situacao_especial"), ("natureza_juridica", "natureza_juridica"),
    ("data_inicio_atividade", "abertura"), ("logradouro", "logradouro"), ("numero", "numero"), ("complemento", "complemento"),
    ("bairro", "bairro"), ("cep", "cep"), ("municipio", "municipio"), ("uf", "uf"), ("ddd_telefone_1", "telefone"),
    ("email", "email"), ("capital_social", "capital_social"), ("porte", "porte"), ("ente_federativo_responsavel", "efr"),
];

/// Activities: code of seven digits and text; entries of zeros are dropped.
fn list(value: &Value, code: &str, description: &str) -> Value {
    let entry = |entry: &Value| {
        let digits: String = text(&entry[code])?.chars().filter(char::is_ascii_digit).collect();
        let known = digits.len() <= 7 && digits.bytes().any(|digit| digit != b'0');
        known.then(|| json!({ "codigo": format!("{digits:0>7}"), "descricao": text(&entry[description]) }))
    };
    value
        .as_array()
        .map(|entries| entries.iter().filter_map(entry).collect())
        .unwrap_or_else(|| Value::Array(Vec::new()))
}

fn whole(mut cadastro: Cadastro) -> Option<Value> {
    if cadastro.get("codigo_municipio_ibge").is_null() {
        let uf = cadastro.get("uf").as_str().and_then(Uf::from_sigla);
        let found = uf.and_then(|uf| municipio::find_by_name(uf, cadastro.get("municipio").as_str()?));
        if let Some(found) = found {
            cadastro.set("codigo_municipio_ibge", found.codigo);
        }
    }
    cadastro.get("razao_social").is_string().then(|| cadastro.into_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receita_ws_is_told_in_our_names() {
        let body = json!({ "status": "OK", "tipo": "MATRIZ", "nome": "LOJA LTDA", "fantasia": "", "situacao": "ATIVA", "abertura": "31/03/1998",
            "atividade_principal": [{ "code": "01.11-3-01", "text": "Cultivo de arroz" }],
            "atividades_secundarias": [{ "code": "00.00-0-00", "text": "Não informada" }, { "code": "62.01-5-01", "text": "Software" }],
            "qsa": [{ "nome": "ANA", "qual": "49-Sócio-Administrador" }], "municipio": "SAO PAULO", "uf": "SP", "cep": "01.001-000",
            "capital_social": "10000.00", "simples": { "optante": true, "data_opcao": "2007-07-01T00:00:00Z" } });
        let company = receita_ws(&body, "11222333000181").unwrap();
        assert_eq!((&company["situacao_cadastral"], &company["cnae_fiscal"]), (&json!(2), &json!("0111301")));
        assert_eq!(company["cnaes_secundarios"], json!([{ "codigo": "6201501", "descricao": "Software" }]));
        assert_eq!(
            (&company["codigo_municipio_ibge"], &company["qsa"][0]["nome_socio"]),
            (&json!("3550308"), &json!("ANA"))
        );
        assert_eq!(
            (&company["data_opcao_pelo_simples"], &company["nome_fantasia"]),
            (&json!("2007-07-01"), &Value::Null)
        );
        assert_eq!(company["capital_social"].to_string(), "10000.00");
    }

    #[test]
    fn an_answer_without_a_name_is_none() {
        assert_eq!(brasil_api(&json!({ "cnpj": "11222333000181" }), "11222333000181"), None);
        let known =
            brasil_api(&json!({ "razao_social": "X", "cnae_fiscal": 4_711_302, "qsa": null }), "11222333000181")
                .unwrap();
        assert_eq!((&known["cnae_fiscal"], &known["qsa"]), (&json!("4711302"), &json!([])));
    }
}
