/*
 * complete: completes command lines for shells. The scripts in packaging/completion call `platen
 * complete WORD...` with the words after "platen", the last of which is to be completed. It prints
 * a line for each candidate,
 *     WORD<tab>description
 * and ":files .pdf .PDF" (files, with these extensions if given) or ":folders" if the shell should
 * complete names of files or folders.
 */
#pragma once

/* Prints the candidates. Returns the exit status, 0. */
int cmd_complete(int argc, char **argv);
