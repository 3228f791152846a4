#!/usr/bin/env Rscript
# Figures of a zine catalogue, from its table of zines: Rscript figures.R https://catalogue.example
#
# Zines of each decade, place, language and number of pages, subjects that occur together, and how many zines lack
# a field. Needs R alone (Debian: r-base-core).

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("give the address of a catalogue: https://catalogue.example")
address <- sub("/+$", "", arguments[1])

# Everything is text: a number of pages may be "24 unnumbered pages".
zines <- read.csv(paste0(address, "/api/export/zines/?format=csv"),
                  colClasses = "character", encoding = "UTF-8", na.strings = character())

# The values of each cell. `|` is between them; `\|` and `\\` are these characters themselves.
values <- function(cells) {
  cells <- gsub("\\\\", "\001", cells, fixed = TRUE)
  cells <- gsub("\\|", "\002", cells, fixed = TRUE)
  lapply(strsplit(cells, "|", fixed = TRUE), function(parts)
    chartr("\001\002", "\\|", parts))
}

# How often each value occurs, most first, equal ones by name.
count <- function(all) {
  counted <- table(unlist(all))
  counted <- data.frame(value = names(counted), zines = as.integer(counted))
  counted[order(-counted$zines, counted$value, method = "radix"), ]
}

show <- function(title, rows) {
  cat("# ", title, "\n", sep = "")
  write.table(rows, sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
  cat("\n")
}

# The first year that is written in dates: 1995 of "1995-05", 199X of the decade "199X".
firstYear <- function(dates) {
  found <- regmatches(dates, regexpr("[12][0-9]{2}[0-9X]", dates))
  if (length(found) == 0) NA_character_ else found[1]
}

years <- vapply(values(zines$date), firstYear, "")
decades <- count(paste0(substr(years[!is.na(years)], 1, 3), "0s"))
subjects <- lapply(values(zines$subject), function(codes) sort(unique(codes), method = "radix"))
pairs <- lapply(subjects[lengths(subjects) > 1], function(codes)
  apply(combn(codes, 2), 2, paste, collapse = "\t"))
pages <- suppressWarnings(as.integer(zines$number_of_pages))
missing <- vapply(zines[c("creator", "subject", "date", "place_of_publication", "language")],
                  function(column) sum(column == ""), 0L)

show("Zines of each decade", decades[order(decades$value, method = "radix"), ])
show("Zines of each place, the first 20", head(count(values(zines$place_of_publication)), 20))
show("Zines in each language", count(values(zines$language)))
show("Subjects that occur together, the first 20", head(count(pairs), 20))
show("Zines without a field", data.frame(names(missing), missing))
cat("Zines: ", nrow(zines), ". Pages of those that say so: median ",
    format(median(pages, na.rm = TRUE)), ".\n", sep = "")
