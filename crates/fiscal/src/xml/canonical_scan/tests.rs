//! Scanned canonical text against the same text read. `nota::faults` compares both on every document that the tests
//! write.

use crate::xml::{CanonicalWriter, FlatDocument, read};

/// Both give the same document.
fn check(xml: &str) {
    let read = read(xml.as_bytes()).unwrap();
    assert_eq!(FlatDocument::scan_canonical(xml).unwrap(), FlatDocument::of(&read), "{xml}");
}

/// Both refuse it.
fn refuses(xml: &str) {
    assert!(FlatDocument::scan_canonical(xml).is_err() && read(xml.as_bytes()).is_err(), "{xml}");
}

#[test]
fn sees_what_is_read() {
    check("<a></a>");
    check("<a xmlns=\"u\" Id=\"x\"><b n=\"1\" z=\"&amp;&lt;&quot;&#x9;&#xA;&#xD;>\"></b><c>é 1</c></a>");
    check("<a xmlns=\"u\"><b xmlns=\"v\"><c></c></b><b xmlns=\"u\"></b><c xmlns=\"\">x</c></a>");
    check("<a b=\"1\t2\n3\">&amp;&lt;x&gt;&#xD;</a>");
    check("<a> <b>x</b> y <c></c>&amp;z</a>");
    check("<a_1><b-2.x></b-2.x><é></é></a_1>");
    // neighbours of one name: equal; with longer and shorter names, other names, texts and attributes at the same
    // positions
    let inside = [
        "",
        "x",
        "<c></c>",
        "<c>1</c>x<d></d>",
        "<cd></cd>",
        "<c n=\"1\"></c><d></d>",
        "<é></é>",
        "<e></e>",
        "<b></b><b></b>",
    ];
    for first in inside {
        for second in inside {
            for third in inside {
                check(&format!("<a><b>{first}</b><b>{second}</b>x<b n=\"2\">{third}</b><c></c></a>"));
            }
        }
    }
}

#[test]
fn sees_what_the_writer_writes() {
    let texts = ["", "x", " ", "a & b", "<>", "\r", "]]>", "\"'", "ação\t\n", "&amp;", "&&"];
    for text in texts {
        for other in texts {
            let mut writer = CanonicalWriter::default();
            writer.open_with("a", &[("xmlns", "u"), ("Id", text)]);
            writer.text(other);
            writer.leaf("b", text);
            writer.text(text);
            writer.close("a");
            check(&writer.finish());
        }
    }
}

#[test]
fn refuses_what_is_not_well_formed() {
    for xml in [
        "",
        "x",
        "<a>",
        "</a>",
        "<a></b>",
        "<a></a></a>",
        "<a></a><b></b>",
        "<a><b><c></c></b><b><></></b></a>",
        "<a><b><c></c></b><b><c</c></b></a>",
        "<a><b><c></c></b><b><c></d></b></a>",
        "<a><b>x<c></c>y</b><b>x<c></c><></b></a>",
        "<a></a>x",
        "<a><b></a></b>",
        "<a",
        "<a b></a>",
        "<a b=\"1></a>",
        "<a></a",
        "<a b=\"<\"></a>",
        "<a b=\"1\" b=\"1\"></a>",
        "<a b=\"1\"c=\"1\"></a>",
        "<>",
        "<a>&x;</a>",
        "<a>&amp</a>",
        "<a>]]></a>",
        "<1></1>",
        "<p:a></p:a>",
        "<a>\u{1}</a>",
        "<a>\u{ffff}</a>",
        "<a b=\"\u{1}\"></a>",
    ] {
        refuses(xml);
    }
}

/// Well-formed, but never written by this service: refused, not guessed.
#[test]
fn refuses_what_is_not_canonical() {
    for xml in [
        "<a/>",
        "<?xml version=\"1.0\"?><a></a>",
        "<a><!-- c --></a>",
        "<a><![CDATA[x]]></a>",
        "<a>\r</a>",
        "<a >x</a>",
        "<a>x</a >",
        "<a b='1'></a>",
        "<a>></a>",
        "<a>&#65;</a>",
        "<a></a>\n",
        "<p:a xmlns:p=\"u\"></p:a>",
        "<a xmlns:p=\"u\" p:b=\"1\"></a>",
        "\u{feff}<a></a>",
        "<a><?p?></a>",
    ] {
        assert!(read(xml.as_bytes()).is_ok() && FlatDocument::scan_canonical(xml).is_err(), "{xml}");
    }
}

#[test]
fn a_document_that_is_too_large_is_refused_in_the_same_words() {
    let (most, deep) = (400_000, 64);
    for xml in [
        format!("<a>{}</a>", "<b i=\"1\">x</b>".repeat(most / 3 + 1)),
        format!("<a>x{}y</a>", "&amp;".repeat(most)),
        format!("<a>{}</a>", "x&lt;".repeat(most / 2)),
        format!("{}{}", "<a>".repeat(deep + 1), "</a>".repeat(deep + 1)),
    ] {
        assert_eq!(
            FlatDocument::scan_canonical(&xml).unwrap_err(),
            read(xml.as_bytes()).unwrap_err(),
            "{}…",
            &xml[..60]
        );
    }
    check(&format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep)));
}
