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

    ok(fdio_write(a, "0123456789", 10, &err) == 0, "writes all");
    is_int(fdio_read_at(a, part, 4, 8, &err), 2, "a read at the end is short");
    ok(memcmp(part, "89", 2) == 0, "and holds the end");
    ok(fdio_copy(a, 2, 5, b, &err) == 0, "copies a range");
    lseek(b, 0, SEEK_SET);
    ok(fdio_read_all(b, 100, &text, &err) == 0, "reads all");
    is_str(buf_text(&text), "23456", "of what was copied");
    lseek(b, 0, SEEK_SET);
    ok(fdio_read_all(b, 3, &text, &err) < 0 && err.code == ERR_LIMIT_EXCEEDED, "a limit holds");
    ok(fdio_copy(a, 8, 5, b, &err) < 0, "copying beyond the end fails");
    ok(fdio_read_first(a, 3, &text, &err) == 0, "reads the first bytes, wherever the file stands");
    is_str(buf_text(&text) + text.len - 3, "012", "to the end of a buffer");
    ok(fdio_read_first(a, 11, &text, &err) < 0 && err.code == ERR_INTERNAL, "fewer are an error");
    ok(fdio_digest(a, 2, 5, digest, &err) == 0, "computes the digest of a range");
    digest_text("23456", 5, wanted);
    is_str(digest, wanted, "of its bytes alone");
    ok(fdio_digest(a, 8, 5, digest, &err) < 0 && err.code == ERR_INTERNAL,
       "a digest beyond the end fails");
}

static void test_folders(void)
{
    struct err err = { .code = ERR_INVALID_REQUEST };

    ok(fdio_sync_parent("here", &err) == 0, "a name without a folder is in the one at hand");
    ok(fdio_sync_parent("/tmp/folder/", &err) == 0, "a folder's name may end in a slash");
    ok(fdio_sync_parent("/tmp/no such folder/name", &err) < 0, "a folder must be there");
}

static void test_messages(void)
{
    int pair[2], fds[2] = { -1, -1 };
    size_t n_fds = 2;
    struct err err;
    char text[16] = "";

    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    ok(fdio_send(pair[0], "hello", 5, pair, 2, &err) == 0, "sends a message with descriptors");
    is_int(fdio_recv(pair[1], text, sizeof text, fds, &n_fds, &err), 5, "it arrives");
    ok(n_fds == 2 && fds[0] >= 0 && fds[1] >= 0 && fds[0] != pair[0], "with copies of them");
    close(fds[0]);
    close(fds[1]);
    fdio_send(pair[0], "hello", 5, pair, 2, &err);
    n_fds = 1;
    ok(fdio_recv(pair[1], text, sizeof text, fds, &n_fds, &err) < 0 && n_fds == 0,
       "more descriptors than room is an error and leaves none open");
    fdio_send(pair[0], "hello", 5, NULL, 0, &err);
    n_fds = 0;
    ok(fdio_recv(pair[1], text, 3, NULL, &n_fds, &err) < 0, "so is a longer message");
    close(pair[0]);
    is_int(fdio_recv(pair[1], text, sizeof text, NULL, &n_fds, &err), 0,
           "the end of a stream is 0");
    close(pair[1]);
}

int main(void)
{
    test_files();
    test_folders();
    test_messages();
    return done_testing();
}
