"""What the tests asked of the national NFS-e's services and what was answered, against the services' OpenAPI documents.

usage: judge.py SHAPES_FOLDER LOG_FOLDER [OFFICIAL_FOLDER]

Without the third, the documents are ours (SHAPES_FOLDER). With it they are the official ones, and ours are first compared with them.
"""

import json
import pathlib
import re
import sys
from collections import Counter

import yaml
from openapi_schema_validator import OAS30Validator, oas30_format_checker

SERVICES = {
    "sefin": "Sefin-Nacional-v1.json",
    "adn": "ADN-Contribuinte-v1.json",
    "parametros": "ADN-Parametros-Municipais-v1.json",
}
METHODS = ("get", "head", "post", "put", "delete", "patch")
# told to people, and no part of a shape
TOLD = ("description", "example", "title", "readOnly", "default")
# the services are written in .NET, whose date-time goes without an offset; a competência goes as a date alone, since other spellings are read month first
MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,7})?(Z|[+-]\d\d:\d\d)?)?")


@oas30_format_checker.checks("date-time")
def is_moment(text):
    return not isinstance(text, str) or MOMENT.fullmatch(text) is not None


def resolved(part, document):
    """A schema without references, without words for people, and with null written where an allOf is said to be nullable."""
    if isinstance(part, list):
        return [resolved(one, document) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return resolved(found, document)
    if "properties" in part or "type" in part:
        made = {name: value for name, value in part.items() if name not in TOLD}
        if "properties" in made:
            made["properties"] = {name: resolved(value, document) for name, value in part["properties"].items()}
        made = {name: value if name == "properties" else resolved(value, document) for name, value in made.items()}
    else:
        made = {name: resolved(value, document) for name, value in part.items() if name not in TOLD}
    if list(made.get("allOf", [])) and len(made["allOf"]) == 1:
        whole = made.pop("allOf")[0]
        made = {**whole, **made}
    if made.get("nullable") and "enum" in made and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    if "required" in made and isinstance(made["required"], list):
        made["required"] = sorted(made["required"])
    return made


def schema_of(parameter, document):
    """Of a parameter; Swagger 2.0 writes it beside the name."""
    if "schema" in parameter:
        return resolved(parameter["schema"], document)
    return resolved({name: parameter[name] for name in ("type", "format", "enum") if name in parameter}, document)


def content_of(holder, document, produced):
    """Schemas by media type, of a body or an answer."""
    if "content" in holder:
        return {media: resolved(kind["schema"], document) for media, kind in holder["content"].items()}
    if "schema" in holder:
        return {media: resolved(holder["schema"], document) for media in produced}
    return {}


def operations(document):
    """By method and path: parameters, body, answers; OpenAPI 3.0 and Swagger 2.0 alike."""
    found = {}
    for path, methods in document.get("paths", {}).items():
        for method, told in methods.items():
            if method not in METHODS:
                continue
            parameters = told.get("parameters", [])
            body = told.get("requestBody") or next((one for one in parameters if one["in"] == "body"), {})
            found[method.upper(), path] = {
                "parameters": {
                    (one["in"], one["name"]): (one.get("required", False), schema_of(one, document))
                    for one in parameters
                    if one["in"] != "body"
                },
                "body": content_of(body, document, told.get("consumes", [])),
                "answers": {
                    str(status): content_of(one, document, told.get("produces", []))
                    for status, one in told["responses"].items()
                },
                "said by": told.get("x-said-by"),
            }
    return found


def differences(ours, official, where=""):
    if isinstance(ours, dict) and isinstance(official, dict):
        for name in sorted({*ours, *official}, key=str):
            if name not in ours or name not in official:
                yield f"{where}/{name}: {'not in ours' if name not in ours else 'ours alone'}"
            else:
                yield from differences(ours[name], official[name], f"{where}/{name}")
    elif ours != official:
        yield f"{where}: ours {ours!r}, official {official!r}"


def compared(folder, official):
    """Our table against the official documents."""
    told = []
    for service, file in SERVICES.items():
        ours = yaml.safe_load((folder / f"{service}.yaml").read_text())
        unused = {tuple(one.split(" ", 1)) for one in ours["x-not-used"]}
        theirs = operations(json.loads((official / file).read_text()))
        told += [f"{service}: {one} is not there" for one in sorted(unused - set(theirs))]
        theirs = {name: told_of for name, told_of in theirs.items() if name not in unused}
        told += [f"{service}{one}" for one in differences(operations(ours), theirs)]
    return told


def strict(schema):
    """Refuses members that it does not name."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        made.setdefault("additionalProperties", False)
    return made


validators = {}


def faults(schema, value):
    key = json.dumps(schema, sort_keys=True)
    if key not in validators:
        validators[key] = OAS30Validator(strict(schema), format_checker=oas30_format_checker)
    return [f"/{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in validators[key].iter_errors(value)]


def plain(text, schema):
    """A word of an address as what its schema has it to be."""
    if schema.get("type") == "integer":
        return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text
    if schema.get("type") == "boolean":
        return {"true": True, "false": False}.get(text, text)
    return text


def operation(found, method, path):
    """The most literal one that the path is an instance of, with the words of its parameters."""
    given, best = path.split("/"), None
    for (name, pattern), told in found.items():
        parts = pattern.split("/")
        if name != method or len(parts) != len(given):
            continue
        if not all(part.startswith("{") and word or part == word for part, word in zip(parts, given)):
            continue
        literal = [not part.startswith("{") for part in parts]
        if best is None or literal > best[0]:
            words = {part[1:-1]: word for part, word in zip(parts, given) if part.startswith("{")}
            best = (literal, pattern, told, words)
    return best[1:] if best else (None, None, {})


def call_faults(found, call):
    """What is wrong with a call of ours."""
    _, told, words = operation(found, call["method"], call["path"])
    if told is None:
        return ["no such operation"]
    wrong = []
    query = dict(pair.split("=", 1) for pair in (call["query"] or "").split("&") if pair)
    for (place, name), (required, schema) in told["parameters"].items():
        given = words.get(name) if place == "path" else query.pop(name, None)
        if given is None:
            wrong += [f"{name} is required"] if required else []
            continue
        wrong += [f"{name}{fault}" for fault in faults(schema, plain(given, schema))]
    wrong += [f"{name} is no parameter" for name in query]
    if not told["body"]:
        return wrong + (["a body where there is none"] if call["body"] else [])
    media = call["media"].split(";")[0]
    if media not in told["body"]:
        return wrong + [f"a body of {media or 'no type'}"]
    try:
        return wrong + faults(told["body"][media], json.loads(call["body"]))
    except ValueError:
        return wrong + ["a body that is no JSON"]


def answer_faults(found, call):
    """What is wrong with an answer of the simulator."""
    _, told, _ = operation(found, call["method"], call["path"])
    if told is None:
        return ["no such operation"]
    answer = call["answer"]
    status, media, body = str(answer["status"]), answer["media"].split(";")[0], answer["body"]
    if status not in told["answers"]:
        return [f"status {status}"]
    content = told["answers"][status]
    if not content or call["method"] == "HEAD":
        return []
    if media not in content:
        return [f"status {status}: {media}"]
    try:
        return [f"status {status} {fault}" for fault in faults(content[media], json.loads(body))]
    except ValueError:
        return [f"status {status}: no JSON"]


def damaged(body):
    """The same with something wrong: each member as a list of itself, a member more."""
    for name, value in body.items():
        yield f"{name} in a list", {**body, name: [[value]]}
    yield "a member more", {**body, "outro": 1}


def blindness(found, call):
    """What of the damage done to a good answer the judge does not see; an answer without a schema shows nothing."""
    body = json.loads(call["answer"]["body"] or "null")
    _, told, _ = operation(found, call["method"], call["path"])
    if not body or not told["answers"][str(call["answer"]["status"])]:
        return
    for what, wrong in damaged(body):
        answer = {**call["answer"], "body": json.dumps(wrong)}
        if not answer_faults(found, {**call, "answer": answer}):
            yield what


def deafness(found, call):
    """The same of a call: another path, a parameter that there is not, a body without its member."""
    wrong = {"another path": {"path": call["path"] + "/x"}, "a parameter more": {"query": "x=1"}, "another body": {"body": "{}"}}
    for what, damage in wrong.items():
        if not call_faults(found, {**call, **damage}):
            yield what


def main():
    folder, logs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    official = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    apart = compared(folder, official) if official else []
    for one in apart:
        print(f"DIFFERENT FROM THE OFFICIAL {one}")
    seen = {service: operations(told) for service, told in yaml.safe_load((folder / "seen.yaml").read_text()).items()}
    known, unused = {}, {}
    for service, file in SERVICES.items():
        path = official / file if official else folder / f"{service}.yaml"
        known[service] = operations(yaml.safe_load(path.read_text()))
        ours = yaml.safe_load((folder / f"{service}.yaml").read_text())
        unused[service] = {tuple(one.split(" ", 1)) for one in ours["x-not-used"]}
    found, calls, covered, used, counts = Counter(), {}, {}, Counter(), Counter()
    for log in sorted(logs.glob("*.jsonl")):
        for line in log.read_text().splitlines():
            judged(json.loads(line), log.name.startswith("servico"), known, seen, found, calls, covered, used, counts)
    for fault, times in found.most_common(60):
        print(f"{times:>5} x {fault}")
    for where, times in sorted(used.items()):
        print(f"{times:>5} answers beside the OpenAPI: {where}")
    stale = [
        f"{service} {' '.join(name)} {status}"
        for service, told in seen.items()
        for name, one in told.items()
        for status in one["answers"]
        if f"{service} {' '.join(name)} {status} ({one['said by']})" not in used
    ]
    for one in stale:
        print(f"NOBODY USES of seen.yaml: {one}")
    all_of = {
        (service, *name, status)
        for service, told in known.items()
        for name, one in told.items()
        for status in one["answers"]
        if name not in unused[service]
    }
    for one in sorted(all_of - set(covered)):
        print(f"      never answered: {' '.join(one)}")
    blind = [f"{' '.join(name)}: {what}" for name, call in covered.items() for what in blindness(known[name[0]], call)]
    blind += [f"{' '.join(name)}: {what}" for name, call in calls.items() for what in deafness(known[name[0]], call)]
    for one in blind:
        print(f"THE JUDGE SEES NOTHING: {one}")
    whose = "the official documents" if official else "their OpenAPI"
    print(
        f"{counts['calls']} calls of ours and {counts['answers']} answers of the simulator against {whose}: {len(found)} kinds of difference;"
        f" {len(set(covered) & all_of)} of {len(all_of)} answers that they know, {sum(used.values())} beside them"
    )
    sys.exit(1 if found or apart or stale or blind or not counts["calls"] or not counts["answers"] else 0)


def judged(call, is_ours, known, seen, found, calls, covered, used, counts):
    service = call["service"]
    where = f"{service} {call['method']} {operation(known[service], call['method'], call['path'])[0] or call['path']}"
    if is_ours:
        counts["calls"] += 1
        wrong = call_faults(known[service], call)
        if not wrong:
            calls.setdefault((service, call["method"], operation(known[service], call["method"], call["path"])[0]), call)
        elif call_faults(seen[service], call):
            found.update(f"call {where}: {one}" for one in wrong)
    if call["answer"] is None:
        return
    counts["answers"] += 1
    wrong = answer_faults(known[service], call)
    if not wrong:
        pattern = operation(known[service], call["method"], call["path"])[0]
        covered.setdefault((service, call["method"], pattern, str(call["answer"]["status"])), call)
        return
    if answer_faults(seen[service], call):
        found.update(f"answer {where}: {one}" for one in wrong)
        return
    pattern, told, _ = operation(seen[service], call["method"], call["path"])
    used[f"{service} {call['method']} {pattern} {call['answer']['status']} ({told['said by']})"] += 1


main()
