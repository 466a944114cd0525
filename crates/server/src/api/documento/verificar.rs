//! `POST /v1/{nfe|nfce|cte}/verificar-campos`: all findings about a payload, without issuing it.
//!
//! Law: `docs/contract.md`, "Checking and preparing": nothing is registered and no quota is used.

use axum::Json;
use axum::extract::State;
use engine::acceptance::review::ReviewError;
use engine::process::work_pool::is_big;
use fiscal::finding::{MOST_REPORTED, Notice, Violation};
use fiscal::nota::NotaReview;
use fiscal::value::{Codigo, TpAmb};
use serde_json::{Map, Number, Value};
use store::accounts::Caller;

use super::document_type::DocumentType;
use super::emitir;
use crate::api::body::JsonObject;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::schema::Type;
use crate::api::view::{Maybe, view};
use crate::api::words::Word;
use crate::app::App;

/// `POST /v1/nfe/verificar-campos`, also of `nfce` and `cte`
pub(crate) async fn verificar<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<CheckView>, ApiError> {
    check_payload::<F>(&app, &caller, body).await
}

/// Checks a payload of type `F`.
pub(crate) async fn check_payload<F: DocumentType>(
    app: &App,
    caller: &Caller,
    body: Map<String, Value>,
) -> Result<Json<CheckView>, ApiError> {
    let big = is_big(&body);
    let emitir::EmissionBody { issue, remarks } = emitir::read::<F>(body, false, app.reach())?;
    let (engine, asking) = (app.engine().clone(), caller.clone());
    let case = async move { engine.review(&asking, issue.cpf_cnpj, issue.modelo, &issue.nota).await };
    let reviewed = app.dispatch_use_case(caller.tenant_id, big, case).await?;
    let (review, ambiente) = reviewed.map_err(refusal)?;
    Ok(Json(answer(review, remarks, ambiente, F::MOTIVO)))
}

fn refusal(error: ReviewError) -> ApiError {
    match error {
        ReviewError::UnknownModel(_) => ApiError::broken(&error),
        ReviewError::Store(error) => error.into(),
    }
}

view! {
    pub(crate) struct CheckView = "Verificacao": "O que há a dizer de um payload." {
        sucesso: bool = "`true`: a verificação foi feita.",
        valido: bool = "Se não há nada nas quatro primeiras listas.",
        ambiente: Word<TpAmb> = "Para onde a nota iria.",
        #[flatten] lists: ListsView,
        totais_calculados: Value as TOTAIS = "A soma dos itens, pelas tags oficiais.",
        omitidos: Maybe<OmittedView> = "Quando alguma lista passa de 100: quantos há além dos mostrados.",
    }
}

view! {
    #[derive(Default)]
    pub(crate) struct ListsView {
        campos_desconhecidos: Vec<ProblemView> = "Nomes que seriam ignorados; `sugestao` é o nome certo.",
        campos_ausentes: Vec<ProblemView> = "O que falta: sem isso a nota não se monta, ou sairia com zero.",
        erros: Vec<ProblemView> = "O que está errado, pelas nossas contas.",
        rejeicoes_previstas: Vec<PredictedView> = "O que a autoridade recusaria.",
        avisos: Vec<Notice> = "O que seria assumido ou mudado; não impede nada.",
    }
}

view! {
    pub(crate) struct ProblemView {
        campo: String = "Caminho no seu payload.",
        codigo: String = "Palavra estável, com página em `/docs/erros`.",
        mensagem: String = "O que é e o que fazer.",
        sugestao: Option<String> = "O nome ou o valor certo.",
    }
}

view! {
    pub(crate) struct PredictedView {
        codigo_status: Codigo = "O cStat que a autoridade responderia.",
        motivo_status: String = "O texto oficial; de uma prefeitura, que não tem um só, o nosso.",
        campo: String = "Caminho no seu payload.",
        mensagem: String = "Em palavras.",
        sugestao: Option<String> = "O valor certo, quando há um só; o que fazer diz `mensagem`.",
    }
}

view! {
    #[derive(Default, PartialEq)]
    pub(crate) struct OmittedView {
        campos_desconhecidos: usize = "Além dos 100 mostrados; a busca para em 1.000.",
        campos_ausentes: usize = "O mesmo.",
        erros: usize = "O mesmo.",
        rejeicoes_previstas: usize = "O mesmo.",
        avisos: usize = "O mesmo.",
    }
}

const TOTAIS: Type = Type::Free;

fn answer(
    review: NotaReview,
    remarks: Vec<Notice>,
    ambiente: TpAmb,
    motivo: fn(&Codigo) -> Option<&'static str>,
) -> CheckView {
    let mut lists = ListsView::default();
    for violation in review.violations {
        let absence = violation.codigo == "campo_obrigatorio";
        if absence { &mut lists.campos_ausentes } else { &mut lists.erros }.push(problem(violation));
    }
    lists.erros.extend(review.divergences.into_iter().map(problem));
    for notice in remarks.into_iter().chain(review.notices) {
        match (notice.codigo.as_str(), notice.codigo_status.clone()) {
            ("campo_desconhecido", _) => lists.campos_desconhecidos.push(remark(notice)),
            ("rejeicao_prevista", Some(codigo)) => {
                let motivo_status = capital(motivo(&codigo).unwrap_or("Rejeição"));
                lists.rejeicoes_previstas.push(prediction(codigo, motivo_status, notice));
            }
            ("assumido_zero", _) if is_of_the_sale(&notice.campo) => lists.campos_ausentes.push(remark(notice)),
            _ => lists.avisos.push(notice),
        }
    }
    CheckView {
        sucesso: true,
        valido: lists.finds_nothing(),
        ambiente: Word(ambiente),
        omitidos: lists.shorten(),
        lists,
        totais_calculados: as_numbers(Value::Object(review.totais)),
    }
}

impl ListsView {
    fn finds_nothing(&self) -> bool {
        let problems = [&self.campos_desconhecidos, &self.campos_ausentes, &self.erros];
        problems.iter().all(|list| list.is_empty()) && self.rejeicoes_previstas.is_empty()
    }

    /// Keeps the first hundred of each list, and counts the others.
    fn shorten(&mut self) -> Maybe<OmittedView> {
        let omitted = OmittedView {
            campos_desconhecidos: shorten(&mut self.campos_desconhecidos),
            campos_ausentes: shorten(&mut self.campos_ausentes),
            erros: shorten(&mut self.erros),
            rejeicoes_previstas: shorten(&mut self.rejeicoes_previstas),
            avisos: shorten(&mut self.avisos),
        };
        Maybe(Some(omitted).filter(|omitted| *omitted != OmittedView::default()))
    }
}

fn shorten<T>(list: &mut Vec<T>) -> usize {
    let more = list.len().saturating_sub(MOST_REPORTED);
    list.truncate(MOST_REPORTED);
    more
}

/// True for a value of the product or payment itself (`nota.produtos[0].vProd`): a zero there means a misnamed field
/// rather than an absent tax. The official tree has a further group (`nota.det[0].prod.vProd`,
/// `nota.pag.detPag[0].vPag`).
fn is_of_the_sale(campo: &str) -> bool {
    let groups = campo.split('.').filter(|name| !["infNFe", "prod", "pag"].contains(name));
    groups.count() <= 3
}

fn problem(violation: Violation) -> ProblemView {
    let Violation { campo, codigo, mensagem, sugestao } = violation;
    ProblemView { campo, codigo: codigo.to_owned(), mensagem, sugestao }
}

/// Capitalises the first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.as_str().chars()).collect()
}

fn remark(notice: Notice) -> ProblemView {
    let Notice { campo, codigo, mensagem, sugestao, codigo_status: _ } = notice;
    ProblemView { campo, codigo, mensagem, sugestao }
}

fn prediction(codigo_status: Codigo, motivo_status: String, notice: Notice) -> PredictedView {
    let Notice { campo, mensagem, sugestao, codigo: _, codigo_status: _ } = notice;
    PredictedView { codigo_status, motivo_status, campo, mensagem, sugestao }
}

/// Converts decimals to JSON numbers with equal digits; dates stay texts.
fn as_numbers(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, as_numbers(value))).collect())
        }
        Value::String(text) => text.parse::<Number>().map_or(Value::String(text), Value::Number),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn totals_keep_their_decimals_and_days_stay_days() {
        let shown = as_numbers(json!({ "vNF": "110.50", "ISSQNtot": { "dCompet": "2026-11-20", "vServ": "0.00" } }));
        assert_eq!(shown.to_string(), r#"{"vNF":110.50,"ISSQNtot":{"dCompet":"2026-11-20","vServ":0.00}}"#);
    }

    #[test]
    fn a_zero_beside_the_product_is_an_absent_field_and_one_of_a_tax_is_not() {
        assert!(is_of_the_sale("nota.produtos[0].vProd") && is_of_the_sale("nota.pagamentos[0].vPag"));
        assert!(is_of_the_sale("nota.det[0].prod.vProd") && is_of_the_sale("nota.pag.detPag[0].vPag"));
        assert!(!is_of_the_sale("nota.produtos[0].pis.vBC") && !is_of_the_sale("nota.det[0].imposto.PIS.PISAliq.vBC"));
    }
}
