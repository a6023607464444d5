import { execFile } from 'node:child_process';
import { Type } from 'typebox';
import { ROOT } from '../../services/platform/process/installation.ts';
import { bundleOf } from './bundles/current-bundles.ts';
import { createJsonReader } from './parse/json-reader.ts';
import { environmentFor, PROGRAMS } from './processes/programs.ts';
import { START_SETTINGS } from './processes/service-process.ts';
import { isSandboxIn } from './settings.ts';

/** What `npm start` gives to its processes, whatever the environment has. */
const REPLACED = [
  'LISTEN',
  'CONTENT_URL',
  'MAPS_URL',
  'PAYMENTS_URL',
  'BACKOFFICE_URL',
  'VERIFICATION_URL',
  'STORAGE_MODE',
  'STORAGE_SOURCE',
  'VERIFICATION_SANDBOX',
  'CREATE_KEYS',
  'SANDBOX_STATE_FILE',
];

/** Addresses of servers that are not started yet. */
const SERVERS = { DATABASE_URL: 'postgres://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };
const SANDBOX = { SANDBOX_RPC_URL: 'http://127.0.0.1:1', SANDBOX_STATE_FILE: 'none', CREATE_KEYS: 'true' };

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment in which `npm start` would start its processes. */
function environmentOf(given: Environment, isSandbox: boolean): Environment {
  const kept = Object.entries(given).filter(([name]) => !REPLACED.includes(name));
  const servers = Object.entries(SERVERS).filter(([name]) => !(given[name] || given[`${name}_FILE`]));
  return { ...Object.fromEntries([...kept, ...servers]), ...(isSandbox && SANDBOX), ...START_SETTINGS };
}

const readFaults = createJsonReader(Type.Array(Type.String()), 'the answer to --check');

/** @throws {Error} with what the program printed, if it did not answer */
function askProgram(path: string, options: { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv }) {
  return new Promise<readonly string[]>((done, reject) => {
    execFile(process.execPath, [path, ...options.args], { env: options.env, cwd: ROOT }, (error, stdout, stderr) => {
      try {
        done(readFaults(stdout));
      } catch {
        reject(new Error(`${path} --check did not answer: ${stderr || error?.message}`));
      }
    });
  });
}

/**
 * Asks every program that `npm start` starts, each in its own process, what is wrong with its settings. Nothing is started.
 * @param bundles folder of the bundles; undefined to run the sources
 * @returns the faults, each with the programs that name it
 */
export async function checkPrograms(given: Environment, bundles: string | undefined): Promise<readonly string[]> {
  const isSandbox = isSandboxIn(given);
  const args = ['--check', ...(isSandbox ? ['--sandbox'] : [])];
  const all = environmentOf(given, isSandbox);
  const answers = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, program]) => {
      const path = bundles === undefined ? program.entry : bundleOf(program.entry, bundles);
      const faults = await askProgram(path, { args, env: environmentFor(program, all) });
      return faults.map((fault) => ({ fault, name }));
    }),
  );
  const byFault = Map.groupBy(answers.flat(), ({ fault }) => fault);
  return [...byFault].map(([fault, found]) => `${found.map(({ name }) => name).join(', ')}: ${fault}`);
}
