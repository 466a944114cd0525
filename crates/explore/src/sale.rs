//! Sales: the orders of callers, marked so that a document names its sale.

use crate::authority::municipal;
use crate::fixture::CNPJ;
use engine::order::emission::IssueRequest;
use fiscal::value::CnpjCpf;
use serde_json::{Value, json};
use uuid::Uuid;

/// Kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleKind {
    /// Model 55.
    Nfe,
    /// Model 65.
    Nfce,
    /// Model 57.
    Cte,
    /// A declaration (DPS) of a national NFS-e.
    Nfse,
    /// An RPS of a municipal provider.
    Rps,
}

impl SaleKind {
    pub const ALL: [SaleKind; 5] = [SaleKind::Nfe, SaleKind::Nfce, SaleKind::Cte, SaleKind::Nfse, SaleKind::Rps];

    pub fn word(self) -> &'static str {
        match self {
            SaleKind::Nfe => "nfe",
            SaleKind::Nfce => "nfce",
            SaleKind::Cte => "cte",
            SaleKind::Nfse => "nfse",
            SaleKind::Rps => "rps",
        }
    }

    pub fn parse(word: &str) -> Option<SaleKind> {
        SaleKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A sale of a caller.
#[derive(Debug, Clone)]
pub struct CallerSale {
    /// Text that a document of the sale carries.
    pub mark: String,
    /// Kind of its document.
    pub kind: SaleKind,
    /// Its job, once a caller got one.
    pub job: Option<Uuid>,
    /// True when the caller knows that no database of the service can have seen its reference before.
    pub is_surely_new: bool,
}

impl CallerSale {
    pub fn new(number: u64, kind: SaleKind) -> CallerSale {
        CallerSale { mark: format!("VENDA {number}"), kind, job: None, is_surely_new: true }
    }

    /// Reference of the caller.
    pub fn reference(&self) -> String {
        self.mark.replace(' ', "-")
    }

    /// The order; the same every time.
    pub fn order(&self) -> Option<IssueRequest> {
        let (modelo, nota) = match self.kind {
            SaleKind::Nfe => (55, nfe(&self.mark)),
            SaleKind::Nfce => (65, nfce(&self.mark)),
            SaleKind::Cte => (57, cte(&self.mark)),
            SaleKind::Nfse => (fiscal::tipo::DPS, nfse(&self.mark)),
            SaleKind::Rps => (fiscal::tipo::RPS, rps(&self.mark)),
        };
        Some(IssueRequest {
            cpf_cnpj: CnpjCpf::parse(if self.kind == SaleKind::Rps { municipal::CNPJ } else { CNPJ }).ok()?,
            modelo,
            nota,
            webhook_url: Some("https://cliente.example/gancho".to_owned()),
            referencia_nova: self.is_surely_new,
            referencia: Some(self.reference()),
            estrito: false,
        })
    }
}

/// The example of the guide.
fn cte(mark: &str) -> Value {
    let guide = include_str!("../../../docs/guides/cte.json");
    let mut body: Value = serde_json::from_str(guide).unwrap_or_default();
    body["nota"]["compl"] = json!({ "xObs": mark });
    body["nota"].take()
}

fn nfse(mark: &str) -> Value {
    json!({
        "toma": { "CPF": "111.444.777-35", "xNome": "FULANO DE TAL" },
        "serv": { "cServ": { "cTribNac": "010101", "xDescServ": mark } },
        "valores": { "vServ": 1000 }
    })
}

/// The example of the guide, at the municipal provider of the model.
fn rps(mark: &str) -> Value {
    let guide = include_str!("../../../docs/guides/nfse-municipal.json");
    let mut body: Value = serde_json::from_str(guide).unwrap_or_default();
    let service = &mut body["nota"]["servico"];
    (service["codigo_municipio"], service["municipio_incidencia"]) = (municipal::CITY.into(), municipal::CITY.into());
    service["discriminacao"] = mark.into();
    body["nota"].take()
}

fn product(mark: &str) -> Value {
    json!({
        "cProd": mark, "cEAN": "SEM GTIN", "xProd": "CADERNO", "NCM": "48201000", "CFOP": 5102, "uCom": "UN",
        "qCom": 2, "vUnCom": "50.00", "vProd": "100.00", "cEANTrib": "SEM GTIN", "uTrib": "UN", "qTrib": 2,
        "vUnTrib": "50.00", "indTot": 1,
        "icms": {"orig": 0, "CSOSN": "102"}, "pis": {"CST": "99"}, "cofins": {"CST": "99"}
    })
}

fn nfe(mark: &str) -> Value {
    json!({
        "identificacao": {"natOp": "VENDA DE MERCADORIA", "tpNF": 1, "idDest": 1, "indFinal": 1, "indPres": 1},
        "destinatario": {
            "CNPJCPF": "11444777000161",
            "xNome": "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL",
            "xLgr": "Rua Direita", "nro": "10", "xBairro": "Centro", "cMun": 3550308, "xMun": "São Paulo",
            "UF": "SP", "CEP": "01002000", "indIEDest": 9
        },
        "produtos": [product(mark)],
        "total": {"vProd": "100.00", "vNF": "100.00"},
        "transportador": {"modFrete": 9},
        "pagamentos": [{"tPag": "01", "vPag": "100.00"}]
    })
}

fn nfce(mark: &str) -> Value {
    json!({
        "identificacao": {"natOp": "Venda ao consumidor"},
        "produtos": [product(mark)],
        "pagamentos": [{"tPag": "01", "vPag": "100.00"}]
    })
}
