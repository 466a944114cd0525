//! The RPS for the API reference: one payload for all versions, each member with its tags and versions.
//!
//! Law: the layouts give the members and their types; `fields` names and explains them, because ABRASF's layouts have
//! no documentation. Tests compare the two.

use super::AbrasfVersion;
use super::fields::{FIELDS, PayloadField};
use super::leaves::{self, PayloadLeaf};
use super::names::{canonical, fold};
use super::payload::MOST_ROWS;
use crate::layout::Simple;
use crate::map::{GroupMember, MemberBody};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Members of `nota`.
pub fn members() -> Vec<GroupMember> {
    // built once, because the text of a member names its versions
    static MEMBERS: LazyLock<Vec<GroupMember>> =
        LazyLock::new(|| FIELDS.iter().map(|row| described(row, "")).collect());
    MEMBERS.clone()
}

fn described(row: &'static PayloadField, outer: &str) -> GroupMember {
    let path = if outer.is_empty() { row.name.to_owned() } else { format!("{outer}.{}", row.name) };
    if !row.inside.is_empty() {
        let inside: Vec<GroupMember> = row.inside.iter().map(|inner| described(inner, &path)).collect();
        let aliases = row.tag.rsplit('/').next().filter(|tag| *tag != row.name).into_iter().collect();
        let body = MemberBody::Group(inside);
        return GroupMember { aliases, tag: row.tag.to_owned(), body, ..undescribed(row, row.doc) };
    }
    let found = of_all_versions(&path);
    let tag = found.last().map_or_else(String::new, |(_, leaf)| leaf.path.clone());
    let body = MemberBody::Value(types(&found));
    GroupMember { aliases: aliases(row, &found), tag, body, ..undescribed(row, &documentation(row, &found)) }
}

fn undescribed(row: &'static PayloadField, doc: &str) -> GroupMember {
    // leaked once per member and process
    let doc = if doc == row.doc { row.doc } else { doc.to_owned().leak() };
    let most = u32::try_from(MOST_ROWS).unwrap_or(u32::MAX);
    GroupMember {
        name: row.name,
        aliases: Vec::new(),
        tag: String::new(),
        doc,
        need: row.need,
        max: if row.is_list { most } else { 1 },
        alone: None,
        body: MemberBody::Value(Vec::new()),
    }
}

/// The leaf of a path in each version that has it, oldest first; the provider's own version comes before the official
/// ones, so that the last is the newest official one.
fn of_all_versions(path: &str) -> Vec<(AbrasfVersion, &'static PayloadLeaf)> {
    let path = leaf_path(path);
    let mut found: Vec<(AbrasfVersion, &'static PayloadLeaf)> =
        AbrasfVersion::ALL.into_iter().filter_map(|version| Some((version, leaves::of(version).get(&path)?))).collect();
    found.sort_by_key(|(version, _)| *version != AbrasfVersion::GovDigital201);
    found
}

/// Canonical path of a reference path such as `tomador.cpf_cnpj`.
fn leaf_path(path: &str) -> String {
    let folded: Vec<String> = path.split('.').map(fold).collect();
    canonical(&folded.join("/"))
}

/// The widest type of each kind, because one payload serves all versions; a version with less room reports it when the
/// payload is checked.
fn types(found: &[(AbrasfVersion, &'static PayloadLeaf)]) -> Vec<&'static Simple> {
    let all = found.iter().flat_map(|(_, leaf)| [Some(leaf.simple), leaf.person].into_iter().flatten());
    let room = |simple: &Simple| (simple.values.is_empty(), simple.max_length, simple.fraction_digits);
    let mut kinds: BTreeMap<(&str, bool), &'static Simple> = BTreeMap::new();
    for simple in all {
        let is_day = simple.base == crate::layout::Base::Date;
        let widest = kinds.entry((simple.name, is_day)).or_insert(simple);
        if room(simple) > room(widest) {
            *widest = simple;
        }
    }
    kinds.into_values().collect()
}

/// The tags in the versions and the other names of a member.
fn aliases(row: &'static PayloadField, found: &[(AbrasfVersion, &'static PayloadLeaf)]) -> Vec<&'static str> {
    let tags = found.iter().filter_map(|(_, leaf)| leaf.path.rsplit('/').next());
    let bare = |tag: &&str| !(row.name == "cpf_cnpj" && *tag == "Prestador");
    let mut aliases: Vec<&'static str> = row.aliases.iter().copied().chain(tags.filter(bare)).collect();
    aliases.sort_unstable();
    aliases.dedup();
    aliases.retain(|alias| *alias != row.name);
    aliases
}

/// Documentation of a member, with its versions when not all have it.
fn documentation(row: &'static PayloadField, found: &[(AbrasfVersion, &'static PayloadLeaf)]) -> String {
    let has = |version: &AbrasfVersion| found.iter().any(|(one, _)| one == version);
    let named = |there: bool| -> Vec<String> {
        let chosen = AbrasfVersion::ALL.into_iter().filter(|version| has(version) == there);
        chosen.map(|version| version.word().replace("govdigital-2.01", "2.01 da GovDigital")).collect()
    };
    let (with, without) = (named(true), named(false));
    let listed = |of: &[String]| {
        if of.len() == 1 { format!("na versão {}", of[0]) } else { format!("nas versões {}", of.join(", ")) }
    };
    let doc = row.doc;
    match (with.len(), without.len()) {
        (_, 0) => doc.to_owned(),
        (some, others) if others < some => format!("{doc} Não existe {}.", listed(&without)),
        _ => format!("{doc} Só {}.", listed(&with)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn each(members: &[GroupMember], outer: &str, act: &mut dyn FnMut(&str, &GroupMember)) {
        for member in members {
            let path = if outer.is_empty() { member.name.to_owned() } else { format!("{outer}.{}", member.name) };
            act(&path, member);
            if let MemberBody::Group(inner) = &member.body {
                each(inner, &path, act);
            }
        }
    }

    #[test]
    fn every_leaf_of_every_version_is_told_once_and_nothing_else_is() {
        let mut told = BTreeSet::new();
        each(&members(), "", &mut |path, member| {
            assert!(!member.doc.is_empty(), "{path} has no words");
            if let MemberBody::Value(types) = &member.body {
                assert!(!types.is_empty() && !member.tag.is_empty(), "{path} is no leaf of any version");
                assert!(told.insert(leaf_path(path)), "{path} twice");
            } else {
                assert!(!leaves::is_known(&leaf_path(path)), "{path} is no group");
            }
        });
        let known: BTreeSet<String> =
            AbrasfVersion::ALL.iter().flat_map(|version| leaves::of(*version).keys().cloned()).collect();
        assert_eq!(known.difference(&told).collect::<Vec<_>>(), Vec::<&String>::new(), "not told");
        assert_eq!(told.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new(), "in no layout");
    }

    #[test]
    fn every_name_of_a_member_and_the_tag_of_a_group_are_read_as_it_is() {
        each(&members(), "", &mut |path, member| {
            let outer = path.rsplit_once('.').map_or("", |(outer, _)| outer);
            for alias in &member.aliases {
                let other = if outer.is_empty() { (*alias).to_owned() } else { format!("{outer}.{alias}") };
                assert_eq!(leaf_path(&other), leaf_path(path), "{path}: {alias}");
            }
            if matches!(member.body, MemberBody::Group(_)) {
                assert_eq!(leaf_path(&member.tag.replace('/', ".")), leaf_path(path), "{path}: {}", member.tag);
            }
        });
    }

    #[test]
    fn what_only_some_versions_have_is_said() {
        let mut docs = BTreeMap::new();
        each(&members(), "", &mut |path, member| drop(docs.insert(path.to_owned(), (member.doc, member.tag.clone()))));
        assert!(docs["natureza_operacao"].0.ends_with("Só na versão 1.00."), "{:?}", docs["natureza_operacao"]);
        assert!(docs["competencia"].0.ends_with("Não existe na versão 1.00."), "{:?}", docs["competencia"]);
        assert!(docs["servico.c_ind_op"].0.ends_with("Só na versão 2.01 da GovDigital."));
        assert!(!docs["servico.discriminacao"].0.contains("vers"));
        assert_eq!(docs["tomador.razao_social"].1, "TomadorServico/RazaoSocial");
    }
}
