//! The golden cases of ABRASF: `tests/golden/abrasf/<case>/input.json`, one payload for every version that it lists, or
//! for all.
//!
//! An input is `{"base", "versoes", "emitente", "configuracao", "serie", "numero", "nota"}`; it is a merge patch (RFC
//! 7396) on `tests/golden/base/<base>.json`.

use super::MOMENT;
use crate::golden;
use crate::merge_patch::patched;
use fiscal::abrasf::message::CancellationRequest;
use fiscal::abrasf::{self, AbrasfDialect, AbrasfVersion, UnsignedMessage, substitution};
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::finding::Violation;
use fiscal::value::{RpsId, Serie, TpAmb};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A complete case.
pub struct Case {
    pub folder: PathBuf,
    pub input: Value,
}

/// Returns every case, in order of names.
pub fn all() -> Vec<Case> {
    golden::folders("abrasf").into_iter().map(Case::at).collect()
}

impl Case {
    fn at(folder: PathBuf) -> Case {
        let mut own = golden::read(&folder.join("input.json"));
        own.as_object_mut().unwrap().shift_remove("base");
        Case { input: patched(golden::base("abrasf"), &own), folder }
    }

    /// Returns the base with a merge patch on its `nota`.
    pub fn with(nota: &Value) -> Case {
        Case::of(&json!({ "nota": nota }))
    }

    /// Returns the base with a merge patch on it.
    pub fn of(patch: &Value) -> Case {
        Case { folder: PathBuf::from("base"), input: patched(golden::base("abrasf"), patch) }
    }

    /// Returns the versions of the case.
    pub fn versions(&self) -> Vec<AbrasfVersion> {
        match self.input.get("versoes").and_then(Value::as_array) {
            Some(words) => words.iter().map(|word| AbrasfVersion::parse(word.as_str().unwrap()).unwrap()).collect(),
            None => AbrasfVersion::ALL.to_vec(),
        }
    }

    pub fn name(&self) -> String {
        self.folder.file_name().unwrap().to_string_lossy().into_owned()
    }

    /// Calls with the context of the service.
    pub fn in_context<T>(&self, dialect: &AbrasfDialect, act: impl FnOnce(&Value, &BuildContext<'_>) -> T) -> T {
        let input = &self.input;
        let serie = input.get("serie").and_then(Value::as_str).unwrap_or("1");
        let context = BuildContext {
            modelo: fiscal::tipo::RPS,
            ambiente: TpAmb::Homologacao,
            law: fiscal::law::Law::printed(),
            emitente: input["emitente"].as_object().unwrap(),
            regimes: None,
            configuracao: input["configuracao"].as_object(),
            serie: Serie::parse(serie).unwrap(),
            numero: input.get("numero").and_then(Value::as_u64).unwrap_or(1),
            codigo: 0,
            dhEmi: MOMENT,
            tpEmis: 1,
            contingencia: None,
            verProc: "1.0",
            software_house: None,
            dialeto: Some(dialect),
            leiaute: fiscal::nfse::layouts::DpsLayout::Current,
        };
        act(&input["nota"], &context)
    }

    pub fn build(&self, dialect: &AbrasfDialect) -> Result<BuiltDocument, Vec<Violation>> {
        self.in_context(dialect, abrasf::build)
    }

    /// Returns the request that replaces note 26000001 by the case's RPS.
    pub fn substitution(&self, dialect: &AbrasfDialect) -> UnsignedMessage {
        let built = self.build(dialect).unwrap_or_else(|found| panic!("{}: {found:#?}", self.name()));
        let rps: RpsId = built.ids.asked_by.parse().unwrap();
        substitution::substitute(dialect, &built.xml, &built.ids.id, &cancellation(&rps)).unwrap()
    }
}

/// Returns the cancellation of note 26000001, by the issuer of an RPS.
pub fn cancellation(rps: &RpsId) -> CancellationRequest<'_> {
    CancellationRequest {
        numero: "26000001",
        municipio: rps.municipio,
        prestador: rps.issuer(),
        codigo: Some("1"),
        motivo: "1",
        justificativa: "Valor informado errado na nota",
    }
}
