"""Runs the walk through the panel's e-mails against a demonstration with a real SMTP server.

Usage: mail_walk.py CARIMBO FOLDER NOTE NODE WALK PICTURES.
"""

import subprocess, sys
from pathlib import Path

from mail import Demo, Mailbox, serve


def main():
    carimbo, folder, note, node, walk, pictures = sys.argv[1:]
    box, server = serve(Path(folder), Mailbox())
    demo = Demo(carimbo, Path(folder), server.port)
    result = subprocess.run([node, walk, str(Path(folder) / "demo/demo.json"), note, pictures])
    server.stop()
    assert result.returncode == 0, f"the walk ended with {result.returncode}"
    assert any(recipients == ["mesa@exemplo.com.br"] for recipients, _ in box.messages), "no message came"


if __name__ == "__main__":
    try:
        main()
    finally:
        Demo.end_all()
