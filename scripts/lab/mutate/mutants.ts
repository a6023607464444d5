import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { defined } from '../../../workers/exact/defined.ts';

/** A small change of a source file. */
export interface Mutant {
  /** From the root of the checkout. */
  readonly path: string;
  /** The change on one line, with its place. */
  readonly title: string;
  /** Where the change begins, in UTF-16 units. */
  readonly offset: number;
  /** The whole file, changed. */
  readonly text: string;
}

type Found = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

const no = () => false;
const off = () => {};
const ASKED = { isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no, isWarnEnabled: no, isErrorEnabled: no };
const SILENT = { ...ASKED, isFatalEnabled: no, trace: off, debug: off, info: off, warn: off, error: off, fatal: off };
/** Most texts are messages, whose wording no test should fix, or queries, which fail at once. */
const EXCLUDED = ['StringLiteral'];

/** All mutants of the files that match, in the order of the files. */
export async function listMutants(root: string, patterns: readonly string[]): Promise<readonly Mutant[]> {
  const instrumenter = new Instrumenter(SILENT);
  const mutants: Mutant[] = [];
  for (const path of globSync([...patterns], { cwd: root }).toSorted()) {
    const content = readFileSync(join(root, path), 'utf8');
    const options = { plugins: null, ignorers: [], excludedMutations: EXCLUDED };
    const found = await instrumenter.instrument([{ name: join(root, path), mutate: true, content }], options);
    mutants.push(
      ...found.mutants.filter(({ status }) => status !== 'Ignored').map((each) => toMutant(path, content, each)),
    );
  }
  return mutants;
}

function toMutant(path: string, content: string, { location, mutatorName, replacement }: Found): Mutant {
  const lines = content.split('\n');
  const offsetOf = ({ line, column }: Found['location']['start']) =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, column);
  const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
  const code = defined(replacement);
  const isStatement = mutatorName === 'BlockStatement' || /^(case|default|for)\b/.test(code);
  const text = `${content.slice(0, start)}${isStatement ? code : `(${code})`}${content.slice(end)}`;
  const change = `${shorten(content.slice(start, end))} → ${shorten(code)}`;
  return { path, title: `${path}:${location.start.line + 1}  ${change}`, offset: start, text };
}

/** In one line. */
const shorten = (code: string) => code.replaceAll(/\s+/g, ' ').replace(/^(.{70}).+$/, '$1…');
