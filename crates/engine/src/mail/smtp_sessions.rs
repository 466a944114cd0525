//! Tests of SMTP sessions against scripted servers that end where a real one seldom does.

use super::settings::{MailSettings, SmtpPassword, SmtpTls};
use super::smtp::{CONNECT, CONTENT, RECIPIENT, ReadySession, SmtpFailure, TransmissionFailure, open_session};
use lettre::Address;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;
use zeroize::Zeroizing;

/// A server that answers each line as the script decides, and ends the connection at an empty answer. Returns its
/// settings, and the lines that it got.
fn server(script: fn(&str) -> &'static str) -> (MailSettings, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let running = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        stream.write_all(b"220 teste\r\n").unwrap();
        let (mut got, mut is_content) = (Vec::new(), false);
        while let Some(Ok(line)) = lines.next() {
            got.push(line.clone());
            if is_content && line != "." {
                continue;
            }
            let answer = script(&line);
            is_content = answer.starts_with("354");
            if answer.is_empty() || stream.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                break;
            }
        }
        got
    });
    let settings = MailSettings {
        host: "127.0.0.1".to_owned(),
        port,
        tls: SmtpTls::Absent,
        login: None,
        from: "notas@exemplo.com.br".to_owned(),
        from_name: None,
        timeout: Duration::from_secs(5),
        per_minute: 60,
        per_minute_of_account: 30,
        extra_anchors_pem: None,
        panel_url: None,
    };
    (settings, running)
}

fn open(settings: &MailSettings) -> Result<ReadySession, SmtpFailure> {
    let recipients: Vec<Address> = ["a@b.com", "fechada@b.com"].iter().map(|text| text.parse().unwrap()).collect();
    open_session(settings, &recipients, 2)
}

fn usual(line: &str) -> &'static str {
    match line {
        line if line.starts_with("EHLO") => "250 teste",
        line if line.starts_with("RCPT TO:<fechada@") => "550 5.1.1 unknown user",
        "DATA" => "354 go on",
        _ => "250 ok",
    }
}

#[test]
fn no_password_leaves_where_the_server_offers_no_encryption() {
    let (settings, running) =
        server(|line| if line.starts_with("EHLO") { "250-teste\r\n250 AUTH PLAIN LOGIN" } else { "235 ok" });
    let login = Some(("notas".to_owned(), SmtpPassword::new(Zeroizing::new("s3gredo".to_owned()))));
    let failure = open(&MailSettings { tls: SmtpTls::StartTls, login, ..settings }).err().unwrap();
    assert_eq!((failure.etapa, failure.codigo), (CONNECT, None), "{failure:?}");
    let got = running.join().unwrap();
    assert!(got.iter().all(|line| line.starts_with("EHLO") || line == "QUIT"), "{got:?}");
}

#[test]
fn a_content_without_an_answer_is_in_doubt_and_a_refused_one_is_not() {
    let (settings, running) = server(|line| if line == "." { "" } else { usual(line) });
    let session = open(&settings).unwrap();
    assert!(session.partly_refused().contains("fechada@b.com: "), "{}", session.partly_refused());
    let end = session.transmit(b"Subject: a\r\n\r\nb\r\n").unwrap_err();
    assert!(matches!(end, TransmissionFailure::Unanswered(_)), "{end:?}");
    assert!(running.join().unwrap().contains(&"Subject: a".to_owned()));

    let (settings, running) = server(|line| if line == "." { "554 5.7.1 spam" } else { usual(line) });
    let end = open(&settings).unwrap().transmit(b"Subject: a\r\n\r\nb\r\n").unwrap_err();
    match end {
        TransmissionFailure::Answered(failure) => {
            assert_eq!((failure.etapa, failure.codigo, failure.blames_address()), (CONTENT, Some(554), false));
        }
        TransmissionFailure::Unanswered(failure) => panic!("{failure:?}"),
    }
    running.join().unwrap();

    // what is asked for before the content has not left
    let (settings, running) = server(|line| if line == "DATA" { "" } else { usual(line) });
    let end = open(&settings).unwrap().transmit(b"Subject: a\r\n\r\nb\r\n").unwrap_err();
    assert!(matches!(end, TransmissionFailure::Answered(_)), "{end:?}");
    assert!(!running.join().unwrap().contains(&"Subject: a".to_owned()));
}

#[test]
fn a_session_without_an_accepted_addressee_ends_with_the_refusal_that_may_be_lifted() {
    let (settings, running) = server(|line| match line {
        line if line.starts_with("RCPT TO:<a@") => "450 4.2.0 greylisted",
        line => usual(line),
    });
    let failure = open(&settings).err().unwrap();
    assert_eq!((failure.etapa, failure.codigo, failure.is_permanent()), (RECIPIENT, Some(450), false));
    assert!(!running.join().unwrap().contains(&"DATA".to_owned()));
}
