/*
 * Hashing: the job list, circuits over many elements, and the stream that turns leaves into a root.
 * All SHA-256 of this module goes through spc_sha256_pairs with as many pairs as there are.
 */
#ifndef SPC_SSZ_MERKLE_H
#define SPC_SSZ_MERKLE_H

#include "ssz/type_internal.h"

#define SPC__SSZ_ZERO_COUNT 65
extern const uint8_t spc__ssz_zeros[SPC__SSZ_ZERO_COUNT][32];

#define SPC__SSZ_JOBS   256u
#define SPC__SSZ_BATCH  128u /* elements whose roots are computed together */
#define SPC__SSZ_BUFFER 65536u
#define SPC__SSZ_NODES  32768u

/* The common beginning of everything in a value's tree: pages, nodes and objects. */
typedef struct spc__ssz_head {
  uint32_t references;
  uint8_t hashed; /* SPC__SSZ_COLD, _QUEUED or _HASHED: whether `root` is right */
  uint8_t hot;    /* changed after it was hashed: inner hashes are worth keeping */
  uint16_t count; /* leaves of a page, children of a node */
  uint64_t dirty; /* leaves, children or fields that changed since `root` was right */
  uint64_t size;  /* objects: serialized size, or 0 when not known; nodes: see hash_nodes */
  union {
    uint8_t *heap; /* inner hashes, or NULL */
    uint64_t room;
  } inner;
  uint8_t root[32];
} spc__ssz_head;

/* One tree that is being built from leaves; progressive: a chain of trees. */
typedef struct spc__ssz_stream {
  uint64_t count; /* leaves in `pending`: bit k says that pending[k] is in use */
  uint32_t tail_count;
  uint32_t trees; /* progressive: finished trees */
  bool progressive;
  uint8_t tail[16][32];
  uint8_t pending[64][32];
  uint8_t tree[32][32];
} spc__ssz_stream;

/* Work memory; in a pool, or in what the caller gives to spc_ssz_root_of_bytes. */
typedef struct spc__ssz_work {
  uint8_t in[64 * SPC__SSZ_JOBS];
  uint8_t out[32 * SPC__SSZ_JOBS];
  uint8_t *to[SPC__SSZ_JOBS];
  uint8_t buffer[SPC__SSZ_BUFFER];
  uint8_t nodes[SPC__SSZ_NODES]; /* leaf roots of several pages */
  uint8_t roots[32 * SPC__SSZ_BATCH];
  const uint8_t *data[SPC__SSZ_BATCH];
  size_t count;    /* jobs waiting */
  uint64_t hashes; /* 64-byte blocks hashed since the start */
  spc__ssz_stream streams[SPC_SSZ_MAX_DEPTH];
} spc__ssz_work;

void spc__ssz_pairs(spc__ssz_work *work, uint8_t *out, const uint8_t *in, size_t count);

/* out = SHA-256(left, right); at once. */
void spc__ssz_hash(spc__ssz_work *work, uint8_t out[32], const uint8_t *left, const uint8_t *right);

/* The same, some time before the next spc__ssz_jobs_run returns. */
void spc__ssz_job(spc__ssz_work *work, uint8_t *out, const uint8_t *left, const uint8_t *right);
void spc__ssz_jobs_run(spc__ssz_work *work);

/* root = SHA-256(root, length as uint256). */
void spc__ssz_mix_length(spc__ssz_work *work, uint8_t root[32], uint64_t length);

/* How many elements one call of spc__ssz_circuit_roots may have: 1 to SPC__SSZ_BATCH. */
size_t spc__ssz_circuit_batch(const spc__ssz_circuit *circuit);

/* Roots of `count` elements whose data is at data[i], to out[32 i ...]. */
void spc__ssz_circuit_roots(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                            const uint8_t *const *data, size_t count, uint8_t *out);

/*
 * The same for one element, every result kept: operation i at results[32 i ...]. The root is an
 * operand: see spc__ssz_operand.
 */
void spc__ssz_circuit_results(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                              const uint8_t *data, uint8_t *results);

/* Computes again the operations of `dirty` (a bit each, cleared) and all that depend on them. */
void spc__ssz_circuit_update(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                             const uint8_t *data, uint8_t *results, uint64_t *dirty);

/* The value of an operand, given the results. */
void spc__ssz_operand(const spc__ssz_circuit *circuit, uint32_t operand, const uint8_t *data,
                      const uint8_t *results, uint8_t out[32]);

void spc__ssz_stream_open(spc__ssz_stream *self, bool progressive);
void spc__ssz_stream_add(spc__ssz_stream *self, spc__ssz_work *work, const uint8_t *leaves,
                         uint64_t count);
/* `depth` of a bounded tree; not used for a progressive one. */
void spc__ssz_stream_close(spc__ssz_stream *self, spc__ssz_work *work, unsigned depth,
                           uint8_t root[32]);

#endif
