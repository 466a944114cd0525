//! Form of the account's address: where events go, which ones, and how often each is tried.

use maud::{Markup, html};
use serde_json::{Map, Value};
use store::webhooks::{ATTEMPTS, MOST_ATTEMPTS, WebhookAccount};

use crate::api::error::ApiError;
use crate::api::webhooks::nomes::kinds;
use crate::painel::form::FormFields;
use crate::painel::navigation::INTEGRATIONS;
use crate::painel::panel_session::PanelSession;
use crate::painel::session_page;

/// Settings as a form has them.
pub(super) struct AccountDraft {
    url: String,
    /// Chosen kinds of events, as `nfe`.
    kinds: Vec<&'static str>,
    /// Further events by name.
    names: String,
    tentativas: String,
}

impl AccountDraft {
    pub(super) fn of(account: &WebhookAccount) -> AccountDraft {
        let words = account.eventos.as_deref().unwrap_or_default();
        let is_kind = |word: &&String| word.strip_suffix(".*").is_some_and(|kind| kinds().any(|known| known == kind));
        let names: Vec<&str> = words.iter().filter(|word| !is_kind(word)).map(String::as_str).collect();
        AccountDraft {
            url: account.url.clone().unwrap_or_default(),
            kinds: kinds().filter(|kind| words.iter().any(|word| word.strip_suffix(".*") == Some(*kind))).collect(),
            names: names.join(" "),
            tentativas: account.tentativas.to_string(),
        }
    }

    pub(super) fn read(fields: &FormFields) -> AccountDraft {
        let is_chosen = |kind: &&str| fields.entries().any(|(name, value)| name == "tipo" && value == *kind);
        AccountDraft {
            url: fields.text("url").trim().to_owned(),
            kinds: kinds().filter(is_chosen).collect(),
            names: fields.text("nomes").trim().to_owned(),
            tentativas: fields.text("tentativas").trim().to_owned(),
        }
    }

    /// The settings as a body of `PUT /v1/webhooks/conta`.
    pub(super) fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        if !self.url.is_empty() {
            body.insert("url".to_owned(), self.url.as_str().into());
        }
        let kinds = self.kinds.iter().map(|kind| format!("{kind}.*"));
        let names = self.names.split([' ', ',', ';', '\n', '\r', '\t']).filter(|name| !name.is_empty());
        let eventos: Vec<Value> = kinds.chain(names.map(str::to_owned)).map(Value::from).collect();
        if !eventos.is_empty() {
            body.insert("eventos".to_owned(), eventos.into());
        }
        if !self.tentativas.is_empty() {
            body.insert("tentativas".to_owned(), self.tentativas.as_str().into());
        }
        body
    }
}

/// Words for each kind of event.
fn meaning(kind: &str) -> &'static str {
    match kind {
        "nfe" => "NF-e: autorizada, rejeitada, cancelada, corrigida…",
        "nfce" => "NFC-e: autorizada, rejeitada, cancelada, em contingência…",
        "nfse" => "NFS-e: autorizada, rejeitada, cancelada…",
        "cte" => "CT-e: autorizado, rejeitado, cancelado, corrigido…",
        "certificado" => "Certificado digital: vence em 30, 15, 7 ou 1 dias, ou venceu",
        "numeracao" => "Numeração: há números sem documento",
        "recebida" => "Documentos recebidos: chegou um que outro emitiu para a sua empresa",
        _ => "Outros",
    }
}

/// Words for a number of attempts.
fn attempts(count: u32) -> String {
    let until = match count {
        3 => "por um minuto e meio",
        4 => "por 6 minutos",
        5 => "por meia hora",
        6 => "por uma hora e meia",
        7 => "por 4 horas",
        8 => "por 8 horas",
        9 => "por 16 horas",
        10 => "por um dia",
        11 => "por quase dois dias",
        _ => "por quase três dias",
    };
    format!("{count} tentativas, {until}")
}

pub(super) fn form(visitor: &PanelSession, draft: &AccountDraft, problem: Option<&ApiError>) -> Markup {
    let told = |field: &str| problem_of(problem, field);
    let wrong = |field: &str| told(field).map(|_| "true");
    let about = |field: &str| told(field).map(|_| format!("falha-{field}"));
    let failure = |field: &str| html! { @if let Some(text) = told(field) { span class="falha" id={ "falha-" (field) } { (text) } } };
    html! {
        form method="post" action=(INTEGRATIONS.path) class="filtros" {
            (session_page::proof(visitor))
            @if let Some(text) = told("") { p class="recusa" role="alert" { (text) } }
            label {
                "Endereço"
                input type="url" name="url" value=(draft.url) maxlength="2048" placeholder="https://erp.exemplo.com.br/carimbo"
                    aria-invalid=[wrong("url")] aria-describedby=[about("url")];
                small { "Quem programa o seu sistema sabe qual é. Começa com https://. Vazio: a conta não tem endereço." }
                (failure("url"))
            }
            fieldset {
                legend { "De que avisar" }
                small { "Sem nenhuma marca, de tudo." }
                @for kind in kinds() {
                    label class="opcao" {
                        input type="checkbox" name="tipo" value=(kind) checked[draft.kinds.contains(&kind)];
                        " " (meaning(kind))
                    }
                }
                label {
                    "Só alguns avisos, pelo nome"
                    input name="nomes" value=(draft.names) maxlength="2000" aria-invalid=[wrong("eventos")] aria-describedby=[about("eventos")];
                    small { "Como nfe.autorizada, separados por espaço; o guia tem a lista. Deixe vazio se não souber." }
                    (failure("eventos"))
                }
            }
            label {
                "Se o seu sistema não responder"
                select name="tentativas" aria-invalid=[wrong("tentativas")] aria-describedby=[about("tentativas")] {
                    @for count in ATTEMPTS..=MOST_ATTEMPTS {
                        option value=(count) selected[draft.tentativas == count.to_string()] { (attempts(count)) }
                    }
                }
                small { "Vale também para os avisos que cada emissão pediu. Depois da última, a entrega se perde e pode ser repetida aqui." }
                (failure("tentativas"))
            }
            p class="botoes" { button class="botao principal" { "Guardar" } }
        }
    }
}

/// Problem of a field in words of the panel; of the form as a whole without a field.
fn problem_of(error: Option<&ApiError>, field: &str) -> Option<String> {
    let error = error?;
    let of_field = |name: &str| error.problems().iter().find(|problem| problem.campo.starts_with(name));
    match field {
        "" => error.problems().is_empty().then(|| error.detail().to_owned()),
        "url" => of_field(field).map(|problem| match problem.mensagem.strip_prefix("url ") {
            Some(rest) => format!("O endereço {rest}"),
            None => problem.mensagem.clone(),
        }),
        "eventos" => of_field(field).map(|_| {
            "Um destes nomes não é de um aviso, ou são nomes demais. Confira-os no guia dos avisos.".to_owned()
        }),
        _ => of_field(field).map(|_| format!("Escolha de {ATTEMPTS} a {MOST_ATTEMPTS} tentativas.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_come_back_as_they_were() {
        let eventos = ["nfe.*", "recebida.nova", "certificado.*"].map(str::to_owned).to_vec();
        let url = Some("https://erp.exemplo.com.br/".to_owned());
        let account = WebhookAccount { url, eventos: Some(eventos), tentativas: 5, atualizado_em: None };
        let body = Value::Object(AccountDraft::of(&account).body());
        let eventos = json!(["nfe.*", "certificado.*", "recebida.nova"]);
        assert_eq!(body, json!({ "url": "https://erp.exemplo.com.br/", "eventos": eventos, "tentativas": "5" }));
        assert_eq!(Value::Object(AccountDraft::of(&WebhookAccount::default()).body()), json!({ "tentativas": "3" }));
    }
}
