//! `PUT /v1/empresas/{cpf_cnpj}/logo` with files that stand for far more than they are, and with forms that never come
//! to the point.

use std::io::Write as _;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flate2::write::ZlibEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress};
use http::Method;
use serde_json::Value;

use crate::support::app::{Tenant, TestApp};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Answer;

async fn put(tenant: &Tenant, what: &str, media: &str, file: Vec<u8>) -> Answer {
    let path = format!("/v1/empresas/{NUMERIC}/{what}");
    let begun = Instant::now();
    let answer = tenant.test.send(Method::PUT, &path, &[("content-type", media)], Bytes::from(file)).await;
    // a debug build on a busy machine; what is unpacked whole takes minutes
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    answer
}

async fn with_company(app: &TestApp) -> Tenant {
    let tenant = app.tenant().await;
    tenant.test.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    tenant
}

/// Returns a zlib stream a thousandth of the size of the zeros it unpacks to.
fn zeros(megabytes: usize) -> Vec<u8> {
    let megabyte = vec![0; 1 << 20];
    let mut packed = Vec::with_capacity(64 << 10);
    // after a full flush nothing of what comes refers to what was: the piece may be repeated
    Compress::new(Compression::best(), false).compress_vec(&megabyte, &mut packed, FlushCompress::Full).unwrap();
    let sum = u32::try_from((megabytes << 20) % 65_521).unwrap() << 16 | 1;
    // an empty last block of fixed codes
    [&[0x78, 0xDA], packed.repeat(megabytes).as_slice(), &[3, 0], &sum.to_be_bytes()].concat()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(data);
    [&u32::try_from(data.len()).unwrap().to_be_bytes(), kind.as_slice(), data, &crc.sum().to_be_bytes()].concat()
}

const GREY_8: [u8; 5] = [8, 0, 0, 0, 0];
const RGBA_16_INTERLACED: [u8; 5] = [16, 6, 0, 0, 1];

/// A PNG of these chunks between its header and its end.
fn png(width: u32, height: u32, kind: [u8; 5], chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = [width.to_be_bytes().as_slice(), &height.to_be_bytes(), &kind].concat();
    [b"\x89PNG\r\n\x1a\n".as_slice(), &chunk(b"IHDR", &header), &chunks.concat(), &chunk(b"IEND", &[])].concat()
}

fn black(width: usize, height: usize) -> Vec<u8> {
    chunk(b"IDAT", &zlib(&vec![0; (width + 1) * height]))
}

/// Returns a frame's header: number in the sequence, size, no offset, a tenth of a second.
fn frame(sequence: u32, width: u32, height: u32) -> Vec<u8> {
    let data = [sequence, width, height, 0, 0].map(u32::to_be_bytes).concat();
    chunk(b"fcTL", &[data.as_slice(), &[0, 1, 0, 10, 0, 0]].concat())
}

#[tokio::test]
async fn a_png_costs_what_its_pixels_cost() {
    let app = TestApp::start().await;
    let tenant = with_company(&app).await;
    let bomb = zeros(400);
    assert!(bomb.len() < 480 << 10, "{}", bomb.len());
    let named = |kind: &[u8; 4], head: &[u8]| chunk(kind, &[head, &bomb].concat());
    let taken = [
        ("a profile", png(40, 20, GREY_8, &[named(b"iCCP", b"p\0\0"), black(40, 20)])),
        ("a packed text", png(40, 20, GREY_8, &[named(b"zTXt", b"Comment\0\0"), black(40, 20)])),
        ("a text of the world", png(40, 20, GREY_8, &[named(b"iTXt", b"Comment\0\x01\0\0\0"), black(40, 20)])),
        ("data beyond the last row", png(40, 20, GREY_8, &[chunk(b"IDAT", &bomb)])),
        ("forty thousand chunks", png(40, 20, GREY_8, &[chunk(b"abCd", &[]).repeat(40_000), black(40, 20)])),
        ("all there may be, interlaced", {
            let data = zlib(&vec![0; 1200 * 1200 * 8 + 1200 * 16]);
            png(1200, 1200, RGBA_16_INTERLACED, &[chunk(b"IDAT", &data)])
        }),
        ("frames without end", {
            let control = chunk(b"acTL", &[0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
            let more = chunk(b"fdAT", &[[0, 0, 0, 2].as_slice(), &bomb].concat());
            png(40, 20, GREY_8, &[control, frame(0, 40, 20), black(40, 20), frame(1, 40, 20), more])
        }),
    ];
    for (what, file) in taken {
        let kept = put(&tenant, "logo", "image/png", file).await;
        assert_eq!(kept.status, 200, "{what}: {}", kept.text());
    }
    let refused = [
        (png(1201, 20, GREY_8, &[black(1201, 20)]), "1200 pixels"),
        (png(20, 1201, GREY_8, &[black(20, 1201)]), "1200 pixels"),
        (png(0x7FFF_FFFF, 0x7FFF_FFFF, GREY_8, &[chunk(b"IDAT", &bomb)]), "1200 pixels"),
        (png(0, 20, GREY_8, &[black(1, 20)]), "danificada"),
        // a first frame that is not the picture
        (
            png(40, 20, GREY_8, &[chunk(b"acTL", &[0, 0, 0, 1, 0, 0, 0, 0]), frame(0, 20, 10), black(20, 10)]),
            "danificada",
        ),
    ];
    for (file, why) in refused {
        let refused = put(&tenant, "logo", "image/png", file).await.refused(422, "validacao");
        assert!(refused["mensagem"].as_str().unwrap().contains(why), "{refused}");
    }
    app.finish().await;
}

const SCAN_OF_DC: [u8; 10] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0];
/// All blocks of 1200 by 1200 pixels are empty: one run of 22,500.
const SCAN_OF_AC: [u8; 12] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 63, 0, 0x2F, 0xC9];

/// A progressive JPEG in grey, with so many scans after the first.
fn jpeg(width: u16, height: u16, scans: usize) -> Vec<u8> {
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    let quantities = [[0xFF, 0xDB, 0, 67, 0].as_slice(), &[1; 64]].concat();
    // one code of one bit: for DC "no difference", for AC "a run of 2^14 empty blocks and more"
    let codes = |class: u8, symbol: u8| [[0xFF, 0xC4, 0, 20, class, 1].as_slice(), &[0; 15], &[symbol]].concat();
    let [h, w] = [height.to_be_bytes(), width.to_be_bytes()];
    [
        [0xFF, 0xD8].as_slice(),
        &quantities,
        &[0xFF, 0xC2, 0, 11, 8, h[0], h[1], w[0], w[1], 1, 1, 0x11, 0],
        &codes(0x00, 0),
        &codes(0x10, 0xE0),
        &SCAN_OF_DC,
        &vec![0; blocks.div_ceil(8)],
        &SCAN_OF_AC.repeat(scans),
        &[0xFF, 0xD9],
    ]
    .concat()
}

#[tokio::test]
async fn a_jpeg_has_so_many_pixels_and_so_many_scans() {
    let app = TestApp::start().await;
    let tenant = with_company(&app).await;
    let kept = put(&tenant, "logo", "image/jpeg", jpeg(1200, 1200, 20)).await.ok(200);
    assert_eq!((&kept["formato"], &kept["largura"]), (&"image/jpeg".into(), &1200.into()));
    let mut two_frames = jpeg(40, 20, 1);
    let large = [0xFF, 0xC2, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0x11, 0];
    let after_the_first = two_frames.windows(2).position(|marker| marker == [0xFF, 0xC4]).unwrap();
    two_frames.splice(after_the_first..after_the_first, large);
    let refused = [
        (jpeg(1200, 1200, 60), "danificada"),
        (jpeg(1200, 1200, 40_000), "danificada"),
        (jpeg(1201, 20, 1), "1200 pixels"),
        (jpeg(20, 65_535, 1), "1200 pixels"),
        (two_frames, "danificada"),
    ];
    for (file, why) in refused {
        let refused = put(&tenant, "logo", "image/jpeg", file).await.refused(422, "validacao");
        assert!(refused["mensagem"].as_str().unwrap().contains(why), "{refused}");
    }
    app.finish().await;
}

/// A form of parts: name, further lines of its head, content.
fn form(parts: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let part = |(name, head, content): &(&str, &str, &[u8])| {
        let head = format!("--fim\r\nContent-Disposition: form-data; name=\"{name}\"\r\n{head}\r\n");
        [head.as_bytes(), content, b"\r\n"].concat()
    };
    [parts.iter().map(part).collect::<Vec<_>>().concat(), b"--fim--\r\n".to_vec()].concat()
}

#[tokio::test]
async fn a_form_has_so_many_parts_with_short_heads_and_none_of_them_twice() {
    const FORM: &str = "multipart/form-data; boundary=fim";
    let app = TestApp::start().await;
    let tenant = with_company(&app).await;
    let picture = png(40, 20, GREY_8, &[black(40, 20)]);
    let logo = ("arquivo", "", picture.as_slice());
    let others = |count| [vec![("outra", "", b"x".as_slice()); count], vec![logo]].concat();
    put(&tenant, "logo", FORM, form(&others(15))).await.ok(200);
    let told = |refused: Value| refused["mensagem"].as_str().unwrap().to_owned();
    let refused = async |what, media: &str, file: Vec<u8>| {
        told(put(&tenant, what, media, file).await.refused(400, "requisicao_invalida"))
    };
    for count in [16, 7_000] {
        let why = refused("logo", FORM, form(&others(count))).await;
        assert!(why.contains("mais de 16 partes"), "{why}");
    }
    let head = format!("X-Longo: {}\r\n", "x".repeat(100_000));
    let why = refused("logo", FORM, form(&[("arquivo", &head, &picture)])).await;
    assert!(why.contains("cabeçalhos"), "{why}");
    let why = refused("logo", FORM, form(&[logo, ("logo", "", &picture)])).await;
    assert!(why.contains("arquivo ou logo") && why.contains("mais de uma vez"), "{why}");
    let (pfx, senha) = (("arquivo", "", b"x".as_slice()), ("senha", "", b"y".as_slice()));
    for twice in [[pfx, pfx, senha], [pfx, senha, senha]] {
        let why = refused("certificado", FORM, form(&twice)).await;
        assert!(why.contains("mais de uma vez"), "{why}");
    }
    // a boundary longer than any may be, and one that never comes again
    refused("logo", &format!("multipart/form-data; boundary={}", "x".repeat(40_000)), form(&[logo])).await;
    let mut open = form(&[logo]);
    open.truncate(open.len() - b"\r\n--fim--\r\n".len());
    refused("logo", FORM, open).await;
    app.finish().await;
}
