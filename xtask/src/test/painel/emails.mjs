// A person has documents mailed: learns that a test needs an address, chooses one, sends a test message, sees the mail of a note that an API issued, sends it to a mailbox
// that does not exist, takes that one off the block list, and asks for an alert. At the width of a desk in light and of a phone in the dark, a test by the keyboard
// alone, and once without scripts.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json of a demonstration with a mail server that refuses `fechada@…`, the note to issue, the folder that gets the pictures. The packages stand in NODE_PATH.
// Prints how many checks there were.
import { readFileSync } from "node:fs";
import { SCREENS, enter, judge, launch, must, report, tabTo, watch } from "./browser.mjs";

const [record, file, folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const read = JSON.parse(readFileSync(file, "utf8"));
const note = read.nota ? read : { nota: read };
const judged = judge(folder);
const browser = await launch();

const call = async (method, path, body) => {
  const headers = { "x-api-key": demo.api_key_homologacao, "content-type": "application/json" };
  const answer = await fetch(`${demo.base_url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/// Issues a note; returns its job.
const issued = async () => {
  const accepted = await call("POST", "/v1/nfe/emitir", { ...note, cpf_cnpj: demo.cpf_cnpj, referencia_externa: crypto.randomUUID().replaceAll("-", "") });
  for (let tries = 0; tries < 240; tries += 1) {
    if ((await call("GET", accepted.consulta)).status === "completed") return accepted.job_id;
    await new Promise((later) => { setTimeout(later, 250); });
  }
  throw new Error("the note is never authorised");
};

const login = async (page) => {
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();
};
const open = (page, name) => page.getByRole("navigation", { name: "E-mails" }).getByRole("link", { name }).click();
const section = (page) => page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: "E-mails" }).click();

/// Waits until the page of a mail shows a state: the page renews itself, or the link does it.
const state = async (page, words, scripts = true) => {
  const mark = page.locator("#email h1 .estado").filter({ hasText: words });
  for (let tries = 0; tries < 120; tries += 1) {
    if (await mark.count()) return page.goto(page.url());
    await page.waitForTimeout(500);
    const again = page.getByRole("link", { name: "Atualizar" });
    if (!scripts && await again.count()) await again.click();
  }
  must(false, `${page.url()} never shows ${words}: ${await page.locator("#email").innerText()}`);
};

/// Chooses where the test's NF-e go, after having forgotten it.
const choose = async (page, address, look) => {
  const form = page.locator("form[aria-labelledby='titulo-nfe']");
  await form.getByLabel("Enviar quando for autorizado").check();
  await form.getByLabel("Endereço que recebe os testes").fill("");
  await form.getByRole("button", { name: "Guardar NF-e" }).click();
  await form.locator("#falha-nfe-sempre_para").waitFor();
  must(await form.getByLabel("Enviar quando for autorizado").isChecked(), "what was chosen is lost");
  await look("31-falta-endereco");
  await form.getByLabel("Endereço que recebe os testes").fill(address);
  await form.getByRole("button", { name: "Guardar NF-e" }).click();
  await page.waitForURL("**/painel/emails/empresa?empresa=*");
  must(await form.getByLabel("Endereço que recebe os testes").inputValue() === address, "the address is not kept");
};

const walk = async (page, name, look, scripts) => {
  const address = `${name}@exemplo.com.br`;
  await section(page);
  await look("30-emails");
  await open(page, "O que enviar");
  await page.locator("form[method=get] select[name=empresa]").selectOption(demo.cpf_cnpj);
  await page.getByRole("button", { name: "Mostrar" }).click();
  await choose(page, address, look);
  await page.locator("form[action$='/teste']").getByLabel("Para").fill(address);
  await page.getByRole("button", { name: "Enviar teste" }).click();
  await page.locator("#email").waitFor();
  await state(page, "Enviado", scripts);
  await look("32-teste");

  const job = await issued();
  await page.goto(`${demo.base_url}/painel/documentos/${job}`);
  await page.locator("#emails li a").first().click();
  await state(page, "Enviado", scripts);
  must((await page.locator("#email").innerText()).includes(address), "the addressee is not shown");
  await look("33-enviado");
  await page.goto(`${demo.base_url}/painel/documentos/${job}`);
  await page.locator("#emails input[name=para]").fill(`fechada@${name}.com.br`);
  await page.getByRole("button", { name: "Enviar por e-mail" }).click();
  await page.locator("#emails li a").first().click();
  await state(page, "Recusado", scripts);
  await look("34-recusado");

  await section(page);
  await look("35-registro");
  await open(page, "Endereços bloqueados");
  await page.getByText(`fechada@${name}.com.br`).waitFor();
  await look("36-bloqueados");
  await page.getByRole("button", { name: `Desbloquear fechada@${name}.com.br` }).click();
  await page.getByText("Nenhum endereço bloqueado").waitFor();
  await open(page, "Avisos para mim");
  await page.locator("input[name='certificado.expira_em']").check();
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.waitForLoadState("load");
  must(await page.locator("input[name='certificado.expira_em']").isChecked(), "the alert is not kept");
  await look("37-avisos");
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  watch(page, demo.base_url);
  await login(page);
  await walk(page, name, (picture) => judged(page, `${name}-${picture}`, width), true);
  await context.close();
}

// by the keyboard alone
{
  const page = await browser.newPage();
  page.setDefaultTimeout(90_000);
  watch(page, demo.base_url);
  await login(page);
  await page.goto(`${demo.base_url}/painel/emails/bloqueios`);
  await tabTo(page, "input[name=endereco]");
  await page.keyboard.type("teclado@exemplo.com.br");
  await page.keyboard.press("Enter");
  await page.getByText("teclado@exemplo.com.br").waitFor();
  await tabTo(page, "button[aria-label^=Desbloquear]");
  await page.keyboard.press("Enter");
  await page.getByText("Nenhum endereço bloqueado").waitFor();
  await page.close();
}

// without scripts
{
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await login(page);
  await walk(page, "simples", async () => {}, false);
  await context.close();
}
await browser.close();
report();
