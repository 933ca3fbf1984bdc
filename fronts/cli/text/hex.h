/* hex.h - hexadecimal digits, of either case */
#ifndef HEX_H
#define HEX_H

/* The byte of the two digits at text, or -1: they are not two. A text that ends
 * by a zero is not read past it. */
int hex_byte(const char *text);

#endif
