import type { WorkerAnswer } from '../thread/worker-answer.ts';
import { type HtmlDocument, htmlToMarkdown, type MarkdownDocument } from './html-to-markdown.ts';
import { ConversionError } from './parse/conversion-error.ts';

export default function convert(document: HtmlDocument): WorkerAnswer<MarkdownDocument> {
  try {
    return { ok: true, value: htmlToMarkdown(document) };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
