//! `POST /v1/nfe/inutilizar` and `POST /v1/nfce/inutilizar`: voids unused numbers, as a job of its own.
//!
//! Law: `docs/contract.md`, "Emission".

use axum::extract::State;
use axum::response::Response;
use engine::assisted::PreparedAct;
use engine::order::void::VoidRequest;
use engine::void::VoidError;
use fiscal::tipo::Tipo;
use outbound::AddressPolicy;
use serde_json::{Map, Value, json};
use store::accounts::Caller;
use store::numbers::NumberState;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::code;
use crate::api::documento::document_type::VoidableType;
use crate::api::documento::{evento, wrapper};
use crate::api::error::{ApiError, FieldProblem};
use crate::app::App;

/// `POST /v1/nfe/inutilizar`, `POST /v1/nfce/inutilizar`
pub(crate) async fn inutilizar<F: VoidableType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let request = read::<F>(&body, app.reach())?;
    let job = app.engine().void(&caller, request).await.map_err(|error| refusal(F::TIPO, error))?;
    evento::answer(&app, caller.ambiente, job, ACCEPTED).await
}

pub(crate) fn read<F: VoidableType>(body: &Map<String, Value>, reach: &AddressPolicy) -> Result<VoidRequest, ApiError> {
    let mut fields = BodyFields::of(body);
    let company = wrapper::company(&mut fields);
    let serie = within(&mut fields, "serie", 0, 999);
    let from = required(&mut fields, "numero_inicial", "Informe numero_inicial, o primeiro número a inutilizar.");
    let until = within(&mut fields, "numero_final", 1, LAST_NUMBER);
    let ano = ano(&mut fields);
    let missing = "Informe justificativa, por que os números não serão usados.";
    let justificativa = evento::text_of(&mut fields, "justificativa", missing, 15..=255);
    let referencia = wrapper::reference(&mut fields);
    let webhook_url = wrapper::webhook(&mut fields, reach);
    fields.finish()?;
    let (Some(cpf_cnpj), Some(from), Some(justificativa)) = (company, from, justificativa) else {
        return Err(ApiError::internal());
    };
    let (nNFIni, nNFFin) = (from, until.unwrap_or(from));
    let serie = serie.and_then(|serie| u16::try_from(serie).ok());
    Ok(VoidRequest { cpf_cnpj, modelo: F::MODELO, serie, nNFIni, nNFFin, ano, justificativa, referencia, webhook_url })
}

/// Stores the order until a person has decided.
pub(in crate::api) async fn prepare_voiding<F: VoidableType>(
    app: &App,
    caller: &Caller,
    body: &Map<String, Value>,
) -> Result<PreparedAct, ApiError> {
    let request = read::<F>(body, app.reach())?;
    let prepared = app.engine().prepare_void(caller, request, app.limits().account.open_preparations()).await;
    prepared.map_err(|error| evento::act_refusal(error, F::TIPO, "justificativa"))
}

/// nNF has nine digits.
const LAST_NUMBER: u32 = 999_999_999;

fn required(fields: &mut BodyFields<'_>, name: &'static str, missing: &str) -> Option<u32> {
    if fields.value(&[name]).is_none() {
        fields.refuse(&code::CAMPO_OBRIGATORIO, name, missing);
        return None;
    }
    within(fields, name, 1, LAST_NUMBER)
}

fn within(fields: &mut BodyFields<'_>, name: &'static str, least: u32, most: u32) -> Option<u32> {
    let number = fields.integer(name)?;
    match u32::try_from(number) {
        Ok(number) if (least..=most).contains(&number) => Some(number),
        _ => {
            let mensagem = format!("{name} deve ser um número inteiro de {least} a {most}; veio {number}.");
            fields.refuse(&code::VALIDACAO, name, mensagem);
            None
        }
    }
}

/// `ano`, of two digits or four.
fn ano(fields: &mut BodyFields<'_>) -> Option<u8> {
    let year = within(fields, "ano", 6, 2099)?;
    let digits = match year {
        2000..=2099 => year - 2000,
        year => year,
    };
    match u8::try_from(digits) {
        Ok(digits) if digits < 100 => Some(digits),
        _ => {
            fields.refuse(
                &code::VALIDACAO,
                "ano",
                format!("ano deve ter dois ou quatro dígitos, como 26 ou 2026; veio {year}."),
            );
            None
        }
    }
}

/// Maps a refusal of the use case to an answer.
pub(crate) fn refusal(tipo: Tipo, error: VoidError) -> ApiError {
    let nota = tipo.name();
    match error {
        VoidError::UnknownCompany => {
            let detail = "A empresa de cpf_cnpj não está cadastrada nesta conta. Cadastre-a com POST /v1/empresas.";
            ApiError::new(&code::NAO_ENCONTRADO, detail).at("cpf_cnpj")
        }
        VoidError::NotConfigured => {
            let detail = format!(
                "A empresa não tem configuração de {nota} que diga estado e série. Configure com PUT /v1/empresas/{{cpf_cnpj}}/{} e \
                 confira o endereço do cadastro.",
                tipo
            );
            ApiError::new(&code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        VoidError::Invalid { campo, why } => {
            ApiError::from_problems(vec![FieldProblem::new(&code::VALIDACAO, campo, format!("{why}."))])
        }
        VoidError::Layout(faults) => {
            let problem = |message| FieldProblem::new(&code::VALIDACAO, "justificativa", message);
            ApiError::from_problems(faults.into_iter().map(|fault| problem(fault.message)).collect())
        }
        VoidError::Held { numero, state } => busy_number(nota, numero, state),
        VoidError::Store(error) => error.into(),
    }
}

fn busy_number(nota: &str, numero: u64, state: NumberState) -> ApiError {
    let (why, what) = match state {
        NumberState::Reserved => ("está reservado por uma emissão que ainda não acabou", "Espere o fim dela."),
        NumberState::Used => ("já foi usado", "Só se inutiliza número que nenhum documento tem."),
        NumberState::Voiding => ("está em outro pedido de inutilização, em andamento", "Espere o fim dele."),
        NumberState::Voided => ("já está inutilizado", "Deixe-o fora da faixa."),
        NumberState::Kept => (
            "é de uma nota entregue em contingência e depois rejeitada",
            "Emita no lugar dela com a mesma série e o mesmo nNF.",
        ),
        NumberState::Released => ("acaba de mudar de situação", "Repita o pedido."),
    };
    let detail = format!("O número {numero} desta série de {nota} {why}. {what} Nada foi registrado.");
    ApiError::new(&code::ESTADO_INVALIDO, detail).with_member("numero", json!(numero))
}

const ACCEPTED: &str = "Inutilização aceita para processamento. Os números da faixa já não são dados a notas. \
                        Acompanhe por consulta ou webhook.";
