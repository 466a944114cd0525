//! An authenticator app: codes by RFC 6238, computed here a second time.

use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;

use crate::support::app::TestApp;
use crate::support::browser::{Browser, proof};
use crate::support::users::SENHA;

/// An app that holds a secret.
pub(crate) struct Authenticator {
    secret: Vec<u8>,
    /// The secret in base32, without spaces.
    pub(crate) spelled: String,
}

impl Authenticator {
    /// Reads the secret that a page spells.
    pub(crate) fn of(spelled: &str) -> Authenticator {
        let letters = spelled.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
        for letter in letters {
            let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|one| *one == letter).unwrap();
            held = held << 5 | u32::try_from(value).unwrap();
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                bytes.push(u8::try_from(held >> bits & 0xff).unwrap());
            }
        }
        let spelled = spelled.split_whitespace().collect();
        Authenticator { secret: bytes, spelled }
    }

    /// The code at a time of the service's clock.
    pub(crate) fn code(&self, app: &TestApp) -> String {
        self.code_at(engine::process::clock::Clock::now(&*app.clock).as_second())
    }

    pub(crate) fn code_at(&self, seconds: i64) -> String {
        let key = PKey::hmac(&self.secret).unwrap();
        let mut signer = Signer::new(MessageDigest::sha1(), &key).unwrap();
        let mac = signer.sign_oneshot_to_vec(&(seconds / 30).to_be_bytes()).unwrap();
        let at = usize::from(mac[19] & 15);
        let number = u32::from_be_bytes(mac[at..at + 4].try_into().unwrap()) & 0x7fff_ffff;
        format!("{:06}", number % 1_000_000)
    }

    pub(crate) fn secret(&self) -> &[u8] {
        &self.secret
    }
}

/// Text between two marks.
#[track_caller]
pub(crate) fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}: {text}"));
    rest.split_once(to).unwrap().0
}

/// Turns the second factor on; gives the app and the recovery codes.
pub(crate) async fn turn_on(app: &TestApp, person: &mut Browser) -> (Authenticator, Vec<String>) {
    turn_on_at(person, SENHA, engine::process::clock::Clock::now(&*app.clock).as_second()).await
}

/// Turns it on at a time of the service's clock.
pub(crate) async fn turn_on_at(person: &mut Browser, senha: &str, now: i64) -> (Authenticator, Vec<String>) {
    let token = proof(&person.get("/painel/conta").await);
    let begun = person.post("/painel/conta/segundo-fator", &[("prova", &token), ("senha", senha)]).await;
    let to = begun.header("location");
    assert_eq!((begun.status.as_u16(), to), (303, "/painel/conta/segundo-fator"), "{}", begun.text());
    let page = person.get("/painel/conta/segundo-fator").await.text();
    let held = Authenticator::of(between(&page, "<code class=\"segredo\">", "</code>"));
    let code = held.code_at(now);
    let confirmed = person.post("/painel/conta/segundo-fator/confirmar", &[("prova", &token), ("codigo", &code)]).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    let text = confirmed.text();
    let list = between(&text, "<ul class=\"codigos\">", "</ul>");
    let codes = list.split("<code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()).collect();
    (held, codes)
}
