//! Contents of a document for people: parties with their roles, values, items. Read from an XML of any family, or
//! from an emission's order.
//!
//! Law: the layouts of the families name these elements.

use crate::nfe;
use crate::summary::{SummaryItem, SummaryParty, find_any, party, payer, route};
use crate::xml::Element;
use serde_json::Value;

/// Contents of a document. Values are decimal texts as in the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentContents {
    pub parties: Vec<RoledParty>,
    /// Nature of the operation, or the description of the service.
    pub description: String,
    /// Portuguese label and decimal.
    pub values: Vec<(&'static str, String)>,
    /// In the document's order.
    pub items: Vec<SummaryItem>,
}

/// A party of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoledParty {
    /// Portuguese: `Emitente`.
    pub role: &'static str,
    /// CNPJ, CPF or foreign id.
    pub documento: Option<String>,
    pub nome: Option<String>,
    /// Município and state.
    pub place: Option<String>,
}

/// Reads the contents of a document of any family, signed or as the authority returned it.
pub fn of_document(root: &Element) -> DocumentContents {
    let found = |name: &str| find_any(root, &[name]);
    // by the root, since a transport names goods inside it
    match root.name.as_str() {
        "nfeProc" | "NFe" => found("infNFe").map(goods).unwrap_or_default(),
        "cteProc" | "cteOSProc" | "CTe" | "CTeOS" => found("infCte").map(transport).unwrap_or_default(),
        "NFSe" | "DPS" => found("infDPS").map(|inf| national_service(inf, found("infNFSe"))).unwrap_or_default(),
        _ => municipal_service(root),
    }
}

/// Text of the addressee's e-mail in a document of any family: of who receives the goods, or pays the transport or the
/// service. It may name several addresses.
pub fn addressee_email(root: &Element) -> Option<&str> {
    let found = |name: &str| find_any(root, &[name]);
    let text = match root.name.as_str() {
        "nfeProc" | "NFe" => found("infNFe")?.text_at("dest/email"),
        "cteProc" | "cteOSProc" | "CTe" | "CTeOS" => payer(found("infCte")?)?.text_at("email"),
        "NFSe" | "DPS" => found("infDPS")?.text_at("toma/email"),
        _ => find_any(find_any(root, &["TomadorServico", "Tomador"])?, &["Email"]).map(Element::text),
    };
    text.filter(|text| !text.is_empty())
}

fn goods(inf: &Element) -> DocumentContents {
    let items = inf.children().filter(|child| child.name == "det").map(nfe::summary::read_item);
    DocumentContents {
        parties: parties(
            inf,
            &[("emit", "Emitente"), ("dest", "Destinatário"), ("transp/transporta", "Transportador")],
        ),
        description: text(inf, "ide/natOp"),
        values: values(inf, GOODS),
        items: items.collect(),
    }
}

fn transport(inf: &Element) -> DocumentContents {
    let mut parties = parties(inf, CARRIED);
    let payer = payer(inf).and_then(|group| roled_party(group, "Tomador (quem paga)"));
    parties.extend(payer);
    DocumentContents {
        parties,
        description: format!("{} · transporte de {}", text(inf, "ide/natOp"), route(inf)),
        values: values(inf, TRANSPORT),
        items: Vec::new(),
    }
}

/// Contents of a DPS, with the values that the Sefin computed, if it has written the note.
fn national_service(inf: &Element, note: Option<&Element>) -> DocumentContents {
    let mut values = values(inf, SERVICE);
    values.extend(note.map(|note| self::values(note, WRITTEN_SERVICE)).unwrap_or_default());
    let mut parties = parties(inf, &[("prest", "Prestador"), ("toma", "Tomador"), ("interm", "Intermediário")]);
    // the declaration has the number of the provider, the note its name
    let issuer = note.and_then(|note| note.child("emit")).and_then(|emit| nonempty(emit.text_at("xNome")));
    if let (Some(first), Some(nome)) = (parties.first_mut().filter(|first| first.nome.is_none()), issuer) {
        first.nome = Some(nome);
    }
    DocumentContents { parties, description: text(inf, "serv/cServ/xDescServ"), values, items: Vec::new() }
}

/// Contents of an RPS or a municipal note, whose groups have other names in each version of the layout.
fn municipal_service(root: &Element) -> DocumentContents {
    let found = |from: &Element, names: &[&str]| find_any(from, names).and_then(|it| nonempty(Some(it.text())));
    let party = |role, groups: &[&str]| {
        let group = find_any(root, groups)?;
        let (documento, nome) = (found(group, &["Cnpj", "Cpf", "NifTomador"]), found(group, &["RazaoSocial"]));
        Some(RoledParty { role, documento, nome, place: None })
    };
    let parties = [
        party("Prestador", &["PrestadorServico", "Prestador"]),
        party("Tomador", &["TomadorServico", "Tomador"]),
        party("Intermediário", &["IntermediarioServico", "Intermediario"]),
    ];
    let value = |(tag, label): &(&str, &'static str)| Some((*label, found(root, &[tag])?));
    DocumentContents {
        parties: parties.into_iter().flatten().collect(),
        description: found(root, &["Discriminacao"]).unwrap_or_default(),
        values: MUNICIPAL.iter().filter_map(value).collect(),
        items: Vec::new(),
    }
}

/// Reads the contents of an order, by the contract's names and the official ones.
pub fn of_order(nota: &Value) -> DocumentContents {
    let listed = ["produtos", "det"].iter().find_map(|name| nota.get(name)?.as_array());
    let items = listed.into_iter().flatten().map(|item| {
        let goods = item.get("prod").unwrap_or(item);
        let member = |tag: &str| goods.get(tag).map(scalar).unwrap_or_default();
        SummaryItem {
            cProd: member("cProd"),
            xProd: member("xProd"),
            CFOP: member("CFOP"),
            uCom: member("uCom"),
            qCom: member("qCom"),
            vUnCom: member("vUnCom"),
            vProd: member("vProd"),
        }
    });
    let group = |names: &[&str]| names.iter().find_map(|name| nota.get(name)).cloned().unwrap_or_default();
    let (ide, dest) = (group(&["identificacao", "ide"]), group(&["destinatario", "dest", "toma"]));
    let member = |group: &Value, names: &[&str]| {
        names.iter().find_map(|name| group.get(name)).map(scalar).filter(|text| !text.is_empty())
    };
    let addressee = RoledParty {
        role: "Destinatário",
        documento: member(&dest, &["CNPJCPF", "CNPJ", "CPF"]),
        nome: member(&dest, &["xNome"]),
        place: None,
    };
    DocumentContents {
        parties: Some(addressee).filter(|it| it.documento.is_some() || it.nome.is_some()).into_iter().collect(),
        description: member(&ide, &["natOp"]).unwrap_or_default(),
        values: Vec::new(),
        items: items.collect(),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn parties(inf: &Element, groups: &[(&str, &'static str)]) -> Vec<RoledParty> {
    groups.iter().filter_map(|(path, role)| roled_party(inf.at(path)?, role)).collect()
}

fn roled_party(group: &Element, role: &'static str) -> Option<RoledParty> {
    let SummaryParty { documento, xNome: nome } = party(group);
    let address = group.children().find(|child| child.name.as_str().starts_with("ender") || child.name == "end");
    let address = address.unwrap_or(group);
    let place = nonempty(address.text_at("xMun")).map(|city| match nonempty(address.text_at("UF")) {
        Some(uf) => format!("{city}/{uf}"),
        None => city,
    });
    Some(RoledParty { role, documento, nome, place })
}

/// Values that the document has, without zeros.
fn values(inf: &Element, table: &[(&str, &'static str)]) -> Vec<(&'static str, String)> {
    let is_zero = |text: &str| text.chars().all(|digit| matches!(digit, '0' | '.'));
    let value = |(path, label): &(&str, &'static str)| {
        nonempty(inf.text_at(path)).filter(|text| !is_zero(text)).map(|text| (*label, text))
    };
    table.iter().filter_map(value).collect()
}

fn text(element: &Element, path: &str) -> String {
    element.text_at(path).unwrap_or_default().to_owned()
}

fn nonempty(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

const CARRIED: &[(&str, &str)] = &[
    ("emit", "Transportadora (emitente)"),
    ("rem", "Remetente"),
    ("exped", "Expedidor"),
    ("receb", "Recebedor"),
    ("dest", "Destinatário"),
];
const GOODS: &[(&str, &str)] = &[
    ("total/ICMSTot/vProd", "Produtos"),
    ("total/ICMSTot/vFrete", "Frete"),
    ("total/ICMSTot/vSeg", "Seguro"),
    ("total/ICMSTot/vOutro", "Outras despesas"),
    ("total/ICMSTot/vDesc", "Desconto"),
    ("total/ICMSTot/vICMS", "ICMS"),
    ("total/ICMSTot/vST", "ICMS por substituição"),
    ("total/ICMSTot/vIPI", "IPI"),
    ("total/ICMSTot/vPIS", "PIS"),
    ("total/ICMSTot/vCOFINS", "COFINS"),
    ("total/ISSQNtot/vISS", "ISS"),
    ("total/IBSCBSTot/gIBS/vIBS", "IBS"),
    ("total/IBSCBSTot/gCBS/vCBS", "CBS"),
    ("total/ISTot/vIS", "Imposto Seletivo"),
];
const TRANSPORT: &[(&str, &str)] = &[
    ("vPrest/vRec", "A receber"),
    ("infCTeNorm/infCarga/vCarga", "Valor da carga"),
    ("imp/ICMS/ICMS00/vICMS", "ICMS"),
    ("imp/ICMS/ICMS20/vICMS", "ICMS"),
    ("imp/ICMS/ICMS90/vICMS", "ICMS"),
];
const SERVICE: &[(&str, &str)] = &[("valores/vDescCondIncond/vDescIncond", "Desconto incondicionado")];
const WRITTEN_SERVICE: &[(&str, &str)] = &[
    ("valores/vBC", "Base do ISS"),
    ("valores/vISSQN", "ISS"),
    ("valores/vTotalRet", "Retenções"),
    ("valores/vLiq", "Valor líquido"),
];
const MUNICIPAL: &[(&str, &str)] =
    &[("BaseCalculo", "Base do ISS"), ("ValorIss", "ISS"), ("ValorLiquidoNfse", "Valor líquido")];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(xml: &str) -> DocumentContents {
        of_document(&crate::xml::read(xml.as_bytes()).unwrap())
    }

    #[test]
    fn the_addressee_of_each_family_has_an_email() {
        for (xml, email) in [
            (
                "<nfeProc><NFe><infNFe><emit><email>x@x</email></emit><dest><email>a@b</email></dest></infNFe></NFe></nfeProc>",
                "a@b",
            ),
            (
                "<cteProc><CTe><infCte><ide><toma3><toma>0</toma></toma3></ide><rem><email>r@b</email></rem><dest><email>x@x</email></dest></infCte></CTe></cteProc>",
                "r@b",
            ),
            ("<cteOSProc><CTeOS><infCte><ide/><toma><email>o@b</email></toma></infCte></CTeOS></cteOSProc>", "o@b"),
            (
                "<NFSe><infNFSe><DPS><infDPS><prest><email>x@x</email></prest><toma><email>t@b</email></toma></infDPS></DPS></infNFSe></NFSe>",
                "t@b",
            ),
            (
                "<CompNfse><Nfse><PrestadorServico><Contato><Email>x@x</Email></Contato></PrestadorServico><TomadorServico><Contato><Email>m@b</Email></Contato></TomadorServico></Nfse></CompNfse>",
                "m@b",
            ),
        ] {
            let root = crate::xml::read(xml.as_bytes()).unwrap();
            assert_eq!(addressee_email(&root), Some(email), "{xml}");
        }
        let none = crate::xml::read(b"<NFe><infNFe><dest/></infNFe></NFe>").unwrap();
        assert_eq!(addressee_email(&none), None);
    }

    #[test]
    fn goods_are_read_of_the_archive_of_the_authority() {
        let read = of(
            "<nfeProc><NFe><infNFe><ide><natOp>Venda</natOp></ide><emit><CNPJ>1</CNPJ><xNome>A</xNome><enderEmit><xMun>Santos</xMun>\
            <UF>SP</UF></enderEmit></emit><det><prod><xProd>Caderno</xProd><vProd>5.00</vProd></prod></det>\
            <total><ICMSTot><vProd>5.00</vProd><vFrete>0.00</vFrete></ICMSTot></total></infNFe></NFe><protNFe/></nfeProc>",
        );
        assert_eq!(read.parties[0].place.as_deref(), Some("Santos/SP"));
        assert_eq!(
            (read.items[0].xProd.as_str(), read.values.as_slice()),
            ("Caderno", &[("Produtos", "5.00".to_owned())][..])
        );
    }

    #[test]
    fn the_payer_of_a_transport_is_one_of_its_parties() {
        let read = of(
            "<CTe><infCte><ide><toma3><toma>3</toma></toma3></ide><emit><xNome>T</xNome></emit><dest><xNome>Maria</xNome></dest><infCTeNorm><infDoc><infNFe/></infDoc></infCTeNorm></infCte></CTe>",
        );
        let payer = read.parties.last().unwrap();
        assert_eq!((payer.role, payer.nome.as_deref()), ("Tomador (quem paga)", Some("Maria")));
    }

    #[test]
    fn an_order_is_read_by_either_name() {
        let official = json!({ "ide": { "natOp": "Venda" }, "dest": { "CPF": "1" }, "det": [{ "prod": { "xProd": "Caderno", "vProd": 5 } }] });
        let contract = json!({ "identificacao": { "natOp": "Venda" }, "destinatario": { "CNPJCPF": "1" }, "produtos": [{ "xProd": "Caderno", "vProd": 5 }] });
        assert_eq!(of_order(&official), of_order(&contract));
        assert_eq!(of_order(&official).items[0].vProd, "5");
    }
}
