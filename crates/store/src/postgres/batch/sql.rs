//! Batch SQL: the text of a statement rewritten over the rows of many parameter sets.
//!
//! For PostgreSQL the cost of a statement is mostly not its row but its start: a message, the plan's nodes, a lock on
//! every index. `given.p1` stands for `$1`; every returned row has the number of its parameter row in its first column,
//! which identifies its request.

use crate::row::{Params, Row, Value};
use tokio_postgres::types::Type;

/// Placeholder of the rows in a hand-written batch text.
const ROWS: &str = "{rows}";

/// Rewrites a statement over rows; `None` for a shape that is not known here, which is then sent once per row.
pub(crate) fn rewrite_over_rows(sql: &str, types: &[Type]) -> Option<String> {
    let rows = unnest_params(types);
    let over = row_params(sql);
    let over = over.trim();
    match over.split_whitespace().next()? {
        "SELECT" => Some(format!("SELECT given.ord, s.* FROM {rows} CROSS JOIN LATERAL ({over} OFFSET 0) s")),
        "INSERT" => rewrite_insert(over, &rows),
        "UPDATE" => rewrite_change(over, "FROM", &rows),
        "DELETE" => rewrite_change(over, "USING", &rows),
        _ => None,
    }
}

/// Completes a hand-written batch text.
pub(crate) fn fill_rows(many: &str, types: &[Type]) -> String {
    many.replace(ROWS, &unnest_params(types))
}

/// Turns rows of parameters into columns, one array per parameter.
pub(crate) fn columns(rows: &[Params], parameters: usize) -> Vec<Vec<&Value>> {
    (0..parameters).map(|place| rows.iter().map(|row| &row[place]).collect()).collect()
}

/// Reads the index, from zero, of the parameter row that a result row belongs to.
pub(crate) fn row_index(row: &mut Row) -> Option<usize> {
    row.read::<u32>().ok()?.checked_sub(1).map(|number| number as usize)
}

/// The parameters as rows: each is an array with an element per row.
fn unnest_params(types: &[Type]) -> String {
    let arrays = types.iter().zip(1..).map(|(ty, place)| format!("${place}::{}[]", ty.name()));
    let names = (1..=types.len()).map(|place| format!("p{place}"));
    format!("unnest({}) WITH ORDINALITY AS given ({}, ord)", listed(arrays), listed(names))
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// `$1` becomes `given.p1`.
fn row_params(sql: &str) -> String {
    sql.replace('$', "given.p")
}

/// Rewrites an INSERT. The inserted values come from the rows; the row of a result is identified by the returned
/// columns.
fn rewrite_insert(sql: &str, rows: &str) -> Option<String> {
    let (into, rest) = split(sql, "VALUES")?;
    let (values, rest) = split_parentheses(rest)?;
    let (rest, returned) = split(rest, "RETURNING").map_or((rest, None), |(rest, returned)| (rest, Some(returned)));
    let inserted = format!("{into} SELECT {values} FROM {rows} {rest}");
    let Some(returned) = returned else { return Some(inserted) };
    let (_, columns) = into.split_once('(')?;
    let columns: Vec<&str> = columns.trim().trim_end_matches(')').split(',').map(str::trim).collect();
    let values: Vec<&str> = values.split(',').map(str::trim).collect();
    let is_it = |column: &str| {
        let value = values.get(columns.iter().position(|it| *it == column)?)?;
        Some(format!("made.{column} = {value}"))
    };
    let same = returned.split(',').map(|column| is_it(column.trim())).collect::<Option<Vec<_>>>()?.join(" AND ");
    let made = returned.split(',').map(|column| format!("made.{}", column.trim())).collect::<Vec<_>>().join(", ");
    Some(format!(
        "WITH made AS ({inserted} RETURNING {returned}) SELECT given.ord, {made} FROM {rows} JOIN made ON {same}"
    ))
}

fn rewrite_change(sql: &str, joins: &str, rows: &str) -> Option<String> {
    let (change, of) = split(sql, "WHERE")?;
    let numbered = match split(of, "RETURNING") {
        Some((of, returned)) => format!("{of} RETURNING given.ord, {returned}"),
        None => of.to_owned(),
    };
    Some(format!("{change} {joins} {rows} WHERE {numbered}"))
}

/// Splits at the first occurrence of a word outside parentheses.
fn split<'s>(sql: &'s str, word: &str) -> Option<(&'s str, &'s str)> {
    let mut depth = 0;
    let at = sql.match_indices(['(', ')', word.chars().next()?]).find_map(|(at, found)| {
        match found {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ if depth == 0 && is_word(sql, at, word) => return Some(at),
            _ => {}
        }
        None
    })?;
    Some((sql[..at].trim_end(), sql[at + word.len()..].trim_start()))
}

fn is_word(sql: &str, at: usize, word: &str) -> bool {
    let ends = |text: Option<char>| text.is_none_or(|next| !next.is_alphanumeric() && next != '_');
    sql[at..].strip_prefix(word).is_some_and(|after| ends(after.chars().next()) && ends(sql[..at].chars().next_back()))
}

/// Splits off the content of the parentheses at the beginning of a text.
fn split_parentheses(sql: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let end = sql.match_indices(['(', ')']).find_map(|(at, found)| {
        depth += if found == "(" { 1 } else { -1 };
        (depth == 0).then_some(at)
    })?;
    Some((sql[..end].strip_prefix('(')?, &sql[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &[Type] = &[Type::UUID, Type::TEXT];
    const R: &str = "unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS given (p1, p2, ord)";

    fn over(sql: &str) -> String {
        rewrite_over_rows(sql, TYPES).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_shape_is_the_same_statement_over_rows() {
        assert_eq!(
            over("SELECT a FROM t WHERE id = $1 AND b = $2 FOR UPDATE"),
            format!(
                "SELECT given.ord, s.* FROM {R} CROSS JOIN LATERAL (SELECT a FROM t WHERE id = given.p1 AND b = given.p2 FOR UPDATE OFFSET 0) s"
            )
        );
        assert_eq!(
            over(
                "INSERT INTO t (id, a, b) VALUES ($1, (SELECT x FROM u WHERE id = $1), $2) ON CONFLICT (id) DO UPDATE SET b = excluded.b"
            ),
            format!(
                "INSERT INTO t (id, a, b) SELECT given.p1, (SELECT x FROM u WHERE id = given.p1), given.p2 FROM {R} ON CONFLICT (id) DO UPDATE SET b = excluded.b"
            )
        );
        assert_eq!(
            over("UPDATE t SET b = COALESCE($2, b), n = (SELECT n FROM u WHERE u.id = t.id) WHERE id = $1 RETURNING b"),
            format!(
                "UPDATE t SET b = COALESCE(given.p2, b), n = (SELECT n FROM u WHERE u.id = t.id) FROM {R} WHERE id = given.p1 RETURNING given.ord, b"
            )
        );
        assert_eq!(
            over("UPDATE t SET b = $2 WHERE id = $1"),
            format!("UPDATE t SET b = given.p2 FROM {R} WHERE id = given.p1")
        );
        assert_eq!(
            over("DELETE FROM t WHERE id = $1 AND b = $2 RETURNING n"),
            format!("DELETE FROM t USING {R} WHERE id = given.p1 AND b = given.p2 RETURNING given.ord, n")
        );
    }

    #[test]
    fn which_row_was_inserted_is_known_by_what_it_returns() {
        assert_eq!(
            over("INSERT INTO t (id, n, b) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING RETURNING id"),
            format!(
                "WITH made AS (INSERT INTO t (id, n, b) SELECT given.p1, 0, given.p2 FROM {R} ON CONFLICT DO NOTHING RETURNING id) \
                 SELECT given.ord, made.id FROM {R} JOIN made ON made.id = given.p1"
            )
        );
        assert_eq!(rewrite_over_rows("INSERT INTO t (id, n) VALUES ($1, $2) RETURNING other", TYPES), None);
    }

    #[test]
    fn what_has_another_shape_is_left_alone() {
        assert_eq!(rewrite_over_rows("WITH free AS (SELECT 1) UPDATE t SET a = $1", TYPES), None);
        assert_eq!(rewrite_over_rows("INSERT INTO t (id) SELECT $1", TYPES), None);
        assert_eq!(rewrite_over_rows("DELETE FROM t", TYPES), None);
    }

    #[test]
    fn a_text_for_many_names_its_rows() {
        assert_eq!(fill_rows("SELECT given.ord FROM {rows}", TYPES), format!("SELECT given.ord FROM {R}"));
    }
}
