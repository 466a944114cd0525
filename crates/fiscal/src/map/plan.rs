//! Plans: operations that write the objects of one shape. A plan is compiled once from the layout, the map and the
//! first such object; afterwards only values are read. The 990 items of a document usually need one plan.

use super::array::ArrayOp;
use super::decimal::from_ten_thousandths;
use super::format::{FormatError, LeafContext, LeafFormat, WriteOutcome};
use super::scope::ValueLocation;
use super::shape::ObjectShape;
use super::walker::LayoutWalker;
use crate::finding::{Notice, Violation};
use crate::xml::push_number;
use serde_json::Value;

/// Operations to run, in order.
pub(super) struct WritePlan {
    /// Shape of the objects that this plan serves; `None` for a plan used once.
    pub(super) shape: Option<ObjectShape>,
    pub(super) ops: Vec<PlanOperation>,
    /// Notices about the structure, with paths relative to the object.
    pub(super) notices: Vec<Notice>,
    /// Violations of the structure, with paths relative to the object.
    pub(super) violations: Vec<Violation>,
    /// False when notices were cut off. Such a plan is not cached.
    pub(super) is_whole: bool,
}

impl Default for WritePlan {
    fn default() -> WritePlan {
        WritePlan { shape: None, ops: Vec::new(), notices: Vec::new(), violations: Vec::new(), is_whole: true }
    }
}

pub(super) enum PlanOperation {
    /// Tags and constants, already escaped.
    Raw(Box<str>),
    /// A value of the object.
    Leaf(LeafOp),
    /// A repeated element.
    Array(ArrayOp),
    /// Position in the array, from 1.
    Index,
    /// The caller's position; a notice when it differs from the real one.
    Counted { slot: usize, at: ValueLocation },
    /// Sum of parts, as an element.
    Sum { parts: &'static [u8], format: LeafFormat },
    /// Values that must be equal.
    Agree { first: usize, others: Vec<(usize, ValueLocation)> },
    /// A constant that is added to a sum.
    Set { part: u8, value: i64 },
    /// Start of a group that may turn out empty.
    Begin,
    /// End of such a group. An empty one is removed.
    End { tag: &'static str },
}

pub(super) struct LeafOp {
    /// Tags and constants before the element.
    pub(super) before: Box<str>,
    /// Tags of an element that vanishes with its value. Otherwise the tags are part of the constants around it.
    pub(super) tags: Option<(Box<str>, Box<str>)>,
    /// Slot of the value among those of the object.
    pub(super) slot: usize,
    pub(super) format: LeafFormat,
    pub(super) optional: bool,
    pub(super) part: Option<u8>,
    /// An attribute: no tags, quotes escaped.
    pub(super) attribute: bool,
    /// Relative to the object.
    pub(super) at: ValueLocation,
}

/// Object that a plan is applied to.
pub(super) struct PlanTarget<'a, 'v> {
    pub(super) values: &'v [&'a Value],
    pub(super) position: ObjectPosition<'v>,
}

/// Position of an object, formatted only for messages.
#[derive(Debug, Clone, Copy)]
pub enum ObjectPosition<'p> {
    /// At a path. Empty when the plan's paths are absolute.
    At(&'p str),
    /// In the array at a path, counted from 0.
    In(&'p str, usize),
}

impl ObjectPosition<'_> {
    /// Index from 0; a single object has 0.
    fn index(self) -> usize {
        match self {
            ObjectPosition::At(_) => 0,
            ObjectPosition::In(_, index) => index,
        }
    }
    /// Makes a path relative to the object absolute. Allocates once: a large document has thousands of notices.
    pub(super) fn path(self, relative: &str) -> String {
        let own = match self {
            ObjectPosition::At(path) | ObjectPosition::In(path, _) => path,
        };
        let mut path = String::with_capacity(own.len() + MOST_DIGITS + relative.len() + 3);
        path.push_str(own);
        if let ObjectPosition::In(_, index) = self {
            path.push('[');
            push_number(&mut path, index);
            path.push(']');
        }
        if !path.is_empty() && !relative.is_empty() {
            path.push('.');
        }
        path.push_str(relative);
        path
    }
}

/// Digits reserved for an array index.
const MOST_DIGITS: usize = 7;

impl LayoutWalker {
    /// Writes one object by its plan.
    pub(super) fn write_by(&mut self, plan: &WritePlan, object: &PlanTarget<'_, '_>) {
        for notice in &plan.notices {
            let again = || Notice {
                campo: object.position.path(&notice.campo),
                codigo: notice.codigo.clone(),
                mensagem: notice.mensagem.clone(),
                sugestao: notice.sugestao.clone(),
                codigo_status: notice.codigo_status.clone(),
            };
            self.add_notice_of(&notice.codigo, again);
        }
        for violation in &plan.violations {
            self.refuse(|| Violation { campo: object.position.path(&violation.campo), ..violation.clone() });
        }
        for op in &plan.ops {
            match op {
                PlanOperation::Raw(text) => self.xml.raw(text),
                PlanOperation::Leaf(leaf) => self.write_leaf(leaf, object),
                PlanOperation::Array(array) => self.write_array(array, object),
                PlanOperation::Index => self.xml.number(object.position.index() + 1),
                PlanOperation::Counted { slot, at } => self.add_position_notice(*slot, at, object),
                PlanOperation::Set { part, value } => self.parts.count(*part, *value),
                PlanOperation::Begin => self.begun.push(self.xml.len()),
                PlanOperation::End { tag } => {
                    if let Some(begun) = self.begun.pop() {
                        self.xml.remove_if_empty(begun, tag);
                    }
                }
                PlanOperation::Agree { first, others } => self.compare(*first, others, object),
                PlanOperation::Sum { parts, format } => {
                    let sum = parts.iter().fold(0_i64, |sum, part| sum.saturating_add(self.parts.of(*part)));
                    let leaf = LeafContext { open: "", optional: false, counts: false, offset_hours: 0 };
                    // a sum of written numbers is a number
                    let _ = format.write_str(&from_ten_thousandths(sum), false, &leaf, &mut self.xml);
                }
            }
        }
    }

    #[inline]
    fn write_leaf(&mut self, op: &LeafOp, object: &PlanTarget<'_, '_>) {
        self.xml.raw(&op.before);
        let Some(value) = object.values.get(op.slot).copied() else { return };
        if op.attribute {
            return self.write_attribute(value, op, object);
        }
        if op.tags.is_none()
            && let Some((text, zeros)) = op.format.unchanged_text(value)
        {
            self.xml.raw(text);
            if !zeros.is_empty() {
                self.xml.raw(zeros);
            }
            if let Some(part) = op.part {
                self.parts.count(part, op.format.counted(text));
            }
            return;
        }
        let (open, close) = op.tags.as_ref().map_or(("", ""), |(open, close)| (&**open, &**close));
        let leaf =
            LeafContext { open, optional: op.optional, counts: op.part.is_some(), offset_hours: self.offset_hours };
        match op.format.write(value, &leaf, &mut self.xml) {
            Ok((WriteOutcome::Nothing, _)) => return,
            Ok((WriteOutcome::Vanished, _)) => return self.add_loss_notice(WriteOutcome::Vanished, op, object),
            Ok((written, counted)) => {
                if let Some(part) = op.part {
                    self.parts.count(part, counted);
                }
                if written != WriteOutcome::Whole {
                    self.add_loss_notice(written, op, object);
                }
            }
            Err(refused) => {
                self.refuse_value(refused, object.position.path(&op.at.path()));
                // The document is refused already. A zero keeps the layout check from refusing the number again.
                if op.format.zero() && op.tags.is_none() {
                    let _ = op.format.write_str("0", true, &leaf, &mut self.xml);
                }
                return;
            }
        }
        self.xml.raw(close);
    }

    /// Adds a notice when the caller's position differs: the service counts itself.
    fn add_position_notice(&mut self, slot: usize, at: &ValueLocation, object: &PlanTarget<'_, '_>) {
        let count = (object.position.index() + 1).to_string();
        let is_it = |value: &&&Value| match value {
            Value::String(text) => text.trim() == count,
            Value::Number(number) => number.as_str() == count,
            _ => false,
        };
        if object.values.get(slot).filter(is_it).is_none() {
            let mensagem = format!("{} é a posição na lista, {count}; o valor informado foi ignorado.", at.name);
            let campo = object.position.path(&at.path());
            self.add_notice_of("campo_ignorado", || Notice::of(campo, "campo_ignorado", &mensagem, Some(&count)));
        }
    }

    /// Refuses different values for one element.
    fn compare(&mut self, first: usize, others: &[(usize, ValueLocation)], object: &PlanTarget<'_, '_>) {
        let number = |slot: usize| match object.values.get(slot)? {
            Value::String(text) => rust_decimal::Decimal::from_str_exact(text.trim()).ok(),
            Value::Number(number) => rust_decimal::Decimal::from_str_exact(number.as_str()).ok(),
            _ => None,
        };
        for (slot, at) in others {
            if number(*slot) != number(first) {
                let mensagem =
                    "Este valor e os outros que representam o mesmo campo do XML devem ser iguais.".to_owned();
                let refused = FormatError { codigo: "valor_divergente", mensagem };
                self.refuse_value(refused, object.position.path(&at.path()));
            }
        }
    }

    /// Writes an attribute through a second writer: attributes are rare.
    fn write_attribute(&mut self, value: &Value, op: &LeafOp, object: &PlanTarget<'_, '_>) {
        let leaf = LeafContext { open: "", optional: false, counts: false, offset_hours: self.offset_hours };
        let mut text = crate::xml::CanonicalWriter::default();
        match op.format.write(value, &leaf, &mut text) {
            Ok(_) => self.xml.raw(&text.finish().replace('"', "&quot;").replace("&gt;", ">")),
            Err(refused) => self.refuse_value(refused, object.position.path(&op.at.path())),
        }
    }

    fn add_loss_notice(&mut self, written: WriteOutcome, op: &LeafOp, object: &PlanTarget<'_, '_>) {
        let (codigo, mensagem) = match written {
            WriteOutcome::Rounded => {
                ("valor_arredondado", "O leiaute aceita menos casas decimais: o valor foi arredondado.")
            }
            WriteOutcome::Vanished => (
                "valor_arredondado",
                "O leiaute aceita menos casas decimais: arredondado, o valor é zero, e o campo ficou de fora.",
            ),
            WriteOutcome::Dropped => ("caractere_removido", super::text::LOST_CHARACTERS),
            WriteOutcome::Whole | WriteOutcome::Nothing => return,
        };
        self.add_notice(|| Notice {
            campo: object.position.path(&op.at.path()),
            codigo: codigo.to_owned(),
            mensagem: mensagem.to_owned(),
            sugestao: None,
            codigo_status: None,
        });
    }

    fn refuse_value(&mut self, refused: FormatError, campo: String) {
        self.refuse(|| Violation { campo, codigo: refused.codigo, mensagem: refused.mensagem, sugestao: None });
    }
}
