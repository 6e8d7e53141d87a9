/* SHA-256 by the kernel that this processor gets. */
#include "unit/sha2/sha256_messages.h"

int main(void) {
  sha256_message_tests();
  return test_end();
}
