#!/usr/bin/env python3
"""The site that docs/build_site makes: links lead somewhere, nothing is fetched from elsewhere, a browser shows ten of its pages without
an error, axe finds no barrier on them in light and dark, and its search finds. ./test --all runs this.

usage: site.py SOURCE_DIR [PICTURES]         PICTURES: a folder for screenshots of the ten pages
Exit code 77: mkdocs, doxygen, chromium or axe is not installed.
"""
import functools
import html.parser
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import browser as browsers  # noqa: E402
from checks import check, run_tests  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PICTURES = sys.argv[2] if len(sys.argv) > 2 else None
AXE = SOURCE / "build-npm" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ["index", "tutorial", "kernels", "assembly", "hazards", "command-line", "integration", "exploration", "glossary", "api/index",
         "api/classsfpu_1_1vector__unit"]
# Elements that fetch as a page is shown. Links may lead elsewhere: a reader follows them or not.
FETCHING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "embed": "src"}


class Page(html.parser.HTMLParser):
    """What a page of HTML has and names."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.links, self.fetched, self.title = set(), [], [], ""
        self.feed(file.read_text(encoding="utf-8", errors="replace"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(values.get("href", ""))
        if tag in FETCHING and values.get(FETCHING[tag]):
            self.fetched.append(values[FETCHING[tag]])


def is_elsewhere(link):
    return bool(urllib.parse.urlparse(link).scheme or link.startswith("//"))


def each_link_leads_somewhere():
    pages = {file: Page(file) for file in SITE.rglob("*.html") if file.name != "404.html"}
    check(len(pages) > 300, "there are pages: %d" % len(pages))
    dead, count = [], 0
    for file, page in pages.items():
        for link in page.links + page.fetched:
            if is_elsewhere(link):
                check(not link.startswith("file:"), "%s: %s is a path of this machine" % (file.name, link))
                continue
            count += 1
            path, _, anchor = link.partition("#")
            to = (file.parent / urllib.parse.unquote(path)).resolve() if path else file
            to = to / "index.html" if to.is_dir() else to
            if not to.is_file() or anchor and to in pages and anchor not in pages[to].anchors and anchor != "__codelineno":
                dead.append("%s: %s" % (file.relative_to(SITE), link))
    check(count > 10000, "there are links: %d" % count)
    check(not dead, "%d links lead nowhere: %s" % (len(dead), dead[:10]))


def nothing_is_fetched_from_elsewhere():
    for file in SITE.rglob("*"):
        if file.suffix == ".html":
            for what in Page(file).fetched:
                check(not is_elsewhere(what) or what.startswith(("data:", "javascript:void")), "%s fetches %s" % (file.name, what))
        elif file.suffix == ".css":
            for what in re.findall(r"url\(['\"]?((?:https?:)?//[^)]*)|@import[^;]*(https?://[^;]*)", file.read_text()):
                check(False, "%s fetches %s" % (file.name, what))


def asked_for():
    """What the page has asked for since it was opened, the page included."""
    return BROWSER.run("return [location.href].concat(performance.getEntriesByType('resource').map(each => each.name))")


def barriers():
    """What axe finds by the rules of WCAG 2.1, levels A and AA, by rule with the first place."""
    BROWSER.run(AXE.read_text() + "; window.axe = axe;")
    BROWSER.run("window.found = null; axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})"
                ".then(all => { window.found = all.violations.map(each => each.id + ' (' + each.nodes.length + '): '"
                " + each.nodes[0].html.slice(0, 160) + ' ' + each.nodes[0].failureSummary.slice(0, 200)); },"
                " error => { window.found = ['axe: ' + error]; })")
    for _ in range(600):
        found = BROWSER.run("return new Promise(done => setTimeout(() => done(window.found), 100))")
        if found is not None:
            return found
    return ["axe does not end"]


def ten_pages_are_shown_without_an_error_or_a_barrier():
    for dark in (False, True):
        BROWSER.go(ADDRESS + "/index.html")
        BROWSER.run("localStorage.clear(); sessionStorage.clear()")  # where the site keeps the reader's choice
        BROWSER.look(1280, 800, dark)
        BROWSER.go(ADDRESS + "/index.html")
        background = BROWSER.run("return getComputedStyle(document.body).backgroundColor")
        check((background == "rgb(255, 255, 255)") != dark, "the pages are %s: %s" % ("dark" if dark else "light", background))
        for name in PAGES:
            BROWSER.go("%s/%s.html" % (ADDRESS, name))
            BROWSER.run("return new Promise(done => setTimeout(done, 300))")
            check(BROWSER.run("return document.title.length") > 3, name + " has a title")
            messages = [each for each in BROWSER.messages() if "favicon" not in each]
            check(not messages, "%s: %s" % (name, messages))
            strangers = [each for each in asked_for() if not each.startswith((ADDRESS, "data:"))]
            check(not strangers, "%s asks for %s" % (name, strangers))
            wide = BROWSER.run("return document.documentElement.scrollWidth - window.innerWidth")
            check(wide <= 0, "%s is %s pixels too wide" % (name, wide))
            if PICTURES:
                BROWSER.screenshot(os.path.join(PICTURES, "%s%s.png" % (name.replace("/", "-"), "-dark" if dark else "")))
            for barrier in barriers():
                check(False, "%s, %s: %s" % (name, "dark" if dark else "light", barrier))


def a_phone_shows_the_tutorial():
    BROWSER.look(390, 800, False)
    BROWSER.go(ADDRESS + "/tutorial.html")
    check(BROWSER.run("return document.documentElement.scrollWidth") <= 390, "the tutorial fits a narrow window")
    if PICTURES:
        BROWSER.screenshot(os.path.join(PICTURES, "tutorial-phone.png"))


def the_search_finds():
    BROWSER.look(1280, 800, False)
    BROWSER.go(ADDRESS + "/index.html?q=rematerialisation")  # a link to a search, which waits until its index is there
    for _ in range(40):
        found = BROWSER.run("return new Promise(done => setTimeout(() => done([...document.querySelectorAll('.md-search-result__link')]"
                            ".map(each => each.href)), 1000))")
        if found:
            break
    check(any("glossary.html" in each for each in found), "the search finds the glossary: %s" % found)


def main():
    return run_tests((the_search_finds, each_link_leads_somewhere, nothing_is_fetched_from_elsewhere,
                      ten_pages_are_shown_without_an_error_or_a_barrier, a_phone_shows_the_tutorial))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *unused):
        pass


if __name__ == "__main__":
    if not (shutil.which("mkdocs") and shutil.which("doxygen") and browsers.is_installed() and AXE.exists()):
        print("mkdocs, doxygen, chromium or axe is not installed: ./setup --all")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as FOLDER:
        SITE = pathlib.Path(FOLDER, "site").resolve()
        subprocess.run([SOURCE / "docs" / "build_site", SITE], check=True)
        SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
        threading.Thread(target=SERVER.serve_forever, daemon=True).start()
        ADDRESS = "http://127.0.0.1:%d" % SERVER.server_port
        with browsers.Browser() as BROWSER:
            CODE = main()
        SERVER.shutdown()
    sys.exit(CODE)
