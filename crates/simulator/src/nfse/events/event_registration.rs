//! Registration of events: the request inside, the number, the seal. The Sefin writes requests of its own (105102), and
//! so does the município.

use super::kinds::{self, NationalEventKind};
use crate::nfse::notes::{NationalNotes, NfseEvent, StoredNfse};
use crate::nfse::{NAMESPACE, NationalRequest, VER_APLIC, VERSAO, seal};
use crate::simulator_state::SimulatorState;
use fiscal::value::{TpAmb, municipio};
use fiscal::xml::{CanonicalWriter, Element};
use jiff::Timestamp;
use serde::Deserialize;

/// Registers a request on a stored note.
pub(super) fn register_request(
    notes: &mut NationalNotes,
    asked: &NationalRequest<'_>,
    kind: &'static NationalEventKind,
    request: &str,
    chave: &str,
    sobre: Option<String>,
) -> anyhow::Result<NfseEvent> {
    let at = RegistrationMoment { world: asked.world, ambiente: asked.ambiente, now: asked.now };
    let request = EventRequestXml { kind, xml: request, sobre };
    register(notes, &at, chave, asked.host.ambGer(), request)
}

/// Time and environment of a registration.
struct RegistrationMoment<'a> {
    world: &'a SimulatorState,
    ambiente: TpAmb,
    now: Timestamp,
}

/// `pedRegEvento` as text.
struct EventRequestXml<'a> {
    kind: &'static NationalEventKind,
    xml: &'a str,
    sobre: Option<String>,
}

fn register(
    notes: &mut NationalNotes,
    at: &RegistrationMoment<'_>,
    chave: &str,
    ambGer: u8,
    request: EventRequestXml<'_>,
) -> anyhow::Result<NfseEvent> {
    let EventRequestXml { kind, xml: request, sobre } = request;
    let note = notes.note(at.ambiente, chave).ok_or_else(|| anyhow::anyhow!("a nota {chave} não existe"))?;
    let before = note.eventos.iter().filter(|event| event.tipo == kind.tipo).count();
    let numero = u16::try_from(before + 1)?;
    let place = chave.get(..7).unwrap_or_default().to_owned();
    let nDFSe = notes.next(at.ambiente, ambGer, &place);
    let dhProc = registration_time(at, &place);
    let id = format!("EVT{chave}{}{numero:03}", kind.tipo);
    let mut xml = CanonicalWriter::with_capacity(request.len() + 500);
    xml.open_with("infEvento", &[("Id", &id)]);
    for (tag, text) in [("verAplic", VER_APLIC), ("ambGer", &ambGer.to_string()), ("nSeqEvento", &numero.to_string())] {
        xml.leaf(tag, text);
    }
    xml.leaf("dhProc", &dhProc);
    xml.leaf("nDFSe", &nDFSe.to_string());
    xml.raw(request);
    xml.close("infEvento");
    let sealed = seal::sealed("evento", &xml.finish(), &id, at.world.pki.sefin()?)?;
    let event = NfseEvent { tipo: kind.tipo.to_owned(), numero, id, dhProc, sobre, xml: sealed.into() };
    notes.register(at.ambiente, chave, event.clone(), Some(kind.name), at.now);
    Ok(event)
}

/// Local time of the registration at the município.
fn registration_time(at: &RegistrationMoment<'_>, place: &str) -> String {
    let uf = place.parse().ok().and_then(municipio::uf);
    crate::clock::format_instant(at.now, uf.map_or(fiscal::value::brasilia::HOURS, |uf| uf.utc_offset_hours()))
}

/// Registers the substitution on the old note; `subst` is the group of the new one.
pub(in crate::nfse) fn substituted(
    notes: &mut NationalNotes,
    asked: &NationalRequest<'_>,
    note: &StoredNfse,
    subst: &Element,
) -> anyhow::Result<()> {
    let old = subst.text_at("chSubstda").unwrap_or_default();
    let Some(kind) = kinds::of(kinds::SUBSTITUTION) else { anyhow::bail!("o tipo 105102 não está na tabela") };
    let mut detail = vec![("cMotivo", subst.text_at("cMotivo").unwrap_or_default())];
    detail.extend(subst.text_at("xMotivo").map(|words| ("xMotivo", words)));
    detail.push(("chSubstituta", &note.chave));
    let at = RegistrationMoment { world: asked.world, ambiente: asked.ambiente, now: asked.now };
    let request = unsigned_request(&at, kind, old, &note.emitente, &detail);
    register_request(notes, asked, kind, &request, old, None).map(drop)
}

/// An unsigned request: its author also registers it.
fn unsigned_request(
    at: &RegistrationMoment<'_>,
    kind: &NationalEventKind,
    chave: &str,
    autor: &str,
    detail: &[(&str, &str)],
) -> String {
    let mut xml = CanonicalWriter::with_capacity(1_000);
    xml.open_with("pedRegEvento", &[("xmlns", NAMESPACE), ("versao", VERSAO)]);
    xml.open_with("infPedReg", &[("Id", &format!("PRE{chave}{}", kind.tipo))]);
    xml.leaf("tpAmb", at.ambiente.code());
    xml.leaf("verAplic", VER_APLIC);
    xml.leaf("dhEvento", &registration_time(at, chave.get(..7).unwrap_or_default()));
    xml.leaf(if autor.len() == 11 { "CPFAutor" } else { "CNPJAutor" }, autor);
    xml.leaf("chNFSe", chave);
    let group = format!("e{}", kind.tipo);
    xml.open(&group);
    xml.leaf("xDesc", kind.xDesc);
    detail.iter().for_each(|(tag, text)| xml.leaf(tag, text));
    xml.close(&group);
    xml.close("infPedReg");
    xml.close("pedRegEvento");
    xml.finish()
}

/// An act of the município, or of the system, as the control plane takes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MunicipalAct {
    /// 105104, 105105, 205204, 205208, 305101, 305102 or 305103.
    tipo: String,
    /// The reason, 15 to 255 characters.
    #[serde(default = "reason")]
    motivo: String,
    /// The kind that is blocked or unblocked, six digits; for 205208 the kind of the rejection.
    #[serde(default)]
    sobre: Option<String>,
}

fn reason() -> String {
    "Ato da administração tributária municipal, de ensaio".to_owned()
}

/// CPF of the acting agent.
const AGENT: &str = "11144477735";
/// CNPJ of the author: that of the município is unknown here.
const MUNICIPALITY: &str = "00394460000141";
const PROCESS: &str = "2026000001";

/// Registers an act of the município on a note; `Err` is the reason of a refusal, in Portuguese.
pub(in crate::nfse) fn register_municipal_act(
    world: &SimulatorState,
    ambiente: TpAmb,
    chave: &str,
    act: &MunicipalAct,
) -> Result<NfseEvent, String> {
    let now = world.clock.now();
    let kind = kinds::of(&act.tipo)
        .filter(|kind| kind.author == kinds::EventRequester::Others && kind.tipo != kinds::SUBSTITUTION);
    let kind = kind.ok_or_else(|| format!("{} não é ato do município nem do sistema", act.tipo))?;
    let mut notes = world.nfse();
    let note = notes.note(ambiente, chave).ok_or_else(|| format!("a nota {chave} não existe"))?;
    if let Some(name) = super::matrix::hindrance(note, kind) {
        return Err(format!("impedido por {name}"));
    }
    if matches!(kind.tipo, "105104" | "105105") && !super::matrix::has_pending_analysis(note) {
        return Err("não há solicitação de análise fiscal pendente".to_owned());
    }
    let ambGer = note.ambGer;
    let last = |tipo: &str| note.eventos.iter().rev().find(|event| event.tipo == tipo);
    let subject = act.sobre.clone().unwrap_or_else(|| kinds::CANCELLATION.to_owned());
    let about = match kind.tipo {
        "305103" => Some(last("305102").ok_or("não há bloqueio")?.id.clone()),
        "205208" => Some(last(&subject).ok_or_else(|| format!("não há evento {subject}"))?.id.clone()),
        _ => None,
    };
    // Key and kind, without the number at the end.
    let about = about.as_deref().and_then(|id| id.get(3..59)).unwrap_or_default();
    let blocked = format!("e{subject}");
    let motivo = act.motivo.as_str();
    let detail: Vec<(&str, &str)> = match kind.tipo {
        "105104" | "105105" => {
            vec![("CPFAgTrib", AGENT), ("nProcAdm", PROCESS), ("cMotivo", "1"), ("xMotivo", motivo)]
        }
        "205208" => vec![("CPFAgTrib", AGENT), ("idEvManifRej", about), ("xMotivo", motivo)],
        "305101" => vec![("CPFAgTrib", AGENT), ("nProcAdm", PROCESS), ("xProcAdm", motivo)],
        "305102" => vec![("CPFAgTrib", AGENT), ("codEvento", &blocked), ("xMotivo", motivo)],
        "305103" => vec![("CPFAgTrib", AGENT), ("idBloqOfic", about)],
        _ => Vec::new(),
    };
    let at = RegistrationMoment { world, ambiente, now };
    let xml = unsigned_request(&at, kind, chave, MUNICIPALITY, &detail);
    let sobre = matches!(kind.tipo, "305102" | "305103" | "205208").then_some(subject.clone());
    register(&mut notes, &at, chave, ambGer, EventRequestXml { kind, xml: &xml, sobre })
        .map_err(|error| error.to_string())
}
