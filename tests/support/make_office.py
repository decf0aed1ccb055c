"""Small docx, odt, pptx, epub and ipynb files, made with zipfile alone.

office.docx(path, paragraphs, notes=(), **properties) and so on; a paragraph is a text, in which a tab
and a line end become the format's own elements. bomb(path) is a docx whose text is all too large.
"""
import json
import zipfile
from xml.sax.saxutils import escape

DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
PKG = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def write(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in parts:
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            z.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text, kind)


def relations(*rows):
    return DECLARED + f"<Relationships {PKG}>" + "".join(
        f'<Relationship Id="{i}" Type="{t}" Target="{to}"/>' for i, t, to in rows) + "</Relationships>"


def core(title="", author="", date=""):
    return (DECLARED + '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t">'
            f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>"
            f"<dcterms:created>{date}</dcterms:created></cp:coreProperties>")


def w_run(text):
    """A run, with words cut over two elements as Word does at changes of spelling."""
    out = ""
    for line_k, line in enumerate(text.split("\n")):
        out += "<w:r><w:br/></w:r>" if line_k else ""
        for k, piece in enumerate(line.split("\t")):
            half = len(piece) // 2
            out += "<w:r><w:tab/></w:r>" if k else ""
            for part in piece[:half], piece[half:]:
                out += f'<w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">{escape(part)}</w:t></w:r>'
    return out


def docx(path, paragraphs, notes=(), extra="", **properties):
    body = "".join(f'<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr>{w_run(p)}</w:p>' for p in paragraphs)
    foot = "".join(f'<w:footnote w:id="{k}"><w:p>{w_run(n)}</w:p></w:footnote>' for k, n in enumerate(notes))
    write(path, [("[Content_Types].xml", DECLARED + "<Types/>"),
                 ("_rels/.rels", relations(("rId1", TYPE, "word/document.xml"))),
                 ("word/document.xml", DECLARED + f"<w:document {W}><w:body>{body}{extra}</w:body></w:document>"),
                 ("word/footnotes.xml", DECLARED + f"<w:footnotes {W}>{foot}</w:footnotes>"),
                 ("word/styles.xml", DECLARED + f"<w:styles {W}><w:t>NOT TEXT</w:t></w:styles>"),
                 ("docProps/core.xml", core(**properties))])


def odt(path, paragraphs, notes=(), extra="", **properties):
    def inline(text):
        return escape(text).replace("\t", "<text:tab/>").replace("\n", "<text:line-break/>").replace("  ", ' <text:s text:c="1"/>')
    note = "".join(f'<text:note><text:note-citation>{k}</text:note-citation><text:note-body><text:p>{inline(n)}</text:p></text:note-body></text:note>'
                   for k, n in enumerate(notes))
    body = ""
    for k, p in enumerate(paragraphs):
        head, _, rest = p.partition(" ")
        tag = "h" if k == 0 else "p"
        body += f"<text:{tag}><text:span>{inline(head)}</text:span>{note if k == 0 else ''}{' ' if rest else ''}{inline(rest)}</text:{tag}>"
    meta = (f'<dc:title>{escape(properties.get("title", ""))}</dc:title><meta:initial-creator>{escape(properties.get("author", ""))}</meta:initial-creator>'
            f'<meta:creation-date>{properties.get("date", "")}</meta:creation-date>')
    write(path, [("mimetype", "application/vnd.oasis.opendocument.text"),
                 ("content.xml", DECLARED + '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text>'
                  f"{body}{extra}</office:text></office:body></office:document-content>"),
                 ("meta.xml", DECLARED + f'<office:document-meta xmlns:dc="d" xmlns:meta="m"><office:meta>{meta}</office:meta></office:document-meta>')])


def pptx(path, slides, **properties):
    """Slides are stored in reverse, so that only the list of the presentation has their order."""
    n = len(slides)
    parts = [("_rels/.rels", relations(("rId1", TYPE, "ppt/presentation.xml"))),
             ("ppt/presentation.xml", DECLARED + f'<p:presentation xmlns:p="p" {R}><p:sldIdLst>'
              + "".join(f'<p:sldId id="{256 + k}" r:id="rId{k + 1}"/>' for k in range(n)) + "</p:sldIdLst></p:presentation>"),
             ("ppt/_rels/presentation.xml.rels", relations(*((f"rId{k + 1}", "slide", f"slides/slide{n - k}.xml") for k in range(n)))),
             ("docProps/core.xml", core(**properties))]
    parts += [(f"ppt/slides/slide{n - k}.xml", DECLARED + '<p:sld xmlns:p="p" xmlns:a="a"><p:txBody>'
               + "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in slide.split("\n")) + "</p:txBody></p:sld>")
              for k, slide in enumerate(slides)]
    write(path, parts)


def epub(path, chapters, title="", author="", date=""):
    """Chapters lie in another order than the spine's, and their names have a blank."""
    n = len(chapters)
    items = "".join(f'<item href="text/ch%20{n - k}.xhtml" id="c{k}" media-type="application/xhtml+xml"/>' for k in range(n))
    write(path, [("mimetype", "application/epub+zip"),
                 ("META-INF/container.xml", DECLARED + '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="x"/></rootfiles></container>'),
                 ("OEBPS/book.opf", DECLARED + f'<package xmlns:dc="d"><metadata><dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>'
                  f"<dc:date>{date}</dc:date></metadata><manifest>{items}</manifest><spine>"
                  + "".join(f'<itemref idref="c{k}"/>' for k in range(n)) + "</spine></package>")]
          + [(f"OEBPS/text/ch {n - k}.xhtml", DECLARED + '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>NOT TEXT</title></head><body>'
              + "".join(f"<p>{escape(p)}</p>" for p in c.split("\n")) + "</body></html>") for k, c in enumerate(chapters)])


def ipynb(path, cells):
    body = [{"cell_type": "markdown" if k % 2 == 0 else "code", "metadata": {}, "source": c if k % 2 else c.splitlines(True),
             "outputs": [{"text": ["NOT TEXT"]}]} for k, c in enumerate(cells)]
    with open(path, "w") as f:
        json.dump({"cells": body, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, f, indent=1)


def pdf(path, lines):
    """One page with a line of text a row."""
    text = "BT /F1 10 Tf 40 780 Td 12 TL " + " ".join("(%s) Tj T*" % l.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") for l in lines) + " ET"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
               f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    out, places = "%PDF-1.4\n", []
    for k, body in enumerate(objects):
        places.append(len(out))
        out += f"{k + 1} 0 obj\n{body}\nendobj\n"
    xref = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join("%010d 00000 n \n" % p for p in places)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n"
    with open(path, "w") as f:
        f.write(out)


def bomb(path, mebibytes=80):
    docx(path, [], extra="<w:p><w:r><w:t>" + "a " * (mebibytes << 19) + "</w:t></w:r></w:p>")
