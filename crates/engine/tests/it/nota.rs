//! A note that every authority accepts: the contract's groups, a company of São Paulo in the Simples Nacional.

use serde_json::{Value, json};

/// A note of one item of this name.
pub(crate) fn nota(xProd: &str) -> Value {
    json!({
        "identificacao": {"natOp": "VENDA DE MERCADORIA", "tpNF": 1, "idDest": 1, "indFinal": 1, "indPres": 1},
        "destinatario": {
            "CNPJCPF": "11444777000161",
            "xNome": "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL",
            "xLgr": "Rua Direita", "nro": "10", "xBairro": "Centro", "cMun": 3550308, "xMun": "São Paulo",
            "UF": "SP", "CEP": "01002000", "indIEDest": 9
        },
        "produtos": [{
            "cProd": "A1", "cEAN": "SEM GTIN", "xProd": xProd, "NCM": "48201000", "CFOP": 5102, "uCom": "UN",
            "qCom": 2, "vUnCom": "50.00", "vProd": "100.00", "cEANTrib": "SEM GTIN", "uTrib": "UN", "qTrib": 2,
            "vUnTrib": "50.00", "indTot": 1,
            "icms": {"orig": 0, "CSOSN": "102"}, "pis": {"CST": "99"}, "cofins": {"CST": "99"}
        }],
        "total": {"vProd": "100.00", "vNF": "100.00"},
        "transportador": {"modFrete": 9},
        "pagamentos": [{"tPag": "01", "vPag": "100.00"}]
    })
}
