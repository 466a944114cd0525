//! Items on the way to production that one document type has: codes, registers and credentials that its authority asks
//! for.

use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use serde_json::Value;
use store::companies::Company;

use super::checklist_item::{ChecklistItem, ItemState, of_production};
use super::configuration_form::ConfigurationForm;
use super::configuration_page::of_environment;
use super::configuration_path;
use crate::painel::panel_session::PanelSession;

/// The items of a type.
pub(super) fn of_type(visitor: &PanelSession, company: &Company, tipo: Tipo) -> Vec<ChecklistItem> {
    let items = match tipo {
        Tipo::Nfe => Vec::new(),
        Tipo::Nfce => vec![security_code(visitor, company)],
        Tipo::Cte => vec![Some(carrier_register(company))],
        Tipo::Nfse => {
            vec![Some(municipal_register(company)), municipal_credentials(visitor, company), municipal_address(company)]
        }
    };
    items.into_iter().flatten().collect()
}

/// The CSC of production, for a QR code that needs it.
fn security_code(visitor: &PanelSession, company: &Company) -> Option<ChecklistItem> {
    if both(company, Tipo::Nfce, "qr_versao") == 3 {
        return None;
    }
    let form = ConfigurationForm::new(company, Tipo::Nfce, Some(TpAmb::Producao))?;
    let has_id = !of_environment(company, Tipo::Nfce, TpAmb::Producao, "csc_id").is_null();
    let text = "O código de segurança de produção, do portal da SEFAZ: é outro que o de homologação.";
    let has = has_id && form.is_stored("csc");
    Some(of_production(visitor, company, Tipo::Nfce, has, "CSC de produção", text))
}

/// The carrier's registers, which each document may have instead.
fn carrier_register(company: &Company) -> ChecklistItem {
    let [rntrc, taf] = ["rntrc", "taf"].map(|name| both(company, Tipo::Cte, name).as_str());
    let text = match (rntrc, taf) {
        (None, None) => "Quem leva carga por rodovia precisa do RNTRC, e quem leva passageiros, do TAF: os dois são da ANTT. Guardados aqui, saem em cada conhecimento.".to_owned(),
        (Some(rntrc), None) => format!("RNTRC {rntrc}."),
        (None, Some(taf)) => format!("TAF {taf}."),
        (Some(rntrc), Some(taf)) => format!("RNTRC {rntrc}, TAF {taf}."),
    };
    stored_or_to_check(company, Tipo::Cte, rntrc.or(taf).is_some(), "Registro na ANTT (RNTRC ou TAF)", text)
}

/// The registration in the município, which most city halls ask for.
fn municipal_register(company: &Company) -> ChecklistItem {
    let own = both(company, Tipo::Nfse, "inscricao_municipal").as_str();
    let found = own.or_else(|| company.dados["inscricao_municipal"].as_str());
    let text = match found {
        Some(found) => format!("{found}. É a que a prefeitura conhece?"),
        None => {
            "A maioria das prefeituras a pede; o emissor nacional, só onde o município tem cadastro. Está no alvará."
                .to_owned()
        }
    };
    stored_or_to_check(company, Tipo::Nfse, found.is_some(), "Inscrição municipal", text)
}

/// Credentials at a municipal provider, where homologação has some.
fn municipal_credentials(visitor: &PanelSession, company: &Company) -> Option<ChecklistItem> {
    let stored = |ambiente| *of_environment(company, Tipo::Nfse, ambiente, "credenciais_configuradas") == true;
    let text = "Usuário, senha ou token do sistema da prefeitura, de produção.";
    let title = "Credencial da prefeitura em produção";
    stored(TpAmb::Homologacao)
        .then(|| of_production(visitor, company, Tipo::Nfse, stored(TpAmb::Producao), title, text))
}

/// The city hall's address of production, where that of its tests was written by hand.
fn municipal_address(company: &Company) -> Option<ChecklistItem> {
    let [tests, live] = ["url_homologacao", "url_producao"].map(|name| both(company, Tipo::Nfse, name).as_str());
    tests?;
    let (state, text) = match live {
        Some(live) => (ItemState::Done, live.to_owned()),
        None => (
            ItemState::Missing,
            "O de testes foi escrito à mão; escreva também o de produção, do manual do sistema da prefeitura."
                .to_owned(),
        ),
    };
    let link = live.is_none().then(|| link(company, Tipo::Nfse));
    Some(ChecklistItem { state, title: "Endereço de produção da prefeitura", text, link })
}

fn stored_or_to_check(
    company: &Company,
    tipo: Tipo,
    is_stored: bool,
    title: &'static str,
    text: String,
) -> ChecklistItem {
    let state = if is_stored { ItemState::Done } else { ItemState::ToCheck };
    ChecklistItem { state, title, text, link: (!is_stored).then(|| link(company, tipo)) }
}

fn link(company: &Company, tipo: Tipo) -> (String, &'static str) {
    (configuration_path(company.cpf_cnpj, tipo), "Configurar")
}

/// Stored value of a member of both environments.
fn both<'a>(company: &'a Company, tipo: Tipo, name: &str) -> &'a Value {
    company.configuracoes.get(tipo.word()).map_or(&Value::Null, |stored| &stored[name])
}
