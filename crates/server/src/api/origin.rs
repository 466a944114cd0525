//! Origin of a request: its id and its address, for the audit trail and the slow-down of logins.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use fiscal::value::TpAmb;
use http::header;
use http::request::Parts;
use store::audit::{Actor, ActorKind};

use crate::app::App;
use crate::edge::{self, PeerAddress};

/// Id of a request, added to it by the envelope.
#[derive(Clone)]
pub(crate) struct RequestId(pub(crate) String);

/// Origin of a request.
#[derive(Debug, Clone)]
pub(crate) struct RequestOrigin {
    request_id: Option<String>,
    /// Address of the client, behind trusted proxies the forwarded one.
    pub(crate) address: Option<IpAddr>,
    /// Name of the calling program (`User-Agent`), cut.
    pub(crate) agent: Option<String>,
}

impl RequestOrigin {
    pub(crate) fn of(parts: &Parts, app: &App) -> RequestOrigin {
        let peer = parts.extensions.get::<PeerAddress>();
        let agent = parts.headers.get(header::USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()));
        RequestOrigin {
            agent: agent.map(|agent| agent.chars().filter(|letter| !letter.is_control()).take(LONGEST_AGENT).collect()),
            request_id: parts.extensions.get::<RequestId>().map(|id| id.0.clone()),
            address: peer.map(|PeerAddress(address)| app.edge().client(*address, &parts.headers)),
        }
    }

    /// The address by which callers are counted.
    pub(crate) fn counted_address(&self) -> IpAddr {
        self.address.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), edge::subscriber_address)
    }

    /// Actor of an act with this origin.
    pub(crate) fn actor(self, who: ActorKind, ambiente: TpAmb) -> Actor {
        Actor { kind: who, ambiente, request_id: self.request_id, address: self.address }
    }
}

/// Letters of the name of a program that are stored.
const LONGEST_AGENT: usize = 200;

impl FromRequestParts<App> for RequestOrigin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<RequestOrigin, Infallible> {
        Ok(RequestOrigin::of(parts, app))
    }
}
