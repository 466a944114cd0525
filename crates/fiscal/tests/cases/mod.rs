//! The golden cases: `tests/golden/nfe/<case>/input.json`.
//!
//! An input is `{"modelo", "ambiente", "emitente", "serie", "tpEmis", "contingencia", "infNFeSupl", "nota"}`; all but
//! `nota` may be absent. With `"base"` it says only what its case is about: it is a merge patch (RFC 7396) on
//! `tests/golden/base/<base>.json`, and each of `itens` is the first product of the base with some members replaced
//! (null takes one away).

use crate::patch;
use fiscal::document::{Built, Context};
use fiscal::finding::Violation;
use fiscal::nfe;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The moment every case is issued at.
pub(crate) const MOMENT: &str = "2026-11-20T10:00:00-03:00";

/// Schema-valid by shape only: the golden documents are unsigned.
pub(crate) const DUMMY_SIGNATURE: &str = include_str!("signature.xml");

/// One case, whole.
pub(crate) struct Case {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// What was put together.
    pub(crate) input: Value,
}

/// Every case, in order of its name.
pub(crate) fn all() -> Vec<Case> {
    patch::folders("nfe").into_iter().map(|folder| Case { input: input(&folder), folder }).collect()
}

fn input(folder: &Path) -> Value {
    let own = patch::read(&folder.join("input.json"));
    let Some(base) = own.get("base").and_then(Value::as_str) else { return own };
    let mut whole = patch::base(base);
    if let Some(Value::Array(items)) = own.get("itens") {
        let product = whole["nota"]["produtos"][0].clone();
        whole["nota"]["produtos"] = items.iter().map(|item| replaced(&product, item)).collect();
    }
    let mut patch = own;
    patch.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "base" | "itens"));
    patch::patched(whole, &patch)
}

/// A product with some of its members others: a tax of the case stands for the whole tax of the base.
fn replaced(product: &Value, own: &Value) -> Value {
    let mut members = product.as_object().unwrap().clone();
    for (name, value) in own.as_object().unwrap() {
        members.insert(name.clone(), value.clone());
    }
    members.retain(|_, value| !value.is_null());
    Value::Object(members)
}

fn emitente() -> Map<String, Value> {
    let record = serde_json::json!({
        "CNPJCPF": "11222333000181", "xNome": "EMPRESA DE DEMONSTRACAO LTDA", "IE": "110042490114", "CRT": 3,
        "xLgr": "RUA A", "nro": "1", "xBairro": "CENTRO", "cMun": 3550308, "xMun": "SAO PAULO", "UF": "SP",
        "CEP": "01001000", "cPais": "1058", "xPais": "BRASIL", "Fone": "1133334444"
    });
    record.as_object().unwrap().clone()
}

impl Case {
    /// Its environment; homologação unless it says otherwise.
    pub(crate) fn ambiente(&self) -> TpAmb {
        let word = self.input.get("ambiente").and_then(Value::as_str);
        word.and_then(TpAmb::from_word).unwrap_or(TpAmb::Homologacao)
    }

    /// The record of the company that issues it.
    pub(crate) fn company(&self) -> Map<String, Value> {
        self.input.get("emitente").and_then(Value::as_object).cloned().unwrap_or_else(emitente)
    }

    /// Builds it; a model 65 gets the supplement it names.
    pub(crate) fn build(&self) -> Result<Built, Vec<Violation>> {
        let input = &self.input;
        let mut built = self.with_context(|context| nfe::build(&input["nota"], context))?;
        if let Some(supplement) = input.get("infNFeSupl") {
            let text = |name: &str| supplement[name].as_str().unwrap();
            assert!(nfe::supplement(&mut built.xml, text("qrCode"), text("urlChave")));
        }
        Ok(built)
    }

    /// What the service knows of it.
    pub(crate) fn with_context<T>(&self, then: impl FnOnce(&Context<'_>) -> T) -> T {
        let input = &self.input;
        let emitente = self.company();
        let number = |name: &str, default: u64| input.get(name).and_then(Value::as_u64).unwrap_or(default);
        let contingencia = input.get("contingencia").map(|reason| {
            let text = |name: &str| reason[name].as_str().unwrap();
            (text("dhCont"), text("xJust"))
        });
        then(&Context {
            modelo: u8::try_from(number("modelo", 55)).unwrap(),
            ambiente: self.ambiente(),
            law: fiscal::law::Law::printed(),
            emitente: &emitente,
            regimes: None,
            configuracao: None,
            serie: u16::try_from(number("serie", 1)).unwrap().into(),
            numero: 1,
            codigo: 84_736_251,
            dhEmi: MOMENT,
            tpEmis: u8::try_from(number("tpEmis", 1)).unwrap(),
            contingencia,
            verProc: "1.0",
            software_house: None,
            dialeto: None,
            leiaute: fiscal::nfse::layouts::DpsLayout::Current,
        })
    }
}
