//! DPS to send: built by the product's own writer from the golden cases' payloads, signed, sent by the product's
//! connector.

use crate::bench::{Bench, CNPJ, certificate, start};
use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::nfse_nacional::{
    DpsAnswer, FoundNfseEvent, IssueAnswer, NfseAnswer, NfseEventAnswer, ReceivedNfse, SefinEndpoint, SefinMessage,
    read_dps, read_event, read_events, read_issue, read_nfse,
};
use authority::table::AuthorityService;
use fiscal::nfse::event::{NfseEventRequest, build};
use fiscal::value::{ChaveNfse, CnpjCpf, TpAmb};
use serde_json::{Value, json};
use signing::{Certificate, SigningAlgorithm};
use simulator::pki::CertificateSubject;
use testkit::cases;
use testkit::cases::nfse::Case;

pub(crate) const TOMADOR: &str = "12ABC34501DE35";
pub(crate) const MOMENT: &str = cases::MOMENT;

pub(crate) struct NationalBench {
    pub(crate) bench: Bench,
    pub(crate) sefin: SefinEndpoint,
}

pub(crate) async fn town() -> NationalBench {
    let bench = start().await;
    let sefin = SefinEndpoint::at(&bench.simulator.sefin_url(TpAmb::Homologacao));
    NationalBench { bench, sefin }
}

/// A note of São Paulo that every rule accepts, with this number.
pub(crate) fn dps(number: u64) -> Case {
    cases::nfse::base("nfse").with(&json!({ "nDPS": number, "emitente": { "IM": null } }))
}

/// The base with another payload.
pub(crate) fn with(number: u64, nota: Value) -> Case {
    dps(number).with(&json!({ "nota": nota }))
}

/// The base for a tomador with a certificate.
pub(crate) fn for_the_tomador(number: u64) -> Case {
    with(number, json!({ "toma": { "CPF": null, "CNPJ": TOMADOR } }))
}

/// The unsigned document and its Id.
pub(crate) fn written(case: &Case) -> (String, String) {
    let built = case.build().unwrap();
    (built.xml, built.ids.id)
}

impl NationalBench {
    pub(crate) fn signed(&self, case: &Case) -> String {
        let (xml, id) = written(case);
        signing::sign(xml, &id, &self.bench.certificate).unwrap().xml
    }
    /// The signed document with a replaced text; its Id is read anew.
    pub(crate) fn bent(&self, case: &Case, from: &str, to: &str) -> String {
        let xml = written(case).0;
        assert!(xml.contains(from), "{from} não está em {xml}");
        self.sign(&xml.replacen(from, to, 1))
    }
    pub(crate) fn sign(&self, xml: &str) -> String {
        let id = xml.split("Id=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        signing::sign_by(SigningAlgorithm::Sha256, xml.to_owned(), &id, &self.bench.certificate).unwrap().xml
    }
    pub(crate) fn certificate_of(&self, number: &str) -> Certificate {
        certificate(self.bench.simulator.pki(), &CertificateSubject::new("OUTRO CONTRIBUINTE", number))
    }
    pub(crate) async fn ask_as(&self, call: &AuthorityCall, certificate: &Certificate) -> AuthorityReply {
        self.bench.transport.send(call, certificate).await.unwrap()
    }
    pub(crate) async fn ask(&self, call: &AuthorityCall) -> AuthorityReply {
        self.ask_as(call, &self.bench.certificate).await
    }
    pub(crate) async fn hand_in(&self, signed: &str) -> IssueAnswer {
        read_issue(&self.ask(&self.sefin.issue(signed)).await).unwrap()
    }
    pub(crate) async fn issue(&self, case: &Case) -> ReceivedNfse {
        authorized(self.hand_in(&self.signed(case)).await)
    }
    /// The codes of a refusal.
    pub(crate) async fn codes(&self, signed: &str) -> Vec<String> {
        match self.hand_in(signed).await {
            IssueAnswer::Rejected(said) | IssueAnswer::Duplicate(said) | IssueAnswer::Forbidden(said) => codes(&said),
            IssueAnswer::Authorized(_) => Vec::new(),
        }
    }
    pub(crate) async fn key_of(&self, id: &str) -> DpsAnswer {
        read_dps(&self.ask(&self.sefin.dps(id)).await).unwrap()
    }
    pub(crate) async fn note(&self, chave: &ChaveNfse) -> NfseAnswer {
        read_nfse(&self.ask(&self.sefin.nfse(chave)).await).unwrap()
    }
    pub(crate) async fn register(&self, chave: &ChaveNfse, tipo: &str, motivo: Option<&str>) -> NfseEventAnswer {
        self.register_as(&self.bench.certificate, CNPJ, chave, tipo, motivo).await
    }
    pub(crate) async fn register_as(
        &self,
        certificate: &Certificate,
        autor: &str,
        chave: &ChaveNfse,
        tipo: &str,
        motivo: Option<&str>,
    ) -> NfseEventAnswer {
        let (xml, id) = request(autor, chave, tipo, motivo);
        let signed = signing::sign(xml, &id, certificate).unwrap().xml;
        read_event(&self.ask_as(&self.sefin.event(chave, &signed), certificate).await).unwrap()
    }
    /// The first code of a refused event.
    pub(crate) async fn refused(&self, chave: &ChaveNfse, tipo: &str) -> String {
        match self.register(chave, tipo, Some("Serviço contratado não foi prestado")).await {
            NfseEventAnswer::Rejected(said) => codes(&said).remove(0),
            other => panic!("{other:?}"),
        }
    }
    pub(crate) async fn events_of(&self, chave: &ChaveNfse, tipo: &str) -> Vec<FoundNfseEvent> {
        read_events(&self.ask(&self.sefin.event_of(chave, tipo, 1)).await).unwrap()
    }
    /// JSON of a path below the base of the environment, with the company's certificate.
    pub(crate) async fn get(&self, url: &str) -> (u16, Value) {
        self.get_as(url, &self.bench.certificate).await
    }
    pub(crate) async fn get_as(&self, url: &str, certificate: &Certificate) -> (u16, Value) {
        let call = AuthorityCall {
            method: CallMethod::Get,
            url: url.to_owned(),
            headers: vec![("accept", "application/json".to_owned())],
            body: Vec::new(),
            authority: "SIM".to_owned(),
            service: AuthorityService::ConsultaProtocolo,
            name: "SIM",
            from_company: false,
            secrets: Vec::new(),
        };
        let reply = self.ask_as(&call, certificate).await;
        (reply.status.as_u16(), serde_json::from_slice(&reply.body).unwrap())
    }
}

#[track_caller]
pub(crate) fn authorized(answer: IssueAnswer) -> ReceivedNfse {
    match answer {
        IssueAnswer::Authorized(issued) => issued,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
pub(crate) fn registered(answer: NfseEventAnswer) -> String {
    match answer {
        NfseEventAnswer::Registered(xml) => xml,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn codes(said: &[SefinMessage]) -> Vec<String> {
    said.iter().map(|said| said.codigo.as_str().to_owned()).collect()
}

/// The unsigned request of an event and its Id.
pub(crate) fn request(autor: &str, chave: &ChaveNfse, tipo: &str, motivo: Option<&str>) -> (String, String) {
    let built = build(&NfseEventRequest {
        ambiente: TpAmb::Homologacao,
        verAplic: "1.0",
        dhEvento: MOMENT,
        autor: CnpjCpf::parse(autor).unwrap(),
        chave,
        tpEvento: tipo,
        cMotivo: motivo.map(|_| "2"),
        xMotivo: motivo,
    })
    .unwrap();
    (built.xml, built.id)
}
