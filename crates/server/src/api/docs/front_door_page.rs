//! The front door of a document family: its introduction, and where everything else of it stands.

use fiscal::map::{GroupMember, MemberBody};
use maud::{Markup, PreEscaped, html};

use super::api_route::{ApiRoute, ApiRoutes};
use super::families;
use super::front_doors::{self, FrontDoor};
use super::guides::{self, GUIDES, Guide};
use super::markdown::{self, inline, to_html};
use super::page::frame_with_samples;
use super::route_markup::{address, codes, method};
use super::table_pages::CHANGES;
use super::{receitas, samples, webhooks};

/// The page.
pub(super) fn page(guide: &Guide, door: &FrontDoor, routes: ApiRoutes) -> String {
    let sections = sections(guide, door, routes);
    let headings = sections.iter().map(|section| (2, section.title.to_owned(), section.anchor.to_owned()));
    let contents: Vec<_> = headings.collect();
    let body = html! {
        (PreEscaped(to_html(guide.text)))
        @for section in &sections {
            // found at the pages that it lists
            h2 id=(section.anchor) data-busca="nao" { a href={ "#" (section.anchor) } { (section.title) } }
            (section.body)
        }
    };
    let path = format!("/docs/guia/{}", guide.page);
    let samples = samples::beside(guide, routes).unwrap_or_default();
    frame_with_samples(guide.title, &path, ("", &samples, &body.into_string()), &contents)
}

/// A section of the page.
struct DoorSection {
    title: &'static str,
    anchor: &'static str,
    body: Markup,
}

fn sections(guide: &Guide, door: &FrontDoor, routes: ApiRoutes) -> Vec<DoorSection> {
    let section = |title, anchor, body| DoorSection { title, anchor, body };
    let firsts = door.first.iter().filter_map(|page| guides::find(page)).chain(below(guide));
    vec![
        section("Primeiros passos", "primeiros-passos", first_steps(firsts, door)),
        section("Receitas e exemplos", "receitas", recipes(door)),
        section("Rotas", "rotas", route_list(door, routes)),
        section("Campos", "campos", fields(door)),
        section("Regras e códigos", "regras", rules(door)),
        section("Eventos", "eventos", events(door)),
        section(
            "Imprimir",
            "imprimir",
            html! {
                p { (PreEscaped(inline(door.printed))) " " a href="/docs/guia/impressao" { "DANFE, DACTE, cupom e prévia" } "." }
            },
        ),
        section("Erros", "erros", errors(guide, routes)),
    ]
}

/// Guides below a front door: those up to the next one, in its group.
fn below(door: &Guide) -> impl Iterator<Item = &'static Guide> {
    let after = GUIDES.iter().skip_while(move |guide| guide.page != door.page).skip(1);
    let is_door = |guide: &Guide| front_doors::find(guide.page).is_some();
    after.take_while(move |guide| guide.group == door.group && !is_door(guide))
}

fn first_steps(firsts: impl Iterator<Item = &'static Guide>, door: &FrontDoor) -> Markup {
    html! {
        (cards(firsts))
        p {
            "Antes da primeira nota a empresa é configurada por "
            a href=(address(door.settings)) { code { (door.settings) } }
            " e tem um " a href="/docs/guia/certificado" { "certificado A1" } "."
        }
    }
}

/// Guides as cards, each with its first sentence.
pub(super) fn cards<'a>(guides: impl Iterator<Item = &'a Guide>) -> Markup {
    html! {
        ul class="cartoes" {
            @for guide in guides {
                li {
                    a href={ "/docs/guia/" (guide.page) } { strong { (guide.title) } }
                    p { (PreEscaped(inline(&markdown::lead(guide.text)))) }
                }
            }
        }
    }
}

/// Front doors as cards, each with the guides below it.
pub(super) fn family_cards(guides: &'static [Guide]) -> Markup {
    html! {
        ul class="cartoes" {
            @for door in guides.iter().filter(|guide| front_doors::find(guide.page).is_some()) {
                li {
                    a href={ "/docs/guia/" (door.page) } { strong { (door.title) } }
                    p { (PreEscaped(inline(&markdown::lead(door.text)))) }
                    @if below(door).next().is_some() {
                        ul {
                            @for guide in below(door) { li { a href={ "/docs/guia/" (guide.page) } { (guide.title) } } }
                        }
                    }
                }
            }
        }
    }
}

fn recipes(door: &FrontDoor) -> Markup {
    let all: Vec<_> = receitas::of_type(door.fields()).collect();
    html! {
        p {
            "O menor exemplo inteiro: " a href={ "/docs/recursos/" (door.example) } { (door.example) } "."
            @if !all.is_empty() { " Notas inteiras, prontas para enviar, cada uma com as suas razões:" }
        }
        @if !all.is_empty() {
            ul class="colunas" {
                @for (title, anchor) in all {
                    li { a href={ "/docs/guia/" (receitas::PAGE) "#" (anchor) } { (title) } }
                }
            }
        }
    }
}

fn route_list(door: &FrontDoor, routes: ApiRoutes) -> Markup {
    html! { ul class="rotas" { @for route in of_door(door, routes) { (route_line(route)) } } }
}

fn of_door(door: &FrontDoor, routes: ApiRoutes) -> impl Iterator<Item = &'static ApiRoute> {
    let is_left_out = |path: &str| door.without.iter().any(|word| path.contains(word));
    let belongs = move |route: &ApiRoute| {
        route.operation.id == door.settings
            || (route.path.split('/').nth(2) == Some(door.events) && !is_left_out(route.path))
    };
    routes.all().map(|(_, route)| route).filter(move |route| belongs(route))
}

/// A route as an item of a list.
pub(super) fn route_line(route: &ApiRoute) -> Markup {
    html! {
        li {
            a href=(address(route.operation.id)) { (PreEscaped(method(route))) " " code { (route.path) } }
            " " span { (route.operation.summary) }
        }
    }
}

fn fields(door: &FrontDoor) -> Markup {
    let family = families::FAMILIES.iter().find(|family| family.page == door.fields());
    html! {
        @if let Some(family) = family {
            p {
                a href={ "/docs/guia/campos-" (family.page) } { "Campos " (family.of) }
                ": os " (count(&(family.members)())) " campos do leiaute oficial, com tipo, tamanho e o que o serviço preenche sozinho."
            }
        }
    }
}

/// Number of values in groups and their groups.
fn count(members: &[GroupMember]) -> usize {
    let of = |member: &GroupMember| match &member.body {
        MemberBody::Value(_) => 1,
        MemberBody::Group(inner) => count(inner),
    };
    members.iter().map(of).sum()
}

fn rules(door: &FrontDoor) -> Markup {
    html! {
        p { "As regras que a autoridade confere, previstas antes do envio, e o que fazer com cada código de rejeição:" }
        ul {
            @for table in door.tables.iter().chain(&[&CHANGES]) { li { a href=(table.address) { (table.title) } } }
        }
    }
}

fn events(door: &FrontDoor) -> Markup {
    html! {
        (cards(door.afterwards.iter().filter_map(|page| guides::find(page))))
        p { "O que o serviço avisa por " a href="/docs/guia/webhooks" { "webhook" } ":" }
        div class="tabela" tabindex="0" {
            table {
                thead { tr { th { "Evento" } th { "Quando" } } }
                tbody {
                    @for (tipo, event, doc) in webhooks::all().filter(|(tipo, ..)| *tipo == door.events) {
                        tr { td { code { (tipo) "." (event) } } td { (PreEscaped(inline(doc))) } }
                    }
                }
            }
        }
    }
}

/// Refusals of the emission.
fn errors(guide: &Guide, routes: ApiRoutes) -> Markup {
    let emission = routes.all().find(|(_, route)| Some(route.operation.id) == guide.operation);
    html! {
        p {
            "O que a emissão pode recusar, cada código com a sua página. O que vem da autoridade depois está em "
            a href="/docs/guia/erros-e-rejeicoes" { "Erros e rejeições" } "."
        }
        @if let Some((_, route)) = emission { (PreEscaped(codes(&route.codes()))) }
    }
}

#[cfg(test)]
mod tests {
    use super::front_doors::FRONT_DOORS;
    use super::*;

    #[test]
    fn a_front_door_leads_to_everything_of_its_family() {
        let routes = crate::routes::described();
        for door in FRONT_DOORS {
            let page = page(guides::find(door.page).unwrap(), door, routes);
            let links = [
                format!("/docs/guia/campos-{}", door.fields()),
                format!("/docs/recursos/{}", door.example),
                format!("/docs/rotas/{}", door.settings),
                "/docs/guia/impressao".to_owned(),
                "/docs/erros/validacao".to_owned(),
            ];
            let links = links.into_iter().chain(door.tables.iter().map(|table| table.address.to_owned()));
            for link in links {
                assert!(page.contains(&format!("href=\"{link}\"")), "{}: {link}", door.page);
            }
            assert!(of_door(door, routes).count() > 5, "{}", door.page);
            assert!(page.contains(&format!("<code>{}.autorizada</code>", door.events)), "{}", door.page);
        }
    }

    #[test]
    fn a_family_shows_its_own_guides_and_recipes_only() {
        let page = |name: &str| {
            let guide = guides::find(name).unwrap();
            page(guide, super::super::front_doors::find(name).unwrap(), crate::routes::described())
        };
        let (consumer, national) = (page("documento-nfce"), page("documento-nfse"));
        assert!(
            consumer.contains("/docs/guia/receitas#nfc-e") && !consumer.contains("/docs/guia/receitas#mei"),
            "{consumer}"
        );
        let text = national.split_once("<main>").unwrap().1;
        assert!(
            text.contains("/docs/guia/valores-da-nfse") && !text.contains("\"/docs/guia/provedores-nfse\""),
            "{text}"
        );
    }
}
