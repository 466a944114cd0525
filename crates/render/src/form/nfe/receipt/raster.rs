//! A picture as dots of a receipt printer: black or white, shades by error diffusion (Floyd and Steinberg, 1976).

use crate::pdf::picture::Picture;

/// Most dots across and down: 40 by 15 mm, as on the receipt of a PDF.
const MOST: (usize, usize) = (320, 120);
const WHITE: i32 = 255;

/// Rows of dots, eight to a byte, the leftmost in the highest bit; 1 is black.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DotRaster {
    /// Bytes of a row.
    pub(super) across: usize,
    pub(super) down: usize,
    pub(super) rows: Vec<u8>,
}

/// The picture in the largest size of its room; `None` for a file that cannot be decoded.
pub(super) fn dots(picture: &Picture) -> Option<DotRaster> {
    let grey = picture.grey()?;
    let size = (usize::try_from(picture.width).ok()?, usize::try_from(picture.height).ok()?);
    let (width, height) = contained(size);
    Some(scattered(&scaled(&grey, size, (width, height)), width, height))
}

/// Largest size of the same proportions that fits.
fn contained((width, height): (usize, usize)) -> (usize, usize) {
    let by_height = MOST.1 * width / height.max(1);
    if by_height <= MOST.0 { (by_height.max(1), MOST.1) } else { (MOST.0, (MOST.0 * height / width.max(1)).max(1)) }
}

/// Mean of all pixels that a dot covers, or the pixel it lies in.
fn scaled(grey: &[u8], (width, height): (usize, usize), (across, down): (usize, usize)) -> Vec<i32> {
    let covered = |place: usize, of: usize, pixels: usize| {
        let from = place * pixels / of;
        from..((place + 1) * pixels / of).max(from + 1).min(pixels)
    };
    let dot = |x: usize, y: usize| {
        let (columns, lines) = (covered(x, across, width), covered(y, down, height));
        let count = i32::try_from(columns.len() * lines.len()).unwrap_or(1).max(1);
        let pixels = lines.flat_map(|line| columns.clone().map(move |column| line * width + column));
        pixels.filter_map(|place| grey.get(place)).map(|shade| i32::from(*shade)).sum::<i32>() / count
    };
    (0..down).flat_map(|y| (0..across).map(move |x| (x, y))).map(|(x, y)| dot(x, y)).collect()
}

fn scattered(shades: &[i32], width: usize, down: usize) -> DotRaster {
    let across = width.div_ceil(8);
    let mut rows = vec![0_u8; across * down];
    // error carried to this row and the next, with an extra column at either side
    let (mut owed, mut next) = (vec![0; width + 2], vec![0; width + 2]);
    for y in 0..down {
        for x in 0..width {
            let wanted = shades[y * width + x] + owed[x + 1] / 16;
            let black = wanted < WHITE.div_euclid(2) + 1;
            if black {
                rows[y * across + x / 8] |= 0x80 >> (x % 8);
            }
            let error = wanted - if black { 0 } else { WHITE };
            owed[x + 2] += error * 7;
            next[x] += error * 3;
            next[x + 1] += error * 5;
            next[x + 2] += error;
        }
        std::mem::swap(&mut owed, &mut next);
        next.fill(0);
    }
    DotRaster { across, down, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_proportions() {
        assert_eq!(contained((200, 80)), (300, 120));
        assert_eq!(contained((1200, 100)), (320, 26));
        assert_eq!(contained((1, 1200)), (1, 120));
        assert_eq!(contained((1200, 1)), (320, 1));
    }

    #[test]
    fn dots_are_as_many_as_the_shade_is_dark() {
        let black = |shade: i32| {
            let dots = scattered(&vec![shade; 64 * 64], 64, 64);
            dots.rows.iter().map(|byte| byte.count_ones()).sum::<u32>()
        };
        assert_eq!((black(0), black(255)), (64 * 64, 0));
        assert!((1948..2148).contains(&black(128)), "{}", black(128));
        assert!((924..1124).contains(&black(191)), "{}", black(191));
    }

    #[test]
    fn a_row_is_filled_up_with_white() {
        let dots = scattered(&[0, 0, 0, 255, 0, 0, 0, 0, 0, 0], 10, 1);
        assert_eq!((dots.across, dots.down, dots.rows), (2, 1, vec![0b1110_1111, 0b1100_0000]));
    }
}
