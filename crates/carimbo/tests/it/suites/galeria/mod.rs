//! The gallery: every printed form, of documents that the service issued over HTTP. Each run makes and reads all of
//! them; `GALERIA=<folder>` saves them with the request that made each (`cargo xtask galeria` makes the images of
//! `docs/galeria`).

mod events;
mod municipal;
mod notes;
mod services;
mod transports;

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use simulator::pki::{CertificateSubject, Validity};

use crate::support::app::{PASSWORD, Tenant, TestApp, ended, job_when};
use crate::support::body::{ALPHANUMERIC, NUMERIC};
use crate::support::client::Client;
use crate::support::judge;
use crate::support::retail::CSC;

/// Both clocks stand here when it begins; they go on.
const MOMENT: &str = "2026-11-20T10:12:00-03:00";
const DAY: i64 = 86_400;
/// Signs of the second bars of a note on security paper (MOC 7.0, Anexo II, 3.9.2).
const SECOND_BARS: usize = 36;

struct Gallery {
    app: TestApp,
    folder: Option<PathBuf>,
    drawn: usize,
    /// Faults of the forms, all reported at the end.
    wrong: Vec<String>,
}

/// A document of the gallery: its job and what was asked for it.
struct Made {
    tipo: &'static str,
    job: Value,
    request: String,
    body: Value,
    /// The document has fiscal effect, so machines read a code from every sheet.
    counts: bool,
}

impl Made {
    /// Marks the document as without effect.
    fn void(self) -> Made {
        Made { counts: false, ..self }
    }

    /// Returns the codes that a machine must read from each sheet of its form.
    fn codes(&self, sheets: usize) -> Vec<Vec<String>> {
        let emitted = self.request.ends_with("/emitir");
        if self.tipo == "nfse" {
            let code = services::code(self).filter(|_| self.counts);
            return vec![code.into_iter().collect(); sheets];
        }
        let code = match &self.job["nota"]["qrcode"] {
            code @ Value::String(_) if emitted && self.tipo != "cte" => code,
            _ if self.job["nota"]["chave"].is_string() => &self.job["nota"]["chave"],
            _ => &self.job["evento_fiscal"]["chave"],
        };
        vec![if self.counts { vec![code.as_str().unwrap().to_owned()] } else { Vec::new() }; sheets]
    }
}

impl Gallery {
    async fn open() -> Gallery {
        let app = TestApp::start_with(|parts| parts.contingency.offline = true).await;
        let wanted = MOMENT.parse::<jiff::Timestamp>().unwrap().as_second();
        app.forward(wanted - jiff::Timestamp::now().as_second()).await;
        Gallery { app, folder: std::env::var_os("GALERIA").map(PathBuf::from), drawn: 0, wrong: Vec::new() }
    }

    /// A company of the gallery, in an environment: registered, configured, certified, with a logo.
    async fn company(&self, cpf_cnpj: &str, ambiente: u8, contingencia: Option<&str>) -> Tenant {
        let tenant = self.app.tenant().await;
        let client = of(&tenant, ambiente);
        let company = json!({
            "cpf_cnpj": cpf_cnpj, "nome_razao_social": "Distribuidora Aurora de Alimentos Ltda", "inscricao_estadual": "110.042.490.114", "crt": 3,
            "fone": "1136540199",
            "endereco": {
                "logradouro": "Avenida dos Autonomistas", "numero": "1828", "complemento": "Galpão 3", "bairro": "Vila Yara",
                "codigo_municipio": "3534401", "cidade": "Osasco", "uf": "SP", "cep": "06020-010"
            }
        });
        client.post("/v1/empresas", &company).await.ok(201);
        let path = format!("/v1/empresas/{cpf_cnpj}");
        let mut settings = json!({ "ambiente": ambiente, "serie": "1", "proximo_numero": 48215 });
        if let Some(way) = contingencia {
            settings["contingencia"] = json!(way);
            // the same company issued before, for another account of the gallery
            settings["proximo_numero"] = json!(60_215);
        }
        client.put(&format!("{path}/nfe"), &settings).await.ok(200);
        let receipts = json!({ "ambiente": ambiente, "serie": "1", "csc_id": "000001", "csc": CSC });
        client.put(&format!("{path}/nfce"), &receipts).await.ok(200);
        let transports = json!({ "ambiente": ambiente, "serie": "1", "proximo_numero": 7_305, "rntrc": "12345678", "taf": "123456789012" });
        client.put(&format!("{path}/cte"), &transports).await.ok(200);
        // under the convention of São Paulo, whatever the address
        let services = json!({
            "ambiente": ambiente, "serie": "1", "proximo_numero": settings["proximo_numero"], "codigo_municipio": "3550308",
            "inscricao_municipal": "12345678", "provedor": "nacional", "regime": { "opSimpNac": 1, "regEspTrib": 0 }
        });
        client.put(&format!("{path}/nfse"), &services).await.ok(200);
        let now = jiff::Timestamp::now().as_second();
        let subject = CertificateSubject::new("Distribuidora Aurora de Alimentos Ltda", cpf_cnpj);
        // older than the day that the gallery stands at, whenever it is drawn
        let from = (self.app.clock_s() - 30 * DAY).min(now - 30 * DAY);
        let subject = subject.valid(Validity { from, until: now + 300 * DAY });
        let pfx = STANDARD.encode(self.app.pki.issue(&subject, PASSWORD).unwrap());
        client.put(&format!("{path}/certificado"), &json!({ "certificado": pfx, "senha": PASSWORD })).await.ok(200);
        let logo = json!({ "logo": STANDARD.encode(include_bytes!("../empresas/logo.jpg")) });
        client.put(&format!("{path}/logo"), &logo).await.ok(200);
        let taxpayer = json!({ "csc": { "1": { "csc": CSC } } });
        self.app.control.put(&format!("/_sim/contribuintes/{cpf_cnpj}"), &taxpayer).await;
        tenant
    }

    /// Posts a note; it is left where it then is.
    async fn begun(&self, client: &Client, tipo: &'static str, cpf_cnpj: &str, nota: Value) -> Made {
        let body = json!({ "cpf_cnpj": cpf_cnpj, "nota": nota });
        let job = client.post(&format!("/v1/{tipo}/emitir"), &body).await.ok(202);
        Made { tipo, job, request: format!("POST /v1/{tipo}/emitir"), body, counts: true }
    }

    /// Posts a note and waits for its end, which must be this.
    async fn issued(&mut self, client: &Client, tipo: &'static str, nota: Value, status: &str) -> Made {
        let made = self.begun(client, tipo, NUMERIC, nota).await;
        let job = ended(client, &made.job).await;
        self.must(job["nota"]["status"] == status, || {
            format!("{status}: {} {} {}", job["nota"], job["avisos"], job["erro"])
        });
        Made { job, ..made }
    }

    /// An event of a document.
    async fn event(&mut self, client: &Client, of: &Made, path: &str, member: &str, text: &str) -> Made {
        let body = json!({ "cpf_cnpj": NUMERIC, "job_id": of.job["job_id"], member: text });
        self.registered(client, of.tipo, path, body).await
    }

    /// Posts a request as it is written and waits for its job.
    async fn registered(&mut self, client: &Client, tipo: &'static str, path: &str, body: Value) -> Made {
        let job = ended(client, &client.post(path, &body).await.ok(202)).await;
        let said = &job["evento_fiscal"]["codigo_status"];
        // the Sefin writes an event or refuses it, and has no code of success
        let is = job["status"] == "completed" && (tipo == "nfse" || *said == 135);
        self.must(is, || job.to_string());
        Made { tipo, job, request: format!("POST {path}"), body, counts: true }
    }

    /// Downloads a form, reads it, and keeps it when the gallery is wanted.
    async fn draw(&mut self, client: &Client, made: &Made, query: &str, name: &str, told: &[&str]) {
        let id = made.job["job_id"].as_str().unwrap();
        let path = format!("/v1/{}/{id}/file/pdf{query}", made.tipo);
        let pdf = client.get(&path).await;
        if pdf.status != 200 {
            return self.must(false, || format!("{name}: {}", pdf.text()));
        }
        let said = squeezed(&judge::text_of_pdf(&pdf.bytes));
        for told in told {
            self.must(said.contains(&squeezed(told)), || format!("{name}: {told} is not in {said}"));
        }
        let mut codes = judge::codes_of_pdf(&pdf.bytes);
        let mut expected = made.codes(codes.len());
        if made.job["nota"]["contingencia"]["tipo"] == "fs_da" {
            let is = |code: &String| code.len() == SECOND_BARS;
            self.must(codes.iter().all(|sheet| sheet.iter().any(is)), || {
                format!("{name}: no second bars in {codes:?}")
            });
            codes.iter_mut().for_each(|sheet| sheet.retain(|code| !is(code)));
        }
        if made.tipo == "cte" && made.counts {
            let beside = transports::qr_code(client, made).await;
            expected.iter_mut().for_each(|sheet| sheet.push(beside.clone()));
            // zbar returns the codes of a sheet in an order of its own
            codes.iter_mut().chain(&mut expected).for_each(|sheet| sheet.sort());
        }
        self.must(codes == expected, || format!("{name}: {expected:?} is not read, but {codes:?}"));
        let title = judge::title_of_pdf(&pdf.bytes);
        let key = made.job["nota"]["chave"].as_str().or(made.job["evento_fiscal"]["chave"].as_str());
        // a city hall gives its notes no key
        let municipal = made.tipo == "nfse" && key.is_none();
        let known = if municipal { "NFS-e" } else { key.unwrap_or("sem chave") };
        self.must(title.contains(known), || format!("{name}: its title is {title}"));
        self.keep(
            name,
            &pdf.bytes,
            &made.request,
            &format!("GET /v1/{}/{{job_id}}/file/pdf{query}", made.tipo),
            &made.body,
        );
        if let (Some(folder), Some(xml)) = (&self.folder, made.job["arquivos"]["xml"].as_str()) {
            std::fs::write(folder.join(format!("{name}.xml")), client.get(xml).await.bytes).unwrap();
        }
    }

    /// Downloads what a receipt printer is sent, and keeps it when the gallery is wanted.
    async fn print(&mut self, client: &Client, made: &Made, query: &str, name: &str) {
        let id = made.job["job_id"].as_str().unwrap();
        let bytes = client.get(&format!("/v1/{}/{id}/file/escpos{query}", made.tipo)).await;
        self.must(bytes.status == 200 && bytes.bytes.starts_with(b"\x1B@"), || format!("{name}: {}", bytes.text()));
        let Some(folder) = &self.folder else { return };
        std::fs::write(folder.join(format!("{name}.bin")), &bytes.bytes).unwrap();
        let file = format!("GET /v1/{}/{{job_id}}/file/escpos{query}", made.tipo);
        self.tell(name, &made.request, &file, &made.body);
    }

    fn must(&mut self, is: bool, why: impl FnOnce() -> String) {
        if !is {
            self.wrong.push(why());
        }
    }

    fn keep(&mut self, name: &str, pdf: &[u8], request: &str, file: &str, body: &Value) {
        self.drawn += 1;
        let Some(folder) = &self.folder else { return };
        std::fs::write(folder.join(format!("{name}.pdf")), pdf).unwrap();
        self.tell(name, request, file, body);
    }

    /// Writes down the request that made a form.
    fn tell(&self, name: &str, request: &str, file: &str, body: &Value) {
        let Some(folder) = &self.folder else { return };
        let about = json!({ "pedido": request, "arquivo": file, "corpo": shortened(body.clone()) });
        std::fs::write(folder.join(format!("{name}.json")), about.to_string()).unwrap();
    }
}

fn of(tenant: &Tenant, ambiente: u8) -> &Client {
    if ambiente == 1 { &tenant.live } else { &tenant.test }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Shortens long lists to the first two entries and the number of the others, so that a page of requests is readable.
fn shortened(mut value: Value) -> Value {
    match &mut value {
        Value::Array(all) => {
            let rest = all.len().saturating_sub(2);
            all.truncate(2);
            all.iter_mut().for_each(|one| *one = shortened(one.take()));
            if rest > 0 {
                all.push(json!(format!("… mais {rest}")));
            }
        }
        Value::Object(members) => members.values_mut().for_each(|member| *member = shortened(member.take())),
        Value::String(text) if text.chars().count() > 200 => {
            *text = text.chars().take(200).collect::<String>() + "…";
        }
        _ => {}
    }
    value
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_form_comes_from_a_document_that_the_service_issued() {
    let mut gallery = Gallery::open().await;
    let seller = gallery.company(NUMERIC, 1, None).await.live;
    sheets(&mut gallery, &seller).await;
    parties(&mut gallery, &seller).await;
    fates(&mut gallery, &seller).await;
    events::all(&mut gallery, &seller).await;
    labels(&mut gallery, &seller).await;
    receipts(&mut gallery, &seller).await;
    transports::all(&mut gallery, &seller).await;
    services::all(&mut gallery, &seller).await;
    municipal::all(&mut gallery).await;
    contingencies(&mut gallery, &seller).await;
    let Gallery { mut app, drawn, wrong, .. } = gallery;
    app.stop().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(drawn >= 76, "{drawn}");
}

/// Any number of items in both layouts, standing and lying, and a first sheet that is full.
async fn sheets(gallery: &mut Gallery, client: &Client) {
    for items in [1, 30, 300] {
        let note = gallery.issued(client, "nfe", notes::invoice(items), "autorizada").await;
        let protocol = note.job["nota"]["protocolo"].as_str().unwrap_or("sem protocolo").to_owned();
        for layout in ["classico", "nt2026010"] {
            let query = format!("?layout={layout}");
            gallery
                .draw(client, &note, &query, &format!("danfe-{layout}-{items:03}-itens"), &[&protocol, "FATURA"])
                .await;
            if items == 30 {
                let lying = format!("{query}&orientacao=paisagem");
                gallery.draw(client, &note, &lying, &format!("danfe-{layout}-paisagem"), &[&protocol]).await;
            }
        }
    }
    let note = gallery.issued(client, "nfe", notes::crowded(), "autorizada").await;
    for query in ["?layout=classico", "?layout=nt2026010", "?layout=nt2026010&orientacao=paisagem"] {
        let word = query.trim_start_matches("?layout=").replace("&orientacao=", "-");
        gallery.draw(client, &note, query, &format!("danfe-{word}-cheia"), &["DUPLICATAS", "DEMAIS VOLUMES"]).await;
    }
}

/// Addressees of every kind, and a note without invoice.
async fn parties(gallery: &mut Gallery, client: &Client) {
    let note = gallery.issued(client, "nfe", notes::person(), "autorizada").await;
    gallery
        .draw(
            client,
            &note,
            "?layout=nt2026010",
            "danfe-pessoa-fisica-sem-fatura",
            &["529.982.247-25", "PAGAMENTO", "TROCO"],
        )
        .await;
    let note = gallery.issued(client, "nfe", notes::abroad(notes::invoice(3)), "autorizada").await;
    let told = ["PASSPORT-X123456", "EXTERIOR - ESTADOS UNIDOS", "EMBARQUE: PORTO DE SANTOS - SP"];
    gallery.draw(client, &note, "", "danfe-destinatario-estrangeiro", &told).await;
    let letters = gallery.company(ALPHANUMERIC, 1, None).await.live;
    let mut nota = notes::invoice(6);
    nota["destinatario"]["CNPJCPF"] = json!(NUMERIC);
    let made = gallery.begun(&letters, "nfe", ALPHANUMERIC, nota).await;
    let job = ended(&letters, &made.job).await;
    gallery.must(job["nota"]["status"] == "autorizada", || job.to_string());
    gallery.draw(&letters, &Made { job, ..made }, "", "danfe-cnpj-com-letras", &["12.ABC.345/01DE-35"]).await;
}

/// Draws notes in every state besides authorised.
async fn fates(gallery: &mut Gallery, client: &Client) {
    let trial = gallery.company(NUMERIC, 2, None).await.test;
    let note = gallery.issued(&trial, "nfe", notes::invoice(5), "autorizada").await;
    gallery.draw(&trial, &note, "", "situacao-homologacao", &["SEM VALOR FISCAL"]).await;
    let sale = gallery.issued(&trial, "nfce", notes::sale(3, true), "autorizada").await;
    let told = ["EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL"];
    gallery.draw(&trial, &sale, "", "nfce-homologacao", &told).await;
    let nota = notes::invoice(5);
    let preview = client.post("/v1/nfe/previa", &json!({ "cpf_cnpj": NUMERIC, "nota": nota })).await;
    assert_eq!(preview.status.as_u16(), 200, "{}", preview.text());
    assert_eq!(judge::codes_of_pdf(&preview.bytes), [[] as [String; 0]]);
    assert_eq!(judge::title_of_pdf(&preview.bytes), "DANFE");
    gallery.keep("situacao-previa", &preview.bytes, "POST /v1/nfe/previa", "o PDF é a resposta", &nota);
    let mut rejected = notes::invoice(5);
    rejected["produtos"][4]["xProd"] = json!("ITEM RECUSADO [SIM:cStat=610]");
    let note = gallery.issued(client, "nfe", rejected.clone(), "rejeitada").await.void();
    gallery.draw(client, &note, "", "situacao-rejeitada", &["REJEITADA: 610", "SEM VALOR FISCAL"]).await;
    rejected["identificacao"]["tpImp"] = json!(3);
    let note = gallery.issued(client, "nfe", rejected, "rejeitada").await.void();
    gallery.draw(client, &note, "", "simplificado-rejeitado", &["REJEITADA: 610", "SEM VALOR FISCAL"]).await;
    let mut denied = notes::invoice(5);
    denied["produtos"][4]["xProd"] = json!("ITEM [SIM:cStat=302]");
    let note = gallery.issued(client, "nfe", denied, "denegada").await.void();
    gallery.draw(client, &note, "", "situacao-denegada", &["DENEGADA", "302"]).await;
}

/// Labels, and the DANFE Simplificado Tipo 2.
async fn labels(gallery: &mut Gallery, client: &Client) {
    for (tpImp, indPres, name) in [(3, 1, "simplificado"), (3, 2, "simplificado-etiqueta")] {
        let mut nota = notes::invoice(4);
        nota["identificacao"]["tpImp"] = json!(tpImp);
        nota["identificacao"]["indPres"] = json!(indPres);
        if indPres == 2 {
            nota["identificacao"]["indIntermed"] = json!(0);
        }
        let note = gallery.issued(client, "nfe", nota, "autorizada").await;
        gallery.draw(client, &note, "", name, &["DANFE Simplificado", "Subtotal R$", "Desconto R$", "IPI R$"]).await;
    }
    let note = gallery.issued(client, "nfe", notes::counter(), "autorizada").await;
    gallery.draw(client, &note, "", "simplificado-tipo-2", &["DANFE Simplificado Tipo 2", "Troco R$"]).await;
}

async fn receipts(gallery: &mut Gallery, client: &Client) {
    let note = gallery.issued(client, "nfce", notes::sale(8, true), "autorizada").await;
    let told = ["Desconto R$", "Troco R$", "APARTAMENTO 142 BLOCO JACARANDÁ"];
    gallery.draw(client, &note, "", "nfce-80-mm", &told).await;
    gallery.draw(client, &note, "?largura=58", "nfce-58-mm", &told[..2]).await;
    gallery.print(client, &note, "", "escpos-80-mm").await;
    gallery.print(client, &note, "?largura=58", "escpos-58-mm").await;
    gallery.draw(client, &note, "?itens=false", "nfce-sem-itens", &told[..2]).await;
    let note = gallery.issued(client, "nfce", notes::sale(3, false), "autorizada").await;
    gallery.draw(client, &note, "", "nfce-consumidor-nao-identificado", &["CONSUMIDOR NÃO IDENTIFICADO"]).await;
    let why = "Venda desfeita pelo cliente no balcão";
    let cancellation = gallery.event(client, &note, "/v1/nfce/cancelar", "justificativa", why).await;
    gallery.draw(client, &cancellation, "", "evento-cancelamento-nfce", &["CANCELAMENTO DE NFC-e", why]).await;
    let told = ["NOTA CANCELADA", "protocolo de cancelamento"];
    gallery.draw(client, &note.void(), "", "nfce-cancelada", &told).await;
    let mut rejected = notes::sale(3, false);
    rejected["produtos"][2]["xProd"] = json!("ITEM RECUSADO [SIM:cStat=778]");
    let note = gallery.issued(client, "nfce", rejected, "rejeitada").await.void();
    gallery.draw(client, &note, "", "nfce-rejeitada", &["REJEITADA: 778", "SEM VALOR FISCAL"]).await;
    gallery.draw(client, &note, "?largura=58", "nfce-rejeitada-58-mm", &["REJEITADA: 778", "SEM VALOR FISCAL"]).await;
}

/// Draws a note with unknown outcome, one under an EPEC, a receipt offline, and a note by the SVC.
async fn contingencies(gallery: &mut Gallery, client: &Client) {
    // no query is answered until the note with unknown outcome has been drawn
    for (servico, vezes) in [("NFeAutorizacao4", 1), ("NFeConsultaProtocolo4", 100)] {
        let lost = json!({ "servico": servico, "tipo": "reset_after", "vezes": vezes });
        gallery.app.control.post("/_sim/falhas", &lost).await.ok(201);
    }
    let made = gallery.begun(client, "nfe", NUMERIC, notes::invoice(5)).await;
    let job = job_when(client, &made.job, |job| job["nota"]["chave"].is_string() && job["erro"].is_string()).await;
    let made = Made { job, ..made }.void();
    gallery.draw(client, &made, "", "situacao-sem-resposta", &["AINDA NÃO AUTORIZADA"]).await;
    assert_eq!(gallery.app.control.delete("/_sim/falhas").await.status, 204);
    gallery.app.sp_stops().await;
    let announcer = gallery.company("12ABC34501DE35", 1, Some("epec")).await.live;
    let mut nota = notes::invoice(5);
    nota["destinatario"]["CNPJCPF"] = json!(NUMERIC);
    // a single failure does not show an outage
    let made = gallery.begun(&announcer, "nfe", "12ABC34501DE35", nota.clone()).await;
    gallery.begun(&announcer, "nfe", "12ABC34501DE35", nota).await;
    let is = |job: &Value| job["nota"]["contingencia"]["protocolo_epec"].is_string();
    let job = job_when(&announcer, &made.job, is).await;
    let protocol = format!("{} - 20/11/2026", job["nota"]["contingencia"]["protocolo_epec"].as_str().unwrap());
    let told = ["PROTOCOLO DE AUTORIZAÇÃO DO EPEC", &protocol];
    gallery.draw(&announcer, &Made { job, ..made }, "?layout=classico", "situacao-epec", &told).await;
    let mut offline = notes::sale(3, false);
    offline["identificacao"]["tpEmis"] = json!(9);
    let made = gallery.begun(client, "nfce", NUMERIC, offline).await;
    let job = job_when(client, &made.job, |job| job["arquivos"]["xml"].is_string()).await;
    let told = ["EMITIDA EM CONTINGÊNCIA", "Via do Estabelecimento"];
    let made = Made { job, ..made };
    gallery.draw(client, &made, "", "nfce-contingencia-duas-vias", &told).await;
    gallery.print(client, &made, "", "escpos-contingencia-duas-vias").await;
    given_out(gallery, client).await;
    let made = gallery.begun(client, "nfe", NUMERIC, notes::invoice(5)).await;
    let job = job_when(client, &made.job, |job| job["nota"]["status"] == "autorizada").await;
    gallery.draw(client, &Made { job, ..made }, "", "situacao-svc", &["Contingência desde"]).await;
    transports::given_out(gallery, client).await;
}

/// Draws NF-e that are handed out while the authority is out: as a receipt, and on security paper.
async fn given_out(gallery: &mut Gallery, client: &Client) {
    let printable = |job: &Value| job["arquivos"]["xml"].is_string();
    let mut offline = notes::counter();
    offline["identificacao"]["tpEmis"] = json!(9);
    let made = gallery.begun(client, "nfe", NUMERIC, offline).await;
    let job = job_when(client, &made.job, printable).await;
    let told = ["DANFE Simplificado Tipo 2", "EMITIDA EM CONTINGÊNCIA", "Via do Estabelecimento"];
    gallery.draw(client, &Made { job, ..made }, "", "simplificado-tipo-2-contingencia", &told).await;
    let made = gallery.begun(client, "nfe", NUMERIC, notes::on_security_paper()).await;
    let job = job_when(client, &made.job, printable).await;
    let told = ["DANFE em Contingência - impresso em decorrência de problemas técnicos", "DADOS DA NF-e"];
    gallery.draw(client, &Made { job, ..made }, "", "situacao-fs-da", &told).await;
}
