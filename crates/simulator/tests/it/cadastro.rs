//! CadConsultaCadastro4, over the real protocol: the register is set over the control plane.

use crate::bench::{Bench, CNPJ, start};
use authority::answer::RegisterAnswer;
use authority::sefaz::{self, TaxpayerQuery};
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use simulator::settings::TaxpayerRecord;

const IE: &str = "110042490114";
const OTHER: &str = "99999999000191";

impl Bench {
    async fn search(&self, uf: Uf, search: &TaxpayerQuery) -> RegisterAnswer {
        self.search_at(uf, uf, search).await
    }
    async fn search_at(&self, at: Uf, uf: Uf, search: &TaxpayerQuery) -> RegisterAnswer {
        let endpoint = self
            .table
            .endpoint(at, 55, TpAmb::Homologacao, AuthorityService::ConsultaCadastro, AuthorityRole::Normal)
            .unwrap();
        let call = sefaz::cadastro(&endpoint, uf, search);
        sefaz::read_cadastro(&self.send(&call).await.unwrap()).unwrap()
    }
    fn register(&self, number: &str, ie: &[&str], change: impl FnOnce(&mut TaxpayerRecord)) {
        let mut taxpayer = TaxpayerRecord {
            ie: ie.iter().map(|ie| (*ie).to_owned()).collect(),
            nome: Some("PAPELARIA & CIA".to_owned()),
            uf: Some("SP".to_owned()),
            ..TaxpayerRecord::default()
        };
        change(&mut taxpayer);
        self.simulator.configure(|settings| drop(settings.contribuintes.insert(number.to_owned(), taxpayer)));
    }
}

fn number(text: &str) -> TaxpayerQuery {
    TaxpayerQuery::Number(CnpjCpf::parse(text).unwrap())
}

fn ie(text: &str) -> TaxpayerQuery {
    TaxpayerQuery::Ie(text.to_owned())
}

#[tokio::test]
async fn a_taxpayer_is_found_by_number_and_by_registration() {
    let bench = start().await;
    bench.register(CNPJ, &[IE], |taxpayer| taxpayer.cnae = Some("4761003".to_owned()));
    for search in [number(CNPJ), ie(IE)] {
        let found = bench.search(Uf::SP, &search).await;
        assert_eq!((found.cStat, found.found.len()), (111, 1), "{search:?}");
        let taxpayer = &found.found[0];
        assert_eq!((taxpayer.IE.as_str(), taxpayer.CNPJ.as_deref(), taxpayer.UF.as_str()), (IE, Some(CNPJ), "SP"));
        assert_eq!((taxpayer.cSit.as_str(), taxpayer.xNome.as_deref()), ("1", Some("PAPELARIA & CIA")));
    }
    // Mato Grosso expects two wrappers.
    assert_eq!(bench.search(Uf::MT, &number(CNPJ)).await.cStat, 259);
    bench.register(OTHER, &["130000019"], |taxpayer| taxpayer.uf = Some("MT".to_owned()));
    assert_eq!(bench.search(Uf::MT, &number(OTHER)).await.cStat, 111);
}

#[tokio::test]
async fn several_registrations_are_112() {
    let bench = start().await;
    bench.register(CNPJ, &[IE, "111111111110"], |taxpayer| taxpayer.nao_habilitado = true);
    let found = bench.search(Uf::SP, &number(CNPJ)).await;
    assert_eq!((found.cStat, found.found.len(), found.found[0].cSit.as_str()), (112, 2, "0"));
}

#[tokio::test]
async fn what_is_not_there_or_not_right_has_its_number() {
    let bench = start().await;
    assert_eq!(bench.search(Uf::SP, &number(CNPJ)).await.cStat, 259);
    assert_eq!(bench.search(Uf::SP, &ie(IE)).await.cStat, 261);
    assert_eq!(bench.search(Uf::SP, &ie("110042490115")).await.cStat, 260);
    assert_eq!(bench.search(Uf::SP, &number("11144477735")).await.cStat, 264);
    assert_eq!(bench.search_at(Uf::SP, Uf::RJ, &number(CNPJ)).await.cStat, 265);
    bench.simulator.configure(|settings| settings.cadastro_por_cpf = false);
    assert_eq!(bench.search(Uf::SP, &number("11144477735")).await.cStat, 262);
    bench.register(CNPJ, &[IE], |taxpayer| taxpayer.nao_credenciado = true);
    assert_eq!(bench.search(Uf::SP, &number(CNPJ)).await.cStat, 257);
}

#[tokio::test]
async fn check_digits_and_layout_are_looked_at() {
    let bench = start().await;
    let ask = async |fields: &str| {
        let message = format!(
            "<ConsCad xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"2.00\"><infCons>{fields}</infCons></ConsCad>"
        );
        let call = bench.call(AuthorityService::ConsultaCadastro, &message);
        sefaz::read_cadastro(&bench.send(&call).await.unwrap()).unwrap().cStat
    };
    let asked = |argument: &str| format!("<xServ>CONS-CAD</xServ><UF>SP</UF>{argument}");
    assert_eq!(ask(&asked("<CNPJ>11222333000182</CNPJ>")).await, 258);
    assert_eq!(ask(&asked("<CPF>11144477736</CPF>")).await, 263);
    for wrong in
        [asked(""), asked("<IE>1</IE>"), asked("<CNPJ>1122233300018A</CNPJ><IE>12</IE>"), asked("<CPF>x</CPF>")]
    {
        assert_eq!(ask(&wrong).await, 215, "{wrong}");
    }
    assert_eq!(ask("<xServ>CONSULTAR</xServ><UF>SP</UF><IE>12</IE>").await, 215);
    assert_eq!(ask("<xServ>CONS-CAD</xServ><UF>XX</UF><IE>12</IE>").await, 215);
}
