/*
 * Views and writers against messages: whatever decodes reads the same through a view, field by
 * field, and a writer that is given the message's fields makes the bytes that the encoder makes.
 */
#include "fuzz/codec_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_compare(const spc_message *m, const uint8_t *bytes, size_t length, int depth);

/* A value of the message and one of the view. */
static void fuzz_compare_value(const spc_message *m, const spc_field_info *f, spc_value value,
                               const spc_view_value *seen, int depth) {
  if (f->message != NULL) {
    const spc_message sub = {m->arena, f->message, value.message};
    fuzz_compare(&sub, seen->bytes, seen->length, depth + 1);
  } else if (f->type == SPC_TYPE_STRING || f->type == SPC_TYPE_BYTES) {
    FUZZ_REQUIRE(seen->length == value.slice.length);
    FUZZ_REQUIRE(seen->length == 0 ||
                 memcmp(seen->bytes, m->arena->base + value.slice.offset, seen->length) == 0);
  } else {
    FUZZ_REQUIRE(seen->value.bits == value.bits);
  }
}

static void fuzz_compare_list(const spc_message *m, const spc_view *view, const spc_field *field,
                              const spc_field_info *f, int depth) {
  uint32_t n = spc_count(m, field);
  spc_view_place place = spc_view_start(view);
  spc_view_value seen;
  for (uint32_t i = 0; i < n; i++) {
    FUZZ_REQUIRE(spc_view_element(view, field, &place, &seen, NULL) == SPC_OK);
    fuzz_compare_value(m, f, spc_at(m, field, i), &seen, depth);
  }
  FUZZ_REQUIRE(spc_view_element(view, field, &place, &seen, NULL) == SPC_NOT_FOUND);
}

static void fuzz_compare(const spc_message *m, const uint8_t *bytes, size_t length, int depth) {
  spc_view view;
  const spc_field *field;
  spc_view_init(&view, m->type, bytes, length);
  for (uint32_t i = 0; (field = spc_message_type_field(m->type, i)) != NULL; i++) {
    spc_field_info f = spc_field_describe(field);
    spc_view_value seen;
    if (f.map) continue; /* a view has an entry for every time that a key comes */
    if (f.repeated) {
      fuzz_compare_list(m, &view, field, &f, depth);
      continue;
    }
    spc_status status = spc_view_get(&view, field, &seen, NULL);
    if (status == SPC_MALFORMED && f.message != NULL) continue;
    if (!f.explicit_presence && status == SPC_OK && f.message == NULL && !spc_has(m, field)) {
      FUZZ_REQUIRE(seen.value.bits == 0 && seen.length == 0);
      continue;
    }
    FUZZ_REQUIRE((status == SPC_OK) == spc_has(m, field));
    if (status == SPC_OK) fuzz_compare_value(m, &f, spc_get(m, field), &seen, depth);
  }
}

static void fuzz_write(spc_writer *w, const spc_message *m);

static void fuzz_write_value(spc_writer *w, const spc_message *m, const spc_field *field,
                             const spc_field_info *f, spc_value value) {
  if (f->message != NULL) {
    const spc_message sub = {m->arena, f->message, value.message};
    spc_writer_open(w, field);
    fuzz_write(w, &sub);
    spc_writer_close(w);
  } else if (f->type == SPC_TYPE_STRING || f->type == SPC_TYPE_BYTES) {
    spc_writer_bytes(w, field, m->arena->base + value.slice.offset, value.slice.length);
  } else {
    spc_writer_value(w, field, value);
  }
}

static void fuzz_write(spc_writer *w, const spc_message *m) {
  const spc_field *field;
  for (uint32_t i = 0; (field = spc_message_type_field(m->type, i)) != NULL; i++) {
    spc_field_info f = spc_field_describe(field);
    if (!spc_has(m, field)) continue;
    uint32_t n = spc_count(m, field);
    if (f.packed) {
      static spc_value values[8192];
      for (uint32_t j = 0; j < n; j++)
        values[j] = spc_at(m, field, j);
      spc_writer_packed(w, field, values, n);
    } else if (f.repeated) {
      for (uint32_t j = 0; j < n; j++)
        fuzz_write_value(w, m, field, &f, spc_at(m, field, j));
    } else {
      fuzz_write_value(w, m, field, &f, spc_get(m, field));
    }
  }
}

/* Extensions and unknown fields are not the writer's; they are left out here. */
static void fuzz_writer(const spc_message *m) {
  static uint8_t expected[1 << 16], written[1 << 16];
  size_t length, written_length;
  spc_writer w;
  const spc_encode_options options = {.flags = SPC_ENCODE_PARTIAL};
  if (spc_encode(m, expected, sizeof expected, &options, &length, NULL) != SPC_OK) return;
  spc_writer_init(&w, m->type, written, sizeof written);
  fuzz_write(&w, m);
  spc_status status = spc_writer_finish(&w, &written_length);
  if (status == SPC_DEPTH_LIMIT) return;
  FUZZ_REQUIRE(status == SPC_OK);
  if (written_length != length) return; /* something that is left out */
  FUZZ_REQUIRE(memcmp(expected, written, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t bytes[4096];
  spc_message m;
  if (size < 2) return 0;
  size_t length = fuzz_wire(data + 1, size - 1, bytes, sizeof bytes);
  spc_arena arena = fuzz_arena();
  const spc_decode_options options = {.flags = SPC_DECODE_PARTIAL};
  uint8_t *input = malloc(length == 0 ? 1 : length);
  FUZZ_REQUIRE(input != NULL);
  memcpy(input, bytes, length);
  if (spc_decode(&arena, fuzz_type(data[0]), input, length, &options, &m, NULL) == SPC_OK) {
    fuzz_compare(&m, input, length, 0);
    fuzz_writer(&m);
  } else {
    /* A view of it gives statuses, whatever is read. */
    spc_view view;
    spc_view_value value;
    spc_view_init(&view, fuzz_type(data[0]), input, length);
    spc_view_place place = spc_view_start(&view);
    while (spc_view_next(&view, &place, &value, NULL) == SPC_OK) {
    }
  }
  free(input);
  return 0;
}
