/*
 * The root of a value straight from its bytes. Each composite value streams the roots of its parts
 * through one spc__ssz_stream, so the memory is the same for any size; recursion follows the type,
 * one stream a level. Flat elements and packed chunks go to the hash in large batches.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/merkle.h"
#include "ssz/wire.h"

_Static_assert(sizeof(spc__ssz_work) <= SPC_SSZ_WORK_SIZE, "SPC_SSZ_WORK_SIZE is too small");

static void bytes_root(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *bytes,
                       uint64_t length, unsigned depth, uint8_t root[32]);

/* `bits` is the bit length of `bytes`; what follows in the last byte is not part of the value. */
static void bytes_packed(spc__ssz_work *work, spc__ssz_stream *stream, const uint8_t *bytes,
                         uint64_t bits) {
  uint64_t full = bits / 256;
  unsigned rest = (unsigned)(bits % 256);
  spc__ssz_stream_add(stream, work, bytes, full);
  if (rest == 0) return;
  uint8_t chunk[32] = {0};
  memcpy(chunk, bytes + 32 * full, (rest + 7) / 8);
  if (rest % 8 != 0) chunk[rest / 8] &= (uint8_t)((1u << (rest % 8)) - 1);
  spc__ssz_stream_add(stream, work, chunk, 1);
}

static void bytes_flat_elements(spc__ssz_work *work, spc__ssz_stream *stream,
                                const spc_ssz_type *element, const uint8_t *bytes, uint64_t count) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(element);
  size_t batch = spc__ssz_circuit_batch(circuit);
  while (count != 0) {
    size_t n = count < batch ? (size_t)count : batch;
    for (size_t i = 0; i < n; i++)
      work->data[i] = bytes + i * element->fixed_size;
    spc__ssz_circuit_roots(work, circuit, work->data, n, work->roots);
    spc__ssz_stream_add(stream, work, work->roots, n);
    bytes += n * element->fixed_size;
    count -= n;
  }
}

static void bytes_sequence(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *bytes,
                           uint64_t length, unsigned depth, uint8_t root[32]) {
  spc__ssz_stream *stream = &work->streams[depth];
  uint64_t count = spc__ssz_wire_count(type, bytes, length);
  spc__ssz_stream_open(stream, spc__ssz_is_progressive(type));
  if (spc__ssz_has(type, SPC__SSZ_PACKED)) {
    bytes_packed(work, stream, bytes, spc__ssz_has(type, SPC__SSZ_BITS) ? count : 8 * length);
  } else if (spc__ssz_has(type, SPC__SSZ_INLINE)) {
    bytes_flat_elements(work, stream, spc__ssz_element(type), bytes, count);
  } else {
    for (uint64_t i = 0; i < count; i++) {
      uint64_t size;
      uint8_t leaf[32];
      const uint8_t *part = spc__ssz_wire_element(type, bytes, length, i, count, &size);
      bytes_root(work, spc__ssz_element(type), part, size, depth + 1, leaf);
      spc__ssz_stream_add(stream, work, leaf, 1);
    }
  }
  spc__ssz_stream_close(stream, work, type->tree_depth, root);
  if (spc__ssz_has(type, SPC__SSZ_GROWS)) spc__ssz_mix_length(work, root, count);
}

static void bytes_container(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *bytes,
                            uint64_t length, unsigned depth, uint8_t root[32]) {
  const spc__ssz_member *members = spc__ssz_members(type);
  spc__ssz_stream *stream = &work->streams[depth];
  uint8_t active[32] = {0};
  spc__ssz_stream_open(stream, spc__ssz_is_progressive(type));
  uint32_t position = 0;
  for (uint32_t i = 0; i < type->member_count; i++, position++) {
    for (; position < members[i].position; position++)
      spc__ssz_stream_add(stream, work, spc__ssz_zeros[0], 1);
    uint64_t size;
    uint8_t leaf[32];
    const uint8_t *part = spc__ssz_wire_member(type, bytes, length, i, &size);
    bytes_root(work, spc__ssz_member_type(&members[i]), part, size, depth + 1, leaf);
    spc__ssz_stream_add(stream, work, leaf, 1);
    if (spc__ssz_is_progressive(type)) active[position / 8] |= (uint8_t)(1u << (position % 8));
  }
  spc__ssz_stream_close(stream, work, spc__ssz_depth_for(type->member_count), root);
  if (spc__ssz_is_progressive(type)) spc__ssz_hash(work, root, root, active);
}

static void bytes_union(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *bytes,
                        uint64_t length, unsigned depth, uint8_t root[32]) {
  const spc__ssz_member *option = spc__ssz_option(type, bytes[0]);
  if (option->type == 0)
    memset(root, 0, 32);
  else
    bytes_root(work, spc__ssz_member_type(option), bytes + 1, length - 1, depth + 1, root);
  spc__ssz_mix_length(work, root, bytes[0]);
}

static void bytes_root(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *bytes,
                       uint64_t length, unsigned depth, uint8_t root[32]) {
  if (spc__ssz_has(type, SPC__SSZ_FLAT))
    spc__ssz_circuit_roots(work, spc__ssz_type_circuit(type), &bytes, 1, root);
  else if (spc__ssz_is_container(type))
    bytes_container(work, type, bytes, length, depth, root);
  else if (spc__ssz_is_union(type))
    bytes_union(work, type, bytes, length, depth, root);
  else
    bytes_sequence(work, type, bytes, length, depth, root);
}

spc_status spc_ssz_root_of_bytes(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                 void *work, uint8_t root[32], spc_error *error) {
  spc_status status = spc_ssz_validate(type, bytes, length, error);
  if (status != SPC_OK) return status;
  spc__ssz_work *own = (spc__ssz_work *)work;
  own->count = 0;
  own->hashes = 0;
  bytes_root(own, type, bytes, length, 0, root);
  return SPC_OK;
}
