//! A document while a person writes it, and where it began: with a recipe, or with an earlier document.

use engine::jobs::query::was_given_out;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::{Map, Value};
use store::Visibility;
use store::accounts::Caller;
use store::jobs::{Job, JobDocument, Operacao};
use uuid::Uuid;

use super::form_family::FormFamily;
use super::nota_draft::NotaDraft;
use super::{recipe_list, reference};
use crate::api::error::ApiError;
use crate::api::job::{company_if_any, would_go_to};
use crate::app::App;
use crate::painel::company_choices::CompanyChoices;

/// The document so far.
pub(super) struct IssueForm {
    pub(super) family: &'static FormFamily,
    pub(super) draft: NotaDraft,
    pub(super) cpf_cnpj: String,
    pub(super) referencia: String,
    pub(super) webhook_url: String,
    /// Earlier document that it began with.
    pub(super) origin: Option<IssueOrigin>,
    /// Remarks about the beginning, shown once.
    pub(super) remarks: Vec<String>,
}

/// An earlier document.
pub(super) struct IssueOrigin {
    pub(super) job: Job,
}

impl IssueOrigin {
    /// Finds an earlier document that the caller may see.
    pub(super) async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<Option<IssueOrigin>, ApiError> {
        match app.store().job(Visibility::of(caller), id).await {
            Ok(job) if job.operacao == Operacao::Emissao => Ok(Some(IssueOrigin { job })),
            Ok(_) | Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Document of the job, when the authority rejected it.
    pub(super) fn rejected(&self) -> Option<&JobDocument> {
        self.job.document.as_ref().filter(|document| document.state == DocumentState::Rejected)
    }
}

impl IssueForm {
    /// Begins with a recipe, for a company that was chosen if the account has it.
    pub(super) async fn of_recipe(
        app: &App,
        caller: &Caller,
        name: &str,
        chosen: Option<CnpjCpf>,
    ) -> Result<Option<IssueForm>, ApiError> {
        let Some((family, mut body)) = recipe_list::payload(name, app.today(), app.engine().law()) else {
            return Ok(None);
        };
        let nota = take_object(&mut body, "nota");
        let cpf_cnpj = body.get("cpf_cnpj").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut form = IssueForm {
            family,
            draft: NotaDraft::of(nota),
            cpf_cnpj,
            referencia: reference::fresh(app),
            webhook_url: String::new(),
            origin: None,
            remarks: vec![reference::RECIPE_REMARK.to_owned()],
        };
        if let Some(chosen) = chosen
            && company_if_any(app.store(), caller.tenant_id, chosen).await?.is_some()
        {
            form.cpf_cnpj = chosen.to_string();
            return Ok(Some(form));
        }
        form.with_own_company(app, caller).await.map(Some)
    }

    /// Begins with an earlier document: its payload, without what the service fills anew.
    pub(super) async fn of_document(app: &App, caller: &Caller, id: Uuid) -> Result<Option<IssueForm>, ApiError> {
        let (engine, asking) = (app.engine().clone(), caller.clone());
        let case = async move {
            let found = engine.emission_order(Visibility::of(&asking), id).await;
            // the order may be large: it is copied where it was parsed
            found.map(|(job, order)| {
                (job, order.map(|order| (order.modelo, order.nota.clone(), order.webhook_url.clone())))
            })
        };
        let (job, order) = match app.dispatch_use_case(caller.tenant_id, true, case).await? {
            Err(store::Error::NotFound) => return Ok(None),
            found => found?,
        };
        let Some((modelo, Value::Object(mut nota), webhook_url)) = order else { return Ok(None) };
        let Some(family) = FormFamily::of_modelo(modelo) else { return Ok(None) };
        let mut remarks = Vec::new();
        let left = renew(&mut nota, family.renewed);
        if !left.is_empty() {
            remarks.push(format!("Ficaram em branco, porque o serviço os preenche: {}.", left.join(", ")));
        }
        remarks.extend(number_remark(&job, &mut nota, family));
        let referencia = reference::after(app, caller, &job).await?;
        Ok(Some(IssueForm {
            family,
            draft: NotaDraft::of(nota),
            cpf_cnpj: job.cpf_cnpj.to_string(),
            referencia,
            webhook_url: webhook_url.unwrap_or_default(),
            origin: Some(IssueOrigin { job }),
            remarks,
        }))
    }

    /// Puts a company of the account in the place of the recipe's, unless it is one.
    async fn with_own_company(mut self, app: &App, caller: &Caller) -> Result<IssueForm, ApiError> {
        let companies = CompanyChoices::read(app, Visibility::of(caller)).await?.companies;
        let is_own = companies.iter().any(|company| company.cpf_cnpj.to_string() == self.cpf_cnpj);
        let tipo = self.family.tipo().word();
        let configured = companies.iter().find(|company| company.configuracoes.contains_key(tipo));
        if let Some(company) = configured.or(companies.first()).filter(|_| !is_own) {
            self.cpf_cnpj = company.cpf_cnpj.to_string();
        }
        Ok(self)
    }

    /// The body of a request with this document, without marks of the form.
    pub(super) fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("cpf_cnpj".to_owned(), self.cpf_cnpj.trim().into());
        if !self.referencia.trim().is_empty() {
            body.insert("referencia_externa".to_owned(), self.referencia.trim().into());
        }
        if !self.webhook_url.trim().is_empty() {
            body.insert("webhook_url".to_owned(), self.webhook_url.trim().into());
        }
        body.insert("nota".to_owned(), Value::Object(self.draft.pruned()));
        body
    }

    /// Environment that the document would go to, by the company's configuration.
    pub(super) async fn destination(&self, app: &App, caller: &Caller) -> Result<TpAmb, ApiError> {
        let company = match CnpjCpf::parse(&self.cpf_cnpj) {
            Ok(chosen) if app.store().reaches(Visibility::of(caller), chosen).await? => {
                company_if_any(app.store(), caller.tenant_id, chosen).await?
            }
            Ok(_) | Err(_) => None,
        };
        Ok(would_go_to(company.as_ref(), self.family.tipo(), caller.ambiente))
    }
}

/// Page of a document.
pub(super) fn document_address(job: &Job) -> String {
    format!("/painel/documentos/{}", job.id)
}

/// Removes members that the service fills in each document, outside of lists; returns them with their values.
fn renew(members: &mut Map<String, Value>, names: &[&str]) -> Vec<String> {
    let mut left = Vec::new();
    for name in names {
        match members.get(*name) {
            Some(Value::Object(_) | Value::Array(_) | Value::Null) | None => {}
            Some(value) => {
                let before = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                left.push(format!("{name} (era {})", fiscal::finding::excerpt(&before)));
                members.shift_remove(*name);
            }
        }
    }
    let identification = members.iter_mut().filter(|(name, _)| IDENTIFICATION.contains(&name.as_str()));
    left.extend(identification.filter_map(|(_, inner)| inner.as_object_mut()).flat_map(|inner| renew(inner, names)));
    left
}

/// Explains the further use of a rejected number, and requests it where only the corrected document may have it.
fn number_remark(job: &Job, nota: &mut Map<String, Value>, family: &FormFamily) -> Option<String> {
    let document = job.document.as_ref().filter(|document| document.state == DocumentState::Rejected)?;
    let (serie, numero) = (&document.serie, document.numero);
    if !was_given_out(document) {
        return Some(format!(
            "A nota rejeitada tinha o número {numero} da série {serie}. A rejeição o devolveu: a nota seguinte da série o usa, se nenhuma o usou ainda, e nenhum número se perde."
        ));
    }
    let group = ["identificacao", "ide"].into_iter().find(|name| nota.contains_key(*name)).unwrap_or("identificacao");
    let group = nota.entry(group).or_insert_with(|| Value::Object(Map::new()));
    if let Some(group) = group.as_object_mut() {
        group.insert(family.number.to_owned(), Value::String(numero.to_string()));
        group.insert("serie".to_owned(), Value::String(serie.to_string()));
    }
    Some(format!(
        "A nota rejeitada já foi entregue em contingência: a que a corrige leva o mesmo número ({numero}, série {serie}), e não pode mudar valor, destinatário nem data."
    ))
}

fn take_object(body: &mut Map<String, Value>, name: &str) -> Map<String, Value> {
    match body.shift_remove(name) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// Groups that hold a document's moment and number, by all their names.
const IDENTIFICATION: &[&str] = &[
    "identificacao",
    "ide",
    "infNFe",
    "infCte",
    "infCTe",
    "NFe",
    "CTe",
    "infDPS",
    "DPS",
    "rps",
    "Rps",
    "IdentificacaoRps",
];
