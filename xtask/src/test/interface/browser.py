"""A browser without a window (Debian's chromium), told what to do over its own pipe: the DevTools protocol, JSON between zero bytes, nothing to install beside it."""

import json
import os
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-extensions", "--disable-default-apps", "--metrics-recording-only", "--remote-debugging-pipe"]


class Refused(Exception):
    """The browser did not do what it was told, or a page did not come to be as awaited."""


class Browser:
    def __enter__(self):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        if not program:
            raise Refused("chromium is missing (Debian package chromium)")
        self.folder = tempfile.TemporaryDirectory(prefix="carimbo-browser-", ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def pipes():
            # the browser reads from 3 and writes to 4; first out of the way of each other
            reader, writer = os.dup(to_browser), os.dup(from_browser)
            reader, writer = os.dup2(reader, 13), os.dup2(writer, 14)
            os.dup2(reader, 3)
            os.dup2(writer, 4)

        command = [program, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.asked, self.rest, self.events = 0, b"", []
        return self

    def __exit__(self, *_):
        try:
            self.tell("Browser.close")
            self.process.wait(10)
        except (Refused, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def tell(self, method, session=None, **parameters):
        """One command and its answer; what happens meanwhile is kept in `events`."""
        self.asked += 1
        message = {"id": self.asked, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise Refused(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _next(self):
        while b"\0" not in self.rest:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise Refused("the browser ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def page(self, width, height, dark=False):
        return Page(self, width, height, dark)


class Page:
    """A tab of its own size."""

    def __init__(self, browser, width, height, dark):
        self.browser = browser
        target = browser.tell("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.tell(f"{domain}.enable")
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 700)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def tell(self, method, **parameters):
        return self.browser.tell(method, self.session, **parameters)

    def evaluate(self, program):
        answer = self.tell("Runtime.evaluate", expression=program, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Refused(f"{program}: {answer['exceptionDetails'].get('exception', {}).get('description', answer)}")
        return answer["result"].get("value")

    def open(self, url):
        self.tell("Page.navigate", url=url)
        self.until(f"location.href === {json.dumps(url)} && document.readyState === 'complete'", url)

    def until(self, condition, what, seconds=30):
        """Asks until it holds: a page says of itself when it is ready."""
        deadline = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise Refused(f"never came: {what}")
            time.sleep(0.02)

    def write(self, text):
        self.tell("Input.insertText", text=text)

    def press(self, key):
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "/": 191}
        typed = {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
        parameters = {"key": key, "code": key if len(key) > 1 else "Slash", "windowsVirtualKeyCode": codes[key], **({"text": typed} if typed else {})}
        self.tell("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.tell("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def picture(self, file):
        import base64
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.tell("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        """What the console and the policy said, and every request that left the service, since this was last asked."""
        said = []
        for event in self.browser.events:
            of = event.get("params", {})
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                said.append(of["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif event["method"] == "Log.entryAdded" and of["entry"]["level"] == "error":
                said.append(of["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and of["type"] == "error":
                said.append(str(of["args"]))
            elif event["method"] == "Network.requestWillBeSent":
                said.append("asks " + of["request"]["url"])
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]
        return said
