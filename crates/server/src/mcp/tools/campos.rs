//! Tools about the fields of a document: the members of a group, and all findings about a payload.

use axum::Json;
use fiscal::map::{GroupMember, MemberBody, MemberRequirement};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::answer_value;
use crate::api::body::JsonObject as Body;
use crate::api::docs::{families, leaf, nota};
use crate::api::documento::document_type::{Cte, Nfce, Nfe};
use crate::api::documento::verificar::verificar;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::nfse;
use crate::api::view::view;
use crate::mcp::argument::text;
use crate::mcp::tool::{ToolContext, ToolFuture};

view! {
    pub(crate) struct FieldsView = "CamposDoGrupo": "Os campos de um grupo da `nota`." {
        documento: String = "O documento.",
        grupo: String = "O caminho do grupo; vazio é a própria `nota`.",
        campos: Vec<FieldView> = "Na ordem do leiaute oficial.",
    }
}

view! {
    pub(crate) struct FieldView {
        nome: &'static str = "Como se escreve no payload.",
        tag: String = "Caminho no XML oficial; a tag também é aceita.",
        descricao: String = "O que é, e o que acontece se faltar.",
        obrigatorio: bool = "Sem ele a nota não se monta.",
        lista: bool = "É uma lista.",
        grupo: bool = "É um grupo: pergunte por ele para ver os campos de dentro.",
        esquema: Value = "O que aceita, como JSON Schema; vazio num grupo.",
    }
}

pub(super) fn descrever_campos(_: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let documento = text(&arguments, "documento")?.unwrap_or_else(|| "nfe".to_owned());
        let path = text(&arguments, "grupo")?.unwrap_or_default().replace("[]", "");
        let path = path.strip_prefix("nota.").unwrap_or(&path).to_owned();
        let all = families::members(&documento).ok_or_else(|| {
            let detail = "documento deve ser um destes: nfe, nfce, cte, cte-os, nfse, nfse-municipal.";
            ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("documento")
        })?;
        let mut members: &[GroupMember] = &all;
        for step in path.split('.').filter(|step| !step.is_empty() && *step != "nota") {
            members = inside(members, step)?;
        }
        let campos = members.iter().map(field).collect();
        answer_value(Ok(Json(FieldsView { documento, grupo: path, campos })))
    })
}

/// Members of a group, by any of its names.
fn inside<'m>(members: &'m [GroupMember], name: &str) -> Result<&'m [GroupMember], ApiError> {
    let found = members.iter().find(|member| member.name == name || member.aliases.contains(&name));
    match found.map(|member| &member.body) {
        Some(MemberBody::Group(inner)) => Ok(inner),
        _ => {
            let groups = members.iter().filter(|member| matches!(member.body, MemberBody::Group(_)));
            let groups: Vec<&str> = groups.map(|member| member.name).collect();
            let name = fiscal::finding::excerpt(name);
            let detail = format!("Não há o grupo {name} aqui. Os grupos são: {}.", groups.join(", "));
            Err(ApiError::new(&error_code::NAO_ENCONTRADO, detail).at("grupo"))
        }
    }
}

fn field(member: &GroupMember) -> FieldView {
    let last = member.tag.rsplit('/').next().unwrap_or_default();
    let (grupo, esquema) = match &member.body {
        MemberBody::Group(_) => (true, Value::Object(JsonObject::new())),
        MemberBody::Value(types) => (false, leaf::values(last, member.name, types)),
    };
    FieldView {
        nome: member.name,
        tag: member.tag.clone(),
        descricao: nota::describe(member),
        obrigatorio: member.need == MemberRequirement::Required,
        lista: member.max > 1,
        grupo,
        esquema,
    }
}

pub(super) fn verificar_campos_nfe(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move { answer_value(verificar::<Nfe>(visit.state(), visit.authenticated(), Body(arguments)).await) })
}

pub(super) fn verificar_campos(visit: ToolContext, mut arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let documento = text(&arguments, "documento")?.unwrap_or_default();
        arguments.remove("documento");
        let (state, who, body) = (visit.state(), visit.authenticated(), Body(arguments));
        answer_value(match documento.as_str() {
            "nfce" => verificar::<Nfce>(state, who, body).await,
            "cte" => verificar::<Cte>(state, who, body).await,
            "nfse" => nfse::sem_emitir::verificar(state, who, body).await,
            _ => {
                let detail = "documento deve ser um destes: nfce, cte, nfse. Para a NF-e há verificar_campos_nfe.";
                Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("documento"))
            }
        })
    })
}
