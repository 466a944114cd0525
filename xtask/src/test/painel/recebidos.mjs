// A person opens what others issued to a company: finds a note in the inbox, reads its summary, says that the company knows of it, fetches the whole note, sees its PDF and
// confirms the purchase. At the width of a desk in light and of a phone in the dark, and once without scripts.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { readFileSync } from "node:fs";
import { SCREENS, enter, judge, launch, must, report, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const browser = await launch();
const receiver = demo.cpf_cnpj_alfanumerico;

const call = async (method, path, body) => {
  const headers = { "x-api-key": demo.api_key_homologacao, "content-type": "application/json" };
  const answer = await fetch(`${demo.base_url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/// One company of the demonstration sells to the other, which finds the note by its key; returns the key.
const supply = async (product) => {
  const nota = {
    identificacao: { natOp: "Venda de mercadoria", tpNF: 1, indFinal: 1, indPres: 1 },
    destinatario: { CNPJCPF: receiver, xNome: "Livraria Alfa Exemplo Ltda", indIEDest: 9, xLgr: "Rua Direita", nro: "250", xBairro: "Sé", cMun: 3550308, xMun: "São Paulo", UF: "SP", CEP: "01002000" },
    produtos: [{ cProd: "CAD-96", xProd: product, NCM: "48202000", CFOP: 5102, uCom: "UN", qCom: 20, vUnCom: 5, vProd: 100, icms: { orig: 0, CSOSN: "102" }, pis: { CST: "49", vBC: 0, pPIS: 0, vPIS: 0 }, cofins: { CST: "49", vBC: 0, pCOFINS: 0, vCOFINS: 0 } }],
    pagamentos: [{ indPag: 0, tPag: "17", vPag: 100 }],
  };
  const accepted = await call("POST", "/v1/nfe/emitir", { cpf_cnpj: demo.cpf_cnpj, nota });
  for (let tries = 0; tries < 240; tries += 1) {
    const job = await call("GET", accepted.consulta);
    if (job.status === "completed") {
      await call("POST", "/v1/nfe/recebidas/sincronizar", { cpf_cnpj: receiver, chave: job.nota.chave });
      return job.nota.chave;
    }
    await new Promise((later) => { setTimeout(later, 250); });
  }
  throw new Error("the note is never authorised");
};

const login = async (page) => {
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();
};

/// Waits until the order that the page follows is registered.
const registered = async (page, scripts) => {
  for (let tries = 0; tries < 240; tries += 1) {
    if (await page.locator("#resultado .estado.autorizada").count()) return page.goto(page.url().replace(/#.*/, ""));
    await page.waitForTimeout(500);
    if (!scripts) await page.reload();
  }
  must(false, `${page.url()} never shows the registration: ${await page.locator("#conteudo").innerText()}`);
};

/// From the inbox to the confirmation of a note.
const walk = async (page, chave, look, scripts) => {
  await page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: "Recebidos" }).click();
  await page.locator(`a[href$='${chave}']`).waitFor();
  await look("20-recebidos");
  await page.locator(`a[href$='${chave}']`).click();
  await page.getByText("só chegou o resumo").waitFor();
  await look("21-resumo");
  await page.getByRole("link", { name: "Abrir: Ciência da operação" }).click();
  await page.getByRole("button", { name: "Registrar a ciência" }).click();
  await registered(page, scripts);
  await page.getByRole("button", { name: "Buscar o arquivo inteiro agora" }).click();
  await page.getByText("o arquivo inteiro está aqui").waitFor();
  await look("22-inteira");
  const pdf = await page.request.get(`${page.url().replace(/[?#].*/, "")}/pdf`);
  must(pdf.ok() && (await pdf.body()).subarray(0, 5).toString() === "%PDF-", `the PDF: ${pdf.status()}`);
  await page.getByRole("link", { name: "Abrir: Confirmação da operação" }).click();
  await page.getByRole("button", { name: "Confirmar a operação" }).click();
  await page.locator("#falha-entendi").waitFor();
  await look("23-confirmar");
  await page.locator("input[name=entendi]").check();
  await page.getByRole("button", { name: "Confirmar a operação" }).click();
  await registered(page, scripts);
  must((await page.locator("#recebido").innerText()).includes("confirmada"), "the confirmation is not shown");
  await look("24-confirmada");
  await page.goto(`${demo.base_url}/painel/recebidos?manifestacao=confirmacao`);
  must(await page.locator(`a[href$='${chave}']`).count() === 1, "the confirmed note is not in its list");
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  watch(page, demo.base_url);
  const chave = await supply("Papel para impressora");
  await login(page);
  await walk(page, chave, (picture) => judged(page, `${name}-${picture}`, width), true);
  await page.goto(`${demo.base_url}/painel/recebidos/buscas?empresa=${receiver}`);
  await judged(page, `${name}-25-buscas`, width);
  await page.getByRole("button", { name: "Buscar agora: NF-e" }).first().click();
  await page.getByText("só a partir de").waitFor();
  await judged(page, `${name}-26-cedo`, width);
  await context.close();
}

// without scripts
{
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const chave = await supply("Grampos");
  await login(page);
  await walk(page, chave, async () => {}, false);
  await context.close();
}
await browser.close();
report();
