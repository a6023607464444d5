import type { TObject, TSchema } from 'typebox';
import { GatewayConfig } from '../../gateway/config/config.ts';
import { BackofficeConfig } from '../../services/backoffice/config.ts';
import { ContentConfig } from '../../services/content/config.ts';
import { MapsEnvironment } from '../../services/maps/config.ts';
import { PaymentsEnvironment } from '../../services/payments/config.ts';
import { SECRETS } from '../../services/platform/process/secret-files.ts';
import { VerificationConfig } from '../../services/verification/config.ts';
import type { Generated } from './generated.ts';

const PATH = 'docs/configuration.md';

/** The settings of each program, by its name. */
export const PROCESSES: Readonly<Record<string, TObject>> = {
  gateway: GatewayConfig,
  content: ContentConfig,
  maps: MapsEnvironment,
  payments: PaymentsEnvironment,
  backoffice: BackofficeConfig,
  verification: VerificationConfig,
};

const HEAD = `# Configuration

Every process reads environment variables and checks them when it starts. It names each wrong variable, its value and
what it may be. \`npm start\` passes its environment on to all processes, without the secrets of other processes, and sets the
addresses that they need, so a sandbox needs none of these variables.

A variable without a default is optional unless the text says otherwise.

A secret, or a URL with one, can be in a file, also for commands: \`X402_SIGNER_KEY_FILE\` names the file with the value of
\`X402_SIGNER_KEY\`. One newline at its end is left out. A file that is missing or empty, or a value beside it, ends a process with
status 78. A process opens the files of its own variables only. These variables can be in files: ${SECRETS.map((name) => `\`${name}\``).join(', ')}.

This page is generated from the schemas of the processes (\`npm run generate\`).
`;

interface Variable {
  readonly name: string;
  readonly schema: TSchema;
  readonly processes: readonly string[];
}

/** Makes `docs/configuration.md`: a table of the variables that several processes read, then one for each process. */
export async function generateConfiguration(): Promise<Generated> {
  const variables = readVariables();
  const shared = variables.filter(({ processes }) => processes.length > 1);
  const sections = Object.keys(PROCESSES).map((process) => {
    const own = variables.filter(({ processes }) => processes.length === 1 && processes.includes(process));
    return table(process, ['Variable', 'Default', 'Meaning'], own.map(cellsOf));
  });
  const rows = shared.map((variable) => [...cellsOf(variable), variable.processes.join(', ')]);
  const first = table('Shared by several processes', ['Variable', 'Default', 'Meaning', 'Read by'], rows);
  return { owned: PATH, files: new Map([[PATH, [HEAD, first, ...sections].join('\n')]]) };
}

function readVariables(): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const [process, { properties }] of Object.entries(PROCESSES)) {
    for (const [name, schema] of Object.entries<TSchema>(properties)) {
      const known = found.get(name);
      found.set(name, { name, schema, processes: known === undefined ? [process] : [...known.processes, process] });
    }
  }
  return [...found.values()];
}

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function cellsOf({ name, schema, processes }: Variable): readonly string[] {
  const description = Reflect.get(schema, 'description');
  if (typeof description !== 'string') throw new Error(`${name} has no description`);
  const value = Reflect.get(schema, 'default');
  // LISTEN has a different default in each process, so a shared row shows none.
  const isShown = value !== undefined && value !== '' && (processes.length === 1 || name !== 'LISTEN');
  return [`\`${name}\``, isShown ? `\`${String(value)}\`` : '', description.replaceAll('|', '\\|')];
}
