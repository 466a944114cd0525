//! `GET /v1/cotas`: consumption and limit of the account this month; and the refusal when a quota is used up.
//!
//! Law: `docs/contract.md`, "Limits".

use axum::Json;
use axum::extract::State;
use fiscal::value::{TpAmb, Uf};
use http::header;
use store::quotas::{Familia, Quota, QuotaUsedUp};

use super::caller::AuthenticatedCaller;
use super::code;
use super::error::ApiError;
use super::instant::{CivilTime, Moment};
use super::rate;
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

/// 429: nothing was registered, and nothing will be before the month ends.
pub(crate) fn exceeded(quota: &QuotaUsedUp) -> ApiError {
    let QuotaUsedUp { familia, limite, renova_em_s, janela_s } = quota;
    let word = familia.word();
    let detail = format!(
        "A cota de {limite} operações de {word} deste mês acabou; nada foi registrado. GET /v1/cotas mostra quando ela renova."
    );
    ApiError::new(&code::COTA_EXCEDIDA, detail)
        .with_header(header::RETRY_AFTER, &renova_em_s.to_string())
        .with_header(rate::POLICY, &format!("\"cota-{word}\";q={limite};w={janela_s}"))
        .with_header(rate::STATE, &format!("\"cota-{word}\";r=0;t={renova_em_s}"))
}
