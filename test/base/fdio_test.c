#include "base/fdio.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "tap.h"

static void test_files(void)
{
    AUTO_CLOSE int a = memfd_create("a", 0);
    AUTO_CLOSE int b = memfd_create("b", 0);
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct err err;
    char part[8] = "", digest[DIGEST_TEXT], wanted[DIGEST_TEXT];

    ok(fdio_write(a, "0123456789", 10, &err) == 0, "fdio_write writes all bytes");
    is_int(fdio_read_at(a, part, 4, 8, &err), 2, "fdio_read_at at the end returns fewer bytes");
    ok(memcmp(part, "89", 2) == 0, "fdio_read_at at the end returns the last bytes");
    ok(fdio_copy(a, 2, 5, b, &err) == 0, "fdio_copy copies a range");
    lseek(b, 0, SEEK_SET);
    ok(fdio_read_all(b, 100, &text, &err) == 0, "fdio_read_all reads the whole file");
    is_str(buf_text(&text), "23456", "the copied range has the right bytes");
    lseek(b, 0, SEEK_SET);
    ok(fdio_read_all(b, 3, &text, &err) < 0 && err.code == ERR_LIMIT_EXCEEDED,
       "fdio_read_all refuses a file beyond its limit");
    ok(fdio_copy(a, 8, 5, b, &err) < 0, "fdio_copy beyond the end fails");
    ok(fdio_read_first(a, 3, &text, &err) == 0,
       "fdio_read_first reads from the beginning, whatever the file's position");
    is_str(buf_text(&text) + text.len - 3, "012", "fdio_read_first appends to the buffer");
    ok(fdio_read_first(a, 11, &text, &err) < 0 && err.code == ERR_INTERNAL,
       "fdio_read_first of more bytes than the file has fails");
    ok(fdio_digest(a, 2, 5, digest, &err) == 0, "fdio_digest computes the digest of a range");
    digest_text("23456", 5, wanted);
    is_str(digest, wanted, "the digest of a range covers only its bytes");
    ok(fdio_digest(a, 8, 5, digest, &err) < 0 && err.code == ERR_INTERNAL,
       "fdio_digest beyond the end fails");
}

static void test_folders(void)
{
    struct err err = { .code = ERR_INVALID_REQUEST };

    ok(fdio_sync_parent("here", &err) == 0,
       "fdio_sync_parent of a name without a folder syncs the current folder");
    ok(fdio_sync_parent("/tmp/folder/", &err) == 0,
       "fdio_sync_parent accepts a folder's name that ends in a slash");
    ok(fdio_sync_parent("/tmp/no such folder/name", &err) < 0,
       "fdio_sync_parent of a missing folder fails");
}

static void test_messages(void)
{
    int pair[2], fds[2] = { -1, -1 };
    size_t n_fds = 2;
    struct err err;
    char text[16] = "";

    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    ok(fdio_send(pair[0], "hello", 5, pair, 2, &err) == 0,
       "fdio_send sends a message with descriptors");
    is_int(fdio_recv(pair[1], text, sizeof text, fds, &n_fds, &err), 5,
           "fdio_recv receives the message");
    ok(n_fds == 2 && fds[0] >= 0 && fds[1] >= 0 && fds[0] != pair[0],
       "fdio_recv receives copies of the descriptors");
    close(fds[0]);
    close(fds[1]);
    fdio_send(pair[0], "hello", 5, pair, 2, &err);
    n_fds = 1;
    ok(fdio_recv(pair[1], text, sizeof text, fds, &n_fds, &err) < 0 && n_fds == 0,
       "fdio_recv refuses more descriptors than there is room for, and leaves none open");
    fdio_send(pair[0], "hello", 5, NULL, 0, &err);
    n_fds = 0;
    ok(fdio_recv(pair[1], text, 3, NULL, &n_fds, &err) < 0,
       "fdio_recv refuses a message longer than its buffer");
    close(pair[0]);
    is_int(fdio_recv(pair[1], text, sizeof text, NULL, &n_fds, &err), 0,
           "fdio_recv returns 0 at the end of the stream");
    close(pair[1]);
}

int main(void)
{
    test_files();
    test_folders();
    test_messages();
    return done_testing();
}
