//! `/v1/diagnostico`.
//!
//! Law: `docs/contract.md`, "Emission".

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::diagnostico::view::{CompanyDiagnosisView, DiagnosisView, LawView};
use crate::api::docs::operation::{ApiOperation, operation, shows};
use crate::api::schema::Schema;
use crate::api::view::of;

pub(super) const DIAGNOSTICO: Resource = Resource {
    tag: "diagnostico",
    title: "Diagnóstico",
    doc: "O que pode impedir as notas da conta de chegar às autoridades, numa consulta só.",
    operations: &[&MOSTRAR],
    schemas: SCHEMAS,
};

pub(crate) static MOSTRAR: ApiOperation = operation("mostrarDiagnostico", "Certificados, contingência, limites e notas pendentes")
    .text(
        "Por empresa: o certificado, os jobs em andamento, para onde vai cada tipo de documento, o disjuntor dessa autoridade e da SVC, a última \
         resposta dela, os bloqueios por consumo indevido (656) e as consultas da última hora. Da conta: as notas entregues em contingência, com o prazo de \
         transmissão, e as em dúvida. Nada é perguntado às autoridades.",
    )
    .takes(&[LIMITE, PAGINA])
    .answers(&[shows::<DiagnosisView>(200, "O diagnóstico.")])
    .refuses(&["requisicao_invalida"]);

const SCHEMAS: &[Schema] = &[of::<DiagnosisView>(), of::<CompanyDiagnosisView>(), of::<LawView>()];
