//! What the search box searches: guides and their headings, routes, objects, error codes, members of `nota`.

use fiscal::map::{Member, MemberBody};
use serde_json::{Value, json};

use super::guides::GUIDES;
use super::{markdown, routes};
use crate::api::code;

/// `[[title, address, kind], …]`.
pub(super) fn index() -> String {
    let mut rows: Vec<Value> = Vec::new();
    let mut add = |title: &str, address: String, kind: &str| rows.push(json!([title, address, kind]));
    for guide in GUIDES {
        for (_, text, anchor) in markdown::headings(guide.text) {
            add(&text, format!("/docs/guia/{}#{anchor}", guide.page), "guia");
        }
    }
    for resource in routes::all() {
        for operation in resource.operations {
            let title = format!("{} {} {}", operation.method.to_uppercase(), operation.path, operation.summary);
            add(&title, format!("/docs/guia/api#{}", operation.id), "rota");
        }
        for schema in resource.schemas {
            add(schema.name, format!("/docs/guia/api#objeto-{}", schema.name), "objeto");
        }
    }
    for rule in fiscal::nfe::rules::RULES {
        let title = format!("{} {}", rule.cStat, rule.xMotivo());
        add(&title, format!("{}#{}", super::rules::ADDRESS, rule.id), "regra");
    }
    for codigo in code::all() {
        add(codigo, format!("/docs/erros/{codigo}"), "erro");
    }
    for family in routes::families() {
        let page = format!("/docs/guia/campos-{}", family.page);
        members(&mut add, &page, "", "", &(family.members)());
    }
    Value::Array(rows).to_string()
}

fn members(add: &mut impl FnMut(&str, String, &str), page: &str, outer: &str, anchor: &str, list: &[Member]) {
    for member in list {
        let path = format!("{outer}{}", member.name);
        match &member.body {
            MemberBody::Group(inner) => {
                add(&path, format!("{page}#{path}"), "grupo");
                members(add, page, &format!("{path}."), &path, inner);
            }
            MemberBody::Value(_) => {
                let doc: String = member.doc.chars().take(60).collect();
                add(&format!("{path} {doc}"), format!("{page}#{anchor}"), "campo");
            }
        }
    }
}
