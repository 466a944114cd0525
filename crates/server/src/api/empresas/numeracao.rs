//! `GET /v1/empresas/numeracao`: the last authorised number of every sequence. Reads, and reserves nothing.
//!
//! Law: `docs/contract.md`, "Companies".

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::value::{CnpjCpf, TpAmb};
use store::Visibility;
use store::numbers::{SequenceNumbers, SequenceRange};

use super::settings::ConfigurationTable;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::query::Query;
use crate::api::schema::Type;
use crate::api::view::{Maybe, View, view};
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct NumberingView = "Numeracao": "As sequências da conta." {
        total: usize = "Quantos há ao todo.",
        numeracao: Vec<SequenceView> = "Um registro por sequência.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    pub(crate) struct SequenceView = "Sequencia": "Uma sequência de números." {
        cpf_cnpj: CnpjCpf = "A empresa.",
        tipo: &'static str as ["nfe", "nfce", "nfse", "cte"] = "Tipo de documento.",
        modelo: Option<u8> = "55, 65, 57 ou 67; nulo na NFS-e.",
        serie: String = "Série.",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        ultimo_numero: Option<u64> = "O da última nota autorizada; nulo quando não houve nenhuma.",
        proximo_numero: Option<u64> = "O que a próxima nota sem número receberia agora.",
        lacunas: Maybe<Vec<GapView>> as LACUNAS = "Só com `lacunas=true`: o que falta na sequência.",
        orientacao_lacunas: Maybe<&'static str> = "Só onde há lacunas: o que a lei pede de um número que ninguém usará.",
    }
}

view! {
    pub(crate) struct GapView {
        numero_inicial: u64 = "O primeiro número do trecho; o da NF-e, como `POST /v1/nfe/inutilizar` o recebe.",
        numero_final: u64 = "O último número do trecho.",
        quantidade: u64 = "Quantos números.",
    }
}

const LACUNAS: Type = Type::ListUpTo(&Type::Group(GapView::MEMBERS), MOST_GAPS);

/// `GET /v1/empresas/numeracao`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<NumberingView>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let cnpj = query.cpf_cnpj("cnpj");
    let tipo = query.choice("tipo", &[("nfe", "nfe"), ("nfce", "nfce"), ("nfse", "nfse"), ("cte", "cte")]);
    let lacunas = query.flag("lacunas");
    let avisos = query.finish()?;
    let mut numeracao = Vec::new();
    for sequence in app.store().numberings(Visibility::of(&caller), cnpj).await? {
        let Some(mut record) = shown(&sequence, tipo) else { continue };
        if lacunas == Some(true) && sequence.series.counted.modelo().is_some() {
            let is_uncertain = app.store().is_uncleared(caller.tenant_id, sequence.series).await?;
            let gaps = match is_uncertain {
                true => Vec::new(),
                false => app.store().gaps(caller.tenant_id, sequence.series, MOST_GAPS).await?,
            };
            let advice = if is_uncertain { Some(UNCERTAIN) } else { law(record.tipo).filter(|_| !gaps.is_empty()) };
            record.orientacao_lacunas = Maybe(advice);
            record.lacunas = Maybe(Some(gaps.iter().map(gap).collect()));
        }
        numeracao.push(record);
    }
    Ok(Json(NumberingView { total: numeracao.len(), numeracao, avisos }))
}

/// A number that seems unused may belong to an authorised document.
const UNCERTAIN: &str = "O banco é uma cópia restaurada, e a autoridade ainda não disse até onde esta série foi usada: um número que falta aqui pode ser o de uma \
     nota autorizada. Nada deve ser inutilizado antes disso.";

/// Duty that the law sets for an unused number: NF-e and NFC-e, MOC 7.0 (inutilização); CT-e, MOC CT-e 4.00 (the
/// service was eliminated).
fn law(tipo: &str) -> Option<&'static str> {
    match tipo {
        "nfe" => Some("Declare cada trecho até o dia 10 do mês seguinte, com POST /v1/nfe/inutilizar."),
        "nfce" => Some("Declare cada trecho até o dia 10 do mês seguinte, com POST /v1/nfce/inutilizar."),
        "cte" => Some(
            "O CT-e 4.00 não tem inutilização (MOC CT-e 4.00): um número pulado fica sem uso e nada há a declarar à autoridade. Guarde o motivo do \
             salto para quem fiscaliza; nenhum CT-e receberá estes números, a menos que a nota peça um deles em nCT.",
        ),
        _ => None,
    }
}

/// Gaps listed of a sequence; further ones are listed when these are voided.
const MOST_GAPS: u32 = 100;

/// A gap with the members of the body of `inutilizar`.
fn gap(gap: &SequenceRange) -> GapView {
    GapView { numero_inicial: gap.from, numero_final: gap.until, quantidade: gap.until - gap.from + 1 }
}

fn shown(sequence: &SequenceNumbers, wanted: Option<&str>) -> Option<SequenceView> {
    let series = &sequence.series;
    let tipo =
        ConfigurationTable::tipo_of(series.counted).filter(|tipo| wanted.is_none_or(|wanted| wanted == *tipo))?;
    Some(SequenceView {
        cpf_cnpj: series.cpf_cnpj,
        tipo,
        modelo: series.counted.modelo(),
        serie: series.serie.to_string(),
        ambiente: Word(series.ambiente),
        ultimo_numero: sequence.last,
        proximo_numero: sequence.next,
        lacunas: Maybe(None),
        orientacao_lacunas: Maybe(None),
    })
}
