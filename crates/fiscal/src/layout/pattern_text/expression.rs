//! Expressions in the forms of the official schemas: sets, texts, counts, alternatives, an optional group.

/// An alternative.
#[derive(Debug, Default)]
pub(super) struct PatternBranch {
    pub(super) pieces: Vec<PatternPiece>,
}

/// Characters of one kind, with their count.
#[derive(Debug, PartialEq)]
pub(super) struct PatternPiece {
    pub(super) set: CharacterSet,
    pub(super) least: u32,
    /// `None` without a bound.
    pub(super) most: Option<u32>,
}

/// Kinds of characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CharacterSet {
    /// Exactly this text.
    Text(String),
    /// A digit from a list: `1, 2 ou 3`.
    Among(String),
    /// `[0-9]`.
    Digits,
    /// `[A-Z]`.
    Letters,
    /// `[A-Z0-9]`.
    LettersAndDigits,
    /// `[a-zA-Z0-9]`.
    AnyLettersAndDigits,
    /// `[!-ÿ]`.
    Visible,
    /// Everything else.
    Any,
}

/// Alternatives of a pattern, with groups expanded.
pub(super) fn read(source: &str) -> Vec<PatternBranch> {
    split(source).into_iter().flat_map(branches).collect()
}

impl PatternBranch {
    /// True for digits, a sign and a point only.
    pub(super) fn is_number(&self) -> bool {
        self.pieces.iter().all(|piece| match &piece.set {
            CharacterSet::Digits | CharacterSet::Among(_) => true,
            CharacterSet::Text(text) => text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')),
            _ => false,
        })
    }

    pub(super) fn has_point(&self) -> bool {
        self.point().is_some()
    }

    /// The most digits before the point.
    pub(super) fn most_before_point(&self) -> u32 {
        let end = self.point().map_or(self.digits().len(), |(at, _)| at);
        self.digits()[..end].iter().map(|(_, most)| most).sum()
    }

    /// Least and most digits after the point.
    pub(super) fn behind_point(&self) -> Option<(u32, u32)> {
        let (at, _) = self.point()?;
        let behind = &self.digits()[at..];
        Some((behind.iter().map(|(least, _)| least).sum(), behind.iter().map(|(_, most)| most).sum()))
    }

    /// Least and most digits of a number that does not begin with zero.
    pub(super) fn natural(&self) -> Option<(u32, u32)> {
        let [first, rest @ ..] = self.pieces.as_slice() else { return None };
        let is_digits = |piece: &PatternPiece| piece.set == CharacterSet::Digits;
        let begins = first.set == CharacterSet::Among("1 a 9".to_owned()) && first.least == 1;
        let most = |piece: &PatternPiece| piece.most.unwrap_or(piece.least);
        (begins && rest.iter().all(is_digits))
            .then(|| (1 + rest.iter().map(|piece| piece.least).sum::<u32>(), 1 + rest.iter().map(most).sum::<u32>()))
    }

    /// Counts of digits by piece, without the point.
    fn digits(&self) -> Vec<(u32, u32)> {
        let mut digits = Vec::new();
        for piece in &self.pieces {
            match &piece.set {
                CharacterSet::Text(text) => digits.extend(text.bytes().filter(u8::is_ascii_digit).map(|_| (1, 1))),
                _ => digits.push((piece.least, piece.most.unwrap_or(piece.least))),
            }
        }
        digits
    }

    /// Index of the point among `digits`, and among the pieces.
    fn point(&self) -> Option<(usize, usize)> {
        let mut before = 0;
        for (at, piece) in self.pieces.iter().enumerate() {
            match &piece.set {
                CharacterSet::Text(text) => match text.split_once('.') {
                    Some((head, _)) => return Some((before + head.bytes().filter(u8::is_ascii_digit).count(), at)),
                    None => before += text.bytes().filter(u8::is_ascii_digit).count(),
                },
                _ => before += 1,
            }
        }
        None
    }
}

/// Splits at bars outside of brackets.
fn split(source: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0_u32, 0_u32);
    let mut is_escaped = false;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                parts.push(&source[begin as usize..at]);
                begin = u32::try_from(at + 1).unwrap_or(u32::MAX);
            }
            _ => {}
        }
    }
    parts.push(&source[begin as usize..]);
    parts
}

/// Alternatives of a source, one for each alternative of its groups.
fn branches(source: &str) -> Vec<PatternBranch> {
    let Some((head, group, tail)) = group(source) else { return vec![PatternBranch { pieces: pieces(source) }] };
    let (tail, is_optional) = tail.strip_prefix('?').map_or((tail, false), |tail| (tail, true));
    let mut inner = split(group);
    if is_optional {
        inner.push("");
    }
    inner.into_iter().flat_map(|inner| branches(&format!("{head}{inner}{tail}"))).collect()
}

/// The first group, with the text before and after.
fn group(source: &str) -> Option<(&str, &str, &str)> {
    let bytes = source.as_bytes();
    let mut in_set = false;
    let begin = (0..bytes.len()).find(|at| {
        match bytes[*at] {
            b'[' => in_set = true,
            b']' => in_set = false,
            _ => {}
        }
        bytes[*at] == b'(' && !in_set && (*at == 0 || bytes[at - 1] != b'\\')
    })?;
    let mut depth = 0;
    let end = (begin..bytes.len()).find(|at| {
        match bytes[*at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some((&source[..begin], &source[begin + 1..end], &source[end + 1..]))
}

fn pieces(source: &str) -> Vec<PatternPiece> {
    let mut pieces: Vec<PatternPiece> = Vec::new();
    let mut rest = source;
    while let Some((set, after)) = set(rest) {
        let (least, most, after) = count(after);
        rest = after;
        match (pieces.last_mut(), &set) {
            (
                Some(PatternPiece { set: CharacterSet::Text(before), least: 1, most: Some(1) }),
                CharacterSet::Text(text),
            ) if most == Some(1) => {
                before.push_str(text);
            }
            (Some(last), set) if last.set == *set && *set == CharacterSet::Digits => {
                last.least += least;
                last.most = last.most.zip(most).map(|(last, most)| last + most);
            }
            _ => pieces.push(PatternPiece { set, least, most }),
        }
    }
    pieces
}

fn set(source: &str) -> Option<(CharacterSet, &str)> {
    if let Some(inner) = source.strip_prefix('[') {
        let (inside, rest) = inner.split_once(']')?;
        return Some((named(inside), rest));
    }
    if let Some(rest) = source.strip_prefix("\\d") {
        return Some((CharacterSet::Digits, rest));
    }
    let bare = source.strip_prefix('\\');
    let is_any = bare.is_none() && source.starts_with('.');
    let text = bare.unwrap_or(source);
    let first = text.chars().next()?;
    let set = if is_any { CharacterSet::Any } else { CharacterSet::Text(first.to_string()) };
    Some((set, &text[first.len_utf8()..]))
}

fn named(inside: &str) -> CharacterSet {
    match inside {
        "0-9" => CharacterSet::Digits,
        "A-Z" => CharacterSet::Letters,
        "A-Z0-9" | "0-9A-Z" => CharacterSet::LettersAndDigits,
        "a-zA-Z0-9" => CharacterSet::AnyLettersAndDigits,
        "!-ÿ" => CharacterSet::Visible,
        single if single.len() == 1 => CharacterSet::Text(single.to_owned()),
        range if range.len() == 3 && range.as_bytes()[1] == b'-' && range.as_bytes()[0].is_ascii_digit() => {
            CharacterSet::Among(range.replace('-', " a "))
        }
        _ => CharacterSet::Any,
    }
}

/// Parses `{2}`, `{2,4}`, `{0,}`, `+`, `*`, `?`; without them the count is 1.
fn count(source: &str) -> (u32, Option<u32>, &str) {
    let braced = source.strip_prefix('{').and_then(|inner| inner.split_once('}'));
    if let Some((inside, rest)) = braced {
        let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
        return (least.parse().unwrap_or_default(), most.parse().ok(), rest);
    }
    match source.as_bytes().first() {
        Some(b'+') => (1, None, &source[1..]),
        Some(b'*') => (0, None, &source[1..]),
        Some(b'?') => (0, Some(1), &source[1..]),
        _ => (1, Some(1), source),
    }
}
