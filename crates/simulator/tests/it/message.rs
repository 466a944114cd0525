//! Stages 1 and 2: errors of a message that are answered before its document is looked at.

use crate::bench::{Note, batch, code, start, verdict};
use authority::call::AuthorityCall;
use authority::table::AuthorityService;
use simulator::settings::{ModeAt, ServiceMode};

const STATUS: &str = "<consStatServ xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ></consStatServ>";

#[tokio::test]
async fn a_message_over_500_kb_is_214() {
    let bench = start().await;
    let padded = format!("<x>{}</x>", "a".repeat(520 * 1024));
    assert_eq!(bench.code(AuthorityService::Autorizacao, &padded).await, 214);
}

#[tokio::test]
async fn a_message_that_is_not_well_formed_is_243() {
    let bench = start().await;
    assert_eq!(bench.code(AuthorityService::Autorizacao, "<enviNFe><idLote></enviNFe>").await, 243);
    assert_eq!(bench.code(AuthorityService::StatusServico, "<consStatServ>&nbsp;</consStatServ>").await, 243);
}

#[tokio::test]
async fn a_stopped_service_is_108_or_109() {
    let bench = start().await;
    let stop = |modo| {
        let at = ModeAt {
            modo,
            autoridade: Some("sp".into()),
            modelo: None,
            ambiente: None,
            servico: None,
            retorno_s: Some(600),
        };
        bench.simulator.configure(|settings| settings.servicos = vec![at]);
    };
    stop(ServiceMode::ParalisadoMomentaneamente);
    let reply = bench.ask(AuthorityService::StatusServico, STATUS).await;
    assert_eq!((code(&reply), reply.child("dhRetorno").is_some()), (108, true));
    let signed = bench.sign(&Note::new(1));
    assert_eq!(bench.verdict(&signed).await.0, 108);
    stop(ServiceMode::ParalisadoSemPrevisao);
    assert_eq!(bench.verdict(&signed).await.0, 109);
    stop(ServiceMode::Normal);
    assert_eq!(bench.verdict(&signed).await.0, 100);
}

#[tokio::test]
async fn a_contingency_authority_not_switched_on_is_114() {
    let bench = start().await;
    let at = ModeAt {
        modo: ServiceMode::SvcDesabilitada,
        autoridade: Some("svc-an".into()),
        modelo: None,
        ambiente: None,
        servico: None,
        retorno_s: None,
    };
    bench.simulator.configure(|settings| settings.servicos = vec![at]);
    let mut call = bench.call(AuthorityService::StatusServico, STATUS);
    call.url = call.url.replace("/sp/", "/svc-an/");
    assert_eq!(code(&bench.ask_call(&call).await), 114);
    bench.simulator.configure(|settings| settings.servicos[0].modo = ServiceMode::SvcEmDesativacao);
    assert_eq!(code(&bench.ask_call(&call).await), 113);
}

#[tokio::test]
async fn another_version_is_239() {
    let bench = start().await;
    assert_eq!(bench.code(AuthorityService::StatusServico, &STATUS.replace("4.00", "3.10")).await, 239);
    let signed = bench.sign(&Note::new(1));
    let old = batch(&[&signed], "1").replacen("versao=\"4.00\"", "versao=\"3.10\"", 1);
    assert_eq!(bench.code(AuthorityService::Autorizacao, &old).await, 239);
}

#[tokio::test]
async fn another_encoding_is_402() {
    let bench = start().await;
    let mut declared = bench.call(AuthorityService::StatusServico, STATUS);
    declared.body = String::from_utf8(declared.body).unwrap().replacen("UTF-8", "ISO-8859-1", 1).into_bytes();
    assert_eq!(code(&bench.ask_call(&declared).await), 402);
    let mut bytes = bench.call(AuthorityService::StatusServico, &STATUS.replace("STATUS<", "STATUS\u{e3}<"));
    bytes.body = bytes.body.iter().filter(|byte| **byte != 0xc3).copied().collect();
    assert_eq!(code(&bench.ask_call(&bytes).await), 402);
    let mut header = bench.call(AuthorityService::StatusServico, STATUS);
    header.headers[0].1 = header.headers[0].1.replace("utf-8", "iso-8859-1");
    assert_eq!(code(&bench.ask_call(&header).await), 402);
}

#[tokio::test]
async fn asking_the_status_too_often_is_656_for_an_hour() {
    let bench = start().await;
    for _ in 0..40 {
        assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 107);
    }
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 656);
    bench.simulator.clock().set_mode(simulator::clock::ClockMode::Shifted(jiff::SignedDuration::from_mins(61)));
    assert_eq!(bench.code(AuthorityService::StatusServico, STATUS).await, 107);
}

#[tokio::test]
async fn a_message_against_its_layout_is_225_or_215_and_says_why() {
    let bench = start().await;
    let signed = bench.sign(&Note::new(1));
    let (cStat, xMotivo) = bench.verdict(&signed.replace("<natOp>VENDA</natOp>", "")).await;
    assert_eq!(cStat, 225);
    assert!(
        xMotivo.starts_with("Rejeição: Falha no Schema XML do lote de NFe: ") && xMotivo.contains("natOp"),
        "{xMotivo}"
    );
    let reply = bench.ask(AuthorityService::StatusServico, &STATUS.replace("<cUF>35</cUF>", "<cUF>00</cUF>")).await;
    assert_eq!(verdict(&reply).0, 215);
}

#[tokio::test]
async fn an_unexpected_root_or_a_missing_version_has_its_own_number() {
    let bench = start().await;
    let other = "<outro xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"></outro>";
    assert_eq!(bench.code(AuthorityService::Autorizacao, other).await, 565);
    assert_eq!(bench.code(AuthorityService::StatusServico, other).await, 516);
    assert_eq!(bench.code(AuthorityService::StatusServico, &STATUS.replace(" versao=\"4.00\"", "")).await, 517);
    let signed = bench.sign(&Note::new(1));
    assert_eq!(
        bench.code(AuthorityService::Autorizacao, &batch(&[&signed], "1").replacen(" versao=\"4.00\"", "", 1)).await,
        568
    );
}

#[tokio::test]
async fn prefixes_foreign_namespaces_and_edit_characters_are_404_587_588() {
    let bench = start().await;
    let prefixed = STATUS
        .replace("<consStatServ xmlns=", "<n:consStatServ xmlns:n=")
        .replace("</consStatServ>", "</n:consStatServ>")
        .replace(
            "<tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ>",
            "<n:tpAmb>2</n:tpAmb><n:cUF>35</n:cUF><n:xServ>STATUS</n:xServ>",
        );
    assert_eq!(bench.code(AuthorityService::StatusServico, &prefixed).await, 404);
    let declared = STATUS.replace(" versao", " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" versao");
    assert_eq!(bench.code(AuthorityService::StatusServico, &declared).await, 587);
    assert_eq!(bench.code(AuthorityService::StatusServico, &STATUS.replace("<cUF>", "\n<cUF>")).await, 588);
    assert_eq!(bench.code(AuthorityService::StatusServico, &format!(" {STATUS}")).await, 588);
}

#[tokio::test]
async fn an_unknown_operation_is_a_fault_and_another_content_type_is_415() {
    let bench = start().await;
    let mut operation = bench.call(AuthorityService::StatusServico, STATUS);
    operation.body = String::from_utf8(operation.body).unwrap().replace("nfeDadosMsg", "outraMsg").into_bytes();
    let status = async |call: &AuthorityCall| bench.send(call).await.unwrap().status.as_u16();
    assert_eq!(status(&operation).await, 500);
    let mut action = bench.call(AuthorityService::StatusServico, STATUS);
    action.headers[0].1 = action.headers[0].1.replace("nfeStatusServicoNF", "outraOperacao");
    assert_eq!(status(&action).await, 500);
    let mut content_type = bench.call(AuthorityService::StatusServico, STATUS);
    content_type.headers[0].1 = "text/xml; charset=utf-8".to_owned();
    assert_eq!(status(&content_type).await, 415);
    let mut path = bench.call(AuthorityService::StatusServico, STATUS);
    path.url = path.url.replace("/sp/", "/zz/");
    assert_eq!(status(&path).await, 404);
}
