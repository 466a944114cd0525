//! Every kind by its layout; the cancellation against a digest computed elsewhere.

use super::*;
use crate::event::{EventEnvelope, family};
use crate::layout;
use crate::value::{CnpjCpf, TpAmb};
use serde_json::json;

const KEY: &str = "43261111222333000181570010000001011202611019";

fn envelope(nSeqEvento: u16) -> EventEnvelope<'static> {
    EventEnvelope {
        chave: ChaveAcesso::parse(KEY).unwrap(),
        ambiente: TpAmb::Homologacao,
        autor: CnpjCpf::parse("11222333000181").unwrap(),
        dhEvento: "2026-11-20T11:00:00-03:00",
        nSeqEvento,
    }
}

/// A caller's members for each kind.
fn said(kind: CteEventKind) -> Value {
    let nProt = "143260000001234";
    let party = json!({ "CNPJCPF": "33.000.167/0001-01", "IE": "77040285", "UF": "RJ", "xNome": "BANCO TESTE SA" });
    match kind {
        CteEventKind::CartaCorrecao => json!({ "correcoes": [
            { "grupo": "infQ", "campo": "qCarga", "valor": "12500.0000", "item": 1 },
            { "grupo": "compl", "campo": "xObs", "valor": "PLACA ABC1D23" },
        ] }),
        CteEventKind::Cancelamento => json!({ "nProt": nProt, "xJust": "ERRO NA INDICACAO DO DESTINATARIO" }),
        CteEventKind::RegistroMultimodal => {
            json!({ "xRegistro": "Transbordo no terminal de Rio Grande", "nDoc": "123" })
        }
        CteEventKind::InformacoesGtv => json!({ "infGTV": [{
            "nDoc": "1", "id": "AIDF-1", "dEmi": "20/11/2026", "nDV": 3, "qCarga": 12.5,
            "infEspecie": [{ "tpEspecie": 1, "vEspecie": 1000 }], "rem": party, "dest": party, "placa": "abc-1d23", "UF": "RS",
        }] }),
        CteEventKind::ComprovanteEntrega => json!({
            "nProt": nProt, "dhEntrega": "2026-11-21T09:00:00", "nDoc": "11144477735", "xNome": "FULANO DE TAL",
            "latitude": "-30.034600", "longitude": "-51.217700",
            "hashEntrega": delivery_hash(&ChaveAcesso::parse(KEY).unwrap(), b"assinatura"),
            "dhHashEntrega": "2026-11-21T12:00:05Z", "infEntrega": ["43261112ABC34501DE35550010000000011847362513"],
        }),
        CteEventKind::InsucessoEntrega => json!({
            "nProt": nProt, "dhTentativaEntrega": "2026-11-21T09:00:00-03:00", "nTentativa": 1, "tpMotivo": 4,
            "xJustMotivo": "Portão fechado e ninguém atendeu",
        }),
        CteEventKind::CancelamentoComprovanteEntrega => json!({ "nProt": nProt, "nProtCE": "143260000001240" }),
        CteEventKind::CancelamentoInsucessoEntrega => json!({ "nProt": nProt, "nProtIE": "143260000001240" }),
        CteEventKind::Desacordo => json!({ "xObs": "O valor não é o que foi combinado" }),
        CteEventKind::CancelamentoDesacordo => json!({ "nProtEvPrestDes": "143260000001240" }),
    }
}

fn written(kind: CteEventKind) -> CteEventContent {
    body(kind, said(kind).as_object().unwrap(), -3).unwrap_or_else(|found| panic!("{kind:?}: {found:?}"))
}

fn refused(kind: CteEventKind, said: Value) -> Vec<(String, &'static str)> {
    let found = body(kind, said.as_object().unwrap(), -3).unwrap_err();
    found.into_iter().map(|violation| (violation.campo, violation.codigo)).collect()
}

#[test]
fn writes_the_cancellation_whose_digest_others_found() {
    let (xml, id) = build(&envelope(1), &written(CteEventKind::Cancelamento));
    assert_eq!(id, format!("ID110111{KEY}001"));
    let inf = xml.split_once("<infEvento").and_then(|(_, rest)| rest.strip_suffix("</eventoCTe>")).unwrap();
    let canonical = format!("<infEvento xmlns=\"http://www.portalfiscal.inf.br/cte\"{inf}");
    let digest = STANDARD.encode(Sha1::digest(&canonical));
    assert_eq!((canonical.len(), digest.as_str()), (530, "FIBPG1oIymlUtGu1RFev2GTwhcQ="), "{canonical}");
}

#[test]
fn every_kind_is_as_its_layout_wants_it() {
    for kind in CteEventKind::all() {
        let body = written(kind);
        assert_eq!(body.notices, [], "{kind:?}");
        let (xml, id) = build(&envelope(kind.most()), &body);
        let evento = crate::xml::read(xml.as_bytes()).unwrap();
        assert_eq!(evento.child("infEvento").unwrap().attribute("Id"), Some(id.as_str()));
        assert_eq!(id.len(), 55);
        assert_eq!(evento.text_at("infEvento/tpEvento"), Some(kind.code()));
        let faults = layout::check(&layout::EVENTO_CTE, &evento);
        assert!(faults.iter().all(|fault| fault.path.contains("Signature")), "{kind:?} {faults:?}");
        assert_eq!(
            (CteEventKind::from_code(kind.code()), CteEventKind::from_word(kind.word())),
            (Some(kind), Some(kind))
        );
        assert!(xml.contains(&format!("<descEvento>{}<", kind.description())), "{xml}");
    }
    assert_eq!((CteEventKind::from_code("110140"), CteEventKind::from_word("epec")), (None, None));
}

#[test]
fn the_texts_of_the_law_are_the_schemas() {
    let (xml, _) = build(&envelope(2), &written(CteEventKind::CartaCorrecao));
    assert!(xml.contains("<nSeqEvento>002</nSeqEvento>"), "{xml}");
    assert!(
        xml.contains("<xCondUso>A Carta de Correcao e disciplinada pelo Art. 58-B do CONVENIO/SINIEF 06/89:"),
        "{xml}"
    );
    assert!(xml.contains("<descEvento>Carta de Correcao</descEvento><infCorrecao><grupoAlterado>infQ<"), "{xml}");
    assert!(
        build(&envelope(1), &written(CteEventKind::Desacordo)).0.contains("<indDesacordoOper>1</indDesacordoOper>")
    );
}

#[test]
fn refusals_name_what_the_caller_wrote() {
    let nothing = refused(CteEventKind::Cancelamento, json!({}));
    assert_eq!(nothing, [("nProt".to_owned(), "campo_obrigatorio"), ("xJust".to_owned(), "campo_obrigatorio")]);
    let short = refused(CteEventKind::Cancelamento, json!({ "nProt": "143260000001234", "xJust": "curta" }));
    assert_eq!(short, [("xJust".to_owned(), "valor_invalido")]);
    let long = json!({ "correcoes": [{ "grupo": "compl", "campo": "c".repeat(21), "valor": "x" }] });
    assert_eq!(refused(CteEventKind::CartaCorrecao, long), [("correcoes[0].campo".to_owned(), "valor_invalido")]);
    assert_eq!(refused(CteEventKind::CartaCorrecao, json!({})), [("correcoes".to_owned(), "campo_obrigatorio")]);
}

#[test]
fn an_unknown_name_is_told() {
    let mut said = said(CteEventKind::Cancelamento);
    said["xJustificativa"] = json!("x");
    let body = body(CteEventKind::Cancelamento, said.as_object().unwrap(), -3).unwrap();
    assert_eq!(
        (body.notices[0].campo.as_str(), body.notices[0].codigo.as_str()),
        ("xJustificativa", "campo_desconhecido")
    );
}

#[test]
fn a_key_says_whose_event_it_is() {
    let of = |chave: &str| family::EventFamily::of(&ChaveAcesso::parse(chave).unwrap());
    assert_eq!(of(KEY).root, "eventoCTe");
    assert_eq!(of("43261112ABC34501DE35670010000000071202611037").key, "chCTe");
    assert_eq!(of("35261111222333000181550010000000011847362510").root, "evento");
    let same = |code: &str| (family::NFE.det_evento)(code).map(|found| found.root.name);
    assert_eq!((same("110111"), same("110180")), (Some("detEvento"), None));
    assert_eq!((family::CTE.det_evento)("110111").map(|found| found.root.name), Some("evCancCTe"));
}

#[test]
fn a_delivery_is_proved_by_key_and_picture() {
    // printf '%s%s' KEY "$(printf assinatura | base64)" | openssl sha1 -binary | base64
    let chave = ChaveAcesso::parse(KEY).unwrap();
    assert_eq!(delivery_hash(&chave, b"assinatura"), HASH);
    assert_ne!(delivery_hash(&chave, b"outra"), HASH);
}

const HASH: &str = "bF7e+MFVGJ6wrfglzxVoX4Vy8wc=";
