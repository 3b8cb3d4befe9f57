#include "pdf/merge/scan_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "pdf/content/album_scans.h"
#include "pdf/merge/merge.h"

#define PATH_BYTES 40

/* Whether the file is a picture; -1 if it cannot be read. */
static int is_picture(const struct tool_input *input, struct err *err)
{
    char head[FILE_KIND_HEAD];
    ssize_t n = fdio_read_at(input->fd, head, sizeof head, 0, err);
    const char *kind;

    if (n < 0)
        return -1;
    kind = file_kind_of(head, (size_t) n);
    return kind &&
           (strcmp(kind, "jpg") == 0 || strcmp(kind, "png") == 0 || strcmp(kind, "tiff") == 0);
}

static int new_file(char path[static PATH_BYTES], struct err *err)
{
    int fd = memfd_create("scans", MFD_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "a file in memory");
    snprintf(path, PATH_BYTES, "/proc/self/fd/%d", fd);
    return fd;
}

/* Makes a PDF of the pictures in a file. */
static int make_pages(const struct scan_files *files, const struct tool_input *input,
                      const char *path, struct err *err)
{
    struct album_scans scans;

    if (album_scans_make(input->fd, input->bytes, path, &scans, err) < 0)
        return -1;
    if (scans.icc_dropped)
        tool_warn(files->run, "profile_ignored",
                  "a picture has a colour profile that is damaged or of another kind of colours");
    if (scans.endless)
        tool_warn(files->run, "repaired",
                  "a picture ends without its end marker: all its pixels are there");
    return 0;
}

/* Opens one of several files for merge_files; what qpdf reads of pictures stays open with it. */
static int open_one(void *arg, size_t number, struct pdf_doc *doc, struct err *err)
{
    struct scan_files *files = arg;
    const struct tool_input *input = &files->run->inputs[number];
    int picture = is_picture(input, err), done;
    char path[PATH_BYTES];
    AUTO_CLOSE int fd = -1;

    if (picture < 0)
        return -1;
    if (picture) {
        fd = new_file(path, err);
        if (fd < 0 || make_pages(files, input, path, err) < 0)
            return -1;
    }
    done = pdf_doc_open(doc, picture ? path : input->path, files->password, files->run, err);
    if (done == 0 && doc->signed_ && files->signed_ == 0)
        files->signed_ = number + 1;
    return done;
}

static int join_files(struct scan_files *files, struct err *err)
{
    const struct merge_sources sources = {
        .n = files->run->n_inputs, .open = open_one, .arg = files, .what = "file"
    };
    const struct merge_options options = { .bookmarks = MERGE_BOOKMARKS_FLAT,
                                           .password = files->password,
                                           .sources = &sources };
    struct tool_run run = *files->run;
    size_t pages;

    run.output = files->own_path;
    return merge_files(&run, &options, &pages, err);
}

int scan_files_open(struct scan_files *files, struct tool_run *run, const char *password,
                    struct err *err)
{
    int picture = is_picture(&run->inputs[0], err);

    *files = (struct scan_files){
        .path = run->inputs[0].path, .fd = -1, .run = run, .password = password
    };
    if (picture < 0)
        return -1;
    if (run->n_inputs == 1 && !picture)
        return 0;
    files->fd = new_file(files->own_path, err);
    if (files->fd < 0)
        return -1;
    files->made = true;
    files->path = files->own_path;
    return run->n_inputs == 1 ? make_pages(files, &run->inputs[0], files->path, err)
                              : join_files(files, err);
}

void scan_files_close(struct scan_files *files)
{
    if (files->made)
        close(files->fd);
    files->made = false;
}
