//! Rules of a single CT-e or CT-e OS: the table of the fiscal core, and the two rules that only the receiving authority
//! checks.
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, with the notes up to NT 2026.004; visão geral 9.2 for the signature of the
//! QR code.

use crate::sefaz::{Refusal, ServiceRequest, schema};
use crate::settings::SimulatorSettings;
use base64::Engine as _;
use fiscal::cte::rules::{self, CteCase, CteReception, CteRule};
use fiscal::law::RuleEffect;
use fiscal::xml::Element;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Verifier;

/// A document, its request, and its signer.
pub(super) struct ReceivedCte<'r> {
    pub(super) document: &'r Element,
    pub(super) request: &'r ServiceRequest<'r>,
    /// Public key of the signer, DER.
    pub(super) signer: Option<&'r [u8]>,
}

/// A rule that is checked only here.
struct AuthorityRule {
    /// Numbers in the tables of 57 and 67.
    id: [&'static str; 2],
    cStat: u16,
    /// Addition to the official text when the document breaks the rule.
    deviation: fn(&ReceivedCte<'_>) -> Option<String>,
}

const AUTHORITY_RULES: [AuthorityRule; 2] = [
    AuthorityRule { id: ["G026", "H017"], cStat: 580, deviation: misshapen },
    AuthorityRule { id: ["G217", "H133"], cStat: 855, deviation: signed_by_another },
];

/// The first rule that is broken and not switched off.
pub(super) fn first_broken(received: &ReceivedCte<'_>, settings: &SimulatorSettings) -> Option<Refusal> {
    let ReceivedCte { document, request, .. } = *received;
    let place = request.place;
    let contingency = place.contingency();
    let facts =
        CteReception { law: &settings.lei, now: request.now, ambiente: place.ambiente, contingency, finished: true };
    let case = CteCase::of(document, &facts)?;
    let on = |cStat: u16| settings.first_on(&[cStat]).is_some();
    let by_table =
        |rule: &'static CteRule| rule.check(&case).map(|broken| (rule.id(document), rule.cStat, broken.extra));
    // The answer for a CT-e cannot carry a warning.
    let refuses = |(rule, effect): (&'static CteRule, RuleEffect)| {
        (effect == RuleEffect::Rejeicao && on(rule.cStat)).then_some(rule)
    };
    let first = rules::in_force(document, &facts).filter_map(refuses).find_map(by_table);
    let column = usize::from(document.name == "CTeOS");
    let own = AUTHORITY_RULES.iter().filter(|rule| on(rule.cStat));
    let own = own.filter_map(|rule| Some((*rule.id.get(column)?, rule.cStat, (rule.deviation)(received)?)));
    let (_, cStat, extra) = first.into_iter().chain(own).min_by_key(|(id, ..)| *id)?;
    Some(Refusal::with(cStat, extra))
}

/// Checks the schema of the modal, apart from that of the document.
fn misshapen(received: &ReceivedCte<'_>) -> Option<String> {
    let fault = schema::first_fault_of_modal(received.request.place.wire, received.document)?;
    Some(format!(": {fault}"))
}

/// Checks the offline signature in the QR code, over the 44 positions of the key, by the certificate that signs the
/// document.
fn signed_by_another(received: &ReceivedCte<'_>) -> Option<String> {
    let sign = rules::parameter_of_qr(received.document, "sign")?;
    (!holds(received, sign).unwrap_or(false)).then(String::new)
}

fn holds(received: &ReceivedCte<'_>, sign: &str) -> Option<bool> {
    let signature = base64::engine::general_purpose::STANDARD.decode(sign).ok()?;
    let key = PKey::public_key_from_der(received.signer?).ok()?;
    let mut verifier = Verifier::new(MessageDigest::sha1(), &key).ok()?;
    verifier.update(rules::key_of(received.document).as_bytes()).ok()?;
    verifier.verify(&signature).ok()
}
