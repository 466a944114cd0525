//! Requests of sped-nfe to each service: the order of its elements, its identifiers, and the envelopes of both
//! generations of sped-common. Authorisation and the register's other action are in `foreign`.

use crate::bench::{Bench, CNPJ, Note, batch, code, payload, start};
use crate::distribution::{ADDRESSEE, QueryingCompany, to_addressee};
use crate::foreign::{inside, post_envelope};
use fiscal::xml;
use signing::Certificate;

const SP: &str = "/nfe/sp/hom";
const NATIONAL: &str = "/nfe/an/hom";
const NFE: &str = "xmlns=\"http://www.portalfiscal.inf.br/nfe\"";

/// Envelopes of sped-common, none with an XML declaration.
#[derive(Clone, Copy, Debug)]
enum Generation {
    /// Three declarations and an empty header.
    Older,
    /// Only the last of the three declarations; no header.
    Newer,
}

const BOTH: [Generation; 2] = [Generation::Older, Generation::Newer];

impl Generation {
    fn envelope(self, message: &str) -> String {
        let soap = "xmlns:soap=\"http://www.w3.org/2003/05/soap-envelope\"";
        let (declared, header) = match self {
            Generation::Older => (
                format!(
                    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" {soap}"
                ),
                "<soap:Header/>",
            ),
            Generation::Newer => (soap.to_owned(), ""),
        };
        format!("<soap:Envelope {declared}>{header}<soap:Body>{message}</soap:Body></soap:Envelope>")
    }
}

/// The whole reply to a message, with a company's certificate.
async fn ask_as(
    bench: &Bench,
    certificate: &Certificate,
    place: (&str, &str, &str),
    generation: Generation,
    message: &str,
) -> Vec<u8> {
    let (status, reply) = post_envelope(bench, certificate, place, generation.envelope(message)).await;
    assert_eq!(status, 200, "{generation:?}: {}", String::from_utf8_lossy(&reply));
    reply
}

/// The payload of the reply to a payload in `nfeDadosMsg`.
async fn ask(bench: &Bench, service: &str, method: &str, generation: Generation, asked: &str) -> xml::Element {
    let message = inside(service, "nfeDadosMsg", asked);
    payload(&ask_as(bench, &bench.certificate, (SP, service, method), generation, &message).await)
}

/// Protocol of the note of this number, authorised as sped-nfe sends it.
async fn authorised(bench: &Bench, note: &Note) -> String {
    let asked = batch(&[&bench.sign(note)], "1");
    let reply = ask(bench, "NFeAutorizacao4", "nfeAutorizacaoLote", Generation::Newer, &asked).await;
    reply.text_at("protNFe/infProt/nProt").unwrap_or_else(|| panic!("{reply:?}")).to_owned()
}

#[tokio::test]
async fn the_status() {
    let bench = start().await;
    let asked = format!(
        "<consStatServ {NFE} versao=\"4.00\"><tpAmb>2</tpAmb><cUF>35</cUF><xServ>STATUS</xServ></consStatServ>"
    );
    for generation in BOTH {
        let reply = ask(&bench, "NFeStatusServico4", "nfeStatusServicoNF", generation, &asked).await;
        assert_eq!((code(&reply), reply.text_at("cUF")), (107, Some("35")), "{generation:?}");
    }
}

#[tokio::test]
async fn a_batch_and_its_receipt() {
    let bench = start().await;
    for (generation, number) in BOTH.into_iter().zip(1..) {
        // Several notes go together, so that the answer is a receipt.
        let notes = [Note::new(number), Note::new(number + 10)].map(|note| bench.sign(&note));
        let sent = batch(&[&notes[0], &notes[1]], "0");
        let received = ask(&bench, "NFeAutorizacao4", "nfeAutorizacaoLote", generation, &sent).await;
        assert_eq!(code(&received), 103, "{generation:?}");
        let nRec = received.text_at("infRec/nRec").unwrap();
        let asked = format!("<consReciNFe {NFE} versao=\"4.00\"><tpAmb>2</tpAmb><nRec>{nRec}</nRec></consReciNFe>");
        let mut reply = ask(&bench, "NFeRetAutorizacao4", "nfeRetAutorizacaoLote", generation, &asked).await;
        for _ in 0..5 {
            if code(&reply) == 105 {
                reply = ask(&bench, "NFeRetAutorizacao4", "nfeRetAutorizacaoLote", generation, &asked).await;
            }
        }
        let judged = reply.children().filter(|child| child.name == "protNFe");
        let codes: Vec<_> = judged.map(|protocol| protocol.text_at("infProt/cStat")).collect();
        assert_eq!((code(&reply), codes), (104, vec![Some("100"); 2]), "{generation:?}");
    }
}

#[tokio::test]
async fn a_query_by_key() {
    let bench = start().await;
    let note = Note::new(1);
    let nProt = authorised(&bench, &note).await;
    let chave = note.chave();
    let asked = format!(
        "<consSitNFe {NFE} versao=\"4.00\"><tpAmb>2</tpAmb><xServ>CONSULTAR</xServ><chNFe>{}</chNFe></consSitNFe>",
        chave.as_str()
    );
    for generation in BOTH {
        let reply = ask(&bench, "NFeConsultaProtocolo4", "nfeConsultaNF", generation, &asked).await;
        let found = (code(&reply), reply.text_at("protNFe/infProt/nProt"));
        assert_eq!(found, (100, Some(nProt.as_str())), "{generation:?}");
    }
}

/// A cancellation: `CNPJ` before `chNFe`, two digits at the end of `Id`, none in `nSeqEvento`, `idLote` from the clock.
#[tokio::test]
async fn an_event() {
    let bench = start().await;
    for (generation, number) in BOTH.into_iter().zip(1..) {
        let note = Note::new(number);
        let nProt = authorised(&bench, &note).await;
        let (chave, dhEvento) = (note.chave(), Note::new(1).dhEmi());
        let chave = chave.as_str();
        let id = format!("ID110111{chave}01");
        let event = format!(
            "<evento {NFE} versao=\"1.00\"><infEvento Id=\"{id}\"><cOrgao>35</cOrgao><tpAmb>2</tpAmb><CNPJ>{CNPJ}</CNPJ>\
             <chNFe>{chave}</chNFe><dhEvento>{dhEvento}</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>\
             <verEvento>1.00</verEvento><detEvento versao=\"1.00\"><descEvento>Cancelamento</descEvento><nProt>{nProt}</nProt>\
             <xJust>Pedido cancelado pelo cliente</xJust></detEvento></infEvento></evento>"
        );
        let signed = signing::sign(event, &id, &bench.certificate).unwrap().xml;
        let asked = format!("<envEvento {NFE} versao=\"1.00\"><idLote>202611230102033</idLote>{signed}</envEvento>");
        let reply = ask(&bench, "NFeRecepcaoEvento4", "nfeRecepcaoEvento", generation, &asked).await;
        assert_eq!((code(&reply), reply.text_at("idLote")), (128, Some("202611230102033")), "{generation:?}");
        assert_eq!(reply.text_at("retEvento/infEvento/cStat"), Some("135"), "{generation:?}");
    }
}

#[tokio::test]
async fn a_voiding_of_numbers() {
    let bench = start().await;
    let year = Note::new(1).dhEmi()[2..4].to_owned();
    for (generation, from) in BOTH.into_iter().zip([10_u32, 20]) {
        let until = from + 2;
        let id = format!("ID35{year}{CNPJ}55001{from:09}{until:09}");
        let asked = format!(
            "<inutNFe {NFE} versao=\"4.00\"><infInut Id=\"{id}\"><tpAmb>2</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF>\
             <ano>{year}</ano><CNPJ>{CNPJ}</CNPJ><mod>55</mod><serie>1</serie><nNFIni>{from}</nNFIni><nNFFin>{until}</nNFFin>\
             <xJust>Falha na sequencia de numeracao</xJust></infInut></inutNFe>"
        );
        let signed = signing::sign(asked, &id, &bench.certificate).unwrap().xml;
        let reply = ask(&bench, "NFeInutilizacao4", "nfeInutilizacaoNF", generation, &signed).await;
        assert_eq!((code(&reply), reply.text_at("infInut/nNFFin")), (102, Some(until.to_string().as_str())));
    }
}

/// The operation stands around `nfeDadosMsg`, and `nfeDadosMsg` has the service's namespace once more.
#[tokio::test]
async fn the_distribution() {
    let service = "NFeDistribuicaoDFe";
    let asked = |wanted: &str| {
        let asked = format!(
            "<distDFeInt {NFE} versao=\"1.01\"><tpAmb>2</tpAmb><cUFAutor>35</cUFAutor><CNPJ>{ADDRESSEE}</CNPJ>{wanted}</distDFeInt>"
        );
        inside(service, "nfeDistDFeInteresse", &inside(service, "nfeDadosMsg", &asked))
    };
    for generation in BOTH {
        let bench = start().await;
        authorised(&bench, &to_addressee(1)).await;
        let addressee = QueryingCompany::new(&bench, ADDRESSEE).certificate;
        for (wanted, expected) in [
            ("<distNSU><ultNSU>000000000000000</ultNSU></distNSU>", "138"),
            ("<consNSU><NSU>000000000000001</NSU></consNSU>", "138"),
        ] {
            let place = (NATIONAL, service, "nfeDistDFeInteresse");
            let reply = ask_as(&bench, &addressee, place, generation, &asked(wanted)).await;
            let reply = xml::read(&reply).unwrap();
            let said = reply.at("Body/nfeDistDFeInteresseResponse/nfeDistDFeInteresseResult/retDistDFeInt");
            let cStat = said.and_then(|said| said.text_at("cStat"));
            assert_eq!(cStat, Some(expected), "{generation:?} {wanted}: {reply:?}");
        }
    }
}

/// Mato Grosso: `nfeDadosMsg` twice, the inner one without a namespace of its own.
#[tokio::test]
async fn the_register() {
    let bench = start().await;
    let service = "CadConsultaCadastro4";
    authorised(&bench, &Note::new(1)).await;
    let of = |uf: &str| {
        format!(
            "<ConsCad {NFE} versao=\"2.00\"><infCons><xServ>CONS-CAD</xServ><UF>{uf}</UF><CNPJ>{CNPJ}</CNPJ></infCons></ConsCad>"
        )
    };
    for generation in BOTH {
        let reply = ask(&bench, service, "consultaCadastro", generation, &of("SP")).await;
        assert_eq!(reply.text_at("infCons/cStat"), Some("111"), "{generation:?}");
        let twice = inside(service, "nfeDadosMsg", &format!("<nfeDadosMsg>{}</nfeDadosMsg>", of("MT")));
        let place = ("/nfe/mt/hom", service, "consultaCadastro");
        let reply = payload(&ask_as(&bench, &bench.certificate, place, generation, &twice).await);
        assert_eq!(reply.text_at("infCons/cStat"), Some("259"), "{generation:?}");
    }
}
