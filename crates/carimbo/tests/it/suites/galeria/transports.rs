//! Transports: a DACTE with any number of notes, with every party, standing and lying, what it can be besides
//! authorised, and a DACTE OS.

use fiscal::value::{ChaveAcesso, ChaveParts, CnpjCpf, Uf};
use serde_json::{Value, json};

use super::{Gallery, Made};
use crate::support::app::{ended, job_when};
use crate::support::body::{ALPHANUMERIC, NUMERIC, number};
use crate::support::client::Client;

pub(super) async fn all(gallery: &mut Gallery, client: &Client) {
    forms(gallery, client).await;
    fates(gallery, client).await;
    services(gallery, client).await;
}

/// The text of the QR code that stands beside the bars of a transport.
pub(super) async fn qr_code(client: &Client, made: &Made) -> String {
    let xml = client.get(made.job["arquivos"]["xml"].as_str().unwrap()).await.text();
    let (text, _) = xml.split_once("<qrCodCTe>").unwrap().1.split_once("</qrCodCTe>").unwrap();
    text.replace("&amp;", "&")
}

/// Any number of notes carried, every party, and a key with letters.
async fn forms(gallery: &mut Gallery, client: &Client) {
    for notes in [1, 30, 300] {
        let made = gallery.issued(client, "cte", cargo(notes), "autorizada").await;
        let protocol = made.job["nota"]["protocolo"].as_str().unwrap_or("sem protocolo").to_owned();
        let told = ["DACTE", "RNTRC DA EMPRESA 12345678", "1.500,00", &protocol];
        gallery.draw(client, &made, "", &format!("dacte-{notes:03}-documentos"), &told).await;
        if notes == 30 {
            gallery.draw(client, &made, "?orientacao=paisagem", "dacte-paisagem", &told).await;
        }
    }
    let made = gallery.issued(client, "cte", crowded(), "autorizada").await;
    let told = ["EXPEDIDOR", "RECEBEDOR", "DOCUMENTOS ANTERIORES", "PREVISÃO DO FLUXO DA CARGA", "VEÍCULOS NOVOS"];
    gallery.draw(client, &made, "", "dacte-cheio", &told).await;
    gallery.draw(client, &made, "?orientacao=paisagem", "dacte-cheio-paisagem", &told).await;
    let made = gallery.issued(client, "cte", wordy(), "autorizada").await;
    let told = ["OBSERVAÇÕES (CONTINUAÇÃO)", "USO EXCLUSIVO DO EMISSOR DO CT-E"];
    gallery.draw(client, &made, "?orientacao=paisagem", "dacte-observacoes-paisagem", &told).await;
    let letters = gallery.company(ALPHANUMERIC, 1, None).await.live;
    let mut nota = cargo(4);
    nota["remetente"]["CNPJCPF"] = json!(NUMERIC);
    nota["documentos"] = json!({ "nfe": keys(4, NUMERIC) });
    let made = gallery.begun(&letters, "cte", ALPHANUMERIC, nota).await;
    let job = ended(&letters, &made.job).await;
    gallery.must(job["nota"]["status"] == "autorizada", || job.to_string());
    gallery.draw(&letters, &Made { job, ..made }, "", "dacte-cnpj-com-letras", &["12.ABC.345/01DE-35"]).await;
}

/// Tests, previews, refusals, and a complement of another.
async fn fates(gallery: &mut Gallery, client: &Client) {
    let trial = gallery.company(NUMERIC, 2, None).await.test;
    let made = gallery.issued(&trial, "cte", cargo(3), "autorizada").await;
    let told = ["EMITIDO EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL"];
    gallery.draw(&trial, &made, "", "dacte-homologacao", &told).await;
    let preview = client.post("/v1/cte/previa", &json!({ "cpf_cnpj": NUMERIC, "nota": cargo(3) })).await;
    assert_eq!(preview.status.as_u16(), 200, "{}", preview.text());
    gallery.keep("dacte-previa", &preview.bytes, "POST /v1/cte/previa", "o PDF é a resposta", &cargo(3));
    let mut refused = cargo(3);
    refused["carga"]["proPred"] = json!("CAFÉ [SIM:cStat=661]");
    let made = gallery.issued(client, "cte", refused, "rejeitada").await.void();
    gallery.draw(client, &made, "", "dacte-rejeitado", &["REJEITADO: 661", "SEM VALOR FISCAL"]).await;
    let first = gallery.issued(client, "cte", cargo(1), "autorizada").await;
    let made = gallery.issued(client, "cte", complement(&first), "autorizada").await;
    gallery.draw(client, &made, "", "dacte-complemento", &["Complemento de Valores", "CT-E COMPLEMENTADO"]).await;
}

/// Issues transports while no authority answers: each goes out with a form that states it.
pub(super) async fn given_out(gallery: &mut Gallery, client: &Client) {
    let mut nota = cargo(3);
    nota["identificacao"]["tpEmis"] = json!(2);
    let made = gallery.begun(client, "cte", NUMERIC, nota).await;
    let job = job_when(client, &made.job, |job| job["arquivos"]["xml"].is_string()).await;
    let told = [
        "DACTE em Contingência - impresso em decorrência de problemas técnicos",
        "EMITIDO EM CONTINGÊNCIA - pendente de autorização",
    ];
    gallery.draw(client, &Made { job, ..made }, "", "dacte-off-line", &told).await;
}

async fn services(gallery: &mut Gallery, client: &Client) {
    let made = gallery.issued(client, "cte", passengers(), "autorizada").await;
    let told = ["DACTE OS", "SEGURO DA VIAGEM", "PERCURSO DO VEÍCULO MG", "TERMO DE AUTORIZAÇÃO DE FRETAMENTO"];
    gallery.draw(client, &made, "", "dacte-os", &told).await;
    gallery.draw(client, &made, "?orientacao=paisagem", "dacte-os-paisagem", &told).await;
}

/// Keys of notes of a sender.
fn keys(count: usize, cnpj: &str) -> Vec<String> {
    let key = |number: u32| {
        let (uf, emitente) = (Uf::from_sigla("SP").unwrap(), CnpjCpf::parse(cnpj).unwrap());
        let (nNF, cNF) = (20_000 + number, 18_473_625 + 7 * number);
        ChaveAcesso::compose(&ChaveParts { uf, aamm: 2611, emitente, modelo: 55, serie: 1, nNF, tpEmis: 1, cNF })
            .to_string()
    };
    (1..=u32::try_from(count).unwrap()).map(key).collect()
}

/// Coffee from Osasco to Rio de Janeiro, for so many notes.
fn cargo(notes: usize) -> Value {
    json!({
        "identificacao": {
            "modelo": 57, "CFOP": "6353", "natOp": "PRESTAÇÃO DE SERVIÇO DE TRANSPORTE", "cMunIni": 3534401, "xMunIni": "OSASCO", "UFIni": "SP",
            "cMunFim": 3304557, "xMunFim": "RIO DE JANEIRO", "UFFim": "RJ"
        },
        "remetente": {
            "CNPJCPF": ALPHANUMERIC, "IE": "110042490114", "xNome": "TORREFAÇÃO SERRA DA MANTIQUEIRA LTDA", "fone": "1136540199",
            "xLgr": "RUA DO ROSÁRIO", "nro": "415", "xBairro": "CENTRO", "cMun": 3534401, "xMun": "OSASCO", "CEP": "06020010", "UF": "SP"
        },
        "destinatario": {
            "CNPJCPF": "33000167000101", "IE": "77040285", "xNome": "MERCADOS GUANABARA COMÉRCIO DE ALIMENTOS SA", "fone": "2122334455",
            "xLgr": "AVENIDA REPÚBLICA DO CHILE", "nro": "65", "xCpl": "LOJA 2", "xBairro": "CENTRO", "cMun": 3304557, "xMun": "RIO DE JANEIRO",
            "CEP": "20031912", "UF": "RJ"
        },
        "tomador": { "indice": "0" },
        "valores": {
            "vTPrest": 1500,
            "componentes": [{ "xNome": "FRETE PESO", "vComp": 1240 }, { "xNome": "PEDÁGIO", "vComp": 120 }, { "xNome": "GRIS", "vComp": 140 }]
        },
        "imposto": {
            "icms": { "CST": "00", "vBC": 1500, "pICMS": 12, "vICMS": 180 },
            "ibscbs": {
                "cst": "000", "classificacao": "000001",
                "ibs_uf": { "valor_bc": 1320, "aliquota": number("0.1"), "valor": number("1.32") },
                "ibs_mun": { "valor_bc": 1320, "aliquota": 0, "valor": 0 },
                "cbs": { "valor_bc": 1320, "aliquota": number("0.9"), "valor": number("11.88") }
            }
        },
        "carga": {
            "vCarga": 84500, "proPred": "CAFÉ TORRADO E MOÍDO", "xOutCat": "PALETIZADA",
            "quantidades": [
                { "cUnid": "01", "tpMed": "PESO BRUTO", "qCarga": number("12480.5") },
                { "cUnid": "01", "tpMed": "PESO BASE DE CALCULO", "qCarga": 13000 },
                { "cUnid": "00", "tpMed": "CUBAGEM", "qCarga": number("42.35") },
                { "cUnid": "03", "tpMed": "CAIXAS", "qCarga": 960 }
            ]
        },
        "documentos": { "nfe": keys(notes, ALPHANUMERIC) },
        "complemento": {
            "observacoes": "Motorista João Batista, CPF 529.982.247-25; cavalo BRA2E19, carreta BRA3F20. Agendar a descarga com 24 horas de antecedência.",
            "ObsCont": [{ "xCampo": "PEDIDO", "xTexto": "4500-2211, doca 2" }]
        },
        "rodoviario": { "rntrc": "12345678" }
    })
}

/// Carried on for another carrier, with everything that fills the first sheet.
fn crowded() -> Value {
    let mut nota = cargo(40);
    nota["identificacao"]["tpServ"] = json!(2);
    let place = json!({
        "CNPJCPF": "98765432000198", "IE": "110042490114", "xNome": "TERMINAL DE CARGAS DO ANHANGUERA ARMAZÉNS GERAIS LTDA", "fone": "1133334444",
        "xLgr": "RODOVIA ANHANGUERA", "nro": "KM 15", "xCpl": "GALPÃO 7, DOCAS 21 A 28, PORTARIA DOS FUNDOS", "xBairro": "VILA JAGUARA",
        "cMun": 3550308, "xMun": "SÃO PAULO", "CEP": "05112000", "UF": "SP"
    });
    nota["expedidor"] = place.clone();
    nota["recebedor"] = place;
    nota["tomador"] = json!({ "indice": "1" });
    nota["documentos_anteriores"] = json!([{
        "CNPJCPF": "98765432000198", "IE": "110042490114", "UF": "SP", "xNome": "TRANSPORTES CONTRATANTE LTDA",
        "cte": ["35261198765432000198570010000000771135724686"]
    }]);
    let component = |n: i64| json!({ "xNome": format!("PARCELA {n:02}"), "vComp": 100 });
    nota["valores"]["componentes"] = (1..=15).map(component).collect();
    nota["complemento"]["fluxo"] = json!({ "xOrig": "OSA", "pass": ["RES", "VRD"], "xDest": "RIO", "xRota": "BR-116" });
    let sentence = "Carga sujeita a conferência no destino; avarias e faltas devem ser anotadas neste conhecimento no ato da entrega. ";
    let words: String = sentence.repeat(20).chars().take(1_900).collect();
    nota["complemento"]["observacoes"] = json!(words.trim());
    let car = |n: i64| json!({ "chassi": format!("9BWZZZ377VT{n:06}"), "cCor": "01", "xCor": "BRANCA", "cMod": "123456", "vUnit": 80_000, "vFrete": 150 });
    nota["veiculos_novos"] = (4_251..4_261).map(car).collect();
    nota
}

/// A transport with the longest texts of the layout.
fn wordy() -> Value {
    let mut nota = cargo(2);
    let sentence = "Entregar somente de segunda a sexta-feira, das 8 às 17 horas, na doca indicada pelo destinatário, com agendamento. ";
    let words = |most: usize| sentence.repeat(most / 100).chars().take(most).collect::<String>().trim().to_owned();
    nota["complemento"]["observacoes"] = json!(words(2_000));
    nota["imposto"]["infAdFisco"] = json!(words(2_000));
    let own = |n: i64| json!({ "xCampo": format!("AVISO {n}"), "xTexto": words(160) });
    nota["complemento"]["ObsCont"] = (1..=10).map(own).collect();
    nota
}

/// More to pay for a transport.
fn complement(of: &Made) -> Value {
    let mut nota = cargo(1);
    let members = nota.as_object_mut().unwrap();
    for absent in ["carga", "documentos", "rodoviario"] {
        members.remove(absent);
    }
    nota["complementado"] = json!([of.job["nota"]["chave"]]);
    nota["valores"] = json!({ "vTPrest": 100 });
    nota["imposto"] = json!({ "icms": { "CST": "00", "vBC": 100, "pICMS": 12, "vICMS": 12 } });
    nota
}

/// A chartered coach through three states.
fn passengers() -> Value {
    json!({
        "identificacao": {
            "modelo": 67, "CFOP": "6357", "natOp": "TRANSPORTE DE PESSOAS", "tpServ": 6, "cMunIni": 3534401, "xMunIni": "OSASCO", "UFIni": "SP",
            "cMunFim": 3205309, "xMunFim": "VITÓRIA", "UFFim": "ES", "percurso": ["MG"]
        },
        "tomador": {
            "CNPJCPF": ALPHANUMERIC, "IE": "110042490114", "xNome": "TORREFAÇÃO SERRA DA MANTIQUEIRA LTDA", "fone": "1136540199",
            "xLgr": "RUA DO ROSÁRIO", "nro": "415", "xBairro": "CENTRO", "cMun": 3534401, "xMun": "OSASCO", "CEP": "06020010", "UF": "SP"
        },
        "servico": { "xDescServ": "FRETAMENTO EVENTUAL", "quantidade": 40 },
        "valores": {
            "vTPrest": 4800, "vRec": 4272,
            "componentes": [{ "xNome": "FRETAMENTO", "vComp": 4500 }, { "xNome": "PEDÁGIO", "vComp": 300 }]
        },
        "imposto": {
            "icms": { "CST": "00", "vBC": 4800, "pICMS": 12, "vICMS": 576 },
            "federais": { "vPIS": number("79.20"), "vCOFINS": number("364.80"), "vINSS": 528 }
        },
        "seguros": [{ "respSeg": 4, "xSeg": "SEGURADORA PAULISTA", "nApol": "123456" }],
        "complemento": { "observacoes": "Saída às 8h do estacionamento da fábrica; retorno no dia 30/11/2026." },
        "rodoviario": {
            "taf": "123456789012", "veiculo": { "placa": "BRA2E19", "RENAVAM": "12345678901", "UF": "SP" },
            "fretamento": { "tpFretamento": 1, "dhViagem": "2026-11-28T08:00:00-03:00" }
        }
    })
}
