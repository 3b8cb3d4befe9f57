#include "inflate_repair/byte_model.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What begins as a guess of the language of content streams (ISO 32000-1, annex A). */
static const char sample[] =
    "q\n0.75 0 0 0.75 0 792 cm\n1 0 0 RG 1 0 0 rg\n/GS0 gs\nBT\n/F1 12 Tf\n72.5 720.25 Td\n"
    "[(The quick brown fox)-250(jumps over)20(the lazy dog.)]TJ\n0 -14.4 TD\n(and so on, with)Tj\n"
    "T*\n1 0 0 1 72.024 709.08 Tm\n0.0012 Tc -0.0024 "
    "Tw\n[<0024004300520058>3<00570003>-1<0057>]TJ\n"
    "ET\nQ\nq 72 500 451.3 13.8 re W* n\nBT /TT2 1 Tf 11.04 0 0 11.04 90.024 672.1 Tm 0 g 0 G\n"
    "/P <</MCID 0>> BDC\nEMC\n/Artifact BMC\n100.5 200.75 m 300.25 200.75 l S\n0.5 w 1 j 1 J\n"
    "56.7 785.2 28.3 -0.5 re f*\n10 20 30 40 50 60 c h f\n/Im1 Do\nQ\n0.2 0.4 0.6 rg\n0.9 g\n"
    "[(conte)-1(nts of )6(this p)-4(age are)]TJ -2.3 -1.15 Td [(in)-333(English)]TJ\n";

struct byte_model {
    uint32_t one[256], ones;
    uint16_t two[256][256];
    uint32_t twos[256];
    uint16_t (*three)[256]; /* by the two bytes before */
    uint32_t *threes;
};

struct byte_model *byte_model_new(void)
{
    struct byte_model *model = calloc(1, sizeof *model);

    if (!model)
        return NULL;
    model->three = calloc(65536, sizeof *model->three);
    model->threes = calloc(65536, sizeof *model->threes);
    if (!model->three || !model->threes) {
        byte_model_free(model);
        return NULL;
    }
    for (size_t i = 2; i + 1 < sizeof sample; i++)
        byte_model_learn(model, (unsigned char) sample[i - 2], (unsigned char) sample[i - 1],
                         (unsigned char) sample[i]);
    return model;
}

void byte_model_free(struct byte_model *model)
{
    if (!model)
        return;
    free(model->three);
    free(model->threes);
    free(model);
}

double byte_model_cost(const struct byte_model *model, unsigned char a, unsigned char b,
                       unsigned char byte)
{
    size_t context = (size_t) a << 8 | b;
    double p = (model->one[byte] + 0.05) / (model->ones + 12.8);

    /* Each longer context counts for as much as it has seen. */
    p = (model->two[b][byte] + 8 * p) / (model->twos[b] + 8.0);
    p = (model->three[context][byte] + 3 * p) / (model->threes[context] + 3.0);
    return -log2(p);
}

void byte_model_learn(struct byte_model *model, unsigned char a, unsigned char b,
                      unsigned char byte)
{
    size_t context = (size_t) a << 8 | b;

    if (model->two[b][byte] == UINT16_MAX || model->three[context][byte] == UINT16_MAX)
        return;
    model->one[byte]++;
    model->ones++;
    model->two[b][byte]++;
    model->twos[b]++;
    model->three[context][byte]++;
    model->threes[context]++;
}
