import { fileURLToPath } from 'node:url';

/** What ava's runner tells about the tests of its file. */
export type RunnerState =
  | { readonly type: 'declared-test' | 'test-passed'; readonly title: string }
  | { readonly type: 'selected-test'; readonly title: string; readonly skip: boolean; readonly todo: boolean }
  | { readonly type: 'test-failed' | 'hook-failed'; readonly title: string; readonly err: AvaError }
  | { readonly type: 'hook-finished' | 'test-register-log-reference' | 'test-timeout-configured' | 'touched-files' };

export interface AvaError {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  /** A value that is no error and was thrown, formatted. */
  readonly formattedError?: string;
  readonly formattedDetails?: readonly { readonly label: string; readonly formatted: string }[];
  readonly source?: { readonly file: string; readonly line: number } | null;
}

export interface Runner {
  /** The function `test`, with its modifiers. */
  readonly chain: object;
  on(event: 'stateChange', listener: (state: RunnerState) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'finish', listener: () => void): unknown;
}

interface RunnerOptions {
  readonly file: string;
  readonly projectDir: string;
  /** Whether tests run one after the other. */
  readonly serial: boolean;
  /** Patterns of titles. */
  readonly match: readonly string[];
}

interface RunnerModule {
  readonly default: new (options: RunnerOptions) => Runner;
}

interface ErrorModule {
  readonly default: (error: unknown, options: { readonly testFile: string }) => AvaError;
}

/**
 * Loads ava's runner, which runs the tests of one file, and what describes an error. Ava starts a process for each file, and
 * exports neither. Its version is pinned.
 */
export async function loadAva() {
  const internal = (path: string) => new URL(`../lib/${path}`, import.meta.resolve('ava')).href;
  const runner: RunnerModule = await import(internal('runner.js'));
  const errors: ErrorModule = await import(internal('serialize-error.js'));
  return { Runner: runner.default, describeError: errors.default };
}

/** The text that shows a failure: its message, the difference of values, and where it happened. */
export function formatError({ name, message, stack, formattedError, formattedDetails = [], source }: AvaError): string {
  const place = source ? `${fileURLToPath(source.file)}:${source.line}` : undefined;
  const details = formattedDetails.map(({ label, formatted }) => `${label}\n${indent(formatted)}`);
  // The stack of an error begins with its name and message.
  const frames = stack
    ?.split('\n')
    .filter((line) => /^\s+at |:\d+:\d+\)?$/.test(line) && !line.includes('node_modules/ava'));
  return [place, formattedError ?? `${name}: ${message}`, ...details, frames?.join('\n')]
    .filter((part) => part !== undefined && part !== '')
    .join('\n');
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
