import { init, type Z3Core } from 'z3-solver';

/** z3's C API as the package binds it, and the emscripten module under it. */
export interface Z3Module {
  readonly api: Z3Core;
  readonly em: Emscripten;
}

interface Emscripten {
  ccall(name: string, returns: 'number', types: readonly 'number'[], args: readonly unknown[]): number;
}

/** The part of WebAssembly's JavaScript interface that is used here. Node's types lack it. */
interface Table {
  get(index: number): unknown;
  set(index: number, entry: unknown): void;
}
interface Instance {
  readonly exports: { readonly __indirect_function_table: Table };
}
declare const WebAssembly: {
  compile(wasm: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: object) => Instance;
};

const silent = () => undefined;

/** @param wasm the file build/z3-built.wasm of the package z3-solver */
export async function loadModule(wasm: Uint8Array): Promise<Z3Module> {
  const compiled = await WebAssembly.compile(wasm);
  const { Z3: api, em } = await init({
    print: silent,
    printErr: silent,
    instantiateWasm(imports: object, receive: (instance: Instance, module: object) => object) {
      const instance = new WebAssembly.Instance(compiled, imports);
      rememberEntries(instance.exports.__indirect_function_table);
      return receive(instance, compiled);
    },
  });
  return { api, em };
}

/**
 * Caches the function table. The package is built with assertions, one of which reads a function from the table before
 * every call: 40 % of the time of a check. No instruction of the module changes an entry; its script does, through `set`.
 */
function rememberEntries(table: Table): void {
  const entries = new Map<number, unknown>();
  const get = table.get.bind(table);
  const set = table.set.bind(table);
  table.get = (index) => {
    const known = entries.get(index);
    if (known !== undefined) return known;
    const entry = get(index);
    entries.set(index, entry);
    return entry;
  };
  table.set = (index, entry) => {
    entries.delete(index);
    set(index, entry);
  };
}
