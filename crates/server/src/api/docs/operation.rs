//! Description of an operation: its input, answers and refusals. Its method and path stand in its row of `routes`.
//!
//! Must not know: any route. The tables are in `routes`, one file per resource.

use serde_json::Value;

use crate::api::schema::Type;
use crate::api::view::NamedView;

/// An operation.
pub(crate) struct ApiOperation {
    /// `operationId`.
    pub(crate) id: &'static str,
    pub(super) summary: &'static str,
    /// Markdown, may be empty.
    pub(super) text: &'static str,
    pub(super) access: Access,
    pub(super) parameters: &'static [Parameter],
    pub(crate) body: Option<JsonRequestBody>,
    pub(super) answers: &'static [SuccessAnswer],
    /// Codes in addition to those of every route of its kind.
    pub(super) errors: &'static [&'static str],
}

/// Required credential.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// None.
    Public,
    /// An API key or a session.
    Caller,
    /// A session.
    Session,
}

/// Location of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterLocation {
    Path,
    Query,
}

/// A parameter.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) place: ParameterLocation,
    pub(super) kind: Type,
    pub(super) required: bool,
    pub(super) doc: &'static str,
    pub(super) example: &'static str,
    /// Shown in the example calls though optional: one of several is required.
    pub(super) called: bool,
}

/// A JSON body.
#[derive(Clone, Copy)]
pub(crate) struct JsonRequestBody {
    pub(super) schema: &'static str,
    /// A valid body.
    pub(super) example: fn() -> Value,
    /// Schema of the body as a form, for files.
    pub(super) form: Option<&'static str>,
    /// An empty body is accepted.
    pub(super) optional: bool,
}

/// A successful answer.
pub(super) struct SuccessAnswer {
    pub(super) status: u16,
    pub(super) doc: &'static str,
    pub(super) content: AnswerContent,
}

/// Body of an answer.
#[derive(Clone, Copy)]
pub(super) enum AnswerContent {
    /// A JSON object.
    Json(&'static str),
    /// Another media type, as text or bytes.
    Media(&'static [&'static str]),
    /// No body.
    Empty,
}

/// An operation that a caller calls without input.
pub(super) const fn operation(id: &'static str, summary: &'static str) -> ApiOperation {
    ApiOperation {
        id,
        summary,
        text: "",
        access: Access::Caller,
        parameters: &[],
        body: None,
        answers: &[],
        errors: &[],
    }
}

impl ApiOperation {
    pub(super) const fn text(mut self, text: &'static str) -> ApiOperation {
        self.text = text;
        self
    }
    pub(super) const fn access(mut self, access: Access) -> ApiOperation {
        self.access = access;
        self
    }
    pub(super) const fn takes(mut self, parameters: &'static [Parameter]) -> ApiOperation {
        self.parameters = parameters;
        self
    }
    pub(super) const fn body(mut self, schema: &'static str, example: fn() -> Value) -> ApiOperation {
        self.body = Some(JsonRequestBody { schema, example, form: None, optional: false });
        self
    }
    /// Accepts the body as `multipart/form-data` too.
    pub(super) const fn or_form(mut self, schema: &'static str) -> ApiOperation {
        if let Some(body) = &mut self.body {
            body.form = Some(schema);
        }
        self
    }
    /// Makes the body optional.
    pub(super) const fn or_no_body(mut self) -> ApiOperation {
        if let Some(body) = &mut self.body {
            body.optional = true;
        }
        self
    }
    pub(super) const fn answers(mut self, answers: &'static [SuccessAnswer]) -> ApiOperation {
        self.answers = answers;
        self
    }
    /// Adds refusals, by their `codigo`.
    pub(super) const fn refuses(mut self, errors: &'static [&'static str]) -> ApiOperation {
        self.errors = errors;
        self
    }

    /// Names of the parameters in its path.
    #[cfg(test)]
    pub(crate) fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        let in_path = self.parameters.iter().filter(|parameter| parameter.place == ParameterLocation::Path);
        in_path.map(|parameter| parameter.name)
    }
}

impl Parameter {
    /// A segment of the path.
    pub(super) const fn path(name: &'static str, kind: Type, doc: &'static str, example: &'static str) -> Parameter {
        Parameter { name, place: ParameterLocation::Path, kind, required: true, doc, example, called: true }
    }
    /// A parameter of the query.
    pub(super) const fn query(name: &'static str, kind: Type, doc: &'static str, example: &'static str) -> Parameter {
        Parameter { name, place: ParameterLocation::Query, kind, required: false, doc, example, called: false }
    }
    /// Shows the parameter in example calls.
    pub(super) const fn called(mut self) -> Parameter {
        self.called = true;
        self
    }
    /// Makes the parameter required.
    pub(super) const fn required(mut self) -> Parameter {
        (self.required, self.called) = (true, true);
        self
    }
}

/// A JSON answer.
pub(super) const fn json(status: u16, doc: &'static str, schema: &'static str) -> SuccessAnswer {
    SuccessAnswer { status, doc, content: AnswerContent::Json(schema) }
}
/// An answer of a view.
pub(super) const fn shows<V: NamedView>(status: u16, doc: &'static str) -> SuccessAnswer {
    json(status, doc, V::NAME)
}
/// An answer of other media types.
pub(super) const fn media(status: u16, doc: &'static str, kinds: &'static [&'static str]) -> SuccessAnswer {
    SuccessAnswer { status, doc, content: AnswerContent::Media(kinds) }
}
/// An answer without a body.
pub(super) const fn empty(status: u16, doc: &'static str) -> SuccessAnswer {
    SuccessAnswer { status, doc, content: AnswerContent::Empty }
}
