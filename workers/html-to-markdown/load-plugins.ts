import { createRequire } from 'node:module';
import type { TurndownPlugin } from './markdown/plugins/plugin-rules.ts';

/** An export of a module that holds Turndown plugins. */
export interface PluginModule {
  /** Absolute path of its file. */
  readonly path: string;
  /** Name of the export. '' for the default one, or what a CommonJS module is. */
  readonly name: string;
}

/**
 * Loads plugins. The path is only known at run time, so no bundle holds the module.
 * @throws {TypeError} if an export is no function or list of functions
 * @throws what a module throws
 */
export function loadPlugins(modules: readonly PluginModule[]): readonly TurndownPlugin[] {
  return modules.flatMap(({ path, name }) => {
    const loaded: unknown = createRequire(path)(path);
    const found = name === '' ? (memberOf(loaded, 'default') ?? loaded) : memberOf(loaded, name);
    const plugins: readonly unknown[] = Array.isArray(found) ? found : [found];
    if (plugins.length > 0 && plugins.every(isPlugin)) return plugins;
    const names = typeof loaded === 'object' && loaded !== null ? Object.keys(loaded).join(', ') : '';
    throw new TypeError(
      `${path} exports no function or list of functions ${name === '' ? 'by default' : `as ${name}`}; its exports: ${names || 'none'}`,
    );
  });
}

const isPlugin = (value: unknown): value is TurndownPlugin => typeof value === 'function';

const memberOf = (module: unknown, name: string): unknown =>
  module !== null && (typeof module === 'object' || typeof module === 'function')
    ? Reflect.get(module, name)
    : undefined;
