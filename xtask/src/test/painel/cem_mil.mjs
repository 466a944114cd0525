// A person finds one note among 100,000 by a part of the addressee's name, opens it, and comes back to lists of many pages. The notes are copies of one that the
// demonstration issued, written to its database as the service writes them; one addressee of all has the name that is looked for.
// Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json, a note that is not read, the folder that gets the pictures. The packages stand in NODE_PATH. Prints how many checks there were.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCREENS, enter, judge, launch, must, report, watch } from "./browser.mjs";

const [record, , folder] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(record, "utf8"));
const judged = judge(folder);
const MANY = 100_000;
const ADDRESSEES = 5_000;
/// Digits with their check digit, as a CNPJ and an access key have it.
const checked = (digits) => {
  const sum = [...digits].reverse().reduce((all, one, place) => all + Number(one) * (2 + place % 8), 0);
  return digits + String(sum % 11 < 2 ? 0 : 11 - sum % 11);
};
const cnpj = (root) => checked(checked(root));
const SOUGHT = { numero: 541_234, destinatario: cnpj("987654320001"), words: ["aurora", "boreal", "importadora"] };

/// UUID version 7 of an instant.
const idAt = (at) => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes;
};

/// Copies a row with other values; `row` holds a value for each column.
const copier = (database, table, row) => {
  const columns = Object.keys(row);
  const insert = database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
  return (changed) => insert.run(...columns.map((column) => column in changed ? changed[column] : row[column]));
};

/// Copies what else belongs to a job: payload, files, log.
const copyBelongings = (database, job, id) => {
  for (const table of ["payloads", "files", "job_log"]) {
    const rows = database.prepare(`SELECT * FROM ${table} WHERE tenant_id = ? AND job_id = ?`).all(job.tenant_id, job.id);
    for (const row of rows) copier(database, table, row)({ job_id: id });
  }
};

/// Writes the notes of the hundred days before the demonstration's own.
const fill = (file) => {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA busy_timeout = 30000; BEGIN IMMEDIATE");
  const document = database.prepare("SELECT * FROM documents WHERE tipo = 'nfe' AND state = 'authorized' AND ambiente = 2 ORDER BY job_id LIMIT 1").get();
  const job = database.prepare("SELECT * FROM jobs WHERE tenant_id = ? AND id = ?").get(document.tenant_id, document.job_id);
  const [addJob, addDocument] = [copier(database, "jobs", job), copier(database, "documents", document)];
  const words = database.prepare("INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario) VALUES (?, 2, ?, ?) ON CONFLICT DO NOTHING");
  const began = job.criado_em - 100 * 86_400;
  for (let count = 0; count < MANY; count += 1) {
    const numero = 500_000 + count;
    const is_sought = numero === SOUGHT.numero;
    const destinatario = is_sought ? SOUGHT.destinatario : cnpj(String(100_000_000_000 + count % ADDRESSEES));
    const criado_em = began + Math.floor(count * 86.4);
    const id = idAt(criado_em * 1_000 + count % 1_000);
    const chave = checked(`${document.chave.slice(0, 25)}${String(numero).padStart(9, "0")}${document.chave.slice(34, 43)}`);
    addJob({ id, referencia: null, request_id: null, criado_em, atualizado_em: criado_em, concluido_em: criado_em, destinatario });
    addDocument({ job_id: id, numero, chave, asked_by: chave, destinatario, nProt: String(235_260_000_000_000 + count) });
    if (is_sought) copyBelongings(database, job, id);
    const name = is_sought ? SOUGHT.words : ["cliente", `filial${count}`];
    if (is_sought || count < ADDRESSEES) name.forEach((word) => words.run(document.tenant_id, word, destinatario));
  }
  database.exec("COMMIT");
  database.close();
};

fill(join(dirname(record), "carimbo.db"));
const browser = await launch();
const search = async (page, words) => {
  await page.getByRole("searchbox", { name: "Procurar documentos" }).fill(words);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/painel/documentos" && url.searchParams.get("nome") === words);
};

for (const [name, width, height, colorScheme] of SCREENS) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  watch(page, demo.base_url);
  await page.goto(demo.painel_url);
  await enter(page, demo, "homologacao");
  await page.getByRole("heading", { name: "Início" }).waitFor();

  await search(page, "boreal");
  await judged(page, `${name}-80-achada`, width);
  const links = page.locator("table.itens tbody a[href^='/painel/documentos/']");
  must(await links.count() === 1, `${await links.count()} documents for one`);
  await links.first().click();
  await page.locator("#documento h1").waitFor();
  must((await page.locator("#documento").innerText()).replace(/\D/g, "").includes(String(SOUGHT.numero)), "another document was found");

  await search(page, "client");
  must(await page.locator("table.itens tbody tr").count() > 20, "no list of the many");
  await judged(page, `${name}-81-muitas`, width);
  await page.locator(".paginas a").last().click();
  must(await page.locator("table.itens tbody tr").count() > 20, "no second page");
  await context.close();
}
await browser.close();
report();
