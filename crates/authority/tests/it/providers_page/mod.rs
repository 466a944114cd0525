//! The guide of municipal providers is generated from the rows: `UPDATE_PROVIDERS=1 cargo test -p authority --test it
//! providers_page`.

use authority::abrasf::{
    AbrasfOperation, ArgumentEncoding, MunicipalityRow, ProviderRow, ProviderTable, mode_word, unit_word,
};
use fiscal::value::TpAmb;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const BEFORE: &str = include_str!("../providers_page/antes.md");
const AFTER: &str = include_str!("../providers_page/depois.md");

fn row(row: &ProviderRow, cities: usize) -> String {
    let content = match row.content {
        ArgumentEncoding::Cdata => "CDATA",
        ArgumentEncoding::Escaped => "escapado",
        ArgumentEncoding::Tree => "elementos",
    };
    let header = match (&row.header, row.header_in_soap) {
        (None, _) => "não",
        (Some(_), true) => "no Header",
        (Some(_), false) => "sim",
    };
    let or_dash = |text: String| if text.is_empty() { "—".to_owned() } else { text };
    let credentials = row.credential_arguments.keys().map(|which| which.word()).collect::<Vec<_>>().join(", ");
    let unit = row.aliquota.map_or("informe", unit_word);
    let off = row.off.as_ref().map_or("ligada".to_owned(), |why| format!("**desligada**: {why}"));
    let name = std::iter::once(row.provider.clone()).chain(row.aliases.iter().cloned()).collect::<Vec<_>>().join(", ");
    let substitution = if row.operations.contains(&AbrasfOperation::SubstituirNfse) { "um pedido" } else { "pelo RPS" };
    format!(
        "| {name} | {} | {} | {content} | {header} | {} | {} | {substitution} | {unit} | {} | {cities} | {off} |",
        row.version,
        row.soap.word(),
        or_dash(row.signed().join(", ")),
        mode_word(row.mode),
        or_dash(credentials),
    )
}

fn page() -> String {
    let providers = ProviderTable::builtin();
    let mut cities: BTreeMap<(String, String), usize> = BTreeMap::new();
    let own = || providers.municipalities().filter(|city| providers.national(city.codigo).is_none());
    for MunicipalityRow { provider, version, .. } in own() {
        *cities.entry((provider.clone(), version.clone())).or_default() += 1;
    }
    let of = |row: &ProviderRow| cities.get(&(row.provider.clone(), row.version.clone())).copied().unwrap_or_default();
    let mut page = BEFORE.to_owned();
    let (all, national) = (own().count(), providers.national_cities().count());
    let doubted = providers.national_cities().filter(|city| city.against.is_some()).count();
    let served: usize = providers.rows().filter(|row| row.off.is_none()).map(|row| of(row)).sum();
    let off: usize = providers.rows().filter(|row| row.off.is_some()).map(|row| of(row)).sum();
    let plain = own().filter(|city| city.url(TpAmb::Producao).starts_with("http://")).count();
    let same = own().filter(|city| city.same_url).count();
    let divergent = own().filter(|city| city.divergent.is_some()).count();
    let _ = writeln!(
        page,
        "\nEm {national} municípios as fontes dizem que se emite pelo emissor nacional; em {doubted} deles outra fonte ainda dá um provedor. Dos {all} que têm \
        provedor na tabela e não estão entre esses, {served} têm uma linha ligada, {off} uma desligada, e os outros um provedor sem linha ou de leiaute próprio.\n\
        Em {divergent} as fontes divergem, ou uma mais nova diz que a cidade mudou, em {same} a mesma URL serve os dois ambientes, e em {plain} a fonte traz a de produção em `http`.\n"
    );
    page.push_str("| provedor | versão | SOAP | mensagem | cabeçalho | assina | modo | substituição | alíquota | credenciais | municípios | linha |\n");
    page.push_str("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for each in providers.rows().filter(|row| row.provider != "abrasf") {
        let _ = writeln!(page, "{}", row(each, of(each)));
    }
    page.push_str("\n## Provedores de leiaute próprio\n\nNão são ABRASF: nenhuma linha pode descrevê-los, e a emissão responde 422.\n\n| provedor | forma |\n|---|---|\n");
    for own in providers.own_layouts() {
        let _ = writeln!(page, "| {} | {} |", own.provider, own.form);
    }
    page.push_str(AFTER);
    page
}

#[test]
fn the_guide_of_city_halls_is_written_from_the_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/provedores-nfse.md");
    if std::env::var_os("UPDATE_PROVIDERS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), page(), "UPDATE_PROVIDERS=1 writes the page");
}
