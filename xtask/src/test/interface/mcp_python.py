"""The MCP server by the official Python client (PyPI `mcp`), as an agent's builder uses it: with its defaults, at each revision it speaks.

Every lookup, a refusal, a note prepared and confirmed by each door. The person is one who logs in at the panel; nothing else approves.
Arguments: demo.json, the note of the guide. Prints how many checks there were.
"""

import asyncio
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

demo = json.load(open(sys.argv[1], encoding="utf-8"))
note = json.load(open(sys.argv[2], encoding="utf-8"))["nota"]
base = demo["base_url"]
# a version pin, and the handshake of before
MODES = {"2026-07-28": "2026-07-28", "auto": "2026-07-28", "legacy": "2025-11-25"}
LOOKUPS = {
    "buscar_ncm_por_descricao": {"descricao": "caderno"},
    "consultar_ncm": {"codigo": "48202000"},
    "validar_ncm": {"codigo": "48202000"},
    "consultar_cep": {"cep": "01001000"},
}
# what a demonstration has no source for says whom to ask for one
WITHOUT_SOURCE = {
    "buscar_cep": {"logradouro": "Praça da Sé", "cidade": "São Paulo", "uf": "SP"},
    "consultar_cnpj": {"cnpj": demo["cpf_cnpj"]},
}
READS = {
    "listar_empresas": {}, "consultar_cotas": {}, "listar_notas": {"tipo": "nfe"},
    "explicar_rejeicao": {"codigo": "539"}, "descrever_campos": {"grupo": "produtos.icms"},
}
checks = 0


def must(right, what):
    global checks
    checks += 1
    if not right:
        raise SystemExit(f"not as it should be: {what}")


def rest(key, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"x-api-key": key, "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method)) as answer:
        return json.load(answer)


class Person:
    """A browser, as far as forms go."""

    def __init__(self):
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.browser.addheaders = [("Origin", base)]
        page = self.get(f"{base}/painel/entrar")
        self.post("/painel/entrar", page, email=demo["email"], senha=demo["senha"], ambiente="homologacao")

    def get(self, url):
        return self.browser.open(url).read().decode()

    def post(self, path, page, **fields):
        fields["prova"] = re.search(r'name="prova" value="([^"]+)"', page).group(1)
        return self.browser.open(base + path, urllib.parse.urlencode(fields).encode()).read().decode()

    def decide(self, url, yes):
        page = self.get(url)
        must("Emitir esta nota?" in page, f"{url}: {page[:400]}")
        word = {"decisao": "aprovar"} if yes else {"decisao": "recusar", "motivo": "valor errado"}
        self.post(urllib.parse.urlparse(url).path, page, **word)


def connection(key, url):
    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers={"x-api-key": key}, timeout=60))


def client(key, mode, answer=None, url=f"{base}/mcp"):
    return Client(connection(key, url), mode=mode, elicitation_callback=answer)


async def done(agent, tool, arguments):
    result = await agent.call_tool(tool, arguments)
    must(not result.is_error, f"{tool} {arguments}: {result.content}")
    return result.structured_content


async def refused(agent, tool, arguments, codigo):
    result = await agent.call_tool(tool, arguments)
    must(result.is_error and result.content[0].text.startswith(f"{codigo}: "), f"{tool} {arguments}: {result}")


async def prepared(agent):
    return await done(agent, "preparar_nfe", {"cpf_cnpj": demo["cpf_cnpj"], "nota": note})


def token(of):
    return {"token_confirmacao": of["token_confirmacao"]}


async def authorised(agent, confirmed):
    must(confirmed["situacao"] == "emitindo", confirmed)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        job = (await done(agent, "consultar_nota", {"job_id": confirmed["job_id"]}))["job"]
        if job["status"] in ("completed", "failed"):
            must(job["nota"]["status"] == "autorizada", job)
            return
        await asyncio.sleep(0.1)
    must(False, f"{confirmed} does not end")


async def reads(key, mode, revision):
    async with client(key, mode) as agent:
        must(agent.protocol_version == revision, agent.protocol_version)
        tools = {tool.name for tool in (await agent.list_tools()).tools}
        must(len(tools) == 18 and LOOKUPS.keys() | WITHOUT_SOURCE.keys() | READS.keys() < tools, tools)
        must(len((await agent.list_resources()).resources) > 20, "resources")
        must(len((await agent.list_prompts()).prompts) == 2, "prompts")
        for tool, arguments in (LOOKUPS | READS).items():
            must(await done(agent, tool, arguments), tool)
        for tool, arguments in WITHOUT_SOURCE.items():
            await refused(agent, tool, arguments, "indisponivel")
        await refused(agent, "consultar_cep", {"cep": "00000000"}, "nao_encontrado")
        try:
            await agent.call_tool("cancelar_nfe", {})
            must(False, "a tool that is not there")
        except MCPError as error:
            must(error.error.code == -32602, error)


async def by_the_address(key, mode, person):
    """A client without any door is told where the person has to go, and comes back."""
    async with client(key, mode) as agent:
        no, yes = await prepared(agent), await prepared(agent)
        for one in (no, yes):
            waits = await done(agent, "confirmar_nfe", token(one))
            must(waits["situacao"] == "aguardando_confirmacao", waits)
            person.decide(waits["url_confirmacao"], yes=one is yes)
        await refused(agent, "confirmar_nfe", token(no), "confirmacao_recusada")
        async with client(key, mode, url=f"{demo['mcp_url']}/mcp") as elsewhere:
            await authorised(elsewhere, await done(elsewhere, "confirmar_nfe", token(yes)))
        await refused(agent, "confirmar_nfe", token(yes), "confirmacao_usada")


async def by_the_clients_way(key, mode, person):
    """A client that opens addresses: the person decides there. What the client itself answers is worth nothing."""
    for says, decides, ends in [("accept", True, "emitindo"), ("accept", None, "aguardando_confirmacao"),
                                ("decline", None, "aguardando_confirmacao"), ("cancel", None, "aguardando_confirmacao")]:
        opened = []

        async def answer(context, params):
            must(params.mode == "url" and params.url.startswith(base), params)
            opened.append(params.url)
            if decides:
                person.decide(params.url, yes=True)
            return ElicitResult(action=says)

        async with client(key, mode, answer) as agent:
            one = await prepared(agent)
            came = await done(agent, "confirmar_nfe", token(one))
            must(len(opened) == 1 and came["situacao"] == ends, (says, opened, came))
            if ends == "emitindo":
                await authorised(agent, came)


async def by_the_error(key, mode, person):
    """2025-11-25: the error -32042 carries the address; the call is made again afterwards."""

    async def answer(context, params):
        return ElicitResult(action="accept")

    async with client(key, mode, answer) as agent:
        one = await prepared(agent)
        try:
            await agent.call_tool("confirmar_nfe", token(one))
            must(False, "issued by nobody")
        except MCPError as error:
            must(error.error.code == -32042, error)
            url = error.error.data["elicitations"][0]["url"]
        person.decide(url, yes=True)
        await authorised(agent, await done(agent, "confirmar_nfe", token(one)))


async def main():
    assisted = rest(demo["api_key_homologacao"], "POST", "/v1/auth/api-keys", {"nome": "agente", "permissao": "assistida"})["chave"]
    person = Person()
    for mode, revision in MODES.items():
        await reads(assisted, mode, revision)
        await by_the_address(assisted, mode, person)
    for key in (assisted, demo["api_key_homologacao"]):
        await by_the_clients_way(key, "2026-07-28", person)
        await by_the_error(key, "legacy", person)
    async with client(assisted, "auto") as agent:
        await refused(agent, "confirmar_nfe", {"token_confirmacao": "crb_conf_" + "0" * 64}, "nao_encontrado")
    print(f"{checks} checks")


asyncio.run(main())
