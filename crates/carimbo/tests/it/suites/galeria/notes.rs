//! The notes of the gallery, as a caller writes them: a wholesaler's invoice and a shop's receipt with any number of
//! items, and totals that are their sums.

use serde_json::{Value, json};

use crate::support::body::number;

/// Code, name, NCM, unit, cents.
const PRODUCTS: &[(&str, &str, &str, &str, i64)] = &[
    ("7891000100103", "CAFÉ TORRADO E MOÍDO TRADICIONAL 500 G", "09012100", "UN", 1_890),
    ("ARZ-T1-5", "ARROZ AGULHINHA TIPO 1 PACOTE 5 KG", "10063021", "PCT", 2_749),
    ("FEI-CAR-1", "FEIJÃO CARIOCA TIPO 1 PACOTE 1 KG", "07133399", "PCT", 899),
    ("OLE-SOJA-900", "ÓLEO DE SOJA REFINADO 900 ML", "15079011", "UN", 779),
    ("ACU-REF-1", "AÇÚCAR REFINADO ESPECIAL 1 KG", "17019900", "PCT", 489),
    ("LEI-UHT-INT", "LEITE UHT INTEGRAL 1 L CAIXA COM 12 UNIDADES", "04012010", "CX", 6_588),
    (
        "SAB-PO-16",
        "DETERGENTE EM PÓ LAVAGEM PERFEITA 1,6 KG EMBALAGEM ECONÔMICA LEVE 1,6 PAGUE 1,4",
        "34025000",
        "UN",
        2_390,
    ),
    ("PAP-HIG-12", "PAPEL HIGIÊNICO FOLHA DUPLA 30 M COM 12 ROLOS", "48181000", "FD", 1_999),
];

fn money(cents: i64) -> Value {
    number(&format!("{}.{:02}", cents / 100, cents % 100))
}

/// Half a cent upwards.
fn share(cents: i64, ten_thousandths: i64) -> i64 {
    (cents * ten_thousandths + 5_000) / 10_000
}

/// An item under ICMS in full; every third with a discount, of an invoice with freight, and with IPI.
fn item(place: usize, retail: bool) -> (Value, i64) {
    let (code, name, ncm, unit, price) = PRODUCTS[place % PRODUCTS.len()];
    let quantity = i64::try_from(if retail { 1 + place % 3 } else { 12 * (1 + place % 5) }).unwrap();
    let product = price * quantity;
    let third = place % 3 == 2;
    let discount = if third { share(product, 150) } else { 0 };
    let freight = if retail { 0 } else { 370 };
    let base = product - discount + freight;
    let icms = share(base, 1_800);
    let (pis, cofins) = (share(base - icms, 165), share(base - icms, 760));
    let new = base - icms - pis - cofins;
    let ipi = if third && !retail { share(base, 325) } else { 0 };
    let mut item = json!({
        "cProd": if place < PRODUCTS.len() { code.to_owned() } else { format!("{code}-{}", place / PRODUCTS.len()) },
        "xProd": name, "NCM": ncm, "CFOP": 5102, "uCom": unit, "qCom": quantity, "vUnCom": money(price), "vProd": money(product),
        "icms": { "orig": 0, "CST": "00", "modBC": 3, "vBC": money(base), "pICMS": 18, "vICMS": money(icms) },
        "pis": { "CST": "01", "vBC": money(base - icms), "pPIS": number("1.65"), "vPIS": money(pis) },
        "cofins": { "CST": "01", "vBC": money(base - icms), "pCOFINS": number("7.6"), "vCOFINS": money(cofins) },
        "ibscbs": {
            "cst": "000", "classificacao": "000001",
            "ibs_uf": { "valor_bc": money(new), "aliquota": number("0.1"), "valor": money(share(new, 10)) },
            "ibs_mun": { "valor_bc": money(new), "aliquota": 0, "valor": 0 },
            "cbs": { "valor_bc": money(new), "aliquota": number("0.9"), "valor": money(share(new, 90)) }
        }
    });
    if freight > 0 {
        item["vFrete"] = money(freight);
    }
    if discount > 0 {
        item["vDesc"] = money(discount);
    }
    if ipi > 0 {
        item["ipi"] =
            json!({ "cEnq": "999", "CST": "50", "vBC": money(base), "pIPI": number("3.25"), "vIPI": money(ipi) });
    }
    if place % 8 == 6 {
        item["infAdProd"] = json!("Lote promocional; validade 12/2027. Empilhar no máximo 8 volumes.");
    }
    (item, base + ipi)
}

fn items(count: usize, retail: bool) -> (Vec<Value>, i64) {
    let (items, cents): (Vec<Value>, Vec<i64>) = (0..count).map(|place| item(place, retail)).unzip();
    (items, cents.into_iter().sum())
}

/// An invoice between companies, paid in three parts.
pub(super) fn invoice(count: usize) -> Value {
    let (produtos, cents) = items(count, false);
    let mut nota = json!({
        "identificacao": { "natOp": "VENDA DE MERCADORIA ADQUIRIDA DE TERCEIROS", "tpNF": 1, "indFinal": 0, "indPres": 1 },
        "destinatario": {
            "CNPJCPF": "12ABC34501DE35", "xNome": "SUPERMERCADO IRMÃOS MENDONÇA LTDA", "indIEDest": 1, "IE": "110042490114",
            "xLgr": "RUA DO ROSÁRIO", "nro": "415", "xBairro": "CENTRO", "cMun": 3525904, "xMun": "JUNDIAÍ", "UF": "SP",
            "CEP": "13201014", "Fone": "1145219900"
        },
        "produtos": produtos,
        "transportador": {
            "modFrete": 0, "CNPJCPF": "60701190000104", "xNome": "TRANSPORTES RÁPIDO BANDEIRANTE S.A.", "IE": "110042490114",
            "xEnder": "RODOVIA ANHANGUERA KM 15", "xMun": "SÃO PAULO", "UF": "SP",
            "veicTransp": { "placa": "BRA2E19", "UF": "SP", "RNTC": "45678901" },
            "volumes": [{
                "qVol": 48, "esp": "CAIXAS E FARDOS", "marca": "AURORA", "nVol": "1 A 48", "pesoL": number("1234.500"), "pesoB": number("1301.250")
            }]
        },
        "pagamentos": [{ "indPag": 1, "tPag": "15", "vPag": money(cents) }],
        "infAdic": {
            "infCpl": "Pedido 4500-2211. Entregar das 8h às 17h, doca 2. Mercadoria conferida no ato da entrega; reclamações em até 48 horas."
        }
    });
    nota["cobranca"] = charged(cents, 3);
    nota
}

/// The invoice in so many instalments.
fn charged(cents: i64, instalments: i64) -> Value {
    let of = |n: i64| {
        let part = cents / instalments + if n == instalments { cents % instalments } else { 0 };
        let month = 11 + n;
        let due = format!("{}-{:02}-20", 2026 + (month - 1) / 12, (month - 1) % 12 + 1);
        json!({ "nDup": format!("{n:03}"), "dVenc": due, "vDup": money(part) })
    };
    let duplicatas: Vec<Value> = (1..=instalments).map(of).collect();
    json!({ "fatura": { "nFat": "48215", "vOrig": money(cents), "vDesc": 0, "vLiq": money(cents) }, "duplicatas": duplicatas })
}

/// Everything that fills the first sheet: forty instalments, six volumes, pick-up and delivery, the longest names and
/// words.
pub(super) fn crowded() -> Value {
    let mut nota = invoice(18);
    let (_, cents) = items(18, false);
    nota["cobranca"] = charged(cents, 40);
    let volume = |n: usize| json!({ "qVol": n, "esp": "PALETE DE MADEIRA RETORNÁVEL", "marca": "AURORA", "nVol": format!("LOTE {n}"), "pesoL": 10 * n, "pesoB": 11 * n });
    nota["transportador"]["volumes"] = (1..=6).map(volume).collect();
    let place = json!({
        "CNPJCPF": "11222333000181", "xNome": "DEPÓSITO CENTRAL DA DISTRIBUIDORA AURORA", "IE": "110042490114", "xLgr": "RUA DO DEPÓSITO", "nro": "7",
        "xCpl": "DOCA 3", "xBairro": "LAPA", "cMun": 3550308, "xMun": "SÃO PAULO", "UF": "SP", "CEP": "05001000", "Fone": "1133334444"
    });
    nota["retirada"] = place.clone();
    nota["entrega"] = place;
    let party = &mut nota["destinatario"];
    party["xNome"] = json!("INDÚSTRIA, COMÉRCIO, IMPORTAÇÃO E EXPORTAÇÃO DE ALIMENTOS SA");
    party["xLgr"] = json!("AVENIDA PRESIDENTE JUSCELINO KUBITSCHEK DE OLIVEIRA ESQUINA");
    party["xCpl"] = json!("BLOCO B, 14º ANDAR, CONJUNTOS 1401 A 1408, ALA NORTE");
    let sentence = "Mercadoria sujeita ao regime de substituição tributária conforme artigo 313-W do RICMS/SP, Decreto 45.490/2000; imposto recolhido na \
                    forma do Protocolo ICMS 41/2008. ";
    let words: String = sentence.repeat(40).chars().take(4_990).collect();
    nota["infAdic"]["infCpl"] = json!(words.trim());
    nota
}

/// A sale at the counter, to an identified consumer with an address or to an anonymous one.
pub(super) fn sale(count: usize, consumer: bool) -> Value {
    let (produtos, cents) = items(count, true);
    let paid = cents / 1000 * 1000 + 1000;
    let mut nota = json!({
        "identificacao": { "natOp": "VENDA AO CONSUMIDOR" },
        "produtos": produtos,
        "pagamentos": [
            { "tPag": "20", "vPag": money(paid - 2000) },
            { "tPag": "01", "vPag": money(2000) }
        ],
        "troco": money(paid - cents),
        "infAdic": { "infCpl": "Obrigado pela preferência! Trocas em até 7 dias com este cupom." }
    });
    if consumer {
        nota["destinatario"] = json!({
            "CNPJCPF": "52998224725", "xNome": "MARIA DA CONCEIÇÃO SILVA", "indIEDest": 9, "xLgr": "RUA DOUTOR FERNANDES COELHO", "nro": "1250",
            "xCpl": "APARTAMENTO 142 BLOCO JACARANDÁ", "xBairro": "PINHEIROS", "cMun": 3550308, "xMun": "SÃO PAULO", "UF": "SP", "CEP": "05423040"
        });
    }
    nota
}

/// The sale by an NF-e, to a person.
pub(super) fn person() -> Value {
    let mut nota = sale(3, true);
    nota["identificacao"] = json!({ "natOp": "VENDA AO CONSUMIDOR", "tpNF": 1, "indFinal": 1, "indPres": 1 });
    nota
}

/// And printed as a receipt is: DANFE Simplificado Tipo 2.
pub(super) fn counter() -> Value {
    let mut nota = person();
    nota["identificacao"]["tpImp"] = json!(6);
    nota
}

/// An invoice that is printed on security paper (FS-DA) before its authority has it.
pub(super) fn on_security_paper() -> Value {
    let mut nota = invoice(5);
    nota["identificacao"]["tpEmis"] = json!(5);
    nota["identificacao"]["dhCont"] = json!("2026-11-20T10:05:00-03:00");
    nota["identificacao"]["xJust"] = json!("Depósito sem acesso a internet");
    nota
}

/// Weight in grams, and price per kilogram (the unit of foreign trade), of the first three products.
const EXPORTED: [(i64, &str); 3] = [(500, "37.80"), (5_000, "5.498"), (1_000, "8.99")];

/// To a person abroad, to a person with a CPF at the counter.
pub(super) fn abroad(mut nota: Value) -> Value {
    for (item, (grams, price)) in nota["produtos"].as_array_mut().unwrap().iter_mut().zip(EXPORTED) {
        let weight = item["qCom"].as_i64().unwrap() * grams;
        item["CFOP"] = json!(7102);
        item["uTrib"] = json!("KG");
        item["qTrib"] = number(&format!("{}.{:03}", weight / 1_000, weight % 1_000));
        item["vUnTrib"] = number(price);
        item["icms"] = json!({ "orig": 0, "CST": "41" });
        item["pis"] = json!({ "CST": "08" });
        item["cofins"] = json!({ "CST": "08" });
        item["ibscbs"] = json!({ "cst": "410", "classificacao": "410004" });
        item.as_object_mut().unwrap().remove("ipi");
    }
    nota["destinatario"] = json!({
        "idEstrangeiro": "PASSPORT-X123456", "xNome": "COFFEE TRADING INC", "indIEDest": 9, "xLgr": "MAIN STREET", "nro": "100", "xBairro": "DOWNTOWN",
        "cMun": 9999999, "xMun": "EXTERIOR", "UF": "EX", "cPais": 2496, "xPais": "ESTADOS UNIDOS"
    });
    nota["exporta"] = json!({ "UFSaidaPais": "SP", "xLocExporta": "PORTO DE SANTOS" });
    let total = |nota: &Value| -> i64 {
        let cents = |value: &Value| value.to_string().replace('.', "").parse::<i64>().unwrap_or_default();
        let of = |item: &Value| cents(&item["vProd"]) - cents(&item["vDesc"]) + cents(&item["vFrete"]);
        nota["produtos"].as_array().unwrap().iter().map(of).sum()
    };
    nota["pagamentos"] = json!([{ "indPag": 0, "tPag": "18", "vPag": money(total(&nota)) }]);
    nota.as_object_mut().unwrap().remove("cobranca");
    nota
}
