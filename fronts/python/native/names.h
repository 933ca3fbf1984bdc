/*
 * names.h - numbers of the library by the names that Python has for them.
 */
#ifndef SP_PYTHON_NAMES_H
#define SP_PYTHON_NAMES_H

/* Numbers go from 1; "unknown" for the first that has no name. */
const char *sp_names_layout(int number);
const char *sp_names_on_full(int number);
const char *sp_names_scheme(int number);
const char *sp_names_durability(int number);
const char *sp_names_normalise(int number);
const char *sp_names_site(int number);

#endif
