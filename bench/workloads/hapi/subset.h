/*
 * The messages of hapi.proto as macros, children before parents: HAPI_MESSAGES(DO) does DO(name)
 * and HAPI_FIELDS_<name>(S, M, R, B, O, SO, MO) for the fields of a message, in the order of
 * numbers. `in` is the name of the message that has them.
 *
 *   S(in, number, kind, field): a scalar; kinds are INT, SINT, BOOL, STRING, BYTES
 *
 *   M(in, number, message, field): a message; R: a repeated message
 *
 *   B(in, number, field): repeated bytes
 *
 *   O(in, oneof): a oneof, before its members
 *
 *   SO(in, number, kind, field, oneof), MO(in, number, message, field, oneof): members of a oneof
 */
#ifndef HAPI_SUBSET_H
#define HAPI_SUBSET_H

// clang-format off
#define HAPI_MESSAGES(DO) \
  DO(SemanticVersion) DO(Timestamp) DO(BlockHeader) DO(Elsewhere) \
  DO(RoundHeader) DO(ScheduleID) DO(AccountID) DO(AccountAmount) \
  DO(TransferList) DO(TokenID) DO(NftTransfer) DO(TokenTransferList) \
  DO(TokenAssociation) DO(AssessedCustomFee) DO(TransactionResult) DO(UInt64Value) \
  DO(SingletonUpdateChange) DO(NftID) DO(AccountTokenAssociation) DO(MapChangeKey) \
  DO(Account) DO(Nft) DO(TokenRelation) DO(MapChangeValue) \
  DO(MapUpdateChange) DO(MapDeleteChange) DO(TransactionID) DO(TransactionReceiptEntry) \
  DO(TransactionReceiptEntries) DO(QueuePushChange) DO(QueuePopChange) DO(StateChange) \
  DO(StateChanges) DO(TssSignedBlockProof) DO(BlockProof) DO(BlockFooter) \
  DO(BlockItem) DO(Block) DO(SignaturePair) DO(SignatureMap) \
  DO(SignedTransaction) DO(Duration) DO(CryptoTransferTransactionBody) DO(AtomicBatchTransactionBody) \
  DO(TransactionBody)

#define HAPI_FIELDS_SemanticVersion(S, M, R, B, O, SO, MO) \
  S(SemanticVersion, 1, INT, major) S(SemanticVersion, 2, INT, minor) \
  S(SemanticVersion, 3, INT, patch) S(SemanticVersion, 4, STRING, pre) \
  S(SemanticVersion, 5, STRING, build)
#define HAPI_FIELDS_Timestamp(S, M, R, B, O, SO, MO) \
  S(Timestamp, 1, INT, seconds) S(Timestamp, 2, INT, nanos)
#define HAPI_FIELDS_BlockHeader(S, M, R, B, O, SO, MO) \
  M(BlockHeader, 1, SemanticVersion, hapi_proto_version) \
  M(BlockHeader, 2, SemanticVersion, software_version) S(BlockHeader, 3, INT, number) \
  M(BlockHeader, 4, Timestamp, block_timestamp) S(BlockHeader, 5, INT, hash_algorithm)
#define HAPI_FIELDS_Elsewhere(S, M, R, B, O, SO, MO)
#define HAPI_FIELDS_RoundHeader(S, M, R, B, O, SO, MO) \
  S(RoundHeader, 1, INT, round_number)
#define HAPI_FIELDS_ScheduleID(S, M, R, B, O, SO, MO) \
  S(ScheduleID, 1, INT, shardNum) S(ScheduleID, 2, INT, realmNum) \
  S(ScheduleID, 3, INT, scheduleNum)
#define HAPI_FIELDS_AccountID(S, M, R, B, O, SO, MO) \
  S(AccountID, 1, INT, shardNum) S(AccountID, 2, INT, realmNum) O(AccountID, account) \
  SO(AccountID, 3, INT, accountNum, account) SO(AccountID, 4, BYTES, alias, account)
#define HAPI_FIELDS_AccountAmount(S, M, R, B, O, SO, MO) \
  M(AccountAmount, 1, AccountID, accountID) S(AccountAmount, 2, SINT, amount) \
  S(AccountAmount, 3, BOOL, is_approval) O(AccountAmount, hook_call) \
  MO(AccountAmount, 4, Elsewhere, pre_tx_allowance_hook, hook_call) \
  MO(AccountAmount, 5, Elsewhere, pre_post_tx_allowance_hook, hook_call)
#define HAPI_FIELDS_TransferList(S, M, R, B, O, SO, MO) \
  R(TransferList, 1, AccountAmount, accountAmounts)
#define HAPI_FIELDS_TokenID(S, M, R, B, O, SO, MO) \
  S(TokenID, 1, INT, shardNum) S(TokenID, 2, INT, realmNum) S(TokenID, 3, INT, tokenNum)
#define HAPI_FIELDS_NftTransfer(S, M, R, B, O, SO, MO) \
  M(NftTransfer, 1, AccountID, senderAccountID) M(NftTransfer, 2, AccountID, receiverAccountID) \
  S(NftTransfer, 3, INT, serialNumber) S(NftTransfer, 4, BOOL, is_approval) \
  O(NftTransfer, sender_allowance_hook_call) \
  MO(NftTransfer, 5, Elsewhere, pre_tx_sender_allowance_hook, sender_allowance_hook_call) \
  MO(NftTransfer, 6, Elsewhere, pre_post_tx_sender_allowance_hook, sender_allowance_hook_call) \
  O(NftTransfer, receiver_allowance_hook_call) \
  MO(NftTransfer, 7, Elsewhere, pre_tx_receiver_allowance_hook, receiver_allowance_hook_call) \
  MO(NftTransfer, 8, Elsewhere, pre_post_tx_receiver_allowance_hook, receiver_allowance_hook_call)
#define HAPI_FIELDS_TokenTransferList(S, M, R, B, O, SO, MO) \
  M(TokenTransferList, 1, TokenID, token) R(TokenTransferList, 2, AccountAmount, transfers) \
  R(TokenTransferList, 3, NftTransfer, nftTransfers) \
  M(TokenTransferList, 4, Elsewhere, expected_decimals)
#define HAPI_FIELDS_TokenAssociation(S, M, R, B, O, SO, MO) \
  M(TokenAssociation, 1, TokenID, token_id) M(TokenAssociation, 2, AccountID, account_id)
#define HAPI_FIELDS_AssessedCustomFee(S, M, R, B, O, SO, MO) \
  S(AssessedCustomFee, 1, INT, amount) M(AssessedCustomFee, 2, TokenID, token_id) \
  M(AssessedCustomFee, 3, AccountID, fee_collector_account_id) \
  R(AssessedCustomFee, 4, AccountID, effective_payer_account_id)
#define HAPI_FIELDS_TransactionResult(S, M, R, B, O, SO, MO) \
  S(TransactionResult, 1, INT, status) M(TransactionResult, 2, Timestamp, consensus_timestamp) \
  M(TransactionResult, 3, Timestamp, parent_consensus_timestamp) \
  M(TransactionResult, 5, ScheduleID, schedule_ref) \
  S(TransactionResult, 6, INT, transaction_fee_charged) \
  M(TransactionResult, 7, TransferList, transfer_list) \
  R(TransactionResult, 8, TokenTransferList, token_transfer_lists) \
  R(TransactionResult, 9, TokenAssociation, automatic_token_associations) \
  R(TransactionResult, 10, AccountAmount, paid_staking_rewards) \
  S(TransactionResult, 11, INT, congestion_pricing_multiplier) \
  R(TransactionResult, 12, AssessedCustomFee, assessed_custom_fees) \
  S(TransactionResult, 13, INT, high_volume_pricing_multiplier)
#define HAPI_FIELDS_UInt64Value(S, M, R, B, O, SO, MO) \
  S(UInt64Value, 1, INT, value)
#define HAPI_FIELDS_SingletonUpdateChange(S, M, R, B, O, SO, MO) \
  O(SingletonUpdateChange, new_value) \
  MO(SingletonUpdateChange, 1, Elsewhere, block_info_value, new_value) \
  MO(SingletonUpdateChange, 2, Elsewhere, congestion_level_starts_value, new_value) \
  MO(SingletonUpdateChange, 3, UInt64Value, entity_number_value, new_value) \
  MO(SingletonUpdateChange, 4, Elsewhere, exchange_rate_set_value, new_value) \
  MO(SingletonUpdateChange, 5, Elsewhere, network_staking_rewards_value, new_value) \
  MO(SingletonUpdateChange, 6, Elsewhere, bytes_value, new_value) \
  MO(SingletonUpdateChange, 7, Elsewhere, string_value, new_value) \
  MO(SingletonUpdateChange, 8, Elsewhere, running_hashes_value, new_value) \
  MO(SingletonUpdateChange, 9, Elsewhere, throttle_usage_snapshots_value, new_value) \
  MO(SingletonUpdateChange, 10, Timestamp, timestamp_value, new_value) \
  MO(SingletonUpdateChange, 11, Elsewhere, block_stream_info_value, new_value) \
  MO(SingletonUpdateChange, 12, Elsewhere, platform_state_value, new_value) \
  MO(SingletonUpdateChange, 13, Elsewhere, roster_state_value, new_value) \
  MO(SingletonUpdateChange, 14, Elsewhere, hints_construction_value, new_value) \
  MO(SingletonUpdateChange, 15, Elsewhere, entity_counts_value, new_value) \
  MO(SingletonUpdateChange, 16, Elsewhere, history_proof_construction_value, new_value) \
  MO(SingletonUpdateChange, 17, Elsewhere, crs_state_value, new_value) \
  MO(SingletonUpdateChange, 18, Elsewhere, node_rewards_value, new_value) \
  MO(SingletonUpdateChange, 19, Elsewhere, node_payments_value, new_value) \
  MO(SingletonUpdateChange, 20, Elsewhere, node_id_value, new_value)
#define HAPI_FIELDS_NftID(S, M, R, B, O, SO, MO) \
  M(NftID, 1, TokenID, token_ID) S(NftID, 2, INT, serial_number)
#define HAPI_FIELDS_AccountTokenAssociation(S, M, R, B, O, SO, MO) \
  M(AccountTokenAssociation, 1, AccountID, account_id) \
  M(AccountTokenAssociation, 2, TokenID, token_id)
#define HAPI_FIELDS_MapChangeKey(S, M, R, B, O, SO, MO) \
  O(MapChangeKey, key_choice) MO(MapChangeKey, 1, AccountID, account_id_key, key_choice) \
  MO(MapChangeKey, 2, TokenAssociation, token_relationship_key, key_choice) \
  MO(MapChangeKey, 3, UInt64Value, entity_number_key, key_choice) \
  MO(MapChangeKey, 4, Elsewhere, file_id_key, key_choice) \
  MO(MapChangeKey, 5, NftID, nft_id_key, key_choice) \
  MO(MapChangeKey, 6, Elsewhere, proto_bytes_key, key_choice) \
  MO(MapChangeKey, 7, Elsewhere, proto_long_key, key_choice) \
  MO(MapChangeKey, 8, Elsewhere, proto_string_key, key_choice) \
  MO(MapChangeKey, 9, ScheduleID, schedule_id_key, key_choice) \
  MO(MapChangeKey, 10, Elsewhere, slot_key_key, key_choice) \
  MO(MapChangeKey, 11, TokenID, token_id_key, key_choice) \
  MO(MapChangeKey, 12, Elsewhere, topic_id_key, key_choice) \
  MO(MapChangeKey, 13, Elsewhere, contract_id_key, key_choice) \
  MO(MapChangeKey, 14, Elsewhere, pending_airdrop_id_key, key_choice) \
  MO(MapChangeKey, 15, Elsewhere, timestamp_seconds_key, key_choice) \
  MO(MapChangeKey, 16, Elsewhere, scheduled_order_key, key_choice) \
  MO(MapChangeKey, 17, Elsewhere, tss_message_map_key, key_choice) \
  MO(MapChangeKey, 18, Elsewhere, tss_vote_map_key, key_choice) \
  MO(MapChangeKey, 19, Elsewhere, hints_party_id_key, key_choice) \
  MO(MapChangeKey, 20, Elsewhere, preprocessing_vote_id_key, key_choice) \
  MO(MapChangeKey, 21, Elsewhere, node_id_key, key_choice) \
  MO(MapChangeKey, 22, Elsewhere, construction_node_id_key, key_choice) \
  MO(MapChangeKey, 23, Elsewhere, hook_id_key, key_choice) \
  MO(MapChangeKey, 24, Elsewhere, evm_hook_slot_key, key_choice) \
  MO(MapChangeKey, 25, AccountTokenAssociation, account_token_association_key, key_choice)
#define HAPI_FIELDS_Account(S, M, R, B, O, SO, MO) \
  M(Account, 1, AccountID, account_id) S(Account, 2, BYTES, alias) M(Account, 3, Elsewhere, key) \
  S(Account, 4, INT, expiration_second) S(Account, 5, INT, tinybar_balance) \
  S(Account, 6, STRING, memo) S(Account, 7, BOOL, deleted) S(Account, 8, INT, staked_to_me) \
  S(Account, 9, INT, stake_period_start) O(Account, staked_id) \
  MO(Account, 10, AccountID, staked_account_id, staked_id) \
  SO(Account, 11, INT, staked_node_id, staked_id) S(Account, 12, BOOL, decline_reward) \
  S(Account, 13, BOOL, receiver_sig_required) M(Account, 14, TokenID, head_token_id) \
  M(Account, 15, NftID, head_nft_id) S(Account, 16, INT, head_nft_serial_number) \
  S(Account, 17, INT, number_owned_nfts) S(Account, 18, INT, max_auto_associations) \
  S(Account, 19, INT, used_auto_associations) S(Account, 20, INT, number_associations) \
  S(Account, 21, BOOL, smart_contract) S(Account, 22, INT, number_positive_balances) \
  S(Account, 23, INT, ethereum_nonce) \
  S(Account, 24, INT, stake_at_start_of_last_rewarded_period) \
  M(Account, 25, AccountID, auto_renew_account_id) S(Account, 26, INT, auto_renew_seconds) \
  S(Account, 27, INT, contract_kv_pairs_number) R(Account, 28, Elsewhere, crypto_allowances) \
  R(Account, 29, Elsewhere, approve_for_all_nft_allowances) \
  R(Account, 30, Elsewhere, token_allowances) S(Account, 31, INT, number_treasury_titles) \
  S(Account, 32, BOOL, expired_and_pending_removal) \
  S(Account, 33, BYTES, first_contract_storage_key) \
  M(Account, 34, Elsewhere, head_pending_airdrop_id) \
  S(Account, 35, INT, number_pending_airdrops) S(Account, 36, INT, number_hooks_in_use) \
  S(Account, 37, INT, first_hook_id) S(Account, 38, INT, number_evm_hook_storage_slots) \
  S(Account, 39, BYTES, delegation_address)
#define HAPI_FIELDS_Nft(S, M, R, B, O, SO, MO) \
  M(Nft, 1, NftID, nft_id) M(Nft, 2, AccountID, owner_id) M(Nft, 3, AccountID, spender_id) \
  M(Nft, 4, Timestamp, mint_time) S(Nft, 5, BYTES, metadata) \
  M(Nft, 6, NftID, owner_previous_nft_id) M(Nft, 7, NftID, owner_next_nft_id)
#define HAPI_FIELDS_TokenRelation(S, M, R, B, O, SO, MO) \
  M(TokenRelation, 1, TokenID, token_id) M(TokenRelation, 2, AccountID, account_id) \
  S(TokenRelation, 3, INT, balance) S(TokenRelation, 4, BOOL, frozen) \
  S(TokenRelation, 5, BOOL, kyc_granted) S(TokenRelation, 6, BOOL, automatic_association) \
  M(TokenRelation, 7, TokenID, previous_token) M(TokenRelation, 8, TokenID, next_token)
#define HAPI_FIELDS_MapChangeValue(S, M, R, B, O, SO, MO) \
  O(MapChangeValue, value_choice) MO(MapChangeValue, 1, Account, account_value, value_choice) \
  MO(MapChangeValue, 2, AccountID, account_id_value, value_choice) \
  MO(MapChangeValue, 3, Elsewhere, bytecode_value, value_choice) \
  MO(MapChangeValue, 4, Elsewhere, file_value, value_choice) \
  MO(MapChangeValue, 5, Nft, nft_value, value_choice) \
  MO(MapChangeValue, 6, Elsewhere, proto_string_value, value_choice) \
  MO(MapChangeValue, 7, Elsewhere, schedule_value, value_choice) \
  MO(MapChangeValue, 8, Elsewhere, schedule_list_value, value_choice) \
  MO(MapChangeValue, 9, Elsewhere, slot_value_value, value_choice) \
  MO(MapChangeValue, 10, Elsewhere, staking_node_info_value, value_choice) \
  MO(MapChangeValue, 11, Elsewhere, token_value, value_choice) \
  MO(MapChangeValue, 12, TokenRelation, token_relation_value, value_choice) \
  MO(MapChangeValue, 13, Elsewhere, topic_value, value_choice) \
  MO(MapChangeValue, 14, Elsewhere, node_value, value_choice) \
  MO(MapChangeValue, 15, Elsewhere, account_pending_airdrop_value, value_choice) \
  MO(MapChangeValue, 16, Elsewhere, roster_value, value_choice) \
  MO(MapChangeValue, 17, Elsewhere, scheduled_counts_value, value_choice) \
  MO(MapChangeValue, 18, ScheduleID, schedule_id_value, value_choice) \
  MO(MapChangeValue, 19, Elsewhere, throttle_usage_snapshots_value, value_choice) \
  MO(MapChangeValue, 20, Elsewhere, tss_encryption_keys_value, value_choice) \
  MO(MapChangeValue, 21, Elsewhere, tss_message_value, value_choice) \
  MO(MapChangeValue, 22, Elsewhere, tss_vote_value, value_choice) \
  MO(MapChangeValue, 23, Elsewhere, hints_key_set_value, value_choice) \
  MO(MapChangeValue, 24, Elsewhere, preprocessing_vote_value, value_choice) \
  MO(MapChangeValue, 25, Elsewhere, crs_publication_value, value_choice) \
  MO(MapChangeValue, 26, Elsewhere, history_signature_value, value_choice) \
  MO(MapChangeValue, 27, Elsewhere, history_proof_vote_value, value_choice) \
  MO(MapChangeValue, 28, Elsewhere, proof_key_set_value, value_choice) \
  MO(MapChangeValue, 29, Elsewhere, evm_hook_state_value, value_choice) \
  MO(MapChangeValue, 30, Elsewhere, node_id_value, value_choice) \
  MO(MapChangeValue, 31, Elsewhere, wraps_message_history_value, value_choice)
#define HAPI_FIELDS_MapUpdateChange(S, M, R, B, O, SO, MO) \
  M(MapUpdateChange, 1, MapChangeKey, key) M(MapUpdateChange, 2, MapChangeValue, value) \
  S(MapUpdateChange, 3, BOOL, identical)
#define HAPI_FIELDS_MapDeleteChange(S, M, R, B, O, SO, MO) \
  M(MapDeleteChange, 1, MapChangeKey, key)
#define HAPI_FIELDS_TransactionID(S, M, R, B, O, SO, MO) \
  M(TransactionID, 1, Timestamp, transactionValidStart) \
  M(TransactionID, 2, AccountID, accountID) S(TransactionID, 3, BOOL, scheduled) \
  S(TransactionID, 4, INT, nonce)
#define HAPI_FIELDS_TransactionReceiptEntry(S, M, R, B, O, SO, MO) \
  S(TransactionReceiptEntry, 1, INT, node_id) \
  M(TransactionReceiptEntry, 2, TransactionID, transaction_id) \
  S(TransactionReceiptEntry, 3, INT, status)
#define HAPI_FIELDS_TransactionReceiptEntries(S, M, R, B, O, SO, MO) \
  R(TransactionReceiptEntries, 1, TransactionReceiptEntry, entries)
#define HAPI_FIELDS_QueuePushChange(S, M, R, B, O, SO, MO) \
  O(QueuePushChange, value) MO(QueuePushChange, 1, Elsewhere, proto_bytes_element, value) \
  MO(QueuePushChange, 2, Elsewhere, proto_string_element, value) \
  MO(QueuePushChange, 3, TransactionReceiptEntries, transaction_receipt_entries_element, value)
#define HAPI_FIELDS_QueuePopChange(S, M, R, B, O, SO, MO)
#define HAPI_FIELDS_StateChange(S, M, R, B, O, SO, MO) \
  S(StateChange, 1, INT, state_id) O(StateChange, change_operation) \
  MO(StateChange, 2, Elsewhere, state_add, change_operation) \
  MO(StateChange, 3, Elsewhere, state_remove, change_operation) \
  MO(StateChange, 4, SingletonUpdateChange, singleton_update, change_operation) \
  MO(StateChange, 5, MapUpdateChange, map_update, change_operation) \
  MO(StateChange, 6, MapDeleteChange, map_delete, change_operation) \
  MO(StateChange, 7, QueuePushChange, queue_push, change_operation) \
  MO(StateChange, 8, QueuePopChange, queue_pop, change_operation)
#define HAPI_FIELDS_StateChanges(S, M, R, B, O, SO, MO) \
  M(StateChanges, 1, Timestamp, consensus_timestamp) \
  R(StateChanges, 2, StateChange, state_changes)
#define HAPI_FIELDS_TssSignedBlockProof(S, M, R, B, O, SO, MO) \
  S(TssSignedBlockProof, 1, BYTES, block_signature)
#define HAPI_FIELDS_BlockProof(S, M, R, B, O, SO, MO) \
  S(BlockProof, 1, INT, block) O(BlockProof, proof) \
  MO(BlockProof, 2, TssSignedBlockProof, signed_block_proof, proof) \
  MO(BlockProof, 3, Elsewhere, block_state_proof, proof) \
  MO(BlockProof, 4, Elsewhere, signed_record_file_proof, proof)
#define HAPI_FIELDS_BlockFooter(S, M, R, B, O, SO, MO) \
  S(BlockFooter, 1, BYTES, previous_block_root_hash) \
  S(BlockFooter, 2, BYTES, root_hash_of_all_block_hashes_tree) \
  S(BlockFooter, 3, BYTES, start_of_block_state_root_hash)
#define HAPI_FIELDS_BlockItem(S, M, R, B, O, SO, MO) \
  O(BlockItem, item) MO(BlockItem, 1, BlockHeader, block_header, item) \
  MO(BlockItem, 2, Elsewhere, event_header, item) \
  MO(BlockItem, 3, RoundHeader, round_header, item) \
  SO(BlockItem, 4, BYTES, signed_transaction, item) \
  MO(BlockItem, 5, TransactionResult, transaction_result, item) \
  MO(BlockItem, 6, Elsewhere, transaction_output, item) \
  MO(BlockItem, 7, StateChanges, state_changes, item) \
  MO(BlockItem, 8, Elsewhere, filtered_item_hash, item) \
  MO(BlockItem, 9, BlockProof, block_proof, item) \
  MO(BlockItem, 10, Elsewhere, record_file, item) MO(BlockItem, 11, Elsewhere, trace_data, item) \
  MO(BlockItem, 12, BlockFooter, block_footer, item) \
  MO(BlockItem, 19, Elsewhere, redacted_item, item)
#define HAPI_FIELDS_Block(S, M, R, B, O, SO, MO) \
  R(Block, 1, BlockItem, items)
#define HAPI_FIELDS_SignaturePair(S, M, R, B, O, SO, MO) \
  S(SignaturePair, 1, BYTES, pubKeyPrefix) O(SignaturePair, signature) \
  SO(SignaturePair, 2, BYTES, contract, signature) \
  SO(SignaturePair, 3, BYTES, ed25519, signature) \
  SO(SignaturePair, 4, BYTES, RSA_3072, signature) \
  SO(SignaturePair, 5, BYTES, ECDSA_384, signature) \
  SO(SignaturePair, 6, BYTES, ECDSA_secp256k1, signature)
#define HAPI_FIELDS_SignatureMap(S, M, R, B, O, SO, MO) \
  R(SignatureMap, 1, SignaturePair, sigPair)
#define HAPI_FIELDS_SignedTransaction(S, M, R, B, O, SO, MO) \
  S(SignedTransaction, 1, BYTES, bodyBytes) M(SignedTransaction, 2, SignatureMap, sigMap) \
  S(SignedTransaction, 3, BOOL, use_serialized_tx_message_hash_algorithm)
#define HAPI_FIELDS_Duration(S, M, R, B, O, SO, MO) \
  S(Duration, 1, INT, seconds)
#define HAPI_FIELDS_CryptoTransferTransactionBody(S, M, R, B, O, SO, MO) \
  M(CryptoTransferTransactionBody, 1, TransferList, transfers) \
  R(CryptoTransferTransactionBody, 2, TokenTransferList, tokenTransfers)
#define HAPI_FIELDS_AtomicBatchTransactionBody(S, M, R, B, O, SO, MO) \
  B(AtomicBatchTransactionBody, 1, transactions)
#define HAPI_FIELDS_TransactionBody(S, M, R, B, O, SO, MO) \
  M(TransactionBody, 1, TransactionID, transactionID) \
  M(TransactionBody, 2, AccountID, nodeAccountID) S(TransactionBody, 3, INT, transactionFee) \
  M(TransactionBody, 4, Duration, transactionValidDuration) \
  S(TransactionBody, 5, BOOL, generateRecord) S(TransactionBody, 6, STRING, memo) \
  O(TransactionBody, data) MO(TransactionBody, 7, Elsewhere, contractCall, data) \
  MO(TransactionBody, 8, Elsewhere, contractCreateInstance, data) \
  MO(TransactionBody, 9, Elsewhere, contractUpdateInstance, data) \
  MO(TransactionBody, 10, Elsewhere, cryptoAddLiveHash, data) \
  MO(TransactionBody, 11, Elsewhere, cryptoCreateAccount, data) \
  MO(TransactionBody, 12, Elsewhere, cryptoDelete, data) \
  MO(TransactionBody, 13, Elsewhere, cryptoDeleteLiveHash, data) \
  MO(TransactionBody, 14, CryptoTransferTransactionBody, cryptoTransfer, data) \
  MO(TransactionBody, 15, Elsewhere, cryptoUpdateAccount, data) \
  MO(TransactionBody, 16, Elsewhere, fileAppend, data) \
  MO(TransactionBody, 17, Elsewhere, fileCreate, data) \
  MO(TransactionBody, 18, Elsewhere, fileDelete, data) \
  MO(TransactionBody, 19, Elsewhere, fileUpdate, data) \
  MO(TransactionBody, 20, Elsewhere, systemDelete, data) \
  MO(TransactionBody, 21, Elsewhere, systemUndelete, data) \
  MO(TransactionBody, 22, Elsewhere, contractDeleteInstance, data) \
  MO(TransactionBody, 23, Elsewhere, freeze, data) \
  MO(TransactionBody, 24, Elsewhere, consensusCreateTopic, data) \
  MO(TransactionBody, 25, Elsewhere, consensusUpdateTopic, data) \
  MO(TransactionBody, 26, Elsewhere, consensusDeleteTopic, data) \
  MO(TransactionBody, 27, Elsewhere, consensusSubmitMessage, data) \
  MO(TransactionBody, 28, Elsewhere, uncheckedSubmit, data) \
  MO(TransactionBody, 29, Elsewhere, tokenCreation, data) \
  MO(TransactionBody, 31, Elsewhere, tokenFreeze, data) \
  MO(TransactionBody, 32, Elsewhere, tokenUnfreeze, data) \
  MO(TransactionBody, 33, Elsewhere, tokenGrantKyc, data) \
  MO(TransactionBody, 34, Elsewhere, tokenRevokeKyc, data) \
  MO(TransactionBody, 35, Elsewhere, tokenDeletion, data) \
  MO(TransactionBody, 36, Elsewhere, tokenUpdate, data) \
  MO(TransactionBody, 37, Elsewhere, tokenMint, data) \
  MO(TransactionBody, 38, Elsewhere, tokenBurn, data) \
  MO(TransactionBody, 39, Elsewhere, tokenWipe, data) \
  MO(TransactionBody, 40, Elsewhere, tokenAssociate, data) \
  MO(TransactionBody, 41, Elsewhere, tokenDissociate, data) \
  MO(TransactionBody, 42, Elsewhere, scheduleCreate, data) \
  MO(TransactionBody, 43, Elsewhere, scheduleDelete, data) \
  MO(TransactionBody, 44, Elsewhere, scheduleSign, data) \
  MO(TransactionBody, 45, Elsewhere, token_fee_schedule_update, data) \
  MO(TransactionBody, 46, Elsewhere, token_pause, data) \
  MO(TransactionBody, 47, Elsewhere, token_unpause, data) \
  MO(TransactionBody, 48, Elsewhere, cryptoApproveAllowance, data) \
  MO(TransactionBody, 49, Elsewhere, cryptoDeleteAllowance, data) \
  MO(TransactionBody, 50, Elsewhere, ethereumTransaction, data) \
  MO(TransactionBody, 51, Elsewhere, node_stake_update, data) \
  MO(TransactionBody, 52, Elsewhere, util_prng, data) \
  MO(TransactionBody, 53, Elsewhere, token_update_nfts, data) \
  MO(TransactionBody, 54, Elsewhere, nodeCreate, data) \
  MO(TransactionBody, 55, Elsewhere, nodeUpdate, data) \
  MO(TransactionBody, 56, Elsewhere, nodeDelete, data) \
  MO(TransactionBody, 57, Elsewhere, tokenReject, data) \
  MO(TransactionBody, 58, Elsewhere, tokenAirdrop, data) \
  MO(TransactionBody, 59, Elsewhere, tokenCancelAirdrop, data) \
  MO(TransactionBody, 60, Elsewhere, tokenClaimAirdrop, data) \
  MO(TransactionBody, 65, Elsewhere, state_signature_transaction, data) \
  MO(TransactionBody, 66, Elsewhere, hints_preprocessing_vote, data) \
  MO(TransactionBody, 67, Elsewhere, hints_key_publication, data) \
  MO(TransactionBody, 68, Elsewhere, hints_partial_signature, data) \
  MO(TransactionBody, 69, Elsewhere, history_proof_signature, data) \
  MO(TransactionBody, 70, Elsewhere, history_proof_key_publication, data) \
  MO(TransactionBody, 71, Elsewhere, history_proof_vote, data) \
  MO(TransactionBody, 72, Elsewhere, crs_publication, data) \
  MO(TransactionBody, 74, AtomicBatchTransactionBody, atomic_batch, data) \
  MO(TransactionBody, 75, Elsewhere, hook_store, data) \
  MO(TransactionBody, 76, Elsewhere, hook_dispatch, data) \
  MO(TransactionBody, 77, Elsewhere, ledger_id_publication, data) \
  MO(TransactionBody, 78, Elsewhere, registeredNodeCreate, data) \
  MO(TransactionBody, 79, Elsewhere, registeredNodeUpdate, data) \
  MO(TransactionBody, 80, Elsewhere, registeredNodeDelete, data) \
  MO(TransactionBody, 81, Elsewhere, migration_root_hash_vote, data) \
  M(TransactionBody, 73, Elsewhere, batch_key) \
  R(TransactionBody, 1001, Elsewhere, max_custom_fees) \
  S(TransactionBody, 1002, BOOL, high_volume)
// clang-format on

#endif
