//! `/mcp`: agents, by each revision, on both listeners.

pub(crate) mod agent;
mod edges;
mod tools;
