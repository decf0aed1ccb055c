#!/usr/bin/env python3
"""Files as real collections have them, each with something odd: neighbours of what the program once got wrong.

usage: odd_files.py FOLDER      makes the files; prints a line a file: name, exit status of `pardup text`, texts that
                                it prints, texts that it says on standard error (between | ; - for none; !TEXT: absent)
"""
import gzip
import os
import sys
import zlib

ONE, TWO = "Alpha one is here.", "Beta two is here."
PAGE = "<html><head><title>t</title></head><body><p>%s</p></body></html>"


def trec(id_, text):
    return f"<DOC>\n<DOCNO>{id_}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n"


def wide():
    """UTF-16 and UTF-32 without a mark; JSON in them."""
    accented = "Le café est prêt. Où êtes-vous?\n"
    chinese = "这是中文文本。这是测试。今天天气很好，我们去公园吧。" * 3
    for form in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        yield f"{form}.txt", accented.encode(form), 0, accented.strip(), "-"
        yield f"{form}-chinese.txt", chinese.encode(form), 0, chinese, "-"
        yield f"{form}.html", (PAGE % accented).encode(form), 0, "Le café|!<p>", "-"
        for mark in ("", "\ufeff"):
            yield (f"{form}{len(mark)}.jsonl", (mark + '{"id":"a","text":"One."}\n').encode(form), 1, "-",
                   "JSON in UTF-16 or UTF-32, which pardup does not read: convert it to UTF-8")
    yield "numbers.bin", b"".join(k.to_bytes(2, "little") for k in range(3000)), 1, "-", "no text"


def sgml():
    """TREC's SGML in other ways: all of a file's documents are read, and no tag is text."""
    two, both = trec("A1", ONE) + trec("A2", TWO), f"==> A1 <==|{ONE}|==> A2 <==|{TWO}|!TEXT|!<"
    both = both.rsplit("|", 1)[0]
    yield "line.trec", " ".join(two.split("\n")), 0, both, "!garbage"
    yield "indented.trec", "  " + two.replace("\n", "\n  "), 0, both, "!garbage"
    yield "mixed.trec", two.replace("</DOC>", "</doc>").replace("</DOCNO>", "</DocNo>"), 0, both, "!skipped"
    yield "no-end.trec", two.replace("</DOC>\n", ""), 0, both, "!skipped"
    yield "around.trec", "<docs>\n" + two + "</docs>\n", 0, both, "!skipped"
    yield "around.xml", '<?xml version="1.0"?>\n<root>\n' + two + "</root>\n", 0, both, "!skipped"
    yield "docid.trec", f'<DOC docid="A1">\n<TEXT>\n{ONE}\n</TEXT>\n</DOC>\n' + trec("A2", TWO), 0, both, "-"
    yield "no-docno.trec", two.replace("<DOCNO>A1</DOCNO>\n", ""), 0, f"no-docno.trec:0|{ONE}|==> A2 <==", "-"


def json():
    """JSON lines that are not quite sound."""
    sound = '{"id":"ok","text":"Fine."}\n'
    yield "commas.jsonl", f'{{"id":"a","v":[1,],"text":"{ONE}",}}\n' + sound, 0, f"==> a <==|{ONE}|Fine.", "!skipped"
    yield "joined.jsonl", sound + "\ufeff" + f'{{"id":"a","text":"{ONE}"}}\n', 0, f"==> a <==|{ONE}", "!skipped"
    yield "list.jsonl", f'{{"id":"a","text":["{ONE}"]}}\n' + sound, 0, "Fine.", "is a list, not a string: jq"
    yield ("two.jsonl", sound + sound.strip() + sound, 0, "Fine.",
           "byte 27: more than one object in the line: --format json reads such files")
    yield "first.jsonl", "# a comment\n" + sound, 0, "Fine.|!comment", "first.jsonl: byte 0: "
    yield "quoted.jsonl", '"a line"\n["another one"]\n', 0, "a line", "-"


def tables():
    """Tables with names in other letters."""
    told = "has columns in other letters"
    yield "names.csv", f'ID,Text\na,"{ONE}"\nb,{TWO}\n', 0, f"==> a <==|{ONE}|==> b <==|{TWO}|!ID", told
    yield "blank.csv", f'Id, TEXT \na,"{ONE}"\nb,{TWO}\n', 0, f"==> a <==|{ONE}|!Id", told
    yield "several.csv", f"Text,TEXT\na,{ONE}\nb,{TWO}\n", 0, f"Text,TEXT|a,{ONE}", "!" + told
    yield "exact.csv", f"Text,text\na,{ONE}\nb,{TWO}\n", 0, f"{ONE}|!a,", "!" + told


KINDS = (wide, sgml, json, tables)


def main():
    folder = sys.argv[1]
    for kind in KINDS:
        for name, data, status, prints, says in kind():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data.encode() if isinstance(data, str) else data)
            print(name, status, prints.replace("\n", " "), says, sep="\t")


if __name__ == "__main__":
    main()
