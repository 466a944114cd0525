// An administrator invites an accountant, who accepts in another browser, sees what the role sees and is told kindly what it does not. The administrator finds both in the
// trail, and removes the accountant. At the width of a desk in light and of a phone in the dark; every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { SCREENS, enter, judge, launch, must, report, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const browser = await launch();
const origin = new URL(demo.painel_url).origin;

const opened = async (width, height, colorScheme) => {
  const page = await (await browser.newContext({ viewport: { width, height }, colorScheme })).newPage();
  page.setDefaultTimeout(120_000);
  watch(page, demo.base_url);
  return page;
};
const section = (page, name) => page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name, exact: true });

for (const [name, width, height, colorScheme] of SCREENS) {
  const email = `bia.${name}@contabil.com.br`;
  const page = await opened(width, height, colorScheme);
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();
  await section(page, "Pessoas").click();
  await page.getByRole("heading", { name: "Pessoas", level: 1 }).waitFor();
  await judged(page, `${name}-60-pessoas`, width);

  // a wrong address is refused beside its field, and the name is kept
  await page.locator("input[name=email]").evaluate((field) => { field.type = "text"; });
  await page.locator("input[name=email]").fill("bia");
  await page.locator("input[name=nome]").fill("Bia Contadora");
  await page.getByRole("button", { name: "Criar o convite" }).click();
  await page.locator("#falha-email").waitFor();
  must(await page.locator("input[name=nome]").inputValue() === "Bia Contadora", "what was typed is lost");
  await judged(page, `${name}-61-convite-recusado`, width);
  await page.locator("input[name=email]").fill(email);
  await page.getByRole("button", { name: "Criar o convite" }).click();
  const link = await page.locator("#link-do-convite").inputValue();
  must(link.startsWith(`${origin}/painel/convite/`), `the link is ${link}`);
  await judged(page, `${name}-62-convite`, width);

  const guest = await opened(width, height, colorScheme);
  await guest.goto(link);
  await guest.getByLabel("Senha (12 letras ou mais)").waitFor();
  await judged(guest, `${name}-63-aceitar`, width);
  await guest.getByLabel("Senha (12 letras ou mais)").fill("uma senha bem comprida");
  await guest.getByLabel("A mesma senha de novo").fill("uma senha bem comprida");
  await guest.getByRole("button", { name: "Entrar na conta" }).click();
  await guest.getByRole("heading", { name: "Início" }).waitFor();
  for (const hidden of ["Emitir", "Pessoas", "Auditoria"]) must(await section(guest, hidden).count() === 0, `an accountant sees ${hidden}`);
  for (const shown of ["Documentos", "Exportar o mês"]) must(await section(guest, shown).count() === 1, `an accountant misses ${shown}`);
  await judged(guest, `${name}-64-contador`, width);
  await guest.goto(`${origin}/painel/emitir`);
  await guest.getByRole("heading", { name: "Seu papel não inclui isto" }).waitFor();
  await judged(guest, `${name}-65-papel`, width);
  const again = await guest.request.get(link);
  must(again.status() === 404, `a used link answers ${again.status()}`);

  await section(page, "Auditoria").click();
  await page.locator("select[name=ato]").selectOption("convite_aceito");
  await page.getByRole("button", { name: "Filtrar" }).click();
  await page.getByRole("cell", { name: email }).first().waitFor();
  await judged(page, `${name}-66-auditoria`, width);
  const file = await page.request.get(`${origin}/painel/auditoria.csv`);
  must(file.status() === 200 && (await file.text()).includes(email), "the CSV has no such person");

  await section(page, "Pessoas").click();
  await page.getByRole("link", { name: "Bia Contadora" }).first().click();
  await page.getByRole("heading", { name: "Bia Contadora" }).waitFor();
  await judged(page, `${name}-67-pessoa`, width);
  await page.getByLabel("Sim, remover").check();
  await page.getByRole("button", { name: "Remover da conta" }).click();
  await page.getByRole("heading", { name: "Pessoas", level: 1 }).waitFor();
  must(await page.getByRole("cell", { name: email }).count() === 0, "a removed person is still listed");
  await guest.goto(`${origin}/painel`);
  await guest.getByRole("button", { name: "Entrar" }).waitFor();
  await page.context().close();
  await guest.context().close();
}

await browser.close();
report();
