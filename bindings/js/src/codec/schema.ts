import { plainArgument, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { defineAccessors } from './access.js';
import {
  type EnumNames, type Names, type ServiceNames, readEnums, readNames, readServices,
} from './descriptor.js';
import type { Engine } from './engine.js';
import { Message, type MessageClass } from './message.js';
import type { PlainObject } from './record.js';
import type { Int64Form } from './scalar.js';
import { MessageInfo } from './type.js';

/** What a module compiles. */
export interface SchemaSource {
  /** A FileDescriptorSet in binary form. */
  descriptors(): Uint8Array;
}

export interface SchemaOptions {
  /**
   * What 64-bit integers are, where the option `jstype` of a field does not say: bigints, or
   * numbers, which throw outside the safe range. Typed arrays have bigints either way.
   */
  readonly int64?: Int64Form | undefined;
}

/** A message whose type became known at run time: its fields are properties. */
export interface DynamicMessage extends Message<PlainObject, PlainObject> {
  [field: string]: unknown;
}

/**
 * An extension: a field of a message that another file declares. `V` is what it gives when read, `I`
 * what it is set to; generated code knows them, a schema at run time does not.
 */
export interface Extension<V = unknown, I = unknown> {
  /** Full name. */
  readonly name: string;
  /** Full name of the type that it extends. */
  readonly extendee: string;
  /** The key in plain objects: the full name in brackets. */
  readonly key: string;
  readonly number: number;
  /** For types only. */
  readonly $value?: V;
  /** For types only; a method, so that an extension of any type is an `Extension`. */
  $init?(value: I): void;
}

/** An enum: numbers by name. */
export interface EnumType {
  readonly name: string;
  readonly values: { readonly [name: string]: number };
  /** The name of a number, of several the first one. */
  nameOf(number: number): string | undefined;
}

/** A method of a service. */
export interface Method {
  readonly name: string;
  readonly input: MessageClass<Message>;
  readonly output: MessageClass<Message>;
  readonly kind: 'unary' | 'server-streaming' | 'client-streaming' | 'bidi-streaming';
}

/** A service, for any library of remote calls. */
export interface Service {
  readonly name: string;
  readonly methods: readonly Method[];
}

/** @internal The types of a FileDescriptorSet, as messages need them. */
export abstract class Types implements SchemaSource {
  readonly #int64: Int64Form | ((file: string) => Int64Form);
  readonly #engine: () => Engine;
  #known: Engine | undefined;
  readonly #bytes: Uint8Array;
  readonly #infos = new Map<number, MessageInfo>();
  #names: Names | undefined;

  /** @internal `engine` is where messages of these types live unless an instance is named. */
  constructor(
    engine: () => Engine,
    descriptors: Uint8Array,
    int64: Int64Form | ((file: string) => Int64Form) = 'bigint',
  ) {
    if (typeof int64 !== 'function' && !['bigint', 'number', 'string'].includes(int64)) {
      throw wrongType('int64', "'bigint', 'number' or 'string'", int64);
    }
    this.#int64 = int64;
    this.#engine = engine;
    this.#bytes = plainArgument(descriptors, 'descriptors').slice();
  }

  /** @internal */
  get engine(): Engine {
    return (this.#known ??= this.#engine());
  }

  /** @internal What 64-bit integers are in a file. */
  int64Of(file: string): Int64Form {
    return typeof this.#int64 === 'function' ? this.#int64(file) : this.#int64;
  }

  /** @internal */
  descriptors(): Uint8Array {
    return this.#bytes;
  }

  /** @internal */
  get names(): Names {
    return (this.#names ??= readNames(this.#bytes));
  }

  /** @internal The type at an address in the memory of this schema's engine. */
  infoAt(address: number): MessageInfo {
    let info = this.#infos.get(address);
    if (info === undefined) {
      const { engine } = this;
      info = new MessageInfo(this, engine.describe(address));
      engine.compiled(this).types[info.id] = address;
      this.#infos.set(address, info);
    }
    return info;
  }

  /** @internal The type of the extensions of a type. */
  extensionsAt(address: number, owner: MessageInfo): MessageInfo {
    let info = this.#infos.get(address);
    if (info === undefined) {
      info = new MessageInfo(this, this.engine.describe(address), owner);
      this.#infos.set(address, info);
    }
    return info;
  }

  /** @internal The full name of an extension. */
  extensionName(extendee: string, number: number): string {
    for (const [name, extension] of this.names.extensions) {
      if (extension.number === number && extension.extendee === extendee) return name;
    }
    throw new SpiculeError('INTERNAL', { path: extendee });
  }

  /** @internal */
  info(name: string): MessageInfo {
    if (typeof name !== 'string') throw wrongType('name', 'a string', name);
    const { engine } = this;
    const address = engine.typeNamed(engine.compiled(this), name);
    if (address === 0) throw new SpiculeError('UNKNOWN_TYPE', { path: name });
    return this.infoAt(address);
  }

  /** @internal The class of a type that has none yet. */
  abstract makeClass(info: MessageInfo): MessageClass<Message>;
}

/** A class with a property for each field and oneof of a type. */
export function reflectedClass(info: MessageInfo): MessageClass<Message> {
  const made = class extends Message {
    static override get $lazy(): MessageInfo {
      return info;
    }
  };
  for (const owner of [made, made.prototype]) Object.defineProperty(owner, '$type', { value: info });
  Object.defineProperty(made, 'name', { value: info.name.slice(info.name.lastIndexOf('.') + 1) });
  defineAccessors(made.prototype, info);
  return made as unknown as MessageClass<Message>;
}

/** The types of a FileDescriptorSet. */
export class Schema extends Types {
  readonly #classes = new Map<string, MessageClass<DynamicMessage>>();
  readonly #enums = new Map<string, EnumType>();
  #enumNames: Map<string, EnumNames> | undefined;
  #services: Map<string, ServiceNames> | undefined;

  /** @internal */
  makeClass(info: MessageInfo): MessageClass<Message> {
    return reflectedClass(info);
  }

  /** The message type of that full name; `UNKNOWN_TYPE` if there is none. */
  message(name: string): MessageClass<DynamicMessage> {
    let found = this.#classes.get(name);
    if (found === undefined) {
      found = this.info(name).class as MessageClass<DynamicMessage>;
      this.#classes.set(name, found);
    }
    return found;
  }

  /** Full names of all message types. */
  get messageNames(): string[] {
    return [...this.names.messages.keys()];
  }

  /** The enum of that full name; `UNKNOWN_TYPE` if there is none. */
  enum(name: string): EnumType {
    let found = this.#enums.get(name);
    if (found === undefined) {
      this.#enumNames ??= readEnums(this.descriptors());
      const names = this.#enumNames.get(name);
      if (names === undefined) throw new SpiculeError('UNKNOWN_TYPE', { path: name });
      found = enumType(names);
      this.#enums.set(name, found);
    }
    return found;
  }

  /** The extension of that full name; `UNKNOWN_TYPE` if there is none. */
  extension(name: string): Extension {
    const found = this.names.extensions.get(name);
    if (found === undefined) throw new SpiculeError('UNKNOWN_TYPE', { path: name });
    return { name, extendee: found.extendee, key: `[${name}]`, number: found.number };
  }

  /** The service of that full name; `UNKNOWN_TYPE` if there is none. */
  service(name: string): Service {
    this.#services ??= readServices(this.descriptors());
    const found = this.#services.get(name);
    if (found === undefined) throw new SpiculeError('UNKNOWN_TYPE', { path: name });
    const methods = found.methods.map((method) => ({
      name: method.name,
      input: this.message(method.input) as unknown as MessageClass<Message>,
      output: this.message(method.output) as unknown as MessageClass<Message>,
      kind: streamingKind(method.clientStreaming, method.serverStreaming),
    }));
    return { name, methods };
  }
}

function enumType({ name, values }: EnumNames): EnumType {
  const byNumber = new Map<number, string>();
  for (const [value, number] of values) if (!byNumber.has(number)) byNumber.set(number, value);
  return { name, values: Object.fromEntries(values), nameOf: (number) => byNumber.get(number) };
}

export function streamingKind(client: boolean, server: boolean): Method['kind'] {
  if (client) return server ? 'bidi-streaming' : 'client-streaming';
  return server ? 'server-streaming' : 'unary';
}
