/* The folder of a program: removed with it, and by the next program if it was killed. */
#include "sandbox/zygote/folder.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define NAME     "platen-folder-test"
#define PROGRAMS 8
#define STARTS   200

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_left(void)
{
    struct folder folder = FOLDER_NONE;
    struct folder next = FOLDER_NONE;
    struct err err = { 0 };
    char job[FOLDER_PATH];

    if (folder_open(&folder, NAME, &err) < 0 || folder_make(&folder, 7, job, &err) < 0)
        abort();
    ok(folder_open(&next, NAME, &err) == 0 && exists(job), "a second program leaves the first's");
    folder_close(&next);
    close(folder.fd); /* as the end of the process does */
    if (folder_open(&next, NAME, &err) < 0)
        abort();
    ok(!exists(folder.path), "what a killed program left is removed by the next one");
    folder_close(&next);
    ok(!exists(next.path), "a program that ends removes its own");
}

/* Opens and closes folders of one name; the number of times that failed. */
static int open_often(void)
{
    int failed = 0;

    for (int i = 0; i < STARTS; i++) {
        struct folder folder = FOLDER_NONE;
        struct err err = { 0 };

        failed += folder_open(&folder, NAME, &err) < 0 || !exists(folder.path);
        folder_close(&folder);
    }
    return failed;
}

static void test_at_once(void)
{
    int failed = 0;

    for (int i = 0; i < PROGRAMS; i++) {
        pid_t pid = fork();

        if (pid < 0)
            abort();
        if (pid == 0)
            _exit(open_often() > 0);
    }
    for (int i = 0; i < PROGRAMS; i++) {
        int status = 1;

        failed += wait(&status) < 0 || status != 0;
    }
    is_int(failed, 0, "programs that start at once take no folder from each other");
}

int main(void)
{
    test_left();
    test_at_once();
    return done_testing();
}
