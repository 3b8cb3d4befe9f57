/* Input: a file of settings. What it says of the address to listen on is taken apart too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "fuzz.h"
#include "server/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct config config;
    struct err err;
    AUTO_CLOSE int fd = fdio_memory_file(&err);
    char path[40], address[64];
    uint16_t port;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || fdio_write(fd, data, n, &err) < 0 || config_init(&config, &err) < 0)
        return 0;
    if (config_read(&config, path, &err) == 0 && config.max_file_size < 0)
        abort();
    if (config_split_listen(config.listen, address, sizeof address, &port, &err) == 0 &&
        strlen(address) == 0)
        abort();
    return 0;
}
