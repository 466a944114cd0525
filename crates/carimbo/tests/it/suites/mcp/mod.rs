//! `/mcp`: agents, by each revision, on both listeners.

pub(crate) mod agent;
mod atos;
mod confirmation;
mod edges;
mod tools;
