//! Writes the DPS from `nota`: values that the service forces and fills in around the walk.
//!
//! Law: the layout of the DPS 1.01; `docs/contract.md`, "NFS-e"; rules E0010, E0121, E0128 and E9996.

use super::defaults::{DefaultInputs, DpsDefaults};
use super::layouts::DpsLayout;
use super::{doubtful_values, focus_names, groups, id, moved_members, normalized};
use crate::document::{BuildContext, BuiltDocument, DocumentIds, SignedElement};
use crate::finding::{Notice, Violation};
use crate::map::{self, LayoutWalker, NoticePolicy};
use crate::nota::{issuer, root_scope, unknown_roots};
use crate::reference::ibscbs;
use crate::value::{CivilOffset, CnpjCpf, amount, number};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;

/// A written document, complete or not.
pub(super) struct DpsDraft {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
}

/// Values needed before the first element is written.
struct DpsPreamble {
    ids: DocumentIds,
    dhEmi: String,
    offset_hours: i8,
    forced: Map<String, Value>,
    defaults: DpsDefaults,
}

/// Version of the layout.
const VERSAO: &str = "1.01";
/// Size of a typical document in bytes.
const CAPACITY: usize = 4_000;
/// Members that an issuing prestador must not send about itself, and the rules that refuse them.
const NOT_OF_THE_ISSUER: [(&str, &str); 3] = [("xNome", "E0121"), ("end", "E0128"), ("endereco", "E0128")];

/// Writes the document as far as possible and collects violations.
pub(super) fn draft(
    nota: &Value,
    context: &BuildContext<'_>,
    remarks: NoticePolicy,
) -> Result<DpsDraft, Vec<Violation>> {
    let Value::Object(given) = nota else {
        let mensagem = "Informe nota: um objeto com a DPS (infDPS) ou com os grupos dela.";
        return Err(vec![Violation::of("nota", "tipo_invalido", mensagem)]);
    };
    let renamed = focus_names::rename_members(given);
    let given = renamed.as_ref().map_or(given, |renamed| &renamed.root);
    let given = &*normalized::normalize(given);
    let said = permitted_payload(given);
    let root = moved_members::placed(&said, context.leiaute);
    let mut violations = inexpressible_violations(&root, context.leiaute);
    if remarks == NoticePolicy::Kept {
        violations.extend(super::NUMBER_FIELDS.refusals(&groups::scope(&root, &[])));
    }
    let Some(start) = start(&root, context, &mut violations) else { return Err(violations) };
    let mut walker = LayoutWalker::new(CAPACITY, start.offset_hours, remarks);
    walker.violations = violations;
    let signed = write_document(&mut walker, &root, &start, context.leiaute);
    let renamed = renamed.iter().flat_map(|renamed| &renamed.notices);
    for notice in renamed.chain(&start.defaults.notices) {
        walker.add_notice(|| notice.clone());
    }
    unknown_roots::report(&root, groups::root_names(context.leiaute), &mut walker);
    report(given, context, &mut walker);
    let mut xml = std::mem::take(&mut walker.xml).finish();
    let signed = with_reform_group(&mut xml, signed, context.leiaute);
    rewrite_to_caller(&mut walker, &said);
    let toma = groups::scope(&root, &["toma"]);
    let signatures = vec![SignedElement { element: signed, id: start.ids.id.clone() }];
    let built = BuiltDocument {
        ids: start.ids,
        signatures,
        dhEmi: start.dhEmi,
        valor: price(&root),
        destinatario: document_of(&root, "toma").map(|document| document.to_string()),
        estrangeiro: ["NIF", "cNaoNIF"].iter().any(|name| toma.text(name).is_some()),
        xml,
        notices: walker.notices,
        body: None,
    };
    Ok(DpsDraft { built, violations: walker.violations })
}

/// Writes the whole document. Returns the range of `infDPS`.
fn write_document(
    walker: &mut LayoutWalker,
    root: &Map<String, Value>,
    start: &DpsPreamble,
    layout: DpsLayout,
) -> Range<usize> {
    let scope = root_scope(root).forced(&start.forced).or(&start.defaults.root);
    walker.xml.open_with("DPS", &[("xmlns", layout.table().namespace), ("versao", VERSAO)]);
    let begin = walker.xml.len();
    walker.xml.open_with("infDPS", &[("Id", &start.ids.id)]);
    for particle in layout.parts() {
        walker.member(particle, Some(&groups::INF_DPS), &scope);
    }
    walker.xml.close("infDPS");
    let signed = begin..walker.xml.len();
    walker.xml.close("DPS");
    signed
}

/// Returns a violation for every member that the document's layout cannot express.
fn inexpressible_violations(root: &Map<String, Value>, layout: DpsLayout) -> Vec<Violation> {
    let refused = moved_members::inexpressible(root, layout).into_iter().map(|path| {
        let mensagem = format!(
            "{path} não tem forma conhecida no leiaute {} da DPS, que é o desta nota: ela não é emitida sem isso. Veja a guia nfse-nt-009.",
            layout.word()
        );
        Violation::of(&format!("nota.{path}"), "estrutura_invalida", &mensagem)
    });
    refused.collect()
}

/// Adds an empty `gIBSCBS` for NT 009, which requires the group for classifications with it (E0961) although its former
/// content is outside now. Returns the range of the signed element.
fn with_reform_group(xml: &mut String, signed: Range<usize>, layout: DpsLayout) -> Range<usize> {
    const WITHOUT: &str = "</cClassTrib></trib>";
    const GROUP: &str = "<gIBSCBS></gIBSCBS>";
    let at = xml.find(WITHOUT).filter(|_| layout == DpsLayout::Nt009 && has_reform_group(xml));
    match at {
        Some(at) => {
            xml.insert_str(at + "</cClassTrib>".len(), GROUP);
            signed.start..signed.end + GROUP.len()
        }
        None => signed,
    }
}

/// True when the classification of a document has the group (`ind_gIBSCBS`). An unknown classification counts as having
/// it.
fn has_reform_group(xml: &str) -> bool {
    let Ok(dps) = crate::xml::read(xml.as_bytes()) else { return false };
    let text = |path: &str| dps.text_at(path).unwrap_or_default();
    let Ok(on) = text("infDPS/dCompet").parse() else { return false };
    let known = ibscbs::find_cst(text("infDPS/IBSCBS/valores/trib/CST"), on);
    known.is_none_or(|cst| cst.has(ibscbs::cst::TRIBUTA))
}

/// Rewrites findings to the names that the caller used.
fn rewrite_to_caller(walker: &mut LayoutWalker, said: &Map<String, Value>) {
    let spelled = |campo: &mut String| {
        if let Some(path) = campo.strip_prefix("nota.") {
            *campo = format!("nota.{}", moved_members::in_caller_form(path, '.', said));
        }
    };
    walker.violations.iter_mut().for_each(|violation| spelled(&mut violation.campo));
    walker.notices.iter_mut().for_each(|notice| spelled(&mut notice.campo));
}

/// Reads the parts of the identity, and decides the values that the service forces and fills in.
fn start(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    violations: &mut Vec<Violation>,
) -> Option<DpsPreamble> {
    refuse(root, violations);
    let prestador = prestador(root, context, violations)?;
    let municipio = place_of_issue(root, context, violations)?;
    // a município outside the table has no state, and the layout refuses it
    let offset_hours = CivilOffset::of_municipio(municipio).hours();
    let given = groups::scope(root, &[]).text("dhEmi").and_then(|text| map::instant(text, offset_hours));
    let dhEmi = given.unwrap_or_else(|| context.dhEmi.to_owned());
    let id = id::compose(municipio, prestador, context.serie, context.numero, violations)?;
    let mut forced = Map::new();
    let mut force = |tag: &str, value: String| forced.insert(tag.to_owned(), Value::String(value));
    force("tpAmb", context.ambiente.code().to_owned());
    force("serie", context.serie.to_string());
    force("nDPS", context.numero.to_string());
    let defaults = DpsDefaults::of(&DefaultInputs { root, context, prestador, dhEmi: &dhEmi, municipio });
    let ids = DocumentIds { asked_by: id.clone(), id, chave: None };
    Some(DpsPreamble { ids, dhEmi, offset_hours, forced, defaults })
}

/// Refuses values that no issuer may send.
fn refuse(root: &Map<String, Value>, violations: &mut Vec<Violation>) {
    if let Some(given) = groups::scope(root, &[]).text("tpEmit").map(str::trim).filter(|given| *given != "1") {
        let mensagem = format!(
            "tpEmit {}: só o prestador emite pelo serviço (E9996). Informe 1 ou omita tpEmit.",
            crate::finding::excerpt(given)
        );
        violations.push(Violation::of("nota.tpEmit", "valor_invalido", &mensagem));
    }
}

/// Returns the issuer: the company. A payload that names another is refused.
fn prestador(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    violations: &mut Vec<Violation>,
) -> Option<CnpjCpf> {
    let own = issuer::DOCUMENT.iter().find_map(|name| context.emitente.get(*name).and_then(Value::as_str));
    let given = document_of(root, "prest");
    let Some(document) = own.and_then(|own| CnpjCpf::parse(own).ok()).or(given) else {
        let mensagem = "Informe o CNPJ ou CPF do prestador, com dígitos verificadores corretos.";
        violations.push(Violation::of("nota.prest.CNPJ", "digito_invalido", mensagem));
        return None;
    };
    if given.is_some_and(|given| given != document) {
        let mensagem = format!("O prestador da nota não é a empresa {document}, informada em cpf_cnpj.");
        let campo = format!("{}.{}", groups::scope(root, &["prest"]).base_path(), document.tag());
        violations.push(Violation::of(&campo, "emitente_divergente", &mensagem));
    }
    Some(document)
}

/// Returns `cLocEmi`: the payload's, or else the company's município.
fn place_of_issue(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    violations: &mut Vec<Violation>,
) -> Option<u32> {
    let configured = context.configuracao.and_then(|it| it.get("codigo_municipio"));
    let own = [configured, context.emitente.get("cMun")].into_iter().flatten().find_map(|value| match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    });
    let given = groups::scope(root, &[]).text("cLocEmi");
    let municipio =
        given.map_or(own, |given| given.trim().parse().ok()).filter(|code| (1_000_000..=9_999_999).contains(code));
    if municipio.is_none() {
        let mensagem =
            "Informe cLocEmi: os 7 algarismos do IBGE do município do prestador, ou cadastre o município da empresa.";
        let codigo = if given.is_some() { "valor_invalido" } else { "campo_obrigatorio" };
        violations.push(Violation::of("nota.cLocEmi", codigo, mensagem));
    }
    municipio
}

/// Returns the payload without the members that an issuing prestador must not send.
fn permitted_payload(root: &Map<String, Value>) -> Cow<'_, Map<String, Value>> {
    let mut root = Cow::Borrowed(root);
    for group in ["prest", "prestador"] {
        let said = |name: &str| root.get(group).is_some_and(|prest| prest.get(name).is_some());
        if !NOT_OF_THE_ISSUER.iter().any(|(name, _)| said(name)) {
            continue;
        }
        if let Some(Value::Object(prest)) = root.to_mut().get_mut(group) {
            NOT_OF_THE_ISSUER.iter().for_each(|(name, _)| drop(prest.shift_remove(*name)));
        }
    }
    root
}

/// Adds a notice for each value of the caller that the service overruled.
fn report(given: &Map<String, Value>, context: &BuildContext<'_>, walker: &mut LayoutWalker) {
    let prest = groups::scope(given, &["prest"]);
    for (name, rule) in NOT_OF_THE_ISSUER {
        let said =
            ["prest", "prestador"].iter().any(|group| given.get(*group).is_some_and(|it| it.get(name).is_some()));
        if said {
            let mensagem = format!("O prestador que emite não informa {name} ({rule}): foi ignorado.");
            walker
                .add_notice(|| Notice::of(format!("{}.{name}", prest.base_path()), "campo_ignorado", &mensagem, None));
        }
    }
    doubted(given, walker);
    let root = groups::scope(given, &[]);
    let right = context.ambiente.code();
    if let Some((campo, _)) = root.differing_value("tpAmb", right) {
        let mensagem = format!("tpAmb é {right}: quem decide é a configuração da empresa e a chave de API.");
        walker.add_notice(|| Notice::of(campo, "campo_ignorado", &mensagem, Some(right)));
    }
}

/// Adds notices on values that are written as given but are probably wrong.
fn doubted(given: &Map<String, Value>, walker: &mut LayoutWalker) {
    let tax = groups::scope(given, &["valores", "trib", "tribMun"]);
    let rate = tax.text("pAliq").and_then(number).filter(|rate| *rate > Decimal::ZERO && *rate < Decimal::ONE);
    if let Some(rate) = rate {
        walker.add_notice(|| doubtful_values::fraction(format!("{}.pAliq", tax.base_path()), rate));
    }
    let federal = groups::scope(given, &["valores", "trib", "tribFed", "piscofins"]);
    let code = federal.text("tpRetPisCofins").map(str::trim).unwrap_or_default();
    if let Some(told) = doubtful_values::old_withholding(format!("{}.tpRetPisCofins", federal.base_path()), code) {
        walker.add_notice(|| told);
    }
}

/// Returns the CNPJ or CPF of a party, without mask.
fn document_of(root: &Map<String, Value>, party: &'static str) -> Option<CnpjCpf> {
    let party = groups::scope(root, &[party]);
    issuer::DOCUMENT.iter().find_map(|name| CnpjCpf::parse(party.text(name)?).ok())
}

fn price(root: &Map<String, Value>) -> Decimal {
    let given = groups::scope(root, &["valores", "vServPrest"]);
    let mut price = given.text("vServ").and_then(amount).unwrap_or_default().round_dp(2);
    price.rescale(2);
    price
}
