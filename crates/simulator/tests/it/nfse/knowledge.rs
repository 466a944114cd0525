//! Rules that only the authority can check: registers of persons and companies, the rest of a município's parameters,
//! the signer of the request of an event.

use super::bench::{NationalBench, TOMADOR, authorized, codes, dps, request, town, with, written};
use authority::nfse_nacional::{IssueAnswer, NfseEventAnswer, read_event, read_issue};
use serde_json::{Value, json};
use signing::{Certificate, SigningAlgorithm};
use simulator::nfse::settings::NationalTaxpayer;
use simulator::pki::CertificateSubject;
use testkit::cases;
use testkit::cases::nfse::Case;

const PERSON: &str = "11144477735";

/// The codes that refuse a case, signed and sent by this certificate.
async fn refused(town: &NationalBench, case: &Case, certificate: &Certificate) -> Vec<String> {
    let (xml, id) = written(case);
    let signed = signing::sign_by(SigningAlgorithm::Sha256, xml, &id, certificate).unwrap().xml;
    match read_issue(&town.ask_as(&town.sefin.issue(&signed), certificate).await).unwrap() {
        IssueAnswer::Rejected(said) => codes(&said),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn who_is_in_no_register_neither_issues_nor_takes() {
    let town = town().await;
    town.bench.simulator.configure(|settings| settings.nfse.cadastro_fechado = true);
    assert_eq!(town.codes(&town.signed(&dps(1))).await, ["E0082", "E0207"]);
    let person = cases::nfse::all().into_iter().find(|case| case.name() == "autonomo").unwrap();
    let certificate = town.certificate_of(PERSON);
    assert_eq!(refused(&town, &person, &certificate).await, ["E0098", "E0190"]);
    town.bench.simulator.configure(|settings| {
        settings.nfse.cadastro_fechado = false;
        let elsewhere = NationalTaxpayer { municipio: Some(3_509_502), ..NationalTaxpayer::default() };
        settings.nfse.contribuintes.insert(PERSON.to_owned(), elsewhere);
    });
    assert_eq!(refused(&town, &person, &certificate).await, ["E0099"]);
}

#[tokio::test]
async fn nor_does_anybody_stand_between_or_supply() {
    let town = town().await;
    let of = |name: &str| cases::nfse::all().into_iter().find(|case| case.name() == name).unwrap();
    let everybody = [crate::bench::CNPJ, TOMADOR, PERSON];
    town.bench.simulator.configure(|settings| {
        settings.nfse.cadastro_fechado = true;
        for number in everybody {
            settings.nfse.contribuintes.insert(number.to_owned(), NationalTaxpayer::default());
        }
    });
    let unregistered = json!({ "emitente": { "IM": null } });
    for (name, patch, expected) in [
        ("retida_pelo_intermediario", json!({}), &["E0250"][..]),
        ("retida_pelo_intermediario", json!({ "interm": { "CNPJ": null, "CPF": "52998224725" } }), &["E0268", "E0670"]),
        ("ibs_cbs_destinatario", json!({ "IBSCBS": { "dest": { "CNPJCPF": "52998224725" } } }), &["E0914"]),
        ("ibs_cbs_destinatario", json!({ "IBSCBS": { "dest": { "CNPJCPF": "11444777000161" } } }), &["E0912"]),
        ("deducao_por_notas_de_servico", json!({}), &["E0482", "E0488"]),
        ("ibs_cbs_reembolso", json!({}), &["E0946"]),
    ] {
        let case = of(name).with(&unregistered).with(&json!({ "nota": patch }));
        assert_eq!(refused(&town, &case, &town.bench.certificate).await, expected, "{name}");
    }
}

/// Município of issue, payload, code.
#[tokio::test]
async fn parameters_of_a_municipality_refuse() {
    let town = town().await;
    let tribMun = |members: Value| json!({ "valores": { "trib": { "tribMun": members } } });
    let service = |code: &str| json!({ "serv": { "cServ": { "cTribNac": code } } });
    let of =
        |municipality: u32, nota: Value| with(1, json!({ "cLocEmi": municipality })).with(&json!({ "nota": nota }));
    let exempt = json!({ "nBM": "43149020100001" });
    let home = json!({ "endNac": { "cMun": 4314902, "CEP": "90010000" }, "xLgr": "RUA A", "nro": "1", "xBairro": "B" });
    let with_deduction = json!({ "valores": { "vDedRed": { "vDR": 10 }, "trib": { "tribMun": { "BM": exempt } } } });
    let withheld = json!({ "toma": { "end": home },
        "valores": { "trib": { "tribMun": { "BM": exempt, "tpRetISSQN": 2 } } } });
    let in_fonte_boa = json!({ "serv": { "locPrest": { "cLocPrestacao": 1301605 }, "cServ": { "cTribNac": "071001" } },
        "valores": { "trib": { "tribMun": { "BM": exempt } } } });
    let of_another = json!({ "serv": { "cServ": { "cTribNac": "010201" } },
        "valores": { "trib": { "tribMun": { "BM": { "nBM": "43149020400004" } } } } });
    for (municipality, nota, expected) in [
        (4_106_902, service("160201"), &["E0312"][..]),
        (4_106_902, json!({ "prest": { "regTrib": { "regEspTrib": 3 } } }), &["E0177"]),
        (4_314_902, with_deduction, &["E0439"]),
        (4_314_902, withheld, &["E0594"]),
        (4_314_902, in_fonte_boa, &["E0537"]),
        (4_314_902, of_another, &["E0550"]),
        (4_314_902, tribMun(json!({ "BM": { "nBM": "43149020200002", "vRedBCBM": 10 } })), &["E0565", "E0579"]),
    ] {
        assert_eq!(town.codes(&town.signed(&of(municipality, nota))).await, expected);
    }
    let benefit = |number: &str| tribMun(json!({ "BM": { "nBM": number } }));
    for (nota, code) in [
        (benefit("35503080100001"), "E0579"),
        (benefit("35503080100003"), "E0567"),
        (
            json!({ "prest": { "regTrib": { "opSimpNac": 3, "regApTribSN": 1 } },
            "valores": { "trib": { "tribMun": { "BM": { "nBM": "35503080100001", "pRedBCBM": 40 } } } } }),
            "E0536",
        ),
    ] {
        assert_eq!(town.codes(&town.signed(&of(3_550_308, nota))).await, [code]);
    }
}

/// Options of Porto Alegre for single services, persons and benefits, and invalid real estate.
#[tokio::test]
async fn choices_about_single_services_refuse() {
    let town = town().await;
    let of = |numero: u64, municipality: u32, nota: Value| {
        with(numero, json!({ "cLocEmi": municipality })).with(&json!({ "nota": nota }))
    };
    let deducted = |code: &str, group: Value| json!({ "serv": { "cServ": { "cTribNac": code } }, "valores": { "vDedRed": group } });
    let taxed = |code: &str, tribISSQN: u8| json!({ "serv": { "cServ": { "cTribNac": code } }, "valores": { "trib": { "tribMun": { "tribISSQN": tribISSQN } } } });
    let home = |cMun: u32, CEP: &str| json!({ "endNac": { "cMun": cMun, "CEP": CEP }, "xLgr": "RUA A", "nro": "1", "xBairro": "B" });
    let withheld = |cMun: u32, CEP: &str| json!({ "toma": { "end": home(cMun, CEP) }, "valores": { "trib": { "tribMun": { "tpRetISSQN": 2 } } } });
    let from_elsewhere = json!({ "serv": { "locPrest": { "cLocPrestacao": 4314902 }, "cServ": { "cTribNac": "071001" } },
        "valores": { "trib": { "tribMun": { "BM": { "nBM": "43149020200006", "pRedBCBM": 5 } } } } });
    let estate = |cCIB: &str| json!({ "serv": { "cServ": { "cTribNac": "070201" }, "obra": { "cCIB": cCIB } } });
    for (numero, (municipality, nota, expected)) in (1..).zip([
        (4_314_902, deducted("010601", json!({ "pDR": 5 })), &["E0454"][..]),
        (4_314_902, deducted("010601", json!({ "vDR": 5 })), &["E0446"]),
        (4_314_902, deducted("010801", json!({ "vDR": 5 })), &[]),
        (4_314_902, taxed("140101", 4), &["E0539"]),
        (4_314_902, taxed("250301", 1), &["E0540"]),
        (4_314_902, withheld(4_314_902, "90010000"), &[]),
        (3_550_308, withheld(3_550_308, "01310100"), &["E0667"]),
        (3_550_308, from_elsewhere, &["E0548"]),
        (3_550_308, estate("A1B2C3DE"), &["E0373"]),
        (3_550_308, estate("A1B2C3D4"), &[]),
    ]) {
        let signed = town.signed(&of(numero, municipality, nota.clone()));
        assert_eq!(town.codes(&signed).await, expected, "{municipality} {nota}");
    }
}

/// At five per cent, sixty per cent of the price may go: two are left.
#[tokio::test]
async fn two_per_cent_of_the_price_are_left() {
    let town = town().await;
    let deducted = |group: Value| with(1, json!({ "valores": { "vDedRed": group } }));
    let reduced = |group: Value| with(1, json!({ "valores": { "trib": { "tribMun": { "BM": group } } } }));
    let value = |amount: &str| reduced(json!({ "nBM": "35503080100003", "vRedBCBM": amount }));
    for (case, expected) in [
        (deducted(json!({ "pDR": "60.01" })), &["E0429", "E0444"][..]),
        (deducted(json!({ "vDR": "600.01" })), &["E0429", "E0447"]),
        (value("600.01"), &["E0429", "E0575"]),
        (value("1000.01"), &["E0427", "E0429", "E0574", "E0575"]),
        (
            reduced(json!({ "nBM": "35503080100001", "pRedBCBM": 40 })).with(&json!({ "nota": {
            "valores": { "vDedRed": { "vDR": "400.00" } } } })),
            &["E0429"],
        ),
    ] {
        assert_eq!(town.codes(&town.signed(&case)).await, expected);
    }
    let free =
        deducted(json!({ "pDR": 70 })).with(&json!({ "nota": { "serv": { "cServ": { "cTribNac": "170601" } } } }));
    authorized(town.hand_in(&town.signed(&free)).await);
    authorized(town.hand_in(&town.signed(&deducted(json!({ "pDR": 60 })).with(&json!({ "nDPS": 2 })))).await);
    authorized(town.hand_in(&town.signed(&value("600.00").with(&json!({ "nDPS": 3 })))).await);
}

/// All codes of a refused request of cancellation, signed by this certificate.
async fn asked(
    town: &NationalBench,
    chave: &fiscal::value::ChaveNfse,
    certificate: &Certificate,
    author: &str,
) -> Vec<String> {
    let (xml, id) = request(author, chave, "101101", Some("Serviço contratado não foi prestado"));
    let signed = signing::sign(xml, &id, certificate).unwrap().xml;
    let call = town.sefin.event(chave, &signed);
    match read_event(&town.ask_as(&call, &town.bench.certificate).await).unwrap() {
        NfseEventAnswer::Rejected(said) => codes(&said),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_request_of_an_event_is_its_authors() {
    let town = town().await;
    town.bench.simulator.configure(|settings| settings.nfse.erro_em_lista = true);
    let chave = town.issue(&dps(1)).await.chave;
    let certificate = |subject: CertificateSubject| crate::bench::certificate(town.bench.simulator.pki(), &subject);
    let company = || CertificateSubject::new("EMPRESA TESTE", crate::bench::CNPJ);
    for (subject, author, expected) in [
        (company().valid_for_days(-1), crate::bench::CNPJ, &["E1983"][..]),
        (company().without_non_repudiation(), crate::bench::CNPJ, &["E1986"]),
        (CertificateSubject::new("OUTRA", TOMADOR), crate::bench::CNPJ, &["E0812", "E1991"]),
        (company(), PERSON, &["E0815", "E1991"]),
        (CertificateSubject::new("PESSOA", PERSON), PERSON, &["E0816"]),
    ] {
        let found = asked(&town, &chave, &certificate(subject.clone()), author).await;
        assert_eq!(found, expected, "{subject:?}");
    }
}
