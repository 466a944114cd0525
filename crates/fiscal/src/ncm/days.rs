//! Validity of each final code, twelve bytes a code. Every NF-e needs it, while the texts are rarely needed.

use jiff::civil::Date;

/// The final codes of a table with their days, sorted.
pub(super) struct CodeValidity(Vec<(u32, CivilDay, CivilDay)>);

/// Year, month and day, which sort by date.
type CivilDay = (i16, i8, i8);

impl CodeValidity {
    /// Reads the lines of a table. A line without a final code and its days is skipped; `NcmTable::read` refuses
    /// the whole table then.
    pub(super) fn of(lines: &[u8]) -> CodeValidity {
        let mut days: Vec<_> = lines.split(|byte| *byte == b'\n').filter_map(line).collect();
        days.sort_unstable();
        CodeValidity(days)
    }

    pub(super) fn is_valid_on(&self, codigo: &str, on: Date) -> bool {
        let Some(codigo) = digits(codigo.as_bytes()).filter(|_| codigo.len() == FINAL) else { return false };
        let on = (on.year(), on.month(), on.day());
        let first = self.0.partition_point(|(other, ..)| *other < codigo);
        let same = self.0[first..].iter().take_while(|(other, ..)| *other == codigo);
        same.into_iter().any(|(_, from, to)| (*from..=*to).contains(&on))
    }
}

/// `CCCCCCCC\tDD/MM/AAAA\tDD/MM/AAAA\t…`, in fixed columns.
fn line(line: &[u8]) -> Option<(u32, CivilDay, CivilDay)> {
    let (codigo, from, to) = (line.get(..FINAL)?, line.get(9..19)?, line.get(20..30)?);
    let tabs = [FINAL, 19, 30].into_iter().all(|at| line.get(at) == Some(&b'\t'));
    Some((digits(codigo)?, day(from)?, day(to)?)).filter(|_| tabs)
}

fn day(text: &[u8]) -> Option<CivilDay> {
    let (day, month, year) = (digits(text.get(..2)?)?, digits(text.get(3..5)?)?, digits(text.get(6..)?)?);
    Some((year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?))
}

fn digits(text: &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for digit in text {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(value.into())?;
    }
    Some(number)
}

/// Digits of a final code.
const FINAL: usize = 8;
