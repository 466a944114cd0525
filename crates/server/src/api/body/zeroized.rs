//! Bytes that are wiped on drop, since they may hold a certificate or a password.
//!
//! `Zeroizing` wipes byte by byte, which for a body of 160 KB takes half as long as parsing its JSON; this type wipes
//! at the speed of memory, and `zeroize`'s optimisation barrier keeps the compiler from removing the wipe.

use std::ops::Deref;
use zeroize::{Zeroizing, optimization_barrier};

/// A byte buffer, wiped on drop.
#[derive(Default)]
pub(crate) struct ZeroizedBytes(Vec<u8>);

impl ZeroizedBytes {
    pub(super) fn with_capacity(room: usize) -> ZeroizedBytes {
        ZeroizedBytes(Vec::with_capacity(room))
    }

    pub(super) fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Appends within the capacity, so that no unwiped copy is left by a reallocation.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        debug_assert!(self.0.len() + bytes.len() <= self.0.capacity());
        self.0.extend_from_slice(bytes);
    }

    /// Moves the bytes into a `Zeroizing`, which wipes them.
    pub(super) fn into_zeroizing(mut self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(std::mem::take(&mut self.0))
    }

    fn wipe(&mut self) {
        self.0.fill(0);
        optimization_barrier(self.0.as_slice());
    }
}

impl Deref for ZeroizedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for ZeroizedBytes {
    fn drop(&mut self) {
        self.wipe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_what_is_wiped_and_what_is_handed_on_is_whole() {
        let mut bytes = ZeroizedBytes::with_capacity(8);
        bytes.extend(b"s3g");
        bytes.extend(b"redo");
        assert_eq!(&*bytes, b"s3gredo");
        bytes.wipe();
        assert_eq!(&*bytes, [0; 7]);
        let mut bytes = ZeroizedBytes::with_capacity(8);
        bytes.extend(b"s3gredo");
        assert_eq!(*bytes.into_zeroizing(), b"s3gredo");
    }
}
