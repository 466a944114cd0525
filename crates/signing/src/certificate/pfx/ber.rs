//! The part of BER (X.690) that the parameters of a PKCS#12 file need: nested values, bounded by the input's length and
//! by `DEEPEST`.
//!
//! Anything unknown is `None`: a file that cannot be inspected is not opened.

use std::borrow::Cow;

/// A value: its tag byte (class, constructed, number) and its content.
#[derive(Clone, Copy)]
pub(super) struct BerNode<'a> {
    pub(super) tag: u8,
    body: &'a [u8],
    depth: usize,
}

/// Reads the first value of the bytes. Trailing bytes are ignored, as in the libraries.
pub(super) fn first(bytes: &[u8]) -> Option<BerNode<'_>> {
    read(bytes, DEEPEST).map(|(node, _)| node)
}

impl<'a> BerNode<'a> {
    /// Values inside of a constructed value.
    pub(super) fn children(&self) -> Option<Vec<BerNode<'a>>> {
        if self.tag & CONSTRUCTED == 0 {
            return None;
        }
        let mut children = Vec::new();
        let mut rest = self.body;
        while !rest.is_empty() {
            let (child, after) = read(rest, self.depth)?;
            children.push(child);
            rest = after;
            if children.len() > MOST_CHILDREN {
                return None;
            }
        }
        Some(children)
    }

    /// Values inside of a SEQUENCE.
    pub(super) fn sequence(&self) -> Option<Vec<BerNode<'a>>> {
        if self.tag == SEQUENCE { self.children() } else { None }
    }

    /// Only value inside of an explicit `[0]`.
    pub(super) fn explicit(&self) -> Option<BerNode<'a>> {
        match self.children()?.as_slice() {
            [only] if self.tag == CONTEXT_0 | CONSTRUCTED => Some(*only),
            _ => None,
        }
    }

    /// Content of an OCTET STRING.
    pub(super) fn octets(&self) -> Option<Cow<'a, [u8]>> {
        if self.tag & !CONSTRUCTED == OCTETS { self.text() } else { None }
    }

    /// Content of an implicit `[0]` OCTET STRING.
    pub(super) fn implicit_octets(&self) -> Option<Cow<'a, [u8]>> {
        if self.tag & !CONSTRUCTED == CONTEXT_0 { self.text() } else { None }
    }

    /// Content of a string, which BER may write in pieces.
    fn text(&self) -> Option<Cow<'a, [u8]>> {
        if self.tag & CONSTRUCTED == 0 {
            return Some(Cow::Borrowed(self.body));
        }
        let mut whole = Vec::new();
        for piece in self.children()? {
            whole.extend_from_slice(&piece.octets()?);
        }
        Some(Cow::Owned(whole))
    }

    /// Bytes of an OBJECT IDENTIFIER.
    pub(super) fn oid(&self) -> Option<&'a [u8]> {
        if self.tag == OID { Some(self.body) } else { None }
    }

    /// Value of an INTEGER; too large a number is `u64::MAX`, a negative one `None`.
    pub(super) fn number(&self) -> Option<u64> {
        let negative = self.body.first()? & 0x80 != 0;
        if self.tag != INTEGER || negative {
            return None;
        }
        Some(self.body.iter().fold(0_u64, |number, byte| number.saturating_mul(256).saturating_add((*byte).into())))
    }
}

fn read(bytes: &[u8], depth: usize) -> Option<(BerNode<'_>, &[u8])> {
    let depth = depth.checked_sub(1)?;
    let (&[tag, length], rest) = bytes.split_first_chunk()?;
    // tag numbers above 30 occur in none of the structures read here
    if tag & 0x1f == 0x1f {
        return None;
    }
    let (body, rest) = match length {
        INDEFINITE if tag & CONSTRUCTED == 0 => return None,
        INDEFINITE => until_end(rest, depth)?,
        0..INDEFINITE => rest.split_at_checked(length.into())?,
        _ => {
            let (digits, rest) = rest.split_at_checked((length & 0x7f).into())?;
            if digits.len() > 4 {
                return None;
            }
            let length = digits.iter().fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
            rest.split_at_checked(length)?
        }
    };
    Some((BerNode { tag, body, depth }, rest))
}

/// Splits at the two zero bytes that end a value of indefinite length.
fn until_end(bytes: &[u8], depth: usize) -> Option<(&[u8], &[u8])> {
    let mut rest = bytes;
    loop {
        if let Some(after) = rest.strip_prefix(&[0, 0]) {
            return Some((&bytes[..bytes.len() - rest.len()], after));
        }
        rest = read(rest, depth)?.1;
    }
}

/// SEQUENCE, constructed.
const SEQUENCE: u8 = 0x30;
const OCTETS: u8 = 0x04;
const INTEGER: u8 = 0x02;
const OID: u8 = 0x06;
const CONTEXT_0: u8 = 0x80;
const CONSTRUCTED: u8 = 0x20;
const INDEFINITE: u8 = 0x80;
/// Deepest nesting. Files of `openssl`, Windows or Java nest 12 deep within one string.
const DEEPEST: usize = 24;
const MOST_CHILDREN: usize = 64;

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn what_is_cut_off_or_too_deep_is_nothing() {
        assert!(first(&[0x30, 0x82, 0xff]).is_none());
        assert!(first(&[0x04, 0x84, 0xff, 0xff, 0xff, 0xff]).is_none());
        assert!(first(&[0x04, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1]).is_none());
        assert!(first(&[0x30, 0x80].repeat(50_000)).is_none(), "indefinite lengths, one in the other");
    }

    #[test]
    fn an_integer_is_never_smaller_than_it_says() {
        let number = |body: &[u8]| first(&[&[2, body.len() as u8], body].concat()).unwrap().number();
        assert_eq!(number(&[0x08, 0]), Some(2048));
        assert_eq!(number(&[0, 0xff, 0xff]), Some(65_535));
        assert_eq!(number(&[0x7f; 20]), Some(u64::MAX));
        assert_eq!(number(&[0x80]), None);
    }

    #[test]
    fn a_string_in_pieces_is_one() {
        let pieces = [0x24, 0x80, 4, 1, b'a', 0x24, 3, 4, 1, b'b', 0, 0];
        assert_eq!(first(&pieces).unwrap().octets().unwrap().as_ref(), b"ab");
    }
}
