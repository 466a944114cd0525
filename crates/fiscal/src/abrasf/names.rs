//! Names of a payload: those of every version, without regard to case or underscores, their synonyms between versions,
//! and those of the national layout and of other services.
//!
//! Law: ABRASF, the XSD of each version; `docs/contract.md`, "NFS-e". A folded path has small letters, no underscores,
//! and `/` between names.

/// Conversion of a value of another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeConversion {
    /// No conversion.
    Same,
    /// `tpRetISSQN` to `iss_retido`: 1 not withheld, 2 by the tomador, 3 by the intermediário.
    Withheld,
    /// `tpRetISSQN` to `responsavel_retencao`.
    Withholder,
    /// `tribISSQN`: 1 taxable, 2 immune, 3 export, 4 not incident.
    Taxation,
    /// `natureza_operacao` of 1.00 to the `exigibilidade_iss` of later versions.
    Nature,
    /// `exigibilidade_iss` to the `natureza_operacao` of 1.00.
    Exigibility,
}

impl CodeConversion {
    /// The code in our layout; `None` when it has no counterpart.
    pub(super) fn read(self, given: &str) -> Option<&str> {
        let table: &[(&str, &str)] = match self {
            CodeConversion::Same => return Some(given),
            CodeConversion::Withheld => &[("1", "2"), ("2", "1"), ("3", "1")],
            CodeConversion::Withholder => &[("2", "1"), ("3", "2")],
            CodeConversion::Taxation => &[("1", "1"), ("2", "5"), ("3", "4"), ("4", "2")],
            CodeConversion::Nature => &[("1", "1"), ("2", "1"), ("3", "3"), ("4", "5"), ("5", "6"), ("6", "7")],
            CodeConversion::Exigibility => &[("1", "1"), ("3", "3"), ("5", "4"), ("6", "5"), ("7", "6")],
        };
        table.iter().find(|(from, _)| *from == given).map(|(_, to)| *to)
    }
}

/// A name in small letters, without `_`, `-` and blanks.
pub(super) fn fold(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The canonical path of a folded path: resolves synonyms and the names of other versions.
pub(super) fn canonical(path: &str) -> String {
    let mut path = path.to_owned();
    // synonyms may chain; no chain is longer than four
    for _ in 0..4 {
        let Some((from, to)) = SYNONYMS.iter().find(|(from, _)| is_at_or_below(&path, from)) else { break };
        path = format!("{to}{}", &path[from.len()..]);
    }
    let document = ["/cpf", "/cnpj"].iter().find_map(|tag| path.strip_suffix(tag));
    match document {
        Some(party) => format!("{}/cpfcnpj", party.strip_suffix("/cpfcnpj").unwrap_or(party)),
        None => path,
    }
}

/// True when `path` is `from` or lies below it.
fn is_at_or_below(path: &str, from: &str) -> bool {
    path.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Canonical paths for a path of the national layout, each with its conversion.
pub(super) fn national(path: &str) -> impl Iterator<Item = (&'static str, CodeConversion)> {
    NATIONAL.iter().filter(move |(from, _, _)| *from == path).map(|(_, to, how)| (*to, *how))
}

/// True when a path of the national layout is this one or lies below it.
pub(super) fn is_national_group(path: &str) -> bool {
    NATIONAL.iter().any(|(from, _, _)| is_at_or_below(from, path))
}

#[rustfmt::skip]
const SYNONYMS: &[(&str, &str)] = &[
    // 1.00 has no declaration around the RPS, and other names for three groups
    ("identificacaorps", "rps/identificacaorps"), ("dataemissao", "rps/dataemissao"), ("status", "rps/status"), ("rpssubstituido", "rps/rpssubstituido"),
    ("servico/valores/issretido", "servico/issretido"), ("intermediarioservico/razaosocial", "intermediario/razaosocial"),
    ("intermediarioservico", "intermediario/identificacaointermediario"), ("contrucaocivil", "construcaocivil"), ("incentivadorcultural", "incentivofiscal"),
    // names that differ between 2.04 and the others
    ("tomadorservico", "tomador"), ("tomador/identificacaotomador/nif", "tomador/niftomador"), ("tomador/nif", "tomador/niftomador"),
    ("servico/codigonacionalbs", "servico/codigonbs"), ("tomador/codnaonif", "tomador/identificacaotomador/codnaonif"),
    // short names without their group
    ("rps/numero", "rps/identificacaorps/numero"), ("rps/serie", "rps/identificacaorps/serie"), ("rps/tipo", "rps/identificacaorps/tipo"),
    ("numero", "rps/identificacaorps/numero"), ("serie", "rps/identificacaorps/serie"), ("numerorps", "rps/identificacaorps/numero"),
    ("tomador/cpf", "tomador/identificacaotomador/cpfcnpj"), ("tomador/cnpj", "tomador/identificacaotomador/cpfcnpj"),
    ("tomador/cpfcnpj", "tomador/identificacaotomador/cpfcnpj"), ("tomador/inscricaomunicipal", "tomador/identificacaotomador/inscricaomunicipal"),
    ("tomador/email", "tomador/contato/email"), ("tomador/telefone", "tomador/contato/telefone"),
    ("tomador/endereco/logradouro", "tomador/endereco/endereco"), ("tomador/endereco/tipologradouro", "tomador/endereco/endereco"),
    ("intermediario/cpf", "intermediario/identificacaointermediario/cpfcnpj"), ("intermediario/cnpj", "intermediario/identificacaointermediario/cpfcnpj"),
    ("intermediario/cpfcnpj", "intermediario/identificacaointermediario/cpfcnpj"),
    ("intermediario/inscricaomunicipal", "intermediario/identificacaointermediario/inscricaomunicipal"),
    ("valores", "servico/valores"), ("servico/codigotributariomunicipio", "servico/codigotributacaomunicipio"),
    ("servico/valores/descontoincondicional", "servico/valores/descontoincondicionado"), ("servico/valores/descontocondicional", "servico/valores/descontocondicionado"),
    ("servico/naturezaoperacao", "naturezaoperacao"), ("exigibilidadeiss", "servico/exigibilidadeiss"), ("issretido", "servico/issretido"),
    ("servico/codigoitemlistaservico", "servico/itemlistaservico"), ("deducoes", "deducao"), ("servico/descricao", "servico/discriminacao"),
];

/// Members of the national declaration (`infDPS`) with an equivalent here, also without their small groups.
#[rustfmt::skip]
const NATIONAL: &[(&str, &str, CodeConversion)] = &[
    ("serie", "rps/identificacaorps/serie", CodeConversion::Same), ("ndps", "rps/identificacaorps/numero", CodeConversion::Same), ("dhemi", "rps/dataemissao", CodeConversion::Same),
    ("dcompet", "competencia", CodeConversion::Same),
    ("prest/cnpj", "prestador/cpfcnpj", CodeConversion::Same), ("prest/cpf", "prestador/cpfcnpj", CodeConversion::Same), ("prest/im", "prestador/inscricaomunicipal", CodeConversion::Same),
    ("toma/cnpj", "tomador/identificacaotomador/cpfcnpj", CodeConversion::Same), ("toma/cpf", "tomador/identificacaotomador/cpfcnpj", CodeConversion::Same),
    ("toma/nif", "tomador/niftomador", CodeConversion::Same), ("toma/cnaonif", "tomador/identificacaotomador/codnaonif", CodeConversion::Same),
    ("toma/im", "tomador/identificacaotomador/inscricaomunicipal", CodeConversion::Same), ("toma/xnome", "tomador/razaosocial", CodeConversion::Same),
    ("toma/fone", "tomador/contato/telefone", CodeConversion::Same), ("toma/email", "tomador/contato/email", CodeConversion::Same),
    ("toma/end/xlgr", "tomador/endereco/endereco", CodeConversion::Same), ("toma/end/nro", "tomador/endereco/numero", CodeConversion::Same),
    ("toma/end/xcpl", "tomador/endereco/complemento", CodeConversion::Same), ("toma/end/xbairro", "tomador/endereco/bairro", CodeConversion::Same),
    ("toma/end/endnac/cmun", "tomador/endereco/codigomunicipio", CodeConversion::Same), ("toma/end/cmun", "tomador/endereco/codigomunicipio", CodeConversion::Same),
    ("toma/end/endnac/cep", "tomador/endereco/cep", CodeConversion::Same), ("toma/end/cep", "tomador/endereco/cep", CodeConversion::Same),
    ("interm/cnpj", "intermediario/identificacaointermediario/cpfcnpj", CodeConversion::Same), ("interm/cpf", "intermediario/identificacaointermediario/cpfcnpj", CodeConversion::Same),
    ("interm/im", "intermediario/identificacaointermediario/inscricaomunicipal", CodeConversion::Same), ("interm/xnome", "intermediario/razaosocial", CodeConversion::Same),
    ("serv/locprest/clocprestacao", "servico/codigomunicipio", CodeConversion::Same), ("serv/clocprestacao", "servico/codigomunicipio", CodeConversion::Same),
    ("serv/cserv/ctribnac", "servico/itemlistaservico", CodeConversion::Same), ("serv/ctribnac", "servico/itemlistaservico", CodeConversion::Same),
    ("serv/cserv/ctribmun", "servico/codigotributacaomunicipio", CodeConversion::Same), ("serv/ctribmun", "servico/codigotributacaomunicipio", CodeConversion::Same),
    ("serv/cserv/xdescserv", "servico/discriminacao", CodeConversion::Same), ("serv/xdescserv", "servico/discriminacao", CodeConversion::Same),
    ("serv/cserv/cnbs", "servico/codigonbs", CodeConversion::Same), ("serv/cnbs", "servico/codigonbs", CodeConversion::Same),
    ("serv/obra/cobra", "construcaocivil/codigoobra", CodeConversion::Same), ("serv/infocompl/xinfcomp", "informacoescomplementares", CodeConversion::Same),
    ("valores/vservprest/vserv", "servico/valores/valorservicos", CodeConversion::Same), ("valores/vserv", "servico/valores/valorservicos", CodeConversion::Same),
    ("valores/vdesccondincond/vdescincond", "servico/valores/descontoincondicionado", CodeConversion::Same),
    ("valores/vdesccondincond/vdesccond", "servico/valores/descontocondicionado", CodeConversion::Same), ("valores/vdedred/vdr", "servico/valores/valordeducoes", CodeConversion::Same),
    ("valores/trib/tribmun/paliq", "servico/valores/aliquota", CodeConversion::Same), ("valores/trib/tribmun/tribissqn", "servico/exigibilidadeiss", CodeConversion::Taxation),
    ("valores/trib/tribmun/tpretissqn", "servico/issretido", CodeConversion::Withheld), ("valores/trib/tribmun/tpretissqn", "servico/responsavelretencao", CodeConversion::Withholder),
    ("valores/trib/tribfed/piscofins/cst", "servico/valores/cst", CodeConversion::Same), ("valores/trib/tribfed/piscofins/vpis", "servico/valores/valorpis", CodeConversion::Same),
    ("valores/trib/tribfed/piscofins/vcofins", "servico/valores/valorcofins", CodeConversion::Same), ("valores/trib/tribfed/vretcp", "servico/valores/valorinss", CodeConversion::Same),
    ("valores/trib/tribfed/vretirrf", "servico/valores/valorir", CodeConversion::Same), ("valores/trib/tribfed/vretcsll", "servico/valores/valorcsll", CodeConversion::Same),
    ("ibscbs/cindop", "servico/cindop", CodeConversion::Same), ("ibscbs/valores/trib/gibscbs/cclasstrib", "servico/cclasstribreg", CodeConversion::Same),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_versions_lead_to_one() {
        for (given, path) in [
            ("IdentificacaoRps/Numero", "rps/identificacaorps/numero"),
            ("rps/numero", "rps/identificacaorps/numero"),
            ("rps/identificacao_rps/numero", "rps/identificacaorps/numero"),
            ("Tomador_Servico/Identificacao_Tomador/Cpf_Cnpj/Cpf", "tomador/identificacaotomador/cpfcnpj"),
            ("tomador/cnpj", "tomador/identificacaotomador/cpfcnpj"),
            ("Prestador/Cnpj", "prestador/cpfcnpj"),
            ("IntermediarioServico/CpfCnpj/Cnpj", "intermediario/identificacaointermediario/cpfcnpj"),
            ("IntermediarioServico/RazaoSocial", "intermediario/razaosocial"),
            ("ContrucaoCivil/Art", "construcaocivil/art"),
            ("valores/iss_retido", "servico/issretido"),
            ("Servico/CodigoNBS", "servico/codigonbs"),
        ] {
            let folded: Vec<String> = given.split('/').map(fold).collect();
            assert_eq!(canonical(&folded.join("/")), path, "{given}");
        }
    }

    #[test]
    fn a_code_of_the_national_layout_is_read_as_ours() {
        assert_eq!(
            (
                CodeConversion::Withheld.read("3"),
                CodeConversion::Withholder.read("3"),
                CodeConversion::Withholder.read("1")
            ),
            (Some("1"), Some("2"), None)
        );
        assert_eq!(
            (
                CodeConversion::Taxation.read("2"),
                CodeConversion::Nature.read("4"),
                CodeConversion::Exigibility.read("4")
            ),
            (Some("5"), Some("5"), None)
        );
        assert_eq!(national("valores/trib/tribmun/tpretissqn").count(), 2);
    }
}
