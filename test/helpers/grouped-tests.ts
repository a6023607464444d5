import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = new URL('../../', import.meta.url);
/** Files that may declare tests, for themselves or for others. */
const DECLARES = /\/test\/(?!helpers\/)/;

/** A declared test or hook: its modifiers, such as `serial` and `before`, and its arguments. */
interface Declaration {
  readonly modifiers: readonly string[];
  readonly args: readonly unknown[];
}

type Chain = (...args: readonly unknown[]) => void;

const declarations: Declaration[] = [];

/**
 * Loads several test files into this process, so that shared modules are loaded once. The file's path becomes part of
 * each title. Ava needs all tests declared without a pause, but files may await while they load. So all declarations are
 * kept until the last file is loaded. Tests run one after the other: a test that computes must not use up the time limits
 * of others.
 * @param paths from the root of the checkout
 */
export async function declareGroup(paths: readonly string[]): Promise<void> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const importer = context.parentURL;
      if (specifier !== 'ava' || importer === undefined || !DECLARES.test(importer)) {
        return nextResolve(specifier, context);
      }
      const url = new URL('./recorded-ava.ts', import.meta.url);
      url.searchParams.set('file', relative(fileURLToPath(ROOT), fileURLToPath(importer)));
      return { url: url.href, format: 'module-typescript', shortCircuit: true };
    },
  });
  for (const path of paths) await import(new URL(path, ROOT).href);
  hooks.deregister();
  for (const { modifiers, args } of declarations) chainOf(serially(modifiers))(...args);
}

/** Hooks have no such modifier. */
const serially = (modifiers: readonly string[]): readonly string[] =>
  modifiers.some((modifier) => /^(?:serial|before|after)/.test(modifier)) ? modifiers : ['serial', ...modifiers];

function chainOf(modifiers: readonly string[]): Chain {
  let chain: unknown = test;
  for (const modifier of modifiers) chain = Reflect.get(Object(chain), modifier);
  if (typeof chain !== 'function') throw new TypeError(`ava has no test.${modifiers.join('.')}`);
  return (...args) => Reflect.apply(chain, undefined, args);
}

/** Replaces ava's `test` in the files of a group. */
export function recordedTest(title: string, modifiers: readonly string[] = []): typeof test {
  const record = (first: unknown, ...rest: readonly unknown[]) => {
    const named = typeof first === 'string' ? `${title} › ${first}` : first;
    declarations.push({ modifiers, args: [named, ...rest] });
  };
  return new Proxy(test, {
    apply: (_target, _self, args: [unknown, ...unknown[]]) => record(...args),
    get: (target, name: string) =>
      name === 'macro' || name === 'meta' ? Reflect.get(target, name) : recordedTest(title, [...modifiers, name]),
  });
}
