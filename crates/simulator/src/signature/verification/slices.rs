//! Verification of signatures in a text that is canonical as it stands: the digest is of slices of the text. Signatures
//! of another spelling than the usual one are left to the general code.

use super::canonical::{CanonicalText, SignableElement};
use super::{DSIG, RsaDigest, base64_of, open_signature};
use openssl::pkey::Public;
use openssl::rsa::Rsa;
use std::ops::Range;

/// Results of the signatures, in their order; `None` leaves the text to the general code.
pub(super) fn verify_slices(source: &str, key: Option<&Rsa<Public>>, method: RsaDigest) -> Option<Vec<bool>> {
    let document = CanonicalText::of(source)?;
    let written = |at: &Range<usize>| {
        // An identified element inside a signature is left to the general code.
        let is_within = |place: &SignableElement<'_>| at.start <= place.element.start && place.element.end <= at.end;
        source.get(at.clone()).filter(|_| !document.named.iter().any(is_within)).and_then(PlainSignature::of)
    };
    let signatures = document.signatures.iter().map(written).collect::<Option<Vec<_>>>()?;
    let holds = |(written, at): (&PlainSignature<'_>, &Range<usize>)| written.holds(&document, at, key?, method);
    let each = signatures.iter().zip(&document.signatures);
    Some(each.map(|signature| holds(signature).unwrap_or(false)).collect())
}

/// A signature in the spelling of the manuals.
struct PlainSignature<'t> {
    /// SignedInfo from behind its start tag to behind its end tag.
    info: &'t str,
    /// URI of its reference.
    about: &'t str,
    digest: &'t str,
    value: &'t str,
}

impl<'t> PlainSignature<'t> {
    /// `None` when anything is spelled otherwise.
    fn of(signature: &'t str) -> Option<PlainSignature<'t>> {
        let mut left = UnreadText(signature);
        left.skip("<Signature xmlns=\"")?.skip(DSIG)?.skip("\"><SignedInfo>")?;
        let from = left.0;
        left.skip("<CanonicalizationMethod Algorithm=\"")?;
        is_form(left.until("\"></CanonicalizationMethod><SignatureMethod Algorithm=\"")?).then_some(())?;
        plain(left.until("\"></SignatureMethod><Reference URI=\"")?)?;
        let about = plain(left.until("\"><Transforms><Transform Algorithm=\"")?)?;
        plain(left.until("\"></Transform><Transform Algorithm=\"")?)?;
        is_form(left.until("\"></Transform></Transforms><DigestMethod Algorithm=\"")?).then_some(())?;
        plain(left.until("\"></DigestMethod><DigestValue>")?)?;
        let digest = plain(left.until("</DigestValue></Reference></SignedInfo>")?)?;
        let info = from.get(..from.len() - left.0.len())?;
        left.skip("<SignatureValue>")?;
        let value = plain(left.until("</SignatureValue><KeyInfo>")?)?;
        left.until("</KeyInfo>")?;
        (left.0 == "</Signature>").then_some(PlainSignature { info, about, digest, value })
    }

    fn holds(
        &self,
        document: &CanonicalText<'t>,
        at: &Range<usize>,
        key: &Rsa<Public>,
        method: RsaDigest,
    ) -> Option<bool> {
        let place = self.target(document)?;
        if method.digest_of(&pieces(document.text, place, at)?) != base64_of(self.digest)? {
            return Some(false);
        }
        let spoken = method.digest_of(&["<SignedInfo xmlns=\"", DSIG, "\">", self.info]);
        let opened = open_signature(key, &base64_of(self.value)?)?;
        Some(opened == method.padded_digest(&spoken, opened.len())?)
    }

    /// The document, or the one element with that identifier.
    fn target<'d>(&self, document: &'d CanonicalText<'t>) -> Option<&'d SignableElement<'t>> {
        if self.about.is_empty() {
            return Some(&document.root);
        }
        let id = self.about.strip_prefix('#').filter(|id| !id.is_empty())?;
        let mut carriers = document.named.iter().filter(|place| place.id == id);
        carriers.next().filter(|_| carriers.next().is_none())
    }
}

/// The signed slices: the element, with its inherited namespace, and without the signature where that is inside.
fn pieces<'t>(text: &'t str, place: &SignableElement<'t>, signature: &Range<usize>) -> Option<[&'t str; 6]> {
    let [begin, namespace, end] =
        if place.inherited.is_empty() { [""; 3] } else { [" xmlns=\"", place.inherited, "\""] };
    let element = place.element.clone();
    let tag = text.get(element.start..place.name_end)?;
    let (before, after) = if element.start <= signature.start && signature.end <= element.end {
        (text.get(place.name_end..signature.start)?, text.get(signature.end..element.end)?)
    } else {
        (text.get(place.name_end..element.end)?, "")
    };
    Some([tag, begin, namespace, end, before, after])
}

/// The unread rest of a signature.
struct UnreadText<'t>(&'t str);

impl<'t> UnreadText<'t> {
    fn skip(&mut self, words: &str) -> Option<&mut UnreadText<'t>> {
        self.0 = self.0.strip_prefix(words)?;
        Some(self)
    }

    fn until(&mut self, words: &str) -> Option<&'t str> {
        let (before, after) = self.0.split_once(words)?;
        self.0 = after;
        Some(before)
    }
}

/// Checks that a value has no tag in it, and no second attribute behind it.
fn plain(value: &str) -> Option<&str> {
    (!value.bytes().any(|byte| matches!(byte, b'<' | b'>' | b'"' | b'&'))).then_some(value)
}

/// True for the canonical forms that agree on a text without prefixes and comments.
fn is_form(uri: &str) -> bool {
    matches!(
        uri,
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
            | "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments"
            | "http://www.w3.org/2001/10/xml-exc-c14n#"
            | "http://www.w3.org/2001/10/xml-exc-c14n#WithComments"
    )
}
