/*
 * library: the bare work: reads a PDF with qpdf's library, turns every page by 90 degrees and
 * writes it, in this process, as often as told. Prints one line of JSON.
 *
 *     library TIMES FILE OUTPUT
 */
#include <qpdf/qpdf-c.h>
#include <stdio.h>
#include <stdlib.h>

#include "times.h"

#define MAX_TIMES 100000

static double times[MAX_TIMES];

/* Inherited /Rotate is not looked at: the bench's own files have none. */
static void turn(qpdf_data pdf)
{
    int n = qpdf_get_num_pages(pdf);

    for (int i = 0; i < n; i++) {
        qpdf_oh page = qpdf_get_page_n(pdf, (size_t) i);
        qpdf_oh angle = qpdf_oh_new_integer(pdf, 90);

        qpdf_oh_replace_key(pdf, page, "/Rotate", angle);
        qpdf_oh_release(pdf, angle);
        qpdf_oh_release(pdf, page);
    }
}

static void rotate(const char *input, const char *output)
{
    qpdf_data pdf = qpdf_init();

    if (qpdf_read(pdf, input, NULL) & QPDF_ERRORS) {
        fprintf(stderr, "library: cannot read %s\n", input);
        exit(1);
    }
    turn(pdf);
    if (qpdf_init_write(pdf, output) & QPDF_ERRORS || qpdf_write(pdf) & QPDF_ERRORS) {
        fprintf(stderr, "library: cannot write %s\n", output);
        exit(1);
    }
    qpdf_cleanup(&pdf);
}

int main(int argc, char **argv)
{
    size_t n = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
    double cpu;

    if (n == 0 || n > MAX_TIMES)
        return 2;
    rotate(argv[2], argv[3]); /* warm */
    cpu = times_now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < n; i++) {
        double began = times_now(CLOCK_MONOTONIC);

        rotate(argv[2], argv[3]);
        times[i] = times_now(CLOCK_MONOTONIC) - began;
    }
    cpu = times_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    times_sort(times, n);
    printf("{\"n\": %zu, \"whole_p50\": %.3f, \"whole_p95\": %.3f, \"all\": %zu, \"client_cpu\": "
           "%.3f}\n",
           n, times_percentile(times, n, 50), times_percentile(times, n, 95), n, cpu / (double) n);
    return 0;
}
