//! Reception of a body: in time, below its route's size, and within the memory budget of all bodies in flight.

use std::time::Duration;

use axum::extract::Request;
use bytes::Bytes;
use http::header;
use http_body_util::BodyExt;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};
use zeroize::Zeroizing;

use super::json;
use super::zeroized::ZeroizedBytes;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::api::size;
use crate::app::App;
use crate::in_flight::{BodyOwner, BudgetExceeded, BudgetShare, RequestHolds};

/// A received body.
pub(crate) struct ReceivedBody {
    pub(crate) bytes: ZeroizedBytes,
    share: BudgetShare<BodyOwner>,
    until_answered: RequestHolds,
    most_tree: usize,
}

/// Receives the whole body. Its memory share is held until the request is answered.
pub(crate) async fn read_limited(request: Request, app: &App) -> Result<ReceivedBody, ApiError> {
    let (limits, limit) = (app.limits(), size::of_request(&request).bytes(app.limits()));
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let (parts, mut body) = request.into_parts();
    let until_answered = parts.extensions.get::<RequestHolds>().cloned().unwrap_or_default();
    let owner = parts.extensions.get::<BodyOwner>().copied();
    let owner = owner.unwrap_or_else(|| BodyOwner::Address(RequestOrigin::of(&parts, app).counted_address()));
    let mut arriving = BodyBuffer { bytes: ZeroizedBytes::default(), share: app.body_budget().share(owner) };
    let deadline = Instant::now() + Duration::from_secs(limits.body_s);
    while let Some(frame) = timeout_at(deadline, body.frame()).await.map_err(|_| too_slow(limits.body_s))? {
        let frame = frame
            .map_err(|_| ApiError::new(&error_code::REQUISICAO_INVALIDA, "O corpo chegou incompleto; reenvie."))?;
        let Ok(data) = frame.into_data() else { continue };
        if arriving.bytes.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        arriving.append_chunk(&data)?;
    }
    let BodyBuffer { bytes, share } = arriving;
    Ok(ReceivedBody { bytes, share, until_answered, most_tree: limits.most_tree() })
}

struct BodyBuffer {
    bytes: ZeroizedBytes,
    share: BudgetShare<BodyOwner>,
}

impl BodyBuffer {
    /// Appends bytes. The buffer grows with the bytes received, not with the announced length, and the former buffer is
    /// wiped.
    fn append_chunk(&mut self, data: &Bytes) -> Result<(), ApiError> {
        let needed = self.bytes.len() + data.len();
        if needed > self.bytes.capacity() {
            let room = needed.next_power_of_two().max(LEAST_ROOM);
            self.share.grow(room - self.bytes.capacity()).map_err(over_budget)?;
            let mut roomier = ZeroizedBytes::with_capacity(room);
            roomier.extend(&self.bytes);
            self.bytes = roomier;
        }
        self.bytes.extend(data);
        Ok(())
    }
}

impl ReceivedBody {
    /// Parses a JSON object. The size of its tree is counted before it is allocated.
    pub(crate) fn object(mut self) -> Result<Map<String, Value>, ApiError> {
        let text = json::text(&self.bytes)?;
        let tree = json::memory_bound(text)?;
        if tree > self.most_tree {
            let detail = "O JSON tem valores demais para uma requisição (objetos, listas, textos e números, vazios também). \
                          Divida a operação.";
            return Err(ApiError::new(&error_code::CORPO_GRANDE, detail));
        }
        // the caller's tree, and a stored or changed copy of it
        self.share.grow(tree.saturating_mul(2)).map_err(over_budget)?;
        let object = json::object(text);
        self.until_answered.hold_body(self.share);
        object
    }

    /// Bytes of a JSON object that other code parses, checked and counted like one parsed here.
    pub(crate) fn checked_json(mut self) -> Result<Bytes, ApiError> {
        let text = json::text(&self.bytes)?;
        let tree = json::memory_bound(text)?;
        self.share.grow(tree.saturating_mul(2)).map_err(over_budget)?;
        let read = json::object(text);
        self.until_answered.hold_body(self.share);
        read.map(|_| Bytes::copy_from_slice(&self.bytes))
    }

    /// The received bytes.
    pub(crate) fn into_bytes(mut self) -> Result<Zeroizing<Vec<u8>>, ApiError> {
        // the caller decodes them into another buffer
        self.share.grow(self.bytes.len()).map_err(over_budget)?;
        self.until_answered.hold_body(self.share);
        Ok(self.bytes.into_zeroizing())
    }
}

/// Refusal when a memory bound is reached; the caller may retry.
fn over_budget(full: BudgetExceeded) -> ApiError {
    let error = match full {
        BudgetExceeded::Owner => ApiError::too_many(
            "Há requisições grandes demais desta conta em andamento ao mesmo tempo. Espere 1 segundo e repita esta.",
            1,
        ),
        BudgetExceeded::All => ApiError::busy(
            "Há requisições grandes demais em andamento neste momento. Nada foi registrado por esta chamada; \
             espere 1 segundo e repita com a mesma referencia_externa.",
            1,
        ),
    };
    error.with_header(header::CONNECTION, "close")
}

fn too_slow(limit_s: u64) -> ApiError {
    let detail = format!("O corpo não chegou inteiro em {limit_s} segundos. Reenvie a requisição.");
    ApiError::new(&error_code::TEMPO_ESGOTADO, detail).with_header(header::CONNECTION, "close")
}

fn too_large(limit: usize) -> ApiError {
    let detail =
        format!("O corpo passa do limite de {limit} bytes desta rota. Divida a operação ou reduza o conteúdo.");
    // the unread rest makes the connection unusable
    ApiError::new(&error_code::CORPO_GRANDE, detail).with_header(header::CONNECTION, "close")
}

/// Smallest buffer, bytes: most bodies fit it.
const LEAST_ROOM: usize = 4 << 10;
