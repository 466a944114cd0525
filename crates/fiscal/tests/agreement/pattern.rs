//! Text that matches an XSD pattern.

use std::cell::RefCell;
use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::random::Random;

/// Returns a text that the pattern accepts. No official pattern contains a character that XSD and the `regex` crate
/// read differently.
pub(crate) fn matching(source: &str, random: &mut Random) -> String {
    matching_up_to(source, 8, random)
}

/// Returns such a text in which unlimited repetitions occur at most `most` times.
pub(crate) fn matching_up_to(source: &str, most: usize, random: &mut Random) -> String {
    PARSED.with_borrow_mut(|parsed| {
        let hir =
            parsed.entry(source.to_owned()).or_insert_with(|| regex_syntax::Parser::new().parse(source).expect(source));
        let mut text = String::new();
        write(hir, most, random, &mut text);
        text
    })
}

thread_local! {
    /// Parsed patterns: each is drawn from thousands of times.
    static PARSED: RefCell<HashMap<String, Hir>> = RefCell::default();
}

fn write(hir: &Hir, most: usize, random: &mut Random, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).unwrap()),
        HirKind::Class(Class::Unicode(class)) => {
            // a character that XML forbids makes a document for which no schema is needed
            let ranges: Vec<_> =
                class.ranges().iter().filter(|range| is_of_xml(range.start()) || is_of_xml(range.end())).collect();
            // libxml2 knows fewer digits of other scripts (`\\d`) than a newer Unicode has, so only those of ASCII are
            // drawn
            let all_scripts = ranges.last().is_some_and(|last| u32::from(last.end()) > 0xFFFF);
            let range = if all_scripts { ranges[0] } else { *random.pick(&ranges) };
            let (start, end) = (u32::from(range.start()), u32::from(range.end()));
            text.push(loop {
                let at = start + u32::try_from(random.below(usize::try_from(end - start + 1).unwrap())).unwrap();
                if let Some(drawn) = char::from_u32(at).filter(|drawn| is_of_xml(*drawn)) {
                    break drawn;
                }
            });
        }
        HirKind::Class(Class::Bytes(class)) => text.push(char::from(random.pick(class.ranges()).start())),
        HirKind::Repetition(repetition) => {
            let min = usize::try_from(repetition.min).unwrap();
            let max = repetition.max.map_or(min + most, |max| usize::try_from(max).unwrap());
            // checkers fail at the ends of a range
            let count = match random.below(4) {
                0 => min,
                1 if repetition.max.is_some() => max,
                _ => random.between(min, max.min(min + most.max(12))),
            };
            (0..count).for_each(|_| write(&repetition.sub, most, random, text));
        }
        HirKind::Capture(capture) => write(&capture.sub, most, random, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, most, random, text)),
        HirKind::Alternation(parts) => write(random.pick(parts), most, random, text),
    }
}

/// True for a character of XML 1.0.
fn is_of_xml(character: char) -> bool {
    !matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}
