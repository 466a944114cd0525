//! The transport against a real Apache and against servers that misbehave; the messages against the official schemas.
#![expect(unreachable_pub, reason = "one test binary: `pub` means for the other modules of it")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod abrasf;
mod adn;
mod apache;
mod cadastro;
mod calls;
mod cte;
mod distribution;
mod folder;
mod misbehaving;
mod nfse;
mod pki;
mod providers_page;
mod renegotiation;
mod replies;
mod samples;
mod schema;
mod transport;
