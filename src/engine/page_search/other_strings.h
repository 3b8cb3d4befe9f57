/*
 * other_strings: searches the strings of a document that pages do not draw: titles of the outline,
 * metadata, names of attachments and layers, addresses of links, labels of pages, values of fields,
 * contents of annotations, alternative descriptions, scripts; and the texts of attached text files.
 * Each object that the document refers to is looked at once.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_search/hit_list.h"
#include "engine/page_search/search.h"

/* Adds a hit without areas for each string that matches, of a kind that says what the string is;
 * with the page of an annotation or field. ERR_INTERNAL, ERR_LIMIT_EXCEEDED. */
int other_strings_search(struct mupdf_document *doc, struct search *search, struct hit_list *hits,
                         struct err *err);
