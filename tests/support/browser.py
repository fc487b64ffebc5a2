"""Chromium as it is installed here, and the console in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.support.patience import PATIENCE
from tests.support.stacks import RunningStack

ROOT = Path(__file__).parents[2]
DESK, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
SCREENSHOTS = ROOT / "console/screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there is taken. The shell is Chromium without windows of its own, and takes a third of the time."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

SCHEMES: dict[Literal["light", "dark"], list[str] | None] = {
    "light": None,
    "dark": ["color-contrast", "link-in-text-block"],
}
"""And the rules of accessibility that are checked in them: all, and those about colours."""

UNREACHABLE = ("ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ECONNRESET")
"""What npm says where its registry is not reached."""

CHECK_ACCESSIBILITY = """async (rules) => {
  const runOnly = rules ? { runOnly: rules } : {};
  for (let attempt = 1; ; attempt++) {
    try {
      const { violations } = await axe.run({ resultTypes: ["violations"], selectors: false, ...runOnly });
      return violations
        .filter((each) => ["serious", "critical"].includes(each.impact))
        .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)}`));
    } catch (error) {
      if (attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}"""
"""axe itself fails if elements that it has found are removed while it runs, so it runs again."""

needs_chromium = pytest.mark.chromium


@contextmanager
def open_browser() -> Generator[Browser]:
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET) as browser:
        expect.set_options(timeout=PATIENCE * 1000)
        yield browser


def build_console() -> None:
    """Nothing happens if it is built; other processes that test it wait for the first."""
    done = subprocess.run([sys.executable, "console/build.py", "--tools"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode and any(code in done.stderr for code in UNREACHABLE):
        pytest.skip("The console's packages cannot be installed here: their registry is not reached.")
    assert done.returncode == 0, done.stderr


def new_page(browser: Browser, size: ViewportSize = DESK) -> Page:
    """A tab that keeps nothing of other tests. It asks for less motion, since what turns and fades is drawn 60 times a
    second."""
    return browser.new_context(viewport=size, reduced_motion="reduce").new_page()


def find_violations(page: Page, name: str) -> list[str]:
    """What the rules of accessibility find serious on what is shown, in light and in dark, of which pictures are kept.

    The elements are the same in both, so that rules which are not about colours are checked once.
    """
    page.evaluate((ROOT / "console/node_modules/axe-core/axe.min.js").read_text())
    SCREENSHOTS.mkdir(exist_ok=True)
    found: list[str] = []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
        page.screenshot(path=SCREENSHOTS / f"{name}-{scheme}.png")
        found += [f"{scheme}: {each}" for each in page.evaluate(CHECK_ACCESSIBILITY, rules)]
    page.emulate_media(color_scheme="light")
    return found


def fits_a_phone(page: Page, name: str) -> bool:
    """Whether nothing has to be scrolled sideways. A picture is kept."""
    page.set_viewport_size(PHONE)
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}-phone.png")
    return page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


class Console:
    """A tab with the console of a stack. What the page logs as an error fails the test at its end."""

    def __init__(self, page: Page, stack: RunningStack, base: str = "") -> None:
        self.page, self.stack = page, stack
        self.base = base or stack.greeting["consoleUrl"]
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.base}/projects/{self.stack.greeting['projectId']}/{path}")

    def sign_in(self) -> None:
        self.page.get_by_text("Token", exact=True).click()
        self.page.get_by_role("textbox", name="Token").fill(self.stack.greeting["token"])
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_test_id("project")).to_have_text("My project")

    def open(self, path: str = "") -> Page:
        """A screen, for someone who has signed in."""
        keep = f"if (!sessionStorage.length) sessionStorage.setItem('penstock.token', '{self.stack.greeting['token']}')"
        self.page.add_init_script(keep)
        self.go(path)
        expect(self.page.get_by_test_id("project")).to_have_text("My project")
        return self.page

    def write(self, label: str, text: str) -> None:
        """Replace what is in an editor."""
        self.page.get_by_label(label).click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
