//! The layout of Receita Federal's open data, and a company's registration from its rows.
//!
//! Law: "Novo layout dos dados abertos do CNPJ".

use crate::Cadastro;
use fiscal::value::{Uf, municipio};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::lookups::{BulkTable, CnpjRecord};

/// Separator between the fields of a stored row.
pub(crate) const FIELD: char = '\u{1f}';

/// Kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dataset {
    Companies,
    Establishments,
    Simples,
    Partners,
    /// Code and text; the prefix is stored in front of the code.
    Domain(&'static str),
}

/// Parts of the names by which files, also inside a ZIP, are recognised.
#[rustfmt::skip]
const NAMES: &[(&str, Dataset)] = &[
    ("ESTABELE", Dataset::Establishments), ("EMPRE", Dataset::Companies), ("SIMPLES", Dataset::Simples), ("SOCIO", Dataset::Partners),
    ("CNAE", Dataset::Domain("cnae")), ("MOTI", Dataset::Domain("motivo")), ("MUNIC", Dataset::Domain("municipio")),
    ("NATUREZA", Dataset::Domain("natureza")), ("NATJU", Dataset::Domain("natureza")), ("PAIS", Dataset::Domain("pais")),
    ("QUALIFICA", Dataset::Domain("qualificacao")), ("QUALS", Dataset::Domain("qualificacao")),
];

impl Dataset {
    pub(crate) fn of_name(name: &str) -> Option<Dataset> {
        let name = name.to_uppercase();
        NAMES.iter().find(|(word, _)| name.contains(word)).map(|(_, kind)| *kind)
    }

    pub(crate) fn table(self) -> BulkTable {
        match self {
            Dataset::Companies => BulkTable::Companies,
            Dataset::Establishments => BulkTable::Establishments,
            Dataset::Simples => BulkTable::Simples,
            Dataset::Partners => BulkTable::Partners,
            Dataset::Domain(_) => BulkTable::Domains,
        }
    }

    fn width(self) -> usize {
        match self {
            Dataset::Companies | Dataset::Simples => 7,
            Dataset::Establishments => 30,
            Dataset::Partners => 11,
            Dataset::Domain(_) => 2,
        }
    }

    /// Key and rest of a record; `None` when it is no record of this kind.
    pub(crate) fn row(self, fields: &[String]) -> Option<[String; 2]> {
        if fields.len() != self.width() {
            return None;
        }
        let root = || Some(fields[0].clone()).filter(|root| is_key(root, 8));
        let rest = |from: usize| fields[from..].join(&FIELD.to_string());
        match self {
            Dataset::Establishments => {
                let cnpj = fields[..3].concat();
                (fields[1].len() == 4 && is_key(&cnpj, 14)).then(|| [cnpj, rest(3)])
            }
            Dataset::Companies | Dataset::Simples | Dataset::Partners => root().map(|root| [root, rest(1)]),
            Dataset::Domain(word) => {
                let code = fields[0].trim_start_matches('0');
                (!fields[0].is_empty()).then(|| [format!("{word}:{code}"), fields[1].clone()])
            }
        }
    }
}

fn is_key(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// The fields of a stored row; missing ones are empty.
struct RowFields<'r>(Vec<&'r str>);

impl<'r> RowFields<'r> {
    fn of(row: &'r str) -> RowFields<'r> {
        RowFields(row.split(FIELD).collect())
    }
    fn get(&self, at: usize) -> &'r str {
        self.0.get(at).copied().unwrap_or_default()
    }
}

fn domain(word: &str, code: &str) -> String {
    format!("{word}:{}", code.trim_start_matches('0'))
}

fn secondary(establishment: &RowFields<'_>) -> Vec<String> {
    establishment.get(9).split(',').map(str::trim).filter(|code| !code.is_empty()).map(str::to_owned).collect()
}

/// Codes of a registration whose texts are looked up.
pub(crate) fn codes(record: &CnpjRecord) -> Vec<String> {
    let establishment = RowFields::of(&record.establishment);
    let company = RowFields::of(record.company.as_deref().unwrap_or_default());
    let mut codes = vec![
        domain("cnae", establishment.get(8)),
        domain("motivo", establishment.get(4)),
        domain("municipio", establishment.get(17)),
        domain("pais", establishment.get(6)),
        domain("natureza", company.get(1)),
    ];
    codes.extend(secondary(&establishment).iter().map(|code| domain("cnae", code)));
    codes.extend(record.partners.iter().map(|partner| domain("qualificacao", RowFields::of(partner).get(3))));
    codes.sort();
    codes.dedup();
    codes.retain(|code| !code.ends_with(':'));
    codes
}

/// Builds a registration from the rows and the texts of their codes.
pub(crate) fn cadastro(cnpj: &str, record: &CnpjRecord, texts: &HashMap<String, String>) -> Cadastro {
    let mut cadastro = Cadastro::new(cnpj);
    let text =
        |word: &str, code: &str| texts.get(&domain(word, code)).map_or(Value::Null, |text| Value::from(text.as_str()));
    let fields = RowFields::of(&record.establishment);
    for (name, at) in ESTABLISHMENT {
        cadastro.set(name, fields.get(*at));
    }
    let word = |words: &[(&str, &'static str)], code: &str| {
        words.iter().find(|(known, _)| *known == code).map(|(_, word)| *word)
    };
    cadastro.set("descricao_identificador_matriz_filial", word(&[("1", "MATRIZ"), ("2", "FILIAL")], fields.get(0)));
    cadastro.set("descricao_situacao_cadastral", word(SITUATIONS, fields.get(2)));
    cadastro.set("descricao_motivo_situacao_cadastral", text("motivo", fields.get(4)));
    cadastro.set("pais", text("pais", fields.get(6)));
    cadastro.set("cnae_fiscal_descricao", text("cnae", fields.get(8)));
    let secondary =
        secondary(&fields).into_iter().map(|code| json!({ "descricao": text("cnae", &code), "codigo": code }));
    cadastro.set("cnaes_secundarios", secondary.collect::<Value>());
    cadastro.set("municipio", text("municipio", fields.get(17)));
    for (name, at) in [("ddd_telefone_1", 18), ("ddd_telefone_2", 20), ("ddd_fax", 22)] {
        cadastro.set(name, format!("{}{}", fields.get(at), fields.get(at + 1)));
    }
    let uf = Uf::from_sigla(fields.get(16));
    let found = uf.and_then(|uf| municipio::find_by_name(uf, cadastro.get("municipio").as_str()?));
    cadastro.set("codigo_municipio_ibge", found.map(|found| found.codigo));
    company(&mut cadastro, record, &text);
    let partners = record.partners.iter().map(|row| partner(&RowFields::of(row), &text));
    cadastro.set("qsa", partners.collect::<Value>());
    cadastro
}

fn company(cadastro: &mut Cadastro, record: &CnpjRecord, text: &dyn Fn(&str, &str) -> Value) {
    if let Some(row) = &record.company {
        let fields = RowFields::of(row);
        cadastro.set("razao_social", fields.get(0));
        cadastro.set("codigo_natureza_juridica", fields.get(1));
        cadastro.set("natureza_juridica", text("natureza", fields.get(1)));
        cadastro.set("qualificacao_do_responsavel", fields.get(2));
        cadastro.set("capital_social", fields.get(3));
        cadastro.set("codigo_porte", fields.get(4));
        let size = SIZES.iter().find(|(code, _)| *code == fields.get(4)).map(|(_, size)| *size);
        cadastro.set("porte", size);
        cadastro.set("ente_federativo_responsavel", fields.get(5));
    }
    if let Some(row) = &record.simples {
        let fields = RowFields::of(row);
        for (name, at) in SIMPLES {
            cadastro.set(name, fields.get(*at));
        }
    }
}

fn partner(fields: &RowFields<'_>, text: &dyn Fn(&str, &str) -> Value) -> Value {
    let mut told = Cadastro::new("");
    // `set` brings every date into one form.
    told.set("data_inicio_atividade", fields.get(4));
    let present = |at: usize| Some(fields.get(at)).filter(|text| !text.is_empty());
    json!({
        "identificador_de_socio": present(0).and_then(|code| code.parse::<u8>().ok()),
        "nome_socio": present(1),
        "cnpj_cpf_do_socio": present(2),
        "codigo_qualificacao_socio": present(3).and_then(|code| code.parse::<u16>().ok()),
        "qualificacao_socio": text("qualificacao", fields.get(3)),
        "data_entrada_sociedade": told.get("data_inicio_atividade"),
        "pais": present(5),
        "nome_representante_legal": present(7),
        "faixa_etaria": present(9),
    })
}

/// Members and the positions of their fields in a stored row of `Estabelecimentos` (without the three of the CNPJ).
#[rustfmt::skip]
const ESTABLISHMENT: &[(&str, usize)] = &[
    ("identificador_matriz_filial", 0), ("nome_fantasia", 1), ("situacao_cadastral", 2), ("data_situacao_cadastral", 3),
    ("motivo_situacao_cadastral", 4), ("nome_cidade_no_exterior", 5), ("codigo_pais", 6), ("data_inicio_atividade", 7),
    ("cnae_fiscal", 8), ("descricao_tipo_de_logradouro", 10), ("logradouro", 11), ("numero", 12), ("complemento", 13),
    ("bairro", 14), ("cep", 15), ("uf", 16), ("codigo_municipio", 17), ("email", 24), ("situacao_especial", 25),
    ("data_situacao_especial", 26),
];

#[rustfmt::skip]
const SIMPLES: &[(&str, usize)] = &[
    ("opcao_pelo_simples", 0), ("data_opcao_pelo_simples", 1), ("data_exclusao_do_simples", 2),
    ("opcao_pelo_mei", 3), ("data_opcao_pelo_mei", 4), ("data_exclusao_do_mei", 5),
];

const SITUATIONS: &[(&str, &str)] =
    &[("01", "NULA"), ("02", "ATIVA"), ("03", "SUSPENSA"), ("04", "INAPTA"), ("08", "BAIXADA")];
const SIZES: &[(&str, &str)] =
    &[("00", "NÃO INFORMADO"), ("01", "MICRO EMPRESA"), ("03", "EMPRESA DE PEQUENO PORTE"), ("05", "DEMAIS")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names_inside_and_outside_the_zip() {
        for (name, kind) in [
            ("Empresas0.zip", Dataset::Companies),
            ("K3241.K03200Y0.D40608.EMPRECSV", Dataset::Companies),
            ("K3241.K03200Y0.D40608.ESTABELE", Dataset::Establishments),
            ("Socios9.zip", Dataset::Partners),
            ("F.K03200$W.SIMPLES.CSV.D40608", Dataset::Simples),
            ("Naturezas.zip", Dataset::Domain("natureza")),
            ("F.K03200$Z.D40608.QUALSCSV", Dataset::Domain("qualificacao")),
            ("F.K03200$Z.D40608.MUNICCSV", Dataset::Domain("municipio")),
        ] {
            assert_eq!(Dataset::of_name(name), Some(kind), "{name}");
        }
        assert_eq!(Dataset::of_name("leiame.txt"), None);
    }

    #[test]
    fn a_record_of_another_width_or_key_is_none() {
        let row = |kind: Dataset, fields: &[&str]| {
            kind.row(&fields.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(
            row(Dataset::Domain("cnae"), &["0111301", "Arroz"]),
            Some(["cnae:111301".to_owned(), "Arroz".to_owned()])
        );
        assert_eq!(row(Dataset::Domain("cnae"), &["0111301"]), None);
        assert!(row(Dataset::Companies, &["12ABC345", "X", "", "", "", "", ""]).is_some());
        assert_eq!(row(Dataset::Companies, &["1234567", "X", "", "", "", "", ""]), None);
        assert_eq!(row(Dataset::Companies, &["12abc345", "X", "", "", "", "", ""]), None);
    }
}
