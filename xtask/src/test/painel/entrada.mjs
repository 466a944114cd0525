// A person signs in: with the second factor, turned on by the secret that the page spells and off by a recovery code, and through a provider of OpenID Connect, which
// is `oidc-provider` from npm, a certified one. The service runs on its own here, since the demonstration has no provider. Every page is judged beside (`browser.mjs`).
//
// Arguments: demo.json and a note that are not read, the folder that gets the pictures. The packages stand in NODE_PATH, the program in CARIMBO. Prints how many checks there were.
import { execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SCREENS, judge, launch, must, report, watch } from "./browser.mjs";

const folder = resolve(process.argv[4]);
const judged = judge(folder);
const carimbo = resolve(process.env.CARIMBO);
const home = join(folder, "servico");
const email = "ana@loja.exemplo";
const senha = "uma senha de teste longa";

const freePort = () => new Promise((done) => { const probe = createServer().listen(0, "127.0.0.1", () => { const { port } = probe.address(); probe.close(() => done(port)); }); });
const base = `http://127.0.0.1:${await freePort()}`;
const issuer = `http://127.0.0.1:${await freePort()}`;

/// The provider: whoever types an e-mail on its page is that person.
const startProvider = async () => {
  const { default: Provider } = await import(pathToFileURL(join(process.env.NODE_PATH, "oidc-provider/lib/index.js")));
  const client = {
    client_id: "carimbo", client_secret: "segredo+com/letras=estranhas", redirect_uris: [`${base}/painel/entrar/oidc/retorno`],
    post_logout_redirect_uris: [`${base}/painel/entrar`], response_types: ["code"], grant_types: ["authorization_code"],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["uma chave de teste"] },
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: true, name: "Ana" }) }),
  });
  return new Promise((done) => { const server = provider.listen(Number(new URL(issuer).port), "127.0.0.1", () => done(server)); });
};

/// The service, with an account and its user.
const startService = async () => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = {
    ...process.env, CARIMBO_HTTP_ENDERECO: new URL(base).host, CARIMBO_PAINEL_URL: base, CARIMBO_OIDC_EMISSOR: issuer, CARIMBO_OIDC_CLIENTE: "carimbo",
    CARIMBO_OIDC_SEGREDO: "segredo+com/letras=estranhas", CARIMBO_OIDC_ROTULO: "Login da Loja", CARIMBO_OIDC_DOMINIOS: "loja.exemplo",
  };
  delete env.CARIMBO;
  const run = (args, input) => execFileSync(carimbo, args, { cwd: home, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
  run(["conta", "criar", "--nome", "Loja da Ana", "--email", "dona@loja.exemplo"]);
  run(["conta", "usuario", "criar", "--conta", "dona@loja.exemplo", "--email", email, "--nome", "Ana", "--senha-da-entrada"], `${senha}\n`);
  const log = createWriteStream(join(home, "log"));
  const service = spawn(carimbo, ["serve"], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  service.stdout.pipe(log); service.stderr.pipe(log);
  for (let tries = 0; tries < 200; tries += 1) {
    if (await fetch(`${base}/health`).then((answer) => answer.ok, () => false)) return service;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the service does not start: see ${home}/log`);
};

/// The code of an authenticator app, some steps from now.
const code = (spelled, steps = 0) => {
  const bits = [...spelled.replaceAll(" ", "")].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac("sha1", key).update(counter).digest();
  return String((mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
};

const password = async (page) => {
  await page.goto(`${base}/painel/entrar`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill(senha);
  await page.getByRole("button", { name: "Entrar" }).click();
};
const leave = async (page) => { await page.getByRole("button", { name: "Sair", exact: true }).click(); await page.getByRole("heading", { name: "Entrar" }).waitFor(); };
const inside = (page) => page.getByRole("heading", { name: "Início" }).waitFor();
const account = (page) => page.getByRole("navigation", { name: "Painel" }).getByRole("link", { name: "Minha conta" }).click();

/// The second factor: on, asked for, off.
const secondFactor = async (page, name, width) => {
  await password(page);
  await inside(page);
  await account(page);
  await judged(page, `${name}-60-conta`, width);
  await page.locator("form[action$='/segundo-fator'] input[name=senha]").fill("errada");
  await page.getByRole("button", { name: "Ligar o segundo fator" }).click();
  await page.locator("#falha-fator-senha").waitFor();
  await judged(page, `${name}-61-senha-errada`, width);
  await page.locator("form[action$='/segundo-fator'] input[name=senha]").fill(senha);
  await page.getByRole("button", { name: "Ligar o segundo fator" }).click();
  await page.locator("svg.qr").waitFor();
  await judged(page, `${name}-62-ligar`, width);
  const spelled = await page.locator(".segredo").innerText();
  await page.getByLabel("Código de seis dígitos").fill(code(spelled));
  await page.getByRole("button", { name: "Ligar", exact: true }).click();
  await page.locator(".codigos").waitFor();
  await judged(page, `${name}-63-recuperacao`, width);
  const recovery = await page.locator(".codigos code").allInnerTexts();
  must(recovery.length === 10, `${recovery.length} recovery codes`);
  await page.getByRole("link", { name: "Já guardei os códigos" }).click();
  await leave(page);

  await password(page);
  await page.getByRole("heading", { name: "Código do aplicativo" }).waitFor();
  await judged(page, `${name}-64-codigo`, width);
  await page.getByLabel("Código").fill("000000");
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.locator("#falha-codigo").waitFor();
  await judged(page, `${name}-65-codigo-errado`, width);
  await page.goto(`${base}/painel`);
  must(new URL(page.url()).pathname === "/painel/entrar", `half a sign-in shows ${page.url()}`);
  await page.goto(`${base}/painel/entrar/codigo`);
  // the code of the next step: the present one was used when it was turned on
  await page.getByLabel("Código").fill(code(spelled, 1));
  await page.getByRole("button", { name: "Entrar" }).click();
  await inside(page);
  await account(page);
  await page.locator("summary", { hasText: "Desligar" }).click();
  await judged(page, `${name}-66-ligado`, width);
  await page.locator("summary", { hasText: "Receber códigos" }).click();
  await page.locator("form[action$='/codigos'] input[name=senha]").fill(senha);
  await page.locator("form[action$='/codigos'] input[name=codigo]").fill("000000");
  await page.getByRole("button", { name: "Receber códigos novos" }).click();
  await page.locator("#falha-codigos-codigo").waitFor();
  await judged(page, `${name}-67-codigo-errado`, width);
  await page.locator("form[action$='/codigos'] input[name=senha]").fill(senha);
  await page.locator("form[action$='/codigos'] input[name=codigo]").fill(recovery[3]);
  await page.getByRole("button", { name: "Receber códigos novos" }).click();
  await page.getByRole("heading", { name: "Códigos de recuperação novos" }).waitFor();
  await judged(page, `${name}-68-codigos-novos`, width);
  const fresh = await page.locator(".codigos code").allInnerTexts();
  must(fresh.length === 10 && !fresh.includes(recovery[4]), `${fresh.length} new recovery codes`);
  await page.getByRole("link", { name: "Já guardei os códigos" }).click();
  await page.locator("summary", { hasText: "Desligar" }).click();
  await page.locator("form[action$='/desligar'] input[name=senha]").fill(senha);
  await page.locator("form[action$='/desligar'] input[name=codigo]").fill(fresh[0]);
  await page.getByRole("button", { name: "Desligar o segundo fator" }).click();
  await page.getByRole("status").filter({ hasText: "foi desligado" }).waitFor();
  await leave(page);
};

/// Through the provider, and out of both.
const throughProvider = async (browser, name, width, options) => {
  const context = await browser.newContext(options);
  // the provider's own pages ask for a typeface elsewhere
  await context.route((url) => url.hostname !== "127.0.0.1", (route) => route.abort());
  const page = await context.newPage();
  await page.goto(`${base}/painel/entrar`);
  await judged(page, `${name}-70-porta`, width);
  await page.getByRole("link", { name: "Entrar com Login da Loja" }).click();
  await page.locator("input[name=login]").fill(email);
  await page.locator("input[name=password]").fill("qualquer");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]").click();
  await inside(page);
  await account(page);
  must(await page.getByText("vinculado", { exact: true }).count() === 1, "the identity is not linked");
  must(await page.getByText("(pelo provedor)").count() >= 1, "the session does not say where it comes from");
  await judged(page, `${name}-71-vinculada`, width);
  await leave(page);
  await judged(page, `${name}-72-saiu`, width);
  await page.getByRole("link", { name: "sair também de Login da Loja" }).click();
  await page.locator("button[value=yes]").click();
  await page.waitForURL(`${base}/painel/entrar**`);
  // another person of the provider has no user here
  await page.getByRole("link", { name: "Entrar com Login da Loja" }).click();
  await page.locator("input[name=login]").fill("bia@loja.exemplo");
  await page.locator("input[name=password]").fill("qualquer");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]").click();
  await page.getByText("Nenhum usuário deste serviço").waitFor();
  await judged(page, `${name}-73-sem-usuario`, width);
  await context.close();
};

if (!existsSync(carimbo)) throw new Error(`no program: ${carimbo}`);
const provider = await startProvider();
const service = await startService();
const browser = await launch();
try {
  for (const [name, width, height, colorScheme] of SCREENS) {
    const options = { viewport: { width, height }, colorScheme };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    watch(page, base);
    await secondFactor(page, name, width);
    await context.close();
    await throughProvider(browser, name, width, options);
  }
  // down, it hinders nobody
  provider.closeAllConnections();
  await new Promise((done) => provider.close(done));
  const page = await browser.newPage();
  await password(page);
  await inside(page);
} finally {
  await browser.close();
  service.kill("SIGTERM");
  provider.closeAllConnections();
  provider.close();
}
report();
