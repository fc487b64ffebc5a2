"""Chromium as it is installed here, and the console in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.patience import PATIENCE
from tests.support.stacks import RunningStack

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed is taken: the shell is Chromium without its own windows, and needs a third of the time."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

UNREACHABLE = ("ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ECONNRESET")
"""What npm says where its registry is not reached."""

CHECK_ACCESSIBILITY = """async () => {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await axe.run()).violations.filter((each) => ["serious", "critical"].includes(each.impact));
    } catch (error) {
      if (attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}"""
"""axe itself fails if elements that it has found are removed while it runs, so it runs again."""

needs_chromium = pytest.mark.skipif(
    not CHROMIUM, reason="No Chromium is installed: install the package chromium-headless-shell, or chromium."
)


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


def find_violations(page: Page) -> list[str]:
    """What the rules of accessibility find serious: the rule, and the elements that break it."""
    page.evaluate((ROOT / "console/node_modules/axe-core/axe.min.js").read_text())
    found: list[dict[str, Any]] = page.evaluate(CHECK_ACCESSIBILITY)
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"][:3]]


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
