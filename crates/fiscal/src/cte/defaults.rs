//! Defaults of a CT-e: layers weaker than the payload, with the notices for the caller.
//!
//! Law: `docs/contract.md`, "CT-e" (defaults of `identificacao`, `valores` and `imposto`); MOC CT-e 4.00 anexo I for
//! the codes.

use super::abroad;
use super::model::{self, CteModel, PartyRole};
use super::rules::NEVER_EXEMPT;
use crate::document::BuildContext;
use crate::finding::Notice;
use crate::map::GroupScope;
use crate::value::municipio;
use serde_json::{Map, Value};

/// Layers that yield to the caller, and their notices.
#[derive(Default)]
pub(super) struct CteDefaults {
    pub(super) ide: Map<String, Value>,
    pub(super) vPrest: Map<String, Value>,
    pub(super) imp: Map<String, Value>,
    /// Layer of the groups directly below `nota`.
    pub(super) normal: Map<String, Value>,
    /// Fixed values of parties abroad, by the tag of the party.
    parties: Vec<(&'static str, Map<String, Value>)>,
    pub(super) notices: Vec<Notice>,
}

/// 0 normal, 1 complement, 3 substitution: from the payload, else implied by its groups.
pub(super) fn tpCTe<'a>(root: &'a Map<String, Value>, ide: &GroupScope<'a>) -> &'a str {
    let implied = || if has(root, &["complementado", "infCteComp"]) { "1" } else { substitution(root) };
    ide.text("tpCTe").map_or_else(implied, str::trim)
}

fn substitution(root: &Map<String, Value>) -> &'static str {
    let nested = root.get("infCTeNorm").is_some_and(|normal| normal.get("infCteSub").is_some());
    if nested || has(root, &["substituicao", "infCteSub"]) { "3" } else { "0" }
}

fn has(root: &Map<String, Value>, names: &[&str]) -> bool {
    let full = |value: &Value| match value {
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    };
    names.iter().any(|name| root.get(*name).is_some_and(full))
}

/// The caller's data, with the scopes that several functions read.
pub(super) struct CallerData<'a, 'c> {
    pub(super) model: &'static CteModel,
    pub(super) root: &'a Map<String, Value>,
    pub(super) context: &'a BuildContext<'c>,
    pub(super) emit: GroupScope<'a>,
    pub(super) here: GroupScope<'a>,
    pub(super) ide: GroupScope<'a>,
}

impl<'a> CallerData<'a, '_> {
    pub(super) fn scope(&self, tag: &'static str) -> GroupScope<'a> {
        self.model.scope(self.root, tag)
    }

    /// True when a group of the caller is not empty, under any of its names.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        has(self.root, names)
    }

    pub(super) fn tpCTe(&self) -> &'a str {
        tpCTe(self.root, &self.ide)
    }

    pub(super) fn is_complement(&self) -> bool {
        self.tpCTe() == "1"
    }

    /// `tpServ` without leading zeros.
    pub(super) fn tpServ(&self) -> &'a str {
        self.ide.text("tpServ").map_or("0", |tpServ| tpServ.trim().trim_start_matches('0'))
    }

    /// The group of the tomador: a party by its index, or the one described.
    pub(super) fn tomador(&self) -> Option<GroupScope<'a>> {
        let group = self.tomador_group()?;
        match self.index().and_then(|index| self.model.roles.get(index)) {
            Some(role) => Some(self.scope(role.tag)),
            None => Some(group),
        }
    }

    /// The described tomador, when it is not one of the other parties.
    fn described(&self) -> Option<GroupScope<'a>> {
        let is_party = self.index().is_some_and(|index| index < self.model.roles.len());
        self.tomador_group().filter(|_| !is_party)
    }

    /// The group as the caller wrote it.
    fn tomador_group(&self) -> Option<GroupScope<'a>> {
        let group = if self.model.roles.is_empty() {
            self.scope("toma")
        } else {
            ["toma3", "toma4"].into_iter().map(|tag| self.tomador_in_ide(tag)).find(|found| !found.is_empty())?
        };
        (!group.is_empty()).then_some(group)
    }

    /// Position of the tomador among the parties; 4 stands for another one.
    fn index(&self) -> Option<usize> {
        self.indice().and_then(|(_, indice)| indice.parse().ok())
    }

    /// Path and text of the index.
    pub(super) fn indice(&self) -> Option<(String, &'a str)> {
        let group = self.tomador_group()?;
        let given = ["toma", "indice"].into_iter().find_map(|name| Some((name, group.text(name)?.trim())))?;
        Some((path(&group, given.0), given.1))
    }

    /// True when the index is absent or valid.
    pub(super) fn has_valid_index(&self) -> bool {
        self.model.roles.is_empty()
            || self
                .indice()
                .is_none_or(|(_, indice)| indice.parse().is_ok_and(|index: usize| index <= self.model.roles.len()))
    }

    /// The group `toma3` or `toma4`. The contract names both `tomador`, beside `identificacao`; the official tree has
    /// them inside of it.
    fn tomador_in_ide(&self, tag: &'static str) -> GroupScope<'a> {
        let place = self.model.map.child("ide").and_then(|ide| ide.child(tag));
        let inside = self.ide.below(place, tag);
        if inside.is_empty() { crate::nota::root_scope(self.root).below(place, tag) } else { inside }
    }

    fn role(&self, tag: &str) -> Option<&'static PartyRole> {
        self.model.roles.iter().find(|role| role.tag == tag)
    }

    /// The first of these parties that is present.
    fn first_of(&self, tags: [&str; 2]) -> Option<(&'static PartyRole, GroupScope<'a>)> {
        let roles = tags.iter().filter_map(|tag| self.role(tag));
        roles.map(|role| (role, self.scope(role.tag))).find(|(_, party)| !party.is_empty())
    }
}

impl CteDefaults {
    /// Computes every default.
    pub(super) fn of(said: &CallerData<'_, '_>, dhEmi: &str) -> CteDefaults {
        let mut defaults = CteDefaults::default();
        defaults.identification(said);
        defaults.parties(said);
        defaults.places(said);
        defaults.values(said);
        defaults.taxes(said, dhEmi);
        defaults
    }

    fn identification(&mut self, said: &CallerData<'_, '_>) {
        let CallerData { ide, here, context, .. } = said;
        let mut put = |tag: &str, value: &str| drop(self.ide.insert(tag.to_owned(), text(value)));
        put("dhEmi", context.dhEmi);
        put("tpImp", "1");
        put("tpCTe", said.tpCTe());
        put("verProc", context.verProc);
        for (tag, own) in [("cMunEnv", "cMun"), ("xMunEnv", "xMun"), ("UFEnv", "UF")] {
            if let Some(value) = here.text(own) {
                put(tag, value);
            }
        }
        if said.has(&["globalizado", "infGlobalizado"]) {
            put("indGlobalizado", "1");
        }
        if ide.text("natOp").is_none()
            && let Some(CFOP) = ide.text("CFOP")
        {
            self.fill_ide(ide, "natOp", nat_op(CFOP.trim()));
        }
        if ide.text("indIEToma").is_none() {
            self.registration(said);
        }
    }

    /// `indIEToma`: 1 with a registration, 2 exempt, 9 without one. An exempt tomador is 9 in a state without exempt
    /// registrations (617).
    fn registration(&mut self, said: &CallerData<'_, '_>) {
        let tomador = said.tomador();
        let IE = tomador.as_ref().and_then(|tomador| tomador.text("IE")).map(str::trim);
        let uf = tomador.as_ref().and_then(abroad::state).unwrap_or_default();
        match IE {
            None => self.fill_ide(&said.ide, "indIEToma", "9"),
            Some(IE) if !IE.eq_ignore_ascii_case("ISENTO") => self.fill_ide(&said.ide, "indIEToma", "1"),
            Some(_) if !NEVER_EXEMPT.contains(&uf.as_str()) => self.fill_ide(&said.ide, "indIEToma", "2"),
            Some(_) => {
                let why = format!(
                    "indIEToma não foi informado: será usado \"9\", porque em {uf} não há isento de inscrição (rejeição 617)."
                );
                self.ide.insert("indIEToma".to_owned(), text("9"));
                self.notices.push(Notice::of(path(&said.ide, "indIEToma"), "assumido_padrao", &why, None));
            }
        }
    }

    /// Fixed values of parties abroad.
    fn parties(&mut self, said: &CallerData<'_, '_>) {
        let described = if said.model.roles.is_empty() { "toma" } else { "toma4" };
        let roles = said.model.roles.iter().map(|role| (role.tag, said.scope(role.tag)));
        let parties: Vec<_> = roles.chain(said.described().map(|party| (described, party))).collect();
        for (tag, party) in parties.into_iter().filter(|(_, party)| !party.is_empty()) {
            let fixed = abroad::fixed(&party);
            let told = fixed.iter().filter_map(|(name, value)| Some(assumed(&party, name, value.as_str()?)));
            self.notices.extend(told);
            if tag == "toma4" && !fixed.is_empty() {
                self.ide.insert(tag.to_owned(), Value::Object(fixed));
            } else if !fixed.is_empty() {
                self.parties.push((tag, fixed));
            }
        }
    }

    /// The fixed values of a party abroad; `None` for other parties.
    pub(super) fn fixed(&self, tag: &str) -> Option<&Map<String, Value>> {
        self.parties.iter().find(|(party, _)| *party == tag).map(|(_, fixed)| fixed)
    }

    /// Start and end of the service: the municípios of the parties, unless the payload names them. A CT-e OS has no
    /// such parties.
    fn places(&mut self, said: &CallerData<'_, '_>) {
        let ends =
            [("cMunIni", "xMunIni", "UFIni", ["exped", "rem"]), ("cMunFim", "xMunFim", "UFFim", ["receb", "dest"])];
        for (cMun, xMun, UF, parties) in ends {
            if let Some(code) = said.ide.text(cMun) {
                self.fill_municipio(said, [xMun, UF], code.trim());
                continue;
            }
            let Some((role, party)) = said.first_of(parties) else { continue };
            if said.ide.text(xMun).is_some() || said.ide.text(UF).is_some() {
                continue;
            }
            let address = said.model.address(&party, role.tag, role.address);
            let fixed = self.fixed(role.tag).cloned().unwrap_or_default();
            for (tag, own) in [(cMun, "cMun"), (xMun, "xMun"), (UF, "UF")] {
                if let Some(value) = address.text(own).or_else(|| fixed.get(own)?.as_str()) {
                    self.ide.insert(tag.to_owned(), text(value));
                }
            }
            let mensagem =
                format!("{cMun}, {xMun} e {UF} não foram informados: será usado o município do {}.", role.name);
            self.notices.push(Notice::of(path(&said.ide, cMun), "assumido_padrao", &mensagem, None));
        }
    }

    /// Name and state of a município given by its code alone.
    fn fill_municipio(&mut self, said: &CallerData<'_, '_>, [xMun, UF]: [&str; 2], code: &str) {
        let Some(found) = code.parse().ok().and_then(municipio::find) else { return };
        let state = found.uf().map(|uf| uf.sigla());
        for (tag, value) in [(xMun, Some(found.nome)), (UF, state)] {
            if let Some(value) = value.filter(|_| said.ide.text(tag).is_none()) {
                self.fill_ide(&said.ide, tag, value);
            }
        }
    }

    fn values(&mut self, said: &CallerData<'_, '_>) {
        let vPrest = said.scope("vPrest");
        if let (Some(vTPrest), None) = (vPrest.text("vTPrest"), vPrest.text("vRec")) {
            self.notices.push(assumed(&vPrest, "vRec", vTPrest));
            self.vPrest.insert("vRec".to_owned(), text(vTPrest));
        }
    }

    fn taxes(&mut self, said: &CallerData<'_, '_>, dhEmi: &str) {
        let imp = said.scope("imp");
        let place = said.model.map.child("imp");
        let reform = imp.below(place.and_then(|imp| imp.child("IBSCBS")), "IBSCBS");
        // the tax due is not added to the price in any year (NT 2026.004), so the total is the price
        if let Some(vTPrest) =
            said.scope("vPrest").text("vTPrest").filter(|_| !reform.is_empty() && imp.text("vTotDFe").is_none())
        {
            self.notices.push(assumed(&imp, "vTotDFe", vTPrest));
            self.imp.insert("vTotDFe".to_owned(), text(vTPrest));
        }
        let icms = imp.below(place.and_then(|imp| imp.child("ICMS")), "ICMS");
        let emit = said.context.issuer_on(said.scope("emit"), dhEmi);
        let simples = emit.text("CRT").is_some_and(|crt| matches!(crt.trim(), "1" | "4"));
        if simples && icms.is_empty() {
            self.imp.insert("ICMS".to_owned(), Value::Object(Map::from_iter([("indSN".to_owned(), text("1"))])));
            let mensagem = "O ICMS não foi informado e a empresa é do Simples Nacional: será escrito o grupo ICMSSN.";
            self.notices.push(Notice::of(format!("{}.icms", imp.base_path()), "assumido_padrao", mensagem, None));
        }
    }

    fn fill_ide(&mut self, ide: &GroupScope<'_>, tag: &str, value: &str) {
        self.ide.insert(tag.to_owned(), text(value));
        self.notices.push(assumed(ide, tag, value));
    }
}

pub(super) fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

fn path(scope: &GroupScope<'_>, tag: &str) -> String {
    format!("{}.{tag}", scope.base_path())
}

fn assumed(scope: &GroupScope<'_>, tag: &str, value: &str) -> Notice {
    let mensagem = format!("{tag} não foi informado: será usado \"{}\".", value.trim());
    Notice::of(path(scope, tag), "assumido_padrao", &mensagem, None)
}

/// `natOp` for a CFOP (Convênio S/N of 1970, anexo, 5.350 and 6.350).
fn nat_op(CFOP: &str) -> &'static str {
    match CFOP.get(1..).unwrap_or_default() {
        "351" => "PRESTACAO DE TRANSPORTE PARA SERVICO DA MESMA NATUREZA",
        "352" => "PRESTACAO DE TRANSPORTE A ESTABELECIMENTO INDUSTRIAL",
        "353" => "PRESTACAO DE TRANSPORTE A ESTABELECIMENTO COMERCIAL",
        "354" => "PRESTACAO DE TRANSPORTE A PRESTADOR DE COMUNICACAO",
        "355" => "PRESTACAO DE TRANSPORTE A EMPRESA DE ENERGIA ELETRICA",
        "356" => "PRESTACAO DE TRANSPORTE A PRODUTOR RURAL",
        "357" => "PRESTACAO DE TRANSPORTE A NAO CONTRIBUINTE",
        "359" => "PRESTACAO DE TRANSPORTE DE CARGA SEM NOTA FISCAL",
        "360" => "PRESTACAO DE TRANSPORTE A CONTRIBUINTE SUBSTITUTO",
        "932" => "PRESTACAO DE TRANSPORTE INICIADA EM OUTRA UF",
        _ => "PRESTACAO DE SERVICO DE TRANSPORTE",
    }
}

/// The caller's data for `write` and for the defaults.
pub(super) fn caller_data<'a, 'c>(
    model: &'static CteModel,
    root: &'a Map<String, Value>,
    context: &'a BuildContext<'c>,
    emit: GroupScope<'a>,
) -> CallerData<'a, 'c> {
    let here = model.address(&emit, "emit", "enderEmit");
    CallerData { model, root, context, emit, here, ide: model::ide(root) }
}
