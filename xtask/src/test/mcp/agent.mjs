// The MCP server by the official TypeScript client (npm `@modelcontextprotocol/sdk`), with its defaults: list, lookups, a refusal, and a note prepared and
// confirmed by each door that its revision (2025-11-25) has, with each end that may come of it, on two processes in turn. What stands around the agent
// (person, operator, second process, other account) is world.py, as for the other language.
//
// Arguments: demo.json, the note of the guide. The packages stand in NODE_PATH, the binary in CARIMBO. Prints how many checks there were.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.NODE_PATH}/`);
const load = (name) => import(pathToFileURL(require.resolve(name).replace("/dist/cjs/", "/dist/esm/")).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { UrlElicitationRequiredError, ErrorCode } = await load("@modelcontextprotocol/sdk/types.js");

const [record, guide] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const { nota } = JSON.parse(readFileSync(guide, "utf8"));
const around = [join(import.meta.dirname, "world.py"), record];
const world = (...words) => execFileSync("python3", [...around, ...words], { encoding: "utf8" }).trim();
let checks = 0;
const must = (right, what) => {
  checks += 1;
  if (!right) throw new Error(`not as it should be: ${JSON.stringify(what)}`);
};

const connect = async (key, elicitation, base = demo.base_url) => {
  const client = new Client({ name: "agente", version: "1" }, { capabilities: elicitation ? { elicitation } : {} });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers: { "X-API-Key": key } } }));
  return client;
};
const call = (client, name, args = {}) => client.callTool({ name, arguments: args });
const done = async (client, name, args) => {
  const result = await call(client, name, args);
  must(!result.isError, result);
  return result.structuredContent;
};
const refused = async (client, name, args, codigo) => {
  const result = await call(client, name, args);
  must(result.isError && result.content[0].text.startsWith(`${codigo}: `), { name, codigo, result });
  return result.content[0].text;
};
const authorised = async (client, confirmed) => {
  must(confirmed.situacao === "emitindo", confirmed);
  for (let tries = 0; tries < 600; tries += 1) {
    const { job } = await done(client, "consultar_nota", { job_id: confirmed.job_id });
    if (job.status === "completed") return must(job.nota.status === "autorizada", job);
    await new Promise((later) => setTimeout(later, 100));
  }
  return must(false, confirmed);
};
const prepare = (client) => done(client, "preparar_nfe", { cpf_cnpj: demo.cpf_cnpj, nota });
const token = ({ token_confirmacao }) => ({ token_confirmacao });
const LOOKUPS = {
  buscar_ncm_por_descricao: { descricao: "caderno" }, consultar_ncm: { codigo: "48202000" }, validar_ncm: { codigo: "48202000" },
  consultar_cep: { cep: "01001000" }, listar_empresas: {}, consultar_cotas: {}, listar_notas: { tipo: "nfe" },
  explicar_rejeicao: { codigo: "539" }, descrever_campos: { grupo: "produtos.icms" },
};

// what a client keeps in the context of its model all the time, as two public vocabularies count it
const MOST_TOKENS = 9000;
const counted = [];
const short = (tools) => {
  for (const vocabulary of ["o200k_base", "cl100k_base"]) {
    const { encode } = require(`gpt-tokenizer/cjs/encoding/${vocabulary}`);
    const tokens = encode(JSON.stringify({ tools })).length;
    must(tokens < MOST_TOKENS, `tools/list has ${tokens} tokens of ${vocabulary}`);
    counted.push(`${tokens} tokens of ${vocabulary}`);
  }
};

const reads = async (client) => {
  const { tools } = await client.listTools();
  short(tools);
  must(tools.length === 23 && tools.every((tool) => tool.title && tool.description && tool.inputSchema && tool.outputSchema), tools.map((tool) => tool.name));
  must((await client.listPrompts()).prompts.length === 2, "prompts");
  must((await client.listResources()).resources.length > 20, "resources");
  for (const [name, args] of Object.entries(LOOKUPS)) must(await done(client, name, args), name);
  await refused(client, "consultar_cep", { cep: "00000000" }, "nao_encontrado");
  const absent = await call(client, "cancelar_nfe").catch((error) => error);
  must(absent.code === ErrorCode.InvalidParams, absent);
};

/// Before the person's word: the address, in the way that this client is told it.
const asked = async (client, prepared, elicitation) => {
  const came = await call(client, "confirmar_nfe", token(prepared)).catch((error) => error);
  if (elicitation?.url) {
    must(came instanceof UrlElicitationRequiredError, came);
    return came.elicitations[0].url;
  }
  must(came.structuredContent?.situacao === "aguardando_confirmacao", came);
  return came.structuredContent.url_confirmacao;
};

/// Yes and replay on two processes in turn, no, another account, another payload, another ceiling, too late.
const byADoor = async (key, elicitation, second, stranger) => {
  const [here, there, other] = [await connect(key, elicitation), await connect(key, elicitation, second), await connect(stranger, elicitation)];
  const yes = await prepare(here);
  const url = await asked(here, yes, elicitation);
  must(url === yes.url_confirmacao && url.startsWith(demo.base_url), url);
  await refused(other, "confirmar_nfe", token(yes), "nao_encontrado");
  await refused(here, "confirmar_nfe", { ...token(yes), nota }, "requisicao_invalida");
  world("aprovar", url);
  await authorised(here, await done(there, "confirmar_nfe", token(yes)));
  await refused(here, "confirmar_nfe", token(yes), "confirmacao_usada");
  const no = await prepare(there);
  world("recusar", await asked(there, no, elicitation));
  must((await refused(here, "confirmar_nfe", token(no), "confirmacao_recusada")).includes("valor errado"), "the reason");
  const approved = async () => {
    const one = await prepare(here);
    world("aprovar", one.url_confirmacao);
    return one;
  };
  const changed = await approved();
  world("mudar", changed.id_confirmacao);
  await refused(there, "confirmar_nfe", token(changed), "estado_invalido");
  const above = await approved();
  world("teto", "1.00");
  await refused(there, "confirmar_nfe", token(above), "teto_excedido");
  world("teto", "-");
  const late = await approved();
  world("vencer", late.id_confirmacao);
  await refused(there, "confirmar_nfe", token(late), "confirmacao_expirada");
  for (const client of [here, there, other]) await client.close();
};

const made = await fetch(`${demo.base_url}/v1/auth/api-keys`, {
  method: "POST",
  headers: { "x-api-key": demo.api_key_homologacao, "content-type": "application/json" },
  body: JSON.stringify({ nome: "agente em node", permissao: "assistida" }),
});
const { chave } = await made.json();
const process2 = spawn("python3", [...around, "segundo"], { stdio: ["pipe", "pipe", "inherit"] });
const [second] = await once(createInterface(process2.stdout), "line");
try {
  for (const base of [demo.base_url, demo.mcp_url]) {
    const plain = await connect(chave, undefined, base);
    await reads(plain);
    await plain.close();
  }
  const stranger = world("outra-conta");
  // without a way to its person, by an address, and by a form, which this revision cannot ask for in the middle of a call
  for (const elicitation of [undefined, { url: {} }, { form: {} }]) {
    for (const key of [chave, demo.api_key_homologacao]) await byADoor(key, elicitation, second, stranger);
  }
} finally {
  process2.stdin.end();
}
console.log(`${checks} checks; tools/list: ${[...new Set(counted)].join(", ")}`);
