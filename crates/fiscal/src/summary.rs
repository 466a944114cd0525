//! Summary of a document of any type, for the decision to issue it: issuer, addressee, items, total. Read from the
//! built document, so that it shows the one that would be issued.
//!
//! Law: `docs/contract.md`, "Checking and preparing" (preparar).

use crate::nfe;
use crate::xml::{self, Element};
use serde_json::Value;

/// Summary of a document. Values are decimal texts as in the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentSummary {
    /// CNPJ or CPF and name of the issuer.
    pub emitente: SummaryParty,
    /// Number and name of the addressee, or of the customer of a service; absent when the document names none.
    pub destinatario: Option<SummaryParty>,
    /// `natOp`, or a fixed description for services.
    pub natOp: String,
    /// Items in the order of the document.
    pub itens: Vec<SummaryItem>,
}

/// Issuer or addressee.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SummaryParty {
    /// CNPJ, CPF or foreign id.
    pub documento: Option<String>,
    pub xNome: Option<String>,
}

/// An item; a service counts as one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SummaryItem {
    pub cProd: String,
    pub xProd: String,
    pub CFOP: String,
    pub uCom: String,
    pub qCom: String,
    pub vUnCom: String,
    pub vProd: String,
}

/// Summarises a document built from `nota`.
pub fn summary(nota: &Value, built_xml: &str) -> DocumentSummary {
    let Ok(root) = xml::read(built_xml.as_bytes()) else { return DocumentSummary::default() };
    match root.name.as_str() {
        "NFe" => nfe::summary::summary(nota, &root),
        "CTe" | "CTeOS" => root.child("infCte").map(transport).unwrap_or_default(),
        "DPS" => root.child("infDPS").map(national_service).unwrap_or_default(),
        _ => municipal_service(&root),
    }
}

/// Name of the addressee with this CNPJ or CPF in a document built from `nota`: the first name after the number, or the
/// caller's where homologação has replaced it by a fixed one.
pub fn addressee_name(nota: &Value, built_xml: &str, document: &str) -> Option<String> {
    let number = format!(">{document}</");
    let after = &built_xml[built_xml.find(&number)?..];
    let ends = ["</dest>", "</toma>", "</Tomador>", "</TomadorServico>"].iter().filter_map(|end| after.find(end)).min();
    let after = ends.map_or(after, |end| &after[..end]);
    let names = ["<xNome>", "<RazaoSocial>", ":RazaoSocial>"];
    let at = names.iter().filter_map(|tag| after.find(tag).map(|at| at + tag.len())).min()?;
    let written = after[at..].split('<').next()?;
    if written.contains("AMBIENTE DE HOMOLOGACAO") {
        return nfe::summary::addressee_name(nota);
    }
    nonempty(&unescaped(written))
}

/// The five entities of XML as their characters.
fn unescaped(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.into_iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}

/// Summary of a CT-e, with its route as the service.
fn transport(inf: &Element) -> DocumentSummary {
    let text = |path: &str| inf.text_at(path).unwrap_or_default();
    let service = SummaryItem {
        CFOP: text("ide/CFOP").to_owned(),
        ..service(&format!("Transporte de {}", route(inf)), text("vPrest/vTPrest"))
    };
    DocumentSummary {
        emitente: inf.child("emit").map(party).unwrap_or_default(),
        destinatario: payer(inf).map(party),
        natOp: text("ide/natOp").to_owned(),
        itens: vec![service],
    }
}

/// Group of a CT-e's party that pays the transport.
pub(crate) fn payer(inf: &Element) -> Option<&Element> {
    match inf.text_at("ide/toma3/toma").unwrap_or_default() {
        "0" => inf.child("rem"),
        "1" => inf.child("exped"),
        "2" => inf.child("receb"),
        "3" => inf.child("dest"),
        _ => inf.at("ide/toma4").or_else(|| inf.child("toma")),
    }
}

/// Begin and end of a transport: `Santos/SP a Recife/PE`.
pub(crate) fn route(inf: &Element) -> String {
    let place = |municipio: &str, uf: &str| {
        format!("{}/{}", inf.text_at(municipio).unwrap_or_default(), inf.text_at(uf).unwrap_or_default())
    };
    format!("{} a {}", place("ide/xMunIni", "ide/UFIni"), place("ide/xMunFim", "ide/UFFim"))
}

fn national_service(inf: &Element) -> DocumentSummary {
    let text = |path: &str| inf.text_at(path).unwrap_or_default();
    let code = text("serv/cServ/cTribNac").to_owned();
    let service =
        SummaryItem { cProd: code, ..service(text("serv/cServ/xDescServ"), text("valores/vServPrest/vServ")) };
    DocumentSummary {
        emitente: inf.child("prest").map(party).unwrap_or_default(),
        destinatario: inf.child("toma").map(party),
        natOp: SERVICE.to_owned(),
        itens: vec![service],
    }
}

/// Summary of an RPS, whose groups have other names in each version of the layout.
fn municipal_service(root: &Element) -> DocumentSummary {
    let text =
        |from: &Element, names: &[&str]| find_any(from, names).map(|it| it.text().to_owned()).unwrap_or_default();
    let party = |group: &Element| SummaryParty {
        documento: nonempty(&text(group, &["Cnpj", "Cpf", "NifTomador"])),
        xNome: nonempty(&text(group, &["RazaoSocial"])),
    };
    let value = text(root, &["ValorServicos"]);
    let code = text(root, &["ItemListaServico"]);
    let service = SummaryItem { cProd: code, ..service(&text(root, &["Discriminacao"]), &value) };
    DocumentSummary {
        emitente: find_any(root, &["Prestador", "PrestadorServico"]).map(party).unwrap_or_default(),
        destinatario: find_any(root, &["Tomador", "TomadorServico"]).map(party),
        natOp: SERVICE.to_owned(),
        itens: vec![service],
    }
}

/// A single unit of a service at this price.
fn service(what: &str, price: &str) -> SummaryItem {
    let price = if price.is_empty() { "0.00" } else { price }.to_owned();
    SummaryItem {
        xProd: what.to_owned(),
        qCom: "1".to_owned(),
        vUnCom: price.clone(),
        vProd: price,
        ..SummaryItem::default()
    }
}

/// First descendant with one of these names, in document order.
pub(crate) fn find_any<'e>(from: &'e Element, names: &[&str]) -> Option<&'e Element> {
    from.children()
        .find_map(|child| if names.contains(&child.name.as_str()) { Some(child) } else { find_any(child, names) })
}

/// Number and name of a party's group.
pub(crate) fn party(group: &Element) -> SummaryParty {
    let documento = ["CNPJ", "CPF", "NIF", "idEstrangeiro"].iter().find_map(|tag| group.text_at(tag));
    SummaryParty { documento: documento.and_then(nonempty), xNome: group.text_at("xNome").and_then(nonempty) }
}

fn nonempty(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

const SERVICE: &str = "Prestação de serviço";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(xml: &str) -> DocumentSummary {
        summary(&json!({}), xml)
    }

    #[test]
    fn a_transport_is_one_service_for_who_pays_it() {
        let read = of(
            "<CTe><infCte><ide><CFOP>5353</CFOP><natOp>Transporte</natOp><xMunIni>Santos</xMunIni><UFIni>SP</UFIni>\
            <xMunFim>Recife</xMunFim><UFFim>PE</UFFim><toma3><toma>3</toma></toma3></ide><emit><CNPJ>11222333000181</CNPJ><xNome>T</xNome></emit>\
            <rem><CNPJ>1</CNPJ></rem><dest><CPF>52998224725</CPF><xNome>Maria</xNome></dest><vPrest><vTPrest>120.50</vTPrest></vPrest></infCte></CTe>",
        );
        let payer = read.destinatario.unwrap();
        assert_eq!((payer.documento.as_deref(), payer.xNome.as_deref()), (Some("52998224725"), Some("Maria")));
        let line = &read.itens[0];
        assert_eq!(
            (line.xProd.as_str(), line.vProd.as_str(), line.CFOP.as_str()),
            ("Transporte de Santos/SP a Recife/PE", "120.50", "5353")
        );
    }

    #[test]
    fn an_addressee_is_named_by_its_own_group() {
        let named =
            |xml: &str, document: &str| addressee_name(&json!({ "destinatario": { "xNome": "João" } }), xml, document);
        let nfe = "<NFe><emit><CNPJ>1</CNPJ><xNome>A</xNome></emit><dest><CPF>2</CPF><xNome>B &amp; C</xNome></dest>\
            <transporta><xNome>T</xNome></transporta></NFe>";
        assert_eq!(named(nfe, "2").as_deref(), Some("B & C"));
        assert_eq!(named(&nfe.replace("<xNome>B &amp; C</xNome>", ""), "2"), None);
        let test = nfe.replace("B &amp; C", "NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL");
        assert_eq!(named(&test, "2").as_deref(), Some("João"));
        let rps = "<Tomador><IdentificacaoTomador><CpfCnpj><Cnpj>3</Cnpj></CpfCnpj></IdentificacaoTomador>\
            <RazaoSocial>Cliente</RazaoSocial></Tomador>";
        assert_eq!(named(rps, "3").as_deref(), Some("Cliente"));
        assert_eq!(named(rps, "4"), None);
    }

    #[test]
    fn a_service_is_read_of_either_layout() {
        let national = of(
            "<DPS><infDPS><prest><CNPJ>11222333000181</CNPJ></prest><toma><CNPJ>2</CNPJ><xNome>Cliente</xNome></toma>\
            <serv><cServ><cTribNac>010101</cTribNac><xDescServ>Programa</xDescServ></cServ></serv>\
            <valores><vServPrest><vServ>10.00</vServ></vServPrest></valores></infDPS></DPS>",
        );
        let municipal = of(
            "<GerarNfseEnvio><Rps><InfDeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>10.00</ValorServicos></Valores>\
            <ItemListaServico>010101</ItemListaServico><Discriminacao>Programa</Discriminacao></Servico>\
            <Prestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></Prestador>\
            <TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>2</Cnpj></CpfCnpj></IdentificacaoTomador><RazaoSocial>Cliente</RazaoSocial></TomadorServico>\
            </InfDeclaracaoPrestacaoServico></Rps></GerarNfseEnvio>",
        );
        assert_eq!(national, municipal);
        assert_eq!(national.itens[0].vProd, "10.00");
    }
}
