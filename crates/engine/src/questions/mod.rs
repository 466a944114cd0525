//! Questions that no job carries: how this service and its authorities are, what keeps documents from them, what a
//! state's register says, what became of an NFS-e.

pub mod consult;
pub mod diagnosis;
pub mod municipality;
pub mod nfse;
pub mod rps;
pub mod status;
pub(crate) mod writing;
