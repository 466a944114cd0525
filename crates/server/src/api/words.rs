//! Enums of the contract's words, for answers and for the API document.

use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use serde::{Serialize, Serializer};
use store::accounts::Permissao;
use store::authorities::CircuitState;
use store::jobs::{JobStatus, Operacao};
use store::mail::{MailKind, MailStatus};
use store::quotas::Familia;
use store::received::{Papel, Parte, Situacao};
use store::webhooks::DeliveryStatus;

use super::schema::Type;
use super::view::ViewValue;

/// An enum with a contract word for each variant.
pub(super) trait ContractWord: Copy {
    const WORDS: &'static [&'static str];

    fn contract_word(self) -> &'static str;
}

/// An enum in an answer, serialised as its word.
#[derive(Clone, Copy)]
pub(crate) struct Word<T>(pub(crate) T);

impl<T: ContractWord> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.contract_word())
    }
}

impl<T: ContractWord> ViewValue for Word<T> {
    const KIND: Type = Type::Words(T::WORDS);
}

/// Lists the variants of an enum; an incomplete list does not compile.
macro_rules! words {
    ($type:ty, $word:path, [$($variant:ident),+ $(,)?]) => {
        impl $crate::api::words::ContractWord for $type {
            const WORDS: &'static [&'static str] = &[$($word(Self::$variant)),+];

            fn contract_word(self) -> &'static str {
                match self {
                    $(Self::$variant)|+ => $word(self),
                }
            }
        }
    };
}

pub(super) use words;

words!(TpAmb, TpAmb::word, [Producao, Homologacao]);
words!(MailKind, MailKind::word, [Nota, Cancelamento, Teste, Exportacao, Alerta]);
words!(MailStatus, MailStatus::word, [Pendente, Enviado, EmDuvida, Recusado, Falhou, Bloqueado, SemEndereco]);
words!(JobStatus, status_word, [Pending, Processing, Completed, Failed, Cancelled]);
words!(
    Operacao,
    Operacao::word,
    [Emissao, Cancelamento, CartaCorrecao, AtorInteressado, Manifestacao, Evento, AnaliseFiscal, Inutilizacao]
);
words!(Tipo, Tipo::word, [Nfe, Nfce, Cte, Nfse]);
words!(CircuitState, engine::contingency::word, [Closed, Open, HalfOpen]);
words!(DeliveryStatus, DeliveryStatus::word, [Pendente, Entregue, Perdida]);
words!(Familia, Familia::word, [Nfe, Nfce, Nfse, Cte, Cep, Cnpj, Ncm, Assinatura]);
words!(Situacao, Situacao::word, [Autorizada, Cancelada, Denegada]);
words!(Papel, Papel::word, [Remetente, Expedidor, Recebedor, Destinatario, Tomador, Autorizado]);
words!(Parte, Parte::word, [Prestador, Tomador, Intermediario]);

impl ContractWord for Permissao {
    /// Words of keys: a role is no part of the API.
    const WORDS: &'static [&'static str] = &["completa", "leitura", "assistida"];

    fn contract_word(self) -> &'static str {
        self.word()
    }
}

/// Contract word of a status.
pub(crate) const fn status_word(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Pending => "pending",
        JobStatus::Processing => "processing",
        JobStatus::Completed => "completed",
        JobStatus::Failed => "failed",
        JobStatus::Cancelled => "cancelled",
    }
}
