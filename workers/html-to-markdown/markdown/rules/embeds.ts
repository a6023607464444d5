import { EMBED_NAMES, readEmbed } from '../../embeds/embeds.ts';
import { escapeText } from '../text/escape.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { isWithinLink } from './media.ts';
import type { MarkdownRule } from './rule.ts';

const UNREAD = new Set(['IFRAME', 'EMBED']);

export const embedRules: Readonly<Record<string, MarkdownRule>> = {
  embed: {
    filter: [...EMBED_NAMES],
    kind: 'leaf',
    // What is in the others is for browsers that cannot show them, and better than nothing.
    kindOf: (node) => (readEmbed(node) !== null ? 'leaf' : UNREAD.has(node.nodeName) ? 'skip' : null),
    replacement: (_, node, { resolve }) => {
      const embed = readEmbed(node);
      const address = embed === null ? null : resolve(embed.address);
      if (embed === null || address === null || isWithinLink(node)) return '';
      return verbatim(`[${escapeText(withoutMarks(embed.label))}](${address})`);
    },
  },
};
