//! The acts, and how each is kept in its job and written as an event.

use crate::event::Target;
use crate::family::Family;
use crate::issue::VER_PROC;
use fiscal::event::{Detail, Kind};
use fiscal::value::{ChaveAcesso, CnpjCpf};
use serde_json::{Map, Value, json};
use store::jobs::Operacao;

/// What is done to a document.
pub enum Act {
    /// It is cancelled; when another document took its place, by substitution (NT 2018.004).
    Cancelar {
        /// 15–255 characters.
        justificativa: String,
        /// An NFC-e of contingency.
        substituta: Option<Target>,
    },
    /// It is corrected.
    Corrigir {
        /// 15–1000 characters.
        correcao: String,
    },
    /// Somebody else may fetch it.
    Autorizar {
        /// A carrier.
        ator: CnpjCpf,
        /// Whether that one may name others.
        permite: bool,
    },
}

impl Act {
    pub(super) fn operacao(&self) -> Operacao {
        match self {
            Act::Cancelar { .. } => Operacao::Cancelamento,
            Act::Corrigir { .. } => Operacao::CartaCorrecao,
            Act::Autorizar { .. } => Operacao::AtorInteressado,
        }
    }

    /// Whether documents of a family have this event.
    pub(super) fn is_of(&self, family: &Family) -> bool {
        let substitution = matches!(self, Act::Cancelar { substituta: Some(_), .. });
        family.acts.possible.contains(&self.operacao()) && (family.acts.substitution || !substitution)
    }

    /// As members of the job's payload.
    pub(super) fn members(&self, substituta: Option<&ChaveAcesso>) -> Map<String, Value> {
        let members = match self {
            Act::Cancelar { justificativa, .. } => {
                json!({ JUSTIFICATIVA: justificativa, SUBSTITUTA: substituta.map(ChaveAcesso::as_str) })
            }
            Act::Corrigir { correcao } => json!({ CORRECAO: correcao }),
            Act::Autorizar { ator, permite } => json!({ ATOR: ator.as_str(), PERMITE: permite }),
        };
        match members {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

pub(crate) const JUSTIFICATIVA: &str = "justificativa";
/// What an addressee says of a note, in the interface's word.
pub(crate) const TIPO: &str = "tipo";
/// The key of the document that takes the place of the cancelled one.
pub(crate) const SUBSTITUTA: &str = "chave_substituta";
/// The job whose note must be authorised before the event is sent: a cancellation of ours (`steps::twin`).
pub(crate) const SUCCESSOR: &str = "sucessora_job_id";
/// Whether such a cancellation is one by substitution.
pub(crate) const BY_SUBSTITUTION: &str = "por_substituicao";
const CORRECAO: &str = "correcao";
const ATOR: &str = "ator";
const PERMITE: &str = "permite_subcontratacao";

/// What a job's event says, from the payload that was kept; `None` when the payload is not of such a job. `nProt` is the document's.
pub(crate) fn detail<'p>(
    operacao: Operacao,
    payload: &'p Value,
    chave: &ChaveAcesso,
    nProt: &'p str,
) -> Option<Detail<'p>> {
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    let (uf, verAplic) = (chave.parts().uf, VER_PROC);
    Some(match operacao {
        Operacao::Emissao | Operacao::Inutilizacao => return None,
        Operacao::Cancelamento => {
            let xJust = text(JUSTIFICATIVA)?;
            match text(SUBSTITUTA) {
                Some(substituta) => {
                    let chNFeRef = ChaveAcesso::parse(substituta).ok()?;
                    Detail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef }
                }
                None => Detail::Cancelamento { nProt, xJust },
            }
        }
        Operacao::CartaCorrecao => Detail::CartaCorrecao { xCorrecao: text(CORRECAO)? },
        Operacao::Manifestacao => Detail::Manifestacao { kind: kind(operacao, payload)?, xJust: text(JUSTIFICATIVA) },
        Operacao::AtorInteressado => {
            let autXML = CnpjCpf::parse(text(ATOR)?).ok()?;
            let permite = payload.get(PERMITE).and_then(Value::as_bool);
            Detail::AtorInteressado {
                uf,
                tpAutor: ISSUER,
                verAplic,
                autXML,
                permite: Some(permite.unwrap_or_default()),
            }
        }
    })
}

/// The event that a job of this kind registers.
pub(crate) fn kind(operacao: Operacao, payload: &Value) -> Option<Kind> {
    match operacao {
        Operacao::Emissao | Operacao::Inutilizacao => None,
        Operacao::Cancelamento
            if payload.get(SUBSTITUTA).is_some_and(Value::is_string)
                || payload.get(BY_SUBSTITUTION).and_then(Value::as_bool) == Some(true) =>
        {
            Some(Kind::CancelamentoPorSubstituicao)
        }
        Operacao::Cancelamento => Some(Kind::Cancelamento),
        Operacao::CartaCorrecao => Some(Kind::CartaCorrecao),
        Operacao::AtorInteressado => Some(Kind::AtorInteressado),
        Operacao::Manifestacao => match payload.get(TIPO)?.as_str()? {
            "ciencia" => Some(Kind::Ciencia),
            "confirmacao" => Some(Kind::Confirmacao),
            "desconhecimento" => Some(Kind::Desconhecimento),
            "nao_realizada" => Some(Kind::NaoRealizada),
            _ => None,
        },
    }
}

/// `tpAutor`: whoever issued the document.
const ISSUER: u8 = 1;
