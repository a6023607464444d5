import { ALL_CODES, PUBLIC_CODES } from '../../services/platform/errors/code-lists.ts';
import { ERROR_CODES } from '../../services/platform/errors/error-codes.ts';
import type { ErrorEntry } from '../../services/platform/errors/error-entry.ts';
import type { Generated } from './generated.ts';

const PATH = 'docs/errors.md';

const INTRODUCTION = `<!-- Generated from services/platform/errors/ by \`npm run generate\`. -->

# Error codes

Every error of the HTTP API is \`{ "error": { "code", "message", "requestId" } }\`. Errors of tools also have \`remedy\`:
what to do next. "Repeat" says whether the unchanged request may be sent again, payment and idempotency key included.
A trial stops at every error: its sign-in proof (\`SIGN-IN-WITH-X\`) is valid for one request, and it never pays
automatically. To call again is a choice of whoever runs the client, and needs a new challenge.
`;

const INTERNAL = `
## Codes between services

Services answer the gateway with these codes. Callers of the API never see them.
`;

/** `docs/errors.md`: the table of error codes for readers. */
export async function generateErrorReference(): Promise<Generated> {
  const isPublic = new Set<string>(PUBLIC_CODES);
  const text = [
    INTRODUCTION,
    table(
      ['Code', 'HTTP', 'gRPC', 'Repeat', 'Meaning', 'What to do', 'In a trial'],
      PUBLIC_CODES.map((code) => {
        const entry = ERROR_CODES[code];
        const { http, repeat, meaning, remedy, trial = '' }: ErrorEntry = entry;
        return [`\`${code}\``, String(http), grpcOf(entry), yesNo(repeat === true), meaning, remedy, trial];
      }),
    ),
    INTERNAL,
    table(
      ['Code', 'gRPC', 'Repeat', 'Meaning'],
      ALL_CODES.filter((code) => !isPublic.has(code)).map((code) => {
        const entry = ERROR_CODES[code];
        return [`\`${code}\``, grpcOf(entry), yesNo('repeat' in entry), entry.meaning];
      }),
    ),
  ].join('\n');
  return { owned: PATH, files: new Map([[PATH, text]]) };
}

const yesNo = (answer: boolean): string => (answer ? 'yes' : 'no');
/** Empty if no service answers with the code. */
const grpcOf = (entry: object): string => ('grpc' in entry ? `\`${String(entry.grpc)}\`` : '');

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(header), `|${header.map(() => '---|').join('')}\n`, ...rows.map(line)].join('');
}
