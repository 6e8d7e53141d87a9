/* Generated writers and views: misuse, setters of small messages, lengths, bytes within bytes. */
#include "codec_support.h"
#include "small.spc.h"

static uint8_t out[4096];
static spc_gen_writer w;

static size_t finish(test_Outer_writer m) {
  size_t length;
  CHECK(test_Outer_writer_finish(m, &length) == SPC_OK);
  return length;
}

static void the_wrong_order_is_a_status_that_stays(void) {
  size_t length;
  test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_number(m, 5) == SPC_OK);
  CHECK(test_Outer_writer_number(m, 5) == SPC_FIELD_ORDER);
  CHECK(test_Outer_writer_text(m, "later", 5) == SPC_FIELD_ORDER);
  CHECK(test_Outer_writer_finish(m, &length) == SPC_FIELD_ORDER && length == 0);
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_text(m, "a", 1) == SPC_OK);
  CHECK(test_Outer_writer_number(m, 0) == SPC_FIELD_ORDER); /* zero has its turn too */
  test_Outer_reverse r = test_Outer_reverse_init(&w, out, sizeof out);
  CHECK(test_Outer_reverse_number(r, 1) == SPC_OK);
  CHECK(test_Outer_reverse_text(r, "a", 1) == SPC_FIELD_ORDER);
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_left(m, 1) == SPC_OK);
  CHECK(test_Outer_writer_right(m, 1) == SPC_FIELD_ORDER); /* members of one oneof */
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_early(m, 1) == SPC_OK);
  CHECK(test_Outer_writer_between(m, 1) == SPC_OK);
  CHECK(test_Outer_writer_late(m, 1) == SPC_FIELD_ORDER);
}

static void a_closed_child_refuses_and_an_open_one_is_closed(void) {
  size_t length;
  test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof out);
  test_Inner_writer c = test_Outer_writer_open_inner(m);
  CHECK(test_Inner_writer_text(c, "x", 1) == SPC_OK);
  CHECK(test_Outer_writer_text(m, "y", 1) == SPC_OK); /* closes the child */
  static const uint8_t expected[] = {0x12, 3, 0x0a, 1, 'x', 0x1a, 1, 'y'};
  CHECK_U64(finish(m), sizeof expected);
  CHECK_BYTES(out, expected, sizeof expected);
  CHECK(test_Inner_writer_more(c, 1) == SPC_INVALID_STATE);
  CHECK(test_Outer_writer_finish(m, &length) == SPC_INVALID_STATE);
  m = test_Outer_writer_init(&w, out, sizeof out);
  c = test_Outer_writer_open_inner(m);
  CHECK(test_Inner_writer_close(c) == SPC_OK);
  CHECK(test_Inner_writer_close(c) == SPC_INVALID_STATE);
  m = test_Outer_writer_init(&w, out, sizeof out);
  test_Outer_writer_open_inner(m);
  CHECK(test_Outer_writer_finish(m, &length) == SPC_INVALID_STATE); /* a close is missing */
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_close(m) == SPC_INVALID_STATE); /* the root is finished, not closed */
}

static void children_nest_to_a_limit(void) {
  size_t length;
  for (int back = 0; back < 2; back++) {
    test_Outer_writer m = {&w, spc_gen_writer_init(&w, out, sizeof out, back != 0), 0};
    test_Outer_reverse r = {&w, m.id, 0};
    for (int i = 0; i < 40; i++) {
      if (back)
        r = test_Outer_reverse_open_outer(r);
      else
        m = test_Outer_writer_open_outer(m);
    }
    CHECK(spc_gen_writer_finish(&w, m.id, &length) == SPC_DEPTH_LIMIT);
  }
}

static void a_full_buffer_is_a_status(void) {
  static const char text[64] = "";
  for (size_t room = 0; room < 66; room++) {
    size_t length;
    test_Outer_writer m = test_Outer_writer_init(&w, out, room);
    test_Outer_reverse r;
    CHECK(test_Outer_writer_text(m, text, sizeof text) == SPC_BUFFER_TOO_SMALL);
    CHECK(test_Outer_writer_finish(m, &length) == SPC_BUFFER_TOO_SMALL);
    r = test_Outer_reverse_init(&w, out, room);
    CHECK(test_Outer_reverse_text(r, text, sizeof text) == SPC_BUFFER_TOO_SMALL);
  }
  test_Outer_writer m = test_Outer_writer_init(&w, out, 66);
  CHECK(test_Outer_writer_text(m, text, sizeof text) == SPC_OK);
  CHECK_U64(finish(m), 66);
}

static void lengths_of_children_may_be_of_any_size(void) {
  static char text[1000];
  for (size_t n = 100; n < 300; n++) {
    test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof out);
    for (int i = 0; i < 2; i++) {
      test_Outer_writer c = test_Outer_writer_open_list(m);
      CHECK(test_Outer_writer_text(c, text, i == 0 ? n : 3) == SPC_OK);
      CHECK(test_Outer_writer_close(c) == SPC_OK);
    }
    size_t head = n < 126 ? 2 : 3, inner = n + (n < 128 ? 2 : 3);
    head = inner < 128 ? 2 : 3;
    CHECK_U64(finish(m), head + inner + 7);
    CHECK(out[0] == 0x2a && out[head] == 0x1a && out[head + inner] == 0x2a);
    CHECK(out[head + inner + 1] == 5);
  }
}

/* What the child writer writes, and the encoder, has to be what the setter writes. */
static void check_numbers(int32_t a, int64_t b, uint32_t c, uint64_t d, bool e, int32_t f) {
  uint8_t child[256], model[256];
  size_t n, k;
  test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_six(m, a, b, c, d, e, f) == SPC_OK);
  CHECK(test_Outer_writer_sixes(m, a, b, c, d, e, f) == SPC_OK);
  CHECK(test_Outer_writer_sixes(m, a, b, c, d, e, f) == SPC_OK);
  n = finish(m);
  m = test_Outer_writer_init(&w, child, sizeof child);
  for (int i = 0; i < 3; i++) {
    test_Six_writer s = i == 0 ? test_Outer_writer_open_six(m) : test_Outer_writer_open_sixes(m);
    test_Six_writer_a(s, a);
    test_Six_writer_b(s, b);
    test_Six_writer_c(s, c);
    test_Six_writer_d(s, d);
    test_Six_writer_e(s, e);
    test_Six_writer_f(s, f);
    test_Six_writer_close(s);
  }
  CHECK_U64(finish(m), n);
  CHECK_BYTES(out, child, n);
  spc_arena arena = test_arena();
  test_Outer o;
  CHECK(test_Outer_new(&arena, &o) == SPC_OK);
  for (int i = 0; i < 3; i++) {
    test_Six s;
    CHECK((i == 0 ? test_Outer_mutable_six(&arena, o, &s) : test_Outer_add_sixes(&arena, o, &s)) ==
          SPC_OK);
    test_Six_set_a(&arena, s, a);
    test_Six_set_b(&arena, s, b);
    test_Six_set_c(&arena, s, c);
    test_Six_set_d(&arena, s, d);
    test_Six_set_e(&arena, s, e);
    test_Six_set_f(&arena, s, f);
  }
  CHECK(test_Outer_encode(&arena, o, model, sizeof model, NULL, &k, NULL) == SPC_OK);
  CHECK_U64(k, n);
  CHECK_BYTES(out, model, n);
  test_Outer_reverse r = test_Outer_reverse_init(&w, child, sizeof child);
  CHECK(test_Outer_reverse_sixes(r, a, b, c, d, e, f) == SPC_OK);
  CHECK(test_Outer_reverse_sixes(r, a, b, c, d, e, f) == SPC_OK);
  CHECK(test_Outer_reverse_six(r, a, b, c, d, e, f) == SPC_OK);
  CHECK(test_Outer_reverse_finish(r, &k) == SPC_OK && k == n);
  CHECK_BYTES(child + sizeof child - n, model, n);
  free(arena.base);
}

static void setters_of_small_messages_write_what_others_do(void) {
  check_numbers(0, 0, 0, 0, false, 0);
  check_numbers(1, 2, 3, 4, true, test_Color_RED);
  check_numbers(-1, -2, UINT32_MAX, UINT64_MAX, true, -5);
  check_numbers(INT32_MIN, INT64_MIN, 1u << 28, UINT64_C(1) << 56, false, INT32_MAX);
  check_numbers(INT32_MAX, INT64_MAX, 127, 128, true, 0);
  test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_sixes(m, 1, 1, 1, 1, true, 1) == SPC_OK);
  CHECK(test_Outer_writer_six(m, 1, 1, 1, 1, true, 1) == SPC_FIELD_ORDER);
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_account(m, 0, 0, 0) == SPC_OK); /* a oneof's number is always written */
  static const uint8_t zero[] = {0x4a, 2, 0x18, 0};
  CHECK_U64(finish(m), sizeof zero);
  CHECK_BYTES(out, zero, sizeof zero);
}

static void a_message_is_written_as_a_field(void) {
  spc_arena arena = test_arena();
  test_Inner inner;
  CHECK(test_Inner_new(&arena, &inner) == SPC_OK);
  CHECK(test_Inner_set_text(&arena, inner, "abc", 3) == SPC_OK);
  static const uint8_t expected[] = {0x12, 5, 0x0a, 3, 'a', 'b', 'c', 0x1a, 1, 'z'};
  test_Outer_writer m = test_Outer_writer_init(&w, out, sizeof expected);
  CHECK(test_Outer_writer_inner_from(m, &arena, inner) == SPC_OK);
  CHECK(test_Outer_writer_text(m, "z", 1) == SPC_OK);
  CHECK_U64(finish(m), sizeof expected);
  CHECK_BYTES(out, expected, sizeof expected);
  test_Outer_reverse r = test_Outer_reverse_init(&w, out, sizeof expected);
  size_t n;
  CHECK(test_Outer_reverse_text(r, "z", 1) == SPC_OK);
  CHECK(test_Outer_reverse_inner_from(r, &arena, inner) == SPC_OK);
  CHECK(test_Outer_reverse_finish(r, &n) == SPC_OK && n == sizeof expected);
  CHECK_BYTES(out, expected, sizeof expected);
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_inner_from(m, &arena, (test_Inner){0}) == SPC_INVALID_ARGUMENT);
  CHECK(test_Outer_writer_text(m, "\xff", 1) == SPC_INVALID_ARGUMENT);
  m = test_Outer_writer_init(&w, out, sizeof out);
  CHECK(test_Outer_writer_text(m, "\xff", 1) == SPC_BAD_UTF8);
  free(arena.base);
}

static void a_view_wraps_bytes_of_another(void) {
  test_Inner_view inner;
  test_Outer_view outer, within;
  spc_error error;
  /* raw (7) holds an Outer with number 5; what is unordered or twice is found too. */
  static const uint8_t bytes[] = {0x1a, 1, 'a', 0x3a, 2, 0x08, 5, 0x08, 9, 0x1a, 1, 'b'};
  CHECK(test_Outer_view_init(&outer, bytes, sizeof bytes, &error) == SPC_OK);
  CHECK(test_Outer_view_number(&outer) == 9);
  CHECK(test_Outer_view_text(&outer).data[0] == 'b');
  spc_bytes raw = test_Outer_view_raw(&outer);
  CHECK(raw.data == bytes + 5 && raw.length == 2);
  CHECK(test_Outer_view_init(&within, raw.data, raw.length, &error) == SPC_OK);
  CHECK(test_Outer_view_number(&within) == 5);
  CHECK(test_Outer_view_inner(&outer, &inner, &error) == SPC_NOT_FOUND);
  CHECK(test_Inner_view_text(&inner).length == 0);
  static const uint8_t twice[] = {0x12, 0, 0x12, 0};
  CHECK(test_Outer_view_init(&outer, twice, sizeof twice, &error) == SPC_OK);
  CHECK(test_Outer_view_inner(&outer, &inner, &error) == SPC_MALFORMED);
}

static void malformed_bytes_fail_a_view_at_their_place(void) {
  static const struct {
    const char *hex;
    spc_status status;
    uint64_t offset;
  } cases[] = {
      {"08", SPC_TRUNCATED, 1},
      {"08 80", SPC_TRUNCATED, 1},
      {"1a 05 61", SPC_TRUNCATED, 1},
      {"08 05 1a 01 ff", SPC_BAD_UTF8, 4},
      {"08 05 0f", SPC_BAD_WIRE_TYPE, 2},
      {"00 00", SPC_BAD_FIELD_NUMBER, 0},
      {"0c", SPC_GROUP_MISMATCH, 1},
      {"08 ff ff ff ff ff ff ff ff ff 7f", SPC_OVERLONG_VARINT, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t bytes[32];
    size_t n = test_hex(bytes, cases[i].hex);
    uint8_t *exact = malloc(n);
    memcpy(exact, bytes, n);
    test_Outer_view view;
    spc_error error = {0};
    CHECK(test_Outer_view_init(&view, exact, n, &error) == cases[i].status);
    CHECK_U64(error.offset, cases[i].offset);
    free(exact);
  }
}

int main(void) {
  the_wrong_order_is_a_status_that_stays();
  a_closed_child_refuses_and_an_open_one_is_closed();
  children_nest_to_a_limit();
  a_full_buffer_is_a_status();
  lengths_of_children_may_be_of_any_size();
  setters_of_small_messages_write_what_others_do();
  a_message_is_written_as_a_field();
  a_view_wraps_bytes_of_another();
  malformed_bytes_fail_a_view_at_their_place();
  return test_end();
}
