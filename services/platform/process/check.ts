import type { TObject } from 'typebox';
import { ConfigurationError, EX_CONFIG, withoutNames } from './environment.ts';
import { readSecretFiles } from './secret-files.ts';

/**
 * Answers `--check`: prints what is wrong with the settings, as a JSON array of texts, and sets the exit status to 78 if
 * anything is. Nothing is started, and no file written.
 * @param read reads the whole configuration
 * @param schema of the configuration
 */
export function printFaults(
  read: (environment: NodeJS.ProcessEnv) => unknown,
  schema: TObject,
  given: NodeJS.ProcessEnv,
): void {
  const environment = { ...given };
  const ofFiles = faultsOf(() => readSecretFiles(environment, Object.keys(schema.properties)));
  const names = ofFiles.map((fault) => fault.replace(/(?:_FILE)?:.*/s, ''));
  const faults = [
    ...ofFiles,
    ...withoutNames(
      faultsOf(() => read(environment)),
      names,
    ),
  ];
  console.log(JSON.stringify(faults));
  if (faults.length > 0) process.exitCode = EX_CONFIG;
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}
