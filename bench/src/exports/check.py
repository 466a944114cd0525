"""Checks an archive of `carimbo exportar` against the keys and SHA-256 of the stored documents.

Each XML must be the stored one, and the SHA-1 of its signed element in canonical form its `DigestValue`. Whole
signatures of a sample are verified by xmlsec1, which knows nothing of ours.
"""

import base64
import hashlib
import subprocess
import sys
import tempfile
import zipfile

NAMESPACE = ' xmlns="http://www.portalfiscal.inf.br/nfe"'
SAMPLE = 200

archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
stored = dict(line.split() for line in open(sys.argv[2]))
names = [name for name in archive.namelist() if name.startswith("nfe/autorizadas/")]
assert len(names) == len(set(names)) == len(stored), (len(names), len(stored))
verified = 0
for place, name in enumerate(names):
    content = archive.read(name)
    key = name.split("/")[-1][:44]
    assert hashlib.sha256(content).hexdigest() == stored.pop(key), name
    text = content.decode()
    begin, end = text.index("<infNFe "), text.index("</infNFe>") + len("</infNFe>")
    # the writer's text is canonical but for the namespace, which the element inherits
    element = text[begin:end].replace("<infNFe ", f"<infNFe{NAMESPACE} ", 1)
    digest = base64.b64encode(hashlib.sha1(element.encode()).digest()).decode()
    assert f"<DigestValue>{digest}</DigestValue>" in text, name
    if place % max(1, len(names) // SAMPLE) == 0:
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            file.write(content)
            file.flush()
            command = ["xmlsec1", "--verify", "--insecure", "--id-attr:Id", "http://www.portalfiscal.inf.br/nfe:infNFe", file.name]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, (name, done.stderr)
            verified += 1
assert not stored
print(f"{len(names)} documents as stored, each digest right; {verified} signatures verified by xmlsec1; {len(archive.namelist())} entries")
