//! The script: counts, order, seeds.

use super::*;
use crate::dialect::{ModelFamily, ServiceWire};
use rust_decimal::Decimal;

fn wire(name: &str) -> &'static ServiceWire {
    ModelFamily::services().find(|wire| wire.name == name).unwrap()
}

fn drawn(faults: &FaultScript, service: &str) -> Option<FaultType> {
    faults.draw(wire(service), b"corpo").kind()
}

#[test]
fn a_fault_happens_as_often_as_it_says_and_only_on_its_service() {
    let faults = FaultScript::new(1);
    faults.add(Fault::new(FaultType::ResetAfter).on("NFeAutorizacao4").times(2));
    assert_eq!(drawn(&faults, "NFeStatusServico4"), None);
    assert_eq!(drawn(&faults, "NFeAutorizacao4"), Some(FaultType::ResetAfter));
    assert_eq!(drawn(&faults, "NFeAutorizacao4"), Some(FaultType::ResetAfter));
    assert_eq!(drawn(&faults, "NFeAutorizacao4"), None);
    assert_eq!(faults.list()[0].ocorrencias, 2);
}

#[test]
fn faults_follow_each_other_and_latency_joins_them() {
    let faults = FaultScript::new(1);
    faults.add(Fault::new(FaultType::HalfReply));
    faults.add(Fault::new(FaultType::Latency).ms(5).times(2));
    faults.add(Fault::new(FaultType::Garbage).after(1));
    let first = faults.draw(wire("NFeAutorizacao4"), b"");
    assert_eq!((first.latency_ms, first.kind()), (5, Some(FaultType::HalfReply)));
    assert_eq!(drawn(&faults, "NFeAutorizacao4"), None);
    assert_eq!(drawn(&faults, "NFeAutorizacao4"), Some(FaultType::Garbage));
}

#[test]
fn the_same_seed_draws_the_same_faults() {
    let draws = |seed| {
        let faults = FaultScript::new(0);
        faults.add(Fault::new(FaultType::ResetBefore).with_chance(Decimal::new(2, 1), seed));
        (0..1000).map(|_| drawn(&faults, "NFeAutorizacao4").is_some()).collect::<Vec<_>>()
    };
    assert_eq!(draws(7), draws(7));
    assert_ne!(draws(7), draws(8));
    let happened = draws(7).iter().filter(|happened| **happened).count();
    assert!((150..250).contains(&happened), "{happened} of 1000 at 0.2");
}

#[test]
fn a_fault_can_wait_for_a_text() {
    let faults = FaultScript::new(1);
    faults.add(Fault::new(FaultType::ResetBefore).containing("11222333000181"));
    assert!(faults.draw(wire("NFeAutorizacao4"), b"<CNPJ>99999999000191</CNPJ>").kind().is_none());
    assert!(faults.draw(wire("NFeAutorizacao4"), b"<CNPJ>11222333000181</CNPJ>").kind().is_some());
}
