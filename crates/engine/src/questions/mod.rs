//! Questions that no job carries: how this service and its authorities are, what keeps documents from them, what a state's register says.

pub mod consult;
pub mod diagnosis;
pub mod status;
pub(crate) mod writing;
