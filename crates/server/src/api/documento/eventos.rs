//! `GET /v1/{nfe|cte|nfse}/{id}/eventos`: the events of a document, issued or received, by kind and sequence number.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::event::{self, cte};
use fiscal::nfse::registered;
use fiscal::tipo::Tipo;
use fiscal::value::Chave;
use store::Visibility;
use store::events::EventRow;
use store::jobs::JobAct;
use uuid::Uuid;

use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::consultar::find;
use crate::api::documento::document_type::DocumentType;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct EventsView = "EventosDaNota": "Os eventos de uma nota." {
        job_id: Uuid = "O job da emissão.",
        chave: Option<Chave> = "A chave da nota.",
        eventos: Vec<EventView> = "Por tipo e sequência.",
        total: usize = "Quantos.",
    }
}

view! {
    pub(crate) struct EventView {
        codigo: String = "tpEvento: 110110 carta de correção, 110111 cancelamento, 110150 ator interessado, 110180 comprovante de entrega…; da NFS-e 101101, 101103, 105102…",
        descricao: Option<&'static str> = "descEvento.",
        sequencia: u16 = "nSeqEvento.",
        situacao: &'static str as ["registrado", "em_andamento"] = "Se a autoridade já o tem.",
        protocolo: Option<String> = "Protocolo do evento.",
        data_registro: Option<String> = "dhRegEvento.",
        job_id: Option<Uuid> = "O job que o pediu.",
        consulta: Option<String> = "Caminho para consultar esse job.",
    }
}

/// `GET /v1/nfe/{id}/eventos`, also of `cte` and `nfse`
pub(crate) async fn eventos<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(id): Path<String>,
) -> Result<Json<EventsView>, ApiError> {
    let job = find::<F>(&app, Visibility::of(&caller), &id).await?;
    let emission = match job.alvo {
        Some(alvo) => app.store().job(Visibility::of(&caller), alvo).await?,
        None => job,
    };
    let acted = emission.act.as_ref().and_then(JobAct::event).map(|event| event.chave);
    let chave = emission.document.and_then(|document| document.chave).or(acted);
    let rows = match &chave {
        Some(chave) => app.store().events(caller.tenant_id, chave.as_str()).await?,
        None => Vec::new(),
    };
    let total = rows.len();
    let eventos = rows.into_iter().map(|row| one(emission.tipo, row)).collect();
    let chave = chave.and_then(Chave::public);
    Ok(Json(EventsView { job_id: emission.id, chave, eventos, total }))
}

fn one(tipo: Tipo, row: EventRow) -> EventView {
    EventView {
        descricao: description(tipo, &row.tpEvento),
        codigo: row.tpEvento,
        sequencia: row.nSeqEvento,
        situacao: if row.registered { "registrado" } else { "em_andamento" },
        protocolo: row.nProt,
        data_registro: row.dhRegEvento,
        job_id: row.job_id,
        consulta: row.job_id.map(|id| format!("/v1/{tipo}/consultar/{id}")),
    }
}

fn description(tipo: Tipo, tpEvento: &str) -> Option<&'static str> {
    match tipo {
        Tipo::Nfse => registered::description(tpEvento),
        Tipo::Cte => cte::CteEventKind::from_code(tpEvento).map(cte::CteEventKind::description),
        _ => event::NfeEventKind::from_code(tpEvento).map(event::NfeEventKind::description),
    }
}
