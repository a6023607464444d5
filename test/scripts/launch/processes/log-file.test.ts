import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { toPlain } from '../../../../scripts/launch/processes/log-file.ts';
import { openRotatedFile } from '../../../../scripts/launch/processes/rotated-file.ts';
import { startTied } from '../../../../scripts/launch/processes/tied-process.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

test('a line of pino is shown as its message and its error, and any other line as it is', (t) => {
  t.is(toPlain('{"level":60,"msg":"process exits: PORT"}'), 'process exits: PORT');
  t.is(toPlain('{"level":50,"msg":"lost","err":{"message":"no server","stack":"…"}}'), 'lost: no server');
  for (const line of ['LOG:  ready', '{"level":50}', '{not JSON']) t.is(toPlain(line), line);
});

const WRITERS = 2;
const LINES = 20_000;
const MAX_BYTES = 256 * 1024;

/** Lines of 20 to 3,000 bytes with a number, written one by one as fast as they are taken, in pieces to both outputs. */
const WRITER = `
  const { writeSync } = require('node:fs');
  for (let line = 1; line <= ${LINES}; line += 1) {
    writeSync(1 + (line % 2), process.argv[1] + ' ' + line + ' ' + 'x'.repeat((line * 37) % 3000) + ' end\\n');
  }`;

test('no line is lost, torn or doubled while files are rotated under several writers, and five files are kept', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const path = join(folder.path, 'logs', 'child.log');
  const append = openRotatedFile(path, MAX_BYTES);
  let taken = '';
  const child = startTied({
    command: '/bin/sh',
    args: ['-c', '"$0" -e "$1" 0 & "$0" -e "$1" 1; wait; printf "unfinished"', process.execPath, WRITER],
    env: process.env,
    output(lines) {
      taken += String(lines);
      append(lines);
    },
  });
  t.is(await child.exited, 'exit code 0');

  /** The numbers of a writer's lines, in their order. Every other line is torn. */
  const numbersIn = (text: string, writer: number) =>
    text.split('\n').flatMap((line) => {
      const [, number, padding = ''] = new RegExp(`^${writer} (\\d+) (x*) end$`).exec(line) ?? [];
      return padding.length === (Number(number) * 37) % 3000 ? [Number(number)] : [];
    });
  const files = readdirSync(dirname(path)).toSorted();
  t.deepEqual(files, ['child.log', 'child.log.1', 'child.log.2', 'child.log.3', 'child.log.4']);
  const kept = files.toReversed().map((file) => readFileSync(join(dirname(path), file), 'utf8'));
  for (const text of kept) t.true(text.endsWith('\n') && Buffer.byteLength(text) <= MAX_BYTES);
  t.true(taken.endsWith(`\n${kept.join('').slice(kept.join('').indexOf('\n') + 1)}`), 'the files have the last lines');
  for (let writer = 0; writer < WRITERS; writer += 1) {
    t.deepEqual(
      numbersIn(taken, writer),
      Array.from({ length: LINES }, (_, index) => index + 1),
    );
  }
  t.is(taken.split('\n').length, WRITERS * LINES + 2);
  t.true(taken.endsWith('\nunfinished\n'));
});

test('while the disk is full, lines are lost and nothing else', (t) => {
  t.notThrows(() => openRotatedFile('/dev/full')(Buffer.from('a line\n')));
});
