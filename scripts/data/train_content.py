#!/usr/bin/env python3
"""Trains the trees by which `--content main` finds the main content of web pages.

    train_content.py [--cross-validate] WCXB [OUTPUT]

WCXB is a folder with html/*.html, ground-truth/*.json and metadata.json: Web Content eXtraction
Benchmark, M. Foley, CC-BY-4.0, github.com/Murrough-Foley/web-content-extraction-benchmark, its
development part.  OUTPUT is a C file [src/document/page/page_trees.c].  With --cross-validate nothing is
written, and the F1 of words is printed, each page judged by trees that saw no page of its site.

The features are computed by build/bench/tests/bench/page_features (cmake -DPARDUP_BENCH=ON), so that
they are those of the program.  Needs python3-sklearn; neither build nor tests do.
"""

import argparse
import pathlib
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

import page_labels

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FEATURES = REPOSITORY / "build" / "bench" / "tests" / "bench" / "page_features"
FOLDS = 5
UNIT, MOST = 128, 1023  # PD_SCORE_UNIT, PD_SCORE_MOST
NEVER, CODE, ALWAYS = 0.2, 0.1, 0.6  # ODDS_NEVER, ODDS_CODE, ODDS_ALWAYS
POINTER_HALVES, H1, H6 = 40, 7, 12  # PD_TAG_H1, PD_TAG_H6
LIST, PRE = 9, 17  # PD_TAG_LIST, PD_TAG_PRE among the tags of block_features.c
ROWS = 200  # blocks of a page that are learned from, about
KIND_TREES = dict(max_iter=20, max_leaf_nodes=8, learning_rate=0.15, min_samples_leaf=10,
                  l2_regularization=5, early_stopping=False, random_state=1)
BLOCK_TREES = dict(max_iter=100, max_leaf_nodes=16, learning_rate=0.1, min_samples_leaf=40,
                   l2_regularization=5, early_stopping=False, max_bins=64, random_state=1)


def raw_scores(model, rows):
    """Scores of rows in the program's unit, a column for each class."""
    raw = model._raw_predict(np.asarray(rows, np.float64))  # pylint: disable=protected-access
    return np.clip(np.rint(raw * UNIT), -MOST, MOST).astype(np.int16)


class Table:
    """All blocks of some pages."""

    def __init__(self, pages):
        self.pages = pages
        self.counts = np.array([len(page.sizes) for page in pages])
        self.starts = np.cumsum(np.append(0, self.counts))
        self.page_rows = np.array([page.features for page in pages])
        self.kinds = np.array([page.kind for page in pages])
        self.rows = np.concatenate([page.blocks for page in pages])
        self.labels = np.concatenate([page.labels for page in pages]) >= 0.5
        sizes = np.concatenate([page.sizes for page in pages])
        total = np.array([page.sizes.sum() for page in pages])
        wanted = np.array([len(page.wanted) for page in pages])
        # The weight of a block is what it does to the F1 of its page, about.
        weights = (sizes + 1) / self.spread(wanted + 0.3 * total + 100)
        # Blocks of few words are thinned out.
        odds = np.clip(ROWS * (sizes + 2) / self.spread(total + 2 * self.counts), 0.1, 1)
        self.taken = np.random.RandomState(2).rand(len(odds)) < odds
        self.weights = weights / odds

    def spread(self, values):
        """A value of each page for each of its blocks."""
        return np.repeat(values, self.counts, axis=0)

    def of_page(self, values, k):
        """The values of the blocks of page k."""
        return values[self.starts[k]:self.starts[k + 1]]


def train_kinds(table, mask):
    """Trees that tell the kind of a page."""
    return HistGradientBoostingClassifier(**KIND_TREES).fit(table.page_rows[mask],
                                                            table.kinds[mask])


def folds_of(pages):
    """The fold of each page; a site is in one fold."""
    sites = sorted({page.site for page in pages})
    order = np.random.RandomState(1).permutation(len(sites)) % FOLDS
    fold = dict(zip(sites, order))
    return np.array([fold[page.site] for page in pages])


def kind_scores(table, folds):
    """Scores of the kinds of each page, by trees that did not see its site."""
    scores = np.zeros((len(table.pages), len(page_labels.KINDS)), np.int16)
    for fold in range(FOLDS):
        model = train_kinds(table, folds != fold)
        scores[folds == fold] = raw_scores(model, table.page_rows[folds == fold])
    right = (scores.argmax(1) == table.kinds).mean()
    print(f"kinds of pages told right: {right:.3f}", flush=True)
    return scores - scores.max(1, keepdims=True)


def train_blocks(table, rows, mask):
    """Trees that tell main content."""
    mask = mask & table.taken
    weights = table.weights[mask]
    return HistGradientBoostingClassifier(**BLOCK_TREES).fit(
        rows[mask], table.labels[mask], sample_weight=weights * mask.sum() / weights.sum())


def pointers(rows, names):
    """Which blocks point to other pages: is_pointer() of content.c."""
    halves, density, tag = (rows[:, names.index(name)] for name in ("HALVES", "DENSITY", "TAG"))
    in_list = rows[:, names.index("group0") + LIST] > 0
    heading = (tag >= H1) & (tag <= H6)
    return (halves <= POINTER_HALVES) & (density > 127) & ~in_list & ~heading


def kept(kinds, scores, sizes, points):
    """Which blocks are kept: label_likely() of content.c."""
    odds = 1 / (1 + np.exp(-scores / UNIT))
    if kinds[0] == 0 and kinds[1:].max() <= -UNIT:  # surely an article
        return (odds >= ALWAYS) & ~points
    order = np.argsort(-odds, kind="stable")
    words = np.cumsum(sizes[order])
    right = np.cumsum(sizes[order] * odds[order])
    able = (odds[order] >= NEVER) & (sizes[order] > 0)
    if not able.any():
        return np.zeros(len(scores), bool)
    f1 = np.where(able, right / np.maximum(1e-9, words + (sizes * odds).sum()), -1)
    return odds >= min(odds[order[f1.argmax()]], ALWAYS)


def label_code(mask, blocks, odds, names):
    """The mask with preformatted text labelled as what is around it: label_code() of content.c."""
    code = blocks[:, names.index("group0") + PRE] > 0
    words = blocks[:, names.index("HALVES")] > 0
    mask, before, k = mask.copy(), False, 0
    while k < len(mask):
        end = k
        while end < len(mask) and (code[end] or not words[end]):
            end += 1
        behind = end < len(mask) and bool(mask[end])
        able = (words[k:end] & (odds[k:end] >= CODE)).any()
        label = mask[k:end].any() or (before or behind if able else before and behind)
        mask[k:end] = words[k:end] & label
        before, k = behind, end + 1
    return mask


def cross_validate(table):
    """Print the F1 of pages judged by trees that did not see their site."""
    folds = folds_of(table.pages)
    kinds = kind_scores(table, folds)
    rows = np.hstack([table.rows, table.spread(kinds)])
    fold_of_rows = table.spread(folds)
    scores = np.zeros(len(rows), np.int16)
    for fold in range(FOLDS):
        model = train_blocks(table, rows, fold_of_rows != fold)
        scores[fold_of_rows == fold] = raw_scores(model, rows[fold_of_rows == fold])[:, 0]
    names = page_labels.read_names(FEATURES)[1]
    points = pointers(table.rows, names)
    masks = [label_code(kept(kinds[k], table.of_page(scores, k), page.sizes, table.of_page(points, k)),
                        page.blocks, 1 / (1 + np.exp(-table.of_page(scores, k) / UNIT)), names)
             for k, page in enumerate(table.pages)]
    page_labels.report(table.pages, masks, "main content, cross-validated by site")


def nodes_of(predictor):
    """A tree as rows (value, feature, right), its left children next to their parents."""
    rows = []

    def visit(k):
        node, here = predictor.nodes[k], len(rows)
        if node["is_leaf"]:
            rows.append((int(np.rint(node["value"] * UNIT)), 255, 0))
            return
        rows.append(None)
        visit(node["left"])
        right = len(rows) - here
        visit(node["right"])
        rows[here] = (int(np.floor(node["num_threshold"])), int(node["feature_idx"]), right)

    visit(0)
    return rows


def wrapped(cells):
    """Cells of C code in lines."""
    lines, line = [], "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > 100:
            lines.append(line)
            line = "   "
        line += f" {cell},"
    return "\n".join(lines + [line])


def forests_of(name, model):
    """C code: the nodes and roots of a model, and its forests, one for each class."""
    # pylint: disable=protected-access
    nodes, roots, forests = [], [], []
    bases = np.ravel(model._baseline_prediction)
    for k, base in enumerate(bases):
        first = len(roots)
        for iteration in model._predictors:
            roots.append(len(nodes))
            nodes += nodes_of(iteration[k])
        forests.append(f"{{{name}_nodes, {name}_roots + {first}, {len(roots) - first}, "
                       f"{int(np.rint(base * UNIT))}}}")
    cells = wrapped("{%d, %d, %d}" % row for row in nodes)
    return (f"static const struct pd_tree_node {name}_nodes[] = {{\n{cells}\n}};\n"
            f"static const uint16_t {name}_roots[] = {{\n{wrapped(map(str, roots))}\n}};\n", forests)


def write(path, kinds, blocks):
    """Write the C file."""
    kind_code, kind_forests = forests_of("kind", kinds)
    block_code, (block_forest,) = forests_of("block", blocks)
    rows = "\n".join(f"    {forest}, /* {name} */"
                     for forest, name in zip(kind_forests, page_labels.KINDS))
    path.write_text(f"""/*
 * page_trees.c - see src/document/page/page_trees.h
 * Written by scripts/data/train_content.py. Edit the script, not this file.
 * Trained on the development part of WCXB: Web Content eXtraction Benchmark, M. Foley, CC-BY-4.0,
 * github.com/Murrough-Foley/web-content-extraction-benchmark.
 */
#include "page_trees.h"

/* clang-format off */
{kind_code}const struct pd_forest pd_kind_forests[] = {{
{rows}
}};

{block_code}const struct pd_forest pd_block_forest = {block_forest};
""", "utf-8")


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cross-validate", action="store_true", help="print figures, write nothing")
    parser.add_argument("wcxb", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, nargs="?",
                        default=REPOSITORY / "src" / "document" / "page_trees.c")
    given = parser.parse_args()
    table = Table(page_labels.read_pages(FEATURES, given.wcxb))
    if given.cross_validate:
        cross_validate(table)
        return 0
    every = np.ones(len(table.pages), bool)
    kinds = kind_scores(table, folds_of(table.pages))
    rows = np.hstack([table.rows, table.spread(kinds)])
    write(given.output, train_kinds(table, every), train_blocks(table, rows, table.spread(every)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
