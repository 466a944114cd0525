//! Properties that every route has, tried over all of them or over one for all.

mod backpressure;
mod bodies;
mod connections;
mod costly_bodies;
mod edges;
mod envelope;
mod environments;
mod given_input;
mod long_words;
mod permissions;
mod reach;
mod request_limit;
mod roles;
pub(super) mod routes;
mod tenants;
