/* The record. */
#include "wasm.h"

wasm_record wasm_result;

wasm_record *wasm_record_address(void) {
  return &wasm_result;
}
