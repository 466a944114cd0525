"""The MCP server by the official Python client (PyPI `mcp`), as an agent's builder uses it, at each revision that it can be asked to speak.

Every lookup; then a note prepared and confirmed by each door, with each end that may come of it, on two processes in turn. The person is one who logs
in at the panel; nothing else approves.
Arguments: demo.json, the note of the guide. Prints how many checks there were.
"""

import asyncio
import json
import sys
import time
import urllib.request

import httpx2
import mcp.client.session
from mcp import Client
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, UrlElicitationCapability

from world import REASON, World

world = World(sys.argv[1])
demo = world.demo
note = json.load(open(sys.argv[2], encoding="utf-8"))["nota"]
base = demo["base_url"]
# what the client is asked for, and what it then speaks: a version pin, its default, the handshake of before
MODES = {"2026-07-28": "2026-07-28", "auto": "2026-07-28", "legacy": "2025-11-25"}
BEFORE = "2025-06-18"
LOOKUPS = {
    "buscar_ncm_por_descricao": {"descricao": "caderno"},
    "consultar_ncm": {"codigo": "48202000"},
    "validar_ncm": {"codigo": "48202000"},
    "consultar_cep": {"cep": "01001000"},
    "buscar_cep": {"logradouro": "Praça da Sé", "cidade": "São Paulo", "uf": "SP"},
    "consultar_cnpj": {"cnpj": demo["cpf_cnpj"]},
}
READS = {
    "listar_empresas": {}, "consultar_cotas": {}, "listar_notas": {"tipo": "nfe"},
    "explicar_rejeicao": {"codigo": "539"}, "descrever_campos": {"grupo": "produtos.icms"},
    "verificar_campos_nfe": {"cpf_cnpj": demo["cpf_cnpj"], "nota": note},
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


def connection(key, url):
    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers={"x-api-key": key}, timeout=60))


def client(key, mode, answer=None, url=base):
    return Client(connection(key, f"{url}/mcp"), mode=mode, elicitation_callback=answer)


async def done(agent, tool, arguments):
    result = await agent.call_tool(tool, arguments)
    must(not result.is_error, f"{tool} {arguments}: {result.content}")
    return result.structured_content


async def refused(agent, tool, arguments, codigo):
    result = await agent.call_tool(tool, arguments)
    must(result.is_error and result.content[0].text.startswith(f"{codigo}: "), f"{tool} {arguments}: {result}")
    return result.content[0].text


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


async def reads(key, mode, revision, url):
    async with client(key, mode, url=url) as agent:
        must(agent.protocol_version == revision, agent.protocol_version)
        tools = {tool.name for tool in (await agent.list_tools()).tools}
        must(len(tools) == 23 and LOOKUPS.keys() | READS.keys() < tools, tools)
        must(len((await agent.list_resources()).resources) > 20, "resources")
        must(len((await agent.list_prompts()).prompts) == 2, "prompts")
        for tool, arguments in (LOOKUPS | READS).items():
            must(await done(agent, tool, arguments), tool)
        await refused(agent, "consultar_cep", {"cep": "00000000"}, "nao_encontrado")
        await refused(agent, "confirmar_nfe", {"token_confirmacao": "crb_conf_" + "0" * 64}, "nao_encontrado")
        try:
            await agent.call_tool("cancelar_nfe", {})
            must(False, "a tool that is not there")
        except MCPError as error:
            must(error.error.code == -32602, error)


class Door:
    """How the client lets its person be asked, and what the person says there."""

    def __init__(self, name, mode, key):
        self.name, self.mode, self.key, self.says, self.asked = name, mode, key, "accept", 0

    def agent(self, url=base, key=None):
        return client(key or self.key, self.mode, None if self.name == "plain" else self.answer, url)

    async def answer(self, context, params):
        self.asked += 1
        must(params.mode == ("form" if self.name == "form" else "url"), params)
        if self.name == "form" and self.says == "accept":
            return ElicitResult(action="accept", content={"confirmo": True})
        return ElicitResult(action=self.says)

    async def confirm(self, agent, one):
        """What a call gives that is not refused; -32042 is the address, as the others are told it."""
        try:
            return await done(agent, "confirmar_nfe", token(one))
        except MCPError as error:
            must(error.error.code == -32042 and self.name == "url" and self.mode == "legacy", error)
            url = error.error.data["elicitations"][0]["url"]
            self.asked += 1
            return {"situacao": "aguardando_confirmacao", "url_confirmacao": url}

    def decided(self, person, one, yes):
        """The person's word: on the page, or, where a form counts, in the form that comes with the call."""
        if not (self.name == "form" and yes):
            person.decide(one["url_confirmacao"], yes)


async def asked_first(door, agent, one):
    """Before anybody decided nothing goes out; whoever has a way to its person is asked by it."""
    before, door.says = door.asked, "decline"
    for door.says in ("decline", "cancel"):
        waits = await door.confirm(agent, one)
        must(waits["situacao"] == "aguardando_confirmacao", (door.name, waits))
        must(waits["url_confirmacao"] == one["url_confirmacao"], (waits, one))
    if door.name == "url":
        # that the address was opened says nothing of what the person did there
        door.says = "accept"
        must((await door.confirm(agent, one))["situacao"] == "aguardando_confirmacao", door.name)
    door.says = "accept"
    must((door.asked > before) == (door.name != "plain"), (door.name, door.asked))


async def by_a_door(door, person, second, stranger):
    """Yes and replay on two processes in turn, no, another account, another payload, another ceiling, too late."""
    async with door.agent() as agent, door.agent(second) as elsewhere, door.agent(key=stranger) as other:
        yes = await prepared(agent)
        await asked_first(door, agent, yes)
        await refused(other, "confirmar_nfe", token(yes), "nao_encontrado")
        await refused(other, "consultar_confirmacao", {"id_confirmacao": yes["id_confirmacao"]}, "nao_encontrado")
        await refused(agent, "confirmar_nfe", token(yes) | {"nota": note}, "requisicao_invalida")
        door.decided(person, yes, True)
        await authorised(agent, await door.confirm(elsewhere, yes))
        await refused(agent, "confirmar_nfe", token(yes), "confirmacao_usada")
        no = await prepared(elsewhere)
        door.decided(person, no, False)
        told = await refused(agent, "confirmar_nfe", token(no), "confirmacao_recusada")
        must(REASON in told, told)
        changed = await prepared(agent)
        door.decided(person, changed, True)
        world.change(changed["id_confirmacao"])
        await refused(elsewhere, "confirmar_nfe", token(changed), "estado_invalido")
        above = await prepared(agent)
        door.decided(person, above, True)
        world.ceiling("1.00")
        await refused(elsewhere, "confirmar_nfe", token(above), "teto_excedido")
        world.ceiling("-")
        late = await prepared(agent)
        door.decided(person, late, True)
        world.expire(late["id_confirmacao"])
        await refused(elsewhere, "confirmar_nfe", token(late), "confirmacao_expirada")


def forms_only(session, version, whole=ClientSession._build_capabilities):
    """The client declares both ways whenever it has any; one that has forms only says so."""
    declared = whole(session, version)
    if declared.elicitation:
        declared.elicitation.url = None
    return declared


async def main():
    complete = demo["api_key_homologacao"]
    assisted = rest(complete, "POST", "/v1/auth/api-keys", {"nome": "agente", "permissao": "assistida"})["chave"]
    person, stranger = world.person(), world.stranger()
    second, process = world.second()
    try:
        for mode, revision in MODES.items():
            await reads(assisted, mode, revision, base)
            # the listener of agents alone
            await reads(assisted, mode, revision, demo["mcp_url"])
            for name in ("plain", "url"):
                for key in (assisted, complete):
                    await by_a_door(Door(name, mode, key), person, second, stranger)
        ClientSession._build_capabilities = forms_only
        await by_a_door(Door("form", "2026-07-28", complete), person, second, stranger)
        async with client(assisted, "2026-07-28", Door("form", "2026-07-28", assisted).answer) as agent:
            # where a form does not count the client is not even asked by one
            must((await done(agent, "confirmar_nfe", token(await prepared(agent))))["situacao"] == "aguardando_confirmacao", "form")
        # the client as it was before 2025-11-25: that revision is what its handshake offers
        mcp.client.session.LATEST_HANDSHAKE_VERSION = BEFORE
        await reads(assisted, "legacy", BEFORE, base)
        await by_a_door(Door("plain", "legacy", assisted), person, second, stranger)
    finally:
        process.terminate()
    print(f"{checks} checks")


asyncio.run(main())
