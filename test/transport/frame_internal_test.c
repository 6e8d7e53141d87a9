/* The frame format: bytes as documented, every wrong field refused with its place. */
#include "native/frame.h"
#include "support/test.h"

static const spc__frame frame_request = {
    .code = 0x01020304, .id = 0x05060708, .length = 9, .room = 258};
static const spc__frame frame_response = {.code = 0x01020304, .id = 0x05060708, .length = 9};

static void test_header_has_the_documented_bytes(void) {
  static const uint8_t expected[SPC_FRAME_BYTES] = {
      'S', 'P', 'C', 'Q', 1, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 9, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0};
  uint8_t bytes[SPC_FRAME_BYTES];
  spc__frame_encode(bytes, SPC_FRAME_REQUEST, &frame_request);
  CHECK_BYTES(bytes, expected, sizeof bytes);
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &frame_response);
  CHECK(bytes[3] == 'R');
}

static void test_header_reads_back(void) {
  uint8_t bytes[SPC_FRAME_BYTES];
  spc__frame frame;
  spc_error error;
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &frame_response);
  CHECK(spc__frame_decode(&frame, SPC_FRAME_RESPONSE, bytes, 9, &error) == SPC_OK);
  CHECK(frame.code == frame_response.code && frame.id == frame_response.id);
  CHECK(frame.length == 9 && frame.room == 0);
}

static void test_wrong_fields_are_refused_with_their_offset(void) {
  static const struct {
    size_t changed;
    uint64_t offset;
  } cases[] = {{0, 0}, {3, 0}, {4, 4}, {5, 4}, {6, 6}, {7, 6}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t bytes[SPC_FRAME_BYTES];
    spc__frame frame;
    spc_error error;
    spc__frame_encode(bytes, SPC_FRAME_REQUEST, &frame_request);
    bytes[cases[i].changed] ^= 0x80;
    CHECK(spc__frame_decode(&frame, SPC_FRAME_REQUEST, bytes, 100, &error) == SPC_BAD_FRAME);
    CHECK_U64(error.offset, cases[i].offset);
    CHECK(spc__frame_decode(&frame, SPC_FRAME_REQUEST, bytes, 100, NULL) == SPC_BAD_FRAME);
  }
}

/* The server's words that answer nothing have the id 0. */
static void test_a_request_has_an_id(void) {
  uint8_t bytes[SPC_FRAME_BYTES];
  spc__frame in = {.code = 1}, out;
  spc_error error;
  spc__frame_encode(bytes, SPC_FRAME_REQUEST, &in);
  CHECK(spc__frame_decode(&out, SPC_FRAME_REQUEST, bytes, 100, &error) == SPC_BAD_FRAME);
  CHECK_U64(error.offset, 12);
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &in);
  CHECK(spc__frame_decode(&out, SPC_FRAME_RESPONSE, bytes, 100, &error) == SPC_OK);
}

static void test_a_response_has_no_room(void) {
  uint8_t bytes[SPC_FRAME_BYTES];
  spc__frame frame;
  spc_error error;
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &frame_request);
  CHECK(spc__frame_decode(&frame, SPC_FRAME_RESPONSE, bytes, 100, &error) == SPC_BAD_FRAME);
  CHECK_U64(error.offset, 24);
}

static void test_a_response_is_no_request(void) {
  uint8_t bytes[SPC_FRAME_BYTES];
  spc__frame frame;
  spc_error error;
  spc__frame_encode(bytes, SPC_FRAME_RESPONSE, &frame_response);
  CHECK(spc__frame_decode(&frame, SPC_FRAME_REQUEST, bytes, 100, &error) == SPC_BAD_FRAME);
}

static void test_a_length_over_the_limit_has_its_own_status(void) {
  static const uint64_t lengths[] = {9, 10, UINT32_MAX, UINT64_MAX};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    uint8_t bytes[SPC_FRAME_BYTES];
    spc__frame in = {.code = 1, .id = 77, .length = lengths[i]}, out;
    spc_error error;
    spc__frame_encode(bytes, SPC_FRAME_REQUEST, &in);
    CHECK(spc__frame_decode(&out, SPC_FRAME_REQUEST, bytes, 8, &error) == SPC_FRAME_LIMIT);
    CHECK_U64(error.limit, 8);
    CHECK_U64(out.id, 77);
  }
}

static void test_an_error_record_carries_everything(void) {
  const spc_error in = {.status = SPC_NOT_CANONICAL,
                        .offset = 1,
                        .index = SPC_NO_POSITION,
                        .limit = UINT64_MAX - 1,
                        .path = "a.b[3].c"};
  uint8_t bytes[SPC_FRAME_ERROR_BYTES];
  spc_error out;
  size_t length = spc__frame_encode_error(bytes, &in);
  CHECK_U64(length, 24 + 8);
  CHECK(spc__frame_decode_error(&out, SPC_NOT_CANONICAL, bytes, length) == SPC_NOT_CANONICAL);
  CHECK(out.offset == in.offset && out.index == in.index && out.limit == in.limit);
  CHECK(strcmp(out.path, in.path) == 0);
}

static void test_the_longest_path_fits(void) {
  spc_error in = {.status = SPC_MALFORMED}, out;
  uint8_t bytes[SPC_FRAME_ERROR_BYTES];
  memset(in.path, 'x', sizeof in.path - 1);
  size_t length = spc__frame_encode_error(bytes, &in);
  CHECK_U64(length, SPC_FRAME_ERROR_BYTES);
  CHECK(spc__frame_decode_error(&out, SPC_MALFORMED, bytes, length) == SPC_MALFORMED);
  CHECK(strcmp(out.path, in.path) == 0);
}

static void test_a_record_that_can_not_be_is_refused(void) {
  uint8_t bytes[SPC_FRAME_ERROR_BYTES + 1] = {0};
  spc_error error;
  CHECK(spc__frame_decode_error(&error, SPC_OK, bytes, 24) == SPC_BAD_FRAME);
  CHECK(spc__frame_decode_error(&error, SPC_MALFORMED, bytes, 0) == SPC_BAD_FRAME);
  CHECK(spc__frame_decode_error(&error, SPC_MALFORMED, bytes, 23) == SPC_BAD_FRAME);
  CHECK(spc__frame_decode_error(&error, SPC_MALFORMED, bytes, sizeof bytes) == SPC_BAD_FRAME);
}

static void test_text_from_the_peer_is_cut_at_the_first_odd_byte(void) {
  static const uint8_t odd[] = {0, '\n', 0x1b, 0x7f, 0x80, 0xff};
  for (size_t i = 0; i < sizeof odd; i++) {
    uint8_t bytes[27] = {0};
    spc_error error;
    bytes[24] = 'a';
    bytes[25] = odd[i];
    bytes[26] = 'b';
    CHECK(spc__frame_decode_error(&error, SPC_MALFORMED, bytes, 27) == SPC_MALFORMED);
    CHECK(strcmp(error.path, "a") == 0);
  }
}

int main(void) {
  test_header_has_the_documented_bytes();
  test_header_reads_back();
  test_wrong_fields_are_refused_with_their_offset();
  test_a_request_has_an_id();
  test_a_response_has_no_room();
  test_a_response_is_no_request();
  test_a_length_over_the_limit_has_its_own_status();
  test_an_error_record_carries_everything();
  test_the_longest_path_fits();
  test_a_record_that_can_not_be_is_refused();
  test_text_from_the_peer_is_cut_at_the_first_odd_byte();
  return test_end();
}
