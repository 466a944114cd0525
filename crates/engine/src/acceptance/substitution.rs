//! A note in the place of another, which its authority cancels when it authorises the new one: the other has to be ours, and to stand.
//!
//! Law: ABRASF, `RpsSubstituido` (E76: the RPS is not there; E79, E7: its note is cancelled or substituted). Must not know: how it is named in a document.

use crate::Engine;
use crate::family::Family;
use crate::family::spelled::Spelled;
use fiscal::finding::Violation;
use fiscal::lifecycle::State;
use fiscal::value::TpAmb;
use serde_json::Value;
use store::Sight;
use store::accounts::Caller;

impl Engine {
    /// What speaks against it, of a document as it would be written and what it would be asked by.
    pub(crate) async fn replaced_stands(
        &self,
        caller: &Caller,
        family: &Family,
        ambiente: TpAmb,
        nota: &Value,
        (xml, asked_by): (&str, &str),
    ) -> Result<Option<Violation>, store::Error> {
        let Some(before) = (family.acts.replaced)(xml, asked_by, ambiente) else { return Ok(None) };
        let state = match self.store().job_by_chave(Sight::of(caller), before.as_str()).await {
            Ok(job) => job.document.map(|document| document.state),
            Err(store::Error::NotFound) => None,
            Err(error) => return Err(error),
        };
        let why = match state {
            Some(State::Authorized) => return Ok(None),
            Some(State::Cancelled) => "a nota dele já está cancelada ou substituída",
            Some(_) => "ele ainda não tem nota autorizada",
            None => "não há nota dele emitida por este serviço, neste ambiente e com esta inscrição municipal",
        };
        let mensagem = format!(
            "O RPS de rps_substituido não pode ser substituído: {why}. Confira numero, serie e tipo; uma nota de outro sistema é substituída por ele ou no \
             portal da prefeitura."
        );
        Ok(Some(Violation::of(&family.path(nota, REPLACED), "valor_invalido", &mensagem)))
    }
}

const REPLACED: Spelled = ["rps.rps_substituido", "Rps.RpsSubstituido"];
