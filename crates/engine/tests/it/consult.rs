//! Queries of an authority that concern no document: counted and claimed in the store, so that a restart forgets
//! nothing and two processes do not query twice.

use crate::house::{House, cnpj, on_both};
use authority::sefaz::TaxpayerQuery;
use engine::queries::consult::{ConsultError, StateQuery};
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use simulator::faults::{Fault, FaultType};
use std::time::Duration;

const STATUS: &str = "NFeStatusServico4";
const CADASTRO: &str = "CadConsultaCadastro4";

fn asking() -> StateQuery {
    StateQuery { uf: Uf::SP, ambiente: TpAmb::Homologacao, cpf_cnpj: Some(cnpj()) }
}

fn asked(house: &House, service: &str) -> usize {
    house.simulator.requests().into_iter().filter(|request| request.servico == service).count()
}

on_both! {
    async fn the_hour_of_the_register_outlives_the_process(house) {
        let search = TaxpayerQuery::Number(CnpjCpf::parse("60701190000104").unwrap());
        for _ in 0..20 {
            house.engine.taxpayer(&house.caller, asking(), &search).await.unwrap();
        }
        let other = house.another_engine().await;
        for _ in 20..35 {
            other.taxpayer(&house.caller, asking(), &search).await.unwrap();
        }
        for engine in [&house.engine, &other, &house.another_engine().await] {
            let refused = engine.taxpayer(&house.caller, asking(), &search).await;
            assert!(matches!(refused, Err(ConsultError::TooOften(wait)) if wait > 3_000), "{refused:?}");
        }
        assert_eq!(asked(&house, CADASTRO), 35);
        house.clock.forward(Duration::from_secs(3_700));
        other.taxpayer(&house.caller, asking(), &search).await.unwrap();
        other.store().close().await;
        house.close().await;
    }

    async fn a_block_of_the_register_outlives_the_process_and_silences_nothing_else(house) {
        let search = TaxpayerQuery::Number(CnpjCpf::parse("60701190000104").unwrap());
        house.simulator.add_fault(Fault::new(FaultType::Cstat).cStat(656).on(CADASTRO));
        let first = house.engine.taxpayer(&house.caller, asking(), &search).await;
        assert!(matches!(first, Err(ConsultError::TooOften(_))), "{first:?}");
        let other = house.another_engine().await;
        let refused = other.taxpayer(&house.caller, asking(), &search).await;
        assert!(matches!(refused, Err(ConsultError::TooOften(wait)) if wait > 3_000), "{refused:?}");
        assert_eq!(asked(&house, CADASTRO), 1);
        let note = house.issue("Caderno").await;
        assert!(house.ended(note).await.document.unwrap().nProt.is_some());
        other.store().close().await;
        house.close().await;
    }

    async fn two_processes_ask_a_status_service_once(house) {
        let other = house.another_engine().await;
        let before = asked(&house, STATUS);
        let first = house.engine.service_status(&house.caller, asking()).await.unwrap();
        let told = other.service_status(&house.caller, asking()).await.unwrap();
        assert_eq!((first.status.cStat, told.status.cStat, told.status.xMotivo), (107, 107, first.status.xMotivo));
        assert_eq!(asked(&house, STATUS), before + 1);
        house.clock.forward(Duration::from_secs(181));
        house.simulator.add_fault(Fault::new(FaultType::ResetBefore).on(STATUS));
        let silent = other.service_status(&house.caller, asking()).await;
        assert!(matches!(silent, Err(ConsultError::NoAnswer(_))), "{silent:?}");
        let again = house.engine.service_status(&house.caller, asking()).await;
        assert!(matches!(&again, Err(ConsultError::NoAnswer(why)) if why.contains("há menos de três minutos")), "{again:?}");
        house.clock.forward(Duration::from_secs(181));
        assert_eq!(house.engine.service_status(&house.caller, asking()).await.unwrap().status.cStat, 107);
        other.store().close().await;
        house.close().await;
    }
}
