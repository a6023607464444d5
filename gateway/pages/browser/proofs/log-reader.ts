import { openApi } from '../page/api.ts';

/** What the log of this server publishes. */
export interface LogReader {
  /** The signed head of the log. */
  readHead(): Promise<string>;
  /** The consistency proof between two sizes, in base64. */
  readConsistency(first: number, second: number): Promise<readonly string[]>;
}

const api = openApi();

export const logReader: LogReader = {
  readHead: () => api.readText('/log/checkpoint'),
  async readConsistency(first, second) {
    const { hashes } = Object(await api.readJson(`/log/consistency?first=${first}&second=${second}`));
    return Array.isArray(hashes) ? hashes.map(String) : [];
  },
};

/** The key file that this server publishes. */
export const readServerKeys = (): Promise<Uint8Array<ArrayBuffer>> => api.readBytes('/log/keys');
