// The MCP server by the official TypeScript client (npm `@modelcontextprotocol/sdk`), with its defaults: list, a lookup, a refusal, and a note that goes
// out after a person's yes, by the error -32042 of 2025-11-25 and by the plain address.
//
// Arguments: demo.json, the note of the guide. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.NODE_PATH}/`);
const load = (name) => import(pathToFileURL(require.resolve(name).replace("/dist/cjs/", "/dist/esm/")).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { UrlElicitationRequiredError, ErrorCode } = await load("@modelcontextprotocol/sdk/types.js");

const [record, guide] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const { nota } = JSON.parse(readFileSync(guide, "utf8"));
let checks = 0;
const must = (right, what) => {
  checks += 1;
  if (!right) throw new Error(`not as it should be: ${JSON.stringify(what)}`);
};

/// A browser, as far as forms go.
class Person {
  cookies = new Map();

  async open(path, form) {
    const headers = { origin: demo.base_url, cookie: [...this.cookies].map((pair) => pair.join("=")).join("; ") };
    const sent = form ? { method: "POST", body: new URLSearchParams(form) } : {};
    const answer = await fetch(demo.base_url + path, { ...sent, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [name, value] = set.split(";")[0].split("=");
      this.cookies.set(name, value);
    }
    return answer.text();
  }

  async send(page, path, fields) {
    const prova = page.match(/name="prova" value="([^"]+)"/)[1];
    return this.open(path, { ...fields, prova });
  }

  async enter() {
    await this.send(await this.open("/painel/entrar"), "/painel/entrar", { email: demo.email, senha: demo.senha, ambiente: "homologacao" });
  }

  async approve(url) {
    const { pathname } = new URL(url);
    await this.send(await this.open(pathname), pathname, { decisao: "aprovar" });
  }
}

const connect = async (key, elicitation, base = `${demo.base_url}/mcp`) => {
  const client = new Client({ name: "agente", version: "1" }, { capabilities: elicitation ? { elicitation } : {} });
  await client.connect(new StreamableHTTPClientTransport(new URL(base), { requestInit: { headers: { "X-API-Key": key } } }));
  return client;
};
const call = (client, name, args = {}) => client.callTool({ name, arguments: args });
const done = async (client, name, args) => {
  const result = await call(client, name, args);
  must(!result.isError, result);
  return result.structuredContent;
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

const made = await fetch(`${demo.base_url}/v1/auth/api-keys`, {
  method: "POST",
  headers: { "x-api-key": demo.api_key_homologacao, "content-type": "application/json" },
  body: JSON.stringify({ nome: "agente em node", permissao: "assistida" }),
});
const { chave } = await made.json();
const person = new Person();
await person.enter();

const plain = await connect(chave);
const { tools } = await plain.listTools();
must(tools.length === 18 && tools.every((tool) => tool.title && tool.description && tool.inputSchema && tool.outputSchema), tools.map((tool) => tool.name));
must((await done(plain, "validar_ncm", { codigo: "48202000" })) !== undefined, "validar_ncm");
const away = await call(plain, "consultar_cep", { cep: "00000000" });
must(away.isError && away.content[0].text.startsWith("nao_encontrado"), away);
const absent = await call(plain, "cancelar_nfe").catch((error) => error);
must(absent.code === ErrorCode.InvalidParams, absent);
must((await plain.listPrompts()).prompts.length === 2, "prompts");

const prepare = (client) => done(client, "preparar_nfe", { cpf_cnpj: demo.cpf_cnpj, nota });
const one = await prepare(plain);
const waits = await done(plain, "confirmar_nfe", { token_confirmacao: one.token_confirmacao });
must(waits.situacao === "aguardando_confirmacao", waits);
await person.approve(waits.url_confirmacao);
const elsewhere = await connect(chave, undefined, `${demo.mcp_url}/mcp`);
await authorised(elsewhere, await done(elsewhere, "confirmar_nfe", { token_confirmacao: one.token_confirmacao }));

const opens = await connect(chave, { url: {} });
const other = await prepare(opens);
const asked = await call(opens, "confirmar_nfe", { token_confirmacao: other.token_confirmacao }).catch((error) => error);
must(asked instanceof UrlElicitationRequiredError && asked.elicitations[0].url.startsWith(demo.base_url), asked);
await person.approve(asked.elicitations[0].url);
await authorised(opens, await done(opens, "confirmar_nfe", { token_confirmacao: other.token_confirmacao }));

for (const client of [plain, elsewhere, opens]) await client.close();
console.log(`${checks} checks`);
