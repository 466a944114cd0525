//! Families of documents that the form issues: one row each.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::response::Response;
use fiscal::map::GroupMember;
use fiscal::tipo::{DPS, RPS, Tipo};
use serde_json::{Map, Value};
use store::accounts::Caller;
use store::numbers::NumberedKind;

use crate::api::docs::families;
use crate::api::documento::document_type::{Cte, MunicipalNfse, NationalNfse, Nfce, Nfe};
use crate::api::documento::emitir::{self, RegisteredEmission};
use crate::api::documento::previa::draw_preview;
use crate::api::documento::verificar::{CheckView, check_payload};
use crate::api::error::ApiError;
use crate::app::App;

/// A family.
#[derive(Debug)]
pub(in crate::painel) struct FormFamily {
    /// Word of the family in addresses, as in those of the documentation's pages of fields.
    pub(super) word: &'static str,
    pub(super) name: &'static str,
    /// Its subject, in a few words.
    pub(super) about: &'static str,
    pub(super) modelo: u8,
    /// Members that the service fills in a new document: moment, number, code.
    pub(super) renewed: &'static [&'static str],
    /// Member of the number, below the group of identification.
    pub(super) number: &'static str,
}

/// All families, in the order of the page.
pub(super) const FAMILIES: &[FormFamily] = &[
    FormFamily {
        word: "nfe",
        name: "NF-e",
        about: "Venda, devolução, remessa e outras saídas e entradas de mercadoria.",
        modelo: 55,
        renewed: &["dhEmi", "dEmi", "dhSaiEnt", "nNF", "cNF", "cDV"],
        number: "nNF",
    },
    FormFamily {
        word: "nfce",
        name: "NFC-e",
        about: "Venda no balcão ao consumidor: o cupom.",
        modelo: 65,
        renewed: &["dhEmi", "dEmi", "dhSaiEnt", "nNF", "cNF", "cDV"],
        number: "nNF",
    },
    FormFamily {
        word: "cte",
        name: "CT-e",
        about: "Transporte de carga.",
        modelo: 57,
        renewed: &["dhEmi", "nCT", "cCT", "cDV"],
        number: "nCT",
    },
    FormFamily {
        word: "cte-os",
        name: "CT-e OS",
        about: "Transporte de pessoas, de valores e excesso de bagagem.",
        modelo: 67,
        renewed: &["dhEmi", "nCT", "cCT", "cDV"],
        number: "nCT",
    },
    FormFamily {
        word: "nfse",
        name: "NFS-e nacional",
        about: "Serviço prestado, em município que usa o emissor nacional.",
        modelo: DPS,
        renewed: &["dhEmi", "nDPS"],
        number: "nDPS",
    },
    FormFamily {
        word: "nfse-municipal",
        name: "NFS-e municipal",
        about: "Serviço prestado, em município com sistema próprio.",
        modelo: RPS,
        renewed: &["data_emissao", "DataEmissao", "numero", "Numero"],
        number: "numero",
    },
];

impl FormFamily {
    pub(super) fn of_word(word: &str) -> Option<&'static FormFamily> {
        FAMILIES.iter().find(|family| family.word == word)
    }

    pub(super) fn of_modelo(modelo: u8) -> Option<&'static FormFamily> {
        FAMILIES.iter().find(|family| family.modelo == modelo)
    }

    /// Family of the documents of this kind.
    pub(in crate::painel) fn of_counted(counted: NumberedKind) -> Option<&'static FormFamily> {
        let declaration = if counted == NumberedKind::Rps { RPS } else { DPS };
        FormFamily::of_modelo(counted.modelo().unwrap_or(declaration))
    }

    pub(super) fn tipo(&self) -> Tipo {
        Tipo::of_modelo(self.modelo).unwrap_or(Tipo::Nfe)
    }

    /// Members of `nota`, as the documentation lists them.
    pub(in crate::painel) fn members(&self) -> &'static [GroupMember] {
        static MEMBERS: LazyLock<HashMap<&'static str, Vec<GroupMember>>> = LazyLock::new(|| {
            FAMILIES.iter().map(|family| (family.word, families::members(family.word).unwrap_or_default())).collect()
        });
        MEMBERS.get(self.word).map_or(&[], Vec::as_slice)
    }

    /// All findings about a payload.
    pub(super) async fn check(
        &self,
        app: &App,
        caller: &Caller,
        body: Map<String, Value>,
    ) -> Result<CheckView, ApiError> {
        let checked = match self.tipo() {
            Tipo::Nfe => check_payload::<Nfe>(app, caller, body).await,
            Tipo::Nfce => check_payload::<Nfce>(app, caller, body).await,
            Tipo::Cte => check_payload::<Cte>(app, caller, body).await,
            Tipo::Nfse if self.modelo == RPS => check_payload::<MunicipalNfse>(app, caller, body).await,
            Tipo::Nfse => check_payload::<NationalNfse>(app, caller, body).await,
        };
        checked.map(|view| view.0)
    }

    /// The printed form of a payload, as PDF.
    pub(super) async fn preview(
        &self,
        app: &App,
        caller: &Caller,
        body: Map<String, Value>,
    ) -> Result<Response, ApiError> {
        let caller = caller.clone();
        match self.tipo() {
            Tipo::Nfe => draw_preview::<Nfe>(app, caller, None, body).await,
            Tipo::Nfce => draw_preview::<Nfce>(app, caller, None, body).await,
            Tipo::Cte => draw_preview::<Cte>(app, caller, None, body).await,
            Tipo::Nfse if self.modelo == RPS => draw_preview::<MunicipalNfse>(app, caller, None, body).await,
            Tipo::Nfse => draw_preview::<NationalNfse>(app, caller, None, body).await,
        }
    }

    /// Registers an emission.
    pub(super) async fn register(
        &self,
        app: &App,
        caller: &Caller,
        body: Map<String, Value>,
    ) -> Result<RegisteredEmission, ApiError> {
        match self.tipo() {
            Tipo::Nfe => emitir::register::<Nfe>(app, caller, None, body).await,
            Tipo::Nfce => emitir::register::<Nfce>(app, caller, None, body).await,
            Tipo::Cte => emitir::register::<Cte>(app, caller, None, body).await,
            Tipo::Nfse if self.modelo == RPS => emitir::register::<MunicipalNfse>(app, caller, None, body).await,
            Tipo::Nfse => emitir::register::<NationalNfse>(app, caller, None, body).await,
        }
    }
}
