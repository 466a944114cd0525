//! Dated regimes of a company (`regimes`): the CRT, and the choice of the regular regime of IBS and CBS, from a day on.
//!
//! Law: LC 123 art. 13 §10 (the choice holds by the half-year). `fiscal::regime` decides which row applies to a
//! document; here rows are read, checked and shown.

use fiscal::finding::Notice;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::record_problems::RecordProblems;
use crate::api::body;
use crate::api::unknown_members::unknown_members;
use crate::api::view::view;

view! {
    pub(crate) struct RegimeView = "RegimeDaEmpresa": "O regime de uma empresa a partir de um dia." {
        a_partir_de: Date = "Primeiro dia do regime, pela data do `dhEmi` no fuso que o próprio `dhEmi` escreve.",
        crt: u64 = "Código de regime tributário.",
        ibs_cbs_regular: bool = "Optante do Simples que escolheu apurar IBS e CBS pelo regime regular.",
    }
}

/// Most rows of a company: two a year for twelve years.
const MOST_ROWS: usize = 24;
/// Members of a row.
const MEMBERS: [&str; 3] = ["a_partir_de", "crt", "ibs_cbs_regular"];

/// Replaces all stored rows by those of a request; null clears them, an absent member keeps them.
pub(super) fn merge(body: &Map<String, Value>, dados: &mut Map<String, Value>, problems: &mut RecordProblems) {
    let rows = match body.get("regimes") {
        None => return,
        Some(Value::Null) => &[],
        Some(Value::Array(rows)) if rows.len() <= MOST_ROWS => rows.as_slice(),
        Some(Value::Array(rows)) => {
            let mensagem =
                format!("regimes aceita até {MOST_ROWS} linhas e vieram {}: retire as mais antigas.", rows.len());
            return problems.refuse("regimes", mensagem);
        }
        Some(_) => {
            let mensagem = r#"regimes deve ser uma lista: [{ "a_partir_de": "2027-01-01", "crt": 3 }]."#;
            return problems.refuse("regimes", mensagem);
        }
    };
    let read: Vec<Option<RegimeEntry>> =
        rows.iter().enumerate().map(|(index, row)| RegimeEntry::read(index, row, problems)).collect();
    refuse_repeated(&read, problems);
    let mut read: Vec<RegimeEntry> = read.into_iter().flatten().collect();
    read.sort_by_key(|row| row.a_partir_de);
    dados.insert("regimes".to_owned(), read.iter().map(RegimeEntry::stored).collect());
}

/// Notices of unknown members of rows.
pub(super) fn remarks(body: &Map<String, Value>) -> Vec<Notice> {
    let rows = body.get("regimes").and_then(Value::as_array).into_iter().flatten().take(MOST_ROWS);
    let rows = rows.enumerate().filter_map(|(index, row)| Some((index, row.as_object()?)));
    let of_row = |(index, row)| {
        unknown_members(row, &MEMBERS)
            .into_iter()
            .map(move |remark| Notice { campo: format!("regimes[{index}].{}", remark.campo), ..remark })
    };
    rows.flat_map(of_row).collect()
}

/// Stored rows, the earliest first.
pub(super) fn shown(dados: &Value) -> Vec<RegimeView> {
    let view = |row: &Value| {
        Some(RegimeView {
            a_partir_de: row["a_partir_de"].as_str()?.parse().ok()?,
            crt: row["crt"].as_u64()?,
            ibs_cbs_regular: row["ibs_cbs_regular"].as_bool().unwrap_or_default(),
        })
    };
    dados["regimes"].as_array().into_iter().flatten().filter_map(view).collect()
}

/// A valid row.
struct RegimeEntry {
    a_partir_de: Date,
    crt: u64,
    ibs_cbs_regular: bool,
}

impl RegimeEntry {
    fn read(index: usize, row: &Value, problems: &mut RecordProblems) -> Option<RegimeEntry> {
        let home = format!("regimes[{index}]");
        let Value::Object(row) = row else {
            problems
                .refuse(&home, format!(r#"{home} deve ser um objeto: {{ "a_partir_de": "2027-01-01", "crt": 3 }}."#));
            return None;
        };
        let mut noted = |name: &str, mensagem: String| {
            let campo = format!("{home}.{name}");
            problems.refuse(&campo, format!("{campo} {mensagem}"));
        };
        let a_partir_de = day(row.get("a_partir_de")).map_err(|wrong| noted("a_partir_de", wrong)).ok();
        let crt = required_crt(row.get("crt")).map_err(|wrong| noted("crt", wrong)).ok();
        let regular = is_regular(row.get("ibs_cbs_regular"), crt);
        let ibs_cbs_regular = regular.map_err(|wrong| noted("ibs_cbs_regular", wrong)).ok();
        Some(RegimeEntry { a_partir_de: a_partir_de?, crt: crt?, ibs_cbs_regular: ibs_cbs_regular? })
    }

    fn stored(&self) -> Value {
        let RegimeEntry { a_partir_de, crt, ibs_cbs_regular } = self;
        json!({ "a_partir_de": a_partir_de.to_string(), "crt": crt, "ibs_cbs_regular": ibs_cbs_regular })
    }
}

/// 1 Simples Nacional, 2 above its sub-limit, 3 normal regime, 4 MEI.
pub(super) fn crt(value: &Value) -> Result<Value, &'static str> {
    let number = match value {
        Value::Number(number) => body::whole(number.as_str()),
        Value::String(text) => body::whole(text.trim()),
        _ => None,
    };
    match number {
        Some(crt @ 1..=4) => Ok(Value::from(crt)),
        _ if value.is_null() => Ok(Value::Null),
        _ => Err("crt aceita 1 (Simples Nacional), 2 (excesso de sublimite), 3 (regime normal) ou 4 (MEI)."),
    }
}

fn day(given: Option<&Value>) -> Result<Date, String> {
    let text = match given {
        None | Some(Value::Null) => {
            return Err("é obrigatório: informe o primeiro dia do regime, AAAA-MM-DD.".to_owned());
        }
        Some(value) => value.as_str().map(str::trim),
    };
    let date = text.filter(|text| text.len() == "AAAA-MM-DD".len()).and_then(|text| text.parse().ok());
    date.ok_or_else(|| "deve ser uma data no formato AAAA-MM-DD, como 2027-01-01.".to_owned())
}

fn required_crt(given: Option<&Value>) -> Result<u64, String> {
    let crt = given.and_then(|value| crt(value).ok()).and_then(|crt| crt.as_u64());
    crt.ok_or_else(|| {
        "é obrigatório e aceita 1 (Simples Nacional), 2 (excesso de sublimite), 3 (regime normal) ou 4 (MEI)."
            .to_owned()
    })
}

/// Reads the choice, which is open to companies of the Simples only; an unreadable CRT is reported as a problem of its
/// own.
fn is_regular(given: Option<&Value>, crt: Option<u64>) -> Result<bool, String> {
    match given {
        None | Some(Value::Null | Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) if matches!(crt, None | Some(1 | 2)) => Ok(true),
        Some(Value::Bool(true)) => {
            Err("só existe com crt 1 ou 2: a opção é de quem é do Simples Nacional. Retire-o, ou corrija crt."
                .to_owned())
        }
        Some(_) => Err("deve ser true ou false.".to_owned()),
    }
}

/// Refuses two rows of one day, whose order is undefined.
fn refuse_repeated(rows: &[Option<RegimeEntry>], problems: &mut RecordProblems) {
    for (index, row) in rows.iter().enumerate() {
        let Some(row) = row else { continue };
        let same =
            |other: &Option<RegimeEntry>| other.as_ref().is_some_and(|other| other.a_partir_de == row.a_partir_de);
        if let Some(first) = rows.iter().take(index).position(same) {
            let campo = format!("regimes[{index}].a_partir_de");
            let mensagem = format!("{campo} repete o dia de regimes[{first}]: deixe uma linha por dia.");
            problems.refuse(campo, mensagem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(regimes: Value, expected: &[&str]) -> Map<String, Value> {
        let mut dados = Map::new();
        let mut problems = RecordProblems::default();
        merge(json!({ "regimes": regimes }).as_object().unwrap(), &mut dados, &mut problems);
        assert_eq!(problems.campos(), expected);
        dados
    }

    #[test]
    fn rows_are_kept_in_the_order_of_their_days() {
        let dados = check(
            json!([{ "a_partir_de": "2027-07-01", "crt": "1", "ibs_cbs_regular": true }, { "a_partir_de": "2027-01-01", "crt": 3 }]),
            &[],
        );
        let expected = json!([{ "a_partir_de": "2027-01-01", "crt": 3, "ibs_cbs_regular": false },
            { "a_partir_de": "2027-07-01", "crt": 1, "ibs_cbs_regular": true }]);
        assert_eq!(dados["regimes"], expected);
        assert_eq!(check(Value::Null, &[])["regimes"], json!([]));
    }

    #[test]
    fn every_problem_of_every_row_is_named() {
        let rows = json!([
            { "a_partir_de": "2027-01-01", "crt": 3, "ibs_cbs_regular": true },
            { "a_partir_de": "01/07/2027", "crt": 5, "ibs_cbs_regular": "sim" },
            { "a_partir_de": "2027-02-30T00:00:00-03:00" },
            7,
            {},
        ]);
        let expected = [
            "regimes[0].ibs_cbs_regular",
            "regimes[1].a_partir_de",
            "regimes[1].crt",
            "regimes[1].ibs_cbs_regular",
            "regimes[2].a_partir_de",
            "regimes[2].crt",
            "regimes[3]",
            "regimes[4].a_partir_de",
            "regimes[4].crt",
        ];
        check(rows, &expected);
        check(json!("3"), &["regimes"]);
    }

    #[test]
    fn a_day_has_one_row_and_a_company_at_most_so_many() {
        let row = |day: &str| json!({ "a_partir_de": day, "crt": 1 });
        check(json!([row("2027-01-01"), row("2027-07-01"), row("2027-01-01")]), &["regimes[2].a_partir_de"]);
        let years = (1..=MOST_ROWS).map(|year| row(&format!("{}-01-01", 2000 + year)));
        check(years.clone().collect(), &[]);
        check(years.chain([row("2099-01-01")]).collect(), &["regimes"]);
    }
}
