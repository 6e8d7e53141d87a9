/*
 * What the official conformance runner needs of a C library newer than this machine's: names under
 * which glibc 2.38 has the C23 forms of functions that exist, and a hook of libstdc++. Preloaded.
 */
#include <stdlib.h>

long __isoc23_strtol(const char *text, char **end, int base);
unsigned long __isoc23_strtoul(const char *text, char **end, int base);
long long __isoc23_strtoll(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);
void _ZSt21ios_base_library_initv(void);

long __isoc23_strtol(const char *text, char **end, int base) {
  return strtol(text, end, base);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

void _ZSt21ios_base_library_initv(void) {}
