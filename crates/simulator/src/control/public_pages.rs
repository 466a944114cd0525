//! The public pages of a state: the one of a QR code, and the one that asks for a key. HTML, for people.
//!
//! Law: Manual de Especificações Técnicas do DANFE NFC-e e QR Code, §5. A note issued offline and not transmitted yet
//! is unknown here: the page shows only the data of its code.

use super::ControlState;
use crate::ledger::{LedgerDocument, LedgerStatus};
use crate::sefaz::qr::{by_csc, parameters};
use crate::simulator_state::SimulatorState;
use crate::soap::escaped;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use fiscal::nfe::qr::{self, QrParameters, QrSyntaxError};
use fiscal::value::{ChaveAcesso, TpAmb, Uf};
use fiscal::xml::{self, Element};

/// `GET /qrcode/{uf}?p=…`
pub(super) async fn by_code(
    State(console): State<ControlState>,
    Path(uf): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(uf) = state(&uf) else { return refused(StatusCode::NOT_FOUND, "Não há esta UF.") };
    let p = parameter(query.as_deref(), "p");
    match verify_code(&console.world, uf, &p) {
        Ok(found) => code_page(uf, &found),
        Err(why) => refused(StatusCode::BAD_REQUEST, &why),
    }
}

/// `GET /consulta/{uf}?chave=…`
pub(super) async fn by_key(
    State(console): State<ControlState>,
    Path(uf): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(uf) = state(&uf) else { return refused(StatusCode::NOT_FOUND, "Não há esta UF.") };
    let chave = parameter(query.as_deref(), "chave");
    let chave = match key_of(uf, chave.trim()) {
        Ok(chave) => chave,
        Err(why) => return refused(StatusCode::BAD_REQUEST, &why),
    };
    let ledger = console.world.ledger();
    let found = [TpAmb::Producao, TpAmb::Homologacao].into_iter().find_map(|of| ledger.document(of, chave.as_str()));
    match found {
        Some(document) => code_page(uf, &VerifiedCode { chave, note: Some(document.clone()) }),
        None => refused(StatusCode::NOT_FOUND, "Não há NFC-e com esta chave de acesso."),
    }
}

/// A verified code, and its note once that was transmitted.
struct VerifiedCode {
    chave: ChaveAcesso,
    note: Option<LedgerDocument>,
}

fn verify_code(world: &SimulatorState, uf: Uf, p: &str) -> Result<VerifiedCode, String> {
    let read = qr::read(p).map_err(|wrong| match wrong {
        QrSyntaxError::Version(versao) => format!("QR Code inválido: versão {versao}, quando são 2 e 3."),
        QrSyntaxError::Missing(name) => format!("QR Code inválido: falta o parâmetro {name}."),
    })?;
    let chave = key_of(uf, read.chave)?;
    let ambiente = match read.tpAmb {
        "1" => TpAmb::Producao,
        "2" => TpAmb::Homologacao,
        other => return Err(format!("QR Code inválido: ambiente {other}.")),
    };
    let offline = chave.parts().tpEmis == 9;
    if offline != read.offline.is_some() {
        return Err("QR Code inválido: os parâmetros não são os do tipo de emissão da chave.".to_owned());
    }
    let note = world.ledger().document(ambiente, chave.as_str()).cloned();
    let sealed = seal_fault(world, &read, &chave, note.as_ref());
    if let Some(cStat) = sealed {
        let motivo = fiscal::cstat::motivo(cStat).unwrap_or("Rejeição").trim_start_matches("Rejeição: ");
        return Err(format!("QR Code inválido: {motivo} ({cStat})."));
    }
    let told = note.as_ref().and_then(|note| note.xml.clone());
    if told.is_some_and(|told| !is_code_of(p, &told)) {
        return Err("QR Code inválido: não é o da nota com esta chave de acesso.".to_owned());
    }
    if note.is_none() && !offline {
        return Err("Não há NFC-e com esta chave de acesso.".to_owned());
    }
    Ok(VerifiedCode { chave, note })
}

fn seal_fault(
    world: &SimulatorState,
    read: &QrParameters<'_>,
    chave: &ChaveAcesso,
    note: Option<&LedgerDocument>,
) -> Option<u16> {
    let issued_at = note.and_then(|note| note.issued_at);
    by_csc(&world.settings(), read, chave.parts().emitente.as_str(), issued_at)
}

/// True when these parameters are those of the transmitted document.
fn is_code_of(p: &str, document: &str) -> bool {
    xml::read(document.as_bytes()).is_ok_and(|nfe| parameters(&nfe) == Some(p))
}

fn key_of(uf: Uf, text: &str) -> Result<ChaveAcesso, String> {
    let chave = ChaveAcesso::parse(text).map_err(|wrong| format!("Chave de acesso inválida: {wrong}."))?;
    let parts = chave.parts();
    match (parts.modelo, parts.uf == uf) {
        (65, true) => Ok(chave),
        (65, false) => Err(format!("A chave de acesso é de {}, não de {}.", parts.uf.sigla(), uf.sigla())),
        _ => Err("A chave de acesso não é de uma NFC-e (modelo 65).".to_owned()),
    }
}

fn state(segment: &str) -> Option<Uf> {
    Uf::from_sigla(&segment.to_ascii_uppercase())
}

/// A parameter of the query. A `+` stays as it is: signatures have it, and codes are printed without encoding.
fn parameter(query: Option<&str>, name: &str) -> String {
    let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| decoded(value)).unwrap_or_default()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let byte = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, page(&format!("<p id=\"resultado\">{}</p>", escaped(why)))).into_response()
}

fn code_page(uf: Uf, found: &VerifiedCode) -> Response {
    let VerifiedCode { chave, note } = found;
    let parts = chave.parts();
    let (result, standing) = match note.as_ref().map(|note| note.situacao) {
        None => ("QR Code válido", "Emitida em contingência, pendente de autorização"),
        Some(LedgerStatus::Autorizada) => ("NFC-e encontrada", "Autorizada"),
        Some(LedgerStatus::Cancelada) => ("NFC-e encontrada", "Cancelada"),
        Some(LedgerStatus::Denegada) => ("NFC-e encontrada", "Uso denegado"),
    };
    let mut rows = vec![
        ("Situação", standing.to_owned()),
        ("UF", uf.nome().to_owned()),
        ("Chave de acesso", chave.as_str().to_owned()),
        ("Emitente", parts.emitente.as_str().to_owned()),
        ("Número", parts.nNF.to_string()),
        ("Série", parts.serie.to_string()),
    ];
    let mut items = String::new();
    if let Some(note) = note {
        rows.push(("Protocolo", format!("{} {}", note.nProt, note.dhRecbto)));
        if let Some(nfe) = note.xml.as_ref().and_then(|xml| xml::read(xml.as_bytes()).ok()) {
            let text = |path: &str| nfe.text_at(path).unwrap_or_default().to_owned();
            rows.push(("Nome", text("infNFe/emit/xNome")));
            rows.push(("Emissão", text("infNFe/ide/dhEmi")));
            rows.push(("Valor total", text("infNFe/total/ICMSTot/vNF")));
            items = nfe.child("infNFe").map(item_rows).unwrap_or_default();
        }
    }
    let rows: String =
        rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{}</td></tr>", escaped(value))).collect();
    page(&format!("<p id=\"resultado\">{result}</p><table>{rows}</table>{items}")).into_response()
}

fn item_rows(inf: &Element) -> String {
    let rows = inf.children().filter(|child| child.name == "det").map(|det| {
        let cells = ["cProd", "xProd", "qCom", "uCom", "vUnCom", "vProd"].map(|tag| {
            let text = det.child("prod").and_then(|prod| prod.text_at(tag)).unwrap_or_default();
            format!("<td>{}</td>", escaped(text))
        });
        format!("<tr>{}</tr>", cells.concat())
    });
    format!("<table>{}</table>", rows.collect::<String>())
}

fn page(content: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"pt-BR\"><head><meta charset=\"utf-8\"><title>Consulta NFC-e (simulador)</title></head>\
         <body><h1>Consulta pública de NFC-e</h1><p>Simulador: sem valor fiscal.</p>{content}</body></html>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_of_a_signature_stays_a_plus() {
        assert_eq!(parameter(Some("a=1&p=x%7C3+/%3D%"), "p"), "x|3+/=%");
        assert_eq!(parameter(None, "p"), "");
    }
}
