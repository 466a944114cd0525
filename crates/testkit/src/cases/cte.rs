//! The golden cases of the CT-e and CT-e OS: `tests/golden/cte/<case>/input.json`.
//!
//! An input is `{"base", "ambiente", "emitente", "rntrc", "taf", "nCT", "cCT", "dhEmi", "tpEmis", "contingencia",
//! "nota"}`; `dhEmi` is the moment of acceptance, [`MOMENT`] when absent. It is a merge patch (RFC 7396) on
//! `tests/golden/base/<base>.json`, which defines the model.

use super::MOMENT;
use crate::golden;
use crate::merge_patch::patched;
use fiscal::cte;
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::finding::Violation;
use fiscal::value::TpAmb;
use serde_json::Value;
use std::path::PathBuf;

/// A complete case.
pub struct Case {
    /// Folder of the case.
    pub folder: PathBuf,
    /// Input after the merge with its base.
    pub input: Value,
}

/// Returns every case, in order of names.
pub fn all() -> Vec<Case> {
    golden::folders("cte").into_iter().map(Case::at).collect()
}

/// Returns a base as a case, for tests that change it.
pub fn base(name: &str) -> Case {
    Case { folder: PathBuf::from(name), input: golden::base(name) }
}

impl Case {
    fn at(folder: PathBuf) -> Case {
        Case { input: golden::case_input(&folder), folder }
    }

    /// Applies a merge patch to `nota`.
    pub fn with(mut self, nota: &Value) -> Case {
        self.input["nota"] = patched(self.input["nota"].take(), nota);
        self
    }

    /// Returns 57 or 67.
    pub fn modelo(&self) -> u8 {
        u8::try_from(self.input["modelo"].as_u64().unwrap()).unwrap()
    }

    /// Calls with the context of the service.
    pub fn in_context<T>(&self, act: impl FnOnce(&Value, &BuildContext<'_>) -> T) -> T {
        let input = &self.input;
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let number = |name: &str, default: u64| input.get(name).and_then(Value::as_u64).unwrap_or(default);
        let contingencia = input.get("contingencia").map(|reason| {
            let text = |name: &str| reason[name].as_str().unwrap();
            (text("dhCont"), text("xJust"))
        });
        let context = BuildContext {
            modelo: self.modelo(),
            ambiente: text("ambiente").and_then(TpAmb::from_word).unwrap_or(TpAmb::Homologacao),
            law: fiscal::law::Law::printed(),
            emitente: input["emitente"].as_object().unwrap(),
            regimes: None,
            configuracao: input.as_object(),
            serie: u16::try_from(number("serie", 1)).unwrap().into(),
            numero: number("nCT", 1),
            codigo: u32::try_from(number("cCT", 84_736_251)).unwrap(),
            dhEmi: text("dhEmi").unwrap_or(MOMENT),
            tpEmis: u8::try_from(number("tpEmis", 1)).unwrap(),
            contingencia,
            verProc: "1.0",
            software_house: None,
            dialeto: None,
            leiaute: fiscal::nfse::layouts::DpsLayout::Current,
        };
        act(&input["nota"], &context)
    }

    /// Builds the case. A document issued offline gets the signed QR code of the case.
    pub fn build(&self) -> Result<BuiltDocument, Vec<Violation>> {
        let mut built = self.in_context(cte::build)?;
        if let Some(sign) = self.input.get("sign").and_then(Value::as_str) {
            let code =
                cte::qr::text(&built.ids.chave.unwrap(), self.in_context(|_, context| context.ambiente), Some(sign));
            assert!(cte::supplement(&mut built.xml, &code));
        }
        Ok(built)
    }
}
