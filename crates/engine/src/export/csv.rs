//! CSV as Brazilian spreadsheets open it: UTF-8 with a byte order mark, `;` between fields, a comma before decimals.

/// Longest field.
const FIELD: usize = 120;

/// A table being written.
#[derive(Debug)]
pub(super) struct CsvTable {
    text: String,
}

impl CsvTable {
    pub(super) fn new(header: &[&str]) -> CsvTable {
        let mut table = CsvTable { text: "\u{feff}".to_owned() };
        table.row(header);
        table
    }

    /// Adds a row of texts, without the characters that begin a formula or another field.
    pub(super) fn row<T: AsRef<str>>(&mut self, fields: &[T]) {
        for (at, field) in fields.iter().enumerate() {
            if at > 0 {
                self.text.push(';');
            }
            let field = field.as_ref().trim_start_matches(['=', '+', '@', '\t']);
            self.text.extend(
                field.chars().filter(|letter| !matches!(letter, ';' | '"') && !letter.is_control()).take(FIELD),
            );
        }
        self.text.push_str("\r\n");
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }
}

/// A decimal with a comma.
pub(super) fn decimal(number: impl ToString) -> String {
    number.to_string().replace('.', ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_neither_a_formula_nor_two_fields() {
        let mut table = CsvTable::new(&["a", "b"]);
        table.row(&["=1+1", "x;\"y\"\n<script>"]);
        assert_eq!(String::from_utf8(table.into_bytes()).unwrap(), "\u{feff}a;b\r\n1+1;xy<script>\r\n");
        assert_eq!(decimal("1234.50"), "1234,50");
    }
}
