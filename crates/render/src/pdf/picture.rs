//! A picture in the file: a company's logo. A JPEG is embedded unchanged, a PNG as plain pixels on white.
//!
//! Law: ISO/IEC 15948 (PNG), ISO/IEC 10918-1 (JPEG, B.2.2: the frame header).
//! Must not know: the source of a picture.

use super::compressor::StreamCompressor;
use pdf_writer::{Filter, Finish, Pdf, Ref};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    pixels: PixelData,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PixelData {
    /// A whole file, of three components or one.
    Jpeg { file: Vec<u8>, grey: bool },
    /// Red, green, blue; row by row.
    Rgb(Vec<u8>),
}

/// Reasons why bytes are no printable picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPrintable {
    /// Another format.
    #[error("a imagem não é PNG nem JPEG")]
    Format,
    /// The file begins correctly and is faulty later.
    #[error("a imagem está danificada")]
    Damaged,
    /// Too many pixels.
    #[error("a imagem tem mais de {MOST} pixels de lado")]
    TooLarge,
    /// CMYK, which a form of grey and RGB cannot hold.
    #[error("o JPEG é CMYK: salve em RGB ou em tons de cinza")]
    Colours,
}

/// Most pixels of a side: 26 mm at 1,000 dots an inch are fewer.
const MOST: u32 = 1200;
/// Most scans of a progressive JPEG, each of which covers the whole picture; encoders write ten, the most thorough some
/// twenty.
const MOST_SCANS: usize = 50;

impl Picture {
    /// Reads a PNG or JPEG file.
    pub fn read(file: &[u8]) -> Result<Picture, NotPrintable> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => read_png(file),
            [0xFF, 0xD8, 0xFF, ..] => read_jpeg(file),
            _ => Err(NotPrintable::Format),
        }
    }

    /// Shades of grey, row by row, for a receipt printer. `None` for a JPEG that cannot be decoded.
    pub fn grey(&self) -> Option<Vec<u8>> {
        match &self.pixels {
            PixelData::Jpeg { file, .. } => {
                let most = usize::try_from(MOST).ok()?;
                let options = DecoderOptions::default().set_max_width(most).set_max_height(most);
                let options = options.jpeg_set_out_colorspace(ColorSpace::Luma).jpeg_set_max_scans(MOST_SCANS);
                let samples = JpegDecoder::new_with_options(ZCursor::new(file.as_slice()), options).decode().ok()?;
                (samples.len() == usize::try_from(self.width.checked_mul(self.height)?).ok()?).then_some(samples)
            }
            // ITU-R BT.601, in thousandths
            PixelData::Rgb(rgb) => Some(
                rgb.as_chunks()
                    .0
                    .iter()
                    .map(|[r, g, b]| (u32::from(*r) * 299 + u32::from(*g) * 587 + u32::from(*b) * 114) / 1000)
                    .map(|luma| u8::try_from(luma).unwrap_or(u8::MAX))
                    .collect(),
            ),
        }
    }

    pub(super) fn write(&self, pdf: &mut Pdf, id: Ref, packer: &mut StreamCompressor) {
        let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        let packed;
        let (bytes, filter, grey) = match &self.pixels {
            PixelData::Jpeg { file, grey } => (file, Filter::DctDecode, *grey),
            PixelData::Rgb(pixels) => {
                packed = packer.pack(pixels);
                (&packed, Filter::FlateDecode, false)
            }
        };
        let mut image = pdf.image_xobject(id, bytes);
        image.width(side(self.width)).height(side(self.height)).bits_per_component(8);
        image.filter(filter);
        if grey {
            image.color_space().device_gray();
        } else {
            image.color_space().device_rgb();
        }
        image.finish();
    }
}

fn fitting(width: u32, height: u32) -> Result<(u32, u32), NotPrintable> {
    match (1..=MOST).contains(&width) && (1..=MOST).contains(&height) {
        true => Ok((width, height)),
        false if width == 0 || height == 0 => Err(NotPrintable::Damaged),
        false => Err(NotPrintable::TooLarge),
    }
}

fn read_png(file: &[u8]) -> Result<Picture, NotPrintable> {
    let damaged = |_| NotPrintable::Damaged;
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: 64 << 20 });
    decoder.set_transformations(Transformations::normalize_to_color8());
    // neither is printed, and both may unpack to the decoder's limit
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = fitting(header.width, header.height)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let mut samples = vec![0; reader.output_buffer_size().ok_or(NotPrintable::TooLarge)?];
    let frame = reader.next_frame(&mut samples).map_err(damaged)?;
    if frame.bit_depth != BitDepth::Eight {
        return Err(NotPrintable::Damaged);
    }
    samples.truncate(frame.buffer_size());
    let rgb = match frame.color_type {
        ColorType::Rgb => samples,
        ColorType::Rgba => {
            samples.as_chunks().0.iter().flat_map(|[r, g, b, a]| [r, g, b].map(|c| on_white(*c, *a))).collect()
        }
        ColorType::Grayscale => samples.iter().flat_map(|grey| [*grey; 3]).collect(),
        ColorType::GrayscaleAlpha => {
            samples.as_chunks().0.iter().flat_map(|[grey, alpha]| [on_white(*grey, *alpha); 3]).collect()
        }
        ColorType::Indexed => return Err(NotPrintable::Damaged),
    };
    Ok(Picture { width, height, pixels: PixelData::Rgb(rgb) })
}

/// A sample over white paper. PDF/A-2 supports transparency, receipt printers do not.
fn on_white(sample: u8, alpha: u8) -> u8 {
    let (sample, alpha) = (u32::from(sample), u32::from(alpha));
    u8::try_from((sample * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
}

fn read_jpeg(file: &[u8]) -> Result<Picture, NotPrintable> {
    let (width, height, components) = frame_header(file).ok_or(NotPrintable::Damaged)?;
    // a truncated file has no end of image
    if !file.windows(2).any(|marker| marker == [0xFF, 0xD9]) {
        return Err(NotPrintable::Damaged);
    }
    let (width, height) = fitting(width, height)?;
    let grey = match components {
        1 => true,
        3 => false,
        _ => return Err(NotPrintable::Colours),
    };
    Ok(Picture { width, height, pixels: PixelData::Jpeg { file: file.to_vec(), grey } })
}

/// Width, height and number of components, from the first frame header.
fn frame_header(file: &[u8]) -> Option<(u32, u32, u8)> {
    let mut at = 2;
    loop {
        let [0xFF, marker] = *file.get(at..at + 2)? else { return None };
        if marker == 0xFF {
            at += 1;
            continue;
        }
        let length = usize::from(u16::from_be_bytes(file.get(at + 2..at + 4)?.try_into().ok()?));
        // baseline, extended and progressive, Huffman coded
        if matches!(marker, 0xC0..=0xC2) {
            let [8, h1, h2, w1, w2, components] = *file.get(at + 4..at + 10)? else { return None };
            let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
            return Some((side(w1, w2), side(h1, h2), components));
        }
        // a scan before a frame, or a segment shorter than its own length field
        if marker == 0xDA || length < 2 {
            return None;
        }
        at += 2 + length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(colour: ColorType, samples: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.set_color(colour);
        encoder.set_depth(BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(samples).unwrap();
        file
    }

    #[test]
    fn png_pixels_lie_on_white() {
        let read = |colour, samples: &[u8]| match Picture::read(&png(colour, samples)).unwrap().pixels {
            PixelData::Rgb(rgb) => rgb,
            PixelData::Jpeg { .. } => panic!("a PNG is no JPEG"),
        };
        assert_eq!(read(ColorType::Rgb, &[1, 2, 3]), [1, 2, 3]);
        assert_eq!(read(ColorType::Rgba, &[0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(read(ColorType::Grayscale, &[7]), [7, 7, 7]);
        assert_eq!(read(ColorType::GrayscaleAlpha, &[0, 255]), [0, 0, 0]);
    }

    #[test]
    fn jpeg_tells_its_size_and_colours() {
        let jpeg = |components: u8| {
            let mut file = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC2, 0, 11, 8, 0, 20, 0, 30, components];
            file.extend([0; 8]);
            file.extend([0xFF, 0xD9]);
            file
        };
        let read = Picture::read(&jpeg(3)).unwrap();
        assert_eq!((read.width, read.height), (30, 20));
        assert_eq!(Picture::read(&jpeg(4)), Err(NotPrintable::Colours));
        assert_eq!(Picture::read(&jpeg(3)[..9]), Err(NotPrintable::Damaged));
    }

    #[test]
    fn other_bytes_are_refused() {
        assert_eq!(Picture::read(b"GIF89a"), Err(NotPrintable::Format));
        assert_eq!(Picture::read(&[0x89, b'P', b'N', b'G']), Err(NotPrintable::Damaged));
        let mut file = png(ColorType::Rgb, &[1, 2, 3]);
        file[16..20].copy_from_slice(&[0, 0, 0xFF, 0]);
        assert!(Picture::read(&file).is_err());
    }
}
