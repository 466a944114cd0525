//! The cookbook: complete payloads under `docs/guides/receitas`, each with its paragraph, shown on one page and served
//! as files.
//!
//! A recipe is `<nome>.json`, which can be posted unchanged, and a Markdown file of that name with its use and its
//! reasons. A test issues every recipe.

use std::borrow::Cow;

use fiscal::law::Law;
use fiscal::reference::ibscbs::REFORM_IN_FULL;
use jiff::civil::Date;

use super::example_year;
use super::markdown::anchor;

/// A recipe.
pub(crate) struct CookbookRecipe {
    /// `nfe` or `nfce`.
    pub(crate) tipo: &'static str,
    pub(crate) file: &'static str,
    /// The whole payload, of 2026.
    pub(crate) json: &'static str,
    /// Its title and its paragraph, as Markdown.
    pub(crate) words: &'static str,
}

impl CookbookRecipe {
    /// The payload in the rates of a date.
    pub(crate) fn payload(&self, today: Date, law: &Law) -> Cow<'static, str> {
        if today < REFORM_IN_FULL { self.json.into() } else { example_year::of_2027(self.json, law).into() }
    }
}

/// Text of the page, composed from the files.
macro_rules! page {
    ($($tipo:ident $nome:literal;)*) => {
        concat!(
            include_str!("../../../../../docs/guides/receitas.md"),
            $(
                "\n", include_str!(concat!("../../../../../docs/guides/receitas/", $nome, ".md")),
                "\n`POST /v1/", stringify!($tipo), "/emitir`, o arquivo [", $nome, ".json](", $nome, ".json):\n\n```json\n",
                include_str!(concat!("../../../../../docs/guides/receitas/", $nome, ".json")), "```\n",
            )*
        )
    };
}

macro_rules! recipes {
    ($($tipo:ident $nome:literal;)*) => {
        /// The page: the introduction in `docs/guides/receitas.md`, then every recipe.
        pub(super) const TEXT: &str = page!($($tipo $nome;)*);
        pub(crate) const RECIPES: &[CookbookRecipe] = &[$(CookbookRecipe {
            tipo: stringify!($tipo),
            file: concat!($nome, ".json"),
            json: include_str!(concat!("../../../../../docs/guides/receitas/", $nome, ".json")),
            words: include_str!(concat!("../../../../../docs/guides/receitas/", $nome, ".md")),
        },)*];
    };
}

recipes! {
    nfe "venda-presencial";
    nfe "venda-a-prazo-com-frete";
    nfe "st-substituto-simples";
    nfe "st-substituido-simples";
    nfe "devolucao-de-compra";
    nfe "devolucao-de-venda";
    nfce "nfce-dinheiro-com-troco";
    nfce "nfce-pix-com-cpf";
    nfce "nfce-cartao-com-desconto";
    nfe "marketplace-interestadual-simples";
    nfe "remessa-para-conserto";
    nfe "regime-normal-completa";
    nfe "interestadual-contribuinte";
    nfe "difal-nao-contribuinte";
    nfe "exportacao";
    nfe "importacao";
    nfe "transferencia";
    nfe "complementar-de-preco";
    nfe "ajuste-de-icms";
    nfe "combustivel";
    nfe "medicamento";
    nfe "mei";
    nfe "bonificacao";
    nfe "amostra-gratis";
    nfe "orgao-publico-estadual";
    nfe "zona-franca-de-manaus";
    nfe "produtor-rural";
    nfe "veiculo-novo";
    nfe "cnpj-com-letras";
    nfe "st-substituto-normal";
    nfe "devolucao-com-ipi";
    nfe "remessa-para-industrializacao";
    nfe "retorno-de-industrializacao";
    nfe "retorno-de-conserto";
    nfe "simples-com-ibs-e-cbs";
    nfe "valor-liquido";
    nfe "pagamento-antecipado";
}

/// Companies that issue the recipes, as they are registered.
const COMPANIES: &[(&str, &str)] = &[
    ("empresa-normal.json", include_str!("../../../../../docs/guides/empresa-normal.json")),
    ("empresa-mei.json", include_str!("../../../../../docs/guides/empresa-mei.json")),
    ("empresa-produtor.json", include_str!("../../../../../docs/guides/empresa-produtor.json")),
];

/// The page and the recipes of 2027, by name; unchanged recipes are left out.
pub(super) fn of_2027(law: &Law) -> (String, Vec<(&'static str, String)>) {
    let turned = RECIPES.iter().map(|one| (one.file, one.json, example_year::of_2027(one.json, law)));
    let turned: Vec<_> = turned.filter(|(_, before, after)| before != after).collect();
    let page = turned.iter().fold(TEXT.to_owned(), |page, (_, before, after)| page.replacen(before, after, 1));
    (page, turned.into_iter().map(|(name, _, after)| (name, after)).collect())
}

/// Titles and anchors of the recipes of a document.
pub(super) fn of_type(tipo: &str) -> impl Iterator<Item = (&'static str, String)> {
    let heading = |text: &'static str| text.lines().next()?.strip_prefix("## ");
    let titles = RECIPES.iter().filter(move |one| one.tipo == tipo).filter_map(move |one| heading(one.words));
    titles.map(|title| (title, anchor(title)))
}

/// Last part of the address of the page.
pub(super) const PAGE: &str = "receitas";

/// True for the name of the page or of a recipe.
pub(super) fn has(name: &str) -> bool {
    name == PAGE || RECIPES.iter().any(|one| one.file == name)
}

/// Recipes and companies: file name and text.
pub(super) fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    RECIPES.iter().map(|one| (one.file, one.json)).chain(COMPANIES.iter().copied())
}
