//! The schema rule (225, 215): the first thing the official layout of a message does not allow.

use crate::place::Service;
use fiscal::layout::{self, Layout};
use fiscal::xml::Element;

/// What is wrong first, as `path: message`; `None` when the official schema would take it.
pub(super) fn first_fault(service: Service, payload: &Element) -> Option<String> {
    if service == Service::ConsultaCadastro {
        return super::cadastro::first_fault(payload);
    }
    let fault = layout::check(layout_of(service), payload).into_iter().next()?;
    Some(format!("{}: {}", fault.path, fault.message))
}

fn layout_of(service: Service) -> &'static Layout {
    match service {
        Service::Autorizacao => &layout::ENVI_NFE,
        Service::RetAutorizacao => &layout::CONS_RECI_NFE,
        Service::ConsultaProtocolo => &layout::CONS_SIT_NFE,
        Service::StatusServico => &layout::CONS_STAT_SERV,
        Service::Inutilizacao => &layout::INUT_NFE,
        Service::RecepcaoEvento => &layout::ENV_EVENTO,
        // its schema is in no package we take: `cadastro` checks it
        Service::DistribuicaoDFe | Service::ConsultaCadastro => &layout::DIST_DFE_INT,
    }
}
