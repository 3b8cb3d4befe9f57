/*
 * cmyk: what printing inks look like on a screen. MuPDF as Debian builds it has no colour
 * profiles, and takes cyan for the complement of red: colours no press can print, and no other
 * reader shows. Here the eight solid overprints of cyan, magenta and yellow have the colours of
 * offset on coated paper (SWOP, as sRGB), what is between is mixed of them (Neugebauer's
 * equations), and black darkens that. Black ink alone is the gray it stands for, as in MuPDF, so
 * that text stays black and gray pages gray.
 *
 * The linker puts these in the place of MuPDF's own conversion (meson.build, --wrap).
 */
#pragma once

#include <stdint.h>

/* 255 is full ink; and the channels of sRGB. */
void cmyk_to_rgb(const uint8_t cmyk[static 4], uint8_t rgb[static 3]);
/* The same from 0 to 1. */
void cmyk_to_rgb_float(const float cmyk[static 4], float rgb[static 3]);
/* Luma (Rec. 601), by MuPDF's weights. */
uint8_t cmyk_to_gray(const uint8_t cmyk[static 4]);
