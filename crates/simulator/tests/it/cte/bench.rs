//! CT-e to issue: built by the product's own writer from the golden cases' payloads, changed as text, signed, sent by
//! its own dialect.

use crate::bench::{Bench, CNPJ};
use authority::answer::{AuthorizationAnswer, DocumentSituation, EventAnswer};
use authority::sefaz::SefazDialect;
use authority::table::{AuthorityRole, AuthorityService, Endpoint, wire};
use authority::transport::CallError;
use fiscal::cte;
use fiscal::document::{BuildContext, BuiltDocument};
use fiscal::event::{EventEnvelope, cte as event};
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use serde_json::{Value, json};
use signing::Certificate;

/// `tpEmis` of a way that needs no authority.
pub(crate) const OFFLINE: u8 = 2;
const CARGO: &str = include_str!("../../../../fiscal/tests/golden/base/cte.json");
const PASSENGERS: &str = include_str!("../../../../fiscal/tests/golden/base/cte_os.json");

/// A CT-e of Rio Grande do Sul that every rule accepts.
#[derive(Clone)]
pub(crate) struct Freight {
    pub(crate) input: Value,
    pub(crate) nCT: u64,
    pub(crate) codigo: u32,
    pub(crate) tpEmis: u8,
    /// Replacements in the written document, before it is signed.
    pub(crate) bent: Vec<(String, String)>,
}

impl Freight {
    pub(crate) fn cargo(nCT: u64) -> Freight {
        Freight::of(CARGO, nCT)
    }
    pub(crate) fn passengers(nCT: u64) -> Freight {
        let mut freight = Freight::of(PASSENGERS, nCT);
        freight.input["nota"]["rodoviario"]["fretamento"]["dhViagem"] = json!(moment(86_400));
        freight
    }
    fn of(base: &str, nCT: u64) -> Freight {
        let mut input: Value = serde_json::from_str(base).unwrap();
        input["emitente"]["CNPJCPF"] = json!(CNPJ);
        input["nota"]["identificacao"]["dhEmi"] = json!(moment(0));
        Freight { input, nCT, codigo: 20_261_101, tpEmis: 1, bent: Vec::new() }
    }
    /// Sets another value in the payload.
    pub(crate) fn with(mut self, pointer: &str, value: Value) -> Freight {
        let (group, member) = pointer.rsplit_once('/').unwrap();
        self.input["nota"].pointer_mut(group).unwrap()[member] = value;
        self
    }
    /// Replaces a text of the document.
    pub(crate) fn replace_text(mut self, from: &str, to: &str) -> Freight {
        self.bent.push((from.to_owned(), to.to_owned()));
        self
    }
    pub(crate) fn modelo(&self) -> u8 {
        u8::try_from(self.input["modelo"].as_u64().unwrap()).unwrap()
    }
    pub(crate) fn dialect(&self) -> &'static SefazDialect {
        wire(self.modelo()).unwrap().sefaz().unwrap()
    }
    pub(crate) fn built(&self) -> BuiltDocument {
        let emitente = self.input["emitente"].as_object().unwrap();
        let configuracao = json!({ "rntrc": "12345678" });
        // An outage that begins with the document.
        let began = self.input["nota"]["identificacao"]["dhEmi"].as_str().unwrap();
        let context = BuildContext {
            modelo: self.modelo(),
            ambiente: TpAmb::Homologacao,
            law: fiscal::law::Law::printed(),
            emitente,
            regimes: None,
            configuracao: configuracao.as_object(),
            serie: 1.into(),
            numero: self.nCT,
            codigo: self.codigo,
            dhEmi: &moment(0),
            tpEmis: self.tpEmis,
            contingencia: (self.tpEmis == OFFLINE).then_some((began, "SEFAZ e SVC fora de operacao")),
            verProc: "1.0",
            software_house: None,
            dialeto: None,
            leiaute: fiscal::nfse::layouts::DpsLayout::Current,
        };
        fiscal::cte::build(&self.input["nota"], &context).unwrap()
    }
    pub(crate) fn chave(&self) -> ChaveAcesso {
        self.built().ids.chave.unwrap()
    }
    pub(crate) fn signed(&self, bench: &Bench) -> String {
        let built = self.built();
        let mut xml = built.xml;
        if self.tpEmis == OFFLINE {
            let chave = built.ids.chave.unwrap();
            let sign = signing::sign_text(cte::qr::signed_text(&chave), &bench.certificate).unwrap();
            assert!(cte::supplement(&mut xml, &cte::qr::text(&chave, TpAmb::Homologacao, Some(&sign))));
        }
        for (from, to) in &self.bent {
            assert!(xml.contains(from), "{from} não está em {xml}");
            xml = xml.replacen(from, to, 1);
        }
        let id = xml.split("Id=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        signing::sign(xml, &id, &bench.certificate).unwrap().xml
    }
}

/// The time so many seconds from now, at Brasília.
pub(crate) fn moment(seconds: i64) -> String {
    let at = jiff::Timestamp::now().checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap();
    at.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(-3))).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

impl Bench {
    pub(crate) fn at(&self, modelo: u8, service: AuthorityService, role: AuthorityRole) -> Endpoint {
        self.table.endpoint(Uf::RS, modelo, TpAmb::Homologacao, service, role).unwrap()
    }
    pub(crate) async fn carry(&self, freight: &Freight) -> AuthorizationAnswer {
        self.carry_signed(freight, &freight.signed(self), AuthorityRole::Normal).await
    }
    pub(crate) async fn carry_signed(
        &self,
        freight: &Freight,
        signed: &str,
        role: AuthorityRole,
    ) -> AuthorizationAnswer {
        let endpoint = self.at(freight.modelo(), AuthorityService::Autorizacao, role);
        let call = freight.dialect().authorize(&endpoint, 1, signed);
        freight.dialect().read_authorize(&self.send(&call).await.unwrap()).unwrap()
    }
    /// Code and text of a document.
    pub(crate) async fn carried(&self, freight: &Freight) -> (u16, String) {
        code_and_text(&self.carry(freight).await)
    }
    pub(crate) async fn seek(&self, chave: &ChaveAcesso) -> DocumentSituation {
        let modelo = chave.parts().modelo;
        let dialect = wire(modelo).unwrap().sefaz().unwrap();
        let call = dialect.query(
            &self.at(modelo, AuthorityService::ConsultaProtocolo, AuthorityRole::Normal),
            TpAmb::Homologacao,
            chave,
        );
        dialect.read_query(&self.send(&call).await.unwrap()).unwrap()
    }
    /// Code and text of an event, by the company whose certificate the bench has.
    pub(crate) async fn report(&self, happened: &FreightEvent) -> (u16, String) {
        self.report_as(happened, &self.certificate).await
    }
    /// The reply to an event, or the error.
    pub(crate) async fn try_report(
        &self,
        happened: &FreightEvent,
    ) -> Result<authority::call::AuthorityReply, CallError> {
        let modelo = happened.chave.parts().modelo;
        let dialect = wire(modelo).unwrap().sefaz().unwrap();
        let (xml, id) = happened.written();
        let signed = signing::sign(xml, &id, &self.certificate).unwrap().xml;
        self.send(&dialect.event(&self.at(modelo, AuthorityService::RecepcaoEvento, AuthorityRole::Normal), 1, &signed))
            .await
    }
    /// Code and text of an event, signed and sent by another company.
    pub(crate) async fn report_as(&self, happened: &FreightEvent, certificate: &Certificate) -> (u16, String) {
        let modelo = happened.chave.parts().modelo;
        let dialect = wire(modelo).unwrap().sefaz().unwrap();
        let (xml, id) = happened.written();
        let signed = signing::sign(xml, &id, certificate).unwrap().xml;
        let call = dialect.event(&self.at(modelo, AuthorityService::RecepcaoEvento, AuthorityRole::Normal), 1, &signed);
        let reply = self.transport.send(&call, certificate).await.unwrap();
        match dialect.read_event(&reply).unwrap() {
            EventAnswer::Registered { codigo, xMotivo, .. } => (codigo.number().unwrap(), xMotivo),
            EventAnswer::Duplicate(rejection)
            | EventAnswer::Rejected(rejection)
            | EventAnswer::Undecided(rejection)
            | EventAnswer::Unavailable(rejection) => (rejection.codigo.number().unwrap(), rejection.xMotivo),
        }
    }
    /// Protocol number of the stored document of a key.
    pub(crate) fn protocol_of(&self, chave: &ChaveAcesso) -> String {
        self.simulator.document(TpAmb::Homologacao, chave.as_str()).unwrap().nProt
    }
}

/// Code and text, whatever the outcome.
pub(crate) fn code_and_text(answer: &AuthorizationAnswer) -> (u16, String) {
    match answer {
        AuthorizationAnswer::Authorized(protocol) => (protocol.codigo.number().unwrap(), protocol.xMotivo.clone()),
        AuthorizationAnswer::Rejected(rejection)
        | AuthorizationAnswer::Duplicate(rejection)
        | AuthorizationAnswer::Unavailable(rejection) => {
            (rejection.codigo.number().unwrap(), rejection.xMotivo.clone())
        }
        other => panic!("{other:?}"),
    }
}

/// An event to send.
pub(crate) struct FreightEvent {
    pub(crate) kind: event::CteEventKind,
    pub(crate) chave: ChaveAcesso,
    pub(crate) autor: String,
    pub(crate) nSeqEvento: u16,
    pub(crate) said: Value,
    pub(crate) bent: Vec<(String, String)>,
}

impl FreightEvent {
    pub(crate) fn new(kind: event::CteEventKind, chave: ChaveAcesso, said: Value) -> FreightEvent {
        FreightEvent { kind, chave, autor: CNPJ.to_owned(), nSeqEvento: 1, said, bent: Vec::new() }
    }
    pub(crate) fn cancellation(chave: ChaveAcesso, nProt: &str) -> FreightEvent {
        let said = json!({ "nProt": nProt, "xJust": "Carga recusada pelo remetente" });
        FreightEvent::new(event::CteEventKind::Cancelamento, chave, said)
    }
    pub(crate) fn replace_text(mut self, from: &str, to: &str) -> FreightEvent {
        self.bent.push((from.to_owned(), to.to_owned()));
        self
    }
    fn written(&self) -> (String, String) {
        let body = event::body(self.kind, self.said.as_object().unwrap(), -3).unwrap();
        let envelope = EventEnvelope {
            chave: self.chave,
            ambiente: TpAmb::Homologacao,
            autor: CnpjCpf::parse(&self.autor).unwrap(),
            dhEvento: &moment(0),
            nSeqEvento: self.nSeqEvento,
        };
        let (mut xml, id) = event::build(&envelope, &body);
        for (from, to) in &self.bent {
            assert!(xml.contains(from), "{from} não está em {xml}");
            xml = xml.replacen(from, to, 1);
        }
        (xml, id)
    }
}
