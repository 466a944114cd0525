//! Merging of statements, and PostgreSQL's acceptance of every batch text of the store.

use super::*;
use crate::installation::KeyCode;
use crate::jobs::{
    ClaimRequest, DocumentOutcome, JobFailure, LogLine, NewJob, NumberRequest, Operacao, SignedDocument,
};
use crate::numbers::{NumberedKind, Series};
use crate::postgres::Postgres;
use crate::postgres::tests::on_a_new_database;
use crate::quotas::Familia;
use crate::row::params;
use crate::vault::MasterKey;
use crate::{Database, Location, Store};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo, Serie, TpAmb};
use uuid::Uuid;

fn asked(steps: &[SqlStep<'_>]) -> PendingRequest {
    let texts = BatchSqlCache::default();
    let desk = StatementBatcher::new(&texts);
    drop(desk.submit(steps));
    desk.lock().pop().unwrap()
}

/// The texts that are sent, each with the requests of its rows.
fn sent(asked: &mut [PendingRequest]) -> Vec<(String, Vec<Vec<usize>>)> {
    let askers = |trays: Vec<ReplySlot>| trays.iter().map(|tray| tray.request).collect();
    let sent = |question: MergedStatement| (question.sql, question.slots.into_iter().map(askers).collect());
    merge_statements(asked).into_iter().map(sent).collect()
}

#[test]
fn what_several_ask_is_asked_once_and_everyones_order_is_kept() {
    let own = |id: i64| SqlStep::per_row("own", params![id]);
    let common = |name: &str| SqlStep::identical("common", params![name]);
    let apart = || SqlStep::new("apart", params![1_i64]);
    let mut asked =
        [asked(&[common("a"), own(1), apart()]), asked(&[common("b"), apart(), own(2)]), asked(&[common("a"), own(3)])];
    let expected = [
        ("common", vec![vec![0, 2], vec![1]]),
        ("own", vec![vec![0], vec![2]]),
        ("apart", vec![vec![0]]),
        ("apart", vec![vec![1]]),
        ("own", vec![vec![1]]),
    ];
    assert_eq!(sent(&mut asked), expected.map(|(sql, askers)| (sql.to_owned(), askers)));
}

#[test]
fn answers_go_to_the_step_that_awaits_them() {
    let own = |sql, id: i64| SqlStep::per_row(sql, params![id]);
    let mut asked = [asked(&[own("a", 1), own("b", 1)]), asked(&[own("b", 2)])];
    let trays: Vec<Vec<Vec<ReplySlot>>> =
        merge_statements(&mut asked).into_iter().map(|question| question.slots).collect();
    let tray = |asker, step| vec![ReplySlot { request: asker, step }];
    assert_eq!(trays, [vec![tray(0, 0)], vec![tray(0, 1), tray(1, 0)]]);
}

const COMPANY: &str = "11222333000181";
const NOW: i64 = 1_795_200_000;

fn job(tenant_id: Uuid) -> NewJob {
    NewJob {
        id: Uuid::now_v7(),
        tenant_id,
        tipo: Tipo::Nfe,
        operacao: Operacao::Emissao,
        cpf_cnpj: CnpjCpf::parse(COMPANY).unwrap(),
        ambiente: TpAmb::Homologacao,
        referencia: Some(Uuid::now_v7().to_string()),
        payload: "{}".into(),
        webhook_url: None,
        notices: Vec::new(),
        alvo: None,
        act: None,
        authority: "SP".to_owned(),
        cota: Some(Familia::Nfe),
        destinatario: None,
        addressee: None,
        valor: None,
        request_id: None,
        author: None,
        by_hand: None,
    }
}

fn claim_request() -> ClaimRequest {
    let (codigo, etapa, mensagem) = (String::new(), String::new(), String::new());
    let if_unreadable = JobFailure { codigo, etapa, mensagem, repetivel: false, proxima_tentativa_em: None };
    ClaimRequest {
        now: NOW,
        leases_now: NOW,
        lease_until: NOW + 60,
        limit: 1,
        except_authorities: Vec::new(),
        if_unreadable,
    }
}

fn reserve() -> NumberRequest {
    let cpf_cnpj = CnpjCpf::parse(COMPANY).unwrap();
    NumberRequest {
        series: Series { cpf_cnpj, counted: NumberedKind::Nfe, serie: Serie::from(1), ambiente: TpAmb::Homologacao },
        asked_numero: None,
        codigo_aleatorio: KeyCode::Fixed(1),
        tipo_emissao: 1,
        dhEmi: String::new(),
        contingencia: None,
        fresh: false,
    }
}

fn prepared(numero: u64, asked_by: String) -> SignedDocument {
    SignedDocument {
        state: DocumentState::Sending,
        numero,
        asked_by,
        chave: None,
        xml: "<NFe/>".into(),
        digest: String::new(),
        valor: String::new(),
        dhEmi: String::new(),
        destinatario: None,
        qrCode: None,
    }
}

fn rejected() -> DocumentOutcome {
    DocumentOutcome {
        state: DocumentState::Rejected,
        nProt: None,
        dhRecbto: None,
        codigo: Codigo::from(610),
        xMotivo: String::new(),
        campo: None,
        rejeicoes: Vec::new(),
        written: None,
        xml: None,
        number_is_gone: false,
        number_is_kept: false,
    }
}

/// Runs a job from its registration to its end.
async fn issue(store: &Store, job: NewJob) {
    let (tenant, company, reference) = (job.tenant_id, job.cpf_cnpj, job.referencia.clone());
    store.register(job, NOW).await.unwrap();
    let claimed = store.claim(claim_request()).await.unwrap().pop().unwrap();
    let lease = claimed.lease;
    let log = || vec![LogLine { at_ms: NOW, text: String::new() }];
    let numero = store.reserve(lease, reserve(), NOW).await.unwrap().numero;
    store.begin_sending(lease, prepared(numero, claimed.job.id.to_string()), NOW, log()).await.unwrap();
    store.settle(lease, rejected(), NOW, log()).await.unwrap();
    store.issue_state(tenant, reference.as_deref(), company).await.unwrap();
}

fn postgres(store: &Store) -> &Postgres {
    match &store.shared.database {
        Database::Postgres(postgres) => postgres,
        _ => panic!("another database"),
    }
}

#[tokio::test]
async fn what_the_store_asks_for_many_is_understood() {
    on_a_new_database(|_, url| async move {
        let store = Store::open(&Location::parse(&url).unwrap(), MasterKey::new([42; 32])).await.unwrap();
        let tenant = Uuid::now_v7();
        let notes: Vec<_> = (0..20)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { issue(&store, job(tenant)).await })
            })
            .collect();
        for note in notes {
            note.await.unwrap();
        }
        let mut asked = 0;
        for texts in postgres(&store).batch_sql_caches() {
            assert!(texts.is_usable());
            asked += texts.len();
        }
        assert!(asked >= 18, "asked for many: {asked}");
    })
    .await;
}
