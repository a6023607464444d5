import { type Static, Type } from 'typebox';

/** npm also accepts a single name in place of a list. */
const Names = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/** The fields of a package that are used here. */
const LockEntry = Type.Object({
  version: Type.Optional(Type.String()),
  optional: Type.Optional(Type.Boolean()),
  dev: Type.Optional(Type.Boolean()),
  os: Names,
  cpu: Names,
  libc: Names,
  optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type LockEntry = Static<typeof LockEntry>;

/** The part of package-lock.json that is used here. */
export const Lock = Type.Object({ packages: Type.Record(Type.String(), LockEntry) });
export type Lock = Static<typeof Lock>;

const OS = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix'];

/** npm's names of processors, by the words in names of packages. */
const CPU: Readonly<Record<string, string>> = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  armv7: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
};

interface Platform {
  readonly cpu: string[];
  /** Undefined for WebAssembly, which runs on every system. */
  readonly os?: string[];
  readonly libc?: string[];
}

function platformOf(name: string): Platform {
  const words = name.split(/[/-]/);
  const os = OS.find((each) => words.includes(each));
  const cpu = words.map((word) => CPU[word]).find((each) => each !== undefined);
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (os === undefined || cpu === undefined) throw new Error(`the package name ${name} does not show a platform`);
  if (os !== 'linux') return { cpu: [cpu], os: [os] };
  if (words.some((word) => word.startsWith('musl'))) return { cpu: [cpu], libc: ['musl'], os: [os] };
  if (words.some((word) => word.startsWith('gnu'))) return { cpu: [cpu], libc: ['glibc'], os: [os] };
  return { cpu: [cpu], os: [os] };
}

/**
 * Adds the missing packages of other platforms to a lock. `npm install` leaves them out if the registry does not serve
 * them, and `npm ci` then refuses the lock. The new entries have a version and a platform, but no URL and no digest.
 *
 * @throws {Error} if the name of a missing package does not show a platform
 */
export function completeLock<L extends Lock>(lock: L): L {
  const packages: Record<string, LockEntry> = { ...lock.packages };
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (packages[place] !== undefined || packages[`${path}/${place}`] !== undefined) continue;
      const { cpu, libc, os } = platformOf(name);
      packages[place] = {
        version: range.replace(/^[\^~]/, ''),
        cpu,
        ...(entry.dev === true ? { dev: true } : {}),
        ...(libc === undefined ? {} : { libc }),
        optional: true,
        ...(os === undefined ? {} : { os }),
      };
    }
  }
  // npm sorts in this order too, so it does not rewrite the file.
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}
