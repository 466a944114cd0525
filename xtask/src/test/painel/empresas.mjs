// A person who writes no program makes a company ready in the panel: registers it by its CNPJ, uploads the certificate after a wrong password, configures NF-e, gives it
// a logo and sees it on a form, issues a test document, and reads on the list what production still needs. At the width of a desk in light and of a phone in the dark.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { SCREENS, enter, judge, launch, must, report, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const browser = await launch();
/// Branches of the demonstration's company, which its certificate serves; the register of the demonstration knows them.
const BRANCHES = { mesa: "11222333000262", celular: "11222333000343" };
const LOGO = new URL("../../../../crates/carimbo/tests/it/suites/empresas/logo.png", import.meta.url).pathname;

const upload = async (page, senha) => {
  await page.getByLabel("Arquivo do certificado").setInputFiles(demo.certificado_pfx);
  await page.getByLabel("Senha do certificado").fill(senha);
  await page.getByRole("button", { name: "Ver o certificado" }).click();
};
const state = async (page, word) => {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await page.locator(`#documento h1 .estado.${word}`).count()) return;
    await page.waitForTimeout(500);
  }
  must(false, `${page.url()} never shows ${word}: ${await page.locator("main").innerText()}`);
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const number = BRANCHES[name];
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  watch(page, demo.base_url);
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: "Empresas" }).click();
  await page.getByRole("heading", { name: "Empresas" }).waitFor();
  await judged(page, `${name}-30-empresas`, width);

  await page.getByRole("link", { name: "Cadastrar uma empresa" }).click();
  await page.getByLabel("CNPJ ou CPF").fill("11222333000199");
  await page.getByRole("button", { name: "Consultar e preencher" }).click();
  await page.locator(".falha").waitFor();
  await judged(page, `${name}-31-cnpj-errado`, width);
  await page.getByLabel("CNPJ ou CPF").fill(number);
  await page.getByRole("button", { name: "Consultar e preencher" }).click();
  await page.getByLabel("Razão social").waitFor();
  must(await page.getByLabel("Razão social").inputValue() === "PAPELARIA EXEMPLO LTDA", "the lookup fills no name");
  must((await page.getByLabel("Código do município").inputValue()) === "3550308", "the lookup fills no município");
  await judged(page, `${name}-32-cadastro`, width);
  await page.getByLabel("Inscrição estadual").fill("110.042.490.114");
  await page.getByLabel("Regime tributário").selectOption("1");
  await page.getByRole("button", { name: "Cadastrar a empresa" }).click();
  await page.getByRole("link", { name: "enviar o certificado digital" }).waitFor();
  await judged(page, `${name}-33-empresa`, width);

  await page.getByRole("link", { name: "enviar o certificado digital" }).click();
  await upload(page, "senha-errada");
  await page.locator("[id=falha-senha]").waitFor();
  await judged(page, `${name}-34-senha-errada`, width);
  await upload(page, demo.certificado_senha);
  await page.getByRole("button", { name: "Guardar o certificado" }).waitFor();
  must(!(await page.content()).includes(demo.certificado_senha), "the password is on the page");
  await judged(page, `${name}-35-certificado`, width);
  await page.getByRole("button", { name: "Não guardar" }).click();
  await page.locator("#em-uso ~ .vazio").waitFor();
  await upload(page, demo.certificado_senha);
  await page.getByRole("button", { name: "Guardar o certificado" }).click();
  await page.locator("#em-uso ~ p .estado.autorizada").waitFor();

  await page.getByRole("link", { name: "Resumo" }).click();
  await page.getByRole("link", { name: "Configurar NF-e" }).click();
  await page.locator("input[name=serie]").fill("1000");
  await page.getByRole("button", { name: "Guardar a configuração" }).click();
  await page.locator("[id=falha-serie]").waitFor();
  must(await page.locator("input[name=serie]").inputValue() === "1000", "what was typed is lost");
  await judged(page, `${name}-36-configurar`, width);
  await page.locator("input[name=serie]").fill("1");
  await page.getByRole("button", { name: "Guardar a configuração" }).click();
  await page.getByRole("link", { name: "Emitir uma nota de teste: NF-e" }).waitFor();
  await page.getByRole("link", { name: "Configurar NFC-e" }).click();
  await judged(page, `${name}-37-nfce`, width);
  await page.locator("input[name=csc_id]").fill("000001");
  await page.locator("input[name=csc]").fill("CSC-DE-TESTES-0123456789");
  await page.getByRole("button", { name: "Guardar a configuração" }).click();
  await page.getByRole("link", { name: "Emitir uma nota de teste: NFC-e" }).waitFor();
  for (const [at, tipo] of [["41", "cte"], ["42", "nfse"]]) {
    await page.goto(`${demo.base_url}/painel/empresas/${number}/tipos/${tipo}`);
    await judged(page, `${name}-${at}-${tipo}`, width);
  }

  await page.getByRole("link", { name: "Logotipo" }).click();
  await page.getByLabel("Imagem").setInputFiles(LOGO);
  await page.getByRole("button", { name: "Guardar o logotipo" }).click();
  await page.locator("img.logo").waitFor();
  const pdf = await page.evaluate(async (address) => {
    const answer = await fetch(address);
    return [answer.status, answer.headers.get("content-type"), (await answer.text()).slice(0, 5)];
  }, `${demo.base_url}/painel/empresas/${number}/logotipo/previa`);
  must(JSON.stringify(pdf) === JSON.stringify([200, "application/pdf", "%PDF-"]), `the preview: ${JSON.stringify(pdf)}`);
  const forms = page.getByRole("navigation", { name: "Documento da prévia" });
  await forms.getByRole("link", { name: "NFC-e" }).click();
  await page.locator("iframe[src$='tipo=nfce']").waitFor();
  await forms.getByRole("link", { name: "NF-e" }).click();
  await page.locator("iframe[src$='tipo=nfe']").waitFor();
  await judged(page, `${name}-38-logotipo`, width);

  await page.getByRole("link", { name: "Ir para produção" }).click();
  await page.locator("main .estado.erro").first().waitFor();
  await judged(page, `${name}-39-falta`, width);
  await page.getByRole("link", { name: "Emitir uma nota de teste: NF-e" }).click();
  await page.locator("[name='nota.destinatario.xNome']").waitFor();
  const chosen = page.locator("select[name=cpf_cnpj], input[name=cpf_cnpj]").first();
  must(await chosen.inputValue() === number, "another company is chosen");
  await page.getByRole("button", { name: "Emitir em homologação", exact: true }).first().click();
  await state(page, "autorizada");
  await page.goto(`${demo.base_url}/painel/empresas/${number}/producao`);
  must(!(await page.locator("section[aria-labelledby=lista-nfe]").innerText()).includes("Emita uma, e corrija"), "the test document is not known");
  await judged(page, `${name}-40-producao`, width);
  await context.close();
}
await browser.close();
report();
