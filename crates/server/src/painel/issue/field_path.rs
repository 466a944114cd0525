//! Names of a form's fields: paths of a payload, such as `nota.produtos[0].xProd`.

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldStep {
    Member(String),
    /// Position in a list, from 0.
    Index(usize),
}

/// Reads a path; `None` for a text that is none.
pub(super) fn steps(text: &str) -> Option<Vec<FieldStep>> {
    let mut steps = Vec::new();
    for part in text.split('.') {
        let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !is_plain(name) {
            return None;
        }
        steps.push(FieldStep::Member(name.to_owned()));
        while !rest.is_empty() {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            steps.push(FieldStep::Index(index.parse().ok()?));
            rest = after;
        }
    }
    (steps.len() <= DEEPEST).then_some(steps)
}

/// True for a member name that a path can hold.
pub(super) fn is_plain(name: &str) -> bool {
    let is_free = |letter: char| letter.is_control() || letter.is_whitespace() || matches!(letter, '.' | '[' | ']');
    !name.is_empty() && name.len() <= LONGEST && !name.contains(is_free)
}

/// Path of a member.
pub(super) fn member(outer: &str, name: &str) -> String {
    format!("{outer}.{name}")
}

/// Path of an entry of a list.
pub(super) fn entry(list: &str, index: usize) -> String {
    format!("{list}[{index}]")
}

/// Path of the enclosing object or list.
pub(super) fn outer(path: &str) -> Option<&str> {
    path.rfind(['.', '[']).and_then(|end| path.get(..end))
}

/// True for a path and everything below it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Id of an element of the page, without the letters that addresses encode.
pub(super) fn id(path: &str) -> String {
    path.replace(['.', '['], "-").replace(']', "")
}

/// Most steps of a path; the deepest layout has 14.
const DEEPEST: usize = 40;
/// Longest member name, bytes; the longest official one has 34.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_and_a_text_that_is_none_is_not() {
        let name = |name: &str| FieldStep::Member(name.to_owned());
        assert_eq!(
            steps("nota.det[0].adi[12].x"),
            Some(vec![name("nota"), name("det"), FieldStep::Index(0), name("adi"), FieldStep::Index(12), name("x")])
        );
        assert_eq!(steps("nota.a[0][1]").map(|steps| steps.len()), Some(4));
        for wrong in ["", ".", "nota.", "nota..a", "nota.a[x]", "nota.a[1", "nota.[1]", "nota.a]b", "nota.a[-1]"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
        assert_eq!(steps(&["a"; 41].join(".")), None);
    }

    #[test]
    fn what_lies_within_is_told_by_whole_names() {
        assert!(is_within("nota.a[0].b", "nota.a") && is_within("nota.a", "nota.a"));
        assert!(!is_within("nota.ab", "nota.a"));
        assert_eq!(
            (outer("nota.a[0].b"), outer("nota.a[0]"), outer("nota")),
            (Some("nota.a[0]"), Some("nota.a"), None)
        );
        assert_eq!(id("nota.a[0].b"), "nota-a-0-b");
    }
}
