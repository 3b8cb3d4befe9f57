/*
 * one_thread: replaces the functions of OpenMP's library (libgomp) by which Tesseract computes
 * parts of each line of text in four threads. They wait for each other more than they help, no job
 * may start any, and with one thread alone the library takes new memory for each part. Here the
 * calling thread computes all parts, one after another.
 */
#pragma once

/* Does nothing: a program that calls it is linked with these functions. */
void one_thread_use(void);
