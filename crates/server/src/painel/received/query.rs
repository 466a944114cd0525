//! Filters of the inbox, from the address: what was typed, what it means, and what is wrong with it.

use fiscal::tipo::Tipo;
use fiscal::value::CnpjCpf;
use jiff::civil::Date;
use store::notes::Period;
use store::received::{InboxFilter, ReceivedFilter, Situacao};
use uuid::Uuid;

use super::deadline;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::documents::query::value;
use crate::painel::navigation::RECEIVED;
use crate::painel::panel_session::PanelSession;

/// Filters as they were typed, and as they are understood.
pub(super) struct InboxQuery {
    /// Fields with a text, in the order of the form.
    typed: Vec<(&'static str, String)>,
    /// Field and problem.
    problems: Vec<(&'static str, String)>,
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

impl InboxQuery {
    /// Text of a field, empty when absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.typed.iter().find(|(field, _)| *field == name).map_or("", |(_, text)| text)
    }

    /// Problem of a field.
    pub(super) fn problem(&self, name: &str) -> Option<&str> {
        self.problems.iter().find(|(field, _)| *field == name).map(|(_, problem)| problem.as_str())
    }

    /// True when something is filtered.
    pub(super) fn narrows(&self) -> bool {
        !self.typed.is_empty()
    }

    /// Address of a page of this list.
    pub(super) fn address(&self, page: Option<(&str, Uuid)>) -> String {
        let mut fields: Vec<(&str, String)> = self.typed.iter().map(|(name, text)| (*name, text.clone())).collect();
        fields.extend(page.map(|(name, id)| (name, id.to_string())));
        address(&fields)
    }
}

/// Address of the inbox with these fields.
pub(super) fn address(fields: &[(&str, String)]) -> String {
    if fields.is_empty() {
        return RECEIVED.path.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    format!("{}?{query}", RECEIVED.path)
}

/// Reads the filters of an address; `seen` is the newest entry of the user's earlier visits.
pub(super) async fn read(
    app: &App,
    visitor: &PanelSession,
    query: &str,
    seen: Option<Uuid>,
) -> Result<InboxQuery, ApiError> {
    let typed = FIELDS.into_iter().filter_map(|name| value(query, name).map(|text| (name, text))).collect();
    let mut made = InboxQuery { typed, problems: Vec::new(), filter: None };
    let mut of_document = ReceivedFilter {
        tipo: made.choice("tipo", TYPES).and_then(Tipo::from_word),
        cpf_cnpj: made.document_number("empresa"),
        emitente: made.document_number("emitente"),
        situacao: made.choice("situacao", SITUATIONS).and_then(Situacao::from_word),
        ..ReceivedFilter::default()
    };
    match made.choice("manifestacao", MANIFESTATIONS) {
        // other types know no manifestation, or are not awaited
        Some("pendente") if of_document.tipo.is_none_or(|tipo| tipo == Tipo::Nfe) => {
            of_document.tipo = Some(Tipo::Nfe);
            of_document.manifestacao = Some(None);
        }
        Some("pendente") => {
            made.problems.push(("manifestacao", "Só a NF-e espera manifestação: escolha NF-e no tipo.".to_owned()))
        }
        said => of_document.manifestacao = said.map(|word| Some(word.to_owned())),
    }
    let open = match made.choice("prazo", DEADLINES) {
        Some("acaba") => Some(deadline::nearing(app.engine().now_s())),
        Some(_) => Some(deadline::over(app.engine().now_s())),
        None => None,
    };
    let after = made.choice("novas", &[("sim", "")]).and(seen);
    let time = CivilTime::of_issuer(app.store(), visitor.at.caller.tenant_id, of_document.cpf_cnpj).await?;
    of_document.periodo = made.period(time);
    let desde = made.date("desde");
    let filter = InboxFilter {
        nome: made.given("nome"),
        valor: made.amounts(),
        after,
        recebida: time.days(desde, None),
        open,
        of_document,
    };
    made.filter = made.problems.is_empty().then_some(filter);
    Ok(made)
}

/// A decimal with two places from an amount as people write it; `None` for any other text.
fn amount(text: &str) -> Option<String> {
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

impl InboxQuery {
    fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name).to_owned()).filter(|text| !text.is_empty())
    }

    fn parsed<T>(&mut self, name: &'static str, problem: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.given(name)?;
        let parsed = parse(&text);
        if parsed.is_none() {
            self.problems.push((name, problem.to_owned()));
        }
        parsed
    }

    fn choice(&mut self, name: &'static str, choices: FieldChoices) -> Option<&'static str> {
        self.parsed(name, "Escolha uma das opções da lista.", |text| {
            choices.iter().find(|(word, _)| *word == text).map(|(word, _)| *word)
        })
    }

    fn document_number(&mut self, name: &'static str) -> Option<CnpjCpf> {
        self.parsed(name, "Este CNPJ ou CPF não confere: veja se falta ou sobra algum dígito.", |text| {
            CnpjCpf::parse(text).ok()
        })
    }

    fn date(&mut self, name: &'static str) -> Option<Date> {
        self.parsed(name, "Escreva a data como 2026-11-20.", |text| {
            text.parse().ok().filter(|_| text.len() == "AAAA-MM-DD".len())
        })
    }

    fn period(&mut self, time: CivilTime) -> Period {
        let (de, ate) = (self.date("de"), self.date("ate"));
        if de.zip(ate).is_some_and(|(de, ate)| ate < de) {
            self.problems.push(("ate", "O último dia vem antes do primeiro.".to_owned()));
        }
        time.days(de, ate)
    }

    fn amounts(&mut self) -> (Option<String>, Option<String>) {
        const PROBLEM: &str = "Escreva o valor como 1.234,56.";
        (self.parsed("valor_de", PROBLEM, amount), self.parsed("valor_ate", PROBLEM, amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        let read = |text| amount(text);
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
