//! Events of the CT-e against the official schemas: the envelope against its own, the content against the one of its
//! kind.

use crate::lint::{Desk, accepted};
use fiscal::event::cte::{CteEventKind, body, build};
use fiscal::event::{EventEnvelope, family};
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb};
use serde_json::{Value, json};
use testkit::cases::DUMMY_SIGNATURE;

const KEY: &str = "43261112ABC34501DE35670010000000071202611037";

/// Request of a caller for each kind, in other words than the unit tests use.
fn said(kind: CteEventKind) -> Value {
    let nProt = "343260000001234";
    match kind {
        CteEventKind::CartaCorrecao => {
            json!({ "infCorrecao": [{ "grupoAlterado": "compl", "campoAlterado": "xObs", "valorAlterado": "Ação & reação" }] })
        }
        CteEventKind::Cancelamento => json!({ "nProt": nProt, "xJust": "Serviço não prestado ao cliente" }),
        CteEventKind::RegistroMultimodal => json!({ "xRegistro": "Transbordo no terminal de Rio Grande" }),
        CteEventKind::InformacoesGtv => json!({ "infGTV": [{
            "nDoc": "9", "id": "7", "serie": "1", "subserie": "2", "dEmi": "2026-11-20", "nDV": "1", "qCarga": "1",
            "infEspecie": [{ "tpEspecie": "2" }, { "tpEspecie": 4, "vEspecie": "10.50" }],
            "rem": { "CNPJCPF": "11144477735", "UF": "RS", "xNome": "FULANO DE TAL" },
            "dest": { "CNPJ": "00000000000000", "UF": "EX", "xNome": "BANCO DEL SUR" },
        }] }),
        CteEventKind::ComprovanteEntrega => json!({
            "nProt": nProt, "dhEntrega": "2026-11-21T09:00:00-03:00", "nDoc": "MG-12.345", "xNome": "Maria José",
            "hashEntrega": "c89wHE6lCjmuw5dPVo5BWkwe6eM=", "dhHashEntrega": "2026-11-21T09:00:05-03:00",
            "infEntrega": [{ "chNFe": "43261112ABC34501DE35550010000000011847362513" }],
        }),
        CteEventKind::InsucessoEntrega => json!({
            "nProt": nProt, "dhTentativaEntrega": "2026-11-21T09:00:00-03:00", "tpMotivo": 1, "latitude": "-30.034600", "longitude": "-51.217700",
            "hashTentativaEntrega": "c89wHE6lCjmuw5dPVo5BWkwe6eM=", "dhHashTentativaEntrega": "2026-11-21T09:00:05-03:00",
            "infEntrega": ["43261112ABC34501DE35550010000000011847362513"],
        }),
        CteEventKind::CancelamentoComprovanteEntrega => json!({ "nProt": nProt, "nProtCE": nProt }),
        CteEventKind::CancelamentoInsucessoEntrega => json!({ "nProt": nProt, "nProtIE": nProt }),
        CteEventKind::Desacordo => json!({ "xObs": "A carga não é a que foi contratada" }),
        CteEventKind::CancelamentoDesacordo => json!({ "nProtEvPrestDes": nProt }),
    }
}

#[test]
fn the_official_schemas_accept_every_event() {
    let desk = Desk::new("events");
    let namespace = family::CTE.namespace;
    let mut whole = Vec::new();
    for kind in CteEventKind::all() {
        let body = body(kind, said(kind).as_object().unwrap(), -3).unwrap_or_else(|found| panic!("{kind:?} {found:?}"));
        let envelope = EventEnvelope {
            chave: ChaveAcesso::parse(KEY).unwrap(),
            ambiente: TpAmb::Producao,
            autor: CnpjCpf::parse("12ABC34501DE35").unwrap(),
            dhEvento: "2026-11-21T10:00:00-03:00",
            nSeqEvento: kind.most(),
        };
        let (xml, _) = build(&envelope, &body);
        let signature = DUMMY_SIGNATURE.trim_end();
        let signed = xml.replace("</eventoCTe>", &format!("{signature}</eventoCTe>"));
        whole.push(desk.file(kind.word(), &signed));
        let (_, detail) = xml.split_once("<detEvento versaoEvento=\"4.00\">").unwrap();
        let (detail, _) = detail.split_once("</detEvento>").unwrap();
        let (root, rest) = detail.split_once('>').unwrap();
        let name = root.trim_start_matches('<');
        let own = desk.file(&format!("{}-content", kind.word()), &format!("{root} xmlns=\"{namespace}\">{rest}"));
        accepted(&format!("{name}_v4.00.xsd"), &[own]);
    }
    accepted("eventoCTe_v4.00.xsd", &whole);
}
