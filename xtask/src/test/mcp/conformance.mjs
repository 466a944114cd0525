// The official conformance suite of the protocol, against the server on our stack with a key of ours, for each revision that has requirements.
//
// The suite knows no keys: a small forwarder in between passes the same bytes both ways and adds the header. It wants a newer node than
// Debian has, which is the one that runs this. What is known to fail stands with its reason in expected-<revision>.yml; a line there that does not fail any more fails here.
// Arguments: demo.json. The packages stand in NODE_PATH. Its last line is what came of each revision.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const demo = JSON.parse(readFileSync(process.argv[2], "utf8"));
const packages = process.env.NODE_PATH;
const suite = join(packages, "@modelcontextprotocol/conformance/dist/index.js");
const target = new URL(`${demo.base_url}/mcp`);
const loopback = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

const forward = createServer((asked, answer) => {
  const { pathname, search } = new URL(asked.url, "http://forward");
  const headers = { ...asked.headers, "x-api-key": demo.api_key_homologacao };
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
await new Promise((ready) => forward.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${forward.address().port}/mcp`;

const run = (revision) =>
  new Promise((ended) => {
    const results = mkdtempSync(join(tmpdir(), "conformance-"));
    const expected = join(import.meta.dirname, `expected-${revision}.yml`);
    const options = ["server", "--url", url, "--requirements", revision, "--expected-failures", expected, "--output-dir", results];
    const child = spawn(process.execPath, [suite, ...options], { cwd: results, env: { ...process.env, NO_COLOR: "1" } });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => { said += text; process.stdout.write(text); });
    child.on("close", (code) => {
      rmSync(results, { recursive: true });
      const total = said.match(/^Total: (.*)$/m)?.[1] ?? "no total";
      ended({ right: code === 0 && total !== "no total", told: `${revision}: ${total}` });
    });
  });

const outcomes = [];
for (const revision of ["2025-11-25", "2026-07-28"]) outcomes.push(await run(revision));
forward.close();
console.log(outcomes.map(({ right, told }) => `${told} (${right ? "as expected" : "NOT as expected"})`).join("; "));
process.exit(outcomes.every(({ right }) => right) ? 0 : 1);
