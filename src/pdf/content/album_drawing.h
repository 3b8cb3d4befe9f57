/* album_drawing: puts a page of a small PDF into an album, to be placed as a picture is. */
#pragma once

#include "pdf/content/album.h"

/* Copies the first page of a PDF that we made ourselves, of which it takes ownership, as a form
 * XObject that fills the unit square. Returns its number, for album_page; 0 for an error. */
unsigned album_drawing(struct album *album, struct buf *pdf, struct err *err);
