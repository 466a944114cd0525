//! Code page 850, the page of Western Europe that every ESC/POS printer has: one byte per letter, with all Portuguese
//! accents.
//!
//! Law: IBM CDRA, code page 850; ESC/POS, `ESC t 2`.

/// Letters of bytes 0x80 to 0xFF.
const UPPER: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
);

/// Encodes a text, one byte per letter. A control character becomes a blank, so that a caller's text never commands the
/// printer; a letter outside the page becomes its plain form, or `?`.
pub(super) fn encoded(text: &str) -> Vec<u8> {
    text.chars().map(byte).collect()
}

fn byte(letter: char) -> u8 {
    match letter {
        ' '..='~' => u8::try_from(letter).unwrap_or(b'?'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => b'-',
        '\u{2018}' | '\u{2019}' => b'\'',
        '\u{201C}' | '\u{201D}' => b'"',
        '\u{2022}' => b'*',
        letter if letter.is_control() || letter == '\u{a0}' => b' ',
        letter => {
            let place = UPPER.chars().position(|known| known == letter);
            place.and_then(|place| u8::try_from(place + 0x80).ok()).unwrap_or(b'?')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portuguese_letters_have_their_bytes() {
        // the codec cp850 of Python encodes them so
        let expected = [0x80, 0x87, 0xC7, 0xC6, 0xE5, 0xE4, 0xA0, 0x82, 0xA1, 0xA2, 0xA3, 0x83, 0x88, 0x93, 0x85, 0x90];
        assert_eq!(encoded("ÇçÃãÕõáéíóúâêôàÉ"), expected);
        assert_eq!(encoded("n\u{ba} 1\u{aa} R$"), [b'n', 0xA7, b' ', b'1', 0xA6, b' ', b'R', b'$']);
        assert_eq!(UPPER.chars().count(), 128);
    }

    #[test]
    fn no_text_is_a_command() {
        assert_eq!(encoded("a\u{1b}@\u{1d}V\n\u{0}漢–“x”"), b"a @ V  ?-\"x\"");
    }
}
