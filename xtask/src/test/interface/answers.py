"""Every answer and every webhook of the HTTP suite against the OpenAPI document: route, status, media type, schema, and no member the document does not name.

usage: answers.py OPENAPI_JSON LOG_FOLDER
"""

import json
import pathlib
import re
import sys
from collections import Counter

from jsonschema_rs import Draft202012Validator

from document import strict

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
PROBLEM = "application/problem+json"
# what no operation can document: paths that are no route, methods that a route does not have
# the simulator's control plane, its public pages and the metrics: other listeners, no part of the interface
ELSEWHERE = ("/_sim", "/metrics", "/qrcode/", "/consulta/")
# a masked CNPJ holds a slash; the service takes it for one segment
MASK = re.compile(r"(/[0-9A-Za-z]{2}[.][0-9A-Za-z]{3}[.][0-9A-Za-z]{3})/([0-9A-Za-z]{4}-)")
FRAME = {"nao_encontrado", "metodo_nao_permitido"}


schemas = {name: strict(schema) for name, schema in document["components"]["schemas"].items()}
# the members of the document itself are checked by its validator
schemas["DocumentoOpenApi"] = document["components"]["schemas"]["DocumentoOpenApi"]
validators = {}


def validator(schema):
    key = json.dumps(schema)
    if key not in validators:
        validators[key] = Draft202012Validator({**strict(schema), "components": {"schemas": schemas}})
    return validators[key]


def operation(method, path):
    """The most literal path of the document that this path is an instance of."""
    given = path.split("/")
    best = None
    for pattern, methods in document["paths"].items():
        parts = pattern.split("/")
        if len(parts) != len(given):
            continue
        if not all(part.startswith("{") and value or part == value for part, value in zip(parts, given)):
            continue
        literal = [not part.startswith("{") for part in parts]
        if best is None or literal > best[0]:
            best = (literal, pattern, methods.get(method.lower()))
    return best[1:] if best else (None, None)


def told(evento, body):
    """What a webhook of the suite brought."""
    if evento not in document["webhooks"]:
        return [f"webhook {evento} is not documented"]
    schema = document["webhooks"][evento]["post"]["requestBody"]["content"]["application/json"]["schema"]
    errors = validator(schema).iter_errors(json.loads(body))
    return [f"webhook {evento}: /{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors]


def faults(method, path, status, media, body):
    if method == "WEBHOOK":
        return told(path, body)
    if path == "/" and (media == "text/html" or '"ferramentas"' in body):
        return []  # the listener of the agents has the catalogue at its root
    if status == 404 and media == "text/html":
        return []  # what is not there, for who reads in a browser
    pattern, found = operation(method, path)
    if found is None:
        known = status in (404, 405) and media == PROBLEM or method in ("HEAD", "OPTIONS", "TRACE")
        return [] if known else [f"{method} {pattern or path}: not documented, answered {status}"]
    response = found["responses"].get(str(status))
    if response is None:
        return [f"{method} {pattern}: status {status} is not documented ({body[:200]})"]
    content = response.get("content", {})
    if not media and not content:
        return []
    if media not in content:
        return [f"{method} {pattern} {status}: {media} is not documented"]
    if not body:
        return []
    try:
        value = json.loads(body)
    except ValueError:
        return [f"{method} {pattern} {status}: the body is no {media}: {body[:80]!r}"]
    if media == PROBLEM:
        codes = content[media]["examples"]
        if value["codigo"] not in codes and value["codigo"] not in FRAME:
            return [f"{method} {pattern} {status}: codigo {value['codigo']} is not documented"]
    errors = validator(content[media]["schema"]).iter_errors(value)
    return [f"{method} {pattern} {status}: /{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors]


found = Counter()
answers = 0
for log in pathlib.Path(sys.argv[2]).glob("*.jsonl"):
    for line in log.read_text().splitlines():
        method, path, *answer = json.loads(line)
        if path.startswith(ELSEWHERE):
            continue
        answers += 1
        found.update(set(faults(method, MASK.sub(r"\1%2F\2", path), *answer)))
for fault, times in found.most_common(60):
    print(f"{times:>5} x {fault}")
print(f"{answers} answers of the HTTP suite, {len(found)} kinds of difference from the document")
sys.exit(1 if found or not answers else 0)
