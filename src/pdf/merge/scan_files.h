/* scan_files: the PDF that a job's files make, for a tool that reads scans: the only PDF as it is,
 * else a new one in memory, with the pages of PDFs and of pictures in the order of the files. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "declare/tool_run/run.h"

struct scan_files {
    const char *path;  /* of the PDF */
    bool made;         /* it is a new one */
    size_t signed_;    /* the number of the first of several files that is signed; 0: none is */
    int fd;            /* private from here on */
    char own_path[40]; /* of fd */
    struct tool_run *run;
    const char *password;
};

/* Opens the files of a run, the encrypted ones with the password, which may be NULL. Of several
 * files a new PDF has no signatures and is not encrypted. Errors and warnings as of
 * album_scans_make and merge_files. */
int scan_files_open(struct scan_files *files, struct tool_run *run, const char *password,
                    struct err *err);
/* After what was opened by its path was closed. */
void scan_files_close(struct scan_files *files);
