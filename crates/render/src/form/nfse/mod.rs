//! The DANFSe v2.0: the form of a national NFS-e, or of the DPS of which none was made yet. One sheet, whatever there
//! is to say.
//!
//! Law: NT SE/CGNFS-e 008/2026 (arrangement of its Anexo I, least sizes of type, one page; its positions are
//! suggestions). What it leaves open is told where it is decided.

mod block;
mod codes;
mod header;
mod mark;
mod note;
mod page;
mod party;
mod reform;
mod row;
mod service;
mod shown;
mod taxes;
mod totals;
mod words;

use super::Form;
use super::dfe::{Dfe, Unreadable, Words};
use super::options::Options;
use crate::paper::{Length, Sheet};
use block::{Block, Words as Text};
pub(super) use header::address;
pub(super) use note::Note;
use page::Page;

/// An NFS-e as its authority made it.
pub(super) static NOTE: Form =
    Form { words: words("NFSe", "infNFSe", "NFS"), title: |_| "DANFSe", sheets, receipt: |_, _| Ok(None) };

/// A DPS alone: it has no key, so its `Id` is none.
pub(super) static DECLARATION: Form =
    Form { words: words("DPS", "infDPS", ""), title: |_| "DANFSe", sheets, receipt: |_, _| Ok(None) };

const fn words(root: &'static str, inf: &'static str, id: &'static str) -> Words {
    Words {
        root,
        inf,
        id,
        // none of these: the authority writes its word into the document, and nothing is given out before
        protocol: "-",
        qr_code: "-",
        number: "nNFSe",
        offline: "-",
        on_security_paper: &[],
        ending: 'A',
    }
}

/// Lower edge of what is printed.
const BOTTOM: Length = Length::tenths(2940);

fn sheets<'x>(dfe: Dfe<'x>, _: &'x Options) -> Result<Vec<Sheet<'x>>, Unreadable> {
    let note = Note::of(dfe)?;
    let mut page = Page::new();
    let top = header::draw(&mut page, &note)?;
    let fitted = Fitted::of(&note, BOTTOM - top);
    let mut y = top;
    for block in fitted.blocks {
        y = block.draw(&mut page, y, fitted.lines);
    }
    if fitted.stub {
        words::draw_stub(&mut page, &note, BOTTOM);
    }
    Ok(vec![page.finished(mark::of(&note))])
}

/// The blocks as they fit the sheet.
struct Fitted<'x> {
    blocks: Vec<Block<'x>>,
    /// Lines that a field may take.
    lines: usize,
    /// Whether there is room for the stub.
    stub: bool,
}

impl<'x> Fitted<'x> {
    /// The most that the room takes: whole texts and the stub; without it; texts cut; texts cut and every field on one
    /// line.
    fn of(note: &Note<'x>, room: Length) -> Fitted<'x> {
        let ways = [(2, words::stub_height(note)), (2, Length::ZERO), (1, Length::ZERO)];
        let mut blocks = blocks(note);
        for (lines, stub) in ways {
            let fixed = blocks.iter().map(|block| block.height(lines)).sum::<Length>();
            let free = room - fixed - stub;
            let wanted = blocks.iter().map(Block::wanted).sum::<usize>();
            let there = free.fits(row::CONTENT.leading());
            let last = lines == 1;
            // a text cut short is better than fields cut short, as long as each has some lines
            if there >= wanted || last || stub == Length::ZERO && there >= LEAST_LINES {
                share(&mut blocks, there);
                return Fitted { blocks, lines, stub: stub > Length::ZERO };
            }
        }
        Fitted { blocks, lines: 1, stub: false }
    }
}

/// Lines of free text, description and information together, that fields of two lines must leave.
const LEAST_LINES: usize = 8;

/// Gives the lines that there are to the texts: each what it wants, or its half and what the other leaves.
fn share(blocks: &mut [Block<'_>], there: usize) {
    let mut texts: Vec<&mut Text> = blocks.iter_mut().filter_map(Block::words).collect();
    let mut left = there;
    let mut sharing = texts.len();
    texts.sort_by_key(|text| text.wanted());
    for text in texts {
        let share = text.wanted().min(left / sharing.max(1));
        text.cut_to(share);
        left -= share;
        sharing -= 1;
    }
}

fn blocks<'x>(note: &Note<'x>) -> Vec<Block<'x>> {
    let mut blocks = vec![header::identification(note)];
    blocks.extend(party::blocks(note));
    blocks.push(service::block(note));
    blocks.push(taxes::municipal(note));
    blocks.push(taxes::federal(note));
    blocks.push(reform::block(note));
    blocks.push(totals::block(note));
    blocks.push(words::block(note));
    blocks
}
