import { createRequire, syncBuiltinESMExports } from 'node:module';
import { currentHost, type Host } from './host.ts';

type Callback = (...args: unknown[]) => void;

/** What `setTimeout` returns inside of a simulated process. */
class VirtualTimer {
  cancel: () => void = () => {};
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
}

function startTimer(host: Host, run: () => void, delayMs: number | undefined): VirtualTimer {
  const timer = new VirtualTimer();
  timer.cancel = host.after(delayMs ?? 0, run);
  return timer;
}

function startInterval(host: Host, run: () => void, everyMs: number): VirtualTimer {
  const timer = new VirtualTimer();
  const again = () => {
    timer.cancel = host.after(everyMs, () => {
      again();
      run();
    });
  };
  again();
  return timer;
}

interface DelayOptions {
  readonly signal?: AbortSignal;
}

/** `setTimeout` of node:timers/promises. */
function delayIn(host: Host, delayMs: number, value: unknown, { signal }: DelayOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const cancel = host.after(delayMs, () => resolve(value));
    signal?.addEventListener('abort', () => {
      cancel();
      reject(signal.reason);
    });
  });
}

type Replaceable = Record<string, unknown>;

/** Replaces a function by one that asks `inside` while a simulated process runs, and the original otherwise. */
function divert(owner: Replaceable, name: string, inside: (host: Host, ...args: never[]) => unknown): void {
  const original = owner[name];
  if (typeof original !== 'function') throw new Error(`${name} is not a function`);
  const diverted = (...args: never[]) => {
    const host = currentHost();
    return host === undefined ? original.apply(owner, args) : inside(host, ...args);
  };
  Object.assign(diverted, original);
  Object.defineProperty(owner, name, { value: diverted, configurable: true, writable: true });
}

let isInstalled = false;

/**
 * Gives the code of simulated processes their own time, timers and randomness, by replacing the functions of Node that
 * all code uses, packages included. So the product runs as it is, without an interface for tests. Code outside of a
 * simulated process is not affected.
 */
export function installVirtualTime(): void {
  if (isInstalled) return;
  isInstalled = true;
  const require = createRequire(import.meta.url);
  const globals: Replaceable = Object(globalThis);
  const timers: Replaceable = require('node:timers');
  const promises: Replaceable = require('node:timers/promises');
  const crypto: Replaceable = require('node:crypto');

  for (const owner of [globals, timers]) {
    divert(owner, 'setTimeout', (host, run: Callback, ms?: number, ...args: unknown[]) =>
      startTimer(host, () => run(...args), ms),
    );
    divert(owner, 'setInterval', (host, run: Callback, ms: number, ...args: unknown[]) =>
      startInterval(host, () => run(...args), ms),
    );
    divert(owner, 'setImmediate', (host, run: Callback, ...args: unknown[]) => startTimer(host, () => run(...args), 0));
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) divertClear(owner, name);
  }
  divert(promises, 'setTimeout', (host, ms: number, value?: unknown, options: DelayOptions = {}) =>
    delayIn(host, ms, value, options),
  );
  divert(Object(Date), 'now', (host) => host.clockMs());
  divert(Object(performance), 'now', (host) => host.monotonicMs());
  divert(Object(Math), 'random', ({ world }) => world.random.fraction());
  divertRandomness(crypto);
  syncBuiltinESMExports();
}

/** A timer is cancelled by what it is: the code that cancels it may run elsewhere. */
function divertClear(owner: Replaceable, name: string): void {
  const original = owner[name];
  if (typeof original !== 'function') throw new Error(`${name} is not a function`);
  owner[name] = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.cancel();
    else original.call(owner, timer);
  };
}

function divertRandomness(crypto: Replaceable): void {
  const fill = ({ world }: Host, bytes: Uint8Array) => {
    world.random.fill(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return bytes;
  };
  divert(Object(globalThis.crypto), 'getRandomValues', fill);
  divert(crypto, 'randomFillSync', fill);
  divert(crypto, 'randomBytes', (host, size: number) => fill(host, Buffer.alloc(size)));
  divert(crypto, 'randomUUID', ({ world }) => {
    const hex = world.random.hex(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  });
}
