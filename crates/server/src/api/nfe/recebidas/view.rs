//! A received note as answers show it.

use fiscal::value::ChaveAcesso;
use serde_json::{Value, json};
use store::received::{ReceivedEvent, ReceivedNote};

use crate::api::instant::StateTime;
use crate::api::job;

/// One note; `time` is that of its receiving company.
pub(super) fn note(note: &ReceivedNote, time: StateTime) -> Value {
    let facts = &note.facts;
    let parts = ChaveAcesso::parse(&facts.chave).ok().map(|chave| chave.parts());
    json!({
        "chave": facts.chave,
        "cpf_cnpj": note.cpf_cnpj.as_str(),
        "ambiente": note.ambiente.word(),
        "modelo": 55,
        "numero": parts.as_ref().map(|parts| parts.nNF),
        "serie": parts.as_ref().map(|parts| parts.serie.to_string()),
        "operacao": if facts.tpNF == "0" { "entrada" } else { "saida" },
        "emitente": { "cpf_cnpj": facts.emitente, "nome": facts.nome, "inscricao_estadual": facts.ie },
        "destinatario": facts.destinatario,
        "data_emissao": facts.dhEmi,
        "data_autorizacao": facts.dhRecbto,
        "valor_total": job::total(&facts.vNF),
        "protocolo": facts.nProt,
        "situacao": facts.situacao.word(),
        "tipo": if facts.completa { "completa" } else { "resumo" },
        "manifestacao": note.manifestacao.as_ref().map(|(tipo, em)| json!({ "tipo": tipo, "em": time.json(*em) })),
        "recebido_em": time.json(note.recebido_em),
        "atualizado_em": time.json(note.atualizado_em),
        "arquivos": { "xml": format!("/v1/nfe/recebidas/{}/xml", facts.chave) },
    })
}

/// An event of a note.
pub(super) fn event(event: &ReceivedEvent, time: StateTime) -> Value {
    let facts = &event.facts;
    json!({
        "tipo_evento": facts.tpEvento,
        "descricao": facts.descricao,
        "sequencia": facts.nSeqEvento,
        "autor": facts.autor,
        "data_evento": facts.dhEvento,
        "protocolo": facts.nProt,
        "tipo": if facts.completo { "completo" } else { "resumo" },
        "nsu": event.nsu,
        "recebido_em": time.json(event.recebido_em),
    })
}
