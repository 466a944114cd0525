"""What stands around an agent, for the judges of every language: the person at the panel, the operator at the command line, a second process on the
same database, and a hand in that database where only time or damage would do it.

Python imports it. Others run it: `world.py demo.json WORD …`, as `main` says; it prints what came of it. CARIMBO names the binary.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request
import uuid
from http.cookiejar import CookieJar
from pathlib import Path

REASON = "valor errado"


class World:
    def __init__(self, record):
        self.demo = json.loads(Path(record).read_text(encoding="utf-8"))
        self.folder = Path(record).resolve().parent
        place = {
            "CARIMBO_BANCO_URL": f"sqlite:{self.folder / 'carimbo.db'}",
            "CARIMBO_SEGREDO_CHAVE_MESTRA_ARQUIVO": str(self.folder / "chave-mestra"),
            "CARIMBO_HTTP_ENDERECO": "127.0.0.1:0",
        }
        self.environment = os.environ | place

    def operator(self, *words):
        """A command of the operator; gives what it prints."""
        command = [os.environ["CARIMBO"], *words]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def ceiling(self, value):
        """The most that the account may confirm, `1.00`; `-` takes it away."""
        limit = ["--sem-teto"] if value == "-" else ["--valor", value]
        self.operator("conta", "teto", "--email", self.demo["email"], *limit)

    def stranger(self):
        """A key of another account."""
        told = self.operator("conta", "criar", "--nome", "Outra", "--email", f"{uuid.uuid4()}@exemplo.com.br")
        return re.search(r"crb_test_\w+", told).group()

    def second(self):
        """Another process that answers from the same database; its address, and itself, to be ended by who asked."""
        process = subprocess.Popen(
            [os.environ["CARIMBO"], "serve", "--papel", "api"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        return re.search(r"http://\S+", process.stdout.readline()).group(), process

    def database(self, statement, *values):
        with sqlite3.connect(self.folder / "carimbo.db", timeout=30) as database:
            found = database.execute(statement, values)
            if found.rowcount == 0:
                raise SystemExit(f"nothing changed: {statement} {values}")
        database.close()

    def expire(self, confirmation):
        """Ten minutes pass for this one."""
        self.database("UPDATE confirmations SET expira_em = criado_em - 1 WHERE id = ?", uuid.UUID(confirmation).bytes)

    def change(self, confirmation):
        """What was prepared is no more what was shown."""
        statement = "UPDATE confirmations SET payload = replace(payload, 'Caderno', 'Console') WHERE id = ? AND payload LIKE '%Caderno%'"
        self.database(statement, uuid.UUID(confirmation).bytes)

    def person(self):
        return Person(self.demo)


class Person:
    """A browser, as far as forms go, of somebody who knows the password."""

    def __init__(self, demo):
        self.base = demo["base_url"]
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        page = self.get(f"{self.base}/painel/entrar")
        self.post(f"{self.base}/painel/entrar", page, email=demo["email"], senha=demo["senha"], ambiente="homologacao")

    def get(self, url):
        return self.browser.open(url).read().decode()

    def post(self, url, page, **fields):
        fields["prova"] = re.search(r'name="prova" value="([^"]+)"', page).group(1)
        place = urllib.parse.urlparse(url)
        sent = urllib.request.Request(url, urllib.parse.urlencode(fields).encode(), {"Origin": f"{place.scheme}://{place.netloc}"})
        return self.browser.open(sent).read().decode()

    def decide(self, url, yes):
        page = self.get(url)
        if "Emitir esta nota?" not in page:
            raise SystemExit(f"{url}: {page[:400]}")
        word = {"decisao": "aprovar"} if yes else {"decisao": "recusar", "motivo": REASON}
        self.post(url, page, **word)


def main(record, word, *rest):
    world = World(record)
    match word:
        case "aprovar" | "recusar":
            world.person().decide(*rest, yes=word == "aprovar")
        case "vencer":
            world.expire(*rest)
        case "mudar":
            world.change(*rest)
        case "teto":
            world.ceiling(*rest)
        case "outra-conta":
            print(world.stranger())
        case "segundo":
            url, process = world.second()
            print(url, flush=True)
            # as long as the one who asked keeps our input open
            sys.stdin.read()
            process.terminate()
            process.wait()
        case _:
            raise SystemExit(f"no word {word}")


if __name__ == "__main__":
    main(*sys.argv[1:])
