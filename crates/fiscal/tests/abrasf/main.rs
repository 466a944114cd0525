//! NFS-e of city halls: golden messages of every version, what libxml2 says of them, the examples of the reference, and
//! what a payload is answered.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written, and xmllint is started")]

#[path = "../cases/abrasf.rs"]
mod cases;
mod golden;
#[path = "../cases/patch.rs"]
mod patch;
mod payload;
