//! Exports: pages of documents, attempts by lease, files that end.

use crate::notes::cancel;
use crate::world::{CNPJ, NOW, World, on_both, outcome, reserve, series};
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, TpAmb};
use store::audit::Actor;
use store::exports::{ExportForms, ExportProgress, ExportScope, ExportState, NewExport};
use store::notes::ListWindow;
use store::numbers::NumberState;
use store::{Error, Visibility};
use uuid::Uuid;

fn scope(world: &World, from: &str, until: &str) -> ExportScope {
    ExportScope {
        tenant: world.tenant,
        ambiente: TpAmb::Homologacao,
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        from: from.to_owned(),
        until: until.to_owned(),
        tipos: Vec::new(),
    }
}

fn new_export(world: &World) -> NewExport {
    NewExport {
        tenant: world.tenant,
        id: Uuid::now_v7(),
        ambiente: TpAmb::Homologacao,
        cpf_cnpj: CnpjCpf::parse(CNPJ).unwrap(),
        de: "2026-11-01".to_owned(),
        ate: "2026-11-30".to_owned(),
        tipos: Vec::new(),
        avisar: None,
        forms: ExportForms::Separate,
        most: 3,
        since: NOW - 1,
    }
}

async fn authorised(world: &World) -> Uuid {
    let lease = world.sending_anew().await;
    world.store.settle(lease, outcome(DocumentState::Authorized), NOW, Vec::new()).await.unwrap();
    lease.job_id
}

/// Clears parts until there are none; returns the number of steps.
async fn clear(world: &World) -> u32 {
    let mut steps = 0;
    while world.store.clear_export_parts().await.unwrap() {
        steps += 1;
    }
    steps
}

fn after(partes: u32) -> ExportProgress {
    ExportProgress { feitas: 1, total: 2, bytes: 3 * u64::from(partes), partes }
}

on_both! {
    async fn pages_hold_each_document_once_with_its_files(world) {
        let mut jobs = vec![authorised(&world).await, authorised(&world).await, authorised(&world).await];
        let lease = world.sending_anew().await;
        world.store.settle(lease, outcome(DocumentState::Rejected), NOW, Vec::new()).await.unwrap();
        cancel(&world, jobs[1]).await;
        let november = scope(&world, "2026-11-01", "2026-12-01");
        let (mut found, mut last) = (Vec::new(), None);
        loop {
            let page = world.store.export_page(&november, last, 2).await.unwrap();
            let Some(end) = page.last() else { break };
            last = Some(end.cursor());
            found.extend(page);
        }
        assert_eq!(world.store.export_total(&november).await.unwrap(), 3);
        jobs.sort();
        let mut ids: Vec<Uuid> = found.iter().map(|document| document.job_id).collect();
        ids.sort();
        assert_eq!(ids, jobs);
        assert!(found.iter().all(|document| document.xml.as_deref() == Some("<nfeProc/>")));
        let gone: Vec<_> = found.iter().filter(|document| document.state == DocumentState::Cancelled).collect();
        assert_eq!((gone.len(), gone[0].events.len()), (1, 1));
        assert!(gone[0].events[0].kind.is_none());
        // the day after the last one is not included, and no other month
        for (from, until) in [("2026-11-01", "2026-11-20"), ("2026-11-21", "2026-12-01")] {
            assert_eq!(world.store.export_total(&scope(&world, from, until)).await.unwrap(), 0);
        }
        let stranger = ExportScope { tenant: Uuid::now_v7(), ..november.clone() };
        assert!(world.store.export_page(&stranger, None, 9).await.unwrap().is_empty());
        let production = ExportScope { ambiente: TpAmb::Producao, ..november };
        assert!(world.store.export_page(&production, None, 9).await.unwrap().is_empty());
    }

    async fn the_numbers_of_a_series_say_what_became_of_them(world) {
        authorised(&world).await;
        let lease = world.begun().await;
        world.store.reserve(lease, reserve(Some(5)), NOW).await.unwrap();
        let uses = world.store.number_uses(world.tenant, series(), 1..=9, 10).await.unwrap();
        let found: Vec<_> = uses.iter().map(|number| (number.numero, number.state, number.document)).collect();
        let expected = [
            (1, NumberState::Used, Some(DocumentState::Authorized)),
            (5, NumberState::Reserved, Some(DocumentState::Accepted)),
        ];
        assert_eq!(found, expected);
        assert_eq!(world.store.number_used_before(world.tenant, series(), 5).await.unwrap(), Some(1));
        assert_eq!(world.store.number_used_before(world.tenant, series(), 1).await.unwrap(), None);
    }

    async fn a_lost_attempt_is_made_anew_and_serves_nothing(world) {
        let export = world.store.create_export(new_export(&world), &Actor::operator(), NOW).await.unwrap();
        let first = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap();
        assert!(world.store.claim_export(NOW + 59, NOW + 120).await.unwrap().is_none());
        world.store.append_export_part(first.lease, b"lost".to_vec(), after(1), NOW + 60).await.unwrap();
        // its process is gone; another one begins anew
        let second = world.store.claim_export(NOW + 60, NOW + 120).await.unwrap().unwrap();
        assert_eq!((second.export.id, second.export.tentativas, second.export.feitas), (export.id, 2, 0));
        let late = world.store.append_export_part(first.lease, b"late".to_vec(), after(2), NOW + 180).await;
        assert!(matches!(late, Err(Error::LeaseLost)));
        assert!(matches!(world.store.finish_export(first.lease, NOW, NOW + 9).await, Err(Error::LeaseLost)));
        world.store.append_export_part(second.lease, b"one".to_vec(), after(1), NOW + 120).await.unwrap();
        world.store.append_export_part(second.lease, Vec::new(), after(1), NOW + 120).await.unwrap();
        world.store.append_export_part(second.lease, b"two".to_vec(), after(2), NOW + 120).await.unwrap();
        world.store.finish_export(second.lease, NOW + 61, NOW + 1_000).await.unwrap();
        let done = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, export.id).await.unwrap();
        assert_eq!((done.state, done.partes, done.bytes), (ExportState::Done, 2, 6));
        assert_eq!(world.store.export_part(&done, 1).await.unwrap(), b"one");
        assert_eq!(world.store.export_part(&done, 2).await.unwrap(), b"two");
        assert!(matches!(world.store.export_part(&done, 3).await, Err(Error::NotFound)));
        assert!(world.store.claim_export(NOW + 9_000, NOW + 9_060).await.unwrap().is_none());
        // the file ends, its row does not
        assert_eq!(world.store.expire_exports(NOW + 999).await.unwrap(), 0);
        assert_eq!(world.store.expire_exports(NOW + 1_000).await.unwrap(), 1);
        // the parts of both attempts go
        assert_eq!(clear(&world).await, 2);
        assert!(matches!(world.store.export_part(&done, 1).await, Err(Error::NotFound)));
        let row = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, export.id).await.unwrap();
        assert_eq!(row.state, ExportState::Expired);
        world.store.expire_exports(NOW + 1_000 + 91 * 86_400).await.unwrap();
        let row = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, export.id).await;
        assert!(matches!(row, Err(Error::NotFound)));
    }

    async fn an_attempt_is_extended_while_it_lasts_and_costs_nothing_when_stopped(world) {
        world.store.create_export(new_export(&world), &Actor::operator(), NOW).await.unwrap();
        let first = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap();
        world.store.renew_export(first.lease, NOW + 100).await.unwrap();
        assert!(world.store.claim_export(NOW + 99, NOW + 160).await.unwrap().is_none());
        world.store.return_export(first.lease).await.unwrap();
        let second = world.store.claim_export(NOW + 99, NOW + 160).await.unwrap().unwrap();
        assert_eq!(second.export.tentativas, 1);
        assert!(matches!(world.store.renew_export(first.lease, NOW + 200).await, Err(Error::LeaseLost)));
        world.store.fail_export(second.lease, NOW, "não deu".to_owned()).await.unwrap();
        world.store.expire_exports(NOW + 91 * 86_400).await.unwrap();
        let row = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, second.export.id).await;
        assert!(matches!(row, Err(Error::NotFound)));
    }

    async fn an_account_has_one_unfinished_export_and_a_bound(world) {
        let first = world.store.create_export(new_export(&world), &Actor::operator(), NOW).await.unwrap();
        assert!(matches!(world.store.create_export(new_export(&world), &Actor::operator(), NOW).await, Err(Error::Conflict(_))));
        let stranger = NewExport { tenant: Uuid::now_v7(), ..new_export(&world) };
        world.store.create_export(stranger, &Actor::operator(), NOW).await.unwrap();
        let lease = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap().lease;
        assert_eq!(lease.export, first.id);
        // given back by a process that stops, then removed by its account
        world.store.release_export(lease, 0).await.unwrap();
        let again = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap();
        assert_eq!(again.export.id, first.id);
        let wrong = world.store.remove_export(Visibility::whole(world.tenant), TpAmb::Producao, first.id, &Actor::operator(), NOW).await;
        assert!(matches!(wrong, Err(Error::NotFound)));
        world.store.remove_export(Visibility::whole(world.tenant), TpAmb::Homologacao, first.id, &Actor::operator(), NOW).await.unwrap();
        let gone = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, first.id).await;
        assert!(matches!(gone, Err(Error::NotFound)));
        let twice = world.store.remove_export(Visibility::whole(world.tenant), TpAmb::Homologacao, first.id, &Actor::operator(), NOW).await;
        assert!(matches!(twice, Err(Error::NotFound)));
        let late = world.store.append_export_part(again.lease, b"late".to_vec(), after(1), NOW + 60).await;
        assert!(matches!(late, Err(Error::LeaseLost)));
        // the removed one counts among the three of its day
        for _ in 0..2 {
            let export = world.store.create_export(new_export(&world), &Actor::operator(), NOW).await.unwrap();
            // claims the older one of the stranger as well
            let mut claimed = world.store.claim_export(NOW, NOW + 60).await.unwrap();
            while let Some(other) = claimed {
                if other.export.id == export.id {
                    world.store.fail_export(other.lease, NOW, "não deu".to_owned()).await.unwrap();
                }
                claimed = world.store.claim_export(NOW, NOW + 60).await.unwrap();
            }
        }
        assert!(matches!(world.store.create_export(new_export(&world), &Actor::operator(), NOW).await, Err(Error::AccountFull { most: 3 })));
        let window = ListWindow { limit: 2, skip: 0 };
        let (listed, total) = world.store.exports(Visibility::whole(world.tenant), TpAmb::Homologacao, window).await.unwrap();
        assert_eq!((listed.len(), total, listed[0].state), (2, 2, ExportState::Failed));
        assert_eq!(world.store.exports(Visibility::whole(world.tenant), TpAmb::Producao, window).await.unwrap().1, 0);
    }

    async fn a_large_file_is_removed_in_steps(world) {
        world.store.create_export(new_export(&world), &Actor::operator(), NOW).await.unwrap();
        let claimed = world.store.claim_export(NOW, NOW + 60).await.unwrap().unwrap();
        for part in 1..=130 {
            world.store.append_export_part(claimed.lease, vec![7], after(part), NOW + 60).await.unwrap();
        }
        world.store.finish_export(claimed.lease, NOW, NOW + 1_000).await.unwrap();
        let done = world.store.export(Visibility::whole(world.tenant), TpAmb::Homologacao, claimed.export.id).await.unwrap();
        assert!(!world.store.clear_export_parts().await.unwrap());
        world.store.remove_export(world.tenant, TpAmb::Homologacao, done.id, &Actor::operator(), NOW).await.unwrap();
        assert!(world.store.clear_export_parts().await.unwrap());
        assert!(matches!(world.store.export_part(&done, 64).await, Err(Error::NotFound)));
        assert_eq!(world.store.export_part(&done, 65).await.unwrap(), [7]);
        assert_eq!(clear(&world).await, 2);
        assert!(matches!(world.store.export_part(&done, 130).await, Err(Error::NotFound)));
        // its row goes with those of failed ones
        world.store.expire_exports(NOW + 91 * 86_400).await.unwrap();
        let again = NewExport { most: 1, since: NOW - 1, ..new_export(&world) };
        world.store.create_export(again, &Actor::operator(), NOW).await.unwrap();
    }
}
