//! `/v1/exportacoes`.
//!
//! Law: `docs/contract.md`, "Exports".

use fiscal::tipo::Tipo;
use serde_json::{Value, json};

use super::Resource;
use super::empresas::{LIMITE, PAGINA};
use crate::api::docs::operation::{ApiOperation, Parameter, media, operation, shows};
use crate::api::exportacoes::apagar::RemovedExportView;
use crate::api::exportacoes::criar::AcceptedExportView;
use crate::api::exportacoes::ver::{ExportView, ExportsView};
use crate::api::schema::{Schema, Type, may, must, schema};
use crate::api::view::{ViewValue, of};
use crate::api::words::Word;

pub(super) const EXPORTACOES: Resource = Resource {
    tag: "exportacoes",
    title: "Exportações",
    doc: "O mês para a contabilidade: um ZIP com os XMLs autorizados, os eventos, os PDFs se quiser, somas por CFOP, CST e imposto, lacunas e números \
          inutilizados. Feito em segundo plano; o arquivo fica 7 dias.",
    operations: &[&CRIAR, &LISTAR, &DETALHAR, &ARQUIVO, &APAGAR],
    schemas: SCHEMAS,
};

const ID: Parameter = Parameter::path("id", Type::Uuid, "O `exportacao_id`.", "01998f3a-6c1d-7e4f-9b52-7a1e3f0d2c8f");

pub(crate) static CRIAR: ApiOperation = operation("criarExportacao", "Exporta os documentos de um período")
    .text(
        "Do ambiente da credencial. O período é da data de emissão, os dois dias incluídos, até 366 dias. Uma exportação por vez em cada conta, até 20 por \
         dia. Os arquivos `.csv` têm ponto e vírgula entre os campos e vírgula decimal, em UTF-8 com BOM, como o Excel em português os abre.",
    )
    .body("PedidoDeExportacao", request)
    .answers(&[shows::<AcceptedExportView>(202, "Será feita.")])
    .refuses(&["campo_obrigatorio", "validacao", "periodo_excedido", "nao_encontrado", "estado_invalido", "muitas_requisicoes"]);

pub(crate) static LISTAR: ApiOperation = operation("listarExportacoes", "As exportações da conta")
    .text("As do ambiente da credencial, a mais nova primeiro.")
    .takes(&[LIMITE, PAGINA])
    .answers(&[shows::<ExportsView>(200, "As exportações.")]);

pub(crate) static DETALHAR: ApiOperation = operation("detalharExportacao", "Uma exportação e seu andamento")
    .takes(&[ID])
    .answers(&[shows::<ExportView>(200, "A exportação.")])
    .refuses(&["nao_encontrado"]);

pub(crate) static ARQUIVO: ApiOperation = operation("baixarExportacao", "O arquivo ZIP")
    .text("Enquanto `status` é `concluida`. O nome do arquivo vem em `Content-Disposition`.")
    .takes(&[ID])
    .answers(&[media(200, "O arquivo.", &["application/zip"])])
    .refuses(&["nao_encontrado", "arquivo_indisponivel", "exportacao_expirada"]);

pub(crate) static APAGAR: ApiOperation = operation("apagarExportacao", "Apaga uma exportação")
    .text("Com o arquivo; uma que está em andamento para. Os documentos continuam guardados.")
    .takes(&[ID])
    .answers(&[shows::<RemovedExportView>(200, "Foi apagada.")])
    .refuses(&["nao_encontrado"]);

fn request() -> Value {
    json!({ "cpf_cnpj": "11222333000181", "de": "2026-11-01", "ate": "2026-11-30", "com_pdf": false })
}

const TIPO: Type = Word::<Tipo>::KIND;

const SCHEMAS: &[Schema] = &[
    schema(
        "PedidoDeExportacao",
        "O que exportar.",
        &[
            must("cpf_cnpj", Type::CpfCnpj, "CNPJ ou CPF da empresa, com ou sem máscara."),
            must("de", Type::Date, "Primeiro dia de emissão."),
            must("ate", Type::Date, "Último dia de emissão, incluído."),
            may("tipos", Type::ListWithin(&TIPO, 1, 4), "Só estes tipos de documento; todos se ausente."),
            may("com_pdf", Type::Bool, "`true` para levar também os formulários impressos; `false` se ausente."),
            may(
                "avisar_email",
                Type::Text,
                "Endereço que recebe um e-mail quando o arquivo fica pronto, com o link do painel.",
            ),
            may(
                "pdf_unico",
                Type::Bool,
                "`true` para levá-los juntos, até 200 documentos em cada PDF, prontos para imprimir.",
            ),
        ],
    ),
    of::<AcceptedExportView>(),
    of::<ExportsView>(),
    of::<ExportView>(),
    of::<RemovedExportView>(),
];
