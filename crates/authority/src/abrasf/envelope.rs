//! SOAP envelope of an ABRASF message, built by a provider's row.
//!
//! The signed text is embedded byte for byte. Where it is embedded as elements, no prefix is declared above it: with
//! the inclusive C14N of these signatures, a prefix of the envelope would enter the signed content.
//!
//! Law: ABRASF, manual de integração (two texts in, one text out; signatures verified in place).

use super::municipal_issuer::MunicipalIssuer;
use super::operation::AbrasfOperation;
use super::row::{ArgumentEncoding, ProviderRow, SoapVersion};
use crate::call::{AuthorityCall, CallMethod};
use zeroize::Zeroizing;

/// A call of an operation with a message.
pub(super) fn call(
    row: &ProviderRow,
    company: &MunicipalIssuer,
    operation: AbrasfOperation,
    url: &str,
    authority: &str,
    message: &str,
) -> AuthorityCall {
    let body = body(row, company, operation, url, message);
    AuthorityCall {
        method: CallMethod::Post,
        url: url.to_owned(),
        headers: headers(row.soap, &row.action_of(operation, url)),
        body: body.as_bytes().to_vec(),
        authority: authority.to_owned(),
        service: operation.service(),
        name: operation.name(),
        from_company: false,
        secrets: Vec::new(),
    }
}

fn headers(soap: SoapVersion, action: &str) -> Vec<(&'static str, String)> {
    match soap {
        SoapVersion::V11 => {
            vec![("content-type", "text/xml; charset=utf-8".to_owned()), ("soapaction", format!("\"{action}\""))]
        }
        SoapVersion::V12 if action.is_empty() => {
            vec![("content-type", "application/soap+xml; charset=utf-8".to_owned())]
        }
        SoapVersion::V12 => {
            vec![("content-type", format!("application/soap+xml; charset=utf-8; action=\"{action}\""))]
        }
    }
}

/// Body of the call. Wiped on drop, since it may hold a password.
fn body(
    row: &ProviderRow,
    company: &MunicipalIssuer,
    operation: AbrasfOperation,
    url: &str,
    message: &str,
) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(message.len() + message.len() / 4 + 1_200));
    let mut writing = EnvelopeWriter { text: &mut text, row, style: NamespaceStyle::of(row.content) };
    writing.envelope(operation, url, company, message);
    text
}

/// Naming of the elements around the message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamespaceStyle {
    /// Prefixes, as known clients write them.
    Prefixed,
    /// Default namespaces alone, so that the message inherits no declaration but its own.
    Bare,
}

impl NamespaceStyle {
    fn of(content: ArgumentEncoding) -> NamespaceStyle {
        match content {
            ArgumentEncoding::Cdata | ArgumentEncoding::Escaped => NamespaceStyle::Prefixed,
            ArgumentEncoding::Tree => NamespaceStyle::Bare,
        }
    }
}

struct EnvelopeWriter<'a> {
    text: &'a mut String,
    row: &'a ProviderRow,
    style: NamespaceStyle,
}

impl EnvelopeWriter<'_> {
    fn envelope(&mut self, operation: AbrasfOperation, url: &str, company: &MunicipalIssuer, message: &str) {
        let row = self.row;
        let soap = match row.soap {
            SoapVersion::V11 => "http://schemas.xmlsoap.org/soap/envelope/",
            SoapVersion::V12 => "http://www.w3.org/2003/05/soap-envelope",
        };
        let namespace = row.filled(&row.namespace, operation, url);
        let (open, name) = match self.style {
            NamespaceStyle::Prefixed if namespace.is_empty() => (format!("xmlns:soapenv=\"{soap}\""), "soapenv:"),
            NamespaceStyle::Prefixed => {
                (format!("xmlns:soapenv=\"{soap}\" xmlns:e=\"{}\"", attribute(&namespace)), "soapenv:")
            }
            NamespaceStyle::Bare => (format!("xmlns=\"{soap}\""), ""),
        };
        self.text.push_str(&format!("<{name}Envelope {open}>"));
        if let Some(header) = row.header.as_ref().filter(|_| row.header_in_soap) {
            let header = row.filled(header, operation, url);
            self.text.push_str(&format!("<{name}Header>{header}</{name}Header>"));
        }
        self.text.push_str(&format!("<{name}Body>"));
        self.request(&row.elements(operation), &namespace, operation, company, message);
        self.text.push_str(&format!("</{name}Body></{name}Envelope>"));
    }

    fn request(
        &mut self,
        elements: &[String],
        namespace: &str,
        operation: AbrasfOperation,
        company: &MunicipalIssuer,
        message: &str,
    ) {
        let bare = format!(" xmlns=\"{}\"", attribute(namespace));
        let (prefix, mut declared) = match self.style {
            NamespaceStyle::Prefixed => ("e:", ""),
            NamespaceStyle::Bare => ("", bare.as_str()),
        };
        for element in elements {
            self.text.push_str(&format!("<{prefix}{element}{declared}>"));
            declared = "";
        }
        let (header, data) = (self.row.header_argument.as_deref(), self.row.data_argument.as_deref());
        if let (Some(argument), Some(text)) = (header, self.row.header.as_deref()) {
            self.argument(argument, &self.row.filled(text, operation, ""));
        }
        match data {
            Some(argument) => self.argument(&self.row.filled(argument, operation, ""), message),
            None => self.content(message),
        }
        self.credentials(company);
        for element in elements.iter().rev() {
            self.text.push_str(&format!("</{prefix}{element}>"));
        }
    }

    /// Writes an argument. Unless qualified it has no namespace, even inside of a request that declares one.
    fn argument(&mut self, name: &str, content: &str) {
        let (open, close) = self.tags(name);
        self.text.push_str(&open);
        self.content(content);
        self.text.push_str(&close);
    }

    /// Writes the credentials; those with a common parent share one parent element.
    fn credentials(&mut self, company: &MunicipalIssuer) {
        let mut open: Option<&str> = None;
        for (which, path) in &self.row.credential_arguments {
            let (parent, name) =
                path.rsplit_once('/').map_or((None, path.as_str()), |(parent, name)| (Some(parent), name));
            if parent != open {
                self.close(open);
                self.open(parent);
                open = parent;
            }
            let (start, end) = self.tags(name);
            self.text.push_str(&start);
            escape(self.text, company.credentials.get(*which));
            self.text.push_str(&end);
        }
        self.close(open);
    }

    fn open(&mut self, parent: Option<&str>) {
        for name in parent.iter().flat_map(|parent| parent.split('/')) {
            let (start, _) = self.tags(name);
            self.text.push_str(&start);
        }
    }

    fn close(&mut self, parent: Option<&str>) {
        for name in parent.iter().flat_map(|parent| parent.rsplit('/')) {
            let (_, end) = self.tags(name);
            self.text.push_str(&end);
        }
    }

    fn tags(&self, name: &str) -> (String, String) {
        match (self.style, self.row.qualified) {
            (NamespaceStyle::Prefixed, true) => (format!("<e:{name}>"), format!("</e:{name}>")),
            (NamespaceStyle::Bare, false) => (format!("<{name} xmlns=\"\">"), format!("</{name}>")),
            (NamespaceStyle::Prefixed, false) | (NamespaceStyle::Bare, true) => {
                (format!("<{name}>"), format!("</{name}>"))
            }
        }
    }

    fn content(&mut self, xml: &str) {
        let declaration = if self.row.declaration { DECLARATION } else { "" };
        match self.row.content {
            ArgumentEncoding::Cdata => {
                self.text.push_str("<![CDATA[");
                self.text.push_str(declaration);
                // a CDATA end inside the message is split between two sections
                self.text.push_str(&xml.replace("]]>", "]]]]><![CDATA[>"));
                self.text.push_str("]]>");
            }
            ArgumentEncoding::Escaped => {
                escape(self.text, declaration);
                escape(self.text, xml);
            }
            ArgumentEncoding::Tree => self.text.push_str(xml),
        }
    }
}

/// Secrets of the issuer to hide in logs: as given, and as escaped here.
pub(super) fn secrets_to_hide(company: &MunicipalIssuer) -> Vec<Zeroizing<String>> {
    let mut hidden = Vec::new();
    for secret in company.credentials.non_empty() {
        let mut written = Zeroizing::new(String::with_capacity(secret.len()));
        escape(&mut written, &secret);
        hidden.extend(Some(written).filter(|written| **written != *secret));
        hidden.push(secret);
    }
    hidden
}

fn escape(text: &mut String, value: &str) {
    for letter in value.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '\r' => text.push_str("&#xD;"),
            letter => text.push(letter),
        }
    }
}

fn attribute(value: &str) -> String {
    value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
