//! `409 registro_incerto`: the database is a restored copy, and a plain answer would deny documents that may exist.
//!
//! Law: `docs/guides/idempotencia.md`.

use serde_json::Value;
use store::installation::RestoredCopy;

use super::error::ApiError;
use super::error_code;
use super::instant::{CivilTime, Moment};

/// Interval of which the database has no record, as instants of an answer.
pub(crate) fn interval(restored: RestoredCopy) -> (Moment, Moment) {
    let time = CivilTime::of(None);
    (time.at(restored.copia_de), time.at(restored.restaurado_em))
}

/// 409 for a reference that is not in the database.
pub(crate) fn reference(restored: RestoredCopy) -> ApiError {
    let (copia_de, restaurado_em) = interval(restored);
    let detail = format!(
        "Esta referencia_externa não está no banco, que é uma cópia de {copia_de} restaurada em {restaurado_em}: a operação pode ter sido registrada, e a nota \
         autorizada, nesse intervalo. Procure a nota na autoridade. Se ela não existe, emita com referencia_nova=true na URL."
    );
    answer(restored, detail)
}

/// 409 for a search without results.
pub(crate) fn nothing_found(restored: RestoredCopy) -> ApiError {
    let (copia_de, restaurado_em) = interval(restored);
    let detail = format!(
        "Nada foi encontrado, mas o banco é uma cópia de {copia_de} restaurada em {restaurado_em}: a operação pode ter sido registrada nesse intervalo. \
         Procure a nota na autoridade antes de emitir."
    );
    answer(restored, detail)
}

fn answer(restored: RestoredCopy, detail: String) -> ApiError {
    let (copia_de, restaurado_em) = interval(restored);
    ApiError::new(&error_code::REGISTRO_INCERTO, detail)
        .with_member("copia_de", Value::from(copia_de.to_string()))
        .with_member("restaurado_em", Value::from(restaurado_em.to_string()))
}
