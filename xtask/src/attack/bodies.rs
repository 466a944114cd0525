//! Bodies of valid JSON that cost the service more than they should. They are sent with a key.

use super::connections::in_parallel;
use crate::lab::{CNPJ, Lab, sale};
use anyhow::Result;
use serde_json::{Value, json};

/// Routes that read a whole `nota`.
const ROUTES: [&str; 4] = ["/v1/nfe/verificar-campos", "/v1/nfe/emitir", "/v1/nfe/previa", "/v1/nfe/preparar"];

/// Sends unknown names that resemble those of the layout, no two alike.
pub(super) fn names(lab: &Lab) -> Result<Vec<String>> {
    let members: Vec<String> = (0..(8 << 20) / 24).map(|number| format!("\"vlProd{number:07}x\":1")).collect();
    let flat = format!("{{\"cpf_cnpj\":\"{CNPJ}\",\"nota\":{{{}}}}}", members.join(","));
    let sale = sale()?.to_string();
    let inside = sale.replace("\"produtos\":[{", &format!("\"produtos\":[{{{},", members.join(",")));
    send_to_all_routes(lab, &[&flat, &inside])
}

/// Sends very many empty items, and a note of 990 whole ones.
pub(super) fn items(lab: &Lab) -> Result<Vec<String>> {
    let with = |items: String| format!("{{\"cpf_cnpj\":\"{CNPJ}\",\"nota\":{{\"produtos\":[{items}]}}}}");
    let empty = with(vec!["{}"; 100_000].join(","));
    let endless = with(vec!["{}"; (8 << 20) / 3 - 100].join(","));
    let nulls = with(vec!["null"; (8 << 20) / 5 - 100].join(","));
    let mut full = sale()?;
    let item = full["nota"]["produtos"][0].clone();
    full["nota"]["produtos"] = Value::Array(vec![item; 990]);
    let full = full.to_string();
    send_to_all_routes(lab, &[&empty, &endless, &nulls, &full])
}

/// Sends values that overflow arithmetic.
pub(super) fn numbers(lab: &Lab) -> Result<Vec<String>> {
    let digits = "9".repeat(10_000);
    let values = [
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "9999999999999.99",
        "99999999999999999999999.9999999999",
        "0.0000000000000000000000000001",
        "1e999999999",
        "-1e-999999999",
        "1E28",
        "79228162514264337593543950335.5",
        &digits,
    ];
    let sale = sale()?.to_string();
    let bodies: Vec<String> = values
        .iter()
        .flat_map(|value| {
            ["\"vProd\":100.00", "\"qCom\":20", "\"vUnCom\":5.00", "\"vPag\":100.00"].map(|field| {
                let name = field.split(':').next().unwrap_or_default();
                sale.replace(field, &format!("{name}:{value}"))
            })
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    send_to_all_routes(lab, &bodies)
}

/// Sends shapes that are hard for parsers.
pub(super) fn shapes(lab: &Lab) -> Result<Vec<String>> {
    let deep = format!("{}{}", "[".repeat(4 << 20), "]".repeat(4 << 20));
    let nested = format!("{{\"cpf_cnpj\":\"{CNPJ}\",\"nota\":{}1{}}}", "{\"a\":".repeat(60), "}".repeat(60));
    let long = json!({ "cpf_cnpj": CNPJ, "nota": { "identificacao": { "natOp": "é".repeat(4_000_000) } } }).to_string();
    let texts = json!({ "cpf_cnpj": CNPJ, "nota": { "infAdic": { "infCpl": "\u{0}\u{200b}<>&\"".repeat(400_000) } } })
        .to_string();
    let twice = format!("{{{}\"cpf_cnpj\":\"{CNPJ}\",\"nota\":{{}}}}", "\"nota\":{\"a\":1},".repeat(500_000));
    let cut = &nested[..nested.len() / 2];
    send_to_all_routes(lab, &[&deep, &nested, &long, &texts, &twice, cut])
}

/// Sends each body to each route, four at a time. An answer of 5xx without Retry-After, or above a megabyte, is a
/// complaint.
fn send_to_all_routes(lab: &Lab, bodies: &[&str]) -> Result<Vec<String>> {
    let calls: Vec<(&str, &str)> = bodies.iter().flat_map(|body| ROUTES.map(|route| (route, *body))).collect();
    let mut found = Vec::new();
    for four in calls.chunks(4) {
        found.extend(in_parallel(four.len(), |turn| {
            let (route, body) = four[turn];
            let answer = lab.client()?.send("POST", route, body.as_bytes())?;
            let is_wrong =
                answer.status >= 500 && answer.header("retry-after").is_none() || answer.body.len() > MOST_BYTES;
            let beginning: String = body.chars().take(60).collect();
            let told = format!(
                "{route} {beginning}… ({} bytes): {} with {} bytes",
                body.len(),
                answer.status,
                answer.body.len()
            );
            Ok(if is_wrong { vec![told] } else { Vec::new() })
        })?);
    }
    Ok(found)
}

/// Largest allowed answer to a refused body.
const MOST_BYTES: usize = 1 << 20;
