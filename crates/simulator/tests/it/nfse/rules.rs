//! Each rule by its code: a DPS that breaks it and nothing else.

use super::bench::{TOMADOR, authorized, dps, for_the_tomador, registered, town, with, written};
use authority::nfse_nacional::IssueAnswer;
use fiscal::value::TpAmb;
use serde_json::{Value, json};
use signing::SigningAlgorithm;
use simulator::nfse::settings::NationalTaxpayer;
use simulator::nfse::{Convenio, MunicipalConvention};
use simulator::pki::CertificateSubject;
use simulator::rule_switch::RuleSwitch;

/// Replacements in the base, and the code of each.
const BENT: [(&str, &str, &str); 10] = [
    ("versao=\"1.01\"", "versao=\"1.00\"", "E0001"),
    ("<serie>1<", "<serie>2<", "E0004"),
    ("<tpAmb>2<", "<tpAmb>1<", "E0006"),
    ("<dhEmi>2026-11-20T10:00:00-03:00", "<dhEmi>2099-11-20T10:00:00-03:00", "E0008"),
    ("<dCompet>2026-11-20", "<dCompet>2026-11-21", "E0015"),
    ("<dCompet>2026-11-20", "<dCompet>2022-12-31", "E0016"),
    ("<prest><CNPJ>11222333000181</CNPJ>", "<prest><CNPJ>11222333000181</CNPJ><xNome>EMPRESA</xNome>", "E0121"),
    ("<cTribNac>010101", "<cTribNac>000001", "E0310"),
    ("<tribISSQN>1</tribISSQN><tpRetISSQN>1", "<tribISSQN>4</tribISSQN><tpRetISSQN>2", "E0580"),
    ("<tpRetISSQN>1</tpRetISSQN>", "<tpRetISSQN>1</tpRetISSQN><pAliq>2.00</pAliq>", "E0617"),
];

#[tokio::test]
async fn each_rule_of_the_document_has_its_code() {
    let town = town().await;
    for (from, to, code) in BENT {
        let codes = town.codes(&town.bent(&dps(1), from, to)).await;
        assert!(codes.contains(&code.to_owned()), "{code}: {codes:?}");
    }
    assert_eq!(town.bench.simulator.nfse_notes().len(), 0);
    authorized(town.hand_in(&town.signed(&dps(1))).await);
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once_in_order() {
    let town = town().await;
    let xml = written(&dps(1)).0;
    let xml = xml.replacen("<dCompet>2026-11-20", "<dCompet>2026-11-21", 1).replacen(
        "<cTribNac>010101",
        "<cTribNac>000001",
        1,
    );
    assert_eq!(town.codes(&town.sign(&xml)).await, ["E0015", "E0310"]);
}

#[tokio::test]
async fn a_series_of_others_and_another_emitter_are_refused() {
    let town = town().await;
    let xml = written(&dps(1)).0;
    let series = xml.replacen("<serie>1<", "<serie>50000<", 1).replacen("0000100000000", "5000000000000", 1);
    assert_eq!(town.codes(&town.sign(&series)).await, ["E0010"]);
    let taker = xml.replacen("<tpEmit>1<", "<tpEmit>2<", 1);
    assert!(town.codes(&town.sign(&taker)).await.contains(&"E9996".to_owned()));
}

/// The município of issue, the value, and the codes.
#[tokio::test]
async fn conventions_of_municipalities_decide() {
    let town = town().await;
    let issued_in = |code: &str| with(1, json!({ "cLocEmi": code }));
    for (municipality, code) in [("1501402", "E0037"), ("1301605", "E0038"), ("2800308", "E0039"), ("2927408", "E0039")]
    {
        let codes = town.codes(&town.signed(&issued_in(municipality))).await;
        assert!(codes.contains(&code.to_owned()), "{municipality}: {codes:?}");
    }
    let curitiba = |nota: Value| with(1, json!({ "cLocEmi": "4106902" })).with(&json!({ "nota": nota }));
    let own_code = curitiba(json!({ "serv": { "cServ": { "cTribMun": "009" } } }));
    assert_eq!(town.codes(&town.signed(&own_code)).await, ["E0314"]);
    let deduction = curitiba(json!({ "valores": { "vDedRed": { "vDR": "10.00" } } }));
    assert_eq!(town.codes(&town.signed(&deduction)).await, ["E0440"]);
    authorized(town.hand_in(&town.signed(&curitiba(json!({ "serv": { "cServ": { "cTribMun": "001" } } })))).await);
}

#[tokio::test]
async fn a_municipality_is_chosen_otherwise() {
    let town = town().await;
    let inactive = MunicipalConvention { convenio: Convenio::Inativo, ..MunicipalConvention::default() };
    town.bench.simulator.configure(|settings| {
        settings.nfse.municipios.insert(3_550_308, inactive);
    });
    let codes = town.codes(&town.signed(&dps(1))).await;
    assert!(codes.contains(&"E0038".to_owned()), "{codes:?}");
    // The rate is required where the município is not active.
    assert!(codes.contains(&"E0619".to_owned()), "{codes:?}");
}

#[tokio::test]
async fn benefits_are_those_of_the_municipality() {
    let town = town().await;
    let with_benefit = |number: &str, share: Option<&str>| {
        let mut group = json!({ "nBM": number });
        if let Some(share) = share {
            group["pRedBCBM"] = json!(share);
        }
        with(1, json!({ "cLocEmi": "4314902", "valores": { "trib": { "tribMun": { "BM": group } } } }))
    };
    for (number, share, codes) in [
        ("43149029900009", None, &["E0541"][..]),
        ("43149020200005", Some("10.00"), &["E0544"]),
        ("43149020300003", Some("10.00"), &["E0567", "E0577"]),
        ("43149020200002", Some("40.01"), &["E0586"]),
    ] {
        assert_eq!(town.codes(&town.signed(&with_benefit(number, share))).await, codes, "{number}");
    }
    let reduced = town.issue(&with_benefit("43149020200002", Some("40.00"))).await;
    for part in ["<tpBM>2</tpBM><vCalcBM>400.00</vCalcBM><vBC>600.00</vBC>", "<vISSQN>30.00</vISSQN>"] {
        assert!(reduced.xml.contains(part), "{part}");
    }
    let at_its_rate = town.issue(&with_benefit("43149020400004", None).with(&json!({ "nDPS": 2 }))).await;
    assert!(at_its_rate.xml.contains("<pAliqAplic>2.00</pAliqAplic><vISSQN>20.00</vISSQN>"));
}

#[tokio::test]
async fn the_register_knows_who_issues() {
    let town = town().await;
    let known = |provider: NationalTaxpayer| {
        town.bench.simulator.configure(|settings| {
            settings.nfse.contribuintes.insert("11222333000181".to_owned(), provider);
        });
    };
    let registered = NationalTaxpayer {
        IM: Some("987".to_owned()),
        nome: Some("EMPRESA DO CADASTRO".to_owned()),
        ..NationalTaxpayer::default()
    };
    known(registered.clone());
    assert_eq!(town.codes(&town.signed(&dps(1))).await, ["E0116"]);
    let with_registration = |IM: &str| dps(1).with(&json!({ "emitente": { "IM": IM } }));
    assert_eq!(town.codes(&town.signed(&with_registration("123"))).await, ["E0120"]);
    for (provider, code) in [
        (NationalTaxpayer { im_inativa: true, ..registered.clone() }, "E0124"),
        (NationalTaxpayer { im_nao_autorizada: true, ..registered.clone() }, "E0119"),
        (NationalTaxpayer { municipio: Some(3_509_502), ..registered.clone() }, "E0084"),
        (NationalTaxpayer { opSimpNac: Some("3".to_owned()), ..registered.clone() }, "E0160"),
    ] {
        known(provider);
        assert_eq!(town.codes(&town.signed(&with_registration("987"))).await, [code]);
    }
    known(registered);
    let note = town.issue(&with_registration("987")).await;
    assert!(note.xml.contains("<IM>987</IM><xNome>EMPRESA DO CADASTRO</xNome>"));
    town.bench.simulator.configure(|settings| settings.nfse.cadastro_fechado = true);
    let stranger = for_the_tomador(2).with(&json!({ "emitente": { "IM": "987" } }));
    assert_eq!(town.codes(&town.signed(&stranger)).await, ["E0190"]);
}

#[tokio::test]
async fn a_rule_is_switched_off_or_only_told() {
    let town = town().await;
    let odd = with(1, json!({ "valores": { "trib": { "totTrib": { "indTotTrib": "0" } } } }));
    assert_eq!(town.codes(&town.signed(&odd)).await, ["E0713"]);
    let switch = |to: RuleSwitch| {
        town.bench.simulator.configure(|settings| {
            settings.nfse.regras.insert("E0713".to_owned(), to);
        });
    };
    switch(RuleSwitch::Warn);
    let note = town.issue(&odd).await;
    assert_eq!(super::bench::codes(&note.alertas), ["E0713"]);
    switch(RuleSwitch::Off);
    assert_eq!(town.issue(&odd.with(&json!({ "nDPS": 2 }))).await.alertas, []);
}

#[tokio::test]
async fn a_magic_value_asks_for_a_code() {
    let town = town().await;
    let text = |words: &str| with(1, json!({ "serv": { "cServ": { "xDescServ": words } } }));
    assert_eq!(town.codes(&town.signed(&text("Aulas [SIM:codigo=E0625]"))).await, ["E0625"]);
    authorized(town.hand_in(&town.signed(&text("Aulas [SIM:codigo=E0014]"))).await);
}

#[tokio::test]
async fn a_number_is_used_once_and_found_by_its_identity() {
    let town = town().await;
    let signed = town.signed(&dps(1));
    let note = authorized(town.hand_in(&signed).await);
    for again in [signed.clone(), town.signed(&with(1, json!({ "valores": { "vServ": 2 } })))] {
        let IssueAnswer::Duplicate(said) = town.hand_in(&again).await else { panic!("não é duplicidade") };
        assert!(said[0].complemento.as_deref().unwrap().contains(note.chave.as_str()));
    }
    let id = written(&dps(1)).1;
    let counts = town.bench.simulator.nfse_counts(&id);
    assert_eq!((counts.recebida, counts.gravada, counts.rejeitada), (3, 1, 2));
    let production = authority::nfse_nacional::SefinEndpoint::at(&town.bench.simulator.sefin_url(TpAmb::Producao));
    let of_production = dps(1).with(&json!({ "ambiente": "producao" }));
    let reply = town.ask(&production.issue(&town.signed(&of_production))).await;
    authorized(authority::nfse_nacional::read_issue(&reply).unwrap());
}

#[tokio::test]
async fn signatures_are_judged_one_way_and_by_their_codes() {
    let town = town().await;
    let (xml, id) = written(&dps(1));
    let sign = |subject: CertificateSubject| {
        let certificate = crate::bench::certificate(town.bench.simulator.pki(), &subject);
        signing::sign_by(SigningAlgorithm::Sha256, xml.clone(), &id, &certificate).unwrap().xml
    };
    assert_eq!(town.codes(&xml).await, ["E0717"]);
    let changed = town.sign(&xml).replacen("<vServ>1000.00", "<vServ>1000.01", 1);
    assert_eq!(town.codes(&changed).await, ["E0714"]);
    let company = || CertificateSubject::new("EMPRESA TESTE", crate::bench::CNPJ);
    for (subject, code) in [
        (company().valid_for_days(-1), "E0715"),
        (company().untrusted(), "E0715"),
        (company().without_non_repudiation(), "E0716"),
        (company().outside_icp_brasil(), "E0716"),
        (CertificateSubject::new("OUTRA", TOMADOR), "E0718"),
    ] {
        assert_eq!(town.codes(&sign(subject.clone())).await, [code], "{subject:?}");
    }
    // Another establishment of the company signs for it.
    authorized(town.hand_in(&sign(CertificateSubject::new("FILIAL", "11222333000262"))).await);
}

/// A município's own server issues for itself, and the Sefin does not know its notes.
#[tokio::test]
async fn a_municipality_with_its_own_address_issues_there() {
    let town = town().await;
    let salvador = with(1, json!({ "cLocEmi": "2927408" }));
    let own = authority::nfse_nacional::SefinEndpoint::at(
        &town.bench.simulator.municipality_url(TpAmb::Homologacao, 2_927_408),
    );
    let reply = town.ask(&own.issue(&town.signed(&salvador))).await;
    let note = authorized(authority::nfse_nacional::read_issue(&reply).unwrap());
    assert!(note.xml.contains("<ambGer>1</ambGer>") && !note.xml.contains("<procEmi>"));
    assert_eq!(&note.chave.as_str()[..8], "29274081");
    super::tool::assert_all_valid("NFSe_v1.01.xsd", &[("salvador".to_owned(), note.xml.clone())]);
    let id = written(&salvador).1;
    assert_eq!(town.key_of(&id).await, authority::nfse_nacional::DpsAnswer::NotFound);
    assert_eq!(town.note(&note.chave).await, authority::nfse_nacional::NfseAnswer::NotFound);
    let elsewhere = town.ask(&own.issue(&town.signed(&dps(1)))).await;
    let IssueAnswer::Rejected(said) = authority::nfse_nacional::read_issue(&elsewhere).unwrap() else { panic!() };
    assert!(super::bench::codes(&said).contains(&"E0037".to_owned()));
    let (xml, id) = super::bench::request(crate::bench::CNPJ, &note.chave, "101101", Some("Serviço não foi prestado"));
    let signed = signing::sign(xml, &id, &town.bench.certificate).unwrap().xml;
    let at_the_sefin =
        authority::nfse_nacional::read_event(&town.ask(&town.sefin.event(&note.chave, &signed)).await).unwrap();
    assert!(
        matches!(at_the_sefin, authority::nfse_nacional::NfseEventAnswer::Rejected(said) if said[0].codigo.as_str() == "E0831")
    );
    registered(authority::nfse_nacional::read_event(&town.ask(&own.event(&note.chave, &signed)).await).unwrap());
}
