//! The answers against the official definitions: the members that are required, those that are known, and their types.
//! Source: OpenAPI of the Sefin Nacional (swagger 2.0) and of the ADN, 2025-12.

use super::bench::{dps, request, town, written};
use fiscal::value::TpAmb;
use serde_json::Value;
use simulator::rule_switch::RuleSwitch;

/// Name, type, whether it is required.
type Member = (&'static str, Kind, bool);

/// Types of the definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    TextOrNull,
    Moment,
    Integer,
    Number,
    NumberOrNull,
    Bool,
    List,
    Object,
}

use Kind::{Bool, Integer, List, Moment, Number, NumberOrNull, Object, Text, TextOrNull};

const HEAD: [Member; 3] =
    [("tipoAmbiente", Integer, true), ("versaoAplicativo", Text, true), ("dataHoraProcessamento", Moment, true)];
const ISSUED: &[Member] = &[
    HEAD[0],
    HEAD[1],
    HEAD[2],
    ("idDps", Text, true),
    ("chaveAcesso", Text, true),
    ("nfseXmlGZipB64", Text, true),
    ("alertas", List, false),
];
const NOT_ISSUED: &[Member] = &[HEAD[0], HEAD[1], HEAD[2], ("idDPS", Text, false), ("erros", List, true)];
const NOTE: &[Member] = &[HEAD[0], HEAD[1], HEAD[2], ("chaveAcesso", Text, true), ("nfseXmlGZipB64", Text, true)];
const DPS: &[Member] = &[HEAD[0], HEAD[1], HEAD[2], ("idDps", Text, true), ("chaveAcesso", Text, true)];
const EVENT: &[Member] = &[HEAD[0], HEAD[1], HEAD[2], ("eventoXmlGZipB64", Text, true)];
const ERRO: &[Member] = &[HEAD[0], HEAD[1], HEAD[2], ("erro", Object, true)];
const MESSAGE: &[Member] =
    &[("mensagem", Text, false), ("codigo", Text, false), ("descricao", Text, false), ("complemento", Text, false)];
pub(crate) const CONVENIO: &[Member] = &[
    ("tipoConvenioDeserializationSetter", Integer, true),
    ("aderenteAmbienteNacional", Integer, true),
    ("aderenteEmissorNacional", Integer, true),
    ("situacaoEmissaoPadraoContribuintesRFB", Integer, true),
    ("aderenteMAN", Integer, true),
    ("permiteAproveitametoDeCreditos", Bool, true),
];
pub(crate) const BENEFIT: &[Member] = &[
    ("codigoBeneficio", Text, true),
    ("descricao", Text, true),
    ("dataInicioVigencia", Text, true),
    ("dataFimVigencia", TextOrNull, true),
    ("tipoBeneficio", Integer, true),
    ("tipoReducaoBC", Integer, false),
    ("reducaoPercentualBC", NumberOrNull, true),
    ("aliquotaDiferenciada", NumberOrNull, true),
    ("restritoAoMunicipio", Bool, true),
    ("servicos", List, true),
    ("contribuintes", List, true),
];
pub(crate) const LOTE: &[Member] = &[
    ("StatusProcessamento", Text, true),
    ("LoteDFe", List, true),
    ("Alertas", List, true),
    ("Erros", List, true),
    ("TipoAmbiente", Text, true),
    ("VersaoAplicativo", Text, true),
    ("DataHoraProcessamento", Moment, true),
];
pub(crate) const PIECE: &[Member] = &[
    ("NSU", Integer, true),
    ("ChaveAcesso", Text, true),
    ("TipoDocumento", Text, true),
    ("TipoEvento", TextOrNull, true),
    ("ArquivoXml", Text, true),
    ("DataHoraGeracao", Moment, true),
];

#[track_caller]
pub(crate) fn assert_shape(value: &Value, members: &[Member]) {
    let all = value.as_object().unwrap_or_else(|| panic!("não é objeto: {value}"));
    for (name, kind, required) in members {
        match all.get(*name) {
            Some(found) => assert!(is_of(found, *kind), "{name} não é {kind:?}: {found}"),
            None => assert!(!required, "falta {name} em {value}"),
        }
    }
    let known = |name: &String| members.iter().any(|(known, ..)| known == name);
    assert!(all.keys().all(known), "membro desconhecido em {value}");
}

fn is_of(value: &Value, kind: Kind) -> bool {
    match kind {
        Text => value.is_string(),
        TextOrNull => value.is_string() || value.is_null(),
        Moment => value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok()),
        Integer => value.is_u64(),
        Number => value.is_number(),
        NumberOrNull => value.is_null() || is_of(value, Number),
        Bool => value.is_boolean(),
        List => value.is_array(),
        Object => value.is_object(),
    }
}

/// Body of a reply.
fn body(reply: &authority::call::AuthorityReply) -> Value {
    serde_json::from_slice(&reply.body).unwrap()
}

#[tokio::test]
async fn answers_to_a_dps_have_their_shape() {
    let town = town().await;
    town.bench.simulator.configure(|settings| {
        settings.nfse.regras.insert("E0713".to_owned(), RuleSwitch::Warn);
    });
    let odd = super::bench::with(1, serde_json::json!({ "valores": { "trib": { "totTrib": { "indTotTrib": "0" } } } }));
    let reply = town.ask(&town.sefin.issue(&town.signed(&odd))).await;
    assert_eq!(reply.status.as_u16(), 201);
    assert_shape(&body(&reply), ISSUED);
    assert_shape(&body(&reply)["alertas"][0], MESSAGE);
    let reply = town.ask(&town.sefin.issue(&town.signed(&odd))).await;
    assert_eq!(reply.status.as_u16(), 400);
    assert_shape(&body(&reply), NOT_ISSUED);
    assert_shape(&body(&reply)["erros"][0], MESSAGE);
    let reply = town.ask(&town.sefin.issue("<DPS/>")).await;
    assert_shape(&body(&reply), NOT_ISSUED);
}

#[tokio::test]
async fn answers_to_questions_and_events_have_their_shape() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let id = written(&dps(1)).1;
    assert_shape(&body(&town.ask(&town.sefin.dps(&id)).await), DPS);
    assert_shape(&body(&town.ask(&town.sefin.nfse(&note.chave)).await), NOTE);
    assert_shape(&body(&town.ask(&town.sefin.dps(&written(&dps(2)).1)).await), ERRO);
    let (xml, id) = request(crate::bench::CNPJ, &note.chave, "101101", Some("Serviço contratado não foi prestado"));
    let signed = signing::sign(xml, &id, &town.bench.certificate).unwrap().xml;
    let call = town.sefin.event(&note.chave, &signed);
    let (first, second) = (town.ask(&call).await, town.ask(&call).await);
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 400));
    assert_shape(&body(&first), EVENT);
    assert_shape(&body(&second), ERRO);
    assert_shape(&body(&second)["erro"], MESSAGE);
    town.bench.simulator.configure(|settings| settings.nfse.evento_unico = true);
    let base = town.bench.simulator.sefin_url(TpAmb::Homologacao);
    let (_, found) = town.get(&format!("{base}/nfse/{}/eventos/101101/1", note.chave.as_str())).await;
    assert_shape(&found, EVENT);
}
