//! The services of CT-e and CT-e OS: a document per call, no receipt, no voiding.
//!
//! Law: MOC CT-e 4.00 visão geral and anexo I.

mod authorize;
mod document;
mod event;
mod query;
mod registers;
mod related;
mod rules;
mod settle;
mod status;

use super::message::ServiceMessage;
use super::{Refusal, ServiceAnswer, ServiceRequest, VER_APLIC, distribution, root};
use crate::dialect::ServiceKind;
use crate::simulator_state::SimulatorState;

pub(crate) fn answer(
    world: &SimulatorState,
    request: &ServiceRequest<'_>,
    message: &ServiceMessage,
) -> Result<ServiceAnswer, Refusal> {
    match request.place.service {
        ServiceKind::Autorizacao => authorize::answer(world, request, message),
        ServiceKind::ConsultaProtocolo => query::answer(world, request, message),
        ServiceKind::RecepcaoEvento => event::answer(world, request, message),
        ServiceKind::DistribuicaoDFe => distribution::answer(world, request, message),
        // The family has no other service.
        _ => status::answer(world, request, message),
    }
}

/// The reply of a service that looked at no document.
pub(crate) fn refused(request: &ServiceRequest<'_>, refusal: &Refusal) -> ServiceAnswer {
    let (place, cUF) = (request.place, request.place.authority.cUF());
    let content = match place.service {
        ServiceKind::Autorizacao => reception(request, refusal, ""),
        ServiceKind::RecepcaoEvento => format!(
            "<infEvento><tpAmb>{}</tpAmb><verAplic>{VER_APLIC}</verAplic><cOrgao>{cUF}</cOrgao>{}</infEvento>",
            place.ambiente.code(),
            status_of(request, refusal)
        ),
        ServiceKind::StatusServico => {
            let back = super::status::dhRetorno(request, refusal);
            format!("{}<dhRecbto>{}</dhRecbto>{back}", head(request, refusal), request.dh())
        }
        // The Ambiente Nacional has the same texts for every family: 489 is a CNPJ there, a registration here.
        ServiceKind::DistribuicaoDFe => {
            let (cStat, xMotivo) = (refusal.cStat, refusal.xMotivo());
            distribution::refused(request, &format!("<cStat>{cStat}</cStat><xMotivo>{xMotivo}</xMotivo>"))
        }
        _ => head(request, refusal),
    };
    ServiceAnswer { xml: root(&place, &content), cStat: refusal.cStat, chaves: Vec::new() }
}

/// `retCTe` and `retCTeOS`: there is no batch, so the root repeats the outcome of its document.
fn reception(request: &ServiceRequest<'_>, outcome: &Refusal, protocol: &str) -> String {
    let (tpAmb, cUF) = (request.place.ambiente.code(), request.place.authority.cUF());
    let status = status_of(request, outcome);
    format!("<tpAmb>{tpAmb}</tpAmb><cUF>{cUF}</cUF><verAplic>{VER_APLIC}</verAplic>{status}{protocol}")
}

/// Leading elements of the answers to queries.
fn head(request: &ServiceRequest<'_>, outcome: &Refusal) -> String {
    let (tpAmb, cUF) = (request.place.ambiente.code(), request.place.authority.cUF());
    format!("<tpAmb>{tpAmb}</tpAmb><verAplic>{VER_APLIC}</verAplic>{}<cUF>{cUF}</cUF>", status_of(request, outcome))
}

fn status_of(request: &ServiceRequest<'_>, outcome: &Refusal) -> String {
    format!("<cStat>{}</cStat><xMotivo>{}</xMotivo>", outcome.cStat, outcome.xMotivo_in(&request.place))
}
