//! Change of the emission mode: a document of which nothing is registered drops its key, to be built anew in another
//! mode.

use super::draft::no_number;
use super::{ClaimedWork, Halt};
use crate::contingency::EmissionMode;
use crate::family::emission::NORMAL;
use crate::process::crash::crash_point;
use crate::process::local_time;
use fiscal::lifecycle::LifecycleEvent;
use store::jobs::EmissionModeChange;
use store::numbers::Series;

/// The series from which the document takes another number, where contingency may not use its own.
fn renumbered_in(work: &ClaimedWork, mode: &EmissionMode) -> Result<Option<Series>, Halt> {
    let document = work.document()?;
    let leaves_normal = document.tipo_emissao == NORMAL && mode.contingencia.is_some();
    if !leaves_normal || !work.family()?.contingency.number_of_its_own {
        return Ok(None);
    }
    let (cpf_cnpj, ambiente) = (work.job.cpf_cnpj, work.job.ambiente);
    Ok(Some(Series { cpf_cnpj, counted: document.counted, serie: document.serie, ambiente }))
}

/// Drops the key in one transaction; keeps the number, or takes another where contingency may not use it.
pub(super) async fn reroute(work: &mut ClaimedWork, mode: EmissionMode) -> Result<(), Halt> {
    let dhEmi = local_time::written(work.engine.now(), work.civil(work.uf()?));
    reroute_dated(work, mode, dhEmi).await
}

/// Reroutes a document dated `dhEmi`.
pub(super) async fn reroute_dated(work: &mut ClaimedWork, mode: EmissionMode, dhEmi: String) -> Result<(), Halt> {
    let state = work.state_after(LifecycleEvent::Rerouted)?;
    if mode.tpEmis != work.document()?.tipo_emissao {
        work.log(mode.log_line());
    }
    work.mode = Some(mode.clone());
    let renumbered_in = renumbered_in(work, &mode)?;
    let (tipo_emissao, contingencia) = (mode.tpEmis, mode.contingencia);
    let reroute = EmissionModeChange { state, tipo_emissao, dhEmi, contingencia, renumbered_in };
    let lines = work.take_lines();
    let rerouted =
        work.engine.store().change_emission_mode(work.lease, reroute.clone(), work.engine.now_s(), lines).await;
    let numero = match (rerouted, renumbered_in) {
        (Err(error), Some(series)) => return Err(no_number(error, None, &series)),
        (rerouted, _) => rerouted?,
    };
    crash_point("resume.rerouted");
    let before = work.document()?.numero;
    if numero != before {
        work.log(format!("O número {before} volta à emissão normal; em contingência a nota leva o número {numero}."));
    }
    if let Some(document) = &mut work.job.document {
        let EmissionModeChange { state, tipo_emissao, dhEmi, contingencia, .. } = reroute;
        (document.state, document.numero) = (state, numero);
        (document.tipo_emissao, document.dhEmi, document.contingencia) = (tipo_emissao, dhEmi, contingencia);
        (document.asked_by, document.chave, document.digest) = (None, None, None);
    }
    work.job.event_xml = None;
    Ok(())
}
