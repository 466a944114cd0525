//! Orders that agents prepare, other than an NF-e: a document of another type, or an act on a document. Bodies are
//! those of the routes that act at once.
//!
//! Law: `docs/contract.md`, "Checking and preparing": a model alone issues nothing.

use engine::acceptance::assisted::{ActDescription, NumberRange, PreparedAct, TargetDocument};
use fiscal::finding::Notice;
use fiscal::tipo::{RPS, Tipo};
use fiscal::value::TpAmb;
use serde_json::{Map, Number, Value};
use store::accounts::Caller;
use store::jobs::Operacao;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::cancelar;
use super::document_type::{Cte, MunicipalNfse, NationalNfse, Nfce, Nfe};
use super::evento::{self, ActRoute};
use crate::api::cte;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::nfe::preparar::{PreparedView, number, prepare_document};
use crate::api::nfe::{self, inutilizar};
use crate::api::nfse::{self, sem_emitir::model};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;
use crate::painel;

/// Prepares a document of this type; its token is for the tool `confirmar`.
pub(crate) async fn emission(
    app: &App,
    caller: Caller,
    tipo: Tipo,
    body: Map<String, Value>,
) -> Result<PreparedView, ApiError> {
    match tipo {
        Tipo::Nfe => prepare_document::<Nfe>(app, caller, body, CONFIRM).await,
        Tipo::Nfce => prepare_document::<Nfce>(app, caller, body, CONFIRM).await,
        Tipo::Cte => prepare_document::<Cte>(app, caller, body, CONFIRM).await,
        Tipo::Nfse if model(app, &caller, &body).await? == RPS => {
            prepare_document::<MunicipalNfse>(app, caller, body, CONFIRM).await
        }
        Tipo::Nfse => prepare_document::<NationalNfse>(app, caller, body, CONFIRM).await,
    }
}

/// Prepares a cancellation.
pub(crate) async fn cancellation(
    app: &App,
    caller: &Caller,
    tipo: Tipo,
    body: &Map<String, Value>,
) -> Result<PreparedActView, ApiError> {
    let route = if tipo == Tipo::Nfse { nfse::cancelar::ROUTE } else { cancelar::route(tipo) };
    act(app, caller, body, route).await
}

/// Prepares a letter of correction of an NF-e or a CT-e.
pub(crate) async fn correction(
    app: &App,
    caller: &Caller,
    tipo: Tipo,
    body: &Map<String, Value>,
) -> Result<PreparedActView, ApiError> {
    let route = if tipo == Tipo::Cte { cte::carta_correcao::ROUTE } else { nfe::carta_correcao::ROUTE };
    act(app, caller, body, route).await
}

/// Prepares the voiding of numbers of NF-e or NFC-e.
pub(crate) async fn voiding(
    app: &App,
    caller: &Caller,
    tipo: Tipo,
    body: &Map<String, Value>,
) -> Result<PreparedActView, ApiError> {
    let prepared = match tipo {
        Tipo::Nfce => inutilizar::prepare_voiding::<Nfce>(app, caller, body).await?,
        _ => inutilizar::prepare_voiding::<Nfe>(app, caller, body).await?,
    };
    shown(app, prepared)
}

async fn act(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
    route: ActRoute,
) -> Result<PreparedActView, ApiError> {
    shown(app, evento::prepare_event(app, caller, body, route).await?)
}

view! {
    pub(crate) struct PreparedActView = "AtoPreparado": "Um cancelamento, uma correção ou uma inutilização que espera a confirmação de uma pessoa." {
        sucesso: bool = "`true`.",
        token_confirmacao: Zeroizing<String> = "Mostrado uma vez; é o que se envia a `confirmar`.",
        expira_em: Moment = "Até quando o token vale.",
        ato: ActView = "O que seria feito.",
        avisos: Vec<Notice> = "Os que o registro daria.",
        requer_confirmacao_humana: bool = "`true`.",
        confirmar: &'static str = "A ferramenta que recebe o token.",
        id_confirmacao: Uuid = "Nome público desta preparação; sozinho não confirma nada.",
        url_confirmacao: String = "A página em que uma pessoa da conta, depois de entrar, vê o que seria feito e aprova ou recusa.",
    }
}

view! {
    pub(crate) struct ActView {
        operacao: Word<Operacao> = "O que seria feito.",
        documento: Word<Tipo> = "De que tipo de documento.",
        emitente: String = "A empresa.",
        ambiente: Word<TpAmb> = "Para onde iria.",
        nota: Option<TargetView> = "O documento de que se trata; nulo numa inutilização.",
        numeros: Option<RangeView> = "Os números que seriam inutilizados.",
        pedido: Vec<RequestTextView> = "O que o pedido diz: a justificativa, a correção.",
    }
}

view! {
    pub(crate) struct TargetView {
        job_id: Uuid = "O job que o emitiu.",
        chave: Option<String> = "A chave de acesso, quando há.",
        serie: String = "Série.",
        numero: u64 = "Número.",
        destinatario: Option<String> = "CPF ou CNPJ de para quem é.",
        valor_total: Number = "Quanto vale.",
        data_emissao: String = "Quando foi emitido.",
    }
}

view! {
    pub(crate) struct RangeView {
        serie: u16 = "Série.",
        ano: u8 = "Ano, dois dígitos.",
        numero_inicial: u32 = "O primeiro.",
        numero_final: u32 = "O último.",
    }
}

view! {
    pub(crate) struct RequestTextView {
        campo: String = "O membro do pedido; de uma correção de CT-e, o campo corrigido.",
        texto: String = "O que ele diz.",
    }
}

fn shown(app: &App, prepared: PreparedAct) -> Result<PreparedActView, ApiError> {
    let PreparedAct { id, token, expira_em, act } = prepared;
    let ActDescription { operacao, tipo, emitente, ambiente, uf, documento, faixa, said, notices } = act;
    let nota = documento.map(target).transpose()?;
    let numeros = faixa.map(|NumberRange { serie, ano, nNFIni, nNFFin }| RangeView {
        serie,
        ano,
        numero_inicial: nNFIni,
        numero_final: nNFFin,
    });
    Ok(PreparedActView {
        sucesso: true,
        token_confirmacao: token,
        expira_em: CivilTime::in_state(uf).at(expira_em),
        ato: ActView {
            operacao: Word(operacao),
            documento: Word(tipo),
            emitente: emitente.to_string(),
            ambiente: Word(ambiente),
            nota,
            numeros,
            pedido: said.into_iter().map(|(campo, texto)| RequestTextView { campo, texto }).collect(),
        },
        avisos: notices,
        requer_confirmacao_humana: true,
        confirmar: CONFIRM,
        id_confirmacao: id,
        url_confirmacao: painel::address(app.edge(), id),
    })
}

fn target(document: TargetDocument) -> Result<TargetView, ApiError> {
    let TargetDocument { job_id, chave, serie, numero, destinatario, valor, dhEmi } = document;
    let valor_total = number(if valor.is_empty() { "0" } else { &valor })?;
    Ok(TargetView { job_id, chave, serie, numero, destinatario, valor_total, data_emissao: dhEmi })
}

/// Tool that accepts the token.
const CONFIRM: &str = "confirmar";
