//! Every kind by its layout; the cancellation byte for byte.

use super::*;

/// Text whose SHA-1 xmlsec1 confirmed as `bYW4rb400oGm7iDPp+rgpct9JSM=`, canonicalised with its namespace.
const CONFIRMED: &str = "<evento xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"1.00\">\
    <infEvento Id=\"ID1101113526111122233300018155001000000001184736251001\"><cOrgao>35</cOrgao><tpAmb>2</tpAmb>\
    <CNPJ>11222333000181</CNPJ><chNFe>35261111222333000181550010000000011847362510</chNFe>\
    <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>\
    <verEvento>1.00</verEvento><detEvento versao=\"1.00\"><descEvento>Cancelamento</descEvento>\
    <nProt>135260000000001</nProt><xJust>Pedido cancelado pelo cliente</xJust></detEvento></infEvento></evento>";

fn chave(text: &str) -> ChaveAcesso {
    ChaveAcesso::parse(text).unwrap()
}

fn envelope(nSeqEvento: u16) -> EventEnvelope<'static> {
    EventEnvelope {
        chave: chave("35261111222333000181550010000000011847362510"),
        ambiente: TpAmb::Homologacao,
        autor: CnpjCpf::parse("11222333000181").unwrap(),
        dhEvento: "2026-11-20T11:00:00-03:00",
        nSeqEvento,
    }
}

fn epec() -> EpecSummary {
    let note = "<NFe><infNFe><ide><cUF>35</cUF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF></ide><emit><IE>110042490114</IE>\
        </emit><dest><CPF>11144477735</CPF><enderDest><UF>SP</UF></enderDest></dest><total><ICMSTot><vICMS>18.00</vICMS>\
        <vST>0.00</vST><vNF>100.00</vNF></ICMSTot></total></infNFe></NFe>";
    EpecSummary::of(&crate::xml::read(note.as_bytes()).unwrap(), "Carimbo 0.1").unwrap()
}

/// A detail of each kind.
fn details(epec: &EpecSummary) -> Vec<EventDetail<'_>> {
    let (uf, verAplic, nProt, xJust) = (Uf::SP, "Carimbo 0.1", "135260000000001", "Emitida em duplicidade no caixa");
    let chNFeRef = chave("35261111222333000181650010000000029847362516");
    let autXML = CnpjCpf::parse("12ABC34501DE35").unwrap();
    vec![
        EventDetail::CartaCorrecao { xCorrecao: "O peso bruto correto é 12,5 kg" },
        EventDetail::Cancelamento { nProt, xJust },
        EventDetail::CancelamentoPorSubstituicao { uf, verAplic, nProt, xJust, chNFeRef },
        EventDetail::Epec(epec),
        EventDetail::AtorInteressado { uf, tpAutor: 1, verAplic, autXML, permite: Some(true) },
        EventDetail::Manifestacao { kind: NfeEventKind::Confirmacao, xJust: None },
        EventDetail::Manifestacao { kind: NfeEventKind::Ciencia, xJust: None },
        EventDetail::Manifestacao { kind: NfeEventKind::Desconhecimento, xJust: None },
        EventDetail::Manifestacao { kind: NfeEventKind::NaoRealizada, xJust: Some("Mercadoria recusada na entrega") },
    ]
}

#[test]
fn writes_the_cancellation_that_was_confirmed() {
    let detail = EventDetail::Cancelamento { nProt: "135260000000001", xJust: "Pedido cancelado pelo cliente" };
    let (xml, id) = build(&envelope(1), &detail);
    assert_eq!(xml, CONFIRMED);
    assert_eq!(id, "ID1101113526111122233300018155001000000001184736251001");
    let signed = xml.split_once("<infEvento").map(|(_, rest)| rest.trim_end_matches("</evento>").len());
    assert_eq!(signed.map(|rest| rest + "<infEvento xmlns=\"http://www.portalfiscal.inf.br/nfe\"".len()), Some(521));
}

#[test]
fn every_kind_is_as_its_layout_wants_it() {
    let epec = epec();
    let details = details(&epec);
    let kinds: Vec<NfeEventKind> = details.iter().map(EventDetail::kind).collect();
    assert_eq!(kinds, NfeEventKind::ALL);
    for detail in details {
        let kind = detail.kind();
        assert_eq!(check(&detail), [], "{kind:?}");
        let (xml, id) = build(&envelope(kind.most().into()), &detail);
        let evento = crate::xml::read(xml.as_bytes()).unwrap();
        assert_eq!(evento.child("infEvento").unwrap().attribute("Id"), Some(id.as_str()));
        assert_eq!(evento.text_at("infEvento/tpEvento"), Some(kind.code()));
        let without_signature: Vec<_> = layout::check(&layout::EVENTO, &evento);
        assert!(without_signature.iter().all(|fault| fault.path.contains("Signature")), "{without_signature:?}");
        assert_eq!(NfeEventKind::from_code(kind.code()), Some(kind));
    }
    assert_eq!(NfeEventKind::from_code("999999"), None);
}

#[test]
fn the_receiver_decides_the_organ() {
    let epec = epec();
    for detail in details(&epec) {
        let (xml, _) = build(&envelope(1), &detail);
        let kind = detail.kind();
        let national = matches!(kind, NfeEventKind::Epec | NfeEventKind::AtorInteressado) || kind.is_manifestation();
        assert!(xml.contains(if national { "<cOrgao>91<" } else { "<cOrgao>35<" }), "{xml}");
    }
}

#[test]
fn the_layout_refuses_what_it_does_not_take() {
    assert_ne!(check(&EventDetail::CartaCorrecao { xCorrecao: "curta" }), []);
    assert_ne!(check(&EventDetail::CartaCorrecao { xCorrecao: "uma correção com\numa quebra de linha" }), []);
    let said = |kind, xJust| check(&EventDetail::Manifestacao { kind, xJust });
    assert_ne!(said(NfeEventKind::NaoRealizada, None), [], "the justification is required");
    assert_ne!(said(NfeEventKind::NaoRealizada, Some("curta")), []);
    assert_ne!(said(NfeEventKind::Ciencia, Some("Ninguém perguntou o motivo")), [], "it has none");
    assert_eq!(said(NfeEventKind::Desconhecimento, Some("Não compramos deste fornecedor")), []);
    assert_ne!(check(&EventDetail::Cancelamento { nProt: "1", xJust: "Pedido cancelado pelo cliente" }), []);
}

#[test]
fn the_conditions_of_use_are_those_of_the_schema() {
    assert!(fixed("110110", "xCondUso").starts_with("A Carta de Correcao e disciplinada pelo paragrafo 1o-A"));
    assert!(fixed("110150", "xCondUso").starts_with("O emitente ou destinatário da NF-e, declara"));
    let read = NFE.accented("110110", "xCondUso", fixed("110110", "xCondUso"));
    assert!(read.starts_with("A Carta de Correção é disciplinada pelo § 1º-A"), "{read}");
    assert_eq!(NFE.accented("110110", "xCondUso", "outro texto"), "outro texto");
}

#[test]
fn an_epec_repeats_its_note() {
    let epec = epec();
    assert_eq!(
        (epec.UF.as_str(), &epec.dest, epec.IEDest.as_deref()),
        ("SP", &("CPF", "11144477735".to_owned()), None)
    );
    assert_eq!(EpecSummary::of(&crate::xml::read(b"<NFe><infNFe/></NFe>").unwrap(), "x"), None);
}
