//! The items on the way of a document type to production, each with its state and the page where it is done.

use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use store::Visibility;
use store::companies::Company;
use store::notes::{ListWindow, NoteFilter};
use store::numbers::SequenceNumbers;

use super::checklist_item::{ChecklistItem, ItemState, done_if, of_production};
use super::configuration_form::{ConfigurationForm, in_use};
use super::{certificate_path, path, test_path, type_items};
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::panel_session::PanelSession;

/// Facts about a company that several items need.
pub(super) struct ChecklistFacts {
    /// Sequences that the session may see.
    pub(super) sequences: Vec<SequenceNumbers>,
    pub(super) has_live_key: bool,
}

/// All items of a type.
pub(super) async fn items(
    app: &App,
    visitor: &PanelSession,
    company: &Company,
    tipo: Tipo,
    facts: &ChecklistFacts,
) -> Result<Vec<ChecklistItem>, ApiError> {
    let mut items = vec![
        certificate(company, app.now()),
        configured(company, tipo),
        tested(app, visitor, company, tipo).await?,
        accredited(tipo),
    ];
    items.extend(type_items::of_type(visitor, company, tipo));
    items.push(numbering(visitor, company, tipo, facts));
    items.push(key(visitor, facts));
    items.push(environment(visitor, company, tipo));
    Ok(items)
}

fn certificate(company: &Company, now: i64) -> ChecklistItem {
    let is_valid =
        company.certificado.as_ref().is_some_and(|record| record.valido_de <= now && record.valido_ate > now);
    let text = match (&company.certificado, is_valid) {
        (None, _) => "Nenhum certificado foi enviado.".to_owned(),
        (Some(_), false) => "O certificado guardado não vale hoje. Envie o renovado.".to_owned(),
        (Some(record), true) => format!("{}, dentro da validade. É da raiz de CNPJ desta empresa.", record.titular),
    };
    let link = (!is_valid).then(|| (certificate_path(company.cpf_cnpj), "Enviar o certificado"));
    ChecklistItem { state: done_if(is_valid), title: "Certificado válido e da empresa", text, link }
}

fn configured(company: &Company, tipo: Tipo) -> ChecklistItem {
    let missing = record_gaps(company, tipo);
    let state = done_if(missing.is_empty());
    let text = match missing.is_empty() {
        true => "O cadastro e a configuração têm o que o documento pede.".to_owned(),
        false => format!("Falta no cadastro: {}.", missing.join(", ")),
    };
    let link =
        (state == ItemState::Missing).then(|| (format!("{}/dados", path(company.cpf_cnpj)), "Completar os dados"));
    ChecklistItem { state, title: "Tipo configurado e cadastro completo", text, link }
}

/// Members of the record that the layout of a type requires of its issuer.
fn record_gaps(company: &Company, tipo: Tipo) -> Vec<&'static str> {
    const ADDRESS: [(&str, &str); 5] = [
        ("/endereco/logradouro", "rua"),
        ("/endereco/numero", "número"),
        ("/endereco/bairro", "bairro"),
        ("/endereco/codigo_municipio", "município"),
        ("/endereco/cep", "CEP"),
    ];
    let is_absent = |pointer: &str| company.dados.pointer(pointer).is_none_or(serde_json::Value::is_null);
    let mut missing: Vec<&'static str> = Vec::new();
    if tipo == Tipo::Nfse {
        let own = company.configuracoes.get(tipo.word()).is_some_and(|stored| !stored["codigo_municipio"].is_null());
        missing.extend((is_absent("/endereco/codigo_municipio") && !own).then_some("município"));
        return missing;
    }
    missing.extend(ADDRESS.iter().filter(|(pointer, _)| is_absent(pointer)).map(|(_, name)| *name));
    missing.extend(is_absent("/inscricao_estadual").then_some("inscrição estadual"));
    let crt = company.configuracoes.get(tipo.word()).map(|stored| &stored["crt"]);
    missing.extend((is_absent("/crt") && crt.is_none_or(serde_json::Value::is_null)).then_some("regime tributário"));
    missing
}

/// A test document that the authority authorised, also if it was cancelled later.
async fn tested(app: &App, visitor: &PanelSession, company: &Company, tipo: Tipo) -> Result<ChecklistItem, ApiError> {
    let mut found = false;
    for state in [DocumentState::Authorized, DocumentState::Cancelled] {
        let filter = NoteFilter {
            tipo: Some(tipo.word().to_owned()),
            state: Some(state),
            emitente: Some(company.cpf_cnpj),
            ambiente: Some(TpAmb::Homologacao),
            ..NoteFilter::default()
        };
        let window = ListWindow { limit: 1, skip: 0 };
        found = found || !app.store().notes(Visibility::of(&visitor.at.caller), filter, window).await?.0.is_empty();
    }
    let is_test = visitor.at.caller.ambiente == TpAmb::Homologacao;
    let text = match (found, is_test) {
        (true, _) => "A autoridade de testes já autorizou um documento deste tipo.",
        (false, true) => "Emita uma, e corrija até a autoridade de testes aceitar.",
        (false, false) => "Vá para a homologação no alto da página e emita uma nota de teste.",
    };
    let link = (!found && is_test).then(|| (test_path(tipo, company), "Emitir uma nota de teste"));
    let title = "Nota de teste autorizada em homologação";
    Ok(ChecklistItem { state: done_if(found), title, text: text.to_owned(), link })
}

/// The authority's own permission, which no answer shows.
fn accredited(tipo: Tipo) -> ChecklistItem {
    let text = match tipo {
        Tipo::Nfe | Tipo::Nfce | Tipo::Cte => {
            "A SEFAZ do Estado credencia a empresa para cada tipo de documento, no portal dela; a contabilidade costuma fazer isso. Sem o credenciamento a primeira nota volta recusada."
        }
        Tipo::Nfse => {
            "A prefeitura (ou o portal nacional da NFS-e) habilita a empresa a emitir. Pergunte no setor de ISS, com a inscrição municipal na mão."
        }
    };
    let title = "Autorizada pela autoridade";
    ChecklistItem { state: ItemState::ToCheck, title, text: text.to_owned(), link: None }
}

/// The numbers of production: begun or chosen.
fn numbering(visitor: &PanelSession, company: &Company, tipo: Tipo, facts: &ChecklistFacts) -> ChecklistItem {
    let counted = ConfigurationForm::new(company, tipo, None).map_or(&[][..], |form| form.table.counted);
    let live = facts
        .sequences
        .iter()
        .find(|sequence| sequence.series.ambiente == TpAmb::Producao && counted.contains(&sequence.series.counted));
    let text = match live.map(|sequence| (sequence.series.serie, sequence.next)) {
        Some((serie, Some(next))) => format!("Série {serie}; a próxima nota recebe o número {next}."),
        _ => "Série e primeiro número são escolhidos na passagem. Quem já emitiu por outro programa continua do último número, mais um, ou usa outra série.".to_owned(),
    };
    of_production(visitor, company, tipo, live.is_some(), "Numeração de produção", &text)
}

fn key(visitor: &PanelSession, facts: &ChecklistFacts) -> ChecklistItem {
    let (state, text) = match (visitor.at.caller.ambiente, facts.has_live_key) {
        (TpAmb::Producao, true) => (ItemState::Done, "A conta tem uma chave de API de produção."),
        _ => (
            ItemState::ToCheck,
            "Só para quem emite por um programa: ele precisa de uma chave de API de produção. No painel basta entrar em produção.",
        ),
    };
    ChecklistItem { state, title: "Chave de produção, se um programa emite", text: text.to_owned(), link: None }
}

fn environment(visitor: &PanelSession, company: &Company, tipo: Tipo) -> ChecklistItem {
    let is_live = in_use(company, tipo) == Some(TpAmb::Producao);
    let text = match is_live {
        true => "Este tipo emite em produção.",
        false => "Por último: com tudo pronto, passe o tipo para a produção.",
    };
    of_production(visitor, company, tipo, is_live, "Ambiente em uso: produção", text)
}
