/*
 * replay: runs a fuzz target over the files of its corpus, without libFuzzer: what a fuzzer once
 * found stays a test. A target that dies takes the test with it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "fuzz.h"
#include "tap.h"

#define INPUT_MAX (16 << 20)

static bool is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay(int folder, const char *name)
{
    AUTO_CLOSE int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    AUTO_BUF struct buf input = BUF_EMPTY;
    AUTO_FREE uint8_t *copy = NULL;
    struct err err;

    if (!ok(fd >= 0 && fdio_read_all(fd, INPUT_MAX, &input, &err) == 0, "%s can be read", name))
        return;
    copy = malloc(input.len ? input.len : 1); /* no NUL behind it, as libFuzzer has none */
    if (input.len)
        memcpy(copy, input.data, input.len);
    ok(LLVMFuzzerTestOneInput(copy, input.len) == 0, "%s is survived", name);
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    int n = 0;

    if (!folder) {
        printf("Bail out! usage: replay CORPUS_FOLDER\n");
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (is_file(entry)) {
            replay(dirfd(folder), entry->d_name);
            n++;
        }
    closedir(folder);
    ok(n > 0, "there is a corpus");
    return done_testing();
}
