//! Answers as values.

use serde::{Deserialize, Serialize};

/// The authority's record of an authorised, cancelled or denied document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// Key.
    pub chNFe: String,
    /// Protocol number (absent on rejections).
    pub nProt: Option<String>,
    /// RFC 3339.
    pub dhRecbto: String,
    /// base64 digest the authority holds.
    pub digVal: Option<String>,
    /// Code.
    pub cStat: u16,
    /// Text, verbatim.
    pub xMotivo: String,
    /// `<protNFe …>…</protNFe>` exactly as received, for splicing (with its own namespace declaration if it had one).
    pub xml: String,
}

/// A refusal or a state of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// Code.
    pub cStat: u16,
    /// Text, verbatim.
    pub xMotivo: String,
}

/// Answer to an authorisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// 100, 120, 150.
    Authorized(Protocol),
    /// 110, 301, 302, 303.
    Denied(Protocol),
    /// A rule refused it.
    Rejected(Rejection),
    /// 204: this key is there already; ask by key.
    Duplicate(Rejection),
    /// 103 or 105: ask by receipt.
    Pending {
        /// Receipt to ask by.
        nRec: String,
        /// Seconds to wait before asking.
        wait_s: u32,
    },
    /// 108, 109, 656…: nothing was decided about the document.
    Unavailable(Rejection),
}

/// Answer to a query by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Situation {
    /// It is there and valid.
    Authorized(Protocol),
    /// It is there and cancelled; the cancellation's procEventoNFe as received, when given.
    Cancelled {
        /// Of the authorisation, when given.
        protocol: Option<Protocol>,
        /// `<procEventoNFe …>` of the cancellation as received, when given.
        event_xml: Option<String>,
    },
    /// It is there and denied.
    Denied(Protocol),
    /// 217: never seen.
    NeverSeen(Rejection),
    /// 562, 613: the number is there under another key.
    OtherKey(Rejection),
    /// Any other refusal of the query.
    Refused(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}

/// Answer to a service status query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceStatus {
    /// 107, 108, 109, 113, 114.
    pub cStat: u16,
    /// Text.
    pub xMotivo: String,
    /// Mean answer time, seconds.
    pub tMed: Option<u32>,
}

/// Answer to one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventAnswer {
    /// 135, 136, 155: registered.
    Registered {
        /// Code.
        cStat: u16,
        /// Text, verbatim.
        xMotivo: String,
        /// Protocol number of the event.
        nProt: String,
        /// RFC 3339.
        dhRegEvento: String,
        /// `<retEvento …>` as received.
        xml: String,
    },
    /// 573: registered before.
    Duplicate(Rejection),
    /// A rule refused it.
    Rejected(Rejection),
    /// 108, 109, 656.
    Unavailable(Rejection),
}
