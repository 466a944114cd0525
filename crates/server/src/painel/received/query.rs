//! Filters of the inbox, from the address: what was typed, what it means, and what is wrong with it.

use fiscal::tipo::Tipo;
use store::received::{InboxFilter, ReceivedFilter, Situacao};
use uuid::Uuid;

use super::deadline;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::filters::ListFilters;
use crate::painel::filters::address::list_address;
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;

/// Filters as they were typed, and as they are understood.
pub(super) struct InboxQuery {
    pub(super) typed: ListFilters,
    /// `None` while something is wrong.
    pub(super) filter: Option<InboxFilter>,
}

/// Fields of the form.
const FIELDS: [&str; 13] = [
    "novas",
    "tipo",
    "empresa",
    "nome",
    "emitente",
    "manifestacao",
    "prazo",
    "situacao",
    "de",
    "ate",
    "valor_de",
    "valor_ate",
    "desde",
];

/// Choices of a field: the word of the address and the words for people.
pub(super) type FieldChoices = &'static [(&'static str, &'static str)];

pub(super) const TYPES: FieldChoices =
    &[("nfe", "NF-e (mercadorias)"), ("cte", "CT-e (fretes)"), ("nfse", "NFS-e (serviços)")];
pub(super) const MANIFESTATIONS: FieldChoices = &[
    ("pendente", "NF-e sem manifestação"),
    ("ciencia", "só com ciência"),
    ("confirmacao", "confirmadas"),
    ("desconhecimento", "desconhecidas"),
    ("nao_realizada", "não realizadas"),
    ("rejeicao", "NFS-e rejeitadas"),
];
pub(super) const DEADLINES: FieldChoices = &[("acaba", "acaba em até 15 dias"), ("passou", "já passou")];
pub(super) const SITUATIONS: FieldChoices =
    &[("autorizada", "vale (autorizado)"), ("cancelada", "cancelado pelo emitente"), ("denegada", "denegado")];

/// Address of the inbox with these fields.
pub(super) fn address(fields: &[(&str, String)]) -> String {
    list_address(RECEIVED.path, fields)
}

/// Reads the filters of an address; `seen` is the newest entry of the user's earlier visits.
pub(super) async fn read(
    app: &App,
    visitor: &PanelSession,
    query: &str,
    seen: Option<Uuid>,
) -> Result<InboxQuery, ApiError> {
    let mut typed = ListFilters::read(RECEIVED.path, query, FIELDS);
    let mut of_document = ReceivedFilter {
        tipo: choice(&mut typed, "tipo", TYPES).and_then(Tipo::from_word),
        cpf_cnpj: typed.document_number("empresa"),
        emitente: typed.document_number("emitente"),
        situacao: choice(&mut typed, "situacao", SITUATIONS).and_then(Situacao::from_word),
        ..ReceivedFilter::default()
    };
    match choice(&mut typed, "manifestacao", MANIFESTATIONS) {
        // other types know no manifestation, or are not awaited
        Some("pendente") if of_document.tipo.is_none_or(|tipo| tipo == Tipo::Nfe) => {
            of_document.tipo = Some(Tipo::Nfe);
            of_document.manifestacao = Some(None);
        }
        Some("pendente") => typed.refuse("manifestacao", "Só a NF-e espera manifestação: escolha NF-e no tipo."),
        said => of_document.manifestacao = said.map(|word| Some(word.to_owned())),
    }
    let open = match choice(&mut typed, "prazo", DEADLINES) {
        Some("acaba") => Some(deadline::nearing(app.engine().now_s())),
        Some(_) => Some(deadline::over(app.engine().now_s())),
        None => None,
    };
    let after = choice(&mut typed, "novas", &[("sim", "")]).and(seen);
    let time = CivilTime::of_issuer(app.store(), visitor.at.caller.tenant_id, of_document.cpf_cnpj).await?;
    of_document.periodo = typed.period(time);
    let desde = typed.date("desde");
    let filter = InboxFilter {
        nome: typed.given("nome"),
        valor: (amount(&mut typed, "valor_de"), amount(&mut typed, "valor_ate")),
        after,
        recebida: time.days(desde, None),
        open,
        of_document,
    };
    let filter = (!typed.is_wrong()).then_some(filter);
    Ok(InboxQuery { typed, filter })
}

/// A decimal with two places from an amount as people write it; `None` for any other text.
fn amount_of(text: &str) -> Option<String> {
    let text: String = text.trim_start_matches("R$").chars().filter(|letter| !letter.is_whitespace()).collect();
    let (whole, cents) = text.rsplit_once(',').unwrap_or((&text, ""));
    let (whole, cents) = match whole.rsplit_once('.') {
        // `99.90` of a program; `1.000` is a thousand
        Some((before, after)) if cents.is_empty() && after.len() != 3 && !before.contains('.') => {
            (before.to_owned(), after)
        }
        _ => (whole.replace('.', ""), cents),
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = (1..=15).contains(&whole.len()) && cents.len() <= 2;
    let whole = whole.trim_start_matches('0');
    (fits && is_number(whole) && is_number(cents))
        .then(|| format!("{}.{cents:0<2}", if whole.is_empty() { "0" } else { whole }))
}

fn amount(typed: &mut ListFilters, name: &'static str) -> Option<String> {
    typed.parsed(name, "Escreva o valor como 1.234,56.", amount_of)
}

fn choice(typed: &mut ListFilters, name: &'static str, choices: FieldChoices) -> Option<&'static str> {
    typed.choice(name, |text| choices.iter().find(|(word, _)| *word == text).map(|(word, _)| *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        let read = |text| amount_of(text);
        for (text, expected) in [
            ("1.234,56", "1234.56"),
            ("R$ 1.000", "1000.00"),
            ("99.90", "99.90"),
            ("99.9", "99.90"),
            ("0", "0.00"),
            ("00,5", "0.50"),
            ("1.000.000", "1000000.00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in ["", "x", "-1", "1,234", "1e9", "<script>", "1234567890123456"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
