//! CadConsultaCadastro4: the message (wrapped twice where the table requires it) and the registrations of the reply.

use crate::samples::{envelope, ok};
use authority::sefaz::{self, TaxpayerQuery};
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable};
use fiscal::value::{CnpjCpf, TpAmb, Uf};

fn endpoint(uf: Uf) -> Endpoint {
    EndpointTable::builtin()
        .endpoint(uf, 55, TpAmb::Homologacao, AuthorityService::ConsultaCadastro, AuthorityRole::Normal)
        .unwrap()
}

fn body(uf: Uf, search: &TaxpayerQuery) -> String {
    String::from_utf8(sefaz::cadastro(&endpoint(uf), uf, search).body).unwrap()
}

#[test]
fn a_search_names_the_state_and_one_argument() {
    let cnpj = TaxpayerQuery::Number(CnpjCpf::parse("12ABC34501DE35").unwrap());
    let message = r#"<ConsCad xmlns="http://www.portalfiscal.inf.br/nfe" versao="2.00"><infCons><xServ>CONS-CAD</xServ><UF>SP</UF><CNPJ>12ABC34501DE35</CNPJ></infCons></ConsCad>"#;
    let open = r#"<nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4">"#;
    assert!(body(Uf::SP, &cnpj).contains(&format!("<soap12:Body>{open}{message}</nfeDadosMsg></soap12:Body>")));
    let cpf = TaxpayerQuery::Number(CnpjCpf::parse("11144477735").unwrap());
    assert!(body(Uf::PR, &cpf).contains("<UF>PR</UF><CPF>11144477735</CPF>"));
    assert!(body(Uf::RJ, &TaxpayerQuery::Ie("ISENTO".to_owned())).contains("<UF>RJ</UF><IE>ISENTO</IE>"));
}

#[test]
fn mato_grosso_takes_it_in_two_wrappers() {
    let text = body(Uf::MT, &TaxpayerQuery::Ie("130000019".to_owned()));
    assert!(text.contains("CadConsultaCadastro4\"><nfeDadosMsg><ConsCad "), "{text}");
    assert!(text.contains("</ConsCad></nfeDadosMsg></nfeDadosMsg>"), "{text}");
}

#[test]
fn a_state_without_a_row_offers_no_search() {
    let table = EndpointTable::builtin();
    let offered =
        |uf| table.endpoint(uf, 55, TpAmb::Producao, AuthorityService::ConsultaCadastro, AuthorityRole::Normal).is_ok();
    let without: Vec<&str> = Uf::ALL.into_iter().filter(|uf| !offered(*uf)).map(Uf::sigla).collect();
    assert_eq!(without, ["AM", "MA"]);
}

fn ret_cad(cStat: u16, found: &str) -> String {
    format!(
        r#"<retConsCad xmlns="http://www.portalfiscal.inf.br/nfe" versao="2.00"><infCons><verAplic>SVRS2026</verAplic><cStat>{cStat}</cStat><xMotivo>Consulta cadastro com uma ocorrencia</xMotivo><UF>SP</UF><CNPJ>11222333000181</CNPJ><dhCons>2026-11-20T10:00:00-03:00</dhCons><cUF>35</cUF>{found}</infCons></retConsCad>"#
    )
}

const FOUND: &str = "<infCad><IE>110042490114</IE><CNPJ>11222333000181</CNPJ><UF>SP</UF><cSit>1</cSit><indCredNFe>1</indCredNFe>\
    <indCredCTe>4</indCredCTe><xNome>EMPRESA TESTE LTDA</xNome><CNAE>4761003</CNAE><dIniAtiv>2010-01-31</dIniAtiv>\
    <ender><xLgr>RUA A</xLgr><nro>1</nro><cMun>3550308</cMun><CEP>01001000</CEP></ender></infCad>";

fn read(answer: &str) -> Result<authority::answer::RegisterAnswer, sefaz::UnreadableReply> {
    sefaz::read_cadastro(&ok(envelope("CadConsultaCadastro4", answer)))
}

#[test]
fn registrations_are_read_with_their_official_names() {
    let one = read(&ret_cad(111, FOUND)).unwrap();
    assert_eq!((one.cStat, one.found.len(), one.dhCons.as_deref()), (111, 1, Some("2026-11-20T10:00:00-03:00")));
    let taxpayer = &one.found[0];
    assert_eq!((taxpayer.IE.as_str(), taxpayer.cSit.as_str()), ("110042490114", "1"));
    assert_eq!((taxpayer.xFant.as_deref(), taxpayer.CNAE.as_deref()), (None, Some("4761003")));
    assert_eq!(taxpayer.ender.as_ref().and_then(|ender| ender.cMun.as_deref()), Some("3550308"));
    assert_eq!(read(&ret_cad(112, &FOUND.repeat(2))).unwrap().found.len(), 2);
}

#[test]
fn a_refusal_brings_none_and_a_success_without_any_is_no_answer() {
    let refused = read(&ret_cad(259, "")).unwrap();
    assert_eq!((refused.cStat, refused.found.len()), (259, 0));
    assert!(read(&ret_cad(111, "")).is_err());
}
