//! Fields of technical notes before their effective day: refused, so that they are neither written nor silently
//! dropped.
//!
//! Law: the days of `layout::additions`, compared with the day of reception, which is the day of issue. Must not know
//! the fields.

use crate::document::BuildContext;
use crate::finding::Violation;
use crate::layout::{LayoutAddition, additions};
use crate::value::TpAmb;
use crate::xml::ElementView;
use jiff::civil::Date;

/// Path of the totals. A total that the service sums is not reported beside the fields it sums.
const TOTAL: &str = "infNFe/total";

/// Returns a violation for every field that a written `NFe` has too early. `campo` maps an XML path to the caller's
/// path.
pub(super) fn early_violations(
    written: &str,
    nfe: ElementView<'_>,
    context: &BuildContext<'_>,
    campo: impl Fn(&str) -> String,
) -> Vec<Violation> {
    let Ok(today) = context.day().parse::<Date>() else { return Vec::new() };
    // almost no document has such fields: a text search is cheaper than a walk over the elements
    let is_early = |addition: &&LayoutAddition| {
        today < addition.since(context.ambiente) && written.contains(&format!("<{}>", addition.element))
    };
    let mut refused = Vec::new();
    let mut notes: Vec<&str> = Vec::new();
    for addition in additions().iter().filter(is_early) {
        let note = addition.source.split(',').next().unwrap_or_default();
        if addition.parent.starts_with(TOTAL) && notes.contains(&note) {
            continue;
        }
        for path in places(nfe, addition) {
            notes.push(note);
            refused.push(Violation::of(
                &campo(&path),
                "campo_futuro",
                &message(addition, note, context.ambiente, today),
            ));
        }
    }
    refused
}

fn message(addition: &LayoutAddition, note: &str, ambiente: TpAmb, today: Date) -> String {
    let since = addition.since(ambiente);
    let meanwhile = if ambiente == TpAmb::Producao && today >= addition.since(TpAmb::Homologacao) {
        "retire-o, ou emita em homologação, que já o aceita"
    } else {
        "retire-o"
    };
    let ambiente = match ambiente {
        TpAmb::Producao => "produção",
        TpAmb::Homologacao => "homologação",
    };
    format!("{} entra em {since} em {ambiente} ({note}). Até lá, {meanwhile}.", addition.element)
}

/// Returns the paths of an addition in a document, in the format of `layout::LayoutFault::path`.
fn places(nfe: ElementView<'_>, addition: &LayoutAddition) -> Vec<String> {
    let mut groups = vec![(nfe, String::new())];
    for step in addition.parent.split('/').chain([addition.element]) {
        groups = groups.into_iter().flat_map(|(group, path)| below(group, &path, step)).collect();
    }
    groups.into_iter().map(|(_, path)| path).collect()
}

/// Returns the children of one name. Items are counted.
fn below<'d>(group: ElementView<'d>, path: &str, step: &str) -> Vec<(ElementView<'d>, String)> {
    let slash = if path.is_empty() { "" } else { "/" };
    let named = group.children().filter(|child| child.name() == step).enumerate();
    named
        .map(|(index, child)| match step {
            "det" => (child, format!("{path}{slash}{step}[{index}]")),
            _ => (child, format!("{path}{slash}{step}")),
        })
        .collect()
}
