//! The golden cases of the national NFS-e: `tests/golden/nfse/<case>/input.json`.
//!
//! An input is `{"base", "ambiente", "emitente", "configuracao", "serie", "nDPS", "nota"}`; it is a merge patch (RFC
//! 7396) on `tests/golden/base/<base>.json`.

use super::MOMENT;
use crate::golden;
use crate::merge_patch::patched;
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::finding::Violation;
use fiscal::nfse;
use fiscal::nfse::layouts::DpsLayout;
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
    golden::folders("nfse").into_iter().map(Case::at).collect()
}

/// Returns a base as a case, for tests that change it.
pub fn base(name: &str) -> Case {
    Case { folder: PathBuf::from(name), input: golden::base(name) }
}

impl Case {
    fn at(folder: PathBuf) -> Case {
        Case { input: golden::case_input(&folder), folder }
    }

    /// Returns the name of the folder.
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap().to_string_lossy().into_owned()
    }

    /// Applies a merge patch to the whole input.
    pub fn with(mut self, patch: &Value) -> Case {
        self.input = patched(self.input, patch);
        self
    }

    /// Calls with the context of the service.
    pub fn in_context<T>(&self, act: impl FnOnce(&Value, &BuildContext<'_>) -> T) -> T {
        let input = &self.input;
        let number = |name: &str| input.get(name).and_then(Value::as_u64).unwrap_or(1);
        let ambiente = input.get("ambiente").and_then(Value::as_str).and_then(TpAmb::from_word);
        let leiaute = input.get("leiaute").and_then(Value::as_str).and_then(DpsLayout::from_word);
        let context = BuildContext {
            modelo: 0,
            ambiente: ambiente.unwrap_or(TpAmb::Homologacao),
            law: fiscal::law::Law::printed(),
            emitente: input["emitente"].as_object().unwrap(),
            regimes: None,
            configuracao: input["configuracao"].as_object(),
            serie: u16::try_from(number("serie")).unwrap().into(),
            numero: number("nDPS"),
            codigo: 0,
            dhEmi: MOMENT,
            tpEmis: 1,
            contingencia: None,
            verProc: "1.0",
            software_house: None,
            dialeto: None,
            leiaute: leiaute.unwrap_or_default(),
        };
        act(&input["nota"], &context)
    }

    pub fn build(&self) -> Result<BuiltDocument, Vec<Violation>> {
        self.in_context(nfse::build)
    }
}
