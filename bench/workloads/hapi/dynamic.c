/*
 * One walk over the values serves objects and writers: it opens messages, gives values and closes
 * them through an interface of four functions, which both have.
 */
#include "dynamic.h"

#include <stdlib.h>

#include "hapi_descriptors.h"
#include "wire_fast.h"

/* The fields that the block uses, as F(message, field). */
#define DYNAMIC_FIELDS(F)                                                                          \
  F(Block, items)                                                                                  \
  F(BlockItem, block_header)                                                                       \
  F(BlockItem, signed_transaction)                                                                 \
  F(BlockItem, transaction_result)                                                                 \
  F(BlockItem, state_changes)                                                                      \
  F(BlockItem, block_proof)                                                                        \
  F(BlockItem, block_footer)                                                                       \
  F(BlockHeader, hapi_proto_version)                                                               \
  F(BlockHeader, software_version)                                                                 \
  F(BlockHeader, number)                                                                           \
  F(BlockHeader, block_timestamp)                                                                  \
  F(SemanticVersion, major)                                                                        \
  F(SemanticVersion, minor)                                                                        \
  F(SemanticVersion, patch)                                                                        \
  F(BlockFooter, previous_block_root_hash)                                                         \
  F(BlockFooter, root_hash_of_all_block_hashes_tree)                                               \
  F(BlockFooter, start_of_block_state_root_hash)                                                   \
  F(BlockProof, block)                                                                             \
  F(BlockProof, signed_block_proof)                                                                \
  F(TssSignedBlockProof, block_signature)                                                          \
  F(TransactionResult, status)                                                                     \
  F(TransactionResult, consensus_timestamp)                                                        \
  F(TransactionResult, transaction_fee_charged)                                                    \
  F(TransactionResult, transfer_list)                                                              \
  F(TransactionResult, token_transfer_lists)                                                       \
  F(TransferList, accountAmounts)                                                                  \
  F(AccountAmount, accountID)                                                                      \
  F(AccountAmount, amount)                                                                         \
  F(TokenTransferList, token)                                                                      \
  F(TokenTransferList, transfers)                                                                  \
  F(TokenTransferList, nftTransfers)                                                               \
  F(NftTransfer, senderAccountID)                                                                  \
  F(NftTransfer, receiverAccountID)                                                                \
  F(NftTransfer, serialNumber)                                                                     \
  F(StateChanges, consensus_timestamp)                                                             \
  F(StateChanges, state_changes)                                                                   \
  F(StateChange, state_id)                                                                         \
  F(StateChange, singleton_update)                                                                 \
  F(StateChange, map_update)                                                                       \
  F(StateChange, map_delete)                                                                       \
  F(StateChange, queue_push)                                                                       \
  F(StateChange, queue_pop)                                                                        \
  F(SingletonUpdateChange, entity_number_value)                                                    \
  F(MapUpdateChange, key)                                                                          \
  F(MapUpdateChange, value)                                                                        \
  F(MapDeleteChange, key)                                                                          \
  F(MapChangeKey, account_id_key)                                                                  \
  F(MapChangeKey, token_relationship_key)                                                          \
  F(MapChangeKey, nft_id_key)                                                                      \
  F(MapChangeValue, account_value)                                                                 \
  F(MapChangeValue, nft_value)                                                                     \
  F(MapChangeValue, token_relation_value)                                                          \
  F(QueuePushChange, transaction_receipt_entries_element)                                          \
  F(TokenAssociation, token_id)                                                                    \
  F(TokenAssociation, account_id)                                                                  \
  F(TokenRelation, token_id)                                                                       \
  F(TokenRelation, account_id)                                                                     \
  F(TokenRelation, balance)                                                                        \
  F(TokenRelation, automatic_association)                                                          \
  F(Account, account_id)                                                                           \
  F(Account, tinybar_balance)                                                                      \
  F(Nft, nft_id)                                                                                   \
  F(Nft, owner_id)                                                                                 \
  F(Nft, mint_time)                                                                                \
  F(NftID, token_ID)                                                                               \
  F(NftID, serial_number)                                                                          \
  F(TransactionReceiptEntries, entries)                                                            \
  F(TransactionReceiptEntry, node_id)                                                              \
  F(TransactionReceiptEntry, transaction_id)                                                       \
  F(TransactionReceiptEntry, status)                                                               \
  F(TransactionID, transactionValidStart)                                                          \
  F(TransactionID, accountID)                                                                      \
  F(Timestamp, seconds)                                                                            \
  F(Timestamp, nanos)                                                                              \
  F(UInt64Value, value)                                                                            \
  F(AccountID, accountNum)                                                                         \
  F(TokenID, tokenNum)

/* What reading needs to know of a message type, in the order of field numbers. */
typedef struct dynamic_shape dynamic_shape;

typedef struct dynamic_shape_field {
  const spc_field *field;
  const dynamic_shape *sub; /* of a message */
  uint32_t number;
  spc_field_type type;
  bool repeated, in_oneof;
} dynamic_shape_field;

struct dynamic_shape {
  const spc_message_type *type;
  dynamic_shape_field *fields;
  uint32_t count;
};

#define DYNAMIC_SHAPES 64u /* there are 45 messages */

struct hapi_dynamic {
  dynamic_shape shapes[DYNAMIC_SHAPES]; /* those that were read */
  uint32_t shape_count;
  spc_arena arena;
  const spc_schema *schema;
  const spc_message_type *block, *item;
#define DYNAMIC_MEMBER(message, field) const spc_field *message##_##field;
  DYNAMIC_FIELDS(DYNAMIC_MEMBER)
};

static void *dynamic_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user, (void)used;
  *size = 2 * needed;
  return realloc(base, *size);
}

const spc_message_type *hapi_dynamic_type(const hapi_dynamic *self, const char *name) {
  const spc_message_type *type = spc_schema_message(self->schema, name, strlen(name));
  if (type == NULL) abort();
  return type;
}

static const spc_field *dynamic_field(const hapi_dynamic *self, const char *message,
                                      const char *name) {
  const spc_message_type *type = hapi_dynamic_type(self, message);
  const spc_field *field = spc_message_type_by_name(type, name, strlen(name));
  if (field == NULL) abort();
  return field;
}

hapi_dynamic *hapi_dynamic_make(void) {
  hapi_dynamic *self = calloc(1, sizeof *self);
  uint32_t schema;
  if (self == NULL) abort();
  spc_arena_init(&self->arena, NULL, 0, dynamic_grow, NULL);
  if (spc_schema_build(&self->arena, hapi_descriptors, sizeof hapi_descriptors, &schema, NULL) !=
      SPC_OK)
    abort();
  self->schema = (const spc_schema *)spc_arena_at(&self->arena, schema);
  self->block = hapi_dynamic_type(self, "hapi.Block");
  self->item = hapi_dynamic_type(self, "hapi.BlockItem");
#define DYNAMIC_FIND(message, field)                                                               \
  self->message##_##field = dynamic_field(self, "hapi." #message, #field);
  DYNAMIC_FIELDS(DYNAMIC_FIND)
  return self;
}

void hapi_dynamic_free(hapi_dynamic *self) {
  for (uint32_t i = 0; i < self->shape_count; i++)
    free(self->shapes[i].fields);
  free(self->arena.base);
  free(self);
}

/* ---- The walk --------------------------------------------------------------------------------*/

/* Failures stick within the target, so that the walk looks at none. */
typedef struct dynamic_target {
  void (*open)(void *self, const spc_field *field);
  void (*value)(void *self, const spc_field *field, uint64_t bits);
  void (*bytes)(void *self, const spc_field *field, const uint8_t *bytes, size_t length);
  void (*close)(void *self);
} dynamic_target;

#define DYNAMIC_PARAMETERS const hapi_dynamic *d, const dynamic_target *t, void *to
#define DYNAMIC_GIVEN      d, t, to

HAPI_INLINE void dynamic_account(DYNAMIC_PARAMETERS, const spc_field *field, uint32_t number) {
  t->open(to, field);
  t->value(to, d->AccountID_accountNum, number);
  t->close(to);
}

HAPI_INLINE void dynamic_token(DYNAMIC_PARAMETERS, const spc_field *field, uint32_t number) {
  t->open(to, field);
  t->value(to, d->TokenID_tokenNum, number);
  t->close(to);
}

HAPI_INLINE void dynamic_time(DYNAMIC_PARAMETERS, const spc_field *field, const uint32_t *w) {
  t->open(to, field);
  t->value(to, d->Timestamp_seconds, hapi_64(w));
  t->value(to, d->Timestamp_nanos, w[2]);
  t->close(to);
}

HAPI_INLINE void dynamic_amount(DYNAMIC_PARAMETERS, const spc_field *field, const uint32_t *w) {
  t->open(to, field);
  dynamic_account(DYNAMIC_GIVEN, d->AccountAmount_accountID, w[0]);
  t->value(to, d->AccountAmount_amount, hapi_64(w + 1));
  t->close(to);
}

HAPI_INLINE void dynamic_transfers(DYNAMIC_PARAMETERS, const uint32_t *token,
                                   const uint32_t *amounts, unsigned count, uint32_t sender,
                                   uint32_t receiver, uint64_t serial) {
  t->open(to, d->TransactionResult_token_transfer_lists);
  dynamic_token(DYNAMIC_GIVEN, d->TokenTransferList_token, *token);
  for (unsigned i = 0; i < count; i++)
    dynamic_amount(DYNAMIC_GIVEN, d->TokenTransferList_transfers, amounts + 3 * i);
  if (serial != 0) {
    t->open(to, d->TokenTransferList_nftTransfers);
    if (sender != 0) dynamic_account(DYNAMIC_GIVEN, d->NftTransfer_senderAccountID, sender);
    if (receiver != 0) dynamic_account(DYNAMIC_GIVEN, d->NftTransfer_receiverAccountID, receiver);
    t->value(to, d->NftTransfer_serialNumber, serial);
    t->close(to);
  }
  t->close(to);
}

HAPI_INLINE void dynamic_nft_id(DYNAMIC_PARAMETERS, const spc_field *field, const uint32_t *w) {
  t->open(to, field);
  dynamic_token(DYNAMIC_GIVEN, d->NftID_token_ID, w[0]);
  t->value(to, d->NftID_serial_number, hapi_64(w + 1));
  t->close(to);
}

HAPI_INLINE void dynamic_change(DYNAMIC_PARAMETERS, const uint32_t *w) {
  t->value(to, d->StateChange_state_id, hapi_states[*w]);
  switch (*w) {
  case HAPI_RELATION:
    t->open(to, d->StateChange_map_update);
    t->open(to, d->MapUpdateChange_key);
    t->open(to, d->MapChangeKey_token_relationship_key);
    dynamic_token(DYNAMIC_GIVEN, d->TokenAssociation_token_id, w[1]);
    dynamic_account(DYNAMIC_GIVEN, d->TokenAssociation_account_id, w[2]);
    t->close(to);
    t->close(to);
    t->open(to, d->MapUpdateChange_value);
    t->open(to, d->MapChangeValue_token_relation_value);
    dynamic_token(DYNAMIC_GIVEN, d->TokenRelation_token_id, w[1]);
    dynamic_account(DYNAMIC_GIVEN, d->TokenRelation_account_id, w[2]);
    t->value(to, d->TokenRelation_balance, hapi_64(w + 3));
    t->value(to, d->TokenRelation_automatic_association, w[5]);
    t->close(to);
    t->close(to);
    break;
  case HAPI_ACCOUNT:
    t->open(to, d->StateChange_map_update);
    t->open(to, d->MapUpdateChange_key);
    dynamic_account(DYNAMIC_GIVEN, d->MapChangeKey_account_id_key, w[1]);
    t->close(to);
    t->open(to, d->MapUpdateChange_value);
    t->open(to, d->MapChangeValue_account_value);
    dynamic_account(DYNAMIC_GIVEN, d->Account_account_id, w[1]);
    t->value(to, d->Account_tinybar_balance, hapi_64(w + 2));
    t->close(to);
    t->close(to);
    break;
  case HAPI_NFT:
  case HAPI_PRIVATE_NFT:
    t->open(to, d->StateChange_map_update);
    t->open(to, d->MapUpdateChange_key);
    dynamic_nft_id(DYNAMIC_GIVEN, d->MapChangeKey_nft_id_key, w + 1);
    t->close(to);
    t->open(to, d->MapUpdateChange_value);
    t->open(to, d->MapChangeValue_nft_value);
    dynamic_nft_id(DYNAMIC_GIVEN, d->Nft_nft_id, w + 1);
    if (*w == HAPI_NFT) {
      dynamic_account(DYNAMIC_GIVEN, d->Nft_owner_id, w[4]);
      w++;
    }
    dynamic_time(DYNAMIC_GIVEN, d->Nft_mint_time, w + 4);
    t->close(to);
    t->close(to);
    break;
  case HAPI_NFT_DELETED:
    t->open(to, d->StateChange_map_delete);
    t->open(to, d->MapDeleteChange_key);
    dynamic_nft_id(DYNAMIC_GIVEN, d->MapChangeKey_nft_id_key, w + 1);
    t->close(to);
    break;
  case HAPI_ENTITY:
    t->open(to, d->StateChange_singleton_update);
    t->open(to, d->SingletonUpdateChange_entity_number_value);
    t->value(to, d->UInt64Value_value, hapi_64(w + 1));
    t->close(to);
    break;
  case HAPI_RECEIPT:
    t->open(to, d->StateChange_queue_push);
    t->open(to, d->QueuePushChange_transaction_receipt_entries_element);
    t->open(to, d->TransactionReceiptEntries_entries);
    t->value(to, d->TransactionReceiptEntry_node_id, w[1]);
    t->open(to, d->TransactionReceiptEntry_transaction_id);
    dynamic_time(DYNAMIC_GIVEN, d->TransactionID_transactionValidStart, w + 2);
    dynamic_account(DYNAMIC_GIVEN, d->TransactionID_accountID, w[5]);
    t->close(to);
    t->value(to, d->TransactionReceiptEntry_status, w[6]);
    t->close(to);
    t->close(to);
    break;
  default: /* HAPI_POPPED */
    t->open(to, d->StateChange_queue_pop);
  }
  t->close(to);
}

/* Gives a target the fields of the item at `w`; the item after it. */
HAPI_INLINE const uint32_t *dynamic_walk(DYNAMIC_PARAMETERS, const uint32_t *w,
                                         const uint8_t *pool) {
  uint32_t kind = *w++;
  if (kind >= HAPI_RESULT && kind <= HAPI_ANONYMOUS) t->open(to, d->BlockItem_transaction_result);
  switch (kind) {
  case HAPI_HEADER:
    t->open(to, d->BlockItem_block_header);
    for (unsigned i = 0; i < 2; i++, w += 3) {
      t->open(to, i == 0 ? d->BlockHeader_hapi_proto_version : d->BlockHeader_software_version);
      t->value(to, d->SemanticVersion_major, w[0]);
      t->value(to, d->SemanticVersion_minor, w[1]);
      t->value(to, d->SemanticVersion_patch, w[2]);
      t->close(to);
    }
    t->value(to, d->BlockHeader_number, hapi_64(w));
    dynamic_time(DYNAMIC_GIVEN, d->BlockHeader_block_timestamp, w + 2);
    w += 5;
    break;
  case HAPI_SIGNED:
    t->bytes(to, d->BlockItem_signed_transaction, pool + w[0], w[1]);
    return w + 2;
  case HAPI_RESULT:
    t->value(to, d->TransactionResult_status, w[0]);
    dynamic_time(DYNAMIC_GIVEN, d->TransactionResult_consensus_timestamp, w + 1);
    t->value(to, d->TransactionResult_transaction_fee_charged, hapi_64(w + 4));
    w += 6;
    break;
  case HAPI_BALANCE:
    t->value(to, d->TransactionResult_status, w[0]);
    dynamic_time(DYNAMIC_GIVEN, d->TransactionResult_consensus_timestamp, w + 1);
    dynamic_transfers(DYNAMIC_GIVEN, w + 4, w + 5, 1, 0, 0, 0);
    w += 8;
    break;
  case HAPI_ADDED:
    dynamic_time(DYNAMIC_GIVEN, d->TransactionResult_consensus_timestamp, w);
    dynamic_transfers(DYNAMIC_GIVEN, w + 3, w + 4, 2, 0, w[10], hapi_64(w + 11));
    w += 13;
    break;
  case HAPI_TRADED:
    dynamic_time(DYNAMIC_GIVEN, d->TransactionResult_consensus_timestamp, w);
    t->value(to, d->TransactionResult_transaction_fee_charged, hapi_64(w + 3));
    dynamic_transfers(DYNAMIC_GIVEN, w + 5, w + 6, 2, w[12], w[13], hapi_64(w + 14));
    w += 16;
    break;
  case HAPI_DELETED:
    dynamic_time(DYNAMIC_GIVEN, d->TransactionResult_consensus_timestamp, w);
    dynamic_transfers(DYNAMIC_GIVEN, w + 3, w, 0, w[4], 0, hapi_64(w + 5));
    w += 7;
    break;
  case HAPI_ANONYMOUS:
    t->open(to, d->TransactionResult_transfer_list);
    for (unsigned i = 0; i < 3; i++, w += 3)
      dynamic_amount(DYNAMIC_GIVEN, d->TransferList_accountAmounts, w);
    t->close(to);
    break;
  case HAPI_CHANGES: {
    uint32_t count = w[3];
    t->open(to, d->BlockItem_state_changes);
    dynamic_time(DYNAMIC_GIVEN, d->StateChanges_consensus_timestamp, w);
    w += 4;
    for (; count > 0; count--) {
      t->open(to, d->StateChanges_state_changes);
      dynamic_change(DYNAMIC_GIVEN, w);
      t->close(to);
      w += hapi_change_words[*w];
    }
    break;
  }
  case HAPI_FOOTER:
    t->open(to, d->BlockItem_block_footer);
    t->bytes(to, d->BlockFooter_previous_block_root_hash, pool + w[0], w[1]);
    t->bytes(to, d->BlockFooter_root_hash_of_all_block_hashes_tree, pool + w[2], w[3]);
    t->bytes(to, d->BlockFooter_start_of_block_state_root_hash, pool + w[4], w[5]);
    w += 6;
    break;
  default: /* HAPI_PROOF */
    t->open(to, d->BlockItem_block_proof);
    t->value(to, d->BlockProof_block, hapi_64(w));
    t->open(to, d->BlockProof_signed_block_proof);
    t->bytes(to, d->TssSignedBlockProof_block_signature, pool + w[2], w[3]);
    t->close(to);
    w += 4;
  }
  t->close(to);
  return w;
}

/* ---- Objects ---------------------------------------------------------------------------------*/

typedef struct dynamic_objects {
  spc_message levels[HAPI_LEVELS];
  unsigned level;
  spc_status status;
} dynamic_objects;

static void dynamic_keep(dynamic_objects *o, spc_status status) {
  if (o->status == SPC_OK) o->status = status;
}

static void objects_open(void *self, const spc_field *field) {
  dynamic_objects *o = (dynamic_objects *)self;
  const spc_message *parent = &o->levels[o->level];
  spc_message *child = &o->levels[++o->level];
  spc_status status = spc_mutable(parent, field, child);
  if (status == SPC_WRONG_TYPE) status = spc_append_message(parent, field, child);
  dynamic_keep(o, status);
}

static void objects_value(void *self, const spc_field *field, uint64_t bits) {
  dynamic_objects *o = (dynamic_objects *)self;
  dynamic_keep(o, spc_set(&o->levels[o->level], field, (spc_value){.bits = bits}));
}

static void objects_bytes(void *self, const spc_field *field, const uint8_t *bytes, size_t length) {
  dynamic_objects *o = (dynamic_objects *)self;
  spc_value value = {.bits = 0};
  dynamic_keep(o, spc_arena_put(o->levels[0].arena, bytes, length, &value.slice));
  dynamic_keep(o, spc_set(&o->levels[o->level], field, value));
}

static void objects_close(void *self) {
  ((dynamic_objects *)self)->level--;
}

spc_status hapi_dynamic_build(const hapi_dynamic *self, spc_arena *arena, const uint32_t **words,
                              const uint8_t *pool, spc_message *item) {
  static const dynamic_target target = {objects_open, objects_value, objects_bytes, objects_close};
  dynamic_objects objects = {.status = SPC_OK};
  spc_status status = spc_message_new(arena, self->item, &objects.levels[0]);
  if (status != SPC_OK) return status;
  *words = dynamic_walk(self, &target, &objects, *words, pool);
  *item = objects.levels[0];
  return objects.status;
}

/* ---- Writers ---------------------------------------------------------------------------------*/

static void writer_open(void *self, const spc_field *field) {
  (void)spc_writer_open((spc_writer *)self, field);
}

static void writer_value(void *self, const spc_field *field, uint64_t bits) {
  (void)spc_writer_value((spc_writer *)self, field, (spc_value){.bits = bits});
}

static void writer_bytes(void *self, const spc_field *field, const uint8_t *bytes, size_t length) {
  (void)spc_writer_bytes((spc_writer *)self, field, bytes, length);
}

static void writer_close(void *self) {
  (void)spc_writer_close((spc_writer *)self);
}

static const dynamic_target writer_target = {writer_open, writer_value, writer_bytes, writer_close};

spc_status hapi_dynamic_write(const hapi_dynamic *self, const uint32_t **words, const uint8_t *pool,
                              uint8_t *out, size_t *length) {
  spc_writer writer;
  spc_writer_init(&writer, self->item, out, HAPI_ITEM_SIZE);
  *words = dynamic_walk(self, &writer_target, &writer, *words, pool);
  return spc_writer_finish(&writer, length);
}

spc_status hapi_dynamic_write_block(const hapi_dynamic *self, const hapi_values *values,
                                    uint8_t *out, size_t capacity, size_t *length,
                                    void (*each)(void *user, const uint8_t *item, size_t length),
                                    void *user) {
  const uint32_t *words = values->words;
  const uint8_t *begin = out;
  spc_writer writer;
  spc_writer_init(&writer, self->block, out, capacity);
  while (*words != HAPI_END) {
    (void)spc_writer_open(&writer, self->Block_items);
    words = dynamic_walk(self, &writer_target, &writer, words, values->pool);
    spc_status status = spc_writer_close(&writer);
    if (status == SPC_OK) status = spc_writer_finish(&writer, length);
    if (status != SPC_OK) return status;
    const hapi_item item = hapi_item_of(begin, out + *length);
    each(user, item.bytes, item.length);
    begin = out + *length;
  }
  return SPC_OK;
}

/* ---- Reading ---------------------------------------------------------------------------------*/

static dynamic_shape *dynamic_shape_of(hapi_dynamic *self, const spc_message_type *type) {
  for (uint32_t i = 0; i < self->shape_count; i++)
    if (self->shapes[i].type == type) return &self->shapes[i];
  const spc_message_type_info info = spc_message_type_describe(type);
  dynamic_shape *shape = &self->shapes[self->shape_count++];
  shape->type = type;
  shape->count = info.field_count;
  shape->fields = calloc(info.field_count + 1, sizeof *shape->fields);
  if (shape->fields == NULL) abort();
  for (uint32_t i = 0; i < info.field_count; i++) {
    const spc_field *field = spc_message_type_field(type, i);
    const spc_field_info f = spc_field_describe(field);
    shape->fields[i] = (dynamic_shape_field){
        .field = field,
        .sub = f.message != NULL ? dynamic_shape_of(self, f.message) : NULL,
        .number = f.number,
        .type = f.type,
        .repeated = f.repeated,
        .in_oneof = f.case_offset != 0,
    };
  }
  return shape;
}

static uint32_t dynamic_sum_bytes(spc_field_type type, const uint8_t *bytes, size_t length) {
  if (type == SPC_TYPE_STRING || length == 0) return (uint32_t)length;
  return (uint32_t)length + bytes[0] + bytes[length - 1];
}

static uint32_t dynamic_sum(const dynamic_shape *shape, spc_arena *arena, uint32_t ref);

static uint32_t dynamic_sum_value(const dynamic_shape_field *f, spc_arena *arena, spc_value value) {
  if (f->sub != NULL) return value.message == 0 ? 0 : dynamic_sum(f->sub, arena, value.message);
  if (f->type != SPC_TYPE_STRING && f->type != SPC_TYPE_BYTES) return value.u32;
  return dynamic_sum_bytes(f->type, (const uint8_t *)spc_arena_at(arena, value.slice.offset),
                           value.slice.length);
}

static uint32_t dynamic_sum(const dynamic_shape *shape, spc_arena *arena, uint32_t ref) {
  const spc_message message = {arena, shape->type, ref};
  uint32_t sum = 0;
  for (uint32_t i = 0; i < shape->count; i++) {
    const dynamic_shape_field *f = &shape->fields[i];
    if (f->repeated) {
      uint32_t count = spc_count(&message, f->field);
      for (uint32_t at = 0; at < count; at++)
        sum += dynamic_sum_value(f, arena, spc_at(&message, f->field, at));
      continue;
    }
    if (f->in_oneof) {
      if (spc_case(&message, f->field) != f->number) continue;
      sum += f->number;
    }
    sum += dynamic_sum_value(f, arena, spc_get(&message, f->field));
  }
  return sum;
}

uint32_t hapi_dynamic_sum(hapi_dynamic *self, const spc_message *message) {
  return dynamic_sum(dynamic_shape_of(self, message->type), message->arena, message->ref);
}

static spc_status dynamic_sum_view(const dynamic_shape *shape, const spc_view *view,
                                   uint32_t *sum) {
  spc_view_place place = spc_view_start(view);
  spc_view_value value;
  spc_status status;
  const dynamic_shape_field *f = shape->fields;
  while ((status = spc_view_next(view, &place, &value, NULL)) == SPC_OK) {
    if (value.field == NULL) continue;
    if (f->number > value.number) f = shape->fields;
    while (f->number < value.number)
      f++;
    if (f->in_oneof) *sum += f->number;
    if (f->sub != NULL) {
      spc_view sub;
      if (!spc_view_sub(&value, &sub)) return SPC_INTERNAL;
      status = dynamic_sum_view(f->sub, &sub, sum);
      if (status != SPC_OK) return status;
    } else if (value.bytes == NULL) {
      *sum += value.value.u32;
    } else {
      *sum += dynamic_sum_bytes(f->type, value.bytes, value.length);
    }
  }
  return status == SPC_NOT_FOUND ? SPC_OK : status;
}

spc_status hapi_dynamic_sum_view(hapi_dynamic *self, const spc_view *view, uint32_t *sum) {
  return dynamic_sum_view(dynamic_shape_of(self, view->type), view, sum);
}
