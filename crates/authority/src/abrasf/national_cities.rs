//! Municípios whose companies issue by the Sefin Nacional, with the sources for and against it. The convênio overrides
//! the table where it was read.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A município with the national emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NationalCity {
    /// IBGE code.
    pub codigo: u32,
    /// Day of the newest source, `AAAA-MM-DD`.
    pub seen: &'static str,
    /// Sources, one letter each.
    sources: &'static str,
    /// First list that shows the state: a day, a month or a year.
    pub since: Option<&'static str>,
    /// Earlier provider and version.
    pub before: Option<&'static str>,
    /// Sources that still name another provider, with its name.
    pub against: Option<&'static str>,
    /// The município's own act.
    pub act: Option<&'static str>,
    /// The emitter opened when the obligation of the Simples began, so it may be open to the Simples alone.
    pub late: bool,
}

/// The builtin row of a município.
pub(super) fn builtin(codigo: u32) -> Option<&'static NationalCity> {
    ROWS.get(&codigo)
}

pub(super) fn all() -> impl Iterator<Item = &'static NationalCity> {
    ROWS.values()
}

static ROWS: LazyLock<BTreeMap<u32, NationalCity>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    // a line that does not read is none; a test reads every one
    lines.filter_map(read).map(|city| (city.codigo, city)).collect()
});

const TABLE: &str = include_str!("../tables/municipios_nacional.tsv");

fn read(line: &'static str) -> Option<NationalCity> {
    let mut columns = line.split('\t');
    let mut city = NationalCity {
        codigo: columns.next()?.parse().ok()?,
        seen: columns.next()?,
        sources: columns.next()?,
        since: None,
        before: None,
        against: None,
        act: None,
        late: false,
    };
    if city.sources.is_empty() || !city.sources.chars().all(|letter| source(letter).is_some()) {
        return None;
    }
    for fact in columns.next()?.split(';').filter(|fact| !fact.is_empty()) {
        let (name, value) = fact.split_once('=').unwrap_or((fact, ""));
        match name {
            "since" => city.since = Some(value),
            "before" => city.before = Some(value),
            "against" => city.against = Some(value),
            "act" => city.act = Some(value),
            "late" => city.late = true,
            _ => return None,
        }
    }
    Some(city)
}

fn source(letter: char) -> Option<&'static str> {
    match letter {
        'P' => Some("planilha oficial de adesões (gov.br/nfse) de 10/07/2026 e de 28/09/2026"),
        'S' => Some("planilha oficial de adesões (gov.br/nfse) de 28/09/2026"),
        'A' => Some("lista de cidades do ACBr de 28/06/2026"),
        'D' => Some("lista de cidades do ACBr de 28/06/2026, tirada da planilha"),
        'R' => Some("registro de mudanças do ACBr até 06/08/2026"),
        'U' => Some("registro de mudanças do Uninfe, março de 2026"),
        'N' => Some("NFS-e pública gerada pela Sefin Nacional"),
        _ => None,
    }
}

impl NationalCity {
    /// Its sources in words.
    pub fn sources(&self) -> String {
        let act = self.act.into_iter();
        act.chain(self.sources.chars().filter_map(source)).collect::<Vec<_>>().join(", ")
    }

    /// Known facts, as Portuguese sentences.
    pub(super) fn known_facts(&self) -> Vec<String> {
        let mut why = vec![format!("o município emite pelo emissor nacional ({})", self.sources())];
        why.extend(self.since.map(|since| match since {
            IN_BLOCK => {
                "a lista do ACBr o diz desde 02/02/2026, numa revisão em bloco: o dia da mudança não se sabe".to_owned()
            }
            since => format!("a primeira lista que o diz é de {}", day(since)),
        }));
        why.extend(self.before.map(|before| format!("antes tinha {before}")));
        why.extend(self.against.map(|against| format!("contra: {against}")));
        if self.late {
            why.push(
                "o emissor nacional abriu entre 10/07/2026 e 28/09/2026: pode ser só para o Simples. Confirme com a prefeitura"
                    .to_owned(),
            );
        }
        why
    }
}

/// ACBr's revision of its whole list.
const IN_BLOCK: &str = "2026-02-02";

/// `DD/MM/AAAA` of a day, `MM/AAAA` of a month, a year as it is.
pub(super) fn day(text: &str) -> String {
    let parts: Vec<&str> = text.split('-').rev().collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_reads_and_stands_in_order() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        let read: Vec<u32> = lines.iter().map(|line| read(line).unwrap_or_else(|| panic!("{line}")).codigo).collect();
        assert!(read.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((all().count(), lines.len()), (2_598, 2_598));
        for city in all() {
            assert!(fiscal::value::municipio::find(city.codigo).is_some(), "{city:?}");
            assert!(city.seen.len() == 10 && !city.sources().is_empty() && !city.known_facts().is_empty(), "{city:?}");
        }
    }

    #[test]
    fn a_row_says_who_says_so_since_when_and_what_was_before() {
        let rio = builtin(3_304_557).unwrap().known_facts();
        assert!(rio[0].contains("Decreto Rio 56.921/2025") && rio[0].contains("planilha oficial"), "{rio:?}");
        assert!(rio.contains(&"a primeira lista que o diz é de 01/2026".to_owned()), "{rio:?}");
        assert!(rio.contains(&"antes tinha ISSRio 1.00".to_owned()), "{rio:?}");
        let doubted = all().filter(|city| city.against.is_some()).count();
        assert!(doubted > 500, "{doubted}");
    }
}
