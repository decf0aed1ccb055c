"""A part of a page that a script makes. It stands between two lines, which belong to it."""
import difflib
import sys


def keep(page, begin, end, made, source, script):
    """Compare the part with what was made; exit status 1 with the difference. With --write, put it in.

    page: a path below docs; source: where it comes from; script: what makes it, as it is called.
    """
    name, text = f"docs/{page.name}", page.read_text()
    first, last = text.index(begin), text.index(end) + len(end)
    old = text[first:last]
    if "--write" in sys.argv[1:]:
        page.write_text(text[:first] + made + text[last:])
    elif old != made:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), made.splitlines(True), name, source))
        sys.exit(f"{name} is not what {source} says: run {script} --write")
    else:
        print(f"{name} ok")
