//! Protocols altered by a fault: other leaves than the authority registered.

/// Replaces the text of the first leaf of a name; unchanged when there is none.
pub(super) fn with_leaf(xml: &str, name: &str, text: &str) -> String {
    around(xml, name)
        .map_or_else(|| xml.to_owned(), |(before, after)| format!("{before}<{name}>{text}</{name}>{after}"))
}

/// A text that is no protocol number: a path traversal in a URL, markup in a page.
pub(super) const ODD_PROTOCOL: &str = "1/../../&lt;b&gt;x";

/// Removes the first leaf of a name.
pub(super) fn without_leaf(xml: &str, name: &str) -> String {
    around(xml, name).map_or_else(|| xml.to_owned(), |(before, after)| format!("{before}{after}"))
}

fn around<'x>(xml: &'x str, name: &str) -> Option<(&'x str, &'x str)> {
    let (before, rest) = xml.split_once(&format!("<{name}>"))?;
    let (_, after) = rest.split_once(&format!("</{name}>"))?;
    Some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_changed_or_left_out_where_it_stands() {
        let xml = "<p><a>1</a><b>2</b><b>3</b></p>";
        assert_eq!(with_leaf(xml, "b", "x"), "<p><a>1</a><b>x</b><b>3</b></p>");
        assert_eq!(without_leaf(xml, "a"), "<p><b>2</b><b>3</b></p>");
        assert_eq!((with_leaf(xml, "c", "x"), without_leaf(xml, "c")), (xml.to_owned(), xml.to_owned()));
    }
}
