//! The ADN: the query byte for byte, and answers after its OpenAPI and its users' reports, typed by us.

use authority::answer::{DistributionBatch, DistributionOutcome};
use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::sefaz::{RequestedDocuments, UnreadableReply};
use authority::table::{AuthorityRole, AuthorityService, EndpointTable, wire};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::tipo::DPS;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use flate2::Compression;
use flate2::write::GzEncoder;
use http::StatusCode;
use serde_json::{Value, json};
use std::io::Write as _;

fn ask(company: &str, wanted: RequestedDocuments) -> Option<AuthorityCall> {
    let endpoint = EndpointTable::builtin()
        .endpoint(Uf::SP, DPS, TpAmb::Homologacao, AuthorityService::DistribuicaoDFe, AuthorityRole::National)
        .unwrap();
    let company = CnpjCpf::parse(company).unwrap();
    wire(DPS).unwrap().distribution(&endpoint, TpAmb::Homologacao, Uf::SP, company, wanted)
}

fn read(status: u16, body: impl Into<Vec<u8>>) -> Result<DistributionBatch, UnreadableReply> {
    let reply = AuthorityReply::new(StatusCode::from_u16(status).unwrap(), body);
    wire(DPS).unwrap().read_distribution(&reply)
}

fn packed(xml: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(xml.as_bytes()).unwrap();
    STANDARD.encode(gzip.finish().unwrap())
}

fn piece(nsu: Value, tipo: &str, xml: &str) -> Value {
    json!({ "NSU": nsu, "ChaveAcesso": "35", "TipoDocumento": tipo, "TipoEvento": null, "ArquivoXml": packed(xml),
        "DataHoraGeracao": "2026-11-20T10:00:00" })
}

fn answer(pieces: &[Value]) -> String {
    json!({ "StatusProcessamento": "DOCUMENTOS_LOCALIZADOS", "LoteDFe": pieces, "Alertas": [], "Erros": [],
        "TipoAmbiente": "HOMOLOGACAO", "VersaoAplicativo": "1.0", "DataHoraProcessamento": "2026-11-20T10:00:00" })
    .to_string()
}

fn none(codigo: &str) -> String {
    json!({ "StatusProcessamento": "NENHUM_DOCUMENTO_LOCALIZADO", "LoteDFe": [], "Erros": [{ "Codigo": codigo, "Descricao": "Nenhum documento" }] })
        .to_string()
}

#[test]
fn the_question_names_the_number_and_the_establishment() {
    let base = "https://adn.producaorestrita.nfse.gov.br/contribuintes";
    for (company, wanted, path) in [
        ("12ABC34501DE35", RequestedDocuments::After(7), "/DFe/7?cnpjConsulta=12ABC34501DE35&lote=true"),
        ("11222333000181", RequestedDocuments::Nsu(9), "/DFe/9?cnpjConsulta=11222333000181&lote=false"),
        ("11144477735", RequestedDocuments::After(0), "/DFe/0?lote=true"),
    ] {
        let call = ask(company, wanted).unwrap();
        assert_eq!((call.method, call.url), (CallMethod::Get, format!("{base}{path}")));
        assert_eq!((call.authority.as_str(), call.name, call.body.is_empty()), ("AN", "contribuintes", true));
    }
    let chave = ChaveAcesso::parse(crate::samples::CHAVE).unwrap();
    assert!(ask("11222333000181", RequestedDocuments::Chave(chave)).is_none());
    assert!(!wire(DPS).unwrap().has_query_by_key() && wire(55).unwrap().has_query_by_key());
}

#[test]
fn documents_come_in_the_order_of_their_numbers_and_no_end_is_told() {
    let pieces = [piece(json!(12), "EVENTO", "<evento>ã</evento>"), piece(json!("11"), "NFSE", "<NFSe/>")];
    let batch = read(200, answer(&pieces)).unwrap();
    assert_eq!((batch.outcome, batch.ultNSU, batch.maxNSU), (DistributionOutcome::Some, Some(12), None));
    assert_eq!((batch.codigo.as_str(), batch.xMotivo.as_str()), ("200", "DOCUMENTOS_LOCALIZADOS"));
    let found: Vec<_> =
        batch.documents.iter().map(|one| (one.nsu, one.schema.as_str(), one.content.as_deref())).collect();
    assert_eq!(found, [(Some(11), "NFSE", Ok("<NFSe/>")), (Some(12), "EVENTO", Ok("<evento>ã</evento>"))]);
}

#[test]
fn what_cannot_be_unpacked_stops_none_of_the_others_and_bombs_are_not_unpacked() {
    let mut broken = piece(json!(1), "NFSE", "");
    broken["ArquivoXml"] = json!("###");
    let bomb = piece(json!(2), "NFSE", &" ".repeat(5 << 20));
    let batch = read(200, answer(&[broken, bomb, piece(json!(3), "NFSE", "<NFSe/>")])).unwrap();
    let contents: Vec<bool> = batch.documents.iter().map(|one| one.content.is_ok()).collect();
    assert_eq!(contents, [false, false, true]);
    let (why, kept) = batch.documents[0].content.clone().unwrap_err();
    assert!(why.contains("base64") && kept == "###", "{why}");
    let many: Vec<Value> = (0..201).map(|nsu| piece(json!(nsu), "NFSE", "<NFSe/>")).collect();
    assert!(matches!(read(200, answer(&many)), Err(UnreadableReply::Content(why)) if why.contains("201")));
    let mut nameless = piece(json!(1), "NFSE", "<NFSe/>");
    nameless["NSU"] = Value::Null;
    assert!(read(200, answer(&[nameless])).is_err());
}

#[test]
fn nothing_new_is_told_by_the_adn_itself_and_by_no_page() {
    for (status, body) in [(404, none("E2215")), (200, none("E2215"))] {
        let batch = read(status, body).unwrap();
        assert_eq!((batch.outcome, batch.codigo.as_str(), batch.ultNSU), (DistributionOutcome::None, "E2215", None));
    }
    for (status, body) in [(404, "<html>404</html>"), (404, "{}"), (200, "<html>"), (500, "{}"), (496, ""), (403, "{}")]
    {
        assert!(read(status, body).is_err(), "{status} {body}");
    }
}

#[test]
fn a_refusal_has_its_code_and_too_many_questions_are_told() {
    let refused = json!({ "StatusProcessamento": "REJEICAO", "LoteDFe": null, "Erros": [{ "Codigo": "E2241", "Descricao": "CNPJ de outra raiz" }] });
    for status in [400, 200] {
        let batch = read(status, refused.to_string()).unwrap();
        assert_eq!((batch.outcome, batch.codigo.as_str()), (DistributionOutcome::Refused, "E2241"), "{status}");
    }
    assert!(read(400, "{}").is_err());
    let undue = read(429, "<html>Too Many Requests</html>").unwrap();
    assert_eq!((undue.outcome, undue.codigo.as_str()), (DistributionOutcome::UndueUse, "429"));
}
