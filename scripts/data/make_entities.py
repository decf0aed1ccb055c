#!/usr/bin/env python3
"""Write src/document/html/html_entities.c from Python's copy of the WHATWG table of named references.

    scripts/data/make_entities.py > src/document/html/html_entities.c
"""
import html.entities
import textwrap
import unicodedata


def literal(text):
    """A string of C: characters that a reader sees as they are, all others as octal bytes."""
    seen = all(unicodedata.category(c)[0] in "LNPS" for c in text) and not set(text) & set('"&\\')
    return '"' + (text if seen else "".join(f"\\{b:03o}" for b in text.encode())) + '"'


table = html.entities.html5
names = sorted(name[:-1] for name in table if name.endswith(";"))
assert len(names) == 2125  # PD_ENTITIES
assert all(len(name) < 32 and len(table[name + ";"].encode()) < 7 for name in names)
rows = [f'{{"{n}",&{literal(table[n + ";"])},&{int(n in table)}}},' for n in names]
wrapped = textwrap.fill(" ".join(rows), 96, break_on_hyphens=False).replace("&", " ")
print(f"""/*
 * html_entities.c - see src/document/html/html_entities.h
 * Written by scripts/data/make_entities.py. Edit the script, not this file.
 */
#include "html_entities.h"

/* clang-format off */
const struct pd_entity pd_entities[] = {{
{textwrap.indent(wrapped, "    ")}
}};""")
