//! The same sale for everybody: `items` different products, Simples Nacional, paid by PIX.

use serde_json::{Map, Value, json};

/// The issuer, as the service would fill it in.
pub(crate) fn issuer() -> Map<String, Value> {
    let issuer = json!({
        "CNPJCPF": "11222333000181", "xNome": "Papelaria Exemplo Ltda", "IE": "110042490114", "CRT": 1, "xLgr": "Praça da Sé",
        "nro": "1", "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "UF": "SP", "CEP": "01001000", "cPais": 1058,
        "xPais": "Brasil"
    });
    issuer.as_object().cloned().unwrap_or_default()
}

/// The `nota` of the contract with this many items.
pub(crate) fn nota(items: usize) -> Value {
    let total: serde_json::Number = decimal(items);
    json!({
        "identificacao": { "natOp": "Venda de mercadoria", "tpNF": 1, "indFinal": 1, "indPres": 1 },
        "destinatario": {
            "CNPJCPF": "52998224725", "xNome": "Maria da Silva", "indIEDest": 9, "xLgr": "Rua Direita", "nro": "250",
            "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "UF": "SP", "CEP": "01002000"
        },
        "produtos": (1..=items).map(product).collect::<Vec<_>>(),
        "pagamentos": [{ "indPag": 0, "tPag": "17", "vPag": total }]
    })
}

fn product(item: usize) -> Value {
    json!({
        "cProd": format!("CAD-{item}"), "xProd": format!("Caderno universitário {item} folhas"), "NCM": "48202000", "CFOP": 5102,
        "uCom": "UN", "qCom": 20, "vUnCom": decimal_of("5.00"), "vProd": decimal_of("100.00"),
        "icms": { "orig": 0, "CSOSN": "102" }, "pis": { "CST": "49" }, "cofins": { "CST": "49" }
    })
}

fn decimal(items: usize) -> serde_json::Number {
    format!("{items}00.00").parse().unwrap_or_else(|_| 0.into())
}

fn decimal_of(text: &str) -> Value {
    text.parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}
