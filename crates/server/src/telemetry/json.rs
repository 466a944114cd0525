//! Log events as flat JSON objects, one a line: time, level, target, message; then the fields of the enclosing spans,
//! then the event's own.
//!
//! A field appears once, by its dotted name; the event's value takes precedence over a span's, an inner span's over an
//! outer one's.

use std::fmt::Debug;
use std::io::Write as _;

use serde::Serializer as _;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Writes events to stderr.
pub(super) struct JsonLines;

/// Values by name, in the order of their arrival.
#[derive(Default, Clone)]
struct LogFields(Vec<(&'static str, Value)>);

impl LogFields {
    fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    fn add(&mut self, others: &LogFields) {
        for (name, value) in &others.0 {
            self.set(name, value.clone());
        }
    }

    fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = Vec::with_capacity(512);
        serde_json::Serializer::new(&mut line).collect_map(self.0.iter().map(|(name, value)| (name, value)))?;
        line.push(b'\n');
        Ok(line)
    }
}

impl Visit for LogFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.set(field.name(), format!("{value:?}").into());
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), value.into());
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), value.into());
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), value.into());
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), value.into());
    }
    fn record_u128(&mut self, field: &Field, value: u128) {
        // a duration in milliseconds; ours fit 64 bits
        self.set(field.name(), u64::try_from(value).unwrap_or(u64::MAX).into());
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for JsonLines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = LogFields::default();
        attributes.record(&mut fields);
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<LogFields>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        let mut fields = LogFields::default();
        fields.set("timestamp", jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string().into());
        fields.set("level", metadata.level().as_str().into());
        fields.set("target", metadata.target().into());
        fields.set("message", "".into());
        for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            if let Some(known) = span.extensions().get::<LogFields>() {
                fields.add(known);
            }
        }
        event.record(&mut fields);
        if let Ok(line) = fields.line() {
            // one write per line, so that threads do not interleave; a closed stderr is ignored
            let _ = std::io::stderr().lock().write_all(&line);
        }
    }
}
