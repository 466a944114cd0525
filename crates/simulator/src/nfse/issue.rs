//! `POST /nfse`: a DPS becomes an NFS-e, or all its errors are returned at once.
//!
//! Order: certificate, envelope, schema alone, signature alone, then the rules together with the stored notes (anexo I;
//! the order between stages is ours). The stored notes are read, numbered and written under one lock.

use super::answer::{NationalAnswer, ProcessingMessage, refused_dps, with_head};
use super::certificate::{self, SignatureCodes};
use super::dps_rules::{self, DpsFacts};
use super::envelope::{self, NationalDocument, pack};
use super::notes::{NationalNotes, NfseStanding, StoredNfse};
use super::settings::NationalSettings as Settings;
use super::write::{self, AuthorityFields, KeyParts};
use super::{NationalRequest, alterations, document_of, events, seal, stored};
use crate::credential::CertificateFacts;
use crate::faults::FaultType;
use crate::magic;
use crate::rule_switch::RuleSwitch;
use crate::signature;
use fiscal::nfse::{amounts, moved_members};
use fiscal::value::municipio;
use http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn answer(asked: &NationalRequest<'_>) -> NationalAnswer {
    let problems = certificate::problems(asked);
    if !problems.is_empty() {
        return refused_dps(asked, StatusCode::FORBIDDEN, None, &problems);
    }
    let taken = asked.world.settings().nfse.accepted_layouts(asked.ambiente);
    let document = envelope::unpack(asked.body, "dpsXmlGZipB64").and_then(|bytes| envelope::read_dps(bytes, taken));
    let document = match document {
        Ok(document) => document,
        Err(problem) => return refused_dps(asked, StatusCode::BAD_REQUEST, None, &[problem]),
    };
    let id = document.root.child("infDPS").and_then(|inf| inf.attribute("Id")).unwrap_or_default().to_owned();
    asked.world.nfse().count(&id).recebida += 1;
    match issue_note(asked, &document, &id) {
        Ok(made) => answered(asked, made),
        Err(IssueFailure::Refused(problems)) => {
            asked.world.nfse().count(&id).rejeitada += 1;
            refused_dps(asked, StatusCode::BAD_REQUEST, Some(&alterations::id(asked, &id)), &problems)
        }
        Err(IssueFailure::Failed(error)) => {
            tracing::error!(%error, "a NFS-e não pôde ser feita");
            refused_dps(
                asked,
                StatusCode::INTERNAL_SERVER_ERROR,
                Some(&id),
                &[ProcessingMessage::about("E1226", error.to_string())],
            )
        }
    }
}

/// Failure of an issue.
enum IssueFailure {
    Refused(Vec<ProcessingMessage>),
    Failed(anyhow::Error),
}

/// An issued note.
struct NationalIssue {
    note: StoredNfse,
    alerts: Vec<ProcessingMessage>,
}

fn issue_note(
    asked: &NationalRequest<'_>,
    document: &NationalDocument,
    id: &str,
) -> Result<NationalIssue, IssueFailure> {
    let signed = signed(asked, document).map_err(IssueFailure::Refused)?;
    // Rules and amounts are those of the package, whichever layout the document has.
    let said = moved_members::as_package(&document.root);
    let Some(inf) = said.child("infDPS") else {
        return Err(IssueFailure::Refused(vec![ProcessingMessage::new("E1235")]));
    };
    if let Some(codigo) = magic::of_service(inf.text_at("serv/cServ/xDescServ")) {
        return Err(IssueFailure::Refused(vec![ProcessingMessage::of_magic_value(codigo)]));
    }
    let settings = asked.world.settings().nfse.clone();
    let facts = DpsFacts::of(asked, &said, inf, &settings);
    let mut problems = dps_rules::problems(&facts);
    let mut notes = asked.world.nfse();
    problems.extend(stored::problems(&notes, &facts, id));
    let (refusals, alerts) = refusals_and_alerts(problems, &settings);
    if !refusals.is_empty() {
        return Err(IssueFailure::Refused(refusals));
    }
    let note = written(&mut notes, &facts, document, &signed).map_err(IssueFailure::Failed)?;
    notes.count(id).processada += 1;
    notes.store_national_note(note.clone());
    if let Some(substituted) = inf.child("subst") {
        events::substituted(&mut notes, asked, &note, substituted).map_err(IssueFailure::Failed)?;
    }
    Ok(NationalIssue { note, alerts })
}

/// A valid signature.
struct VerifiedDps {
    signer: Option<Arc<CertificateFacts>>,
    digest: String,
}

const CODES: SignatureCodes = SignatureCodes {
    absent: "E0717",
    wrong: "E0714",
    certificate: "E0715",
    out_of_pattern: "E0716",
    not_the_authors: "E0718",
};

fn signed(asked: &NationalRequest<'_>, document: &NationalDocument) -> Result<VerifiedDps, Vec<ProcessingMessage>> {
    if document.root.child("Signature").is_none() {
        return Err(vec![ProcessingMessage::new(CODES.absent)]);
    }
    let examined =
        signature::examine_by(&signature::NFSE, &document.root, "infDPS", &document.source, asked.world, asked.now);
    let issuer = document.root.at("infDPS/prest").and_then(document_of).unwrap_or_default();
    let mut problems = CODES.of(&examined.faults);
    // The rules refuse a prestador without CNPJ and CPF (E0112, E0114).
    if problems.is_empty() && !issuer.is_empty() && !certificate::is_signed_by(examined.signer.as_deref(), issuer) {
        problems.push(ProcessingMessage::new(CODES.not_the_authors));
    }
    if problems.is_empty() {
        Ok(VerifiedDps { signer: examined.signer, digest: examined.digest })
    } else {
        Err(problems)
    }
}

/// Parts the errors into refusals and alerts, in the order of the annex.
fn refusals_and_alerts(
    mut problems: Vec<ProcessingMessage>,
    settings: &Settings,
) -> (Vec<ProcessingMessage>, Vec<ProcessingMessage>) {
    problems.sort_by(|one, other| one.codigo.cmp(&other.codigo));
    problems.retain(|problem| settings.switch(&problem.codigo) != RuleSwitch::Off);
    problems.into_iter().partition(|problem| settings.switch(&problem.codigo) == RuleSwitch::On && !problem.is_warning)
}

/// Hash of a text (FNV-1a).
fn fnv_hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |folded: u64, byte| (folded ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
        % 1_000_000_000
}

/// The note, with its numbers assigned.
fn written(
    notes: &mut NationalNotes,
    facts: &DpsFacts<'_>,
    document: &NationalDocument,
    signed: &VerifiedDps,
) -> anyhow::Result<StoredNfse> {
    let (asked, inf) = (facts.asked, facts.inf);
    let (ambiente, ambGer) = (asked.ambiente, asked.host.ambGer());
    let text = |path: &str| inf.text_at(path).unwrap_or_default();
    let emitente = inf.child("prest").and_then(document_of).unwrap_or_default();
    let nNFSe = notes.next(ambiente, ambGer, emitente);
    let nDFSe = notes.next(ambiente, ambGer, text("cLocEmi"));
    // A restarted simulator counts and draws from the beginning; the hash of its Id gives another declaration another
    // key all the same.
    let chance = (notes.nine_random_digits() + fnv_hash(inf.attribute("Id").unwrap_or_default())) % 1_000_000_000;
    let parts = KeyParts { cLocEmi: text("cLocEmi"), ambGer, emitente, nNFSe, dhEmi: text("dhEmi"), chance };
    let chave = facts.settings.chave_repetida.clone().unwrap_or_else(|| write::key(&parts));
    let uf = text("cLocEmi").parse().ok().and_then(municipio::uf);
    let dhProc =
        crate::clock::format_instant(asked.now, uf.map_or(fiscal::value::brasilia::HOURS, |uf| uf.utc_offset_hours()));
    let given = AuthorityFields {
        chave: &chave,
        ambGer,
        nNFSe,
        nDFSe,
        cStat: if text("prest/regTrib/opSimpNac") == MEI { 107 } else { 100 },
        dhProc: &dhProc,
        provider: facts.settings.contribuintes.get(emitente),
        signer: signed.signer.as_ref().map_or("", |signer| signer.name.as_str()),
        pCBS: facts.settings.pCBS,
    };
    let amounts = amounts::of(inf, facts.terms().as_ref());
    let element = write::inf(facts.dps, &document.source, &amounts, &given);
    let element = element.ok_or_else(|| anyhow::anyhow!("a DPS não tem infDPS"))?;
    let xml = seal::sealed("NFSe", &element, &format!("NFS{chave}"), asked.world.pki.sefin()?)?;
    let party = |name: &str| inf.child(name).and_then(document_of).map(str::to_owned);
    Ok(StoredNfse {
        ambiente,
        ambGer,
        id_dps: inf.attribute("Id").unwrap_or_default().to_owned(),
        digest: signed.digest.clone(),
        emitente: emitente.to_owned(),
        tomador: party("toma"),
        intermediario: party("interm"),
        nNFSe,
        cStat: given.cStat,
        situacao: NfseStanding::Autorizada,
        eventos: Vec::new(),
        xml: xml.into(),
        made_at: asked.now,
        visibility: asked.drawn.visibility(),
        dhProc,
        chave,
    })
}

/// `opSimpNac` of a MEI.
const MEI: &str = "2";

/// The answer to an issued note, altered where a fault asks for it.
fn answered(asked: &NationalRequest<'_>, made: NationalIssue) -> NationalAnswer {
    let NationalIssue { note, alerts } = made;
    if let Some(problem) = alterations::scripted(asked, FaultType::OtherDocument) {
        return refused_dps(asked, StatusCode::BAD_REQUEST, Some(&alterations::id(asked, &note.id_dps)), &[problem]);
    }
    let another = alterations::substituted_note(asked, |one| one.chave == note.chave);
    let note = another.unwrap_or_else(|| alterations::altered_note(asked, note));
    accepted(asked, &NationalIssue { note, alerts })
}

fn accepted(asked: &NationalRequest<'_>, made: &NationalIssue) -> NationalAnswer {
    let NationalIssue { note, alerts } = made;
    let alertas: Vec<Value> = alerts.iter().map(ProcessingMessage::json).collect();
    let body = with_head(
        asked,
        [
            ("idDps", json!(note.id_dps)),
            ("chaveAcesso", json!(note.chave)),
            ("nfseXmlGZipB64", json!(pack(&note.xml))),
            ("alertas", if alertas.is_empty() { Value::Null } else { Value::Array(alertas) }),
        ],
    );
    let answer = NationalAnswer::of(StatusCode::CREATED, body).about(&note.id_dps).about(&note.chave);
    NationalAnswer { codigo: Some(note.cStat.to_string()), ..answer }
}
