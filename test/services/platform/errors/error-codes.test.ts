import { globSync, readFileSync } from 'node:fs';
import { status } from '@grpc/grpc-js';
import test from 'ava';
import {
  ALL_CODES,
  isForwardedCode,
  isServiceCode,
  PUBLIC_CODES,
} from '../../../../services/platform/errors/code-lists.ts';
import { ERROR_CODES } from '../../../../services/platform/errors/error-codes.ts';
import type { ErrorEntry } from '../../../../services/platform/errors/error-entry.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const ROOT = new URL('../../../../', import.meta.url);
const TABLES = 'services/platform/errors/';

/** The source files, without comments and without comparisons with a code. */
const sources = ['gateway', 'services', 'workers']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  .filter((path) => !path.startsWith(TABLES))
  .map((path) => readFileSync(new URL(path, ROOT), 'utf8'))
  .map((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|[!=]== '[A-Z_]+'|case '[A-Z_]+':/gm, ''));

const codesIn = (pattern: RegExp): ReadonlySet<string> =>
  new Set(sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, code]) => defined(code))));

test('the source uses every code of the table, beyond comparisons', (t) => {
  const used = codesIn(/'([A-Z_]+)'/g);
  t.deepEqual(
    ALL_CODES.filter((code) => !used.has(code)),
    [],
  );
});

test('the table has every code that the source throws', (t) => {
  const thrown = codesIn(/new AppError\(\s*'([A-Z_]+)'/g);
  t.true(thrown.size > 20);
  const known = new Set<string>(PUBLIC_CODES);
  t.deepEqual(
    [...thrown].filter((code) => !known.has(code)),
    [],
  );
  const byServices = codesIn(/new ServiceError\(\s*'([A-Z_]+)'/g);
  t.true(byServices.size > 20);
  t.deepEqual(
    [...byServices].filter((code) => !isServiceCode(code)),
    [],
  );
});

test('every code has a status, a meaning and a remedy, and every gRPC status exists', (t) => {
  for (const code of ALL_CODES) {
    const { http, grpc, meaning, remedy }: ErrorEntry = ERROR_CODES[code];
    t.true(http !== undefined || grpc !== undefined, code);
    if (http !== undefined) t.true(http >= 400 && http < 600, code);
    if (grpc !== undefined) t.is(typeof status[grpc], 'number', code);
    t.regex(meaning, /^[A-Z].*\.$/, code);
    t.regex(remedy, /^[A-Z].*\.$/, code);
  }
});

test('a trial stops wherever the remedy of a code repeats a request or its payment', (t) => {
  const paidOnly: readonly string[] = ['PAYMENT_UNAVAILABLE', 'SETTLEMENT_PENDING', 'PAYMENT_REUSED'];
  const repeated = PUBLIC_CODES.filter((code) => /same payment/.test(ERROR_CODES[code].remedy));
  t.true(repeated.length > 10);
  for (const code of repeated) {
    const { trial }: ErrorEntry = ERROR_CODES[code];
    if (paidOnly.includes(code)) t.is(trial, undefined, code);
    else t.regex(String(trial), /^A trial stops: neither send the proof again nor pay automatically\./, code);
  }
  for (const code of PUBLIC_CODES) t.notRegex(ERROR_CODES[code].remedy, /again; if its sign-in/, code);
});

test('only codes of services that are public are forwarded', (t) => {
  const forwarded = ALL_CODES.filter(isForwardedCode);
  t.true(forwarded.length > 20);
  for (const code of forwarded) t.true(isServiceCode(code) && PUBLIC_CODES.some((one) => one === code), code);
  for (const text of ['INTERNAL', 'RECORDS_UNAVAILABLE', 'OVERLOADED', 'constructor', ''])
    t.false(isForwardedCode(text), text);
});

test('public codes are listed by ascending HTTP status', (t) => {
  const statuses = PUBLIC_CODES.map((code) => ERROR_CODES[code].http);
  t.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
  );
});
