//! What is read of a document that was handed out, as the store keeps it. One that cannot be read is kept as it came.

use authority::answer::Delivered;
use fiscal::received::{self, Event, Note, Received, Situation};
use jiff::Timestamp;
use store::received::{About, DocZip, EventFacts, NoteFacts, Situacao};

/// The documents of one reply for the store. A hundred of them may be as many megabytes: they are read where nobody waits.
pub(super) async fn documents(delivered: Vec<Delivered>) -> Vec<DocZip> {
    let reading = tokio::task::spawn_blocking(|| delivered.into_iter().map(document).collect());
    // a reader that falls over ends the walk as it would have here
    reading.await.unwrap_or_else(|broken| std::panic::resume_unwind(broken.into_panic()))
}

fn document(delivered: Delivered) -> DocZip {
    let Delivered { nsu, schema, content } = delivered;
    match content {
        Ok(xml) => {
            let about = received::read(&xml).map_err(|why| warn(nsu, &schema, &why.to_string())).map(about);
            DocZip { nsu, schema, about: about.unwrap_or(About::Unknown), content: xml }
        }
        Err((why, packed)) => {
            warn(nsu, &schema, &why);
            DocZip { nsu, schema, about: About::Unknown, content: packed }
        }
    }
}

fn warn(nsu: Option<u64>, schema: &str, why: &str) {
    tracing::warn!(nsu, schema, error.cause = why, "a document handed out is not understood; it is kept as it came");
}

fn about(received: Received) -> About {
    match received {
        Received::Note(note) => About::Note(note_facts(note)),
        Received::Event(event) => About::Event(event_facts(event)),
    }
}

fn note_facts(note: Note) -> NoteFacts {
    NoteFacts {
        // an instant that cannot be read sorts before all others
        emitida_em: note.dhEmi.parse::<Timestamp>().map_or(0, Timestamp::as_second),
        chave: note.chave,
        emitente: note.emitente,
        nome: note.xNome,
        ie: note.IE,
        destinatario: note.destinatario,
        dhEmi: note.dhEmi,
        tpNF: note.tpNF,
        vNF: note.vNF,
        dhRecbto: note.dhRecbto,
        nProt: note.nProt,
        situacao: match note.situation {
            Situation::Authorized => Situacao::Autorizada,
            Situation::Denied => Situacao::Denegada,
            Situation::Cancelled => Situacao::Cancelada,
        },
        completa: note.whole,
    }
}

fn event_facts(event: Event) -> EventFacts {
    EventFacts {
        cancela: event.cancels(),
        chave: event.chave,
        tpEvento: event.tpEvento,
        nSeqEvento: event.nSeqEvento,
        dhEvento: event.dhEvento,
        autor: event.author,
        descricao: event.description,
        nProt: event.nProt,
        completo: event.whole,
    }
}
