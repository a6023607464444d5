import { readdirSync, readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';

const Text = Type.String({ minLength: 1 });
const Label = Type.Object(
  {
    /** Text that must be in the Markdown. Headings have their number signs. */
    stays: Type.Array(Text, { minItems: 1 }),
    /** Text of the frame that must not be in the Markdown. */
    goes: Type.Array(Text),
    /** One title, or several that are equally right. */
    title: Type.Union([Text, Type.Array(Text, { minItems: 2 })]),
  },
  { additionalProperties: false },
);
const label = Compile(Label);

/** A page in the structure of a generator, with what a reader expects of it. */
export interface LabeledPage extends Static<typeof Label> {
  readonly name: string;
  readonly html: string;
}

const FOLDER = new URL('pages/', import.meta.url);

/** @throws {Error} if a label does not have the expected shape */
export function loadLabeledPages(): readonly LabeledPage[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.html'));
  return files.sort().map((file) => loadPage(file.slice(0, -'.html'.length)));
}

function loadPage(name: string): LabeledPage {
  const parsed: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  if (!label.Check(parsed)) throw new Error(`${name}.json does not have the expected shape`);
  return { name, html: readFileSync(new URL(`${name}.html`, FOLDER), 'utf8'), ...parsed };
}
