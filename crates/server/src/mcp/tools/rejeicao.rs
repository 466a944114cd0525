//! Tool that explains a rejection: the rule, its source, the field, the remedy.

use axum::Json;
use fiscal::cstat;
use fiscal::nfe::describe::field_name;
use rmcp::model::JsonObject;

use super::answer_value;
use crate::api::docs::remedies;
use crate::api::docs::table_pages::MUNICIPAL_CODES;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::view::view;
use crate::mcp::argument::text;
use crate::mcp::tool::{ToolContext, ToolFuture};

view! {
    pub(crate) struct ExplainedRejectionView = "RejeicaoExplicada": "O que um código da autoridade quer dizer." {
        codigo: String = "O código (`codigo_status`).",
        documento: String = "De que documento se fala.",
        motivo: Option<String> = "O texto oficial.",
        regras: Vec<RuleView> = "As regras que o serviço conhece com este código; vazia quando só a autoridade decide.",
        o_que_fazer: Option<String> = "O que fazer, quando não há regra que o diga.",
        guia: &'static str = "A página com todos os códigos ou regras.",
    }
}

view! {
    pub(crate) struct RuleView {
        regra: String = "O nome dela no texto oficial.",
        texto: String = "O que ela exige, no texto oficial.",
        fonte: String = "De onde vem.",
        campo: Option<String> = "O campo, como se escreve no payload ou no XML.",
        o_que_fazer: Option<String> = "A correção.",
    }
}

/// Explanation of a code.
struct CodeExplanation {
    motivo: Option<String>,
    regras: Vec<RuleView>,
    o_que_fazer: Option<String>,
    guia: &'static str,
}

pub(super) fn explicar_rejeicao(_: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let codigo = text(&arguments, "codigo")?.unwrap_or_default();
        let documento = text(&arguments, "documento")?.unwrap_or_else(|| "nfe".to_owned());
        let known = match documento.as_str() {
            "nfe" | "nfce" => explain_nfe(&codigo),
            "cte" => explain_cte(&codigo),
            "nfse" => explain_abrasf(&codigo).or_else(|| explain_nfse(&codigo)),
            _ => {
                let detail = "documento deve ser um destes: nfe, nfce, cte, nfse.";
                return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail).at("documento"));
            }
        };
        let says =
            |known: &CodeExplanation| known.motivo.is_some() || known.o_que_fazer.is_some() || !known.regras.is_empty();
        let unknown = || {
            let codigo = fiscal::finding::excerpt(&codigo);
            ApiError::new(&error_code::NAO_ENCONTRADO, format!("Não conhecemos o código {codigo} de {documento}."))
                .at("codigo")
        };
        let CodeExplanation { motivo, regras, o_que_fazer, guia } = known.filter(says).ok_or_else(unknown)?;
        answer_value(Ok(Json(ExplainedRejectionView { codigo, documento, motivo, regras, o_que_fazer, guia })))
    })
}

fn plain(motivo: &str) -> String {
    motivo.trim_start_matches("Rejeição: ").to_owned()
}

fn explain_nfe(codigo: &str) -> Option<CodeExplanation> {
    let number: u16 = codigo.parse().ok()?;
    let rules = fiscal::nfe::rules::RULES.iter().filter(|rule| rule.cStat == number).map(|rule| RuleView {
        regra: rule.id.to_owned(),
        texto: plain(rule.xMotivo()),
        fonte: rule.source().to_owned(),
        campo: rule.field().map(field_name),
        o_que_fazer: rule.remedy().map(str::to_owned),
    });
    Some(CodeExplanation {
        motivo: cstat::motivo(number).map(plain),
        regras: rules.collect(),
        o_que_fazer: remedies::remedy(number).map(str::to_owned),
        guia: "/docs/guia/codigos",
    })
}

fn explain_cte(codigo: &str) -> Option<CodeExplanation> {
    let number: u16 = codigo.parse().ok()?;
    let motivo = cstat::cte::motivo(number).map(plain);
    let rules = fiscal::cte::rules::all().filter(|rule| rule.cStat == number).map(|rule| RuleView {
        regra: rule.ids().into_iter().filter(|id| !id.is_empty()).collect::<Vec<_>>().join(", "),
        texto: plain(rule.xMotivo()),
        fonte: rule.source().to_owned(),
        campo: Some(rule.field().to_owned()),
        o_que_fazer: rule.remedy().map(str::to_owned),
    });
    Some(CodeExplanation { motivo, regras: rules.collect(), o_que_fazer: None, guia: "/docs/guia/regras-do-cte" })
}

/// Explanation of an ABRASF code, which has up to three digits after its letter; the Sefin's have four.
fn explain_abrasf(codigo: &str) -> Option<CodeExplanation> {
    const MOST: usize = 3;
    let digits = codigo.strip_prefix(['E', 'e']).filter(|digits| digits.len() <= MOST)?;
    let number: u16 = digits.parse().ok()?;
    let own = format!("E{number}");
    let rules =
        fiscal::abrasf::rules::codes().filter(|(codigo, _)| *codigo == own).map(|(codigo, mensagem)| RuleView {
            regra: codigo.to_owned(),
            texto: mensagem.to_owned(),
            fonte: "ABRASF, manual de integração 1.00, anexo de erros".to_owned(),
            campo: None,
            o_que_fazer: None,
        });
    let advice = fiscal::value::Codigo::parse(&own).ok().and_then(|codigo| cstat::abrasf::remedy(&codigo));
    Some(CodeExplanation {
        motivo: None,
        regras: rules.collect(),
        o_que_fazer: advice.map(str::to_owned),
        guia: MUNICIPAL_CODES.address,
    })
}

fn explain_nfse(codigo: &str) -> Option<CodeExplanation> {
    let rules = fiscal::nfse::rules::all().iter().filter(|rule| rule.codigo == codigo).map(|rule| RuleView {
        regra: rule.codigo.to_owned(),
        texto: rule.mensagem().replace("{}", "…"),
        fonte: rule.source().to_owned(),
        campo: Some(rule.path.to_owned()).filter(|path| !path.is_empty()),
        o_que_fazer: rule.remedy().map(str::to_owned),
    });
    let motivo = fiscal::nfse::rules::book::mensagem(codigo).map(|text| text.replace("{}", "…"));
    let regras: Vec<RuleView> = rules.collect();
    let advice = fiscal::nfse::rules::advice(codigo).filter(|_| regras.is_empty()).map(str::to_owned);
    Some(CodeExplanation { motivo, regras, o_que_fazer: advice, guia: "/docs/guia/regras-da-nfse" })
}
