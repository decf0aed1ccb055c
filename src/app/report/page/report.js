"use strict";
/* The data: see src/app/report/report.h. A document and a passage are arrays, to keep the page small. */
const data = JSON.parse(document.getElementById("data").textContent);
const D = { ROW: 0, ID: 1, BYTES: 2, PASSAGES: 3, TEXT: 4, COVERED: 5, WORDS: 6, ASIDE: 7, FIELDS: 8 };
const P = { ROW: 0, A: 1, B: 2, BEGIN_A: 3, END_A: 4, BEGIN_B: 5, END_B: 6, WORDS_A: 7, WORDS_B: 8,
            AGREEMENT: 9, SIMILARITY: 10, FAMILY: 11, MARKS_A: 12, MARKS_B: 13, TEXT_A: 14, TEXT_B: 15 };
const PAGE = 100; /* rows that a list shows at a time */
const main = document.getElementById("main");
const encoder = new TextEncoder(), decoder = new TextDecoder();
const bytesOf = new Map(); /* document -> its text in UTF-8: offsets count bytes */
const ofDocument = data.docs.map(() => []); /* document -> its passages */
data.passages.forEach((p, k) => { ofDocument[p[P.A]].push(k); if (p[P.B] !== p[P.A]) ofDocument[p[P.B]].push(k); });

/* ---- small things ---- */

/* An element; children are elements or texts, and a text is never taken for markup. */
function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value === true ? "" : value);
  e.append(...children.flat().filter(c => c !== null && c !== undefined));
  return e;
}
const count = n => Number(n).toLocaleString("en");
const counted = (n, one, many) => count(n) + " " + (n === 1 ? one : many);
/* A share, written as the commands write it: only all is 100 %, and only nothing is 0 %. Halves go to the even digit. */
function percent(part, all = 1) {
  const share = 100 * part / all, digits = share < 9.95 || share > 99 ? 1 : 0, unit = 10 ** digits;
  if (!all || part === 0 || part === all) return (!all ? "unknown" : part ? "100" : "0") + (all ? "\u00a0%" : "");
  if (share < 0.1) return "under 0.1\u00a0%";
  const half = share * (digits ? 4 : 2) % 2 === 1, below = Math.floor(share * unit);
  return (half ? (below + below % 2) / unit : Math.min(share, 99.9)).toFixed(digits) + "\u00a0%";
}
/* Text of others without characters that do something, as pardup prints names: \n, \x1b, \u202e. */
const escapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }, unseen = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = name => name.replace(unseen, c => escapes[c] || (c < "\x80" ? "\\x" + c.charCodeAt().toString(16).padStart(2, "0") : "\\u" + c.charCodeAt().toString(16).padStart(4, "0")));
/* A text that is read: its line ends stay, and marks that turn the direction of what follows go. */
const readable = text => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "").replace(/[^\P{Cc}\n\t]/gu, " ");
/* The beginning of a text, up to a whole word if words are told apart by blanks. */
const beginning = (text, most) => text.length <= most ? text : text.slice(0, most).replace(/\s[^\s\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{0,30}$/u, "") + "\u2026";
const link = (to, text) => make("a", { href: "#/" + to }, text);
const say = text => { document.getElementById("said").textContent = text; };
/* The folder that all ids begin with, if they are paths: said once, and left out of names. */
const folder = data.docs.length < 2 ? "" : data.docs.reduce((common, d) => {
  let n = 0;
  while (n < common.length && common[n] === d[D.ID][n]) n++;
  return common.slice(0, n);
}, data.docs[0][D.ID]).replace(/[^/]*$/, "");
const shortName = id => plain(id.startsWith(folder) ? id.slice(folder.length) : id);
const nameOf = d => shortName(data.docs[d][D.ID]) || "(document " + data.docs[d][D.ROW] + ")";
/* The kept fields of a document, such as title and author. */
const fieldsOf = d => data.docs[d][D.FIELDS] ? make("div", { class: "faint" }, plain(data.docs[d][D.FIELDS])) : null;
const namesOf = d => data.docs[d][D.ID] + "\n" + data.docs[d][D.FIELDS];
const isSource = d => data.docs[d][D.ROW] < 0;
const colour = k => "hsl(" + (k * 137.5 % 360).toFixed(0) + " 65% 45%)";

/*
 * What the address says behind "?": what a list is searched and sorted by, the row that was left (at), and the open
 * families. So Back brings a list back as it was, and an address that is copied opens it.
 */
const kept = () => new URLSearchParams(location.hash.split("?")[1] || "");
const withKept = (to, values) => to + (String(values) ? "?" + values : "");
function keep(values) {
  const all = kept();
  for (const [name, value] of Object.entries(values)) if (value) all.set(name, value); else all.delete(name);
  history.replaceState(null, "", withKept(location.hash.split("?")[0] || "#/", all));
}
/* A control that is kept in the address, under a name. */
function keeping(name, control, usual = "") {
  control.value = kept().get(name) ?? usual;
  if (control.selectedIndex === -1) control.value = usual;
  control.addEventListener("input", () => keep({ [name]: control.value === usual ? "" : control.value, at: "" }));
  return control;
}

/* Bytes [begin, end) of a document's text; null if the page has not got it. */
function bytesIn(d, begin, end) {
  const text = data.docs[d][D.TEXT];
  if (text === null) return null;
  if (!bytesOf.has(d)) bytesOf.set(d, encoder.encode(text));
  return bytesOf.get(d).subarray(begin, end);
}
function slice(d, begin, end) {
  const bytes = bytesIn(d, begin, end);
  return bytes === null ? null : readable(decoder.decode(bytes));
}
/* A text without the end of the sentence before it. */
const opening = text => text.replace(/^[\s.,:;!?)]+(?=.)/, "");

/* One side of a passage in bytes: whole, or the beginning of it that the page has. */
const sideBytes = (p, side) => bytesIn(p[P.A + side], p[P.BEGIN_A + 2 * side], p[P.END_A + 2 * side]) || encoder.encode(p[P.TEXT_A + side] || "");
const isCut = (p, side) => sideBytes(p, side).length < p[P.END_A + 2 * side] - p[P.BEGIN_A + 2 * side];
const sideText = (p, side) => readable(decoder.decode(sideBytes(p, side))) + (isCut(p, side) ? "\u2026" : "");

/* A table: columns are [title, class: "n" for numbers, "s" for short words], rows are arrays of cells. */
function table(columns, rows, caption, kind) {
  return make("div", { class: "wide" }, make("table", { class: kind },
    caption ? make("caption", { class: "hidden" }, caption) : null,
    columns.some(c => c[0]) ? make("thead", {}, make("tr", {}, columns.map(c => make("th", { scope: "col", class: c[1] }, c[0])))) : null,
    make("tbody", {}, rows.map(r => make("tr", {}, r.map((cell, k) =>
      make("td", { class: columns[k][1] }, cell)))))));
}

/* A list of rows that grows by a page at a time, as far as the row that was left. `kind` tells two lists of a view apart. */
function growing(items, draw, kind = "") {
  const box = make("div", {}), more = make("button", { type: "button" }, "Show more");
  let shown = 0;
  const grow = () => {
    const next = items.slice(shown, shown + PAGE), piece = draw(next, shown);
    piece.querySelectorAll(":scope > table > tbody > tr, :scope > details").forEach((row, k) => { row.dataset.at = kind + (shown + k); });
    box.append(piece);
    shown += next.length;
    more.hidden = shown >= items.length;
    more.textContent = "Show more (" + count(items.length - shown) + " left)";
  };
  more.addEventListener("click", grow);
  grow();
  const [, wanted, number] = /^([a-z]*)(\d+)$/.exec(kept().get("at")) || [];
  while (wanted === kind && shown <= number && shown < items.length) grow();
  return make("div", {}, box, make("p", {}, more));
}

function bars(title, bins) {
  const most = Math.max(1, ...bins.map(b => b[1]));
  return make("section", {}, make("h3", {}, title), make("table", { class: "bars" },
    make("tbody", {}, bins.map(b => make("tr", {}, make("td", { class: "n" }, b[0]), make("td", { class: "n" }, count(b[1])),
      make("td", {}, b[1] ? make("span", { class: "bar", style: "width:" + (100 * b[1] / most) + "%" }) : null))))));
}

/* ---- views ---- */

const onPage = new Set(data.families.map(f => f.row));
const pairLink = (a, b, row) => link("pair/" + a + "/" + b + (row === undefined ? "" : "/" + row), nameOf(a) + " ~ " + nameOf(b));

/* What a reader came for: copies of whole documents, the longest passage, what most documents have. */
function findings() {
  const FEW = 3, of = ([a, b, x, y]) => Math.max(x / data.docs[a][D.WORDS] || 0, y / data.docs[b][D.WORDS] || 0);
  const pairs = data.pairs.filter(pair => of(pair) > 0).sort((x, y) => of(y) - of(x)).slice(0, FEW);
  const longest = data.passages.reduce((best, p) => !best || p[P.WORDS_A] > best[P.WORDS_A] ? p : best, null);
  const facts = new Map(data.summary), one = data.doc !== undefined; /* the page of one document counts what is its own */
  const passages = one ? data.passages.length : Number(facts.get("Passages")), inPairs = one ? data.pairs.length : Number(facts.get("Document pairs with passages"));
  const item = (...parts) => make("li", {}, ...parts);
  const excerpt = text => text ? make("div", { class: "excerpt" }, text) : null;
  if (!longest) return [make("h2", {}, "Nothing found"), make("p", {}, "No passage stands in two of the documents.")];
  return [make("h2", {}, "What was found"),
    make("p", {}, counted(passages, "passage", "passages") + " in " + counted(inPairs, "pair of documents.", "pairs of documents.")),
    make("ul", { class: "findings" },
      pairs.map(([a, b, x, y]) => item(pairLink(a, b), ": " + percent(x, data.docs[a][D.WORDS]) + " of the first, " + percent(y, data.docs[b][D.WORDS]) + " of the second")),
      item("The longest passage, " + counted(longest[P.WORDS_A], "word", "words") + ", " + percent(longest[P.AGREEMENT]) + " of them agree: ",
        pairLink(longest[P.A], longest[P.B], longest[P.ROW]), excerpt(beginning(opening(sideText(longest, 0)), 200))),
      [...data.families].sort((x, y) => y.documents - x.documents).slice(0, FEW).map(f => item("In " + counted(f.documents, "document", "documents") + ": ",
        link("families/" + f.row, "family " + count(f.row)), excerpt(readable(f.text || "")))))];
}

function overview() {
  const shown = (name, value) => name === "Made" ? value.slice(0, 16).replace("T", " ") + " UTC" : /^\d+$/.test(value) ? count(value) : beginning(plain(value), 300);
  const rows = data.summary.map(([name, value]) => [name, shown(name, value)]);
  if (folder) rows.push(["Folder of all documents", folder]);
  return [...findings(), make("h2", {}, "What was compared"),
    table([["", false], ["", false]], rows, "Summary", "names"),
    make("h2", {}, "How much is shared"),
    make("div", { class: "charts" }, data.charts.map(c => bars(c[0], c[1])))];
}

/* What a search looks in: names and text of a passage in small letters. Made while the browser has nothing else to do,
 * or when a search needs it. */
const sought = new Array(data.passages.length);
const soughtOf = k => sought[k] ??= (namesOf(data.passages[k][P.A]) + "\n" + namesOf(data.passages[k][P.B]) + "\n" +
  sideText(data.passages[k], 0)).toLowerCase();
function makeSought(from) {
  const end = performance.now() + 8; /* ms: keys are answered in between */
  while (from < sought.length && performance.now() < end) soughtOf(from++);
  if (from < sought.length) setTimeout(makeSought, 0, from);
}

/* The view of a passage of a list: it knows the list, to go on in it. */
const hitAddress = (p, list) => "pair/" + p[P.A] + "/" + p[P.B] + "/" + p[P.ROW] + "?" + list;
function passageRow(p, list) {
  return [make("div", {}, link(hitAddress(p, list), nameOf(p[P.A]) + " ~ " + nameOf(p[P.B])),
    make("div", { class: "excerpt" }, beginning(opening(sideText(p, 0)), 200))), count(p[P.WORDS_A]), percent(p[P.AGREEMENT])];
}

const ORDERS = {
  "most words": (x, y) => y[P.WORDS_A] - x[P.WORDS_A], "agreement": (x, y) => y[P.AGREEMENT] - x[P.AGREEMENT],
  "least agreement": (x, y) => x[P.AGREEMENT] - y[P.AGREEMENT], "document": (x, y) => x[P.ROW] - y[P.ROW] };

/* The passages that the address asks for, in its order. */
function hits(list) {
  const wanted = (list.get("q") || "").toLowerCase(), least = Number(list.get("least"));
  const order = Object.hasOwn(ORDERS, list.get("sort")) ? list.get("sort") : "most words";
  return data.passages.filter((p, k) => p[P.WORDS_A] >= least && (!wanted || soughtOf(k).includes(wanted))).sort(ORDERS[order]);
}

function passages() {
  const box = make("div", {}), orders = Object.keys(ORDERS);
  const search = keeping("q", make("input", { type: "search", id: "search", placeholder: "id or text", size: 24 }));
  const least = keeping("least", make("input", { type: "number", min: 0, style: "width:6rem" }), "0");
  const sort = keeping("sort", make("select", {}, orders.map(o => make("option", {}, o))), orders[0]);
  const draw = () => {
    const list = kept(), found = hits(list);
    list.delete("at");
    list.set("list", "1"); /* where it is left with n and p */
    box.replaceChildren(make("p", { class: "faint" }, count(found.length) + " of " + counted(data.passages.length, "passage", "passages")),
      found.length ? growing(found, some => table([["Documents", false], ["Words", "n"], ["Agreement", "n"]], some.map(p => passageRow(p, list)), "Passages")) : nothing(data.passages));
    say(counted(found.length, "passage", "passages"));
  };
  for (const control of [search, least, sort]) control.addEventListener("input", draw);
  draw();
  return [make("h2", {}, "Passages"), make("div", { class: "tools" }, make("label", {}, "Search ( / )", search),
    make("label", {}, "Words at least", least), make("label", {}, "Sort by", sort)), box];
}

/* What a list says in place of rows: it has none, or none that was searched for. */
const nothing = all => make("p", {}, all.length ? "Nothing here has these words or this id." : "There are none.");

/* The share of a document: the words outside set-aside text that passages cover, and all such words; 0 of 0: its text is gone. */
const shareOf = d => data.docs[d].slice(D.COVERED, D.WORDS + 1);
/* The share of document d that another one has. */
const coveredIn = new Map(data.pairs.map(([a, b, ...covered]) => [a + "/" + b, covered]));
const shareWith = (d, other) => [coveredIn.get(Math.min(d, other) + "/" + Math.max(d, other))[d <= other ? 0 : 1], data.docs[d][D.WORDS]];
const byShare = ([x, allX], [y, allY]) => (y / allY || 0) - (x / allX || 0);

function documents() {
  const box = make("div", {}), search = keeping("q", make("input", { type: "search", id: "search", size: 24 }));
  const all = data.docs.map((d, k) => [k, shareOf(k)]);
  all.sort((x, y) => byShare(x[1], y[1]) || x[0] - y[0]);
  const draw = () => {
    const found = all.filter(([d]) => namesOf(d).toLowerCase().includes(search.value.toLowerCase()));
    const list = some => table([["Document", false], ["Passages", "n"], ["Share", "n"], ["Most with", false]], some.map(([d, share]) => {
      const [most, , part] = sourcesOf(d)[0] || [];
      return [[link("doc/" + d, nameOf(d)), fieldsOf(d)], count(ofDocument[d].length), percent(...share), most === undefined ? "" :
        [link("pair/" + Math.min(d, most) + "/" + Math.max(d, most), nameOf(most)), ", " + percent(...part)]];
    }), "Documents", "documents");
    const own = found.filter(([d]) => !isSource(d)), sources = found.filter(([d]) => isSource(d));
    const targets = new Map(data.summary).get("Targets");
    box.replaceChildren(make("p", { class: "faint" }, targets === undefined ? counted(own.length, "document", "documents") + " with passages"
      : counted(own.length, "target", "targets") + " with passages, of " + count(targets)), own.length ? growing(own, list) : nothing(all));
    if (sources.length) box.append(make("h3", {}, "Sources"), growing(sources, list, "s"));
    say(counted(found.length, "document", "documents"));
  };
  search.addEventListener("input", draw);
  draw();
  return [make("h2", {}, "Documents"), make("div", { class: "tools" }, make("label", {}, "Search ( / )", search)), box];
}

/* The passages of a document, by the other document: [other, passages, share]. */
function sourcesOf(d) {
  const by = new Map();
  for (const k of ofDocument[d]) {
    const p = data.passages[k], other = p[P.A] === d ? p[P.B] : p[P.A];
    if (!by.has(other)) by.set(other, []);
    by.get(other).push(k);
  }
  return [...by].map(([other, list]) => [other, list, shareWith(d, other)]).sort((x, y) => byShare(x[2], y[2]));
}

/* What is left of the span [begin, end, ...] without the spans that are taken, where it has letters or digits. */
function without(taken, span, d) {
  let parts = [span];
  for (const [begin, end] of taken)
    parts = parts.flatMap(([from, to, ...rest]) => begin < to && from < end ? [[from, begin, ...rest], [end, to, ...rest]].filter(p => p[0] < p[1]) : [[from, to, ...rest]]);
  return parts.filter(p => /[\p{L}\p{N}]/u.test(slice(d, p[0], p[1])));
}

/* What of a document's text is set aside: [begin, end]. */
function asideOf(d) {
  const numbers = data.docs[d][D.ASIDE], out = [];
  for (let k = 0, at = 0; k < numbers.length; k += 2) {
    out.push([at + numbers[k], at + numbers[k] + numbers[k + 1]]);
    at = out[out.length - 1][1];
  }
  return out;
}

/* The text of a document with its passages marked, and what is set aside in grey; a place of two passages gets the colour of the longer one. */
function markedText(d, sources) {
  const spans = [];
  sources.forEach(([other, list], number) => list.forEach(k => {
    const p = data.passages[k], side = p[P.A] === d ? 0 : 1;
    spans.push([p[P.BEGIN_A + 2 * side], p[P.END_A + 2 * side], number, k]);
  }));
  spans.sort((x, y) => (y[1] - y[0]) - (x[1] - x[0]));
  const taken = asideOf(d);
  for (const s of spans) taken.push(...without(taken, s, d));
  taken.sort((x, y) => x[0] - y[0]);
  const text = make("div", { class: "text" });
  let at = 0;
  for (const [begin, end, number, k] of taken) {
    if (number === undefined) {
      text.append(slice(d, at, begin), make("span", { class: "aside", title: "Set aside: it takes no part" }, slice(d, begin, end)));
      at = end;
      continue;
    }
    const p = data.passages[k];
    text.append(slice(d, at, begin), sources.length > 1 ? make("sup", { class: "number" }, count(number + 1)) : "", make("mark", { style: "--c:" + colour(number), tabindex: 0, role: "link",
      title: nameOf(sources[number][0]) + ", " + count(p[P.WORDS_A]) + " words",
      onclick: () => { location.hash = "#/pair/" + p[P.A] + "/" + p[P.B] + "/" + p[P.ROW]; },
      onkeydown: e => { if (e.key === "Enter") e.target.click(); } }, slice(d, begin, end)));
    at = end;
  }
  text.append(slice(d, at, undefined));
  return text;
}

function documentView(d) {
  const sources = sourcesOf(d);
  const legend = make("aside", {}, make("h3", {}, "Shared with"), table([["Document", false], ["Share", "n"]],
    sources.slice(0, 200).map(([other, list, part], number) => [make("span", { class: "legend" },
      make("span", { class: "swatch", style: "--c:" + colour(number) }, count(number + 1)),
      link("pair/" + Math.min(d, other) + "/" + Math.max(d, other), nameOf(other))), percent(...part)]), "Sources"));
  const text = data.docs[d][D.TEXT] !== null ? markedText(d, sources)
    : make("div", {}, make("p", { class: "faint" }, "The whole text is not in this page; pardup report --doc writes a page with it."),
      sources.slice(0, PAGE).flatMap(([, list]) => list.map(k => passageView(data.passages[k], d))));
  const printed = data.doc === data.docs[d][D.ROW] && data.docs[d][D.TEXT] !== null
    ? [...sources.slice(0, PAGE).map(([other, list, part], number) => make("section", {},
      make("h2", {}, count(number + 1) + ". " + nameOf(other) + ", share " + percent(...part)), list.map(k => passageView(data.passages[k], d)))), made()] : [];
  if (!sources.length)
    return [make("h2", {}, nameOf(d)), make("p", {}, "Nothing found: no passage of this document stands in another one."), text,
      data.doc === data.docs[d][D.ROW] ? made() : null];
  return [make("h2", {}, nameOf(d)), make("p", {}, "Share " + percent(...shareOf(d)) + ": its words in " +
    counted(ofDocument[d].length, "passage", "passages") + " with " + (sources.some(s => isSource(s[0]))
      ? counted(sources.length, "source.", "sources.") : counted(sources.length, "other document.", "other documents."))),
    make("div", { class: "split" }, text, legend), printed];
}

/* When and how the result was made, for a page that is handed out. */
function made() {
  const facts = new Map(data.summary);
  return make("p", { class: "faint" }, "Compared by pardup " + facts.get("pardup") + (facts.has("Made") ? " on " + facts.get("Made").slice(0, 10) : "") +
    (facts.has("Sources") ? " with " + counted(Number(facts.get("Sources")), "source" , "sources") : " with " + counted(facts.get("Documents") - 1, "other document", "other documents")) +
    ", preset " + facts.get("Preset") + ". Copied places are not by themselves plagiarism: quotations and lists of references are copied, too.");
}

/* ---- two texts side by side ---- */

/* Paragraphs without the line breaks of their file, which do not suit two narrow columns. */
const flow = text => text.split(/\n[ \t]*\n\s*/).map(paragraph => paragraph.replace(/\s+/g, " ")).join("\n\n");

/* One side of a passage, with the words marked that have no match in the other one. */
function marked(p, side, name) {
  const bytes = sideBytes(p, side), marks = p[P.MARKS_A + side] || [], out = [];
  const part = (from, to) => flow(readable(decoder.decode(bytes.subarray(from, to))));
  let at = 0;
  for (let k = 0; k < marks.length; k += 2) {
    const begin = at + marks[k], end = begin + marks[k + 1];
    out.push(part(at, begin), make(name, {}, part(begin, end)));
    at = end;
  }
  return [...out, part(at), isCut(p, side) ? "\u2026" : ""];
}

/* Both sides of a passage; the document `first` stands on the left. */
function passageView(p, first) {
  const [left, right] = first !== undefined && first === p[P.B] ? [1, 0] : [0, 1];
  const side = k => make("div", {}, make("h3", {}, link("doc/" + p[P.A + k], nameOf(p[P.A + k]))), fieldsOf(p[P.A + k]),
    make("p", { class: "faint" }, "bytes " + count(p[P.BEGIN_A + 2 * k]) + " to " + count(p[P.END_A + 2 * k]) + ", " +
      count(p[P.WORDS_A + k]) + " words" + (isCut(p, k) ? ", the beginning" : "")),
    make("div", { class: "text" }, marked(p, k, k === right ? "ins" : "del")));
  return make("article", { class: "passage", id: "p" + p[P.ROW], tabindex: -1 },
    make("p", {}, "Passage " + count(p[P.ROW]) + ": " + percent(p[P.AGREEMENT]) + " of the words agree",
      p[P.SIMILARITY] < 0.995 ? ", similarity " + p[P.SIMILARITY].toFixed(2) : null,
      p[P.MARKS_A] || !sideBytes(p, 0).length ? null : "; the others are not marked",
      p[P.FAMILY] >= 0 ? [", ", onPage.has(p[P.FAMILY]) ? link("families/" + p[P.FAMILY], "family " + count(p[P.FAMILY])) : "family " + count(p[P.FAMILY])] : []),
    make("div", { class: "sides" }, side(left), side(right)));
}

/* The dots of a pair: where the passages lie in both documents (Zhang et al. 2010, figure 5). */
function plot(a, b, list) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg");
  const at = (x, of) => (10 + 280 * x / Math.max(1, of)).toFixed(1);
  svg.setAttribute("viewBox", "0 0 300 300");
  svg.setAttribute("class", "plot");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Dot plot: " + list.length + " passages, the first document from left to right, the second one from top to bottom");
  for (const p of list) {
    const line = document.createElementNS(ns, "line");
    line.setAttribute("x1", at(p[P.BEGIN_A], data.docs[a][D.BYTES]));
    line.setAttribute("x2", at(p[P.END_A], data.docs[a][D.BYTES]));
    line.setAttribute("y1", at(p[P.BEGIN_B], data.docs[b][D.BYTES]));
    line.setAttribute("y2", at(p[P.END_B], data.docs[b][D.BYTES]));
    svg.append(line);
  }
  return make("figure", { style: "margin:0" }, svg, make("figcaption", { class: "faint" },
    "Left to right: the first document; top to bottom: the second one. A line is a passage."));
}

/* The way through the list that a passage was opened from. */
function wayOf(row) {
  const list = kept();
  if (!list.has("list")) return null;
  const found = hits(list), at = found.findIndex(p => p[P.ROW] === row);
  const to = (p, name) => p ? make("a", { href: "#/" + hitAddress(p, list), "data-step": name,
    onclick: e => { e.preventDefault(); location.replace(e.currentTarget.hash); } }, name + " hit") : make("span", { class: "faint" }, name + " hit");
  return at < 0 ? null : make("p", { class: "way" }, to(found[at - 1], "previous"), " ", count(at + 1) + " of " + count(found.length), " ", to(found[at + 1], "next"));
}

function pairView(a, b, wanted) {
  const list = ofDocument[a].map(k => data.passages[k]).filter(p => p[P.A] === a && p[P.B] === b);
  setTimeout(() => { const e = document.getElementById("p" + wanted); if (e) { e.scrollIntoView(); e.focus({ preventScroll: true }); } });
  const title = make("h2", {}, link("doc/" + a, nameOf(a)), " ~ ", link("doc/" + b, nameOf(b)));
  if (!list.length) return [title, make("p", {}, "No passage of these two documents is on this page.")];
  return [title, wayOf(wanted),
    make("p", {}, "Share of the first document that the second one has: " + percent(...shareWith(a, b)) + "; share of the second one that the first one has: " +
      percent(...shareWith(b, a)) + ". " + counted(list.length, "passage", "passages") + ". ",
      make("span", { class: "faint" }, "Marked words have no match. Keys: n and p go to the next and previous passage" + (kept().has("list") ? " of the list." : ".") +
        (list.some(p => isCut(p, 0) || isCut(p, 1)) ? " Passages of long documents are shown by their beginning; pardup show --passage N prints one whole." : ""))),
    plot(a, b, list), growing(list, some => make("div", {}, some.map(p => passageView(p))))];
}

/* ---- families, and what was set aside ---- */

/* The text of a member, or of a passage that lies in it; empty if the page has neither. */
function memberText(d, begin, end) {
  const whole = slice(d, begin, end);
  if (whole !== null) return whole;
  for (const p of ofDocument[d].map(k => data.passages[k]))
    for (const side of [0, 1])
      if (p[P.A + side] === d && p[P.BEGIN_A + 2 * side] >= begin && p[P.END_A + 2 * side] <= end) return sideText(p, side);
  return "";
}

/* A row of the table of members: [document, its name, begin, end, whether it is linked with the first, date]. */
function memberRow(m, numberOf, open, dated) {
  const d = numberOf.get(m[0]);
  return [d === undefined ? shortName(m[1]) : [link("doc/" + d, nameOf(d)), make("div", { class: open ? "excerpt whole" : "excerpt" }, beginning(memberText(d, m[2], m[3]), 600))],
    ...(dated ? [m[5] || ""] : []), count(m[2]) + " to " + count(m[3]), m[4] ? "yes" : "by others"];
}

/* The members of a family, by date if one has a date; those without one come last. */
function membersTable(members, numberOf, open) {
  const dated = members.some(m => m[5]), all = dated ? [...members].sort((x, y) => (x[5] || "\uffff") < (y[5] || "\uffff") ? -1 : x[5] === y[5] ? 0 : 1) : members;
  return table([["Member", false], ...(dated ? [["Date", "s"]] : []), ["Bytes", "n"], ["Linked to the first", "s"]], all.map(m => memberRow(m, numberOf, open, dated)), "Members", "members");
}

/* The names of the first documents of a family. */
function firstNames(f) {
  const names = [...new Set(f.members.map(m => m[1]))];
  return names.slice(0, 2).map(shortName).join(", ") + (f.documents > 2 ? " …" : "");
}

/* `wanted`: the row of the only family that is shown until something is searched. */
function families(wanted) {
  const numberOf = new Map(data.docs.map((d, k) => [d[D.ROW], k]));
  if (!data.families.length) return [make("h2", {}, "Families"), make("p", {}, "This result has no families."), ...(data.kin.length ? kin(numberOf) : [])];
  const all = Number(new Map(data.summary).get("Families of passages"));
  const box = make("div", {});
  const search = keeping("q", make("input", { type: "search", id: "search", size: 24 }));
  const draw = () => {
    const words = search.value.toLowerCase();
    const found = data.families.filter(f => !words ? !onPage.has(wanted) || f.row === wanted : f.members.some(m => m[1].toLowerCase().includes(words)) ||
      (f.text || "").toLowerCase().includes(words));
    box.replaceChildren(make("p", { class: "faint" }, counted(found.length, "family", "families, best first"), onPage.has(wanted) && !words ? [" of ", link("families", count(data.families.length))] : []),
      growing(found, some => make("div", {}, some.map(f => make("details", { id: "f" + f.row, open: found.length === 1 },
        make("summary", {}, "Family " + count(f.row) + ": " + counted(f.size, "member", "members") + " in " + counted(f.documents, "document", "documents") + ", the longest of " + counted(f.words, "word", "words") +
          (f.first_date ? ", first " + f.first_date + " in " + shortName(f.first) : ", in " + firstNames(f)),
          make("span", { class: "excerpt" }, readable(f.text || ""))),
        membersTable(f.members, numberOf, found.length === 1),
        f.size > f.members.length ? make("p", { class: "faint" }, count(f.size - f.members.length) + " more: pardup report --family " + f.row + " writes a page with them.") : null)))));
    say(counted(found.length, "family", "families"));
  };
  search.addEventListener("input", draw);
  draw();
  return [make("h2", {}, "Families"),
    all > data.families.length ? make("p", { class: "faint" }, count(data.families.length) + " of " + count(all) + " families are on this page; pardup show --family N prints any of them.") : null,
    make("div", { class: "tools" }, make("label", {}, "Search ( / )", search),
    make("button", { type: "button", onclick: () => box.querySelectorAll("details").forEach(d => { d.open = false; }) }, "Close all")), box,
    ...(data.kin.length ? kin(numberOf) : [])];
}

/* Families of documents, below the families of passages. */
function kin(numberOf) {
  return [make("h2", {}, "Families of documents"), make("p", {}, "Documents that are near duplicates as wholes, the largest families first."),
    growing(data.kin, some => make("div", {}, some.map(f => make("details", { id: "k" + f.row },
      make("summary", {}, "Family " + count(f.row) + " of documents: " + counted(f.size, "document", "documents")),
      table([["Document", false], ["", false]], f.members.map(m => [
        numberOf.has(m[0]) ? link("doc/" + numberOf.get(m[0]), nameOf(numberOf.get(m[0]))) : shortName(m[1]), m[0] === f.representative ? "representative" : ""])),
      f.size > f.members.length ? make("p", { class: "faint" }, count(f.size - f.members.length) + " more: pardup show --document-family " + f.row + " lists them.") : null))), "k")];
}

/* The rows of a table of what was set aside, most frequent first; the page has the first ones of `all`. */
const listed = (rows, all, many, where) => rows.length ? [
  make("p", { class: "faint" }, rows.length < all ? "The " + count(rows.length) + " most frequent of " + count(all) + "." : "Most frequent first."),
  table([[many, "n"], [where, false], ["Text", false]], rows.map(([n, name, text]) => [count(n), shortName(name), make("bdi", {}, readable(text))]), where, "asides")]
  : [make("p", {}, "None.")];

function aside() {
  const facts = data.aside;
  return [make("h2", {}, "Common text"),
    facts.max_df ? make("p", {}, "Text that more than " + count(facts.max_df) + " documents have (--max-df). " + (facts.common === "first"
      ? "It is matched with the first of them only." : "It is matched with nothing.")) : null,
    ...listed(data.common, facts.commons, "Documents", "First in"),
    make("h2", {}, "Templates"), make("p", {}, "Text that many documents of one site, or letters of one sender, share, or many sites at the ends of their documents: menus, footers, signatures. It is matched with nothing."),
    ...listed(data.templates.map(([n, name, text]) => [n, name || "many sites", text]), facts.templates, "Documents", "Site"),
    facts.links ? make("p", {}, counted(facts.links, "sentence", "sentences") + " in lists of links were set aside, too, and are not listed.") : null,
    facts.frame ? make("p", {}, counted(facts.frame, "sentence", "sentences") + " in menus and other frames of pages were left out before, and are not listed.") : null];
}

/* ---- which view ---- */

function show() {
  const [view, ...rest] = location.hash.split("?")[0].replace(/^#\/?/, "").split("/"), numbers = rest.map(Number);
  const known = d => Number.isInteger(d) && d >= 0 && d < data.docs.length;
  const views = { passages, documents, families, aside };
  let content;
  if (view === "doc" && known(numbers[0])) content = documentView(numbers[0]);
  else if (view === "pair" && known(numbers[0]) && known(numbers[1])) content = pairView(...numbers);
  else if (views[view]) content = views[view](numbers[0]);
  else if (view === "" && data.start) { location.replace("#/" + data.start); return; }
  else content = overview();
  main.replaceChildren(...content.flat().filter(c => c));
  const tab = view === "doc" ? "documents" : view === "pair" ? "passages" : views[view] ? view : "overview";
  for (const a of document.querySelectorAll("nav a"))
    if (a.dataset.view === tab) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
  window.scrollTo(0, 0);
  const title = main.querySelector("h2").textContent;
  document.title = view === "" || title === data.title ? data.title : title + " - " + data.title;
  say(title);
}

/* Another view: the keyboard goes on from its beginning, or where a list was left. */
function turn() {
  show();
  if (!comeBack()) main.focus({ preventScroll: true });
}

/* Go to the row that was left, if the address has one. */
function comeBack() {
  const at = kept().get("at"), row = [...main.querySelectorAll("[data-at]")].find(r => r.dataset.at === at);
  if (row && row.tagName === "DETAILS") row.open = true;
  if (row) row.scrollIntoView({ block: "center" });
  row?.querySelector("a, summary")?.focus({ preventScroll: true });
  return row !== undefined;
}

/* A list remembers the row in which a link leads away. */
main.addEventListener("click", e => {
  const row = e.target.closest("a") && e.target.closest("[data-at]");
  if (row) keep({ at: row.dataset.at });
});

/*
 * The next or previous hit of the list that a passage was opened from; in other views the next or previous passage, marked
 * place or row, from where the focus is. Hits take each other's place, so that Back leads to the list.
 */
function go(step) {
  const way = main.querySelector(".way");
  if (way) {
    const to = way.querySelector(step > 0 ? "[data-step=next]" : "[data-step=previous]");
    if (to) location.replace(to.hash);
    else document.getElementById("p" + location.hash.split("?")[0].split("/").pop())?.focus();
    return;
  }
  const some = main.querySelectorAll(".passage, mark");
  const places = [...(some.length ? some : main.querySelectorAll("[data-at] td:first-child a, [data-at] > summary"))];
  if (!places.length) return;
  const at = places.findIndex(e => e === document.activeElement);
  const next = places[at < 0 ? 0 : Math.max(0, Math.min(places.length - 1, at + step))];
  next.scrollIntoView({ block: next.matches(".passage") ? "start" : "center" });
  next.focus({ preventScroll: true });
}

document.getElementById("title").textContent = data.title;
document.body.classList.toggle("code", data.code); /* texts are programs */
if (data.note) document.querySelector("header").append(make("p", { role: "note", class: "faint" }, data.note)); /* every view counts in the sample */
addEventListener("hashchange", turn);
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "Escape") { document.activeElement.blur(); return; }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  if (e.key === "/") { const s = document.getElementById("search"); if (s) { e.preventDefault(); s.focus(); } }
  if (e.key === "n") go(1);
  if (e.key === "p") go(-1);
});
history.scrollRestoration = "manual";
show();
comeBack();
setTimeout(makeSought, 0, 0);
