"""Every example of the OpenAPI document against the schema it stands beside, formats included, and no member the schema does not name.

usage: examples.py OPENAPI_JSON
"""

import functools
import json
import pathlib
import sys

from jsonschema_rs import Draft202012Validator

from document import strict
from formats import CHECKS

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
components = {"schemas": {name: strict(schema) for name, schema in document["components"]["schemas"].items()}}
faults, seen = [], 0


@functools.cache
def validator(schema):
    """Reading all components takes much longer than judging an example, and many examples share a schema."""
    return Draft202012Validator({**strict(json.loads(schema)), "components": components}, validate_formats=True, formats=CHECKS)


def judge(where, schema, value):
    global seen
    seen += 1
    faults.extend(f"{where} /{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in validator(json.dumps(schema, sort_keys=True)).iter_errors(value))


for path, methods in document["paths"].items():
    for method, operation in methods.items():
        where = f"{method.upper()} {path}"
        for parameter in operation.get("parameters", []):
            parameter = document["components"]["parameters"][parameter["$ref"].rsplit("/")[-1]] if "$ref" in parameter else parameter
            if "example" in parameter:
                judge(f"{where} {parameter['name']}", parameter["schema"], parameter["example"])
        answers = [(status, answer.get("content", {})) for status, answer in operation["responses"].items()]
        for what, content in [("body", operation.get("requestBody", {}).get("content", {}))] + answers:
            for media, kind in content.items():
                for name, example in kind.get("examples", {}).items():
                    judge(f"{where} {what} {media} {name}", kind["schema"], example["value"])
for name, schema in document["components"]["schemas"].items():
    for example in schema.get("examples", []):
        judge(name, {"$ref": f"#/components/schemas/{name}"}, example)
print("\n".join(faults))
print(f"{seen} examples, {len(faults)} differences from their schemas")
sys.exit(1 if faults or not seen else 0)
