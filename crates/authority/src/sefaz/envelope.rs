//! SOAP around a message: 1.2 as in the manuals, 1.1 for a row with the quirk `soap11`.

use super::splice;
use crate::call::{AuthorityCall, CallMethod};
use crate::table::endpoint::Endpoint;

/// Call with a payload between these tags of its service.
pub(super) fn in_envelope(endpoint: &Endpoint, open: &str, payload: &[&str], close: &str) -> AuthorityCall {
    let version = if endpoint.has_quirk("soap11") { &SOAP_11 } else { &SOAP_12 };
    let body = splice(&format!("{}{open}", version.open), payload, &format!("{close}{}", version.close));
    AuthorityCall {
        method: CallMethod::Post,
        url: endpoint.url.clone(),
        headers: (version.headers)(&endpoint.action),
        body: body.into_bytes(),
        authority: endpoint.authority.clone(),
        service: endpoint.service,
        name: endpoint.name,
        from_company: endpoint.from_company,
        secrets: Vec::new(),
    }
}

struct EnvelopeForm {
    open: &'static str,
    close: &'static str,
    headers: fn(action: &str) -> Vec<(&'static str, String)>,
}

static SOAP_12: EnvelopeForm = EnvelopeForm {
    open: r#"<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body>"#,
    close: "</soap12:Body></soap12:Envelope>",
    headers: |action| vec![("content-type", format!("application/soap+xml; charset=utf-8; action=\"{action}\""))],
};

static SOAP_11: EnvelopeForm = EnvelopeForm {
    open: r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>"#,
    close: "</soap:Body></soap:Envelope>",
    headers: |action| {
        vec![("content-type", "text/xml; charset=utf-8".to_owned()), ("soapaction", format!("\"{action}\""))]
    },
};
