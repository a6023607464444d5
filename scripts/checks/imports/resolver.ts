import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';

/** What an import leads to. A file is one of those that are read: the imports of others would stay unknown. */
export type Kind = 'file' | 'core' | 'package' | 'dev-package' | 'undeclared-package' | 'unresolvable';

export interface Resolved {
  /** The path of a file, the name of a core module, or `node_modules/` with the name of a package. */
  readonly to: string;
  readonly kind: Kind;
}

export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export interface Surroundings {
  /** All files that are read, by their paths from the root. */
  readonly files: { has(path: string): boolean };
  /** The project's package.json. */
  readonly manifest: Manifest;
  /** Whether a package, or a part of one, is installed. */
  readonly isInstalled: (specifier: string) => boolean;
}

export type Resolver = (from: string, specifier: string) => Resolved;

/** The path that a relative specifier means. `undefined` if the specifier is not relative. */
export const relativePath = (from: string, specifier: string): string | undefined =>
  /^\.\.?(?:\/|$)/.test(specifier) ? join(dirname(from), specifier) : undefined;

/** Creates the function that finds what an import leads to. */
export function createResolver({ files, manifest, isInstalled }: Surroundings): Resolver {
  const declaredKind = (name: string): Kind =>
    Object.hasOwn(manifest.dependencies, name) || Object.hasOwn(manifest.optionalDependencies, name)
      ? 'package'
      : Object.hasOwn(manifest.devDependencies, name)
        ? 'dev-package'
        : 'undeclared-package';

  return (from, specifier) => {
    const path = relativePath(from, specifier);
    if (path !== undefined) return { to: path, kind: files.has(path) ? 'file' : 'unresolvable' };
    if (isBuiltin(specifier)) return { to: specifier, kind: 'core' };
    const [, name = specifier, part = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier) ?? [];
    const kind = declaredKind(name);
    const isMissing = kind !== 'undeclared-package' && !isInstalled(specifier);
    return { to: `node_modules/${name}/${part}`, kind: isMissing ? 'unresolvable' : kind };
  };
}
