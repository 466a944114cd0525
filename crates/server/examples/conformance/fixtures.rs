//! The tools, prompts and resources that the scenarios of the conformance suite call by name.

#![expect(deprecated, reason = "lines of log on the way: 2025-11-25 has them")]

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProgressNotificationParam, PromptMessage, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, Role, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::rounds::{CallRound, RoundEnd, block};
use crate::state_signer::StateSigner;

/// The server of one message.
pub(crate) struct Fixtures {
    seal: StateSigner,
}

type FixtureContext = RequestContext<RoleServer>;

impl Fixtures {
    pub(crate) fn new(seal: StateSigner) -> Fixtures {
        Fixtures { seal }
    }

    fn round(
        &self,
        context: &FixtureContext,
        responses: Option<rmcp::model::InputResponses>,
        state: Option<String>,
    ) -> CallRound<'_> {
        let capabilities = context.client_capabilities().unwrap_or_default();
        CallRound { seal: &self.seal, responses: responses.unwrap_or_default(), state, capabilities }
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let builder = ServerCapabilities::builder().enable_logging();
        let capabilities = builder.enable_tools().enable_resources().enable_prompts().enable_completions().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("carimbo-conformance", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: FixtureContext,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()?))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().ok()?.into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: FixtureContext,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "test_tool_with_progress" | "test_streaming_elicitation" => progress(&context).await,
            // a revision without multi-round calls names the log level in the request itself
            "test_tool_with_logging" if context.protocol_version() < Some(ProtocolVersion::V_2026_07_28) => {
                log(&context).await
            }
            _ => {}
        }
        let round = self.round(&context, request.input_responses, request.request_state);
        if let Some(turn) = round.call(&request.name) {
            return Ok(match turn? {
                RoundEnd::Done(text) => CallToolResult::success(block(text)).into(),
                RoundEnd::Asks(asks) => asks.into(),
            });
        }
        if request.name == "test_missing_capability" && round.capabilities.sampling.is_none() {
            let mut needed = ClientCapabilities::default();
            needed.sampling = Some(rmcp::model::SamplingCapability::default());
            return Err(ErrorData::missing_required_client_capability(needed));
        }
        answer_tool(&request.name).map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: FixtureContext,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource =
            |uri: &str, media: &str| json!({ "uri": uri, "name": uri, "description": uri, "mimeType": media });
        let all = json!([resource(TEXT, "text/plain"), resource(BINARY, "image/png")]);
        Ok(ListResourcesResult::with_all_items(read(all)?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: FixtureContext,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template =
            json!({ "uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json" });
        Ok(ListResourceTemplatesResult::with_all_items(read(json!([template]))?))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: FixtureContext,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let templated = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (uri.as_str(), templated) {
            (TEXT, _) => ResourceContents::text("This is the content of the static text resource.", uri)
                .with_mime_type("text/plain"),
            (BINARY, _) => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
            (_, Some(id)) => {
                let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
            }
            _ => return Err(ErrorData::resource_not_found("no such resource", Some(json!({ "uri": uri })))),
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: FixtureContext,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| json!({ "name": name, "description": name, "required": true });
        let prompt =
            |name: &str, arguments: Value| json!({ "name": name, "description": name, "arguments": arguments });
        let all = json!([
            prompt("test_simple_prompt", json!([])),
            prompt("test_prompt_with_arguments", json!([argument("arg1"), argument("arg2")])),
            prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")])),
            prompt("test_prompt_with_image", json!([])),
            prompt("test_input_required_result_prompt", json!([])),
        ]);
        Ok(ListPromptsResult::with_all_items(read(all)?))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: FixtureContext,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let given = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let says = |text: String| PromptMessage::new_text(Role::User, text);
        let messages = match request.name.as_str() {
            "test_simple_prompt" => vec![says("This is a simple prompt for testing.".to_owned())],
            "test_prompt_with_arguments" => {
                vec![says(format!("Prompt with arguments: arg1='{}', arg2='{}'", given("arg1"), given("arg2")))]
            }
            "test_prompt_with_embedded_resource" => vec![
                PromptMessage::new(
                    Role::User,
                    embedded(&given("resourceUri"), "Embedded resource content for testing."),
                ),
                says("Please process the embedded resource above.".to_owned()),
            ],
            "test_prompt_with_image" => vec![
                PromptMessage::new(Role::User, ContentBlock::image(PNG, "image/png")),
                says("Please analyze the image above.".to_owned()),
            ],
            "test_input_required_result_prompt" => {
                match self.round(&context, request.input_responses, request.request_state).context()? {
                    RoundEnd::Asks(asks) => return Ok(asks.into()),
                    RoundEnd::Done(text) => vec![says(text)],
                }
            }
            other => return Err(ErrorData::invalid_params(format!("no prompt {other}"), None)),
        };
        Ok(GetPromptResult::new(messages).into())
    }

    /// Accepted without effect: no state is kept between two messages, and a client that sets a level gets every log
    /// line.
    async fn set_level(&self, _: SetLevelRequestParams, _: FixtureContext) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(&self, _: CompleteRequestParams, _: FixtureContext) -> Result<CompleteResult, ErrorData> {
        let info = CompletionInfo::with_all_values(vec!["test".to_owned()]);
        Ok(CompleteResult::new(info.map_err(|error| ErrorData::internal_error(error, None))?))
    }
}

/// Three progress notifications, when the caller asked for them.
async fn progress(context: &FixtureContext) {
    let Some(token) = context.meta.get_progress_token() else { return };
    for done in [0.0, 50.0, 100.0] {
        let told = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
        if let Err(error) = context.peer.notify_progress(told).await {
            eprintln!("progress could not be told: {error}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Three log lines during the call.
async fn log(context: &FixtureContext) {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let told = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
        if let Err(error) = context.peer.notify_logging_message(told).await {
            eprintln!("a line could not be told: {error}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Tools that answer without a further message.
fn answer_tool(tool: &str) -> Result<CallToolResult, ErrorData> {
    let text = |text: &str| ContentBlock::text(text);
    Ok(match tool {
        "test_image_content" => CallToolResult::success(vec![ContentBlock::image(PNG, "image/png")]),
        "test_audio_content" => CallToolResult::success(vec![ContentBlock::audio(WAV, "audio/wav")]),
        "test_embedded_resource" => {
            let resource = embedded("test://embedded-resource", "This is an embedded resource content.");
            CallToolResult::success(vec![resource])
        }
        "test_multiple_content_types" => {
            let resource = ResourceContents::text(r#"{"test":"data","value":123}"#, "test://mixed-content-resource");
            CallToolResult::success(vec![
                text("Multiple content types test:"),
                ContentBlock::image(PNG, "image/png"),
                ContentBlock::resource(resource.with_mime_type("application/json")),
            ])
        }
        "test_error_handling" => {
            CallToolResult::error(vec![text("This tool intentionally returns an error for testing")])
        }
        "test_simple_text" => CallToolResult::success(vec![text("This is a simple text response for testing.")]),
        other if NAMES.contains(&other) => CallToolResult::success(vec![text("Done.")]),
        other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
    })
}

fn embedded(uri: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type("text/plain"))
}

/// All tools with their schemas.
fn tools() -> Result<Vec<Tool>, ErrorData> {
    let schema = |name: &str| match name {
        "json_schema_2020_12_tool" => whole_schema(),
        "test_headers" => json!({
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
            "required": ["region"],
        }),
        _ => json!({ "type": "object" }),
    };
    let tool = |name: &&str| json!({ "name": name, "description": name, "inputSchema": schema(name) });
    read(Value::Array(NAMES.iter().map(tool).collect()))
}

/// A schema of JSON Schema keywords that must reach the client unchanged.
fn whole_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": text, "city": text },
        } },
        "properties": {
            "name": text,
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": text,
            "email": text,
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

const NAMES: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_headers",
    "json_schema_2020_12_tool",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
];
const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
/// A PNG of a single red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
/// A WAV file without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
