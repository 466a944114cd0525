//! Documents to print: the golden cases of `fiscal`, and one stretched to the layout's limits.
#![expect(non_snake_case, reason = "official tags keep their spelling")]

use std::path::Path;

/// Name and XML of every golden case of an NF-e or an NFC-e.
pub(crate) fn golden() -> Vec<(String, String)> {
    of_family("nfe", 100)
}

/// Name and XML of every golden case of a CT-e or a CT-e OS.
pub(crate) fn transports() -> Vec<(String, String)> {
    of_family("cte", 50)
}

/// Name and DPS of every golden case of a national NFS-e.
pub(crate) fn declarations() -> Vec<(String, String)> {
    of_family("nfse", 35)
}

fn of_family(family: &str, least: usize) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fiscal/tests/golden").join(family);
    let mut cases: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter_map(|entry| {
            let xml = std::fs::read_to_string(entry.path().join("expected.xml")).ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), xml))
        })
        .collect();
    cases.sort();
    assert!(cases.len() > least, "{}", cases.len());
    cases
}

/// A golden case by name.
pub(crate) fn case(name: &str) -> String {
    golden().into_iter().find(|(found, _)| found == name).unwrap().1
}

/// The document with every free text filled to its limit with one letter, in words of ten (`spaced`) or without blanks.
pub(crate) fn longest(xml: &str, letter: char, spaced: bool) -> String {
    const LIMITS: &[(&str, usize)] = &[
        ("natOp", 60),
        ("xNome", 60),
        ("xFant", 60),
        ("xLgr", 60),
        ("nro", 60),
        ("xCpl", 60),
        ("xBairro", 60),
        ("xMun", 60),
        ("cProd", 60),
        ("xProd", 120),
        ("infAdProd", 500),
        ("infCpl", 5000),
        ("infAdFisco", 2000),
        ("nFat", 60),
        ("nDup", 60),
        ("xEnder", 60),
        ("esp", 60),
        ("marca", 60),
        ("nVol", 60),
        ("qVol", 15),
    ];
    LIMITS.iter().fold(xml.to_owned(), |xml, (tag, most)| replaced(&xml, tag, &text(*most, letter, spaced)))
}

fn text(length: usize, letter: char, spaced: bool) -> String {
    (1..=length).map(|place| if spaced && place % 11 == 0 && place < length { ' ' } else { letter }).collect()
}

/// Replaces every content of a tag.
pub(crate) fn replaced(xml: &str, tag: &str, content: &str) -> String {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut out = String::new();
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once(&open) {
        let (_, behind) = after.split_once(&close).unwrap();
        out.push_str(&format!("{before}{open}{content}{close}"));
        rest = behind;
    }
    out + rest
}

/// Repeats the document's first item.
pub(crate) fn with_items(xml: &str, count: usize) -> String {
    let start = xml.find("<det ").unwrap();
    let end = xml.rfind("</det>").unwrap() + "</det>".len();
    let item = &xml[start..xml.find("</det>").unwrap() + "</det>".len()];
    let item = item.split_once('>').unwrap().1;
    let items: String = (1..=count).map(|number| format!("<det nItem=\"{number}\">{item}")).collect();
    format!("{}{items}{}", &xml[..start], &xml[end..])
}

/// The document with `count` items, each with its own code and name: `P00001`, `PRODUTO NUMERO 00001`.
pub(crate) fn numbered(xml: &str, count: usize) -> String {
    let xml = with_items(xml, count);
    let mut out = String::new();
    for (number, part) in xml.split("<cProd>").enumerate() {
        if number == 0 {
            out.push_str(part);
            continue;
        }
        let (_, after) = part.split_once("</cProd>").unwrap();
        let item = format!("{after}</>");
        let item = replaced(&item, "xProd", &format!("PRODUTO NUMERO {number:05}"));
        out.push_str(&format!("<cProd>P{number:05}</cProd>{}", item.trim_end_matches("</>")));
    }
    out
}

/// The document with its authority's answer.
pub(crate) fn answered(xml: &str, cStat: &str, nProt: &str, dhRecbto: &str) -> String {
    let nfe = xml.split_once("?>").map_or(xml, |(_, rest)| rest);
    format!(
        "<nfeProc versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/nfe\">{nfe}<protNFe versao=\"4.00\"><infProt><tpAmb>1</tpAmb>\
         <verAplic>1</verAplic><chNFe/><dhRecbto>{dhRecbto}</dhRecbto><nProt>{nProt}</nProt><digVal/><cStat>{cStat}</cStat><xMotivo/>\
         </infProt></protNFe></nfeProc>"
    )
}

/// Inserts XML before the end tag of the last element of a name.
pub(crate) fn within(xml: &str, tag: &str, more: &str) -> String {
    let close = format!("</{tag}>");
    let at = xml.rfind(&close).unwrap();
    format!("{}{more}{}", &xml[..at], &xml[at..])
}
