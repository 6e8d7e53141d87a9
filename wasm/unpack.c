/*
 * Decodes the text that a Wasm module is embedded as: see scripts/pack-module.mjs. Its
 * code was split into streams, one of opcodes and one for each kind of what follows them, which
 * compress better apart; each is a stream of DEFLATE (RFC 1951), byte after byte as digits of six
 * bits.
 *
 * The text is trusted: it comes with this program, out of one build. The opcodes tell which stream
 * has the next byte; where they are read wrong, both sides read them wrong alike.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNPACK_STREAMS 10u /* the last one is what is not code, behind its lengths */
#define UNPACK_BITS    15u
#define UNPACK_SOON    9u
#define UNPACK_SYMBOLS 288u
#define UNPACK_LENGTHS (UNPACK_SYMBOLS + 32u)

/* A canonical Huffman code: how many symbols have a length, and all by their code. */
typedef struct unpack_code {
  uint16_t count[UNPACK_BITS + 1], symbol[UNPACK_SYMBOLS];
  /* By the next bits: symbol and, in four bits, length of a short code; 0 for others. */
  uint16_t soon[1u << UNPACK_SOON];
} unpack_code;

static const uint8_t *unpack_text;
static uint32_t unpack_held, unpack_left, unpack_taken;

/* Reads ahead to where 16 bits are held at least, behind the end of the text too. */
static void unpack_hold(void) {
  while (unpack_left < 16) {
    uint32_t c = *unpack_text++;
    /* In the place of a backslash and a backtick. */
    c = c == 'h' ? '\\' : c == 'i' ? '`' : c;
    unpack_held |= (c - '(') << unpack_left;
    unpack_left += 6;
  }
}

static void unpack_drop(uint32_t bits) {
  unpack_held >>= bits;
  unpack_left -= bits;
  unpack_taken += bits;
}

static uint32_t unpack_take(uint32_t bits) {
  unpack_hold();
  uint32_t taken = unpack_held & ((1u << bits) - 1);
  unpack_drop(bits);
  return taken;
}

static void unpack_build(unpack_code *code, const uint8_t *lengths, uint32_t count) {
  uint16_t next[UNPACK_BITS + 1];
  for (uint32_t i = 0; i <= UNPACK_BITS; i++)
    code->count[i] = 0;
  for (uint32_t i = 0; i < count; i++)
    code->count[lengths[i]]++;
  next[1] = code->count[0] = 0;
  for (uint32_t i = 1; i < UNPACK_BITS; i++)
    next[i + 1] = (uint16_t)(next[i] + code->count[i]);
  for (uint32_t i = 0; i < count; i++)
    if (lengths[i] != 0) code->symbol[next[lengths[i]]++] = (uint16_t)i;
  for (uint32_t i = 0; i < 1u << UNPACK_SOON; i++)
    code->soon[i] = 0;
  uint32_t value = 0, index = 0;
  /* Codes come with their highest bit first, which is the lowest one that is held. */
  for (uint32_t bits = 1; bits <= UNPACK_SOON; bits++, value <<= 1)
    for (uint32_t i = 0; i < code->count[bits]; i++, value++, index++) {
      uint32_t at = 0;
      for (uint32_t bit = 0; bit < bits; bit++)
        at |= (value >> bit & 1) << (bits - 1 - bit);
      for (; at < 1u << UNPACK_SOON; at += 1u << bits)
        code->soon[at] = (uint16_t)((uint32_t)code->symbol[index] << 4 | bits);
    }
}

static uint32_t unpack_symbol(const unpack_code *code) {
  unpack_hold();
  uint32_t soon = code->soon[unpack_held & ((1u << UNPACK_SOON) - 1)];
  if (soon != 0) {
    unpack_drop(soon & 15);
    return soon >> 4;
  }
  const uint16_t *count = code->count, *symbol = code->symbol;
  uint32_t bits = unpack_held, value = 0;
  for (uint32_t i = 1;; i++, bits >>= 1) {
    /* How far it is in the codes of this length. */
    value = value << 1 | (bits & 1);
    if (value < count[i]) {
      unpack_drop(i);
      return symbol[value];
    }
    value -= count[i];
    symbol += count[i];
  }
}

/* The codes of a block, fixed or described in it. */
static void unpack_codes(bool fixed, unpack_code *symbols, unpack_code *distances) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[UNPACK_LENGTHS];
  uint32_t symbol_count = UNPACK_SYMBOLS, distance_count = 30, i = 0;
  if (fixed) {
    for (; i < UNPACK_LENGTHS; i++)
      lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < UNPACK_SYMBOLS ? 8 : 5;
  } else {
    symbol_count = unpack_take(5) + 257;
    distance_count = unpack_take(5) + 1;
    uint32_t given = unpack_take(4) + 4;
    for (i = 0; i < 19; i++)
      lengths[order[i]] = i < given ? (uint8_t)unpack_take(3) : 0;
    unpack_build(symbols, lengths, 19);
    for (i = 0; i < symbol_count + distance_count;) {
      uint32_t symbol = unpack_symbol(symbols), times = 1;
      uint8_t length = (uint8_t)symbol;
      if (symbol >= 16) {
        length = symbol == 16 ? lengths[i - 1] : 0;
        times = symbol == 16   ? 3 + unpack_take(2)
                : symbol == 17 ? 3 + unpack_take(3)
                               : 11 + unpack_take(7);
      }
      while (times-- != 0)
        lengths[i++] = length;
    }
  }
  unpack_build(symbols, lengths, symbol_count);
  unpack_build(distances, lengths + symbol_count, distance_count);
}

/* Base and extra bits by code, where `step` codes have as many: of lengths 4, of distances 2. */
static uint32_t unpack_extra(uint32_t code, uint32_t step) {
  uint32_t bits = code < 2 * step ? 0 : code / step - 1;
  return (code < 2 * step ? code : (step + code % step) << bits) + unpack_take(bits);
}

/* Inflates a stream to `out`; gives its end there. */
static uint8_t *unpack_stream(uint8_t *out) {
  static unpack_code symbols, distances;
  for (uint32_t last = 0; last == 0;) {
    last = unpack_take(1);
    uint32_t type = unpack_take(2);
    if (type == 0) {
      (void)unpack_take(-unpack_taken & 7);
      uint32_t length = unpack_take(16);
      (void)unpack_take(16);
      while (length-- != 0)
        *out++ = (uint8_t)unpack_take(8);
      continue;
    }
    unpack_codes(type == 1, &symbols, &distances);
    for (uint32_t symbol; (symbol = unpack_symbol(&symbols)) != 256;) {
      if (symbol < 256) {
        *out++ = (uint8_t)symbol;
        continue;
      }
      uint32_t length = symbol == 285 ? 258 : 3 + unpack_extra(symbol - 257, 4);
      const uint8_t *from = out - 1 - unpack_extra(unpack_symbol(&distances), 2);
      while (length-- != 0)
        *out++ = *from++;
    }
  }
  (void)unpack_take(-unpack_taken & 7);
  return out;
}

/* The streams of what follows an opcode, four bits each, the first one lowest. */
static uint32_t unpack_operands(uint32_t op) {
  if (op >= 0x20 && op <= 0x22) return 0x1;                  /* a local */
  if (op >= 0x28 && op <= 0x3e) return 0x32;                 /* alignment, offset */
  if (op == 0x41) return 0x4;                                /* constants */
  if (op == 0x42) return 0x5;                                /* ... of 64 bits */
  if (op == 0x0c || op == 0x0d) return 0x6;                  /* branches */
  if (op == 0x10) return 0x7;                                /* calls */
  if (op == 0x11 || op == 0xfc) return 0x88;                 /* calls by table, memory */
  if (op == 0x23 || op == 0x24 || op == 0xfd) return 0x8;    /* globals, vectors */
  return (op >= 0x02 && op <= 0x04) || op == 0x0e ? 0x8 : 0; /* blocks, tables of branches */
}

/* Unpacks the text, with memory for twice the module at `out`; gives the address of the module. */
__attribute__((export_name("d"))) uint8_t *unpack(const uint8_t *text, uint8_t *out);
uint8_t *unpack(const uint8_t *text, uint8_t *out) {
  const uint8_t *streams[UNPACK_STREAMS];
  unpack_text = text;
  for (uint32_t i = 0; i < UNPACK_STREAMS; i++) {
    streams[i] = out;
    out = unpack_stream(out);
  }
  uint8_t *module = out;
  const uint8_t *rest = streams[UNPACK_STREAMS - 1], *rest_end = module;
  uint32_t before = 0, code = 0, operands = 0;
  for (uint32_t i = 0; i < 3; i++)
    before |= (uint32_t)*rest++ << 8 * i;
  for (uint32_t i = 0; i < 3; i++)
    code |= (uint32_t)*rest++ << 8 * i;
  while (before-- != 0)
    *out++ = *rest++;
  while (code-- != 0) {
    uint8_t byte = *streams[operands & 15]++;
    *out++ = byte;
    if (operands == 0)
      operands = unpack_operands(byte);
    else if (byte < 0x80)
      operands >>= 4;
  }
  while (rest != rest_end)
    *out++ = *rest++;
  return module;
}
