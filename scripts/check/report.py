#!/usr/bin/python3
"""Open a page of `pardup report` in headless Chromium: search, open a pair, go to the next passage, print; names of
controls, contrast, and the way of the keyboard.

usage: scripts/check/report.py PAGE.html [PICTURES]

PICTURES is a folder for screenshots at 390, 1024 and 1600 pixels. Needs chromium-driver and python3-selenium
(Debian, Ubuntu); without them the exit status is 77. The page must have at least two passages.
"""
import os
import re
import shutil
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    sys.exit(77)

WIDTHS = (390, 1024, 1600)
if not shutil.which("chromedriver"):
    sys.exit(77)

VIEWS = ("overview", "passages", "documents", "families", "aside")


def start():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


def until(condition, complaint):
    """Wait for what a key or a click makes: another view comes a little later."""
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, complaint
        time.sleep(0.02)


FIRST_SEARCH = """const search = document.getElementById("search"), began = performance.now();
search.value = "no such text anywhere";
search.dispatchEvent(new Event("input"));
document.body.offsetHeight;
return performance.now() - began;"""


# The least contrast of text with what is behind it, in the colours of the style sheet (WCAG 2.2, 1.4.3).
CONTRAST = """const style = getComputedStyle(document.documentElement);
const light = name => {
  const hex = style.getPropertyValue(name).trim().slice(1), wide = hex.length === 3 ? [...hex].map(c => c + c).join("") : hex;
  const [r, g, b] = [0, 2, 4].map(k => parseInt(wide.slice(k, k + 2), 16) / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (x, y) => (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
return Math.min(...["--text", "--faint", "--link"].flatMap(t => ["--back", "--panel"].map(b => ratio(light(t), light(b)))),
  ratio(light("--text"), light("--del")), ratio(light("--text"), light("--ins")));"""

# Fields and buttons that a screen reader has no name for.
NAMELESS = """return [...document.querySelectorAll("input, select, button, a, mark, svg")].filter(e => e.checkVisibility() &&
  !(e.textContent.trim() && e.tagName !== "SELECT") && !e.getAttribute("aria-label") && !(e.labels && e.labels.length)).map(e => e.outerHTML);"""


# Letters and digits of a document that lie in passages and are not set aside, and those that are marked.
MARKED = """const letters = text => (text.match(/[\\p{L}\\p{N}]/gu) || []).length;
const bytes = new Uint8Array(encoder.encode(data.docs[arguments[0]][D.TEXT]).length);
for (const p of ofDocument[arguments[0]].map(k => data.passages[k]))
  for (const side of [0, 1])
    if (p[P.A + side] === arguments[0]) bytes.fill(1, p[P.BEGIN_A + 2 * side], p[P.END_A + 2 * side]);
for (const [begin, end] of asideOf(arguments[0])) bytes.fill(0, begin, end);
const shared = encoder.encode(data.docs[arguments[0]][D.TEXT]).filter((_, k) => bytes[k]);
return [letters(decoder.decode(shared)), letters([...document.querySelectorAll("mark")].map(e => e.textContent).join(""))];"""


# Marks that turn the direction of what follows, which an id or a text of others may hold.
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")

# The narrowest name of the overview, as a share of its table.
NARROWEST = """return Math.min(...[...document.querySelectorAll(".names td:first-child")].map(e =>
  e.getBoundingClientRect().width / e.closest("table").getBoundingClientRect().width));"""

# What is drawn by its background alone is printed.
PRINTED = """return [...document.querySelectorAll(".bar")].every(e => getComputedStyle(e).printColorAdjust === "exact");"""

# Names that are not shortened by the folder which the overview names.
LONG = """return folder ? [...document.querySelectorAll("td")].filter(e => e.textContent.startsWith(folder) && e.textContent !== folder).map(e => e.textContent) : [];"""

# Texts, how much of them there is room for, and what is shown.
BEGINNINGS = (("one two three", 20, "one two three"), ("one two three", 9, "one two\u2026"), ("x" * 50, 40, "x" * 40 + "\u2026"),
              ("\u6761 \u7b2c\u4e00\u767e\u4e8c\u5341\u6761", 5, "\u6761 \u7b2c\u4e00\u767e\u2026"))


def check_words(driver, url):
    """Words are whole, columns wide enough, and texts of others turn nothing around."""
    driver.get("about:blank")
    driver.get(url + "#/overview")
    assert driver.execute_script(NARROWEST) > 0.15, "the names of the overview are squeezed"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert driver.execute_script(PRINTED), "the bars of histograms are not printed"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    for text, most, wanted in BEGINNINGS:
        shown = driver.execute_script("return beginning(...arguments);", text, most)
        assert shown == wanted, f"the beginning of '{text}' is '{shown}'"
    for view in VIEWS + ("doc/0", "doc/1", "doc/2", "pair/1/2"):
        driver.get("about:blank")
        driver.get(url + "#/" + view)
        assert not TURNING.search(driver.execute_script("return document.body.textContent.replace(document.getElementById('data').textContent, '')")), \
            f"view '{view}': a mark that turns the direction"
        long = driver.execute_script(LONG)
        assert not long, f"view '{view}': a name with its folder: {long[0]}"


# The rows of a list, from the first to the last shown: their links.
ROWS = """return [...document.querySelectorAll("[data-at] td:first-child a")].map(e => e.textContent);"""


def check_way(driver, url):
    """A list that is searched and sorted is there again after Back; n and p go through its hits."""
    driver.get("about:blank")
    driver.get(url + "#/passages")
    search, sort = (driver.find_element(By.CSS_SELECTOR, e) for e in ("#search", ".tools select"))
    search.send_keys("e")
    sort.send_keys("least agreement")
    rows = driver.execute_script(ROWS)
    address = driver.current_url
    assert "q=e" in address and "sort=least" in address, f"the address keeps no search: {address}"
    last = len(rows) - 1
    driver.find_elements(By.CSS_SELECTOR, "[data-at] td:first-child a")[last].click()
    until(lambda: driver.find_elements(By.CSS_SELECTOR, ".way"), "no way through the hits")
    title = lambda: driver.execute_script("return document.querySelector('h2').textContent")
    assert title() == rows[last], f"{title()} instead of {rows[last]}"
    press = lambda key: driver.find_element(By.TAG_NAME, "body").send_keys(key)
    for k in range(last - 1, max(last - 4, -1), -1):
        press("p")
        until(lambda: f" {k + 1:,} of " in driver.execute_script("return document.querySelector('.way').textContent"), "the key p does not go to the previous hit")
        assert title() == rows[k], f"{title()} instead of {rows[k]}"
    if last > 0:
        press("n")
        until(lambda: title() == rows[min(last, max(last - 3, 0) + 1)], "the key n does not go to the next hit")
    driver.back()
    until(lambda: driver.find_elements(By.CSS_SELECTOR, "#search"), "Back does not lead to the list")
    assert driver.execute_script(ROWS)[:len(rows)] == rows, "Back: another list"
    assert driver.find_element(By.ID, "search").get_attribute("value") == "e", "Back: the search is lost"
    at = driver.switch_to.active_element.find_element(By.XPATH, "ancestor::*[@data-at]").get_attribute("data-at")
    assert at == str(last), f"Back: at row {at}, not {last}"
    top = driver.execute_script("return document.activeElement.getBoundingClientRect().top / innerHeight")
    assert 0 <= top < 1, "Back: the row is not seen"
    longest = driver.execute_script("return Math.max(...data.passages.map(p => p[P.WORDS_A]))")
    driver.get("about:blank")
    driver.get(url + "#/overview")
    assert f"{longest:,} word" in driver.find_element(By.CSS_SELECTOR, ".findings").text, "the overview does not begin with the longest passage"
    assert driver.find_element(By.CSS_SELECTOR, "h2").text == "What was found"


def check_marks(driver, url):
    """All that a document shares is marked in its text."""
    for k in driver.execute_script("return data.docs.flatMap((d, k) => d[D.TEXT] === null ? [] : [k]).slice(0, 20);"):
        driver.get("about:blank")
        driver.get(f"{url}#/doc/{k}")
        shared, marked = driver.execute_script(MARKED, k)
        assert shared == marked, f"document {k}: {shared} letters are shared, {marked} are marked"


def check_access(driver, url):
    """Names, contrast and the way of the keyboard."""
    for scheme in ("light", "dark"):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        contrast = driver.execute_script(CONTRAST)
        assert contrast >= 4.5, f"{scheme}: contrast {contrast:.2f}"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    titles = set()
    for view in VIEWS:
        driver.get("about:blank")
        driver.get(url + "#/" + view)
        assert not driver.execute_script(NAMELESS), f"view '{view}': without a name"
        levels = driver.execute_script("return [...document.querySelectorAll('h1, h2, h3')].map(e => +e.tagName[1])")
        assert levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"view '{view}': headings {levels}"
        assert driver.execute_script("return !data.note || document.body.innerText.includes(data.note)"), f"view '{view}': not a word of the sample"
        titles.add(driver.title)
    assert len(titles) == len(VIEWS), f"titles of views: {titles}"
    driver.find_element(By.CSS_SELECTOR, "nav a[data-view=passages]").send_keys(Keys.ENTER)
    until(lambda: driver.switch_to.active_element.get_attribute("id") == "main", "another view: the focus stays behind")
    driver.switch_to.active_element.send_keys(Keys.TAB)
    assert driver.switch_to.active_element.get_attribute("id") == "search", "the first field of a view is the search"


def check(driver, path):
    url = "file://" + os.path.abspath(path)
    began = time.monotonic()
    driver.get(url)
    print(f"opened in {time.monotonic() - began:.2f} s")
    driver.get("about:blank")
    driver.get(url + "#/passages")
    print(f"first search in {driver.execute_script(FIRST_SEARCH):.0f} ms")
    driver.get("about:blank")
    driver.get(url + "#/passages")
    began = time.monotonic()
    rows = driver.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert len(rows) >= 2, "no passages"
    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys("/")
    search = driver.switch_to.active_element
    assert search.get_attribute("id") == "search", "the key / does not go to the search"
    search.send_keys("no such text anywhere")
    assert not driver.find_elements(By.CSS_SELECTOR, "tbody tr"), "a search that finds nothing"
    search.clear()
    search.send_keys(Keys.SPACE, Keys.BACKSPACE)
    print(f"typed a search, letter by letter, in {time.monotonic() - began:.2f} s")
    driver.find_element(By.CSS_SELECTOR, "tbody a").click()
    until(lambda: driver.find_elements(By.CSS_SELECTOR, ".passage") and driver.find_elements(By.CSS_SELECTOR, ".plot line"), "no pair")
    until(lambda: driver.switch_to.active_element.get_attribute("id").startswith("p"), "the passage that was clicked has no focus")
    for _ in range(2):
        driver.find_element(By.TAG_NAME, "body").send_keys("n")
    until(lambda: driver.execute_script("return document.activeElement.id").startswith("p"), "the key n does not go to a passage")
    driver.find_element(By.CSS_SELECTOR, ".passage h3 a").click()
    until(lambda: driver.find_elements(By.CSS_SELECTOR, "aside tbody tr"), "no sources of the document")
    printed = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert len(printed) > 5000, "nothing printed"
    assert not driver.find_elements(By.CSS_SELECTOR, "main img, main script"), "markup of others"
    check_way(driver, url)
    check_words(driver, url)
    check_marks(driver, url)
    check_access(driver, url)
    errors = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not errors, errors


def draw(driver, path, folder):
    os.makedirs(folder, exist_ok=True)
    for width in WIDTHS:
        driver.set_window_size(width, 1200)
        for view in VIEWS:
            driver.get("file://" + os.path.abspath(path) + "#/" + view)
            beyond = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, f"view '{view}' is {beyond} pixels too wide at {width}"
            driver.save_screenshot(os.path.join(folder, f"{view or 'overview'}-{width}.png"))


def main():
    driver = start()
    try:
        check(driver, sys.argv[1])
        if len(sys.argv) > 2:
            draw(driver, sys.argv[1], sys.argv[2])
    finally:
        driver.quit()
    print("ok")


if __name__ == "__main__":
    main()
