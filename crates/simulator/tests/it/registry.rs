//! Refusals of the registries of the authority, each beside an accepted case.

use crate::bench::{CNPJ, Note, start};
use fiscal::law::Law;
use serde_json::json;
use simulator::rule_switch::RuleSwitch;
use simulator::settings::{GtinRecord, SimulatorSettings, TaxpayerRecord};

const OTHER_KEY: &str = "35261111222333000181550010000000771123456782";

/// A note with some text replaced.
fn changed(number: u32, edits: &[(&str, &str)]) -> (Note, String) {
    let note = Note::new(number);
    let xml = edits.iter().fold(note.xml(), |xml, (from, to)| {
        assert!(xml.contains(from), "{from}");
        xml.replacen(from, to, 1)
    });
    (note, xml)
}

/// Switches off every rule but those of the databases.
fn only_of_the_database(settings: &mut SimulatorSettings) {
    settings.regras.extend(fiscal::nfe::rules::RULES.iter().map(|rule| (rule.cStat, RuleSwitch::Off)));
}

/// Sends each note, numbered from 1, to a simulator of these settings; returns the codes and texts.
async fn answers(settings: impl Fn(&mut SimulatorSettings), notes: &[&[(&str, &str)]]) -> Vec<(u16, String)> {
    let bench = start().await;
    bench.simulator.configure(settings);
    let mut answers = Vec::new();
    for (edits, number) in notes.iter().zip(1..) {
        let (note, xml) = changed(number, edits);
        let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
        answers.push(bench.verdict(&signed.xml).await);
    }
    answers
}

async fn codes(settings: impl Fn(&mut SimulatorSettings), notes: &[&[(&str, &str)]]) -> Vec<u16> {
    answers(settings, notes).await.into_iter().map(|(cStat, _)| cStat).collect()
}

const DEST: &str = "<indIEDest>9</indIEDest>";

#[tokio::test]
async fn the_addressee_is_what_the_registry_says() {
    let cnpj = ("<dest><CPF>11144477735</CPF>", "<dest><CNPJ>12ABC34501DE35</CNPJ>");
    let ie = (DEST, "<indIEDest>1</indIEDest><IE>110042490114</IE>");
    let listed = |taxpayer: TaxpayerRecord| {
        move |settings: &mut SimulatorSettings| {
            settings.contribuintes.insert("12ABC34501DE35".to_owned(), taxpayer.clone());
        }
    };
    let with_ie = |ie: &str| TaxpayerRecord { ie_destinatario: [ie.to_owned()].into(), ..TaxpayerRecord::default() };
    assert_eq!(codes(listed(with_ie("110042490114")), &[&[cnpj, ie], &[cnpj]]).await, [100, 232]);
    assert_eq!(codes(listed(with_ie("999")), &[&[cnpj, ie]]).await, [233]);
    let of_another = |settings: &mut SimulatorSettings| {
        settings.contribuintes.insert("12ABC34501DE35".to_owned(), with_ie("999"));
        settings.contribuintes.insert("52998224725".to_owned(), with_ie("110042490114"));
    };
    assert_eq!(codes(of_another, &[&[cnpj, ie]]).await, [234]);
    let blocked = TaxpayerRecord { destinatario_bloqueado: true, ..TaxpayerRecord::default() };
    assert_eq!(codes(listed(blocked), &[&[cnpj, ie], &[]]).await, [305, 100]);
    let inactive = TaxpayerRecord { ie_inativa: true, ..with_ie("110042490114") };
    assert_eq!(codes(listed(inactive), &[&[cnpj, ie], &[cnpj]]).await, [306, 100]);
}

#[tokio::test]
async fn an_addressee_who_is_not_listed_is_unknown_where_the_register_is_closed() {
    let cnpj = ("<dest><CPF>11144477735</CPF>", "<dest><CNPJ>12ABC34501DE35</CNPJ>");
    let closed = |settings: &mut SimulatorSettings| settings.destinatarios_fechados = true;
    assert_eq!(codes(closed, &[&[], &[cnpj]]).await, [623, 181]);
    // As until NT 2026.007.
    let before = |settings: &mut SimulatorSettings| {
        closed(settings);
        let days = json!([{ "codigo": 181, "a_partir_de": "nunca", "fonte": "ensaio" }]);
        settings.lei = Law::read(json!({ "regras": days })).unwrap();
    };
    assert_eq!(codes(before, &[&[cnpj]]).await, [246]);
    let listed = |settings: &mut SimulatorSettings| {
        closed(settings);
        settings.contribuintes.insert("12ABC34501DE35".to_owned(), TaxpayerRecord::default());
    };
    assert_eq!(codes(listed, &[&[], &[cnpj]]).await, [623, 100]);
}

#[tokio::test]
async fn a_state_blocks_an_issuer_that_sells_to_its_consumers() {
    let blocked = |settings: &mut SimulatorSettings| {
        only_of_the_database(settings);
        let bloqueado_nas_ufs = ["RJ".to_owned()].into();
        settings
            .contribuintes
            .insert(CNPJ.to_owned(), TaxpayerRecord { bloqueado_nas_ufs, ..TaxpayerRecord::default() });
    };
    let at_home = "<xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP></enderDest>";
    let away = |uf: &str| format!("<xMun>SAO PAULO</xMun><UF>{uf}</UF><CEP>01001000</CEP></enderDest>");
    let (rio, minas) = (away("RJ"), away("MG"));
    let interstate = ("<idDest>1<", "<idDest>2<");
    let notes: [&[(&str, &str)]; 4] = [
        &[interstate, (at_home, &rio)],
        &[interstate, (at_home, &minas)],
        &[interstate, (at_home, &rio), ("<indFinal>1<", "<indFinal>0<")],
        &[interstate, (at_home, &rio), (DEST, "<indIEDest>2</indIEDest>")],
    ];
    assert_eq!(codes(blocked, &notes).await, [307, 100, 100, 100]);
}

#[tokio::test]
async fn a_person_and_the_places_of_a_note_have_their_own_codes() {
    let with_ie = |ie: &str| TaxpayerRecord { ie_destinatario: [ie.to_owned()].into(), ..TaxpayerRecord::default() };
    let ie = (DEST, "<indIEDest>1</indIEDest><IE>110042490114</IE>");
    let of_another = |settings: &mut SimulatorSettings| {
        settings.contribuintes.insert("11144477735".to_owned(), with_ie("999"));
        settings.contribuintes.insert("52998224725".to_owned(), with_ie("110042490114"));
    };
    assert_eq!(codes(of_another, &[&[ie]]).await, [624]);
    let place = |group: &str, holder: &str| {
        format!(
            "</dest><{group}>{holder}<xNome>DEPOSITO</xNome><xLgr>RUA C</xLgr><nro>3</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun>\
             <xMun>SAO PAULO</xMun><UF>SP</UF><IE>110042490114</IE></{group}>"
        )
    };
    let company = "<CNPJ>12ABC34501DE35</CNPJ>";
    let person = "<CPF>52998224725</CPF>";
    let listed = |own: &'static str, other: Option<&'static str>| {
        move |settings: &mut SimulatorSettings| {
            settings.contribuintes.insert("12ABC34501DE35".to_owned(), with_ie(own));
            settings.contribuintes.insert("52998224725".to_owned(), with_ie(own));
            if let Some(other) = other {
                settings.contribuintes.insert("33000167000101".to_owned(), with_ie(other));
            }
        }
    };
    let at = async |own, other, group: &str, holder: &str| {
        codes(listed(own, other), &[&[("</dest>", place(group, holder).as_str())]]).await[0]
    };
    for (group, unknown, of_company, of_person) in [("retirada", 942, 943, 944), ("entrega", 945, 947, 948)] {
        assert_eq!(at("110042490114", None, group, company).await, 100, "{group}");
        assert_eq!(at("999", None, group, company).await, unknown, "{group}");
        assert_eq!(at("999", Some("110042490114"), group, company).await, of_company, "{group}");
        assert_eq!(at("999", Some("110042490114"), group, person).await, of_person, "{group}");
    }
}

#[tokio::test]
async fn a_return_is_worth_no_more_than_what_it_returns() {
    let bench = start().await;
    let sold = Note::new(1);
    assert_eq!(bench.issue(&sold).await.0, 100);
    let key = sold.chave();
    let reference = format!("<NFref><refNFe>{}</refNFe></NFref></ide>", key.as_str());
    let returned: &[(&str, &str)] = &[("</ide>", &reference), ("<finNFe>1</finNFe>", "<finNFe>4</finNFe>")];
    let (above, unknown) = (("<vNF>100.00<", "<vNF>101.01<"), (key.as_str(), OTHER_KEY));
    for (number, edits, expected) in [
        (2, vec![], 100),
        (3, vec![above], 545),
        (4, vec![("<vNF>100.00<", "<vNF>101.00<")], 100),
        (5, vec![above, unknown], 100),
        (6, vec![("</vICMSDeson>", "</vICMSDeson><vFCPUFDest>1.01</vFCPUFDest>")], 581),
    ] {
        bench.simulator.configure(only_of_the_database);
        let edits: Vec<(&str, &str)> = returned.iter().copied().chain(edits).collect();
        let (note, xml) = changed(number, &edits);
        let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
        assert_eq!(bench.verdict(&signed.xml).await.0, expected, "{number}");
    }
}

#[tokio::test]
async fn a_note_that_is_referred_to_is_looked_up_where_the_state_does_so() {
    let reference = format!("<NFref><refNFe>{OTHER_KEY}</refNFe></NFref></ide>");
    let edits: &[(&str, &str)] = &[("</ide>", &reference)];
    assert_eq!(codes(|_| (), &[edits]).await, [100]);
    let closed = |settings: &mut SimulatorSettings| settings.referencias_fechadas = true;
    let found = answers(closed, &[edits]).await;
    assert_eq!((found[0].0, found[0].1.ends_with("[nRef:1]")), (267, true), "{found:?}");
}

#[tokio::test]
async fn a_complement_of_a_complement_is_refused() {
    let bench = start().await;
    let mut known = Vec::new();
    for number in 1..=3 {
        let reference = known.last().map(|key| format!("<NFref><refNFe>{key}</refNFe></NFref></ide>"));
        let mut edits: Vec<(&str, &str)> = Vec::new();
        if let Some(reference) = &reference {
            edits = vec![("</ide>", reference), ("<finNFe>1</finNFe>", "<finNFe>2</finNFe>")];
        }
        let (note, xml) = changed(number, &edits);
        let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
        let (cStat, _) = bench.verdict(&signed.xml).await;
        assert_eq!(cStat, if number < 3 { 100 } else { 268 }, "{number}");
        known.push(note.chave().as_str().to_owned());
    }
}

#[tokio::test]
async fn a_complement_of_a_note_that_does_not_stand_is_refused() {
    let bench = start().await;
    let cancelled = Note::new(1);
    let (cStat, _) = bench.issue(&cancelled).await;
    assert_eq!(cStat, 100);
    let nProt = bench.simulator.documents(None)[0].nProt.clone();
    bench.cancelled(&cancelled, &nProt).await;
    let denied = Note::new(2).xProd("CAFE [SIM:cStat=302]");
    assert_eq!(bench.issue(&denied).await.0, 302);
    for (number, of, expected) in [(3, &cancelled, 686), (4, &denied, 687)] {
        let reference = format!("<NFref><refNFe>{}</refNFe></NFref></ide>", of.chave().as_str());
        let edits = [("</ide>", reference.as_str()), ("<finNFe>1</finNFe>", "<finNFe>2</finNFe>")];
        let (note, xml) = changed(number, &edits);
        let signed = signing::sign(xml, &note.id(), &bench.certificate).unwrap();
        assert_eq!(bench.verdict(&signed.xml).await.0, expected);
    }
}

#[tokio::test]
async fn every_part_of_the_registration_of_a_gtin_is_compared() {
    const UNIT: &str = "7891000315507";
    const BOX: &str = "17891000315504";
    let product = |ncm: &str, cest: &str, contido: &str| GtinRecord {
        ncm: ncm.to_owned(),
        cest: cest.to_owned(),
        contido: contido.to_owned(),
    };
    let listed = |gtin: &'static str, product: GtinRecord| {
        move |settings: &mut SimulatorSettings| {
            settings.produtos.insert(gtin.to_owned(), product.clone());
        }
    };
    let cest = ("<NCM>09012100</NCM>", "<NCM>09012100</NCM><CEST>1709600</CEST>");
    let taxed_by = ("<cEANTrib>SEM GTIN", "<cEANTrib>7891000315507");
    let sold: &[(&str, &str)] = &[("<cEAN>SEM GTIN", "<cEAN>7891000315507"), taxed_by, cest];
    // A code of another country, which no register here lists.
    let taxed: &[(&str, &str)] = &[("<cEAN>SEM GTIN", "<cEAN>4006381333931"), taxed_by, cest];
    let boxed: &[(&str, &str)] = &[("<cEAN>SEM GTIN", "<cEAN>17891000315504"), taxed_by];
    let right = || product("09012100", "1709600", "");
    assert_eq!(codes(listed(UNIT, right()), &[sold, taxed]).await, [100, 100]);
    let other_cest = answers(listed(UNIT, product("09012100", "1709601", "")), &[sold, taxed]).await;
    assert_eq!([other_cest[0].0, other_cest[1].0], [892, 896], "{other_cest:?}");
    assert!(other_cest[0].1.ends_with("[nItem:1; CEST esperado:1709601]"), "{other_cest:?}");
    let other_ncm = answers(listed(UNIT, product("22030000", "", "")), &[taxed]).await;
    assert_eq!((other_ncm[0].0, other_ncm[0].1.ends_with("[nItem:1; NCM esperada:22030000]")), (895, true));
    assert_eq!(codes(|settings| settings.produtos_fechados = true, &[taxed]).await, [894]);
    assert_eq!(codes(listed(BOX, product("", "", UNIT)), &[boxed]).await, [100]);
    let inside = answers(listed(BOX, product("", "", "7896000315502")), &[boxed]).await;
    assert_eq!((inside[0].0, inside[0].1.ends_with("[nItem:1; GTIN Contido esperado:7896000315502]")), (893, true));
}

#[tokio::test]
async fn a_benefit_is_one_of_the_states_list_and_goes_with_its_cst() {
    let by_cst = [
        ("<CRT>1<", "<CRT>2<"),
        ("<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>", "<ICMS40><orig>0</orig><CST>40</CST></ICMS40>"),
    ];
    let with = |prod: &'static str| [by_cst[0], by_cst[1], ("<NCM>09012100</NCM>", prod)];
    let known = with("<NCM>09012100</NCM><cBenef>SP012345</cBenef>");
    let unknown = with("<NCM>09012100</NCM><cBenef>SP999999</cBenef>");
    let goes_with = |cst: &'static str| {
        move |settings: &mut SimulatorSettings| {
            let table = [("SP012345".to_owned(), [cst.to_owned()].into())].into();
            settings.beneficios.insert("SP".to_owned(), table);
        }
    };
    assert_eq!(codes(goes_with("40"), &[&known, &unknown]).await, [100, 946]);
    let found = answers(goes_with("41"), &[&known]).await;
    assert_eq!((found[0].0, found[0].1.ends_with("[nItem:1]")), (931, true), "{found:?}");
}

#[tokio::test]
async fn a_brazilian_gtin_is_compared_with_its_registration() {
    let gtin: &[(&str, &str)] =
        &[("<cEAN>SEM GTIN", "<cEAN>7891000315507"), ("<cEANTrib>SEM GTIN", "<cEANTrib>7891000315507")];
    let listed = |product: GtinRecord| {
        move |settings: &mut SimulatorSettings| {
            settings.produtos.insert("7891000315507".to_owned(), product.clone());
        }
    };
    assert_eq!(codes(|_| (), &[gtin]).await, [100]);
    assert_eq!(codes(|settings| settings.produtos_fechados = true, &[gtin, &[]]).await, [890, 100]);
    let of = |ncm: &str| GtinRecord { ncm: ncm.to_owned(), ..GtinRecord::default() };
    let found = answers(listed(of("22030000")), &[gtin]).await;
    assert_eq!((found[0].0, found[0].1.ends_with("[nItem:1; NCM esperada:22030000]")), (891, true), "{found:?}");
}

#[tokio::test]
async fn a_number_whose_batch_waits_is_not_taken_again() {
    let bench = start().await;
    bench.simulator.configure(|settings| settings.consultas_em_processamento = 1);
    let queued = Note::new(1).xProd("CAFE [SIM:cStat=103]");
    let reply = bench
        .ask(authority::table::AuthorityService::Autorizacao, &crate::bench::batch(&[&bench.sign(&queued)], "1"))
        .await;
    assert_eq!(crate::bench::code(&reply), 103);
    assert_eq!(bench.issue(&Note::new(1).cNF(10_203_040)).await.0, 635);
}

#[tokio::test]
async fn the_software_house_proves_that_it_knows_its_secret() {
    let (note, _) = changed(1, &[]);
    let secret = "0123456789ABCDEF";
    let hash = {
        use base64::Engine as _;
        let digest = openssl::sha::sha1(format!("{secret}{}", note.chave().as_str()).as_bytes());
        base64::engine::general_purpose::STANDARD.encode(digest)
    };
    let house = |hash: &str| {
        format!(
            "</pag><infRespTec><CNPJ>12ABC34501DE35</CNPJ><xContato>Ana</xContato><email>a@b.com.br</email><fone>1130000000</fone>\
             <idCSRT>01</idCSRT><hashCSRT>{hash}</hashCSRT></infRespTec>"
        )
    };
    let known = |settings: &mut SimulatorSettings| {
        settings.csrt.insert("12ABC34501DE35".to_owned(), [("01".to_owned(), secret.to_owned())].into());
    };
    let (right, wrong) = (house(&hash), house("aWv6LeEM4X6u4+qBI2OYZ8grigw="));
    assert_eq!(codes(known, &[&[("</pag>", &right)]]).await, [100]);
    assert_eq!(codes(known, &[&[("</pag>", &wrong)]]).await, [978]);
}
