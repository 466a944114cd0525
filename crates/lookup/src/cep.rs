//! An address by its CEP, and CEPs by their street. Order: the imported base, the sources, the table of prefixes.

use crate::chain::sources_unavailable;
use crate::source::LookupSource;
use crate::{Endereco, Lookup, LookupAnswer, LookupError};
use fiscal::fold::fold_words;
use fiscal::value::Uf;
use serde_json::Value;
use store::lookups::{CepRow, CepSearch, PublicRegister};

/// Criteria of a search by street.
#[derive(Debug, Clone, Default)]
pub struct StreetSearch {
    /// Name of the street, with or without its kind in front.
    pub logradouro: String,
    /// Kind of street, e.g. `Rua`.
    pub tipo: Option<String>,
    pub bairro: Option<String>,
    pub cidade: Option<String>,
    pub uf: Option<Uf>,
    /// Entries per page.
    pub limite: usize,
    /// Page, counted from 1.
    pub pagina: usize,
}

/// A page of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressPage {
    pub page: Vec<Endereco>,
    /// Entries of all pages.
    pub total: usize,
    /// Name of the source.
    pub fonte: String,
}

/// Name of the imported base in `fonte`.
const BASE: &str = "base_local";
/// Name of the table of prefixes in `fonte`.
const PREFIXES: &str = "prefixo_do_cep";

impl Lookup {
    /// Returns the address of a CEP of 8 digits.
    pub async fn cep(&self, cep: &str, now: i64) -> Result<LookupAnswer<Endereco>, LookupError> {
        let number: u32 = cep.parse().unwrap_or_default();
        if fiscal::cep::uf(number).is_none() {
            return Ok(LookupAnswer::No("as faixas de CEP dos Correios".to_owned()));
        }
        if let Some(row) = self.shared.store.cep(cep).await? {
            return Ok(LookupAnswer::Yes(address(row)));
        }
        if self.sources(PublicRegister::Cep).is_empty() {
            return Ok(LookupAnswer::Yes(by_prefix(cep, number)));
        }
        Ok(match self.ask_sources(PublicRegister::Cep, cep, now).await? {
            // A cached answer of another version may have another shape: members that it lacks are absent.
            LookupAnswer::Yes(body) => {
                LookupAnswer::Yes(serde_json::from_value(body).unwrap_or_else(|_| by_prefix(cep, number)))
            }
            LookupAnswer::No(source) => LookupAnswer::No(source),
        })
    }

    /// Returns the addresses of a street.
    pub async fn search_ceps(&self, street: &StreetSearch, now: i64) -> Result<AddressPage, LookupError> {
        if self.shared.store.active_load(PublicRegister::Cep).await?.is_some() {
            let (rows, total) = self.shared.store.search_ceps(stored(street)).await?;
            let page = rows.into_iter().map(address).collect();
            return Ok(AddressPage { page, total: usize::try_from(total).unwrap_or_default(), fonte: BASE.to_owned() });
        }
        if !self.sources(PublicRegister::Cep).iter().any(LookupSource::can_search) {
            return Err(LookupError::NotConfigured(NOBODY_SEARCHES));
        }
        let (Some(uf), Some(cidade)) = (street.uf, &street.cidade) else {
            return Err(LookupError::NotConfigured(NEEDS_CITY));
        };
        let (all, fonte) = match self.search_outside(uf, cidade, &street.logradouro, now).await? {
            LookupAnswer::Yes((all, fonte)) => (all, fonte),
            LookupAnswer::No(fonte) => (Vec::new(), fonte),
        };
        Ok(page_of(all, street, fonte))
    }

    async fn search_outside(
        &self,
        uf: Uf,
        cidade: &str,
        logradouro: &str,
        now: i64,
    ) -> Result<LookupAnswer<(Vec<Endereco>, String)>, LookupError> {
        let parts = [uf.sigla().to_owned(), fold_words(cidade), expand_abbreviation(&fold_words(logradouro))];
        let key = format!("busca:{}", parts.join("/"));
        let told = |body: Value, fonte: String| (serde_json::from_value(body).unwrap_or_default(), fonte);
        if let Some(LookupAnswer::Yes(body)) = self.cached_answer(PublicRegister::Cep, &key, now).await? {
            return Ok(LookupAnswer::Yes(told(body, "cache".to_owned())));
        }
        let mut silences = Vec::new();
        for source in self.sources(PublicRegister::Cep).iter().filter(|source| source.can_search()) {
            match source.search(&self.shared.outside, [&parts[0], &parts[1], &parts[2]]).await {
                Ok(found) => {
                    let body = serde_json::to_value(&found).unwrap_or_default();
                    self.cache_answer(PublicRegister::Cep, &key, &source.spec.name, Some(&body), now).await;
                    return Ok(LookupAnswer::Yes((found, source.spec.name.clone())));
                }
                Err(silence) => silences.push(silence),
            }
        }
        Err(LookupError::Down(sources_unavailable(&silences)))
    }
}

const NEEDS_CITY: &str = "Sem uf e cidade só a base completa de CEP pode buscar por logradouro, e ela não foi importada nesta instalação. \
                          Informe uf e cidade, ou peça ao operador: carimbo dados importar cep.";
const NOBODY_SEARCHES: &str = "Nenhuma fonte que busque por logradouro está configurada nesta instalação. Peça ao operador a base completa \
                               (carimbo dados importar cep) ou a fonte viacep (consultas.cep_fontes).";

fn stored(street: &StreetSearch) -> CepSearch {
    let limit = street.limite.max(1);
    CepSearch {
        logradouro: expand_abbreviation(&fold_words(&street.logradouro)),
        tipo: street
            .tipo
            .as_deref()
            .map(|tipo| expand_abbreviation(&format!("{} x", fold_words(tipo))).trim_end_matches(" x").to_owned()),
        bairro: street.bairro.as_deref().map(fold_words),
        cidade: street.cidade.as_deref().map(fold_words),
        uf: street.uf.map(|uf| uf.sigla().to_owned()),
        limit: i64::try_from(limit).unwrap_or(i64::MAX),
        offset: i64::try_from(limit.saturating_mul(street.pagina.saturating_sub(1))).unwrap_or(i64::MAX),
    }
}

/// Filters the answer of a source as the base filters its rows.
fn page_of(all: Vec<Endereco>, street: &StreetSearch, fonte: String) -> AddressPage {
    let wanted = stored(street);
    let has = |text: &Option<String>, part: &str| text.as_deref().is_some_and(|text| fold_words(text).contains(part));
    let fits = |address: &Endereco| {
        let kind = wanted
            .tipo
            .as_deref()
            .is_none_or(|tipo| address.tipo.as_deref().is_some_and(|found| fold_words(found) == tipo));
        kind && wanted.bairro.as_deref().is_none_or(|bairro| has(&address.bairro, bairro))
    };
    let mut all: Vec<Endereco> = all.into_iter().filter(fits).collect();
    all.sort_by(|one, other| one.cep.cmp(&other.cep));
    let total = all.len();
    let start = usize::try_from(wanted.offset).unwrap_or(usize::MAX);
    let page = all.into_iter().skip(start).take(street.limite.max(1)).collect();
    AddressPage { page, total, fonte }
}

/// Writes out an abbreviated kind of street, in folded text.
fn expand_abbreviation(folded: &str) -> String {
    let Some((first, rest)) = folded.split_once(' ') else { return folded.to_owned() };
    let whole = ABBREVIATIONS.iter().find(|(short, _)| *short == first).map_or(first, |(_, whole)| whole);
    format!("{whole} {rest}")
}

const ABBREVIATIONS: [(&str, &str); 12] = [
    ("r", "rua"),
    ("av", "avenida"),
    ("al", "alameda"),
    ("pc", "praca"),
    ("pca", "praca"),
    ("tv", "travessa"),
    ("trav", "travessa"),
    ("rod", "rodovia"),
    ("est", "estrada"),
    ("lgo", "largo"),
    ("pq", "parque"),
    ("vl", "vila"),
];

/// Converts a row of the imported base. A city that is no município (a district) takes the code of the CEP's prefix,
/// and the address is marked partial.
fn address(row: CepRow) -> Endereco {
    let present = |text: String| (!text.is_empty()).then_some(text);
    let address = Endereco {
        logradouro: present(row.logradouro),
        complemento: present(row.complemento),
        bairro: present(row.bairro),
        cidade: present(row.cidade),
        uf: present(row.uf),
        ibge: row.municipio,
        fonte: BASE.to_owned(),
        cep: row.cep,
        ..Endereco::default()
    };
    let mut address = address.completed();
    if address.ibge.is_none() {
        let near = fiscal::cep::municipio(address.cep.parse().unwrap_or_default());
        address.ibge = near.map(|found| found.codigo.to_string());
        address.parcial = true;
    }
    address
}

fn by_prefix(cep: &str, number: u32) -> Endereco {
    let municipio = fiscal::cep::municipio(number);
    let address = Endereco {
        cep: cep.to_owned(),
        cidade: municipio.map(|found| found.nome.to_owned()),
        ibge: municipio.map(|found| found.codigo.to_string()),
        uf: fiscal::cep::uf(number).map(|uf| uf.sigla().to_owned()),
        parcial: true,
        fonte: PREFIXES.to_owned(),
        ..Endereco::default()
    };
    address.completed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviated_kinds_are_written_out() {
        assert_eq!(expand_abbreviation("av paulista"), "avenida paulista");
        assert_eq!(expand_abbreviation("paulista"), "paulista");
        let street = StreetSearch {
            logradouro: "R. Augusta".into(),
            tipo: Some("Av.".into()),
            limite: 20,
            pagina: 3,
            ..StreetSearch::default()
        };
        let search = stored(&street);
        assert_eq!(
            (search.logradouro.as_str(), search.tipo.as_deref(), search.offset),
            ("rua augusta", Some("avenida"), 40)
        );
    }

    #[test]
    fn the_digits_alone_tell_city_and_state_and_say_that_it_is_partial() {
        let address = by_prefix("01310100", 1_310_100);
        assert_eq!((address.cidade.as_deref(), address.ibge.as_deref()), (Some("São Paulo"), Some("3550308")));
        assert!(address.parcial && address.logradouro.is_none());
        let district = CepRow {
            cep: "01310100".into(),
            uf: "SP".into(),
            municipio: None,
            cidade: "Distrito Qualquer".into(),
            bairro: String::new(),
            logradouro: String::new(),
            complemento: String::new(),
        };
        let address = super::address(district);
        assert_eq!(
            (address.cidade.as_deref(), address.ibge.as_deref(), address.parcial),
            (Some("Distrito Qualquer"), Some("3550308"), true)
        );
    }
}
