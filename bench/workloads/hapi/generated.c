/*
 * Objects by generated accessors. Failures of the setters stick in one status, which is looked at
 * when an item is complete: what follows a failure is put into a message that nobody sees.
 */
#include "generated.h"

#include "hapi.spc.h"
#include "subset.h"

/* ---- From values to objects ------------------------------------------------------------------*/

typedef struct generated_target {
  spc_arena *arena;
  spc_status status;
} generated_target;

static void generated_keep(generated_target *t, spc_status status) {
  if (t->status == SPC_OK) t->status = status;
}

/* Declares `sub`, a message in a field of `parent`, or a new element of one. */
#define GENERATED_SUB(sub, type, in, field, parent)                                                \
  hapi_##type sub = {0};                                                                           \
  generated_keep(t, hapi_##in##_mutable_##field(t->arena, parent, &sub));                          \
  if (t->status != SPC_OK) return;
#define GENERATED_ADD(sub, type, in, field, parent)                                                \
  hapi_##type sub = {0};                                                                           \
  generated_keep(t, hapi_##in##_add_##field(t->arena, parent, &sub));                              \
  if (t->status != SPC_OK) return;
#define GENERATED_SET(in, field, message, value) hapi_##in##_set_##field(t->arena, message, value);
#define GENERATED_SET_BYTES(in, field, message, w)                                                 \
  generated_keep(t, hapi_##in##_set_##field(t->arena, message, pool + (w)[0], (w)[1]));

/* An identifier or time in a field of `parent`. */
#define GENERATED_ACCOUNT(in, field, parent, number)                                               \
  {GENERATED_SUB(id, AccountID, in, field, parent) GENERATED_SET(AccountID, accountNum, id, number)}
#define GENERATED_TOKEN(in, field, parent, number)                                                 \
  {GENERATED_SUB(id, TokenID, in, field, parent) GENERATED_SET(TokenID, tokenNum, id, number)}
#define GENERATED_TIME(in, field, parent, w)                                                       \
  {GENERATED_SUB(time, Timestamp, in, field, parent)                                               \
       GENERATED_SET(Timestamp, seconds, time, (int64_t)hapi_64(w))                                \
           GENERATED_SET(Timestamp, nanos, time, (int32_t)(w)[2])}
#define GENERATED_NFT_ID(in, field, parent, w)                                                     \
  {GENERATED_SUB(nft_id, NftID, in, field, parent)                                                 \
       GENERATED_TOKEN(NftID, token_ID, nft_id, (w)[0])                                            \
           GENERATED_SET(NftID, serial_number, nft_id, (int64_t)hapi_64((w) + 1))}
#define GENERATED_AMOUNT(in, field, parent, w)                                                     \
  {GENERATED_ADD(transfer, AccountAmount, in, field, parent)                                       \
       GENERATED_ACCOUNT(AccountAmount, accountID, transfer, (w)[0])                               \
           GENERATED_SET(AccountAmount, amount, transfer, (int64_t)hapi_64((w) + 1))}

static void generated_transfers(generated_target *t, hapi_TransactionResult result,
                                const uint32_t *token, const uint32_t *amounts, unsigned count,
                                uint32_t sender, uint32_t receiver, uint64_t serial) {
  GENERATED_ADD(list, TokenTransferList, TransactionResult, token_transfer_lists, result)
  GENERATED_TOKEN(TokenTransferList, token, list, *token)
  for (unsigned i = 0; i < count; i++)
    GENERATED_AMOUNT(TokenTransferList, transfers, list, amounts + 3 * i)
  if (serial == 0) return;
  GENERATED_ADD(nft, NftTransfer, TokenTransferList, nftTransfers, list)
  if (sender != 0) GENERATED_ACCOUNT(NftTransfer, senderAccountID, nft, sender)
  if (receiver != 0) GENERATED_ACCOUNT(NftTransfer, receiverAccountID, nft, receiver)
  GENERATED_SET(NftTransfer, serialNumber, nft, (int64_t)serial)
}

static void generated_update(generated_target *t, hapi_StateChange change, const uint32_t *w) {
  GENERATED_SUB(update, MapUpdateChange, StateChange, map_update, change)
  GENERATED_SUB(key, MapChangeKey, MapUpdateChange, key, update)
  GENERATED_SUB(value, MapChangeValue, MapUpdateChange, value, update)
  if (*w == HAPI_RELATION) {
    GENERATED_SUB(association, TokenAssociation, MapChangeKey, token_relationship_key, key)
    GENERATED_TOKEN(TokenAssociation, token_id, association, w[1])
    GENERATED_ACCOUNT(TokenAssociation, account_id, association, w[2])
    GENERATED_SUB(relation, TokenRelation, MapChangeValue, token_relation_value, value)
    GENERATED_TOKEN(TokenRelation, token_id, relation, w[1])
    GENERATED_ACCOUNT(TokenRelation, account_id, relation, w[2])
    GENERATED_SET(TokenRelation, balance, relation, (int64_t)hapi_64(w + 3))
    GENERATED_SET(TokenRelation, automatic_association, relation, w[5] != 0)
  } else if (*w == HAPI_ACCOUNT) {
    GENERATED_ACCOUNT(MapChangeKey, account_id_key, key, w[1])
    GENERATED_SUB(account, Account, MapChangeValue, account_value, value)
    GENERATED_ACCOUNT(Account, account_id, account, w[1])
    GENERATED_SET(Account, tinybar_balance, account, (int64_t)hapi_64(w + 2))
  } else {
    GENERATED_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
    GENERATED_SUB(nft, Nft, MapChangeValue, nft_value, value)
    GENERATED_NFT_ID(Nft, nft_id, nft, w + 1)
    if (*w == HAPI_NFT) {
      GENERATED_ACCOUNT(Nft, owner_id, nft, w[4])
      w++;
    }
    GENERATED_TIME(Nft, mint_time, nft, w + 4)
  }
}

static void generated_change(generated_target *t, hapi_StateChanges changes, const uint32_t *w) {
  GENERATED_ADD(change, StateChange, StateChanges, state_changes, changes)
  switch (*w) {
  case HAPI_NFT_DELETED: {
    GENERATED_SET(StateChange, state_id, change, HAPI_STATE_NFTS)
    GENERATED_SUB(delete_, MapDeleteChange, StateChange, map_delete, change)
    GENERATED_SUB(key, MapChangeKey, MapDeleteChange, key, delete_)
    GENERATED_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
    break;
  }
  case HAPI_ENTITY: {
    GENERATED_SET(StateChange, state_id, change, HAPI_STATE_ENTITY)
    GENERATED_SUB(update, SingletonUpdateChange, StateChange, singleton_update, change)
    GENERATED_SUB(number, UInt64Value, SingletonUpdateChange, entity_number_value, update)
    GENERATED_SET(UInt64Value, value, number, hapi_64(w + 1))
    break;
  }
  case HAPI_RECEIPT: {
    GENERATED_SET(StateChange, state_id, change, HAPI_STATE_RECEIPTS)
    GENERATED_SUB(push, QueuePushChange, StateChange, queue_push, change)
    GENERATED_SUB(entries, TransactionReceiptEntries, QueuePushChange,
                  transaction_receipt_entries_element, push)
    GENERATED_ADD(entry, TransactionReceiptEntry, TransactionReceiptEntries, entries, entries)
    GENERATED_SET(TransactionReceiptEntry, node_id, entry, w[1])
    GENERATED_SUB(transaction, TransactionID, TransactionReceiptEntry, transaction_id, entry)
    GENERATED_TIME(TransactionID, transactionValidStart, transaction, w + 2)
    GENERATED_ACCOUNT(TransactionID, accountID, transaction, w[5])
    GENERATED_SET(TransactionReceiptEntry, status, entry, (int32_t)w[6])
    break;
  }
  case HAPI_POPPED: {
    GENERATED_SET(StateChange, state_id, change, HAPI_STATE_RECEIPTS)
    GENERATED_SUB(pop, QueuePopChange, StateChange, queue_pop, change)
    (void)pop;
    break;
  }
  default: {
    GENERATED_SET(StateChange, state_id, change, hapi_states[*w])
    generated_update(t, change, w);
  }
  }
}

static void generated_version(generated_target *t, hapi_SemanticVersion version,
                              const uint32_t *w) {
  GENERATED_SET(SemanticVersion, major, version, (int32_t)w[0])
  GENERATED_SET(SemanticVersion, minor, version, (int32_t)w[1])
  GENERATED_SET(SemanticVersion, patch, version, (int32_t)w[2])
}

static void generated_result(generated_target *t, hapi_BlockItem item, uint32_t kind,
                             const uint32_t *w) {
  GENERATED_SUB(result, TransactionResult, BlockItem, transaction_result, item)
  if (kind == HAPI_ANONYMOUS) {
    GENERATED_SUB(list, TransferList, TransactionResult, transfer_list, result)
    for (unsigned i = 0; i < 3; i++)
      GENERATED_AMOUNT(TransferList, accountAmounts, list, w + 3 * i)
    return;
  }
  if (kind == HAPI_RESULT || kind == HAPI_BALANCE) {
    GENERATED_SET(TransactionResult, status, result, (int32_t)*w)
    w++;
  }
  GENERATED_TIME(TransactionResult, consensus_timestamp, result, w)
  w += 3;
  if (kind == HAPI_RESULT || kind == HAPI_TRADED) {
    GENERATED_SET(TransactionResult, transaction_fee_charged, result, hapi_64(w))
    w += 2;
  }
  if (kind == HAPI_BALANCE)
    generated_transfers(t, result, w, w + 1, 1, 0, 0, 0);
  else if (kind == HAPI_ADDED)
    generated_transfers(t, result, w, w + 1, 2, 0, w[7], hapi_64(w + 8));
  else if (kind == HAPI_TRADED)
    generated_transfers(t, result, w, w + 1, 2, w[7], w[8], hapi_64(w + 9));
  else if (kind == HAPI_DELETED)
    generated_transfers(t, result, w, w, 0, w[1], 0, hapi_64(w + 2));
}

static void generated_changes(generated_target *t, hapi_BlockItem item, const uint32_t *w) {
  GENERATED_SUB(changes, StateChanges, BlockItem, state_changes, item)
  GENERATED_TIME(StateChanges, consensus_timestamp, changes, w)
  uint32_t count = w[3];
  for (w += 4; count > 0; count--, w += hapi_change_words[*w])
    generated_change(t, changes, w);
}

static void generated_frame(generated_target *t, hapi_BlockItem item, uint32_t kind,
                            const uint32_t *w, const uint8_t *pool) {
  if (kind == HAPI_HEADER) {
    GENERATED_SUB(header, BlockHeader, BlockItem, block_header, item)
    GENERATED_SUB(api, SemanticVersion, BlockHeader, hapi_proto_version, header)
    GENERATED_SUB(software, SemanticVersion, BlockHeader, software_version, header)
    generated_version(t, api, w);
    generated_version(t, software, w + 3);
    GENERATED_SET(BlockHeader, number, header, hapi_64(w + 6))
    GENERATED_TIME(BlockHeader, block_timestamp, header, w + 8)
  } else if (kind == HAPI_FOOTER) {
    GENERATED_SUB(footer, BlockFooter, BlockItem, block_footer, item)
    GENERATED_SET_BYTES(BlockFooter, previous_block_root_hash, footer, w)
    GENERATED_SET_BYTES(BlockFooter, root_hash_of_all_block_hashes_tree, footer, w + 2)
    GENERATED_SET_BYTES(BlockFooter, start_of_block_state_root_hash, footer, w + 4)
  } else {
    GENERATED_SUB(proof, BlockProof, BlockItem, block_proof, item)
    GENERATED_SET(BlockProof, block, proof, hapi_64(w))
    GENERATED_SUB(tss, TssSignedBlockProof, BlockProof, signed_block_proof, proof)
    GENERATED_SET_BYTES(TssSignedBlockProof, block_signature, tss, w + 2)
  }
}

spc_status hapi_generated_build(spc_arena *arena, const uint32_t **words, const uint8_t *pool,
                                uint32_t *ref) {
  generated_target target = {arena, SPC_OK}, *t = &target;
  hapi_BlockItem item = {0};
  const uint32_t *w = *words + 1;
  const uint32_t kind = **words;
  generated_keep(t, hapi_BlockItem_new(arena, &item));
  if (t->status != SPC_OK) return t->status;
  if (kind == HAPI_SIGNED) {
    GENERATED_SET_BYTES(BlockItem, signed_transaction, item, w)
  } else if (kind == HAPI_CHANGES) {
    generated_changes(t, item, w);
  } else if (kind >= HAPI_RESULT && kind <= HAPI_ANONYMOUS) {
    generated_result(t, item, kind, w);
  } else {
    generated_frame(t, item, kind, w, pool);
  }
  w += hapi_item_words[kind];
  if (kind == HAPI_CHANGES) {
    for (uint32_t count = w[-1]; count > 0; count--)
      w += hapi_change_words[*w];
  }
  *words = w;
  *ref = item.ref;
  return t->status;
}

/* ---- From values through writers; what goes wrong sticks -------------------------------------*/

#define WRITE_TIME(in, field, w, words)                                                            \
  (void)hapi_##in##_writer_##field(w, (int64_t)hapi_64(words), (int32_t)(words)[2]);
#define WRITE_ID(in, field, w, number) (void)hapi_##in##_writer_##field(w, 0, 0, number);
#define WRITE_NFT_ID(in, field, w, words)                                                          \
  {                                                                                                \
    hapi_NftID_writer id = hapi_##in##_writer_open_##field(w);                                     \
    WRITE_ID(NftID, token_ID, id, (words)[0])                                                      \
    (void)hapi_NftID_writer_serial_number(id, (int64_t)hapi_64((words) + 1));                      \
    (void)hapi_NftID_writer_close(id);                                                             \
  }
#define WRITE_AMOUNT(in, field, w, words)                                                          \
  {                                                                                                \
    hapi_AccountAmount_writer transfer = hapi_##in##_writer_open_##field(w);                       \
    WRITE_ID(AccountAmount, accountID, transfer, (words)[0])                                       \
    (void)hapi_AccountAmount_writer_amount(transfer, (int64_t)hapi_64((words) + 1));               \
    (void)hapi_AccountAmount_writer_close(transfer);                                               \
  }

SPC_GEN_INLINE void write_transfers(hapi_TransactionResult_writer result, const uint32_t *token,
                                    const uint32_t *amounts, unsigned count, uint32_t sender,
                                    uint32_t receiver, uint64_t serial) {
  hapi_TokenTransferList_writer list =
      hapi_TransactionResult_writer_open_token_transfer_lists(result);
  WRITE_ID(TokenTransferList, token, list, *token)
  for (unsigned i = 0; i < count; i++)
    WRITE_AMOUNT(TokenTransferList, transfers, list, amounts + 3 * i)
  if (serial != 0) {
    hapi_NftTransfer_writer nft = hapi_TokenTransferList_writer_open_nftTransfers(list);
    if (sender != 0) WRITE_ID(NftTransfer, senderAccountID, nft, sender)
    if (receiver != 0) WRITE_ID(NftTransfer, receiverAccountID, nft, receiver)
    (void)hapi_NftTransfer_writer_serialNumber(nft, (int64_t)serial);
    (void)hapi_NftTransfer_writer_close(nft);
  }
  (void)hapi_TokenTransferList_writer_close(list);
}

SPC_GEN_INLINE void write_update(hapi_StateChange_writer change, const uint32_t *w) {
  hapi_MapUpdateChange_writer update = hapi_StateChange_writer_open_map_update(change);
  hapi_MapChangeKey_writer key = hapi_MapUpdateChange_writer_open_key(update);
  if (*w == HAPI_RELATION) {
    hapi_TokenAssociation_writer association =
        hapi_MapChangeKey_writer_open_token_relationship_key(key);
    WRITE_ID(TokenAssociation, token_id, association, w[1])
    WRITE_ID(TokenAssociation, account_id, association, w[2])
    (void)hapi_TokenAssociation_writer_close(association);
  } else if (*w == HAPI_ACCOUNT) {
    WRITE_ID(MapChangeKey, account_id_key, key, w[1])
  } else {
    WRITE_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
  }
  (void)hapi_MapChangeKey_writer_close(key);
  hapi_MapChangeValue_writer value = hapi_MapUpdateChange_writer_open_value(update);
  if (*w == HAPI_RELATION) {
    hapi_TokenRelation_writer relation =
        hapi_MapChangeValue_writer_open_token_relation_value(value);
    WRITE_ID(TokenRelation, token_id, relation, w[1])
    WRITE_ID(TokenRelation, account_id, relation, w[2])
    (void)hapi_TokenRelation_writer_balance(relation, (int64_t)hapi_64(w + 3));
    (void)hapi_TokenRelation_writer_automatic_association(relation, w[5] != 0);
    (void)hapi_TokenRelation_writer_close(relation);
  } else if (*w == HAPI_ACCOUNT) {
    hapi_Account_writer account = hapi_MapChangeValue_writer_open_account_value(value);
    WRITE_ID(Account, account_id, account, w[1])
    (void)hapi_Account_writer_tinybar_balance(account, (int64_t)hapi_64(w + 2));
    (void)hapi_Account_writer_close(account);
  } else {
    hapi_Nft_writer nft = hapi_MapChangeValue_writer_open_nft_value(value);
    WRITE_NFT_ID(Nft, nft_id, nft, w + 1)
    if (*w == HAPI_NFT) {
      WRITE_ID(Nft, owner_id, nft, w[4])
      w++;
    }
    WRITE_TIME(Nft, mint_time, nft, w + 4)
    (void)hapi_Nft_writer_close(nft);
  }
  (void)hapi_MapChangeValue_writer_close(value);
  (void)hapi_MapUpdateChange_writer_close(update);
}

SPC_GEN_INLINE void write_change(hapi_StateChanges_writer changes, const uint32_t *w) {
  hapi_StateChange_writer change = hapi_StateChanges_writer_open_state_changes(changes);
  switch (*w) {
  case HAPI_NFT_DELETED: {
    (void)hapi_StateChange_writer_state_id(change, HAPI_STATE_NFTS);
    hapi_MapDeleteChange_writer delete_ = hapi_StateChange_writer_open_map_delete(change);
    hapi_MapChangeKey_writer key = hapi_MapDeleteChange_writer_open_key(delete_);
    WRITE_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
    (void)hapi_MapChangeKey_writer_close(key);
    (void)hapi_MapDeleteChange_writer_close(delete_);
    break;
  }
  case HAPI_ENTITY: {
    (void)hapi_StateChange_writer_state_id(change, HAPI_STATE_ENTITY);
    hapi_SingletonUpdateChange_writer update =
        hapi_StateChange_writer_open_singleton_update(change);
    (void)hapi_SingletonUpdateChange_writer_entity_number_value(update, hapi_64(w + 1));
    (void)hapi_SingletonUpdateChange_writer_close(update);
    break;
  }
  case HAPI_RECEIPT: {
    (void)hapi_StateChange_writer_state_id(change, HAPI_STATE_RECEIPTS);
    hapi_QueuePushChange_writer push = hapi_StateChange_writer_open_queue_push(change);
    hapi_TransactionReceiptEntries_writer entries =
        hapi_QueuePushChange_writer_open_transaction_receipt_entries_element(push);
    hapi_TransactionReceiptEntry_writer entry =
        hapi_TransactionReceiptEntries_writer_open_entries(entries);
    (void)hapi_TransactionReceiptEntry_writer_node_id(entry, w[1]);
    hapi_TransactionID_writer id = hapi_TransactionReceiptEntry_writer_open_transaction_id(entry);
    WRITE_TIME(TransactionID, transactionValidStart, id, w + 2)
    WRITE_ID(TransactionID, accountID, id, w[5])
    (void)hapi_TransactionID_writer_close(id);
    (void)hapi_TransactionReceiptEntry_writer_status(entry, (int32_t)w[6]);
    (void)hapi_TransactionReceiptEntry_writer_close(entry);
    (void)hapi_TransactionReceiptEntries_writer_close(entries);
    (void)hapi_QueuePushChange_writer_close(push);
    break;
  }
  case HAPI_POPPED:
    (void)hapi_StateChange_writer_state_id(change, HAPI_STATE_RECEIPTS);
    (void)hapi_StateChange_writer_queue_pop(change);
    break;
  default:
    (void)hapi_StateChange_writer_state_id(change, hapi_states[*w]);
    write_update(change, w);
  }
  (void)hapi_StateChange_writer_close(change);
}

SPC_GEN_INLINE void write_result(hapi_BlockItem_writer item, uint32_t kind, const uint32_t *w) {
  hapi_TransactionResult_writer result = hapi_BlockItem_writer_open_transaction_result(item);
  if (kind == HAPI_ANONYMOUS) {
    hapi_TransferList_writer list = hapi_TransactionResult_writer_open_transfer_list(result);
    for (unsigned i = 0; i < 3; i++)
      WRITE_AMOUNT(TransferList, accountAmounts, list, w + 3 * i)
    (void)hapi_TransferList_writer_close(list);
    (void)hapi_TransactionResult_writer_close(result);
    return;
  }
  if (kind == HAPI_RESULT || kind == HAPI_BALANCE)
    (void)hapi_TransactionResult_writer_status(result, (int32_t)*w++);
  WRITE_TIME(TransactionResult, consensus_timestamp, result, w)
  w += 3;
  if (kind == HAPI_RESULT || kind == HAPI_TRADED) {
    (void)hapi_TransactionResult_writer_transaction_fee_charged(result, hapi_64(w));
    w += 2;
  }
  if (kind == HAPI_BALANCE)
    write_transfers(result, w, w + 1, 1, 0, 0, 0);
  else if (kind == HAPI_ADDED)
    write_transfers(result, w, w + 1, 2, 0, w[7], hapi_64(w + 8));
  else if (kind == HAPI_TRADED)
    write_transfers(result, w, w + 1, 2, w[7], w[8], hapi_64(w + 9));
  else if (kind == HAPI_DELETED)
    write_transfers(result, w, w, 0, w[1], 0, hapi_64(w + 2));
  (void)hapi_TransactionResult_writer_close(result);
}

static void write_frame(hapi_BlockItem_writer item, uint32_t kind, const uint32_t *w,
                        const uint8_t *pool) {
  if (kind == HAPI_HEADER) {
    hapi_BlockHeader_writer header = hapi_BlockItem_writer_open_block_header(item);
    for (unsigned i = 0; i < 2; i++, w += 3) {
      hapi_SemanticVersion_writer version =
          i == 0 ? hapi_BlockHeader_writer_open_hapi_proto_version(header)
                 : hapi_BlockHeader_writer_open_software_version(header);
      (void)hapi_SemanticVersion_writer_major(version, (int32_t)w[0]);
      (void)hapi_SemanticVersion_writer_minor(version, (int32_t)w[1]);
      (void)hapi_SemanticVersion_writer_patch(version, (int32_t)w[2]);
      (void)hapi_SemanticVersion_writer_close(version);
    }
    (void)hapi_BlockHeader_writer_number(header, hapi_64(w));
    WRITE_TIME(BlockHeader, block_timestamp, header, w + 2)
    (void)hapi_BlockHeader_writer_close(header);
  } else if (kind == HAPI_FOOTER) {
    hapi_BlockFooter_writer footer = hapi_BlockItem_writer_open_block_footer(item);
    (void)hapi_BlockFooter_writer_previous_block_root_hash(footer, pool + w[0], w[1]);
    (void)hapi_BlockFooter_writer_root_hash_of_all_block_hashes_tree(footer, pool + w[2], w[3]);
    (void)hapi_BlockFooter_writer_start_of_block_state_root_hash(footer, pool + w[4], w[5]);
    (void)hapi_BlockFooter_writer_close(footer);
  } else {
    hapi_BlockProof_writer proof = hapi_BlockItem_writer_open_block_proof(item);
    (void)hapi_BlockProof_writer_block(proof, hapi_64(w));
    hapi_TssSignedBlockProof_writer tss = hapi_BlockProof_writer_open_signed_block_proof(proof);
    (void)hapi_TssSignedBlockProof_writer_block_signature(tss, pool + w[2], w[3]);
    (void)hapi_TssSignedBlockProof_writer_close(tss);
    (void)hapi_BlockProof_writer_close(proof);
  }
}

/* Writes the item at `words`; the next one. */
SPC_GEN_INLINE const uint32_t *write_item(hapi_BlockItem_writer item, const uint32_t *words,
                                          const uint8_t *pool) {
  const uint32_t kind = *words;
  const uint32_t *w = words + 1;
  if (kind == HAPI_SIGNED) {
    (void)hapi_BlockItem_writer_signed_transaction(item, pool + w[0], w[1]);
  } else if (kind == HAPI_CHANGES) {
    hapi_StateChanges_writer changes = hapi_BlockItem_writer_open_state_changes(item);
    WRITE_TIME(StateChanges, consensus_timestamp, changes, w)
    uint32_t count = w[3];
    for (w += 4; count > 0; count--, w += hapi_change_words[*w])
      write_change(changes, w);
    (void)hapi_StateChanges_writer_close(changes);
    return w;
  } else if (kind >= HAPI_RESULT && kind <= HAPI_ANONYMOUS) {
    write_result(item, kind, w);
  } else {
    write_frame(item, kind, w, pool);
  }
  return w + hapi_item_words[kind];
}

spc_status hapi_generated_write(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                                size_t *length) {
  spc_gen_writer state;
  hapi_BlockItem_writer item = hapi_BlockItem_writer_init(&state, out, HAPI_ITEM_SIZE);
  *words = write_item(item, *words, pool);
  return hapi_BlockItem_writer_finish(item, length);
}

spc_status hapi_generated_write_block(const hapi_values *values, uint8_t *out, size_t capacity,
                                      size_t *length,
                                      void (*each)(void *user, const uint8_t *item, size_t length),
                                      void *user) {
  const uint32_t *words = values->words;
  const uint8_t *begin = out;
  spc_gen_writer state;
  hapi_Block_writer block = hapi_Block_writer_init(&state, out, capacity);
  while (*words != HAPI_END) {
    hapi_BlockItem_writer item = hapi_Block_writer_open_items(block);
    words = write_item(item, words, values->pool);
    (void)hapi_BlockItem_writer_close(item);
    spc_status status = hapi_Block_writer_finish(block, length);
    if (status != SPC_OK) return status;
    const hapi_item bytes = hapi_item_of(begin, out + *length);
    each(user, bytes.bytes, bytes.length);
    begin = out + *length;
  }
  return SPC_OK;
}

/* ---- To and from bytes -----------------------------------------------------------------------*/

spc_status hapi_generated_encode(const spc_arena *arena, uint32_t item, uint8_t *out,
                                 size_t capacity, size_t *length) {
  return hapi_BlockItem_encode(arena, (hapi_BlockItem){item}, out, capacity, NULL, length, NULL);
}

spc_status hapi_generated_encode_back(const spc_arena *arena, uint32_t item, uint8_t *out,
                                      size_t capacity, size_t *length) {
  return hapi_BlockItem_encode_back(arena, (hapi_BlockItem){item}, out, capacity, NULL, length,
                                    NULL);
}

spc_status hapi_generated_decode(spc_arena *arena, hapi_root root, const uint8_t *bytes,
                                 size_t length, uint32_t *message) {
  spc_status status;
  hapi_Block block;
  hapi_SignedTransaction signed_;
  hapi_TransactionBody body;
  switch (root) {
  case HAPI_ROOT_BLOCK:
    status = hapi_Block_decode(arena, bytes, length, NULL, &block, NULL);
    *message = block.ref;
    return status;
  case HAPI_ROOT_SIGNED:
    status = hapi_SignedTransaction_decode(arena, bytes, length, NULL, &signed_, NULL);
    *message = signed_.ref;
    return status;
  default:
    status = hapi_TransactionBody_decode(arena, bytes, length, NULL, &body, NULL);
    *message = body.ref;
    return status;
  }
}

/* ---- Reading ---------------------------------------------------------------------------------*/

static uint32_t generated_sum_bytes(spc_bytes bytes) {
  if (bytes.length == 0) return 0;
  return (uint32_t)bytes.length + bytes.data[0] + bytes.data[bytes.length - 1];
}

#define GENERATED_VALUE_INT(value)    (uint32_t)(value)
#define GENERATED_VALUE_SINT(value)   (uint32_t)(value)
#define GENERATED_VALUE_BOOL(value)   (uint32_t)(value)
#define GENERATED_VALUE_STRING(value) (uint32_t)(value).length
#define GENERATED_VALUE_BYTES(value)  generated_sum_bytes(value)

#define GENERATED_ADD_S(in, number, kind, field)                                                   \
  sum += GENERATED_VALUE_##kind(hapi_##in##_##field(a, m));
#define GENERATED_ADD_M(in, number, message, field)                                                \
  if (hapi_##in##_has_##field(a, m)) sum += generated_sum_##message(a, hapi_##in##_##field(a, m));
#define GENERATED_ADD_R(in, number, message, field)                                                \
  for (uint32_t i = 0, n = hapi_##in##_##field##_count(a, m); i < n; i++)                          \
    sum += generated_sum_##message(a, hapi_##in##_##field##_at(a, m, i));
#define GENERATED_ADD_B(in, number, field)                                                         \
  for (uint32_t i = 0, n = hapi_##in##_##field##_count(a, m); i < n; i++)                          \
    sum += generated_sum_bytes(hapi_##in##_##field##_at(a, m, i));
#define GENERATED_CASE_SO(in, number, kind, field, oneof)                                          \
  if (oneof##_case == number) sum += GENERATED_VALUE_##kind(hapi_##in##_##field(a, m));
#define GENERATED_CASE_MO(in, number, message, field, oneof)                                       \
  if (oneof##_case == number) sum += generated_sum_##message(a, hapi_##in##_##field(a, m));
#define GENERATED_CASE_O(in, oneof)                                                                \
  const uint32_t oneof##_case = hapi_##in##_##oneof##_case(a, m);                                  \
  sum += oneof##_case;

#define GENERATED_SUM(message)                                                                     \
  static uint32_t generated_sum_##message(const spc_arena *a, hapi_##message m) {                  \
    uint32_t sum = 0;                                                                              \
    (void)a, (void)m;                                                                              \
    HAPI_FIELDS_##message(GENERATED_ADD_S, GENERATED_ADD_M, GENERATED_ADD_R, GENERATED_ADD_B,      \
                          GENERATED_CASE_O, GENERATED_CASE_SO, GENERATED_CASE_MO) return sum;      \
  }
HAPI_MESSAGES(GENERATED_SUM)

uint32_t hapi_generated_sum(const spc_arena *arena, hapi_root root, uint32_t message) {
  switch (root) {
  case HAPI_ROOT_BLOCK:
    return generated_sum_Block(arena, (hapi_Block){message});
  case HAPI_ROOT_SIGNED:
    return generated_sum_SignedTransaction(arena, (hapi_SignedTransaction){message});
  default:
    return generated_sum_TransactionBody(arena, (hapi_TransactionBody){message});
  }
}

/* The same through views; a status that is not SPC_OK sticks. */
#define VIEW_KEEP(made)                                                                            \
  {                                                                                                \
    spc_status made_ = (made);                                                                     \
    if (made_ != SPC_OK && *status == SPC_OK) *status = made_;                                     \
  }
#define VIEW_SUB(in, message, field)                                                               \
  {                                                                                                \
    hapi_##message##_view sub;                                                                     \
    spc_status made = hapi_##in##_view_##field(v, &sub, NULL);                                     \
    if (made == SPC_OK)                                                                            \
      sum += view_sum_##message(&sub, status);                                                     \
    else                                                                                           \
      VIEW_KEEP(made)                                                                              \
  }
#define VIEW_ADD_S(in, number, kind, field)                                                        \
  sum += GENERATED_VALUE_##kind(hapi_##in##_view_##field(v));
#define VIEW_ADD_M(in, number, message, field)                                                     \
  if (hapi_##in##_view_has_##field(v)) VIEW_SUB(in, message, field)
#define VIEW_ADD_R(in, number, message, field)                                                     \
  {                                                                                                \
    spc_gen_place place = hapi_##in##_view_##field(v);                                             \
    hapi_##message##_view sub;                                                                     \
    spc_status made;                                                                               \
    while ((made = hapi_##in##_view_##field##_next(&place, &sub, NULL)) == SPC_OK)                 \
      sum += view_sum_##message(&sub, status);                                                     \
    if (made != SPC_NOT_FOUND) VIEW_KEEP(made)                                                     \
  }
#define VIEW_ADD_B(in, number, field)                                                              \
  {                                                                                                \
    spc_gen_place place = hapi_##in##_view_##field(v);                                             \
    spc_bytes bytes = {NULL, 0};                                                                   \
    spc_status made;                                                                               \
    while ((made = hapi_##in##_view_##field##_next(&place, &bytes, NULL)) == SPC_OK)               \
      sum += generated_sum_bytes(bytes);                                                           \
    if (made != SPC_NOT_FOUND) VIEW_KEEP(made)                                                     \
  }
#define VIEW_CASE_O(in, oneof)                                                                     \
  const uint32_t oneof##_case = hapi_##in##_view_##oneof##_case(v);                                \
  sum += oneof##_case;
#define VIEW_CASE_SO(in, number, kind, field, oneof)                                               \
  if (oneof##_case == number) sum += GENERATED_VALUE_##kind(hapi_##in##_view_##field(v));
#define VIEW_CASE_MO(in, number, message, field, oneof)                                            \
  if (oneof##_case == number) VIEW_SUB(in, message, field)

#define VIEW_SUM(message)                                                                          \
  static uint32_t view_sum_##message(const hapi_##message##_view *v, spc_status *status) {         \
    uint32_t sum = 0;                                                                              \
    (void)v, (void)status;                                                                         \
    HAPI_FIELDS_##message(VIEW_ADD_S, VIEW_ADD_M, VIEW_ADD_R, VIEW_ADD_B, VIEW_CASE_O,             \
                          VIEW_CASE_SO, VIEW_CASE_MO) return sum;                                  \
  }
HAPI_MESSAGES(VIEW_SUM)

#define VIEW_ROOT(message)                                                                         \
  {                                                                                                \
    hapi_##message##_view view;                                                                    \
    status = hapi_##message##_view_init(&view, bytes, length, NULL);                               \
    if (status == SPC_OK) *sum = view_sum_##message(&view, &status);                               \
    return status;                                                                                 \
  }

spc_status hapi_generated_sum_view(hapi_root root, const uint8_t *bytes, size_t length,
                                   uint32_t *sum) {
  spc_status status;
  switch (root) {
  case HAPI_ROOT_BLOCK:
    VIEW_ROOT(Block)
  case HAPI_ROOT_SIGNED:
    VIEW_ROOT(SignedTransaction)
  default:
    VIEW_ROOT(TransactionBody)
  }
}
