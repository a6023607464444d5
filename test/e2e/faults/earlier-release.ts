import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../../scripts/bundles/bundle.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FUNCTIONS = 'services/ledger/redis/functions';
const CLAIMS = 'services/payments/claims';

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Other orders of arguments and other forms of replies, in the functions and in the code that calls them. */
const CHANGES: readonly Change[] = [
  {
    file: `${FUNCTIONS}/reserve.lua`,
    from: 'local epoch, seen, given, grant,',
    to: 'local given, seen, epoch, grant,',
  },
  { file: `${FUNCTIONS}/resolve.lua`, from: 'local epoch, seen, given =', to: 'local given, seen, epoch =' },
  {
    file: 'services/ledger/redis/ledger-writes.ts',
    from: 'const args = [epoch, String(sequence), now(),',
    to: 'const args = [now(), String(sequence), epoch,',
  },
  {
    file: `${FUNCTIONS}/book.lua`,
    from: 'answer[2] = int(book.meta.sequence)',
    to: 'answer[1], answer[2] = int(book.meta.sequence), answer[1]',
  },
  ...['reserve.lua', 'resolve.lua'].map((name) => ({
    file: `${FUNCTIONS}/${name}`,
    from: "{ 'rolled_back', int(book.meta.sequence) }",
    to: "{ int(book.meta.sequence), 'rolled_back' }",
  })),
  {
    file: 'services/ledger/redis/ledger-replies.ts',
    from: 'const [state, sequence, ...outcomes] =',
    to: 'const [sequence, state, ...outcomes] =',
  },
  {
    file: `${CLAIMS}/claims.lua`,
    from: 'if epoch ~= args[2] or tonumber(sequence) < tonumber(args[3])',
    to: 'if epoch ~= args[3] or tonumber(sequence) < tonumber(args[2])',
  },
  {
    file: `${CLAIMS}/redis-claims.ts`,
    from: 'const opened = readOpened(',
    to: 'args.splice(0, 2, String(sequence), epoch);\n      const opened = readOpened(',
  },
  {
    file: `${CLAIMS}/claims.lua`,
    from: 'return { int(clock(args[1])), believe(read(keys[1]), keys[2]) }',
    to: 'return { believe(read(keys[1]), keys[2]), int(clock(args[1])) }',
  },
  { file: `${CLAIMS}/claim-replies.ts`, from: 'Type.Tuple([Whole, Fields]))', to: 'Type.Tuple([Fields, Whole]))' },
  {
    file: `${CLAIMS}/claim-replies.ts`,
    from: 'return readClaim(...readFoundParts(reply));',
    to: 'const [fields, now] = readFoundParts(reply);\n  return readClaim(now, fields);',
  },
];

/**
 * Builds another release of the product: its functions in Redis differ from those of this release, and each release fails
 * if it calls the functions of the other one.
 * @param folder an empty folder for its sources and bundles
 * @returns a function that finds the file from which to start a process
 */
export async function buildEarlierRelease(folder: string): Promise<(source: string) => string> {
  mkdirSync(folder, { recursive: true });
  for (const copied of ['gateway', 'services', 'package.json']) {
    cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
  }
  for (const shared of ['node_modules', 'proto', 'workers']) symlinkSync(join(ROOT, shared), join(folder, shared));
  for (const change of CHANGES) apply(join(folder, change.file), change);
  const outdir = join(folder, '.cache/bundles');
  const entryPoints = ['gateway/main.ts', 'services/payments/main.ts', 'services/backoffice/main.ts'];
  await bundle({ root: folder, outdir, entryPoints });
  return (source) => join(outdir, source.replace(/\.ts$/, '.js'));
}

function apply(path: string, { from, to }: Change): void {
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path} does not have this text exactly once: ${from}`);
  writeFileSync(path, text.replace(from, to));
}
