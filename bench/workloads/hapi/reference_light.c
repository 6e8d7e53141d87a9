/*
 * The light reference decoder: neither presence nor unknown fields, and no more shapes than the
 * block has. Its records are the words of values.h, so that what it makes of a block is the stream
 * that the block was made from; the pool of its bytes is the input.
 */
#include "read_fast.h"
#include "records.h"

typedef struct light_out {
  uint32_t *w;
  const uint8_t *input;
} light_out;

#define LIGHT_TAG(tag)                                                                             \
  if (HAPI_UNLIKELY(*p != (tag))) return NULL;                                                     \
  p++;
/* A tag and the length of a message that ends at `end`. */
#define LIGHT_OPEN(tag, end)                                                                       \
  const uint8_t *end;                                                                              \
  {                                                                                                \
    uint32_t length;                                                                               \
    LIGHT_TAG(tag)                                                                                 \
    if (HAPI_UNLIKELY(!hapi_get_length(&p, e, &length))) return NULL;                              \
    end = p + length;                                                                              \
  }
#define LIGHT_CLOSE(end)                                                                           \
  if (HAPI_UNLIKELY(p != (end))) return NULL;

HAPI_INLINE const uint8_t *light_32(const uint8_t *p, const uint8_t *e, uint32_t *to) {
  uint64_t value;
  p = hapi_get(p, e, &value);
  *to = (uint32_t)value;
  return p;
}

HAPI_INLINE const uint8_t *light_64(const uint8_t *p, const uint8_t *e, uint32_t *to) {
  uint64_t value;
  p = hapi_get(p, e, &value);
  memcpy(to, &value, sizeof value);
  return p;
}

/* The number of an identifier in a field of that tag. */
HAPI_INLINE const uint8_t *light_id(const uint8_t *p, const uint8_t *e, unsigned tag,
                                    uint32_t *to) {
  if (HAPI_UNLIKELY(p[0] != tag || p[2] != 0x18)) return NULL;
  const uint8_t *end = p + 2 + p[1];
  p = light_32(p + 3, e, to);
  LIGHT_CLOSE(end)
  return p;
}

#define LIGHT_ID(tag, to)                                                                          \
  p = light_id(p, e, tag, to);                                                                     \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

HAPI_INLINE const uint8_t *light_time(const uint8_t *p, const uint8_t *e, unsigned tag,
                                      uint32_t *to) {
  if (HAPI_UNLIKELY(p[0] != tag || p[2] != 0x08)) return NULL;
  const uint8_t *end = p + 2 + p[1];
  p = light_64(p + 3, e, to);
  LIGHT_TAG(0x10)
  p = light_32(p, e, to + 2);
  LIGHT_CLOSE(end)
  return p;
}

#define LIGHT_TIME(tag, to)                                                                        \
  p = light_time(p, e, tag, to);                                                                   \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

HAPI_INLINE const uint8_t *light_amount(const uint8_t *p, const uint8_t *e, unsigned tag,
                                        uint32_t *to) {
  uint64_t value;
  LIGHT_OPEN(tag, end)
  LIGHT_ID(0x0a, to)
  LIGHT_TAG(0x10)
  p = hapi_get(p, e, &value);
  value = hapi_unzigzag(value);
  memcpy(to + 1, &value, sizeof value);
  LIGHT_CLOSE(end)
  return p;
}

#define LIGHT_AMOUNT(tag, to)                                                                      \
  p = light_amount(p, e, tag, to);                                                                 \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

HAPI_INLINE const uint8_t *light_nft_id(const uint8_t *p, const uint8_t *e, unsigned tag,
                                        uint32_t *to) {
  LIGHT_OPEN(tag, end)
  LIGHT_ID(0x0a, to)
  LIGHT_TAG(0x10)
  p = light_64(p, e, to + 1);
  LIGHT_CLOSE(end)
  return p;
}

#define LIGHT_NFT_ID(tag, to)                                                                      \
  p = light_nft_id(p, e, tag, to);                                                                 \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

/* Which fields a result has tells what it is. */
enum { LIGHT_STATUS = 1, LIGHT_FEE = 2, LIGHT_SENDER = 4, LIGHT_RECEIVER = 8, LIGHT_LIST = 16 };

static const uint8_t *light_result(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *kind = out->w, *w = kind + 1;
  unsigned has = 0;
  if (*p == 0x3a) {
    LIGHT_OPEN(0x3a, end)
    LIGHT_CLOSE(end - (e - p))
    for (unsigned i = 0; i < 3; i++, w += 3) {
      LIGHT_AMOUNT(0x0a, w)
    }
    *kind = HAPI_ANONYMOUS;
    out->w = w;
    return p;
  }
  if (*p == 0x08) {
    p = light_32(p + 1, e, w++);
    has |= LIGHT_STATUS;
  }
  LIGHT_TIME(0x12, w)
  w += 3;
  if (p < e && *p == 0x30) {
    p = light_64(p + 1, e, w);
    w += 2;
    has |= LIGHT_FEE;
  }
  if (p < e) {
    LIGHT_OPEN(0x42, end)
    has |= LIGHT_LIST;
    LIGHT_ID(0x0a, w)
    for (w++; p < end && *p == 0x12; w += 3) {
      LIGHT_AMOUNT(0x12, w)
    }
    if (p < end) {
      LIGHT_OPEN(0x1a, nft)
      if (*p == 0x0a) {
        LIGHT_ID(0x0a, w)
        w++;
        has |= LIGHT_SENDER;
      }
      if (*p == 0x12) {
        LIGHT_ID(0x12, w)
        w++;
        has |= LIGHT_RECEIVER;
      }
      LIGHT_TAG(0x18)
      p = light_64(p, e, w);
      w += 2;
      LIGHT_CLOSE(nft)
    }
    LIGHT_CLOSE(end)
  }
  switch (has) {
  case LIGHT_STATUS | LIGHT_FEE:
    *kind = HAPI_RESULT;
    break;
  case LIGHT_STATUS | LIGHT_LIST:
    *kind = HAPI_BALANCE;
    break;
  case LIGHT_LIST | LIGHT_RECEIVER:
    *kind = HAPI_ADDED;
    break;
  case LIGHT_LIST | LIGHT_FEE | LIGHT_SENDER | LIGHT_RECEIVER:
    *kind = HAPI_TRADED;
    break;
  case LIGHT_LIST | LIGHT_SENDER:
    *kind = HAPI_DELETED;
    break;
  default:
    return NULL;
  }
  out->w = w;
  return p;
}

/* The key and the value of a map update; what a value repeats of its key is read and compared. */
static const uint8_t *light_update(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *w = out->w, again[3];
  LIGHT_OPEN(0x0a, key)
  const unsigned choice = *p;
  switch (choice) {
  case 0x12: {
    LIGHT_OPEN(0x12, association)
    LIGHT_ID(0x0a, w + 1)
    LIGHT_ID(0x12, w + 2)
    LIGHT_CLOSE(association)
    LIGHT_CLOSE(key)
    LIGHT_OPEN(0x12, value)
    LIGHT_OPEN(0x62, relation)
    LIGHT_CLOSE(relation - (value - p))
    LIGHT_ID(0x0a, again)
    LIGHT_ID(0x12, again + 1)
    if (again[0] != w[1] || again[1] != w[2]) return NULL;
    LIGHT_TAG(0x18)
    p = light_64(p, e, w + 3);
    w[5] = 0;
    if (p < e && *p == 0x30) p = light_32(p + 1, e, w + 5);
    LIGHT_CLOSE(value)
    w[0] = HAPI_RELATION;
    out->w = w + 6;
    return p;
  }
  case 0x0a: {
    LIGHT_ID(0x0a, w + 1)
    LIGHT_CLOSE(key)
    LIGHT_OPEN(0x12, value)
    LIGHT_OPEN(0x0a, account)
    LIGHT_CLOSE(account - (value - p))
    LIGHT_ID(0x0a, again)
    if (again[0] != w[1]) return NULL;
    LIGHT_TAG(0x28)
    p = light_64(p, e, w + 2);
    LIGHT_CLOSE(value)
    w[0] = HAPI_ACCOUNT;
    out->w = w + 4;
    return p;
  }
  case 0x2a: {
    LIGHT_NFT_ID(0x2a, w + 1)
    LIGHT_CLOSE(key)
    LIGHT_OPEN(0x12, value)
    LIGHT_OPEN(0x2a, nft)
    LIGHT_CLOSE(nft - (value - p))
    LIGHT_NFT_ID(0x0a, again)
    if (memcmp(again, w + 1, sizeof again) != 0) return NULL;
    w[0] = HAPI_PRIVATE_NFT;
    w += 4;
    if (p < e && *p == 0x12) {
      LIGHT_ID(0x12, w)
      w[-4] = HAPI_NFT;
      w++;
    }
    LIGHT_TIME(0x22, w)
    LIGHT_CLOSE(value)
    out->w = w + 3;
    return p;
  }
  default:
    return NULL;
  }
}

static const uint8_t *light_change(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *w = out->w, state;
  LIGHT_TAG(0x08)
  p = light_32(p, e, &state);
  const unsigned tag = *p;
  LIGHT_OPEN(tag, end)
  LIGHT_CLOSE(end - (e - p))
  switch (tag) {
  case 0x2a:
    return light_update(out, p, e);
  case 0x32: {
    LIGHT_OPEN(0x0a, key)
    LIGHT_NFT_ID(0x2a, w + 1)
    LIGHT_CLOSE(key)
    w[0] = HAPI_NFT_DELETED;
    out->w = w + 4;
    return p;
  }
  case 0x22: {
    LIGHT_OPEN(0x1a, value)
    LIGHT_TAG(0x08)
    p = light_64(p, e, w + 1);
    LIGHT_CLOSE(value)
    w[0] = HAPI_ENTITY;
    out->w = w + 3;
    return p;
  }
  case 0x3a: {
    LIGHT_OPEN(0x1a, entries)
    LIGHT_OPEN(0x0a, entry)
    LIGHT_CLOSE(entry - (entries - p))
    LIGHT_TAG(0x08)
    p = light_32(p, e, w + 1);
    LIGHT_OPEN(0x12, id)
    LIGHT_TIME(0x0a, w + 2)
    LIGHT_ID(0x12, w + 5)
    LIGHT_CLOSE(id)
    LIGHT_TAG(0x18)
    p = light_32(p, e, w + 6);
    LIGHT_CLOSE(entry)
    w[0] = HAPI_RECEIPT;
    out->w = w + 7;
    return p;
  }
  case 0x42:
    w[0] = HAPI_POPPED;
    out->w = w + 1;
    return p;
  default:
    return NULL;
  }
}

static const uint8_t *light_changes(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *w = out->w, count = 0;
  w[0] = HAPI_CHANGES;
  LIGHT_TIME(0x0a, w + 1)
  out->w = w + 5;
  for (; p < e; count++) {
    LIGHT_OPEN(0x12, end)
    p = light_change(out, p, end);
    LIGHT_CLOSE(end)
  }
  w[4] = count;
  return p;
}

/* Bytes in a field of that tag, as offset and length. */
HAPI_INLINE const uint8_t *light_bytes(const light_out *out, const uint8_t *p, const uint8_t *e,
                                       unsigned tag, uint32_t *to) {
  LIGHT_OPEN(tag, end)
  to[0] = (uint32_t)(p - out->input);
  to[1] = (uint32_t)(end - p);
  return end;
}

#define LIGHT_BYTES(tag, to)                                                                       \
  p = light_bytes(out, p, e, tag, to);                                                             \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

static const uint8_t *light_header(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *w = out->w;
  *w++ = HAPI_HEADER;
  for (unsigned tag = 0x0a; tag <= 0x12; tag += 8) {
    LIGHT_OPEN(tag, end)
    for (unsigned i = 1; i <= 3; i++) {
      LIGHT_TAG(8 * i)
      p = light_32(p, e, w++);
    }
    LIGHT_CLOSE(end)
  }
  LIGHT_TAG(0x18)
  p = light_64(p, e, w);
  LIGHT_TIME(0x22, w + 2)
  out->w = w + 5;
  return p;
}

static const uint8_t *light_item(light_out *out, const uint8_t *p, const uint8_t *e) {
  uint32_t *w = out->w;
  const unsigned tag = *p;
  if (tag == 0x22) {
    w[0] = HAPI_SIGNED;
    LIGHT_BYTES(0x22, w + 1)
    out->w = w + 3;
    return p;
  }
  LIGHT_OPEN(tag, end)
  LIGHT_CLOSE(end - (e - p))
  switch (tag) {
  case 0x2a:
    return light_result(out, p, e);
  case 0x3a:
    return light_changes(out, p, e);
  case 0x0a:
    return light_header(out, p, e);
  case 0x62:
    w[0] = HAPI_FOOTER;
    LIGHT_BYTES(0x0a, w + 1)
    LIGHT_BYTES(0x12, w + 3)
    LIGHT_BYTES(0x1a, w + 5)
    out->w = w + 7;
    return p;
  case 0x4a: {
    w[0] = HAPI_PROOF;
    LIGHT_TAG(0x08)
    p = light_64(p, e, w + 1);
    LIGHT_OPEN(0x12, proof)
    LIGHT_BYTES(0x0a, w + 3)
    LIGHT_CLOSE(proof)
    out->w = w + 5;
    return p;
  }
  default:
    return NULL;
  }
}

size_t hapi_decode_light(uint32_t *words, const uint8_t *bytes, size_t length) {
  light_out out = {words, bytes};
  const uint8_t *p = bytes, *e = bytes + length;
  while (p < e) {
    uint32_t size;
    if (*p++ != 0x0a || !hapi_get_length(&p, e, &size)) return 0;
    const uint8_t *end = p + size;
    p = light_item(&out, p, end);
    if (HAPI_UNLIKELY(p != end)) return 0;
  }
  *out.w++ = HAPI_END;
  return (size_t)(out.w - words);
}
