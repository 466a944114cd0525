//! Companies and documents of the demonstration: two companies of São Paulo with an everyday sale, and one of Lavras,
//! whose municipal provider uses ABRASF.

use serde_json::{Value, json};

/// A company of the demonstration.
pub(super) struct SampleCompany {
    /// CNPJ without mask.
    pub(super) cnpj: &'static str,
    /// CNPJ with mask.
    pub(super) masked: &'static str,
    pub(super) nome: &'static str,
}

/// The company with a numeric CNPJ.
pub(super) static NUMERIC: SampleCompany =
    SampleCompany { cnpj: "11222333000181", masked: "11.222.333/0001-81", nome: "Papelaria Exemplo Ltda" };
/// The company with letters in its CNPJ.
pub(super) static ALPHANUMERIC: SampleCompany =
    SampleCompany { cnpj: "12ABC34501DE35", masked: "12.ABC.345/01DE-35", nome: "Livraria Alfa Exemplo Ltda" };

/// The company of Lavras, whose municipal provider is GovDigital.
pub(super) static MUNICIPAL: SampleCompany =
    SampleCompany { cnpj: "45723174000110", masked: "45.723.174/0001-10", nome: "Oficina de Software Exemplo Ltda" };

/// Body of `POST /v1/empresas` for the company of Lavras, which renders services only.
pub(super) fn municipal_company() -> Value {
    json!({
        "cpf_cnpj": MUNICIPAL.cnpj,
        "nome_razao_social": MUNICIPAL.nome,
        "crt": 1,
        "email": "fiscal@exemplo.com.br",
        "fone": "3530000000",
        "endereco": {
            "logradouro": "Rua Santana", "numero": "10", "bairro": "Centro", "codigo_municipio": LAVRAS,
            "cidade": "Lavras", "uf": "MG", "cep": "37200000"
        }
    })
}

/// NFS-e configuration of the company of Lavras.
pub(super) fn municipal_configuration() -> Value {
    json!({
        "ambiente": 2, "provedor": "govdigital", "codigo_municipio": LAVRAS, "serie": "1", "inscricao_municipal": "12345",
        "regime": { "opSimpNac": 3, "regEspTrib": 0 }
    })
}

const LAVRAS: &str = "3138203";

/// Body of `POST /v1/empresas`.
pub(super) fn company(sample: &SampleCompany) -> Value {
    json!({
        "cpf_cnpj": sample.cnpj,
        "nome_razao_social": sample.nome,
        "nome_fantasia": "Exemplo",
        "inscricao_estadual": "110042490114",
        "crt": 1,
        "email": "fiscal@exemplo.com.br",
        "fone": "1130000000",
        "endereco": {
            "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000"
        }
    })
}

/// Bodies of `PUT /v1/empresas/{cpf_cnpj}/…`, by document type: all in homologação.
pub(super) fn configurations() -> [(&'static str, Value); 4] {
    [
        ("nfe", json!({ "ambiente": 2, "crt": 1, "serie": "1" })),
        ("nfce", json!({ "ambiente": 2, "crt": 1, "serie": "1", "csc_id": CSC_ID, "csc": CSC })),
        (
            "nfse",
            json!({
                "ambiente": 2, "provedor": "nacional", "serie": "1", "inscricao_municipal": "12345678",
                "regime": { "opSimpNac": 3, "regApTribSN": 1, "regEspTrib": 0 }
            }),
        ),
        ("cte", json!({ "ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012" })),
    ]
}

/// Number of the security code of the NFC-e (CSC), and the code, as the simulated SEFAZ issued them.
pub(super) const CSC_ID: &str = "000001";
pub(super) const CSC: &str = "CSC-DE-TESTE-0123456789";

/// Body of `POST /v1/nfce/emitir`: a sale at the counter, paid in cash with change.
pub(super) fn nfce_body(sample: &SampleCompany, referencia: Option<&str>) -> Value {
    let mut body = nfe_body(sample, "Caderno universitário 96 folhas", referencia);
    if let Some(nota) = body["nota"].as_object_mut() {
        nota.shift_remove("destinatario");
        nota.insert("identificacao".to_owned(), json!({ "natOp": "Venda ao consumidor" }));
        nota.insert("pagamentos".to_owned(), json!([{ "tPag": "01", "vPag": money("120.00") }]));
    }
    body
}

/// Body of `POST /v1/nfe/emitir`: 20 notebooks at R$ 5,00.
pub(super) fn nfe_body(sample: &SampleCompany, xProd: &str, referencia: Option<&str>) -> Value {
    let mut body = json!({
        "cpf_cnpj": sample.cnpj,
        "nota": {
            "identificacao": { "natOp": "Venda de mercadoria", "tpNF": 1, "indFinal": 1, "indPres": 1 },
            "destinatario": {
                "CNPJCPF": "52998224725", "xNome": "Maria da Silva", "indIEDest": 9, "xLgr": "Rua Direita", "nro": "250",
                "xBairro": "Sé", "cMun": 3_550_308, "xMun": "São Paulo", "UF": "SP", "CEP": "01002000"
            },
            "produtos": [{
                "cProd": "CAD-96", "xProd": xProd, "NCM": "48202000", "CFOP": 5102, "uCom": "UN",
                "qCom": 20, "vUnCom": money("5.00"), "vProd": money("100.00"),
                "icms": { "orig": 0, "CSOSN": "102" },
                "pis": { "CST": "49", "vBC": 0, "pPIS": 0, "vPIS": 0 },
                "cofins": { "CST": "49", "vBC": 0, "pCOFINS": 0, "vCOFINS": 0 }
            }],
            "pagamentos": [{ "indPag": 0, "tPag": "17", "vPag": money("100.00") }]
        }
    });
    if let Some(referencia) = referencia {
        body["referencia_externa"] = json!(referencia);
    }
    body
}

/// Body of `POST /v1/cte/emitir`: the guide's delivery of books, for the NF-e of this key.
pub(super) fn cte_body(sample: &SampleCompany, chave: &str, referencia: &str) -> anyhow::Result<Value> {
    let mut body: Value = serde_json::from_str(include_str!("../../../../docs/guides/cte.json"))?;
    body["cpf_cnpj"] = json!(sample.cnpj);
    body["nota"]["documentos"]["nfe"] = json!([chave]);
    body["referencia_externa"] = json!(referencia);
    Ok(body)
}

/// Body of `POST /v1/cte/emitir`: the guide's transport of passengers (CT-e OS).
pub(super) fn cte_os_body(sample: &SampleCompany, referencia: &str) -> anyhow::Result<Value> {
    let mut body: Value = serde_json::from_str(include_str!("../../../../docs/guides/cte-os.json"))?;
    body["cpf_cnpj"] = json!(sample.cnpj);
    body["referencia_externa"] = json!(referencia);
    Ok(body)
}

/// Body of `POST /v1/nfse/emitir`: the guide's service.
pub(super) fn nfse_body(sample: &SampleCompany, referencia: &str) -> anyhow::Result<Value> {
    let mut body: Value = serde_json::from_str(include_str!("../../../../docs/guides/nfse.json"))?;
    body["cpf_cnpj"] = json!(sample.cnpj);
    body["referencia_externa"] = json!(referencia);
    Ok(body)
}

/// Body of `POST /v1/nfse/govdigital/emitir`: the guide's service, rendered now.
pub(super) fn municipal_nfse_body(referencia: &str) -> anyhow::Result<Value> {
    let mut body: Value = serde_json::from_str(include_str!("../../../../docs/guides/nfse-municipal.json"))?;
    body["referencia_externa"] = json!(referencia);
    if let Some(nota) = body["nota"].as_object_mut() {
        for ours in ["competencia", "optante_simples_nacional"] {
            nota.shift_remove(ours);
        }
    }
    Ok(body)
}

/// A new reference.
pub(super) fn reference() -> String {
    format!("DEMO{}", uuid::Uuid::now_v7().simple())
}

/// Returns a decimal as a JSON number with exactly these digits.
fn money(text: &str) -> Value {
    text.parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}
