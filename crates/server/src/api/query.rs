//! Query parameters of a request. A parameter without effect is ignored and listed in `avisos`, or refused with
//! `estrito=true`; known parameters with bad values are refused all together.
//!
//! Law: `docs/contract.md`, "Responses". A handler reads its parameters one by one and calls `finish` at the end.

use fiscal::finding::{MOST_REPORTED, Notice};
use fiscal::value::{ChaveAcesso, ChaveNfse, CnpjCpf};
use jiff::civil::Date;
use std::borrow::Cow;
use std::cell::RefCell;

use super::error::{ApiError, FieldProblem};
use super::error_code;
use super::unknown_members::misnamed;
use super::view::view;

/// Decoded parameters, and the problems of those read so far.
pub(crate) struct Query<'q> {
    pairs: Vec<(Cow<'q, str>, Cow<'q, str>)>,
    problems: Vec<FieldProblem>,
    /// Names that the handler has read so far: the parameters of this route.
    known: RefCell<Vec<&'static str>>,
    /// True when parameters without effect are refused.
    estrito: bool,
}

impl<'q> Query<'q> {
    /// Decodes the text after the `?`.
    pub(crate) fn new(text: Option<&'q str>) -> Query<'q> {
        let pairs = form_urlencoded::parse(text.unwrap_or_default().as_bytes()).collect();
        let mut query = Query { pairs, problems: Vec::new(), known: RefCell::default(), estrito: false };
        query.estrito = query.flag(ESTRITO).unwrap_or(false);
        query
    }

    /// True when notices are refusals for this caller.
    pub(crate) fn estrito(&self) -> bool {
        self.estrito
    }

    /// A text; absent and empty are the same.
    pub(crate) fn text(&self, name: &'static str) -> Option<&str> {
        self.known.borrow_mut().push(name);
        let found = self.pairs.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// A whole number of 1 to `most`.
    pub(crate) fn whole(&mut self, name: &'static str, default: usize, most: usize) -> usize {
        let Some(text) = self.text(name) else { return default };
        match text.parse() {
            Ok(number) if (1..=most).contains(&number) => number,
            _ => {
                self.refuse(name, format!("{name} deve ser um número inteiro de 1 a {most}."));
                default
            }
        }
    }

    /// A whole number within these bounds.
    pub(crate) fn number<N: std::str::FromStr + PartialOrd + std::fmt::Display>(
        &mut self,
        name: &'static str,
        least: N,
        most: N,
    ) -> Option<N> {
        match self.text(name)?.parse::<N>() {
            Ok(number) if number >= least && number <= most => Some(number),
            _ => {
                self.refuse(name, format!("{name} deve ser um número inteiro de {least} a {most}."));
                None
            }
        }
    }

    /// A word of a closed list.
    pub(crate) fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(name)?;
        let chosen = choices.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if chosen.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            self.refuse(name, format!("{name} deve ser um destes: {}.", words.join(", ")));
        }
        chosen
    }

    /// An access key of 44 positions.
    pub(crate) fn chave(&mut self, name: &'static str) -> Option<String> {
        match ChaveAcesso::parse(self.text(name)?) {
            Ok(chave) => Some(chave.as_str().to_owned()),
            Err(wrong) => {
                self.refuse(name, format!("{name} inválida: {wrong}."));
                None
            }
        }
    }

    /// The key of an NFS-e, 50 positions.
    pub(crate) fn chave_nfse(&mut self, name: &'static str) -> Option<String> {
        let chave = ChaveNfse::parse(self.text(name)?).ok().map(|chave| chave.as_str().to_owned());
        if chave.is_none() {
            self.refuse(name, format!("{name} deve ser a chave de uma NFS-e, de 50 posições."));
        }
        chave
    }

    /// A month, `AAAA-MM`.
    pub(crate) fn month(&mut self, name: &'static str) -> Option<String> {
        let text = self.text(name)?.to_owned();
        let is_month = text.len() == "AAAA-MM".len() && format!("{text}-01").parse::<Date>().is_ok();
        if !is_month {
            self.refuse(name, format!("{name} deve ser um mês no formato AAAA-MM."));
        }
        is_month.then_some(text)
    }

    /// A civil date, `AAAA-MM-DD` and nothing else: from an instant only the day would be used, without regard to its
    /// offset.
    pub(crate) fn date(&mut self, name: &'static str) -> Option<Date> {
        let date = Some(self.text(name)?).filter(|text| text.len() == "AAAA-MM-DD".len());
        let date = date.and_then(|text| text.parse().ok());
        if date.is_none() {
            self.refuse(name, format!("{name} deve ser uma data no formato AAAA-MM-DD."));
        }
        date
    }

    /// A CNPJ or CPF, masked or not.
    pub(crate) fn cpf_cnpj(&mut self, name: &'static str) -> Option<CnpjCpf> {
        match CnpjCpf::parse(self.text(name)?) {
            Ok(number) => Some(number),
            Err(wrong) => {
                self.refuse(name, format!("{name} inválido: {wrong}."));
                None
            }
        }
    }

    /// Adds a problem of a parameter.
    pub(crate) fn refuse(&mut self, name: &str, mensagem: String) {
        self.refuse_as(&error_code::REQUISICAO_INVALIDA, name, mensagem);
    }

    /// Adds a problem with another code.
    pub(crate) fn refuse_as(&mut self, code: &'static error_code::ApiErrorCode, name: &str, mensagem: String) {
        self.problems.push(FieldProblem::new(code, name, mensagem));
    }

    /// `true` or `false`, also as `1` or `0`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        self.choice(name, &[("true", true), ("false", false), ("1", true), ("0", false)])
    }

    /// Notices of parameters without effect: unknown names, and values after the first of a name.
    ///
    /// # Errors
    ///
    /// Every problem found; with `estrito=true` each parameter without effect is a problem.
    pub(crate) fn finish(mut self) -> Result<Vec<Notice>, ApiError> {
        let ignored = self.ignored();
        if self.estrito {
            let refused =
                ignored.iter().map(|notice| FieldProblem::of_notice(&error_code::REQUISICAO_INVALIDA, UNKNOWN, notice));
            self.problems.extend(refused);
        }
        if self.problems.is_empty() { Ok(ignored) } else { Err(ApiError::from_problems(self.problems)) }
    }

    fn ignored(&self) -> Vec<Notice> {
        let known = self.known.borrow();
        let mut ignored = Vec::new();
        for (at, (name, _)) in self.pairs.iter().enumerate() {
            let is_known = known.contains(&name.as_ref());
            let is_repeated = self.pairs[..at].iter().any(|(earlier, _)| earlier == name);
            match (is_known, is_repeated) {
                (true, true) => ignored.push(repetition(name)),
                (false, false) => ignored.push(unknown(name, &known)),
                _ => {}
            }
            if ignored.len() == MOST_REPORTED {
                break;
            }
        }
        ignored
    }
}

/// Refuses parameters without effect instead of ignoring them.
const ESTRITO: &str = "estrito";

const UNKNOWN: &str = "parametro_desconhecido";

fn unknown(name: &str, known: &[&'static str]) -> Notice {
    misnamed(name, known, UNKNOWN, |name| format!("O parâmetro {name} não tem efeito nesta consulta e foi ignorado."))
}

fn repetition(name: &str) -> Notice {
    let mensagem =
        format!("O parâmetro {name} veio mais de uma vez: vale o primeiro valor, os outros foram ignorados.");
    Notice::of(name.to_owned(), UNKNOWN, &mensagem, None)
}

/// `limite` and `pagina` of a listing: 20 per page by default, at most 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageParameters {
    /// Entries per page.
    pub(crate) limite: usize,
    /// From 1.
    pub(crate) pagina: usize,
}

view! {
    pub(crate) struct PageView {
        total: u64 = "Quantos há ao todo; com filtros, quantos eles acham.",
        pagina: usize = "Esta página, a partir de 1.",
        limite: usize = "Quantos por página.",
        avisos: Vec<Notice> = "Parâmetros da consulta que não têm efeito: desconhecidos ou repetidos. Com `estrito=true` são um erro 400.",
    }
}

impl PageParameters {
    /// Reads both parameters.
    pub(crate) fn read(query: &mut Query<'_>) -> PageParameters {
        PageParameters { limite: query.whole("limite", 20, 100), pagina: query.whole("pagina", 1, 1_000_000) }
    }

    /// Page of a list without other parameters.
    pub(crate) fn alone(query: Option<&str>) -> Result<(PageParameters, Vec<Notice>), ApiError> {
        let mut query = Query::new(query);
        let page = PageParameters::read(&mut query);
        query.finish().map(|avisos| (page, avisos))
    }

    /// Number of entries before this page.
    pub(crate) fn skip(self) -> usize {
        self.limite.saturating_mul(self.pagina - 1)
    }

    /// Page members of a list.
    pub(crate) fn view(self, total: u64, avisos: Vec<Notice>) -> PageView {
        PageView { total, pagina: self.pagina, limite: self.limite, avisos }
    }

    /// Page members of a list that is read just after its entries were counted.
    pub(crate) fn view_of<T>(self, shown: &[T], total: u64, avisos: Vec<Notice>) -> PageView {
        self.view(self.counted(shown.len(), total), avisos)
    }

    /// Lower bound of the total: on PostgreSQL the page may hold an entry that was added after the count.
    pub(crate) fn counted(self, shown: usize, total: u64) -> u64 {
        let seen = if shown == 0 { 0 } else { self.skip().saturating_add(shown) };
        total.max(u64::try_from(seen).unwrap_or(u64::MAX))
    }

    /// The entries of this page.
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        let start = self.skip().min(all.len());
        &all[start..start.saturating_add(self.limite).min(all.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_and_bounded() {
        let page = |query| PageParameters::alone(query).unwrap().0;
        assert_eq!(page(None), PageParameters { limite: 20, pagina: 1 });
        assert_eq!(page(Some("x=1&pagina=2&limite=3")).of(&[1, 2, 3, 4]), [4]);
        assert!(page(Some("pagina=99")).of(&[1]).is_empty());
        let error = PageParameters::alone(Some("limite=101&pagina=0")).unwrap_err().body("/", "id");
        assert_eq!(error["erros"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_parameter_without_effect_is_told_once_and_refused_when_strict() {
        let (_, told) = PageParameters::alone(Some("paginas=2&limite=3&limite=4&x=1&x=2&estrito=false")).unwrap();
        let told: Vec<_> = told.iter().map(|one| (one.campo.as_str(), one.sugestao.as_deref())).collect();
        assert_eq!(told, [("paginas", Some("pagina")), ("limite", None), ("x", None)]);
        let error = PageParameters::alone(Some("paginas=2&limite=0&estrito=1")).unwrap_err().body("/", "id");
        let campos: Vec<_> = error["erros"].as_array().unwrap().iter().map(|one| &one["campo"]).collect();
        assert_eq!(campos, ["limite", "paginas"]);
        assert_eq!((&error["status"], &error["erros"][1]["codigo"]), (&400.into(), &UNKNOWN.into()));
    }

    #[test]
    fn an_estrito_of_no_meaning_is_one_problem() {
        let query = Query::new(Some("estrito=talvez"));
        assert!(!query.estrito());
        let error = query.finish().unwrap_err().body("/", "id");
        assert_eq!(error["erros"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_thousand_parameters_without_effect_are_told_up_to_a_bound() {
        let many: String = (0..1_000).map(|at| format!("p{at}=1&")).collect();
        assert_eq!(PageParameters::alone(Some(&many)).unwrap().1.len(), MOST_REPORTED);
    }

    #[test]
    fn a_page_never_shows_more_than_there_are() {
        let page = PageParameters { limite: 20, pagina: 3 };
        assert_eq!([(0, 40), (1, 40), (2, 99)].map(|(shown, total)| page.counted(shown, total)), [40, 41, 99]);
        assert_eq!(page.view_of(&["one", "two"], 41, Vec::new()).total, 42);
    }

    #[test]
    fn a_date_is_a_day_and_no_instant() {
        let instants = [
            "2026-11-20T23:30:00Z",
            "2026-11-20T23:30:00-11:00",
            "20261120",
            "-002026-11-20",
            "2026-11-2",
            "+02026-1-1",
        ];
        for text in instants.into_iter().chain(["2026-11-31", "0000000000", "2026-11-\u{664}"]) {
            let asked = form_urlencoded::Serializer::new(String::new()).append_pair("de", text).finish();
            let mut query = Query::new(Some(&asked));
            assert_eq!(query.date("de"), None, "{text}");
            assert!(query.finish().is_err(), "{text}");
        }
        assert_eq!(Query::new(Some("de=+2026-11-20+")).date("de"), "2026-11-20".parse().ok());
    }

    #[test]
    fn values_are_decoded_and_typed() {
        let mut query = Query::new(Some("termo=%C3%A1gua+viva&de=2026-02-29&tipo=nfe&cnpj=12.ABC.345%2F01DE-35&uf="));
        assert_eq!(query.text("termo"), Some("água viva"));
        assert_eq!(query.text("uf"), None);
        assert_eq!(query.choice("tipo", &[("nfe", 1), ("nfce", 2)]), Some(1));
        assert_eq!(query.cpf_cnpj("cnpj").unwrap().as_str(), "12ABC34501DE35");
        assert_eq!(query.date("de"), None);
        let error = query.finish().unwrap_err().body("/", "id");
        assert_eq!(error["erros"][0]["campo"], "de");
    }
}
