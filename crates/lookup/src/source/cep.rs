//! Reader of answers about a CEP, lenient: missing members are absent, but a city and a state are required.
//!
//! Law: the documentation of ViaCEP, BrasilAPI and OpenCEP.

use super::text;
use crate::Endereco;
use http::StatusCode;
use serde_json::Value;

pub(super) fn via_cep(body: &Value, cep: &str) -> Option<Value> {
    whole(via_cep_address(body, cep))
}

fn via_cep_address(body: &Value, cep: &str) -> Endereco {
    Endereco {
        cep: cep.to_owned(),
        logradouro: text(&body["logradouro"]),
        complemento: text(&body["complemento"]),
        unidade: text(&body["unidade"]),
        bairro: text(&body["bairro"]),
        cidade: text(&body["localidade"]),
        uf: text(&body["uf"]),
        ibge: text(&body["ibge"]),
        gia: text(&body["gia"]),
        ddd: text(&body["ddd"]),
        siafi: text(&body["siafi"]),
        fonte: "viacep".to_owned(),
        ..Endereco::default()
    }
}

/// The answer to a search: a list, at most 50.
pub(super) fn via_cep_list(status: StatusCode, body: &Value) -> Option<Vec<Endereco>> {
    if !status.is_success() {
        return None;
    }
    let address = |entry: &Value| {
        let cep: String = entry["cep"].as_str()?.chars().filter(char::is_ascii_digit).collect();
        (cep.len() == 8).then(|| via_cep_address(entry, &cep).completed())
    };
    Some(body.as_array()?.iter().filter_map(address).collect())
}

pub(super) fn open_cep(body: &Value, cep: &str) -> Option<Value> {
    whole(Endereco { fonte: "opencep".to_owned(), ..via_cep_address(body, cep) })
}

pub(super) fn brasil_api(body: &Value, cep: &str) -> Option<Value> {
    whole(Endereco {
        cep: cep.to_owned(),
        logradouro: text(&body["street"]),
        bairro: text(&body["neighborhood"]),
        cidade: text(&body["city"]),
        uf: text(&body["state"]),
        ibge: text(&body["ibge"]),
        fonte: "brasilapi".to_owned(),
        ..Endereco::default()
    })
}

fn whole(address: Endereco) -> Option<Value> {
    let address = address.completed();
    let enough = address.cidade.is_some() && address.estado.is_some();
    enough.then(|| serde_json::to_value(address).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn brasil_api_says_no_code_and_gets_one() {
        let body = json!({ "cep": "89010025", "state": "SC", "city": "Blumenau", "neighborhood": "Centro", "street": "Rua Doutor Luiz",
            "service": "viacep", "location": { "type": "Point", "coordinates": {} } });
        let address = brasil_api(&body, "89010025").unwrap();
        assert_eq!(
            (&address["ibge"], &address["tipo"], &address["fonte"]),
            (&json!("4202404"), &json!("Rua"), &json!("brasilapi"))
        );
    }

    #[test]
    fn what_is_no_address_is_no_answer() {
        assert_eq!(via_cep(&json!({ "mensagem": "olá" }), "01001000"), None);
        assert_eq!(open_cep(&json!([]), "01001000"), None);
        assert_eq!(via_cep(&json!({ "localidade": "Lugar", "uf": "XX" }), "01001000"), None);
    }
}
