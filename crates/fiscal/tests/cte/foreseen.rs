//! Rejections as a caller reads them: a base that every rule takes, changed in one thing, the code that is foreseen and the field it names.

use crate::cases::{self, Case, base};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Merge patch on the base, code and field.
type Broken = (&'static str, u16, &'static str);

const CARGO: &[Broken] = &[
    (r#"{"identificacao": {"CFOP": "5353"}}"#, 519, "nota.identificacao.CFOP"),
    (r#"{"identificacao": {"CFOP": "6102"}}"#, 676, "nota.identificacao.CFOP"),
    (r#"{"identificacao": {"CFOP": "6932"}}"#, 908, "nota.identificacao.CFOP"),
    (r#"{"identificacao": {"tpServ": 1}}"#, 521, "nota.documentos_anteriores"),
    (r#"{"tomador": {"indice": 1}}"#, 461, "nota.tomador.indice"),
    (r#"{"remetente": {"cMun": 3550308}}"#, 418, "nota.remetente.cMun"),
    (r#"{"destinatario": {"cMun": 3399999}}"#, 533, "nota.destinatario.cMun"),
    (r#"{"destinatario": {"IE": "77040286"}}"#, 210, "nota.destinatario.IE"),
    (r#"{"valores": {"vRec": 1500.01}}"#, 531, "nota.valores.vRec"),
    (r#"{"valores": {"vTPrest": 10000000}}"#, 650, "nota.valores.vTPrest"),
    (r#"{"imposto": {"icms": {"vICMS": 181}}}"#, 675, "nota.imposto.icms"),
    (r#"{"imposto": {"ibscbs": {"ibs_uf": {"valor": 1.34}}}}"#, 318, "nota.imposto.ibscbs.ibs_uf.valor"),
    (r#"{"imposto": {"ibscbs": {"ibs_uf": {"aliquota": 0.2}}}}"#, 316, "nota.imposto.ibscbs.ibs_uf.aliquota"),
    (r#"{"imposto": {"ibscbs": {"cst": "410", "classificacao": "410001"}}}"#, 314, "nota.imposto.ibscbs"),
    (r#"{"imposto": {"ibscbs": {"ibs_uf": null, "ibs_mun": null, "cbs": null}}}"#, 315, "nota.imposto.ibscbs"),
    (r#"{"imposto": {"ibscbs": null}}"#, 310, "nota.imposto.ibscbs"),
    (r#"{"imposto": {"vTotDFe": 1500.01}}"#, 365, "nota.imposto.vTotDFe"),
    (r#"{"carga": {"vCarga": null}}"#, 581, "nota.carga.vCarga"),
    (
        r#"{"documentos": {"nfe": [{"chave": "43261112ABC34501DE35550010000000011847362513"}, {"chave": "43261112ABC34501DE35550010000000011847362513"}]}}"#,
        527,
        "nota.documentos.nfe[1].chave",
    ),
    (r#"{"autXML": [{"CNPJCPF": "98765432000198"}, {"CNPJCPF": "33000167000101"}]}"#, 828, "nota.autXML[1]"),
];

const SERVICES: &[Broken] = &[
    (r#"{"identificacao": {"percurso": null}}"#, 753, "nota.identificacao.percurso"),
    (r#"{"identificacao": {"percurso": ["SP"]}}"#, 753, "nota.identificacao.percurso"),
    (r#"{"identificacao": {"CFOP": 6102}}"#, 676, "nota.identificacao.CFOP"),
    (r#"{"imposto": {"federais": null}}"#, 760, "nota.imposto.federais.vINSS"),
    (r#"{"rodoviario": {"fretamento": null}}"#, 841, "nota.rodoviario.fretamento"),
    (r#"{"rodoviario": {"fretamento": {"dhViagem": null}}}"#, 837, "nota.rodoviario.fretamento.dhViagem"),
    (
        r#"{"rodoviario": {"fretamento": {"dhViagem": "2026-11-19T08:00:00-03:00"}}}"#,
        838,
        "nota.rodoviario.fretamento.dhViagem",
    ),
    (r#"{"tomador": {"cMun": 3550308}}"#, 447, "nota.tomador.cMun"),
    (r#"{"tomador": {"IE": "0965555551"}}"#, 448, "nota.tomador.IE"),
];

/// Of the golden case `ibscbs_aliquota_zero`.
const REDUCED: &[Broken] = &[
    (
        r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": {"percentual": 60}}}}}"#,
        389,
        "nota.imposto.ibscbs.ibs_uf.reducao.percentual",
    ),
    (
        r#"{"imposto": {"ibscbs": {"cbs": {"reducao": {"percentual": 60}}}}}"#,
        393,
        "nota.imposto.ibscbs.cbs.reducao.percentual",
    ),
    (
        r#"{"imposto": {"ibscbs": {"ibs_uf": {"reducao": {"aliquota_efetiva": 0.05}}}}}"#,
        390,
        "nota.imposto.ibscbs.ibs_uf.reducao.aliquota_efetiva",
    ),
    (
        r#"{"imposto": {"ibscbs": {"cbs": {"reducao": {"aliquota_efetiva": 0.05}}}}}"#,
        394,
        "nota.imposto.ibscbs.cbs.reducao.aliquota_efetiva",
    ),
];

/// Codes and fields.
fn foreseen(case: &Case) -> BTreeSet<(u16, String)> {
    let built = case.build().unwrap_or_else(|found| panic!("{}: {found:#?}", case.folder.display()));
    built.notices.into_iter().filter_map(|notice| Some((notice.codigo_status?.number()?, notice.campo))).collect()
}

/// The official examples from before the reform: their digests are known, and an authority refuses them by now.
const SHOWN_ONLY: &[(&str, &[u16])] = &[("exemplo_pessoas_registro_estadual", &[310]), ("exemplo_sem_reforma", &[310])];

#[test]
fn nothing_else_is_foreseen_of_a_golden_case() {
    let mut wrong = Vec::new();
    assert!(cases::all().len() >= 60 + SHOWN_ONLY.len(), "few documents that an authority would take");
    for case in cases::all() {
        let codes: Vec<u16> = foreseen(&case).into_iter().map(|(cStat, _)| cStat).collect();
        let known = SHOWN_ONLY.iter().find(|(name, _)| case.folder.ends_with(name)).map_or(&[][..], |(_, codes)| codes);
        if codes != known {
            wrong.push(format!("{}: {codes:?}, not {known:?}", case.folder.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_caller_reads_which_field_is_refused() {
    let reduced = || cases::all().into_iter().find(|case| case.folder.ends_with("ibscbs_aliquota_zero")).unwrap();
    check(|| base("cte"), CARGO);
    check(|| base("cte_os"), SERVICES);
    check(reduced, REDUCED);
}

fn check(right: impl Fn() -> Case, rows: &[Broken]) {
    assert_eq!(foreseen(&right()), BTreeSet::new());
    let mut wrong = Vec::new();
    for (patch, cStat, campo) in rows {
        let patch: Value = serde_json::from_str(patch).unwrap();
        let told = foreseen(&right().with(&patch));
        if !told.contains(&(*cStat, (*campo).to_owned())) {
            wrong.push(format!("{patch}: {told:?}, not {cStat} at {campo}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// 933: a year and a month after the month in its key.
#[test]
fn a_complement_of_an_old_document_is_foreseen() {
    let complement = |month: &str| {
        let case = cases::all().into_iter().find(|case| case.folder.ends_with("complemento_de_valor")).unwrap();
        let body = format!("43{month}1122233300018157001000000077113572468");
        let chave = format!("{body}{}", check_digit(&body));
        foreseen(&case.with(&json!({ "complementado": [chave] })))
    };
    assert_eq!(complement("2511"), BTreeSet::new());
    assert_eq!(complement("2510"), BTreeSet::from([(933, "nota.complementado".to_owned())]));
}

fn check_digit(body: &str) -> u32 {
    let weights = (2..=9).cycle();
    let sum: u32 = body.bytes().rev().zip(weights).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[test]
fn what_is_wrong_is_told_with_the_official_text_and_a_remedy() {
    let case = base("cte").with(&json!({ "valores": { "vRec": 1500.01 } }));
    let told =
        case.build().unwrap().notices.into_iter().find(|notice| notice.codigo_status == Some(531.into())).unwrap();
    assert_eq!(told.codigo, "rejeicao_prevista");
    assert!(told.mensagem.starts_with("A SEFAZ deve rejeitar com 531: Rejeição: Valor a receber"), "{}", told.mensagem);
    assert!(told.mensagem.ends_with("Corrija vRec ou vTPrest, ou omita vRec."), "{}", told.mensagem);
}
