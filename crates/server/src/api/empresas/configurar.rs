//! `PUT /v1/empresas/{cpf_cnpj}/nfe`, `…/nfce`, `…/nfse`, `…/cte`: the configuration of a document type.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::finding::Notice;
use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use outbound::TargetUrl;
use serde_json::{Map, Value, json};
use store::accounts::Caller;
use store::audit::Actor;
use store::companies::Company;
use store::numbers::Series;

use super::change::{ConfigurationChange, series_in_use, shown};
use super::settings::{self, ConfigurationTable};
use super::view;
use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuditedCaller;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::unknown_members::unknown_members;
use crate::app::App;

macro_rules! routes {
    ($($route:ident $settings:ident;)*) => {$(
        pub(crate) async fn $route(
            State(app): State<App>,
            acting: AuditedCaller,
            Path(cpf_cnpj): Path<String>,
            JsonObject(body): JsonObject,
        ) -> Result<Json<Value>, ApiError> {
            let AuditedCaller(caller, actor) = acting;
            configure(&app, &caller, &actor, &cpf_cnpj, &settings::$settings, &body).await.map(Json)
        }
    )*};
}

routes! {
    nfe NFE;
    nfce NFCE;
    nfse NFSE;
    cte CTE;
}

/// Changes the configuration of a document type; returns it as an answer shows it, with notices.
pub(crate) async fn configure(
    app: &App,
    caller: &Caller,
    actor: &Actor,
    cpf_cnpj: &str,
    of: &'static ConfigurationTable,
    body: &Map<String, Value>,
) -> Result<Value, ApiError> {
    let cpf_cnpj = view::number(cpf_cnpj)?;
    let change = ConfigurationChange::read(of, body, |name| app.engine().unknown_provider(name))?;
    require_open_contingency(app, of, &change, body)?;
    require_reachable_urls(app, of, body)?;
    if of.tipo == Tipo::Nfse.word() {
        require_numeral_series(app, caller, &change, cpf_cnpj).await?;
    }
    let asked = of.sequences().map(|(group, _)| (group, change.starting_number(group))).collect::<Vec<_>>();
    let make = move |company: &Company| Ok::<_, ApiError>(change.configuration_after(company));
    let changed = app.store().change_company(caller.tenant_id, cpf_cnpj, actor, app.now(), make).await;
    let company = changed.map_err(view::or_unknown)??;
    let mut configuration = shown(of.tipo, &company.configuracoes[of.tipo], caller.ambiente);
    let mut remarks = unknown_members(body, &of.known());
    for (group, series, next) in next_numbers(app, caller, of, &company).await? {
        match group {
            None => configuration["proximo_numero"] = json!(next),
            Some(group) => configuration[group]["proximo_numero"] = json!(next),
        }
        let asked = asked.iter().find(|(of, _)| *of == group).and_then(|(_, asked)| *asked);
        let campo = group.map_or_else(|| "proximo_numero".to_owned(), |group| format!("{group}.proximo_numero"));
        remarks.extend(number_notice(campo, next, asked, series.counted.highest_number()));
    }
    configuration["avisos"] = json!(remarks);
    Ok(configuration)
}

/// Sequences in use of a configuration, each with the group of members that configures it and the number that its next
/// document receives; `None` at the end of a series.
pub(crate) async fn next_numbers(
    app: &App,
    caller: &Caller,
    of: &ConfigurationTable,
    company: &Company,
) -> Result<Vec<(Option<&'static str>, Series, Option<u64>)>, ApiError> {
    let mut in_use: Vec<(Option<&'static str>, Series, Option<u64>)> = Vec::new();
    for (group, series) in series_in_use(of, company) {
        let (_, next) = app.store().numbering(caller.tenant_id, series).await?;
        match in_use.iter_mut().find(|(of, ..)| *of == group) {
            // of two sequences that a member configures (DPS and RPS), the one with the higher number
            Some(known) if next > known.2 => (known.1, known.2) = (series, next),
            Some(_) => {}
            None => in_use.push((group, series, next)),
        }
    }
    Ok(in_use)
}

/// Refuses a mode of contingency that is not open on this installation.
fn require_open_contingency(
    app: &App,
    of: &ConfigurationTable,
    change: &ConfigurationChange,
    body: &Map<String, Value>,
) -> Result<(), ApiError> {
    let asked = Tipo::from_word(of.tipo).filter(|_| change.contingencia() == Some("offline"));
    let Some(closed) = asked.and_then(|tipo| app.engine().offline_is_closed(tipo)) else { return Ok(()) };
    let mut fields = BodyFields::of(body);
    fields.refuse(&error_code::VALIDACAO, "contingencia", closed);
    fields.finish()
}

/// Refuses a URL that names an inner network by its text; the addresses that its name resolves to are checked at every
/// call.
fn require_reachable_urls(app: &App, of: &ConfigurationTable, body: &Map<String, Value>) -> Result<(), ApiError> {
    let mut fields = BodyFields::of(body);
    for (name, given) in of.addresses(body) {
        if let Err(why) = TargetUrl::parse(given, app.reach()) {
            fields.refuse(&error_code::VALIDACAO, name, format!("{name} {why}"));
        }
    }
    fields.finish()
}

/// Refuses a series with letters where NFS-e use the national layout: the authority refuses every one (E0010).
async fn require_numeral_series(
    app: &App,
    caller: &Caller,
    change: &ConfigurationChange,
    cpf_cnpj: CnpjCpf,
) -> Result<(), ApiError> {
    let company = match app.store().company(caller.tenant_id, cpf_cnpj).await {
        Ok(company) => company,
        // the change itself answers 404
        Err(store::Error::NotFound) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let services = change.nfse_routing(&company);
    let Some(serie) = services.series_with_letters() else { return Ok(()) };
    let is_national = match (services.is_national(), services.municipio()) {
        (Some(is_national), _) => is_national,
        (None, Some(codigo)) => {
            let found = app.engine().municipality(caller.ambiente, codigo).await?;
            found.is_some_and(|found| found.is_known_to_be_national())
        }
        (None, None) => false,
    };
    if !is_national {
        return Ok(());
    }
    let detail = format!(
        "A série {serie} tem letras, e a DPS do padrão nacional leva de 1 a 49999 (E0010): informe serie só com algarismos. A série com letras é do RPS \
         municipal."
    );
    Err(ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, "serie", detail)]))
}

/// Notice about the next number of a sequence.
fn number_notice(campo: String, next: Option<u64>, asked: Option<u64>, last: u64) -> Option<Notice> {
    match (next, asked) {
        (None, _) => {
            Some(few_numbers(campo, &format!("A série chegou ao último número ({last}): a próxima nota falhará.")))
        }
        (Some(next), _) if next == last => {
            Some(few_numbers(campo, &format!("Resta um só número nesta série ({last}): a segunda nota falhará.")))
        }
        (Some(next), Some(asked)) if asked != next => Some(other_number(campo, asked, next)),
        _ => None,
    }
}

/// Notice of a sequence near its end, which is most often a typing error and cannot be undone.
fn few_numbers(campo: String, what: &str) -> Notice {
    Notice {
        campo,
        codigo: "numeracao_esgotada".to_owned(),
        mensagem: format!(
            "{what} A numeração de uma série não volta atrás: configure outra serie e o seu proximo_numero."
        ),
        sugestao: None,
        codigo_status: None,
    }
}

/// Notice that another number follows: the ledger never goes back, and reuses numbers of rejected documents first.
fn other_number(campo: String, asked: u64, next: u64) -> Notice {
    Notice {
        campo,
        codigo: "numero_em_uso".to_owned(),
        mensagem: format!(
            "A próxima nota terá o número {next}, e não {asked}: os números já usados não voltam, e os de notas rejeitadas são \
             dados primeiro."
        ),
        sugestao: Some(next.to_string()),
        codigo_status: None,
    }
}
