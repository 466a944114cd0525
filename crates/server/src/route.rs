//! A row of `routes`: the facts that belong to a method and path.
//!
//! Must not know: any route.

use axum::routing::MethodRouter;

use crate::api::docs::api_route::ApiRoute;
use crate::api::docs::operation::ApiOperation;
use crate::api::permission::RequiredPermission;
use crate::api::size::Size;
use crate::app::App;

/// A route.
pub(crate) struct Route {
    /// In capitals.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) permission: RequiredPermission,
    /// Largest body; `None` without a body.
    pub(crate) size: Option<Size>,
    /// Makes the handler of this method alone.
    pub(crate) handler: fn() -> MethodRouter<App>,
    /// `None` for a page of the panel, which is no part of the API.
    pub(crate) operation: Option<&'static ApiOperation>,
}

impl Route {
    /// The row as the documentation needs it, when it is described.
    pub(crate) fn described(&self) -> Option<ApiRoute> {
        let &Route { method, path, permission, size, operation, .. } = self;
        operation.map(|operation| ApiRoute { method, path, permission, size, operation })
    }
}

/// Rows: `METHOD "path" permission size => handler, resource::OPERATION;`.
macro_rules! routes {
    (@size -) => { None };
    (@size $size:ident) => { Some($crate::api::size::Size::$size) };
    (@operation) => { None };
    (@operation $resource:ident $operation:ident) => { Some(&$crate::api::docs::resources::$resource::$operation) };
    ($($method:ident $path:literal $permission:ident $size:tt => $handler:expr $(, $resource:ident::$operation:ident)?;)*) => {
        &[$($crate::route::Route {
            method: stringify!($method),
            path: $path,
            permission: $crate::api::permission::RequiredPermission::$permission,
            size: $crate::route::routes!(@size $size),
            handler: || axum::routing::on(axum::routing::MethodFilter::$method, $handler),
            operation: $crate::route::routes!(@operation $($resource $operation)?),
        }),*]
    };
}
pub(crate) use routes;
