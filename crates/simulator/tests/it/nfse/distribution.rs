//! The ADN: issued and taken notes reach their parties by NSU, events too.

use super::bench::{TOMADOR, dps, for_the_tomador, registered, town};
use super::shapes::{LOTE, PIECE, assert_shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::TpAmb;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read as _;

fn unpacked(piece: &Value) -> String {
    let gzip = STANDARD.decode(piece["ArquivoXml"].as_str().unwrap()).unwrap();
    let mut xml = String::new();
    GzDecoder::new(gzip.as_slice()).read_to_string(&mut xml).unwrap();
    xml
}

#[tokio::test]
async fn notes_and_events_come_in_order_to_who_is_named() {
    let town = town().await;
    let base = town.bench.simulator.adn_url(TpAmb::Homologacao);
    let (status, body) = town.get(&format!("{base}/DFe/0")).await;
    assert_eq!((status, &body["StatusProcessamento"]), (404, &json!("NENHUM_DOCUMENTO_LOCALIZADO")));
    assert_eq!(body["Erros"][0]["Codigo"], json!("E2215"));
    let first = town.issue(&dps(1)).await;
    let second = town.issue(&for_the_tomador(2)).await;
    let event = registered(town.register(&second.chave, "101101", Some("Serviço contratado não foi prestado")).await);
    let (status, body) = town.get(&format!("{base}/DFe/0")).await;
    assert_eq!((status, &body["StatusProcessamento"]), (200, &json!("DOCUMENTOS_LOCALIZADOS")));
    assert_shape(&body, LOTE);
    let pieces = body["LoteDFe"].as_array().unwrap();
    pieces.iter().for_each(|piece| assert_shape(piece, PIECE));
    let told: Vec<_> = pieces
        .iter()
        .map(|it| (it["NSU"].as_u64().unwrap(), it["TipoDocumento"].as_str().unwrap(), unpacked(it)))
        .collect();
    assert_eq!(told, [(1, "NFSE", first.xml), (2, "NFSE", second.xml.clone()), (3, "EVENTO", event.clone())]);
    assert_eq!(pieces[2]["TipoEvento"], json!("CANCELAMENTO"));
    let (_, body) = town.get(&format!("{base}/DFe/2")).await;
    assert_eq!(body["LoteDFe"].as_array().unwrap().len(), 1);
    let (_, body) = town.get(&format!("{base}/DFe/2?lote=false")).await;
    assert_eq!(body["LoteDFe"][0]["NSU"], json!(2));
    assert_eq!(town.get(&format!("{base}/DFe/9?lote=false")).await.1["Erros"][0]["Codigo"], json!("E2230"));
    let tomador = town.certificate_of(TOMADOR);
    let (_, body) = town.get_as(&format!("{base}/DFe/0"), &tomador).await;
    let told: Vec<_> = body["LoteDFe"].as_array().unwrap().iter().map(unpacked).collect();
    assert_eq!(told, [second.xml, event.clone()]);
    let (_, body) = town.get_as(&format!("{base}/NFSe/{}/Eventos", second.chave.as_str()), &tomador).await;
    assert_eq!(unpacked(&body["LoteDFe"][0]), event);
}

#[tokio::test]
async fn another_establishment_asks_for_its_sister_and_for_nobody_else() {
    let town = town().await;
    let base = town.bench.simulator.adn_url(TpAmb::Homologacao);
    let note = town.issue(&dps(1)).await;
    let (sister, stranger) = (town.certificate_of("11222333000262"), town.certificate_of("99888777000100"));
    let asked = format!("{base}/DFe/0?cnpjConsulta=11222333000181");
    assert_eq!(town.get_as(&asked, &sister).await.0, 200);
    let (status, body) = town.get_as(&asked, &stranger).await;
    assert_eq!((status, &body["StatusProcessamento"]), (400, &json!("REJEICAO")));
    let (status, body) = town.get_as(&format!("{base}/NFSe/{}/Eventos", note.chave.as_str()), &stranger).await;
    assert_eq!((status, &body["Erros"][0]["Codigo"]), (404, &json!("E2241")));
    let (_, body) = town.get(&format!("{base}/NFSe/{}/Eventos", "3".repeat(50))).await;
    assert_eq!(body["Erros"][0]["Codigo"], json!("E2240"));
}
