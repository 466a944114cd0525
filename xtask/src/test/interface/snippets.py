"""The verification code of the webhook guide, run as it is printed, in every language it shows.

Each must take the right signature and refuse one of another body, one of another secret, and one cut short.

usage: snippets.py GUIDE
"""

import hashlib
import hmac
import pathlib
import re
import subprocess
import sys
import tempfile

SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="
BODY = '{"evento":"nfe.autorizada","motivo":"Autorizado: ç"}'


def signature(secret, body):
    return "sha256=" + hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


RIGHT = signature(SECRET, BODY)
CASES = [RIGHT, signature(SECRET, BODY + " "), signature(SECRET + "x", BODY), RIGHT[:-1], ""]
# what each program prints: one line per case
EXPECTED = ["true", "false", "false", "false", "false"]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def lines(pattern):
    return "\n".join(pattern.format(quoted(SECRET), quoted(BODY), quoted(case)) for case in CASES)


PROGRAMS = {
    "python": ("main.py", lambda code: code + "\n" + lines("print(str(assinatura_confere({}, {}.encode(), {})).lower())"), ["python3", "main.py"]),
    "js": ("main.mjs", lambda code: code + "\n" + lines("console.log(assinaturaConfere({}, Buffer.from({}), {}));"), ["node", "main.mjs"]),
    "php": (
        "main.php",
        lambda code: "<?php\n" + code + "\n" + lines("echo assinatura_confere({}, {}, {}) ? \"true\\n\" : \"false\\n\";"),
        ["php", "main.php"],
    ),
    "java": (
        "Main.java",
        lambda code: code.replace(
            "final class Assinatura",
            "class Main {\n    public static void main(String[] a) throws Exception {\n"
            + lines("System.out.println(Assinatura.confere({}, {}.getBytes(StandardCharsets.UTF_8), {}));")
            + "\n    }\n}\n\nfinal class Assinatura",
        ),
        ["java", "-Dfile.encoding=UTF-8", "Main.java"],
    ),
    "go": (
        "main.go",
        lambda code: "package main\n\n"
        + code.replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"')
        + "\n\nfunc main() {\n"
        + lines("fmt.Println(AssinaturaConfere({}, []byte({}), {}))")
        + "\n}\n",
        ["go", "run", "main.go"],
    ),
}

guide = pathlib.Path(sys.argv[1]).read_text()
blocks = dict(re.findall(r"```(python|js|php|java|go)\n(.*?)```", guide, flags=re.S))
assert blocks.keys() == PROGRAMS.keys(), f"the guide shows {sorted(blocks)}"
for language, (name, program, command) in PROGRAMS.items():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, name).write_text(program(blocks[language]))
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert made.stdout.split() == EXPECTED, f"{language}: {made.stdout}{made.stderr}"
print(f"signatures verified by the guide's code in {', '.join(PROGRAMS)}")
