/* The generated code of the wide test schema, and a list of its types. */
#ifndef SPC_TEST_GENERATED_TYPES_H
#define SPC_TEST_GENERATED_TYPES_H

#include "google/protobuf/test_messages_edition2023.spc.h"
#include "google/protobuf/test_messages_proto2.spc.h"
#include "google/protobuf/test_messages_proto3.spc.h"

typedef struct test_generated {
  const char *name;
  const spc_gen_type *type;
  spc_gen_decode_fn decode;
  spc_gen_encode_fn encode;
} test_generated;

#define TEST_GENERATED(name, prefix) {name, &prefix##__type, prefix##__decode, prefix##__encode}

static const test_generated test_types[] = {
    TEST_GENERATED("protobuf_test_messages.proto3.TestAllTypesProto3",
                   protobuf_test_messages_proto3_TestAllTypesProto3),
    TEST_GENERATED("protobuf_test_messages.proto2.TestAllTypesProto2",
                   protobuf_test_messages_proto2_TestAllTypesProto2),
    TEST_GENERATED("protobuf_test_messages.editions.TestAllTypesEdition2023",
                   protobuf_test_messages_editions_TestAllTypesEdition2023),
    TEST_GENERATED("protobuf_test_messages.proto2.TestAllRequiredTypesProto2",
                   protobuf_test_messages_proto2_TestAllRequiredTypesProto2),
    TEST_GENERATED("protobuf_test_messages.editions.GroupLikeType",
                   protobuf_test_messages_editions_GroupLikeType),
    TEST_GENERATED("protobuf_test_messages.proto3.ForeignMessage",
                   protobuf_test_messages_proto3_ForeignMessage),
    TEST_GENERATED("google.protobuf.Struct", google_protobuf_Struct),
    TEST_GENERATED("google.protobuf.Timestamp", google_protobuf_Timestamp),
};

#endif
