// A note issued from /swagger by a person's means: fields filled, a button pressed, the answer read. Run by hand, with pictures:
//
//   npm install --prefix /tmp/console playwright-core
//   NODE_PATH=/tmp/console/node_modules node xtask/src/test/interface/console.mjs carimbo-demo/demo.json /tmp/console
//
// The first argument is the demo.json of a running `carimbo demo`, the second a folder for the pictures.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [record, folder] = process.argv.slice(2);
const { chromium } = createRequire(`${process.env.NODE_PATH}/`)("playwright-core");
const demo = JSON.parse(readFileSync(record, "utf8"));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
const refuse = (what) => { console.error(what); process.exitCode = 1; };

// every page at the width of a phone and of a desk, in both colours: nothing wider than the screen, nothing the policy refuses
const pages = ["/docs", "/docs/guia/primeira-nota", "/docs/guia/webhooks", "/docs/guia/api", "/docs/rotas/emitirNfe", "/docs/nada", "/docs/guia/campos-nfe", "/docs/erros", "/swagger"];
for (const [name, width, height, colorScheme] of [["celular", 390, 844, "light"], ["mesa", 1280, 900, "dark"]]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  for (const path of pages) {
    const page = await context.newPage();
    page.on("pageerror", (error) => refuse(`${path}: ${error.message}`));
    page.on("console", (line) => { if (line.type() === "error") refuse(`${path}: ${line.text()}`); });
    page.on("request", (request) => { if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(demo.base_url)) refuse(`${path} asks ${request.url()}`); });
    await page.goto(demo.base_url + path, { waitUntil: "networkidle" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) refuse(`${path} is ${wide} wide on a screen of ${width}`);
    await page.screenshot({ path: `${folder}/${name}${path.replaceAll("/", "-")}.png` });
    await page.close();
  }
  await context.close();
}

const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
await page.goto(`${demo.base_url}/swagger#emitirNfe`);
await page.fill("#chave", demo.api_key_homologacao);
const body = JSON.parse(await page.inputValue("#json"));
body.cpf_cnpj = demo.cpf_cnpj;
body.referencia_externa = `CONSOLE${Date.now()}`;
await page.fill("#json", JSON.stringify(body, null, 2));
await page.click("#executar");
await page.waitForSelector("#situacao.boa:has-text('202')", { timeout: 60_000 });
// the console remembers the job: asking for it needs no copying
await page.selectOption("#operacao", "consultarNfe");
await page.waitForSelector("#parametros input[data-nome=id]");
for (let attempt = 0; ; attempt += 1) {
  await page.click("#executar");
  await page.waitForSelector("#situacao.boa:has-text('200')", { timeout: 60_000 });
  const answer = JSON.parse(await page.textContent("#texto"));
  if (answer.nota?.status === "autorizada") { console.log(`issued from the console: ${answer.nota.chave}`); break; }
  if (attempt > 200) { refuse(`not authorised: ${JSON.stringify(answer)}`); break; }
  await page.waitForTimeout(100);
}
if (!(await page.textContent("#texto")).includes('"valor_total": 100.00')) refuse("the total lost its decimals");
if ((await page.textContent("#curl")).includes(demo.api_key_homologacao)) refuse("the curl line shows the key");
await page.screenshot({ path: `${folder}/console-autorizada.png`, fullPage: true });
await browser.close();
