// What libraries export of what they make, whose types their declarations have to name. Compiled, never run.
import { createInstance, createInstanceSync } from 'spicule';
import * as codec from 'spicule/codec';
import { generatedSchema } from 'spicule/codec/generated';
import { loadProto } from 'spicule/codec/proto';
import { createBackend, startServer } from 'spicule/native';
import { Sha256, load as loadSha2 } from 'spicule/sha2';
import { Sponge, SpongeBlob, createInstance as createSponge } from 'spicule/sponge';
import * as ssz from 'spicule/ssz';
import * as chainsafe from 'spicule/ssz/chainsafe';

import { Order } from './gen/shop_spc.js';

const flat = new Uint8Array(0);

export const numbers = ssz.container({
  uint8: ssz.uint8, uint16: ssz.uint16, uint32: ssz.uint32, uint64: ssz.uint64, uint128: ssz.uint128,
  uint256: ssz.uint256, number: ssz.uint64Number, infinity: ssz.uint64Infinity, byte: ssz.byte, boolean: ssz.boolean,
});
export const sequences = ssz.progressiveContainer([1, 1, 1, 1, 1, 1, 1, 1, 1], {
  vector: ssz.vector(numbers, 1), list: ssz.list(ssz.boolean, 1), progressive: ssz.progressiveList(ssz.byte),
  byteVector: ssz.byteVector(1), byteList: ssz.byteList(1), bytes: ssz.progressiveByteList(),
  bitvector: ssz.bitvector(1), bitlist: ssz.bitlist(1), bits: ssz.progressiveBitlist(),
});
export const union = ssz.union([null, numbers]);
export const compatible = ssz.compatibleUnion({ 1: numbers });
export const view = sequences.toView(sequences.deserialize(flat));
export const parts = [view.list, view.vector.get(0), view.bits, view.bytes, union.toView(union.deserialize(flat))] as const;
export const proof = view.proof('list');
export const others = [ssz.fromSchema({}), ssz.parseType('uint8'), ssz.statistics(), ssz.createInstance()] as const;
export const compat = new chainsafe.ContainerType({
  a: new chainsafe.UintNumberType(8), b: new chainsafe.ListCompositeType(new chainsafe.ByteVectorType(48), 2),
  c: new chainsafe.BitListType(8), d: new chainsafe.BooleanType(), e: new chainsafe.UintBigintType(8),
});
export const compatView = compat.defaultViewDU();

export const schema = codec.loadSchema(flat);
export const Type = schema.message('a.Type');
export const members = [schema.enum('a.E'), schema.extension('a.e'), schema.service('a.S'), generatedSchema(), loadProto('')] as const;
export const message = Type.create();
export const fallback = codec.defaultOf(Type, 'a');
export const gift: boolean = codec.defaultOf(Order, 'gift');
export const decoded = [Type.parse(flat), Type.decode(flat).toObject(), Type.fromJSON({}).toJSON()] as const;
export const instance = codec.createInstance({ specialize: false });
export const stream = codec.decodeDelimited(Type, []);

export const instances = [createInstance(), createInstanceSync(), loadSha2(), createSponge()] as const;
export const hashes = [new Sponge(1n), new SpongeBlob(), new Sha256()] as const;
export const natively = [createBackend({ kind: 'native' }), startServer({ path: '' })] as const;
