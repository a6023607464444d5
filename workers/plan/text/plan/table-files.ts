/** Texts of the files that tables name, by the name of the file. `keys` are for messages. */
export type TableFiles = Pick<ReadonlyMap<string, string>, 'get' | 'keys'>;
