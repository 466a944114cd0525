"""Clients in five languages by openapi-generator, each compiled or run as its language does it, each issuing the six documents of the guides.

    openapi_generator.py FOLDER DEMO_JSON [LANGUAGE …]

The options are the generator's own, but for what the machine lacks: Java takes the JDK's HTTP client and Jackson, which the generator's jar brings (the
default, okhttp with gson-fire, is at no registry that we reach); C# takes HttpClient on netstandard2.0, which Mono compiles (the default wants .NET 8), with
Debian's Newtonsoft.Json, from which one option is missing. Docs and tests that it writes beside a client are left out.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request
import uuid

import openapi_generator_cli

JAR = pathlib.Path(openapi_generator_cli.__file__).with_name("openapi-generator.jar")
HERE = pathlib.Path(__file__).with_name("openapi-generator").resolve()
GUIDES = pathlib.Path("docs/guides").resolve()
BODIES = ["nota", "nfce", "cte", "cte-os", "nfse", "nfse-municipal"]
WITHOUT = "apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
JAVA_CLASSES = [JAR, "/usr/share/java/geronimo-annotation-1.3-spec.jar", "/usr/share/java/jsr305.jar"]
NEWTONSOFT = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll"
ASSEMBLIES = [NEWTONSOFT, "System.ComponentModel.DataAnnotations", "System.Net.Http", "System.Runtime.Serialization", "System.Web"]


# compilers of five languages yield to the suites that run beside them and measure their waits
os.nice(10)


class Failed(Exception):
    pass


def run(*command, cwd, **environment):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, env=os.environ | environment)
    if done.returncode != 0:
        said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if " INFO " not in line and " WARN " not in line)
        raise Failed(f"{' '.join(map(str, command[:3]))}:\n{said[-5000:]}")
    return done.stdout


def files(folder, ending):
    return sorted(pathlib.Path(folder).rglob(f"*{ending}"))


def python(client, arguments):
    packages = os.pathsep.join([str(client), os.environ.get("PYTHONPATH", "")])
    return run(sys.executable, HERE / "client.py", *arguments, cwd=client, PYTHONPATH=packages)


def go(client, arguments):
    # a module of its own: the client's name is none that could be fetched, and nothing has to be
    for test in files(client, "_test.go"):
        test.unlink()
    client.joinpath("go.mod").write_text("module openapi\n\ngo 1.18\n")
    client.joinpath("comando").mkdir()
    shutil.copy(HERE / "client.go", client / "comando/main.go")
    run("go", "build", "-gcflags=openapi/...=-N -l", "-o", "issue", "./comando", cwd=client, GOFLAGS="-mod=mod", GOPROXY="off")
    return run(client / "issue", *arguments, cwd=client)


def java(client, arguments):
    path = os.pathsep.join(map(str, JAVA_CLASSES))
    client.joinpath("fontes").write_text("\n".join(map(str, [*files(client / "src/main", ".java"), HERE / "Client.java"])))
    run("javac", "-proc:none", "-nowarn", "-d", "classes", "-cp", path, "@fontes", cwd=client)
    return run("java", "-cp", os.pathsep.join(["classes", path]), "Client", *arguments, cwd=client)


def csharp(client, arguments):
    sources = files(client / "src/Org.OpenAPITools", ".cs")
    for source in sources:
        text = source.read_text()
        if "CamelCaseNamingStrategy" in text:
            source.write_text(re.sub(r"NamingStrategy = new CamelCaseNamingStrategy\s*\{[^}]*\}", "", text))
    client.joinpath("fontes").write_text("\n".join(f'"{source}"' for source in [*sources, HERE / "Absent.cs", HERE / "Client.cs"]))
    shutil.copy(NEWTONSOFT, client)
    run("mcs", "-langversion:latest", "-nowarn:108,114,168,219,414,612,618,1591", "-out:issue.exe", *(f"-r:{name}" for name in ASSEMBLIES), "@fontes", cwd=client)
    return run("mono", "issue.exe", *arguments, cwd=client)


def php(client, arguments):
    return run("php", "-d", "error_reporting=E_ALL & ~E_DEPRECATED", HERE / "client.php", *arguments, client, cwd=client)


# the language, what makes a client work in it, which document, and what differs from the defaults
LANGUAGES = {
    "java": (java, "", "library=native,openApiNullable=false"),
    "go": (go, "", ""),
    "csharp": (csharp, "", "library=httpclient,targetFramework=netstandard2.0"),
    "php": (php, "", ""),
    "python": (python, "?webhooks=nao", ""),
}


def issue(name, folder, demo):
    work, query, options = LANGUAGES[name]
    client = folder / name
    document = folder / f"{name}.json"
    with urllib.request.urlopen(f"{demo['base_url']}/docs/json{query}") as answer:
        document.write_bytes(answer.read())
    began = time.monotonic()
    command = ["java", "-jar", JAR, "generate", "-i", document, "-g", name, "-o", client, "--global-property", WITHOUT]
    run(*command, *(["--additional-properties", options] if options else []), cwd=folder)
    made = time.monotonic()
    said = work(client, [demo["base_url"], demo["api_key_homologacao"], bodies(folder, name)])
    issued = [line.split()[0] for line in said.splitlines() if line.strip()]
    if issued != BODIES:
        raise Failed(f"{name} issued {issued}:\n{said}")
    return f"{name} {made - began:.0f} + {time.monotonic() - made:.0f} s"


def bodies(folder, name):
    """The guides' own, each under a reference of its own."""
    place = folder / f"{name}-corpos"
    place.mkdir()
    for body in BODIES:
        text = json.loads((GUIDES / f"{body}.json").read_text())
        text["referencia_externa"] = f"{name.upper()}{uuid.uuid4().hex}"
        if name == "csharp":
            decimals_as_texts(text)
            # nor does it read a bare key where an object may stand
            for group in filter(None, [text["nota"].get("documentos")]):
                group["nfe"] = [{"chave": key} for key in group.get("nfe", [])]
        (place / f"{body}.json").write_text(json.dumps(text, ensure_ascii=False))
    return place


def decimals_as_texts(value):
    """The C# that reads a value of two types passes over a whole number where a decimal is due: `"qCom": 20` is written `"20"`."""
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, (dict, list)):
            decimals_as_texts(inner)
        elif isinstance(inner, int) and re.match("[qvp][A-Z]", str(name)):
            value[name] = str(inner)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    demo = json.loads(pathlib.Path(sys.argv[2]).read_text())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wanted = sys.argv[3:] or list(LANGUAGES)
    failed, told = [], []
    # two at a time: so many cores the machine has
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, work in [(name, pool.submit(issue, name, folder, demo)) for name in wanted]:
            try:
                told.append(work.result())
            except Failed as why:
                failed.append(name)
                print(f"{name}: {why}")
    print(f"six documents each by {', '.join(told) or 'none'}" + (f"; failed: {', '.join(failed)}" if failed else ""))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
