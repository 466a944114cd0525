//! A cancellation that waits for another note: a document issued twice is cancelled only when the one that stays is
//! authorised.

use crate::order::act::Cancelamento;
use crate::steps::claimed_work::failure;
use crate::steps::{ClaimedWork, Halt, NextStep};
use fiscal::lifecycle::DocumentState;
use std::time::Duration;
use store::jobs::JobDocument;

/// Longest wait before the next check, which costs no query: the sale has two documents meanwhile.
const MAX_CHECK_WAIT: Duration = Duration::from_secs(30);

/// Returns once the event may be signed; names the note that stays, for a cancellation by substitution.
pub(super) async fn is_authorised(work: &ClaimedWork, order: &mut Cancelamento) -> Result<(), Halt> {
    let Some(successor) = order.sucessora else { return Ok(()) };
    let document = work.engine.store().job(store::Visibility::whole(work.job.tenant_id), successor).await?.document;
    let state = document.as_ref().map(|document| document.state);
    let failure = |why: &str| failure("substituta_nao_autorizada", "validacao", why);
    match (state, document) {
        (Some(DocumentState::Authorized), Some(document)) => {
            if order.por_substituicao == Some(true) {
                order.chave_substituta = JobDocument::acesso(&document);
            }
            Ok(())
        }
        // the sale was undone since: its first document is cancelled without a substitute
        (Some(DocumentState::Cancelled), _) => {
            order.por_substituicao = Some(false);
            Ok(())
        }
        (Some(DocumentState::Rejected | DocumentState::Denied | DocumentState::Failed), _) => {
            let why = "A nota que ficaria no lugar desta não está autorizada: esta continua valendo. Decida qual das duas vale e cancele a \
                       outra, ou reprocesse este job depois de a substituta ser autorizada.";
            Err(Halt::Step(NextStep::GiveUp { failure: failure(why) }))
        }
        _ => {
            let why = "O cancelamento espera a autorização da nota que fica no lugar desta.";
            Err(Halt::Step(NextStep::Again { after: work.backoff().min(MAX_CHECK_WAIT), failure: failure(why) }))
        }
    }
}
