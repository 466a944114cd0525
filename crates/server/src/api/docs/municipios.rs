//! The page of the municípios: who takes the NFS-e of each in, as the rows of the table of authorities have it, and those that the simulator plays, with
//! what each takes. Made of the rows themselves.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use authority::table::{OwnServer, Table};
use fiscal::value::{TpAmb, Uf, municipio};
use rust_decimal::Decimal;
use simulator::nfse::{Benefit, Convenio, Municipality, table};

use super::markdown::{escaped, to_html};
use super::page::frame;

/// Address of the page.
pub(super) const ADDRESS: &str = "/docs/guia/municipios-de-ensaio";

/// Name of the page.
pub(super) const TITLE: &str = "Municípios da NFS-e";

const LEAD: &str = "# Municípios da NFS-e\n\n## Municípios do simulador\n\nQuem decide alíquota, prazos, benefícios e retenções da NFS-e é o município, e no ensaio cada \
convenção tem um município que a segue, **seja qual for a escolha verdadeira dele**. Ensaie com o código do IBGE de um destes em `codigo_municipio` da empresa \
(ou em `cLocEmi`). Outro comportamento se escolhe em `PUT /_sim/nfse/municipios/{codigo}` do [simulador](/docs/guia/simulador).";

const PROVIDERS: &str = "## Quem recebe a NFS-e de cada município\n\nO primeiro que decide:\n\n1. `provedor` na configuração de NFS-e da empresa;\n\
2. o convênio do município, consultado no ambiente nacional: quem adere ao emissor nacional emite pela Sefin Nacional;\n\
3. a linha do município na tabela abaixo, quando está ligada;\n4. a Sefin Nacional.\n\nCom `provedor` `nacional_propria` a nota vai ao endereço próprio do \
município, no leiaute nacional: o de `url_homologacao` e `url_producao` da empresa, ou o da linha dele. As linhas vêm de programas públicos e ninguém as \
confirmou: ficam desligadas até o operador ligá-las no arquivo de `autoridades.tabela`, com `[nfse.propria.3514106]` e `ativa = true`; lá também se \
acrescentam outras. O endereço que a empresa informa só é chamado por https e só leva à rede pública.";

/// The whole page.
pub(super) fn page() -> String {
    let mut body = to_html(LEAD);
    body.push_str(
        "<div class=\"tabela\"><table class=\"regras\"><thead><tr><th>IBGE</th><th>Município</th><th>O que aceita</th></tr></thead><tbody>",
    );
    for (codigo, municipality) in table() {
        row(&mut body, &codigo.to_string(), &name(*codigo), municipality);
    }
    row(&mut body, "demais", "Qualquer outro da tabela do IBGE", &Municipality::default());
    body.push_str("</tbody></table></div>");
    body.push_str(&to_html(PROVIDERS));
    body.push_str(
        "<div class=\"tabela\"><table class=\"regras\"><thead><tr><th>IBGE</th><th>Município</th><th>Sistema</th><th>Como se fala com ele</th>\
         <th>Homologação</th><th>Produção</th></tr></thead><tbody>",
    );
    for (codigo, server) in Table::builtin().own_servers() {
        own_server(&mut body, codigo, server);
    }
    body.push_str("</tbody></table></div>");
    frame(TITLE, ADDRESS, &body, &[])
}

/// `Salvador/BA`.
fn name(codigo: u32) -> String {
    let found = municipio::find(codigo);
    found.map(|found| format!("{}/{}", found.nome, found.uf().map_or("", Uf::sigla))).unwrap_or_default()
}

/// A município that has a server of its own in the national layout, as the table of authorities has it before the operator's file.
fn own_server(body: &mut String, codigo: u32, server: &OwnServer) {
    let name = escaped(&name(codigo));
    let address = |ambiente| escaped(server.address(ambiente).unwrap_or("—"));
    let form = match (server.is_national(), server.is_on()) {
        (true, true) => "como a Sefin Nacional".to_owned(),
        (true, false) => "como a Sefin Nacional; sem confirmação, desligado até o operador ligar".to_owned(),
        (false, _) => format!("{}; ainda não é falado: 422 `provedor_sem_endereco`", server.form().name()),
    };
    let _ = write!(
        body,
        "<tr id=\"propria-{codigo}\" data-titulo=\"{name}\" data-modelos=\"NFS-e\"><td>{codigo}</td><td>{name}</td><td>{}</td><td>{}</td><td>{}</td>\
         <td>{}</td></tr>",
        escaped(server.sistema.as_deref().unwrap_or("—")),
        escaped(&form.replace('`', "")),
        address(TpAmb::Homologacao),
        address(TpAmb::Producao)
    );
}

fn row(body: &mut String, codigo: &str, name: &str, municipality: &Municipality) {
    let name = escaped(name);
    let _ = write!(
        body,
        "<tr id=\"{codigo}\" data-titulo=\"{name}\" data-modelos=\"NFS-e\"><td>{codigo}</td><td>{name}</td><td><ul>"
    );
    for told in told(municipality) {
        let _ = write!(body, "<li>{}</li>", escaped(&told));
    }
    body.push_str("</ul></td></tr>");
}

/// What a município takes, a sentence each; what is as everywhere is left out but for the convênio and the rate.
fn told(of: &Municipality) -> Vec<String> {
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
    for (servico, kinds) in &of.retencoes {
        let kinds: Vec<String> = kinds.iter().map(u8::to_string).collect();
        told.push(format!("Lei de retenção para {servico}: tipos {}.", kinds.join(", ")));
    }
    told.extend(of.beneficios.iter().map(|(numero, benefit)| benefit_told(numero, benefit)));
    told
}

fn convention(of: &Municipality) -> String {
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

fn own_rates(of: &Municipality) -> String {
    let rates: Vec<String> =
        of.aliquotas.iter().map(|(servico, rate)| format!("{servico} a {}%", percent(*rate))).collect();
    if rates.is_empty() { String::new() } else { format!("; {}", rates.join(", ")) }
}

fn benefit_told(numero: &str, benefit: &Benefit) -> String {
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
    format!("Benefício {numero}: {kind}{most}{rate}{only}{end}.")
}

/// `5,00`.
fn percent(value: Decimal) -> String {
    format!("{value:.2}").replace('.', ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_simulator_stands_on_the_page_with_what_it_takes() {
        let page = page();
        for codigo in table().keys() {
            assert_eq!(page.matches(&format!("<tr id=\"{codigo}\" ")).count(), 1, "{codigo}");
        }
        for told in [
            "Belém/PA",
            "Sem convênio: emissão recusada (E0037).",
            "Alíquota: 3,00%; 010101 a 2,00%, 170101 a 4,50%.",
            "Cancelamento até 24 h depois da nota (E0822).",
            "Cancelamento de notas de até R$ 5000,00 (E0823).",
            "Benefício 43149020400004: alíquota diferenciada de 2,00%, só de 010101.",
            "Qualquer outro da tabela do IBGE",
            "a Sefin recusa (E0039), e o serviço emite por ele.",
            "Dois Córregos/SP",
            "https://nfsedoiscorregos.simplissweb.com.br",
            "SOAP; ainda não é falado",
        ] {
            assert!(page.contains(told), "{told} in {page}");
        }
    }
}
