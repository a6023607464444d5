import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PluginModule } from '../../workers/html-to-markdown/load-plugins.ts';
import { ConfigurationError } from '../platform/process/environment.ts';

export interface Plugins {
  readonly modules: readonly PluginModule[];
  /** 32 hex digits. They tell the files of the modules, in their order. */
  readonly digest: string;
}

const DIGEST_DIGITS = 32;

/**
 * Finds the modules that CONTENT_PLUGINS names, from the working folder. It does not load them.
 * @throws {ConfigurationError} with every module that is not there
 */
export function findPlugins(names: string): Plugins | undefined {
  const find = createRequire(join(process.cwd(), 'any'));
  const faults: string[] = [];
  const digests: string[] = [];
  const modules = names.split(',').flatMap((text): readonly PluginModule[] => {
    const [module = '', name = ''] = text.trim().split('#');
    if (module === '') return [];
    try {
      const path = find.resolve(module);
      digests.push(`${name} ${hash('sha256', readFileSync(path))}`);
      return [{ path, name }];
    } catch (error) {
      const cause = error instanceof Error ? error.message.split('\n')[0] : error;
      faults.push(`CONTENT_PLUGINS: found ${module}, which cannot be used: ${cause}`);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigurationError(faults);
  if (modules.length === 0) return undefined;
  return { modules, digest: hash('sha256', digests.join('\n')).slice(0, DIGEST_DIGITS) };
}
