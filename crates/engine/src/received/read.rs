//! Reading of distributed documents into the form that the store holds. An unreadable one is stored as it came.

use authority::answer::DistributionItem;
use fiscal::received::{self, DistributedDocument, DistributedEvent, DistributedItem, ReceivedSituation};
use fiscal::tipo::Tipo;
use jiff::Timestamp;
use store::received::{
    DocZip, DocumentContent, DocumentFacts, EventFacts, ServiceFacts, Situacao, TransportFacts, TypeFacts,
};

/// Reads the documents of one reply. A hundred of them may be as many megabytes, so they are read on a blocking thread.
pub(super) async fn documents(tipo: Tipo, delivered: Vec<DistributionItem>) -> Vec<DocZip> {
    let read = move |one| document(tipo, one);
    let reading = tokio::task::spawn_blocking(move || delivered.into_iter().map(read).collect());
    // a panic of the reader ends the search as it would have here
    reading.await.unwrap_or_else(|broken| std::panic::resume_unwind(broken.into_panic()))
}

fn document(tipo: Tipo, delivered: DistributionItem) -> DocZip {
    let DistributionItem { nsu, schema, content } = delivered;
    match content {
        Ok(xml) => {
            let about = match received::read(&xml) {
                Ok(received) if received.tipo() == tipo => about(received),
                Ok(received) => unknown(nsu, &schema, &format!("documento de outra distribuição: {}", received.tipo())),
                Err(why) => unknown(nsu, &schema, &why.to_string()),
            };
            DocZip { nsu, schema, content_facts: about, content: xml }
        }
        Err((why, packed)) => {
            let about = unknown(nsu, &schema, &why);
            DocZip { nsu, schema, content_facts: about, content: packed }
        }
    }
}

fn unknown(nsu: Option<u64>, schema: &str, why: &str) -> DocumentContent {
    tracing::warn!(nsu, schema, error.cause = why, "a document handed out is not understood; it is kept as it came");
    DocumentContent::Unknown
}

fn about(received: DistributedItem) -> DocumentContent {
    match received {
        DistributedItem::Document(document) => DocumentContent::Document(facts(document)),
        DistributedItem::Event(event) => DocumentContent::Event(event_facts(event)),
    }
}

fn facts(document: DistributedDocument) -> DocumentFacts {
    let (valor, own) = own(document.details);
    DocumentFacts {
        // an instant that cannot be read sorts before all others
        emitida_em: document.dhEmi.parse::<Timestamp>().map_or(0, Timestamp::as_second),
        chave: document.chave,
        emitente: document.emitente,
        nome: document.xNome,
        ie: document.IE,
        destinatario: document.destinatario,
        dhEmi: document.dhEmi,
        valor,
        dhRecbto: document.dhRecbto,
        nProt: document.nProt,
        situacao: match document.situation {
            ReceivedSituation::Authorized => Situacao::Autorizada,
            ReceivedSituation::Denied => Situacao::Denegada,
            ReceivedSituation::Cancelled => Situacao::Cancelada,
        },
        completa: document.whole,
        type_facts: own,
    }
}

/// The total, and the facts of its type alone.
fn own(about: received::DistributedDetails) -> (Option<String>, TypeFacts) {
    match about {
        received::DistributedDetails::Goods(goods) => (Some(goods.vNF), TypeFacts::Goods { tpNF: goods.tpNF }),
        received::DistributedDetails::Transport(one) => {
            let own = TransportFacts {
                modal: one.modal,
                tpServ: one.tpServ,
                tpCTe: one.tpCTe,
                remetente: one.remetente,
                expedidor: one.expedidor,
                recebedor: one.recebedor,
                tomador: one.tomador,
            };
            (one.vTPrest, TypeFacts::Transport(own))
        }
        received::DistributedDetails::Services(one) => {
            let own = ServiceFacts {
                numero: one.nNFSe,
                competencia: one.dCompet,
                municipio: one.cLocEmi,
                servico: one.cTribNac,
                descricao: one.xDescServ,
                valor_liquido: one.vLiq,
                prestador: one.prestador,
                tomador: one.tomador,
                intermediario: one.intermediario,
            };
            (Some(one.vServ), TypeFacts::Services(own))
        }
    }
}

fn event_facts(event: DistributedEvent) -> EventFacts {
    EventFacts {
        cancela: event.cancels(),
        chave: event.chave,
        tpEvento: event.tpEvento,
        nSeqEvento: event.nSeqEvento,
        dhEvento: event.dhEvento,
        autor: event.author,
        descricao: event.description,
        motivo: event.reason,
        dhRegEvento: event.dhRegEvento,
        substituta: event.replaced_by,
        nProt: event.nProt,
        completo: event.whole,
    }
}
