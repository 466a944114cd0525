//! The access key of a document, and the members of `ide` that repeat it: equal in every layout but for two tags.
//!
//! Law: MOC 7.0, visão geral, 2.2.6.1; MOC CT-e 4.00, visão geral. Must not know a model.

use super::requested_number::MOST_OF_KEY;
use crate::document::BuildContext;
use crate::finding::Violation;
use crate::map::{self, GroupScope};
use crate::value::{ChaveAcesso, ChaveParts, CivilOffset, CnpjCpf, Uf};
use serde_json::{Map, Value};

/// `procEmi` of an issuer with its own software.
pub(crate) const PROC_EMI: &str = "0";

/// Tags of the number and the random code in a layout.
pub(crate) struct KeyTags {
    /// `nNF`, `nCT`.
    pub(crate) numero: &'static str,
    /// `cNF`, `cCT`.
    pub(crate) codigo: &'static str,
}

/// Returns `dhEmi` of the caller's `ide`, or else the service's.
pub(crate) fn instant(ide: &GroupScope<'_>, context: &BuildContext<'_>, civil: CivilOffset) -> String {
    let given = ide.text("dhEmi").and_then(|text| map::instant(text, civil.hours()));
    given.unwrap_or_else(|| context.dhEmi.to_owned())
}

/// Composes the key. Refuses a series or number that does not fit into it. `None` without an issuer, which was refused
/// before.
pub(crate) fn compose(
    context: &BuildContext<'_>,
    uf: Uf,
    emitente: Option<CnpjCpf>,
    dhEmi: &str,
    tags: &KeyTags,
    violations: &mut Vec<Violation>,
) -> Option<ChaveAcesso> {
    let (serie, numero) = numbers(context, tags, violations)?;
    Some(ChaveAcesso::compose(&ChaveParts {
        uf,
        aamm: year_month(dhEmi),
        emitente: emitente?,
        modelo: context.modelo,
        serie,
        nNF: numero,
        tpEmis: context.tpEmis,
        cNF: context.codigo,
    }))
}

/// Members of `ide` that the service sets regardless of the caller.
pub(crate) fn forced(context: &BuildContext<'_>, uf: Uf, chave: &ChaveAcesso, tags: &KeyTags) -> Map<String, Value> {
    let mut forced = Map::with_capacity(11);
    let mut force = |tag: &str, value: String| forced.insert(tag.to_owned(), Value::String(value));
    force("cUF", uf.code().to_string());
    force(tags.codigo, format!("{:08}", context.codigo));
    force("mod", context.modelo.to_string());
    force("serie", context.serie.to_string());
    force(tags.numero, context.numero.to_string());
    force("tpEmis", context.tpEmis.to_string());
    force("cDV", chave.cDV().to_string());
    force("tpAmb", context.ambiente.code().to_owned());
    force("procEmi", PROC_EMI.to_owned());
    if let Some((dhCont, xJust)) = context.contingencia {
        force("dhCont", dhCont.to_owned());
        force("xJust", xJust.to_owned());
    }
    forced
}

/// Reads `2611` from `2026-11-20T…`.
fn year_month(dhEmi: &str) -> u16 {
    let digits = [dhEmi.get(2..4), dhEmi.get(5..7)];
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u16>().ok()).unwrap_or(0);
    number(digits[0]) * 100 + number(digits[1])
}

/// Returns series and number in the width of an access key. Refuses values that do not fit; a configuration or a
/// counter may hold such values.
fn numbers(context: &BuildContext<'_>, tags: &KeyTags, violations: &mut Vec<Violation>) -> Option<(u16, u32)> {
    let mut refuse = |tag: &str, mensagem: &str| {
        violations.push(Violation::of(&format!("nota.identificacao.{tag}"), "valor_invalido", mensagem));
    };
    let serie = context.serie.in_key();
    if serie.is_none() {
        refuse("serie", &format!("A série {} não cabe na chave de acesso: ela vai de 0 a 999.", context.serie));
    }
    let numero = u32::try_from(context.numero).ok().filter(|numero| u64::from(*numero) <= MOST_OF_KEY);
    if numero.is_none() {
        let mensagem = format!("O número {} não cabe na chave de acesso: ele vai até {MOST_OF_KEY}.", context.numero);
        refuse(tags.numero, &mensagem);
    }
    serie.zip(numero)
}
