//! Forms of the events of an NFS-e: registered facts, parties, and the address of the note's query.

use super::{note, squeezed};
use crate::judges::Printed;
use crate::registered::chave;
use render::form::{PrintedStatus, event};

fn registered(kind: &str, chave: &str, detail: &str) -> String {
    format!(
        "<evento xmlns=\"http://www.sped.fazenda.gov.br/nfse\" versao=\"1.01\"><infEvento Id=\"EVT{chave}{kind}001\"><verAplic>1</verAplic>\
         <ambGer>2</ambGer><nSeqEvento>001</nSeqEvento><dhProc>2026-11-21T10:00:01-03:00</dhProc><nDFSe>992</nDFSe><pedRegEvento versao=\"1.01\">\
         <infPedReg Id=\"PRE{chave}{kind}\"><tpAmb>1</tpAmb><verAplic>1</verAplic><dhEvento>2026-11-21T10:00:00-03:00</dhEvento>\
         <CNPJAutor>11222333000181</CNPJAutor><chNFSe>{chave}</chNFSe><e{kind}>{detail}</e{kind}></infPedReg></pedRegEvento></infEvento></evento>"
    )
}

fn says(name: &str, kind: &str, detail: &str, told: &[&str]) {
    let note = note("intermediario");
    let chave = chave(&note);
    let always = [
        "Sefin Nacional NFS-e",
        "11.222.333/0001-81 - PRESTADOR",
        "PRESTADOR EXEMPLO LTDA",
        "São Paulo - SP",
        "11/2026",
        "NOTA FISCAL DE SERVIÇO",
        &chave,
    ];
    let code = format!("https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave={chave}");
    let event = registered(kind, &chave, detail);
    crate::registered::says(name, &event, &note, &[told, &always].concat(), &code, "992 - 21/11/2026 10:00:01");
}

#[test]
fn a_cancellation_says_why() {
    let detail = "<xDesc>Cancelamento de NFS-e</xDesc><cMotivo>2</cMotivo><xMotivo>Serviço contratado não foi prestado</xMotivo>";
    let told = ["CANCELAMENTO DE NFS-e", "2 - Serviço não Prestado", "Serviço contratado não foi prestado"];
    says("nfse-cancelled", "101101", detail, &told);
}

#[test]
fn a_substitution_names_the_note_that_took_its_place() {
    let other = "35503082211222333000181000000000001826111234567890";
    let detail = format!(
        "<xDesc>Cancelamento de NFS-e por Substituição</xDesc><cMotivo>99</cMotivo><chSubstituta>{other}</chSubstituta>"
    );
    says("nfse-substituted", "105102", &detail, &["POR SUBSTITUIÇÃO", "99 - Outros", other]);
}

#[test]
fn an_event_of_the_town_says_by_which_process() {
    let detail = "<xDesc>Cancelamento de NFS-e por Ofício</xDesc><CPFAgTrib>11144477735</CPFAgTrib><nProcAdm>2026/77</nProcAdm>\
                  <xProcAdm>Processo de ofício do município</xProcAdm>";
    let told = ["POR OFÍCIO", "111.444.777-35", "2026/77 - Processo de ofício do município"];
    says("nfse-by-the-town", "305101", detail, &told);
}

#[test]
fn what_ended_a_note_tells_how_it_ended() {
    let chave = chave(&note("minima"));
    let standing = |kind: &str| event::status_after_event(registered(kind, &chave, "<xDesc>x</xDesc>").as_bytes());
    assert_eq!(standing("105102"), Some(PrintedStatus::Substituted));
    for kind in ["101101", "105104", "305101"] {
        let protocol = "992 - 21/11/2026 10:00:01".to_owned();
        assert_eq!(standing(kind), Some(PrintedStatus::Cancelled { protocol }), "{kind}");
    }
    assert_eq!(event::status_after_event(b"<x/>"), None);
}

#[test]
fn a_request_alone_is_read_too() {
    let xml = "<pedRegEvento><infPedReg><tpAmb>2</tpAmb><dhEvento>2026-11-21T10:00:00-03:00</dhEvento><CPFAutor>11144477735</CPFAutor>\
               <chNFSe>35503082100011144477735000000000001726111234567890</chNFSe><e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>1</cMotivo>\
               <xMotivo>Valor errado na nota</xMotivo></e101101></infPedReg></pedRegEvento>";
    let printed = Printed::new("nfse-asked", &event::pdf(xml.as_bytes(), None).unwrap());
    let text = printed.text();
    for told in ["1 - Erro na Emissão", "SEM VALOR FISCAL", "EMITENTE111.444.777-35", "NÚMERO17"] {
        assert!(text.contains(&squeezed(told)), "{told} is not in {text}");
    }
    assert_eq!(event::registration(xml.as_bytes()), None);
}
