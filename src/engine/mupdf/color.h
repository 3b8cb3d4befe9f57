/*
 * color: conversions of colours that MuPDF, as Debian builds it (without ICC profiles), gets wrong.
 * MuPDF itself uses both through patch_color.c.
 *
 * CMYK: MuPDF treats cyan as the complement of red, which gives colours that no press can print and
 * no other reader shows. Here the eight solid overprints of cyan, magenta and yellow have the
 * colours of offset printing on coated paper (SWOP, as sRGB), colours between them are interpolated
 * (Neugebauer's equations), and black darkens the result. Black ink alone is the corresponding
 * gray, as in MuPDF, so that text stays black and gray pages stay gray.
 *
 * Lab (ISO 32000-2, 8.6.5.4): MuPDF reads the samples of Lab images as numbers from 0 to 1, so that
 * only the brightest colours are left.
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stdint.h>

/* Converts a colour to sRGB. Each ink is 0 to 255, which is full ink. */
void color_cmyk_to_rgb(const uint8_t cmyk[static 4], uint8_t rgb[static 3]);
/* The same with components from 0 to 1. */
void color_cmyk_to_rgb_float(const float cmyk[static 4], float rgb[static 3]);
/* The luma (Rec. 601), with MuPDF's weights. */
uint8_t color_cmyk_to_gray(const uint8_t cmyk[static 4]);

/* Replaces the /Decode of a Lab image, which maps samples to 0 to 100 and to -128 to 127 or
 * /Range, by one that maps them to bytes. Images in other colour spaces are not changed. */
void color_lab_decode(fz_context *ctx, fz_image *image, pdf_obj *object);
