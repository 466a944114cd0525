//! The golden cases: `tests/golden/nfe/<case>/input.json`.
//!
//! An input is `{"modelo", "ambiente", "emitente", "serie", "tpEmis", "contingencia", "infNFeSupl", "nota"}`; all but
//! `nota` may be absent. With `"base"` it holds only the differences: it is a merge patch (RFC 7396) on
//! `tests/golden/base/<base>.json`, and each of `itens` is the first product of the base with some members replaced
//! (null removes one).

use super::MOMENT;
use crate::golden;
use crate::merge_patch::patched;
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::finding::Violation;
use fiscal::nfe;
use fiscal::value::TpAmb;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A complete case.
pub struct Case {
    /// Folder of the case.
    pub folder: PathBuf,
    /// Input after the merge with its base.
    pub input: Value,
}

/// Returns every case, in order of names.
pub fn all() -> Vec<Case> {
    golden::folders("nfe").into_iter().map(|folder| Case { input: input(&folder), folder }).collect()
}

fn input(folder: &Path) -> Value {
    let own = golden::read(&folder.join("input.json"));
    let Some(base) = own.get("base").and_then(Value::as_str) else { return own };
    let mut whole = golden::base(base);
    if let Some(Value::Array(items)) = own.get("itens") {
        let product = whole["nota"]["produtos"][0].clone();
        whole["nota"]["produtos"] = items.iter().map(|item| replaced(&product, item)).collect();
    }
    let mut patch = own;
    patch.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "base" | "itens"));
    patched(whole, &patch)
}

/// Replaces members of a product. A tax of the case replaces the whole tax of the base.
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
    /// Returns the environment of the case; homologação by default.
    pub fn ambiente(&self) -> TpAmb {
        let word = self.input.get("ambiente").and_then(Value::as_str);
        word.and_then(TpAmb::from_word).unwrap_or(TpAmb::Homologacao)
    }

    /// Returns the record of the issuing company.
    pub fn company(&self) -> Map<String, Value> {
        self.input.get("emitente").and_then(Value::as_object).cloned().unwrap_or_else(emitente)
    }

    /// Builds the case. A model 65 gets the supplement of the case.
    pub fn build(&self) -> Result<BuiltDocument, Vec<Violation>> {
        let input = &self.input;
        let mut built = self.with_context(|context| nfe::build(&input["nota"], context))?;
        if let Some(supplement) = input.get("infNFeSupl") {
            let text = |name: &str| supplement[name].as_str().unwrap();
            assert!(nfe::supplement(&mut built.xml, text("qrCode"), text("urlChave")));
        }
        Ok(built)
    }

    /// Calls with the context of the service.
    pub fn with_context<T>(&self, then: impl FnOnce(&BuildContext<'_>) -> T) -> T {
        let input = &self.input;
        let emitente = self.company();
        let number = |name: &str, default: u64| input.get(name).and_then(Value::as_u64).unwrap_or(default);
        let contingencia = input.get("contingencia").map(|reason| {
            let text = |name: &str| reason[name].as_str().unwrap();
            (text("dhCont"), text("xJust"))
        });
        then(&BuildContext {
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
