//! Manifestations about received documents, a row each: meaning, time, and what each asks for.
//!
//! Law: NT 2020.001 v1.60 (NF-e); anexo II of the NFS-e. The words are those of the API.

use engine::received::{AWARENESS, CONCLUSION};
use fiscal::tipo::Tipo;
use store::received::{ReceivedDocument, Situacao};

use super::deadline;

/// A manifestation of the panel.
pub(super) struct ManifestAct {
    tipo: Tipo,
    /// Last part of its address; the type of the API.
    pub(super) word: &'static str,
    pub(super) name: &'static str,
    /// Label of the button that registers it.
    pub(super) button: &'static str,
    pub(super) meaning: &'static str,
    /// Days from the authorisation, where the law names them.
    pub(super) days: Option<i64>,
    /// Consequences that last, which a person accepts; `None` for one without.
    pub(super) lasting: Option<&'static str>,
    /// Reasons to choose from, each with its code.
    pub(super) reasons: &'static [(&'static str, &'static str)],
    pub(super) justification: JustificationField,
}

/// Field of the justification.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JustificationField {
    Absent,
    Optional,
    Required,
}

impl ManifestAct {
    /// The manifestation at an address.
    pub(super) fn at(tipo: Tipo, word: &str) -> Option<&'static ManifestAct> {
        ACTS.iter().find(|act| act.tipo == tipo && act.word == word)
    }

    /// Manifestations that a document of a type knows.
    pub(super) fn of(tipo: Tipo) -> impl Iterator<Item = &'static ManifestAct> {
        ACTS.iter().filter(move |act| act.tipo == tipo)
    }

    /// True in the states in which the authority registers it.
    pub(super) fn is_offered(&self, document: &ReceivedDocument) -> bool {
        let said = document.manifestacao.as_ref().map(|(word, _)| word.as_str());
        document.facts.situacao == Situacao::Autorizada
            && match self.tipo {
                Tipo::Nfe => {
                    deadline::is_addressee(document)
                        && (self.word != "ciencia" || said.is_none())
                        && said != Some(self.word)
                }
                _ => said.is_none(),
            }
    }

    /// Seconds left, where the law names a time.
    pub(super) fn left(&self, document: &ReceivedDocument, now: i64) -> Option<i64> {
        self.days.map(|days| deadline::left(document, days, now))
    }
}

/// Words of a manifestation that was registered.
pub(super) fn name_of(word: &str) -> &'static str {
    match word {
        "ciencia" => "ciência",
        "confirmacao" => "confirmada",
        "desconhecimento" => "desconhecida",
        "nao_realizada" => "não realizada",
        "rejeicao" => "rejeitada",
        _ => "manifestada",
    }
}

const LASTING: &str =
    "Fica registrada na SEFAZ e o emitente a vê. Não se apaga: só pode ser retificada uma vez, por outra manifestação.";

const ACTS: &[ManifestAct] = &[
    ManifestAct {
        tipo: Tipo::Nfe,
        word: "ciencia",
        name: "Ciência da operação",
        button: "Registrar a ciência",
        meaning: "Diz que a empresa sabe da nota e ainda vai conferir. Libera o arquivo inteiro (itens e impostos), que chega numa busca seguinte. Não \
                  encerra o assunto: depois ainda é preciso confirmar, desconhecer ou dizer que não se realizou.",
        days: Some(AWARENESS),
        lasting: None,
        reasons: &[],
        justification: JustificationField::Absent,
    },
    ManifestAct {
        tipo: Tipo::Nfe,
        word: "confirmacao",
        name: "Confirmação da operação",
        button: "Confirmar a operação",
        meaning: "A compra aconteceu como a nota diz e a mercadoria chegou. Depois disto o emitente não pode mais cancelar a nota.",
        days: Some(CONCLUSION),
        lasting: Some(LASTING),
        reasons: &[],
        justification: JustificationField::Absent,
    },
    ManifestAct {
        tipo: Tipo::Nfe,
        word: "desconhecimento",
        name: "Desconhecimento da operação",
        button: "Declarar que desconhece",
        meaning: "A empresa não fez esta compra: alguém usou o CNPJ ou CPF dela. Protege de responder por uma operação que não é sua.",
        days: Some(CONCLUSION),
        lasting: Some(LASTING),
        reasons: &[],
        justification: JustificationField::Optional,
    },
    ManifestAct {
        tipo: Tipo::Nfe,
        word: "nao_realizada",
        name: "Operação não realizada",
        button: "Declarar não realizada",
        meaning: "A compra era da empresa, mas não se completou: a carga foi recusada na entrega, extraviada, ou devolvida no ato.",
        days: Some(CONCLUSION),
        lasting: Some(LASTING),
        reasons: &[],
        justification: JustificationField::Required,
    },
    ManifestAct {
        tipo: Tipo::Nfse,
        word: "confirmacao",
        name: "Confirmar a NFS-e",
        button: "Confirmar a nota",
        meaning: "O serviço foi prestado como a nota diz.",
        days: None,
        lasting: Some("Fica registrada na NFS-e nacional e as outras partes a veem."),
        reasons: &[],
        justification: JustificationField::Absent,
    },
    ManifestAct {
        tipo: Tipo::Nfse,
        word: "rejeicao",
        name: "Rejeitar a NFS-e",
        button: "Rejeitar a nota",
        meaning: "A nota não corresponde a um serviço que a empresa tomou, ou está errada. O prestador é avisado e pode cancelá-la ou substituí-la.",
        days: None,
        lasting: Some("Fica registrada na NFS-e nacional. Só o município a anula."),
        reasons: &[
            ("1", "NFS-e em duplicidade"),
            ("2", "Já emitida pelo tomador"),
            ("3", "O serviço não foi prestado"),
            ("4", "Erro na responsabilidade pelo imposto"),
            ("5", "Erro no valor, nas deduções, no serviço ou na data"),
            ("9", "Outros (escreva a justificativa)"),
        ],
        justification: JustificationField::Optional,
    },
];
