//! NFS-e: a DANFSe with every block, the shortest and the longest texts, a foreign tomador, and the states besides
//! authorised.

use serde_json::{Value, json};

use super::{Gallery, Made};
use crate::support::body::{NUMERIC, number};
use crate::support::client::Client;

/// Prefix of the key in the QR code of every DANFSe.
pub(super) const ASKED_AT: &str = "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=";

pub(super) async fn all(gallery: &mut Gallery, client: &Client) {
    forms(gallery, client).await;
    fates(gallery, client).await;
}

async fn forms(gallery: &mut Gallery, client: &Client) {
    let made = gallery.issued(client, "nfse", consultancy(), "autorizada").await;
    let told = ["DANFSe v2.0", "Documento Auxiliar da NFS-e", "TOMADOR EXEMPLO LTDA", "R$ 8.885,00", "NFS-e Gerada"];
    gallery.draw(client, &made, "", "danfse", &told).await;
    let mut reformed = consultancy();
    reformed["IBSCBS"] = json!({ "indFinal": 0, "cIndOp": "100301", "valores": { "trib": { "gIBSCBS": { "CST": "000", "cClassTrib": "000001" } } } });
    let made = gallery.issued(client, "nfse", reformed, "autorizada").await;
    let told = [
        "000 / 000001",
        "R$ 9.135,00",
        "R$ 82,22",
        "0,90%",
        "O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO",
    ];
    gallery.draw(client, &made, "", "danfse-ibs-cbs", &told).await;
    let made = gallery.issued(client, "nfse", wordy(), "autorizada").await;
    let told = ["Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012", "..."];
    gallery.draw(client, &made, "", "danfse-textos-longos", &told).await;
    let made = gallery.issued(client, "nfse", abroad(), "autorizada").await;
    let told = ["ACME SOFTWARE INC", "US-987654321", "Wilmington", "Exportação de Serviço"];
    gallery.draw(client, &made, "", "danfse-tomador-no-exterior", &told).await;
    let least = json!({
        "serv": { "cServ": { "cTribNac": "010101", "xDescServ": "Desenvolvimento de sistemas" } }, "valores": { "vServ": number("350.00") }
    });
    let made = gallery.issued(client, "nfse", least, "autorizada").await;
    let told = [
        "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
        "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
    ];
    gallery.draw(client, &made, "", "danfse-minima", &told).await;
}

/// Draws tests, previews, cancellations, and a substituted note.
async fn fates(gallery: &mut Gallery, client: &Client) {
    let trial = gallery.company(NUMERIC, 2, None).await.test;
    let made = gallery.issued(&trial, "nfse", consultancy(), "autorizada").await;
    gallery.draw(&trial, &made, "", "danfse-homologacao", &["NFS-e SEM VALIDADE JURÍDICA", "Homologação"]).await;
    let preview = client.post("/v1/nfse/previa", &json!({ "cpf_cnpj": NUMERIC, "nota": consultancy() })).await;
    assert_eq!(preview.status.as_u16(), 200, "{}", preview.text());
    gallery.keep("danfse-previa", &preview.bytes, "POST /v1/nfse/previa", "o PDF é a resposta", &consultancy());
    let note = gallery.issued(client, "nfse", consultancy(), "autorizada").await;
    let why = "Serviço contratado e não prestado ao tomador";
    let body = json!({ "cpf_cnpj": NUMERIC, "job_id": note.job["job_id"], "justificativa": why, "codigo_motivo": 2 });
    let cancelled = gallery.registered(client, "nfse", "/v1/nfse/cancelar", body).await;
    gallery.draw(client, &cancelled, "", "evento-cancelamento-nfse", &[why]).await;
    gallery.draw(client, &note, "", "danfse-cancelada", &["CANCELADA"]).await;
    let first = gallery.issued(client, "nfse", consultancy(), "autorizada").await;
    let mut nota = consultancy();
    nota["subst"] = json!({
        "chSubstda": first.job["nota"]["chave"], "cMotivo": "99", "xMotivo": "Correção da descrição do serviço"
    });
    let made = gallery.issued(client, "nfse", nota, "autorizada").await;
    let chave = first.job["nota"]["chave"].as_str().unwrap_or("sem chave").to_owned();
    gallery.draw(client, &made, "", "danfse-substituta", &["NFS-e Subst.:", &chave]).await;
    gallery.draw(client, &first, "", "danfse-substituida", &["SUBSTITUÍDA"]).await;
}

/// Returns the code that a machine reads from a DANFSe.
pub(super) fn code(made: &Made) -> Option<String> {
    Some(format!("{ASKED_AT}{}", made.job["nota"]["chave"].as_str().or(made.job["evento_fiscal"]["chave"].as_str())?))
}

/// Consulting for a company of São Paulo, which withholds what the law has it withhold.
fn consultancy() -> Value {
    json!({
        "toma": {
            "CNPJ": "99888777000100", "IM": "87654321", "xNome": "TOMADOR EXEMPLO LTDA", "fone": "1133224455", "email": "fiscal@exemplo.com.br",
            "end": { "cMun": "3550308", "CEP": "01001000", "xLgr": "Praça da Sé", "nro": "1", "xCpl": "Conjunto 1203", "xBairro": "Sé" }
        },
        "serv": {
            "cServ": {
                "cTribNac": "170101", "cNBS": "114011100",
                "xDescServ": "Consultoria em gestão: diagnóstico dos processos de compra e de estoque, com relatório e apresentação à diretoria"
            },
            "infoCompl": { "xPed": "4500-2211", "xInfComp": "Pagamento em 30 dias por boleto. Contrato 2026/118." }
        },
        "valores": {
            "vServ": number("10000.00"),
            "trib": {
                "tribMun": { "tribISSQN": 1, "tpRetISSQN": 2 },
                "tribFed": {
                    "piscofins": {
                        "CST": "01", "vBCPisCofins": number("10000.00"), "pAliqPis": number("0.65"), "pAliqCofins": number("3.00"),
                        "vPis": number("65.00"), "vCofins": number("300.00"), "tpRetPisCofins": 3
                    },
                    "vRetIRRF": number("150.00"), "vRetCSLL": number("465.00")
                },
                "totTrib": { "vTotTrib": {
                    "vTotTribFed": number("1345.00"), "vTotTribEst": number("0.00"), "vTotTribMun": number("500.00")
                } }
            }
        }
    })
}

/// An NFS-e with every text of the layout at its greatest length.
fn wordy() -> Value {
    let mut nota = consultancy();
    nota["toma"]["xNome"] = json!(
        "ASSOCIAÇÃO BENEFICENTE DOS PRODUTORES RURAIS E ARTESÃOS DA SERRA DA MANTIQUEIRA E DO VALE DO SUL "
            .repeat(3)
            .trim()
    );
    nota["toma"]["end"]["xLgr"] =
        json!("Avenida Marechal Hermes da Fonseca Sobrinho, antiga Estrada Real do Comércio, ".repeat(3).trim());
    let sentence = "Levantamento de requisitos, desenho e implantação do controle de estoque com inventário rotativo, treinamento das equipes dos três turnos e acompanhamento. ";
    nota["serv"]["cServ"]["xDescServ"] = json!(sentence.repeat(12).trim());
    nota["serv"]["infoCompl"]["xInfComp"] = json!(sentence.repeat(12).trim());
    nota
}

/// Software for a company of the United States, which has the result of it there.
fn abroad() -> Value {
    json!({
        "toma": {
            "NIF": "US-987654321", "xNome": "ACME SOFTWARE INC", "email": "ap@acme.example",
            "end": {
                "endExt": { "cPais": "US", "cEndPost": "19801", "xCidade": "Wilmington", "xEstProvReg": "Delaware" },
                "xLgr": "Market Street", "nro": "1209", "xBairro": "Downtown"
            }
        },
        "serv": {
            "cServ": { "cTribNac": "010101", "cNBS": "115021000", "xDescServ": "Development of a warehouse management module" },
            "comExt": {
                "mdPrestacao": 1, "vincPrest": 0, "tpMoeda": "220", "vServMoeda": number("1000.00"), "mecAFComexP": "01", "mecAFComexT": "01",
                "movTempBens": 1, "mdic": 0
            }
        },
        "valores": {
            "vServ": number("5400.00"),
            "trib": { "tribMun": { "tribISSQN": 3, "cPaisResult": "US", "tpRetISSQN": 1 } }
        }
    })
}
