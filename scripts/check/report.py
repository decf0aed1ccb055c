#!/usr/bin/python3
"""Open a page of `pardup report` in headless Chromium: search, open a pair, go to the next passage, print.

usage: scripts/check/report.py PAGE.html [PICTURES]

PICTURES is a folder for screenshots at 390, 1024 and 1600 pixels. Needs chromium-driver and python3-selenium
(Debian, Ubuntu); without them the exit status is 77. The page must have at least two passages.
"""
import os
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    sys.exit(77)

WIDTHS = (390, 1024, 1600)
VIEWS = ("", "passages", "documents", "families", "aside")


def start():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


FIRST_SEARCH = """const search = document.getElementById("search"), began = performance.now();
search.value = "no such text anywhere";
search.dispatchEvent(new Event("input"));
document.body.offsetHeight;
return performance.now() - began;"""


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
    passages = driver.find_elements(By.CSS_SELECTOR, ".passage")
    assert passages and driver.find_elements(By.CSS_SELECTOR, ".plot line"), "no pair"
    for _ in range(2):
        driver.find_element(By.TAG_NAME, "body").send_keys("n")
    focus = driver.switch_to.active_element.get_attribute("id")
    assert focus.startswith("p"), "the key n does not go to a passage"
    driver.find_element(By.CSS_SELECTOR, ".passage h3 a").click()
    assert driver.find_element(By.CSS_SELECTOR, "aside tbody tr"), "no sources of the document"
    printed = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert len(printed) > 5000, "nothing printed"
    assert not driver.find_elements(By.CSS_SELECTOR, "main img, main script"), "markup of others"
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
