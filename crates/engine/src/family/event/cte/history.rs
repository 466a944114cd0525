//! History of a CT-e against a new event: it forbids the event, or predicts the authority's refusal.
//!
//! Law: MOC CT-e 4.00, anexo I, rules O and Q of each event; `docs/contract.md`, "CT-e" (an impossible cancellation is
//! a 409). Facts that only the authority knows (MDF-e, complements and substitutes of others) are left to the
//! authority.

use crate::family::event::act_history::ActHistory;
use crate::order::{DocumentOrder, Order};
use fiscal::cstat;
use fiscal::cte::rules::key;
use fiscal::event::cte::CteEventKind;
use fiscal::finding::Notice;
use fiscal::value::bare_chave;
use fiscal::xml::Element;
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;

/// Predicts the authority's refusals as notices; returns an error for an impossible cancellation.
pub(crate) fn check_history(history: &ActHistory<'_>) -> Result<Vec<Notice>, String> {
    match super::cte_event(history.order) {
        Some(CteEventKind::Cancelamento) => match history.cancellation() {
            Some((cStat, why)) => Err(format!("{why} A autoridade responderia {cStat}.")),
            None => Ok(Vec::new()),
        },
        Some(CteEventKind::ComprovanteEntrega) => Ok(history.proof_notices()),
        Some(CteEventKind::InsucessoEntrega) => Ok(history.attempt_notices()),
        Some(CteEventKind::RegistroMultimodal) => Ok(predicted_rejections([
            (679, "tipo", history.field_text("ide/modal") != "06"),
            (664, "tipo", history.is_substituted()),
        ])),
        Some(CteEventKind::InformacoesGtv) => Ok(predicted_rejections([
            (664, "tipo", history.is_substituted()),
            (889, "tipo", history.field_text("ide/tpServ") != "7"),
            (890, "tipo", history.inf_cte().is_some_and(|inside| inside.at("infCTeNorm/infGTVe").is_some())),
            (618, "dados.infGTV", history.repeats_a_gtv()),
        ])),
        Some(CteEventKind::CartaCorrecao) => Ok(predicted_rejections([(664, "chave", history.is_substituted())])),
        Some(CteEventKind::Desacordo) => Ok(predicted_rejections([
            (664, "tipo", history.is_substituted()),
            (787, "tipo", history.is_older_than(DISAGREEMENT_S)),
        ])),
        _ => Ok(Vec::new()),
    }
}

impl<'h> ActHistory<'h> {
    fn cancellation(&self) -> Option<(u16, &'static str)> {
        let reasons = [
            (
                220,
                self.is_older_than(CANCELLATION_S),
                "O prazo de cancelamento do CT-e, 168 horas (7 dias) da autorização, já passou.",
            ),
            (
                219,
                self.count_registered("310620") + self.count_registered("510620") > 0,
                "A circulação da carga já foi registrada num posto fiscal.",
            ),
            (574, self.field_text("ide/tpCTe") == "3", "Um CT-e de substituição não pode ser cancelado."),
            (576, self.is_substituted(), "Um CT-e que foi substituído não pode ser cancelado."),
            (
                660,
                self.count_registered("240130") > self.count_registered("240131"),
                "O CT-e tem um CT-e complementar autorizado: cancele antes o complementar.",
            ),
            (
                523,
                self.count_registered("110110") > 0,
                "Um CT-e com carta de correção registrada não pode mais ser cancelado.",
            ),
            (
                528,
                self.count_registered("310610") > self.count_registered("310611"),
                "O CT-e está num MDF-e autorizado: cancele antes o MDF-e.",
            ),
            (
                862,
                self.count_registered("110180") > self.count_registered("110181"),
                "O CT-e tem um comprovante de entrega em vigor: cancele antes o comprovante (tipo cancelar_comprovante_entrega).",
            ),
        ];
        reasons.into_iter().find(|(_, broken, _)| *broken).map(|(cStat, _, why)| (cStat, why))
    }

    fn proof_notices(&self) -> Vec<Notice> {
        let (normal, delivered) = (self.field_text("ide/tpServ") == "0", self.delivered());
        let in_force = self.count_registered("110180") > self.count_registered("110181");
        let mut found = predicted_rejections([
            (869, "tipo", self.field_text("ide/tpCTe") == "1"),
            (870, "tipo", in_force && self.field_text("ide/indGlobalizado") != "1"),
            (865, INF_ENTREGA, normal && !self.carried().is_empty() && delivered.is_empty()),
            (871, INF_ENTREGA, !normal && !delivered.is_empty()),
        ]);
        found.extend(self.delivery_notices(["dhEntrega", "dados.dhEntrega"], ["dhHashEntrega", "dados.dhHashEntrega"]));
        found
    }

    fn attempt_notices(&self) -> Vec<Notice> {
        let tags = ["dhTentativaEntrega", "dhHashTentativaEntrega"];
        let mut found =
            self.delivery_notices([tags[0], "dados.dhTentativaEntrega"], [tags[1], "dados.dhHashTentativaEntrega"]);
        found.extend(self.reason());
        found
    }

    /// The layout wants `xJustMotivo` with reason 4 (others) and with no other; the code of the rule is not known.
    fn reason(&self) -> Option<Notice> {
        let (motivo, words) = (self.order_member("tpMotivo"), self.order_member("xJustMotivo"));
        let mensagem = match (motivo.as_deref()?.trim_start_matches('0') == "4", words.is_some()) {
            (true, false) => {
                "O motivo 4 (outros) pede xJustMotivo, de 15 a 256 caracteres: a SEFAZ pode rejeitar sem ele."
            }
            (false, true) => "xJustMotivo só cabe no motivo 4 (outros): a SEFAZ pode rejeitar.",
            _ => return None,
        };
        Some(Notice::of("dados.xJustMotivo".to_owned(), "rejeicao_possivel", mensagem, None))
    }

    /// Checks the instants of the delivery and of its picture, each by tag and field, and the listed keys.
    fn delivery_notices(&self, when: [&'static str; 2], hashed: [&'static str; 2]) -> Vec<Notice> {
        let (carried, delivered) = (self.carried(), self.delivered());
        let now = Timestamp::from_second(self.now).unwrap_or_default();
        let repeats = delivered.iter().collect::<BTreeSet<_>>().len() < delivered.len();
        predicted_rejections([
            (872, when[1], self.is_impossible(when[0])),
            (873, hashed[1], self.is_impossible(hashed[0])),
            (860, INF_ENTREGA, delivered.iter().any(|chave| key::fault(chave, key::NFE, now).is_some())),
            (861, INF_ENTREGA, repeats),
            (864, INF_ENTREGA, delivered.iter().any(|chave| !carried.contains(chave.as_str()))),
        ])
    }

    /// `true` if the authority registered a document that substitutes it.
    fn is_substituted(&self) -> bool {
        self.count_registered("240140") > 0
    }

    /// `true` if a GTV is listed twice, by its number and its id.
    fn repeats_a_gtv(&self) -> bool {
        let Order::Evento(DocumentOrder { act, .. }) = self.order else { return false };
        let listed = act.dados.get("infGTV").map_or(&[][..], |listed| match listed {
            Value::Array(listed) => listed,
            one => std::slice::from_ref(one),
        });
        let named = listed.iter().map(|gtv| ["nDoc", "id"].map(|tag| scalar(gtv.get(tag))));
        named.collect::<BTreeSet<_>>().len() < listed.len()
    }

    /// A member of the order, as text.
    fn order_member(&self, tag: &str) -> Option<String> {
        let Order::Evento(DocumentOrder { act, .. }) = self.order else { return None };
        scalar(act.dados.get(tag)).filter(|text| !text.is_empty())
    }

    /// `true` if the instant is before the document's issue, or in the future.
    fn is_impossible(&self, tag: &str) -> bool {
        let Order::Evento(DocumentOrder { act, .. }) = self.order else { return false };
        let instant = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_second);
        let Some(at) = act.dados.get(tag).and_then(Value::as_str).and_then(instant) else { return false };
        instant(self.field_text("ide/dhEmi")).is_some_and(|issued| at < issued) || at - self.now > CLOCKS_S
    }

    /// Keys of the notes that the order lists as delivered.
    fn delivered(&self) -> Vec<String> {
        let Order::Evento(DocumentOrder { act, .. }) = self.order else { return Vec::new() };
        let listed = act.dados.get("infEntrega").map_or(&[][..], |listed| match listed {
            Value::Array(listed) => listed,
            one => std::slice::from_ref(one),
        });
        let keys = listed.iter().filter_map(|one| one.get("chNFe").unwrap_or(one).as_str());
        keys.filter(|chave| !chave.trim().is_empty()).map(|chave| bare_chave(chave).into_owned()).collect()
    }

    /// Keys of the notes that the document carries.
    fn carried(&self) -> BTreeSet<&'h str> {
        let documents = self.inf_cte().and_then(|inside| inside.at("infCTeNorm/infDoc"));
        let notes = documents.into_iter().flat_map(|documents| documents.children().filter(|one| one.name == "infNFe"));
        notes.filter_map(|note| note.text_at("chave")).collect()
    }

    fn inf_cte(&self) -> Option<&'h Element> {
        ["CTe", "CTeOS"].iter().find_map(|root| self.archive.at(&format!("{root}/infCte")))
    }

    fn field_text(&self, path: &str) -> &'h str {
        self.inf_cte().and_then(|inside| inside.text_at(path)).unwrap_or_default()
    }

    fn count_registered(&self, code: &str) -> usize {
        self.events.iter().filter(|row| row.registered && row.tpEvento == code).count()
    }

    fn is_older_than(&self, seconds: i64) -> bool {
        let authorised = self.document.dhRecbto.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
        authorised.is_some_and(|at| self.now - at.as_second() > seconds)
    }
}

/// A text, or a number as text.
fn scalar(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Notices for the broken rules, as predicted rejections.
fn predicted_rejections<const N: usize>(rules: [(u16, &str, bool); N]) -> Vec<Notice> {
    let broken = rules.into_iter().filter(|(_, _, broken)| *broken);
    broken
        .map(|(cStat, campo, _)| Notice {
            campo: campo.to_owned(),
            codigo: "rejeicao_prevista".to_owned(),
            mensagem: format!(
                "A SEFAZ deve rejeitar com {cStat}: {}.",
                cstat::cte::motivo(cStat).unwrap_or_default().trim_end_matches('.')
            ),
            sugestao: None,
            codigo_status: Some(cStat.into()),
        })
        .collect()
}

const INF_ENTREGA: &str = "dados.infEntrega";
/// 168 hours from the authorisation (rule 220).
const CANCELLATION_S: i64 = 168 * 3_600;
/// Tolerated difference of clocks (rule 872).
const CLOCKS_S: i64 = 300;
/// 45 days from the authorisation (rule 787).
const DISAGREEMENT_S: i64 = 45 * 86_400;
