import { execFileSync } from 'node:child_process';

/** Lists the files that git neither knows nor ignores. None without git, as in an archive of the sources. */
export function listUnknownFiles(root: string): ReadonlySet<string> {
  return new Set(listFiles(root, ['--others', '--exclude-standard']));
}

/** Lists the files that git knows. */
export const listKnownFiles = (root: string): readonly string[] => listFiles(root, ['--cached']);

function listFiles(root: string, options: readonly string[]): readonly string[] {
  try {
    const output = execFileSync('git', ['ls-files', '-z', ...options], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\0').filter((path) => path !== '');
  } catch {
    return [];
  }
}
