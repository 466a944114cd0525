//! Visibility of notes, and answers about what does not exist.

use super::bench::{TOMADOR, authorized, dps, for_the_tomador, registered, town, written};
use authority::nfse_nacional::{DpsAnswer, NfseAnswer, SefinEndpoint, read_dps, read_exists, read_nfse};
use fiscal::value::{ChaveNfse, TpAmb};
use simulator::settings::NoCertificate;

#[tokio::test]
async fn a_note_is_shown_to_who_is_named_in_it() {
    let town = town().await;
    let note = town.issue(&for_the_tomador(1)).await;
    let id = written(&for_the_tomador(1)).1;
    let (tomador, stranger) = (town.certificate_of(TOMADOR), town.certificate_of("99888777000100"));
    let shown = read_nfse(&town.ask_as(&town.sefin.nfse(&note.chave), &tomador).await).unwrap();
    assert!(matches!(shown, NfseAnswer::Found(found) if found.xml == note.xml));
    let hidden = read_nfse(&town.ask_as(&town.sefin.nfse(&note.chave), &stranger).await).unwrap();
    assert!(matches!(hidden, NfseAnswer::Refused(said) if said[0].codigo.as_str() == "403"));
    let hidden = read_dps(&town.ask_as(&town.sefin.dps(&id), &stranger).await).unwrap();
    assert!(matches!(hidden, DpsAnswer::Refused(_)));
    // The existence of a DPS is shown to any certificate.
    assert!(read_exists(&town.ask_as(&town.sefin.exists(&id), &stranger).await).unwrap());
    let reply = town.ask_as(&town.sefin.event_of(&note.chave, "101101", 1), &stranger).await;
    assert_eq!(reply.status.as_u16(), 401);
}

#[tokio::test]
async fn what_is_not_there_is_said_by_the_sefin_itself() {
    let town = town().await;
    let id = written(&dps(1)).1;
    assert_eq!(town.key_of(&id).await, DpsAnswer::NotFound);
    assert!(!read_exists(&town.ask(&town.sefin.exists(&id)).await).unwrap());
    let unknown = ChaveNfse::parse(&"3".repeat(50)).unwrap();
    assert_eq!(town.note(&unknown).await, NfseAnswer::NotFound);
    let base = town.bench.simulator.sefin_url(TpAmb::Homologacao);
    let (status, body) = town.get(&format!("{base}/nfse/35")).await;
    assert_eq!((status, body["erro"]["codigo"].as_str()), (400, Some("400")));
    assert_eq!(town.get(&format!("{base}/dps/DPS1")).await.0, 400);
    assert_eq!(town.get(&format!("{base}/nfse/{}/eventos", unknown.as_str())).await.0, 404);
    for moved in ["ParametrosMunicipais", "DANFSe"] {
        assert_eq!(town.get(&format!("{base}/{moved}")).await.0, 501);
    }
    let (mut sender, _task) = crate::raw::connect(&town.bench, Some(&town.bench.certificate), None).await.unwrap();
    let request = http::Request::builder()
        .method("HEAD")
        .uri("/nfse/hom/SefinNacional/dps/DPS1")
        .header("host", "127.0.0.1")
        .body(http_body_util::Full::new(bytes::Bytes::new()))
        .unwrap();
    assert_eq!(sender.send_request(request).await.unwrap().status().as_u16(), 400);
}

/// A refused certificate gets the code of its fault from every service.
#[tokio::test]
async fn a_revoked_certificate_is_refused_by_every_service() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    let serial = town.bench.certificate.holder().numero_serie.clone();
    town.bench.simulator.configure(|settings| settings.revogados = std::iter::once(serial).collect());
    let chave = note.chave.as_str();
    let sefin = town.bench.simulator.sefin_url(TpAmb::Homologacao);
    let adn = town.bench.simulator.adn_url(TpAmb::Homologacao);
    let parameters = town.bench.simulator.parameters_url(TpAmb::Homologacao);
    let reply = town.ask(&town.sefin.event(&note.chave, "<pedRegEvento/>")).await;
    assert_eq!(reply.status.as_u16(), 403);
    for (url, status) in [
        (format!("{sefin}/nfse/{chave}"), 403),
        (format!("{sefin}/dps/{}", written(&dps(1)).1), 403),
        (format!("{sefin}/nfse/{chave}/eventos"), 403),
        (format!("{adn}/DFe/0"), 400),
        (format!("{adn}/NFSe/{chave}/Eventos"), 400),
        (format!("{parameters}/3550308/convenio"), 403),
    ] {
        assert_eq!(town.get(&url).await.0, status, "{url}");
    }
}

#[tokio::test]
async fn events_are_listed_whole_or_by_kind() {
    let town = town().await;
    let note = town.issue(&dps(1)).await;
    registered(town.register(&note.chave, "101101", Some("Serviço contratado não foi prestado")).await);
    let base = format!("{}/nfse/{}/eventos", town.bench.simulator.sefin_url(TpAmb::Homologacao), note.chave.as_str());
    for (path, found) in [("", 1), ("/101101", 1), ("/101101/1", 1), ("/101103", 0), ("/101101/2", 0)] {
        let (status, body) = town.get(&format!("{base}{path}")).await;
        let events = body["eventos"].as_array().map_or(0, Vec::len);
        assert_eq!((status, events), (if found == 1 { 200 } else { 404 }, found), "{path}");
        assert!(body.get("erro").is_none(), "{path}");
    }
}

/// A note of the other environment is not found.
#[tokio::test]
async fn environments_do_not_see_each_other() {
    let town = town().await;
    let note = authorized(town.hand_in(&town.signed(&dps(1))).await);
    let production = SefinEndpoint::at(&town.bench.simulator.sefin_url(TpAmb::Producao));
    assert_eq!(read_nfse(&town.ask(&production.nfse(&note.chave)).await).unwrap(), NfseAnswer::NotFound);
}

#[tokio::test]
async fn without_a_certificate_each_route_has_its_status() {
    let town = town().await;
    town.bench.simulator.configure(|settings| settings.sem_certificado = NoCertificate::Http403);
    let (note, id) = (format!("SefinNacional/nfse/{}", "3".repeat(50)), written(&dps(1)).1);
    for (method, path, status) in [
        ("POST", "SefinNacional/nfse".to_owned(), 403),
        ("GET", note.clone(), 401),
        ("POST", format!("{note}/eventos"), 401),
        ("GET", format!("{note}/eventos/101101/1"), 401),
        ("GET", format!("SefinNacional/dps/{id}"), 403),
        ("HEAD", format!("SefinNacional/dps/{id}"), 403),
        ("GET", "contribuintes/DFe/0".to_owned(), 496),
        ("GET", format!("contribuintes/NFSe/{}/Eventos", "3".repeat(50)), 496),
        ("GET", "parametrizacao/3550308/convenio".to_owned(), 403),
        ("DELETE", "SefinNacional/nfse".to_owned(), 404),
    ] {
        let path = format!("/nfse/hom/{path}");
        let (mut sender, _task) = crate::raw::connect(&town.bench, None, None).await.unwrap();
        let request = http::Request::builder()
            .method(method)
            .uri(&path)
            .header("host", "127.0.0.1")
            .body(http_body_util::Full::new(bytes::Bytes::from_static(b"{}")))
            .unwrap();
        let reply = sender.send_request(request).await.unwrap();
        assert_eq!(reply.status().as_u16(), status, "{method} {path}");
    }
}
