//! `/v1/emails` and `/v1/notas/{chave}/email`.
//!
//! Law: `docs/contract.md`, "E-mails".

use serde_json::{Value, json};
use store::mail::MailStatus;

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::docs::operation::{ApiOperation, Parameter, operation, shows};
use crate::api::emails::ver::{MailAttemptView, MailDetailView, MailView, MailsView};
use crate::api::schema::{Schema, Type, may, schema};
use crate::api::view::{ViewValue, of};
use crate::api::words::Word;

pub(super) const EMAILS: Resource = Resource {
    tag: "emails",
    title: "E-mails",
    doc: "O XML e o PDF enviados ao destinatário pelo servidor SMTP de quem opera a instalação: o registro de cada e-mail com suas tentativas, o envio e o \
          reenvio. Desligado até haver um servidor configurado.",
    operations: &[&ENVIAR, &LISTAR, &DETALHAR, &REENVIAR],
    schemas: SCHEMAS,
};

const ID: Parameter = Parameter::path("id", Type::Uuid, "O `email_id`.", "01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f");

pub(crate) static ENVIAR: ApiOperation = operation("enviarEmailDaNota", "Envia a nota por e-mail")
    .text(
        "Envia o XML e o PDF de um documento autorizado ao endereço informado ou, sem ele, ao do destinatário no documento. Em homologação nada vai ao \
         destinatário: informe `email`. Até 200 pedidos por hora em cada conta.",
    )
    .takes(&[Parameter::path(
        "chave",
        Type::Text,
        "A chave de acesso, ou o `job_id` da emissão.",
        "35261111222333000181550010000000011123456780",
    )])
    .body("PedidoDeEmail", request)
    .or_no_body()
    .answers(&[shows::<MailView>(202, "Entrou na fila.")])
    .refuses(&["nao_encontrado", "validacao", "estado_invalido", "muitas_requisicoes"]);

pub(crate) static LISTAR: ApiOperation = operation("listarEmails", "Os e-mails da conta")
    .text("Os do ambiente da credencial, o mais novo primeiro.")
    .takes(&[
        Parameter::query("status", STATUS, "Só os que estão assim.", "em_duvida"),
        Parameter::query("job_id", Type::Uuid, "Só os desta emissão.", "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e"),
        LIMITE,
        PAGINA,
    ])
    .answers(&[shows::<MailsView>(200, "Os e-mails.")]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharEmail", "Um e-mail e suas tentativas")
    .takes(&[ID])
    .answers(&[shows::<MailDetailView>(200, "O e-mail.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static REENVIAR: ApiOperation = operation("reenviarEmail", "Envia um e-mail de novo")
    .text(
        "Começa novas tentativas de um e-mail que não está mais na fila, com o mesmo `Message-ID`. Um `em_duvida` pode ter chegado: quem o recebe duas vezes \
         vê o mesmo identificador.",
    )
    .takes(&[ID])
    .answers(&[shows::<MailView>(202, "Entrou na fila.")])
    .refuses(&["nao_encontrado", "estado_invalido", "muitas_requisicoes"]);

const STATUS: Type = Word::<MailStatus>::KIND;

fn request() -> Value {
    json!({ "email": "compras@cliente.com.br" })
}

const SCHEMAS: &[Schema] = &[
    schema(
        "PedidoDeEmail",
        "Para quem enviar.",
        &[may("email", Type::Text, "O endereço; o do destinatário no documento se ausente.")],
    ),
    of::<MailsView>(),
    of::<MailView>(),
    of::<MailDetailView>(),
    of::<MailAttemptView>(),
];
