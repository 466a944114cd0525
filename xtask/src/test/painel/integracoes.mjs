// A person gives the account an address, tries it, sees a delivery that was lost, sends it again, and rotates the secret; creates an API key, replaces it and revokes it.
// At the width of a desk in light and of a phone in the dark, and once without scripts. The receiver is a server of this program.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { SCREENS, enter, judge, launch, must, report, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const browser = await launch();

/// What the receiver got, and what it answers.
const heard = [];
let status = 200;
const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => { body += part; });
  request.on("end", () => { heard.push(JSON.parse(body)); response.writeHead(status, { "content-type": "text/plain" }).end(status === 200 ? "recebido" : "em manutenção"); });
});
await new Promise((ready) => { receiver.listen(0, "127.0.0.1", ready); });
const address = `http://127.0.0.1:${receiver.address().port}/carimbo`;

const login = async (page) => {
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();
};

const open = (page, section) => page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: section }).click();

/// Waits until the newest delivery is in a state.
const newest = async (page, state, scripts) => {
  for (let tries = 0; tries < 120; tries += 1) {
    if ((await page.locator("#entregas article .estado").first().innerText().catch(() => "")) === state) return;
    await page.waitForTimeout(500);
    if (!scripts) await page.reload();
  }
  must(false, `the newest delivery never is ${state}: ${await page.locator("#entregas").innerText()}`);
};

/// From an empty account to a delivery that arrives at last.
const integrate = async (page, look, scripts) => {
  await open(page, "Integrações");
  await page.getByRole("textbox", { name: "Endereço" }).fill("http://10.1.2.3/carimbo");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.locator("#falha-url").waitFor();
  await look("30-endereco-recusado");
  await page.getByRole("textbox", { name: "Endereço" }).fill(address);
  for (const kind of ["nfe", "certificado", "recebida"]) await page.locator(`input[name=tipo][value=${kind}]`).check();
  await page.locator("select[name=tentativas]").selectOption("8");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("button", { name: "Enviar um aviso de teste" }).waitFor();
  must(await page.getByRole("textbox", { name: "Endereço" }).inputValue() === address, "the address is not kept");
  status = 500;
  await page.getByRole("button", { name: "Enviar um aviso de teste" }).click();
  await newest(page, "perdida", scripts);
  must((await page.locator("#entregas article").first().innerText()).includes("HTTP 500"), "the answer is not shown");
  await look("31-perdida");
  status = 200;
  const before = heard.length;
  await page.locator("#entregas article").first().getByRole("button", { name: /^Reenviar/ }).click();
  await newest(page, "entregue", scripts);
  must(heard.length === before + 1 && heard.at(-1).id === heard.at(-2).id && heard.at(-1).evento === "webhook.teste", `the receiver heard ${JSON.stringify(heard.slice(-2))}`);
  await page.locator("#entregas article details").first().locator("summary").first().click();
  await look("32-integracoes");
  await page.goto(`${demo.base_url}/painel/integracoes?situacao=entregue&aviso=webhook.teste`);
  must(await page.locator("#entregas article").count() > 0, "the filter finds nothing");
  await page.getByRole("link", { name: "ver ou trocar o segredo" }).click();
  const secret = await page.locator("dd code").first().innerText();
  must(secret.startsWith("whsec_"), `the secret: ${secret}`);
  await page.locator("select[name=carencia]").selectOption("72");
  await page.getByRole("button", { name: "Trocar o segredo" }).click();
  await page.getByText("assina até").first().waitFor();
  must(await page.locator("dd code").first().innerText() !== secret, "the secret is the old one");
  await look("33-segredo");
};

const call = (key) => fetch(`${demo.base_url}/v1/empresas`, { headers: { "x-api-key": key } });

/// A key from its creation to its end.
const keys = async (page, name, look) => {
  await open(page, "Chaves de API");
  await look("34-chaves");
  await page.getByLabel("Nome").fill(name);
  await page.locator("input[name=permissao][value=leitura]").check();
  await page.getByRole("button", { name: "Criar a chave" }).click();
  const first = await page.locator("#chave").innerText();
  must((await call(first)).ok, "the new key is refused");
  await look("35-chave-nova");
  await page.getByRole("link", { name: "Já a guardei" }).click();
  must(!(await page.content()).includes(first), "the key is shown again");
  await page.getByRole("link", { name }).first().click();
  await look("36-chave");
  await page.getByRole("button", { name: "Trocar a chave" }).click();
  const second = await page.locator("#chave").innerText();
  must(first !== second && (await call(first)).ok && (await call(second)).ok, "both keys are valid for a while");
  await page.getByRole("link", { name: "Já a guardei" }).click();
  await page.getByText("trocada").first().waitFor();
  await look("37-chave-trocada");
  await page.getByRole("link", { name }).first().click();
  await page.getByRole("button", { name: "Revogar a chave" }).click();
  await page.getByText(/^Revogadas/).waitFor();
  must((await call(second)).status === 401 && (await call(first)).ok, "the revoked key is still valid");
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  watch(page, demo.base_url);
  const look = (picture) => judged(page, `${name}-${picture}`, width);
  await login(page);
  await integrate(page, look, true);
  await keys(page, `ERP da matriz (${name})`, look);
  await context.close();
}

// without scripts
{
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await login(page);
  await integrate(page, async () => {}, false);
  await keys(page, "Loja virtual", async () => {});
  await context.close();
}
await browser.close();
receiver.close();
report();
