//! Writing the messages that ask (MOC 7.0, anexo I: enviNFe, consReciNFe, consSitNFe, consStatServ, inutNFe; envEvento) in their envelope.

use super::{NFE_NAMESPACE, splice};
use crate::call::{Call, Method};
use crate::table::Endpoint;
use fiscal::value::{ChaveAcesso, TpAmb, Uf};
use fiscal::xml::Writer;

/// NFeAutorizacao4 with one document, indSinc=1 (a single document must be sent so, cStat 452). `id_lote` 1–15 digits.
pub fn authorize(endpoint: &Endpoint, id_lote: u64, signed_nfe: &str) -> Call {
    let mut head = open_versioned("enviNFe", "4.00", 256);
    head.leaf("idLote", &lote(id_lote));
    head.leaf("indSinc", "1");
    call(endpoint, &[&head.finish(), signed_nfe, "</enviNFe>"])
}

/// NFeRetAutorizacao4.
pub fn receipt(endpoint: &Endpoint, ambiente: TpAmb, nRec: &str) -> Call {
    message(endpoint, "consReciNFe", &[("tpAmb", ambiente.code()), ("nRec", nRec)])
}

/// NFeConsultaProtocolo4.
pub fn query(endpoint: &Endpoint, ambiente: TpAmb, chave: &ChaveAcesso) -> Call {
    let fields = [("tpAmb", ambiente.code()), ("xServ", "CONSULTAR"), ("chNFe", chave.as_str())];
    message(endpoint, "consSitNFe", &fields)
}

/// NFeStatusServico4.
pub fn status(endpoint: &Endpoint, ambiente: TpAmb, uf: Uf) -> Call {
    let fields = [("tpAmb", ambiente.code()), ("cUF", &uf.code().to_string()), ("xServ", "STATUS")];
    message(endpoint, "consStatServ", &fields)
}

/// NFeRecepcaoEvento4 with one signed event.
pub fn event(endpoint: &Endpoint, id_lote: u64, signed_event: &str) -> Call {
    let mut head = open_versioned("envEvento", "1.00", 256);
    head.leaf("idLote", &lote(id_lote));
    call(endpoint, &[&head.finish(), signed_event, "</envEvento>"])
}

/// NFeInutilizacao4 with a signed request.
pub fn void(endpoint: &Endpoint, signed_request: &str) -> Call {
    call(endpoint, &[signed_request])
}

fn message(endpoint: &Endpoint, root: &str, fields: &[(&str, &str)]) -> Call {
    let mut writer = open_versioned(root, "4.00", 320);
    for (name, text) in fields {
        writer.leaf(name, text);
    }
    writer.close(root);
    call(endpoint, &[&writer.finish()])
}

/// The root of a message with its namespace and version.
pub(super) fn open_versioned(root: &str, versao: &str, capacity: usize) -> Writer {
    let mut writer = Writer::with_capacity(capacity);
    writer.open_with(root, &[("xmlns", NFE_NAMESPACE), ("versao", versao)]);
    writer
}

/// Ours to choose; the layout takes 15 digits, so the lower ones.
fn lote(id: u64) -> String {
    (id % 1_000_000_000_000_000).to_string()
}

fn call(endpoint: &Endpoint, payload: &[&str]) -> Call {
    let open = format!("<nfeDadosMsg xmlns=\"{}\">", endpoint.service.namespace());
    in_envelope(endpoint, &open, payload, "</nfeDadosMsg>")
}

/// A call whose payload stands between these tags of its service.
pub(super) fn in_envelope(endpoint: &Endpoint, open: &str, payload: &[&str], close: &str) -> Call {
    let body = splice(&format!("{ENVELOPE_OPEN}{open}"), payload, &format!("{close}</soap12:Body></soap12:Envelope>"));
    let content_type = format!("application/soap+xml; charset=utf-8; action=\"{}\"", endpoint.action);
    Call {
        method: Method::Post,
        url: endpoint.url.clone(),
        headers: vec![("content-type", content_type)],
        body: body.into_bytes(),
        authority: endpoint.authority.clone(),
        service: endpoint.service,
        name: endpoint.service.official_name(),
    }
}

const ENVELOPE_OPEN: &str = r#"<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body>"#;
