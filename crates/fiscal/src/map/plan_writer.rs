//! Writing of objects by their plans.

use super::decimal::from_ten_thousandths;
use super::format::{FormatError, LeafContext, WriteOutcome};
use super::plan::{LeafOp, PlanOperation, PlanTarget, WritePlan};
use super::scope::ValueLocation;
use super::walker::LayoutWalker;
use crate::finding::{Notice, Violation};
use serde_json::Value;

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
