/* Calls over both transports: the same bytes and the same errors as spc_call, any size, deadlines.
 */
#include "native/memory.h"
#include "transport/support.h"

/* A context in this process, which knows what was registered in it as that of a connection does. */
static spc__block calls_memory = {.limit = SPC_WORK_BYTES};
static spc_ctx calls_ctx;

static void calls_start(void) {
  spc__block_free(&calls_memory);
  spc_ctx_init(&calls_ctx, spc__block_arena(&calls_memory), spc_limits_default());
}

/* What spc_call itself says, in this process. */
static spc_status calls_direct(uint32_t op, const uint8_t *request, size_t length, uint8_t *answer,
                               size_t capacity, size_t *answer_length, spc_error *error) {
  return spc_call(&calls_ctx, op, request, length, answer, capacity, answer_length, error);
}

static spc_status calls_compare_in(spc_client *client, uint32_t op, const uint8_t *request,
                                   size_t length, size_t capacity) {
  static uint8_t answer[1 << 16], expected[1 << 16];
  size_t answer_length = 0, expected_length = 0;
  spc_error error = {0}, expected_error = {0};
  spc_status wanted =
      calls_direct(op, request, length, expected, capacity, &expected_length, &expected_error);
  spc_status got = spc_client_call(client, op, request, length, answer, capacity, &answer_length,
                                   TEST_TIMEOUT, &error);
  CHECK_STATUS(got, wanted);
  CHECK_U64(answer_length, expected_length);
  if (wanted == SPC_OK) CHECK_BYTES(answer, expected, expected_length);
  CHECK_STATUS(error.status, expected_error.status);
  CHECK_U64(error.offset, expected_error.offset);
  CHECK_U64(error.index, expected_error.index);
  CHECK_U64(error.limit, expected_error.limit);
  CHECK(strcmp(error.path, expected_error.path) == 0);
  return got;
}

/* With little room, where the size of the answer comes first, and with room for any: its status. */
static spc_status calls_compare(spc_client *client, uint32_t op, const uint8_t *request,
                                size_t length) {
  calls_compare_in(client, op, request, length, 31);
  return calls_compare_in(client, op, request, length, 1 << 16);
}

static const uint32_t calls_operations[] = {
#define CALLS_OPERATION(name, number) number,
    SPC_OPERATION_LIST(CALLS_OPERATION)
#undef CALLS_OPERATION
};

static void test_every_operation_answers_as_in_process(spc_transport kind) {
  static const size_t lengths[] = {0,  1,   5,   7,   8,   31,  32,  33,  64,
                                   96, 128, 129, 237, 269, 256, 320, 4096};
  spc_client *client = test_open(kind, 0);
  uint8_t request[4096];
  uint64_t seed = 3;
  calls_start();
  for (size_t i = 0; i < sizeof calls_operations / sizeof calls_operations[0]; i++) {
    for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
      memset(request, 0, sizeof request);
      calls_compare(client, calls_operations[i], request, lengths[j]);
      test_random_bytes(&seed, request, sizeof request);
      calls_compare(client, calls_operations[i], request, lengths[j]);
      for (size_t k = 0; k < sizeof request; k += 32)
        request[k] = 0;
      calls_compare(client, calls_operations[i], request, lengths[j]);
    }
  }
  calls_compare(client, 0, request, 0);
  calls_compare(client, 12345, request, 10);
  calls_compare(client, 0x7fffffff, request, 10);
  spc_client_close(client);
}

/* A request of a schema, a name, and what the name is for. */
static size_t calls_named(uint8_t *out, const uint8_t schema[32], bool flags, const char *name,
                          const void *rest, size_t rest_length) {
  uint8_t *at = out;
  memcpy(at, schema, 32);
  at += 32;
  if (flags) {
    memset(at, 0, 4);
    at += 4;
  }
  for (int i = 0; i < 4; i++)
    *at++ = (uint8_t)(strlen(name) >> (8 * i));
  memcpy(at, name, strlen(name));
  at += strlen(name);
  memcpy(at, rest, rest_length);
  return (size_t)(at - out) + rest_length;
}

static void test_schemas_belong_to_the_connection_that_registered_them(spc_transport kind) {
  static const char name[] = "protobuf_test_messages.proto3.TestAllTypesProto3";
  static const char text[] = "{\"T\": \"uint64\"}";
  static const uint8_t message[] = {0x08, 0x05, 0x72, 0x01, 0x61};
  static uint8_t descriptors[1 << 17], request[512];
  uint8_t schema[32], register_ssz[64] = {0};
  FILE *file = fopen(TEST_VECTORS "/codec/conformance.fds", "rb");
  CHECK(file != NULL);
  size_t size = file == NULL ? 0 : fread(descriptors, 1, sizeof descriptors, file);
  if (file != NULL) fclose(file);
  CHECK(size > 10000);
  spc_client *client = test_open(kind, 4096), *other = test_open(kind, 4096);
  calls_start();
  CHECK_STATUS(calls_compare(client, SPC_OP_REGISTER_SCHEMA, descriptors, size), SPC_OK);
  spc_sha256(schema, descriptors, size);
  size_t length = calls_named(request, schema, true, name, message, sizeof message);
  CHECK_STATUS(calls_compare(client, SPC_OP_VALIDATE, request, length), SPC_OK);
  CHECK_STATUS(calls_compare(client, SPC_OP_TO_JSON, request, length), SPC_OK);
  calls_compare(client, SPC_OP_TO_JSON, request, length - 1);
  length = calls_named(request, schema, true, name, "{\"optionalInt32\":7}", 19);
  CHECK_STATUS(calls_compare(client, SPC_OP_FROM_JSON, request, length), SPC_OK);
  calls_compare(client, SPC_OP_FROM_JSON, request, length - 2);
  memcpy(register_ssz + 4, text, sizeof text - 1);
  CHECK_STATUS(calls_compare(client, SPC_OP_SSZ_REGISTER, register_ssz, 4 + sizeof text - 1),
               SPC_OK);
  spc_sha256(schema, register_ssz, 4 + sizeof text - 1);
  length = calls_named(request, schema, false, "uint64", "12345678", 8);
  for (uint32_t op = SPC_OP_SSZ_VALIDATE; op <= SPC_OP_SSZ_TO_JSON; op++)
    CHECK_STATUS(calls_compare(client, op, request, length), SPC_OK);
  calls_start();
  CHECK_STATUS(calls_compare(other, SPC_OP_SSZ_ROOT, request, length), SPC_NOT_FOUND);
  spc_client_close(client);
  spc_client_close(other);
}

static void test_every_size_around_the_ring_works(spc_transport kind) {
  static const size_t around[] = {4096, 8192, 32768, 65536, 131072};
  spc_client *client = test_open(kind, 4096);
  for (size_t i = 0; i < sizeof around / sizeof around[0]; i++)
    for (size_t length = around[i] - 33; length <= around[i] + 33; length += 3)
      test_check_call(client, length);
  spc_client_close(client);
}

static void test_requests_many_times_the_ring_work(spc_transport kind) {
  spc_client *client = test_open(kind, 65536);
  test_check_call(client, (size_t)3200000);
  test_check_call(client, 0);
  spc_client_close(client);
}

/* An answer as large as its request, both larger than the rings. */
static void test_answers_many_times_the_ring_work(spc_transport kind) {
  const size_t states = 2000, length = states * STATE_BYTES;
  uint8_t *request = (uint8_t *)calloc(1, length), *answer = (uint8_t *)malloc(length);
  uint8_t *expected = (uint8_t *)malloc(length);
  size_t answer_length = 0, expected_length = 0;
  spc_error error;
  spc_client *client = test_open(kind, 4096);
  for (size_t i = 0; i < length; i++)
    request[i] = i % 32 == 0 ? 0 : (uint8_t)(i % 251);
  CHECK_STATUS(calls_direct(SPC_OP_PERMUTE_MANY, request, length, expected, length,
                            &expected_length, &error),
               SPC_OK);
  CHECK_STATUS(spc_client_call(client, SPC_OP_PERMUTE_MANY, request, length, answer, length,
                               &answer_length, TEST_TIMEOUT, &error),
               SPC_OK);
  CHECK_U64(answer_length, expected_length);
  CHECK_BYTES(answer, expected, length);
  spc_client_close(client);
  free(request);
  free(answer);
  free(expected);
}

static void test_a_small_buffer_is_told_the_size_and_the_client_goes_on(spc_transport kind) {
  spc_client *client = test_open(kind, 0);
  uint8_t request[640] = {0}, answer[320];
  size_t length = 0;
  spc_error error;
  for (size_t capacity = 0; capacity < 320; capacity += 107) {
    CHECK_STATUS(spc_client_call(client, SPC_OP_SHA256_PAIRS, request, 640, answer, capacity,
                                 &length, TEST_TIMEOUT, &error),
                 SPC_BUFFER_TOO_SMALL);
    CHECK_U64(length, 320);
    CHECK_U64(error.limit, 320);
  }
  CHECK_STATUS(spc_client_call(client, SPC_OP_SHA256_PAIRS, request, 640, answer, 320, &length,
                               TEST_TIMEOUT, &error),
               SPC_OK);
  spc_client_close(client);
}

/* An answer of no bytes needs no buffer. */
static void test_an_empty_answer_works_without_a_buffer(spc_transport kind) {
  spc_client *client = test_open(kind, 0);
  size_t length = 1;
  spc_error error;
  CHECK_STATUS(
      spc_client_call(client, SPC_OP_PERMUTE_MANY, NULL, 0, NULL, 0, &length, TEST_TIMEOUT, &error),
      SPC_OK);
  CHECK_U64(length, 0);
  spc_client_close(client);
}

/* A hash that keeps the server busy for a while: gives its number of fields and how long it took.
 */
static size_t calls_long_hash(spc_client *client, const uint8_t *fields, size_t most,
                              uint64_t *time) {
  for (size_t count = 256;; count *= 2) {
    spc_error error;
    uint64_t start = spc__now();
    CHECK_STATUS(test_call_status(client, SPC_OP_HASH, fields, count * SPC_FIELD_BYTES,
                                  TEST_TIMEOUT, &error),
                 SPC_OK);
    *time = spc__now() - start;
    if (*time >= 40 * MILLISECOND || count * 2 > most) return count;
  }
}

/* The late answer of the first call must not be taken for that of the second. */
static void test_after_a_deadline_the_client_goes_on(spc_transport kind) {
  const size_t most = 1 << 18;
  uint8_t *fields = (uint8_t *)calloc(most, SPC_FIELD_BYTES);
  spc_client *client = test_open(kind, UINT32_C(16) << 20);
  spc_error error;
  uint64_t time = 0;
  size_t count = calls_long_hash(client, fields, most, &time);
  spc_status status = SPC_OK;
  for (int i = 0; i < 8 && status != SPC_DEADLINE; i++) {
    time = time * 2 / 3;
    status = test_call_status(client, SPC_OP_HASH, fields, count * SPC_FIELD_BYTES, time, &error);
  }
  CHECK_STATUS(status, SPC_DEADLINE);
  test_check_call(client, 1000);
  test_check_call(client, 1001);
  spc_client_close(client);
  free(fields);
}

typedef struct calls_worker {
  pthread_t thread;
  spc_client *client;
  unsigned right;
} calls_worker;

static void *calls_work(void *user) {
  calls_worker *self = (calls_worker *)user;
  for (size_t i = 0; i < 300; i++)
    self->right += test_call_right(self->client, i * 7 % 1000);
  return NULL;
}

static void test_sixteen_clients_at_once_get_their_own_answers(void) {
  calls_worker workers[16] = {0};
  for (size_t i = 0; i < 16; i++)
    workers[i].client = test_open(test_kinds[i % TEST_KINDS], 4096);
  for (size_t i = 0; i < 16; i++)
    CHECK(pthread_create(&workers[i].thread, NULL, calls_work, &workers[i]) == 0);
  for (size_t i = 0; i < 16; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK_U64(workers[i].right, 300);
    spc_client_close(workers[i].client);
  }
}

static void test_counters_count(spc_transport kind) {
  spc_client *client = test_open(kind, 0);
  static const char expected[] = "{\"clients\":1,\"clients_total\":";
  uint8_t text[8192] = {0}, request[32];
  size_t length = 0;
  spc_error error;
  memset(request, 0xff, sizeof request);
  CHECK_STATUS(test_call_status(client, SPC_OP_HASH, request, 32, TEST_TIMEOUT, &error),
               SPC_NOT_CANONICAL);
  /* Clients of earlier tests may still be leaving. */
  for (int i = 0; i < 500 && memcmp(text, expected, sizeof expected - 1) != 0; i++) {
    if (i != 0) test_sleep(10 * MILLISECOND);
    CHECK_STATUS(spc_client_call(client, SPC_OP_COUNTERS, NULL, 0, text, sizeof text - 1, &length,
                                 TEST_TIMEOUT, &error),
                 SPC_OK);
    text[length] = '\0';
  }
  CHECK_BYTES(text, expected, sizeof expected - 1);
  CHECK(strstr((const char *)text, "\"calls\":") != NULL);
  CHECK(strstr((const char *)text, "\"request_bytes\":") != NULL);
  CHECK(strstr((const char *)text, "\"response_bytes\":") != NULL);
  CHECK(strstr((const char *)text, "\"NOT_CANONICAL\":") != NULL);
  CHECK(strstr((const char *)text, "}}") != NULL);
  spc_client_close(client);
}

static void test_a_control_operation_with_a_body_is_an_answered_error(spc_transport kind) {
  spc_client *client = test_open(kind, 0);
  uint8_t body[4] = {0};
  spc_error error;
  for (uint32_t op = 0x80000001u; op <= SPC_OP_COUNTERS; op++) {
    CHECK_STATUS(test_call_status(client, op, body, 3, TEST_TIMEOUT, &error), SPC_WRONG_LENGTH);
    CHECK_U64(error.offset, 3);
  }
  if (kind == SPC_TRANSPORT_SHARED_MEMORY)
    CHECK_STATUS(test_call_status(client, 0x80000001u, body, 4, TEST_TIMEOUT, &error),
                 SPC_INVALID_STATE);
  test_check_call(client, 5);
  spc_client_close(client);
}

int main(void) {
  test_server server;
  test_folder_begin();
  test_server_start(&server);
  for (size_t i = 0; i < TEST_KINDS; i++) {
    test_every_operation_answers_as_in_process(test_kinds[i]);
    test_schemas_belong_to_the_connection_that_registered_them(test_kinds[i]);
    test_every_size_around_the_ring_works(test_kinds[i]);
    test_requests_many_times_the_ring_work(test_kinds[i]);
    test_answers_many_times_the_ring_work(test_kinds[i]);
    test_a_small_buffer_is_told_the_size_and_the_client_goes_on(test_kinds[i]);
    test_an_empty_answer_works_without_a_buffer(test_kinds[i]);
    test_after_a_deadline_the_client_goes_on(test_kinds[i]);
    test_a_control_operation_with_a_body_is_an_answered_error(test_kinds[i]);
    test_counters_count(test_kinds[i]);
  }
  test_sixteen_clients_at_once_get_their_own_answers();
  spc__block_free(&calls_memory);
  test_server_stop(&server);
  test_folder_end();
  return test_end();
}
