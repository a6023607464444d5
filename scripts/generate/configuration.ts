import { GatewayConfig } from '../../gateway/config/config.ts';
import { BackofficeConfig } from '../../services/backoffice/config.ts';
import { ContentConfig } from '../../services/content/config.ts';
import { MapsEnvironment } from '../../services/maps/config.ts';
import { PaymentsEnvironment } from '../../services/payments/config.ts';
import { VerificationConfig } from '../../services/verification/config.ts';
import type { Generated } from './generated.ts';

const PROCESSES = {
  gateway: GatewayConfig,
  content: ContentConfig,
  maps: MapsEnvironment,
  payments: PaymentsEnvironment,
  backoffice: BackofficeConfig,
  verification: VerificationConfig,
};

const HEAD = `# Configuration

Every process reads environment variables and checks them when it starts. It names each wrong variable, its value and
what it may be. \`npm start\` passes its environment on to all processes and sets the addresses that they need, so a
sandbox needs none of these variables.

A variable without a default is optional unless the text says otherwise.

This page is generated from the schemas of the processes (\`npm run generate\`).
`;

interface Property {
  readonly description?: string;
  readonly default?: unknown;
}

/** `docs/configuration.md`: one table for the variables that several processes read, and one for each process. */
export async function generateConfiguration(): Promise<Generated> {
  const readers = new Map<string, { readonly processes: string[]; readonly property: Property }>();
  for (const [process, { properties }] of Object.entries(PROCESSES)) {
    for (const [name, property] of Object.entries<Property>(properties)) {
      const reader = readers.get(name) ?? { processes: [], property };
      reader.processes.push(process);
      readers.set(name, reader);
    }
  }
  const rowsOf = (process: string) =>
    [...readers].filter(([, { processes }]) => processes.length === 1 && processes[0] === process);
  const shared = [...readers].filter(([, { processes }]) => processes.length > 1);
  const sections = [
    `## Several processes\n\n| Variable | Default | Meaning | Read by |\n|---|---|---|---|\n${shared
      .map(
        ([name, { processes, property }]) =>
          `| \`${name}\` | ${defaultOf(name, property)} | ${meaningOf(name, property)} | ${processes.join(', ')} |`,
      )
      .join('\n')}\n`,
    ...Object.keys(PROCESSES).map(
      (process) =>
        `## ${process}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rowsOf(process)
          .map(
            ([name, { property }]) => `| \`${name}\` | ${defaultOf(name, property)} | ${meaningOf(name, property)} |`,
          )
          .join('\n')}\n`,
    ),
  ];
  const path = 'docs/configuration.md';
  return { owned: path, files: new Map([[path, `${[HEAD, ...sections].join('\n')}`]]) };
}

function meaningOf(name: string, { description }: Property): string {
  if (description === undefined) throw new Error(`${name} has no description`);
  return description.replaceAll('|', '\\|');
}

/** Services listen on different addresses, so the shared table does not show one. */
function defaultOf(name: string, property: Property): string {
  if (name === 'LISTEN') return 'by service';
  const { default: value } = property;
  return value === undefined || value === '' ? '' : `\`${String(value)}\``;
}
