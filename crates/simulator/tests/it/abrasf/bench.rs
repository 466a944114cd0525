//! Messages as other clients write them, and a transport to a municipal provider.

use crate::bench::{Bench, CNPJ, start};
use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::table::AuthorityService;
use authority::transport::CallError;
use fiscal::abrasf::AbrasfVersion;
use fiscal::abrasf::UnsignedMessage;
use fiscal::layout;
use fiscal::value::TpAmb;
use fiscal::xml::{self, Element};
use signing::{Certificate, ElementToSign, SigningAlgorithm, sign_elements};
use simulator::abrasf::{CityEnvironment, RpsIdentity};

pub(crate) const LAVRAS: u32 = 3_138_203;
pub(crate) const DADOS: &str = "http://www.abrasf.org.br/nfse.xsd";
pub(crate) const IM: &str = "12345";

pub(crate) struct ProviderBench {
    pub(crate) bench: Bench,
    url: String,
    soap12: bool,
    /// SOAPAction and envelope of an operation around a message.
    envelope: fn(&str, &str) -> (String, String),
    dados: &'static str,
    /// Layout that validates its answers; none of 1.00, whose cities do not sign everything that its layout requires.
    version: Option<AbrasfVersion>,
}

pub(crate) async fn govdigital() -> ProviderBench {
    hall("govdigital-2.01", govdigital_envelope).await
}

pub(crate) async fn hall(provider: &str, envelope: fn(&str, &str) -> (String, String)) -> ProviderBench {
    let bench = start().await;
    let url = bench.simulator.provider_url(provider, LAVRAS, TpAmb::Homologacao);
    let word = if provider.starts_with("govdigital") { provider } else { provider.rsplit('-').next().unwrap() };
    let version = AbrasfVersion::parse(word).filter(|version| !version.is_first());
    ProviderBench { bench, url, soap12: false, envelope, dados: DADOS, version }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The envelope of OpenAC.
pub(crate) fn govdigital_envelope(operation: &str, message: &str) -> (String, String) {
    let header = format!("<cabecalho xmlns=\"{DADOS}\" versao=\"2.01\"><versaoDados>2.01</versaoDados></cabecalho>");
    let envelope = format!(
        "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:e=\"http://nfse.abrasf.org.br\"><soapenv:Body>\
         <e:{operation}Request><nfseCabecMsg><![CDATA[{header}]]></nfseCabecMsg><nfseDadosMsg><![CDATA[{message}]]></nfseDadosMsg>\
         </e:{operation}Request></soapenv:Body></soapenv:Envelope>"
    );
    (format!("\"http://nfse.abrasf.org.br/{operation}\""), envelope)
}

impl ProviderBench {
    pub(crate) fn soap12(mut self) -> ProviderBench {
        self.soap12 = true;
        self
    }
    pub(crate) fn dados(mut self, dados: &'static str) -> ProviderBench {
        self.dados = dados;
        self
    }
    pub(crate) fn office(&self) -> CityEnvironment {
        CityEnvironment { cidade: LAVRAS, ambiente: TpAmb::Homologacao }
    }
    /// The reply to a message, whatever it is.
    pub(crate) async fn post(&self, operation: &str, message: &str) -> Result<AuthorityReply, CallError> {
        let (action, body) = (self.envelope)(operation, message);
        self.post_text(&action, body).await
    }
    pub(crate) async fn post_text(&self, action: &str, body: String) -> Result<AuthorityReply, CallError> {
        let headers = if self.soap12 {
            vec![("content-type", format!("application/soap+xml; charset=utf-8; action={action}"))]
        } else {
            vec![("content-type", "text/xml; charset=utf-8".to_owned()), ("soapaction", action.to_owned())]
        };
        let call = AuthorityCall {
            method: CallMethod::Post,
            url: self.url.clone(),
            headers,
            body: body.into_bytes(),
            authority: "SIM".to_owned(),
            service: AuthorityService::Autorizacao,
            name: "SIM",
            from_company: false,
            secrets: Vec::new(),
        };
        self.bench.transport.send(&call, &self.bench.certificate).await
    }
    /// The answer to an operation, extracted from its envelope.
    pub(crate) async fn ask(&self, operation: &str, message: &str) -> Element {
        let reply = self.post(operation, message).await.unwrap();
        let answer = answer(&reply.body);
        if let Some(version) = self.version {
            let layout = version.layout(&answer.name).unwrap_or_else(|| panic!("{}", answer.name));
            let faults = layout::check_in(layout, self.dados, &answer);
            assert!(faults.is_empty(), "{faults:#?}\n{}", String::from_utf8_lossy(&reply.body));
        }
        answer
    }
    /// The codes of an answer.
    pub(crate) async fn codes(&self, operation: &str, message: &str) -> Vec<String> {
        codes(&self.ask(operation, message).await)
    }
    /// A signed lot of RPS, for the operation that answers at once.
    pub(crate) fn lot(&self, rps: &[Rps]) -> String {
        self.lot_of("EnviarLoteRpsSincronoEnvio", rps)
    }
    pub(crate) fn lot_of(&self, root: &str, rps: &[Rps]) -> String {
        let inside: String = rps.iter().map(|rps| self.signed_rps(rps)).collect();
        let number = rps.first().map_or(1, |rps| rps.number);
        let lot = format!(
            "<LoteRps Id=\"L{number}\" versao=\"2.01\"><NumeroLote>{number}</NumeroLote><CpfCnpj><Cnpj>{CNPJ}</Cnpj></CpfCnpj>\
             <InscricaoMunicipal>{IM}</InscricaoMunicipal><QuantidadeRps>{}</QuantidadeRps><ListaRps>{inside}</ListaRps></LoteRps>",
            rps.len()
        );
        self.sign(&format!("<{root} xmlns=\"{}\">{lot}</{root}>", self.dados), &format!("L{number}"))
    }
    pub(crate) fn signed_rps(&self, rps: &Rps) -> String {
        let alone = rps.xml().replacen("<Rps>", &format!("<Rps xmlns=\"{}\">", self.dados), 1);
        let signed = self.sign(&alone, &format!("R{}", rps.number));
        signed.replacen(&format!(" xmlns=\"{}\"", self.dados), "", 1)
    }
    pub(crate) fn sign(&self, xml: &str, id: &str) -> String {
        signing::sign(xml.to_owned(), id, &self.bench.certificate).unwrap().xml
    }
    pub(crate) fn query(&self, number: u32) -> String {
        format!(
            "<ConsultarNfseRpsEnvio xmlns=\"{}\"><IdentificacaoRps><Numero>{number}</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps>{}\
             </ConsultarNfseRpsEnvio>",
            self.dados,
            prestador()
        )
    }
    pub(crate) fn query_lot(&self, protocol: &str) -> String {
        format!(
            "<ConsultarLoteRpsEnvio xmlns=\"{}\">{}<Protocolo>{protocol}</Protocolo></ConsultarLoteRpsEnvio>",
            self.dados,
            prestador()
        )
    }
    pub(crate) fn cancellation(&self, number: u64) -> String {
        let pedido = self.sign(
            &format!("<Pedido xmlns=\"{}\">{}</Pedido>", self.dados, inf_cancellation(number)),
            &format!("N{number}"),
        );
        format!(
            "<CancelarNfseEnvio xmlns=\"{0}\">{1}</CancelarNfseEnvio>",
            self.dados,
            pedido.replacen(&format!(" xmlns=\"{}\"", self.dados), "", 1)
        )
    }
    /// Issues a note and returns its number.
    pub(crate) async fn issue(&self, rps: &Rps) -> u64 {
        let answer = self.ask("RecepcionarLoteRpsSincrono", &self.lot(std::slice::from_ref(rps))).await;
        number_of(&answer)
    }
    pub(crate) fn counts(&self, number: u32) -> simulator::ArrivalCounts {
        let rps = RpsIdentity { numero: number.to_string(), serie: "1".into(), tipo: "1".into() };
        self.bench.simulator.municipal_counts(self.office(), CNPJ, &rps)
    }
}

pub(crate) fn prestador() -> String {
    format!(
        "<Prestador><CpfCnpj><Cnpj>{CNPJ}</Cnpj></CpfCnpj><InscricaoMunicipal>{IM}</InscricaoMunicipal></Prestador>"
    )
}

pub(crate) fn inf_cancellation(number: u64) -> String {
    format!(
        "<InfPedidoCancelamento Id=\"N{number}\"><IdentificacaoNfse><Numero>{number}</Numero><CpfCnpj><Cnpj>{CNPJ}</Cnpj></CpfCnpj>\
         <InscricaoMunicipal>{IM}</InscricaoMunicipal><CodigoMunicipio>{LAVRAS}</CodigoMunicipio></IdentificacaoNfse>\
         <CodigoCancelamento>1</CodigoCancelamento><CMotivo>1</CMotivo><XMotivo>Valor informado errado na nota</XMotivo></InfPedidoCancelamento>"
    )
}

#[track_caller]
pub(crate) fn number_of(answer: &Element) -> u64 {
    let number = deep(answer, "InfNfse").and_then(|inf| inf.text_at("Numero"));
    number.unwrap_or_else(|| panic!("{answer:?}")).parse().unwrap()
}

/// The first element of a name, at any depth.
pub(crate) fn deep<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    if element.name == name { Some(element) } else { element.children().find_map(|child| deep(child, name)) }
}

pub(crate) fn codes(answer: &Element) -> Vec<String> {
    let list = deep(answer, "ListaMensagemRetorno").or_else(|| deep(answer, "ListaMensagemRetornoLote"));
    let messages =
        list.map(|list| list.children().filter_map(|one| one.text_at("Codigo")).map(str::to_owned).collect());
    messages.unwrap_or_default()
}

/// `…Resposta` in an envelope: as elements, or as text at any depth.
#[track_caller]
pub(crate) fn answer(body: &[u8]) -> Element {
    let envelope = xml::read(body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(body)));
    found(&envelope).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(body)))
}

fn found(element: &Element) -> Option<Element> {
    if element.name.ends_with("Resposta") {
        return Some(element.clone());
    }
    let text = element.text();
    if text.starts_with('<') {
        return xml::read(text.as_bytes()).ok();
    }
    element.children().find_map(found)
}

/// The reason of a SOAP fault.
#[track_caller]
pub(crate) fn fault(reply: &AuthorityReply) -> String {
    assert_eq!(reply.status.as_u16(), 500, "{}", String::from_utf8_lossy(&reply.body));
    let envelope = xml::read(&reply.body).unwrap();
    let reason = deep(&envelope, "faultstring").or_else(|| deep(&envelope, "Text"));
    reason.unwrap().text().to_owned()
}

/// An RPS of 2.0x that every rule accepts.
#[derive(Clone)]
pub(crate) struct Rps {
    pub(crate) number: u32,
    /// Replacements in the text, in order.
    changes: Vec<(String, String)>,
}

pub(crate) fn rps(number: u32) -> Rps {
    Rps { number, changes: Vec::new() }
}

impl Rps {
    pub(crate) fn with(mut self, from: &str, to: &str) -> Rps {
        self.changes.push((from.to_owned(), to.to_owned()));
        self
    }
    pub(crate) fn xml(&self) -> String {
        let number = self.number;
        let today = today();
        let xml = format!(
            "<Rps><InfDeclaracaoPrestacaoServico Id=\"R{number}\"><Rps><IdentificacaoRps><Numero>{number}</Numero><Serie>1</Serie><Tipo>1</Tipo>\
             </IdentificacaoRps><DataEmissao>{today}</DataEmissao><Status>1</Status></Rps><Competencia>{today}</Competencia><Servico><Valores>\
             <ValorServicos>1000.00</ValorServicos><ValorIss>20.00</ValorIss><Aliquota>0.02</Aliquota></Valores><IssRetido>2</IssRetido>\
             <ItemListaServico>1.07</ItemListaServico><CodigoCnae>6209100</CodigoCnae><CodigoTributacaoMunicipio>107</CodigoTributacaoMunicipio>\
             <Discriminacao>Suporte técnico &amp; manutenção</Discriminacao><CodigoMunicipio>{LAVRAS}</CodigoMunicipio><ExigibilidadeISS>1\
             </ExigibilidadeISS><MunicipioIncidencia>{LAVRAS}</MunicipioIncidencia></Servico>{}<Tomador><IdentificacaoTomador><CpfCnpj>\
             <Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANO DE TAL</RazaoSocial><Endereco><Endereco>Rua Exemplo</Endereco>\
             <Numero>10</Numero><Bairro>Centro</Bairro><CodigoMunicipio>{LAVRAS}</CodigoMunicipio><Uf>MG</Uf><Cep>37200000</Cep></Endereco></Tomador>\
             <OptanteSimplesNacional>2</OptanteSimplesNacional><IncentivoFiscal>2</IncentivoFiscal></InfDeclaracaoPrestacaoServico></Rps>",
            prestador()
        );
        self.changed(xml)
    }
    /// The RPS in the shape of 1.00.
    pub(crate) fn first(&self) -> String {
        let (number, today) = (self.number, today());
        let xml = format!(
            "<Rps><InfRps Id=\"R{number}\"><IdentificacaoRps><Numero>{number}</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps>\
             <DataEmissao>{today}T00:00:01</DataEmissao><NaturezaOperacao>1</NaturezaOperacao><OptanteSimplesNacional>2</OptanteSimplesNacional>\
             <IncentivadorCultural>2</IncentivadorCultural><Status>1</Status><Servico><Valores><ValorServicos>1000.00</ValorServicos>\
             <IssRetido>2</IssRetido><ValorIss>20.00</ValorIss><BaseCalculo>1000.00</BaseCalculo><Aliquota>0.02</Aliquota></Valores>\
             <ItemListaServico>1.07</ItemListaServico><CodigoTributacaoMunicipio>107</CodigoTributacaoMunicipio><Discriminacao>Suporte técnico\
             </Discriminacao><CodigoMunicipio>{LAVRAS}</CodigoMunicipio></Servico><Prestador><Cnpj>{CNPJ}</Cnpj><InscricaoMunicipal>{IM}\
             </InscricaoMunicipal></Prestador><Tomador><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador>\
             <RazaoSocial>FULANO DE TAL</RazaoSocial></Tomador></InfRps></Rps>"
        );
        self.changed(xml)
    }
    #[track_caller]
    fn changed(&self, mut xml: String) -> String {
        for (from, to) in &self.changes {
            assert!(xml.contains(from), "{from} não está em {xml}");
            xml = xml.replacen(from, to, 1);
        }
        xml
    }
}

pub(crate) fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(-3))).date()
}

/// A message of the product, with the signatures that it requires.
pub(crate) fn signed(message: UnsignedMessage, certificate: &Certificate) -> String {
    let places: Vec<ElementToSign> =
        message.signatures.into_iter().map(|place| ElementToSign { element: place.element, id: place.id }).collect();
    sign_elements(SigningAlgorithm::Sha1, message.xml, &places, certificate).unwrap().xml
}
