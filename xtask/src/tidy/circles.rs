//! Circles of files inside a crate: files that import each other, directly or through others.
//!
//! An import is a path behind `crate::`, `super::` or a child module, in a `use` or in code. An arrow from a module up
//! to one that it lies in does not count: a child sees its parents' items by construction.

use super::budget::{self, Measure};
use super::imports;
use super::sources::{Source, Sources};
use anyhow::Result;
use std::collections::BTreeMap;

/// Counts circles of two files or more, and the files of the largest.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    let mut circles: Vec<Vec<String>> = sources.packages.iter().flat_map(|it| of_crate(sources, &it.folder)).collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    let places: Vec<String> =
        circles.iter().map(|circle| format!("{} files: {}", circle.len(), short(circle))).collect();
    let largest = Measure {
        name: "largest",
        count: circles.first().map_or(0, Vec::len),
        of: 0,
        places: circles.first().cloned().unwrap_or_default(),
    };
    budget::compare(sources, "circles", &[Measure::of_places("circles", places, 0), largest])
}

fn short(circle: &[String]) -> String {
    let shown: Vec<&str> = circle.iter().take(6).map(String::as_str).collect();
    let more = if circle.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn of_crate(sources: &Sources, folder: &str) -> Vec<Vec<String>> {
    let root = format!("{folder}/src/");
    let files: Vec<&Source> =
        sources.files.iter().filter(|file| file.path.starts_with(&root) && !file.is_test()).collect();
    let paths: Vec<Vec<&str>> = files.iter().map(|file| module(&file.path[root.len()..])).collect();
    let modules: BTreeMap<Vec<&str>, usize> = paths.iter().cloned().zip(0..).collect();
    let arrows: Vec<Vec<usize>> = files.iter().zip(&paths).map(|(file, own)| arrows(file, own, &modules)).collect();
    let circles = components(&arrows).into_iter().filter(|component| component.len() > 1);
    circles.map(|component| component.into_iter().map(|index| files[index].path.clone()).collect()).collect()
}

/// `a/b.rs` and `a/b/mod.rs` are `[a, b]`; the root of a crate is `[]`.
fn module(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib" | "main"))) {
        parts.pop();
    }
    parts
}

fn arrows(file: &Source, own: &[&str], modules: &BTreeMap<Vec<&str>, usize>) -> Vec<usize> {
    let code: String = file.code.lines().take(file.lines_without_tests()).collect::<Vec<_>>().join("\n");
    let mut targets: Vec<usize> = imports::of(&code, own)
        .iter()
        .filter_map(|path| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let known = (0..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]))?;
            let target = &path[..known];
            // an item of a parent is at hand below it: only arrows down a branch count
            let is_above = own.starts_with(target);
            modules.get(target).copied().filter(|_| !is_above)
        })
        .collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Strongly connected components (Kosaraju): nodes by the end of a walk along the arrows, gathered against them.
fn components(arrows: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut back = vec![Vec::new(); arrows.len()];
    for (from, targets) in arrows.iter().enumerate() {
        targets.iter().for_each(|target| back[*target].push(from));
    }
    let (mut ended, mut seen) = (Vec::new(), vec![false; arrows.len()]);
    (0..arrows.len()).for_each(|node| walk(node, arrows, &mut seen, &mut ended));
    let mut gathered = vec![false; arrows.len()];
    let mut found = Vec::new();
    for node in ended.into_iter().rev() {
        let mut component = Vec::new();
        walk(node, &back, &mut gathered, &mut component);
        component.sort_unstable();
        found.push(component);
    }
    found
}

fn walk(node: usize, arrows: &[Vec<usize>], seen: &mut [bool], ended: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[node], true) {
        return;
    }
    arrows[node].iter().for_each(|next| walk(*next, arrows, seen, ended));
    ended.push(node);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files = files.iter().map(|(path, text)| Source::new(format!("crates/a/src/{path}"), (*text).into()));
        of_crate(&Sources { root: PathBuf::new(), files: files.collect(), packages: Vec::new() }, "crates/a")
    }

    #[test]
    fn finds_files_that_import_each_other() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::{self, B};"),
            ("b/mod.rs", "fn f() { super::c::g() }"),
            ("c.rs", "use super::{a::A, d};"),
            ("d.rs", ""),
        ]);
        assert_eq!(found, [["crates/a/src/a.rs", "crates/a/src/b/mod.rs", "crates/a/src/c.rs"]]);
    }

    #[test]
    fn parent_and_child_are_none() {
        let parent = ("a/mod.rs", "mod b; use crate::a::b::B;");
        assert!(circles(&[("lib.rs", ""), parent, ("a/b.rs", "use super::A; use crate::C;")]).is_empty());
    }
}
