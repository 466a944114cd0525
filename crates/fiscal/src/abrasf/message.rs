//! Queries and cancellations.
//!
//! Law: ABRASF, manual de integração 2.0x (services), and the GovDigital schemas 2.01. Texts are canonical, without an
//! XML declaration.

use super::lot::{close_lot, open_lot};
use super::prestador::{Prestador, person, prestador};
use super::{AbrasfDialect, CancellationForm, SubmissionMode};
use crate::document::SignedElement;
use crate::value::RpsId;
use crate::xml::CanonicalWriter;
use std::ops::Range;

/// A message and the elements of it to be signed, inner elements first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsignedMessage {
    /// The whole message.
    pub xml: String,
    /// Elements to be signed; empty when the provider wants no signature.
    pub signatures: Vec<SignedElement>,
}

/// The NFS-e to be cancelled, and the reason.
#[derive(Debug, Clone, Copy)]
pub struct CancellationRequest<'a> {
    /// Number of the NFS-e.
    pub numero: &'a str,
    /// Município that issued it, code of the IBGE.
    pub municipio: u32,
    /// Issuer of the NFS-e.
    pub prestador: Prestador<'a>,
    /// 1 to 5 (`codigo_cancelamento`); optional for a dialect that writes reasons.
    pub codigo: Option<&'a str>,
    /// 1, 2 or 9 (`codigo_motivo`).
    pub motivo: &'a str,
    /// 15 to 255 characters.
    pub justificativa: &'a str,
}

/// Bytes reserved for a usual message.
const CAPACITY: usize = 700;

/// `ConsultarNfseRpsEnvio`: queries the NFS-e made of an RPS.
pub fn query_rps(dialect: &AbrasfDialect, rps: &RpsId) -> UnsignedMessage {
    query(dialect, dialect.signed_parts.consulta_rps, "ConsultarNfseRpsEnvio", |xml| {
        if dialect.query_in_pedido {
            xml.open("Pedido");
        }
        identify(xml, rps);
        prestador(xml, dialect, rps.issuer());
        if dialect.query_in_pedido {
            xml.close("Pedido");
        }
    })
}

/// `ConsultarLoteRpsEnvio`: queries the result of a lot.
pub fn query_lote(dialect: &AbrasfDialect, who: Prestador<'_>, protocolo: &str) -> UnsignedMessage {
    query(dialect, dialect.signed_parts.consulta_lote, "ConsultarLoteRpsEnvio", |xml| {
        prestador(xml, dialect, who);
        xml.leaf("Protocolo", protocolo);
    })
}

/// `EnviarLoteRpsEnvio` with several signed RPS, each the range that [`rps_of`] returns of its own message. The RPS
/// stay byte for byte as signed; only the lot is left to sign.
pub fn lote(dialect: &AbrasfDialect, who: Prestador<'_>, numero: u64, rps: &[&str]) -> UnsignedMessage {
    let mut xml = CanonicalWriter::with_capacity(CAPACITY + rps.iter().map(|rps| rps.len()).sum::<usize>());
    let root = SubmissionMode::Lote.root();
    xml.open_with(root, &[("xmlns", &dialect.namespace)]);
    let lot = open_lot(&mut xml, dialect, who, numero, rps.len());
    rps.iter().for_each(|rps| xml.raw(rps));
    let signatures = close_lot(&mut xml, dialect, lot).into_iter().collect();
    xml.close(root);
    UnsignedMessage { xml: xml.finish(), signatures }
}

/// Range of the one RPS of a message, its Signature included.
pub fn rps_of(message: &str) -> Option<Range<usize>> {
    // the declaration holds an element `Rps` too, so the last end tag counts
    let begin = message.find("<Rps>")?;
    let end = message.rfind("</Rps>")? + "</Rps>".len();
    (begin < end).then_some(begin..end)
}

/// `CancelarNfseEnvio`.
pub fn cancel(dialect: &AbrasfDialect, what: &CancellationRequest<'_>) -> UnsignedMessage {
    let mut xml = CanonicalWriter::with_capacity(CAPACITY);
    xml.open_with("CancelarNfseEnvio", &[("xmlns", &dialect.namespace)]);
    xml.open("Pedido");
    let place = pedido(&mut xml, dialect, what);
    xml.close("Pedido");
    xml.close("CancelarNfseEnvio");
    let signatures = if dialect.signed_parts.cancelamento { vec![place] } else { Vec::new() };
    UnsignedMessage { xml: xml.finish(), signatures }
}

/// `InfPedidoCancelamento`.
pub(super) fn pedido(
    xml: &mut CanonicalWriter,
    dialect: &AbrasfDialect,
    what: &CancellationRequest<'_>,
) -> SignedElement {
    let id = format!("N{}", what.numero);
    let begin = xml.len();
    let attributes = [("xmlns", &*dialect.namespace), (dialect.id_attribute.name(), &*id)];
    xml.open_with("InfPedidoCancelamento", &attributes);
    xml.open("IdentificacaoNfse");
    xml.leaf("Numero", what.numero);
    person(xml, dialect, what.prestador);
    xml.leaf("CodigoMunicipio", &what.municipio.to_string());
    xml.close("IdentificacaoNfse");
    let reasons = dialect.cancellation_form == CancellationForm::Reason;
    match what.codigo {
        Some(codigo) => xml.leaf("CodigoCancelamento", codigo),
        None if reasons => {}
        None => xml.leaf("CodigoCancelamento", code_of(what.motivo)),
    }
    if reasons {
        xml.leaf("CMotivo", what.motivo);
        xml.leaf("XMotivo", what.justificativa);
    }
    xml.close("InfPedidoCancelamento");
    SignedElement { element: begin..xml.len(), id }
}

/// The code of a cancellation for a reason of the national layout: 2 for a service that was not rendered, else 1, an
/// error.
fn code_of(motivo: &str) -> &'static str {
    if motivo == "2" { "2" } else { "1" }
}

fn query(
    dialect: &AbrasfDialect,
    is_signed: bool,
    root: &str,
    content: impl FnOnce(&mut CanonicalWriter),
) -> UnsignedMessage {
    let mut xml = CanonicalWriter::with_capacity(CAPACITY);
    xml.open_with(root, &[("xmlns", &dialect.namespace)]);
    content(&mut xml);
    xml.close(root);
    let xml = xml.finish();
    let whole = SignedElement { element: 0..xml.len(), id: String::new() };
    let signatures = if is_signed { vec![whole] } else { Vec::new() };
    UnsignedMessage { xml, signatures }
}

fn identify(xml: &mut CanonicalWriter, rps: &RpsId) {
    xml.open("IdentificacaoRps");
    xml.leaf("Numero", &rps.numero.to_string());
    xml.leaf("Serie", rps.serie.as_str());
    xml.leaf("Tipo", &rps.tipo.to_string());
    xml.close("IdentificacaoRps");
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{AbrasfVersion, answer};
    use super::*;

    const WHO: &str = "<Prestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal></Prestador>";

    fn rps() -> RpsId {
        "RPS3138203-11222333000181-1-1-1-12345".parse().unwrap()
    }

    /// Cancellation of NFS-e 26000001 by the issuer of an RPS.
    pub(in crate::abrasf) fn cancellation(rps: &RpsId) -> CancellationRequest<'_> {
        CancellationRequest {
            numero: "26000001",
            municipio: rps.municipio,
            prestador: rps.issuer(),
            codigo: Some("1"),
            motivo: "1",
            justificativa: "Valor informado errado na nota",
        }
    }

    /// The expected texts pass the XSD of GovDigital.
    #[test]
    fn the_messages_of_the_exchange_with_govdigital_are_written() {
        let dialect = AbrasfDialect::official(AbrasfVersion::GovDigital201);
        let ns = "xmlns=\"http://www.abrasf.org.br/nfse.xsd\"";
        assert_eq!(
            query_rps(&dialect, &rps()).xml,
            format!(
                "<ConsultarNfseRpsEnvio {ns}><IdentificacaoRps><Numero>1</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps>{WHO}</ConsultarNfseRpsEnvio>"
            )
        );
        assert_eq!(
            query_lote(&dialect, rps().issuer(), "P0000001").xml,
            format!("<ConsultarLoteRpsEnvio {ns}>{WHO}<Protocolo>P0000001</Protocolo></ConsultarLoteRpsEnvio>")
        );
        let id = rps();
        let what = cancellation(&id);
        let UnsignedMessage { xml, signatures } = cancel(&dialect, &what);
        let inf = format!(
            "<InfPedidoCancelamento {ns} Id=\"N26000001\"><IdentificacaoNfse><Numero>26000001</Numero><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj><InscricaoMunicipal>12345</InscricaoMunicipal><CodigoMunicipio>3138203</CodigoMunicipio></IdentificacaoNfse><CodigoCancelamento>1</CodigoCancelamento><CMotivo>1</CMotivo><XMotivo>Valor informado errado na nota</XMotivo></InfPedidoCancelamento>"
        );
        assert_eq!(xml, format!("<CancelarNfseEnvio {ns}><Pedido>{inf}</Pedido></CancelarNfseEnvio>"));
        assert_eq!(signatures.len(), 1);
        assert_eq!((&xml[signatures[0].element.clone()], signatures[0].id.as_str()), (inf.as_str(), "N26000001"));
        // the code is optional for GovDigital and required by every other version
        assert!(!cancel(&dialect, &CancellationRequest { codigo: None, ..what }).xml.contains("CodigoCancelamento"));
        let official = cancel(
            &AbrasfDialect::official(AbrasfVersion::V204),
            &CancellationRequest { codigo: None, motivo: "9", ..what },
        )
        .xml;
        assert!(official.contains("<CodigoCancelamento>1</CodigoCancelamento></InfPedidoCancelamento>"), "{official}");
    }

    #[test]
    fn the_first_version_names_the_company_bare_and_a_dialect_may_ask_otherwise() {
        let first = query_rps(&AbrasfDialect::official(AbrasfVersion::V100), &rps()).xml;
        assert!(first.contains("<Prestador><Cnpj>11222333000181</Cnpj><InscricaoMunicipal>"), "{first}");
        let dialect = AbrasfDialect { query_in_pedido: true, ..AbrasfDialect::official(AbrasfVersion::V204) };
        let signs = super::super::SignedParts { consulta_rps: true, ..dialect.signed_parts };
        let dialect = AbrasfDialect { signed_parts: signs, ..dialect };
        let asked = query_rps(&dialect, &rps());
        assert!(asked.xml.contains("xsd\"><Pedido><IdentificacaoRps>"), "{}", asked.xml);
        assert_eq!(asked.signatures, [SignedElement { element: 0..asked.xml.len(), id: String::new() }]);
        assert_eq!(answer::read(&asked.xml).unwrap().notes, []);
        // each query has its own flag
        assert_eq!(query_lote(&dialect, rps().issuer(), "P1").signatures, []);
        let signs = super::super::SignedParts { consulta_lote: true, ..Default::default() };
        let asked = query_lote(&AbrasfDialect { signed_parts: signs, ..dialect }, rps().issuer(), "P1");
        assert_eq!(asked.signatures, [SignedElement { element: 0..asked.xml.len(), id: String::new() }]);
    }
}
