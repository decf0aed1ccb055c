# Find partial duplicates from R, and read results: passages, documents and families as data frames.
#
#   source("pardup.R")
#   result <- pardup_detect("texts/", "out.h5")      # a folder, files, or texts that are in memory
#   passages <- pardup_passages(result, text = TRUE) # with the ids of both documents
#   pardup_passage_text("out.h5", 1)                 # of row 1, the first one
#   index <- pardup_index(texts, "my.index")
#   answers <- pardup_check(index, c("a text", "another text"))
#
# The program `pardup` does the work; PARDUP names it, else it lies beside this file, as in bin/ and share/pardup/, or in
# PATH. Needs hdf5r, and jsonlite for metadata and for texts that are in memory. `texts` are files and folders, which all
# exist, or a character vector of texts (its names are their ids), or a data frame with the column text, the column id and
# further ones, which become metadata. Options of the command line are arguments: --max-df 10 is max_df = 10,
# --reproducible is reproducible = TRUE, and --keep-fields date,author is keep_fields = c("date", "author"). A failure of
# the program is an error with its error line.
#
# R counts rows from 1, but pardup counts documents and families from 0: doc_a, doc_b, doc, family and file stay as they
# are in the file. Hashes of 64 bits are rounded.

# ---- running the program ----

pardup_file <- local({ # this file, while it is read by source()
  files <- Filter(Negate(is.null), lapply(sys.frames(), function(frame) frame$ofile))
  if (length(files)) normalizePath(files[[length(files)]]) else ""
})

pardup_program <- function() {
  named <- Sys.getenv("PARDUP")
  beside <- file.path(dirname(dirname(dirname(pardup_file))), "bin", "pardup")
  if (nzchar(named)) named
  else if (nzchar(pardup_file) && file.exists(beside)) beside
  else if (nzchar(Sys.which("pardup"))) unname(Sys.which("pardup"))
  else stop("the program pardup is not there: install it, or name it in PARDUP", call. = FALSE)
}

# Named options as words of a command line.
pardup_words <- function(options) {
  repeated <- c("against", "exclude", "ignore", "include", "known") # given once for each value
  unlist(lapply(names(options), function(name) {
    value <- options[[name]]
    option <- paste0("--", gsub("_", "-", name))
    if (is.null(value) || identical(value, FALSE)) NULL
    else if (identical(value, TRUE)) option
    else if (name %in% repeated) paste0(option, "=", value)
    else if (is.numeric(value)) paste0(option, "=", paste(format(value, scientific = FALSE, trim = TRUE, digits = 15), collapse = ","))
    else paste0(option, "=", paste(value, collapse = ","))
  }))
}

pardup_stop <- function(lines) {
  errors <- sub("^pardup: error: ", "", grep("^pardup: error: ", lines, value = TRUE))
  stop(paste(if (length(errors)) errors else utils::tail(c("pardup has failed", lines), 1), collapse = "\n"), call. = FALSE)
}

# Run a job; its lines are messages.
pardup_run <- function(words, quiet) {
  command <- paste(shQuote(c(pardup_program(), words[1], if (quiet) "--quiet", words[-1])), collapse = " ")
  job <- pipe(paste("exec", command, "2>&1 >/dev/null </dev/null"), "r")
  lines <- character()
  while (length(line <- readLines(job, 1, warn = FALSE))) {
    Encoding(line) <- "UTF-8"
    lines <- c(lines, line)
    if (!quiet && !startsWith(line, "pardup: error: ")) message(line)
  }
  status <- close(job)
  if (!is.null(status) && status != 0) pardup_stop(lines)
}

# Run the program in a folder. Returns what it prints, as raw bytes.
pardup_ask <- function(words, folder = ".", input = "") {
  out <- tempfile()
  err <- tempfile()
  on.exit(unlink(c(out, err)))
  before <- setwd(folder)
  on.exit(setwd(before), add = TRUE)
  status <- system2(pardup_program(), shQuote(words), stdout = out, stderr = err, stdin = input)
  if (status != 0) pardup_stop(readLines(err, warn = FALSE))
  readBin(out, "raw", file.size(out))
}

# ---- texts ----

pardup_are_paths <- function(texts) {
  if (!is.character(texts) || length(texts) == 0 || !is.null(names(texts))) return(FALSE)
  there <- file.exists(texts)
  if (all(there)) return(TRUE)
  missing <- texts[!there][1]
  if (grepl("^[!-~]*[./][!-~]*$", missing, perl = TRUE)) stop(missing, ": no such file or folder", call. = FALSE)
  if (any(there))
    stop(texts[there][1], " is a file, but \"", substr(missing, 1, 60), "\" is none: paths and texts do not go into one vector",
         call. = FALSE)
  FALSE
}

# Texts as a data frame with id and text.
pardup_rows <- function(texts, id_field = "id", text_field = "text") {
  if (!is.data.frame(texts)) {
    ids <- if (is.null(names(texts))) seq_along(texts) - 1 else names(texts)
    texts <- data.frame(id = as.character(ids), text = as.character(texts), stringsAsFactors = FALSE)
    names(texts) <- c(id_field, text_field)
  }
  if (!text_field %in% names(texts))
    stop("no column ", text_field, " in the data frame: name it in text_field", call. = FALSE)
  if (!id_field %in% names(texts)) texts[[id_field]] <- as.character(seq_len(nrow(texts)) - 1)
  texts
}

pardup_write <- function(rows, path) {
  out <- file(path, "wb")
  on.exit(close(out))
  jsonlite::stream_out(rows, out, verbose = FALSE, digits = NA)
}

pardup_beside <- function(output, end) paste0(sub("[.][^./]*$", "", output), end)

# Run a job whose inputs are `texts`; those in memory are written to a file beside the output.
pardup_job <- function(command, texts, output, end, options, quiet, metadata = FALSE) {
  written <- NULL
  if (!pardup_are_paths(texts)) {
    fields <- c(options$id_field %or% "id", options$text_field %or% "text")
    rows <- pardup_rows(texts, fields[1], fields[2])
    written <- pardup_beside(output, end)
    pardup_write(rows, written)
    kept <- setdiff(names(rows), c(fields, options$url_field %or% "url", options$site_field))
    if (metadata && length(kept) && is.null(options$keep_fields)) options$keep_fields <- kept
    texts <- normalizePath(written)
  }
  tryCatch(pardup_run(c(command, paste0("--output=", output), pardup_words(options), "--", texts), quiet),
           error = function(reason) {
             unlink(written)
             stop(reason)
           })
}

`%or%` <- function(value, other) if (is.null(value)) other else value

# Find the passages that texts share. Returns the path of the result. Texts in memory are kept beside it, as OUTPUT without
# its ending and with .texts.jsonl.
pardup_detect <- function(texts, output = tempfile(fileext = ".h5"), preset = NULL, ranks = NULL, quiet = FALSE, ...) {
  options <- list(preset = preset, ranks = ranks, ...)
  pardup_job("detect", texts, output, ".texts.jsonl", options, quiet, metadata = TRUE)
  normalizePath(output)
}

# Write the collection of a result without its copies to a folder. Returns the folder.
pardup_dedup <- function(path, output, quiet = FALSE, ...) {
  pardup_run(c("dedup", paste0("--output=", output), pardup_words(list(...)), "--", path), quiet)
  normalizePath(output)
}

# Make an index of sources in a folder, or add to it (add = TRUE). Returns the folder. Texts in memory are kept beside it,
# as OUTPUT without its ending and with .sources.jsonl.
pardup_index <- function(texts, output, preset = NULL, ranks = NULL, quiet = FALSE, ...) {
  options <- list(preset = preset, ranks = ranks, ...)
  end <- ".sources.jsonl"
  k <- 1
  while (isTRUE(options$add) && file.exists(pardup_beside(output, end))) {
    k <- k + 1
    end <- paste0(".sources-", k, ".jsonl")
  }
  pardup_job("index", texts, output, end, options, quiet)
  normalizePath(output)
}

# What each text (not a file) shares with the sources of an index: a list of answers, as docs/queries.md has them. All
# texts of a call go through one process.
pardup_check <- function(index, texts, ...) {
  lines <- tempfile()
  on.exit(unlink(lines))
  rows <- pardup_rows(texts)
  pardup_write(rows[c("id", "text", intersect("url", names(rows)))], lines)
  printed <- pardup_ask(c("check", "--quiet", paste0("--index=", index), "--stdin", pardup_words(list(...))), input = lines)
  answers <- strsplit(rawToChar(printed), "\n", fixed = TRUE)[[1]]
  Encoding(answers) <- "UTF-8"
  answers <- lapply(answers, jsonlite::fromJSON)
  names(answers) <- rows$id
  wrong <- Filter(function(answer) !is.null(answer$error), answers)
  if (length(wrong)) stop("text ", names(wrong)[1], ": ", wrong[[1]]$error, call. = FALSE)
  answers
}

# ---- results ----

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

# The metadata of documents as a data frame with a column for each field; NA where a document has no such field.
pardup_fields <- function(meta) {
  parsed <- lapply(meta, function(text) if (nzchar(text)) jsonlite::fromJSON(text) else list())
  fields <- unique(unlist(lapply(parsed, names)))
  columns <- lapply(fields, function(field) {
    values <- lapply(parsed, function(row) row[[field]] %or% NA)
    if (all(lengths(values) == 1)) unlist(values) else I(values)
  })
  names(columns) <- fields
  as.data.frame(columns, stringsAsFactors = FALSE, optional = TRUE, row.names = seq_along(meta))
}

# /passages with id_a and id_b; with text_a and text_b; with the metadata of both documents as FIELD_a, FIELD_b.
pardup_passages <- function(path, text = FALSE, meta = FALSE) {
  found <- pardup_with(path, function(file) {
    rows <- pardup_read(file, "passages")
    documents <- pardup_read(file, "documents")
    checked <- file$exists("sources")
    sources <- if (checked) pardup_read(file, "sources") else documents
    of <- function(side, rows) {
      fields <- pardup_fields(documents$meta)[rows, , drop = FALSE]
      names(fields) <- if (length(fields)) paste0(names(fields), side)
      fields
    }
    kept <- cbind(id_a = documents$id[rows$doc_a + 1], id_b = sources$id[rows$doc_b + 1], rows)
    if (meta) kept <- cbind(kept, of("_a", rows$doc_a + 1), if (!checked) of("_b", rows$doc_b + 1), row.names = NULL)
    list(rows = kept, folder = pardup_directory(file))
  })
  if (!text) return(found$rows)
  words <- c("export", "--quiet", "--format=jsonl", "--text=1000000000", normalizePath(path))
  lines <- strsplit(rawToChar(pardup_ask(words, found$folder)), "\n", fixed = TRUE)[[1]]
  Encoding(lines) <- "UTF-8"
  printed <- lapply(lines, jsonlite::fromJSON)
  for (column in c("text_a", "text_b")) found$rows[[column]] <- vapply(printed, `[[`, "", column)
  found$rows
}

# /documents with the path of each document's file, and a column for each field of the metadata. A field that has the name
# of another column is meta_NAME.
pardup_documents <- function(path) pardup_with(path, function(file) {
  rows <- pardup_read(file, "documents")
  rows$path <- pardup_read(file, "files")$path[rows$file + 1]
  if (!any(nzchar(rows$meta))) return(rows[names(rows) != "meta"])
  fields <- pardup_fields(rows$meta)
  rows <- rows[names(rows) != "meta"]
  taken <- names(fields) %in% names(rows)
  names(fields)[taken] <- paste0("meta_", names(fields)[taken])
  cbind(rows, fields)
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

# The folder that paths are meant from.
pardup_directory <- function(file) {
  folder <- if ("directory" %in% hdf5r::h5attr_names(file)) hdf5r::h5attr(file, "directory") else "."
  if (dir.exists(folder)) folder else "."
}

pardup_record <- function(path, offset, length) {
  stored <- file(path, "rb")
  on.exit(close(stored))
  seek(stored, offset)
  readBin(stored, "raw", length)
}

# The text of a document that is plain text or a JSON line, not packed; NULL: it is not, or it has changed.
pardup_stored_text <- function(file, row, from) tryCatch({
  text <- suppressWarnings(pardup_record(from, row$offset + row$skip, row$length))
  if (length(text) != row$text_bytes && length(text) > 0 && text[1] == charToRaw("{")) {
    value <- jsonlite::fromJSON(rawToChar(text), simplifyVector = FALSE)
    for (name in strsplit(hdf5r::h5attr(file, "text_field"), ".", fixed = TRUE)[[1]]) value <- value[[name]]
    text <- charToRaw(enc2utf8(value))
  }
  if (length(text) == row$text_bytes) text
}, error = function(reason) NULL)

# The text of a document, a row of /documents or /sources counted from 0, as raw bytes: offsets count in them. Plain texts
# and JSON lines are read here; of other formats it is what `pardup text` prints.
pardup_text <- function(path, document, table = "documents") pardup_with(path, function(file) {
  row <- pardup_read(file, table)[document + 1, ]
  files <- pardup_read(file, if (table == "sources") "source_files" else "files")
  from <- files$path[row$file + 1]
  folder <- pardup_directory(file)
  stored <- pardup_stored_text(file, row, if (startsWith(from, "/")) from else file.path(folder, from))
  if (!is.null(stored)) return(stored)
  names <- intersect(c("format", "id_field", "text_field", "content", "max_document"), hdf5r::h5attr_names(file))
  options <- lapply(stats::setNames(names, names), function(name) as.character(hdf5r::h5attr(file, name)))
  options <- Filter(function(value) !value %in% c("", "auto"), options)
  printed <- pardup_ask(c("text", "--quiet", paste0("--doc=", row$id), pardup_words(options), "--", from), folder)
  if (!(length(printed) - row$text_bytes) %in% 0:1) stop(from, ": the text of ", row$id, " has changed since the job", call. = FALSE)
  utils::head(printed, row$text_bytes)
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
