//! Which layouts are compiled, and into which file: one line per message.

use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;

use super::emit::{Emitter, Tables};
use super::package::{PACKAGE, VERSION, contents};
use super::xsd::{Name, Set};

const NAMESPACE: &str = "http://www.portalfiscal.inf.br/nfe";

/// A root and where it is declared.
struct Message {
    /// Generated file, and the name of the static in it.
    file: &'static str,
    constant: &'static str,
    /// XSD below `target/schemas`.
    xsd: &'static str,
    root: &'static str,
    /// For a root that no file declares: the type it has inside of another message.
    r#type: Option<&'static str>,
}

const fn message(file: &'static str, constant: &'static str, xsd: &'static str, root: &'static str) -> Message {
    Message { file, constant, xsd, root, r#type: None }
}

const MESSAGES: &[Message] = &[
    message("nfe", "NFE", "nfe/nfe_v4.00.xsd", "NFe"),
    message("nfe", "NFE_PROC", "nfe/procNFe_v4.00.xsd", "nfeProc"),
    message("service", "ENVI_NFE", "nfe/enviNFe_v4.00.xsd", "enviNFe"),
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
    Message {
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
];

/// File name → text of every generated file.
pub(super) fn generate(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut tables = Tables::default();
    for message in MESSAGES {
        let set = Set::load(&folder.join(message.xsd))?;
        let mut emitter = Emitter { tables: &mut tables, set: &set, file: message.file };
        let root = match message.r#type {
            Some(local) => {
                let complex = emitter.named_complex(&declared(local))?;
                format!(
                    "Element {{ name: {:?}, kind: Kind::Group(&{complex}), unique: None, doc: \"\" }}",
                    message.root
                )
            }
            None => emitter.element(set.element(&declared(message.root))?, message.root)?,
        };
        layout(
            &mut tables,
            message.file,
            &format!("pub static {}", message.constant),
            &format!("`{}`, from `{}`.", message.root, message.xsd),
            &root,
        )?;
    }
    events(&mut tables, folder)?;
    tables.words.all_used()?;
    tables.files.iter().map(|(name, file)| Ok((format!("{name}.rs"), text(&file.text, &file.uses)?))).collect()
}

/// The content of each event: one layout per `e<tpEvento>` file, and the function that finds it.
fn events(tables: &mut Tables, folder: &Path) -> Result<()> {
    let mut arms = String::new();
    for (tp_evento, xsd) in contents(folder)? {
        let set = Set::load(&xsd)?;
        let root = Rc::clone(set.element(&declared("detEvento"))?);
        let element = Emitter { tables, set: &set, file: "event" }.element(&root, &format!("e{tp_evento}"))?;
        let constant = format!("DET_EVENTO_{tp_evento}");
        layout(
            tables,
            "event",
            &format!("static {constant}"),
            &format!("`detEvento` of event {tp_evento}."),
            &element,
        )?;
        writeln!(arms, "        {tp_evento:?} => Some(&{constant}),")?;
    }
    let file = tables.files.entry("event").or_default();
    write!(
        file.text,
        "/// The layout of `detEvento` by the code of the event.\n\
         pub fn det_evento(tpEvento: &str) -> Option<&'static Layout> {{\n    match tpEvento {{\n{arms}        _ => None,\n    }}\n}}\n"
    )?;
    Ok(())
}

fn layout(tables: &mut Tables, file: &'static str, declaration: &str, doc: &str, root: &str) -> Result<()> {
    let file = tables.files.entry(file).or_default();
    write!(
        file.text,
        "/// {doc}\n{declaration}: Layout = Layout {{\n    root: &{root},\n    namespace: {NAMESPACE:?},\n}};\n\n"
    )?;
    Ok(())
}

fn text(body: &str, uses: &std::collections::BTreeSet<&'static str>) -> Result<String> {
    const SHAPES: &[&str] = &[
        "Attribute",
        "Base",
        "Body",
        "Complex",
        "Element",
        "Kind",
        "Layout",
        "Particle",
        "Pattern",
        "Simple",
        "WhiteSpace",
    ];
    let mut header = format!(
        "//! Generated by `cargo xtask layouts` from the XSDs in {PACKAGE} {VERSION} (PyPI); not edited by hand.\n\
         #![expect(non_upper_case_globals, reason = \"statics carry the names of the official types\")]\n\n"
    );
    let needed: Vec<&str> = SHAPES.iter().copied().filter(|shape| mentions(body, shape)).collect();
    writeln!(header, "use super::schema::{{{}}};", needed.join(", "))?;
    for file in uses {
        writeln!(header, "use super::{file}::*;")?;
    }
    Ok(format!("{header}\n{}\n", body.trim_end()))
}

/// Whether a shape is named in the generated code: it is always followed by one of these.
fn mentions(body: &str, shape: &str) -> bool {
    [" {", "::"].iter().any(|after| {
        body.match_indices(&format!("{shape}{after}"))
            .any(|(at, _)| !body[..at].ends_with(|before: char| before.is_alphanumeric()))
    })
}

fn declared(local: &str) -> Name {
    Name::Declared(NAMESPACE.to_owned(), local.to_owned())
}
