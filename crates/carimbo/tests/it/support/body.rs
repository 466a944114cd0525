//! Request bodies.

use serde_json::{Value, json};

pub(crate) const NUMERIC: &str = "11222333000181";
pub(crate) const ALPHANUMERIC: &str = "12ABC34501DE35";

/// A decimal as a JSON number with exactly these digits.
pub(crate) fn number(text: &str) -> Value {
    Value::Number(text.parse().unwrap())
}

/// A company of São Paulo, Simples Nacional.
pub(crate) fn company(cpf_cnpj: &str) -> Value {
    json!({
        "cpf_cnpj": cpf_cnpj, "nome_razao_social": "Papelaria de Teste Ltda", "inscricao_estadual": "110.042.490.114", "crt": 1,
        "endereco": {
            "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001-000"
        }
    })
}

/// The smallest emission, of 20 × 5.00.
pub(crate) fn emission(cpf_cnpj: &str) -> Value {
    json!({
        "cpf_cnpj": cpf_cnpj,
        "nota": {
            "identificacao": { "natOp": "Venda de mercadoria", "tpNF": 1, "indFinal": 1, "indPres": 1 },
            "destinatario": {
                "CNPJCPF": "529.982.247-25", "xNome": "Maria da Silva", "indIEDest": 9, "xLgr": "Rua Direita", "nro": "250",
                "xBairro": "Sé", "cMun": 3550308, "xMun": "São Paulo", "UF": "SP", "CEP": "01002000"
            },
            "produtos": [item("100.00")],
            "pagamentos": [{ "indPag": 0, "tPag": "01", "vPag": number("100.00") }]
        }
    })
}

/// An item of this value.
pub(crate) fn item(vProd: &str) -> Value {
    json!({
        "cProd": "CAD-96", "xProd": "Caderno 96 folhas", "NCM": "48202000", "CFOP": 5102, "uCom": "UN",
        "qCom": 20, "vUnCom": number("5.00"), "vProd": number(vProd),
        "icms": { "orig": 0, "CSOSN": "102" }, "pis": { "CST": "49" }, "cofins": { "CST": "49" }
    })
}

/// The smallest NFC-e: a sale at the counter.
pub(crate) fn counter_sale(cpf_cnpj: &str) -> Value {
    json!({
        "cpf_cnpj": cpf_cnpj,
        "nota": {
            "identificacao": { "natOp": "Venda ao consumidor" },
            "produtos": [item("100.00")],
            "pagamentos": [{ "tPag": "01", "vPag": number("100.00") }]
        }
    })
}

/// A note with every group and field of the interface.
pub(crate) fn interface_example(cpf_cnpj: &str, dhEmi: &str) -> Value {
    let [uf, mun] = ibs_of_100();
    json!({
        "cpf_cnpj": cpf_cnpj,
        "referencia_externa": "PED1001",
        "webhook_url": "https://exemplo.com.br/notificacoes",
        "nota": {
            "identificacao": {
                "natOp": "Venda de mercadoria", "mod": 55, "serie": 1, "nNF": 1234, "tpNF": 1, "idDest": 1, "cMunFG": 3550308,
                "tpImp": 1, "tpEmis": 1, "finNFe": 1, "indFinal": 1, "indPres": 1, "procEmi": 0, "dhEmi": dhEmi, "verProc": "ERP 1.0"
            },
            "emitente": {
                "CNPJCPF": cpf_cnpj, "xNome": "Papelaria de Teste Ltda", "xFant": "Papelaria", "IE": "110042490114",
                "xLgr": "Praça da Sé", "nro": "1", "xBairro": "Sé", "xMun": "São Paulo", "UF": "SP", "CEP": "01001000",
                "Fone": "1130000000", "CRT": 1, "cMun": 3550308, "cUF": 35, "cPais": 1058, "xPais": "Brasil"
            },
            "destinatario": {
                "CNPJCPF": "52998224725", "xNome": "Maria da Silva", "xLgr": "Rua Direita", "nro": "250", "xBairro": "Sé",
                "xMun": "São Paulo", "UF": "SP", "CEP": "01002000", "indIEDest": 9, "cMun": 3550308
            },
            "produtos": [{
                "cProd": "CAD-96", "cEAN": "SEM GTIN", "xProd": "Caderno 96 folhas", "NCM": "48202000", "uCom": "UN",
                "cEANTrib": "SEM GTIN", "uTrib": "UN", "CFOP": 5102, "indTot": 1, "qCom": 20, "vUnCom": number("5.00"),
                "vProd": number("100.00"), "qTrib": 20, "vUnTrib": number("5.00"),
                "icms": { "orig": 0, "CST": "102" }, "pis": { "CST": "49" }, "cofins": { "CST": "49" },
                "ibscbs": ibscbs_of_100()
            }],
            "total": { "vProd": number("100.00"), "vNF": number("100.00") },
            "ibscbs_total": {
                "vBCIBSCBS": number("100.00"),
                "ibs": { "vIBS": number("0.10"), "uf": { "vIBSUF": number(uf) }, "mun": { "vIBSMun": number(mun) } },
                "cbs": { "vCBS": number("0.90") }
            },
            "transportador": { "modFrete": 9 },
            "pagamentos": [{ "tPag": "01", "vPag": number("100.00"), "indPag": 0 }]
        }
    })
}

/// `true` in 2026, when the state has the whole IBS.
fn is_2026() -> bool {
    fiscal::value::brasilia::day(jiff::Timestamp::now()) < fiscal::reference::ibscbs::REFORM_IN_FULL
}

/// IBS of the state and of the município on 100.00, as the year has it: rates in per cent and amounts are the same
/// digits.
fn ibs_of_100() -> [&'static str; 2] {
    if is_2026() { ["0.10", "0.00"] } else { ["0.05", "0.05"] }
}

/// IBS and CBS of an item of 100.00 of today; the CBS of 2027 is not published yet, and any value passes.
pub(crate) fn ibscbs_of_100() -> Value {
    let [uf, mun] = ibs_of_100();
    let part = |rate: &str| json!({ "valor_bc": number("100.00"), "aliquota": number(rate), "valor": number(rate) });
    json!({ "cst": "000", "classificacao": "000001", "ibs_uf": part(uf), "ibs_mun": part(mun), "cbs": part("0.90") })
}

/// An emission that the authority refuses with this code.
pub(crate) fn refused_with(cStat: u16) -> Value {
    let mut body = emission(NUMERIC);
    body["nota"]["produtos"][0]["xProd"] = json!(format!("Caderno [SIM:cStat={cStat}]"));
    body
}
