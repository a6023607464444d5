export interface LockEntry {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const OS = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix'];

/** The words that packages use for a processor, and npm's name of it. */
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
  readonly cpu: readonly string[];
  /** None for WebAssembly, which runs on every system that has such a processor. */
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
}

function platformOf(name: string): Platform {
  const words = name.split(/[/-]/);
  const os = OS.find((each) => words.includes(each));
  const cpu = words.map((word) => CPU[word]).find((each) => each !== undefined);
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (os === undefined || cpu === undefined) throw new Error(`no platform can be read from the package name ${name}`);
  if (os !== 'linux') return { cpu: [cpu], os: [os] };
  if (words.some((word) => word.startsWith('musl'))) return { cpu: [cpu], libc: ['musl'], os: [os] };
  if (words.some((word) => word.startsWith('gnu'))) return { cpu: [cpu], libc: ['glibc'], os: [os] };
  return { cpu: [cpu], os: [os] };
}

/**
 * `npm install` leaves out of the lock what a registry does not serve (packages of other platforms), and `npm ci`
 * then refuses that lock. Returns the lock with an entry for each of them: version and platform, no host, no digest.
 *
 * @throws Error when an optional package that is left out does not name a platform
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
  // npm's own order, so that neither rewrites the other's file
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}
