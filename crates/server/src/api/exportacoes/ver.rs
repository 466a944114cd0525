//! `GET /v1/exportacoes` and `GET /v1/exportacoes/{id}`.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use store::Visibility;
use store::exports::{ExportForms, ExportRow, ExportState};
use store::notes::ListWindow;
use uuid::Uuid;

use super::find;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::query::{PageParameters, PageView};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct ExportsView = "ListaDeExportacoes": "Uma página de exportações." {
        exportacoes: Vec<ExportView> = "A mais nova primeiro.",
        #[flatten] page: PageView,
    }
}

view! {
    pub(crate) struct ExportView = "Exportacao": "Uma exportação e como ela está." {
        exportacao_id: Uuid = "Identificador (UUID).",
        cpf_cnpj: CnpjCpf = "A empresa.",
        ambiente: Word<TpAmb> = "O da credencial que a pediu.",
        de: String = "Primeiro dia de emissão.",
        ate: String = "Último dia de emissão.",
        tipos: Vec<Word<Tipo>> = "Os tipos de documento; vazio são todos.",
        com_pdf: bool = "Se leva os formulários impressos.",
        pdf_unico: bool = "Se eles vêm juntos em poucos PDFs.",
        status: String as ["pendente", "em_andamento", "concluida", "falhou", "expirada"] = "Como está.",
        documentos: u64 = "Quantos documentos o período tem; 0 antes do começo.",
        documentos_prontos: u64 = "Quantos já estão no arquivo.",
        bytes: u64 = "O tamanho do arquivo até agora.",
        tentativas: u32 = "Quantas vezes foi começada: mais de 1 se um processo parou no meio.",
        criado_em: Moment = "Quando foi pedida.",
        concluido_em: Option<Moment> = "Quando terminou.",
        expira_em: Option<Moment> = "Quando o arquivo será apagado.",
        erro: Option<String> = "Por que falhou.",
        arquivo: Option<String> = "Caminho para baixar, enquanto há arquivo.",
    }
}

/// `GET /v1/exportacoes`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<ExportsView>, ApiError> {
    let (page, avisos) = PageParameters::alone(query.as_deref())?;
    let window = ListWindow { limit: page.limite, skip: page.skip() };
    let (rows, total) = app.store().exports(Visibility::of(&caller), caller.ambiente, window).await?;
    let now = app.engine().now_s();
    let exportacoes = rows.into_iter().map(|row| shown(row, now)).collect();
    Ok(Json(ExportsView { exportacoes, page: page.view(total, avisos) }))
}

/// `GET /v1/exportacoes/{id}`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(id): Path<String>,
) -> Result<Json<ExportView>, ApiError> {
    Ok(Json(shown(find(&app, &caller, &id).await?, app.engine().now_s())))
}

/// True while the file can be downloaded.
pub(crate) fn has_file(export: &ExportRow, now: i64) -> bool {
    export.state == ExportState::Done && !is_expired(export, now)
}

/// True when the file was, or is about to be, removed.
pub(crate) fn is_expired(export: &ExportRow, now: i64) -> bool {
    export.state == ExportState::Expired || export.expira_em.is_some_and(|end| end <= now)
}

/// Word of an export's state.
pub(crate) fn status(export: &ExportRow, now: i64) -> &'static str {
    match export.state {
        _ if is_expired(export, now) => "expirada",
        ExportState::Unfinished if export.token.is_some() => "em_andamento",
        ExportState::Unfinished => "pendente",
        ExportState::Done => "concluida",
        ExportState::Failed => "falhou",
        ExportState::Expired => "expirada",
    }
}

fn shown(export: ExportRow, now: i64) -> ExportView {
    let time = CivilTime::of(None);
    ExportView {
        exportacao_id: export.id,
        cpf_cnpj: export.cpf_cnpj,
        ambiente: Word(export.ambiente),
        status: status(&export, now).to_owned(),
        arquivo: has_file(&export, now).then(|| format!("/v1/exportacoes/{}/arquivo", export.id)),
        de: export.de,
        ate: export.ate,
        tipos: export.tipos.into_iter().map(Word).collect(),
        com_pdf: export.forms != ExportForms::Absent,
        pdf_unico: export.forms == ExportForms::Joined,
        documentos: export.total,
        documentos_prontos: export.feitas,
        bytes: export.bytes,
        tentativas: export.tentativas,
        criado_em: time.at(export.criado_em),
        concluido_em: export.concluido_em.map(|at| time.at(at)),
        expira_em: export.expira_em.map(|at| time.at(at)),
        erro: export.erro,
    }
}
