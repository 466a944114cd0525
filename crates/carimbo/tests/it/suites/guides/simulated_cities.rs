//! The documentation of the simulated municípios, compared with the simulator itself, which the service does not know.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use simulator::nfse::{BenefitRow, Convenio, DeductionKind, MunicipalConvention, table};

use crate::support::app::TestApp;

#[tokio::test]
async fn every_municipality_of_the_simulator_stands_on_the_page_with_what_it_takes() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs/guia/municipios-de-ensaio").await.text();
    let (rows, _) = page.split_once("Quem recebe a NFS-e de cada município</").unwrap();
    let any = MunicipalConvention::default();
    let all = table().iter().map(|(codigo, of)| (codigo.to_string(), of)).chain([("demais".to_owned(), &any)]);
    let mut played = 0;
    for (codigo, of) in all {
        let told = told(of);
        let row = rows.split("<tr ").find(|row| row.starts_with(&format!("id=\"{codigo}\"")));
        let said: Vec<&str> =
            row.unwrap_or_default().split("<li>").skip(1).filter_map(|li| li.split("</li>").next()).collect();
        assert_eq!(
            said,
            told,
            "its line in crates/server/src/api/docs/assets/municipios-de-ensaio.tsv is\n{codigo}\t{}",
            told.join("\t")
        );
        played += 1;
    }
    assert_eq!(rows.matches("<tr id=").count(), played, "a line of one that the simulator does not play");
    app.finish().await;
}

/// Returns the peculiarities of a município, a sentence each; convênio and rate are always among them.
fn told(of: &MunicipalConvention) -> Vec<String> {
    let mut told = vec![convention(of), format!("Alíquota: {}%{}.", percent(of.aliquota), own_rates(of))];
    let listed = |what: &str, codes: &BTreeSet<String>, rule: &str| {
        let list: Vec<&str> = codes.iter().map(String::as_str).collect();
        (!list.is_empty()).then(|| format!("{what}: {} ({rule}).", list.join(", ")))
    };
    told.extend(listed("Serviços que não administra", &of.servicos_excluidos, "E0312"));
    told.extend(listed("cTribMun aceitos", &of.codigos_municipais, "E0314 nos demais"));
    told.extend(listed("Regimes especiais que não admite", &of.regimes_vedados, "E0177"));
    let hours = |what: &str, hours: Option<u32>, rule: &str| {
        hours.map(|hours| format!("{what} até {hours} h depois da nota ({rule})."))
    };
    told.extend(hours("Cancelamento", of.prazo_cancelamento_h, "E0822"));
    told.extend(of.valor_cancelamento.map(|most| format!("Cancelamento de notas de até R$ {most},00 (E0823).")));
    told.extend(hours("Substituição", of.prazo_substituicao_h, "E0050"));
    for (is, sentence) in [
        (!of.admite_deducao, "Não admite deduções (E0440)."),
        (!of.retencao_artigo_sexto, "Não aplica a retenção do artigo 6º da LC 116."),
        (of.exige_tomador, "Nota sem tomador não é cancelada nem substituída (E0824, E0056)."),
        (!of.admite_outro_tomador, "A substituta tem o mesmo tomador (E0058)."),
    ] {
        told.extend(is.then(|| sentence.to_owned()));
    }
    for (servico, kinds) in &of.deducoes_vedadas {
        let kinds: Vec<&str> = kinds.iter().map(|kind| deduction(*kind)).collect();
        told.push(format!("Deduções que não admite de {servico}: {}.", kinds.join(", ")));
    }
    for (servico, taxed) in &of.incidencia {
        told.push(match taxed {
            true => format!("{servico} incide (E0539)."),
            false => format!("{servico} não incide (E0540)."),
        });
    }
    told.extend(listed("CPF que podem reter", &of.cpfs_que_retem, "E0667 e E0670 nos demais"));
    for (servico, kinds) in &of.retencoes {
        let kinds: Vec<String> = kinds.iter().map(u8::to_string).collect();
        told.push(format!("Lei de retenção para {servico}: tipos {}.", kinds.join(", ")));
    }
    told.extend(of.beneficios.iter().map(|(numero, benefit)| benefit_told(numero, benefit)));
    told
}

fn convention(of: &MunicipalConvention) -> String {
    let own = "servidor próprio no leiaute nacional";
    match (of.convenio, of.emissor_nacional, of.endereco_proprio) {
        (Convenio::Ausente, ..) => "Sem convênio: emissão recusada (E0037).".to_owned(),
        (Convenio::Inativo, ..) => "Convênio não ativo: emissão recusada (E0038).".to_owned(),
        (Convenio::Ativo, false, true) => {
            format!("Convênio ativo, {own}: a Sefin recusa (E0039), e o serviço emite por ele.")
        }
        (Convenio::Ativo, false, false) => {
            "Convênio ativo sem o emissor nacional: emissão recusada (E0039).".to_owned()
        }
        (Convenio::Ativo, true, _) => format!("Convênio e emissor nacional ativos desde {}.", of.ativo_desde),
    }
}

fn deduction(kind: DeductionKind) -> &'static str {
    match kind {
        DeductionKind::Percentual => "percentual (E0454)",
        DeductionKind::Valor => "valor (E0446)",
        DeductionKind::Documentos => "documentos (E0449)",
    }
}

fn own_rates(of: &MunicipalConvention) -> String {
    let rates: Vec<String> =
        of.aliquotas.iter().map(|(servico, rate)| format!("{servico} a {}%", percent(*rate))).collect();
    if rates.is_empty() { String::new() } else { format!("; {}", rates.join(", ")) }
}

fn benefit_told(numero: &str, benefit: &BenefitRow) -> String {
    let kind = match benefit.tipo {
        1 => "isenção",
        2 => "redução da base em percentual",
        3 => "redução da base em valor",
        _ => "alíquota diferenciada",
    };
    let most = benefit.reducao.map(|most| format!(" de até {}%", percent(most))).unwrap_or_default();
    let rate = benefit.aliquota.map(|rate| format!(" de {}%", percent(rate))).unwrap_or_default();
    let services: Vec<&str> = benefit.servicos.iter().map(String::as_str).collect();
    let only = if services.is_empty() { String::new() } else { format!(", só de {}", services.join(", ")) };
    let end = benefit.fim.map(|end| format!(", até {end} (E0544 depois)")).unwrap_or_default();
    let home = if benefit.restrito { ", só de quem é de lá (E0548)" } else { "" };
    format!("Benefício {numero}: {kind}{most}{rate}{only}{home}{end}.")
}

/// `5,00`.
fn percent(value: Decimal) -> String {
    format!("{value:.2}").replace('.', ",")
}
