//! The page of the municípios: the NFS-e provider of each, from the rows of the table of authorities, and the
//! municípios that the simulator offers, from `assets/municipios-de-ensaio.tsv`: the service does not know the
//! simulator, and `crates/carimbo/tests/it/suites/guides/simulated_cities.rs` compares both.

use std::fmt::Write as _;

use authority::table::{EndpointTable, OwnServer};
use fiscal::value::{TpAmb, Uf, municipio};

use super::markdown::{escaped, to_html};
use super::page::frame;
use super::table_pages::MUNICIPALITIES;

const LEAD: &str = "# Municípios da NFS-e\n\n## Municípios do simulador\n\nQuem decide alíquota, prazos, benefícios e retenções da NFS-e é o município, e no ensaio cada \
convenção tem um município que a segue, **seja qual for a escolha verdadeira dele**. Ensaie com o código do IBGE de um destes em `codigo_municipio` da empresa \
(ou em `cLocEmi`). Outro comportamento se escolhe em `PUT /_sim/nfse/municipios/{codigo}` do [simulador](/docs/guia/simulador).";

const PROVIDERS: &str = "## Quem recebe a NFS-e de cada município\n\nO primeiro que decide:\n\n1. `provedor` na configuração de NFS-e da empresa;\n\
2. o convênio do município, consultado no ambiente nacional: quem adere ao emissor nacional emite pela Sefin Nacional;\n\
3. a linha do município na tabela abaixo, quando está ligada;\n4. a Sefin Nacional.\n\nCom `provedor` `nacional_propria` a nota vai ao endereço próprio do \
município, no leiaute nacional: o de `url_homologacao` e `url_producao` da empresa, ou o da linha dele. As linhas vêm de programas públicos e ninguém as \
confirmou: ficam desligadas até o operador ligá-las no arquivo de `autoridades.tabela`, com `[nfse.propria.3514106]` e `ativa = true`; lá também se \
acrescentam outras. O endereço que a empresa informa só é chamado por https e só leva à rede pública.";

/// A line per município of the simulator: its code, then sentences, separated by tabs; `demais` is any other.
const SIMULATED: &str = include_str!("assets/municipios-de-ensaio.tsv");

/// The whole page.
pub(super) fn page() -> String {
    let mut body = to_html(LEAD);
    body.push_str(
        "<div class=\"tabela\"><table class=\"regras\"><thead><tr><th>IBGE</th><th>Município</th><th>O que aceita</th></tr></thead><tbody>",
    );
    SIMULATED.lines().for_each(|line| row(&mut body, line));
    body.push_str("</tbody></table></div>");
    body.push_str(&to_html(PROVIDERS));
    body.push_str(
        "<div class=\"tabela\"><table class=\"regras\"><thead><tr><th>IBGE</th><th>Município</th><th>Sistema</th><th>Como se fala com ele</th>\
         <th>Homologação</th><th>Produção</th></tr></thead><tbody>",
    );
    for (codigo, server) in EndpointTable::builtin().own_servers() {
        own_server(&mut body, codigo, server);
    }
    body.push_str("</tbody></table></div>");
    frame(MUNICIPALITIES.title, MUNICIPALITIES.address, &body, &[])
}

/// `Salvador/BA`.
fn name(codigo: u32) -> String {
    let found = municipio::find(codigo);
    found.map(|found| format!("{}/{}", found.nome, found.uf().map_or("", Uf::sigla))).unwrap_or_default()
}

/// A município with a server of its own in the national layout, from the built-in table of authorities, without the
/// operator's file.
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

/// A município of the simulator, with the documents that it accepts.
fn row(body: &mut String, line: &str) {
    let mut cells = line.split('\t');
    let codigo = cells.next().unwrap_or_default();
    let name = match codigo {
        "demais" => "Qualquer outro da tabela do IBGE".to_owned(),
        codigo => codigo.parse().map(name).unwrap_or_default(),
    };
    let name = escaped(&name);
    let _ = write!(
        body,
        "<tr id=\"{codigo}\" data-titulo=\"{name}\" data-modelos=\"NFS-e\"><td>{codigo}</td><td>{name}</td><td><ul>"
    );
    for told in cells {
        let _ = write!(body, "<li>{}</li>", escaped(told));
    }
    body.push_str("</ul></td></tr>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_table_stand_on_the_page_with_their_address() {
        let page = page();
        for told in [
            "Belém/PA",
            "Qualquer outro da tabela do IBGE",
            "Dois Córregos/SP",
            "https://nfsedoiscorregos.simplissweb.com.br",
            "SOAP; ainda não é falado",
        ] {
            assert!(page.contains(told), "{told} in {page}");
        }
    }
}
