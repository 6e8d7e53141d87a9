/*
 * JSON: every value of values.jsonl gives the bytes of its file, bytes give JSON that gives the
 * same bytes (and the same text, where the vectors follow the canonical mapping), and bad text is
 * refused with its place.
 */
#include "unit/ssz/vectors.h"

static uint8_t work[SPC_SSZ_WORK_SIZE];
static uint64_t memory[1 << 15];
static spc_ssz_schema plain;
static spc_arena arena;

/* The text of member `name` of a one-line JSON object: a string, or the rest for the last member.
 */
static bool member_text(const char *line, const char *name, char *out, size_t size) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":\"", name);
  const char *start = strstr(line, key);
  if (start == NULL) return false;
  start += strlen(key);
  size_t length = strcspn(start, "\"");
  if (length >= size) return false;
  memcpy(out, start, length);
  out[length] = '\0';
  return true;
}

static unsigned same_text;

static void check_value(const spc_ssz_type *type, const char *text, const uint8_t *bytes,
                        size_t length) {
  size_t size = 0, text_length = strlen(text), again_size = 0;
  uint8_t *out = malloc(length + 1);
  spc_error error = {0};
  spc_status status = spc_ssz_from_json(type, text, text_length, out, length, &size, work, &error);
  if (status != SPC_OK)
    fprintf(stderr, "%s at %" PRIu64 " in %s: %.60s\n", spc_status_name(status), error.offset,
            error.path, text);
  CHECK(status == SPC_OK);
  CHECK_U64(size, length);
  CHECK_BYTES(out, bytes, length);
  if (length != 0)
    CHECK(spc_ssz_from_json(type, text, text_length, out, length - 1, &size, work, NULL) ==
              SPC_BUFFER_TOO_SMALL &&
          size == length);
  CHECK(spc_ssz_to_json(type, bytes, length, NULL, 0, &size, NULL) == SPC_BUFFER_TOO_SMALL);
  char *json = malloc(size);
  CHECK(spc_ssz_to_json(type, bytes, length, json, size, &again_size, NULL) == SPC_OK);
  CHECK_U64(size, again_size);
  CHECK(spc_ssz_from_json(type, json, size, out, length, &again_size, work, NULL) == SPC_OK);
  CHECK(again_size == length);
  CHECK_BYTES(out, bytes, length);
  same_text += size == text_length && memcmp(json, text, size) == 0;
  free(json);
  free(out);
}

static void values_of_the_vectors(void) {
  size_t length;
  char *lines = (char *)vectors_read("values.jsonl", &length);
  if (lines == NULL) {
    test_skip("the JSON of the SSZ vectors", "no folder of shared vectors");
    return;
  }
  static vectors_schemas schemas;
  unsigned count = 0;
  for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), count++) {
    char path[256], type_text[128], preset[16] = "-", fork[16] = "-";
    CHECK(member_text(line, "path", path, sizeof path) &&
          member_text(line, "type", type_text, sizeof type_text));
    if (strncmp(path, "ssz_static/", 11) == 0)
      CHECK(sscanf(path, "ssz_static/%15[^/]/%15[^/]/", preset, fork) == 2);
    char *text = strstr(line, "\"value\":");
    CHECK(text != NULL);
    if (text == NULL) continue;
    text += 8;
    text[strlen(text) - 1] = '\0'; /* the closing brace of the line */
    const spc_ssz_type *type;
    spc_ssz_schema *schema = vectors_schema(&schemas, preset, fork);
    CHECK(schema != NULL &&
          spc_ssz_schema_type(schema, type_text, strlen(type_text), &type, NULL) == SPC_OK);
    size_t size;
    uint8_t *bytes = vectors_read(path, &size);
    CHECK(bytes != NULL);
    if (schema == NULL || bytes == NULL) break;
    check_value(type, text, bytes, size);
    free(bytes);
  }
  printf("%u values, %u with the very text of the vectors\n", count, same_text);
  CHECK(count > 3000 && same_text > 2500);
  vectors_free(&schemas);
  free(lines);
}

static const spc_ssz_type *parse(const char *text) {
  const spc_ssz_type *type = NULL;
  CHECK(spc_ssz_schema_type(&plain, text, strlen(text), &type, NULL) == SPC_OK);
  return type;
}

static void check_text(const char *type_text, const char *text, const char *expected) {
  const spc_ssz_type *type = parse(type_text);
  uint8_t bytes[256];
  char json[512];
  size_t size, json_size;
  spc_error error = {0};
  spc_status status =
      spc_ssz_from_json(type, text, strlen(text), bytes, sizeof bytes, &size, work, &error);
  if (status != SPC_OK) fprintf(stderr, "%s: %s\n", text, spc_status_name(status));
  CHECK(status == SPC_OK);
  if (status != SPC_OK) return;
  CHECK(spc_ssz_validate(type, bytes, size, NULL) == SPC_OK);
  CHECK(spc_ssz_to_json(type, bytes, size, json, sizeof json, &json_size, NULL) == SPC_OK);
  CHECK_U64(json_size, strlen(expected));
  CHECK_BYTES(json, expected, json_size);
}

static void the_mapping_is_canonical(void) {
  check_text("uint8", "\"255\"", "\"255\"");
  check_text("uint64", " 18446744073709551615 ", "\"18446744073709551615\"");
  check_text("uint256",
             "\"115792089237316195423570985008687907853269984665640564039457584007913129639935\"",
             "\"115792089237316195423570985008687907853269984665640564039457584007913129639935\"");
  check_text("uint128", "\"1000000000\"", "\"1000000000\"");
  check_text("uint256", "\"1000000000000000000\"", "\"1000000000000000000\"");
  check_text("Byte", "\"0xfF\"", "\"0xff\"");
  check_text("Byte", "\"9\"", "\"0x09\"");
  check_text("bool", "true", "true");
  check_text("List[uint8,4]", "[\"1\", 2]", "[\"1\",\"2\"]");
  check_text("Vector[uint8,2]", "\"0x0102\"", "[\"1\",\"2\"]");
  check_text("List[Byte,4]", "\"0x0102\"", "\"0x0102\"");
  check_text("ProgressiveByteList", "\"0x\"", "\"0x\"");
  check_text("BitList[9]", "\"0xff02\"", "\"0xff02\"");
  check_text("BitVector[9]", "\"0xff01\"", "\"0xff01\"");
  check_text("List[List[uint16,2],3]", "[ [], [1,2] , [3]]", "[[],[\"1\",\"2\"],[\"3\"]]");
  check_text("Union[None,uint8]", "{\"data\":null,\"selector\":\"0\"}",
             "{\"selector\":\"0\",\"data\":null}");
  check_text("Union[None,uint8]", "{\"selector\":1,\"data\":7}",
             "{\"selector\":\"1\",\"data\":\"7\"}");
  check_text("T", "{\"v\":\"0x01\",\"more\":[{\"a\":[1,2,{}]},null],\"n\":\"5\"}",
             "{\"n\":\"5\",\"v\":\"0x01\"}");
  check_text("T", "{\"\\u006e\":5,\"v\":\"0x\"}", "{\"n\":\"5\",\"v\":\"0x\"}");
}

static void check_refused(const char *type_text, const char *text, spc_status expected,
                          uint64_t offset, const char *path) {
  uint8_t bytes[256];
  size_t size;
  spc_error error = {0};
  spc_status status = spc_ssz_from_json(parse(type_text), text, strlen(text), bytes, sizeof bytes,
                                        &size, work, &error);
  if (status != expected || strcmp(error.path, path) != 0 || error.offset != offset)
    fprintf(stderr, "%s: %s at %" PRIu64 " in '%s'\n", text, spc_status_name(status), error.offset,
            error.path);
  CHECK(status == expected && error.status == expected && strcmp(error.path, path) == 0);
  CHECK_U64(error.offset, offset);
}

static void bad_texts_are_refused_with_their_place(void) {
  check_refused("uint8", "\"256\"", SPC_BAD_VALUE, 5, "");
  check_refused("uint8", "\"01\"", SPC_BAD_VALUE, 4, "");
  check_refused("uint8", "-1", SPC_BAD_VALUE, 0, "");
  check_refused("uint8", "", SPC_BAD_VALUE, 0, "");
  check_refused("uint8", "1 2", SPC_TRAILING_BYTES, 2, "");
  check_refused("uint256",
                "1157920892373161954235709850086879078532699846656405640394575840079131"
                "29639936",
                SPC_BAD_VALUE, 78, "");
  check_refused("bool", "1", SPC_BAD_VALUE, 0, "");
  check_refused("Vector[uint8,2]", "[1]", SPC_WRONG_LENGTH, 3, "");
  check_refused("Vector[uint8,2]", "[1,2,3]", SPC_WRONG_LENGTH, 5, "");
  check_refused("List[uint8,2]", "[1,2,3]", SPC_OVER_LIMIT, 5, "");
  check_refused("List[uint8,0]", "[1]", SPC_OVER_LIMIT, 1, "");
  check_refused("List[uint8,9]", "[1,2,", SPC_BAD_VALUE, 5, "[2]");
  check_refused("List[uint8,9]", "[1 2]", SPC_MALFORMED, 3, "");
  check_refused("List[List[uint8,9],9]", "[[1],[2}]", SPC_MALFORMED, 7, "");
  check_refused("ByteVector[2]", "\"0x010203\"", SPC_WRONG_LENGTH, 10, "");
  check_refused("ByteVector[2]", "\"0102\"", SPC_BAD_VALUE, 6, "");
  check_refused("ByteVector[2]", "\"0x01z2\"", SPC_BAD_VALUE, 8, "");
  check_refused("BitList[8]", "\"0xff02\"", SPC_OVER_LIMIT, 8, "");
  check_refused("BitList[8]", "\"0x00\"", SPC_NO_DELIMITER, 6, "");
  check_refused("BitList[8]", "\"0x\"", SPC_NO_DELIMITER, 4, "");
  check_refused("BitVector[9]", "\"0xff02\"", SPC_BAD_BIT_PADDING, 8, "");
  check_refused("Union[uint8,uint16]", "{\"selector\":\"2\",\"data\":1}", SPC_UNKNOWN_OPTION, 15,
                "");
  check_refused("Union[uint8,uint16]", "{\"selector\":\"1\"}", SPC_MISSING_FIELD, 16, "");
  check_refused("T", "{\"n\":1}", SPC_MISSING_FIELD, 6, "v");
  check_refused("T", "{\"n\":1,\"n\":2,\"v\":\"0x\"}", SPC_BAD_VALUE, 11, "");
  check_refused("List[T,4]", "[{\"n\":1,\"v\":\"0x\"},{\"n\":300,\"v\":\"0x\"}]", SPC_BAD_VALUE, 26,
                "[1].n");
  check_refused("T", "{\"n\":1,\"v\":\"0x\"", SPC_MALFORMED, 15, "");
}

int main(void) {
  const char *text = "{\"T\":{\"kind\":\"Container\",\"fields\":[[\"n\",\"uint8\"],"
                     "[\"v\",\"ByteList[5]\"]]}}";
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  CHECK(spc_ssz_schema_read(&plain, &arena, text, strlen(text), NULL, NULL) == SPC_OK);
  the_mapping_is_canonical();
  bad_texts_are_refused_with_their_place();
  values_of_the_vectors();
  return test_end();
}
