//! Forms of the events of a transport: registered facts, parties, and the key as bars.

use super::{authorised, case};
use crate::registered::chave;

/// A registered event in the envelope of `procEventoCTe_v4.00.xsd`.
fn registered(tpEvento: &str, chave: &str, detail: &str) -> String {
    format!(
        "<procEventoCTe versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/cte\"><eventoCTe versao=\"4.00\"><infEvento Id=\"ID\"><cOrgao>43</cOrgao>\
         <tpAmb>1</tpAmb><CNPJ>11222333000181</CNPJ><chCTe>{chave}</chCTe><dhEvento>2026-11-21T10:00:00-03:00</dhEvento><tpEvento>{tpEvento}</tpEvento>\
         <nSeqEvento>2</nSeqEvento><detEvento versaoEvento=\"4.00\">{detail}</detEvento></infEvento></eventoCTe><retEventoCTe versao=\"4.00\"><infEvento>\
         <cStat>135</cStat><xMotivo>Evento registrado e vinculado a CT-e</xMotivo><chCTe>{chave}</chCTe>\
         <dhRegEvento>2026-11-21T10:00:01-03:00</dhRegEvento><nProt>143260000000009</nProt></infEvento></retEventoCTe></procEventoCTe>"
    )
}

fn says(name: &str, tpEvento: &str, detail: &str, told: &[&str]) {
    let cte = authorised(&case("exemplo_interestadual"));
    let chave = chave(&cte);
    let always = [
        "CONHECIMENTO DE TRANSPORTE",
        "TRANSPORTADORA TESTE LTDA",
        "TOMADOR",
        "12.ABC.345/01DE-35",
        "1.500,00",
        "EMITENTE",
        "135 - Evento registrado",
        &chave,
    ];
    let event = registered(tpEvento, &chave, detail);
    let registration = "143260000000009 - 21/11/2026 10:00:01";
    let text = crate::registered::says(name, &event, &cte, &[told, &always].concat(), &chave, registration);
    assert!(!text.contains("NOTAFISCAL"), "{text}");
}

#[test]
fn a_cancellation_says_why() {
    let detail = "<evCancCTe><descEvento>Cancelamento</descEvento><nProt>143260000000001</nProt><xJust>Viagem que não se fez</xJust></evCancCTe>";
    says("cte-cancelled", "110111", detail, &["CANCELAMENTO DE CT-e", "Viagem que não se fez", "143260000000001"]);
}

#[test]
fn a_correction_says_every_field() {
    let field = |group: &str, field: &str, value: &str, item: &str| {
        format!(
            "<infCorrecao><grupoAlterado>{group}</grupoAlterado><campoAlterado>{field}</campoAlterado><valorAlterado>{value}</valorAlterado>{item}</infCorrecao>"
        )
    };
    let fields = field("compl", "xObs", "Entregar no portão 3", "")
        + &field("infQ", "tpMed", "PESO AFERIDO", "<nroItemAlterado>01</nroItemAlterado>");
    let detail = format!(
        "<evCCeCTe><descEvento>Carta de Correcao</descEvento>{fields}<xCondUso>Condições</xCondUso></evCCeCTe>"
    );
    let told = [
        "CARTA DE CORREÇÃO ELETRÔNICA",
        "compl / xObs: Entregar no portão 3",
        "infQ / tpMed (item 01): PESO AFERIDO",
        "Condições",
    ];
    says("cte-corrected", "110110", &detail, &told);
}
