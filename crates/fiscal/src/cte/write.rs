//! From `nota` to the text of the document: the values that the service forces and fills around the walk of the layout.
//!
//! Law: MOC CT-e 4.00 anexo I; `docs/contract.md`, "CT-e" for the filled values.

use super::defaults::{self, CallerData, CteDefaults, text};
use super::emission::OFFLINE;
use super::model::CteModel;
use super::{foreign_names, qr, supplement};
use crate::document::{BuildContext, BuiltDocument, DocumentIds, SignedElement};
use crate::finding::{Notice, Violation, excerpt};
use crate::layout::{self, Body};
use crate::map::{self, GroupScope, LayerOrigin, LayoutWalker, NoticePolicy};
use crate::nota::key::{self, KeyTags};
use crate::nota::{issuer, root_scope, unknown_roots, write_software_house};
use crate::value::{ChaveAcesso, CivilOffset, CnpjCpf, TpAmb, Uf, amount};
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// `xNome` of the parties in homologação (rules 646 to 649).
const TEST_PARTY: &str = "CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL";
const TAGS: KeyTags = KeyTags { numero: "nCT", codigo: "cCT" };
/// `modal` of road transport, the only one that is issued.
const ROAD: &str = "01";
/// `tpServ` of valuables, which have no modal (829).
const VALUABLES: &str = "7";

/// A written document, complete or not.
pub(super) struct CteDraft {
    pub(super) built: BuiltDocument,
    pub(super) violations: Vec<Violation>,
}

/// Data needed before the first element is written.
struct CtePreamble {
    chave: ChaveAcesso,
    dhEmi: String,
    uf: Uf,
    civil: CivilOffset,
    /// Values of `ide` with precedence over the caller's.
    ide: Map<String, Value>,
    /// Groups of a normal document with precedence over the caller's.
    normal: Map<String, Value>,
    /// The tomador, as a layer of `ide`.
    tomador: Map<String, Value>,
    defaults: CteDefaults,
}

/// Writes what can be written and collects the violations.
pub(super) fn draft(
    nota: &Value,
    context: &BuildContext<'_>,
    remarks: NoticePolicy,
) -> Result<CteDraft, Vec<Violation>> {
    let Value::Object(given) = nota else {
        return Err(vec![Violation::of(
            "nota",
            "tipo_invalido",
            "Informe nota: um objeto com os grupos do documento.",
        )]);
    };
    let model = CteModel::of(context.modelo);
    let renamed = foreign_names::translate_names(given);
    let given = renamed.as_ref().map_or(given, |renamed| &renamed.root);
    let root = without_unwritable(model, given);
    let root = root.as_ref();
    let emit = model.scope(root, "emit").or(context.emitente);
    let said = defaults::caller_data(model, root, context, emit);
    let mut violations = Vec::new();
    if remarks == NoticePolicy::Kept {
        refuse_unreadable(&said, &mut violations);
    }
    let Some(start) = prepare_preamble(&said, &mut violations) else { return Err(violations) };
    refuse(&said, start.uf, &mut violations);
    let mut walker = LayoutWalker::new(CAPACITY, start.civil.hours(), remarks);
    walker.violations = violations;
    let (ids, signed) = write_document(&mut walker, &said, &start);
    let renamed = renamed.iter().flat_map(|renamed| &renamed.notices);
    for notice in renamed.chain(&start.defaults.notices) {
        walker.add_notice(|| notice.clone());
    }
    unknown_roots::report(root, model.root_names(), &mut walker);
    report(given, &said, &start, &mut walker);
    let signatures = vec![SignedElement { element: signed, id: ids.id.clone() }];
    let built = BuiltDocument {
        ids,
        signatures,
        dhEmi: start.dhEmi,
        valor: price(&said),
        destinatario: receiver(&said),
        estrangeiro: false,
        xml: std::mem::take(&mut walker.xml).finish(),
        notices: walker.notices,
        body: None,
    };
    Ok(CteDraft { built, violations: walker.violations })
}

/// Refuses an unreadable number or series, and a value in place of a group, which the walk would ignore.
fn refuse_unreadable(said: &CallerData<'_, '_>, violations: &mut Vec<Violation>) {
    let CallerData { model, root, ide, .. } = said;
    violations.extend(super::NUMBER_FIELDS.refusals(ide));
    violations.extend(map::misplaced(model.parts(), model.map, &root_scope(root)));
}

/// Writes the whole document. Returns its identifiers and the range of `infCte`.
fn write_document(
    walker: &mut LayoutWalker,
    said: &CallerData<'_, '_>,
    start: &CtePreamble,
) -> (DocumentIds, std::ops::Range<usize>) {
    let CallerData { model, context, .. } = said;
    let (tag, namespace) = (model.layout.root.name, model.layout.namespace);
    let ids = DocumentIds::by_key("CTe", start.chave);
    let attributes = [("xmlns", namespace), ("versao", VERSAO)];
    walker.xml.open_with(tag, if model.root_has_version { &attributes } else { &attributes[..1] });
    let begin = walker.xml.len();
    walker.xml.open_with("infCte", &[("Id", &ids.id), ("versao", VERSAO)]);
    write_groups(walker, said, start);
    walker.xml.close("infCte");
    let infCte = begin..walker.xml.len();
    if context.tpEmis != OFFLINE {
        supplement::write(&mut walker.xml, &qr::text(&start.chave, context.ambiente, None));
    }
    walker.xml.close(tag);
    (ids, infCte)
}

/// Writes the members of `infCte` in the order of the layout.
fn write_groups(walker: &mut LayoutWalker, said: &CallerData<'_, '_>, start: &CtePreamble) {
    let CallerData { model, root, context, .. } = said;
    let scope = root_scope(root);
    let fixed_name = Map::from_iter([("xNome".to_owned(), text(TEST_PARTY))]);
    for particle in model.parts() {
        let Body::Element(element) = &particle.body else { continue };
        let place = model.map.child(element.name);
        let own = || scope.below(place, element.name);
        let is_role = model.roles.iter().any(|role| role.tag == element.name);
        match element.name {
            "ide" => {
                let own = own().with(&start.tomador, "nota", LayerOrigin::Shared);
                walker.group(element, place, &own.forced(&start.ide).or(&start.defaults.ide));
            }
            "emit" => walker.group(element, place, &context.issuer_on(own(), &start.dhEmi)),
            "vPrest" => walker.group(element, place, &own().or(&start.defaults.vPrest)),
            "imp" => walker.group(element, place, &own().or(&start.defaults.imp)),
            "infCTeNorm" if said.is_complement() => {}
            "infCTeNorm" => {
                let all = root_scope(root).forced(&start.normal).or(&start.defaults.normal);
                walker.group(element, place, &all.below(place, element.name));
            }
            "infCteComp" if !said.is_complement() => {}
            "infRespTec" => {
                write_software_house(
                    walker,
                    particle,
                    element,
                    model.map,
                    &scope,
                    context.software_house,
                    &start.chave,
                );
            }
            _ if start.defaults.fixed(element.name).is_some() || (is_role && takes_test_name(context, &own())) => {
                let mut party = own();
                if is_role && takes_test_name(context, &party) {
                    party = party.forced(&fixed_name);
                }
                if let Some(fixed) = start.defaults.fixed(element.name) {
                    party = party.or(fixed);
                }
                walker.group(element, place, &party);
            }
            _ => walker.member(particle, Some(model.map), &scope),
        }
    }
}

/// True when the service replaces the name of a party. A party without a name is refused, as in production.
fn takes_test_name(context: &BuildContext<'_>, party: &GroupScope<'_>) -> bool {
    context.ambiente == TpAmb::Homologacao && party.text("xNome").is_some()
}

/// Composes the key, and decides the forced and filled values.
fn prepare_preamble(said: &CallerData<'_, '_>, violations: &mut Vec<Violation>) -> Option<CtePreamble> {
    let CallerData { context, ide, .. } = said;
    let emitente = issuer::document(&said.emit, context.emitente, violations);
    let uf = issuer::state(&said.emit, &said.here, violations)?;
    let civil = issuer::civil_offset(uf, &said.here);
    let dhEmi = key::instant(ide, context, civil);
    let chave = key::compose(context, uf, emitente, &dhEmi, &TAGS, violations)?;
    let mut defaults = CteDefaults::of(said, &dhEmi);
    let normal = modal(said, &mut defaults, violations);
    let mut ide = key::forced(context, uf, &chave, &TAGS);
    if context.tpEmis != OFFLINE {
        // an SVC refuses a CT-e with `dhCont` or `xJust` (586)
        ide.retain(|name, _| !REASONS.contains(&name.as_str()));
    }
    Some(CtePreamble { chave, dhEmi, uf, civil, ide, normal, tomador: tomador(said), defaults })
}

/// The tomador as a layer of `ide`, where the layout has it; the contract has it beside.
fn tomador(said: &CallerData<'_, '_>) -> Map<String, Value> {
    let name = "tomador".to_owned();
    match said.root.get(&name).filter(|_| said.has(&["tomador"])) {
        // the document is refused already; an index prevents a second violation by the layout
        _ if said.tomador().is_none() || !said.has_valid_index() => Map::from_iter([(name, json!({ "indice": "0" }))]),
        Some(given) => Map::from_iter([(name, given.clone())]),
        None => Map::new(),
    }
}

/// The carrier's registration: the payload's, else the company's. Returns the forced groups of a normal document.
fn modal(said: &CallerData<'_, '_>, defaults: &mut CteDefaults, violations: &mut Vec<Violation>) -> Map<String, Value> {
    let mut forced = Map::new();
    if said.is_complement() {
        return forced;
    }
    let CallerData { model, context, .. } = said;
    let group = |tag: &str, member: &str, value: &str| {
        (tag.to_owned(), Value::Object(Map::from_iter([(member.to_owned(), text(value))])))
    };
    if model.roles.is_empty() {
        let road = road(said, "rodoOS");
        let permit = ["TAF", "taf", "NroRegEstadual", "nro_reg_estadual"].iter().any(|name| road.text(name).is_some());
        let inside = said.ide.text("UFIni").is_some_and(|uf| said.ide.text("UFFim").map(str::trim) == Some(uf.trim()));
        if let Some(taf) = context.setting("taf").filter(|_| !permit && !inside && matches!(said.tpServ(), "6" | "8")) {
            defaults.normal.extend([group("rodoOS", "TAF", taf)]);
        }
        return forced;
    }
    let given = road(said, "rodo");
    match ["RNTRC", "rntrc"].iter().find_map(|name| given.text(name)).or(context.setting("rntrc")) {
        Some(rntrc) => forced.extend([group("rodo", "RNTRC", &registration(rntrc))]),
        None => {
            let mensagem = "Informe rodoviario.rntrc (8 dígitos ou ISENTO), ou cadastre o RNTRC na configuração de CT-e da empresa.";
            violations.push(Violation::of("nota.rodoviario.rntrc", "campo_obrigatorio", mensagem));
            // the document is refused already; a number prevents a second violation by the layout
            forced.extend([group("rodo", "RNTRC", "00000000")]);
        }
    }
    forced
}

/// The group of the road modal, at any of its places.
fn road<'a>(said: &CallerData<'a, '_>, tag: &'static str) -> GroupScope<'a> {
    let normal = said.model.map.child("infCTeNorm");
    let modal = normal.and_then(|normal| normal.child("infModal"));
    let inside = root_scope(said.root).below(normal, "infCTeNorm").below(modal, "infModal");
    inside.below(modal.and_then(|modal| modal.child(tag)), tag)
}

/// Normalised `RNTRC`. ANTT prints nine digits, the layout takes eight; the leading zero is dropped.
pub fn registration(given: &str) -> String {
    let bare: String = given.trim().chars().filter(|character| character.is_ascii_alphanumeric()).collect();
    let bare = bare.to_uppercase();
    match bare.strip_prefix('0') {
        Some(rest) if bare.len() == 9 => rest.to_owned(),
        _ => bare,
    }
}

/// Violations that the layout does not show.
fn refuse(said: &CallerData<'_, '_>, uf: Uf, violations: &mut Vec<Violation>) {
    let mut refuse = |campo: &str, codigo, mensagem: &str| violations.push(Violation::of(campo, codigo, mensagem));
    let CallerData { ide, model, .. } = said;
    let home = ide.base_path();
    let code = uf.code().to_string();
    for name in ["cUF", "UF"] {
        let other = |given: &str| given != code && !given.eq_ignore_ascii_case(uf.sigla());
        if ide.text(name).map(str::trim).is_some_and(other) {
            let mensagem =
                format!("{name} deve ser a UF do emitente, {} ({code}), ou ficar de fora (rejeição 247).", uf.sigla());
            refuse(&format!("{home}.{name}"), "valor_invalido", &mensagem);
        }
    }
    if let Some(given @ ("4" | "5")) = ide.text("tpEmis").map(str::trim) {
        let name = if given == "4" { "EPEC" } else { "FS-DA" };
        let mensagem = format!(
            "tpEmis {given} ({name}) não existe mais no CT-e: foi encerrado em 16/11/2026 (NT 2026.004). Omita tpEmis: o serviço usa a SVC por conta própria."
        );
        refuse(&format!("{home}.tpEmis"), "valor_invalido", &mensagem);
    }
    let other = OTHER_MODALS.iter().find(|name| said.has(&[name]));
    let modal = ide.text("modal").map(str::trim).filter(|modal| !matches!(*modal, "1" | ROAD));
    if other.is_some() || modal.is_some() {
        let campo = other.map_or_else(|| format!("{home}.modal"), |name| format!("nota.{name}"));
        refuse(&campo, "modal_nao_suportado", "Só o modal rodoviário (01) é emitido aqui.");
    }
    if let Some((campo, indice)) = said.indice().filter(|_| !said.has_valid_index()) {
        let mensagem = format!(
            "{} não é um índice: 0 remetente, 1 expedidor, 2 recebedor, 3 destinatario, 4 outro (descrito).",
            excerpt(indice)
        );
        refuse(&campo, "valor_invalido", &mensagem);
    }
    if let Some(second) = second_kind(said).filter(|_| !said.is_complement()) {
        let mensagem = "documentos leva um só tipo: nfe, nf, outros ou dce. Emita um CT-e para cada um.";
        refuse(&second, "estrutura_invalida", mensagem);
    }
    for (campo, mensagem) in invalid_test_names(said) {
        refuse(&campo, "valor_invalido", &mensagem);
    }
    if !model.roles.is_empty() && said.tomador().is_none() {
        let mensagem = "Informe tomador: {\"indice\": \"0\"} (0 remetente, 1 expedidor, 2 recebedor, 3 destinatario), ou os dados de quem contrata o serviço.";
        refuse("nota.tomador", "campo_obrigatorio", mensagem);
    }
}

/// Path of the second kind of carried documents. The layout takes one kind.
fn second_kind(said: &CallerData<'_, '_>) -> Option<String> {
    let normal = said.model.map.child("infCTeNorm");
    let carried = root_scope(said.root).below(normal, "infCTeNorm");
    let place = normal.and_then(|normal| normal.child("infDoc"));
    let carried = carried.below(place, "infDoc");
    let kinds = [["nf", "infNF"], ["nfe", "infNFe"], ["outros", "infOutros"], ["dce", "infDCe"]];
    let mut given = kinds.into_iter().flatten().filter(|name| carried.has(name));
    given.nth(1).map(|name| format!("{}.{name}", carried.base_path()))
}

/// Names that production would refuse. In homologação the official name replaces them, so the layout does not check
/// them.
fn invalid_test_names(said: &CallerData<'_, '_>) -> Vec<(String, String)> {
    let roles = said.model.roles.iter().filter(|_| said.context.ambiente == TpAmb::Homologacao);
    let wrong = roles.filter_map(|role| {
        let party = said.scope(role.tag);
        let leaf = said.model.parts().into_iter().find_map(|part| match &part.body {
            Body::Element(element) if element.name == role.tag => element.child("xNome")?.text(),
            _ => None,
        })?;
        let mensagem = layout::check_value(leaf, &map::official_text(party.text("xNome")?)).err()?;
        Some((format!("{}.xNome", party.base_path()), mensagem))
    });
    wrong.collect()
}

/// The payload without members that the document cannot carry: start and reason of a contingency, which the service
/// writes, and the modal of valuables.
fn without_unwritable<'a>(model: &'static CteModel, root: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
    let mut root = Cow::Borrowed(root);
    for group in ["identificacao", "ide"] {
        if REASONS.iter().any(|name| root.get(group).is_some_and(|ide| ide.get(*name).is_some()))
            && let Some(Value::Object(ide)) = root.to_mut().get_mut(group)
        {
            REASONS.iter().for_each(|name| drop(ide.shift_remove(*name)));
        }
    }
    if model.roles.is_empty() && model.scope(&root, "ide").text("tpServ").map(str::trim) == Some(VALUABLES) {
        for name in ROAD_NAMES.iter().filter(|name| root.contains_key(**name)).collect::<Vec<_>>() {
            root.to_mut().shift_remove(*name);
        }
    }
    root
}

/// Notices for values of the caller that the service overrides.
fn report(given: &Map<String, Value>, said: &CallerData<'_, '_>, start: &CtePreamble, walker: &mut LayoutWalker) {
    let CallerData { context, model, .. } = said;
    let ide = model.scope(given, "ide");
    let mut ignored = |campo: String, mensagem: &str, right: Option<&str>| {
        walker.add_notice(|| Notice::of(campo, "campo_ignorado", mensagem, right));
    };
    let (modelo, tpEmis) = (context.modelo.to_string(), context.tpEmis.to_string());
    let (cUF, cCT, cDV) =
        (start.uf.code().to_string(), format!("{:08}", context.codigo), start.chave.cDV().to_string());
    let decided = [
        ("cUF", &*cUF, "é o código da UF do emitente"),
        ("cCT", &cCT, "faz parte da chave, que o serviço compõe"),
        ("cDV", &cDV, "faz parte da chave, que o serviço compõe"),
        ("tpAmb", context.ambiente.code(), "quem decide é a configuração da empresa e a chave de API"),
        ("mod", &modelo, "é o modelo que está sendo emitido"),
        ("procEmi", key::PROC_EMI, "o CT-e é emitido com aplicativo do contribuinte"),
        ("tpEmis", &tpEmis, "quem decide é o estado das autorizadoras"),
    ];
    for (name, right, why) in decided {
        if let Some((campo, _)) = ide.differing_value(name, right) {
            ignored(campo, &format!("{name} é {right}: {why}."), Some(right));
        }
    }
    for name in REASONS.iter().filter(|name| context.tpEmis != OFFLINE && ide.text(name).is_some()) {
        let mensagem = format!("{name} só existe na emissão off-line (tpEmis 2): foi ignorado.");
        ignored(format!("{}.{name}", ide.base_path()), &mensagem, None);
    }
    if model.roles.is_empty() && said.scope("toma").text("indice").is_some() {
        ignored("nota.tomador.indice".to_owned(), "No CT-e OS o tomador é sempre descrito: indice foi ignorado.", None);
    }
    for name in ROAD_NAMES.iter().filter(|name| given.contains_key(**name) && !said.root.contains_key(**name)) {
        ignored(
            format!("nota.{name}"),
            "O transporte de valores (tpServ 7) não leva os dados do modal: o grupo foi ignorado.",
            None,
        );
    }
    if said.is_complement() {
        report_complement(given, said, walker);
    }
}

/// Notices for groups of a normal document in a complement, which has none.
fn report_complement(given: &Map<String, Value>, said: &CallerData<'_, '_>, walker: &mut LayoutWalker) {
    let normal = said.model.normal_names();
    for name in given.keys().filter(|name| normal.contains(&name.as_str())) {
        let mensagem = format!("O CT-e de complemento (tpCTe 1) não leva {name}: foi ignorado.");
        walker.add_notice(|| Notice::of(format!("nota.{name}"), "campo_ignorado", &mensagem, None));
    }
}

fn price(said: &CallerData<'_, '_>) -> Decimal {
    let mut price = said.scope("vPrest").text("vTPrest").and_then(amount).unwrap_or_default().round_dp(2);
    price.rescale(2);
    price
}

/// CNPJ or CPF, without mask, of the receiver of the cargo, or of the tomador of a CT-e OS.
fn receiver(said: &CallerData<'_, '_>) -> Option<String> {
    let party = said.scope(if said.model.roles.is_empty() { "toma" } else { "dest" });
    let given = issuer::DOCUMENT.iter().find_map(|name| party.text(name))?;
    CnpjCpf::parse(given).ok().map(|document| document.to_string())
}

const VERSAO: &str = "4.00";
const REASONS: [&str; 2] = ["dhCont", "xJust"];
const ROAD_NAMES: [&str; 3] = ["rodoviario", "rodoOS", "infModal"];
/// Groups of modals that are not issued.
const OTHER_MODALS: [&str; 8] =
    ["aereo", "aquaviario", "aquav", "ferroviario", "ferrov", "dutoviario", "duto", "multimodal"];
/// Bytes reserved for a usual document.
const CAPACITY: usize = 8_000;
