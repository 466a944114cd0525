//! Test bench: a running simulator, a company with its certificate, notes to issue, and a transport.

use authority::answer::AuthorizationAnswer;
use authority::call::{AuthorityCall, AuthorityReply, CallMethod};
use authority::sefaz;
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable};
use authority::transport::{self, AuthorityTransport, CallError};
use fiscal::value::{ChaveAcesso, ChaveParts, Cnpj, CnpjCpf, TpAmb, Uf};
use fiscal::xml::{self, Element};
use signing::Certificate;
use simulator::pki::{CertificateSubject, Pki};
use simulator::{Simulator, SimulatorOptions};
use std::path::PathBuf;

pub(crate) const CNPJ: &str = "11222333000181";

pub(crate) struct Bench {
    pub(crate) simulator: Simulator,
    pub(crate) certificate: Certificate,
    pub(crate) transport: AuthorityTransport,
    pub(crate) table: EndpointTable,
}

pub(crate) async fn start() -> Bench {
    let dir = chain();
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("chaves");
    let any = "127.0.0.1:0".parse().unwrap();
    let options = SimulatorOptions { https: any, control: any, pki_dir: dir.clone(), kept_keys: Some(kept), seed: 7 };
    let simulator = Simulator::start(options).await.unwrap();
    if let Some(folder) = std::env::var_os("NFSE_LOG").filter(|folder| !folder.is_empty()) {
        simulator.log_nfse(&PathBuf::from(folder).join(format!("ensaio-{}.jsonl", std::process::id()))).unwrap();
    }
    let pfx = std::fs::read(dir.join("empresa.pfx")).unwrap();
    let certificate = Certificate::from_pfx(&pfx, "1234").unwrap();
    let transport = transport(&simulator);
    let table = EndpointTable::with_overrides(&simulator.endpoints_toml()).unwrap();
    Bench { simulator, certificate, transport, table }
}

/// Folder of the chain and of the company's certificate of this day, made once for all tests. The first test makes them
/// in a temporary folder and renames it.
fn chain() -> PathBuf {
    let day = jiff::Timestamp::now().as_second() / 86_400;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = folder.join(format!("simulador-{day}"));
    if dir.is_dir() {
        return dir;
    }
    let thread = std::thread::current().id();
    let aside = folder.join(format!("simulador-{day}-{}-{thread:?}", std::process::id()));
    std::fs::create_dir_all(&aside).unwrap();
    let pki = Pki::load_or_create(&aside).unwrap();
    std::fs::write(aside.join("empresa.pfx"), pki.issue_pfx("EMPRESA TESTE", CNPJ, "1234", 365).unwrap()).unwrap();
    if std::fs::rename(&aside, &dir).is_err() {
        assert!(dir.is_dir(), "nem feita nem achada: {}", dir.display());
        std::fs::remove_dir_all(&aside).unwrap();
    }
    dir
}

pub(crate) fn transport(simulator: &Simulator) -> AuthorityTransport {
    let options = transport::TransportOptions {
        extra_anchors_pem: Some(simulator.pki().ca_pem().to_vec()),
        builtin_anchors: false,
        ..transport::TransportOptions::default()
    };
    AuthorityTransport::new(options).unwrap()
}

pub(crate) fn certificate(pki: &Pki, subject: &CertificateSubject) -> Certificate {
    Certificate::from_pfx(&pki.issue(subject, "1234").unwrap(), "1234").unwrap()
}

impl Bench {
    pub(crate) fn endpoint(&self, service: AuthorityService) -> Endpoint {
        self.table.endpoint(Uf::SP, 55, TpAmb::Homologacao, service, AuthorityRole::Normal).unwrap()
    }
    pub(crate) async fn send(&self, call: &AuthorityCall) -> Result<AuthorityReply, CallError> {
        self.transport.send(call, &self.certificate).await
    }
    /// A call with this payload (the children of nfeDadosMsg).
    pub(crate) fn call(&self, service: AuthorityService, payload: &str) -> AuthorityCall {
        let endpoint = self.endpoint(service);
        let content_type = format!("application/soap+xml; charset=utf-8; action=\"{}\"", endpoint.action);
        AuthorityCall {
            method: CallMethod::Post,
            url: endpoint.url,
            headers: vec![("content-type", content_type)],
            body: envelope(service, payload).into_bytes(),
            authority: endpoint.authority,
            service,
            name: endpoint.name,
            from_company: false,
            secrets: Vec::new(),
        }
    }
    /// Sends a payload and reads the reply's payload.
    pub(crate) async fn ask(&self, service: AuthorityService, payload: &str) -> Element {
        self.ask_call(&self.call(service, payload)).await
    }
    pub(crate) async fn ask_call(&self, call: &AuthorityCall) -> Element {
        payload(&self.send(call).await.unwrap().body)
    }
    /// Code of a reply to a payload, at the level of the message.
    pub(crate) async fn code(&self, service: AuthorityService, payload: &str) -> u16 {
        code(&self.ask(service, payload).await)
    }
    pub(crate) fn sign(&self, note: &Note) -> String {
        self.sign_as(note, &self.certificate)
    }
    pub(crate) fn sign_as(&self, note: &Note, certificate: &Certificate) -> String {
        signing::sign(note.xml(), &note.id(), certificate).unwrap().xml
    }
    pub(crate) async fn authorize(&self, signed: &str) -> AuthorizationAnswer {
        let call = sefaz::NFE.authorize(&self.endpoint(AuthorityService::Autorizacao), 1, signed);
        sefaz::NFE.read_authorize(&self.send(&call).await.unwrap()).unwrap()
    }
    /// The code of the document (or of the batch) for a signed note.
    pub(crate) async fn verdict(&self, signed: &str) -> (u16, String) {
        let reply = self.ask(AuthorityService::Autorizacao, &batch(&[signed], "1")).await;
        verdict(&reply)
    }
    pub(crate) async fn issue(&self, note: &Note) -> (u16, String) {
        self.verdict(&self.sign(note)).await
    }
}

pub(crate) fn envelope(service: AuthorityService, payload: &str) -> String {
    let namespace = format!("http://www.portalfiscal.inf.br/nfe/wsdl/{}", sefaz::NFE.official(service).unwrap().name);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap12:Envelope xmlns:soap12=\"http://www.w3.org/2003/05/soap-envelope\"><soap12:Body>\
         <nfeDadosMsg xmlns=\"{namespace}\">{payload}</nfeDadosMsg></soap12:Body></soap12:Envelope>"
    )
}

pub(crate) fn batch(signed: &[&str], indSinc: &str) -> String {
    format!(
        "<enviNFe xmlns=\"http://www.portalfiscal.inf.br/nfe\" versao=\"4.00\"><idLote>1</idLote><indSinc>{indSinc}</indSinc>{}</enviNFe>",
        signed.concat()
    )
}

/// The payload of a SOAP reply.
pub(crate) fn payload(reply: &[u8]) -> Element {
    let envelope = xml::read(reply).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(reply)));
    let result = envelope.at("Body/nfeResultMsg").unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(reply)));
    result.children().next().unwrap().clone()
}

pub(crate) fn code(reply: &Element) -> u16 {
    reply.text_at("cStat").or_else(|| reply.text_at("infInut/cStat")).unwrap().parse().unwrap()
}

/// Code and text of the first document, or of the batch when no document was looked at.
pub(crate) fn verdict(reply: &Element) -> (u16, String) {
    let at = reply.at("protNFe/infProt").unwrap_or(reply);
    (at.text_at("cStat").unwrap().parse().unwrap(), at.text_at("xMotivo").unwrap().to_owned())
}

/// A note of São Paulo, Simples Nacional, one item.
#[derive(Clone)]
pub(crate) struct Note {
    pub(crate) nNF: u32,
    pub(crate) cNF: u32,
    pub(crate) CNPJ: String,
    pub(crate) dest: String,
    pub(crate) xProd: String,
    pub(crate) dhEmi: jiff::Timestamp,
    pub(crate) tpAmb: &'static str,
    pub(crate) tpEmis: u8,
    pub(crate) modelo: u8,
    pub(crate) NCM: &'static str,
    pub(crate) vProd: &'static str,
    pub(crate) vNF: &'static str,
}

impl Note {
    pub(crate) fn new(nNF: u32) -> Note {
        Note {
            nNF,
            cNF: 84_736_251 ^ nNF,
            CNPJ: CNPJ.to_owned(),
            dest: "<CPF>11144477735</CPF>".to_owned(),
            xProd: "CAFE &amp; ACUCAR".to_owned(),
            dhEmi: jiff::Timestamp::now(),
            tpAmb: "2",
            tpEmis: 1,
            modelo: 55,
            NCM: "09012100",
            vProd: "100.00",
            vNF: "100.00",
        }
    }
    pub(crate) fn of(mut self, cnpj: &str) -> Note {
        self.CNPJ = cnpj.to_owned();
        self
    }
    pub(crate) fn xProd(mut self, xProd: &str) -> Note {
        self.xProd = xProd.to_owned();
        self
    }
    pub(crate) fn cNF(mut self, cNF: u32) -> Note {
        self.cNF = cNF;
        self
    }
    /// Turns the note into model 65, unsigned and without its QR code, which [`Note::with_code`] adds.
    pub(crate) fn retail(mut self) -> Note {
        self.modelo = 65;
        self.xProd = fiscal::nfe::rules::DESCRIPTION_IN_HOMOLOGACAO.to_owned();
        self
    }
    /// The signed document with its QR code of version 3.
    pub(crate) fn with_code(&self, signed: &str) -> String {
        let site = "https://www.homologacao.nfce.fazenda.sp.gov.br";
        let code = format!(
            "<infNFeSupl><qrCode>{site}/qrcode?p={}|3|2</qrCode><urlChave>{site}/NFCeConsultaPublica</urlChave></infNFeSupl><Signature",
            self.chave().as_str()
        );
        signed.replacen("<Signature", &code, 1)
    }
    pub(crate) fn emitted(mut self, dhEmi: jiff::Timestamp) -> Note {
        self.dhEmi = dhEmi;
        self
    }
    pub(crate) fn dhEmi(&self) -> String {
        let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
        self.dhEmi.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }
    pub(crate) fn chave(&self) -> ChaveAcesso {
        let dhEmi = self.dhEmi();
        ChaveAcesso::compose(&ChaveParts {
            uf: Uf::SP,
            aamm: format!("{}{}", &dhEmi[2..4], &dhEmi[5..7]).parse().unwrap(),
            emitente: CnpjCpf::Cnpj(Cnpj::parse(&self.CNPJ).unwrap()),
            modelo: self.modelo,
            serie: 1,
            nNF: self.nNF,
            tpEmis: self.tpEmis,
            cNF: self.cNF,
        })
    }
    pub(crate) fn id(&self) -> String {
        format!("NFe{}", self.chave().as_str())
    }
    /// The canonical, unsigned document.
    pub(crate) fn xml(&self) -> String {
        let chave = self.chave();
        let Note { nNF, cNF, CNPJ: cnpj, dest, xProd, tpAmb, tpEmis, modelo, NCM, vProd, vNF, .. } = self;
        let (dhEmi, id, cDV) = (self.dhEmi(), self.id(), &chave.as_str()[43..]);
        let tpImp = if *modelo == 65 { 4 } else { 1 };
        let address = "<xLgr>RUA A</xLgr><nro>1</nro><xBairro>CENTRO</xBairro><cMun>3550308</cMun><xMun>SAO PAULO</xMun><UF>SP</UF><CEP>01001000</CEP>";
        let zeros = "<vDesc>0.00</vDesc><vII>0.00</vII><vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol><vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro>";
        format!(
            "<NFe xmlns=\"http://www.portalfiscal.inf.br/nfe\"><infNFe Id=\"{id}\" versao=\"4.00\"><ide><cUF>35</cUF><cNF>{cNF:08}</cNF>\
             <natOp>VENDA</natOp><mod>{modelo}</mod><serie>1</serie><nNF>{nNF}</nNF><dhEmi>{dhEmi}</dhEmi><tpNF>1</tpNF><idDest>1</idDest>\
             <cMunFG>3550308</cMunFG><tpImp>{tpImp}</tpImp><tpEmis>{tpEmis}</tpEmis><cDV>{cDV}</cDV><tpAmb>{tpAmb}</tpAmb><finNFe>1</finNFe>\
             <indFinal>1</indFinal><indPres>1</indPres><procEmi>0</procEmi><verProc>1.0</verProc></ide><emit><CNPJ>{cnpj}</CNPJ>\
             <xNome>EMPRESA TESTE LTDA</xNome><enderEmit>{address}</enderEmit><IE>110042490114</IE><CRT>1</CRT></emit><dest>{dest}\
             <xNome>NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL</xNome><enderDest>{address}</enderDest><indIEDest>9</indIEDest>\
             </dest><det nItem=\"1\"><prod><cProd>1</cProd><cEAN>SEM GTIN</cEAN><xProd>{xProd}</xProd><NCM>{NCM}</NCM><CFOP>5102</CFOP>\
             <uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>50.00</vUnCom><vProd>{vProd}</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib>\
             <qTrib>2.0000</qTrib><vUnTrib>50.00</vUnTrib><indTot>1</indTot></prod><imposto><ICMS><ICMSSN102><orig>0</orig><CSOSN>102</CSOSN>\
             </ICMSSN102></ICMS><PIS><PISOutr><CST>99</CST><vBC>0.00</vBC><pPIS>0.0000</pPIS><vPIS>0.00</vPIS></PISOutr></PIS><COFINS>\
             <COFINSOutr><CST>99</CST><vBC>0.00</vBC><pCOFINS>0.0000</pCOFINS><vCOFINS>0.00</vCOFINS></COFINSOutr></COFINS></imposto></det>\
             <total><ICMSTot><vBC>0.00</vBC><vICMS>0.00</vICMS><vICMSDeson>0.00</vICMSDeson><vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST>\
             <vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>{vProd}</vProd><vFrete>0.00</vFrete><vSeg>0.00</vSeg>{zeros}<vNF>{vNF}</vNF>\
             </ICMSTot></total><transp><modFrete>9</modFrete></transp><pag><detPag><indPag>0</indPag><tPag>01</tPag><vPag>{vNF}</vPag></detPag>\
             </pag></infNFe></NFe>"
        )
    }
}
