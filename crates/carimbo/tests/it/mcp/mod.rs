//! `/mcp`: agents, by each revision, on both listeners.

pub(crate) mod agent;
mod confirmation;
mod edges;
mod tools;
