#!/usr/bin/env python3
"""Write src/document/html_entities.c from Python's copy of the WHATWG table of named references.

    scripts/data/make_entities.py > src/document/html_entities.c
"""
import html.entities
import textwrap

SLOTS = 4096  # PD_ENTITY_SLOTS: a power of two, about half of it used


def slot_of(name):
    """entity_slot() of src/document/html_reference.c."""
    h = 0
    for c in name.encode():
        h = (h * 33 + c) & 0xFFFFFFFF
    return (h ^ h >> 15) % SLOTS


def literal(text):
    return '"' + "".join(f"\\{b:03o}" for b in text.encode()) + '"'


table = html.entities.html5
names = sorted(name[:-1] for name in table if name.endswith(";"))
slots = [0] * SLOTS
for k, name in enumerate(names, 1):
    i = slot_of(name)
    while slots[i]:
        i = (i + 1) % SLOTS
    slots[i] = k

assert all(len(name) < 32 and len(table[name + ";"].encode()) < 7 for name in names)
rows = [f'{{"{n}",&{literal(table[n + ";"])},&{int(n in table)}}},' for n in names]
wrapped = textwrap.fill(" ".join(rows), 96, break_on_hyphens=False).replace("&", " ")
print(f"""/*
 * html_entities.c - see src/document/html_entities.h
 * Written by scripts/data/make_entities.py. Edit the script, not this file.
 */
#include "html_entities.h"

/* clang-format off */
const struct pd_entity pd_entities[] = {{
{textwrap.indent(wrapped, "    ")}
}};

const uint16_t pd_entity_slots[PD_ENTITY_SLOTS] = {{
{textwrap.indent(textwrap.fill(", ".join(map(str, slots)) + ",", 96), "    ")}
}};""")
