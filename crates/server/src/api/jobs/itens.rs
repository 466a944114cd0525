//! `GET /v1/jobs/{job_id}/itens`: the items of a document, their tax groups, and the items that a rejection names.

use axum::Json;
use axum::extract::{Path, State};
use engine::acceptance::items::{JobItem, JobItems};
use fiscal::lifecycle::DocumentState as Stands;
use fiscal::nfe::items;
use fiscal::tipo::Tipo;
use serde_json::Value;
use store::Visibility;
use store::jobs::JobDocument;
use uuid::Uuid;

use super::{id, unknown};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::job::status_code::StatusCode;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct ItemsView = "ItensDoJob": "Os itens de uma nota." {
        job_id: Uuid = "O job.",
        itens: Vec<ItemView> = "Na ordem da nota.",
        rejeicao: Option<RejectionView> = "A rejeição, quando houve.",
    }
}

view! {
    pub(crate) struct ItemView {
        item: usize = "nItem, a partir de 1.",
        cProd: Option<Value> = "Como foi enviado.",
        xProd: Option<Value> = "Descrição, como foi enviada.",
        NCM: Option<Value> = "NCM, como foi enviado.",
        CFOP: Option<Value> = "CFOP do item, como foi enviado.",
        vProd: Option<Value> = "Valor bruto, como foi enviado.",
        tributos: TaxesView = "Os grupos enviados; nulo o que não foi.",
        causou_rejeicao: bool = "Se a rejeição é deste item.",
        motivo: Option<String> = "A rejeição, quando é deste item.",
    }
}

view! {
    pub(crate) struct TaxesView {
        icms: Option<Value> = "O grupo do ICMS.",
        ipi: Option<Value> = "O grupo do IPI.",
        pis: Option<Value> = "O grupo do PIS.",
        cofins: Option<Value> = "O grupo da COFINS.",
        ibscbs: Option<Value> = "O grupo do IBS e da CBS.",
        is_: Option<Value> = "O grupo do Imposto Seletivo.",
    }
}

view! {
    pub(crate) struct RejectionView {
        codigo_status: Option<StatusCode> = "cStat da autoridade: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e.",
        motivo_status: Option<String> = "xMotivo, como veio.",
        campo: Option<String> = "O campo do seu payload, quando se sabe.",
    }
}

/// `GET /v1/jobs/{job_id}/itens`
pub(crate) async fn itens(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(job_id): Path<String>,
) -> Result<Json<ItemsView>, ApiError> {
    let asked = id(&job_id)?;
    let (engine, sight) = (app.engine().clone(), Visibility::of(&caller));
    let case = async move { engine.items(sight, asked).await.map(|items| view(asked, &items)) };
    match app.dispatch_use_case(caller.tenant_id, true, case).await? {
        Ok(view) => Ok(Json(view)),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

fn view(asked: Uuid, items: &JobItems) -> ItemsView {
    let rejected = items.job.document.as_ref().filter(|document| document.state == Stands::Rejected);
    let motivo = rejected.and_then(|document| document.xMotivo.as_deref());
    ItemsView {
        job_id: asked,
        itens: items.items.iter().map(|item| one(item, motivo)).collect(),
        rejeicao: rejected.map(|document| rejection(items.job.tipo, document)),
    }
}

/// The rejection, which may name no single item.
fn rejection(tipo: Tipo, document: &JobDocument) -> RejectionView {
    RejectionView {
        codigo_status: document.codigo.clone().map(|codigo| StatusCode::of(tipo, codigo)),
        motivo_status: document.xMotivo.clone(),
        campo: document.campo.clone(),
    }
}

fn one(item: &JobItem, motivo: Option<&str>) -> ItemView {
    let member = |tag: &str| items::member(&item.produto, tag).cloned();
    let tax = |tag: &str| items::tax(&item.produto, tag).cloned();
    ItemView {
        item: item.item,
        cProd: member("cProd"),
        xProd: member("xProd"),
        NCM: member("NCM"),
        CFOP: member("CFOP"),
        vProd: member("vProd"),
        tributos: TaxesView {
            icms: tax("ICMS"),
            ipi: tax("IPI"),
            pis: tax("PIS"),
            cofins: tax("COFINS"),
            ibscbs: tax("IBSCBS"),
            is_: tax("IS"),
        },
        causou_rejeicao: item.caused_rejection,
        motivo: motivo.filter(|_| item.caused_rejection).map(str::to_owned),
    }
}
