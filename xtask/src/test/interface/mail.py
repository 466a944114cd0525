"""Mails of the service through a real SMTP server (aiosmtpd) with STARTTLS of a test CA and AUTH.

Usage: mail.py CARIMBO FOLDER NOTE. Starts a demonstration of its own, chooses in the panel that NF-e are mailed, issues
notes and checks the messages; kills the process before and after the content of a mail and checks that none is lost and
none is sent twice in silence.
"""

import datetime, email, email.policy, ipaddress, json, os, re, signal, socket, ssl, subprocess, sys, time, urllib.error, uuid
import urllib.parse, urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

PASSWORD = "s3nha-do-servidor-de-email"
MARK = b"ponto de queda: "


def certificates(folder):
    now, day = datetime.datetime.now(datetime.timezone.utc), datetime.timedelta(days=1)

    def name(text):
        return x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, text)])

    def certificate(subject, key, issuer, signer, extensions):
        builder = x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - day).not_valid_after(now + day)
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    root, leaf = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    ca = certificate("CA de teste", root, "CA de teste", root, [(x509.BasicConstraints(True, None), True)])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    server = certificate("localhost", leaf, "CA de teste", root, [(names, False)])
    key = leaf.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for file, content in [("ca.pem", ca), ("server.pem", server), ("server.key", key)]:
        (folder / file).write_bytes(content)


class Mailbox:
    def __init__(self):
        self.messages = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("fechada@"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        assert session.ssl and session.authenticated, "a mail came without TLS or without a login"
        self.messages.append((list(envelope.rcpt_tos), email.message_from_bytes(envelope.content, policy=email.policy.default)))
        return "250 OK"

    def times(self, mail):
        return sum(mail in message["message-id"] for _, message in self.messages)


def settled(api, job):
    """Waits until the mail of the job and all others have ended; a lease of a killed process runs out first."""
    wait(lambda: api.mails(job), "a note has no mail")
    wait(lambda: not api.call("/v1/emails?status=pendente")["emails"], "a mail does not end", 240)


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"notas", PASSWORD.encode()))


class Demo:
    running = []

    def __init__(self, carimbo, folder, port, trap=None):
        self.log, environment = folder / "demo.log", dict(os.environ)
        environment |= {
            "CARIMBO_EMAIL_SERVIDOR": "localhost", "CARIMBO_EMAIL_PORTA": str(port), "CARIMBO_EMAIL_USUARIO": "notas",
            "CARIMBO_EMAIL_SENHA": PASSWORD, "CARIMBO_EMAIL_REMETENTE": "notas@exemplo.com.br",
            "CARIMBO_EMAIL_NOME": "Notas ção", "CARIMBO_EMAIL_CA_BUNDLE": str(folder / "ca.pem"),
            "CARIMBO_EMAIL_TEMPO_LIMITE_S": "2", "CARIMBO_EMAIL_POR_MINUTO": "4000",
            "CARIMBO_EMAIL_POR_MINUTO_CONTA": "4000",
        }
        if trap:
            environment["CARIMBO_PONTO_DE_QUEDA"] = trap
        self.folder, before = folder, time.time()
        with open(self.log, "ab") as log:
            self.from_byte = log.tell()
            command = [carimbo, "demo", "--http", "127.0.0.1:0", "--mcp", "127.0.0.1:0", "--data", str(folder / "demo")]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        Demo.running.append(self)
        record = folder / "demo/demo.json"
        wait(lambda: record.exists() and record.stat().st_mtime >= before, "the demonstration did not start", 180)
        self.record = json.loads(record.read_text())

    def passed(self, mark):
        return MARK + mark in self.log.read_bytes()[self.from_byte :]

    @classmethod
    def end_all(cls):
        for started in cls.running:
            if started.process.poll() is None:
                started.kill()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def wait(condition, failure, seconds=90):
    end = time.time() + seconds
    while not (found := condition()):
        assert time.time() < end, failure
        time.sleep(0.2)
    return found


class Api:
    def __init__(self, demo):
        self.base, self.key = demo.record["base_url"], demo.record["api_key_homologacao"]
        self.company = demo.record["cpf_cnpj"]

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        answer = urllib.request.urlopen(urllib.request.Request(self.base + path, data, headers))
        content = answer.read()
        return json.loads(content) if "json" in answer.headers["content-type"] else content

    def issue(self, note):
        accepted = self.call("/v1/nfe/emitir", {**note, "cpf_cnpj": self.company, "referencia_externa": uuid.uuid4().hex})
        job = accepted["job_id"]
        wait(lambda: self.call(accepted["consulta"])["status"] not in ("pending", "processing"), "a note does not end")
        return job

    def mails(self, job):
        return self.call(f"/v1/emails?job_id={job}")["emails"]

    def mail_is(self, job, status):
        return wait(lambda: [mail for mail in self.mails(job) if mail["status"] == status], f"no mail is {status}", 150)[0]


def choose(api, demo, address):
    """Chooses in the panel, as a person does."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def submit(page, path, fields):
        proof = re.search('name="prova" value="([^"]*)"', browser.open(api.base + page).read().decode())[1]
        data = urllib.parse.urlencode({"prova": proof, **fields}).encode()
        return browser.open(urllib.request.Request(api.base + path, data, {"Origin": api.base}))

    login = {"email": demo.record["email"], "senha": demo.record["senha"], "ambiente": "homologacao"}
    submit("/painel/entrar", "/painel/entrar", login)
    choice = {"empresa": api.company, "tipo": "nfe", "enviar": "sim", "sempre_para": address, "responder_para": "loja@exemplo.com.br"}
    submit("/painel/emails/empresa", "/painel/emails/empresa", choice)


def check_message(api, job, messages):
    mail = api.mails(job)[0]["email_id"]
    (recipients, message), = [one for one in messages if mail in one[1]["message-id"]]
    assert recipients == ["cliente@exemplo.com.br"], recipients
    assert message["auto-submitted"] == "auto-generated" and message["reply-to"] == "loja@exemplo.com.br"
    files = {part.get_content_type(): part for part in message.iter_attachments()}
    stored = api.call(f"/v1/nfe/{job}/file/xml")
    assert files["application/xml"].get_payload(decode=True) == stored, "the attached XML is not the stored one"
    assert b"<DigestValue>" in stored and files["application/pdf"].get_payload(decode=True).startswith(b"%PDF")
    assert re.fullmatch(r"\d{44}-procNFe\.xml", files["application/xml"].get_filename())


def serve(folder, box):
    """Starts the SMTP server of a mailbox, with certificates in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    certificates(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Controller(box, hostname="127.0.0.1", port=port, tls_context=context, require_starttls=True,
                        auth_required=True, authenticator=authenticate)
    server.start()
    return box, server


def main():
    carimbo, folder, note = sys.argv[1], Path(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text())
    note = note if "nota" in note else {"nota": note}
    box, server = serve(folder, Mailbox())
    demo = Demo(carimbo, folder, server.port)
    api = Api(demo)
    choose(api, demo, "cliente@exemplo.com.br")
    job = api.issue(note)
    api.mail_is(job, "enviado")
    check_message(api, job, box.messages)
    print("a note is mailed with its XML and PDF, over STARTTLS, after a login")

    closed = api.call(f"/v1/notas/{job}/email", {"email": "fechada@exemplo.com.br"})
    api.mail_is(job, "recusado")
    api.call(f"/v1/notas/{job}/email", {"email": "fechada@exemplo.com.br"})
    api.mail_is(job, "bloqueado")
    print("a closed mailbox is refused once and blocked afterwards")
    demo.kill()

    doubts = set()
    for mark, sent in [("mail.claimed", None), ("mail.marked", 0), ("mail.reply", 1), ("mail.recorded", None)]:
        demo = Demo(carimbo, folder, server.port, f"{mark}:1")
        job = Api(demo).issue(note)
        wait(lambda: demo.passed(mark.encode()), f"{mark} was not reached")
        demo.kill()
        demo = Demo(carimbo, folder, server.port)
        api = Api(demo)
        settled(api, job)
        found = {mail["email_id"] for mail in api.call("/v1/emails?status=em_duvida&limite=100")["emails"]} - doubts
        doubts |= found
        assert len(found) == (0 if sent is None else 1), f"{mark}: {found} in doubt"
        for one in found:
            assert box.times(one) == sent, f"{mark}: sent {box.times(one)} times"
        for mail in api.call("/v1/emails?status=enviado&limite=100")["emails"]:
            assert box.times(mail["email_id"]) == 1, f"{mark}: {mail} was sent {box.times(mail['email_id'])} times"
        print(f"killed at {mark}: {len(found)} in doubt, every other mail was sent once")
        demo.kill()
    assert PASSWORD not in demo.log.read_text(errors="replace"), "the password stands in the log"
    server.stop()
    print("no mail was lost, and none was sent twice in silence")


if __name__ == "__main__":
    try:
        main()
    finally:
        Demo.end_all()
