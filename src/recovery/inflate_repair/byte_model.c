#include "recovery/inflate_repair/byte_model.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

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

#define THREES_BITS 16
#define LOG_BITS    8 /* of a number's fraction that its logarithm is looked up by */

/* Small enough to stay in a processor's cache: where two contexts share a place, both are thought
 * likelier than they are. */
struct byte_model {
    uint32_t one[256], ones;
    uint16_t two[256][256];
    uint32_t twos[256];
    uint16_t three[1U << THREES_BITS]; /* by a hash of the byte and the two before it */
    uint16_t threes[65536];            /* by the two bytes before */
    float log[1U << LOG_BITS];         /* of 1 and what follows it */
};

static size_t trigram_place(unsigned char a, unsigned char b, unsigned char byte)
{
    const uint32_t golden = 0x9e3779b1; /* spreads it over the upper bits */

    return (((uint32_t) a << 16 | (uint32_t) b << 8 | byte) * golden) >> (32 - THREES_BITS);
}

struct byte_model *byte_model_new(void)
{
    struct byte_model *model = calloc(1, sizeof *model);

    if (!model)
        return NULL;
    for (size_t i = 0; i < COUNT(model->log); i++)
        model->log[i] = log2f(1 + ((float) i + 0.5F) / (1U << LOG_BITS));
    for (size_t i = 2; i + 1 < sizeof sample; i++)
        byte_model_learn(model, (unsigned char) sample[i - 2], (unsigned char) sample[i - 1],
                         (unsigned char) sample[i]);
    return model;
}

void byte_model_free(struct byte_model *model)
{
    free(model);
}

/* IEEE 754: the exponent, and the fraction's first bits. */
static float log_of(const struct byte_model *model, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (float) (int) (bits >> 23) - 127 +
           model->log[bits >> (23 - LOG_BITS) & (COUNT(model->log) - 1)];
}

double byte_model_cost(const struct byte_model *model, unsigned char a, unsigned char b,
                       unsigned char byte)
{
    uint32_t times = model->threes[(size_t) a << 8 | b];
    float p = ((float) model->one[byte] + 0.05F) / ((float) model->ones + 12.8F);

    /* Each longer context counts for as much as it has seen. */
    if (model->twos[b] > 0)
        p = ((float) model->two[b][byte] + 8 * p) / ((float) model->twos[b] + 8);
    if (times > 0)
        p = ((float) model->three[trigram_place(a, b, byte)] + 3 * p) / ((float) times + 3);
    return -(double) log_of(model, p);
}

void byte_model_learn(struct byte_model *model, unsigned char a, unsigned char b,
                      unsigned char byte)
{
    uint16_t *three = &model->three[trigram_place(a, b, byte)], *times = &model->threes[a << 8 | b];

    if (model->two[b][byte] == UINT16_MAX || *three == UINT16_MAX || *times == UINT16_MAX)
        return;
    model->one[byte]++;
    model->ones++;
    model->two[b][byte]++;
    model->twos[b]++;
    ++*three;
    ++*times;
}
