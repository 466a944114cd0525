//! Orders are stored in the bytes that the version before wrote.

use super::act_request::{ActRequest, DocumentAct, DocumentTarget};
use super::manifestation::Manifestacao;
use super::*;
use fiscal::event::cte::{CteCorrection, CteEventKind};
use fiscal::value::ChaveAcesso;
use serde_json::{Value, json};

const CNPJ: &str = "11222333000181";
const CHAVE: &str = "35261111222333000181550010000000011123456784";
const JOB: &str = "01a205d5-f7e4-74c1-adc2-97541ad50341";

/// The version before wrote this text.
fn check(order: &Order, before: &str) {
    assert_eq!(order.to_payload(), before);
    if let Order::Emissao(order) = order {
        assert_eq!(serialize_order(&**order), before);
    }
    let read = Order::read(order.operacao(), before).unwrap();
    assert_eq!(read.to_payload(), before, "what was read says the same");
}

fn request(target: DocumentTarget, act: DocumentAct) -> Order {
    let (referencia, webhook_url) = (Some("C1".to_owned()), None);
    let substituta = match &act {
        DocumentAct::Cancelar { substituta: Some(_), .. } => ChaveAcesso::parse(CHAVE).ok(),
        _ => None,
    };
    let cpf_cnpj = CnpjCpf::parse(CNPJ).unwrap();
    ActRequest {
        cpf_cnpj,
        tipo: Tipo::Nfe,
        target,
        also: Vec::new(),
        substitute_key: None,
        act,
        referencia,
        webhook_url,
    }
    .into_order(substituta)
}

#[test]
fn emissions_are_kept_as_before() {
    let nota: Value = serde_json::from_str(r#"{"identificacao":{"serie":"1"},"produtos":[{"vProd":10.50}]}"#).unwrap();
    let order = Order::Emissao(Arc::new(IssueRequest {
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        modelo: 55,
        nota,
        webhook_url: Some("https://exemplo.com.br/aviso".to_owned()),
        referencia: Some("PED1".to_owned()),
        estrito: true,
        referencia_nova: false,
    }));
    check(
        &order,
        r#"{"cpf_cnpj":"11222333000181","modelo":55,"nota":{"identificacao":{"serie":"1"},"produtos":[{"vProd":10.50}]},"webhook_url":"https://exemplo.com.br/aviso"}"#,
    );
}

#[test]
fn acts_on_documents_are_kept_as_before() {
    let (job, chave) = (DocumentTarget::Job(Uuid::parse_str(JOB).unwrap()), DocumentTarget::Chave(CHAVE.to_owned()));
    let cancel = |substituta| DocumentAct::Cancelar {
        justificativa: "Pedido desfeito pelo cliente".to_owned(),
        substituta,
        codigo_motivo: None,
        codigo_cancelamento: None,
    };
    check(
        &request(job.clone(), cancel(None)),
        r#"{"cpf_cnpj":"11222333000181","job_id":"01a205d5-f7e4-74c1-adc2-97541ad50341","chave":null,"webhook_url":null,"referencia_externa":"C1","justificativa":"Pedido desfeito pelo cliente","chave_substituta":null}"#,
    );
    check(
        &request(job, cancel(Some(chave.clone()))),
        r#"{"cpf_cnpj":"11222333000181","job_id":"01a205d5-f7e4-74c1-adc2-97541ad50341","chave":null,"webhook_url":null,"referencia_externa":"C1","justificativa":"Pedido desfeito pelo cliente","chave_substituta":"35261111222333000181550010000000011123456784"}"#,
    );
    check(
        &request(chave.clone(), DocumentAct::Corrigir { correcao: "Onde se lê 1, leia-se 2".to_owned() }),
        r#"{"cpf_cnpj":"11222333000181","job_id":null,"chave":"35261111222333000181550010000000011123456784","webhook_url":null,"referencia_externa":"C1","correcao":"Onde se lê 1, leia-se 2"}"#,
    );
    check(
        &request(chave, DocumentAct::Autorizar { ator: CnpjCpf::parse(CNPJ).unwrap(), permite: true }),
        r#"{"cpf_cnpj":"11222333000181","job_id":null,"chave":"35261111222333000181550010000000011123456784","webhook_url":null,"referencia_externa":"C1","ator":"11222333000181","permite_subcontratacao":true}"#,
    );
}

#[test]
fn events_of_a_transport_are_kept_to_the_last_digit() {
    let chave = DocumentTarget::Chave(CHAVE.to_owned());
    let dados = serde_json::from_str(r#"{"infGTV":[{"qCarga":12.5000,"nDV":3}],"latitude":"-30.034600"}"#).unwrap();
    check(
        &request(chave.clone(), DocumentAct::Registrar { kind: CteEventKind::InformacoesGtv, dados }),
        r#"{"cpf_cnpj":"11222333000181","job_id":null,"chave":"35261111222333000181550010000000011123456784","webhook_url":null,"referencia_externa":"C1","tipo":"gtv","dados":{"infGTV":[{"qCarga":12.5000,"nDV":3}],"latitude":"-30.034600"}}"#,
    );
    let correcoes = json!([{ "grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": 1 },
        { "grupo": "compl", "campo": "xObs", "valor": "Rua lateral" }]);
    let correcoes = correcoes.as_array().unwrap().iter().filter_map(CteCorrection::read).collect();
    check(
        &request(chave, DocumentAct::CorrigirCampos { correcoes }),
        r#"{"cpf_cnpj":"11222333000181","job_id":null,"chave":"35261111222333000181550010000000011123456784","webhook_url":null,"referencia_externa":"C1","correcoes":[{"grupo":"infQ","campo":"qCarga","valor":"90.0000","item":"1"},{"grupo":"compl","campo":"xObs","valor":"Rua lateral"}]}"#,
    );
}

#[test]
fn what_is_said_of_received_notes_and_ranges_to_void_are_kept_as_before() {
    let cpf_cnpj = CnpjCpf::parse(CNPJ).unwrap();
    let said = ManifestationRequest {
        cpf_cnpj,
        chave: ChaveAcesso::parse(CHAVE).unwrap().into(),
        tipo: Manifestacao::NaoRealizada,
        papel: None,
        codigo_motivo: None,
        justificativa: Some("Mercadoria devolvida".to_owned()),
        webhook_url: None,
        referencia: None,
    };
    check(
        &Order::Manifestacao(said),
        r#"{"cpf_cnpj":"11222333000181","chave":"35261111222333000181550010000000011123456784","tipo":"nao_realizada","justificativa":"Mercadoria devolvida","webhook_url":null,"referencia_externa":null}"#,
    );
    let range = VoidRequest {
        cpf_cnpj,
        modelo: 55,
        serie: None,
        nNFIni: 7,
        nNFFin: 9,
        ano: Some(26),
        justificativa: "Falha do sistema anterior".to_owned(),
        webhook_url: None,
        referencia: Some("I1".to_owned()),
    };
    check(
        &Order::Inutilizacao(range),
        r#"{"cpf_cnpj":"11222333000181","modelo":55,"serie":null,"numero_inicial":7,"numero_final":9,"ano":26,"justificativa":"Falha do sistema anterior","webhook_url":null,"referencia_externa":"I1"}"#,
    );
}

#[test]
fn a_cancellation_of_ours_that_the_version_before_left_is_carried_on() {
    let before = json!({
        "cpf_cnpj": CNPJ, "job_id": JOB, "webhook_url": null, "justificativa": "Emitida em duplicidade",
        "sucessora_job_id": JOB, "por_substituicao": true
    });
    let Some(Order::Cancelamento(DocumentOrder { act, .. })) = Order::read(Operacao::Cancelamento, &before.to_string())
    else {
        panic!("no cancellation")
    };
    assert_eq!((act.sucessora, act.por_substituicao), (Uuid::parse_str(JOB).ok(), Some(true)));
    assert!(act.chave_substituta.is_none());
}

#[test]
fn what_is_no_order_of_its_kind_is_none() {
    assert!(Order::read(Operacao::Emissao, "{}").is_none());
    assert!(Order::read(Operacao::Cancelamento, r#"{"cpf_cnpj":"11222333000181","correcao":"Texto"}"#).is_none());
    assert!(Order::read(Operacao::Inutilizacao, "").is_none());
}
