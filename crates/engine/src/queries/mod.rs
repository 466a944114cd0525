//! Queries outside jobs: health of this service and its authorities, obstacles of documents, a state's register, the
//! state of an NFS-e.

pub mod consult;
pub mod diagnosis;
pub mod municipality;
pub mod nfse;
pub mod rps;
pub mod status;
pub(crate) mod write_probe;
