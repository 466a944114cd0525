//! Each kind of the distribution: CT-e from the golden cases, the others written here.

use super::*;

const CHAVE: &str = "35261111222333000181550010000000011847362510";
const CHAVE_CTE: &str = "43261111222333000181570010000000011847362510";

fn document(text: &str) -> DistributedDocument {
    match read(text) {
        Ok(DistributedItem::Document(document)) => document,
        other => panic!("{other:?}"),
    }
}

fn event(text: &str) -> DistributedEvent {
    match read(text) {
        Ok(DistributedItem::Event(event)) => event,
        other => panic!("{other:?}"),
    }
}

fn goods(text: &str) -> NfeDetails {
    match document(text).details {
        DistributedDetails::Goods(goods) => goods,
        other => panic!("{other:?}"),
    }
}

fn transport(text: &str) -> CteDetails {
    match document(text).details {
        DistributedDetails::Transport(transport) => transport,
        other => panic!("{other:?}"),
    }
}

fn res_nfe(cSitNFe: &str) -> String {
    format!(
        "<resNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"1.01\"><chNFe>{CHAVE}</chNFe><CNPJ>11222333000181</CNPJ>\
         <xNome>EMPRESA TESTE LTDA</xNome><IE></IE><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>100.00</vNF>\
         <dhRecbto>2026-11-20T10:00:03-03:00</dhRecbto><nProt>135260000000001</nProt><cSitNFe>{cSitNFe}</cSitNFe></resNFe>"
    )
}

/// A golden document in the distribution's envelope.
fn archive(root: &str, document: &str) -> String {
    format!(
        "<{root} xmlns=\"http://www.portalfiscal.inf.br/cte\" versao=\"4.00\">{document}<protCTe versao=\"4.00\"><infProt>\
         <chCTe>{CHAVE_CTE}</chCTe><dhRecbto>2026-11-20T10:00:03-03:00</dhRecbto><nProt>143260000000001</nProt><cStat>100</cStat>\
         </infProt></protCTe></{root}>"
    )
}

#[test]
fn a_key_without_its_form_is_not_read_and_a_protocol_without_it_is_left_out() {
    for key in ["../../../../../../../../../../../etc/passwd12", "&lt;script&gt;alert(1)&lt;/script&gt;", "3526"] {
        let read = read(&res_nfe("1").replace(CHAVE, key));
        assert_eq!(read, Err(DistributionReadError::NotKey("chNFe")), "{key}");
    }
    assert_eq!(document(&res_nfe("1")).nProt.as_deref(), Some("135260000000001"));
    for nProt in ["1/../2", "&lt;b&gt;", "13526000000000x"] {
        assert_eq!(document(&res_nfe("1").replace("135260000000001", nProt)).nProt, None, "{nProt}");
    }
}

#[test]
fn a_summary_tells_who_when_how_much_and_where_it_stands() {
    let note = document(&res_nfe("1"));
    assert_eq!((note.chave.as_str(), note.emitente.as_str()), (CHAVE, "11222333000181"));
    assert_eq!((note.IE, note.whole, note.situation), (None, false, ReceivedSituation::Authorized));
    assert_eq!((goods(&res_nfe("1")).vNF.as_str(), note.details.tipo()), ("100.00", Tipo::Nfe));
    let situation = |code: &str| document(&res_nfe(code)).situation;
    assert_eq!((situation("2"), situation("3")), (ReceivedSituation::Denied, ReceivedSituation::Cancelled));
}

#[test]
fn a_whole_note_is_read_from_its_own_fields() {
    let proc = format!(
        "<nfeProc xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><NFe><infNFe Id=\"NFe{CHAVE}\" versao=\"4.00\">\
         <ide><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpNF>1</tpNF></ide><emit><CNPJ>11222333000181</CNPJ><xNome>X</xNome></emit>\
         <dest><CPF>11144477735</CPF></dest><total><ICMSTot><vNF>9.90</vNF></ICMSTot></total></infNFe></NFe>\
         <protNFe><infProt><dhRecbto>2026-11-20T10:00:03-03:00</dhRecbto><nProt>1</nProt><cStat>302</cStat></infProt></protNFe></nfeProc>"
    );
    let note = document(&proc);
    assert_eq!((note.destinatario.as_deref(), goods(&proc).vNF.as_str()), (Some("11144477735"), "9.90"));
    assert_eq!((note.whole, note.situation), (true, ReceivedSituation::Denied));
}

#[test]
fn a_cte_names_its_parties_and_who_pays() {
    let proc = archive("cteProc", include_str!("../../tests/golden/cte/todos_os_papeis/expected.xml"));
    let cte = document(&proc);
    assert_eq!((cte.chave.as_str(), cte.emitente.as_str()), (CHAVE_CTE, "11222333000181"));
    assert_eq!((cte.destinatario.as_deref(), cte.nProt.as_deref()), (Some("33000167000101"), Some("143260000000001")));
    assert_eq!((cte.whole, cte.situation, cte.details.tipo()), (true, ReceivedSituation::Authorized, Tipo::Cte));
    let said = transport(&proc);
    assert_eq!((said.modal.as_str(), said.tpServ.as_str(), said.tpCTe.as_str()), ("01", "0", "0"));
    assert_eq!(said.vTPrest.as_deref(), Some("1500.00"));
    let parties = [said.remetente, said.expedidor, said.recebedor, said.tomador].map(Option::unwrap);
    assert_eq!(parties, ["12ABC34501DE35", "98765432000198", "33000167000101", "33000167000101"]);
}

#[test]
fn who_pays_may_be_described_in_full_or_be_abroad() {
    let described = archive("cteProc", include_str!("../../tests/golden/cte/tomador_descrito/expected.xml"));
    assert_eq!(transport(&described).tomador.as_deref(), Some("98765432000198"));
    let abroad = archive("cteProc", include_str!("../../tests/golden/cte/tomador_no_exterior/expected.xml"));
    assert_eq!((transport(&abroad).tomador, document(&abroad).destinatario), (None, None));
    let people = archive("cteOSProc", include_str!("../../tests/golden/cte/exemplo_pessoas/expected.xml"));
    let said = transport(&people);
    assert_eq!((said.tomador.as_deref(), said.remetente), (Some("33000167000101"), None));
    assert_eq!((said.vTPrest.as_deref(), said.tpServ.as_str()), (Some("4800.00"), "6"));
}

/// The distribution has both, though this service issues neither.
#[test]
fn a_simplified_cte_and_a_gtve_are_read_too() {
    let simplified = format!(
        "<CTeSimp><infCte Id=\"CTe{CHAVE_CTE}\"><ide><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpCTe>5</tpCTe><modal>01</modal>\
         <tpServ>0</tpServ></ide><emit><CNPJ>11222333000181</CNPJ><xNome>X</xNome></emit><toma><toma>4</toma><CNPJ>33000167000101</CNPJ>\
         </toma><total><vTPrest>80.00</vTPrest></total></infCte></CTeSimp>"
    );
    let said = transport(&archive("cteSimpProc", &simplified));
    assert_eq!((said.tomador.as_deref(), said.vTPrest.as_deref()), (Some("33000167000101"), Some("80.00")));
    let valuables = |toma: &str| {
        let key = CHAVE_CTE.replacen("57", "64", 1);
        archive(
            "GTVeProc",
            &format!(
                "<GTVe><infCte Id=\"GTVe{key}\"><ide><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpCTe>4</tpCTe><modal>01</modal>\
                 <tpServ>9</tpServ>{toma}</ide><emit><CNPJ>11222333000181</CNPJ><xNome>X</xNome></emit><rem><CNPJ>33000167000101</CNPJ></rem>\
                 <dest><CNPJ>98765432000198</CNPJ></dest></infCte></GTVe>"
            ),
        )
    };
    let payer = |toma: &str| transport(&valuables(toma)).tomador.unwrap();
    assert_eq!(payer("<toma><toma>0</toma></toma>"), "33000167000101");
    assert_eq!(payer("<toma><toma>1</toma></toma>"), "98765432000198");
    let third = "<tomaTerceiro><toma>4</toma><CPF>11144477735</CPF></tomaTerceiro>";
    assert_eq!((payer(third).as_str(), transport(&valuables(third)).vTPrest), ("11144477735", None));
}

#[test]
fn what_is_listed_of_a_document_is_short_whatever_stands_in_it() {
    let long = "A".repeat(1 << 20);
    assert_eq!(document(&res_nfe("1").replace("EMPRESA TESTE LTDA", &long)).xNome, "A".repeat(300));
    let unknown = read(&format!("<{long}/>")).unwrap_err().to_string();
    assert!(unknown.len() < 700, "{} bytes", unknown.len());
}

#[test]
fn an_event_and_its_summary_say_the_same() {
    let summary = format!(
        "<resEvento versao=\"1.01\"><cOrgao>35</cOrgao><CNPJ>11222333000181</CNPJ><chNFe>{CHAVE}</chNFe>\
         <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>\
         <xEvento>Cancelamento registrado</xEvento><dhRecbto>2026-11-20T11:00:01-03:00</dhRecbto><nProt>2</nProt></resEvento>"
    );
    let read = event(&summary);
    assert!(read.cancels() && !read.whole);
    let whole = format!(
        "<procEventoNFe versao=\"1.00\"><evento><infEvento><CNPJ>11222333000181</CNPJ><chNFe>{CHAVE}</chNFe>\
         <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>110110</tpEvento><nSeqEvento>3</nSeqEvento>\
         <detEvento><descEvento>Carta de Correcao</descEvento></detEvento></infEvento></evento></procEventoNFe>"
    );
    let read = event(&whole);
    assert_eq!((read.cancels(), read.nSeqEvento, read.whole), (false, 3, true));
    assert_eq!(read.description.as_deref(), Some("Carta de Correcao"));
}

#[test]
fn an_event_of_transport_says_what_it_is_one_element_further_in() {
    let of = |tpEvento: &str, content: &str| {
        format!(
            "<procEventoCTe versao=\"4.00\"><eventoCTe versao=\"4.00\"><infEvento><cOrgao>43</cOrgao><CNPJ>33000167000101</CNPJ>\
             <chCTe>{CHAVE_CTE}</chCTe><dhEvento>2026-11-20T11:00:00-03:00</dhEvento><tpEvento>{tpEvento}</tpEvento>\
             <nSeqEvento>300</nSeqEvento><detEvento versaoEvento=\"4.00\"><{content}><descEvento>Descrito</descEvento></{content}>\
             </detEvento></infEvento></eventoCTe><retEventoCTe versao=\"4.00\"><infEvento><nProt>143260000000009</nProt></infEvento>\
             </retEventoCTe></procEventoCTe>"
        )
    };
    let cancelled = event(&of("110111", "evCancCTe"));
    assert_eq!((cancelled.cancels(), cancelled.tipo, cancelled.chave.as_str()), (true, Tipo::Cte, CHAVE_CTE));
    assert_eq!((cancelled.nSeqEvento, cancelled.description.as_deref()), (300, Some("Descrito")));
    assert_eq!(
        (cancelled.nProt.as_deref(), cancelled.author.as_deref()),
        (Some("143260000000009"), Some("33000167000101"))
    );
    assert!(!event(&of("610110", "evPrestDesacordo")).cancels());
    // 110112 cancels an NFC-e, and no CT-e
    assert!(!event(&of("110112", "evNenhum")).cancels());
}

const CHAVE_NFSE: &str = "35503082211222333000181000000000000126111234567890";

/// A golden declaration inside of the authority's NFS-e.
fn note_of_services(dps: &str) -> String {
    format!(
        "<NFSe xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\"><infNFSe Id=\"NFS{CHAVE_NFSE}\"><xLocEmi>São Paulo</xLocEmi>\
         <nNFSe>17</nNFSe><cStat>100</cStat><dhProc>2026-11-20T10:00:03-03:00</dhProc><emit><CNPJ>11222333000181</CNPJ><xNome>X</xNome></emit>\
         <valores><vLiq>950.00</vLiq></valores>{dps}</infNFSe></NFSe>"
    )
}

fn services(text: &str) -> NfseDetails {
    match document(text).details {
        DistributedDetails::Services(services) => services,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_nfse_names_its_parties_its_number_and_what_is_paid() {
    let text = note_of_services(include_str!("../../tests/golden/nfse/retida_pelo_intermediario/expected.xml"));
    let note = document(&text);
    assert_eq!((note.chave.as_str(), note.emitente.as_str()), (CHAVE_NFSE, "11222333000181"));
    assert_eq!((note.whole, note.situation, note.details.tipo()), (true, ReceivedSituation::Authorized, Tipo::Nfse));
    assert_eq!(note.dhRecbto.as_deref(), Some("2026-11-20T10:00:03-03:00"));
    let said = services(&text);
    assert_eq!((said.nNFSe.as_str(), said.vLiq.as_deref()), ("17", Some("950.00")));
    assert_eq!((said.prestador.as_deref(), said.cLocEmi.as_str()), (Some("11222333000181"), "3550308"));
    let dps = crate::xml::read(text.as_bytes()).unwrap();
    let text_at = |path: &str| dps.text_at(&format!("infNFSe/DPS/infDPS/{path}")).unwrap().to_owned();
    assert_eq!((Some(text_at("toma/CNPJ")), Some(text_at("interm/CNPJ"))), (said.tomador, said.intermediario));
    assert_eq!((text_at("valores/vServPrest/vServ"), text_at("serv/cServ/cTribNac")), (said.vServ, said.cTribNac));
    // a party abroad has no CNPJ or CPF
    let abroad = note_of_services(include_str!("../../tests/golden/nfse/exemplo_exportacao/expected.xml"));
    assert_eq!(services(&abroad).tomador, None);
    assert_eq!(read(&text.replace("<nNFSe>17</nNFSe>", "")), Err(DistributionReadError::Missing("nNFSe")));
    assert_eq!(read(&text.replace("Id=\"NFS", "Id=\"NF")), Err(DistributionReadError::Missing("Id")));
}

#[test]
fn an_event_of_an_nfse_is_what_the_name_of_its_group_says() {
    let of = |tpEvento: &str, words: &str| {
        format!(
            "<evento xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\"><infEvento Id=\"EVT{CHAVE_NFSE}{tpEvento}002\">\
             <ambGer>1</ambGer><nSeqEvento>2</nSeqEvento><dhProc>2026-11-20T11:00:03-03:00</dhProc><nDFSe>41</nDFSe>\
             <pedRegEvento versao=\"1.01\"><infPedReg Id=\"PRE{CHAVE_NFSE}{tpEvento}\"><tpAmb>2</tpAmb>\
             <dhEvento>2026-11-20T11:00:00-03:00</dhEvento><CNPJAutor>00394460000141</CNPJAutor><chNFSe>{CHAVE_NFSE}</chNFSe>\
             <e{tpEvento}><xDesc>Descrito</xDesc>{words}</e{tpEvento}></infPedReg></pedRegEvento></infEvento></evento>"
        )
    };
    let read = event(&of("305101", "<xProcAdm>Nota emitida em duplicidade</xProcAdm>"));
    assert_eq!((read.tipo, read.chave.as_str(), read.tpEvento.as_str()), (Tipo::Nfse, CHAVE_NFSE, "305101"));
    assert_eq!((read.nSeqEvento, read.nProt.as_deref(), read.whole), (2, Some("41"), true));
    assert_eq!((read.author.as_deref(), read.description.as_deref()), (Some("00394460000141"), Some("Descrito")));
    assert_eq!(read.reason.as_deref(), Some("Nota emitida em duplicidade"));
    assert_eq!(read.dhRegEvento.as_deref(), Some("2026-11-20T11:00:03-03:00"));
    let replaced = event(&of("105102", &format!("<chSubstituta>{CHAVE_NFSE}</chSubstituta>")));
    assert_eq!((replaced.replaced_by.as_deref(), read.replaced_by), (Some(CHAVE_NFSE), None));
    let ends = |tpEvento: &str| event(&of(tpEvento, "<xMotivo>Porque sim, e basta</xMotivo>")).cancels();
    assert_eq!(["101101", "105102", "105104", "305101"].map(ends), [true; 4]);
    assert_eq!(["101103", "105105", "203202", "203206", "305102", "305103"].map(ends), [false; 6]);
    let nameless = of("101101", "").replace("e101101>", "x101101>");
    assert_eq!(super::read(&nameless), Err(DistributionReadError::Missing("infEvento")));
}

#[test]
fn what_is_none_of_them_is_said_to_be_so() {
    assert_eq!(read("<resCTe/>"), Err(DistributionReadError::Unknown("resCTe".to_owned())));
    assert_eq!(read(&res_nfe("1").replace("<vNF>100.00</vNF>", "")), Err(DistributionReadError::Missing("vNF")));
    assert!(matches!(read("<resNFe"), Err(DistributionReadError::Malformed(_))));
    let people = archive("cteOSProc", include_str!("../../tests/golden/cte/exemplo_pessoas/expected.xml"));
    assert_eq!(read(&people.replace("cteOSProc", "cteProc")), Err(DistributionReadError::Missing("infCte")));
}
