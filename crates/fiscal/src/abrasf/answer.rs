//! Answers of a municipal provider, one reader for every operation: roots and members are found by their local names at
//! any depth, because providers wrap and prefix them freely.
//!
//! Law: ABRASF, manual de integração 2.0x (answers of each service). Must not know what a code means: `reaction` does.

use crate::value::RpsId;
use crate::value::amount as amount_of;
use crate::xml::{self, Element, MalformedXml};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// An answer as read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CityReply {
    /// Local name of the root, for the message about an answer without content.
    pub root: String,
    /// Issued NFS-e, in the order of the answer.
    pub notes: Vec<IssuedNfse>,
    /// Protocol of a lot.
    pub protocolo: Option<String>,
    /// Number of the lot.
    pub numero_lote: Option<String>,
    /// Instant at which the lot was received.
    pub data_recebimento: Option<String>,
    /// State of a lot: 1 not received, 2 not processed, 3 processed with errors, 4 processed.
    pub situacao: Option<u8>,
    /// Errors and alerts.
    pub messages: Vec<ReplyMessage>,
    /// A confirmed cancellation.
    pub cancelamento: Option<ConfirmedCancellation>,
}

/// An issued NFS-e with the declaration it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedNfse {
    /// `CompNfse`, byte for byte; namespaces inherited from outer elements are declared on it.
    pub xml: String,
    /// Number of the NFS-e.
    pub numero: String,
    /// Code by which the municipality shows the NFS-e.
    pub codigo_verificacao: Option<String>,
    /// Text of the answer, mostly without an offset.
    pub data_emissao: Option<String>,
    /// `Numero`, `Serie`, `Tipo` of its RPS.
    pub rps: Option<RpsNumber>,
    /// CNPJ or CPF of the issuer.
    pub prestador: Option<String>,
    /// CNPJ or CPF of the customer.
    pub tomador: Option<String>,
    /// Gross value of the services.
    pub valor_servicos: Option<Decimal>,
    /// Tax base found by the municipality.
    pub base_calculo: Option<Decimal>,
    /// Rate in the provider's unit.
    pub aliquota: Option<Decimal>,
    pub valor_iss: Option<Decimal>,
    /// Amount due after retentions and discounts.
    pub valor_liquido: Option<Decimal>,
    /// Description of the service.
    pub discriminacao: Option<String>,
    /// Instant of the cancellation, of a cancelled NFS-e; empty when the answer names none.
    pub cancelada: Option<String>,
    /// Number of the NFS-e that replaces this one.
    pub substituida_por: Option<String>,
}

/// Number, series and type of an RPS, which identify it for its prestador.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpsNumber {
    pub numero: String,
    pub serie: String,
    pub tipo: String,
}

impl RpsNumber {
    /// True when it names the RPS of this identity. Leading zeros of the series and an absent type are accepted.
    pub fn is_of(&self, wanted: &RpsId) -> bool {
        let bare = |serie: &str| serie.trim_start_matches('0').to_ascii_uppercase();
        self.numero.parse() == Ok(wanted.numero)
            && bare(&self.serie) == bare(&wanted.serie.to_string())
            && (self.tipo.is_empty() || self.tipo == wanted.tipo.to_string())
    }
}

/// A `MensagemRetorno`, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyMessage {
    /// `E10`, or any code of the provider.
    pub codigo: String,
    pub mensagem: String,
    /// Remedy.
    pub correcao: Option<String>,
    /// The RPS of a lot that the message concerns.
    pub rps: Option<RpsNumber>,
    /// True for a message of `ListaMensagemAlertaRetorno`, which comes with an issued NFS-e.
    pub is_alert: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedCancellation {
    /// `NfseCancelamento`, verbatim; namespaces inherited from outer elements are declared on it.
    pub xml: String,
    /// Number of the cancelled NFS-e.
    pub numero: Option<String>,
    /// Instant of the cancellation.
    pub data_hora: Option<String>,
}

/// Reads an answer. XML that is no answer of ABRASF gives an empty one.
pub fn read(text: &str) -> Result<CityReply, MalformedXml> {
    let text = text.trim();
    let root = xml::read(text.as_bytes())?;
    let mut reply = CityReply { root: root.name.to_string(), ..CityReply::default() };
    let mut around = Vec::new();
    reply.collect(text, &root, &mut around, false);
    Ok(reply)
}

impl CityReply {
    /// True when the answer has no NFS-e, message, protocol, state or cancellation.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
            && self.messages.is_empty()
            && self.protocolo.is_none()
            && self.situacao.is_none()
            && self.cancelamento.is_none()
    }

    fn collect<'d>(&mut self, source: &str, element: &'d Element, around: &mut Vec<&'d Element>, is_alert: bool) {
        match &*element.name {
            "CompNfse" => return self.notes.extend(IssuedNfse::of(source, element, around)),
            // a list without the wrapper, as some providers of 1.00 send it
            "Nfse" => return self.notes.extend(IssuedNfse::of(source, element, around)),
            // some providers of 1.00 send `Cancelamento {Confirmacao {…, InfConfirmacaoCancelamento {Sucesso,
            // DataHora}}}`
            "NfseCancelamento" | "Cancelamento" if is_confirmed(element) => {
                let text = |name: &str| first_descendant(element, name).map(|found| found.text().to_owned());
                self.cancelamento = Some(ConfirmedCancellation {
                    xml: self_contained(source, element, around),
                    numero: first_descendant(element, "IdentificacaoNfse")
                        .and_then(|it| it.text_at("Numero"))
                        .map(str::to_owned),
                    data_hora: text("DataHora").or_else(|| text("DataHoraCancelamento")),
                });
                return;
            }
            // an answer to a substitution also holds the replaced NFS-e; its subject is the new one
            "NfseSubstituida" => return,
            "MensagemRetorno" => return self.messages.extend(ReplyMessage::of(element, is_alert)),
            "Protocolo" => self.protocolo = nonempty_text(element),
            "NumeroLote" => self.numero_lote = nonempty_text(element),
            "DataRecebimento" => self.data_recebimento = nonempty_text(element),
            "Situacao" => self.situacao = element.text().parse().ok(),
            _ => {}
        }
        let is_alert = is_alert || element.name == "ListaMensagemAlertaRetorno";
        around.push(element);
        element.children().for_each(|child| self.collect(source, child, around, is_alert));
        around.pop();
    }
}

impl ReplyMessage {
    fn of(element: &Element, is_alert: bool) -> Option<ReplyMessage> {
        let text = |name: &str| element.child(name).and_then(nonempty_text);
        let (codigo, mensagem) = (text("Codigo"), text("Mensagem"));
        // without both, it is an empty element that some providers leave in a success
        (codigo.is_some() || mensagem.is_some()).then(|| ReplyMessage {
            codigo: codigo.unwrap_or_default(),
            mensagem: mensagem.unwrap_or_default(),
            correcao: text("Correcao"),
            rps: element.child("IdentificacaoRps").and_then(RpsNumber::of),
            is_alert,
        })
    }
}

impl RpsNumber {
    fn of(element: &Element) -> Option<RpsNumber> {
        let text = |name: &str| element.text_at(name).unwrap_or_default().to_owned();
        Some(RpsNumber {
            numero: element.child("Numero").and_then(nonempty_text)?,
            serie: text("Serie"),
            tipo: text("Tipo"),
        })
    }
}

impl IssuedNfse {
    fn of(source: &str, element: &Element, around: &[&Element]) -> Option<IssuedNfse> {
        let inf = first_descendant(element, "InfNfse")?;
        let text = |name: &str| inf.child(name).and_then(nonempty_text);
        let amount = |name: &str| first_descendant(inf, name).and_then(|found| amount_of(found.text()));
        let document = |party: &str| document(first_descendant(inf, party)?);
        Some(IssuedNfse {
            numero: text("Numero")?,
            codigo_verificacao: text("CodigoVerificacao"),
            data_emissao: text("DataEmissao"),
            rps: first_descendant(inf, "IdentificacaoRps").and_then(RpsNumber::of),
            // the declaration repeats the issuer, also where `InfNfse` names it under another tag
            prestador: document("Prestador").or_else(|| document("PrestadorServico")),
            tomador: document("TomadorServico").or_else(|| document("Tomador")),
            valor_servicos: amount("ValorServicos"),
            base_calculo: amount("BaseCalculo"),
            aliquota: amount("Aliquota"),
            valor_iss: amount("ValorIss"),
            valor_liquido: amount("ValorLiquidoNfse"),
            discriminacao: first_descendant(inf, "Discriminacao").and_then(nonempty_text),
            cancelada: element.child("NfseCancelamento").map(|it| {
                let at = first_descendant(it, "DataHora").or_else(|| first_descendant(it, "DataHoraCancelamento"));
                at.and_then(nonempty_text).unwrap_or_default()
            }),
            substituida_por: first_descendant(element, "NfseSubstituidora").and_then(nonempty_text),
            xml: self_contained(source, element, around),
        })
    }

    /// Names of the members of a sent RPS that differ from this NFS-e: prestador, tomador, value, description. An NFS-e
    /// that differs belongs to another RPS.
    pub fn differences(&self, sent: &str) -> Result<Vec<&'static str>, MalformedXml> {
        let sent = xml::read(sent.as_bytes())?;
        let inf = first_descendant(&sent, "InfDeclaracaoPrestacaoServico")
            .or_else(|| first_descendant(&sent, "InfRps"))
            .unwrap_or(&sent);
        let text = |name: &str| first_descendant(inf, name).and_then(nonempty_text);
        let party = |name: &str| document(first_descendant(inf, name)?);
        let words = |text: Option<String>| {
            text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\s\\n", " ").to_lowercase())
        };
        let value = text("ValorServicos").and_then(|text| amount_of(&text));
        let mut differences = Vec::new();
        // a member absent from the answer is not compared
        let mut compare = |name: &'static str, is_said: bool, is_same: bool| {
            if is_said && !is_same {
                differences.push(name);
            }
        };
        compare("Prestador", self.prestador.is_some(), self.prestador == party("Prestador"));
        let tomador = party("TomadorServico").or_else(|| party("Tomador"));
        compare("Tomador", self.tomador.is_some(), self.tomador == tomador);
        compare("ValorServicos", self.valor_servicos.is_some(), self.valor_servicos == value);
        let is_same = words(self.discriminacao.clone()) == words(text("Discriminacao"));
        compare("Discriminacao", self.discriminacao.is_some(), is_same);
        Ok(differences)
    }

    /// True when the tax is base times rate within one cent. `None` when base, rate or tax is absent.
    pub fn is_tax_consistent(&self, unit: super::RateUnit) -> Option<bool> {
        let (base, rate, tax) = (self.base_calculo?, self.aliquota?, self.valor_iss?);
        let rate = if unit == super::RateUnit::Percent { rate / Decimal::ONE_HUNDRED } else { rate };
        Some((base * rate - tax).abs() <= Decimal::new(1, 2))
    }
}

/// True for a cancellation with a confirmation whose `Sucesso` is not false.
fn is_confirmed(element: &Element) -> bool {
    let success = first_descendant(element, "Sucesso").map(|found| found.text().to_lowercase());
    let failed = matches!(success.as_deref(), Some("false" | "0" | "n" | "nao" | "não"));
    !failed && first_descendant(element, "Confirmacao").is_some()
}

/// CNPJ or CPF of a party, at any depth.
fn document(party: &Element) -> Option<String> {
    first_descendant(party, "Cnpj").or_else(|| first_descendant(party, "Cpf")).and_then(nonempty_text)
}

/// The text of an element, unless empty.
fn nonempty_text(element: &Element) -> Option<String> {
    Some(element.text()).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// First descendant of this local name, in document order.
fn first_descendant<'d>(element: &'d Element, name: &str) -> Option<&'d Element> {
    element.children().find_map(|child| if child.name == name { Some(child) } else { first_descendant(child, name) })
}

/// Source text of an element, with the namespace declarations it inherits added to its start tag.
fn self_contained(source: &str, element: &Element, around: &[&Element]) -> String {
    let Some(text) = source.get(element.span.clone()) else { return String::new() };
    let mut inherited = BTreeMap::new();
    for outer in around {
        inherited.extend(source.get(outer.span.clone()).map(declarations).unwrap_or_default());
    }
    let own = declarations(text);
    let name_ends = text.find([' ', '\t', '\r', '\n', '>', '/']).unwrap_or(text.len());
    let mut alone = String::with_capacity(text.len() + 200);
    alone.push_str(&text[..name_ends]);
    for (name, value) in inherited.iter().filter(|(name, _)| !own.contains_key(*name)) {
        alone.extend([" ", name, "=", value]);
    }
    alone.push_str(&text[name_ends..]);
    alone
}

/// Namespace declarations of a start tag: name and quoted value, as written.
fn declarations(element: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut rest = element;
    while let Some(equals) = rest.find(['=', '>']).filter(|at| rest.as_bytes()[*at] == b'=') {
        let name = rest[..equals].trim_end().rsplit([' ', '\t', '\r', '\n']).next().unwrap_or_default();
        let value = rest[equals + 1..].trim_start();
        let Some(quote) = value.chars().next() else { break };
        let Some(end) = value[1..].find(quote) else { break };
        if name == "xmlns" || name.starts_with("xmlns:") {
            found.insert(name, &value[..end + 2]);
        }
        rest = &value[end + 2..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "<CompNfse><Nfse versao=\"2.01\"><InfNfse Id=\"N26000001\"><Numero>26000001</Numero><CodigoVerificacao>ABCD1234</CodigoVerificacao>\
        <DataEmissao>2026-11-20T10:00:05</DataEmissao><ValoresNfse><BaseCalculo>1000.00</BaseCalculo><Aliquota>0.02</Aliquota><ValorIss>20.00</ValorIss>\
        <ValorLiquidoNfse>1000.00</ValorLiquidoNfse></ValoresNfse><PrestadorServico><IdentificacaoPrestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj>\
        </IdentificacaoPrestador></PrestadorServico><DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico Id=\"R1\"><Rps><IdentificacaoRps><Numero>1</Numero>\
        <Serie>A</Serie><Tipo>1</Tipo></IdentificacaoRps></Rps><Servico><Valores><ValorServicos>1000.00</ValorServicos></Valores><Discriminacao>Suporte  técnico\
        </Discriminacao></Servico><Tomador><IdentificacaoTomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></IdentificacaoTomador></Tomador>\
        </InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>";

    #[test]
    fn a_note_stands_alone_and_says_what_it_is_known_by() {
        let text = format!(
            "<?xml version=\"1.0\"?><a:EnviarLoteRpsSincronoResposta xmlns:a='urn:a' xmlns=\"urn:x\"><NumeroLote>1</NumeroLote><Protocolo>P1</Protocolo><ListaNfse>{NOTE}</ListaNfse></a:EnviarLoteRpsSincronoResposta>"
        );
        let reply = read(&text).unwrap();
        assert_eq!((reply.root.as_str(), reply.protocolo.as_deref()), ("EnviarLoteRpsSincronoResposta", Some("P1")));
        let note = &reply.notes[0];
        assert_eq!(note.xml, NOTE.replacen("<CompNfse", "<CompNfse xmlns=\"urn:x\" xmlns:a='urn:a'", 1));
        assert_eq!(xml::read(note.xml.as_bytes()).unwrap().namespace, "urn:x");
        assert_eq!((note.numero.as_str(), note.codigo_verificacao.as_deref()), ("26000001", Some("ABCD1234")));
        let rps = RpsNumber { numero: "1".to_owned(), serie: "A".to_owned(), tipo: "1".to_owned() };
        assert_eq!(note.rps, Some(rps));
        assert_eq!((note.prestador.as_deref(), note.tomador.as_deref()), (Some("11222333000181"), Some("11144477735")));
        assert_eq!((note.cancelada.as_deref(), note.substituida_por.as_deref()), (None, None));
        assert_eq!(note.is_tax_consistent(super::super::RateUnit::Fraction), Some(true));
        assert_eq!(note.is_tax_consistent(super::super::RateUnit::Percent), Some(false));
        let sent = "<GerarNfseEnvio><Rps><InfDeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>1000</ValorServicos></Valores><Discriminacao>SUPORTE TÉCNICO</Discriminacao></Servico><Prestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></Prestador><Tomador><CpfCnpj><Cpf>11144477735</Cpf></CpfCnpj></Tomador></InfDeclaracaoPrestacaoServico></Rps></GerarNfseEnvio>";
        assert_eq!(note.differences(sent).unwrap(), Vec::<&str>::new());
        let other = sent.replace("1000", "1000.01").replace("11144477735", "52998224725");
        assert_eq!(note.differences(&other).unwrap(), ["Tomador", "ValorServicos"]);
    }

    #[test]
    fn of_a_substitution_the_new_note_is_read_and_not_the_one_that_went() {
        let new = NOTE.replace("26000001", "26000002");
        let cancelled = NOTE.replace("</CompNfse>", "<NfseCancelamento><Confirmacao/></NfseCancelamento></CompNfse>");
        let reply = read(&format!("<SubstituirNfseResposta><RetSubstituicao><NfseSubstituida>{cancelled}</NfseSubstituida><NfseSubstituidora>{new}</NfseSubstituidora></RetSubstituicao></SubstituirNfseResposta>")).unwrap();
        assert_eq!((reply.notes.len(), reply.notes[0].numero.as_str(), &reply.cancelamento), (1, "26000002", &None));
    }

    #[test]
    fn errors_of_a_lot_say_which_rps_and_alerts_are_told_apart() {
        let reply = read(
            "<R><Situacao>3</Situacao><ListaMensagemRetornoLote><MensagemRetorno><IdentificacaoRps><Numero>7</Numero><Serie>1</Serie><Tipo>1</Tipo></IdentificacaoRps><Codigo>E10</Codigo><Mensagem>RPS já informado.</Mensagem></MensagemRetorno></ListaMensagemRetornoLote><ListaMensagemAlertaRetorno><MensagemRetorno><Codigo>A1</Codigo><Mensagem>m</Mensagem><Correcao>c</Correcao></MensagemRetorno></ListaMensagemAlertaRetorno><ListaMensagemRetorno><MensagemRetorno/></ListaMensagemRetorno></R>",
        )
        .unwrap();
        assert_eq!((reply.situacao, reply.messages.len()), (Some(3), 2));
        assert_eq!(reply.messages[0].rps.as_ref().unwrap().numero, "7");
        assert_eq!((reply.messages[0].is_alert, reply.messages[1].is_alert), (false, true));
        assert_eq!(reply.messages[1].correcao.as_deref(), Some("c"));
        assert!(read("<html><body>manutenção</body></html>").unwrap().is_empty());
        assert!(read("fora do ar").is_err());
    }

    #[test]
    fn a_cancelled_note_says_so_and_a_cancellation_is_read() {
        let cancelled = "<NfseCancelamento versao=\"2.01\"><Confirmacao><Pedido><InfPedidoCancelamento><IdentificacaoNfse><Numero>26000001</Numero></IdentificacaoNfse></InfPedidoCancelamento></Pedido><DataHora>2026-11-20T11:00:00</DataHora></Confirmacao></NfseCancelamento>";
        let note = NOTE.replace("</CompNfse>", &format!("{cancelled}<NfseSubstituicao><SubstituicaoNfse><NfseSubstituidora>26000002</NfseSubstituidora></SubstituicaoNfse></NfseSubstituicao></CompNfse>"));
        let reply = read(&format!("<ConsultarNfseRpsResposta>{note}</ConsultarNfseRpsResposta>")).unwrap();
        assert_eq!(reply.notes[0].cancelada.as_deref(), Some("2026-11-20T11:00:00"));
        assert_eq!((reply.notes[0].substituida_por.as_deref(), &reply.cancelamento), (Some("26000002"), &None));
        let reply = read(&format!(
            "<CancelarNfseResposta><RetCancelamento>{cancelled}</RetCancelamento></CancelarNfseResposta>"
        ))
        .unwrap();
        let told = reply.cancelamento.unwrap();
        assert_eq!((told.xml.as_str(), told.numero.as_deref()), (cancelled, Some("26000001")));
        assert_eq!(told.data_hora.as_deref(), Some("2026-11-20T11:00:00"));
        let first = |success: &str| {
            let said = format!(
                "<InfConfirmacaoCancelamento><Sucesso>{success}</Sucesso><DataHora>2026-11-20T11:00:00</DataHora></InfConfirmacaoCancelamento>"
            );
            read(&format!("<CancelarNfseResposta><Cancelamento><Confirmacao><Pedido/>{said}</Confirmacao></Cancelamento></CancelarNfseResposta>")).unwrap()
        };
        assert_eq!(first("true").cancelamento.unwrap().data_hora.as_deref(), Some("2026-11-20T11:00:00"));
        assert!(first("false").is_empty());
    }
}
