//! Sums against documents whose amounts stand in the text.

use super::*;

const NOTE: &str = "<nfeProc><NFe><infNFe>\
    <det nItem=\"1\"><prod><CFOP>5102</CFOP><vProd>10.00</vProd></prod><imposto><ICMS><ICMS00><CST>00</CST><vBC>10.00</vBC><vICMS>1.80</vICMS></ICMS00></ICMS>\
    <PIS><PISAliq><CST>01</CST><vBC>10.00</vBC><vPIS>0.07</vPIS></PISAliq></PIS></imposto></det>\
    <det nItem=\"2\"><prod><CFOP>5405</CFOP><vProd>7.50</vProd></prod><imposto><ICMS><ICMSSN500><CSOSN>500</CSOSN></ICMSSN500></ICMS></imposto></det>\
    </infNFe></NFe></nfeProc>";

fn found(totals: &TaxTotals) -> Vec<String> {
    let line = |(key, sum): (&TaxKey, &TaxSum)| {
        let TaxKey { tipo, cfop, cst, imposto } = key;
        format!("{tipo} {cfop} {cst} {imposto}: {} {} {} {}", sum.itens, sum.valor, sum.base, sum.imposto)
    };
    totals.rows().map(line).collect()
}

#[test]
fn items_are_added_up_by_cfop_cst_and_tax() {
    let mut totals = TaxTotals::default();
    totals.add(Tipo::Nfe, NOTE).unwrap();
    totals.add(Tipo::Nfe, NOTE).unwrap();
    let expected = [
        "nfe 5102  Itens: 2 20.00 0 0",
        "nfe 5102 00 ICMS: 2 20.00 20.00 3.60",
        "nfe 5102 01 PIS: 2 20.00 20.00 0.14",
        "nfe 5405  Itens: 2 15.00 0 0",
        "nfe 5405 500 ICMS: 2 15.00 0 0",
    ];
    assert_eq!(found(&totals), expected);
}

#[test]
fn services_and_transport_have_their_own_places() {
    let mut totals = TaxTotals::default();
    let transport = "<cteProc><CTe><infCte><ide><CFOP>5353</CFOP></ide><vPrest><vTPrest>100.00</vTPrest></vPrest>\
        <imp><ICMS><ICMS00><CST>00</CST><vBC>100.00</vBC><vICMS>12.00</vICMS></ICMS00></ICMS></imp></infCte></CTe></cteProc>";
    let national = "<NFSe><infNFSe><valores><vBC>50.00</vBC><vISSQN>2.50</vISSQN></valores><DPS><infDPS><valores>\
        <vServPrest><vServ>50.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN></tribMun></trib></valores></infDPS></DPS></infNFSe></NFSe>";
    let municipal = "<CompNfse><Nfse><InfNfse><ValoresNfse><BaseCalculo>30.00</BaseCalculo><ValorIss>0.60</ValorIss></ValoresNfse>\
        <Servico><Valores><ValorServicos>30.00</ValorServicos></Valores></Servico></InfNfse></Nfse></CompNfse>";
    totals.add(Tipo::Cte, transport).unwrap();
    totals.add(Tipo::Nfse, national).unwrap();
    totals.add(Tipo::Nfse, municipal).unwrap();
    let expected = [
        "cte 5353  Itens: 1 100.00 0 0",
        "cte 5353 00 ICMS: 1 100.00 100.00 12.00",
        "nfse   ISSQN: 1 30.00 30.00 0.60",
        "nfse   Itens: 2 80.00 0 0",
        "nfse  1 ISSQN: 1 50.00 50.00 2.50",
    ];
    assert_eq!(found(&totals), expected);
}

#[test]
fn the_base_of_a_service_is_never_that_of_another_tax() {
    // a service that is not taxed states no base; the group of IBS and CBS has its own
    let exempt = "<NFSe><infNFSe><valores><vLiq>50.00</vLiq></valores>\
        <IBSCBS><valores><vBC>48.00</vBC><uf><pIBSUF>0.10</pIBSUF></uf></valores></IBSCBS><DPS><infDPS><valores>\
        <vServPrest><vServ>50.00</vServ></vServPrest><trib><tribMun><tribISSQN>2</tribISSQN></tribMun></trib></valores></infDPS></DPS></infNFSe></NFSe>";
    let mut totals = TaxTotals::default();
    totals.add(Tipo::Nfse, exempt).unwrap();
    assert_eq!(found(&totals), ["nfse   Itens: 1 50.00 0 0", "nfse  2 ISSQN: 1 50.00 0 0"]);
}

#[test]
fn a_code_is_letters_and_digits() {
    assert_eq!(code("=HYPERLINK(\"x\")"), "HYPERLIN");
    assert!(TaxTotals::default().add(Tipo::Nfe, "<a>").is_err());
}
