//! Reports of failures and rejections, and the search by business attributes.

use crate::world::{CNPJ, NOW, OTHER_CNPJ, World, on_both, outcome};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, Codigo};
use store::Visibility;
use store::jobs::report::{ReasonCount, ReportKind, ReportReason, ReportScope};
use store::jobs::{JobFailure, JobSearch, NewJob};
use store::notes::{ListWindow, Period};
use uuid::Uuid;

const ALL: ListWindow = ListWindow { limit: 200, skip: 0 };

async fn failed(world: &World, codigo: &str, mensagem: &str) -> Uuid {
    let lease = world.begun().await;
    let failure = JobFailure {
        codigo: codigo.to_owned(),
        etapa: "validacao".to_owned(),
        mensagem: mensagem.to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    };
    world.store.fail_job(lease, failure, None, NOW, Vec::new()).await.unwrap();
    lease.job_id
}

async fn rejected(world: &World, codigo: u16, xMotivo: &str) -> Uuid {
    let lease = world.sending_anew().await;
    let outcome = store::jobs::DocumentOutcome {
        codigo: codigo.into(),
        xMotivo: xMotivo.to_owned(),
        ..outcome(DocumentState::Rejected)
    };
    world.store.settle(lease, outcome, NOW, Vec::new()).await.unwrap();
    lease.job_id
}

fn scope(world: &World) -> ReportScope {
    ReportScope {
        visibility: Visibility::whole(world.tenant),
        periodo: Period::default(),
        emitente: None,
        tipo: None,
        ambiente: None,
    }
}

async fn entries(world: &World, report: ReportKind, scope: ReportScope) -> (Vec<Uuid>, u64) {
    let (jobs, total) = world.store.report(report, scope, ALL).await.unwrap();
    (jobs.iter().map(|job| job.id).collect(), total)
}

fn second_of(id: Uuid) -> i64 {
    i64::try_from(id.get_timestamp().unwrap().to_unix().0).unwrap()
}

on_both! {
    async fn each_report_holds_its_own_newest_first(world) {
        let one = failed(&world, "certificado_expirado", "Expirou.").await;
        let refused = rejected(&world, 610, "Rejeição: Total da NF difere").await;
        let two = failed(&world, "numero_em_uso", "Em uso.").await;
        assert_eq!(entries(&world, ReportKind::Failed, scope(&world)).await, (vec![two, one], 2));
        assert_eq!(entries(&world, ReportKind::Rejected, scope(&world)).await, (vec![refused], 1));
        let (page, total) = world.store.report(ReportKind::Failed, scope(&world), ListWindow { limit: 1, skip: 1 }).await.unwrap();
        assert_eq!((page[0].id, page.len(), total), (one, 1, 2));
        assert_eq!(page[0].erro.as_ref().unwrap().mensagem, "Expirou.");
        let stranger = ReportScope { visibility: Visibility::whole(Uuid::now_v7()), ..scope(&world) };
        assert_eq!(entries(&world, ReportKind::Failed, stranger).await, (vec![], 0));
    }

    async fn a_report_is_narrowed_by_period_and_attributes(world) {
        for report in [ReportKind::Failed, ReportKind::Rejected] {
            let id = match report {
                ReportKind::Failed => failed(&world, "x", "X.").await,
                ReportKind::Rejected => rejected(&world, 778, "NCM").await,
            };
            let (at, all) = (second_of(id), || scope(&world));
            let period = |from, until| Period { from: Some(from), until: Some(until) };
            for (scope, hit) in [
                (ReportScope { periodo: period(at, at + 1), ..all() }, true),
                (ReportScope { periodo: period(at + 1, at + 9), ..all() }, false),
                (ReportScope { periodo: period(at - 9, at), ..all() }, false),
                (ReportScope { emitente: CnpjCpf::parse(CNPJ).ok(), ..all() }, true),
                (ReportScope { emitente: CnpjCpf::parse(OTHER_CNPJ).ok(), ..all() }, false),
                (ReportScope { tipo: Some("nfe".to_owned()), ..all() }, true),
                (ReportScope { tipo: Some("cte".to_owned()), ..all() }, false),
                (ReportScope { ambiente: Some(fiscal::value::TpAmb::Homologacao), ..all() }, true),
                (ReportScope { ambiente: Some(fiscal::value::TpAmb::Producao), ..all() }, false),
            ] {
                let expected = if hit { (vec![id], 1) } else { (vec![], 0) };
                assert_eq!(entries(&world, report, scope.clone()).await, expected, "{scope:?}");
                assert_eq!(world.store.report_reasons(report, scope).await.unwrap().len(), usize::from(hit));
            }
        }
    }

    async fn reasons_are_grouped_with_the_newest_example(world) {
        failed(&world, "numero_em_uso", "O número 1 está em uso.").await;
        let newest = failed(&world, "numero_em_uso", "O número 2 está em uso.").await;
        let other = failed(&world, "certificado_expirado", "Expirou.").await;
        let reason = |codigo: &str, mensagem: &str, count, example| ReasonCount {
            reason: ReportReason::Failed { codigo: codigo.to_owned(), mensagem: mensagem.to_owned() },
            count,
            example,
        };
        assert_eq!(
            world.store.report_reasons(ReportKind::Failed, scope(&world)).await.unwrap(),
            [
                reason("numero_em_uso", "O número 2 está em uso.", 2, newest),
                reason("certificado_expirado", "Expirou.", 1, other)
            ]
        );
        rejected(&world, 778, "NCM [nItem:1]").await;
        let newest = rejected(&world, 778, "NCM [nItem:2]").await;
        let why = ReportReason::Rejected { tipo: Tipo::Nfe, codigo: Codigo::from(778), xMotivo: "NCM [nItem:2]".to_owned() };
        let expected = [ReasonCount { reason: why, count: 2, example: newest }];
        assert_eq!(world.store.report_reasons(ReportKind::Rejected, scope(&world)).await.unwrap(), expected);
    }

    async fn a_job_is_found_by_what_was_sold(world) {
        let sold = |destinatario: &str, valor: &str| NewJob {
            destinatario: Some(destinatario.to_owned()),
            valor: Some(valor.to_owned()),
            ..world.job()
        };
        let old = world.register(sold(OTHER_CNPJ, "100.00")).await;
        let new = world.register(sold(OTHER_CNPJ, "100.00")).await;
        let else_ = world.register(sold(CNPJ, "7.50")).await;
        let none = JobSearch { emitente: None, destinatario: None, valor: None, periodo: Period::default() };
        let number = |text: &str| CnpjCpf::parse(text).ok();
        let (at, value) = (second_of(old), |text: &str| Some(text.to_owned()));
        for (search, expected) in [
            (JobSearch { destinatario: number(OTHER_CNPJ), ..none.clone() }, vec![new, old]),
            (JobSearch { valor: value("7.50"), ..none.clone() }, vec![else_]),
            (JobSearch { emitente: number(CNPJ), ..none.clone() }, vec![else_, new, old]),
            (JobSearch { emitente: number(OTHER_CNPJ), ..none.clone() }, vec![]),
            (JobSearch { destinatario: number(OTHER_CNPJ), valor: value("7.50"), ..none.clone() }, vec![]),
            (JobSearch { valor: value("100.00"), periodo: Period { from: Some(at + 60), until: None }, ..none.clone() }, vec![]),
            (none, vec![else_, new, old]),
        ] {
            let found = world.store.find_jobs(Visibility::whole(world.tenant), search.clone(), ALL).await.unwrap();
            assert_eq!(found.iter().map(|job| job.id).collect::<Vec<_>>(), expected, "{search:?}");
            assert!(world.store.find_jobs(Visibility::whole(Uuid::now_v7()), search, ALL).await.unwrap().is_empty());
        }
    }
}
