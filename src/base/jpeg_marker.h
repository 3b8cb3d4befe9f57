/* jpeg_marker: the second bytes of the markers of JPEG files (ITU-T T.81, table B.1). */
#pragma once

#include <stdbool.h>

enum jpeg_marker {
    JPEG_TEM = 0x01,
    JPEG_SOF0 = 0xc0, /* baseline */
    JPEG_SOF1 = 0xc1, /* extended sequential */
    JPEG_SOF2 = 0xc2, /* progressive */
    JPEG_DHT = 0xc4,
    JPEG_JPG = 0xc8,
    JPEG_DAC = 0xcc,
    JPEG_SOF15 = 0xcf,
    JPEG_RST0 = 0xd0,
    JPEG_RST7 = 0xd7,
    JPEG_SOI = 0xd8,
    JPEG_EOI = 0xd9,
    JPEG_SOS = 0xda,
    JPEG_DQT = 0xdb,
    JPEG_DNL = 0xdc,
    JPEG_DRI = 0xdd,
    JPEG_APP0 = 0xe0,  /* JFIF */
    JPEG_APP1 = 0xe1,  /* Exif */
    JPEG_APP2 = 0xe2,  /* ICC profile */
    JPEG_APP14 = 0xee, /* Adobe's colour transform */
};

static inline bool jpeg_marker_is_frame(unsigned marker)
{
    return marker >= JPEG_SOF0 && marker <= JPEG_SOF15 && marker != JPEG_DHT &&
           marker != JPEG_JPG && marker != JPEG_DAC;
}
