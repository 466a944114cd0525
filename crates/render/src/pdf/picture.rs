//! A picture in the file: a company's logo. JPEG goes in as it is; other formats come in as plain pixels.
//!
//! Must not know: where a picture came from, how it was checked.

use super::compressed;
use pdf_writer::{Filter, Finish, Pdf, Ref};

/// A picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// The pixels.
    pub pixels: Pixels,
}

/// How the pixels are given.
#[derive(Clone, Debug)]
pub enum Pixels {
    /// A JPEG file of three components, or of one.
    Jpeg {
        /// The file.
        file: Vec<u8>,
        /// One component.
        grey: bool,
    },
    /// Red, green, blue; row by row.
    Rgb(Vec<u8>),
}

impl Picture {
    pub(super) fn write(&self, pdf: &mut Pdf, id: Ref) {
        let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        let packed;
        let (bytes, filter, grey) = match &self.pixels {
            Pixels::Jpeg { file, grey } => (file, Filter::DctDecode, *grey),
            Pixels::Rgb(pixels) => {
                packed = compressed(pixels);
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
