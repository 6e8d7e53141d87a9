/*
 * Items through generated writers that go back to front: fields in the opposite order of their
 * numbers. What goes wrong sticks in the writer.
 */
#include "generated.h"

#include "hapi.spc.h"

/* Changes whose places are remembered: more than an item of HAPI_ITEM_SIZE has, each 4 bytes. */
#define REVERSE_CHANGES (HAPI_ITEM_SIZE / 4)

#define REVERSE_TIME(in, field, r, w)                                                              \
  (void)hapi_##in##_reverse_##field(r, (int64_t)hapi_64(w), (int32_t)(w)[2]);
#define REVERSE_ID(in, field, r, number) (void)hapi_##in##_reverse_##field(r, 0, 0, number);
#define REVERSE_NFT_ID(in, field, r, w)                                                            \
  {                                                                                                \
    hapi_NftID_reverse id = hapi_##in##_reverse_open_##field(r);                                   \
    (void)hapi_NftID_reverse_serial_number(id, (int64_t)hapi_64((w) + 1));                         \
    REVERSE_ID(NftID, token_ID, id, (w)[0])                                                        \
    (void)hapi_NftID_reverse_close(id);                                                            \
  }
#define REVERSE_AMOUNT(in, field, r, w)                                                            \
  {                                                                                                \
    hapi_AccountAmount_reverse transfer = hapi_##in##_reverse_open_##field(r);                     \
    (void)hapi_AccountAmount_reverse_amount(transfer, (int64_t)hapi_64((w) + 1));                  \
    REVERSE_ID(AccountAmount, accountID, transfer, (w)[0])                                         \
    (void)hapi_AccountAmount_reverse_close(transfer);                                              \
  }

static void reverse_transfers(hapi_TransactionResult_reverse result, const uint32_t *token,
                              const uint32_t *amounts, unsigned count, uint32_t sender,
                              uint32_t receiver, uint64_t serial) {
  hapi_TokenTransferList_reverse list =
      hapi_TransactionResult_reverse_open_token_transfer_lists(result);
  if (serial != 0) {
    hapi_NftTransfer_reverse nft = hapi_TokenTransferList_reverse_open_nftTransfers(list);
    (void)hapi_NftTransfer_reverse_serialNumber(nft, (int64_t)serial);
    if (receiver != 0) REVERSE_ID(NftTransfer, receiverAccountID, nft, receiver)
    if (sender != 0) REVERSE_ID(NftTransfer, senderAccountID, nft, sender)
    (void)hapi_NftTransfer_reverse_close(nft);
  }
  for (unsigned i = count; i-- > 0;)
    REVERSE_AMOUNT(TokenTransferList, transfers, list, amounts + 3 * i)
  REVERSE_ID(TokenTransferList, token, list, *token)
  (void)hapi_TokenTransferList_reverse_close(list);
}

static void reverse_result(hapi_BlockItem_reverse item, uint32_t kind, const uint32_t *w) {
  hapi_TransactionResult_reverse result = hapi_BlockItem_reverse_open_transaction_result(item);
  const bool has_status = kind == HAPI_RESULT || kind == HAPI_BALANCE;
  const uint32_t *time = w + (has_status ? 1 : 0);
  const uint32_t *rest = time + (kind == HAPI_RESULT || kind == HAPI_TRADED ? 5 : 3);
  switch (kind) {
  case HAPI_ANONYMOUS: {
    hapi_TransferList_reverse list = hapi_TransactionResult_reverse_open_transfer_list(result);
    for (unsigned i = 3; i-- > 0;)
      REVERSE_AMOUNT(TransferList, accountAmounts, list, w + 3 * i)
    (void)hapi_TransferList_reverse_close(list);
    (void)hapi_TransactionResult_reverse_close(result);
    return;
  }
  case HAPI_BALANCE:
    reverse_transfers(result, rest, rest + 1, 1, 0, 0, 0);
    break;
  case HAPI_ADDED:
    reverse_transfers(result, rest, rest + 1, 2, 0, rest[7], hapi_64(rest + 8));
    break;
  case HAPI_TRADED:
    reverse_transfers(result, rest, rest + 1, 2, rest[7], rest[8], hapi_64(rest + 9));
    break;
  case HAPI_DELETED:
    reverse_transfers(result, rest, rest, 0, rest[1], 0, hapi_64(rest + 2));
    break;
  default:
    break;
  }
  if (rest != time + 3)
    (void)hapi_TransactionResult_reverse_transaction_fee_charged(result, hapi_64(time + 3));
  REVERSE_TIME(TransactionResult, consensus_timestamp, result, time)
  if (has_status) (void)hapi_TransactionResult_reverse_status(result, (int32_t)*w);
  (void)hapi_TransactionResult_reverse_close(result);
}

static void reverse_update(hapi_StateChange_reverse change, const uint32_t *w) {
  hapi_MapUpdateChange_reverse update = hapi_StateChange_reverse_open_map_update(change);
  hapi_MapChangeValue_reverse value = hapi_MapUpdateChange_reverse_open_value(update);
  if (*w == HAPI_RELATION) {
    hapi_TokenRelation_reverse relation =
        hapi_MapChangeValue_reverse_open_token_relation_value(value);
    (void)hapi_TokenRelation_reverse_automatic_association(relation, w[5] != 0);
    (void)hapi_TokenRelation_reverse_balance(relation, (int64_t)hapi_64(w + 3));
    REVERSE_ID(TokenRelation, account_id, relation, w[2])
    REVERSE_ID(TokenRelation, token_id, relation, w[1])
    (void)hapi_TokenRelation_reverse_close(relation);
  } else if (*w == HAPI_ACCOUNT) {
    hapi_Account_reverse account = hapi_MapChangeValue_reverse_open_account_value(value);
    (void)hapi_Account_reverse_tinybar_balance(account, (int64_t)hapi_64(w + 2));
    REVERSE_ID(Account, account_id, account, w[1])
    (void)hapi_Account_reverse_close(account);
  } else {
    hapi_Nft_reverse nft = hapi_MapChangeValue_reverse_open_nft_value(value);
    REVERSE_TIME(Nft, mint_time, nft, w + (*w == HAPI_NFT ? 5 : 4))
    if (*w == HAPI_NFT) REVERSE_ID(Nft, owner_id, nft, w[4])
    REVERSE_NFT_ID(Nft, nft_id, nft, w + 1)
    (void)hapi_Nft_reverse_close(nft);
  }
  (void)hapi_MapChangeValue_reverse_close(value);
  hapi_MapChangeKey_reverse key = hapi_MapUpdateChange_reverse_open_key(update);
  if (*w == HAPI_RELATION) {
    hapi_TokenAssociation_reverse association =
        hapi_MapChangeKey_reverse_open_token_relationship_key(key);
    REVERSE_ID(TokenAssociation, account_id, association, w[2])
    REVERSE_ID(TokenAssociation, token_id, association, w[1])
    (void)hapi_TokenAssociation_reverse_close(association);
  } else if (*w == HAPI_ACCOUNT) {
    REVERSE_ID(MapChangeKey, account_id_key, key, w[1])
  } else {
    REVERSE_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
  }
  (void)hapi_MapChangeKey_reverse_close(key);
  (void)hapi_MapUpdateChange_reverse_close(update);
}

static void reverse_change(hapi_StateChanges_reverse changes, const uint32_t *w) {
  hapi_StateChange_reverse change = hapi_StateChanges_reverse_open_state_changes(changes);
  switch (*w) {
  case HAPI_NFT_DELETED: {
    hapi_MapDeleteChange_reverse delete_ = hapi_StateChange_reverse_open_map_delete(change);
    hapi_MapChangeKey_reverse key = hapi_MapDeleteChange_reverse_open_key(delete_);
    REVERSE_NFT_ID(MapChangeKey, nft_id_key, key, w + 1)
    (void)hapi_MapChangeKey_reverse_close(key);
    (void)hapi_MapDeleteChange_reverse_close(delete_);
    break;
  }
  case HAPI_ENTITY: {
    hapi_SingletonUpdateChange_reverse update =
        hapi_StateChange_reverse_open_singleton_update(change);
    (void)hapi_SingletonUpdateChange_reverse_entity_number_value(update, hapi_64(w + 1));
    (void)hapi_SingletonUpdateChange_reverse_close(update);
    break;
  }
  case HAPI_RECEIPT: {
    hapi_QueuePushChange_reverse push = hapi_StateChange_reverse_open_queue_push(change);
    hapi_TransactionReceiptEntries_reverse entries =
        hapi_QueuePushChange_reverse_open_transaction_receipt_entries_element(push);
    hapi_TransactionReceiptEntry_reverse entry =
        hapi_TransactionReceiptEntries_reverse_open_entries(entries);
    (void)hapi_TransactionReceiptEntry_reverse_status(entry, (int32_t)w[6]);
    hapi_TransactionID_reverse id = hapi_TransactionReceiptEntry_reverse_open_transaction_id(entry);
    REVERSE_ID(TransactionID, accountID, id, w[5])
    REVERSE_TIME(TransactionID, transactionValidStart, id, w + 2)
    (void)hapi_TransactionID_reverse_close(id);
    (void)hapi_TransactionReceiptEntry_reverse_node_id(entry, w[1]);
    (void)hapi_TransactionReceiptEntry_reverse_close(entry);
    (void)hapi_TransactionReceiptEntries_reverse_close(entries);
    (void)hapi_QueuePushChange_reverse_close(push);
    break;
  }
  case HAPI_POPPED:
    (void)hapi_StateChange_reverse_queue_pop(change);
    break;
  default:
    reverse_update(change, w);
  }
  (void)hapi_StateChange_reverse_state_id(change, hapi_states[*w]);
  (void)hapi_StateChange_reverse_close(change);
}

/* The next item. */
static const uint32_t *reverse_changes(hapi_BlockItem_reverse item, const uint32_t *w) {
  const uint32_t *places[REVERSE_CHANGES], *next = w + 4;
  const uint32_t count = w[3];
  hapi_StateChanges_reverse changes = hapi_BlockItem_reverse_open_state_changes(item);
  for (uint32_t i = 0; i < count; i++) {
    places[i] = next;
    next += hapi_change_words[*next];
  }
  for (uint32_t i = count; i-- > 0;)
    reverse_change(changes, places[i]);
  REVERSE_TIME(StateChanges, consensus_timestamp, changes, w)
  (void)hapi_StateChanges_reverse_close(changes);
  return next;
}

static void reverse_frame(hapi_BlockItem_reverse item, uint32_t kind, const uint32_t *w,
                          const uint8_t *pool) {
  if (kind == HAPI_HEADER) {
    hapi_BlockHeader_reverse header = hapi_BlockItem_reverse_open_block_header(item);
    REVERSE_TIME(BlockHeader, block_timestamp, header, w + 8)
    (void)hapi_BlockHeader_reverse_number(header, hapi_64(w + 6));
    for (unsigned i = 2; i-- > 0;) {
      const uint32_t *v = w + 3 * i;
      hapi_SemanticVersion_reverse version =
          i == 0 ? hapi_BlockHeader_reverse_open_hapi_proto_version(header)
                 : hapi_BlockHeader_reverse_open_software_version(header);
      (void)hapi_SemanticVersion_reverse_patch(version, (int32_t)v[2]);
      (void)hapi_SemanticVersion_reverse_minor(version, (int32_t)v[1]);
      (void)hapi_SemanticVersion_reverse_major(version, (int32_t)v[0]);
      (void)hapi_SemanticVersion_reverse_close(version);
    }
    (void)hapi_BlockHeader_reverse_close(header);
  } else if (kind == HAPI_FOOTER) {
    hapi_BlockFooter_reverse footer = hapi_BlockItem_reverse_open_block_footer(item);
    (void)hapi_BlockFooter_reverse_start_of_block_state_root_hash(footer, pool + w[4], w[5]);
    (void)hapi_BlockFooter_reverse_root_hash_of_all_block_hashes_tree(footer, pool + w[2], w[3]);
    (void)hapi_BlockFooter_reverse_previous_block_root_hash(footer, pool + w[0], w[1]);
    (void)hapi_BlockFooter_reverse_close(footer);
  } else {
    hapi_BlockProof_reverse proof = hapi_BlockItem_reverse_open_block_proof(item);
    hapi_TssSignedBlockProof_reverse tss = hapi_BlockProof_reverse_open_signed_block_proof(proof);
    (void)hapi_TssSignedBlockProof_reverse_block_signature(tss, pool + w[2], w[3]);
    (void)hapi_TssSignedBlockProof_reverse_close(tss);
    (void)hapi_BlockProof_reverse_block(proof, hapi_64(w));
    (void)hapi_BlockProof_reverse_close(proof);
  }
}

spc_status hapi_generated_write_reverse(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                                        size_t *length) {
  spc_gen_writer state;
  hapi_BlockItem_reverse item = hapi_BlockItem_reverse_init(&state, out, HAPI_ITEM_SIZE);
  const uint32_t kind = **words, *w = *words + 1;
  if (kind == HAPI_CHANGES) {
    *words = reverse_changes(item, w);
    return hapi_BlockItem_reverse_finish(item, length);
  }
  if (kind == HAPI_SIGNED)
    (void)hapi_BlockItem_reverse_signed_transaction(item, pool + w[0], w[1]);
  else if (kind >= HAPI_RESULT && kind <= HAPI_ANONYMOUS)
    reverse_result(item, kind, w);
  else
    reverse_frame(item, kind, w, pool);
  *words = w + hapi_item_words[kind];
  return hapi_BlockItem_reverse_finish(item, length);
}
