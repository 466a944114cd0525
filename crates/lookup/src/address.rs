//! An address in one form for every source: Portuguese names, with the IBGE code that documents need.

use fiscal::value::{Uf, municipio};
use serde::{Deserialize, Serialize};

/// The address of a CEP.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endereco {
    pub cep: String,
    /// `Rua`, when the street begins with a known kind.
    pub tipo: Option<String>,
    /// Street with its kind: `Rua Augusta`.
    pub logradouro: Option<String>,
    pub complemento: Option<String>,
    pub unidade: Option<String>,
    pub bairro: Option<String>,
    pub cidade: Option<String>,
    pub uf: Option<String>,
    pub estado: Option<String>,
    pub regiao: Option<String>,
    /// IBGE code of the município, 7 digits.
    pub ibge: Option<String>,
    pub gia: Option<String>,
    pub ddd: Option<String>,
    pub siafi: Option<String>,
    /// `true` when the first digits of the CEP alone decided the IBGE code, or city and state.
    pub parcial: bool,
    /// Name of the source.
    pub fonte: String,
}

impl Endereco {
    /// Derives missing members from the rest: the state's names, the município's code from its name or the reverse, the
    /// street's kind.
    pub(crate) fn completed(mut self) -> Endereco {
        let by_code = self.ibge.as_ref().and_then(|code| municipio::find(code.parse().ok()?));
        if self.uf.is_none() {
            self.uf = by_code.and_then(|found| found.uf()).map(|uf| uf.sigla().to_owned());
        }
        let uf = self.uf.as_deref().and_then(Uf::from_sigla);
        let by_name = || municipio::find_by_name(uf?, self.cidade.as_deref()?);
        match by_code {
            Some(found) => self.cidade = self.cidade.or_else(|| Some(found.nome.to_owned())),
            // A code of no município is dropped.
            None => self.ibge = by_name().map(|found| found.codigo.to_string()),
        }
        self.estado = uf.map(|uf| uf.nome().to_owned());
        self.regiao = uf.map(|uf| uf.regiao().to_owned());
        self.tipo = self.logradouro.as_deref().and_then(kind).map(str::to_owned);
        self
    }
}

/// The kind that a street's name begins with.
pub(crate) fn kind(logradouro: &str) -> Option<&str> {
    let (first, rest) = logradouro.trim().split_once(' ')?;
    let folded = fiscal::fold::fold(first);
    (KINDS.contains(&folded.as_str()) && !rest.trim().is_empty()).then_some(first)
}

/// Frequent kinds of streets of the Correios, folded.
const KINDS: &[&str] = &[
    "acesso",
    "aeroporto",
    "alameda",
    "area",
    "avenida",
    "av",
    "balneario",
    "beco",
    "boulevard",
    "caminho",
    "campo",
    "chacara",
    "colonia",
    "condominio",
    "conjunto",
    "corredor",
    "distrito",
    "escadaria",
    "esplanada",
    "estacao",
    "estrada",
    "fazenda",
    "favela",
    "feira",
    "galeria",
    "granja",
    "jardim",
    "ladeira",
    "lago",
    "lagoa",
    "largo",
    "linha",
    "loteamento",
    "marginal",
    "morro",
    "nucleo",
    "parque",
    "passagem",
    "passarela",
    "patio",
    "praca",
    "praia",
    "quadra",
    "ramal",
    "recanto",
    "residencial",
    "rodovia",
    "rotula",
    "rua",
    "r",
    "servidao",
    "setor",
    "sitio",
    "travessa",
    "trecho",
    "trevo",
    "tunel",
    "vale",
    "variante",
    "vereda",
    "via",
    "viaduto",
    "viela",
    "vila",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_follows_from_the_name_and_the_name_from_the_code() {
        let by_name = Endereco {
            logradouro: Some("Praça da Sé".into()),
            cidade: Some("SAO PAULO".into()),
            uf: Some("SP".into()),
            ..Endereco::default()
        };
        let by_name = by_name.completed();
        assert_eq!(by_name.ibge.as_deref(), Some("3550308"));
        assert_eq!((by_name.tipo.as_deref(), by_name.regiao.as_deref()), (Some("Praça"), Some("Sudeste")));
        let by_code = Endereco { ibge: Some("4314902".into()), ..Endereco::default() }.completed();
        assert_eq!(
            (by_code.cidade.as_deref(), by_code.estado.as_deref()),
            (Some("Porto Alegre"), Some("Rio Grande do Sul"))
        );
        let wrong = Endereco { ibge: Some("1".into()), ..Endereco::default() }.completed();
        assert_eq!(wrong.ibge, None);
    }

    #[test]
    fn a_street_begins_with_its_kind_or_has_none() {
        assert_eq!(kind("Avenida Paulista"), Some("Avenida"));
        assert_eq!(kind("Paulista"), None);
        assert_eq!(kind("Rua "), None);
    }
}
