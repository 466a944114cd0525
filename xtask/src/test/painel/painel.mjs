// An agent prepares over MCP, a person logs in at the panel at the width of a desk and of a phone, looks, refuses one and approves one, and the agent goes on
// over MCP. The agent is the official client of npm.
// Judged beside: axe-core without serious findings on every page, no page wider than its screen, nothing asked of another host, no script but the panel's own.
//
// Arguments: demo.json, the note of the guide, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { SCREENS, enter, judge, launch, must, report, require, tabTo, watch } from "./browser.mjs";

const [record, note, folder] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(require.resolve(name).replace("/dist/cjs/", "/dist/esm/")).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);

const call = async (key, method, path, body) => {
  const answer = await fetch(demo.base_url + path, { method, headers: { "x-api-key": key, "content-type": "application/json" }, body: body && JSON.stringify(body) });
  return { ...(await answer.json()), http: answer.status };
};
const made = await call(demo.api_key_homologacao, "POST", "/v1/auth/api-keys", { nome: "agente", permissao: "assistida" });
must(made.http === 201, `the key: ${JSON.stringify(made)}`);
const agent = new Client({ name: "agente", version: "1" });
await agent.connect(new StreamableHTTPClientTransport(new URL(`${demo.base_url}/mcp`), { requestInit: { headers: { "X-API-Key": made.chave } } }));
const ask = (name, args) => agent.callTool({ name, arguments: args });
const { nota } = JSON.parse(readFileSync(note, "utf8"));
const prepare = async () => {
  const prepared = await ask("preparar_nfe", { cpf_cnpj: demo.cpf_cnpj, nota });
  must(!prepared.isError, `preparar_nfe: ${JSON.stringify(prepared)}`);
  return prepared.structuredContent;
};
const standing = async ({ id_confirmacao }) => (await ask("consultar_confirmacao", { id_confirmacao })).structuredContent;
const confirm = ({ token_confirmacao }) => ask("confirmar_nfe", { token_confirmacao });
const refusedToActAlone = await call(made.chave, "POST", "/v1/nfe/emitir", {});
must(refusedToActAlone.codigo === "permissao_insuficiente", `emitir: ${JSON.stringify(refusedToActAlone)}`);

const browser = await launch();

for (const [name, width, height, colorScheme] of SCREENS) {
  const [no, yes] = [await prepare(), await prepare()];
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled: true });
  const page = await context.newPage();
  watch(page, demo.base_url);
  const waits = await confirm(no);
  must(waits.structuredContent?.situacao === "aguardando_confirmacao", `confirmed by nobody: ${JSON.stringify(waits)}`);
  await page.goto(waits.structuredContent.url_confirmacao);
  must(page.url().includes("/painel/entrar?confirmar="), `no door: ${page.url()}`);
  await judged(page, `${name}-1-entrar`, width);
  // the band goes with the choice, without a program
  for (const [ambiente, word] of [["producao", "PRODUÇÃO"], ["homologacao", "Homologação"]]) {
    await page.locator(`input[name=ambiente][value=${ambiente}]`).check();
    must((await page.locator(".faixa").innerText()).startsWith(word), `the band at the door with ${ambiente}`);
  }
  await enter(page, demo, "homologacao");
  must(page.url() === no.url_confirmacao, `not led back: ${page.url()}`);
  await page.goto(`${demo.base_url}/painel/confirmacoes`);
  await judged(page, `${name}-2-lista`, width);
  await page.locator(`a[href="/painel/confirmar/${no.id_confirmacao}"]`).click();
  await judged(page, `${name}-3-nota`, width);
  await page.getByLabel("Motivo da recusa").fill("O cliente cancelou o pedido.");
  await page.getByRole("button", { name: "Recusar" }).click();
  await page.waitForSelector(".estado.recusada");
  await judged(page, `${name}-4-recusada`, width);
  await page.goto(`${demo.base_url}/painel/confirmar/${yes.id_confirmacao}`);
  await tabTo(page, "button.sim");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".estado.aprovada");
  await judged(page, `${name}-5-aprovada`, width);
  must((await standing(no)).motivo === "O cliente cancelou o pedido.", "the reason is not told");
  const refused = await confirm(no);
  must(refused.isError && refused.content[0].text.includes("O cliente cancelou o pedido."), `refused: ${JSON.stringify(refused)}`);
  must((await standing(yes)).situacao === "aprovada", "the approval is not told");
  const { structuredContent: accepted } = await confirm(yes);
  must(accepted?.situacao === "emitindo", `approved: ${JSON.stringify(accepted)}`);
  let job = accepted;
  for (let tries = 0; tries < 300 && !["completed", "failed"].includes(job.status); tries += 1) {
    await new Promise((done) => setTimeout(done, 100));
    ({ job } = (await ask("consultar_nota", { job_id: accepted.job_id })).structuredContent);
  }
  must(job.nota?.status === "autorizada", `the job: ${JSON.stringify(job)}`);
  await page.goto(`${demo.base_url}/painel/confirmar/${yes.id_confirmacao}`);
  await page.waitForSelector(".estado.usada");
  await page.getByRole("button", { name: "Ir para PRODUÇÃO" }).click();
  await page.waitForSelector("body.producao");
  await judged(page, `${name}-6-producao`, width);
  await page.getByRole("button", { name: "Sair" }).click();
  must(page.url().endsWith("/painel/entrar"), `not out: ${page.url()}`);
  await page.goto(`${demo.base_url}/painel`);
  must(page.url().endsWith("/painel/entrar"), `still in: ${page.url()}`);
  await context.close();
}
// the same without programs at all
const plain = await browser.newContext({ javaScriptEnabled: false });
const page = await plain.newPage();
const last = await prepare();
await page.goto(`${demo.base_url}/painel/confirmar/${last.id_confirmacao}`);
await enter(page, demo, "homologacao");
await page.getByRole("button", { name: /^Aprovar/ }).click();
await page.getByText("aprovada, ainda não emitida").waitFor();
must((await confirm(last)).structuredContent?.situacao === "emitindo", "approved without programs");
await plain.close();

// by an address that the client is asked to open (elicitation by URL), at both doors: an emission, and its cancellation
const { UrlElicitationRequiredError } = await load("@modelcontextprotocol/sdk/types.js");
for (const [name, door] of [["api", demo.base_url], ["agentes", demo.mcp_url]]) {
  const opener = new Client({ name: "agente", version: "1" }, { capabilities: { elicitation: { url: {} } } });
  await opener.connect(new StreamableHTTPClientTransport(new URL(`${door}/mcp`), { requestInit: { headers: { "X-API-Key": made.chave } } }));
  const call = (tool, args) => opener.callTool({ name: tool, arguments: args });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const through = async (tool, args, confirming, picture) => {
    const prepared = await call(tool, args);
    must(!prepared.isError, `${tool}: ${JSON.stringify(prepared)}`);
    const { token_confirmacao, url_confirmacao } = prepared.structuredContent;
    const asked = await call(confirming, { token_confirmacao }).catch((error) => error);
    must(asked instanceof UrlElicitationRequiredError, `${name} ${confirming} does not ask: ${JSON.stringify(asked)}`);
    const [{ url }] = asked.elicitations;
    must(url === url_confirmacao, `${name}: ${url} is not ${url_confirmacao}`);
    await page.goto(url);
    if (page.url().includes("/painel/entrar")) await enter(page, demo, "homologacao");
    await judged(page, `${name}-${picture}`, 1280);
    await page.getByRole("button", { name: /^Aprovar/ }).click();
    await page.waitForSelector(".estado.aprovada");
    const { structuredContent: accepted } = await call(confirming, { token_confirmacao });
    let job = accepted;
    for (let tries = 0; tries < 300 && !["completed", "failed"].includes(job.status); tries += 1) {
      await new Promise((done) => setTimeout(done, 100));
      ({ job } = (await call("consultar_nota", { job_id: accepted.job_id })).structuredContent);
    }
    return job;
  };
  const issued = await through("preparar_nfe", { cpf_cnpj: demo.cpf_cnpj, nota }, "confirmar_nfe", "7-emissao");
  must(issued.nota?.status === "autorizada", `${name}: ${JSON.stringify(issued)}`);
  const cancel = { documento: "nfe", cpf_cnpj: demo.cpf_cnpj, job_id: issued.job_id, justificativa: "Pedido repetido por engano do cliente" };
  const cancelled = await through("preparar_cancelamento", cancel, "confirmar", "8-cancelamento");
  must(cancelled.nota?.status === "cancelada", `${name}: ${JSON.stringify(cancelled)}`);
  await opener.close();
  await context.close();
}
await agent.close();
await browser.close();
report();
