/* The largest requests, and many connections one after the other. */
#include "transport/support.h"

static void test_the_largest_request_works_and_one_byte_more_is_a_status(spc_transport kind) {
  const size_t limit = (size_t)64 << 20;
  spc_client *client = test_open(kind, 0);
  spc_error error;
  uint8_t *request = (uint8_t *)calloc(1, limit + 1);
  CHECK_U64(spc_client_max_request(client), limit);
  CHECK_U64(spc_client_max_response(client), limit);
  test_check_call(client, limit);
  CHECK_STATUS(test_call_status(client, SPC_OP_SHA256, request, limit + 1, TEST_TIMEOUT, &error),
               SPC_SIZE_LIMIT);
  CHECK_U64(error.limit, limit);
  test_check_call(client, 10);
  spc_client_close(client);
  free(request);
}

static void test_a_thousand_cycles_leave_nothing(spc_transport kind) {
  test_resources before = {0}, after;
  for (int i = 0; i < 1000; i++) {
    spc_client *client = test_open(kind, 4096);
    test_check_call(client, 32);
    spc_client_close(client);
    if (i != 99) continue;
    test_sleep(50 * MILLISECOND);
    before = test_count_resources(getpid());
  }
  /* The server notices the last one a moment later. */
  for (int i = 0; i < 100; i++) {
    after = test_count_resources(getpid());
    if (after.fds <= before.fds && after.threads <= before.threads) break;
    test_sleep(20 * MILLISECOND);
  }
  CHECK(after.fds <= before.fds);
  CHECK(after.threads <= before.threads);
  CHECK(after.maps <= before.maps + 100); /* kept stacks and heaps of threads; a leak is 900 */
}

int main(void) {
  test_server server;
  test_folder_begin();
  test_server_start(&server);
  for (size_t i = 0; i < TEST_KINDS; i++) {
    test_the_largest_request_works_and_one_byte_more_is_a_status(test_kinds[i]);
    test_a_thousand_cycles_leave_nothing(test_kinds[i]);
  }
  test_server_stop(&server);
  test_folder_end();
  return test_end();
}
