//! Deflate. One compressor serves all streams of a file, so its tables are allocated once.
//!
//! Law: RFC 1950; ISO 32000-1, 7.4.4.

use flate2::{Compress, Compression, FlushCompress, Status};

/// Compresses streams.
pub(super) struct StreamCompressor(Compress);

impl StreamCompressor {
    /// For data of every form: measured, higher levels take longer than they save.
    pub(super) fn fast() -> StreamCompressor {
        StreamCompressor(Compress::new(Compression::new(QUICK), true))
    }

    /// For data compressed once per process.
    pub(super) fn best() -> StreamCompressor {
        StreamCompressor(Compress::new(Compression::best(), true))
    }

    /// Compresses bytes into a stream, always with equal output.
    pub(super) fn pack(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.0.reset();
        let mut out = Vec::with_capacity(bytes.len() / 3 + 64);
        let mut rest = bytes;
        loop {
            let before = self.0.total_in();
            let status = self.0.compress_vec(rest, &mut out, FlushCompress::Finish);
            let taken = usize::try_from(self.0.total_in() - before).unwrap_or(usize::MAX);
            rest = rest.get(taken..).unwrap_or_default();
            match status {
                Ok(Status::Ok | Status::BufError) => out.reserve(out.len().max(256)),
                Ok(Status::StreamEnd) | Err(_) => return out,
            }
        }
    }
}

const QUICK: u32 = 1;

#[cfg(test)]
mod tests {
    use super::StreamCompressor;

    #[test]
    fn what_is_packed_is_unpacked() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(|number| (number * number).to_string().into_bytes()).collect();
        let mut quick = StreamCompressor::fast();
        for bytes in [text.as_slice(), b"", &text[..1000], &text] {
            for packed in [quick.pack(bytes), StreamCompressor::best().pack(bytes)] {
                assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap(), bytes);
            }
        }
        assert_eq!(quick.pack(&text), StreamCompressor::fast().pack(&text));
    }
}
