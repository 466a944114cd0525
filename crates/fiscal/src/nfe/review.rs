//! All findings about a `nota` without issuing it: violations, notices, predicted rejections, totals.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (verificar-campos). The findings are those of `build`, which stops
//! at their first kind. Here all kinds are returned, as far as the document could be written.

use super::final_check::{self, PredictedRejection};
use super::rules::NfeView;
use super::write::{self, NfeDraft};
use super::{foreign_names, issuer_notices, message_size, official_tree};
use crate::document::BuildContext;
use crate::finding::Violation;
use crate::map::NoticePolicy;
use crate::nota::NotaReview;
use crate::nota::layout_check;
use crate::xml::{ElementView, FlatDocument};
use serde_json::{Map, Value};

/// Reviews a `nota`. Paths start with `nota.`.
pub fn review(nota: &Value, context: &BuildContext<'_>) -> NotaReview {
    if let Err(violations) = official_tree::refuse(nota) {
        return NotaReview { violations, ..NotaReview::default() };
    }
    let groups = official_tree::groups(nota);
    let mut review = of_groups(groups, context);
    review.violations = official_tree::refusals(nota, review.violations);
    review.divergences = official_tree::refusals(nota, review.divergences);
    review.notices.extend(foreign_names::list_notices(groups));
    review.notices = official_tree::remarks(nota, review.notices);
    review
}

/// Reviews the groups, with paths of a `nota` that holds its groups itself.
fn of_groups(nota: &Value, context: &BuildContext<'_>) -> NotaReview {
    let draft = match write::draft(nota, context, NoticePolicy::Kept, None) {
        Ok(draft) => draft,
        Err(violations) => return NotaReview { violations, ..NotaReview::default() },
    };
    let empty = Map::new();
    let root = nota.as_object().unwrap_or(&empty);
    let NfeDraft { built, violations, totais } = draft;
    let mut review = NotaReview { violations, notices: built.notices, divergences: Vec::new(), totais };
    let written = final_check::check_against_layout(root, context, &built.xml, &mut review.violations);
    let Some(nfe) = written.as_ref().map(FlatDocument::root) else { return review };
    review.notices.extend(message_size::predict_rejection(&built.xml));
    let Some(note) = NfeView::of(nfe) else { return review };
    for PredictedRejection { path, notice } in final_check::predicted(root, &note, context) {
        // a value refused already is not in the document
        if review.violations.iter().any(|known| layout_check::covers(&known.campo, &notice.campo)) {
            continue;
        }
        review.divergences.extend(divergence(&notice.campo, nfe, &path, &review.totais));
        review.notices.push(notice);
    }
    review.notices.extend(issuer_notices::of(root, &note, context));
    review
}

/// Returns the difference that a rule about a total found, with the caller's path.
fn divergence(campo: &str, nfe: ElementView<'_>, path: &str, totais: &Map<String, Value>) -> Option<Violation> {
    let member = path.strip_prefix("infNFe/total/")?;
    let given = nfe.text_at(path)?;
    let calculated = summed(totais, member).unwrap_or("0.00");
    let tag = member.rsplit('/').next().unwrap_or(member);
    (given != calculated).then(|| Violation {
        campo: campo.to_owned(),
        codigo: "total_divergente",
        mensagem: format!(
            "{tag} é {given}, e a soma dos itens dá {calculated}. Corrija o total ou os itens, ou omita o total: o serviço soma."
        ),
        sugestao: Some(calculated.to_owned()),
    })
}

/// Returns the sum of a total by its official path below `total`.
fn summed<'t>(totais: &'t Map<String, Value>, member: &str) -> Option<&'t str> {
    let mut names = member.strip_prefix("ICMSTot/").unwrap_or(member).split('/');
    let first = totais.get(names.next()?)?;
    names.try_fold(first, |group, name| group.get(name))?.as_str()
}
