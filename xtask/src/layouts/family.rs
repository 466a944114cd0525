//! Compiled layouts and their files: one row per message.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result};

use super::abrasf;
use super::emit::{StaticEmitter, StaticTables};
use super::package::{PACKAGE, PypiPackage};
use super::schema_folder::{CTE_WHOLE, contents};
use super::xsd::{QName, SchemaSet};

/// Documents that share a namespace.
struct LayoutFamily {
    namespace: &'static str,
    /// Generated file of the contents of its events.
    events: &'static str,
}

static NFE: LayoutFamily = LayoutFamily { namespace: "http://www.portalfiscal.inf.br/nfe", events: "event" };
static CTE: LayoutFamily = LayoutFamily { namespace: "http://www.portalfiscal.inf.br/cte", events: "cte_event" };
/// The content of an event stands in its own message.
static NFSE: LayoutFamily = LayoutFamily { namespace: "http://www.sped.fazenda.gov.br/nfse", events: "nfse" };

impl LayoutFamily {
    fn declared(&self, local: &str) -> QName {
        QName::Declared(self.namespace.to_owned(), local.to_owned())
    }
}

/// A root and its declaration.
struct LayoutMessage {
    family: &'static LayoutFamily,
    /// Generated file, and the name of the static in it.
    file: &'static str,
    constant: &'static str,
    /// XSD below `target/schemas`.
    xsd: &'static str,
    root: &'static str,
    /// Type of the root inside another message, when no file declares it.
    r#type: Option<&'static str>,
}

const fn message(file: &'static str, constant: &'static str, xsd: &'static str, root: &'static str) -> LayoutMessage {
    LayoutMessage { family: &NFE, file, constant, xsd, root, r#type: None }
}

const fn of_cte(file: &'static str, constant: &'static str, xsd: &'static str, root: &'static str) -> LayoutMessage {
    LayoutMessage { family: &CTE, file, constant, xsd, root, r#type: None }
}

const fn of_nfse(constant: &'static str, xsd: &'static str, root: &'static str) -> LayoutMessage {
    LayoutMessage { family: &NFSE, file: "nfse", constant, xsd, root, r#type: None }
}

const MESSAGES: &[LayoutMessage] = &[
    message("nfe", "NFE", "nfe-acrescido/nfe_v4.00.xsd", "NFe"),
    message("nfe", "NFE_PROC", "nfe-acrescido/procNFe_v4.00.xsd", "nfeProc"),
    message("service", "ENVI_NFE", "nfe-acrescido/enviNFe_v4.00.xsd", "enviNFe"),
    message("service", "RET_ENVI_NFE", "nfe/retEnviNFe_v4.00.xsd", "retEnviNFe"),
    message("service", "CONS_RECI_NFE", "nfe/consReciNFe_v4.00.xsd", "consReciNFe"),
    message("service", "RET_CONS_RECI_NFE", "nfe/retConsReciNFe_v4.00.xsd", "retConsReciNFe"),
    message("service", "CONS_SIT_NFE", "nfe/consSitNFe_v4.00.xsd", "consSitNFe"),
    message("service", "RET_CONS_SIT_NFE", "nfe/retConsSitNFe_v4.00.xsd", "retConsSitNFe"),
    message("service", "CONS_STAT_SERV", "nfe/consStatServ_v4.00.xsd", "consStatServ"),
    message("service", "RET_CONS_STAT_SERV", "nfe/retConsStatServ_v4.00.xsd", "retConsStatServ"),
    message("service", "INUT_NFE", "nfe/inutNFe_v4.00.xsd", "inutNFe"),
    message("service", "RET_INUT_NFE", "nfe/retInutNFe_v4.00.xsd", "retInutNFe"),
    message("service", "PROC_INUT_NFE", "nfe/procInutNFe_v4.00.xsd", "ProcInutNFe"),
    LayoutMessage {
        family: &NFE,
        file: "event",
        constant: "EVENTO",
        xsd: "evento/envEvento_v1.00.xsd",
        root: "evento",
        r#type: Some("TEvento"),
    },
    message("event", "ENV_EVENTO", "evento/envEvento_v1.00.xsd", "envEvento"),
    message("event", "RET_ENV_EVENTO", "evento/retEnvEvento_v1.00.xsd", "retEnvEvento"),
    message("event", "PROC_EVENTO_NFE", "evento/procEventoNFe_v1.00.xsd", "procEventoNFe"),
    message("distribution", "DIST_DFE_INT", "distribuicao/distDFeInt_v1.01.xsd", "distDFeInt"),
    message("distribution", "RET_DIST_DFE_INT", "distribuicao/retDistDFeInt_v1.01.xsd", "retDistDFeInt"),
    message("distribution", "RES_NFE", "distribuicao/resNFe_v1.01.xsd", "resNFe"),
    message("distribution", "RES_EVENTO", "distribuicao/resEvento_v1.01.xsd", "resEvento"),
    of_cte("cte", "CTE", "cte-inteiro/cte_v4.00.xsd", "CTe"),
    of_cte("cte", "CTE_OS", "cte-inteiro/cteOS_v4.00.xsd", "CTeOS"),
    of_cte("cte", "CTE_PROC", "cte-inteiro/procCTe_v4.00.xsd", "cteProc"),
    of_cte("cte", "CTE_OS_PROC", "cte-inteiro/procCTeOS_v4.00.xsd", "cteOSProc"),
    of_cte("cte_service", "RET_CTE", "cte-inteiro/retCTe_v4.00.xsd", "retCTe"),
    of_cte("cte_service", "RET_CTE_OS", "cte-inteiro/retCTeOS_v4.00.xsd", "retCTeOS"),
    of_cte("cte_service", "CONS_SIT_CTE", "cte-inteiro/consSitCTe_v4.00.xsd", "consSitCTe"),
    of_cte("cte_service", "RET_CONS_SIT_CTE", "cte-inteiro/retConsSitCTe_v4.00.xsd", "retConsSitCTe"),
    of_cte("cte_service", "CONS_STAT_SERV_CTE", "cte-inteiro/consStatServCTe_v4.00.xsd", "consStatServCTe"),
    of_cte("cte_service", "RET_CONS_STAT_SERV_CTE", "cte-inteiro/retConsStatServCTe_v4.00.xsd", "retConsStatServCTe"),
    of_cte("cte_service", "CTE_DIST_DFE_INT", "cte-distribuicao/distDFeInt_v1.00.xsd", "distDFeInt"),
    of_cte("cte_service", "CTE_RET_DIST_DFE_INT", "cte-distribuicao/retDistDFeInt_v1.00.xsd", "retDistDFeInt"),
    of_cte("cte_event", "EVENTO_CTE", "cte-inteiro/eventoCTe_v4.00.xsd", "eventoCTe"),
    of_cte("cte_event", "RET_EVENTO_CTE", "cte-inteiro/retEventoCTe_v4.00.xsd", "retEventoCTe"),
    LayoutMessage {
        family: &CTE,
        file: "cte_event",
        constant: "PROC_EVENTO_CTE",
        xsd: "cte-inteiro/procEventoCTe_v4.00.xsd",
        root: "procEventoCTe",
        r#type: Some("TProcEvento"),
    },
    of_nfse("DPS", "nfse-inteiro/DPS_v1.01.xsd", "DPS"),
    of_nfse("NFSE", "nfse-inteiro/NFSe_v1.01.xsd", "NFSe"),
    of_nfse("PED_REG_EVENTO", "nfse-inteiro/pedRegEvento_v1.01.xsd", "pedRegEvento"),
    of_nfse("EVENTO_NFSE", "nfse-inteiro/evento_v1.01.xsd", "evento"),
    LayoutMessage {
        family: &NFSE,
        file: "nfse_nt009",
        constant: "DPS_NT009",
        xsd: "nfse-nt009-inteiro/DPS_v1.01.xsd",
        root: "DPS",
        r#type: None,
    },
];

/// Municipal NFS-e; versions differ only in their files.
static ABRASF: LayoutFamily = LayoutFamily { namespace: "http://www.abrasf.org.br/nfse.xsd", events: "" };

/// Roots of ABRASF; a version has some of them.
const ABRASF_MESSAGES: &[&str] = &[
    "EnviarLoteRpsEnvio",
    "EnviarLoteRpsResposta",
    "EnviarLoteRpsSincronoEnvio",
    "EnviarLoteRpsSincronoResposta",
    "GerarNfseEnvio",
    "GerarNfseResposta",
    "SubstituirNfseEnvio",
    "SubstituirNfseResposta",
    "CancelarNfseEnvio",
    "CancelarNfseResposta",
    "ConsultarLoteRpsEnvio",
    "ConsultarLoteRpsResposta",
    "ConsultarSituacaoLoteRpsEnvio",
    "ConsultarSituacaoLoteRpsResposta",
    "ConsultarNfseRpsEnvio",
    "ConsultarNfseRpsResposta",
    "ConsultarNfseFaixaEnvio",
    "ConsultarNfseFaixaResposta",
    "CompNfse",
    "cabecalho",
];

/// The generated file of each version.
const ABRASF_FILES: &[(&str, &str)] = &[
    ("1.00", "abrasf_100"),
    ("2.00", "abrasf_200"),
    ("2.01", "abrasf_201"),
    ("2.02", "abrasf_202"),
    ("2.03", "abrasf_203"),
    ("2.04", "abrasf_204"),
    ("govdigital-2.01", "abrasf_govdigital_201"),
];

/// Contents of `detEvento` of a CT-e, by the code of the event: MOC CT-e 4.00, and the notes that added the newer ones.
const CTE_EVENTS: &[(&str, &str)] = &[
    ("110110", "evCCeCTe"),
    ("110111", "evCancCTe"),
    ("110113", "evEPECCTe"),
    ("110160", "evRegMultimodal"),
    ("110170", "evGTV"),
    ("110180", "evCECTe"),
    ("110181", "evCancCECTe"),
    ("110190", "evIECTe"),
    ("110191", "evCancIECTe"),
    ("110300", "evVincPgto"),
    ("110301", "evCancVincPgto"),
    ("211110", "evApropriaCredPres"),
    ("610110", "evPrestDesacordo"),
    ("610111", "evCancPrestDesacordo"),
];

/// Returns the name and text of every generated file.
pub(super) fn generate(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut tables = StaticTables::default();
    // an NF-e's events come before a CT-e's messages: the first of two types with one name keeps it
    messages(&mut tables, &NFE, folder)?;
    events(&mut tables, &NFE, nfe_contents(folder)?)?;
    messages(&mut tables, &CTE, folder)?;
    events(&mut tables, &CTE, cte_contents(folder))?;
    messages(&mut tables, &NFSE, folder)?;
    for version in abrasf::versions() {
        abrasf_messages(&mut tables, version, folder)?;
    }
    tables.words.all_used()?;
    let written = tables.files.iter();
    written
        .map(|(name, file)| Ok((format!("{name}.rs"), text(name, &file.text, &tables.imported_files(file))?)))
        .collect()
}

fn messages(tables: &mut StaticTables, of: &'static LayoutFamily, folder: &Path) -> Result<()> {
    for message in MESSAGES.iter().filter(|message| message.family.namespace == of.namespace) {
        let LayoutMessage { family, file, .. } = *message;
        let set = SchemaSet::load(&folder.join(message.xsd))?;
        let mut emitter = StaticEmitter { tables, set: &set, file };
        let root = match message.r#type {
            Some(local) => {
                let complex = emitter.named_complex(&family.declared(local))?;
                format!(
                    "Element {{ name: {:?}, kind: ContentModel::Group(&{complex}), unique: None, doc: \"\" }}",
                    message.root
                )
            }
            None => emitter.element(set.element(&family.declared(message.root))?, message.root)?,
        };
        let declaration = format!("pub static {}", message.constant);
        layout(tables, family, file, &declaration, &format!("`{}`, from `{}`.", message.root, message.xsd), &root)?;
    }
    Ok(())
}

/// Writes the messages of a version of ABRASF, and the function that finds one by its root.
fn abrasf_messages(tables: &mut StaticTables, version: &str, folder: &Path) -> Result<()> {
    let file = ABRASF_FILES.iter().find(|(of, _)| *of == version).map(|(_, file)| *file);
    let file = file.with_context(|| format!("ABRASF {version} has no file"))?;
    let xsd = format!("{}/{version}/{}", abrasf::WHOLE, abrasf::FILE);
    let set = SchemaSet::load(&folder.join(&xsd))?;
    let mut arms = String::new();
    for root in ABRASF_MESSAGES {
        let Ok(declared) = set.element(&ABRASF.declared(root)).map(Rc::clone) else { continue };
        let element = StaticEmitter { tables, set: &set, file }.element(&declared, root)?;
        let constant = constant(root);
        layout(tables, &ABRASF, file, &format!("static {constant}"), &format!("`{root}`, from `{xsd}`."), &element)?;
        writeln!(arms, "        {root:?} => Some(&{constant}),")?;
    }
    let file = tables.files.entry(file).or_default();
    write!(
        file.text,
        "/// The layout of a message of ABRASF {version}, by its root.\n\
         pub fn message(root: &str) -> Option<&'static Layout> {{\n    match root {{\n{arms}        _ => None,\n    }}\n}}\n"
    )?;
    Ok(())
}

/// Converts `EnviarLoteRpsEnvio` to `ENVIAR_LOTE_RPS_ENVIO`.
fn constant(root: &str) -> String {
    let mut constant = String::new();
    for letter in root.chars() {
        if letter.is_uppercase() && !constant.is_empty() {
            constant.push('_');
        }
        constant.extend(letter.to_uppercase());
    }
    constant
}

/// The content of an event: its code, its root and its file.
struct EventContent {
    tp_evento: String,
    root: &'static str,
    xsd: PathBuf,
}

/// Returns the contents of an NF-e's events: one file `e<tpEvento>` each.
fn nfe_contents(folder: &Path) -> Result<Vec<EventContent>> {
    let found = contents(folder)?.into_iter();
    Ok(found.map(|(tp_evento, xsd)| EventContent { tp_evento, root: "detEvento", xsd }).collect())
}

fn cte_contents(folder: &Path) -> Vec<EventContent> {
    let whole = folder.join(CTE_WHOLE);
    let content = |(tp_evento, root): &(&str, &'static str)| EventContent {
        tp_evento: (*tp_evento).to_owned(),
        root,
        xsd: whole.join(format!("{root}_v4.00.xsd")),
    };
    CTE_EVENTS.iter().map(content).collect()
}

/// Writes one layout per content, and the function that finds it.
fn events(tables: &mut StaticTables, family: &'static LayoutFamily, contents: Vec<EventContent>) -> Result<()> {
    let mut arms = String::new();
    for EventContent { tp_evento, root, xsd } in contents {
        let set = SchemaSet::load(&xsd)?;
        let declared = Rc::clone(set.element(&family.declared(root))?);
        // existing names of the NF-e are spread over many files
        let path = if root == "detEvento" { format!("e{tp_evento}") } else { root.to_owned() };
        let element = StaticEmitter { tables, set: &set, file: family.events }.element(&declared, &path)?;
        let constant = format!("DET_EVENTO_{tp_evento}");
        let doc = format!("`{root}` of event {tp_evento}.");
        layout(tables, family, family.events, &format!("static {constant}"), &doc, &element)?;
        writeln!(arms, "        {tp_evento:?} => Some(&{constant}),")?;
    }
    let file = tables.files.entry(family.events).or_default();
    write!(
        file.text,
        "/// The layout of what an event says, by its code.\n\
         pub fn det_evento(tpEvento: &str) -> Option<&'static Layout> {{\n    match tpEvento {{\n{arms}        _ => None,\n    }}\n}}\n"
    )?;
    Ok(())
}

fn layout(
    tables: &mut StaticTables,
    family: &LayoutFamily,
    file: &'static str,
    declaration: &str,
    doc: &str,
    root: &str,
) -> Result<()> {
    let file = tables.files.entry(file).or_default();
    write!(
        file.text,
        "/// {doc}\n{declaration}: Layout = Layout {{\n    root: &{root},\n    namespace: {:?},\n}};\n\n",
        family.namespace
    )?;
    Ok(())
}

fn text(name: &str, body: &str, uses: &[&'static str]) -> Result<String> {
    const SHAPES: &[&str] = &[
        "Attribute",
        "Base",
        "Body",
        "Complex",
        "Element",
        "ContentModel",
        "Layout",
        "Particle",
        "Pattern",
        "Simple",
        "WhiteSpace",
    ];
    let PypiPackage { name: package, version, .. } =
        if name.starts_with("abrasf_") { &abrasf::PACKAGE } else { &PACKAGE };
    let mut header = format!(
        "//! Generated by `cargo xtask layouts` from the XSDs in {package} {version} (PyPI); not edited by hand.\n\n"
    );
    let needed: Vec<&str> = SHAPES.iter().copied().filter(|shape| mentions(body, shape)).collect();
    writeln!(header, "use super::schema::{{{}}};", needed.join(", "))?;
    for file in uses {
        writeln!(header, "use super::{file}::*;")?;
    }
    Ok(format!("{header}\n{}\n", body.trim_end()))
}

/// `true` if the generated code names a shape, which is always followed by one of these two.
fn mentions(body: &str, shape: &str) -> bool {
    [" {", "::"].iter().any(|after| {
        body.match_indices(&format!("{shape}{after}"))
            .any(|(at, _)| !body[..at].ends_with(|before: char| before.is_alphanumeric()))
    })
}
