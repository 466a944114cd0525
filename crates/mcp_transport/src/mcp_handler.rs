//! The trait of our MCP server, and its adapter to `rmcp`.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, Prompt, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceTemplate, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

/// A tool call in progress.
pub type CallFuture<'c> = Pin<Box<dyn Future<Output = Result<CallToolResponse, ErrorData>> + Send + 'c>>;

/// The answers of an MCP server. Only tool calls are asynchronous.
pub trait McpHandler: Send + Sync + 'static {
    /// Name, version and capabilities of the server.
    fn config(&self) -> ServerConfig;
    /// Supported revisions of the protocol, the oldest first.
    fn revisions(&self) -> &'static [ProtocolVersion];
    /// All tools.
    fn tools(&self) -> &[Tool];
    /// Calls a tool.
    fn call(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> CallFuture<'_>;
    /// A page of the resources.
    fn resources(&self, cursor: Option<String>) -> Result<ListResourcesResult, ErrorData>;
    /// URI templates of resources that are made on request.
    fn templates(&self) -> Vec<ResourceTemplate>;
    /// Reads a resource by its URI.
    fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData>;
    /// All prompts.
    fn prompts(&self) -> Vec<Prompt>;
    /// A prompt with its arguments filled in.
    fn prompt(&self, request: GetPromptRequestParams) -> Result<GetPromptResult, ErrorData>;
    /// The error for an unknown method.
    fn unknown(&self, method: &str) -> ErrorData;
}

/// Adapts a server behind the trait object to `rmcp::ServerHandler`.
pub(crate) struct HandlerAdapter(pub(crate) Arc<dyn McpHandler>);

impl ServerHandler for HandlerAdapter {
    fn get_info(&self) -> ServerConfig {
        self.0.config()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.0.revisions())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call(request, context).await
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.0.resources(page.and_then(|page| page.cursor))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.0.templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.0.resource(&request.uri).map(Into::into)
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.0.prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.0.prompt(request).map(Into::into)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(self.0.unknown(&request.method))
    }
}
