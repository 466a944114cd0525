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
use super::wiped::Wiped;
use crate::api::code;
use crate::api::error::ApiError;
use crate::api::origin::Origin;
use crate::api::size;
use crate::app::App;
use crate::intake::{Full, Owner, Share, UntilAnswered};

/// A received body.
pub(crate) struct Arrived {
    pub(crate) bytes: Wiped,
    share: Share<Owner>,
    until_answered: UntilAnswered,
    most_tree: usize,
}

/// Receives the whole body. Its memory share is held until the request is answered.
pub(crate) async fn read_limited(request: Request, app: &App) -> Result<Arrived, ApiError> {
    let (limits, limit) = (app.limits(), size::of_request(&request).bytes(app.limits()));
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let (parts, mut body) = request.into_parts();
    let until_answered = parts.extensions.get::<UntilAnswered>().cloned().unwrap_or_default();
    let owner = parts.extensions.get::<Owner>().copied();
    let owner = owner.unwrap_or_else(|| Owner::Address(Origin::of(&parts, app).household()));
    let mut arriving = Arriving { bytes: Wiped::default(), share: app.bodies().share(owner) };
    let deadline = Instant::now() + Duration::from_secs(limits.body_s);
    while let Some(frame) = timeout_at(deadline, body.frame()).await.map_err(|_| too_slow(limits.body_s))? {
        let frame =
            frame.map_err(|_| ApiError::new(&code::REQUISICAO_INVALIDA, "O corpo chegou incompleto; reenvie."))?;
        let Ok(data) = frame.into_data() else { continue };
        if arriving.bytes.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        arriving.take(&data)?;
    }
    let Arriving { bytes, share } = arriving;
    Ok(Arrived { bytes, share, until_answered, most_tree: limits.most_tree() })
}

struct Arriving {
    bytes: Wiped,
    share: Share<Owner>,
}

impl Arriving {
    /// Appends bytes. The buffer grows with the bytes received, not with the announced length, and the former buffer is
    /// wiped.
    fn take(&mut self, data: &Bytes) -> Result<(), ApiError> {
        let needed = self.bytes.len() + data.len();
        if needed > self.bytes.capacity() {
            let room = needed.next_power_of_two().max(LEAST_ROOM);
            self.share.grow(room - self.bytes.capacity()).map_err(full)?;
            let mut roomier = Wiped::with_capacity(room);
            roomier.extend(&self.bytes);
            self.bytes = roomier;
        }
        self.bytes.extend(data);
        Ok(())
    }
}

impl Arrived {
    /// Parses a JSON object. The size of its tree is counted before it is allocated.
    pub(crate) fn object(mut self) -> Result<Map<String, Value>, ApiError> {
        let text = json::text(&self.bytes)?;
        let tree = json::weigh(text)?;
        if tree > self.most_tree {
            let detail = "O JSON tem valores demais para uma requisição (objetos, listas, textos e números, vazios também). \
                          Divida a operação.";
            return Err(ApiError::new(&code::CORPO_GRANDE, detail));
        }
        // the caller's tree, and a stored or changed copy of it
        self.share.grow(tree.saturating_mul(2)).map_err(full)?;
        let object = json::object(text);
        self.until_answered.hold_body(self.share);
        object
    }

    /// Bytes of a JSON object that other code parses, checked and counted like one parsed here.
    pub(crate) fn weighed(mut self) -> Result<Bytes, ApiError> {
        let text = json::text(&self.bytes)?;
        let tree = json::weigh(text)?;
        self.share.grow(tree.saturating_mul(2)).map_err(full)?;
        let read = json::object(text);
        self.until_answered.hold_body(self.share);
        read.map(|_| Bytes::copy_from_slice(&self.bytes))
    }

    /// The received bytes.
    pub(crate) fn into_bytes(mut self) -> Result<Zeroizing<Vec<u8>>, ApiError> {
        // the caller decodes them into another buffer
        self.share.grow(self.bytes.len()).map_err(full)?;
        self.until_answered.hold_body(self.share);
        Ok(self.bytes.into_zeroizing())
    }
}

/// Refusal when a memory bound is reached; the caller may retry.
fn full(full: Full) -> ApiError {
    let error = match full {
        Full::Owner => ApiError::too_many(
            "Há requisições grandes demais desta conta em andamento ao mesmo tempo. Espere 1 segundo e repita esta.",
            1,
        ),
        Full::All => ApiError::busy(
            "Há requisições grandes demais em andamento neste momento. Nada foi registrado por esta chamada; \
             espere 1 segundo e repita com a mesma referencia_externa.",
            1,
        ),
    };
    error.with_header(header::CONNECTION, "close")
}

fn too_slow(limit_s: u64) -> ApiError {
    let detail = format!("O corpo não chegou inteiro em {limit_s} segundos. Reenvie a requisição.");
    ApiError::new(&code::TEMPO_ESGOTADO, detail).with_header(header::CONNECTION, "close")
}

fn too_large(limit: usize) -> ApiError {
    let detail =
        format!("O corpo passa do limite de {limit} bytes desta rota. Divida a operação ou reduza o conteúdo.");
    // the unread rest makes the connection unusable
    ApiError::new(&code::CORPO_GRANDE, detail).with_header(header::CONNECTION, "close")
}

/// Smallest buffer, bytes: most bodies fit it.
const LEAST_ROOM: usize = 4 << 10;
