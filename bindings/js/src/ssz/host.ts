import type { Engine } from './engine.js';

/** Where types are compiled and values live: the default instance, or one of its own. */
export interface Host {
  engine(): Engine;
  /** Whether types are checked when they are first used, not when they are built. */
  readonly lazy?: boolean;
}

/** A host for a type that the core of its instance has already. */
export class Known implements Host {
  readonly #host: Host;
  readonly #id: number;

  constructor(host: Host, id: number) {
    this.#host = host;
    this.#id = id;
  }

  engine(): Engine {
    return this.#host.engine();
  }

  /** The number of the type in the engine, if that is where it was read. */
  static idOf(host: Host, engine: Engine): number | undefined {
    return host instanceof Known && host.engine() === engine ? host.#id : undefined;
  }
}
