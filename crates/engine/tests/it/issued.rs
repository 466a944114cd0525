//! Documents that the fixture's company issues; facts that hold for every document are tested with each.

use crate::nota;
use serde_json::{Value, json};
use store::numbers::NumberedKind;

/// A document under test.
pub(crate) struct Issued {
    pub(crate) modelo: u8,
    pub(crate) counted: NumberedKind,
    /// Word of its configuration.
    pub(crate) tipo: &'static str,
    /// Service that authorises it.
    pub(crate) authorisation: &'static str,
    /// Service that is queried for its outcome.
    pub(crate) query: &'static str,
    /// Code of its authorities for too many calls.
    pub(crate) undue_use: u16,
    /// True if it may be answered by a receipt.
    pub(crate) in_batches: bool,
    /// A payload that contains this text.
    pub(crate) nota: fn(&str) -> Value,
}

pub(crate) static NFE: Issued = Issued {
    modelo: 55,
    counted: NumberedKind::Nfe,
    tipo: "nfe",
    authorisation: "NFeAutorizacao4",
    query: "NFeConsultaProtocolo4",
    undue_use: 656,
    in_batches: true,
    nota: nota::nota,
};

pub(crate) static NFCE: Issued = Issued {
    modelo: 65,
    counted: NumberedKind::Nfce,
    tipo: "nfce",
    authorisation: "NFeAutorizacao4",
    query: "NFeConsultaProtocolo4",
    undue_use: 656,
    in_batches: false,
    nota: |text| {
        let mut body: Value = serde_json::from_str(include_str!("../../../../docs/guides/nfce.json")).unwrap();
        body["nota"]["produtos"][0]["xProd"] = json!(text);
        body["nota"].take()
    },
};

pub(crate) static CTE: Issued = Issued {
    modelo: 57,
    counted: NumberedKind::Cte,
    tipo: "cte",
    authorisation: "CTeRecepcaoSincV4",
    query: "CTeConsultaV4",
    undue_use: 678,
    in_batches: false,
    nota: |text| transport(include_str!("../../../../docs/guides/cte.json"), text),
};

pub(crate) static CTE_OS: Issued = Issued {
    modelo: 67,
    counted: NumberedKind::CteOs,
    tipo: "cte",
    authorisation: "CTeRecepcaoOSV4",
    query: "CTeConsultaV4",
    undue_use: 678,
    in_batches: false,
    nota: |text| transport(include_str!("../../../../docs/guides/cte-os.json"), text),
};

pub(crate) static NFSE: Issued = Issued {
    modelo: fiscal::tipo::DPS,
    counted: NumberedKind::Dps,
    tipo: "nfse",
    authorisation: "POST /nfse",
    query: "GET /dps",
    undue_use: 0,
    in_batches: false,
    nota: |text| {
        json!({
            "toma": { "CPF": "111.444.777-35", "xNome": "FULANO DE TAL" },
            "serv": { "cServ": { "cTribNac": "010101", "xDescServ": text } },
            "valores": { "vServ": 1000 }
        })
    },
};

impl Issued {
    pub(crate) fn configuration(&self) -> Value {
        json!({"ambiente": 2, "crt": 1, "serie": "1", "rntrc": "12345678", "taf": "123456789012", "qr_versao": 3})
    }
}

/// The guide's own payload, with this text.
fn transport(guide: &str, text: &str) -> Value {
    let mut body: Value = serde_json::from_str(guide).unwrap();
    body["nota"]["compl"] = json!({ "xObs": text });
    body["nota"].take()
}
