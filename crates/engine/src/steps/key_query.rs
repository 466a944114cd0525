//! Query by key: its line in the log, the document under the key that its authority gave it, and a key in the
//! authority's text.

use super::{ClaimedWork, Halt};
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::process::crash::crash_point;
use authority::answer::DocumentSituation;
use authority::table::Endpoint;
use fiscal::value::{Chave, ChaveAcesso};

/// Line of the job log for a query by key.
pub(crate) fn asking_by_key(endpoint: &Endpoint) -> String {
    format!("Consultando pela chave ({}).", endpoint.name)
}

pub(super) fn no_identity() -> Halt {
    Halt::Store(store::Error::Corrupt("o documento não tem pelo que ser consultado"))
}

/// Fetches a document under the key that its authority gave it.
pub(super) async fn fetch_named(
    work: &mut ClaimedWork,
    channel: &Channel,
    endpoint: &Endpoint,
    chave: &Chave,
) -> Result<DocumentSituation, NoAnswer> {
    work.log(format!("A autoridade tem o documento, sob a chave {chave}."));
    let wire = channel.family.wire;
    let none = || NoAnswer::NotSent("a autoridade nomeia um documento que não se busca pela chave".to_owned());
    let call = wire.fetch(endpoint, chave).ok_or_else(none)?;
    let situation = work.call(&call, channel, move |reply| wire.read_fetched(reply)).await;
    crash_point("ask.fetched");
    situation
}

/// Key in the authority's text, e.g. after `[chNFe:`.
pub(super) fn key_in(xMotivo: &str, named_by: &str) -> Option<ChaveAcesso> {
    let rest = xMotivo.split_once(named_by)?.1.trim_start();
    ChaveAcesso::parse(rest.get(..44)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_other_key_of_a_duplicate_number() {
        let chave = "35261111222333000181550010000000011652182955";
        let text = format!("Rejeição: Duplicidade de NF-e com diferença na Chave de Acesso [chNFe:{chave}][nRec:1]");
        assert_eq!(key_in(&text, "[chNFe:").map(|found| found.as_str().to_owned()).as_deref(), Some(chave));
        assert_eq!(key_in("Rejeição: sem chave", "[chNFe:"), None);
    }
}
