//! Mutations that invalidate a document, and a few that must not.

use crate::random::Random;
use crate::tree::{Item, Tree};

/// A mutation: its name, and its effect at an element. `None` when it does not apply there.
type Mutation = (&'static str, fn(&mut Tree, &[usize], &mut Random) -> Option<()>);

const MUTATIONS: &[Mutation] = &[
    ("value", value),
    ("value", value),
    ("value", value),
    ("value of another leaf", value_of_another),
    ("drop", drop_element),
    ("drop", drop_element),
    ("duplicate", duplicate),
    ("swap", swap),
    ("rename", rename),
    ("rename to a tag of the document", rename_to_known),
    ("move", transplant),
    ("empty", empty),
    ("attribute", attribute),
    ("new attribute", new_attribute),
    ("namespace", namespace),
    ("blank between tags", blank),
    ("text between tags", stray_text),
    ("comment", comment),
    ("child in a leaf", child_in_leaf),
    ("prefix", prefix),
];

/// Mutates the document once. Returns a description.
pub(crate) fn once(document: &mut Tree, random: &mut Random) -> String {
    loop {
        let places = document.places();
        let place = random.pick(&places).clone();
        let (name, mutation) = *random.pick(MUTATIONS);
        let tag = document.at(&place).name.clone();
        if mutation(document, &place, random).is_some() {
            return format!("{name} at {tag}");
        }
    }
}

/// Mutates the text itself, mostly into malformed XML.
pub(crate) fn bytes(text: &mut String, random: &mut Random) -> String {
    let mut at = random.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    const PIECES: &[&str] =
        &["<", ">", "&", "\"", "'", "&#1;", "&x;", "]]>", "<!---->", "<?a b?>", "\u{1}", "\u{fffe}", "/", "=", " "];
    if random.chance(30) {
        text.remove(at);
        return format!("byte {at} removed");
    }
    let piece = *random.pick(PIECES);
    text.insert_str(at, piece);
    format!("{piece:?} written at byte {at}")
}

fn value(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let leaf = document.at(place);
    if !leaf.is_leaf() {
        return None;
    }
    let value = broken(&leaf.value(), random);
    leaf.set_value(&value);
    Some(())
}

fn broken(value: &str, random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "0",
        "9",
        "00000000000000000000",
        "-",
        "+",
        ".",
        ",",
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "a",
        "Z",
        "é",
        "ÿ",
        "\u{100}",
        "€",
        "𝄞",
        "\u{a0}",
        "&",
        "<",
        "=",
        "/",
        "T",
        ":",
        "\u{7f}",
        "\u{85}",
        "\u{ad}",
        "%",
        "#",
        "[",
        "2026-11-20T10:00:00Z",
        "٣",
    ];
    let mut characters: Vec<char> = value.chars().collect();
    let at = random.below(characters.len() + 1);
    match random.below(9) {
        0 if !characters.is_empty() => drop(characters.remove(at.min(value.chars().count() - 1))),
        1 => characters.splice(at..at, random.pick(PIECES).chars()).for_each(drop),
        2 => characters.extend(random.pick(PIECES).chars()),
        3 => characters.splice(0..0, random.pick(PIECES).chars()).for_each(drop),
        4 => characters = random.pick(PIECES).chars().collect(),
        5 => characters.truncate(at),
        6 => characters.extend(value.chars().take(at)),
        7 => characters.extend(std::iter::repeat_n('x', random.pick(&[1, 2, 60, 120, 255, 2_000, 5_001]) - 1)),
        _ if !characters.is_empty() => {
            let at = at.min(characters.len() - 1);
            characters.splice(at..=at, random.pick(PIECES).chars()).for_each(drop);
        }
        _ => {}
    }
    characters.into_iter().collect()
}

fn empty(document: &mut Tree, place: &[usize], _: &mut Random) -> Option<()> {
    document.at(place).nodes.clear();
    Some(())
}

fn value_of_another(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let places = document.places();
    let other = document.at(random.pick::<Vec<usize>>(&places)).value();
    let leaf = document.at(place);
    leaf.is_leaf().then(|| leaf.set_value(&other))
}

fn drop_element(document: &mut Tree, place: &[usize], _: &mut Random) -> Option<()> {
    let (last, parent) = place.split_last()?;
    document.at(parent).nodes.remove(*last);
    Some(())
}

fn duplicate(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let (last, parent) = place.split_last()?;
    let parent = document.at(parent);
    let twin = parent.nodes[*last].clone();
    let at = if random.chance(70) { *last } else { random.below(parent.nodes.len() + 1) };
    parent.nodes.insert(at, twin);
    Some(())
}

fn swap(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let parent = document.at(place);
    if parent.nodes.len() < 2 {
        return None;
    }
    let a = random.below(parent.nodes.len());
    let b = if random.chance(70) { (a + 1) % parent.nodes.len() } else { random.below(parent.nodes.len()) };
    parent.nodes.swap(a, b);
    Some(())
}

fn rename(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let element = document.at(place);
    match random.below(4) {
        0 => element.name.push('x'),
        1 => drop(element.name.pop()),
        2 => element.name = element.name.to_uppercase(),
        _ => element.name = "qualquer".to_owned(),
    }
    (!element.name.is_empty()).then_some(())
}

fn rename_to_known(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let places = document.places();
    let name = document.at(random.pick::<Vec<usize>>(&places)).name.clone();
    document.at(place).name = name;
    Some(())
}

fn transplant(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let (last, parent) = place.split_last()?;
    let moved = document.at(parent).nodes.remove(*last);
    let places = document.places();
    let target = document.at(random.pick::<Vec<usize>>(&places));
    let at = random.below(target.nodes.len() + 1);
    target.nodes.insert(at, moved);
    Some(())
}

fn attribute(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let element = document.at(place);
    let at = random.below(element.attributes.len());
    let (name, value) = element.attributes.get_mut(at)?;
    match random.below(3) {
        0 => drop(element.attributes.remove(at)),
        1 if name != "xmlns" => name.push('x'),
        _ => *value = broken(value, random),
    }
    Some(())
}

fn new_attribute(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    const ATTRIBUTES: &[(&str, &str)] = &[
        ("versao", "4.00"),
        ("Id", "x1"),
        ("xml:lang", "pt"),
        ("xmlns:ds", "http://www.w3.org/2000/09/xmldsig#"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("nItem", "1"),
        ("a", ""),
    ];
    let (name, value) = *random.pick(ATTRIBUTES);
    let element = document.at(place);
    if element.attributes.iter().any(|(other, _)| other == name) {
        return None;
    }
    element.attributes.push((name.to_owned(), value.to_owned()));
    Some(())
}

fn namespace(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    const NAMESPACES: &[&str] =
        &["", "http://www.portalfiscal.inf.br/nfe", "http://www.w3.org/2000/09/xmldsig#", "urn:x"];
    let element = document.at(place);
    element.attributes.retain(|(name, _)| name != "xmlns");
    element.attributes.push(("xmlns".to_owned(), (*random.pick(NAMESPACES)).to_owned()));
    Some(())
}

fn prefix(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    const NAMESPACES: &[&str] = &["http://www.portalfiscal.inf.br/nfe", "http://www.w3.org/2000/09/xmldsig#", "urn:x"];
    let element = document.at(place);
    element.attributes.push(("xmlns:p".to_owned(), (*random.pick(NAMESPACES)).to_owned()));
    element.name = format!("p:{}", element.name);
    Some(())
}

fn blank(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    insert(document, place, random, |_| true, &["\n", " ", "\t", "\r\n   "])
}

fn stray_text(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    insert(document, place, random, |tree| !tree.is_leaf(), &["x", "\u{a0}", "0"])
}

fn insert(
    document: &mut Tree,
    place: &[usize],
    random: &mut Random,
    at_all: fn(&Tree) -> bool,
    texts: &[&str],
) -> Option<()> {
    let element = document.at(place);
    if !at_all(element) {
        return None;
    }
    let at = random.below(element.nodes.len() + 1);
    element.nodes.insert(at, Item::Text((*random.pick(texts)).to_owned()));
    Some(())
}

fn comment(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let element = document.at(place);
    let at = random.below(element.nodes.len() + 1);
    element.nodes.insert(at, Item::Raw((*random.pick(&["<!-- c -->", "<?i n?>"])).to_owned()));
    Some(())
}

fn child_in_leaf(document: &mut Tree, place: &[usize], random: &mut Random) -> Option<()> {
    let element = document.at(place);
    if !element.is_leaf() {
        return None;
    }
    let child = Tree { name: element.name.clone(), attributes: Vec::new(), nodes: Vec::new() };
    let at = random.below(element.nodes.len() + 1);
    element.nodes.insert(at, Item::Tree(child));
    Some(())
}
