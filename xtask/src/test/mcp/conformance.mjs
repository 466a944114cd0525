// The official conformance suite of the protocol, for each revision that has requirements, with a key of ours: against the service itself as far as no
// demonstration server is wanted, and in whole against the same listener, checks and transport with the suite's fixtures behind them
// (crates/server/examples/conformance).
//
// The suite knows no keys: a small forwarder in between passes the same bytes both ways and adds the header. It wants a newer node than
// Debian has, which is the one that runs this. What is known to fail stands with its reason in a file of its own; a line there that does not fail any more fails here.
// Arguments: demo.json, the note of the guide, the program that serves the fixtures. The packages stand in NODE_PATH. Its last line is what came of each run.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [service, , fixtures] = process.argv.slice(2);
const suite = join(process.env.NODE_PATH, "@modelcontextprotocol/conformance/dist/index.js");
const loopback = /^(127\.0\.0\.1|localhost)(:\d+)?$/;
// what of a revision can be judged of any server, whatever its tools are called
const OF_ANY_SERVER = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "resources-list", "prompts-list", "dns-rebinding-protection"],
  "2026-07-28": [
    "server-stateless", "tools-list", "server-sse-multiple-streams", "resources-list", "sep-2164-resource-not-found", "prompts-list",
    "dns-rebinding-protection", "caching", "input-required-result-unsupported-methods", "http-header-validation",
  ],
};

/// The fixtures, once they answer; stopped by `kill`.
const served = async () => {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  const child = spawn(fixtures, [folder], { stdio: "inherit" });
  const record = join(folder, "demo.json");
  for (let tries = 0; !existsSync(record); tries += 1) {
    if (tries === 600 || child.exitCode !== null) throw new Error(`${fixtures} does not answer`);
    await new Promise((later) => setTimeout(later, 50));
  }
  const kill = () => new Promise((ended) => child.on("close", () => ended(rmSync(folder, { recursive: true }))).kill());
  return { record, kill };
};

/// Where the suite finds a server that knows nothing of keys.
const forwarder = async (record) => {
  const { base_url: base, api_key_homologacao: key } = JSON.parse(readFileSync(record, "utf8"));
  const target = new URL(`${base}/mcp`);
  const server = createServer((asked, answer) => {
    const { pathname, search } = new URL(asked.url, "http://forward");
    const headers = { ...asked.headers, "x-api-key": key };
    // our own name becomes the server's; any other stays, so that its guard of names is judged too
    if (loopback.test(headers.host ?? "")) headers.host = target.host;
    if (loopback.test((headers.origin ?? "").replace(/^https?:\/\//, ""))) headers.origin = target.origin;
    const passed = request({ hostname: target.hostname, port: target.port, path: pathname + search, method: asked.method, headers }, (came) => {
      answer.writeHead(came.statusCode, came.headers);
      came.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
};

/// One run of the suite: whether it ended as its file says, and its counts.
const run = (url, expected, options) =>
  new Promise((ended) => {
    const results = mkdtempSync(join(tmpdir(), "conformance-"));
    const all = ["server", "--url", url, ...options, "--expected-failures", join(import.meta.dirname, expected), "--output-dir", results];
    const child = spawn(process.execPath, [suite, ...all], { cwd: results, env: { ...process.env, NO_COLOR: "1" } });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => { said += text; process.stdout.write(text); });
    child.on("close", (code) => {
      rmSync(results, { recursive: true });
      const passed = said.match(/(\d+) passed/)?.[1] ?? said.match(/Passed: (\d+)/)?.[1];
      ended({ right: code === 0 && Number(passed) > 0, passed: Number(passed ?? 0), said });
    });
  });

const outcomes = [];
const told = (name, right, words) => outcomes.push({ right, words: `${name}: ${words} (${right ? "as expected" : "NOT as expected"})` });
const stage = await served();
const [own, whole] = [await forwarder(service), await forwarder(stage.record)];
for (const [revision, scenarios] of Object.entries(OF_ANY_SERVER)) {
  const runs = [];
  for (const scenario of scenarios) {
    runs.push(await run(own.url, "expected-service.yml", ["--scenario", scenario, "--spec-version", revision]));
  }
  const passed = runs.reduce((sum, one) => sum + one.passed, 0);
  told(`service ${revision}`, runs.every(({ right }) => right), `${scenarios.length} scenarios, ${passed} checks`);
  const all = await run(whole.url, `expected-${revision}.yml`, ["--requirements", revision]);
  told(`fixtures ${revision}`, all.right, all.said.match(/^Total: (.*)$/m)?.[1] ?? "no total");
}
own.close();
whole.close();
await stage.kill();
console.log(outcomes.map(({ words }) => words).join("; "));
process.exit(outcomes.every(({ right }) => right) ? 0 : 1);
