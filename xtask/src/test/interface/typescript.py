"""Typed clients in TypeScript: the types and the client are generated from /docs/json, read by `tsc --strict`, and issue notes.

usage: typescript.py OPENAPI_JSON FOLDER_WITH_NODE_MODULES BASE_URL API_KEY CPF_CNPJ
"""

import pathlib
import shutil
import subprocess
import sys

document, folder, demo = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:6]


def run(*command):
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"{' '.join(map(str, command[:2]))}\n{made.stdout[-6000:]}{made.stderr[-6000:]}")
    return made.stdout


for made in ("hey", "out"):
    shutil.rmtree(folder / made, ignore_errors=True)
run("node_modules/.bin/openapi-typescript", document, "--output", "carimbo.d.ts")
run("node_modules/.bin/openapi-ts", "--input", document, "--output", "hey", "--no-log-file")
run("node_modules/.bin/tsc")
for client in ("client", "hey"):
    print(run("node", f"out/{client}.js", *demo).strip())
