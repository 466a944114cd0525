//! Cases that testers met, each as a row: one or two documents, the requests step by step, and the outcome of each.
//! Every step goes over HTTP; the simulator plays the authority. No answer of any step shows a regular expression.
//!
//! The moment is that of the golden cases, whose bases the rows change. `@chave` is the key of the first document of a
//! row.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::casos::{disagreed, registered};
use crate::support::app::{TestApp, ended};
use crate::support::client::{Answer, Client};
use crate::support::judge;
use testkit::cases::cte::Case;
use testkit::cases::{self, MOMENT};
use testkit::merge_patch::patched;

/// A row.
struct Row {
    /// The fact.
    name: &'static str,
    /// A base (`cte`, `cte_os`) or a golden case; its company makes the requests.
    case: &'static str,
    steps: &'static [Step],
}

/// A step: its request, and the expected outcome as JSON (see `differences`).
struct Step {
    act: Act,
    said: &'static str,
    expected: &'static str,
}

/// The request of a step.
#[derive(Clone, Copy)]
enum Act {
    /// `verificar-campos`, with a merge patch on the `nota`.
    Check,
    /// `emitir`, likewise.
    Issue,
    /// Both: the prediction must equal the authority's answer.
    CheckAndIssue,
    /// `eventos`, `carta-correcao`, `cancelar`: members of the body.
    Event,
    Letter,
    Cancel,
    /// `PUT /v1/empresas/{doc}/cte`.
    Configure,
    /// The payer disagrees with the first document.
    Disagree,
}

const fn step(act: Act, said: &'static str, expected: &'static str) -> Step {
    Step { act, said, expected }
}

const ISSUED: Step = step(Act::Issue, "{}", r#"{"http": 202, "status": "autorizada"}"#);
const DISAGREED: Step = step(Act::Disagree, "{}", "{}");
/// The tomador of the base is its remetente; this one is substituted with the data that the law requires.
const SUBSTITUTED: Step = step(
    Act::Issue,
    r#"{"substituicao": {"chCte": "@chave"}, "valores": {"vTPrest": 1500}}"#,
    r#"{"http": 202, "status": "autorizada"}"#,
);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // MOC CT-e 4.00 anexo I, G099 to G101
    Row { name: "a substitute's new payer is one of the parties, of the same state, and another one", case: "todos_os_papeis", steps: &[
        step(Act::Issue, r#"{"tomador": {"indice": 0}}"#, r#"{"status": "autorizada"}"#),
        DISAGREED,
        step(Act::Issue, r#"{"autXML": null, "substituicao": {"chCte": "@chave", "indAlteraToma": 1}, "tomador": {"indice": null, "CNPJCPF": "11444777000161", "IE": "0963333330", "xNome": "OUTRA LTDA", "xLgr": "RUA D", "nro": "4", "xBairro": "CENTRO", "cMun": 4305108, "xMun": "CAXIAS DO SUL", "CEP": "95010000", "UF": "RS"}}"#, r#"{"cstat": 740}"#),
        step(Act::Issue, r#"{"substituicao": {"chCte": "@chave", "indAlteraToma": 1}, "tomador": {"indice": 3}}"#, r#"{"cstat": 741}"#),
        step(Act::Issue, r#"{"substituicao": {"chCte": "@chave", "indAlteraToma": 1}, "tomador": {"indice": 0}}"#, r#"{"cstat": 742}"#),
        step(Act::Issue, r#"{"substituicao": {"chCte": "@chave", "indAlteraToma": 1}, "tomador": {"indice": 1}}"#, r#"{"status": "autorizada"}"#),
    ] },
    // MOC CT-e 4.00 anexo I, 110110 O07
    Row { name: "a substituted document is not corrected", case: "cte", steps: &[
        ISSUED, DISAGREED, SUBSTITUTED,
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "compl", "campo": "xObs", "valor": "Texto novo"}]}"#, r#"{"http": 202, "cstat": 664}"#),
    ] },
    // schema evCCeCTe_v4.00: nroItemAlterado is 1 to 99; the path is the caller's, whatever letters came before
    Row { name: "a position of a letter is read as written and told where the caller wrote it", case: "cte", steps: &[
        ISSUED,
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": 0}]}"#, r#"{"http": 422, "campo": "correcoes[0].item"}"#),
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": true}]}"#, r#"{"http": 422, "campo": "correcoes[0]"}"#),
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "compl", "campo": "xObs", "valor": "Um"}]}"#, r#"{"cstat": 135}"#),
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": 100}]}"#, r#"{"http": 422, "campo": "correcoes[0].item"}"#),
        step(Act::Letter, r#"{"chave": "@chave", "correcoes": [{"grupo": "infQ", "campo": "qCarga", "valor": "90.0000", "item": 1}, {"grupo": "compl", "campo": "um_nome_longo_demais_para_campo", "valor": "x"}]}"#, r#"{"http": 422, "campo": "correcoes[1].campo"}"#),
        step(Act::Letter, r#"{"chave": "4326 @chave", "correcoes": [{"grupo": "compl", "campo": "xObs", "valor": "Dois"}]}"#, r#"{"http": 422, "campo": "chave"}"#),
        step(Act::Letter, r#"{"chave": "CTe @chave ", "correcoes": [{"grupo": "compl", "campo": "xObs", "valor": "Dois"}]}"#, r#"{"cstat": 135}"#),
        step(Act::Cancel, r#"{"chave": "@chave", "justificativa": "Serviço não prestado ao cliente"}"#, r#"{"http": 409, "texto": "523"}"#),
    ] },
    // MOC CT-e 4.00, visão geral, 3.2.1 d
    Row { name: "a group that says nothing is not there", case: "cte", steps: &[
        step(Act::Issue, r#"{"complemento": {"fluxo": {}}, "cobranca": {"fatura": {"vOrig": 0}}}"#, r#"{"status": "autorizada", "xml_nao": ["<compl>", "<cobr>", "<fat>", "<fluxo>"]}"#),
        step(Act::Issue, r#"{"complemento": {"fluxo": {"xOrig": " ", "pass": [{}, {"xPass": "CRICIUMA"}]}}}"#, r#"{"status": "autorizada", "xml": ["<compl><fluxo><pass><xPass>CRICIUMA</xPass></pass></fluxo></compl>"]}"#),
    ] },
    // MOC CT-e 4.00 anexo I, G107, G130, G131
    Row { name: "registrations of SUFRAMA and of who withholds are looked at", case: "cte", steps: &[
        step(Act::CheckAndIssue, r#"{"destinatario": {"ISUF": "201234564"}}"#, r#"{"cstat": 251, "campo": "nota.destinatario.ISUF"}"#),
        step(Act::CheckAndIssue, r#"{"destinatario": {"ISUF": "201234565", "cMun": 1302603, "xMun": "MANAUS", "CEP": "69005010", "UF": "AM", "IE": null}}"#, r#"{"cstat": 235, "campo": "nota.destinatario.ISUF"}"#),
        step(Act::CheckAndIssue, r#"{"emitente": {"IEST": "0963333331"}}"#, r#"{"cstat": 614, "campo": "nota.emitente.IEST"}"#),
        step(Act::Issue, r#"{"emitente": {"IEST": "0963333330"}}"#, r#"{"status": "autorizada"}"#),
    ] },
    // NT 2025.001 v1.13, rule 004-a, and its groups of reduction, deferral, regular taxation and reversal
    Row { name: "the classification is one of this document, and its groups are those of its CST", case: "cte", steps: &[
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"classificacao": "000002"}}}"#, r#"{"cstat": 388}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"cst": "200", "classificacao": "200001", "cbs": {"reducao": {"percentual": 100, "aliquota_efetiva": 0}, "valor": 0}}}}"#, r#"{"cstat": 366}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"cst": "200", "classificacao": "200001", "ibs_uf": {"reducao": {"percentual": 100, "aliquota_efetiva": 0}, "valor": 0}}}}"#, r#"{"cstat": 383}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"ibs_uf": {"diferimento": {"percentual": 100, "valor": 1.32}, "valor": 0}}}}"#, r#"{"cstat": 368}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"ibs_mun": {"reducao": {"percentual": 0, "aliquota_efetiva": 0}}}}}"#, r#"{"cstat": 381}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"trib_regular": {"CSTReg": "999", "cClassTribReg": "999999", "pAliqEfetRegIBSUF": 0.1, "vTribRegIBSUF": 1.32, "pAliqEfetRegIBSMun": 0, "vTribRegIBSMun": 0, "pAliqEfetRegCBS": 0.9, "vTribRegCBS": 11.88}}}}"#, r#"{"cstat": 331, "previsto": [331, 332]}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"estorno": {"vIBSEstCred": 1.32, "vCBSEstCred": 11.88}}}}"#, r#"{"cstat": 303}"#),
        step(Act::CheckAndIssue, r#"{"imposto": {"ibscbs": {"cst": "410", "classificacao": "410026", "ibs_uf": null, "ibs_mun": null, "cbs": null}}}"#, r#"{"cstat": 304}"#),
    ] },
    // NT 2025.001: the DC-e as a carried document; a kind beside another has no place in the layout
    Row { name: "a document is carried once, and of one kind", case: "declaracao_de_conteudo", steps: &[
        step(Act::CheckAndIssue, r#"{"documentos": {"dce": ["43261112ABC34501DE35990010000000011847362519", "4326 1112 ABC3 4501 DE35 9900 1000 0000 0118 4736 2519"]}}"#, r#"{"cstat": 375, "campo": "nota.documentos.dce[1].chave"}"#),
        step(Act::CheckAndIssue, r#"{"documentos": {"dce": ["43261112ABC34501DE35990010000000011847362510"]}}"#, r#"{"cstat": 376}"#),
        step(Act::Issue, r#"{"documentos": {"outros": [{"tpDoc": "00", "nDoc": "1"}]}}"#, r#"{"http": 422, "campo": "nota.documentos.dce"}"#),
    ] },
    // MOC CT-e 4.00 anexo I, G197 to G208, facultative; Minas Gerais has them
    Row { name: "one document of several notes follows its rules where the state has them", case: "globalizado_de_varios_remetentes", steps: &[
        step(Act::CheckAndIssue, r#"{"documentos": {"nfe": ["31261133110200000156550010000005011847362512", "31261133120200000137550010000005011847362515", "31261133130200000118550010000005011847362518", "31261133140200000107550010000005011847362515"]}}"#, r#"{"cstat": 724}"#),
        step(Act::CheckAndIssue, r#"{"remetente": {"CNPJCPF": "98765432000198", "IE": "0621000300012"}}"#, r#"{"cstat": 727}"#),
        ISSUED,
    ] },
    // homologação proves what production will receive
    Row { name: "homologação asks for the names that production asks for", case: "cte", steps: &[
        step(Act::Check, r#"{"remetente": {"xNome": null}}"#, r#"{"valido": false, "campo": "nota.remetente.xNome"}"#),
        step(Act::Issue, r#"{"destinatario": {"xNome": " "}}"#, r#"{"http": 422, "campo": "nota.destinatario.xNome"}"#),
        step(Act::Issue, r#"{"destinatario": {"xNome": "X"}}"#, r#"{"http": 422, "campo": "nota.destinatario.xNome"}"#),
        step(Act::Issue, r#"{"destinatario": {"xNome": "COMERCIO DE GENEROS ALIMENTICIOS E UTILIDADES PARA O LAR E CAMPO LTDA"}}"#, r#"{"http": 422, "campo": "nota.destinatario.xNome"}"#),
    ] },
    Row { name: "the official tree of another company is refused as the groups are", case: "arvore_oficial", steps: &[
        step(Act::Issue, r#"{"infCte": {"emit": {"CNPJ": "98765432000198"}}}"#, r#"{"http": 422, "erro": "emitente_divergente", "campo": "nota.infCte.emit.CNPJ"}"#),
        step(Act::Issue, r#"{"infCte": {"emit": {"CPF": "11144477735"}}}"#, r#"{"http": 422, "erro": "emitente_divergente"}"#),
    ] },
    // MOC CT-e 4.00 anexo II: columns of weight
    Row { name: "a net weight is printed as what it is", case: "cte", steps: &[
        step(Act::Issue, r#"{"carga": {"quantidades": [{"cUnid": "01", "tpMed": "PESO LIQUIDO", "qCarga": 1.84}, {"cUnid": "01", "tpMed": "PESO BRUTO", "qCarga": 2.45}]}}"#, r#"{"status": "autorizada", "pdf": ["2,450", "PESOLIQUIDO:1,840KG"], "pdf_nao": ["1,840/2,450"]}"#),
        step(Act::Issue, r#"{"carga": {"quantidades": [{"cUnid": "01", "tpMed": "PESO", "qCarga": 3.5}, {"cUnid": "01", "tpMed": "PESO BRUTO", "qCarga": 2.45}]}}"#, r#"{"status": "autorizada", "pdf_nao": ["3,500/2,450", "2,450/3,500"]}"#),
    ] },
    // MOC CT-e 4.00 anexo I, 110180 and 110190; schemas evCECTe and evIECTe: six decimals
    Row { name: "a delivery is told with coordinates as a receiver has them, and foretold where it is wrong", case: "cte", steps: &[
        ISSUED,
        step(Act::Event, r#"{"chave": "@chave", "tipo": "comprovante_entrega", "dados": {"dhEntrega": "2026-11-20T10:00:00-03:00", "nDoc": "RG 1", "xNome": "Silva", "hashEntrega": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "infEntrega": ["43261112ABC34501DE35550010000000011847362513"], "dhHashEntrega": "2026-11-20T12:00:00-03:00"}}"#, r#"{"cstat": 873, "aviso": 873, "campo": "dados.dhHashEntrega"}"#),
        step(Act::Event, r#"{"chave": "@chave", "tipo": "comprovante_entrega", "dados": {"dhEntrega": "2026-11-20T10:00:00-03:00", "nDoc": "RG 1", "xNome": "Silva", "hashEntrega": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "infEntrega": ["43261112ABC34501DE35550010000000011847362514"]}}"#, r#"{"cstat": 860, "aviso": 860}"#),
        step(Act::Event, r#"{"chave": "@chave", "tipo": "comprovante_entrega", "dados": {"dhEntrega": "2026-11-20T10:00:00-03:00", "nDoc": "RG 1", "xNome": "Silva", "hashEntrega": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "infEntrega": ["43261112ABC34501DE35550010000000011847362513", "43261112ABC34501DE35550010000000011847362513"]}}"#, r#"{"cstat": 861, "aviso": 861}"#),
        step(Act::Event, r#"{"chave": "@chave", "tipo": "comprovante_entrega", "dados": {"dhEntrega": "2026-11-20T10:00:00-03:00", "nDoc": "RG 1", "xNome": "Silva", "hashEntrega": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "latitude": 91}}"#, r#"{"http": 422, "campo": "dados.latitude"}"#),
        step(Act::Event, r#"{"chave": "@chave", "tipo": "insucesso_entrega", "dados": {"dhTentativaEntrega": "2026-11-20T10:00:00-03:00", "tpMotivo": 4}}"#, r#"{"cstat": 135, "aviso_em": "dados.xJustMotivo"}"#),
        step(Act::Event, r#"{"chave": "@chave", "tipo": "comprovante_entrega", "dados": {"dhEntrega": "2026-11-20T10:00:00-03:00", "nDoc": "RG 1", "xNome": "Silva", "hashEntrega": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "infEntrega": ["4326 1112 ABC3 4501 DE35 5500 1000 0000 0118 4736 2513"], "latitude": "-23.55052", "longitude": -46.6333}}"#, r#"{"cstat": 135, "xml": ["<latitude>-23.550520</latitude>", "<longitude>-46.633300</longitude>", "<chNFe>43261112ABC34501DE35550010000000011847362513</chNFe>"]}"#),
    ] },
    // MOC CT-e 4.00 anexo I, 110170 Q13
    Row { name: "a transport of valuables that stands twice is foretold", case: "cte_os", steps: &[
        ISSUED,
        step(Act::Event, r#"{"chave": "@chave", "tipo": "gtv", "dados": {"infGTV": [{"nDoc": "1", "id": "AIDF1", "dEmi": "2026-11-20", "nDV": "3", "qCarga": "12.5", "infEspecie": [{"tpEspecie": "1", "vEspecie": "1000.00"}], "rem": {"CNPJCPF": "33000167000101", "UF": "RJ", "xNome": "Banco Teste SA"}, "dest": {"CNPJCPF": "33000167000101", "UF": "RJ", "xNome": "Banco Teste SA"}}, {"nDoc": "1", "id": "AIDF1", "dEmi": "2026-11-20", "nDV": "3", "qCarga": "12.5", "infEspecie": [{"tpEspecie": "1", "vEspecie": "1000.00"}], "rem": {"CNPJCPF": "33000167000101", "UF": "RJ", "xNome": "Banco Teste SA"}, "dest": {"CNPJCPF": "33000167000101", "UF": "RJ", "xNome": "Banco Teste SA"}}]}}"#, r#"{"aviso": 618}"#),
    ] },
    // ANTT prints nine digits
    Row { name: "a registration of ANTT is taken as it is printed", case: "cte", steps: &[
        step(Act::Configure, r#"{"rntrc": "012345678"}"#, r#"{"http": 200, "rntrc": "12345678"}"#),
        step(Act::Configure, r#"{"rntrc": "112345678"}"#, r#"{"http": 422}"#),
    ] },
    // MOC CT-e 4.00 anexo I: 9999999, EXTERIOR, EX, zeros
    Row { name: "what is fixed of a party abroad is filled in", case: "cte", steps: &[
        step(Act::Issue, r#"{"identificacao": {"CFOP": "7358"}, "destinatario": {"CNPJCPF": null, "IE": null, "xNome": "FOREIGN BUYER INC", "cMun": null, "xMun": null, "CEP": null, "UF": "EX", "cPais": "1589", "xPais": "CHILE"}}"#, r#"{"status": "autorizada", "xml": ["<dest><CNPJ>00000000000000</CNPJ>", "<cMun>9999999</cMun><xMun>EXTERIOR</xMun><UF>EX</UF>", "<cMunFim>9999999</cMunFim><xMunFim>EXTERIOR</xMunFim><UFFim>EX</UFFim>"], "aviso_em": "nota.destinatario.cMun"}"#),
        step(Act::Check, r#"{"tomador": {"indice": null, "xNome": "FOREIGN PAYER INC", "xLgr": "MAIN ST", "nro": "1", "xBairro": "DOWNTOWN", "UF": "ex", "cPais": "1589", "xPais": "CHILE"}}"#, r#"{"valido": true, "aviso_em": "nota.tomador.cMun"}"#),
    ] },
    // MOC CT-e 4.00 anexo I, G024: AM BA CE GO MG MS MT PE RN SE SP
    Row { name: "who is exempt in a state without exemptions is no taxpayer", case: "tomador_isento", steps: &[
        step(Act::Issue, r#"{"identificacao": {"CFOP": "6932"}, "remetente": {"UF": "SP", "cMun": 3550308, "xMun": "SAO PAULO", "CEP": "01001000"}}"#, r#"{"status": "autorizada", "xml": ["<indIEToma>9</indIEToma>"], "aviso_em": "nota.identificacao.indIEToma"}"#),
        step(Act::Issue, "{}", r#"{"status": "autorizada", "xml": ["<indIEToma>2</indIEToma>"]}"#),
    ] },
    Row { name: "a key is read as it is printed", case: "cte", steps: &[
        step(Act::Issue, r#"{"documentos": {"nfe": ["4326 1112 ABC3 4501 DE35 5500 1000 0000 0118 4736 2513"]}}"#, r#"{"status": "autorizada", "xml": ["<chave>43261112ABC34501DE35550010000000011847362513</chave>"]}"#),
        step(Act::Issue, r#"{"documentos": {"nfe": [{"chave": "NFe43261112abc34501de35550010000000011847362513"}]}}"#, r#"{"status": "autorizada"}"#),
        step(Act::Issue, r#"{"documentos": {"nfe": ["4326 1112"]}}"#, r#"{"http": 422, "campo": "nota.documentos.nfe[0].chave"}"#),
    ] },
    Row { name: "no message shows an expression", case: "cte", steps: &[
        step(Act::Issue, r#"{"remetente": {"fone": "12", "email": "ninguem"}, "destinatario": {"CEP": "1"}, "carga": {"proPred": "  "}, "rodoviario": {"rntrc": "1"}, "valores": {"vTPrest": -1}, "identificacao": {"serie": "A1", "CFOP": "9"}}"#, r#"{"http": 422}"#),
    ] },
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_outsiders_met_comes_to_what_the_law_says() {
    let app = TestApp::start().await;
    app.stand_at(MOMENT.parse().unwrap()).await;
    let mut companies = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in ROWS {
        let case = right(row.case);
        let place = companies.len();
        let client = match companies.get(row.case) {
            Some(client) => Client::clone(client),
            None => registered(&app, &case, place).await,
        };
        companies.insert(row.case, client.clone());
        let mut story = Story { app: &app, client, case, chave: None };
        for (at, step) in row.steps.iter().enumerate() {
            wrong.extend(story.walk(step).await.into_iter().map(|why| format!("{} [{at}]: {why}", row.name)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{} rows, {} steps", ROWS.len(), ROWS.iter().map(|row| row.steps.len()).sum::<usize>());
    app.finish().await;
}

fn right(name: &str) -> Case {
    match name {
        "cte" | "cte_os" => cases::cte::base(name),
        _ => cases::cte::all().into_iter().find(|case| case.folder.ends_with(name)).unwrap(),
    }
}

/// A row in progress.
struct Story<'a> {
    app: &'a TestApp,
    client: Client,
    case: Case,
    chave: Option<String>,
}

/// The outcome of a step.
#[derive(Default)]
struct Outcome {
    http: u16,
    answer: Value,
    job: Value,
    xml: String,
    pdf: String,
}

impl Story<'_> {
    async fn walk(&mut self, step: &Step) -> Vec<String> {
        let said: Value = serde_json::from_str(&self.named(step.said)).unwrap();
        let expected: Value = serde_json::from_str(step.expected).unwrap();
        let mut outcomes = Vec::new();
        match step.act {
            Act::Disagree => disagreed(self.app, &self.case, self.chave.as_deref().unwrap()).await,
            Act::Check | Act::CheckAndIssue => {
                outcomes.push(Outcome::of(self.client.post("/v1/cte/verificar-campos", &self.emission(&said)).await));
            }
            Act::Configure => {
                let path = format!("/v1/empresas/{}/cte", self.issuer());
                outcomes.push(Outcome::of(self.client.put(&path, &said).await));
            }
            Act::Issue => {}
            Act::Event => outcomes.push(self.done("eventos", &self.act(said.clone())).await),
            Act::Letter => outcomes.push(self.done("carta-correcao", &self.act(said.clone())).await),
            Act::Cancel => outcomes.push(self.done("cancelar", &self.act(said.clone())).await),
        }
        if matches!(step.act, Act::Issue | Act::CheckAndIssue) {
            let outcome = self.done("emitir", &self.emission(&said)).await;
            if self.chave.is_none() && outcome.job["nota"]["status"] == "autorizada" {
                self.chave = outcome.job["nota"]["chave"].as_str().map(str::to_owned);
            }
            outcomes.push(outcome);
        }
        outcomes.iter().flat_map(|outcome| differences(outcome, &expected)).collect()
    }

    fn named(&self, text: &str) -> String {
        text.replace("@chave", self.chave.as_deref().unwrap_or("@chave"))
    }

    fn issuer(&self) -> &str {
        self.case.input["emitente"]["CNPJCPF"].as_str().unwrap()
    }

    fn emission(&self, patch: &Value) -> Value {
        json!({ "cpf_cnpj": self.issuer(), "nota": patched(self.case.input["nota"].clone(), patch) })
    }

    fn act(&self, mut said: Value) -> Value {
        said["cpf_cnpj"] = json!(self.issuer());
        said
    }

    /// Posts, waits for the end of the job, and fetches its files.
    async fn done(&self, route: &str, body: &Value) -> Outcome {
        let mut outcome = Outcome::of(self.client.post(&format!("/v1/cte/{route}"), body).await);
        if outcome.http == 202 {
            outcome.job = ended(&self.client, &outcome.answer).await;
            if let Some(xml) = outcome.job["arquivos"]["xml"].as_str() {
                outcome.xml = self.client.get(xml).await.text();
            }
            if let (true, Some(pdf)) = (route == "emitir", outcome.job["arquivos"]["pdf"].as_str()) {
                let form = self.client.get(pdf).await;
                outcome.pdf = judge::text_of_pdf(&form.bytes).split_whitespace().collect();
            }
        }
        outcome
    }
}

impl Outcome {
    fn of(answer: Answer) -> Outcome {
        Outcome { http: answer.status.as_u16(), answer: answer.json(), ..Outcome::default() }
    }

    /// Code that the authority answered.
    fn cstat(&self) -> &Value {
        match &self.job["evento_fiscal"]["codigo_status"] {
            Value::Null => &self.job["nota"]["codigo_status"],
            of_event => of_event,
        }
    }

    /// Returns notices, predictions, refusals and missing data.
    fn told(&self) -> impl Iterator<Item = &Value> {
        let lists = ["avisos", "rejeicoes_previstas", "erros", "campos_ausentes"].into_iter();
        lists.flat_map(|list| self.answer[list].as_array().into_iter().flatten())
    }
}

/// Returns the differences from the expected outcome. The code of a check is searched among the predicted ones.
fn differences(outcome: &Outcome, expected: &Value) -> Vec<String> {
    let is_check = outcome.answer.get("valido").is_some();
    let has = |name: &str, value: &Value| outcome.told().any(|one| one[name] == *value);
    let foreseen = |code: &Value| {
        code.as_array()
            .map_or_else(|| has("codigo_status", code), |all| all.iter().all(|one| has("codigo_status", one)))
    };
    let all_in =
        |texts: &Value, text: &str| texts.as_array().unwrap().iter().all(|one| text.contains(one.as_str().unwrap()));
    let none_in =
        |texts: &Value, text: &str| !texts.as_array().unwrap().iter().any(|one| text.contains(one.as_str().unwrap()));
    let mut wrong: Vec<String> = Vec::new();
    let text = outcome.answer.to_string();
    if ["[0-9]", "[A-Z", "\\\\d", "]{"].iter().any(|mark| text.contains(mark)) {
        wrong.push(format!("an expression: {text}"));
    }
    for (name, value) in expected.as_object().unwrap() {
        let right = match name.as_str() {
            "http" => is_check || *value == outcome.http,
            "status" => is_check || outcome.job["nota"]["status"] == *value,
            "cstat" => {
                if is_check {
                    foreseen(value)
                } else {
                    outcome.cstat() == value
                }
            }
            "previsto" => !is_check || foreseen(value),
            "aviso" => has("codigo_status", value),
            "aviso_em" | "campo" => has("campo", value),
            "erro" => has("codigo", value),
            "valido" => outcome.answer["valido"] == *value,
            "rntrc" => outcome.answer["rntrc"] == *value,
            "texto" => text.contains(value.as_str().unwrap()),
            "xml" => all_in(value, &outcome.xml),
            "xml_nao" => none_in(value, &outcome.xml),
            "pdf" => all_in(value, &outcome.pdf),
            "pdf_nao" => none_in(value, &outcome.pdf),
            unknown => panic!("{unknown}"),
        };
        if !right {
            wrong.push(format!("{name} {value} is not so: {} {text} {} {}", outcome.http, outcome.job, outcome.xml));
        }
    }
    wrong
}
