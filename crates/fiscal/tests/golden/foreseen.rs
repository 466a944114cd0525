//! Predicted rejections of products, imports and fuels: a golden case with a change or two, the first predicted code,
//! and the field it names in the payload.

use fiscal::finding::Notice;
use serde_json::{Value, json};
use testkit::cases;
use testkit::cases::nfe::Case;

/// Case, changes of its first product (`null` removes), code and field.
type Broken = (&'static str, &'static [(&'static str, Change)], u16, &'static str);
type Change = fn() -> Value;

const BROKEN: &[Broken] = &[
    ("minimo", &[("CFOP", || json!(5353))], 770, "CFOP"),
    ("minimo", &[("CFOP", || json!(5933))], 374, "issqn"),
    ("minimo", &[("CFOP", || json!(5501))], 817, "uTrib"),
    ("minimo", &[("cEAN", || json!("3810000000002"))], 882, "cEAN"),
    ("produto_cest_fabricante", &[("CNPJFab", || Value::Null)], 879, "CNPJFab"),
    ("issqn", &[("CFOP", || json!(5102))], 374, "CFOP"),
    ("exportacao_drawback", &[("uTrib", || json!("UN"))], 817, "uTrib"),
    ("exportacao_drawback", &[("CFOP", || json!(7127)), ("detExport", || Value::Null)], 338, "detExport.nDraw"),
    ("veiculo_venda", &[("veicProd.tpVeic", || json!("09"))], 841, "veicProd.tpVeic"),
    ("veiculo_venda", &[("veicProd.espVeic", || json!(2))], 843, "veicProd.espVeic"),
    ("medicamento", &[("rastro", || Value::Null)], 873, "rastro"),
    ("medicamento", &[("rastro.1.dFab", || json!("2026-11-21"))], 877, "rastro[1].dFab"),
    ("medicamento", &[("rastro.0.dVal", || json!("2026-04-30"))], 870, "rastro[0].dVal"),
    ("importacao_direta", &[("DI.0.dDesemb", || json!("2021-11-19"))], 376, "DI[0].dDesemb"),
    ("importacao_por_encomenda", &[("DI.0.UFTerceiro", || Value::Null)], 333, "DI[0].UFTerceiro"),
    ("combustivel_glp", &[("comb.pGLP", || json!(79))], 855, "comb.pGLP"),
    ("combustivel_glp", &[("comb.origComb", || Value::Null)], 909, "comb.origComb"),
    ("combustivel_encerrante", &[("uCom", || json!("LT"))], 854, "uTrib"),
    ("combustivel_encerrante", &[("comb.pBio", || Value::Null)], 908, "comb.pBio"),
    ("combustivel_encerrante", &[("comb.encerrante.vEncFin", || json!(9000))], 380, "comb.encerrante.vEncFin"),
    ("combustivel_encerrante", &[("comb.cProdANP", || json!("610101001"))], 907, "comb.pBio"),
    ("icms53", &[("comb.origComb.0.pOrig", || json!(50))], 958, "comb.origComb"),
    ("icms02", &[("icms.vICMSMono", || json!(1100))], 962, "icms.vICMSMono"),
    ("icms15", &[("icms.vICMSMonoReten", || json!("197.65"))], 964, "icms.vICMSMonoReten"),
    ("icms53", &[("icms.qBCMono", || Value::Null)], 767, "icms.qBCMono"),
    ("icms61", &[("icms.qBCMonoRet", || Value::Null)], 769, "icms.qBCMonoRet"),
    ("icms61", &[("icms", || json!({"orig": 0, "CST": "60"}))], 858, "icms"),
    (
        "icms61",
        &[("icms", || json!({"orig": 0, "CST": "00", "modBC": 3, "vBC": 6000, "pICMS": 18, "vICMS": 1080}))],
        960,
        "icms",
    ),
];

fn foreseen(case: &Case) -> Vec<Notice> {
    let built = case.build().unwrap_or_else(|violations| panic!("{}: {violations:?}", case.folder.display()));
    built.notices.into_iter().filter(|notice| notice.codigo == "rejeicao_prevista").collect()
}

fn change(case: &mut Case, path: &str, value: Value) {
    let mut at = &mut case.input["nota"]["produtos"][0];
    for step in path.split('.') {
        at = match step.parse::<usize>() {
            Ok(index) => &mut at[index],
            Err(_) => &mut at[step],
        };
    }
    *at = value;
}

#[test]
fn a_caller_reads_which_field_of_the_product_is_refused() {
    let mut wrong = Vec::new();
    for (name, changes, cStat, field) in BROKEN {
        let mut case = cases::nfe::all().into_iter().find(|case| case.folder.ends_with(name)).unwrap();
        assert_eq!(foreseen(&case), [], "{name}");
        for (path, value) in *changes {
            change(&mut case, path, value());
        }
        let first = foreseen(&case)
            .into_iter()
            .next()
            .map(|notice| (notice.codigo_status.and_then(|codigo| codigo.number()), notice.campo));
        let expected = Some((Some(*cStat), format!("nota.produtos[0].{field}")));
        if first != expected {
            wrong.push(format!("{name} {cStat}: {first:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), BROKEN.len(), wrong.join("\n"));
}
