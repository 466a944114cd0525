//! `/painel`: the web panel, where people run their documents: an overview, and the decision on prepared orders.
//!
//! Law: `docs/concepts/permissions.md`. Pages are written with `maud`, so that every text is escaped by its type; links
//! and forms, usable without the one script. Must not know: documents beyond the engine's view of them.

mod account_sample;
mod act;
mod asset;
mod audit;
mod code_page;
pub(crate) mod companies;
mod company_choices;
mod conta;
mod decision_route;
mod document;
mod documents;
mod environment_switch;
mod exports;
mod filters;
mod form;
mod frame;
mod half_session;
mod home;
mod integrations;
pub(crate) mod issue;
mod keys;
mod list_pages;
mod login_page;
mod login_routes;
mod logout_route;
pub(crate) mod mail;
mod navigation;
mod note;
mod oidc_pages;
mod oidc_routes;
mod order_list;
mod order_page;
mod origin;
mod paging;
mod panel_session;
mod pending;
mod people;
mod received;
mod rejection_advice;
mod role_refusal;
mod session_extractor;
mod session_page;
mod uploaded_form;
mod words;

pub(crate) use account_sample::show_account_sample;
pub(crate) use asset::show_asset;
pub(crate) use audit::{download_trail, show_trail};
pub(crate) use code_page::{show_code, submit_code};
pub(crate) use conta::{
    begin_factor, change_name, change_password, confirm_factor, end_sessions, link_identity, remove_factor,
    replace_codes, show_account, show_factor, unlink_identity,
};
pub(crate) use decision_route::submit_decision;
pub(crate) use document::{
    download_document_file, resend_document_delivery, show_act, show_document, show_document_pdf, submit_act,
};
pub(crate) use documents::list_documents;
pub(crate) use environment_switch::switch_environment;
pub(crate) use exports::{download_export, remove_export, show_exports, submit_export};
pub(crate) use home::show_home;
pub(crate) use integrations::{
    resend_delivery, resend_lost_deliveries, rotate_webhook_secret, save_webhook_account, send_test_event,
    show_integrations, show_webhook_secret,
};
pub(crate) use keys::{create_key, replace_key, revoke_key, show_key, show_keys};
pub(crate) use login_routes::{show_login, submit_login};
pub(crate) use logout_route::submit_logout;
pub(crate) use oidc_routes::{begin_oidc, finish_oidc, leave_oidc};
pub(crate) use order_list::list_orders;
pub(crate) use order_page::{show_order, show_pdf};
pub(crate) use pending::show_pending;
pub(crate) use people::{
    accept_invitation, give_role, invite_person, remove_person, revoke_invitation, show_invitation, show_people,
    show_person, take_role,
};
pub(crate) use received::{
    download_received, fetch_received, mark_received_seen, show_inbox, show_manifestation, show_received,
    show_received_pdf, show_searches, submit_manifestation, submit_search,
};
pub(crate) use words::question;

use uuid::Uuid;

use crate::edge::Edge;

/// Public URL of a prepared order's page.
pub(crate) fn address(edge: &Edge, id: Uuid) -> String {
    format!("{}{}", edge.public_url.as_deref().unwrap_or_default(), path(id))
}

/// Path of a prepared order's page.
fn path(id: Uuid) -> String {
    format!("/painel/confirmar/{id}")
}
