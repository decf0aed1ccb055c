# Read results of pardup: passages, documents and families as data frames, and the text of a passage.
#
#   source("pardup.R")
#   passages <- pardup_passages("out.h5")     # with the ids of both documents
#   pardup_passage_text("out.h5", 1)          # of row 1, the first one
#
# Needs hdf5r. R counts rows from 1, but pardup counts documents and families from 0: doc_a, doc_b, doc, family and
# file stay as they are in the file. Hashes of 64 bits are rounded.
# Texts are read from the input files of the job, without the program: plain text in UTF-8, and JSON lines with
# jsonlite, not packed. Texts of other formats are what `pardup text --doc ID INPUT` prints.

pardup_with <- function(path, action) {
  file <- hdf5r::H5File$new(path, mode = "r")
  on.exit(file$close_all())
  action(file)
}

pardup_read <- function(file, table) {
  group <- file[[table]]
  columns <- lapply(names(group), function(name) {
    column <- group[[name]]$read()
    if (inherits(column, "integer64")) column <- suppressWarnings(as.double(column))
    if (is.character(column)) Encoding(column) <- "UTF-8"
    column
  })
  names(columns) <- names(group)
  as.data.frame(columns, stringsAsFactors = FALSE)
}

# A whole table, such as "pairs"; docs/result-file.md lists tables and columns.
pardup_table <- function(path, table) pardup_with(path, function(file) pardup_read(file, table))

# /passages with id_a and id_b.
pardup_passages <- function(path) pardup_with(path, function(file) {
  rows <- pardup_read(file, "passages")
  documents <- pardup_read(file, "documents")
  sources <- if (file$exists("sources")) pardup_read(file, "sources") else documents
  cbind(id_a = documents$id[rows$doc_a + 1], id_b = sources$id[rows$doc_b + 1], rows)
})

# /documents with the path of each document's file.
pardup_documents <- function(path) pardup_with(path, function(file) {
  rows <- pardup_read(file, "documents")
  cbind(rows, path = pardup_read(file, "files")$path[rows$file + 1])
})

# Places that are copies of one text: /members with the id of each document and the size of its family.
# In a result of check a place may be in a source: then doc is -1, and source is a row of /sources.
pardup_families <- function(path) pardup_with(path, function(file) {
  rows <- pardup_read(file, "members")
  families <- pardup_read(file, "families")[rows$family + 1, c("members", "words")]
  ids <- ifelse(rows$doc >= 0, pardup_read(file, "documents")$id[pmax(rows$doc, 0) + 1],
                if (file$exists("sources")) pardup_read(file, "sources")$id[pmax(rows$source, 0) + 1])
  cbind(id = ids, rows, families, row.names = NULL)
})

pardup_record <- function(path, offset, length) {
  stored <- file(path, "rb")
  on.exit(close(stored))
  seek(stored, offset)
  readBin(stored, "raw", length)
}

# The text of a document, a row of /documents or /sources counted from 0, as raw bytes: offsets count in them.
pardup_text <- function(path, document, table = "documents") pardup_with(path, function(file) {
  row <- pardup_read(file, table)[document + 1, ]
  files <- pardup_read(file, if (table == "sources") "source_files" else "files")
  from <- files$path[row$file + 1]
  if (!startsWith(from, "/")) from <- file.path(hdf5r::h5attr(file, "directory"), from)
  text <- pardup_record(from, row$offset + row$skip, row$length)
  if (length(text) != row$text_bytes && length(text) > 0 && text[1] == charToRaw("{")) {
    value <- jsonlite::fromJSON(rawToChar(text), simplifyVector = FALSE)
    for (name in strsplit(hdf5r::h5attr(file, "text_field"), ".", fixed = TRUE)[[1]]) value <- value[[name]]
    text <- charToRaw(enc2utf8(value))
  }
  if (length(text) != row$text_bytes)
    stop(from, ": neither plain text nor JSON lines, or packed, or it has changed: ask pardup text --doc ID")
  text
})

# The texts of a passage, a row of /passages counted from 1, in both documents.
pardup_passage_text <- function(path, passage) {
  row <- pardup_table(path, "passages")[passage, ]
  checked <- pardup_with(path, function(file) file$exists("sources"))
  side <- function(document, begin, end, table) {
    text <- rawToChar(pardup_text(path, document, table)[seq(begin + 1, length.out = end - begin)])
    Encoding(text) <- "UTF-8"
    text
  }
  c(side(row$doc_a, row$begin_a, row$end_a, "documents"),
    side(row$doc_b, row$begin_b, row$end_b, if (checked) "sources" else "documents"))
}
