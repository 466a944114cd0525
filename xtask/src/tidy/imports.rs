//! Paths that a file names behind `crate::`, `super::` and its own child modules.

/// Whole paths from the crate's root, of the file whose module is `own`; groups in braces are spelled out.
pub(super) fn of(code: &str, own: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for child in children(code) {
        for (at, _) in code.match_indices(&format!("{child}::")).filter(|(at, _)| begins_word(code, *at)) {
            let mut prefix: Vec<String> = own.iter().map(|part| (*part).to_owned()).collect();
            tree(&code[at..], &mut prefix, &mut found);
        }
    }
    for (at, _) in code.match_indices("crate::") {
        if begins_word(code, at) && !code[..at].ends_with("in ") {
            tree(&code[at + "crate::".len()..], &mut Vec::new(), &mut found);
        }
    }
    let mut from = 0;
    while let Some(at) = code[from..].find("super::").map(|at| from + at) {
        let mut rest = &code[at..];
        let mut levels = 0;
        while let Some(behind) = rest.strip_prefix("super::") {
            rest = behind;
            levels += 1;
        }
        if begins_word(code, at) {
            let kept = own.len().saturating_sub(levels);
            let mut prefix: Vec<String> = own[..kept].iter().map(|part| (*part).to_owned()).collect();
            tree(rest, &mut prefix, &mut found);
        }
        from = code.len() - rest.len();
    }
    found
}

/// Modules declared without a body.
fn children(code: &str) -> impl Iterator<Item = &str> {
    let declared = code.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once("mod "));
    declared.filter(|(before, _)| before.is_empty() || before.starts_with("pub")).map(|(_, name)| name)
}

fn begins_word(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$'))
}

/// Reads what follows a prefix: a name with more behind `::`, or a group. Gives what stands behind it.
fn tree<'c>(code: &'c str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'c str {
    let code = code.trim_start();
    if let Some(group) = code.strip_prefix('{') {
        return members(group, prefix, found);
    }
    let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    if name.is_empty() || name == "self" {
        found.push(prefix.clone());
        return rest;
    }
    prefix.push(name.to_owned());
    let behind = match rest.strip_prefix("::") {
        Some(more) => tree(more, prefix, found),
        None => {
            found.push(prefix.clone());
            rest
        }
    };
    prefix.pop();
    behind
}

fn members<'c>(mut code: &'c str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'c str {
    loop {
        code = code.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        match code.strip_prefix('}') {
            Some(behind) => return behind,
            None if code.is_empty() => return code,
            None => {}
        }
        let behind = tree(code, prefix, found);
        // what the reader does not know (`as name`, `*`) ends at the next comma or brace
        code = &behind[behind.find([',', '}']).unwrap_or(behind.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, paths: &[&str]) {
        let found: Vec<String> = of(code, &["m", "n"]).iter().map(|path| path.join("::")).collect();
        assert_eq!(found, paths, "{code}");
    }

    #[test]
    fn spells_out_groups_and_levels() {
        check("use crate::a::{self, b::{C, D as E}, *};", &["a", "a::b::C", "a::b::D", "a"]);
        check("use super::f::G; fn h() { super::super::i(crate::J::new()) }", &["J::new", "m::f::G", "i"]);
        check("mod a;\npub(crate) mod b;\nuse a::C; fn f() { b::g(x::a::H) }", &["m::n::a::C", "m::n::b::g"]);
        check("pub(crate) fn a() {} pub(in crate::b) fn c() {} use dollar_crate::d;", &[]);
    }
}
