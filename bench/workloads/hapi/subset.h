/*
 * The messages of hapi.proto as macros, children before parents: HAPI_MESSAGES(DO) does DO(name)
 * and HAPI_FIELDS_<name>(S, M, R, B, O, SO, MO) for the message's fields, in the order of numbers:
 *   S(number, kind, field)           a scalar; kinds are INT, SINT, BOOL, STRING, BYTES
 *   M(number, message, field)        a message
 *   R(number, message, field)        a repeated message
 *   B(number, field)                 repeated bytes
 *   O(oneof)                         a oneof, before its members
 *   SO(number, kind, field, oneof)   a scalar in a oneof
 *   MO(number, message, field, oneof)
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
  S(1, INT, major) S(2, INT, minor) S(3, INT, patch) S(4, STRING, pre) S(5, STRING, build)
#define HAPI_FIELDS_Timestamp(S, M, R, B, O, SO, MO) \
  S(1, INT, seconds) S(2, INT, nanos)
#define HAPI_FIELDS_BlockHeader(S, M, R, B, O, SO, MO) \
  M(1, SemanticVersion, hapi_proto_version) M(2, SemanticVersion, software_version) \
  S(3, INT, number) M(4, Timestamp, block_timestamp) S(5, INT, hash_algorithm)
#define HAPI_FIELDS_Elsewhere(S, M, R, B, O, SO, MO)
#define HAPI_FIELDS_RoundHeader(S, M, R, B, O, SO, MO) \
  S(1, INT, round_number)
#define HAPI_FIELDS_ScheduleID(S, M, R, B, O, SO, MO) \
  S(1, INT, shardNum) S(2, INT, realmNum) S(3, INT, scheduleNum)
#define HAPI_FIELDS_AccountID(S, M, R, B, O, SO, MO) \
  S(1, INT, shardNum) S(2, INT, realmNum) O(account) SO(3, INT, accountNum, account) \
  SO(4, BYTES, alias, account)
#define HAPI_FIELDS_AccountAmount(S, M, R, B, O, SO, MO) \
  M(1, AccountID, accountID) S(2, SINT, amount) S(3, BOOL, is_approval) O(hook_call) \
  MO(4, Elsewhere, pre_tx_allowance_hook, hook_call) \
  MO(5, Elsewhere, pre_post_tx_allowance_hook, hook_call)
#define HAPI_FIELDS_TransferList(S, M, R, B, O, SO, MO) \
  R(1, AccountAmount, accountAmounts)
#define HAPI_FIELDS_TokenID(S, M, R, B, O, SO, MO) \
  S(1, INT, shardNum) S(2, INT, realmNum) S(3, INT, tokenNum)
#define HAPI_FIELDS_NftTransfer(S, M, R, B, O, SO, MO) \
  M(1, AccountID, senderAccountID) M(2, AccountID, receiverAccountID) S(3, INT, serialNumber) \
  S(4, BOOL, is_approval) O(sender_allowance_hook_call) \
  MO(5, Elsewhere, pre_tx_sender_allowance_hook, sender_allowance_hook_call) \
  MO(6, Elsewhere, pre_post_tx_sender_allowance_hook, sender_allowance_hook_call) \
  O(receiver_allowance_hook_call) \
  MO(7, Elsewhere, pre_tx_receiver_allowance_hook, receiver_allowance_hook_call) \
  MO(8, Elsewhere, pre_post_tx_receiver_allowance_hook, receiver_allowance_hook_call)
#define HAPI_FIELDS_TokenTransferList(S, M, R, B, O, SO, MO) \
  M(1, TokenID, token) R(2, AccountAmount, transfers) R(3, NftTransfer, nftTransfers) \
  M(4, Elsewhere, expected_decimals)
#define HAPI_FIELDS_TokenAssociation(S, M, R, B, O, SO, MO) \
  M(1, TokenID, token_id) M(2, AccountID, account_id)
#define HAPI_FIELDS_AssessedCustomFee(S, M, R, B, O, SO, MO) \
  S(1, INT, amount) M(2, TokenID, token_id) M(3, AccountID, fee_collector_account_id) \
  R(4, AccountID, effective_payer_account_id)
#define HAPI_FIELDS_TransactionResult(S, M, R, B, O, SO, MO) \
  S(1, INT, status) M(2, Timestamp, consensus_timestamp) \
  M(3, Timestamp, parent_consensus_timestamp) M(5, ScheduleID, schedule_ref) \
  S(6, INT, transaction_fee_charged) M(7, TransferList, transfer_list) \
  R(8, TokenTransferList, token_transfer_lists) \
  R(9, TokenAssociation, automatic_token_associations) \
  R(10, AccountAmount, paid_staking_rewards) S(11, INT, congestion_pricing_multiplier) \
  R(12, AssessedCustomFee, assessed_custom_fees) S(13, INT, high_volume_pricing_multiplier)
#define HAPI_FIELDS_UInt64Value(S, M, R, B, O, SO, MO) \
  S(1, INT, value)
#define HAPI_FIELDS_SingletonUpdateChange(S, M, R, B, O, SO, MO) \
  O(new_value) MO(1, Elsewhere, block_info_value, new_value) \
  MO(2, Elsewhere, congestion_level_starts_value, new_value) \
  MO(3, UInt64Value, entity_number_value, new_value) \
  MO(4, Elsewhere, exchange_rate_set_value, new_value) \
  MO(5, Elsewhere, network_staking_rewards_value, new_value) \
  MO(6, Elsewhere, bytes_value, new_value) MO(7, Elsewhere, string_value, new_value) \
  MO(8, Elsewhere, running_hashes_value, new_value) \
  MO(9, Elsewhere, throttle_usage_snapshots_value, new_value) \
  MO(10, Timestamp, timestamp_value, new_value) \
  MO(11, Elsewhere, block_stream_info_value, new_value) \
  MO(12, Elsewhere, platform_state_value, new_value) \
  MO(13, Elsewhere, roster_state_value, new_value) \
  MO(14, Elsewhere, hints_construction_value, new_value) \
  MO(15, Elsewhere, entity_counts_value, new_value) \
  MO(16, Elsewhere, history_proof_construction_value, new_value) \
  MO(17, Elsewhere, crs_state_value, new_value) MO(18, Elsewhere, node_rewards_value, new_value) \
  MO(19, Elsewhere, node_payments_value, new_value) MO(20, Elsewhere, node_id_value, new_value)
#define HAPI_FIELDS_NftID(S, M, R, B, O, SO, MO) \
  M(1, TokenID, token_ID) S(2, INT, serial_number)
#define HAPI_FIELDS_AccountTokenAssociation(S, M, R, B, O, SO, MO) \
  M(1, AccountID, account_id) M(2, TokenID, token_id)
#define HAPI_FIELDS_MapChangeKey(S, M, R, B, O, SO, MO) \
  O(key_choice) MO(1, AccountID, account_id_key, key_choice) \
  MO(2, TokenAssociation, token_relationship_key, key_choice) \
  MO(3, UInt64Value, entity_number_key, key_choice) MO(4, Elsewhere, file_id_key, key_choice) \
  MO(5, NftID, nft_id_key, key_choice) MO(6, Elsewhere, proto_bytes_key, key_choice) \
  MO(7, Elsewhere, proto_long_key, key_choice) MO(8, Elsewhere, proto_string_key, key_choice) \
  MO(9, ScheduleID, schedule_id_key, key_choice) MO(10, Elsewhere, slot_key_key, key_choice) \
  MO(11, TokenID, token_id_key, key_choice) MO(12, Elsewhere, topic_id_key, key_choice) \
  MO(13, Elsewhere, contract_id_key, key_choice) \
  MO(14, Elsewhere, pending_airdrop_id_key, key_choice) \
  MO(15, Elsewhere, timestamp_seconds_key, key_choice) \
  MO(16, Elsewhere, scheduled_order_key, key_choice) \
  MO(17, Elsewhere, tss_message_map_key, key_choice) \
  MO(18, Elsewhere, tss_vote_map_key, key_choice) \
  MO(19, Elsewhere, hints_party_id_key, key_choice) \
  MO(20, Elsewhere, preprocessing_vote_id_key, key_choice) \
  MO(21, Elsewhere, node_id_key, key_choice) \
  MO(22, Elsewhere, construction_node_id_key, key_choice) \
  MO(23, Elsewhere, hook_id_key, key_choice) MO(24, Elsewhere, evm_hook_slot_key, key_choice) \
  MO(25, AccountTokenAssociation, account_token_association_key, key_choice)
#define HAPI_FIELDS_Account(S, M, R, B, O, SO, MO) \
  M(1, AccountID, account_id) S(2, BYTES, alias) M(3, Elsewhere, key) \
  S(4, INT, expiration_second) S(5, INT, tinybar_balance) S(6, STRING, memo) S(7, BOOL, deleted) \
  S(8, INT, staked_to_me) S(9, INT, stake_period_start) O(staked_id) \
  MO(10, AccountID, staked_account_id, staked_id) SO(11, INT, staked_node_id, staked_id) \
  S(12, BOOL, decline_reward) S(13, BOOL, receiver_sig_required) M(14, TokenID, head_token_id) \
  M(15, NftID, head_nft_id) S(16, INT, head_nft_serial_number) S(17, INT, number_owned_nfts) \
  S(18, INT, max_auto_associations) S(19, INT, used_auto_associations) \
  S(20, INT, number_associations) S(21, BOOL, smart_contract) \
  S(22, INT, number_positive_balances) S(23, INT, ethereum_nonce) \
  S(24, INT, stake_at_start_of_last_rewarded_period) M(25, AccountID, auto_renew_account_id) \
  S(26, INT, auto_renew_seconds) S(27, INT, contract_kv_pairs_number) \
  R(28, Elsewhere, crypto_allowances) R(29, Elsewhere, approve_for_all_nft_allowances) \
  R(30, Elsewhere, token_allowances) S(31, INT, number_treasury_titles) \
  S(32, BOOL, expired_and_pending_removal) S(33, BYTES, first_contract_storage_key) \
  M(34, Elsewhere, head_pending_airdrop_id) S(35, INT, number_pending_airdrops) \
  S(36, INT, number_hooks_in_use) S(37, INT, first_hook_id) \
  S(38, INT, number_evm_hook_storage_slots) S(39, BYTES, delegation_address)
#define HAPI_FIELDS_Nft(S, M, R, B, O, SO, MO) \
  M(1, NftID, nft_id) M(2, AccountID, owner_id) M(3, AccountID, spender_id) \
  M(4, Timestamp, mint_time) S(5, BYTES, metadata) M(6, NftID, owner_previous_nft_id) \
  M(7, NftID, owner_next_nft_id)
#define HAPI_FIELDS_TokenRelation(S, M, R, B, O, SO, MO) \
  M(1, TokenID, token_id) M(2, AccountID, account_id) S(3, INT, balance) S(4, BOOL, frozen) \
  S(5, BOOL, kyc_granted) S(6, BOOL, automatic_association) M(7, TokenID, previous_token) \
  M(8, TokenID, next_token)
#define HAPI_FIELDS_MapChangeValue(S, M, R, B, O, SO, MO) \
  O(value_choice) MO(1, Account, account_value, value_choice) \
  MO(2, AccountID, account_id_value, value_choice) \
  MO(3, Elsewhere, bytecode_value, value_choice) MO(4, Elsewhere, file_value, value_choice) \
  MO(5, Nft, nft_value, value_choice) MO(6, Elsewhere, proto_string_value, value_choice) \
  MO(7, Elsewhere, schedule_value, value_choice) \
  MO(8, Elsewhere, schedule_list_value, value_choice) \
  MO(9, Elsewhere, slot_value_value, value_choice) \
  MO(10, Elsewhere, staking_node_info_value, value_choice) \
  MO(11, Elsewhere, token_value, value_choice) \
  MO(12, TokenRelation, token_relation_value, value_choice) \
  MO(13, Elsewhere, topic_value, value_choice) MO(14, Elsewhere, node_value, value_choice) \
  MO(15, Elsewhere, account_pending_airdrop_value, value_choice) \
  MO(16, Elsewhere, roster_value, value_choice) \
  MO(17, Elsewhere, scheduled_counts_value, value_choice) \
  MO(18, ScheduleID, schedule_id_value, value_choice) \
  MO(19, Elsewhere, throttle_usage_snapshots_value, value_choice) \
  MO(20, Elsewhere, tss_encryption_keys_value, value_choice) \
  MO(21, Elsewhere, tss_message_value, value_choice) \
  MO(22, Elsewhere, tss_vote_value, value_choice) \
  MO(23, Elsewhere, hints_key_set_value, value_choice) \
  MO(24, Elsewhere, preprocessing_vote_value, value_choice) \
  MO(25, Elsewhere, crs_publication_value, value_choice) \
  MO(26, Elsewhere, history_signature_value, value_choice) \
  MO(27, Elsewhere, history_proof_vote_value, value_choice) \
  MO(28, Elsewhere, proof_key_set_value, value_choice) \
  MO(29, Elsewhere, evm_hook_state_value, value_choice) \
  MO(30, Elsewhere, node_id_value, value_choice) \
  MO(31, Elsewhere, wraps_message_history_value, value_choice)
#define HAPI_FIELDS_MapUpdateChange(S, M, R, B, O, SO, MO) \
  M(1, MapChangeKey, key) M(2, MapChangeValue, value) S(3, BOOL, identical)
#define HAPI_FIELDS_MapDeleteChange(S, M, R, B, O, SO, MO) \
  M(1, MapChangeKey, key)
#define HAPI_FIELDS_TransactionID(S, M, R, B, O, SO, MO) \
  M(1, Timestamp, transactionValidStart) M(2, AccountID, accountID) S(3, BOOL, scheduled) \
  S(4, INT, nonce)
#define HAPI_FIELDS_TransactionReceiptEntry(S, M, R, B, O, SO, MO) \
  S(1, INT, node_id) M(2, TransactionID, transaction_id) S(3, INT, status)
#define HAPI_FIELDS_TransactionReceiptEntries(S, M, R, B, O, SO, MO) \
  R(1, TransactionReceiptEntry, entries)
#define HAPI_FIELDS_QueuePushChange(S, M, R, B, O, SO, MO) \
  O(value) MO(1, Elsewhere, proto_bytes_element, value) \
  MO(2, Elsewhere, proto_string_element, value) \
  MO(3, TransactionReceiptEntries, transaction_receipt_entries_element, value)
#define HAPI_FIELDS_QueuePopChange(S, M, R, B, O, SO, MO)
#define HAPI_FIELDS_StateChange(S, M, R, B, O, SO, MO) \
  S(1, INT, state_id) O(change_operation) MO(2, Elsewhere, state_add, change_operation) \
  MO(3, Elsewhere, state_remove, change_operation) \
  MO(4, SingletonUpdateChange, singleton_update, change_operation) \
  MO(5, MapUpdateChange, map_update, change_operation) \
  MO(6, MapDeleteChange, map_delete, change_operation) \
  MO(7, QueuePushChange, queue_push, change_operation) \
  MO(8, QueuePopChange, queue_pop, change_operation)
#define HAPI_FIELDS_StateChanges(S, M, R, B, O, SO, MO) \
  M(1, Timestamp, consensus_timestamp) R(2, StateChange, state_changes)
#define HAPI_FIELDS_TssSignedBlockProof(S, M, R, B, O, SO, MO) \
  S(1, BYTES, block_signature)
#define HAPI_FIELDS_BlockProof(S, M, R, B, O, SO, MO) \
  S(1, INT, block) O(proof) MO(2, TssSignedBlockProof, signed_block_proof, proof) \
  MO(3, Elsewhere, block_state_proof, proof) MO(4, Elsewhere, signed_record_file_proof, proof)
#define HAPI_FIELDS_BlockFooter(S, M, R, B, O, SO, MO) \
  S(1, BYTES, previous_block_root_hash) S(2, BYTES, root_hash_of_all_block_hashes_tree) \
  S(3, BYTES, start_of_block_state_root_hash)
#define HAPI_FIELDS_BlockItem(S, M, R, B, O, SO, MO) \
  O(item) MO(1, BlockHeader, block_header, item) MO(2, Elsewhere, event_header, item) \
  MO(3, RoundHeader, round_header, item) SO(4, BYTES, signed_transaction, item) \
  MO(5, TransactionResult, transaction_result, item) MO(6, Elsewhere, transaction_output, item) \
  MO(7, StateChanges, state_changes, item) MO(8, Elsewhere, filtered_item_hash, item) \
  MO(9, BlockProof, block_proof, item) MO(10, Elsewhere, record_file, item) \
  MO(11, Elsewhere, trace_data, item) MO(12, BlockFooter, block_footer, item) \
  MO(19, Elsewhere, redacted_item, item)
#define HAPI_FIELDS_Block(S, M, R, B, O, SO, MO) \
  R(1, BlockItem, items)
#define HAPI_FIELDS_SignaturePair(S, M, R, B, O, SO, MO) \
  S(1, BYTES, pubKeyPrefix) O(signature) SO(2, BYTES, contract, signature) \
  SO(3, BYTES, ed25519, signature) SO(4, BYTES, RSA_3072, signature) \
  SO(5, BYTES, ECDSA_384, signature) SO(6, BYTES, ECDSA_secp256k1, signature)
#define HAPI_FIELDS_SignatureMap(S, M, R, B, O, SO, MO) \
  R(1, SignaturePair, sigPair)
#define HAPI_FIELDS_SignedTransaction(S, M, R, B, O, SO, MO) \
  S(1, BYTES, bodyBytes) M(2, SignatureMap, sigMap) \
  S(3, BOOL, use_serialized_tx_message_hash_algorithm)
#define HAPI_FIELDS_Duration(S, M, R, B, O, SO, MO) \
  S(1, INT, seconds)
#define HAPI_FIELDS_CryptoTransferTransactionBody(S, M, R, B, O, SO, MO) \
  M(1, TransferList, transfers) R(2, TokenTransferList, tokenTransfers)
#define HAPI_FIELDS_AtomicBatchTransactionBody(S, M, R, B, O, SO, MO) \
  B(1, transactions)
#define HAPI_FIELDS_TransactionBody(S, M, R, B, O, SO, MO) \
  M(1, TransactionID, transactionID) M(2, AccountID, nodeAccountID) S(3, INT, transactionFee) \
  M(4, Duration, transactionValidDuration) S(5, BOOL, generateRecord) S(6, STRING, memo) O(data) \
  MO(7, Elsewhere, contractCall, data) MO(8, Elsewhere, contractCreateInstance, data) \
  MO(9, Elsewhere, contractUpdateInstance, data) MO(10, Elsewhere, cryptoAddLiveHash, data) \
  MO(11, Elsewhere, cryptoCreateAccount, data) MO(12, Elsewhere, cryptoDelete, data) \
  MO(13, Elsewhere, cryptoDeleteLiveHash, data) \
  MO(14, CryptoTransferTransactionBody, cryptoTransfer, data) \
  MO(15, Elsewhere, cryptoUpdateAccount, data) MO(16, Elsewhere, fileAppend, data) \
  MO(17, Elsewhere, fileCreate, data) MO(18, Elsewhere, fileDelete, data) \
  MO(19, Elsewhere, fileUpdate, data) MO(20, Elsewhere, systemDelete, data) \
  MO(21, Elsewhere, systemUndelete, data) MO(22, Elsewhere, contractDeleteInstance, data) \
  MO(23, Elsewhere, freeze, data) MO(24, Elsewhere, consensusCreateTopic, data) \
  MO(25, Elsewhere, consensusUpdateTopic, data) MO(26, Elsewhere, consensusDeleteTopic, data) \
  MO(27, Elsewhere, consensusSubmitMessage, data) MO(28, Elsewhere, uncheckedSubmit, data) \
  MO(29, Elsewhere, tokenCreation, data) MO(31, Elsewhere, tokenFreeze, data) \
  MO(32, Elsewhere, tokenUnfreeze, data) MO(33, Elsewhere, tokenGrantKyc, data) \
  MO(34, Elsewhere, tokenRevokeKyc, data) MO(35, Elsewhere, tokenDeletion, data) \
  MO(36, Elsewhere, tokenUpdate, data) MO(37, Elsewhere, tokenMint, data) \
  MO(38, Elsewhere, tokenBurn, data) MO(39, Elsewhere, tokenWipe, data) \
  MO(40, Elsewhere, tokenAssociate, data) MO(41, Elsewhere, tokenDissociate, data) \
  MO(42, Elsewhere, scheduleCreate, data) MO(43, Elsewhere, scheduleDelete, data) \
  MO(44, Elsewhere, scheduleSign, data) MO(45, Elsewhere, token_fee_schedule_update, data) \
  MO(46, Elsewhere, token_pause, data) MO(47, Elsewhere, token_unpause, data) \
  MO(48, Elsewhere, cryptoApproveAllowance, data) MO(49, Elsewhere, cryptoDeleteAllowance, data) \
  MO(50, Elsewhere, ethereumTransaction, data) MO(51, Elsewhere, node_stake_update, data) \
  MO(52, Elsewhere, util_prng, data) MO(53, Elsewhere, token_update_nfts, data) \
  MO(54, Elsewhere, nodeCreate, data) MO(55, Elsewhere, nodeUpdate, data) \
  MO(56, Elsewhere, nodeDelete, data) MO(57, Elsewhere, tokenReject, data) \
  MO(58, Elsewhere, tokenAirdrop, data) MO(59, Elsewhere, tokenCancelAirdrop, data) \
  MO(60, Elsewhere, tokenClaimAirdrop, data) \
  MO(65, Elsewhere, state_signature_transaction, data) \
  MO(66, Elsewhere, hints_preprocessing_vote, data) \
  MO(67, Elsewhere, hints_key_publication, data) \
  MO(68, Elsewhere, hints_partial_signature, data) \
  MO(69, Elsewhere, history_proof_signature, data) \
  MO(70, Elsewhere, history_proof_key_publication, data) \
  MO(71, Elsewhere, history_proof_vote, data) MO(72, Elsewhere, crs_publication, data) \
  MO(74, AtomicBatchTransactionBody, atomic_batch, data) MO(75, Elsewhere, hook_store, data) \
  MO(76, Elsewhere, hook_dispatch, data) MO(77, Elsewhere, ledger_id_publication, data) \
  MO(78, Elsewhere, registeredNodeCreate, data) MO(79, Elsewhere, registeredNodeUpdate, data) \
  MO(80, Elsewhere, registeredNodeDelete, data) \
  MO(81, Elsewhere, migration_root_hash_vote, data) M(73, Elsewhere, batch_key) \
  R(1001, Elsewhere, max_custom_fees) S(1002, BOOL, high_volume)
// clang-format on

#endif
