//! Signing and certificates against independent tools: openssl and xmlsec1.
#![expect(unreachable_pub, reason = "one test binary: `pub` means for the other modules of it")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "the wall is for the crate; its tests make files and ask other tools")]

mod certificate;
mod costly;
mod material;
mod sign;
mod tool;
mod verify;
