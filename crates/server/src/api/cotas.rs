//! `GET /v1/cotas`: consumption and limit of the account this month.
//!
//! Law: `docs/contract.md`, "Limits".

use axum::Json;
use axum::extract::State;
use fiscal::value::{TpAmb, Uf};
use store::quotas::{Familia, Quota};

use super::caller::AuthenticatedCaller;
use super::error::ApiError;
use super::instant::{CivilTime, Moment};
use super::view::view;
use super::words::Word;
use crate::app::App;

view! {
    pub(crate) struct QuotasView = "ListaDeCotas": "As cotas de um ambiente." {
        ambiente: Word<TpAmb> = "O da credencial.",
        cotas: Vec<QuotaView> = "Uma por família.",
    }
}

view! {
    pub(crate) struct QuotaView = "Cota": "O consumo de uma família de operações no mês." {
        nome: Word<Familia> = "A família.",
        consumo: u64 = "Quanto já foi usado.",
        limite: Option<u64> = "Quanto pode ser usado; nulo é sem limite.",
        renova_em: Moment = "Quando o consumo volta a zero.",
    }
}

/// `GET /v1/cotas`: quotas of the credential's environment.
pub(crate) async fn cotas(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
) -> Result<Json<QuotasView>, ApiError> {
    let quotas = app.store().quotas(caller.tenant_id, caller.ambiente, app.now()).await?;
    Ok(Json(QuotasView { ambiente: Word(caller.ambiente), cotas: quotas.iter().map(one).collect() }))
}

fn one(quota: &Quota) -> QuotaView {
    QuotaView {
        nome: Word(quota.familia),
        consumo: quota.consumo,
        limite: quota.limite,
        renova_em: CivilTime::in_state(Uf::DF).at(quota.renova_em),
    }
}
