//! Answers: a status, a body of one of the documented shapes, and the codes in it.

use super::{NationalRequest, VER_APLIC};
use crate::clock;
use bytes::Bytes;
use fiscal::nfse::rules::{NfseRule, book};
use fiscal::value::{TpAmb, brasilia};
use http::StatusCode;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

pub(super) struct NationalAnswer {
    pub(super) status: StatusCode,
    /// A JSON value; `None` for `HEAD`.
    pub(super) body: Option<Value>,
    /// First code of a refusal.
    pub(super) codigo: Option<String>,
    /// Keys and Ids that the answer is about.
    pub(super) chaves: Vec<String>,
}

impl NationalAnswer {
    pub(super) fn of(status: StatusCode, body: Value) -> NationalAnswer {
        NationalAnswer { status, body: Some(body), codigo: None, chaves: Vec::new() }
    }
    /// Bytes of the body.
    pub(super) fn bytes(&self) -> Bytes {
        self.body.as_ref().map_or_else(Bytes::new, |body| Bytes::from(body.to_string()))
    }
    pub(super) fn about(mut self, chave: &str) -> NationalAnswer {
        self.chaves.push(chave.to_owned());
        self
    }
    pub(super) fn with_first_code(mut self, problems: &[ProcessingMessage]) -> NationalAnswer {
        self.codigo = problems.first().map(|problem| problem.codigo.to_string());
        self
    }
}

/// An entry of a refusal or of `alertas`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProcessingMessage {
    pub(super) codigo: Cow<'static, str>,
    pub(super) descricao: Cow<'static, str>,
    pub(super) complemento: Option<String>,
    /// True when the rule is a warning by law.
    pub(super) is_warning: bool,
}

impl ProcessingMessage {
    /// The entry of a code, with its official text.
    pub(super) fn new(codigo: &'static str) -> ProcessingMessage {
        let descricao = book::mensagem(codigo).unwrap_or("Rejeição simulada");
        ProcessingMessage { codigo: codigo.into(), descricao: descricao.into(), complemento: None, is_warning: false }
    }
    /// The entry of a code, with its subject.
    pub(super) fn about(codigo: &'static str, complemento: impl Into<String>) -> ProcessingMessage {
        ProcessingMessage { complemento: Some(complemento.into()), ..ProcessingMessage::new(codigo) }
    }
    /// The entry of a code, with a name put into its text.
    pub(super) fn naming(codigo: &'static str, name: &str) -> ProcessingMessage {
        let problem = ProcessingMessage::new(codigo);
        ProcessingMessage { descricao: problem.descricao.replace("{}", name).into(), ..problem }
    }
    /// The entry of a code that a magic value asks for.
    pub(super) fn of_magic_value(codigo: &str) -> ProcessingMessage {
        let descricao = book::mensagem(codigo).unwrap_or("Rejeição simulada");
        ProcessingMessage {
            codigo: codigo.to_owned().into(),
            descricao: descricao.into(),
            complemento: None,
            is_warning: false,
        }
    }
    /// An error of the transport, whose code is in no annex: the number of its status stands for it.
    pub(super) fn of_status(status: StatusCode, descricao: &'static str) -> ProcessingMessage {
        ProcessingMessage {
            codigo: status.as_u16().to_string().into(),
            descricao: descricao.into(),
            complemento: None,
            is_warning: false,
        }
    }
    /// The JSON of `MensagemProcessamento`.
    pub(super) fn json(&self) -> Value {
        let mut all = Map::new();
        all.insert("codigo".to_owned(), json!(self.codigo));
        all.insert("descricao".to_owned(), json!(self.descricao));
        if let Some(complemento) = &self.complemento {
            all.insert("complemento".to_owned(), json!(complemento));
        }
        Value::Object(all)
    }
}

impl From<&NfseRule> for ProcessingMessage {
    fn from(rule: &NfseRule) -> ProcessingMessage {
        ProcessingMessage {
            codigo: rule.codigo.into(),
            descricao: rule.mensagem().into(),
            complemento: None,
            is_warning: false,
        }
    }
}

/// The leading members of every answer of the Sefin, then the given ones.
pub(super) fn with_head<const N: usize>(asked: &NationalRequest<'_>, members: [(&str, Value); N]) -> Value {
    let mut all = Map::new();
    let code = if asked.ambiente == TpAmb::Producao { 1 } else { 2 };
    all.insert("tipoAmbiente".to_owned(), json!(code));
    all.insert("versaoAplicativo".to_owned(), json!(VER_APLIC));
    all.insert("dataHoraProcessamento".to_owned(), json!(moment(asked)));
    all.extend(members.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)));
    Value::Object(all)
}

/// Date-time with a fraction, as the Sefin writes it in JSON.
pub(super) fn moment(asked: &NationalRequest<'_>) -> String {
    let whole = clock::format_instant(asked.now, brasilia::HOURS);
    let (date_time, offset) = whole.split_at(whole.len().saturating_sub(6));
    format!("{date_time}.{:07}{offset}", asked.now.subsec_nanosecond().unsigned_abs() / 100)
}

/// A refusal as one object `erro`, or as a list under that name by the settings.
pub(super) fn refused(
    asked: &NationalRequest<'_>,
    status: StatusCode,
    problems: &[ProcessingMessage],
) -> NationalAnswer {
    let in_list = asked.world.settings().nfse.erro_em_lista;
    let erro = if in_list {
        Value::Array(problems.iter().map(ProcessingMessage::json).collect())
    } else {
        problems.first().map_or(Value::Null, ProcessingMessage::json)
    };
    NationalAnswer::of(status, with_head(asked, [("erro", erro)])).with_first_code(problems)
}

/// A refusal of a DPS with the whole list, under `erros`.
pub(super) fn refused_dps(
    asked: &NationalRequest<'_>,
    status: StatusCode,
    id: Option<&str>,
    problems: &[ProcessingMessage],
) -> NationalAnswer {
    let erros: Vec<Value> = problems.iter().map(ProcessingMessage::json).collect();
    let body = with_head(asked, [("idDPS", json!(id)), ("erros", Value::Array(erros))]);
    let answer = NationalAnswer::of(status, body).with_first_code(problems);
    match id {
        Some(id) => answer.about(id),
        None => answer,
    }
}
