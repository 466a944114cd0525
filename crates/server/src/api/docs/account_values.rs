//! Values of an account in the examples: marked, so that `assets/amostras.js` can put in those of the reader's account.

/// CNPJ of the company in every example.
const COMPANY: &str = "11222333000181";

/// Marks the example's company in coloured code; within a longer number it is another thing.
pub(crate) fn marked(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(COMPANY) {
        let (before, found) = rest.split_at(at);
        let (company, after) = found.split_at(COMPANY.len());
        out.push_str(before);
        let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
        if is_letter(out.chars().next_back()) || is_letter(after.chars().next()) {
            out.push_str(company);
        } else {
            out.push_str("<span data-amostra=\"cnpj\">");
            out.push_str(company);
            out.push_str("</span>");
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_company_is_marked_and_a_key_that_holds_its_number_is_not() {
        assert_eq!(
            marked("\"11222333000181\" 35261111222333000181550010000012341123456780 /11222333000181/"),
            "\"<span data-amostra=\"cnpj\">11222333000181</span>\" 35261111222333000181550010000012341123456780 \
             /<span data-amostra=\"cnpj\">11222333000181</span>/"
        );
    }
}
