// Traces of OpenTelemetry by .proto files that are read at run time: makes an export request, encodes
// it, prints what a receiver reads, and reads columns of it without decoding.
//   node examples/codec-otlp.mjs [file with an ExportTraceServiceRequest]
// The files in examples/otlp have the names and numbers of the traces part of OTLP, as the npm
// package @opentelemetry/otlp-grpc-exporter-base 0.38.0 has them. `loadProtoFolder` needs the package
// @bufbuild/buf, which a checkout has.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { loadProtoFolder } from 'spicule/codec/proto';

const schema = loadProtoFolder(fileURLToPath(new URL('otlp', import.meta.url)));
const Request = schema.message('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
const SpanKind = schema.enum('opentelemetry.proto.trace.v1.Span.SpanKind');
const StatusCode = schema.enum('opentelemetry.proto.trace.v1.Status.StatusCode');

const text = (value) => ({ case: 'stringValue', value });
const attribute = (key, value) => ({ key, value: { value } });

function ownRequest() {
  const start = 1_700_000_000_123_456_789n; // 64-bit integers are exact
  const span = (index, fields) => ({
    traceId: new Uint8Array(16).fill(0xab),
    spanId: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, index),
    startTimeUnixNano: start + BigInt(index) * 1_000_000n,
    endTimeUnixNano: start + BigInt(index) * 1_000_000n + 250_001n,
    ...fields,
  });
  return Request.encode({
    resourceSpans: [{
      resource: { attributes: [attribute('service.name', text('shop')), attribute('service.instance', { case: 'intValue', value: 3n })] },
      scopeSpans: [{
        scope: { name: 'example', version: '1.0' },
        spans: [
          span(1, {
            name: 'GET /orders',
            kind: SpanKind.values.SPAN_KIND_SERVER,
            attributes: [
              attribute('http.route', text('/orders')),
              attribute('http.tags', { case: 'arrayValue', value: { values: [{ value: text('a') }, { value: { case: 'boolValue', value: true } }] } }),
            ],
            status: { code: StatusCode.values.STATUS_CODE_OK },
          }),
          span(2, {
            name: 'SELECT orders',
            kind: SpanKind.values.SPAN_KIND_CLIENT,
            parentSpanId: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1),
            events: [{ timeUnixNano: start + 2_100_000n, name: 'retry', attributes: [attribute('attempt', { case: 'intValue', value: 2n })] }],
            status: { code: StatusCode.values.STATUS_CODE_ERROR, message: 'timed out' },
          }),
        ],
      }],
    }],
  });
}

const [file] = process.argv.slice(2);
const bytes = file === undefined ? ownRequest() : readFileSync(file);
console.log(`${bytes.length} bytes`);

// The value of an AnyValue, whatever is set in it.
const plain = (any) => {
  const { case: kind, value } = any?.value ?? {};
  if (kind === 'arrayValue') return value.values.map(plain);
  if (kind === 'kvlistValue') return Object.fromEntries(value.values.map((one) => [one.key, plain(one.value)]));
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
};
const show = (attributes) => attributes.map(({ key, value }) => `${key}=${plain(value)}`).join(' ');

// Plain objects: nothing to dispose.
for (const { resource, scopeSpans } of Request.parse(bytes).resourceSpans) {
  console.log(`resource ${show(resource?.attributes ?? [])}`);
  for (const { scope, spans } of scopeSpans) {
    console.log(`  scope ${scope?.name ?? ''} ${scope?.version ?? ''}`);
    for (const span of spans) {
      const { code, message } = span.status ?? { code: 0, message: '' };
      const nanos = span.endTimeUnixNano - span.startTimeUnixNano;
      console.log(`    ${Buffer.from(span.spanId).toString('hex')} ${SpanKind.nameOf(span.kind)} ${span.name} ${nanos} ns ${StatusCode.nameOf(code)} ${message}`.trimEnd());
      if (span.attributes.length > 0) console.log(`      ${show(span.attributes)}`);
      for (const event of span.events) console.log(`      ${event.name} ${show(event.attributes)}`);
    }
  }
}

// A message in the module's memory: changed in place, written as ProtoJSON, encoded again.
const request = Request.decode(bytes);
console.log(`again: ${Buffer.compare(request.encode(), bytes) === 0 ? 'the same bytes' : 'other bytes'}`);
const json = request.toJSONString();
const read = Request.fromJSONString(json);
console.log(`JSON: ${json.length} characters, ${read.equals(request) ? 'the same message' : 'another message'}`);
read.dispose();
request.dispose();

// One column of all spans, straight from the bytes.
const path = 'resourceSpans.scopeSpans.spans.startTimeUnixNano';
const [starts] = Request.select(bytes, [path]);
console.log(`${starts.length} spans from ${starts.values[0]} on`);
