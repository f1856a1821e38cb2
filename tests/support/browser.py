"""A web browser without a window, for tests of pages: Chromium, driven through chromedriver's WebDriver interface (packages
chromium and chromium-driver) with Python's own libraries.

    with Browser() as browser:
        browser.open("/some/file.html")
        browser.run("return document.title")
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request


def is_installed():
    return all(shutil.which(name) for name in ("chromium", "chromedriver"))


class Browser:
    def __init__(self, width=1280, height=800, dark=False):
        self._folder = tempfile.mkdtemp()
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, universal_newlines=True)
        self._session = None
        try:
            self._address = self._address_of_driver()
            arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
                         "--hide-scrollbars", "--user-data-dir=" + self._folder, "--window-size=%d,%d" % (width, height)]
            capabilities = {"browserName": "chrome", "timeouts": {"script": 120000}, "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": arguments}}
            answer = self._post("/session", {"capabilities": {"alwaysMatch": capabilities}})
            self._session = "/session/" + answer["sessionId"]
            self.look(width, height, dark)
        except BaseException:
            self.close()
            raise

    def _address_of_driver(self):
        for line in self._driver.stdout:
            if "started successfully on port" in line:
                return "http://127.0.0.1:" + line.strip().rstrip(".").split()[-1]
        raise RuntimeError("chromedriver does not start")

    def _post(self, path, content):
        request = urllib.request.Request(self._address + path, json.dumps(content).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self._post(self._session + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def look(self, width, height, dark):
        """The size of the page's window, and whether the user prefers dark pages."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, file):
        self.go("file://" + os.path.abspath(file))

    def go(self, address):
        self._post(self._session + "/url", {"url": address})

    def run(self, script, *arguments):
        """What a script in the page returns."""
        return self._post(self._session + "/execute/sync", {"script": script, "args": list(arguments)})

    def messages(self):
        """What the page has written to the console, errors included, since the last question."""
        return [entry["level"] + ": " + entry["message"] for entry in self._post(self._session + "/se/log", {"type": "browser"})]

    def screenshot(self, file, whole=False):
        picture = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(file, "wb") as out:
            out.write(base64.b64decode(picture["data"]))

    def close(self):
        if self._session:
            try:
                urllib.request.urlopen(urllib.request.Request(self._address + self._session, method="DELETE"), timeout=30).close()
            except OSError:
                pass
        self._driver.terminate()
        self._driver.wait()
        self._driver.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
