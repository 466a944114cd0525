// A person who writes no program runs documents in the panel: issues one from a recipe, sees it authorised and its PDF, provokes a rejection, reads it, corrects and
// issues again, cancels, finds a document by a part of the addressee's name, and downloads the month. At the width of a desk in light and of a phone in the dark, once by the keyboard
// alone, and once without scripts.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SCREENS, enter, judge, launch, must, report, tabTo, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const browser = await launch();

const login = async (page) => {
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();
};

/// Begins a document from the first recipe of NF-e, for an addressee of this name and a product of this one.
const begin = async (page, addressee, product) => {
  await page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: "Emitir" }).click();
  await page.locator("a[href^='/painel/emitir?receita=']").first().click();
  await page.locator("select[name=cpf_cnpj], input[name=cpf_cnpj]").first().waitFor();
  if (await page.locator("select[name=cpf_cnpj]").count()) await page.locator("select[name=cpf_cnpj]").selectOption(demo.cpf_cnpj);
  await page.locator("[name='nota.destinatario.xNome']").fill(addressee);
  await page.locator("[name='nota.produtos[0].xProd']").fill(product);
};
const issue = (page) => page.getByRole("button", { name: "Emitir em homologação", exact: true }).first().click();
/// Waits until the document's page shows a state: the page renews itself, or the link does it.
const state = async (page, word, scripts = true) => {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await page.locator(`#documento h1 .estado.${word}`).count()) return;
    await page.waitForTimeout(500);
    if (!scripts) await page.reload();
  }
  must(false, `${page.url()} never shows ${word}: ${await page.locator("#documento").innerText()} ${await page.locator(".historia").innerText()}`);
};

/// Orders the file of this month, waits for it, and opens the archive with another tool.
const exportMonth = async (page, look) => {
  await page.goto(`${demo.base_url}/painel/exportacoes`);
  if (await page.locator("select[name=empresa]").count()) await page.locator("select[name=empresa]").selectOption(demo.cpf_cnpj);
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: "America/Sao_Paulo" });
  await page.locator("select[name=mes]").selectOption(today.slice(0, 7));
  await page.getByRole("button", { name: "Preparar o arquivo" }).click();
  const link = page.getByRole("link", { name: /^Baixar / }).first();
  await link.waitFor({ timeout: 120_000 });
  await look("19-exportacoes");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const listed = execFileSync("python3", ["-m", "zipfile", "-l", await download.path()], { encoding: "utf8" }).split("\n").map((line) => line.split(" ")[0]);
  must(listed.some((entry) => entry.startsWith("nfe/autorizadas/") && entry.endsWith(".xml")), `no authorised XML in ${listed}`);
  must(listed.some((entry) => entry.endsWith(".csv")), `no sums in ${listed}`);
  // an account prepares one file at a time, and three a day
  await page.getByRole("button", { name: /^Apagar / }).first().click();
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  watch(page, demo.base_url);
  await login(page);
  await judged(page, `${name}-10-inicio`, width);

  await begin(page, "Marcenaria Jatobá do Vale", "Cadeira de jatobá");
  await judged(page, `${name}-11-emitir`, width);
  await page.getByRole("button", { name: "Verificar" }).first().click();
  await page.getByRole("status").first().waitFor();
  await judged(page, `${name}-12-verificado`, width);
  await issue(page);
  await state(page, "autorizada");
  await judged(page, `${name}-13-autorizada`, width);
  const authorised = page.url();
  const pdf = await page.evaluate(async (address) => {
    const answer = await fetch(address);
    return [answer.status, answer.headers.get("content-type"), (await answer.text()).slice(0, 5)];
  }, `${authorised}/pdf`);
  must(JSON.stringify(pdf) === JSON.stringify([200, "application/pdf", "%PDF-"]), `the PDF: ${JSON.stringify(pdf)}`);

  await begin(page, "Padaria Três Irmãos", "Pão francês [SIM:cStat=610]");
  await issue(page);
  await state(page, "rejeitada");
  must((await page.locator("#documento").innerText()).includes("610"), "the authority's code is not shown");
  await judged(page, `${name}-14-rejeitada`, width);
  await page.getByRole("link", { name: "Corrigir e emitir de novo" }).click();
  await judged(page, `${name}-15-corrigir`, width);
  await page.locator("[name='nota.produtos[0].xProd']").fill("Pão francês");
  await issue(page);
  await state(page, "autorizada");

  await page.getByRole("link", { name: "Abrir: Cancelar", exact: true }).click();
  await page.getByLabel("Justificativa").fill("curta");
  await page.getByRole("button", { name: "Cancelar o documento" }).click();
  await page.locator(".falha").first().waitFor();
  must(await page.getByLabel("Justificativa").inputValue() === "curta", "what was typed is lost");
  await judged(page, `${name}-16-cancelar`, width);
  await page.getByLabel("Justificativa").fill("O cliente desistiu da compra no balcão");
  await page.getByRole("button", { name: "Cancelar o documento" }).click();
  await state(page, "cancelada");
  await judged(page, `${name}-17-cancelada`, width);

  await page.getByRole("searchbox", { name: "Procurar documentos" }).fill("jatob");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href.includes("nome=") || url.href === authorised);
  const found = new URL(authorised).pathname;
  must(page.url() === authorised || await page.locator(`a[href='${found}']`).count() > 0, `not found by a part of its name: ${page.url()}`);
  await page.goto(`${demo.base_url}/painel/documentos`);
  await judged(page, `${name}-18-documentos`, width);
  await exportMonth(page, (picture) => judged(page, `${name}-${picture}`, width));
  await context.close();
}

// by the keyboard alone
{
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await login(page);
  await tabTo(page, ".secoes a[href='/painel/emitir']");
  await page.keyboard.press("Enter");
  await page.locator("a[href^='/painel/emitir?receita=']").first().waitFor();
  await tabTo(page, "a[href^='/painel/emitir?receita=']");
  await page.keyboard.press("Enter");
  await page.locator("button[name=acao][value=emitir]").first().waitFor();
  await tabTo(page, "button[name=acao][value=emitir]", 400);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/painel\/(documentos\/|emitir)/);
  await state(page, "autorizada");
  await context.close();
}

// without scripts
{
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await login(page);
  await begin(page, "Oficina Central", "Troca de óleo");
  await issue(page);
  await state(page, "autorizada", false);
  await context.close();
}
await browser.close();
report();
