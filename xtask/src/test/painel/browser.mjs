// The browser of the walks through the panel, and its judgement of a page: axe-core without serious findings, no page wider than its screen, nothing asked of another
// host, no script but the panel's own. The packages stand in NODE_PATH.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

export const require = createRequire(`${process.env.NODE_PATH}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let checks = 0;

export const must = (right, what) => { checks += 1; if (!right) { console.error(what); process.exitCode = 1; } };
export const report = () => console.log(`${checks} checks${process.exitCode ? ", some failed" : ""}`);
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
/// The widths at which every page is looked at: a desk in light, a phone in the dark.
export const SCREENS = [["mesa", 1280, 900, "light"], ["celular", 390, 844, "dark"]];

/// Listens to a page: its errors, and requests to another host than this one.
export const watch = (page, base) => {
  page.on("console", (line) => { if (line.type() === "error" && !line.text().includes("status of 4")) must(false, `${page.url()}: ${line.text()}`); });
  // the browser's own viewer of PDFs asks chrome:
  page.on("request", (request) => { if (!/^(data:|blob:|chrome:|chrome-extension:)/.test(request.url()) && !request.url().startsWith(base)) must(false, `asks ${request.url()}`); });
};

/// Judges a page, and keeps its picture in a folder.
export const judge = (folder) => {
  mkdirSync(folder, { recursive: true });
  return async (page, name, width) => {
    // colours are judged once the style is there
    await page.waitForLoadState("load");
    const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ["violations"] })`);
    const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
    must(serious.length === 0, `${name}: ${JSON.stringify(serious.map((one) => [one.id, one.nodes.map((node) => node.html)]))}`);
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    must(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
    const foreign = await page.evaluate("[...document.scripts].filter((one) => one.text || new URL(one.src).pathname !== \"/painel/recursos/painel.js\").length");
    must(foreign === 0, `${name} has a script that is not the panel's`);
    await page.screenshot({ path: `${folder}/painel-${name}.png`, fullPage: true });
    // the part that the guides show
    if (width === SCREENS[0][1]) await page.screenshot({ path: `${folder}/guia-${name}.png`, fullPage: true, clip: { x: 0, y: 0, width, height: 760 } });
  };
};

/// Fills the form of the login.
export const enter = async (page, demo, ambiente) => {
  await page.getByLabel("E-mail").fill(demo.email);
  await page.getByLabel("Senha").fill(demo.senha);
  await page.locator(`input[name=ambiente][value=${ambiente}]`).check();
  await page.getByRole("button", { name: "Entrar" }).click();
};

/// Goes to an element by the keyboard alone.
export const tabTo = async (page, selector, most = 60) => {
  for (let steps = 0; steps < most; steps += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  must(false, `${selector} is out of reach of the keyboard`);
};
