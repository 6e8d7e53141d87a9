// The frame format of the server; native/frame.h describes it.
import { type ErrorRecord, SpiculeError } from '../core/error.js';

export const HEADER_BYTES = 32;

/** An operation that the server itself answers, with JSON text. */
export const COUNTERS = 0x80000002;

/** What the server says first, as a response with id 0: two limits, as u64. */
export const GREETING_BYTES = 16;

/** An error record: three u64 and the path. */
const RECORD_PATH_AT = 24;
export const RECORD_MAX_BYTES = RECORD_PATH_AT + 159;

const REQUEST_MAGIC = 0x51435053;
const RESPONSE_MAGIC = 0x52435053;
const VERSION = 1;
const NO_POSITION = 2n ** 64n - 1n;

/** A whole request, in memory of its own. */
export function encodeRequest(
  op: number,
  id: number,
  request: Uint8Array,
  room: number,
): Uint8Array {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + request.length);
  frame.writeUInt32LE(REQUEST_MAGIC, 0);
  frame.writeUInt32LE(VERSION, 4);
  frame.writeUInt32LE(op, 8);
  frame.writeUInt32LE(id, 12);
  writeLength(frame, request.length, 16);
  writeLength(frame, room, 24);
  frame.set(request, HEADER_BYTES);
  return frame;
}

function writeLength(frame: Buffer, length: number, at: number): void {
  frame.writeUInt32LE(length % 2 ** 32, at);
  frame.writeUInt32LE(Math.floor(length / 2 ** 32), at + 4);
}

export interface ResponseHeader {
  readonly status: number;
  readonly id: number;
  readonly length: number;
}

export function decodeResponse(header: Buffer): ResponseHeader {
  const good =
    header.readUInt32LE(0) === RESPONSE_MAGIC &&
    header.readUInt32LE(4) === VERSION &&
    header.readBigUInt64LE(24) === 0n;
  if (!good) throw new SpiculeError('BAD_FRAME');
  return {
    status: header.readUInt32LE(8),
    id: header.readUInt32LE(12),
    length: header.readUInt32LE(20) * 2 ** 32 + header.readUInt32LE(16),
  };
}

export function decodeRecord(status: number, record: Buffer): ErrorRecord {
  if (record.length < RECORD_PATH_AT) throw new SpiculeError('BAD_FRAME');
  const path = record.toString('latin1', RECORD_PATH_AT);
  return {
    status,
    offset: position(record, 0),
    index: position(record, 8),
    limit: position(record, 16),
    path: path === '' ? undefined : path,
  };
}

function position(record: Buffer, at: number): number | bigint | undefined {
  const value = record.readBigUInt64LE(at);
  if (value === NO_POSITION) return undefined;
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
