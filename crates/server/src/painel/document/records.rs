//! Records that a document's page shows, read once per page.

use engine::jobs::query::FileError;
use fiscal::contents::DocumentContents;
use fiscal::lifecycle::DocumentState;
use store::Visibility;
use store::companies::Company;
use store::events::EventRow;
use store::jobs::{Job, JobAct, JobAuthor, JobDocument, LogLine};
use store::webhooks::{DeliveryFilter, DeliveryRecord};
use uuid::Uuid;

use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::job::JobFacts;
use crate::api::job::view::FilesView;
use crate::api::permission::RequiredPermission;
use crate::app::App;
use crate::painel::panel_session::PanelSession;

/// Records of a document's page.
pub(super) struct DocumentRecords {
    pub(super) job: Job,
    pub(super) company: Option<Company>,
    pub(super) time: CivilTime,
    pub(super) files: FilesView,
    pub(super) contents: Option<DocumentContents>,
    pub(super) author: Option<JobAuthor>,
    /// Jobs that act on the document, newest first.
    pub(super) acts: Vec<Job>,
    /// Events of its key, those of other systems included.
    pub(super) events: Vec<EventRow>,
    pub(super) log: Vec<LogLine>,
    pub(super) deliveries: Vec<DeliveryRecord>,
    /// Former transmissions under its key.
    pub(super) former: usize,
    /// True when the user's role acts on documents of this company.
    pub(super) may_act: bool,
    /// Items that the rejection names: number and description.
    pub(super) guilty: Vec<(usize, String)>,
}

impl DocumentRecords {
    /// Reads what belongs to a job, whose acts were read before it.
    pub(super) async fn read(
        app: &App,
        visitor: &PanelSession,
        job: Job,
        acts: Vec<Job>,
    ) -> Result<DocumentRecords, ApiError> {
        let (store, sight) = (app.store(), Visibility::of(&visitor.at.caller));
        let facts = JobFacts::read(store, job.clone()).await?;
        let files = facts.view().operation.arquivos;
        let chave = job.document.as_ref().and_then(|document| document.chave);
        let acted = chave.or_else(|| job.act.as_ref().and_then(JobAct::event).map(|event| event.chave));
        let events = match acted {
            Some(chave) => store.events(job.tenant_id, chave.as_str()).await?,
            None => Vec::new(),
        };
        let asked_by = job.document.as_ref().and_then(|document| document.asked_by.clone());
        let former = match asked_by {
            Some(asked_by) => store.transmissions(job.tenant_id, &asked_by).await?.len(),
            None => 0,
        };
        let filter = DeliveryFilter { job_id: Some(job.id), ..DeliveryFilter::default() };
        let (deliveries, _) = store.deliveries(sight, filter, MOST_DELIVERIES, 0).await?;
        let (contents, guilty) = read_contents(app, sight, &job).await?;
        Ok(DocumentRecords {
            time: facts.time,
            company: facts.company,
            files,
            contents,
            author: store.job_author(job.tenant_id, job.id).await?,
            acts,
            events,
            log: store.log(job.tenant_id, job.id).await?,
            deliveries,
            former,
            guilty,
            may_act: visitor.may_in(app, RequiredPermission::Act, job.cpf_cnpj).await?,
            job,
        })
    }

    pub(super) fn document(&self) -> Option<&JobDocument> {
        self.job.document.as_ref()
    }
}

/// Jobs that act on the document of an id, newest first; none for what is no id.
pub(super) async fn acts(app: &App, visitor: &PanelSession, id: &str) -> Result<Vec<Job>, ApiError> {
    let Ok(id) = Uuid::parse_str(id) else { return Ok(Vec::new()) };
    Ok(app.store().acts_on(Visibility::of(&visitor.at.caller), id, MOST_ACTS).await?)
}

/// Contents of the document, and the items that its rejection names. A document may be large.
async fn read_contents(
    app: &App,
    sight: Visibility,
    job: &Job,
) -> Result<(Option<DocumentContents>, Vec<(usize, String)>), ApiError> {
    let (engine, read) = (app.engine().clone(), job.clone());
    let case = async move {
        let contents = engine.document_contents(&read).await?;
        if read.document.as_ref().map(|document| document.state) != Some(DocumentState::Rejected) {
            return Ok((contents, Vec::new()));
        }
        let items = engine.items(sight, read.id).await.map_err(FileError::Store)?.items;
        let name = |item: &serde_json::Value| {
            let goods = item.get("prod").unwrap_or(item);
            goods.get("xProd").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
        };
        let guilty = items.iter().filter(|item| item.caused_rejection).take(MOST_GUILTY);
        Ok((contents, guilty.map(|item| (item.item, name(&item.produto))).collect()))
    };
    match app.dispatch_use_case(job.tenant_id, true, case).await? {
        Ok(read) => Ok(read),
        Err(FileError::Store(error)) => Err(error.into()),
        Err(other) => Err(ApiError::broken(&other)),
    }
}

const MOST_ACTS: u32 = 50;
const MOST_DELIVERIES: usize = 20;
const MOST_GUILTY: usize = 20;
