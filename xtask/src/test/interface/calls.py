"""The calls that the pages of the routes show, run as they are printed, every route in every language: curl, Python, PHP, JavaScript, C#.

What an example names and an installation must have (a job, a key, a password) is put in by its text; nothing else is changed. A call may be refused
only by the state the routes before it left, and the table below says why.

usage: calls.py OPENAPI_JSON DEMO_JSON
"""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
demo = json.loads(pathlib.Path(sys.argv[2]).read_text())
base = demo["base_url"]
JOB, KEY = "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e", "35261111222333000181550010000012341123456780"
# what a second call of the same example is answered, or one whose example names what no installation has
STATE = {
    "revogarChave": {404}, "criarEmpresa": {409}, "removerEmpresa": {404}, "enviarCertificado": {422}, "verLogo": {404}, "apagarLogo": {404},
    "confirmarNfe": {404, 409}, "reenviarWebhook": {404, 409},
    "cancelarNfe": {409}, "cancelarNfce": {404, 409}, "corrigirNfe": {409}, "autorizarAtorNfe": {409}, "inutilizarNfe": {409}, "inutilizarNfce": {409},
    "cancelarJob": {409}, "reprocessarJob": {409}, "baixarArquivoNfe": {404, 409}, "baixarArquivoNfce": {404, 409}, "consultarNfce": {404},
    "detalharNfeRecebida": {404}, "baixarXmlNfeRecebida": {404}, "sincronizarNfeRecebidas": {429, 503, 409}, "mostrarDistribuicao": {422},
    "localizarJob": {404}, "detalharNota": {404}, "consultarCadastro": {404, 503}, "statusServicoNfe": {503},
    # no source is configured in the demonstration
    "consultarCep": {503}, "buscarCeps": {503}, "consultarCnpj": {404, 503},
    "manifestarNfe": {409, 422},
    "sincronizarCteRecebidos": {429, 503, 409}, "detalharCteRecebido": {404}, "baixarXmlCteRecebido": {404},
    "sincronizarNfseRecebidas": {429, 503, 409}, "detalharNfseRecebida": {404}, "baixarXmlNfseRecebida": {404},
    # one export of an account at a time; the example's is no installation's
    "criarExportacao": {409}, "detalharExportacao": {404}, "baixarExportacao": {404}, "apagarExportacao": {404},
    "enviarEmailDaNota": {404}, "detalharEmail": {404}, "reenviarEmail": {404},
    # the demonstration leaves it switched off, as every installation does at first
    "manifestarNfse": {403},
    # its company issues by the national system
    "emitirNfseMunicipal": {422},
    "cancelarNfseSincrona": {409}, "cancelarNfse": {409}, "solicitarAnaliseDeNfse": {409}, "cancelarCte": {409}, "corrigirCte": {409}, "registrarEventoCte": {409},
}


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"X-API-Key": demo["api_key_homologacao"], "Content-Type": "application/json"} | (headers or {}), method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def issued(tipo):
    """A job and a key that are really there."""
    emitir = document["paths"][f"/v1/{tipo}/emitir"]["post"]["requestBody"]["content"]["application/json"]["examples"]["exemplo"]["value"]
    job = call("POST", f"/v1/{tipo}/emitir", emitir | {"cpf_cnpj": demo["cpf_cnpj"], "referencia_externa": f"CHAMADAS{time.time_ns()}"})["job_id"]
    for _ in range(1200):
        answer = call("GET", f"/v1/{tipo}/consultar/{job}")
        if answer["status"] == "completed":
            return job, answer["nota"]["chave"]
        time.sleep(0.05)
    sys.exit(f"the note was not decided: {answer}")


def page(operation):
    text = urllib.request.urlopen(f"{base}/docs/rotas/{operation}", timeout=60).read().decode()
    blocks = re.findall(r'<summary>([^<]*)</summary><pre data-linguagem="[a-z]+"><code>(.*?)</code></pre>', text, flags=re.S)
    # the colours are elements around the words
    return {language: html.unescape(re.sub(r"<[^>]*>", "", code)) for language, code in blocks}


class Account:
    """Who the demonstration knows; a call that changes the password changes the one that the next calls use."""

    def __init__(self):
        self.senha, self.changes = demo["senha"], 0

    def put_into(self, operation, code):
        if operation == "entrar":
            return code.replace("uma senha longa", self.senha).replace("fiscal@exemplo.com.br", demo["email"])
        if operation == "trocarSenha":
            self.changes += 1
            self.next = f"outra senha de teste {self.changes}"
            return code.replace("outra senha, mais longa", self.next).replace("uma senha longa", self.senha)
        return code

    def session(self):
        login = {"email": demo["email"], "senha": self.senha, "ambiente": "homologacao"}
        return call("POST", "/v1/auth/login", login)["access_token"]

    def restore(self):
        """The judges after this one enter with the password of the demonstration's record."""
        headers = {"Authorization": f"Bearer {self.session()}"}
        call("PUT", "/v1/auth/senha", {"senha_atual": self.senha, "senha_nova": demo["senha"]}, headers)


notes = {tipo: issued(tipo) for tipo in ("nfe", "nfce", "cte", "nfse")}
environment = {**os.environ, "CARIMBO_URL": base, "CARIMBO_CHAVE": demo["api_key_homologacao"]}
account = Account()
faults, ran = [], {}

# C# is compiled once for all routes: each program in a namespace of its own, `Main` called by its name
ENTRY = """static class Entrada
{
    static void Main(string[] nomes)
    {
        var corpo = System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic;
        var chamada = System.Type.GetType(nomes[0] + ".Exemplo").GetMethod("Main", corpo);
        try { ((System.Threading.Tasks.Task)chamada.Invoke(null, null)).GetAwaiter().GetResult(); }
        catch (System.Exception falha) { System.Console.Error.WriteLine("error: " + falha.Message); System.Environment.Exit(1); }
    }
}
"""
PROGRAMS = {
    "curl": ("call.sh", ["bash", "call.sh"]),
    "Python": ("call.py", [sys.executable, "call.py"]),
    "PHP": ("call.php", ["php", "call.php"]),
    "JavaScript": ("call.mjs", ["node", "call.mjs"]),
}


def filled(operation, code):
    job, key = next((notes[tipo] for tipo in ("nfce", "cte", "nfse") if f"/v1/{tipo}/" in code), notes["nfe"])
    return account.put_into(operation, code.replace(JOB, job).replace(KEY, key))


def runs(language, operation, folder):
    """One call as a program of its own."""
    if language == "C#":
        # what changes from call to call cannot be compiled before
        command = ["mono", compiled([operation], folder) if operation in CHANGING else assemblies, operation]
    else:
        name, command = PROGRAMS[language]
        pathlib.Path(folder, name).write_text(filled(operation, pages[operation][language]) + "\n")
    token = account.session() if "CARIMBO_TOKEN" in pages[operation][language] else ""
    made = subprocess.run(command, cwd=folder, env={**environment, "CARIMBO_TOKEN": token}, capture_output=True, text=True, timeout=120)
    ran[language] = ran.get(language, 0) + 1
    if made.returncode == 0:
        if operation == "trocarSenha":
            account.senha = account.next
        return
    said = made.stdout + made.stderr
    refused = re.search(r'"status":([0-9]{3})', said) or re.search(r"(?:error: |Error: |success: )([0-9]{3})", said)
    status = int(refused.group(1)) if refused else 0
    if status not in STATE.get(operation, set()):
        faults.append(f"{language} {operation}: {said.strip()[-600:]}")
        print(faults[-1], flush=True)


def compiled(names, folder):
    """The C# programs of these routes in one assembly."""
    text = "".join(f"namespace {name}\n{{\n{filled(name, pages[name]['C#'])}\n}}\n" for name in names) + ENTRY
    pathlib.Path(folder, "calls.cs").write_text(text)
    # a `Main` that gives a task is no entrance to this compiler, which it says (28) of each
    command = ["mcs", "-nowarn:28", "-main:Entrada", "-r:System.Net.Http.dll", "calls.cs"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if made.returncode:
        sys.exit(f"C#: {(made.stdout + made.stderr)[-3000:]}")
    return str(pathlib.Path(folder, "calls.exe"))


operations = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
pages = {operation: page(operation) for operation in operations}
for operation in operations:
    if not pages[operation].keys() >= {*PROGRAMS, "C#"}:
        sys.exit(f"{operation}: shows {sorted(pages[operation])}")
CHANGING = {"entrar", "trocarSenha"}
# what takes something away comes last, so that the others find it
LAST = {"removerEmpresa", "sair", "trocarAmbiente", "trocarSegredoDeWebhook", "apagarLogo", "cancelarNfe", "cancelarCte", "cancelarNfse", "trocarSenha"}
order = sorted(operations, key=lambda operation: operation in LAST)
with tempfile.TemporaryDirectory() as folder:
    assemblies = compiled([operation for operation in operations if operation not in CHANGING], folder)
    for operation in order:
        for language in [*PROGRAMS, "C#"]:
            with tempfile.TemporaryDirectory() as own:
                runs(language, operation, own)
account.restore()
print("\n".join(faults))
print(f"{', '.join(f'{count} in {language}' for language, count in ran.items())}; {len(faults)} faults")
sys.exit(1 if faults else 0)
