//! Writes `infNFe` from `nota`: values that the service forces and fills in around the walk.
//!
//! Law: `docs/contract.md`, "Emission" (defaults); MOC 7.0, anexo I, with rules 373 and 598 of homologação.

use super::consumer::TEST_PRODUCT;
use super::groups::{INF_NFE, TOTALS_BESIDE};
use super::inf_nfe::{inf_nfe, inf_nfe_particles};
use super::totals::ItemTotals;
use super::{consumer, emission, items};
use crate::document::{BuildContext, BuiltDocument, DocumentIds, ReusableBody, SignedElement, WrittenBody};
use crate::finding::{Notice, Violation};
use crate::layout::{self, Body, Element, Particle};
use crate::map::{
    self, ElementMapping, GroupScope, LayerOrigin, LayoutWalker, NoticePolicy, ObjectPosition, PlanCache,
};
use crate::nota::key::{self, KeyTags};
use crate::nota::{issuer, root_scope, unknown_roots, write_software_house};
use crate::value::{ChaveAcesso, CivilOffset, CnpjCpf, TpAmb, Uf, amount};
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use std::ops::Range;
use std::sync::OnceLock;

/// `xNome` of the addressee in homologação (rule 598).
const TEST_ADDRESSEE: &str = "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";
const TAGS: KeyTags = KeyTags { numero: "nNF", codigo: "cNF" };

/// A written document, complete or not.
pub(super) struct NfeDraft {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
    /// Sums over the items, under official names (`totals::ItemTotals::record`).
    pub(super) totais: Map<String, Value>,
}

/// Sums over the items, and the total that was written.
struct DraftSums {
    totals: ItemTotals,
    vNF: Decimal,
    record: Map<String, Value>,
}

/// Values needed before the first element is written.
struct NfePreamble {
    chave: ChaveAcesso,
    dhEmi: String,
    uf: Uf,
    civil: CivilOffset,
    /// Values of `ide` stronger than the caller's.
    forced: Map<String, Value>,
    /// Values of `ide` weaker than the caller's.
    defaults: Map<String, Value>,
}

/// Writes the document as far as possible and collects violations. `before` is copied in place of the body.
pub(super) fn draft(
    nota: &Value,
    context: &BuildContext<'_>,
    remarks: NoticePolicy,
    before: Option<ReusableBody<'_>>,
) -> Result<NfeDraft, Vec<Violation>> {
    let Value::Object(root) = nota else {
        return Err(vec![Violation::of(
            "nota",
            "tipo_invalido",
            "Informe nota: um objeto com os grupos do documento.",
        )]);
    };
    let given = root;
    let said = consumer::without_members(root, &emission::absent_members(root, context));
    let root = said.as_ref();
    let mut violations = Vec::new();
    if remarks == NoticePolicy::Kept {
        refuse_unreadable(root, &mut violations);
    }
    let Some(start) = start(root, context, &mut violations) else { return Err(violations) };
    let room = before.map_or_else(|| capacity(root), |before| before.xml.len() + BESIDE_BODY);
    let mut walker = LayoutWalker::new(room, start.civil.hours(), remarks);
    walker.violations = violations;
    let ids = DocumentIds::by_key("NFe", start.chave);
    walker.xml.open_with("NFe", &[("xmlns", layout::NFE.namespace)]);
    let begin = walker.xml.len();
    walker.xml.open_with("infNFe", &[("Id", &ids.id), ("versao", "4.00")]);
    let (sums, body) = write_groups(&mut walker, root, context, &start, before);
    walker.xml.close("infNFe");
    let signed = begin..walker.xml.len();
    walker.xml.close("NFe");
    if remarks == NoticePolicy::Kept {
        report_root(root, &mut walker);
        report_overruled(given, context, &start, &mut walker);
    }
    let mut vNF = sums.vNF.round_dp(2);
    vNF.rescale(2);
    let (xml, destinatario) = (std::mem::take(&mut walker.xml).finish(), addressee(root));
    let signatures = vec![SignedElement { element: signed, id: ids.id.clone() }];
    let built = BuiltDocument {
        ids,
        estrangeiro: destinatario.is_none() && xml.contains("<dest><idEstrangeiro"),
        xml,
        signatures,
        dhEmi: start.dhEmi,
        valor: vNF,
        destinatario,
        notices: walker.notices,
        body: Some(WrittenBody { at: body, valor: vNF, day: context.day().to_owned() }),
    };
    Ok(NfeDraft { built, violations: walker.violations, totais: sums.record })
}

/// Refuses values that are no number, series or group where one belongs, since they would be ignored.
fn refuse_unreadable(root: &Map<String, Value>, violations: &mut Vec<Violation>) {
    let scope = root_scope(root);
    let ide = scope.below(INF_NFE.child("ide"), "ide");
    violations.extend(super::NUMBER_FIELDS.refusals(&ide));
    violations.extend(map::misplaced(inf_nfe_particles(), &INF_NFE, &scope));
}

/// Returns the scope of a party's address: the contract writes it into the party, the layout into a group below.
fn address<'a>(party: &GroupScope<'a>, of: &'static str, tag: &'static str) -> GroupScope<'a> {
    party.below(INF_NFE.child(of).and_then(|place| place.child(tag)), tag)
}

/// Returns the scope of one member of `infNFe`. `total` is also looked up beside itself, where the contract puts some
/// of its members.
pub(super) fn group_scope<'a>(root: &'a Map<String, Value>, tag: &'static str) -> GroupScope<'a> {
    let own = root_scope(root).below(INF_NFE.child(tag), tag);
    let beside = tag == "total" && TOTALS_BESIDE.iter().any(|name| root.contains_key(*name));
    if beside { own.with(root, "nota", LayerOrigin::Shared) } else { own }
}

/// Writes the members of `infNFe` in the order of the layout. Returns the sums and the range of the body: the members
/// that depend neither on the number nor on the way of issuing.
fn write_groups(
    walker: &mut LayoutWalker,
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    start: &NfePreamble,
    before: Option<ReusableBody<'_>>,
) -> (DraftSums, Range<usize>) {
    let members = inf_nfe_particles();
    let (head, members) = members.split_at(place_behind(members, "ide"));
    // the software house hashes the key
    let (body, tail) = members.split_at(place_before(members, "infRespTec"));
    let mut sums = DraftSums { totals: ItemTotals::new(), vNF: Decimal::ZERO, record: Map::new() };
    write_members(walker, head, root, context, start, &mut sums);
    let begin = walker.xml.len();
    match before {
        Some(before) => {
            walker.xml.raw(before.xml);
            sums.vNF = before.valor;
        }
        None => write_members(walker, body, root, context, start, &mut sums),
    }
    let body = begin..walker.xml.len();
    write_members(walker, tail, root, context, start, &mut sums);
    (sums, body)
}

fn write_members(
    walker: &mut LayoutWalker,
    members: &'static [Particle],
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    start: &NfePreamble,
    sums: &mut DraftSums,
) {
    let scope = root_scope(root);
    for particle in members {
        let Body::Element(element) = &particle.body else { continue };
        let place = INF_NFE.child(element.name);
        match element.name {
            "ide" => {
                let own = scope.below(place, element.name).forced(&start.forced).or(&start.defaults);
                walker.group(element, place, &own);
            }
            "emit" => {
                let own = context.issuer_on(scope.below(place, element.name), &start.dhEmi);
                walker.group(element, place, &own);
            }
            "dest" => write_dest(walker, element, place, root, context),
            "det" => write_items(walker, element, place, root, context, &mut sums.totals),
            "total" => {
                sums.record = sums.totals.record(&start.dhEmi);
                let own = group_scope(root, element.name).or(&sums.record);
                walker.group(element, place, &own);
                sums.vNF = own.text("vNF").and_then(amount).unwrap_or_else(|| sums.totals.vNF());
            }
            "pag" if context.modelo == 65 => {
                let change = consumer::computed_change(root, sums.vNF);
                walker.group(element, place, &scope.below(place, element.name).or(&change));
            }
            "infRespTec" => {
                let ours = context.software_house;
                write_software_house(walker, particle, element, &INF_NFE, &scope, ours, &start.chave);
            }
            _ => walker.member(particle, Some(&INF_NFE), &scope),
        }
    }
}

/// Writes the addressee. In homologação its name is fixed.
fn write_dest(
    walker: &mut LayoutWalker,
    element: &'static Element,
    place: Option<&'static ElementMapping>,
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
) {
    let own = root_scope(root).below(place, element.name);
    if own.is_empty() {
        // The text of rule 719 excepts no retail document, and its authors may have meant that: the decision is left to
        // the authority.
        if !emission::is_retail(root, context.modelo) {
            let mensagem = "Informe destinatario: a NF-e (modelo 55) exige o destinatário.";
            walker.violations.push(Violation::of("nota.destinatario", "campo_obrigatorio", mensagem));
        }
        return;
    }
    let mut forced = Map::new();
    if context.ambiente == TpAmb::Homologacao && (context.modelo == 55 || own.text("xNome").is_some()) {
        forced.insert("xNome".to_owned(), Value::String(TEST_ADDRESSEE.to_owned()));
    }
    if context.modelo == 65 {
        forced.insert("indIEDest".to_owned(), Value::String("9".to_owned()));
    }
    walker.group(element, place, &own.forced(&forced));
}

/// Writes the items, each by the plan of its shape, and sums their values.
fn write_items(
    walker: &mut LayoutWalker,
    element: &'static Element,
    place: Option<&'static ElementMapping>,
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    totals: &mut ItemTotals,
) {
    let (name, items) = match items::given(root) {
        Some((name, Value::Array(items))) if !items.is_empty() => (name, items),
        Some((name, Value::Array(_) | Value::Null)) => return refuse_items(walker, name, "campo_obrigatorio"),
        Some((name, _)) => return refuse_items(walker, name, "tipo_invalido"),
        None => return refuse_items(walker, "produtos", "campo_obrigatorio"),
    };
    let path = format!("nota.{name}");
    if items.len() > MOST_ITEMS {
        return walker.violations.push(map::too_many(&path, items.len(), MOST_ITEMS));
    }
    let mut plans = PlanCache::of(element, place);
    let test = context.ambiente == TpAmb::Homologacao && emission::is_retail(root, context.modelo);
    for (index, item) in items.iter().enumerate() {
        let position = ObjectPosition::In(&path, index);
        if index == 0 && test {
            write_test_item(walker, element, place, item, position);
        } else {
            walker.element(element, item, position, &mut plans);
        }
        totals.add(walker);
    }
}

fn refuse_items(walker: &mut LayoutWalker, name: &str, codigo: &'static str) {
    let mensagem = "Informe produtos: uma lista com ao menos um item.";
    walker.violations.push(Violation::of(&format!("nota.{name}"), codigo, mensagem));
}

/// Writes the first retail item in homologação, which has a fixed description.
fn write_test_item(
    walker: &mut LayoutWalker,
    element: &'static Element,
    place: Option<&'static ElementMapping>,
    item: &Value,
    position: ObjectPosition<'_>,
) {
    let Value::Object(object) = item else {
        return walker.element(element, item, position, &mut PlanCache::of(element, place));
    };
    let mut renamed = object.clone();
    let fixed = || Value::String(TEST_PRODUCT.to_owned());
    match renamed.get_mut("prod").and_then(|prod| prod.get_mut("xProd")) {
        Some(xProd) => *xProd = fixed(),
        None => drop(renamed.insert("xProd".to_owned(), fixed())),
    }
    walker.element(element, &Value::Object(renamed), position, &mut PlanCache::of(element, place));
}

/// Reads the parts of the key, and decides the values that the service forces and fills in in `ide`.
fn start(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    violations: &mut Vec<Violation>,
) -> Option<NfePreamble> {
    let scope = root_scope(root);
    let emit = scope.below(INF_NFE.child("emit"), "emit").or(context.emitente);
    let ide = scope.below(INF_NFE.child("ide"), "ide");
    let emitente = issuer::document(&emit, context.emitente, violations);
    let here = address(&emit, "emit", "enderEmit");
    let uf = issuer::state(&emit, &here, violations)?;
    let civil = issuer::civil_offset(uf, &here);
    let dhEmi = key::instant(&ide, context, civil);
    let chave = key::compose(context, uf, emitente, &dhEmi, &TAGS, violations)?;
    let mut forced = key::forced(context, uf, &chave, &TAGS);
    if context.modelo == 65 {
        consumer::force(&ide, &mut forced);
    }
    let defaults = ide_defaults(&scope, &here, uf, context);
    Some(NfePreamble { chave, dhEmi, uf, civil, forced, defaults })
}

/// Returns the defaults of `ide`.
fn ide_defaults(
    scope: &GroupScope<'_>,
    here: &GroupScope<'_>,
    uf: Uf,
    context: &BuildContext<'_>,
) -> Map<String, Value> {
    let dest = scope.below(INF_NFE.child("dest"), "dest");
    let there = address(&dest, "dest", "enderDest");
    let mut defaults = Map::with_capacity(7);
    let mut put = |tag: &str, value: &str| defaults.insert(tag.to_owned(), Value::String(value.to_owned()));
    put("dhEmi", context.dhEmi);
    put("idDest", id_dest(there.text("UF"), uf));
    if let Some(cMun) = here.text("cMun") {
        put("cMunFG", cMun);
    }
    put("tpImp", "1");
    if context.modelo == 65 {
        put("indPres", "1");
    } else if dest.text("indIEDest").map(str::trim) == Some("9") {
        // a non-taxpayer is always a final consumer (rule 696)
        put("indFinal", "1");
    }
    put("verProc", context.verProc);
    defaults
}

/// Returns `idDest`: 1 inside the state, 2 to another state, 3 abroad.
fn id_dest(dest: Option<&str>, uf: Uf) -> &'static str {
    match dest.map(|sigla| sigla.trim().to_uppercase()) {
        Some(sigla) if sigla == "EX" => "3",
        Some(sigla) if sigla != uf.sigla() => "2",
        _ => "1",
    }
}

/// Adds notices about the caller's values on issuer, environment and way of issuing that the service overrules.
fn report_overruled(
    root: &Map<String, Value>,
    context: &BuildContext<'_>,
    start: &NfePreamble,
    walker: &mut LayoutWalker,
) {
    let ide = root_scope(root).below(INF_NFE.child("ide"), "ide");
    let (modelo, cUF) = (context.modelo.to_string(), start.uf.code().to_string());
    let (cNF, cDV) = (format!("{:08}", context.codigo), start.chave.cDV().to_string());
    for (name, right) in [("cNF", cNF), ("cDV", cDV)] {
        if let Some((campo, _)) = ide.differing_value(name, &right) {
            let mensagem = format!("{name} faz parte da chave, que o serviço compõe; o valor informado foi ignorado.");
            walker.add_notice(|| Notice::of(campo, "campo_ignorado", &mensagem, None));
        }
    }
    let decided = [
        ("tpAmb", context.ambiente.code(), "quem decide é a rota e a configuração da empresa"),
        ("mod", &modelo, "quem decide é a rota e a configuração da empresa"),
        ("modelo", &modelo, "quem decide é a rota e a configuração da empresa"),
        ("cUF", &cUF, "é o código da UF do emitente"),
        ("procEmi", key::PROC_EMI, "a nota é emitida com aplicativo do contribuinte"),
    ];
    for (name, right, why) in decided {
        if let Some((campo, _)) = ide.differing_value(name, right) {
            let mensagem = format!("{name} é {right}: {why}.");
            walker.add_notice(|| Notice::of(campo, "campo_ignorado", &mensagem, Some(right)));
        }
    }
    emission::report(root, context, walker);
    if context.modelo == 65 {
        consumer::report(root, context.tpEmis, context.ambiente, walker);
    } else if emission::is_retail(root, context.modelo) {
        consumer::report_test_item(root, context.ambiente, walker);
    }
}

/// Reports names at the root of `nota` that belong to no group.
fn report_root(root: &Map<String, Value>, walker: &mut LayoutWalker) {
    static VALID: OnceLock<Vec<&'static str>> = OnceLock::new();
    let valid =
        VALID.get_or_init(|| inf_nfe().map_or_else(Vec::new, |complex| map::valid_names(complex, Some(&INF_NFE))));
    unknown_roots::report(root, valid, walker);
}

/// Returns the addressee's CNPJ or CPF, without mask.
fn addressee(root: &Map<String, Value>) -> Option<String> {
    let dest = root_scope(root).below(INF_NFE.child("dest"), "dest");
    let given = issuer::DOCUMENT.iter().find_map(|name| dest.text(name))?;
    CnpjCpf::parse(given).ok().map(|document| document.to_string())
}

fn place_before(members: &[Particle], name: &str) -> usize {
    let is = |particle: &Particle| matches!(&particle.body, Body::Element(element) if element.name == name);
    members.iter().position(is).unwrap_or(members.len())
}

fn place_behind(members: &[Particle], name: &str) -> usize {
    (place_before(members, name) + 1).min(members.len())
}

/// Estimates the size of the document in bytes. A typical item has some 900 bytes.
fn capacity(root: &Map<String, Value>) -> usize {
    let items = items::given(root).and_then(|(_, items)| items.as_array()).map_or(1, Vec::len).min(MOST_ITEMS);
    BESIDE_ITEMS + items * 1_100
}

/// Bytes of a typical document beside its items.
const BESIDE_ITEMS: usize = 3_000;
/// Bytes of a document beside its body: identification and software house.
const BESIDE_BODY: usize = 1_500;

/// `maxOccurs` of `det`.
const MOST_ITEMS: usize = 990;
