//! Writing of the whole message with its RPS, in the order of the version's layout.
//!
//! Law: the XSD of each version; ABRASF, manual de integração 2.0x (signing order, namespace on the signed element).
//! Must not know defaults and refusals: `payload` and `defaults` do.

use super::defaults::{PayloadFiller, RpsAmounts, RpsDefaultSources};
use super::lot::{close_lot, open_lot};
use super::payload::{self, ReadPayload};
use super::{AbrasfDialect, SubmissionMode};
use crate::document::{BuildContext, BuiltDocument, DocumentIds, SignedElement};
use crate::finding::Violation;
use crate::layout::{Body, Complex, ContentModel, Particle};
use crate::map;
use crate::nota::issuer;
use crate::value::{CivilOffset, CnpjCpf, RpsId};
use crate::xml::CanonicalWriter;
use serde_json::Value;
use std::collections::BTreeMap;

/// A written message, complete or not.
pub(super) struct RpsDraft {
    pub(super) built: BuiltDocument,
    pub(super) payload: ReadPayload,
    pub(super) amounts: RpsAmounts,
}

/// Bytes reserved for a usual message.
const CAPACITY: usize = 4_000;
/// Largest number of an RPS, fifteen digits.
const MOST: u64 = 999_999_999_999_999;

/// Writes what can be written and collects the violations.
pub(super) fn draft(groups: &Value, home: &str, context: &BuildContext<'_>) -> Result<RpsDraft, Vec<Violation>> {
    let Some(dialect) = context.dialeto else {
        let mensagem = "A prefeitura do município da empresa não tem provedor configurado: informe provedor em PUT /v1/empresas/{cpf_cnpj}/nfse.";
        return Err(vec![Violation::of("nota", "empresa_sem_configuracao", mensagem)]);
    };
    let Value::Object(given) = groups else {
        let mensagem = "Informe nota: um objeto com o RPS (rps, servico, tomador).";
        return Err(vec![Violation::of("nota", "tipo_invalido", mensagem)]);
    };
    let mut violations = Vec::new();
    let document = company(context, &mut violations);
    let municipio = issuer_municipio(context, &mut violations);
    let (Some(document), Some(municipio)) = (document, municipio) else { return Err(violations) };
    let offset_hours = CivilOffset::of_municipio(municipio).hours();
    let mut said = payload::read(given, home, dialect, offset_hours);
    if !(1..=MOST).contains(&context.numero) {
        let mensagem = format!("O número {} não cabe no RPS: vai de 1 a {MOST}.", context.numero);
        said.violations.push(Violation::of(&format!("{home}.rps.numero"), "valor_invalido", &mensagem));
    }
    let dhEmi = issued_at(&said, context, offset_hours);
    let known = RpsDefaultSources { context, dialect, prestador: document, municipio, dhEmi: &dhEmi, home };
    let mut filling = PayloadFiller { payload: &mut said, sources: known };
    let amounts = filling.fill();
    let tipo = filling.text("rps/identificacaorps/tipo").and_then(|text| text.parse().ok()).unwrap_or(1);
    let inscricao_municipal = filling.text("prestador/inscricaomunicipal").map(str::to_owned);
    let numero = context.numero;
    let rps = RpsId { municipio, prestador: document, inscricao_municipal, tipo, serie: context.serie, numero };
    let notices = std::mem::take(&mut said.notices);
    let (xml, signatures) = message(dialect, &rps, &said);
    let addressee = tomador_document(&said);
    let built = BuiltDocument {
        ids: DocumentIds { id: id_of(&rps), asked_by: rps.to_string(), chave: None },
        xml,
        signatures,
        dhEmi,
        valor: amounts.services,
        estrangeiro: addressee.is_none() && is_abroad(&said),
        destinatario: addressee,
        notices,
        body: None,
    };
    Ok(RpsDraft { built, payload: said, amounts })
}

/// `Id` of the signed element of an RPS.
fn id_of(rps: &RpsId) -> String {
    format!("R{}", rps.numero)
}

/// The whole message of the mode, and the elements to be signed.
fn message(dialect: &AbrasfDialect, rps: &RpsId, said: &ReadPayload) -> (String, Vec<SignedElement>) {
    let mut xml = CanonicalWriter::with_capacity(CAPACITY);
    let root = dialect.mode.root();
    let mut signatures = Vec::new();
    xml.open_with(root, &[("xmlns", &dialect.namespace)]);
    if dialect.mode == SubmissionMode::Gerar {
        declaration(&mut xml, dialect, rps, said, &mut signatures);
        signatures.retain(|_| dialect.signed_parts.gerar);
    } else {
        // a lot of one RPS has the number of the RPS
        let lot = open_lot(&mut xml, dialect, rps.issuer(), rps.numero, 1);
        declaration(&mut xml, dialect, rps, said, &mut signatures);
        signatures.retain(|_| dialect.signed_parts.rps);
        signatures.extend(close_lot(&mut xml, dialect, lot));
    }
    xml.close(root);
    (xml.finish(), signatures)
}

/// Writes `Rps` and adds its signed element.
fn declaration(
    xml: &mut CanonicalWriter,
    dialect: &AbrasfDialect,
    rps: &RpsId,
    said: &ReadPayload,
    signatures: &mut Vec<SignedElement>,
) {
    let (tag, id) = (dialect.version.inf_tag(), id_of(rps));
    xml.open("Rps");
    let begin = xml.len();
    xml.open_with(tag, &[("xmlns", &dialect.namespace), (dialect.id_attribute.name(), &id)]);
    if let Some(content) = dialect.version.inf().and_then(|inf| inf.content.as_ref()) {
        particle(xml, content, &TagTree::of(said));
    }
    xml.close(tag);
    signatures.push(SignedElement { element: begin..xml.len(), id });
    xml.close("Rps");
}

/// Leaves as a tree of tags, with one branch for each entry of a list.
#[derive(Default)]
struct TagTree<'a> {
    text: Option<&'a str>,
    branches: BTreeMap<&'a str, Vec<TagTree<'a>>>,
}

impl<'a> TagTree<'a> {
    fn of(said: &'a ReadPayload) -> TagTree<'a> {
        let mut root = TagTree::default();
        for (path, given) in &said.leaves {
            let mut twig = &mut root;
            for step in path.split('/') {
                let (tag, at) = indexed(step);
                let branches = twig.branches.entry(tag).or_default();
                if branches.len() <= at {
                    branches.resize_with(at + 1, TagTree::default);
                }
                twig = &mut branches[at];
            }
            twig.text = Some(&given.text);
        }
        root
    }

    fn has(&self, particle: &Particle) -> bool {
        match &particle.body {
            Body::Element(element) => self.branches.contains_key(element.name),
            Body::Sequence(parts) | Body::Choice(parts) => parts.iter().any(|part| self.has(part)),
            Body::Any => false,
        }
    }

    /// True when the first part of an alternative is present.
    fn has_first_part(&self, particle: &Particle) -> bool {
        match &particle.body {
            Body::Sequence(parts) => parts.first().is_some_and(|part| self.has_first_part(part)),
            _ => self.has(particle),
        }
    }
}

/// Tag and index of a step; `Deducao[2]` is the third of its name.
fn indexed(step: &str) -> (&str, usize) {
    let parts = step.strip_suffix(']').and_then(|step| step.split_once('['));
    parts.map_or((step, 0), |(tag, at)| (tag, at.parse().unwrap_or_default()))
}

fn particle(xml: &mut CanonicalWriter, declared: &'static Particle, twig: &TagTree<'_>) {
    match &declared.body {
        Body::Element(element) => {
            for branch in twig.branches.get(element.name).into_iter().flatten() {
                match (&element.kind, branch.text) {
                    (ContentModel::Leaf(_), Some(text)) => xml.leaf(element.name, text),
                    (ContentModel::Group(complex), _) => group(xml, element.name, complex, branch),
                    _ => {}
                }
            }
        }
        Body::Sequence(parts) => parts.iter().for_each(|part| particle(xml, part, twig)),
        Body::Choice(parts) => {
            let chosen = parts
                .iter()
                .find(|part| twig.has_first_part(part))
                .or_else(|| parts.iter().find(|part| twig.has(part)));
            if let Some(chosen) = chosen {
                particle(xml, chosen, twig);
            }
        }
        Body::Any => {}
    }
}

fn group(xml: &mut CanonicalWriter, tag: &str, complex: &'static Complex, twig: &TagTree<'_>) {
    xml.open(tag);
    if let Some(content) = &complex.content {
        particle(xml, content, twig);
    }
    xml.close(tag);
}

/// CNPJ or CPF of the issuing company.
fn company(context: &BuildContext<'_>, violations: &mut Vec<Violation>) -> Option<CnpjCpf> {
    let own = issuer::DOCUMENT.iter().find_map(|name| context.emitente.get(*name).and_then(Value::as_str));
    let document = own.and_then(|own| CnpjCpf::parse(own).ok());
    if document.is_none() {
        let mensagem = "Informe o CNPJ ou CPF do prestador, com dígitos verificadores corretos.";
        violations.push(Violation::of("nota.prestador.cpf_cnpj", "digito_invalido", mensagem));
    }
    document
}

/// The company's município, which determines the provider.
fn issuer_municipio(context: &BuildContext<'_>, violations: &mut Vec<Violation>) -> Option<u32> {
    let configured = context.configuracao.and_then(|it| it.get("codigo_municipio"));
    let code = [configured, context.emitente.get("cMun")].into_iter().flatten().find_map(|value| match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    });
    let code = code.filter(|code| (1_000_000..=9_999_999).contains(code));
    if code.is_none() {
        let mensagem = "Cadastre o município da empresa: os 7 algarismos do IBGE em codigo_municipio de PUT /v1/empresas/{cpf_cnpj}/nfse.";
        violations.push(Violation::of("nota", "empresa_sem_configuracao", mensagem));
    }
    code
}

/// The caller's instant of issue, else the service's `dhEmi`. A date without a time gets the service's time.
fn issued_at(said: &ReadPayload, context: &BuildContext<'_>, offset_hours: i8) -> String {
    let given = ["Rps/DataEmissao", "DataEmissao"].iter().find_map(|path| said.leaves.get(*path));
    let Some(given) = given else { return context.dhEmi.to_owned() };
    let whole = if given.text.len() == 10 {
        format!("{}{}", given.text, context.dhEmi.get(10..).unwrap_or_default())
    } else {
        given.text.clone()
    };
    map::instant(&whole, offset_hours).unwrap_or_else(|| context.dhEmi.to_owned())
}

/// CNPJ or CPF of the tomador.
fn tomador_document(said: &ReadPayload) -> Option<String> {
    let of = |group: &str, tag: &str| said.leaves.get(&format!("{group}/IdentificacaoTomador/CpfCnpj/{tag}"));
    let found = ["Tomador", "TomadorServico"].iter().find_map(|group| of(group, "Cnpj").or_else(|| of(group, "Cpf")));
    found.map(|given| given.text.clone())
}

/// True when the tomador has a foreign document or address.
fn is_abroad(said: &ReadPayload) -> bool {
    const SIGNS: [&str; 3] = ["/NifTomador", "/NIF", "/EnderecoExterior/CodigoPais"];
    said.leaves.keys().any(|path| path.starts_with("Tomador") && SIGNS.iter().any(|sign| path.ends_with(sign)))
}
