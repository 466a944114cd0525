//! `GET /v1/emails` and `GET /v1/emails/{id}`.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use fiscal::value::TpAmb;
use store::mail::{MailAttempt, MailFilter, MailKind, MailRecord, MailStatus};
use store::notes::ListWindow;
use uuid::Uuid;

use super::find;
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::query::{PageParameters, PageView, Query};
use crate::api::view::view;
use crate::api::words::Word;
use crate::app::App;

view! {
    pub(crate) struct MailsView = "ListaDeEmails": "Uma página de e-mails." {
        emails: Vec<MailView> = "O mais novo primeiro.",
        #[flatten] page: PageView,
    }
}

view! {
    pub(crate) struct MailView = "Email": "Um e-mail e como ele está." {
        email_id: Uuid = "Identificador (UUID), que está também no `Message-ID`.",
        tipo: Word<MailKind> = "Do que fala.",
        ambiente: Word<TpAmb> = "Do documento.",
        job_id: Option<Uuid> = "A emissão do documento.",
        exportacao_id: Option<Uuid> = "A exportação que terminou.",
        para: Option<String> = "Para quem; nulo até o documento ser lido.",
        copia_para: Option<String> = "Quem recebe cópia.",
        assunto: Option<String> = "O assunto; nulo até a primeira tentativa.",
        status: Word<MailStatus> = "Como está.",
        tentativas: u32 = "Tentativas feitas.",
        criado_em: Moment = "Quando entrou na fila.",
        proxima_tentativa_em: Option<Moment> = "Quando será tentado de novo.",
        concluido_em: Option<Moment> = "Quando terminou.",
    }
}

view! {
    pub(crate) struct MailDetailView = "EmailComHistorico": "Um e-mail com suas tentativas." {
        #[flatten] email: MailView,
        historico: Vec<MailAttemptView> = "As últimas 100 tentativas, a mais antiga primeiro.",
    }
}

view! {
    pub(crate) struct MailAttemptView = "TentativaDeEmail": "O que houve em uma tentativa." {
        tentativa: u32 = "De 1 em diante.",
        em: Moment = "Quando terminou.",
        etapa: String = "Até onde chegou.",
        codigo_smtp: Option<u16> = "O código que o servidor respondeu.",
        resposta: String = "O que o servidor respondeu, ou por que não houve resposta, até 500 caracteres.",
    }
}

/// `GET /v1/emails?status&job_id&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<MailsView>, ApiError> {
    let mut query = Query::new(query.as_deref());
    let job = query.text("job_id").map(Uuid::parse_str).transpose();
    if job.is_err() {
        query.refuse("job_id", "job_id deve ser o UUID de um job.".to_owned());
    }
    let status = query.choice("status", &MailStatus::ALL.map(|status| (status.word(), status)));
    let page = PageParameters::read(&mut query);
    let avisos = query.finish()?;
    let filter = MailFilter { status, job: job.unwrap_or_default() };
    let window = ListWindow { limit: page.limite, skip: page.skip() };
    let (rows, total) = app.store().mails(caller.tenant_id, caller.ambiente, filter, window).await?;
    Ok(Json(MailsView { emails: rows.into_iter().map(mail).collect(), page: page.view(total, avisos) }))
}

/// `GET /v1/emails/{id}`
pub(crate) async fn detalhar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path(id): Path<String>,
) -> Result<Json<MailDetailView>, ApiError> {
    let (record, attempts) = find(&app, &caller, &id).await?;
    Ok(Json(MailDetailView { email: mail(record), historico: attempts.into_iter().map(attempt).collect() }))
}

/// View of a mail.
pub(super) fn mail(record: MailRecord) -> MailView {
    let time = CivilTime::of(None);
    MailView {
        email_id: record.id,
        tipo: Word(record.kind),
        ambiente: Word(record.ambiente),
        job_id: record.job,
        exportacao_id: record.export,
        para: record.para,
        copia_para: record.copia_para,
        assunto: record.assunto,
        status: Word(record.status),
        tentativas: record.tentativas,
        criado_em: time.at(record.criado_em),
        proxima_tentativa_em: record.proxima_em.filter(|_| !record.claimed).map(|at| time.at(at)),
        concluido_em: record.concluido_em.map(|at| time.at(at)),
    }
}

fn attempt(attempt: MailAttempt) -> MailAttemptView {
    MailAttemptView {
        tentativa: attempt.tentativa,
        em: CivilTime::of(None).at(attempt.em),
        etapa: attempt.etapa,
        codigo_smtp: attempt.codigo,
        resposta: attempt.resposta,
    }
}
