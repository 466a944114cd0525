//! The only form of signature that is accepted (rule 298). Everything else is refused.

use super::{SignatureFault, non_standard};
use crate::SigningAlgorithm;
use uppsala::{Document, NodeId, NodeKind};

/// Positions of the signature's parts, and its texts as written.
pub(super) struct SignatureProfile {
    pub(super) signed: NodeId,
    pub(super) signed_info: NodeId,
    pub(super) id: String,
    pub(super) algorithm: SigningAlgorithm,
    pub(super) digest: String,
    pub(super) signature_value: String,
    pub(super) certificate: String,
}

impl SignatureProfile {
    pub(super) fn of(
        document: &Document<'_>,
        allowed: &[SigningAlgorithm],
    ) -> Result<SignatureProfile, SignatureFault> {
        let signatures = document.get_elements_by_tag_name_ns(XMLDSIG, "Signature");
        let signature = match signatures.as_slice() {
            [] => return Err(SignatureFault::Absent),
            [one] => SignatureElement { document, node: *one, name: "Signature" },
            _ => return Err(non_standard("há mais de uma Signature")),
        };
        signature.attributes(&["Id"])?;
        let [signed_info, signature_value, key_info] =
            signature.children(["SignedInfo", "SignatureValue", "KeyInfo"])?;
        signed_info.attributes(&["Id"])?;
        let parts = ["CanonicalizationMethod", "SignatureMethod", "Reference"];
        let [canonicalization, method, reference] = signed_info.children(parts)?;
        canonicalization.algorithm(C14N)?;
        let algorithm = method.one_of(allowed)?;
        let id = reference_id(&reference)?;
        Ok(SignatureProfile {
            signed: signed_element(&signature, &id)?,
            digest: reference_digest(&reference, algorithm)?,
            signed_info: signed_info.node,
            signature_value: signature_value.text(&["Id"])?,
            certificate: certificate(&key_info)?,
            id,
            algorithm,
        })
    }
}

fn reference_id(reference: &SignatureElement<'_, '_>) -> Result<String, SignatureFault> {
    reference.attributes(&["URI", "Id", "Type"])?;
    let uri = reference.attribute("URI").unwrap_or_default();
    let id = uri.strip_prefix('#').filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    id.map(str::to_owned).ok_or_else(|| non_standard(&format!("Reference URI \"{uri}\"")))
}

fn reference_digest(
    reference: &SignatureElement<'_, '_>,
    algorithm: SigningAlgorithm,
) -> Result<String, SignatureFault> {
    let [transforms, method, value] = reference.children(["Transforms", "DigestMethod", "DigestValue"])?;
    transforms.attributes(&[])?;
    let [enveloped, c14n] = transforms.children(["Transform", "Transform"])?;
    enveloped.algorithm(ENVELOPED)?;
    c14n.algorithm(C14N)?;
    method.algorithm(algorithm.digest_method())?;
    value.text(&[])
}

/// Base64 of the end entity's certificate: KeyInfo must hold nothing else (no KeyValue, no names, no chain).
fn certificate(key_info: &SignatureElement<'_, '_>) -> Result<String, SignatureFault> {
    key_info.attributes(&["Id"])?;
    let [data] = key_info.children(["X509Data"])?;
    data.attributes(&[])?;
    let [certificate] = data.children(["X509Certificate"])?;
    certificate.text(&[])
}

/// The element with the Id, if it is the first child beside the Signature, which is last. Its name and its Id must
/// occur nowhere else, so that no reader can mistake another element for it.
fn signed_element(signature: &SignatureElement<'_, '_>, id: &str) -> Result<NodeId, SignatureFault> {
    let document = signature.document;
    let parent = document.parent(signature.node).filter(|parent| document.element(*parent).is_some());
    let parent = parent.ok_or_else(|| non_standard("a Signature é a raiz do documento"))?;
    let siblings: Vec<NodeId> =
        document.children(parent).into_iter().filter(|node| document.element(*node).is_some()).collect();
    let (Some(&first), Some(&last)) = (siblings.first(), siblings.last()) else {
        return Err(non_standard("a Signature não tem irmãos"));
    };
    if last != signature.node {
        return Err(non_standard("a Signature não é o último elemento"));
    }
    if document.get_attribute(first, "Id") != Some(id) {
        return Err(non_standard("Reference não aponta para o primeiro elemento ao lado da Signature"));
    }
    if with_id(document, id) != 1 {
        return Err(non_standard(&format!("o Id {id} aparece mais de uma vez")));
    }
    let comment = |node: &NodeId| matches!(document.node_kind(*node), Some(NodeKind::Comment(_)));
    if document.descendants(first).iter().any(comment) {
        // C14N drops comments, so one in the middle of a value splits it for some readers without breaking the
        // signature
        return Err(non_standard("há comentário dentro do elemento assinado"));
    }
    let name = |node| document.element(node).map(|element| element.name.local_name.as_ref());
    if siblings.iter().filter(|sibling| name(**sibling) == name(first)).count() != 1 {
        return Err(non_standard("há outro elemento com o nome do assinado"));
    }
    Ok(first)
}

/// Number of elements with this identifier, however the attribute is spelled.
fn with_id(document: &Document<'_>, id: &str) -> usize {
    let carries = |node: &NodeId| {
        let attributes = document.element(*node).map(|element| element.attributes.as_slice()).unwrap_or_default();
        attributes.iter().any(|attribute| attribute.name.local_name.eq_ignore_ascii_case("id") && attribute.value == id)
    };
    document.descendants(document.root()).iter().filter(|node| carries(node)).count()
}

/// An element of the signature under examination.
struct SignatureElement<'d, 'x> {
    document: &'d Document<'x>,
    node: NodeId,
    name: &'static str,
}

impl<'d, 'x> SignatureElement<'d, 'x> {
    /// Child elements, which must have these names in this order; only white space may stand between them.
    fn children<const N: usize>(
        &self,
        names: [&'static str; N],
    ) -> Result<[SignatureElement<'d, 'x>; N], SignatureFault> {
        let mut found = Vec::new();
        for node in self.document.children(self.node) {
            match self.document.node_kind(node) {
                Some(NodeKind::Element(element)) => {
                    let name = names.get(found.len()).copied().unwrap_or_default();
                    if !element.matches_name_ns(XMLDSIG, name) {
                        let local = &element.name.local_name;
                        return Err(non_standard(&format!("{local} inesperado em {}", self.name)));
                    }
                    found.push(SignatureElement { document: self.document, node, name });
                }
                Some(NodeKind::Text(text)) if text.trim_ascii().is_empty() => {}
                _ => return Err(non_standard(&format!("conteúdo inesperado em {}", self.name))),
            }
        }
        found.try_into().map_err(|found: Vec<_>| {
            let missing = names.get(found.len()).copied().unwrap_or_default();
            non_standard(&format!("falta {missing} em {}", self.name))
        })
    }

    fn attribute(&self, name: &str) -> Option<&'d str> {
        self.document.get_attribute(self.node, name)
    }

    /// Checks that the attributes are exactly these.
    fn attributes(&self, names: &[&str]) -> Result<(), SignatureFault> {
        let attributes =
            self.document.element(self.node).map(|element| element.attributes.as_slice()).unwrap_or_default();
        let known =
            |name: &uppsala::QName<'_>| name.namespace_uri.is_none() && names.contains(&name.local_name.as_ref());
        match attributes.iter().find(|attribute| !known(&attribute.name)) {
            Some(attribute) => Err(non_standard(&format!("atributo {} em {}", attribute.name.local_name, self.name))),
            None => Ok(()),
        }
    }

    /// Checks for an empty element that names this algorithm and nothing else.
    fn algorithm(&self, right: &str) -> Result<(), SignatureFault> {
        self.attributes(&["Algorithm"])?;
        let [] = self.children([])?;
        let algorithm = self.attribute("Algorithm").unwrap_or_default();
        if algorithm == right { Ok(()) } else { Err(non_standard(&format!("{} {algorithm}", self.name))) }
    }

    /// Algorithm whose signature method an empty element names, if allowed.
    fn one_of(&self, allowed: &[SigningAlgorithm]) -> Result<SigningAlgorithm, SignatureFault> {
        let named = self.attribute("Algorithm").unwrap_or_default();
        let found = allowed.iter().find(|algorithm| algorithm.method() == named);
        let algorithm = found.ok_or_else(|| non_standard(&format!("{} {named}", self.name)))?;
        self.algorithm(algorithm.method())?;
        Ok(*algorithm)
    }

    /// Text of an element with nothing else inside.
    fn text(&self, attributes: &[&str]) -> Result<String, SignatureFault> {
        self.attributes(attributes)?;
        let mut whole = String::new();
        for node in self.document.children(self.node) {
            match self.document.node_kind(node) {
                Some(NodeKind::Text(text)) => whole.push_str(text),
                _ => return Err(non_standard(&format!("conteúdo inesperado em {}", self.name))),
            }
        }
        Ok(whole)
    }
}

const XMLDSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
const C14N: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
