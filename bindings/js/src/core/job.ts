import { tagOf, wrongType } from './bytes.js';
import { SpiculeError, type Statuses, addStatuses } from './error.js';
import { type CommonExports, WasmInstance } from './instance.js';
import {
  INSTANCE_KINDS, type InstanceOptions, type OptionKinds, type Variant, type WasmModule,
  checkedOptions,
} from './options.js';
import { unpackModule } from './text.js';
import { VARIANTS } from './variants.js';

/** The modules of a job as text, by variant; not every job has each, and some builds have none. */
export type Embedded = { readonly [V in Variant]?: string };

/** A module that the caller gave, or the variant to run. */
type Selection = [WebAssembly.Module, undefined] | [undefined, Variant];

/**
 * One job's Wasm modules and its default instance. Nothing is decoded or compiled before it is
 * needed; a module is compiled once, and every instance of it in this thread shares the code.
 */
export class Job<
  Bound extends object,
  Exports extends CommonExports,
  Options extends InstanceOptions = InstanceOptions,
> {
  readonly #name: string;
  readonly #marker: string;
  readonly #embedded: Embedded;
  readonly #supports: (variant: Variant) => boolean;
  readonly #bind: (wasm: WasmInstance<Exports>, options: Options) => Bound;
  readonly #kinds: OptionKinds<Options> | undefined;
  readonly #compiled = new Map<Variant, WebAssembly.Module>();
  #current: Bound | undefined;
  #loading: Promise<Bound> | undefined;

  /**
   * `marker` is an export that tells modules with this job from others; `bind` makes the functions
   * of the job over an instance of one of its modules. One that keeps values between calls has options
   * of its own; `statuses` are those that only it gives.
   */
  constructor(
    name: string,
    marker: keyof Exports & string,
    embedded: Embedded,
    supports: (variant: Variant) => boolean,
    bind: (wasm: WasmInstance<Exports>, options: Options) => Bound,
    kinds?: OptionKinds<Options>,
    statuses?: Statuses,
  ) {
    if (statuses !== undefined) addStatuses(statuses);
    this.#name = name;
    this.#marker = marker;
    this.#embedded = embedded;
    this.#supports = supports;
    this.#bind = bind;
    this.#kinds = kinds;
  }

  /** The default instance, made now if need be. */
  current(): Bound {
    return this.#current ?? this.loadSync();
  }

  /** The default instance; loads that overlap give the same one. */
  async load(): Promise<Bound> {
    if (this.#current !== undefined) return this.#current;
    this.#loading ??= this.createInstance().finally(() => (this.#loading = undefined));
    const loaded = await this.#loading;
    // A loadSync may have been quicker.
    return (this.#current ??= loaded);
  }

  /** The default instance, from `module` where one is given and none was loaded before. */
  loadSync(module?: WasmModule): Bound {
    return (this.#current ??= this.createInstanceSync({ module } as Options));
  }

  async createInstance(options?: Options): Promise<Bound> {
    const checked = this.#checked(options);
    const [given, variant] = this.#select(checked);
    let module: WebAssembly.Module;
    let instance: WebAssembly.Instance;
    try {
      module = given ?? this.#compiled.get(variant) ?? (await this.#compile(variant));
      // Main threads of browsers refuse to instantiate larger modules synchronously.
      instance = await WebAssembly.instantiate(module);
    } catch (error) {
      throw this.#refusal(error);
    }
    return this.#bound(module, variant, instance, checked);
  }

  createInstanceSync(options?: Options): Bound {
    const checked = this.#checked(options);
    const [given, variant] = this.#select(checked);
    let module: WebAssembly.Module;
    let instance: WebAssembly.Instance;
    try {
      module = given ?? this.#compiled.get(variant) ?? this.#compileSync(variant);
      instance = new WebAssembly.Instance(module);
    } catch (error) {
      throw this.#refusal(error);
    }
    return this.#bound(module, variant, instance, checked);
  }

  #checked(options: Options | undefined): Options {
    const kinds = this.#kinds ?? (INSTANCE_KINDS as OptionKinds<Options>);
    const checked = checkedOptions(options, kinds);
    const { through } = checked;
    if (through !== undefined && through !== 'exports' && through !== 'call') {
      throw wrongType('through', "'exports' or 'call'", through);
    }
    return checked;
  }

  #select({ module, variant }: InstanceOptions): Selection {
    if (module !== undefined) {
      if (tagOf(module) !== '[object WebAssembly.Module]') {
        throw wrongType('module', 'a WebAssembly.Module', module);
      }
      this.#checkShape(module as WebAssembly.Module);
      return [module as WebAssembly.Module, undefined];
    }
    if (variant === undefined) {
      const best = this.#embedding(VARIANTS).find(this.#supports);
      if (best !== undefined) return [undefined, best];
      throw new SpiculeError('UNAVAILABLE', {}, this.#absence());
    }
    if (!VARIANTS.includes(variant)) {
      throw wrongType('variant', `one of ${VARIANTS.join(', ')}`, variant);
    }
    const [nearest] = this.#embedding(VARIANTS.slice(VARIANTS.indexOf(variant)));
    if (nearest === undefined) throw new SpiculeError('UNAVAILABLE', {}, this.#absence());
    if (!this.#supports(nearest)) {
      throw new SpiculeError('UNAVAILABLE', {}, `Wasm of the variant ${nearest}`);
    }
    return [undefined, nearest];
  }

  #embedding(variants: readonly Variant[]): Variant[] {
    return variants.filter((variant) => this.#embedded[variant] !== undefined);
  }

  #absence(): string {
    if (this.#embedding(VARIANTS).length > 0) return `no ${this.#name} module runs on this engine`;
    const file = `spicule/wasm/${this.#name}-simd.wasm`;
    return `no module is embedded for this platform; give loadSync() the compiled ${file}`;
  }

  #checkShape(module: WebAssembly.Module): void {
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    if (!exported.includes('record') || !exported.includes(this.#marker)) {
      throw new SpiculeError('INVALID_ARGUMENT', {}, `not a ${this.#name} module of this package`);
    }
  }

  async #compile(variant: Variant): Promise<WebAssembly.Module> {
    const module = await WebAssembly.compile(unpackModule(this.#embedded[variant]!));
    this.#compiled.set(variant, module);
    return module;
  }

  #compileSync(variant: Variant): WebAssembly.Module {
    const module = new WebAssembly.Module(unpackModule(this.#embedded[variant]!));
    this.#compiled.set(variant, module);
    return module;
  }

  #bound(
    module: WebAssembly.Module,
    variant: Variant | undefined,
    instance: WebAssembly.Instance,
    options: Options,
  ): Bound {
    return this.#bind(new WasmInstance<Exports>(module, variant, instance, this.#kinds !== undefined), options);
  }

  /** Engines refuse where a content security policy or the platform forbids Wasm. */
  #refusal(cause: unknown): SpiculeError {
    const note = `the engine does not run the ${this.#name} module: ${(cause as Error).message}`;
    return new SpiculeError('UNAVAILABLE', { cause }, note);
  }
}
