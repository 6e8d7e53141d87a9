/*
 * Visibility and linkage of the public symbols.
 *
 * SPC_API marks every public function. It is plain `extern` by default; the library itself is
 * compiled with hidden visibility and SPC_BUILDING defined.
 */
#ifndef SPICULE_EXPORT_H
#define SPICULE_EXPORT_H

#if defined(SPC_BUILDING) && (defined(__GNUC__) || defined(__clang__))
#define SPC_API __attribute__((visibility("default")))
#else
#define SPC_API
#endif

#ifdef __cplusplus
#define SPC_BEGIN_DECLS extern "C" {
#define SPC_END_DECLS   }
#else
#define SPC_BEGIN_DECLS
#define SPC_END_DECLS
#endif

#endif
