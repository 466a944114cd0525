//! Fiscal documents: values, layouts, building, checking, rules, events, lifecycle.
//!
//! Law: MOC 7.0 (visão geral, anexo I) and the technical notes up to NT 2026.004, MOC CT-e 4.00 and its notes; anexo I
//! of the national NFS-e; ABRASF 1.00 to 2.04; the official XSD packages.
//! Must not know: async, sockets, files, the clock, randomness, SQL, HTTP, keys. Time and chance come in as arguments.

pub mod abrasf;
pub mod archive_name;
pub mod cep;
pub mod contents;
pub mod cstat;
pub mod cte;
pub mod document;
pub mod event;
pub mod evidence;
pub mod finding;
pub mod fold;
pub mod inutilizacao;
pub mod law;
pub mod layout;
pub mod lifecycle;
pub mod map;
pub mod ncm;
pub mod nfe;
pub mod nfse;
pub mod nota;
pub mod received;
pub mod reference;
pub mod regime;
pub mod summary;
pub mod tipo;
pub mod totals;
pub mod value;
pub mod xml;
