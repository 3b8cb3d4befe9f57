#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/id.h"
#include "base/scope.h"
#include "data/blob/blob.h"
#include "tap.h"

static struct blob_store *store;
static struct err err;

static int staged(const char *text)
{
    int fd = blob_stage(store, &err);

    fdio_write(fd, text, strlen(text), &err);
    return fd;
}

static const char *content(const char *job_id, const char *name)
{
    static char text[64];
    int64_t bytes = 0;
    AUTO_CLOSE int fd = blob_open(store, job_id, name, INT64_MAX, &bytes, &err);

    if (fd < 0)
        return err_name(err.code);
    text[fdio_read_at(fd, text, sizeof text - 1, 0, &err)] = '\0';
    return (size_t) bytes == strlen(text) ? text : "wrong size";
}

static int n_found;

static void count(void *arg, const char *job_id, const char *name)
{
    (void) arg;
    n_found++;
    blob_remove(store, job_id, name);
}

static void test_publish(const char *id)
{
    struct blob_item items[] = { { staged("one"), "in.0" }, { staged("two"), "in.1" } };

    is_str(content(id, "in.0"), "not_found",
           "a staging file cannot be read by name before it is published");
    ok(blob_publish(store, id, items, 2, &err) == 0, "staging files are published together");
    is_str(content(id, "in.0"), "one", "the first published file can be read by name");
    is_str(content(id, "in.1"), "two", "the second published file can be read by name");
    close(items[0].fd);
    items[0] = (struct blob_item){ staged("three"), "out.1" };
    ok(blob_publish(store, id, items, 2, &err) < 0, "publishing a name that exists fails");
    is_str(content(id, "out.1"), "not_found", "if one file cannot be published, none is");
    is_str(content(id, "in.1"), "two", "a file that could not be replaced is unchanged");
    close(items[0].fd);
    close(items[1].fd);
}

static void test_longer(const char *id)
{
    struct blob_item item = { staged("four"), "in.3" };
    int64_t bytes = 0;

    blob_publish(store, id, &item, 1, &err);
    close(item.fd);
    ok(blob_open(store, id, "in.3", 3, &bytes, &err) < 0 && err.code == ERR_INTERNAL,
       "a blob that is longer than it may be is not opened");
    item.fd = blob_open(store, id, "in.3", 4, &bytes, &err);
    ok(item.fd >= 0 && bytes == 4, "a blob of the length that it may have is opened");
    close(item.fd);
    blob_remove(store, id, "in.3");
}

/* As a restore from another file system, or cp under a strict umask, leaves a file. */
static void test_closed_copy(const char *folder, const char *id)
{
    struct blob_item item = { staged("four"), "in.4" };
    int64_t bytes = 0;
    struct stat st;

    ok(blob_publish(store, id, &item, 1, &err) == 0, "a file is published");
    ok(fchmod(item.fd, 0600) == 0, "the published file is closed to other users");
    close(item.fd);
    item.fd = blob_open(store, id, "in.4", INT64_MAX, &bytes, &err);
    ok(item.fd >= 0 && fstat(item.fd, &st) == 0 && (st.st_mode & 0777) == 0644,
       "opening a blob gives it mode 0644, so that a worker can open it too");
    close(item.fd);
    blob_remove(store, id, "in.4");
    ok(stat(folder, &st) == 0 && (st.st_mode & 0777) == 0700, "the folder keeps mode 0700");
}

int main(void)
{
    char folder[] = "/tmp/platen-blob-XXXXXX", id[ID_TEXT], other[ID_TEXT], path[64];
    struct stat st;
    int64_t room = 0, size = 0;

    id_new(id);
    id_new(other);
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/blobs", folder);
    store = blob_fs_open(path, &err);
    ok(store != NULL, "a missing folder is made");
    if (!store)
        return done_testing();
    ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0700, "the made folder has mode 0700");
    test_publish(id);
    test_closed_copy(path, id);
    test_longer(id);
    is_str(content(other, "in.0"), "not_found", "another job has no blob of the same name");
    is_str(content("../../etc/passwd", "x"), "not_found", "a job id with slashes names no blob");
    ok(blob_room(store, &room, &size, &err) == 0 && room > 0 && size >= room,
       "free space and size are known");
    blob_close(store);
    store = blob_fs_open(path, &err);
    is_str(content(id, "in.0"), "one", "blobs are readable after the store was reopened");
    blob_each(store, count, NULL, &err);
    is_int(n_found, 2, "listing finds all blobs");
    is_str(content(id, "in.0"), "not_found", "removed blobs cannot be read");
    blob_remove(store, id, "in.0");
    ok(true, "removing a blob that does not exist is not an error");
    blob_close(store);
    ok(blob_fs_open("/dev/null/blobs", &err) == NULL, "a folder that cannot be made is an error");
    for (int i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "%s/blobs/%02x", folder, (unsigned) i);
        rmdir(path);
    }
    snprintf(path, sizeof path, "%s/blobs", folder);
    ok(rmdir(path) == 0 && rmdir(folder) == 0, "the store leaves no other file");
    return done_testing();
}
