//! The frequent rejections of integrators: `avisos` of the 202 and `verificar-campos` predict the authority's code.

use serde_json::{Value, json};

use crate::support::app::{TestApp, ended};
use crate::support::body::{self, NUMERIC, ibscbs_of_100, number};

/// A payload that breaks one rule: the code, the named field, and the changes of the valid payload (`null` removes).
struct Broken {
    cStat: u16,
    campo: &'static str,
    changes: Vec<(&'static str, Value)>,
}

fn broken(cStat: u16, campo: &'static str, changes: Vec<(&'static str, Value)>) -> Broken {
    Broken { cStat, campo, changes }
}

/// São Paulo's civil time, some minutes from now.
fn in_minutes(minutes: i64) -> Value {
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(minutes);
    json!(engine::process::local_time::written(at, fiscal::value::Uf::SP))
}

/// A day, so many from today.
fn in_days(days: i64) -> Value {
    let moment = in_minutes(days * 24 * 60);
    json!(moment.as_str().unwrap()[..10])
}

/// The seller sends the goods.
fn sent(mut changes: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
    changes.push(("transportador", json!({ "modFrete": 0 })));
    changes
}

const RJ: [(&str, &str); 3] =
    [("destinatario.UF", "RJ"), ("destinatario.xMun", "Rio de Janeiro"), ("destinatario.CEP", "20040030")];

/// The addressee lives in Rio de Janeiro.
fn to_rio(changes: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
    let address = RJ.iter().map(|(path, value)| (*path, json!(value)));
    address.chain([("destinatario.cMun", json!(3_304_557))]).chain(changes).collect()
}

/// The issuer pays ICMS, and the item has its amount.
fn taxed(icms: Value, changes: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
    let ibscbs = ibscbs_of_100();
    let own = [("emitente", json!({ "CRT": 3 })), ("produtos.0.icms", icms), ("produtos.0.ibscbs", ibscbs)];
    own.into_iter().chain(changes).collect()
}

fn full(vICMS: &str) -> Value {
    json!({ "orig": 0, "CST": "00", "modBC": 3, "vBC": number("100.00"), "pICMS": number("18.00"), "vICMS": number(vICMS) })
}

fn bills(list: Value) -> Value {
    json!({ "fatura": { "nFat": "1", "vOrig": number("100.00"), "vDesc": number("0.00"), "vLiq": number("100.00") }, "duplicatas": list })
}

fn bill(nDup: &str, days: i64, vDup: &str) -> Value {
    let due = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24 * days);
    json!({ "nDup": nDup, "dVenc": due.to_string()[..10], "vDup": number(vDup) })
}

const KEY: &str = "35261011222333000181550010000000771123456703";

fn identification() -> Vec<Broken> {
    vec![
        broken(506, "nota.identificacao.dhSaiEnt", vec![("identificacao.dhSaiEnt", in_minutes(-60))]),
        broken(703, "nota.identificacao.dhEmi", vec![("identificacao.dhEmi", in_minutes(60))]),
        broken(228, "nota.identificacao.dhEmi", vec![("identificacao.dhEmi", in_minutes(-40 * 24 * 60))]),
        broken(271, "nota.identificacao.cMunFG", vec![("identificacao.cMunFG", json!(4_314_902))]),
        broken(710, "nota.identificacao.tpImp", vec![("identificacao.tpImp", json!(4))]),
        broken(321, "nota.identificacao.NFref", vec![("identificacao.finNFe", json!(4))]),
        broken(434, "nota.identificacao.indIntermed", vec![("identificacao.indPres", json!(2))]),
        broken(
            435,
            "nota.identificacao.indIntermed",
            vec![("identificacao.indPres", json!(0)), ("identificacao.indIntermed", json!(1))],
        ),
        broken(1157, "nota.identificacao.dPrevEntrega", vec![("identificacao.dPrevEntrega", in_days(3))]),
        broken(1155, "nota.identificacao.dPrevEntrega", sent(vec![("identificacao.dPrevEntrega", in_days(-2))])),
        broken(1154, "nota.identificacao.dPrevEntrega", sent(vec![("identificacao.dPrevEntrega", in_days(100))])),
        broken(347, "nota.emitente.IEST", vec![("emitente", json!({ "IEST": "110042490114" }))]),
    ]
}

/// References of a note: keys of others, keys without a document, paper notes from another state.
fn references() -> Vec<Broken> {
    let refers = |one: Value| ("identificacao.NFref", json!([one]));
    let complement = ("identificacao.finNFe", json!(2));
    let of_another = "35261012ABC34501DE35550010000000771123456704";
    let of_rio = "33261011222333000181550010000000771123456709";
    vec![
        broken(254, "nota.identificacao.NFref", vec![complement.clone()]),
        broken(
            269,
            "nota.identificacao.NFref[0].refNFe",
            vec![complement.clone(), refers(json!({ "refNFe": of_another }))],
        ),
        broken(678, "nota.identificacao.NFref[0].refNFe", vec![complement, refers(json!({ "refNFe": of_rio }))]),
    ]
}

/// Places of collection and delivery, and the carrier.
fn places() -> Vec<Broken> {
    let place = |cMun: u32, UF: &str, more: Value| {
        let mut whole = json!({
            "CNPJCPF": "12ABC34501DE35", "xLgr": "Rua do Porto", "nro": "7", "xBairro": "Centro", "cMun": cMun, "xMun": "Santos", "UF": UF
        });
        whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        whole
    };
    let carrier = |modFrete: u8, CNPJCPF: &str| {
        (
            "transportador",
            json!({ "modFrete": modFrete, "CNPJCPF": CNPJCPF, "xNome": "Transportes Exemplo", "UF": "SP" }),
        )
    };
    let none = json!({});
    vec![
        broken(513, "nota.retirada.cMun", vec![("retirada", place(3_548_500, "EX", none.clone()))]),
        broken(276, "nota.retirada.cMun", vec![("retirada", place(3_599_999, "SP", none.clone()))]),
        broken(277, "nota.retirada.cMun", vec![("retirada", place(3_548_500, "RJ", none.clone()))]),
        broken(279, "nota.entrega.cMun", vec![("entrega", place(3_548_500, "RJ", none))]),
        broken(970, "nota.entrega.cPais", vec![("entrega", place(3_548_500, "SP", json!({ "cPais": 9999 })))]),
        broken(971, "nota.entrega.IE", vec![("entrega", place(3_548_500, "SP", json!({ "IE": "110042490115" })))]),
        broken(845, "nota.transportador", vec![carrier(9, "12ABC34501DE35")]),
        broken(846, "nota.transportador.CNPJCPF", vec![carrier(3, "12ABC34501DE35")]),
        broken(848, "nota.transportador.CNPJCPF", vec![carrier(4, "12ABC34501DE35")]),
    ]
}

fn addressee() -> Vec<Broken> {
    let other_state =
        |idDest: u8| to_rio(vec![("identificacao.idDest", json!(idDest)), ("produtos.0.CFOP", json!(6102))]);
    vec![
        broken(275, "nota.destinatario.cMun", vec![("destinatario.cMun", json!(4_314_902))]),
        broken(772, "nota.destinatario.UF", vec![("identificacao.idDest", json!(2)), ("produtos.0.CFOP", json!(6102))]),
        broken(773, "nota.destinatario.UF", {
            let mut changes = other_state(1);
            changes.extend([("identificacao.indFinal", json!(0)), ("destinatario.indIEDest", json!(1))]);
            changes
        }),
        broken(696, "nota.identificacao.indFinal", vec![("identificacao.indFinal", json!(0))]),
        broken(728, "nota.destinatario.IE", vec![("destinatario.indIEDest", json!(1))]),
        broken(805, "nota.destinatario.indIEDest", vec![("destinatario.indIEDest", json!(2))]),
        broken(791, "nota.destinatario.IE", {
            let sc =
                [("destinatario.UF", "SC"), ("destinatario.xMun", "Florianopolis"), ("destinatario.CEP", "88010000")];
            let mut changes: Vec<(&str, Value)> = sc.iter().map(|(path, value)| (*path, json!(value))).collect();
            changes.extend([("destinatario.cMun", json!(4_205_407)), ("identificacao.idDest", json!(2))]);
            changes.extend([("produtos.0.CFOP", json!(6102)), ("destinatario.indIEDest", json!(2))]);
            changes.push(("destinatario.IE", json!("251040852")));
            changes
        }),
    ]
}

fn items() -> Vec<Broken> {
    let item =
        |cStat: u16, campo: &'static str, path: &'static str, value: Value| broken(cStat, campo, vec![(path, value)]);
    vec![
        item(611, "nota.produtos[0].cEAN", "produtos.0.cEAN", json!("7891000315508")),
        broken(
            612,
            "nota.produtos[0].cEANTrib",
            vec![("produtos.0.cEAN", json!("7891000315507")), ("produtos.0.cEANTrib", json!("7891000315508"))],
        ),
        broken(
            885,
            "nota.produtos[0].cEANTrib",
            vec![("produtos.0.cEAN", json!("7891000315507")), ("produtos.0.cEANTrib", json!("SEM GTIN"))],
        ),
        broken(
            886,
            "nota.produtos[0].cEAN",
            vec![("produtos.0.cEAN", json!("SEM GTIN")), ("produtos.0.cEANTrib", json!("7891000315507"))],
        ),
        item(777, "nota.produtos[0].NCM", "produtos.0.NCM", json!("48")),
        item(778, "nota.produtos[0].NCM", "produtos.0.NCM", json!("48202099")),
        item(518, "nota.produtos[0].CFOP", "produtos.0.CFOP", json!(1102)),
        item(519, "nota.produtos[0].CFOP", "identificacao.tpNF", json!(0)),
        item(731, "nota.produtos[0].CFOP", "produtos.0.CFOP", json!(7102)),
        item(732, "nota.produtos[0].CFOP", "produtos.0.CFOP", json!(6102)),
        broken(733, "nota.produtos[0].CFOP", to_rio(vec![("identificacao.idDest", json!(2))])),
        item(770, "nota.produtos[0].CFOP", "produtos.0.CFOP", json!(5100)),
        broken(
            327,
            "nota.produtos[0].CFOP",
            vec![("identificacao.finNFe", json!(4)), ("identificacao.NFref", json!([{ "refNFe": KEY }]))],
        ),
        item(328, "nota.produtos[0].CFOP", "produtos.0.CFOP", json!(5202)),
        item(629, "nota.produtos[0].vProd", "produtos.0.qCom", json!(21)),
        item(630, "nota.produtos[0].vProd", "produtos.0.qTrib", json!(21)),
        broken(
            483,
            "nota.produtos[0].vDesc",
            vec![("produtos.0.vDesc", number("100.01")), ("produtos.0.vFrete", number("10.00"))],
        ),
    ]
}

fn taxes() -> Vec<Broken> {
    let icms = "nota.produtos[0].icms";
    let interstate = vec![("identificacao.idDest", json!(2)), ("produtos.0.CFOP", json!(6102))];
    let mut at_twelve = full("12.00");
    at_twelve["pICMS"] = number("12.00");
    vec![
        broken(590, icms, vec![("produtos.0.icms", json!({ "orig": 0, "CST": "40" }))]),
        broken(591, icms, vec![("emitente", json!({ "CRT": 3 }))]),
        broken(600, icms, vec![("produtos.0.icms", json!({ "orig": 0, "CSOSN": "900" }))]),
        broken(508, icms, taxed(json!({ "orig": 0, "CST": "90" }), vec![])),
        broken(528, icms, taxed(full("17.00"), vec![])),
        broken(694, "nota.produtos[0].icmsufdest", taxed(at_twelve, to_rio(interstate))),
        broken(
            695,
            "nota.produtos[0].icmsufdest",
            taxed(
                full("18.00"),
                vec![(
                    "produtos.0.icmsufdest",
                    json!({
                        "vBCUFDest": 100, "pICMSUFDest": 20, "pICMSInter": 12, "pICMSInterPart": 100, "vICMSUFDest": 8, "vICMSUFRemet": 0
                    }),
                )],
            ),
        ),
    ]
}

fn totals() -> Vec<Broken> {
    let total = |cStat: u16, campo: &'static str, tag: &str| {
        broken(cStat, campo, vec![("total", json!({ tag: number("1.00") }))])
    };
    vec![
        total(531, "nota.total.vBC", "vBC"),
        total(532, "nota.total.vICMS", "vICMS"),
        total(533, "nota.total.vBCST", "vBCST"),
        total(534, "nota.total.vST", "vST"),
        total(564, "nota.total.vProd", "vProd"),
        total(535, "nota.total.vFrete", "vFrete"),
        total(537, "nota.total.vDesc", "vDesc"),
        total(538, "nota.total.vIPI", "vIPI"),
        total(602, "nota.total.vPIS", "vPIS"),
        total(603, "nota.total.vCOFINS", "vCOFINS"),
        total(604, "nota.total.vOutro", "vOutro"),
        total(610, "nota.total.vNF", "vNF"),
    ]
}

fn billing() -> Vec<Broken> {
    let payment = |more: Value| {
        let mut whole = json!({ "indPag": 0, "tPag": "17", "vPag": number("100.00") });
        whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ("pagamentos", json!([whole]))
    };
    vec![
        broken(852, "nota.cobranca.duplicatas[0].nDup", vec![("cobranca", bills(json!([bill("1", 30, "100.00")])))]),
        broken(
            850,
            "nota.cobranca.duplicatas[1].dVenc",
            vec![("cobranca", bills(json!([bill("001", 60, "50.00"), bill("002", 30, "50.00")])))],
        ),
        broken(851, "nota.cobranca.duplicatas", vec![("cobranca", bills(json!([bill("001", 30, "99.00")])))]),
        broken(904, "nota.pagamentos[0].vPag", vec![payment(json!({ "tPag": "90" }))]),
        broken(436, "nota.pagamentos[0].tPag", vec![payment(json!({ "tPag": "06" }))]),
        broken(963, "nota.pagamentos[0].card", vec![payment(json!({ "tPag": "01", "card": { "tpIntegra": 2 } }))]),
        broken(
            443,
            "nota.pagamentos[0].card.tBand",
            vec![payment(json!({ "card": { "tpIntegra": 2, "tBand": "28" } }))],
        ),
        broken(392, "nota.pagamentos[0].card", vec![payment(json!({ "tPag": "03", "card": { "tpIntegra": 1 } }))]),
        broken(
            438,
            "nota.intermediador",
            vec![("identificacao.indPres", json!(2)), ("identificacao.indIntermed", json!(1))],
        ),
    ]
}

/// The good payload with its changes.
fn payload(case: &Broken) -> Value {
    let mut body = body::emission(NUMERIC);
    for (path, value) in &case.changes {
        let mut at = &mut body["nota"];
        for step in path.split('.') {
            at = match step.parse::<usize>() {
                Ok(index) => &mut at[index],
                Err(_) => &mut at[step],
            };
        }
        *at = value.clone();
    }
    body
}

/// Returns the predicted code at a field: that of the first prediction, which the authority answers.
fn first(predictions: &Value, code: &str) -> Option<(u64, String)> {
    let all = predictions.as_array()?.iter();
    let first = all.filter(|one| one[code].is_u64()).find(|one| one["codigo"] != "campo_desconhecido")?;
    Some((first[code].as_u64()?, first["campo"].as_str()?.to_owned()))
}

#[tokio::test]
async fn what_is_predicted_is_what_the_authority_answers() {
    let app = TestApp::start().await;
    let client = app.issuer(NUMERIC).await.test;
    let cases: Vec<Broken> =
        [identification(), references(), addressee(), places(), items(), taxes(), totals(), billing()]
            .into_iter()
            .flatten()
            .collect();
    assert!(cases.len() >= 40, "{} are few", cases.len());
    let mut sent = Vec::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let body = payload(case);
        let expected = Some((u64::from(case.cStat), case.campo.to_owned()));
        let verified = client.post("/v1/nfe/verificar-campos", &body).await;
        let predicted =
            if verified.status == 200 { first(&verified.json()["rejeicoes_previstas"], "codigo_status") } else { None };
        if predicted != expected {
            wrong.push(format!("verificar-campos of {}: {predicted:?}, {}", case.cStat, verified.text()));
        }
        let accepted = client.post("/v1/nfe/emitir", &body).await;
        if accepted.status != 202 {
            wrong.push(format!("emitir of {}: {}", case.cStat, accepted.text()));
            continue;
        }
        let accepted = accepted.json();
        let predicted = first(&accepted["avisos"], "codigo_status");
        if predicted != expected {
            wrong.push(format!("avisos of {}: {predicted:?}, {}", case.cStat, accepted["avisos"]));
        }
        sent.push((case.cStat, accepted));
    }
    for (cStat, accepted) in &sent {
        let job = ended(&client, accepted).await;
        if job["nota"]["codigo_status"] != u64::from(*cStat) {
            wrong.push(format!("the authority answered {cStat} with {}", job["nota"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    app.finish().await;
}
