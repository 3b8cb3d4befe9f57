/* folder, kept_files: what a program with files and open descriptors gives its jobs. */
#include "sandbox/zygote/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/zygote/kept_files.h"
#include "tap.h"

#define NAME "platen-folder-test"

static bool there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void put(const char *folder, const char *name, size_t n)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    char path[200];
    struct err err;

    for (size_t i = 0; i < n; i++)
        buf_putc(&data, 'x');
    snprintf(path, sizeof path, "%s/%s", folder, name);
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fdio_write(fd, data.data, data.len, &err) < 0)
        fprintf(stderr, "%s cannot be written\n", path);
}

static void check_jobs(struct folder *folder)
{
    char one[FOLDER_PATH], two[FOLDER_PATH], deep[200];
    struct err err;

    ok(folder_make(folder, 1, one, &err) == 0 && folder_make(folder, 2, two, &err) == 0,
       "two jobs have a folder each");
    ok(folder_make(folder, 1, one, &err) < 0, "a job's folder is made once");
    put(one, "large", 300000);
    snprintf(deep, sizeof deep, "%s/a", one);
    mkdir(deep, 0700);
    put(deep, "small", 1);
    ok(folder_bytes(folder, 1, 1000000) >= 300000 && folder_bytes(folder, 1, 1000000) < 400000,
       "the bytes in a job's folder are counted");
    ok(folder_bytes(folder, 1, 100000) > 100000, "counting stops after the limit");
    ok(folder_bytes(folder, 2, 1000000) <= 4096,
       "the bytes in another job's folder are not counted");
    for (int i = 0; i < 200; i++) {
        char name[16];

        snprintf(name, sizeof name, "%d", i);
        put(two, name, 0);
    }
    ok(folder_bytes(folder, 2, 10000000) >= 200 * 4096, "empty files count too");
    folder_sweep(folder, 1);
    ok(!there(one) && there(two), "a job's folder is removed with its content, and no other");
}

static void check_programs(void)
{
    struct folder first = FOLDER_NONE, second = FOLDER_NONE, third = FOLDER_NONE;
    struct err err;
    struct stat st;

    ok(folder_open(&first, NAME, &err) == 0, "a program has a folder");
    ok(stat(first.path, &st) == 0 && (st.st_mode & 077) == 0,
       "the program's folder is closed to other users");
    check_jobs(&first);
    ok(folder_open(&second, NAME, &err) == 0 && there(first.path),
       "a second program of the same name leaves the folder of a running one");
    close(first.fd);
    ok(folder_open(&third, NAME, &err) == 0 && !there(first.path) && there(second.path),
       "the next program removes the folder of one that was killed");
    folder_close(&second);
    folder_close(&third);
    ok(third.fd < 0, "a program removes its own folder at its end");
}

/* What the job's process writes is not read by the program, nor by another job. */
static void check_kept(void)
{
    struct kept_files before, kept;
    int ends[2] = { -1, -1 }, event, status;
    char byte = 0;
    pid_t pid;

    kept_files_note(&before);
    if (pipe2(ends, O_NONBLOCK) < 0)
        return;
    event = eventfd(0, EFD_NONBLOCK);
    kept_files_since(&kept, &before);
    ok(kept.n == 3, "descriptors opened since the first note are recorded");
    pid = fork();
    if (pid == 0) {
        kept_files_renew(&kept);
        if (write(ends[1], "x", 1) != 1 || eventfd_write(event, 1) < 0)
            _exit(1);
        _exit(read(ends[0], &byte, 1) == 1 && byte == 'x' ? 0 : 2);
    }
    ok(waitpid(pid, &status, 0) == pid && status == 0, "a renewed pipe works in a job's process");
    ok(read(ends[0], &byte, 1) < 0, "a renewed pipe is not shared with the program");
    ok(read(event, &(uint64_t){ 0 }, 8) < 0, "a renewed eventfd is not shared with the program");
}

int main(void)
{
    check_programs();
    check_kept();
    return done_testing();
}
