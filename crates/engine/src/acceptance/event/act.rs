//! Acts on documents: their orders, and the events of the NF-e that they register.

use super::cte::{CteCorrection, Registrable};
use super::event_inputs::{EventHeader, OrderedEvent};
use crate::acceptance::event::{ActRequest, DocumentTarget, EventError};
use crate::acceptance::issue::VER_PROC;
use crate::acceptance::order::{DocumentOrder, Order};
use crate::family::Family;
use fiscal::event::{self, EventDetail, TpEvento};
use fiscal::finding::Notice;
use fiscal::value::{ChaveAcesso, CnpjCpf};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::jobs::Operacao;
use uuid::Uuid;

/// An act on a document.
#[derive(Serialize, Deserialize)]
pub enum DocumentAct {
    /// Cancellation; by substitution when another document replaced it (NT 2018.004).
    Cancelar {
        /// 15–255 characters.
        justificativa: String,
        /// The replacing NFC-e, issued in contingency.
        substituta: Option<DocumentTarget>,
        /// Code of the reason, of an NFS-e.
        codigo_motivo: Option<String>,
        /// Code of the cancellation, of a municipal NFS-e.
        codigo_cancelamento: Option<String>,
    },
    /// Correction by a text.
    Corrigir {
        /// 15–1000 characters.
        correcao: String,
    },
    /// Request to the município for an analysis of a note of services.
    SolicitarAnalise {
        /// 15–255 characters.
        justificativa: String,
        /// Code of the reason.
        codigo_motivo: Option<String>,
    },
    /// Permission for a third party to fetch the document.
    Autorizar {
        /// The third party, a carrier.
        ator: CnpjCpf,
        /// True if that party may permit others.
        permite: bool,
    },
    /// Correction of fields of a CT-e.
    CorrigirCampos {
        /// New corrections; the service repeats earlier ones.
        correcoes: Vec<CteCorrection>,
    },
    /// Another event of a CT-e.
    Registrar {
        /// Type of the event.
        kind: Registrable,
        /// Members of the event, under official tags.
        dados: Map<String, Value>,
    },
}

impl DocumentAct {
    pub(crate) fn operacao(&self) -> Operacao {
        match self {
            DocumentAct::Cancelar { .. } => Operacao::Cancelamento,
            DocumentAct::Corrigir { .. } | DocumentAct::CorrigirCampos { .. } => Operacao::CartaCorrecao,
            DocumentAct::Registrar { .. } => Operacao::Evento,
            DocumentAct::SolicitarAnalise { .. } => Operacao::AnaliseFiscal,
            DocumentAct::Autorizar { .. } => Operacao::AtorInteressado,
        }
    }

    /// `true` if documents of a family have this event.
    pub(super) fn is_of(&self, family: &Family) -> bool {
        let substitution = matches!(self, DocumentAct::Cancelar { substituta: Some(_), .. });
        family.acts.possible.contains(&self.operacao()) && (family.acts.substitution || !substitution)
    }
}

/// A cancellation, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Cancelamento {
    pub(crate) justificativa: String,
    /// Key of the document that replaces the cancelled one.
    pub(crate) chave_substituta: Option<ChaveAcesso>,
    /// The job whose note must be authorised before the event is sent: a cancellation made by `steps::second_issue`.
    #[serde(rename = "sucessora_job_id", skip_serializing_if = "Option::is_none")]
    pub(crate) sucessora: Option<Uuid>,
    /// True if that cancellation is one by substitution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) por_substituicao: Option<bool>,
    /// Code of the reason, of an NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_motivo: Option<String>,
    /// Code of the cancellation, of a municipal NFS-e.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_cancelamento: Option<String>,
}

/// A correction, as its job stores it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CartaCorrecao {
    /// Text of an NF-e.
    Texto { correcao: String },
    /// Fields of a CT-e.
    Campos { correcoes: Vec<CteCorrection> },
}

/// Another event of a CT-e, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct CteEvent {
    pub(crate) tipo: Registrable,
    /// Under official tags.
    pub(crate) dados: Map<String, Value>,
}

/// A request for analysis, as its job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct AnaliseFiscal {
    pub(crate) justificativa: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) codigo_motivo: Option<String>,
}

/// The third party that may fetch the document, as the job stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct AtorInteressado {
    ator: CnpjCpf,
    #[serde(default, rename = "permite_subcontratacao")]
    permite: bool,
}

/// Makes the order of a request; `substituta` is the key of the substitute that it names.
pub(crate) fn order(request: ActRequest, substituta: Option<ChaveAcesso>) -> Order {
    let (job_id, chave) = match request.target {
        DocumentTarget::Job(id) => (Some(id), None),
        DocumentTarget::Chave(chave) => (None, Some(chave)),
        // the document is the job's target; the number by which the caller named it is not stored
        DocumentTarget::Numero(_) => (None, None),
    };
    let (cpf_cnpj, webhook_url, referencia) = (request.cpf_cnpj, request.webhook_url, request.referencia);
    let document = DocumentOrder { cpf_cnpj, job_id, chave, webhook_url, referencia, act: () };
    match request.act {
        DocumentAct::Cancelar { justificativa, codigo_motivo, codigo_cancelamento, .. } => {
            Order::Cancelamento(document.with(Cancelamento {
                justificativa,
                chave_substituta: substituta,
                sucessora: None,
                por_substituicao: None,
                codigo_motivo,
                codigo_cancelamento,
            }))
        }
        DocumentAct::Corrigir { correcao } => Order::CartaCorrecao(document.with(CartaCorrecao::Texto { correcao })),
        DocumentAct::CorrigirCampos { correcoes } => {
            Order::CartaCorrecao(document.with(CartaCorrecao::Campos { correcoes }))
        }
        DocumentAct::Registrar { kind: tipo, dados } => Order::Evento(document.with(CteEvent { tipo, dados })),
        DocumentAct::SolicitarAnalise { justificativa, codigo_motivo } => {
            Order::AnaliseFiscal(document.with(AnaliseFiscal { justificativa, codigo_motivo }))
        }
        DocumentAct::Autorizar { ator, permite } => {
            Order::AtorInteressado(document.with(AtorInteressado { ator, permite }))
        }
    }
}

/// Lists the texts of an order by the members of the interface, for the decision page.
pub(crate) fn text_members(order: &Order) -> Vec<(String, String)> {
    let given = |name: &str, text: Option<&str>| text.map(|text| (name.to_owned(), text.to_owned()));
    match order {
        Order::Cancelamento(DocumentOrder { act, .. }) => [
            given("justificativa", Some(&act.justificativa)),
            given("chave_substituta", act.chave_substituta.as_ref().map(ChaveAcesso::as_str)),
            given("codigo_motivo", act.codigo_motivo.as_deref()),
            given("codigo_cancelamento", act.codigo_cancelamento.as_deref()),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Order::CartaCorrecao(DocumentOrder { act: CartaCorrecao::Texto { correcao }, .. }) => {
            vec![("correcao".to_owned(), correcao.clone())]
        }
        Order::CartaCorrecao(DocumentOrder { act: CartaCorrecao::Campos { correcoes }, .. }) => {
            let corrected = |one: &CteCorrection| {
                let item = one.item.as_ref().map_or_else(String::new, |item| format!("[{item}]"));
                (format!("{}{item}.{}", one.grupo, one.campo), one.valor.clone())
            };
            correcoes.iter().map(corrected).collect()
        }
        // no other order is prepared
        _ => Vec::new(),
    }
}

/// Checks an event of an NF-e; returns its notices, or everything that stops it.
pub(crate) fn check(said: &OrderedEvent<'_>) -> Result<Vec<Notice>, EventError> {
    let detail = of(said).ok_or(EventError::WrongModel)?;
    let faults = event::check(&detail);
    if faults.is_empty() { Ok(Vec::new()) } else { Err(EventError::Invalid(faults)) }
}

/// Returns the unsigned event of an NF-e and its `Id`.
pub(crate) fn write(said: &OrderedEvent<'_>, occasion: &EventHeader) -> Option<(String, String)> {
    Some(event::build(&said.envelope(occasion)?, &of(said)?))
}

fn of<'s>(said: &'s OrderedEvent<'_>) -> Option<EventDetail<'s>> {
    detail(said.order, &said.chave.acesso()?, said.nProt)
}

/// Detail of the event of an order; `None` when it registers none. `nProt` is the document's.
pub(crate) fn detail<'o>(order: &'o Order, chave: &ChaveAcesso, nProt: &'o str) -> Option<EventDetail<'o>> {
    let (uf, verAplic) = (chave.parts().uf, VER_PROC);
    Some(match order {
        Order::Emissao(_) | Order::Inutilizacao(_) | Order::Evento(_) | Order::AnaliseFiscal(_) => return None,
        Order::Cancelamento(DocumentOrder { act, .. }) => {
            let xJust = act.justificativa.as_str();
            match act.chave_substituta {
                Some(chNFeRef) => EventDetail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef },
                None => EventDetail::Cancelamento { nProt, xJust },
            }
        }
        Order::CartaCorrecao(DocumentOrder { act, .. }) => match act {
            CartaCorrecao::Texto { correcao } => EventDetail::CartaCorrecao { xCorrecao: correcao },
            CartaCorrecao::Campos { .. } => return None,
        },
        Order::Manifestacao(said) => {
            EventDetail::Manifestacao { kind: said.tipo.kind()?, xJust: said.justificativa.as_deref() }
        }
        Order::AtorInteressado(DocumentOrder { act, .. }) => {
            let permite = Some(act.permite);
            EventDetail::AtorInteressado { uf, tpAutor: ISSUER, verAplic, autXML: act.ator, permite }
        }
    })
}

/// Type of the event that an order registers.
pub(crate) fn kind(order: &Order) -> Option<TpEvento> {
    match order {
        Order::Emissao(_) | Order::Inutilizacao(_) | Order::Evento(_) | Order::AnaliseFiscal(_) => None,
        Order::Cancelamento(DocumentOrder { act, .. })
            if act.chave_substituta.is_some() || act.por_substituicao == Some(true) =>
        {
            Some(TpEvento::CancelamentoPorSubstituicao)
        }
        Order::Cancelamento(_) => Some(TpEvento::Cancelamento),
        Order::CartaCorrecao(_) => Some(TpEvento::CartaCorrecao),
        Order::AtorInteressado(_) => Some(TpEvento::AtorInteressado),
        Order::Manifestacao(said) => said.tipo.kind(),
    }
}

/// `tpAutor` of the document's issuer.
const ISSUER: u8 = 1;
