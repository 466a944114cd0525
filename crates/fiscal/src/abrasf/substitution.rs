//! Substitution of an NFS-e: one request cancels the old one and declares the new one (`SubstituirNfse`), where the
//! provider has that operation; elsewhere the RPS alone names the RPS it replaces.
//!
//! Law: ABRASF, manual de integração 2.0x (SubstituirNfse); the XSD of each version. Must not know: the providers that
//! have the operation, the number of the old NFS-e.

use super::AbrasfDialect;
use super::message::{CancellationRequest, UnsignedMessage, pedido, rps_of};
use crate::document::SignedElement;
use crate::value::{RpsId, Serie};
use crate::xml::{self, CanonicalWriter};

/// Root of the request.
const ROOT: &str = "SubstituirNfseEnvio";
/// Bytes reserved for the request of cancellation, the RPS excepted.
const CAPACITY: usize = 900;

/// `SubstituirNfseEnvio`: the RPS of `message` in place of the NFS-e named in `what`. To be signed are the request of
/// cancellation, the RPS and the element around both, each where the provider wants it. `id` is the `Id` of the
/// declaration, which must not be signed yet. `None`: the message holds no RPS.
pub fn substitute(
    dialect: &AbrasfDialect,
    message: &str,
    id: &str,
    what: &CancellationRequest<'_>,
) -> Option<UnsignedMessage> {
    const OPEN: &str = "<Rps>";
    let rps = message.get(rps_of(message)?)?;
    let mut xml = CanonicalWriter::with_capacity(CAPACITY + rps.len());
    xml.open_with(ROOT, &[("xmlns", &dialect.namespace)]);
    let (begin, own) = (xml.len(), format!("S{}", what.numero));
    xml.open_with("SubstituicaoNfse", &[("xmlns", &*dialect.namespace), (dialect.id_attribute.name(), &*own)]);
    xml.open("Pedido");
    let request = pedido(&mut xml, dialect, what);
    xml.close("Pedido");
    let from = xml.len() + OPEN.len();
    xml.raw(rps);
    let declaration = SignedElement { element: from..xml.len() - "</Rps>".len(), id: id.to_owned() };
    xml.close("SubstituicaoNfse");
    let whole = SignedElement { element: begin..xml.len(), id: own };
    xml.close(ROOT);
    let signs = dialect.signed_parts;
    let all = [(request, signs.cancelamento), (declaration, signs.gerar), (whole, signs.substituicao)];
    let signatures = all.into_iter().filter(|(_, is_signed)| *is_signed).map(|(place, _)| place).collect();
    Some(UnsignedMessage { xml: xml.finish(), signatures })
}

/// True for a message that [`substitute`] wrote.
pub fn is_request(message: &str) -> bool {
    message.strip_prefix('<').is_some_and(|rest| rest.starts_with(ROOT))
}

/// The RPS that the one in `message` replaces, of the same prestador and município.
pub fn replaced_rps(message: &str, rps: &RpsId) -> Option<RpsId> {
    const TAG: &str = "RpsSubstituido";
    let begin = message.find(&format!("<{TAG}>"))?;
    let end = begin + message.get(begin..)?.find(&format!("</{TAG}>"))? + TAG.len() + "</>".len();
    let named = xml::read(message.get(begin..end)?.as_bytes()).ok()?;
    Some(RpsId {
        tipo: named.text_at("Tipo")?.parse().ok()?,
        serie: Serie::parse(named.text_at("Serie")?).ok()?,
        numero: named.text_at("Numero")?.parse().ok()?,
        ..rps.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::super::AbrasfVersion;
    use super::super::message::tests::cancellation;
    use super::*;

    /// Parts in the order of the layout, and the range of each signature.
    #[test]
    fn the_old_note_and_the_new_rps_stand_in_one_request() {
        let dialect = AbrasfDialect::official(AbrasfVersion::V204);
        let ns = "xmlns=\"http://www.abrasf.org.br/nfse.xsd\"";
        let inf = format!(
            "<InfDeclaracaoPrestacaoServico {ns} Id=\"R2\"><Rps><Status>1</Status></Rps></InfDeclaracaoPrestacaoServico>"
        );
        let message = format!("<GerarNfseEnvio {ns}><Rps>{inf}</Rps></GerarNfseEnvio>");
        let id: RpsId = "RPS3138203-11222333000181-1-1-1-12345".parse().unwrap();
        let what = cancellation(&id);
        let UnsignedMessage { xml, signatures } = substitute(&dialect, &message, "R2", &what).unwrap();
        let cancel = super::super::message::cancel(&dialect, &what);
        let request = &cancel.xml[cancel.signatures[0].element.clone()];
        let whole = format!(
            "<SubstituicaoNfse {ns} Id=\"S26000001\"><Pedido>{request}</Pedido><Rps>{inf}</Rps></SubstituicaoNfse>"
        );
        assert_eq!(xml, format!("<SubstituirNfseEnvio {ns}>{whole}</SubstituirNfseEnvio>"));
        let signed: Vec<(&str, &str)> =
            signatures.iter().map(|it| (&xml[it.element.clone()], it.id.as_str())).collect();
        assert_eq!(signed, [(request, "N26000001"), (&*inf, "R2"), (&*whole, "S26000001")]);
        assert!(is_request(&xml) && !is_request(&message) && !is_request(""));
        let signs = super::super::SignedParts { substituicao: false, gerar: false, ..dialect.signed_parts };
        let less =
            substitute(&AbrasfDialect { signed_parts: signs, ..dialect.clone() }, &message, "R2", &what).unwrap();
        assert_eq!(less.signatures, signatures[..1]);
        assert_eq!(substitute(&dialect, "<GerarNfseEnvio/>", "R2", &what), None);
    }

    #[test]
    fn the_rps_that_is_substituted_is_read_out_of_the_message() {
        let rps: RpsId = "RPS3138203-11222333000181-1-1-1-12345".parse().unwrap();
        let message = |inside: &str| format!("<A><Rps><Rps>{inside}<Status>1</Status></Rps></Rps></A>");
        let named = "<RpsSubstituido><Numero>15</Numero><Serie>NF</Serie><Tipo>2</Tipo></RpsSubstituido>";
        let before = replaced_rps(&message(named), &rps).map(|rps| rps.to_string());
        assert_eq!(before.as_deref(), Some("RPS3138203-11222333000181-2-NF-15-12345"));
        assert_eq!(replaced_rps(&message(""), &rps), None);
        assert_eq!(replaced_rps(&message(&named.replace("15", "x")), &rps), None);
        assert_eq!(replaced_rps(&message("<RpsSubstituido>"), &rps), None);
    }
}
