//! Plain form of municipal notes: every field of every shape, geometry, marks, continued texts, and the time it takes.

mod documents;

use crate::geometry::judged;
use crate::judges::Printed;
use documents::{first, govdigital, lot, newest, substitution};
use render::form::value::{amount, cep, date, moment, phone, taxpayer};
use render::form::{self, Dfe, ParsedDocument, PrintOptions, PrintedStatus, StoredElement};

/// All texts of the sheets, without blanks, after a check of each sheet.
fn said(name: &str, xml: &str, options: &PrintOptions) -> Vec<String> {
    let document = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&document).unwrap().with_status(&options.status);
    let sheets = form::sheets(note, options).unwrap();
    judged(name, &sheets);
    sheets.iter().map(|sheet| sheet.texts().flat_map(|line| line.text.split_whitespace()).collect()).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Text of a leaf on the form, `None` for a leaf that is shown otherwise or has no meaning for a reader.
fn shown(tag: &str, within: &str, text: &str) -> Option<String> {
    let meant = |words: &[&str]| {
        let place: usize = text.parse().unwrap();
        words[place - 1].to_owned()
    };
    Some(match (tag, within) {
        // status normal of the RPS; the country and the code of Brazil; unit and rate
        ("Status" | "Uf" | "Aliquota", _) | ("CodigoPais", "Endereco" | "EnderecoExterior") => return None,
        // the place of the service is printed once, where it differs from the city of the law
        ("CodigoMunicipio", "Servico") | ("CodigoPais", "Servico") => return None,
        ("Serie" | "Tipo", "RpsSubstituido") => return None,
        ("CodigoMunicipio" | "MunicipioIncidencia" | "MunicipioPrestacao", _) => {
            fiscal::value::municipio::find(text.parse().unwrap()).unwrap().nome.to_owned()
        }
        ("Cnpj" | "Cpf", _) => taxpayer(text),
        ("Cep", _) => cep(text),
        ("Telefone", _) => phone(text),
        ("DataEmissao", "InfNfse") => moment(text),
        ("DataEmissao" | "DataEmissaoRps" | "Competencia", _) => date(text),
        ("Tipo", _) => meant(&["1 - RPS", "2 - Nota conjugada", "3 - Cupom"]),
        ("ExigibilidadeISS", _) => meant(&["1 - Exigível", "", "", "", "", "6 - Suspensa por decisão judicial"]),
        ("NaturezaOperacao", _) => meant(&["", "2 - Tributação fora do município"]),
        ("RegimeEspecialTributacao", _) => meant(&["", "", "3 - Sociedade de profissionais", "", "", "6 - ME/EPP"]),
        ("IssRetido" | "OptanteSimplesNacional" | "IncentivoFiscal" | "IncentivadorCultural", _) => {
            meant(&["Sim", "Não"])
        }
        ("ResponsavelRetencao", _) => meant(&["(Tomador)", "(Intermediário)"]),
        ("Discriminacao", _) => text.replace("\\s\\n", " "),
        (tag, _) if tag.starts_with("Valor") || tag.starts_with("Val") => amount(text),
        ("BaseCalculo" | "OutrasRetencoes" | "DescontoIncondicionado" | "DescontoCondicionado", _) => amount(text),
        _ => text.to_owned(),
    })
}

fn leaves(element: StoredElement<'_>, within: &str, each: &mut impl FnMut(&str, &str, &str)) {
    let mut children = element.children().peekable();
    if children.peek().is_none() {
        each(element.name(), within, element.text());
    }
    children.for_each(|child| leaves(child, element.name(), each));
}

#[test]
fn every_field_of_every_shape_stands_on_the_form() {
    for (name, xml, least) in
        [("govdigital", govdigital(""), 70), ("lote", lot(), 50), ("2.04", newest(), 40), ("1.00", first(), 30)]
    {
        let printed = Printed::new(
            &format!("nfse-municipal-{name}"),
            &form::pdf(xml.as_bytes(), &PrintOptions::default()).unwrap(),
        );
        printed.is_sound();
        let all = printed.text();
        let document = ParsedDocument::read(xml.as_bytes()).unwrap();
        let mut looked_for = 0;
        leaves(document.root().unwrap(), "", &mut |tag, within, text| {
            let Some(shown) = shown(tag, within, text).filter(|_| tag != "NumeroLote") else { return };
            looked_for += 1;
            assert!(all.contains(&squeezed(&shown)), "{name}: {within}/{tag} {shown:?} is not in {all}");
        });
        assert!(looked_for >= least, "{name}: {looked_for}");
        said(name, &xml, &PrintOptions::default());
    }
}

#[test]
fn the_rate_is_shown_in_per_cent_whichever_way_it_was_written() {
    let rate = |xml: String| said("rate", &xml, &PrintOptions::default()).concat();
    assert!(rate(govdigital("")).contains("ALÍQUOTA2,00%"));
    assert!(rate(newest()).contains("ALÍQUOTA5,00%"));
    assert!(rate(first()).contains("ALÍQUOTA3,00%"));
    // without a tax that shows the unit the rate is printed as written
    let untold = govdigital("").replace("<ValorIss>193.52</ValorIss>", "");
    assert!(rate(untold).contains("ALÍQUOTA0,02VALOR"), "a unit was guessed");
}

#[test]
fn what_became_of_a_note_stands_across_it() {
    let confirmed = "<NfseCancelamento versao=\"2.01\"><Confirmacao Id=\"C1\"><DataHora>2026-11-21T09:08:07</DataHora></Confirmacao></NfseCancelamento>";
    let replaced = "<NfseSubstituicao versao=\"2.01\"><SubstituicaoNfse Id=\"S1\"><NfseSubstituidora>26000042</NfseSubstituidora></SubstituicaoNfse></NfseSubstituicao>";
    let options = |standing: PrintedStatus| PrintOptions { status: standing, ..PrintOptions::default() };
    let all = |xml: &str, options: &PrintOptions| said("mark", xml, options).concat();
    let (plain, note) = (options(PrintedStatus::Stored), govdigital(""));
    assert!(!all(&note, &plain).contains("SEMVALORFISCAL"));
    let test = PrintOptions { homologacao: true, ..PrintOptions::default() };
    assert!(all(&note, &test).contains("SEMVALORFISCAL") && all(&note, &test).contains("homologação"));
    let cancelled = all(&govdigital(confirmed), &plain);
    assert!(cancelled.contains("CANCELADA") && cancelled.contains("Canceladaem21/11/202609:08:07"), "{cancelled}");
    let substituted = all(&govdigital(&format!("{confirmed}{replaced}")), &plain);
    assert!(
        substituted.contains("SUBSTITUÍDA") && substituted.contains("SubstituídapelaNFS-e26000042"),
        "{substituted}"
    );
    assert!(all(&note, &options(PrintedStatus::Cancelled { protocol: String::new() })).contains("CANCELADA"));
    assert!(all(&note, &options(PrintedStatus::Substituted)).contains("SUBSTITUÍDA"));
    assert!(all(&lot(), &plain).contains("nenhumaNFS-efoigerada"));
    // the RPS in the place of a note prints alike
    assert_eq!(all(&substitution(), &plain), all(&lot(), &plain));
    let refused = all(&lot(), &options(PrintedStatus::Rejected { reason: "E10 - RPS já informado.".to_owned() }));
    assert!(refused.contains("REJEITADA:E10"), "{refused}");
    assert!(all(&lot(), &options(PrintedStatus::Preview { numbered: false })).contains("PRÉVIA"));
}

#[test]
fn a_description_as_long_as_the_layout_lets_it_goes_on() {
    let words: String = (1..=250).map(|n| format!("SERV{n:03}\\s\\n")).collect();
    let xml = govdigital("").replace("Obra de reforma\\s\\nMedição nº 3 &amp; final", &words);
    let sheets = said("long", &xml, &PrintOptions::default());
    assert!(sheets.len() > 2, "{}", sheets.len());
    let all = sheets.concat();
    for n in 1..=250 {
        assert!(all.contains(&format!("SERV{n:03}")), "{n}");
    }
    for (place, sheet) in sheets.iter().enumerate() {
        assert!(sheet.contains("Nº26000001") && sheet.contains(&format!("Folha{}/{}", place + 1, sheets.len())));
    }
}

#[test]
fn the_longest_texts_stay_in_their_frames() {
    for (letter, spaced) in [('W', false), ('Ç', true)] {
        let long: String = (1..115).map(|place| if spaced && place % 11 == 0 { ' ' } else { letter }).collect();
        for xml in [govdigital(""), newest(), first()] {
            let tags =
                ["RazaoSocial", "NomeFantasia", "Complemento", "Bairro", "Email", "CodigoObra", "NumeroProcesso"];
            let xml = tags.iter().fold(xml, |xml, tag| replaced(&xml, tag, &long));
            said("long", &xml, &PrintOptions::default());
        }
    }
}

fn replaced(xml: &str, tag: &str, text: &str) -> String {
    let open = format!("<{tag}>");
    let mut parts = xml.split(&open);
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let rest = part.split_once(&format!("</{tag}>")).unwrap().1;
        out += &format!("<{tag}>{text}</{tag}>{rest}");
    }
    out
}

#[test]
fn a_cancellation_has_a_form_of_its_own() {
    let asked = "<Pedido><InfPedidoCancelamento Id=\"N1\"><IdentificacaoNfse><Numero>26000001</Numero><CpfCnpj><Cnpj>12ABC34501DE35</Cnpj></CpfCnpj>\
                 <InscricaoMunicipal>12345-6</InscricaoMunicipal><CodigoMunicipio>3138203</CodigoMunicipio></IdentificacaoNfse>\
                 <CodigoCancelamento>4</CodigoCancelamento><CMotivo>9</CMotivo><XMotivo>Emitida duas vezes por engano</XMotivo></InfPedidoCancelamento></Pedido>";
    let confirmed = |when: &str| format!("<Confirmacao Id=\"C1\">{asked}{when}</Confirmacao>");
    let moment = "2026-11-21T09:08:07";
    let of_second = format!(
        "<NfseCancelamento versao=\"2.01\">{}</NfseCancelamento>",
        confirmed(&format!("<DataHora>{moment}</DataHora>"))
    );
    let of_first = format!(
        "<Cancelamento>{}</Cancelamento>",
        confirmed(&format!(
            "<InfConfirmacaoCancelamento><Sucesso>true</Sucesso><DataHora>{moment}</DataHora></InfConfirmacaoCancelamento>"
        ))
    );
    let note = govdigital("");
    for (name, event) in [("2.01", of_second.clone()), ("1.00", of_first), ("nota", govdigital(&of_second))] {
        let printed = Printed::new(
            &format!("cancelamento-municipal-{name}"),
            &form::event::pdf(event.as_bytes(), Some(note.as_bytes())).unwrap(),
        );
        printed.is_sound();
        let all = printed.text();
        for told in [
            "CANCELAMENTO DE NFS-e",
            "26000001",
            "Lavras - MG",
            "21/11/2026 09:08:07",
            "12.ABC.345/01DE-35",
            "12345-6",
            "EMPRESA EXEMPLO LTDA",
            "CONSTRUTORA FULANO S.A.",
            "ABCD1234",
            "4 - Duplicidade da nota",
            "9 - Outros",
            "Emitida duas vezes por engano",
        ] {
            assert!(all.contains(&squeezed(told)), "{name}: {told} is not in {all}");
        }
        assert_eq!(
            form::event::status_after_event(event.as_bytes()),
            Some(PrintedStatus::Cancelled { protocol: String::new() })
        );
    }
}
