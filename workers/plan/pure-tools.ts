/**
 * A tool whose output depends on its arguments alone. A version's output never changes: a tool with another output gets
 * another version.
 */
export interface PureTool {
  readonly name: 'html-to-markdown' | 'exact-select';
  /**
   * The version that runs instead, because the code of this one is gone. If it gives the recorded response, the response is
   * confirmed. If it gives another one, nothing is known about the recorded one.
   */
  readonly replacedBy?: string;
  /** Whether it ran with plugins of an operator, which are not here. Nothing is known about any response. */
  readonly hasPlugins?: true;
  /** Names of the arguments, which are all strings. */
  readonly args: Readonly<Record<string, 'required' | 'optional'>>;
}

const CONVERTER: PureTool = { name: 'html-to-markdown', args: { html: 'required', sourceUrl: 'optional' } };
/** The argument is the JSON text of a selection. */
const SELECTOR: PureTool = { name: 'exact-select', args: { selection: 'required' } };

/** Pure tools by name@version. */
export const PURE_TOOLS: ReadonlyMap<string, PureTool> = new Map([
  ['html-to-markdown@1.0.0', { ...CONVERTER, replacedBy: 'html-to-markdown@1.5.0' }],
  // Finds the main content of more pages, and keeps lists tight.
  ['html-to-markdown@1.1.0', { ...CONVERTER, replacedBy: 'html-to-markdown@1.5.0' }],
  // Leaves out what follows the text of an article. Captions are the titles of pictures.
  ['html-to-markdown@1.2.0', { ...CONVERTER, replacedBy: 'html-to-markdown@1.5.0' }],
  // Keeps parts that are only named like the frame, and reads formulas, styles, buttons, embedded content and hidden text.
  ['html-to-markdown@1.3.0', { ...CONVERTER, replacedBy: 'html-to-markdown@1.5.0' }],
  // Keeps words of icons, changed lines of code, lists and tables as programs write them, and hidden mail addresses.
  ['html-to-markdown@1.4.0', { ...CONVERTER, replacedBy: 'html-to-markdown@1.5.0' }],
  // Narrows no page, and leaves out offers, sign-ups and second links to the same page.
  ['html-to-markdown@1.5.0', CONVERTER],
  ['exact-select@1.0.0', { ...SELECTOR, replacedBy: 'exact-select@1.2.0' }],
  // Says whether the value is proven, and solves more selections.
  ['exact-select@1.1.0', { ...SELECTOR, replacedBy: 'exact-select@1.2.0' }],
  // Counts other nodes, and does not decide some selections of many equal items that 1.1.0 decided.
  ['exact-select@1.2.0', SELECTOR],
]);

/** The converter with the Turndown plugins that a digest tells. */
const WITH_PLUGINS = /^(html-to-markdown):[0-9a-f]{32}(@.+)$/;

/** The pure tool that a record names. Undefined if there is none. */
export function findPureTool(ref: string): PureTool | undefined {
  const plain = ref.replace(WITH_PLUGINS, '$1$2');
  const tool = PURE_TOOLS.get(plain);
  return tool === undefined || plain === ref ? tool : { ...tool, hasPlugins: true };
}
