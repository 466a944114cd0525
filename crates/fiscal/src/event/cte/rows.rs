//! Kinds of events of the CT-e, a row each.
//!
//! Law: MOC CT-e 4.00 anexo I, chapters of each event. The manual has no highest number for a failed delivery; that of
//! the proof of delivery is used.

use super::CteEventKind::{self, *};
use super::EventAuthor::{self, Issuer, Tomador};

/// Facts about a kind.
pub(super) struct CteEventRow {
    pub(super) kind: CteEventKind,
    pub(super) tpEvento: &'static str,
    /// Name in the contract.
    pub(super) word: &'static str,
    /// Highest `nSeqEvento` of a document (636 above).
    pub(super) most: u16,
    pub(super) author: EventAuthor,
    /// Models of documents that may have it (595, 721, 732).
    pub(super) models: &'static [u8],
    /// A route of its own takes it, and `POST /v1/cte/eventos` does not.
    pub(super) has_own_route: bool,
    /// Its content has `nProt`, the protocol of the authorisation.
    pub(super) names_protocol: bool,
    /// Kind whose last event it refers to.
    pub(super) follows: Option<CteEventKind>,
    /// Title of its printed form.
    pub(super) title: &'static str,
}

pub(super) static ROWS: [CteEventRow; 10] = [
    CteEventRow {
        kind: CartaCorrecao,
        tpEvento: "110110",
        word: "carta_correcao",
        most: 20,
        author: Issuer,
        models: &[57, 67],
        has_own_route: true,
        names_protocol: false,
        follows: Some(CartaCorrecao),
        title: "CARTA DE CORREÇÃO ELETRÔNICA",
    },
    CteEventRow {
        kind: Cancelamento,
        tpEvento: "110111",
        word: "cancelamento",
        most: 1,
        author: Issuer,
        models: &[57, 67],
        has_own_route: true,
        names_protocol: true,
        follows: None,
        title: "CANCELAMENTO DE CT-e",
    },
    CteEventRow {
        kind: ComprovanteEntrega,
        tpEvento: "110180",
        word: "comprovante_entrega",
        most: 999,
        author: Issuer,
        models: &[57],
        has_own_route: false,
        names_protocol: true,
        follows: None,
        title: "COMPROVANTE DE ENTREGA DO CT-e",
    },
    CteEventRow {
        kind: CancelamentoComprovanteEntrega,
        tpEvento: "110181",
        word: "cancelar_comprovante_entrega",
        most: 999,
        author: Issuer,
        models: &[57],
        has_own_route: false,
        names_protocol: true,
        follows: Some(ComprovanteEntrega),
        title: "CANCELAMENTO DO COMPROVANTE DE ENTREGA DO CT-e",
    },
    CteEventRow {
        kind: InsucessoEntrega,
        tpEvento: "110190",
        word: "insucesso_entrega",
        most: 999,
        author: Issuer,
        models: &[57],
        has_own_route: false,
        names_protocol: true,
        follows: None,
        title: "INSUCESSO NA ENTREGA DO CT-e",
    },
    CteEventRow {
        kind: CancelamentoInsucessoEntrega,
        tpEvento: "110191",
        word: "cancelar_insucesso_entrega",
        most: 999,
        author: Issuer,
        models: &[57],
        has_own_route: false,
        names_protocol: true,
        follows: Some(InsucessoEntrega),
        title: "CANCELAMENTO DO INSUCESSO NA ENTREGA DO CT-e",
    },
    CteEventRow {
        kind: Desacordo,
        tpEvento: "610110",
        word: "desacordo",
        most: 20,
        author: Tomador,
        models: &[57, 67],
        has_own_route: false,
        names_protocol: false,
        follows: None,
        title: "PRESTAÇÃO DO SERVIÇO EM DESACORDO",
    },
    CteEventRow {
        kind: CancelamentoDesacordo,
        tpEvento: "610111",
        word: "cancelar_desacordo",
        most: 20,
        author: Tomador,
        models: &[57, 67],
        has_own_route: false,
        names_protocol: false,
        follows: Some(Desacordo),
        title: "CANCELAMENTO DE PRESTAÇÃO DO SERVIÇO EM DESACORDO",
    },
    CteEventRow {
        kind: InformacoesGtv,
        tpEvento: "110170",
        word: "gtv",
        most: 99,
        author: Issuer,
        models: &[67],
        has_own_route: false,
        names_protocol: false,
        follows: None,
        title: "INFORMAÇÕES DA GTV",
    },
    CteEventRow {
        kind: RegistroMultimodal,
        tpEvento: "110160",
        word: "multimodal",
        most: 20,
        author: Issuer,
        models: &[57],
        has_own_route: false,
        names_protocol: false,
        follows: None,
        title: "REGISTRO DO MULTIMODAL",
    },
];
