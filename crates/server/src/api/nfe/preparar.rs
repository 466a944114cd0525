//! `POST /v1/nfe/preparar`: the first step of an assisted emission. Everything is checked and shown, nothing is issued,
//! no quota is used.
//!
//! Law: `docs/contract.md`, "Checking and preparing".

use axum::Json;
use axum::extract::State;
use engine::acceptance::assisted::PreparedEmission;
use engine::process::work_pool::is_big;
use fiscal::finding::{Notice, shortened};
use fiscal::summary::{DocumentSummary, SummaryItem, SummaryParty};
use fiscal::value::TpAmb;
use serde_json::{Map, Number, Value};
use store::accounts::Caller;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::api::body::JsonObject;
use crate::api::caller::AuthenticatedCaller;
use crate::api::documento::document_type::{DocumentType, Nfe};
use crate::api::documento::emitir;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;
use crate::painel;

/// `POST /v1/nfe/preparar`
pub(crate) async fn preparar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<PreparedView>, ApiError> {
    prepare_document::<Nfe>(&app, caller, body, CONFIRM).await.map(Json)
}

/// Prepares a document of any type; `confirmar` names the route or tool that accepts its token.
pub(crate) async fn prepare_document<F: DocumentType>(
    app: &App,
    caller: Caller,
    body: Map<String, Value>,
    confirmar: &'static str,
) -> Result<PreparedView, ApiError> {
    let big = is_big(&body);
    let emitir::EmissionBody { issue, remarks } = emitir::read::<F>(body, false, app.reach())?;
    let (engine, tenant) = (app.engine().clone(), caller.tenant_id);
    let most_open = app.limits().account.open_preparations();
    let case = async move { engine.prepare_issue(&caller, issue, most_open).await };
    let prepared = app.dispatch_use_case(tenant, big, case).await?.map_err(emitir::refusal::<F>)?;
    let view = answer(app, prepared, remarks)?;
    Ok(PreparedView { confirmar, ..view })
}

view! {
    pub(crate) struct PreparedView = "Preparacao": "Uma emissão que espera a confirmação de uma pessoa." {
        sucesso: bool = "`true`.",
        token_confirmacao: Zeroizing<String> = "Mostrado uma vez; é o que se envia a `confirmar`.",
        expira_em: Moment = "Até quando o token vale.",
        resumo: SummaryView = "O que mostrar a quem confirma.",
        avisos: Vec<Notice> = "Os que a emissão daria.",
        teto: CeilingView = "O teto da conta.",
        requer_confirmacao_humana: bool = "`true`.",
        confirmar: &'static str = "Para onde enviar o token.",
        id_confirmacao: Uuid = "Nome público desta preparação; sozinho não confirma nada.",
        url_confirmacao: String = "A página em que uma pessoa da conta, depois de entrar, vê a nota e a aprova ou recusa. Com uma chave `assistida`, `confirmar` só vale depois disso.",
    }
}

view! {
    pub(crate) struct SummaryView {
        emitente: PartyView = "Quem emite.",
        destinatario: Option<PartyView> = "Para quem.",
        itens: Vec<LineView> = "Na ordem da nota.",
        quantidade_itens: usize = "Quantos itens a nota tem.",
        valor_total: Number = "vNF.",
        ambiente: Word<TpAmb> = "Para onde a nota iria.",
        natureza: String = "natOp.",
    }
}

view! {
    pub(crate) struct PartyView {
        cpf_cnpj: Option<String> = "CNPJ, CPF ou documento estrangeiro.",
        nome: Option<String> = "Razão social ou nome.",
    }
}

view! {
    pub(crate) struct LineView {
        codigo: String = "cProd.",
        descricao: String = "xProd.",
        CFOP: String = "CFOP do item, como foi enviado.",
        unidade: String = "uCom.",
        quantidade: Number = "qCom.",
        valor_unitario: Number = "vUnCom.",
        valor_total: Number = "vProd.",
    }
}

view! {
    pub(crate) struct CeilingView {
        valor_maximo: Option<Number> = "Quanto a conta pode confirmar numa nota; nulo: qualquer valor.",
        valor_contado: Number = "Quanto a nota movimenta, que é o que conta: o maior entre vNF e a soma do que ela leva, com os itens de indTot 0.",
        dentro_do_teto: bool = "Se esta nota cabe. A confirmação confere outra vez.",
    }
}

fn answer(app: &App, prepared: PreparedEmission, remarks: Vec<Notice>) -> Result<PreparedView, ApiError> {
    let valor_maximo = prepared.teto.map(|teto| number(&cents_as_decimal(teto))).transpose()?;
    let valor_contado = number(&cents_as_decimal(prepared.valor_contado))?;
    Ok(PreparedView {
        sucesso: true,
        token_confirmacao: prepared.token,
        expira_em: CivilTime::in_state(prepared.uf).at(prepared.expira_em),
        resumo: resumo(prepared.resumo, &prepared.vNF, prepared.ambiente)?,
        avisos: shortened(prepared.notices.into_iter().chain(remarks).collect()),
        teto: CeilingView { valor_maximo, valor_contado, dentro_do_teto: prepared.dentro_do_teto },
        requer_confirmacao_humana: true,
        confirmar: CONFIRM,
        id_confirmacao: prepared.id,
        url_confirmacao: painel::address(app.edge(), prepared.id),
    })
}

fn resumo(summary: DocumentSummary, vNF: &str, ambiente: TpAmb) -> Result<SummaryView, ApiError> {
    Ok(SummaryView {
        emitente: party(summary.emitente),
        destinatario: summary.destinatario.map(party),
        quantidade_itens: summary.itens.len(),
        itens: summary.itens.into_iter().map(line).collect::<Result<_, _>>()?,
        valor_total: number(vNF)?,
        ambiente: Word(ambiente),
        natureza: summary.natOp,
    })
}

fn party(party: SummaryParty) -> PartyView {
    PartyView { cpf_cnpj: party.documento, nome: party.xNome }
}

fn line(line: SummaryItem) -> Result<LineView, ApiError> {
    Ok(LineView {
        codigo: line.cProd,
        descricao: line.xProd,
        CFOP: line.CFOP,
        unidade: line.uCom,
        quantidade: number(&line.qCom)?,
        valor_unitario: number(&line.vUnCom)?,
        valor_total: number(&line.vProd)?,
    })
}

/// A decimal as a JSON number with equal digits. Totals of a built document always convert.
pub(crate) fn number(text: &str) -> Result<Number, ApiError> {
    text.parse().map_err(|_| ApiError::internal())
}

/// Cents as decimal text.
pub(crate) fn cents_as_decimal(hundredths: i64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Route that accepts the token.
const CONFIRM: &str = "/v1/nfe/confirmar";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_are_written_with_two_decimals() {
        assert_eq!(
            (cents_as_decimal(0), cents_as_decimal(5), cents_as_decimal(150_000)),
            ("0.00".into(), "0.05".into(), "1500.00".into())
        );
    }
}
