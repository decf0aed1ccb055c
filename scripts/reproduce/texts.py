"""The documents of a collection as pardup sees them; for the scripts of this folder."""

import json
import os
import subprocess

PARDUP = os.environ["PARDUP"]


class Document:
    """An id, the text in bytes, and where each sentence begins in it."""

    def __init__(self, name):
        self.name = name
        self.text = b""
        self.begins = []

    def excerpt(self, first, count):
        """The text of `count` sentences from number `first` on, with what stands between them."""
        bounds = self.begins + [len(self.text)]
        return self.text[bounds[first]:bounds[first + count]].decode().strip()


def read_documents(arguments, units):
    """The documents with sentences; arguments are inputs and options of pardup."""
    documents = []
    with subprocess.Popen([PARDUP, "sentences", "--offsets", "--units", units, *arguments],
                          stdout=subprocess.PIPE) as sentences:
        row = None
        for line in sentences.stdout:
            sentence = json.loads(line)
            if sentence["row"] != row:
                row = sentence["row"]
                documents.append(Document(sentence["doc"]))
            documents[-1].begins.append(sentence["begin"])
    if sentences.returncode:
        raise SystemExit(sentences.returncode)
    add_texts(documents, arguments)
    return documents


def add_texts(documents, arguments):
    """Cut what `pardup text` prints at the heads of the documents, which are known."""
    printed = subprocess.run([PARDUP, "text", *arguments], check=True, stdout=subprocess.PIPE).stdout
    begin = 0
    for k, document in enumerate(documents):
        head = f"==> {document.name} <==\n".encode()
        begin = printed.index(head, begin) + len(head)
        end = printed.find(b"\n==> ", begin + document.begins[-1]) + 1
        document.text = printed[begin:end or len(printed)].rstrip(b"\n")
        begin = end or len(printed)


def write_lines(path, documents):
    """JSON lines of (id, text)."""
    with open(path, "w", encoding="utf-8") as out:
        for name, text in documents:
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
