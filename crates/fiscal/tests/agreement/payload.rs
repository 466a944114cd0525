//! A drawn document as a caller would send it: under the official tags, or under the contract's names
//! (`docs/contract.md`, "Emission"). Both are defined here again, independent of the map under test.

use std::collections::BTreeSet;

use fiscal::layout::{Body, ContentModel, Element, Particle};
use serde_json::{Map, Value};

use crate::random::Random;
use crate::tree::{Item, Tree};

/// Names of the members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Official,
    Contract,
}

/// The contract's names for the groups of a model.
pub(crate) struct Vocabulary {
    /// Groups of the XML whose members the contract writes into the enclosing group.
    pub(crate) flat: &'static [(&'static str, &'static str)],
    /// Rows of group, tag and contract name.
    pub(crate) names: &'static [&'static [(&'static str, &'static str, &'static str)]],
    /// A group, and members of it that the contract puts beside it.
    pub(crate) beside: (&'static str, &'static [&'static str]),
}

/// NF-e and NFC-e.
pub(crate) const NFE: Vocabulary = Vocabulary { flat: FLAT, names: &[NAMES], beside: ("total", BESIDE_TOTAL) };

const FLAT: &[(&str, &str)] = &[
    ("infNFe", "pag"),
    ("emit", "enderEmit"),
    ("dest", "enderDest"),
    ("det", "prod"),
    ("det", "imposto"),
    ("ICMS", "*"),
    ("IPI", "IPITrib"),
    ("IPI", "IPINT"),
    ("PIS", "*"),
    ("COFINS", "*"),
    ("IBSCBS", "gIBSCBS"),
    ("total", "ICMSTot"),
    ("transp", "transporta"),
];

const NAMES: &[(&str, &str, &str)] = &[
    ("infNFe", "ide", "identificacao"),
    ("infNFe", "emit", "emitente"),
    ("infNFe", "dest", "destinatario"),
    ("infNFe", "det", "produtos"),
    ("infNFe", "transp", "transportador"),
    ("infNFe", "cobr", "cobranca"),
    ("infNFe", "infIntermed", "intermediador"),
    ("infNFe", "infAdic", "informacoes_adicionais"),
    ("infNFe", "infRespTec", "responsavel_tecnico"),
    ("pag", "detPag", "pagamentos"),
    ("pag", "vTroco", "troco"),
    ("emit", "CNPJ", "CNPJCPF"),
    ("emit", "CPF", "CNPJCPF"),
    ("dest", "CNPJ", "CNPJCPF"),
    ("dest", "CPF", "CNPJCPF"),
    ("enderEmit", "fone", "Fone"),
    ("enderDest", "fone", "Fone"),
    ("imposto", "ICMS", "icms"),
    ("imposto", "IPI", "ipi"),
    ("imposto", "II", "ii"),
    ("imposto", "ISSQN", "issqn"),
    ("imposto", "PIS", "pis"),
    ("imposto", "PISST", "pisst"),
    ("imposto", "COFINS", "cofins"),
    ("imposto", "COFINSST", "cofinsst"),
    ("imposto", "ICMSUFDest", "icmsufdest"),
    ("imposto", "IS", "is_"),
    ("imposto", "IBSCBS", "ibscbs"),
    ("IS", "CSTIS", "cst"),
    ("IS", "cClassTribIS", "classificacao"),
    ("IS", "vBCIS", "valor_bc"),
    ("IS", "pIS", "aliquota"),
    ("IS", "adRemIS", "aliquota_especifica"),
    ("IS", "uTrib", "unidade"),
    ("IS", "qTrib", "quantidade"),
    ("IS", "vIS", "valor"),
    ("IBSCBS", "CST", "cst"),
    ("IBSCBS", "cClassTrib", "classificacao"),
    ("IBSCBS", "gIBSCBSMono", "monofasico"),
    ("IBSCBS", "gTransfCred", "transferencia"),
    ("IBSCBS", "gEstornoCred", "estorno"),
    ("IBSCBS", "gCredPresOper", "credito_presumido"),
    ("gIBSCBS", "gIBSUF", "ibs_uf"),
    ("gIBSCBS", "gIBSMun", "ibs_mun"),
    ("gIBSCBS", "gCBS", "cbs"),
    ("gIBSCBS", "gTribRegular", "trib_regular"),
    ("gIBSCBS", "gTribCompraGov", "compra_gov"),
    ("gIBSUF", "pIBSUF", "aliquota"),
    ("gIBSUF", "vIBSUF", "valor"),
    ("gIBSUF", "gDif", "diferimento"),
    ("gIBSUF", "gRed", "reducao"),
    ("gIBSUF", "gDevTrib", "devolucao"),
    ("gIBSMun", "pIBSMun", "aliquota"),
    ("gIBSMun", "vIBSMun", "valor"),
    ("gIBSMun", "gDif", "diferimento"),
    ("gIBSMun", "gRed", "reducao"),
    ("gIBSMun", "gDevTrib", "devolucao"),
    ("gCBS", "pCBS", "aliquota"),
    ("gCBS", "vCBS", "valor"),
    ("gCBS", "gDif", "diferimento"),
    ("gCBS", "gRed", "reducao"),
    ("gCBS", "gDevTrib", "devolucao"),
    ("total", "ISTot", "is_total"),
    ("total", "IBSCBSTot", "ibscbs_total"),
    ("IBSCBSTot", "gIBS", "ibs"),
    ("IBSCBSTot", "gCBS", "cbs"),
    ("gIBS", "gIBSUF", "uf"),
    ("gIBS", "gIBSMun", "mun"),
];

const BESIDE_TOTAL: &[&str] = &["is_total", "ibscbs_total"];

/// Returns `nota` for an `infNFe` or `infCte`. `repeated` are the tags that may occur several times, with their
/// parents.
pub(crate) fn nota(
    inf: &Tree,
    vocabulary: &Vocabulary,
    style: Style,
    repeated: &BTreeSet<(&str, &str)>,
    random: &mut Random,
) -> Value {
    let (group, members) = vocabulary.beside;
    let mut writing = Writing { vocabulary, style, repeated, random, in_total: false };
    let mut nota = Map::new();
    writing.members(inf, &mut nota);
    if style == Style::Contract
        && let Some(Value::Object(mut around)) = nota.shift_remove(group)
    {
        for name in members {
            let member = around.shift_remove(*name);
            nota.extend(member.map(|member| ((*name).to_owned(), member)));
        }
        nota.insert(group.to_owned(), Value::Object(around));
    }
    Value::Object(nota)
}

struct Writing<'r> {
    vocabulary: &'r Vocabulary,
    style: Style,
    repeated: &'r BTreeSet<(&'r str, &'r str)>,
    random: &'r mut Random,
    /// Groups of the totals have the names of the items' groups, but their sums keep the official tags.
    in_total: bool,
}

impl Writing<'_> {
    fn members(&mut self, group: &Tree, members: &mut Map<String, Value>) {
        for (name, value) in &group.attributes {
            if !matches!(name.as_str(), "xmlns" | "Id" | "versao") {
                members.insert(name.clone(), Value::String(value.clone()));
            }
        }
        for node in &group.nodes {
            let Item::Tree(child) = node else { continue };
            if self.is_flat(group, child) {
                self.members(child, members);
                continue;
            }
            let value = self.value(child);
            let name = self.name(group, child);
            if self.repeated.contains(&(group.name.as_str(), child.name.as_str())) {
                match members.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                    Value::Array(elements) => elements.push(value),
                    other => panic!("{other} where a list was begun"),
                }
            } else {
                members.insert(name, value);
            }
        }
        self.split_base(group, members);
    }

    fn value(&mut self, child: &Tree) -> Value {
        if child.name != "imposto" && child.is_leaf() && child.attributes.is_empty() {
            return self.leaf(&child.value());
        }
        let mut inner = Map::new();
        self.in_total |= child.name == "total";
        self.members(child, &mut inner);
        self.in_total &= child.name != "total";
        Value::Object(inner)
    }

    /// Returns a text, or a JSON number of equal meaning.
    fn leaf(&mut self, text: &str) -> Value {
        let is_decimal = text.contains('.') && text.parse::<rust_decimal::Decimal>().is_ok() && !text.starts_with('.');
        match serde_json::from_str::<Value>(text) {
            Ok(number @ Value::Number(_)) if is_decimal && self.random.chance(50) => number,
            _ => Value::String(text.to_owned()),
        }
    }

    fn is_flat(&self, group: &Tree, child: &Tree) -> bool {
        let flat = |(parent, tag): &(&str, &str)| *parent == group.name && (*tag == child.name || *tag == "*");
        self.style == Style::Contract && self.vocabulary.flat.iter().any(flat)
    }

    fn name(&self, group: &Tree, child: &Tree) -> String {
        let named = |(parent, tag, _): &&(&str, &str, &str)| *parent == group.name && *tag == child.name;
        match self.vocabulary.names.iter().copied().flatten().find(named) {
            Some(("gIBSUF" | "gIBSMun" | "gCBS", tag, _)) if self.in_total => (*tag).to_owned(),
            Some((_, _, name)) if self.style == Style::Contract => (*name).to_owned(),
            _ => child.name.clone(),
        }
    }

    /// Writes the only base of the XML three times, inside each part, as the contract does.
    fn split_base(&self, group: &Tree, members: &mut Map<String, Value>) {
        if self.style != Style::Contract || group.name != "gIBSCBS" {
            return;
        }
        let Some(base) = members.shift_remove("vBC") else { return };
        for part in ["ibs_uf", "ibs_mun", "cbs"] {
            if let Some(Value::Object(part)) = members.get_mut(part) {
                part.insert("valor_bc".to_owned(), base.clone());
            }
        }
    }
}

/// Returns every tag that may occur more than once, with its parent.
pub(crate) fn repeated(element: &'static Element) -> BTreeSet<(&'static str, &'static str)> {
    let mut found = BTreeSet::new();
    if let ContentModel::Group(complex) = &element.kind
        && let Some(content) = &complex.content
    {
        collect(element.name, content, &mut found);
    }
    found
}

fn collect(parent: &'static str, particle: &'static Particle, found: &mut BTreeSet<(&'static str, &'static str)>) {
    match &particle.body {
        Body::Element(element) => {
            if particle.max > 1 {
                found.insert((parent, element.name));
            }
            found.extend(repeated(element));
        }
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().for_each(|part| collect(parent, part, found)),
        Body::Any => {}
    }
}
