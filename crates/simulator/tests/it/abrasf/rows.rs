//! Every provider's row of the product against the simulated server of that provider, whose row was written
//! independently: queries and a signed cancellation, over TLS.

use super::bench::LAVRAS;
use crate::bench::{Bench, CNPJ, start};
use authority::abrasf::{
    self, AbrasfOperation, MunicipalIssuer, ProviderChoice, ProviderCredentials, ProviderRow, ProviderTable,
    ResolvedProvider,
};
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer};
use authority::call::AuthorityCall;
use authority::table::{AuthorityService, Endpoint, EndpointTable};
use authority::wire::WireProtocol;
use fiscal::abrasf::message::{self, CancellationRequest};
use fiscal::abrasf::{UnsignedMessage, build, substitution};
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::tipo::RPS;
use fiscal::value::{Chave, ChaveAcesso, CnpjCpf, Serie, TpAmb};
use serde_json::{Value, json};
use std::sync::Arc;

fn company() -> Arc<MunicipalIssuer> {
    Arc::new(MunicipalIssuer {
        document: CnpjCpf::parse(CNPJ).unwrap(),
        inscricao_municipal: Some("12345".to_owned()),
        credentials: ProviderCredentials {
            login: "usuario".to_owned().into(),
            senha: "senha".to_owned().into(),
            token: "token".to_owned().into(),
        },
    })
}

/// The row as that of Lavras, in an operator's table: its members, then the addresses of the simulator.
fn resolved(bench: &Bench, row: &ProviderRow) -> ResolvedProvider {
    of_table(&as_lavras(bench, row), row.aliquota.is_none())
}

fn as_lavras(bench: &Bench, row: &ProviderRow) -> String {
    let city =
        format!("[abrasf.municipality.{LAVRAS}]\nprovider = \"{}\"\nversion = \"{}\"\n", row.provider, row.version);
    city + &bench.simulator.endpoints_toml()
}

/// The company decides the unit of rates that its row leaves open.
fn of_table(toml: &str, without_unit: bool) -> ResolvedProvider {
    let said = ProviderChoice { aliquota: without_unit.then_some("percentual"), ..ProviderChoice::default() };
    EndpointTable::with_overrides(toml).unwrap().providers().resolve(LAVRAS, TpAmb::Producao, &said).unwrap()
}

/// Answer of a server to a call, or the reason why it is none.
async fn answer_to<T>(
    bench: &Bench,
    call: &AuthorityCall,
    read: impl FnOnce(&authority::call::AuthorityReply) -> Result<T, authority::sefaz::UnreadableReply>,
) -> Result<T, String> {
    let reply = bench.send(call).await.map_err(|error| error.cause)?;
    read(&reply).map_err(|error| error.to_string())
}

/// The query of an RPS, signed where its provider requires it.
fn rps_question(bench: &Bench, resolved: &ResolvedProvider, asked_by: &str) -> AuthorityCall {
    let endpoint = resolved.endpoint(AuthorityService::ConsultaProtocolo, &company()).unwrap();
    WireProtocol::Abrasf.query(&endpoint, TpAmb::Producao, asked_by).unwrap_or_else(|| {
        let question = message::query_rps(&resolved.dialect, &asked_by.parse().unwrap());
        abrasf::call(&endpoint, &super::bench::signed(question, &bench.certificate))
    })
}

/// The query of a batch, signed where its provider requires it.
fn batch_question(bench: &Bench, endpoint: &Endpoint, protocolo: &str) -> AuthorityCall {
    match abrasf::batch_question(endpoint, protocolo).filter(|question| !question.signatures.is_empty()) {
        Some(question) => abrasf::call(endpoint, &super::bench::signed(question, &bench.certificate)),
        None => abrasf::receipt(endpoint, TpAmb::Producao, protocolo),
    }
}

async fn questions(bench: &Bench, resolved: &ResolvedProvider) -> Vec<String> {
    let company = company();
    let mut wrong = Vec::new();
    let asked = rps_question(bench, resolved, &format!("RPS{LAVRAS}-{CNPJ}-1-1-77-12345"));
    match answer_to(bench, &asked, |reply| WireProtocol::Abrasf.read_query(reply)).await {
        Ok(DocumentSituation::NeverSeen(said)) if said.codigo.as_str() == "E4" => {}
        other => wrong.push(format!("consulta por RPS: {other:?}")),
    }
    if let Some(receipt) = resolved.endpoint(AuthorityService::RetAutorizacao, &company) {
        let asked = batch_question(bench, &receipt, "P1");
        match answer_to(bench, &asked, abrasf::read_receipt).await {
            Ok(AuthorizationAnswer::Undecided(said)) if said.codigo.as_str() == "E86" => {}
            other => wrong.push(format!("consulta de lote: {other:?}")),
        }
    }
    wrong
}

/// A cancellation of a note that does not exist; returns any answer but E78.
async fn cancellation(bench: &Bench, resolved: &ResolvedProvider) -> Option<String> {
    let endpoint = resolved.endpoint_of(AbrasfOperation::CancelarNfse, &company())?;
    match cancelled(bench, resolved, &endpoint, 26_000_001).await {
        Ok(EventAnswer::Rejected(said)) if said.codigo.as_str() == "E78" => None,
        other => Some(format!("cancelamento: {other:?}")),
    }
}

async fn cancelled(
    bench: &Bench,
    resolved: &ResolvedProvider,
    endpoint: &Endpoint,
    numero: u64,
) -> Result<EventAnswer, String> {
    let company = company();
    let numero = numero.to_string();
    let what = CancellationRequest {
        numero: &numero,
        municipio: LAVRAS,
        prestador: company.prestador(),
        codigo: Some("1"),
        motivo: "1",
        justificativa: "Valor informado errado na nota",
    };
    let signed = super::bench::signed(message::cancel(&resolved.dialect, &what), &bench.certificate);
    // A municipal note has no key, and the wire does not read it.
    let key = Chave::Acesso(ChaveAcesso::parse("35261111222333000181550010000000011123456784").unwrap());
    let call = WireProtocol::Abrasf.event(endpoint, 1, &key, &signed);
    answer_to(bench, &call, |reply| WireProtocol::Abrasf.read_event(reply)).await
}

/// An ordinary declaration of a caller: its rate is a percentage, whatever the provider's unit.
fn nota() -> Value {
    json!({
        "rps": { "tipo": 1 },
        "servico": {
            "valores": { "valor_servicos": 1000, "aliquota": 2 },
            "item_lista_servico": "1.07",
            "codigo_tributacao_municipio": "107",
            "discriminacao": "Suporte técnico & manutenção <x>"
        },
        "tomador": {
            "cpf": "11144477735",
            "razao_social": "FULANO DE TAL",
            "endereco": {
                "endereco": "Rua Exemplo", "numero": "10", "bairro": "Centro", "codigo_municipio": LAVRAS, "uf": "MG", "cep": "37200000"
            }
        }
    })
}

/// The message of the mode with RPS `numero`, not signed yet.
fn built(resolved: &ResolvedProvider, numero: u64) -> Result<BuiltDocument, String> {
    let record = json!({
        "CNPJCPF": CNPJ, "xNome": "EMPRESA EXEMPLO LTDA", "CRT": 3, "xLgr": "RUA UM", "nro": "1", "xBairro": "CENTRO", "cMun": LAVRAS, "xMun": "LAVRAS",
        "UF": "MG", "CEP": "37200000"
    });
    let configuration = json!({ "codigo_municipio": LAVRAS.to_string(), "inscricao_municipal": "12345", "regime": { "opSimpNac": 1, "regEspTrib": 0 } });
    let moment = format!("{}T08:00:00-03:00", super::bench::today());
    let context = BuildContext {
        modelo: RPS,
        ambiente: TpAmb::Producao,
        law: fiscal::law::Law::printed(),
        emitente: record.as_object().unwrap(),
        regimes: None,
        configuracao: configuration.as_object(),
        serie: Serie::parse("1").unwrap(),
        numero,
        codigo: 0,
        dhEmi: &moment,
        tpEmis: 1,
        contingencia: None,
        verProc: "1.0",
        software_house: None,
        dialeto: Some(&resolved.dialect),
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    build(&nota(), &context).map_err(|violations| format!("{violations:?}"))
}

/// The signed message of the mode, and the identity for the query of its RPS.
fn written(bench: &Bench, resolved: &ResolvedProvider) -> Result<(String, String), String> {
    let built = built(resolved, 1)?;
    let message = UnsignedMessage { xml: built.xml, signatures: built.signatures };
    Ok((super::bench::signed(message, &bench.certificate), built.ids.asked_by))
}

/// Issue, query of the batch by its protocol where there is one, query of the RPS, cancellation, and the query again.
async fn check_lifecycle(bench: &Bench, resolved: &ResolvedProvider) -> Result<(), String> {
    let company = company();
    let (signed, asked_by) = written(bench, resolved)?;
    let endpoint = resolved.endpoint(AuthorityService::Autorizacao, &company).unwrap();
    let call = WireProtocol::Abrasf.authorize(&endpoint, 1, &signed);
    let mut answer = answer_to(bench, &call, |reply| WireProtocol::Abrasf.read_authorize(reply)).await?;
    if let AuthorizationAnswer::Pending { nRec, .. } = &answer {
        let receipt = resolved.endpoint(AuthorityService::RetAutorizacao, &company).unwrap();
        let asked = batch_question(bench, &receipt, nRec);
        answer = answer_to(bench, &asked, abrasf::read_receipt).await?;
    }
    let AuthorizationAnswer::Authorized(protocol) = answer else {
        return Err(format!("emissão: {answer:?}\n{signed}"));
    };
    let numero = protocol.written.unwrap().numero;
    let asked = rps_question(bench, resolved, &asked_by);
    match answer_to(bench, &asked, |reply| WireProtocol::Abrasf.read_query(reply)).await? {
        DocumentSituation::Authorized(protocol)
            if protocol.written.as_ref().is_some_and(|note| note.numero == numero) => {}
        other => return Err(format!("consulta: {other:?}")),
    }
    // Sent again it is the same RPS.
    match answer_to(bench, &call, |reply| WireProtocol::Abrasf.read_authorize(reply)).await? {
        AuthorizationAnswer::Duplicate(said) if said.codigo.as_str() == "E10" => {}
        AuthorizationAnswer::Pending { .. } => {}
        other => return Err(format!("reenvio: {other:?}")),
    }
    let numero = replaced(bench, resolved, numero).await?;
    let asked =
        if resolved.has(AbrasfOperation::SubstituirNfse) { rps_question(bench, resolved, &second()) } else { asked };
    let Some(endpoint) = resolved.endpoint_of(AbrasfOperation::CancelarNfse, &company) else { return Ok(()) };
    match cancelled(bench, resolved, &endpoint, numero).await? {
        EventAnswer::Registered { .. } => {}
        other => return Err(format!("cancelamento: {other:?}")),
    }
    match answer_to(bench, &asked, |reply| WireProtocol::Abrasf.read_query(reply)).await? {
        DocumentSituation::Cancelled { .. } => {}
        other => return Err(format!("consulta da cancelada: {other:?}")),
    }
    match cancelled(bench, resolved, &endpoint, numero).await? {
        EventAnswer::Duplicate(said) if said.codigo.as_str() == "E79" => Ok(()),
        other => Err(format!("cancelamento repetido: {other:?}")),
    }
}

/// Identity of the second RPS.
fn second() -> String {
    format!("RPS{LAVRAS}-{CNPJ}-1-1-2-12345")
}

/// Substitutes the note by one request, where the row has that operation; returns the number of the note then in force.
async fn replaced(bench: &Bench, resolved: &ResolvedProvider, numero: u64) -> Result<u64, String> {
    let company = company();
    let Some(endpoint) = resolved.endpoint_of(AbrasfOperation::SubstituirNfse, &company) else { return Ok(numero) };
    let (built, before) = (built(resolved, 2)?, numero.to_string());
    let what = CancellationRequest {
        numero: &before,
        municipio: LAVRAS,
        prestador: company.prestador(),
        codigo: Some("1"),
        motivo: "1",
        justificativa: "Nota substituída pela do RPS 2",
    };
    let request = substitution::substitute(&resolved.dialect, &built.xml, &built.ids.id, &what).unwrap();
    let unsigned = request.xml.clone();
    let is_signed = !request.signatures.is_empty();
    let call = |message: &str| WireProtocol::Abrasf.authorize(&endpoint, 1, message);
    if is_signed {
        match answer_to(bench, &call(&unsigned), |reply| WireProtocol::Abrasf.read_authorize(reply)).await? {
            AuthorizationAnswer::Rejected(said) | AuthorizationAnswer::Undecided(said)
                if ["E174", "E160"].contains(&said.codigo.as_str()) => {}
            other => return Err(format!("substituição sem assinatura: {other:?}")),
        }
    }
    let call = call(&super::bench::signed(request, &bench.certificate));
    let answer = answer_to(bench, &call, |reply| WireProtocol::Abrasf.read_authorize(reply)).await?;
    let AuthorizationAnswer::Authorized(protocol) = answer else { return Err(format!("substituição: {answer:?}")) };
    let after = protocol.written.unwrap().numero;
    let first = rps_question(bench, resolved, &format!("RPS{LAVRAS}-{CNPJ}-1-1-1-12345"));
    match answer_to(bench, &first, |reply| WireProtocol::Abrasf.read_query(reply)).await? {
        DocumentSituation::Cancelled { .. } if after != numero => Ok(after),
        other => Err(format!("consulta da substituída: {other:?}")),
    }
}

#[tokio::test]
async fn a_note_lives_its_whole_life_by_every_row_that_is_on() {
    let mut wrong = Vec::new();
    let mut right = 0;
    for row in ProviderTable::builtin().rows().filter(is_on) {
        // A simulator of its own for each row: all of them would number the same RPS.
        let bench = start().await;
        match check_lifecycle(&bench, &resolved(&bench, row)).await {
            Ok(()) => right += 1,
            Err(why) => wrong.push(format!("{}: {why}", row.name())),
        }
    }
    assert!(wrong.is_empty(), "{right} certas;\n{}", wrong.join("\n"));
    assert!(right >= 29, "{right}");
}

/// Rows switched off because other properties are unknown: an operator who knows these switches the row on, and its
/// signed queries are accepted.
#[tokio::test]
async fn signed_questions_are_asked_by_every_row_that_wants_them() {
    let mut seen = Vec::new();
    let mut wrong = Vec::new();
    for row in ProviderTable::builtin().rows().filter(|row| row.signs.consulta_rps || row.signs.consulta_lote) {
        let bench = start().await;
        let on = format!("[abrasf.provider.{}.\"{}\"]\noff = false\n", row.provider, row.version);
        if !has_server(&row.provider) {
            continue;
        }
        let resolved = of_table(&(on + &as_lavras(&bench, row)), row.aliquota.is_none());
        match check_lifecycle(&bench, &resolved).await {
            Ok(()) => seen.push(row.name()),
            Err(why) => wrong.push(format!("{}: {why}", row.name())),
        }
    }
    assert_eq!(wrong, [""; 0]);
    seen.sort();
    assert_eq!(seen, ["DSF 2.03", "ISSNet 2.04", "ISSSJP 1.00"]);
}

/// False for providers whose namespaces are not known letter by letter.
fn has_server(provider: &str) -> bool {
    !["Giss", "Ginfes"].contains(&provider)
}

#[tokio::test]
async fn a_question_that_is_not_signed_or_was_touched_is_refused_by_who_wants_it_signed() {
    let bench = start().await;
    let providers = ProviderTable::builtin();
    let resolved = resolved(&bench, providers.rows().find(|row| row.provider == "ISSNet").unwrap());
    let endpoint = resolved.endpoint(AuthorityService::ConsultaProtocolo, &company()).unwrap();
    let rps = format!("RPS{LAVRAS}-{CNPJ}-1-1-77-12345").parse().unwrap();
    let question = message::query_rps(&resolved.dialect, &rps);
    let plain = question.xml.clone();
    let touched = super::bench::signed(question, &bench.certificate).replace("<Numero>77<", "<Numero>78<");
    assert_ne!(touched, plain);
    for message in [plain, touched] {
        let call = abrasf::call(&endpoint, &message);
        match answer_to(&bench, &call, |reply| WireProtocol::Abrasf.read_query(reply)).await {
            Ok(DocumentSituation::Refused(said)) => assert_eq!(said.codigo.as_str(), "E174", "{said:?}"),
            other => panic!("{other:?}\n{message}"),
        }
    }
}

/// SiapNet's server follows the manual.
#[tokio::test]
async fn a_city_hall_without_a_row_is_spoken_to_as_the_manual_says() {
    let bench = start().await;
    let url = bench.simulator.provider_url("SiapNet-2.01", LAVRAS, TpAmb::Producao);
    let city =
        format!("[abrasf.municipality.{LAVRAS}]\nprovider = \"abrasf\"\nversion = \"2.01\"\nproducao = \"{url}\"");
    let resolved = of_table(&city, true);
    assert_eq!(check_lifecycle(&bench, &resolved).await, Ok(()));
}

/// The general row is no provider: it has no server of its own.
fn is_on(row: &&Arc<ProviderRow>) -> bool {
    row.off.is_none() && row.provider != "abrasf"
}

#[tokio::test]
async fn every_row_that_is_on_is_understood_by_the_hall_of_its_provider() {
    let bench = start().await;
    let mut wrong = Vec::new();
    let mut right = 0;
    for row in ProviderTable::builtin().rows().filter(is_on) {
        let resolved = resolved(&bench, row);
        let mut said = questions(&bench, &resolved).await;
        said.extend(cancellation(&bench, &resolved).await);
        right += usize::from(said.is_empty());
        wrong.extend(said.iter().map(|said| format!("{}: {said}", row.name())));
    }
    assert!(wrong.is_empty(), "{right} certas;\n{}", wrong.join("\n"));
    assert!(right >= 29, "{right}");
}
