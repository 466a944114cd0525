//! A prepared order as its row stores it: the caller's request, checked again when it is confirmed.

use crate::order::act_request::ActRequest;
use crate::order::emission::IssueRequest;
use crate::order::void::VoidRequest;
use crate::order::{serialize_emission, serialize_order};
use serde::de::DeserializeOwned;
use store::confirmations::Confirmation;
use store::jobs::Operacao;

/// A stored request.
pub(super) enum PreparedOrder {
    Issue(IssueRequest),
    Act(ActRequest),
    Void(VoidRequest),
}

impl PreparedOrder {
    /// Serialises the request for its row.
    pub(super) fn serialize(&self) -> String {
        match self {
            PreparedOrder::Issue(request) => serialize_emission(request),
            PreparedOrder::Act(request) => serialize_order(request),
            PreparedOrder::Void(request) => serialize_order(request),
        }
    }

    /// Reads the request of a row; `None` when it differs from the hashed one.
    pub(super) fn of(kept: &Confirmation) -> Option<PreparedOrder> {
        if openssl::sha::sha256(kept.payload.as_bytes()).as_slice() != kept.payload_hash {
            return None;
        }
        let referencia = kept.referencia.clone();
        let order = match kept.operacao {
            Operacao::Emissao => PreparedOrder::Issue(IssueRequest { referencia, ..read(kept)? }),
            Operacao::Inutilizacao => PreparedOrder::Void(read(kept)?),
            _ => PreparedOrder::Act(ActRequest { referencia, ..read(kept)? }),
        };
        // another version may read it otherwise than the one that showed it
        Some(order).filter(|order| order.serialize() == kept.payload)
    }

    /// Reads the request of an emission; `None` for an act.
    pub(super) fn emission(kept: &Confirmation) -> Option<IssueRequest> {
        match PreparedOrder::of(kept)? {
            PreparedOrder::Issue(request) => Some(request),
            PreparedOrder::Act(_) | PreparedOrder::Void(_) => None,
        }
    }
}

fn read<T: DeserializeOwned>(kept: &Confirmation) -> Option<T> {
    serde_json::from_str(&kept.payload).ok()
}
