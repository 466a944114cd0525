"""The calls that the pages of the routes show, run as they are printed: curl, Python and JavaScript, every route; PHP and C# where their tools are.

What an example names and an installation must have (a job, a key, a delivery, ids) is put in by its text; nothing else is changed. A call may be refused
only by the state the routes before it left, and the table below says why.

usage: calls.py OPENAPI_JSON DEMO_JSON
"""

import html
import json
import os
import pathlib
import re
import shutil
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
    "entrar": {401}, "sair": {401}, "trocarSenha": {401, 429}, "trocarAmbiente": {401},
    "revogarChave": {404}, "criarEmpresa": {409}, "removerEmpresa": {404}, "enviarCertificado": {422}, "verLogo": {404}, "apagarLogo": {404},
    "confirmarNfe": {404, 409}, "reenviarWebhook": {404, 409},
    "cancelarNfe": {409}, "cancelarNfce": {404, 409}, "corrigirNfe": {409}, "autorizarAtorNfe": {409}, "inutilizarNfe": {409}, "inutilizarNfce": {409},
    "cancelarJob": {409}, "reprocessarJob": {409}, "baixarArquivoNfe": {404, 409}, "baixarArquivoNfce": {404, 409}, "consultarNfce": {404},
    "detalharNfeRecebida": {404}, "baixarXmlNfeRecebida": {404}, "sincronizarNfeRecebidas": {429, 503, 409}, "mostrarDistribuicao": {422},
    "localizarJob": {404}, "detalharNota": {404}, "consultarCadastro": {404, 503}, "statusServicoNfe": {503},
    # no source is configured in the demonstration
    "consultarCep": {503}, "buscarCeps": {503}, "consultarCnpj": {404, 503},
    "manifestarNfe": {409, 422},
}


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"X-API-Key": demo["api_key_homologacao"], "Content-Type": "application/json"} | (headers or {}), method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def session():
    login = {"email": demo["email"], "senha": demo["senha"], "ambiente": "homologacao"}
    return call("POST", "/v1/auth/login", login)["access_token"]


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
    return {language: html.unescape(code) for language, code in blocks}


notes = {tipo: issued(tipo) for tipo in ("nfe", "nfce")}
environment = {**os.environ, "CARIMBO_URL": base, "CARIMBO_CHAVE": demo["api_key_homologacao"]}
# what the calls below end must not be what the others need: an account's password stays, sessions are opened anew
faults, ran = [], {}


def runs(language, operation, code):
    """One call as a program of its own."""
    with tempfile.TemporaryDirectory() as folder:
        job, key = notes["nfce" if "/v1/nfce/" in code else "nfe"]
        code = code.replace(JOB, job).replace(KEY, key)
        programs = {
            "curl": ("call.sh", ["bash", "call.sh"]), "Python": ("call.py", [sys.executable, "call.py"]), "JavaScript": ("call.mjs", ["node", "call.mjs"]),
        }
        name, command = programs[language]
        pathlib.Path(folder, name).write_text(code + "\n")
        token = session() if "CARIMBO_TOKEN" in code else ""
        made = subprocess.run(command, cwd=folder, env={**environment, "CARIMBO_TOKEN": token}, capture_output=True, text=True, timeout=120)
    ran[language] = ran.get(language, 0) + 1
    if made.returncode == 0:
        return
    said = made.stdout + made.stderr
    refused = re.search(r'"status":([0-9]{3})', said) or re.search(r"(?:error: |Error: |returned error: )([0-9]{3})", said)
    status = int(refused.group(1)) if refused else 0
    if status not in STATE.get(operation, set()):
        faults.append(f"{language} {operation}: {said.strip()[-600:]}")
        print(faults[-1], flush=True)


def compiles(language, tool, name, command, wrap, operations):
    """A call that is read by its compiler."""
    if shutil.which(tool) is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        for operation in operations:
            pathlib.Path(folder, name).write_text(wrap(pages[operation][language]))
            made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
            ran[language] = ran.get(language, 0) + 1
            if made.returncode:
                faults.append(f"{language} {operation}: {(made.stdout + made.stderr)[-600:]}")


operations = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
pages = {operation: page(operation) for operation in operations}
for operation in operations:
    if len(pages[operation]) < 5:
        faults.append(f"{operation}: shows {sorted(pages[operation])}")
# what takes something away comes last, so that the others find it
LAST = {"removerEmpresa", "sair", "trocarAmbiente", "trocarSegredoDeWebhook", "apagarLogo", "cancelarNfe"}
order = sorted(operations, key=lambda operation: operation in LAST)
for operation in order:
    # the example's password is not the demonstration's, and five wrong ones slow its user down
    languages = ["curl"] if operation in ("entrar", "trocarSenha") else ["curl", "Python", "JavaScript"]
    for language in languages:
        runs(language, operation, pages[operation][language])
sample = operations[::6]
compiles("PHP", "php", "call.php", ["php", "-l", "call.php"], lambda code: code, operations)
# Debian keeps the library apart from the compiler: libmono-system-net-http4.0-cil
if pathlib.Path("/usr/lib/mono/4.5/System.Net.Http.dll").exists():
    compiles("C#", "mcs", "call.cs", ["mcs", "-target:library", "-r:System.Net.Http.dll", "call.cs"], lambda code: code, sample)
print("\n".join(faults))
print(f"{', '.join(f'{count} in {language}' for language, count in ran.items())}; {len(faults)} faults")
sys.exit(1 if faults else 0)
