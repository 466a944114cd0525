//! Answers to refused acts on documents, prepared or registered.
//!
//! Law: `docs/contract.md`, "Emission".

use engine::acceptance::assisted::ActError;
use engine::acceptance::void::VoidError;
use engine::order::event_error::EventError;
use fiscal::finding::Violation;
use fiscal::layout::LayoutFault;
use fiscal::tipo::Tipo;
use serde_json::json;
use store::numbers::NumberState;

use super::emitir;
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;

/// Maps a refused preparation or act to an answer.
pub(in crate::api) fn act_refusal(error: ActError, tipo: Tipo, campo: &str) -> ApiError {
    match error {
        ActError::Event(error) => event_refusal(error, tipo.name(), campo),
        ActError::Void(error) => void_refusal(tipo, error),
        ActError::TooManyPrepared { most, wait_s } => emitir::too_many_prepared(most, wait_s),
        ActError::Store(error) => error.into(),
        ActError::Repeated(job) => {
            let detail = "Esta referencia_externa já é de outra operação, que está em job_id: nada foi preparado.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
                .at("referencia_externa")
                .with_member("job_id", json!(job))
        }
    }
}

/// Maps a refusal of the use case to an answer. `nota` is the name of the documents of this route.
pub(in crate::api) fn event_refusal(error: EventError, nota: &str, campo: &str) -> ApiError {
    match error {
        EventError::Disagreeing(campo) => {
            let detail = format!(
                "{campo} é de outro documento do que o resto do pedido diz: nada foi feito. Informe um só, ou os dois do mesmo documento."
            );
            ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, campo, detail)])
        }
        EventError::UnknownDocument => {
            ApiError::not_found(format!("Não há {nota} desta empresa com o job_id ou a chave informada."))
        }
        EventError::UnknownSubstitute => {
            let detail = "Não há nota desta empresa com o job_id_substituto informado, ou ela ainda não tem chave.";
            ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, "job_id_substituto", detail)])
        }
        EventError::NotAuthorized => {
            let detail = format!(
                "Esta operação pede {nota} com nota.status autorizada: a autoridade ainda não autorizou o documento, recusou-o, ou ele já \
                 está cancelado."
            );
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        EventError::WrongModel => {
            let detail = format!(
                "Esta operação existe só para {nota}, e o documento indicado é de outro modelo. Carta de correção têm NF-e, CT-e e \
                 CT-e OS (modelos 55, 57 e 67; de uma NFC-e a autoridade responderia 784); ator interessado, só a NF-e; \
                 cancelamento por substituição, só a NFC-e."
            );
            ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, "chave", detail)])
        }
        EventError::Forbidden(why) => ApiError::new(&error_code::ESTADO_INVALIDO, why),
        EventError::UnknownCompany => empresas::unknown(),
        EventError::NotConfigured => {
            let detail = "A empresa não tem configuração para CT-e nem para NF-e, que diz o ambiente. Configure-a com PUT \
                          /v1/empresas/{cpf_cnpj}/cte ou /nfe.";
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        EventError::Exhausted => {
            let detail = "A nota já tem o máximo de eventos deste tipo que a lei permite.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        EventError::Invalid(faults) => {
            ApiError::from_problems(faults.into_iter().map(|fault| problem(fault, campo)).collect())
        }
        EventError::Refused(violations) => ApiError::from_problems(violations.into_iter().map(of_member).collect()),
        EventError::Store(error) => error.into(),
    }
}

/// Problem with the path and the code of a violation.
pub(in crate::api) fn of_member(found: Violation) -> FieldProblem {
    let problem = FieldProblem::new(&error_code::VALIDACAO, found.campo, found.mensagem);
    FieldProblem { codigo: found.codigo, sugestao: found.sugestao, ..problem }
}

fn problem(fault: LayoutFault, campo: &str) -> FieldProblem {
    FieldProblem::new(&error_code::VALIDACAO, campo.to_owned(), fault.message)
}

/// Maps a refused voiding of numbers to an answer.
pub(in crate::api) fn void_refusal(tipo: Tipo, error: VoidError) -> ApiError {
    let nota = tipo.name();
    match error {
        VoidError::UnknownCompany => {
            let detail = "A empresa de cpf_cnpj não está cadastrada nesta conta. Cadastre-a com POST /v1/empresas.";
            ApiError::new(&error_code::NAO_ENCONTRADO, detail).at("cpf_cnpj")
        }
        VoidError::NotConfigured => {
            let detail = format!(
                "A empresa não tem configuração de {nota} que diga estado e série. Configure com PUT /v1/empresas/{{cpf_cnpj}}/{} e \
                 confira o endereço do cadastro.",
                tipo
            );
            ApiError::new(&error_code::EMPRESA_SEM_CONFIGURACAO, detail).at("cpf_cnpj")
        }
        VoidError::Invalid { campo, why } => {
            ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, campo, format!("{why}."))])
        }
        VoidError::Layout(faults) => {
            let problem = |message| FieldProblem::new(&error_code::VALIDACAO, "justificativa", message);
            ApiError::from_problems(faults.into_iter().map(|fault| problem(fault.message)).collect())
        }
        VoidError::Held { numero, state } => busy_number(nota, numero, state),
        VoidError::Store(error) => error.into(),
    }
}

fn busy_number(nota: &str, numero: u64, state: NumberState) -> ApiError {
    let (why, what) = match state {
        NumberState::Reserved => ("está reservado por uma emissão que ainda não acabou", "Espere o fim dela."),
        NumberState::Used => ("já foi usado", "Só se inutiliza número que nenhum documento tem."),
        NumberState::Voiding => ("está em outro pedido de inutilização, em andamento", "Espere o fim dele."),
        NumberState::Voided => ("já está inutilizado", "Deixe-o fora da faixa."),
        NumberState::Kept => (
            "é de uma nota entregue em contingência e depois rejeitada",
            "Emita no lugar dela com a mesma série e o mesmo nNF.",
        ),
        NumberState::Released => ("acaba de mudar de situação", "Repita o pedido."),
    };
    let detail = format!("O número {numero} desta série de {nota} {why}. {what} Nada foi registrado.");
    ApiError::new(&error_code::ESTADO_INVALIDO, detail).with_member("numero", json!(numero))
}
