//! Forms of transport: DACTE of a CT-e (57) and DACTE OS of a CT-e OS (67), portrait or landscape. Content that does
//! not fit continues on further sheets with the same head.
//!
//! Law: MOC CT-e 4.00, Anexo II (contents and order of the blocks; its models are pictures, so the exact positions are
//! ours).

mod cargo_sheet;
mod dacte_block;
mod documents;
mod flow;
mod header;
mod insurance;
mod modal;
mod observations;
mod party;
mod service_sheet;
mod tax;

use super::FormKind;
use super::dfe::{Dfe, DocumentTags, FormError};
use super::options::PrintOptions;
use super::status_mark::StatusMark;
use crate::paper::{Frame, Length, Sheet};
use dacte_block::DacteBlock;
use flow::Flow;
use std::sync::Arc;

/// Model 57: cargo.
pub(super) static CARGO: FormKind =
    FormKind { words: words("CTe"), title: |_| "DACTE", sheets, receipt: |_, _| Ok(None) };

/// Model 67: passengers, valuables, excess baggage.
pub(super) static SERVICE: FormKind =
    FormKind { words: words("CTeOS"), title: |_| "DACTE OS", sheets, receipt: |_, _| Ok(None) };

const fn words(root: &'static str) -> DocumentTags {
    DocumentTags {
        root,
        inf: "infCte",
        id: "CTe",
        protocol: "protCTe/infProt",
        qr_code: "infCTeSupl/qrCodCTe",
        number: "ide/nCT",
        offline: "2",
        on_security_paper: &[],
        ending: 'O',
    }
}

const MARGIN: Length = Length::mm(5);
const SHORT: Length = Length::mm(210);
const LONG: Length = Length::mm(297);

/// Facts of printing a CT-e.
#[derive(Clone, Copy)]
struct DacteContext<'x> {
    cte: Dfe<'x>,
    /// Landscape: wide rows, few of them.
    landscape: bool,
    /// Pixels of the logo, if there is one.
    logo: Option<(u32, u32)>,
}

impl<'x> DacteContext<'x> {
    fn is_service(&self) -> bool {
        self.cte.text("ide/mod") == "67"
    }

    fn sheet(&self) -> Sheet<'x> {
        if self.landscape { Sheet::new(LONG, SHORT) } else { Sheet::new(SHORT, LONG) }
    }

    /// Room of a sheet within the margins.
    fn whole(&self) -> Frame {
        let sheet = self.sheet();
        Frame::new(Length::ZERO, Length::ZERO, sheet.width, sheet.height).inside(MARGIN)
    }
}

/// Content below the head of the first sheet: blocks from the top, flows between them, blocks from the bottom.
struct SheetBlocks<'x> {
    above: Vec<DacteBlock<'x>>,
    /// Documents of the transport; the observations.
    flows: Vec<Flow<'x>>,
    below: Vec<DacteBlock<'x>>,
    /// Flows on further sheets only.
    after: Vec<Flow<'x>>,
}

fn sheets<'x>(cte: Dfe<'x>, options: &'x PrintOptions) -> Result<Vec<Sheet<'x>>, FormError> {
    let landscape = options.landscape.unwrap_or_else(|| cte.text("ide/tpImp") == "2");
    let logo = options.logo.as_ref().map(|logo| (logo.width, logo.height));
    let context = DacteContext { cte, landscape, logo };
    let mark = StatusMark::of(cte, options);
    let body = if context.is_service() { service_sheet::body(&context) } else { cargo_sheet::body(&context) };
    let stub = header::STUB + header::TEAR;
    let mut first = context.sheet();
    let rest = draw_first(&mut first, context.whole().split_top(stub + header::HEIGHT).1, body);
    let mut sheets = vec![first];
    sheets.extend(further_sheets(&context, rest));
    let pages = sheets.len();
    // heads show the number of sheets; further sheets share one head
    let under = common(&context, mark.as_ref(), pages)?;
    for (page, sheet) in sheets.iter_mut().enumerate() {
        let own = std::mem::take(&mut sheet.marks);
        let folio = if page == 0 {
            header::draw_stub(sheet, Frame { height: header::STUB, ..context.whole() }, &context);
            let folio = header::draw(sheet, context.whole().split_top(stub).1, &context)?;
            mark.iter().for_each(|mark| mark.draw(sheet));
            Some(folio)
        } else {
            under.as_ref().map(|(marks, folio)| {
                sheet.under = Some(Arc::clone(marks));
                *folio
            })
        };
        folio.into_iter().for_each(|folio| header::draw_folio(sheet, folio, page + 1, pages));
        sheet.marks.extend(own);
    }
    Ok(sheets)
}

type CommonHead<'x> = (Arc<Vec<crate::paper::SheetMark<'x>>>, Frame);

/// Common content of all sheets after the first, with the room for their numbers; `None` for a single sheet.
fn common<'x>(
    context: &DacteContext<'x>,
    mark: Option<&StatusMark>,
    pages: usize,
) -> Result<Option<CommonHead<'x>>, FormError> {
    if pages == 1 {
        return Ok(None);
    }
    let mut sheet = context.sheet();
    let folio = header::draw(&mut sheet, context.whole(), context)?;
    mark.into_iter().for_each(|mark| mark.draw(&mut sheet));
    Ok(Some((Arc::new(sheet.marks), folio)))
}

/// Draws the first sheet; returns the flows that continue.
fn draw_first<'x>(sheet: &mut Sheet<'x>, frame: Frame, body: SheetBlocks<'x>) -> Vec<Flow<'x>> {
    let mut rest = Vec::new();
    let mut room = frame;
    for block in body.above {
        let (top, below) = room.split_top(block.height());
        rest.extend(block.draw(sheet, top));
        room = below;
    }
    let bottom = body.below.iter().map(DacteBlock::height).sum::<Length>();
    let (middle, mut room) = room.split_top(room.height - bottom);
    rest.extend(flow::draw_flows(sheet, middle, body.flows));
    for block in body.below {
        let (top, below) = room.split_top(block.height());
        rest.extend(block.draw(sheet, top));
        room = below;
    }
    rest.extend(body.after);
    rest
}

/// Further sheets of the continuing flows, still without heads.
fn further_sheets<'x>(context: &DacteContext<'x>, mut flows: Vec<Flow<'x>>) -> Vec<Sheet<'x>> {
    let mut sheets = Vec::new();
    while !flows.is_empty() && sheets.len() < MOST_SHEETS {
        let mut sheet = context.sheet();
        let mut room = context.whole().split_top(header::HEIGHT).1;
        while let Some(flow) = flows.first_mut() {
            let used = flow.draw_on(&mut sheet, room);
            room = room.split_top(used).1;
            if !flow.is_done() {
                break;
            }
            flows.remove(0);
        }
        sheets.push(sheet);
    }
    sheets
}

/// Most sheets; no legal document comes near it.
const MOST_SHEETS: usize = 2000;
