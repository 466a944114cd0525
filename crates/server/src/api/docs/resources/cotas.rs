//! `/v1/cotas`.
//!
//! Law: `docs/contract.md`, "Limits".

use super::Resource;
use crate::api::cotas::{QuotaView, QuotasView};
use crate::api::docs::operation::{ApiOperation, operation, shows};
use crate::api::schema::Schema;
use crate::api::view::of;

pub(super) const COTAS: Resource = Resource {
    tag: "cotas",
    title: "Cotas",
    doc: "Cotas por operação e mês, e o ritmo de requisições por credencial (`RateLimit`, `RateLimit-Policy`).",
    operations: &[&LISTAR],
    schemas: SCHEMAS,
};

pub(crate) static LISTAR: ApiOperation = operation("listarCotas", "O consumo do mês e os limites")
    .text("As do ambiente da credencial. Sem limite configurado, `limite` é nulo. A repetição de uma referência e um `422` não consomem cota.")
    .answers(&[shows::<QuotasView>(200, "As cotas.")]);

const SCHEMAS: &[Schema] = &[of::<QuotasView>(), of::<QuotaView>()];
