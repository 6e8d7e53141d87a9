/*
 * Built as where there is no shared memory: the socket works, and asking for shared memory is a
 * status at both ends, after which a client over the socket works.
 */
#include "transport/support.h"

int main(void) {
  test_server server;
  spc_error error = {0};
  spc_client *client = NULL;
  test_folder_begin();
  test_server_start(&server);
  client = test_open(SPC_TRANSPORT_SOCKET, 0);
  test_check_call(client, 100000);
  spc_client_options options = spc_client_options_default(SPC_TRANSPORT_SHARED_MEMORY, test_path);
  spc_client *none = NULL;
  CHECK_STATUS(spc_client_open(&none, &options, &error), SPC_UNAVAILABLE);
  CHECK(none == NULL && strcmp(error.path, "shared memory") == 0);
  test_check_call(client, 1000);
  spc_client_close(client);
  test_server_stop(&server);
  test_folder_end();
  return test_end();
}
