//! Writer against an independent canonicaliser, reader against malformed XML, and the two against each other.

use bergshamra_c14n::{C14nMode, canonicalize};

use super::{CanonicalWriter, Element, Node, read};

fn check_refused(xml: &str, why: &str) {
    let error = read(xml.as_bytes()).unwrap_err();
    assert!(error.why.contains(why), "{xml}: {error}");
}

#[test]
fn reads_names_namespaces_attributes_text_and_spans() {
    let xml = "<?xml version='1.0' encoding='UTF-8'?>\n<a xmlns='u' xmlns:p='v' p:k='1' z='&lt;\n2'><p:b>x &amp; y<!-- c --><![CDATA[ <z>]]>&#233;</p:b><c/></a>\n";
    let root = read(xml.as_bytes()).unwrap();
    assert_eq!((root.prefix.as_str(), root.name.as_str(), root.namespace.as_str()), ("", "a", "u"));
    assert_eq!(root.attributes, [("{v}k".to_owned(), "1".to_owned()), ("z".to_owned(), "< 2".to_owned())]);
    let child = root.child("b").unwrap();
    assert_eq!((child.prefix.as_str(), child.namespace.as_str(), child.text()), ("p", "v", "x & y <z>é"));
    assert!(xml[child.span.clone()].starts_with("<p:b>") && xml[child.span.clone()].ends_with("</p:b>"));
    assert_eq!(&xml[root.child("c").unwrap().span.clone()], "<c/>");
    assert_eq!(root.child("c").unwrap().namespace, "u");
}

#[test]
fn line_ends_become_one_line_feed_but_a_written_reference_stays() {
    let root = read(b"<a>1\r\n2\r3&#13;</a>").unwrap();
    assert_eq!(root.nodes, [Node::Text("1\n2\n3\r".to_owned())]);
}

#[test]
fn a_default_namespace_ends_with_its_element() {
    let root = read(b"<a><b xmlns='u'><c xmlns=''/></b><d/></a>").unwrap();
    let namespaces: Vec<&str> = [&root, root.at("b").unwrap(), root.at("b/c").unwrap(), root.at("d").unwrap()]
        .map(|e| e.namespace.as_str())
        .to_vec();
    assert_eq!(namespaces, ["", "u", "", ""]);
}

#[test]
fn refuses_what_xml_forbids() {
    check_refused("<!DOCTYPE a><a/>", "DTD");
    check_refused("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "DTD");
    check_refused("<a>&x;</a>", "entidade &x;");
    check_refused("<a>&#0;</a>", "&#0;");
    check_refused("<a>&#1;</a>", "U+0001");
    check_refused("<a b='&#1;'/>", "U+0001");
    check_refused("<a>\u{1}</a>", "U+0001");
    check_refused("<a>\u{ffff}</a>", "U+FFFF");
    check_refused("<a/><b/>", "mais de um elemento raiz");
    check_refused("<a/>x", "texto fora");
    check_refused("", "não há elemento raiz");
    check_refused("<a><b></a>", "esperado o fechamento de <b>");
    check_refused("<a>", "falta o fechamento de <a>");
    check_refused("</a>", "sem abertura");
    check_refused("<a b='<'/>", "contém <");
    check_refused("<a b='1' b='2'/>", "repetido");
    check_refused("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", "repetido");
    check_refused("<a b='1'c='2'/>", "espaço");
    check_refused("<p:a/>", "prefixo p");
    check_refused("<a xmlns:p=''/>", "vazio");
    check_refused("<1a/>", "nome inválido");
    check_refused("<a:b:c xmlns:a='u'/>", "nome inválido");
    check_refused("<a>]]></a>", "]]>");
    check_refused("<a><!-- -- --></a>", "--");
    check_refused("<a/><?xml version='1.0'?>", "início");
    check_refused("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "ISO-8859-1");
    assert_eq!(read(b"<a>\xff</a>").unwrap_err().at, 3);
}

#[test]
fn takes_64_levels_and_no_more() {
    let nested = |levels: usize| format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    assert!(read(nested(64).as_bytes()).is_ok());
    check_refused(&nested(65), "64 níveis");
}

#[test]
fn what_a_document_makes_grow_has_a_bound() {
    check_refused(&format!("<a>{}</a>", "<b/>".repeat(400_001)), "400000 elementos");
    check_refused(&format!("<a>{}</a>", "<b c='' d='' e='' f=''/>".repeat(80_001)), "400000 elementos");
    check_refused(&format!("<a>{}</a>", "x<!---->".repeat(400_001)), "400000 elementos");
    check_refused(&format!("<{}/>", "a".repeat(257)), "nome de 257 bytes");
    check_refused(&format!("<a {}='1'/>", "b".repeat(257)), "nome de 257 bytes");
    let many = |attribute: &str, count: usize| (0..count).map(|at| format!(" {attribute}{at}='u'")).collect::<String>();
    check_refused(&format!("<a{}/>", many("b", 300_000)), "64 atributos");
    let namespaces = read(format!("<a{}/>", many("xmlns:b", 300_000)).as_bytes());
    assert!(namespaces.is_err());
}

#[test]
fn an_error_is_one_line_however_long_what_is_wrong() {
    let long = "a".repeat(1 << 20);
    for xml in [
        format!("<{long}/>"),
        format!("<a><{long}></a>"),
        format!("<a></{long}>"),
        format!("</{long}>"),
        format!("<a>&{long};</a>"),
        format!("<a b='&{long};'/>"),
        format!("<a><?{long}!?></a>"),
        format!("<a {long}:b='1'/>"),
        format!("<?xml version='{long}'?><a/>"),
        format!("<?xml version='1.0' encoding='{long}'?><a/>"),
    ] {
        let error = read(xml.as_bytes()).unwrap_err().to_string();
        assert!(error.len() < 700, "{} bytes: {}", error.len(), &error[..300]);
    }
}

/// SplitMix64 with a fixed seed: the same documents in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    /// A text in which the characters that C14N escapes are frequent, at every position of an eight-byte word.
    fn text(&mut self) -> String {
        const CHARACTERS: [char; 20] =
            ['a', 'b', '0', ' ', '&', '<', '>', '"', '\'', '\r', '\n', '\t', 'é', '€', '𝄞', ';', '#', ']', '=', '?'];
        let common = self.below(2) == 0;
        (0..self.below(30))
            .map(|_| if common && self.below(8) > 0 { 'x' } else { CHARACTERS[self.below(CHARACTERS.len())] })
            .collect()
    }

    fn write(&mut self, writer: &mut CanonicalWriter, depth: usize) {
        let name = ["NFe", "ide", "p:x", "é"][self.below(4)];
        if depth == 0 || self.below(3) == 0 {
            return writer.leaf(name, &self.text());
        }
        let (a, b) = (self.text(), self.text());
        writer.open_with(name, &[("Id", &a), ("versao", &b)]);
        for _ in 0..self.below(4) {
            self.write(writer, depth - 1);
        }
        writer.text(&self.text());
        writer.close(name);
    }
}

fn write_again(element: &Element, writer: &mut CanonicalWriter, declarations: &[(&str, &str)]) {
    let name = if element.prefix.is_empty() {
        element.name.to_string()
    } else {
        format!("{}:{}", element.prefix, element.name)
    };
    let attributes = element.attributes.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    writer.open_with(&name, &declarations.iter().copied().chain(attributes).collect::<Vec<_>>());
    for node in &element.nodes {
        match node {
            Node::Element(child) => write_again(child, writer, &[]),
            Node::Text(text) => writer.text(text),
        }
    }
    writer.close(&name);
}

#[test]
fn what_the_writer_writes_is_already_canonical_and_reads_back_the_same() {
    const DECLARATIONS: [(&str, &str); 2] = [("xmlns", "http://www.portalfiscal.inf.br/nfe"), ("xmlns:p", "u")];
    let mut random = Random(20_261_120);
    for case in 0..2_000 {
        let mut writer = CanonicalWriter::default();
        writer.open_with("raiz", &DECLARATIONS);
        for _ in 0..random.below(6) {
            random.write(&mut writer, 4);
        }
        writer.close("raiz");
        let written = writer.finish();
        let canonical = canonicalize::<&str>(&written, C14nMode::Inclusive, None, &[]).unwrap();
        assert_eq!(written, String::from_utf8(canonical).unwrap(), "case {case}");

        let root = read(written.as_bytes()).unwrap();
        let mut again = CanonicalWriter::default();
        write_again(&root, &mut again, &DECLARATIONS);
        assert_eq!(written, again.finish(), "case {case}");
    }
}

#[test]
fn names_of_any_number_and_length_are_read_as_they_stand() {
    let long = "n".repeat(100);
    let many: String = (0..2_000).map(|number| format!("<a{number}/><{long}/>")).collect();
    // the second time, the names are cached
    for _ in 0..2 {
        let root = read(format!("<r>{many}</r>").as_bytes()).unwrap();
        let names: Vec<&str> = root.children().map(|child| child.name.as_str()).collect();
        let expected: Vec<String> = (0..2_000).flat_map(|number| [format!("a{number}"), long.clone()]).collect();
        assert_eq!(names, expected);
    }
}
