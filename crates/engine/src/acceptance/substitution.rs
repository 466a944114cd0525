//! Substitution: a note that replaces another, which its authority cancels when it authorises the new one. The other
//! must be ours, and authorised.
//!
//! Law: ABRASF, `RpsSubstituido` (E76: the RPS is not there; E79, E7: its note is cancelled or substituted).
//! Must not know: how the replaced note is named in a document.

use crate::Engine;
use crate::family::Family;
use crate::family::member_path::MemberPath;
use crate::family::municipal_provider::MunicipalProvider;
use fiscal::finding::{Notice, Violation};
use fiscal::lifecycle::DocumentState;
use fiscal::value::TpAmb;
use serde_json::Value;
use store::Visibility;
use store::accounts::Caller;

/// The document under check and its provider.
pub(crate) struct SubstitutionCheck<'a> {
    pub(crate) family: &'a Family,
    pub(crate) ambiente: TpAmb,
    pub(crate) nota: &'a Value,
    pub(crate) city_hall: Option<&'a MunicipalProvider>,
}

impl Engine {
    /// Refuses a replacement whose note cannot be replaced; otherwise returns the notice about its submission. `xml`
    /// and `asked_by` are the document and its identity as they would be written.
    pub(crate) async fn check_replaced(
        &self,
        caller: &Caller,
        trying: &SubstitutionCheck<'_>,
        (xml, asked_by): (&str, &str),
    ) -> Result<Result<Option<Notice>, Violation>, store::Error> {
        let SubstitutionCheck { family, ambiente, nota, city_hall } = *trying;
        let Some(before) = (family.acts.replaced)(xml, asked_by, ambiente) else { return Ok(Ok(None)) };
        let state = match self.store().job_by_chave(Visibility::of(caller), before.as_str()).await {
            Ok(job) => job.document.map(|document| document.state),
            Err(store::Error::NotFound) => None,
            Err(error) => return Err(error),
        };
        let campo = family.path(nota, REPLACED);
        let why = match state {
            Some(DocumentState::Authorized) => return Ok(Ok(city_hall.map(|hall| substitution_notice(&campo, hall)))),
            Some(DocumentState::Cancelled) => "a nota dele já está cancelada ou substituída",
            Some(_) => "ele ainda não tem nota autorizada",
            None => "não há nota dele emitida por este serviço, neste ambiente e com esta inscrição municipal",
        };
        let mensagem = format!(
            "O RPS de rps_substituido não pode ser substituído: {why}. Confira numero, serie e tipo; uma nota de outro sistema é substituída por ele ou no \
             portal da prefeitura."
        );
        Ok(Err(Violation::of(&campo, "valor_invalido", &mensagem)))
    }
}

/// Notice about the submission of the substitution, and the check that is left to the caller where the RPS alone
/// requests it.
fn substitution_notice(campo: &str, hall: &MunicipalProvider) -> Notice {
    let provider = hall.resolved.row.name();
    let mensagem = match hall.substitutes() {
        true => format!(
            "A substituição vai num só pedido (SubstituirNfse): a prefeitura cancela a nota anterior com o código 1 (erro na emissão) e gera a nova, ou recusa \
             as duas coisas. Provedor {provider}."
        ),
        false => format!(
            "O provedor {provider} não tem a operação SubstituirNfse: o RPS novo vai como qualquer outro, com RpsSubstituido, e cancelar a nota anterior cabe à \
             prefeitura. Confira nela se a anterior foi cancelada."
        ),
    };
    Notice::of(campo.to_owned(), "substituicao", &mensagem, None)
}

const REPLACED: MemberPath = ["rps.rps_substituido", "Rps.RpsSubstituido"];
